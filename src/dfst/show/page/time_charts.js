// Charts over time on a canvas: the margins of a float model, and the hidden vector that it carries from step to step.

// Asking for a style or a size in the middle of a frame makes the browser lay out the page once more: both are kept.
const colours = {};
let chartWidth = 0;

function readStyle() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["card", "ink", "soft", "line", "accent", "second", "warn"]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
  chartWidth = $("charts").clientWidth - 2 * parseFloat(getComputedStyle($("charts")).paddingLeft);
}

// A canvas as sharp as the screen; gives its context in CSS pixels.
function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  [canvas.width, canvas.height] = [Math.round(chartWidth * ratio), Math.round(height * ratio)]; // this clears it
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  return { context, width: chartWidth, height };
}

// The first and the last step that a chart shows: of all, or of some around the present.
function shownSteps(track, step, range, near) {
  if (range === "whole") return [0, Math.max(1, track.length)];
  const from = Math.max(0, Math.min(step - near / 2, track.length - near));
  return [from, Math.min(track.length, from + near)];
}

function line(context, x1, y1, x2, y2) {
  context.stroke(new Path2D(`M${x1} ${y1}L${x2} ${y2}`));
}

// Pressing or dragging on a chart goes there; the slider does the same for keyboards.
function dragToJump(canvas, jump) {
  for (const name of ["pointerdown", "pointermove"]) {
    canvas.addEventListener(name, (event) => {
      if (!event.buttons) return;
      canvas.setPointerCapture(event.pointerId);
      jump(event.offsetX, event.offsetY);
    });
  }
}

class TimeChart {
  constructor(canvas, track, height, jump) {
    Object.assign(this, { canvas, track, height, left: 30, right: 6, top: 8, bottom: 20 });
    dragToJump(canvas, (x) => {
      const part = (x - this.left) / (canvas.clientWidth - this.left - this.right);
      jump(Math.round(this.from + part * (this.to - this.from)));
    });
  }

  render(step, range, difference) {
    const { left, right, top, bottom } = this;
    const { context, width, height } = prepare(this.canvas, this.height + top + bottom);
    [this.from, this.to] = shownSteps(this.track, step, range, 60);
    this.paint(context, Math.max(1, Math.floor(width - left - right)));
    context.fillStyle = colours.soft;
    context.textAlign = "left";
    context.fillText(`step ${number(this.from)}`, left, height - 7);
    context.textAlign = "right";
    context.fillText(number(this.to), width - right, height - 7);
    context.lineWidth = 1.5;
    for (const [at, colour, text] of [[difference, colours.warn, "first difference"], [step, colours.ink, ""]]) {
      if (at === null || at < this.from || at > this.to) continue;
      const x = left + ((at - this.from) / Math.max(1, this.to - this.from)) * (width - left - right);
      context.strokeStyle = context.fillStyle = colour;
      line(context, x, top, x, height - bottom);
      context.textAlign = x > width / 2 ? "right" : "left";
      context.fillText(text, x + (x > width / 2 ? -5 : 5), height - bottom - 9);
    }
  }

  // The numbers beside the chart, each at its height.
  labels(context, places) {
    context.fillStyle = colours.soft;
    context.textAlign = "right";
    for (const [text, y] of places) context.fillText(text, this.left - 6, y);
  }

  // The first of the steps that one of `count` columns stands for, and the first that it does not.
  steps(column, count) {
    const share = (this.to - this.from) / count, begin = this.from + Math.floor(column * share);
    return [begin, Math.max(begin + 1, Math.min(this.to, this.from + Math.floor((column + 1) * share)))];
  }
}

const unpackMargin = (byte) => (byte === 255 ? 0 : 2 ** (-byte / 8));

// How clearly a float model decides, between 0 and 1: for each pixel the smallest margin of its steps.
class MarginChart extends TimeChart {
  paint(context, columns) {
    const y = (margin) => this.top + this.height * (1 - margin), ticks = [0, 0.5, 1];
    context.strokeStyle = colours.line;
    for (const margin of ticks) line(context, this.left, y(margin), this.left + columns, y(margin));
    this.labels(context, ticks.map((margin) => [margin, y(margin)]));
    context.lineWidth = 1.75;
    [colours.accent, colours.second].forEach((colour, head) => {
      context.strokeStyle = colour;
      context.setLineDash(head ? [5, 3] : []);
      const points = this.#least(head, columns).map((margin, i) => `${this.left + i + 0.5} ${y(margin)}`);
      context.stroke(new Path2D(`M${points.join("L")}`));
    });
    context.setLineDash([]);
  }

  // Kept until the size or the range changes.
  #least(head, columns) {
    const key = `${this.from} ${this.to} ${columns}`, bytes = this.track.margins[head];
    if (this.key !== key) [this.key, this.kept] = [key, []];
    return (this.kept[head] ??= Array.from({ length: columns }, (_, i) => {
      let largest = 0; // the larger the byte, the smaller the margin
      for (let [t, end] = this.steps(i, columns); t < end; t++) if (bytes[t] > largest) largest = bytes[t];
      return unpackMargin(largest);
    }));
  }

  weakest() {
    const [symbols, moves] = this.track.margins, size = (t) => Math.max(symbols[t], moves[t]);
    let found = 0;
    for (let t = 1; t < this.track.length; t++) if (size(t) > size(found)) found = t;
    return found;
  }
}

// The hidden vector, scaled to length 1: a row for each of its numbers.
class HiddenStrip extends TimeChart {
  constructor(canvas, track, jump) {
    const size = track.hidden.length / track.length, row = Math.max(2, Math.min(9, Math.floor(220 / size)));
    super(canvas, track, row * size, jump);
    Object.assign(this, { size, row });
  }

  paint(context, pixels) {
    const { left, top, size, row, track } = this;
    const columns = Math.min(this.to - this.from, pixels), wide = pixels / columns;
    for (let i = 0; i < columns; i++) {
      const [t] = this.steps(i, columns);
      for (let j = 0; j < size; j++) {
        const value = (track.hidden[t * size + j] - 128) / 127;
        if (Math.abs(value) < 0.02) continue;
        context.globalAlpha = Math.min(1, Math.sqrt(Math.abs(value)));
        context.fillStyle = value > 0 ? colours.accent : colours.second;
        // below the middle of its row if it is negative: the colour is never the only sign
        context.fillRect(left + i * wide, top + j * row + (value > 0 ? 0 : row / 2), Math.ceil(wide), row / 2);
      }
    }
    context.globalAlpha = 1;
    this.labels(context, [[1, top + row / 2], [size, top + row * (size - 0.5)]]);
  }
}
