// What a network carries from step to step: its hidden vector, scaled to length 1, one row for each of its numbers.

class HiddenStrip {
  constructor(canvas, track, jump) {
    Object.assign(this, { canvas, track });
    this.size = track.hidden.length / track.length;
    this.inset = { left: 30, right: 6, top: 4, bottom: 20 };
    dragThroughTime(this, jump);
  }

  render(step, range) {
    const row = Math.max(2, Math.min(9, Math.floor(220 / this.size)));
    const { left, right, top, bottom } = this.inset;
    const { context, width, height } = prepare(this.canvas, top + bottom + row * this.size);
    [this.from, this.to] = shownSteps(this.track, step, range, NEAR_STEPS);
    const columns = Math.max(1, Math.min(this.to - this.from, Math.floor(width - left - right)));
    const column = (width - left - right) / columns;
    const [positive, negative] = [colourOf("--accent"), colourOf("--second")];
    for (let i = 0; i < columns; i++) {
      const t = this.from + Math.floor((i * (this.to - this.from)) / columns);
      for (let j = 0; j < this.size; j++) {
        const value = (this.track.hidden[t * this.size + j] - 128) / 127;
        if (Math.abs(value) < 0.02) continue;
        context.globalAlpha = Math.min(1, Math.sqrt(Math.abs(value)));
        context.fillStyle = value > 0 ? positive : negative;
        // below the middle of its row if it is negative: the colour is never the only sign
        context.fillRect(left + i * column, top + j * row + (value > 0 ? 0 : row / 2), Math.ceil(column), row / 2);
      }
    }
    context.globalAlpha = 1;
    context.fillStyle = colourOf("--soft");
    context.fillText("1", left - 12, top + row / 2 + 2);
    context.fillText(this.size, left - 6 - context.measureText(this.size).width, height - bottom - 4);
    timeLabels(context, this.from, this.to, left, width - right, height - 7);
    const x = left + ((step - this.from) / Math.max(1, this.to - this.from)) * (width - left - right);
    if (step >= this.from && step <= this.to) mark(context, x, top, height - bottom, colourOf("--ink"), "", width);
  }
}
