// One row of the grid over time, later is lower: a pixel for every cell, with its symbol where there is room.

// dark to light, told apart by everyone
const RAMP = ["#553a94", "#3c5fa6", "#2a8a9e", "#3fb68a", "#92d45a", "#fbe54a"];
const SAMPLES = 320, LEFT = 76, EDGE = 4;

class SpaceTime {
  constructor(canvas, jump) {
    this.canvas = canvas;
    dragToJump(canvas, (x, y) => {
      const part = (y - EDGE) / (canvas.clientHeight - 2 * EDGE);
      jump(Math.floor(this.from + part * (this.to - this.from)));
    });
  }

  render(track, row, step, range) {
    const near = range === "near", { context, width, height } = prepare(this.canvas, near ? 300 : 240);
    const wide = Math.min(width - LEFT - 2, near ? 26 * track.width : width), tall = height - 2 * EDGE;
    const box = [LEFT, EDGE, wide, tall];
    const [from, last] = shownSteps(track, step, range, 12);
    [this.from, this.to] = [from, last + 1];
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#picture(track, row, from, last), ...box);
    context.strokeStyle = colours.line;
    context.strokeRect(...box);
    if (near && wide > 9 * track.width) this.#writeSymbols(context, track, row, box);
    const y = EDGE + (tall * (step - from + (near ? 0.5 : 0))) / (this.to - from);
    context.strokeStyle = context.fillStyle = colours.ink;
    context.lineWidth = 1.5;
    if (!near) line(context, LEFT - 6, y, LEFT + wide, y);
    context.textAlign = "right";
    context.fillText(`▸ ${number(step)}`, LEFT - 10, Math.max(8, Math.min(y, height - 8)));
  }

  // The row at up to SAMPLES times, a pixel for every cell, the head marked; kept until anything of that changes.
  #picture(track, row, from, last) {
    const key = [track.role, row, from, last, colours.card].join();
    if (this.key === key) return this.kept;
    const samples = Math.min(SAMPLES, last - from + 1), columns = Math.min(track.width, 4096), before = track.step;
    const picture = Object.assign(document.createElement("canvas"), { width: columns, height: samples });
    const context = picture.getContext("2d"), palette = symbolColours(track);
    for (let i = 0; i < samples; i++) {
      track.seek(from + Math.round((i * (last - from)) / Math.max(1, samples - 1)));
      const head = track.head.row === row ? Math.floor((track.head.column * columns) / track.width) : -1;
      for (let c = 0; c < columns; c++) {
        const symbol = track.cells[row * track.width + Math.floor((c * track.width) / columns)];
        context.fillStyle = c === head ? colours.warn : palette[symbol];
        context.fillRect(c, i, 1, 1);
      }
    }
    track.seek(before);
    [this.key, this.kept] = [key, picture];
    return picture;
  }

  // Light with a dark rim, to be read on every colour.
  #writeSymbols(context, track, row, [left, top, width, height]) {
    const before = track.step, [wide, tall] = [width / track.width, height / (this.to - this.from)];
    Object.assign(context, { textAlign: "center", strokeStyle: "#000000", fillStyle: "#ffffff", lineWidth: 2.5 });
    for (let t = this.from; t < this.to; t++) {
      track.seek(t);
      track.row(track.top - row).forEach((symbol, c) => {
        const text = symbol === track.symbols[track.blank] ? "" : [...symbol].slice(0, 2).join("");
        for (const write of ["strokeText", "fillText"]) {
          context[write](text, left + (c + 0.5) * wide, top + (t - this.from + 0.5) * tall);
        }
      });
    }
    track.seek(before);
  }
}

function symbolColours(track) {
  const others = track.symbols.length - 1;
  let before = 0;
  return track.symbols.map((_, symbol) =>
    symbol === track.blank ? colours.card : ramp(others > 1 ? before++ / (others - 1) : 0));
}

const rgb = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));

function ramp(part) {
  const at = part * (RAMP.length - 1), low = Math.min(Math.floor(at), RAMP.length - 2);
  const [one, two] = [rgb(RAMP[low]), rgb(RAMP[low + 1])];
  const mixed = one.map((value, i) => Math.round(value + (two[i] - value) * (at - low)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
