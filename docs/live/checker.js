// dfst's checker of certificates, as in dfst/prove/checker.py: the same steps and sentences, but without its limits on
// work and size: they protect from files of strangers, and a page checks only the certificates that come with it.

const FORMAT = "dfst-certificate/1";
const MANY = 2 ** 26; // of columns and of halves: two numbers make one key
const [U, , L, R, S] = [0, 1, 2, 3, 4];
const CLAIM = ["on every input", "on every input, up to where the teacher gets stuck"];
const WORLD = ["symbols", "blank", "classes", "layout"], MACHINE = ["start", "table"];
const PROOF = ["rows", "sets", "columns", "halves", "starts", "members", "steps", "claim", "hashes", "digest"];
const KEYS = [...WORLD, ...PROOF, "format", "moves", "halting", "teacher", "learner"];

// The readers of one value each.
function items(value, what, length = null) {
  const right = Array.isArray(value) && (length ?? value.length) === value.length;
  need(right, () => `${what} is not a list of the right length`);
  return value;
}
function whole(value, low, high, what) {
  const right = Number.isInteger(value) && low <= value && value <= high;
  need(right, () => `${what} is not a whole number from ${low} to ${high}`);
  return value;
}
function pick(table, number, what) {
  return table[whole(number, 0, table.length - 1, `the number of ${what}`)];
}
function texts(value, what) {
  need(items(value, what).every((text) => typeof text === "string"), `${what} holds what is not a string`);
  return value;
}
function entries(value, keys, what) {
  const given = value instanceof Map ? [...value.keys()] : [];
  const wrong = [...keys.filter((key) => !given.includes(key)), ...given.filter((key) => !keys.includes(key))];
  need(value instanceof Map && !wrong.length, `${what} has not the keys it should (look at ${wrong.slice(0, 3)})`);
  return value;
}

// Columns and halves by number, equal ones by the same: sets of symbols are bits of a BigInt.
class Shapes {
  columns = [];
  halves = [{ column: -1, many: false, rest: -1, length: 0 }]; // number 0 is the empty half
  numbers = new Map();
  insides = new Map();
  halfInsides = new Map();

  #number(key, table, value) {
    need(table.length < MANY, "it is too large");
    if (!this.numbers.has(key)) this.numbers.set(key, table.push(value) - 1);
    return this.numbers.get(key);
  }
  column(cells) {
    return this.#number(cells.join(), this.columns, cells);
  }
  push(column, many, rest) {
    const half = { column, many, rest, length: this.halves[rest].length + 1 };
    return this.#number(`h${column},${many},${rest}`, this.halves, half);
  }
  half(runs) {
    return runs.reduceRight((rest, [column, many]) => this.push(column, Boolean(many), rest), 0);
  }
  runs(number) {
    const found = [];
    for (let half = this.halves[number]; half.length; half = this.halves[half.rest]) found.push(half);
    return found;
  }
  write(column, row, cell) {
    return this.column(this.columns[column].with(row, cell));
  }
  inside(small, large) {
    if (small === large) return true;
    const key = small * MANY + large;
    if (!this.insides.has(key)) {
      const others = this.columns[large];
      this.insides.set(key, this.columns[small].every((one, i) => (one | others[i]) === others[i]));
    }
    return this.insides.get(key);
  }
  pop(number, blank) {
    const { column, many, rest, length } = this.halves[number];
    if (!length) return [[blank, 0]];
    return many ? [[column, number], [column, rest]] : [[column, rest]];
  }
  // Whether the runs of one half can be laid in order onto runs of the other that hold them, hitting every one.
  halfInside(small, large, blank) {
    const key = small * MANY + large;
    if (!this.halfInsides.has(key)) {
      const onto = this.runs(large);
      let places = new Set([0]); // 2 i: run i is next; 2 i + 1: run i has been hit and may be again
      for (const { column, many } of this.runs(small)) {
        const reached = new Set();
        for (const place of places) {
          reached.add(place >> 1);
          if (place & 1) reached.add((place >> 1) + 1);
        }
        places = new Set();
        for (const i of reached) {
          if (i === onto.length && column === blank) places.add(2 * i);
          if (i >= onto.length || !this.inside(column, onto[i].column)) continue;
          if (onto[i].many) places.add(2 * i + 1);
          else if (!many) places.add(2 * (i + 1));
        }
      }
      const left = (place) => onto.slice((place >> 1) + (place & 1));
      const found = [...places].some((place) => left(place).every((run) => this.inside(blank, run.column)));
      this.halfInsides.set(key, found);
    }
    return this.halfInsides.get(key);
  }
}

function readWorld(given) {
  const [classes, blank] = [given.get("classes"), given.get("blank")];
  const symbols = texts(given.get("symbols"), "the alphabet");
  const layout = entries(given.get("layout"), ["parts", "head", "answer_row", "answer_class", "leading"], "the layout");
  const once = new Set(symbols).size === symbols.length;
  need(once && symbols.includes(blank), "a symbol comes twice, or the blank never");
  need(classes instanceof Map, "the classes are not an object");
  const bits = new Map(symbols.map((symbol, n) => [symbol, 1n << BigInt(n)])), masks = new Map(), parts = [];
  for (const [name, members] of classes) {
    need(texts(members, "a class").length, "a class is empty");
    need(members.every((symbol) => bits.has(symbol)), "a class holds something that is not a symbol");
    masks.set(name, members.reduce((mask, symbol) => mask | bits.get(symbol), 0n));
  }
  for (const part of texts(layout.get("parts"), "the input")) {
    const name = part.endsWith("+") ? part.slice(0, -1) : part;
    need(bits.has(part) || masks.has(name), "an input part is neither a symbol nor a class");
    parts.push(bits.has(part) ? [bits.get(part), false] : [masks.get(name), part !== name]);
    need(!(parts.at(-1)[0] & bits.get(blank)), "an input part may be blank");
  }
  need(parts.length, "the input is empty");
  const [x, y] = items(layout.get("head"), "the start cell", 2);
  for (const n of [x, y]) whole(n, -1000, 1000, "a coordinate of the start cell");
  whole(layout.get("answer_row"), -1000, 1000, "the answer's row");
  const [name] = texts([layout.get("answer_class")], "the answer's class");
  const answers = classes.get(name) ?? [blank];
  need(!answers.includes(blank), "the answer's class is none of the classes, or holds the blank");
  need([null, ...answers].includes(layout.get("leading")), "the leading symbol is not in the answer's class");
  return { parts, empty: bits.get(blank), x, y };
}

function readMachine(value, k, what) {
  entries(value, [...MACHINE, "name", "states"], `the ${what}`);
  const table = items(value.get("table"), `the ${what}'s table`);
  const rows = table.map((row) => items(row, `a row of the ${what}'s table`, k));
  for (const entry of rows.flat()) {
    if (entry === null) continue;
    items(entry, `an entry of the ${what}'s table`, 3);
    whole(entry[0], -1, table.length - 1, `a next state of the ${what}`);
    whole(entry[1], 0, k - 1, `a symbol that the ${what} writes`);
    whole(entry[2], U, S, `a move of the ${what}`);
    need((entry[2] === S) === (entry[0] === -1), `the ${what} stays without halting, or halts without staying`);
  }
  const states = items(value.get("states"), `the ${what}'s states`);
  texts([value.get("name"), ...states], `the ${what}'s names`);
  need([0, table.length].includes(states.length), `the ${what} has more or fewer names of states than states`);
  return { start: whole(value.get("start"), 0, table.length - 1, `the ${what}'s start`), table };
}

// Members as [teacher state, learner state, row, left half, column, right half]; row null means any grid.
function readMembers(given, height, counts, shapes) {
  const k = given.get("symbols").length;
  const sets = items(given.get("sets"), "the sets").map((listed) => {
    need(items(listed, "a set").length, "a set is empty");
    return listed.reduce((mask, x) => mask | (1n << BigInt(whole(x, 0, k - 1, "a symbol of a set"))), 0n);
  });
  const columns = items(given.get("columns"), "the columns").map((column) =>
    shapes.column(items(column, "a column", height).map((number) => pick(sets, number, "a set"))));
  const halves = items(given.get("halves"), "the halves").map((half) => {
    const runs = items(half, "a half").map((run) => items(run, "a run", 2));
    return shapes.half(runs.map((run) => [pick(columns, run[0], "a column"), whole(run[1], 0, 1, "a run's flag")]));
  });
  return items(given.get("members"), "the members").map((member) => {
    need([2, 6].includes(items(member, "a member").length), "a member has neither 2 nor 6 numbers");
    const pair = counts.map((count, i) => whole(member[i], 0, count - 1, "a member's state"));
    if (member.length === 2) return [...pair, null, 0, 0, 0];
    const row = whole(member[2], 0, height - 1, "a member's row"), left = pick(halves, member[3], "a half");
    return [...pair, row, left, pick(columns, member[4], "a column"), pick(halves, member[5], "a half")];
  });
}

// [left half, column under the head, right half] of all inputs together, with the head in column x.
function starts({ parts, x }, row, blank, shapes) {
  const input = parts.map(([mask, many]) => [shapes.write(blank, row, mask), many]);
  const right = shapes.half([...Array(Math.max(0, -x)).fill([blank, false]), ...input]);
  let found = shapes.pop(right, blank).map((way) => [0, ...way]);
  for (let passed = 0; passed < x; passed++) {
    const ways = found.flatMap(([left, column, rest]) =>
      shapes.pop(rest, blank).map((way) => [shapes.push(column, false, left), ...way]));
    found = [...new Map(ways.map((way) => [way.join(), way])).values()];
  }
  return found;
}

// What a certificate proves; throws Rejected with a sentence if it does not.
function verify(given) {
  entries(given, KEYS, "the certificate");
  const rules = [given.get("format"), given.get("moves"), given.get("halting")];
  const known = canonical(rules) === canonical([FORMAT, [..."UDLRS"], "S"]);
  need(known, `its format is not ${FORMAT}, or its moves or halting rule are not known`);
  const world = readWorld(given), k = given.get("symbols").length;
  const [teacher, learner] = ["teacher", "learner"].map((what) => readMachine(given.get(what), k, what));
  const [low, high] = items(given.get("rows"), "the rows", 2).map((n) => whole(n, -5000, 5000, "a row"));
  need(low <= Math.min(0, world.y) && Math.max(0, world.y) <= high, "its rows leave out the input or the start cell");
  const height = high - low + 1, shapes = new Shapes();
  const blank = shapes.column(Array(height).fill(world.empty));
  const members = readMembers(given, height, [teacher.table.length, learner.table.length], shapes);
  const steps = items(given.get("steps"), "the steps", members.length);
  for (const hints of steps) items(hints, "the hints of a member");
  const covers = (config, member) => {
    const same = config[0] === member[0] && config[1] === member[1];
    if (member[2] === null || !same || config[2] !== member[2] || !shapes.inside(config[4], member[4])) {
      return member[2] === null && same;
    }
    return [3, 5].every((side) => shapes.halfInside(config[side], member[side], blank));
  };
  const hinted = items(given.get("starts"), "the starts").map((n) => pick(members, n, "a start"));
  for (const start of starts(world, -low, blank, shapes)) {
    const config = [teacher.start, learner.start, world.y - low, ...start];
    need(hinted.some((member) => covers(config, member)), "a start is not covered");
  }
  let stuck = false, apart = false;
  members.forEach((member, at) => {
    const [q, s, row, , column] = member, hints = steps[at];
    let hint = 0;
    for (let seen = 0; seen < k; seen++) {
      if (row !== null && !((shapes.columns[column][row] >> BigInt(seen)) & 1n)) continue;
      const theirs = teacher.table[q][seen], ours = learner.table[s][seen];
      if (theirs === null) {
        stuck = true;
        apart ||= ours !== null;
      } else if (ours === null || ours[1] !== theirs[1] || ours[2] !== theirs[2]) {
        throw new Rejected(`in member ${at} teacher and learner act differently`);
      } else if (theirs[2] !== S) {
        for (const config of after([theirs[0], ours[0], ...member.slice(2)], theirs[1], theirs[2], blank, shapes)) {
          const covering = pick(members, hints[hint++] ?? null, "the member that covers a step");
          need(covers(config, covering), `a step from member ${at} is not covered`);
        }
      }
    }
    need(hint >= hints.length, `member ${at} has more hints than steps`);
  });
  const claim = new Map([["scope", CLAIM[Number(apart)]], ["teacher_never_stuck", !stuck]]);
  need(canonical(given.get("claim")) === canonical(claim), "it claims what it does not prove");
  const hashes = given.get("hashes");
  const stated = hashes instanceof Map ? [...hashes.values()] : [null];
  need(stated.every((n) => typeof n === "string" && /^[0-9a-f]{64}$/.test(n)), "its hashes are not all SHA-256");
  const signed = new Map([...given].filter(([key]) => key !== "digest"));
  need(given.get("digest") === sha256(signed), "its digest does not fit");
  return {
    scope: CLAIM[Number(apart)], teacher_never_stuck: !stuck,
    teacher: sha256(core(given, given.get("teacher"))), learner: sha256(core(given, given.get("learner"))),
    members: members.length,
  };
}

// The configurations after writing and moving, in a fixed order; `config` has the new states already.
function after([q, s, row, left, column, right], written, move, blank, shapes) {
  if (row === null) return [[q, s, row, left, column, right]];
  const changed = shapes.write(column, row, 1n << BigInt(written));
  if (move === R || move === L) {
    const [behind, before] = move === R ? [left, right] : [right, left], gone = shapes.push(changed, false, behind);
    return shapes.pop(before, blank).map(([ahead, rest]) =>
      (move === R ? [q, s, row, gone, ahead, rest] : [q, s, row, rest, ahead, gone]));
  }
  const reached = row + (move === U ? 1 : -1);
  need(reached >= 0 && reached < shapes.columns[column].length, "the head leaves the rows");
  return [[q, s, reached, left, changed, right]];
}

// What a machine's hash is taken of: alphabet, layout, start and table, but no names.
function core(world, machine) {
  const get = (from) => (key) => [key, from.get(key) ?? null];
  return new Map([...WORLD.map(get(world)), ...MACHINE.map(get(machine))]);
}
