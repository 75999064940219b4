// Machines and float networks on the grid, step for step as dfst runs them. Nothing here touches the page.

(() => {
  const live = (globalThis.dfstLive ??= { tasks: {}, weights: {}, certificates: {} });
  const MOVES = ["U", "D", "L", "R", "S"];
  const DX = [0, 0, -1, 1, 0], DY = [1, -1, 0, 0, 0];
  const STAY = 4;
  const RESCALE_BEYOND = 2 ** 16, FLUSH_BELOW = 2 ** -100, FLUSH_EVERY = 64; // as in dfst/act/float_kernels.py
  const fround = Math.fround;

  // An unbounded grid of symbol numbers; what was never written is blank.
  class Grid {
    constructor(blank) {
      this.blank = blank;
      this.cells = new Map();
    }
    static key(x, y) {
      return (y + 2 ** 20) * 2 ** 24 + (x + 2 ** 23);
    }
    get(x, y) {
      return this.cells.get(Grid.key(x, y)) ?? this.blank;
    }
    set(x, y, symbol) {
      if (symbol === this.blank) this.cells.delete(Grid.key(x, y));
      else this.cells.set(Grid.key(x, y), symbol);
    }
    // {y: [x, symbol] in order} of all that is not blank
    row(wanted) {
      const found = [];
      for (const [key, symbol] of this.cells) {
        const y = Math.floor(key / 2 ** 24) - 2 ** 20;
        if (y === wanted) found.push([(key % 2 ** 24) - 2 ** 23, symbol]);
      }
      return found.sort((one, other) => one[0] - other[0]);
    }
  }

  // The symbols of one operand; refuses what the task does not allow, with a sentence.
  function operand(task, part, text, number) {
    const name = part.endsWith("+") ? part.slice(0, -1) : part;
    const allowed = task.classes[name];
    const symbols = [...text];
    const wrong = symbols.find((symbol) => !allowed.includes(symbol));
    if (wrong !== undefined) throw new Error(`Input ${number} has a “${wrong}”: use ${allowed.join(" ")}.`);
    if (!symbols.length) throw new Error(`Input ${number} is empty: use ${allowed.join(" ")}.`);
    if (part === name && symbols.length !== 1) throw new Error(`Input ${number} is longer than one symbol.`);
    return symbols.map((symbol) => task.symbols.indexOf(symbol));
  }

  function operandParts(task) {
    return task.layout.parts.filter((part) => !task.symbols.includes(part));
  }

  // The input row for some operands, as symbol numbers.
  function place(task, operands) {
    let number = 0;
    return task.layout.parts.flatMap((part) => {
      const symbol = task.symbols.indexOf(part);
      return symbol >= 0 ? [symbol] : operand(task, part, operands[number] ?? "", ++number);
    });
  }

  // What a policy that halted left on the grid; null if the answer's row holds anything else, or a gap.
  function answer(task, grid) {
    const row = grid.row(task.layout.answer_row);
    const allowed = task.classes[task.layout.answer_class].map((symbol) => task.symbols.indexOf(symbol));
    for (let i = 0; i < row.length; i++) {
      if (!allowed.includes(row[i][1]) || row[i][0] !== row[0][0] + i) return null;
    }
    const symbols = row.map(([, symbol]) => task.symbols[symbol]);
    if (task.layout.leading === null) return symbols.join("");
    while (symbols.length > 1 && symbols[0] === task.layout.leading) symbols.shift();
    return symbols.join("");
  }

  // A table (state, symbol) -> [next state, written, move] as a policy.
  class Machine {
    constructor(table, start) {
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
    constructor({ d, k, h0, packed }) {
      Object.assign(this, { d, k, h0, packed, width: d + k + 5 });
      this.scores = new Float32Array(this.width);
      this.begin();
    }
    begin() {
      this.h = Float32Array.from(this.h0);
      this.steps = 0;
    }
    act(seen) {
      const { d, k, width, scores, packed, h } = this;
      scores.fill(0);
      let at = seen * d * width;
      for (let j = 0; j < d; j++) {
        const factor = h[j];
        for (let i = 0; i < width; i++, at++) scores[i] = scores[i] + fround(packed[at] * factor);
      }
      const written = leader(scores, d, k), move = leader(scores, d + k, 5);
      if (written < 0 || move < 0) return null;
      h.set(scores.subarray(0, d));
      this.steps += 1;
      if (move !== STAY) this.rescale();
      return [written, move];
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

  // The place of the largest of `count` scores; -1 if two are largest, or if it is not finite.
  function leader(scores, first, count) {
    let found = 0, best = scores[first], tied = false;
    for (let i = 1; i < count; i++) {
      const score = scores[first + i];
      if (score > best) [found, best, tied] = [i, score, false];
      else if (score === best) tied = true;
    }
    return tied || !(best > -Infinity && best < Infinity) ? -1 : found;
  }

  // A whole rollout: what was seen, written and moved, the states of a machine, and how it ended.
  function rollOut(task, policy, operands, limit) {
    const tape = place(task, operands);
    const grid = new Grid(task.symbols.indexOf(task.blank));
    tape.forEach((symbol, x) => grid.set(x, 0, symbol));
    let [x, y] = task.layout.head;
    const run = { tape, seen: [], written: [], moves: [], states: [], outcome: "step limit", answer: null };
    policy.begin();
    while (run.seen.length < limit) {
      const seen = grid.get(x, y), state = policy.state;
      const act = policy.act(seen);
      if (!act) {
        run.outcome = "stuck";
        break;
      }
      run.seen.push(seen);
      run.written.push(act[0]);
      run.moves.push(act[1]);
      run.states.push(state);
      grid.set(x, y, act[0]);
      x += DX[act[1]];
      y += DY[act[1]];
      if (act[1] === STAY) {
        run.outcome = "halted";
        run.answer = answer(task, grid);
        break;
      }
    }
    run.last = run.outcome === "halted" ? -1 : policy.state;
    return run;
  }

  // The first step at which two rollouts of one problem do not do the same, or null.
  function difference(one, other) {
    const shared = Math.min(one.seen.length, other.seen.length);
    for (let i = 0; i < shared; i++) {
      if (one.written[i] !== other.written[i] || one.moves[i] !== other.moves[i]) return i;
    }
    return one.seen.length === other.seen.length && one.outcome === other.outcome ? null : shared;
  }

  // All operands whose parts are together at most `total` symbols long, shortest first, as far as `most` of them.
  function* problems(task, most) {
    const parts = operandParts(task);
    const letters = parts.map((part) => task.classes[part.replace(/\+$/, "")]);
    function* words(number, length) {
      if (number === parts.length) {
        if (length === 0) yield [];
        return;
      }
      const grows = parts[number].endsWith("+");
      for (let own = 1; own <= (grows ? length : 1); own++) {
        for (const rest of words(number + 1, length - own)) {
          const count = letters[number].length ** own;
          for (let n = 0; n < count; n++) {
            let text = "";
            for (let i = 0, left = n; i < own; i++, left = Math.floor(left / letters[number].length)) {
              text = letters[number][left % letters[number].length] + text;
            }
            yield [text, ...rest];
          }
        }
      }
    }
    let given = 0;
    for (let length = parts.length; ; length++) {
      let any = false;
      for (const operands of words(0, length)) {
        any = true;
        yield operands;
        if (++given >= most) return;
      }
      if (!any) return;
    }
  }

  // The shortest problem on which a machine leaves its teacher, and where; null if none of the first ones shows it.
  function counterexample(task, machine, teacher, most = 12000, limit = 2000) {
    for (const operands of problems(task, most)) {
      const taught = rollOut(task, teacher, operands, limit);
      const done = rollOut(task, machine, operands, taught.seen.length + 1);
      const step = difference(done, taught);
      if (step !== null) return { operands, step, taught, done };
    }
    return null;
  }

  // Base64 of little-endian float32 numbers: h0, then for each symbol d rows of d + K + 5.
  function unpack({ d, k, numbers }) {
    const text = atob(numbers);
    const bytes = new DataView(new ArrayBuffer(text.length));
    for (let i = 0; i < text.length; i++) bytes.setUint8(i, text.charCodeAt(i));
    const all = Float32Array.from({ length: text.length / 4 }, (_, i) => bytes.getFloat32(4 * i, true));
    return { d, k, h0: all.subarray(0, d), packed: all.subarray(d) };
  }

  Object.assign(live, {
    MOVES, DX, DY, Grid, Machine, Network, answer, counterexample, difference, operandParts, place, problems, rollOut,
    unpack,
  });
})();
