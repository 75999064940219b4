// How sure a float model is: the margins of symbol and move, over the whole run or near the present.

const NEAR_STEPS = 60;

class MarginChart {
  constructor(canvas, track, jump) {
    Object.assign(this, { canvas, track });
    this.inset = { left: 30, right: 6, top: 8, bottom: 20 };
    dragThroughTime(this, jump);
  }

  // For every pixel the smallest margin of the steps it stands for; kept until the size or the range changes.
  #envelope(head, columns) {
    const key = `${this.from} ${this.to} ${columns}`;
    if (this.key !== key) {
      this.key = key;
      this.kept = [];
    }
    if (this.kept[head]) return this.kept[head];
    const bytes = this.track.margins[head];
    const least = new Uint8Array(columns);
    const share = (this.to - this.from) / columns;
    for (let i = 0; i < columns; i++) {
      const begin = this.from + Math.floor(i * share);
      const end = Math.max(begin + 1, Math.min(this.to, this.from + Math.floor((i + 1) * share)));
      let largest = 0; // the larger the byte, the smaller the margin
      for (let t = begin; t < end; t++) if (bytes[t] > largest) largest = bytes[t];
      least[i] = largest;
    }
    this.kept[head] = least;
    return least;
  }

  render(step, range, difference) {
    const { context, width, height } = prepare(this.canvas, 128);
    const { left, right, top, bottom } = this.inset;
    [this.from, this.to] = shownSteps(this.track, step, range, NEAR_STEPS);
    const columns = Math.max(1, Math.floor(width - left - right));
    const x = (t) => left + (columns * (t - this.from)) / Math.max(1, this.to - this.from);
    const y = (margin) => top + (height - top - bottom) * (1 - margin);
    context.strokeStyle = colourOf("--line");
    context.fillStyle = colourOf("--soft");
    for (const margin of [0, 0.5, 1]) {
      context.fillText(margin, left - 6 - context.measureText(margin).width, y(margin));
      line(context, left, y(margin), width - right, y(margin));
    }
    timeLabels(context, this.from, this.to, left, width - right, height - 7);
    ["--accent", "--second"].forEach((colour, head) => {
      const least = this.#envelope(head, columns);
      context.strokeStyle = colourOf(colour);
      context.lineWidth = 1.75;
      context.setLineDash(head ? [5, 3] : []);
      context.beginPath();
      for (let i = 0; i < columns; i++) context.lineTo(left + i + 0.5, y(unpackMargin(least[i])));
      context.stroke();
    });
    context.setLineDash([]);
    if (difference !== null && difference >= this.from && difference <= this.to) {
      mark(context, x(difference), top, height - bottom, colourOf("--warn"), "first difference", width - right);
    }
    if (step >= this.from && step <= this.to) {
      mark(context, x(step), top, height - bottom, colourOf("--ink"), "", width);
    }
  }

  weakest() {
    const [symbols, moves] = this.track.margins;
    let found = 0;
    const size = (t) => Math.max(symbols[t], moves[t]);
    for (let t = 1; t < this.track.length; t++) if (size(t) > size(found)) found = t;
    return found;
  }
}

function timeLabels(context, from, to, left, right, y) {
  context.fillStyle = colourOf("--soft");
  const [first, last] = [`step ${from.toLocaleString("en")}`, to.toLocaleString("en")];
  context.fillText(first, left, y);
  context.fillText(last, right - context.measureText(last).width, y);
}
