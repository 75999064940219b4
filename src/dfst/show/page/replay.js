// A rollout that can be moved to any step, forwards and backwards.

const KEYFRAME_STEPS = 1 << 15;
const KEYFRAME_BYTES = 1 << 28;

// Every step holds what was seen and what was written, so it can be made and unmade in constant time. Keyframes, grids
// at equal distances, bring any other step near.
class Track {
  // `facts`: symbols, blank, names of states, head, box and last state; `columns`: tape, seen, written, moves, and of
  // a machine its states by number.
  constructor(facts, columns) {
    Object.assign(this, { facts, symbols: facts.symbols, blank: facts.blank, states: null }, columns);
    this.length = this.seen.length;
    [this.left, this.right, this.bottom, this.top] = facts.box;
    this.width = this.right - this.left + 1;
    this.height = this.top - this.bottom + 1;
    this.jump = [-this.width, this.width, -1, 1, 0]; // U D L R S; row 0 of the array is the top
    this.cells = new Uint8Array(this.width * this.height).fill(this.blank);
    this.cells.set(this.tape, this.top * this.width - this.left);
    this.at = (this.top - facts.head[1]) * this.width + facts.head[0] - this.left;
    this.step = 0;
    const affordable = Math.max(2, Math.floor(KEYFRAME_BYTES / this.cells.length));
    this.interval = Math.max(KEYFRAME_STEPS, Math.ceil((this.length + 1) / affordable));
    this.keyframes = [];
    for (let step = 0; step <= this.length; step += this.interval) {
      this.#go(step);
      this.keyframes.push({ cells: this.cells.slice(), at: this.at });
    }
    this.#load(0);
  }

  #load(number) {
    this.cells.set(this.keyframes[number].cells);
    this.at = this.keyframes[number].at;
    this.step = number * this.interval;
  }

  #go(to) {
    const { cells, seen, written, moves, jump } = this;
    let { at, step } = this;
    for (; step < to; step++) {
      cells[at] = written[step];
      at += jump[moves[step]];
    }
    while (step > to) {
      at -= jump[moves[--step]];
      cells[at] = seen[step];
    }
    Object.assign(this, { at, step });
  }

  // The grid after `step` steps, or after the last one if there are fewer.
  seek(step) {
    const to = Math.max(0, Math.min(step, this.length));
    const near = Math.min(Math.round(to / this.interval), this.keyframes.length - 1);
    if (Math.abs(to - near * this.interval) < Math.abs(to - this.step)) this.#load(near);
    this.#go(to);
  }

  get head() {
    return { column: this.at % this.width, row: Math.floor(this.at / this.width) };
  }

  // The places of the head before the last `count` steps, the newest (where it is now) first.
  trail(count) {
    const places = [this.at];
    for (let t = this.step - 1; t >= 0 && places.length <= count; t--) {
      places.push(places.at(-1) - this.jump[this.moves[t]]);
    }
    return places;
  }

  stateName(step) {
    if (!this.states) return "";
    return step >= this.length ? this.facts.lastState : this.facts.states[this.states[step]];
  }

  // The number of the state before `step`, -1 after halting; null after the step that follows the last.
  stateAt(step) {
    return step > this.length ? null : this.facts.states.indexOf(this.stateName(step));
  }

  symbolAt(x, y) {
    const column = x - this.left, row = this.top - y;
    const inside = column >= 0 && column < this.width && row >= 0 && row < this.height;
    return inside ? this.cells[row * this.width + column] : this.blank;
  }

  // The symbols of row y, from one column of the rectangle to another.
  row(y, from = 0, to = this.width) {
    return Array.from({ length: to - from }, (_, i) => this.symbols[this.symbolAt(this.left + from + i, y)]);
  }
}
