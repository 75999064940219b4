// Machines and float networks on the grid, step for step as dfst runs them. Nothing here touches the page.

const DX = [0, 0, -1, 1, 0], DY = [1, -1, 0, 0, 0]; // U D L R S
const STAY = 4;
const RESCALE_BEYOND = 2 ** 16, FLUSH_BELOW = 2 ** -100, FLUSH_EVERY = 64; // as in dfst/act/float_kernels.py
const { fround } = Math;

// The letters of each operand, and whether it may be longer than one of them.
function operandParts(task) {
  return task.layout.parts.filter((part) => !task.symbols.includes(part)).map((part) =>
    ({ letters: task.classes[part.replace(/\+$/, "")], grows: part.endsWith("+") }));
}

// The input row for some operands, as symbol numbers; refuses what the task does not allow, with a sentence.
function place(task, operands) {
  operandParts(task).forEach(({ letters, grows }, i) => {
    const symbols = [...(operands[i] ?? "")], wrong = symbols.find((symbol) => !letters.includes(symbol));
    if (wrong !== undefined) throw new Error(`Input ${i + 1} has a “${wrong}”: use ${letters.join(" ")}.`);
    if (!symbols.length) throw new Error(`Input ${i + 1} is empty: use ${letters.join(" ")}.`);
    if (!grows && symbols.length > 1) throw new Error(`Input ${i + 1} is longer than one symbol.`);
  });
  const left = [...operands];
  return task.layout.parts.flatMap((part) => (task.symbols.includes(part) ? [part] : [...left.shift()]))
    .map((symbol) => task.symbols.indexOf(symbol));
}

// What a policy that halted left on the answer's row; null if that holds anything else, or a gap.
function answer(task, symbols) {
  const there = symbols.map((symbol) => symbol !== task.blank);
  const left = symbols.slice(there.indexOf(true), there.lastIndexOf(true) + 1); // of an empty row nothing
  if (!left.every((symbol) => task.classes[task.layout.answer_class].includes(symbol))) return null;
  while (left.length > 1 && left[0] === task.layout.leading) left.shift();
  return left.join("");
}

// A table (state, symbol) -> [next state, written, move] as a policy.
class Machine {
  constructor({ table, start }) {
    Object.assign(this, { table, start, state: start });
  }
  begin() {
    this.state = this.start;
  }
  // [written, move], or null where there is no rule
  act(seen) {
    const rule = this.table[this.state][seen];
    if (!rule) return null;
    this.state = rule[0];
    return [rule[1], rule[2]];
  }
}

// A DFST in strict float32: every product and every sum is rounded, in the order that dfst fixes.
class Network {
  constructor({ d, k, bits, h0, packed }, Scores = Float32Array) {
    Object.assign(this, { d, k, bits, h0, packed, width: d + k + 5 });
    this.scores = new Scores(this.width);
    this.begin();
  }
  begin() {
    this.set([this.h0, 0]);
  }
  // The hidden vector and the number of steps, to come back to.
  get() {
    return [Float32Array.from(this.h), this.steps];
  }
  set([h, steps]) {
    [this.h, this.steps] = [Float32Array.from(h), steps];
  }
  act(seen) {
    const { d, k, width, scores, packed, h } = this;
    scores.fill(0);
    let at = seen * d * width;
    for (let j = 0; j < d; j++) {
      const factor = h[j];
      for (let i = 0; i < width; i++, at++) scores[i] = scores[i] + this.product(packed[at], factor);
    }
    const written = leader(scores, d, k), move = leader(scores, d + k, 5);
    if (written < 0 || move < 0) return null;
    h.set(scores.subarray(0, d));
    this.steps += 1;
    if (move !== STAY) this.rescale();
    return [written, move];
  }
  product(weight, factor) {
    return fround(weight * factor);
  }
  // h times a power of two so that its largest component is in [1, 2): this changes no action.
  rescale() {
    const { h } = this;
    let largest = 0;
    for (const value of h) largest = Math.max(largest, Math.abs(value));
    const far = largest < 1 / RESCALE_BEYOND || largest > RESCALE_BEYOND;
    if (!(far || this.steps % FLUSH_EVERY === 0) || !(largest > 0 && largest < Infinity)) return;
    let exponent = Math.floor(Math.log2(largest));
    if (2 ** exponent > largest) exponent -= 1; // log2 may round up
    if (2 ** (exponent + 1) <= largest) exponent += 1;
    const factor = 2 ** -exponent, least = largest * FLUSH_BELOW;
    for (let i = 0; i < h.length; i++) h[i] = Math.abs(h[i]) < least ? 0 : h[i] * factor;
  }
}

// The same in float64, h being rounded to whole numbers after every step. Of the networks that the page offers,
// network_checker.py proves that float64, in any order of summation, makes the steps of exact arithmetic.
class Rounded extends Network {
  constructor(numbers) {
    super(numbers, Float64Array);
  }
  product(weight, factor) {
    return weight * factor;
  }
  rescale() {
    const { d, h, scores, bits } = this, numbers = scores.subarray(0, d);
    const largest = Math.max(...numbers.map(Math.abs));
    numbers.forEach((value, i) => (h[i] = Math.floor(2 ** bits * (value / largest) + 0.5)));
  }
}

// The place of the largest of `count` scores; -1 if two are largest, if it is not finite, or if any score is NaN.
function leader(scores, first, count) {
  let found = 0, best = scores[first], tied = false;
  for (let i = 1; i < count; i++) {
    const score = scores[first + i];
    if (score > best) [found, best, tied] = [i, score, false];
    else if (!(score < best)) [tied, best] = [true, score === best ? best : Infinity];
  }
  return tied || !(best > -Infinity && best < Infinity) ? -1 : found;
}

// A whole rollout: what was seen, written and moved, the states of a machine, and how it ended.
function rollOut(task, policy, operands, limit) {
  const tape = place(task, operands), blank = task.symbols.indexOf(task.blank), cells = new Map();
  const key = (x, y) => (y + 2 ** 20) * 2 ** 24 + (x + 2 ** 23); // the grid is unbounded
  tape.forEach((symbol, x) => cells.set(key(x, 0), symbol));
  let [x, y] = task.layout.head;
  const box = [Math.min(0, x), Math.max(tape.length - 1, x), Math.min(0, y), Math.max(0, y)];
  const run = { tape, box, seen: [], written: [], moves: [], states: null, outcome: "step limit", answer: null };
  policy.begin();
  if (policy.state !== undefined) run.states = [];
  while (run.seen.length < limit) {
    const seen = cells.get(key(x, y)) ?? blank, { state } = policy, act = policy.act(seen);
    if (!act) {
      run.outcome = "stuck";
      break;
    }
    const [written, move] = act;
    run.seen.push(seen);
    run.written.push(written);
    run.moves.push(move);
    run.states?.push(state);
    cells.set(key(x, y), written);
    x += DX[move];
    y += DY[move];
    if (x < box[0]) box[0] = x;
    if (x > box[1]) box[1] = x;
    if (y < box[2]) box[2] = y;
    if (y > box[3]) box[3] = y;
    if (move === STAY) {
      const [left, right] = box, { answer_row: height } = task.layout;
      const row = Array.from({ length: right - left + 1 }, (_, i) => cells.get(key(left + i, height)));
      run.outcome = "halted";
      run.answer = answer(task, row.map((symbol) => task.symbols[symbol ?? blank]));
      break;
    }
  }
  run.last = run.outcome === "halted" ? -1 : policy.state;
  return run;
}

// Some rollouts of one problem as tracks over one rectangle; `states` are the names of a machine's states.
function tracksOf(task, runs, states) {
  const box = [Math.min, Math.max, Math.min, Math.max].map((most, side) => most(...runs.map((run) => run.box[side])));
  const facts = { symbols: task.symbols, blank: task.symbols.indexOf(task.blank), head: task.layout.head, box, states };
  return runs.map((run) => new Track({ ...facts, lastState: states[run.last] ?? "halt" }, run));
}

// The first step at which two rollouts of one problem do not do the same, or null.
function difference(one, other) {
  const shared = Math.min(one.seen.length, other.seen.length);
  for (let i = 0; i < shared; i++) {
    if (one.written[i] !== other.written[i] || one.moves[i] !== other.moves[i]) return i;
  }
  return one.seen.length === other.seen.length && one.outcome === other.outcome ? null : shared;
}

// What became of a rollout beside the teacher's: it stopped "right" or "wrong", got "stuck", or did not stop: "endless"
// if the right answer was written when the teacher stopped, else "unfinished".
function ending(task, run, taught) {
  const right = (left) => taught.answer !== null && left === taught.answer;
  if (run.outcome === "halted") return right(run.answer) ? "right" : "wrong";
  if (run.outcome === "stuck") return "stuck";
  const [track] = tracksOf(task, [run], []);
  track.seek(taught.seen.length);
  return right(answer(task, track.row(task.layout.answer_row))) ? "endless" : "unfinished";
}

// How long a learner that goes astray is watched: as long as dfst view shows it.
const patience = (taught) => 2 * taught.seen.length + 100;

function* words(letters, length) {
  if (!length) yield "";
  else for (const word of words(letters, length - 1)) for (const letter of letters) yield word + letter;
}

// All operands that are together so many symbols long.
function* problems([part, ...others], length) {
  for (let own = 1; own <= (part.grows ? length - others.length : 1); own++) {
    if (!others.length && own < length) continue;
    for (const rest of others.length ? problems(others, length - own) : [[]]) {
      for (const word of words(part.letters, own)) yield [word, ...rest];
    }
  }
}

// The shortest problem on which a machine leaves its teacher, and where; null if none of the first ones shows it.
function counterexample(task, machine, teacher, most = 12000, limit = 2000) {
  const parts = operandParts(task), longest = parts.some(({ grows }) => grows) ? Infinity : parts.length;
  for (let length = parts.length, given = 0; length <= longest; length++) {
    for (const operands of problems(parts, length)) {
      if (++given > most) return null;
      const taught = rollOut(task, teacher, operands, limit);
      const step = difference(rollOut(task, machine, operands, taught.seen.length + 1), taught);
      if (step !== null) return { operands, step };
    }
  }
  return null;
}
