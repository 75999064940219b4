// One row of the grid over time, later is lower: a pixel for every cell of the whole run, or symbols near the present.

// dark to light, told apart by everyone
const RAMP = ["#553a94", "#3c5fa6", "#2a8a9e", "#3fb68a", "#92d45a", "#fbe54a"];
const SAMPLES = 320;

class SpaceTime {
  constructor(canvas, jump) {
    this.canvas = canvas;
    this.inset = { left: 76, right: 2, top: 4, bottom: 4 };
    dragToJump(canvas, (x, y) => {
      const part = (y - this.inset.top) / (canvas.clientHeight - this.inset.top - this.inset.bottom);
      jump(Math.floor(this.from + part * (this.to - this.from)));
    });
  }

  render(track, row, step, range) {
    if (range === "near") this.#renderNear(track, row, step);
    else this.#renderWhole(track, row, step);
  }

  #renderWhole(track, row, step) {
    const { context, width, height } = prepare(this.canvas, 240);
    const { left, right, top, bottom } = this.inset;
    [this.from, this.to] = [0, track.length + 1];
    const picture = this.#picture(track, row, Math.min(SAMPLES, track.length + 1));
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, left, top, width - left - right, height - top - bottom);
    context.strokeStyle = colourOf("--line");
    context.strokeRect(left, top, width - left - right, height - top - bottom);
    const y = top + ((height - top - bottom) * Math.min(step, track.length)) / this.to;
    this.#timeMark(context, y, width, height, step);
  }

  #timeMark(context, y, width, height, step) {
    context.strokeStyle = context.fillStyle = colourOf("--ink");
    context.lineWidth = 1.5;
    line(context, this.inset.left - 6, y, width - this.inset.right, y);
    const place = Math.max(8, Math.min(y, height - 8));
    context.textAlign = "right";
    context.fillText(`▸ ${step.toLocaleString("en")}`, this.inset.left - 10, place);
    context.textAlign = "left";
  }

  // One row of the grid at `samples` times, a pixel for every cell, the head marked; made once.
  #picture(track, row, samples) {
    const dark = colourOf("--card");
    const key = `${track.role} ${row} ${samples} ${dark}`;
    if (this.key === key) return this.kept;
    const columns = Math.min(track.width, 4096);
    const picture = document.createElement("canvas");
    picture.width = columns;
    picture.height = samples;
    const context = picture.getContext("2d");
    const image = context.createImageData(columns, samples);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = symbolColours(track).map(packColour);
    const head = packColour(colourOf("--warn"));
    const before = track.step;
    for (let i = 0; i < samples; i++) {
      track.seek(Math.round((i * track.length) / Math.max(1, samples - 1)));
      const place = track.head;
      for (let c = 0; c < columns; c++) {
        const column = Math.floor((c * track.width) / columns);
        pixels[i * columns + c] = colours[track.cells[row * track.width + column]];
      }
      if (place.row === row) pixels[i * columns + Math.floor((place.column * columns) / track.width)] = head;
    }
    track.seek(before);
    context.putImageData(image, 0, 0);
    this.key = key;
    this.kept = picture;
    return picture;
  }

  #renderNear(track, row, step) {
    const rows = 13;
    const { left, right, top } = this.inset;
    const room = kept.width - left - right;
    const size = Math.max(18, Math.min(26, Math.floor(room / track.width)));
    const { context, height } = prepare(this.canvas, rows * size + top + this.inset.bottom);
    const columns = Math.min(track.width, Math.floor(room / size));
    const begin = Math.max(0, Math.min(track.head.column - Math.floor(columns / 2), track.width - columns));
    const [from, to] = shownSteps(track, step, "near", rows - 1);
    [this.from, this.to] = [from, from + (height - top - this.inset.bottom) / size];
    const colours = symbolColours(track);
    const before = track.step;
    context.textAlign = "center";
    for (let t = from; t <= to; t++) {
      track.seek(t);
      const place = track.head;
      const y = top + (t - from) * size;
      for (let c = 0; c < columns; c++) {
        const symbol = track.cells[row * track.width + begin + c];
        const x = left + c * size;
        context.fillStyle = colours[symbol];
        context.fillRect(x, y, size, size);
        if (symbol !== track.blank) {
          context.fillStyle = textOn(colours[symbol]);
          context.fillText([...track.symbols[symbol]].slice(0, 2).join(""), x + size / 2, y + size / 2 + 1);
        }
        if (place.row === row && place.column === begin + c) {
          for (const [colour, thick] of [["--card", 5], ["--warn", 2.5]]) {
            context.strokeStyle = colourOf(colour);
            context.lineWidth = thick;
            context.strokeRect(x + 2, y + 2, size - 4, size - 4);
          }
        }
      }
      context.textAlign = "right";
      context.fillStyle = colourOf(t === step ? "--ink" : "--soft");
      context.fillText(`${t === step ? "▸ " : ""}${t.toLocaleString("en")}`, left - 10, y + size / 2);
      context.textAlign = "center";
    }
    context.strokeStyle = colourOf("--line");
    context.lineWidth = 1;
    context.strokeRect(left, top, columns * size, (to - from + 1) * size);
    track.seek(before);
    context.textAlign = "left";
  }
}

function symbolColours(track) {
  const others = track.symbols.length - 1;
  let number = 0;
  return track.symbols.map((_, symbol) => {
    if (symbol === track.blank) return colourOf("--card");
    const part = others > 1 ? number++ / (others - 1) : 0;
    return blend(RAMP, part);
  });
}

function blend(stops, part) {
  const at = part * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const [one, two] = [rgb(stops[low]), rgb(stops[low + 1])];
  const mixed = one.map((value, i) => Math.round(value + (two[i] - value) * (at - low)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function rgb(colour) {
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}

function packColour(colour) {
  const [red, green, blue] = rgb(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function textOn(colour) {
  const [red, green, blue] = rgb(colour);
  return 0.3 * red + 0.59 * green + 0.11 * blue > 125 ? "#000000" : "#ffffff";
}
