// What the live page draws: grids with their head, and the hidden vector of a network.

(() => {
  const live = globalThis.dfstLive; // grid.js comes first
  const { DX, DY, Grid } = live;
  const ARROWS = ["↑", "↓", "←", "→", "■"];
  const SVG = "http://www.w3.org/2000/svg";

  function element(tag, className = "", text = null) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== null) made.textContent = text;
    return made;
  }

  function drawn(tag, attributes, parent) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    parent?.append(made);
    return made;
  }

  // A rollout that can be moved to any step: steps are undone as they are done, one by one.
  class Replay {
    constructor(task, run) {
      this.run = run;
      this.grid = new Grid(task.symbols.indexOf(task.blank));
      run.tape.forEach((symbol, x) => this.grid.set(x, 0, symbol));
      [this.x, this.y] = task.layout.head;
      this.step = 0;
      let [x, y] = [this.x, this.y];
      this.box = { left: Math.min(0, x), right: Math.max(run.tape.length - 1, x), low: Math.min(0, y), high: Math.max(0, y) };
      for (const move of run.moves) {
        x += DX[move];
        y += DY[move];
        const { left, right, low, high } = this.box;
        this.box = { left: Math.min(left, x), right: Math.max(right, x), low: Math.min(low, y), high: Math.max(high, y) };
      }
    }
    seek(wanted) {
      const { run, grid } = this;
      const step = Math.max(0, Math.min(wanted, run.seen.length));
      for (; this.step < step; this.step++) {
        const move = run.moves[this.step];
        grid.set(this.x, this.y, run.written[this.step]);
        this.x += DX[move];
        this.y += DY[move];
      }
      while (this.step > step) {
        const move = run.moves[--this.step];
        this.x -= DX[move];
        this.y -= DY[move];
        grid.set(this.x, this.y, run.seen[this.step]);
      }
    }
  }

  // One grid on the page; the camera follows the head where the grid is wider than its place.
  class Board {
    constructor(root) {
      this.root = root;
      this.part = (name) => root.querySelector(`.live-${name}`);
      this.camera = { column: 0, row: 0 };
    }
    show(task, replay, box) {
      Object.assign(this, { task, replay, box });
      this.layout();
    }
    layout() {
      const { box } = this;
      const view = this.part("view"), room = view.parentElement.clientWidth;
      const wide = box.right - box.left + 1, tall = box.high - box.low + 1;
      const large = document.fullscreenElement ? 64 : 34;
      this.size = Math.max(22, Math.min(large, Math.floor(room / Math.min(wide, room < 420 ? 15 : 22))));
      this.columns = Math.max(1, Math.min(wide, Math.floor((room - 2) / this.size)));
      this.rows = Math.min(tall, 6);
      view.style.setProperty("--cell", `${this.size}px`);
      view.style.gridTemplateColumns = `repeat(${this.columns}, ${this.size}px)`;
      view.replaceChildren(...Array.from({ length: this.rows * this.columns }, () => element("span")));
      this.spans = [...view.children];
    }
    // `other`: the grid to compare with, whose cells that are not the same get a mark; or null
    render(other) {
      const { replay, box, camera, columns, rows, spans, task } = this;
      const follow = (at, from, shown, all) => {
        const edge = Math.min(2, Math.floor((shown - 1) / 2));
        if (at < from || at >= from + shown) from = at - (shown >> 1); // after a jump
        const start = at < from + edge ? at - edge : at >= from + shown - edge ? at - shown + 1 + edge : from;
        return Math.max(0, Math.min(start, all - shown));
      };
      camera.column = follow(replay.x - box.left, camera.column, columns, box.right - box.left + 1);
      camera.row = follow(box.high - replay.y, camera.row, rows, box.high - box.low + 1);
      let place = 0;
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++, place++) {
          const x = box.left + camera.column + column, y = box.high - camera.row - row;
          const symbol = replay.grid.get(x, y), span = spans[place];
          const kinds = [];
          if (x === replay.x && y === replay.y) kinds.push("head");
          if (other && other.get(x, y) !== symbol) kinds.push("differs");
          const text = symbol === replay.grid.blank ? "" : task.symbols[symbol];
          if (span.textContent !== text) span.textContent = text;
          if (span.className !== kinds.join(" ")) span.className = kinds.join(" ");
        }
      }
      this.part("more").textContent = columns < box.right - box.left + 1
        ? `columns ${box.left + camera.column} to ${box.left + camera.column + columns - 1} of ${box.left} to ${box.right}`
        : "";
      const line = spans.map((span) => span.textContent || "_").join("");
      this.part("view").setAttribute("aria-label", `Grid, row by row: ${line}`);
    }
  }

  // The hidden vector as bars, upwards or downwards from the middle.
  function drawHidden(svg, hidden) {
    if (svg.childElementCount !== hidden.length) {
      svg.replaceChildren();
      svg.setAttribute("viewBox", `0 0 ${hidden.length} 2`);
      for (const i of hidden.keys()) drawn("rect", { x: i + 0.1, width: 0.8 }, svg);
    }
    const largest = Math.max(...Array.from(hidden, Math.abs), 1e-30);
    hidden.forEach((value, i) => {
      const height = Math.abs(value) / largest, bar = svg.children[i];
      bar.setAttribute("y", value > 0 ? 1 - height : 1);
      bar.setAttribute("height", Math.max(height, 0.03));
      bar.setAttribute("class", value > 0 ? "plus" : "minus");
    });
  }

  Object.assign(live, { ARROWS, Board, Replay, drawHidden, element });
})();
