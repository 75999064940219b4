// A run unpacked: columns of steps, and a grid that goes to any step, forwards and backwards.

async function unpack(text) {
  const binary = atob(text.trim());
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

const KEYFRAME_STEPS = 1 << 15;
const KEYFRAME_BYTES = 1 << 28;

// Every step holds what was seen and what was written, so it can be made and unmade in constant time. Keyframes, grids
// at equal distances, bring any other step near.
class Track {
  constructor(facts, role, buffer) {
    Object.assign(this, { facts, role, name: facts.name, symbols: facts.symbols, blank: facts.blank });
    const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
    const column = {};
    for (const [name, { begin, bytes, width }] of Object.entries(facts.columns)) {
      column[name] = new kinds[width](buffer.slice(begin, begin + bytes)); // a copy, so that it is aligned
    }
    this.seen = column.seen;
    this.written = column.written;
    this.moves = column.moves;
    this.states = column.states || null;
    this.margins = column.symbolMargins ? [column.symbolMargins, column.moveMargins] : null;
    this.hidden = column.hidden || null;
    this.length = facts.steps;
    [this.left, this.right, this.bottom, this.top] = facts.box;
    this.width = this.right - this.left + 1;
    this.height = this.top - this.bottom + 1;
    this.jump = [-this.width, this.width, -1, 1, 0]; // U D L R S; row 0 of the array is the top
    this.cells = new Uint8Array(this.width * this.height).fill(this.blank);
    this.cells.set(column.tape, this.top * this.width - this.left);
    this.at = (this.top - facts.head[1]) * this.width + facts.head[0] - this.left;
    this.step = 0;
    this.#buildKeyframes();
  }

  #buildKeyframes() {
    const affordable = Math.max(2, Math.floor(KEYFRAME_BYTES / this.cells.length));
    this.interval = Math.max(KEYFRAME_STEPS, Math.ceil((this.length + 1) / affordable));
    this.keyframes = [];
    for (let step = 0; step <= this.length; step += this.interval) {
      this.#forward(step);
      this.keyframes.push({ cells: this.cells.slice(), at: this.at });
    }
    this.#load(0);
  }

  #load(number) {
    this.cells.set(this.keyframes[number].cells);
    this.at = this.keyframes[number].at;
    this.step = number * this.interval;
  }

  #forward(to) {
    const { cells, written, moves, jump } = this;
    let at = this.at;
    for (let t = this.step; t < to; t++) {
      cells[at] = written[t];
      at += jump[moves[t]];
    }
    this.at = at;
    this.step = to;
  }

  #backward(to) {
    const { cells, seen, moves, jump } = this;
    let at = this.at;
    for (let t = this.step - 1; t >= to; t--) {
      at -= jump[moves[t]];
      cells[at] = seen[t];
    }
    this.at = at;
    this.step = to;
  }

  // The grid after `step` steps, or after the last one if there are fewer.
  seek(step) {
    const to = Math.max(0, Math.min(step, this.length));
    const near = Math.min(Math.round(to / this.interval), this.keyframes.length - 1);
    if (Math.abs(to - near * this.interval) < Math.abs(to - this.step)) this.#load(near);
    if (to >= this.step) this.#forward(to);
    else this.#backward(to);
  }

  get head() {
    return { column: this.at % this.width, row: Math.floor(this.at / this.width) };
  }

  get finished() {
    return this.step === this.length;
  }

  // The places of the head before the last `count` steps, the newest (where it is now) first.
  trail(count) {
    const places = [this.at];
    let at = this.at;
    for (let t = this.step - 1; t >= 0 && places.length <= count; t--) {
      at -= this.jump[this.moves[t]];
      places.push(at);
    }
    return places;
  }

  stateName(step) {
    if (!this.states) return "";
    return step >= this.length ? this.facts.lastState : this.facts.states[this.states[step]];
  }

  stateNumber(name) {
    return this.facts.states.indexOf(name); // halting is no state: -1
  }

  // The number of the state before `step`; after the last one where the run ended, and then null.
  stateAt(step) {
    if (step > this.length) return null;
    return step === this.length ? this.stateNumber(this.facts.lastState) : this.states[step];
  }

  margin(head, step) {
    return unpackMargin(this.margins[head][step]);
  }

  // The rows from top to bottom, as text; for tests and for people who listen.
  text() {
    const rows = [];
    for (let row = 0; row < this.height; row++) {
      const line = this.cells.subarray(row * this.width, (row + 1) * this.width);
      rows.push(Array.from(line, (symbol) => this.symbols[symbol]));
    }
    return rows;
  }
}

function unpackMargin(byte) {
  return byte === 255 ? 0 : 2 ** (-byte / 8);
}
