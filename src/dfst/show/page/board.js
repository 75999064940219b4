// One grid with its head, its trail, and what happens next. Everything that comes from a file is set as text.

const MOVES = ["↑ up", "↓ down", "← left", "→ right", "■ halts"];
const TRAIL = 24;
const $ = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function symbolText(track, symbol) {
  return symbol === track.blank ? `${track.symbols[symbol]} blank` : track.symbols[symbol];
}

class Board {
  constructor(track, parent) {
    this.track = track;
    this.camera = { column: 0, row: 0 };
    const root = $("board-template").content.cloneNode(true).firstElementChild;
    const part = (name) => root.querySelector(`.${name}`);
    this.parts = {
      viewport: part("viewport"), cells: part("cells"), trail: part("trail"), head: part("head"),
      place: part("place"), action: part("action"),
      overview: part("overview"), window: part("window"), dot: part("dot"),
    };
    part("role").textContent = track.role;
    part("name").textContent = track.name;
    part("name").title = track.facts.about;
    const line = $("line-template").content.querySelector("line");
    this.lines = Array.from({ length: TRAIL }, (_, age) => {
      const copy = line.cloneNode();
      copy.setAttribute("opacity", (1 - age / TRAIL).toFixed(2));
      return this.parts.trail.appendChild(copy);
    });
    this.#buildAction();
    parent.append(root);
    this.root = root;
  }

  #buildAction() {
    const names = this.track.states
      ? ["state", "sees", "writes", "moves", "next"]
      : ["sees", "writes", "moves", "symbol margin", "move margin"];
    this.values = {};
    for (const name of names) {
      const pair = element("div", name.replace(" ", "-"));
      this.values[name] = element("dd");
      pair.append(element("dt", "", name), this.values[name]);
      this.parts.action.append(pair);
    }
  }

  // As many cells as there is room for.
  layout() {
    const { track, parts } = this;
    const room = this.root.clientWidth - 2 * parseFloat(getComputedStyle(this.root).paddingLeft) - 2;
    const fitting = Math.floor(room / track.width);
    const size = fitting >= 26 ? Math.min(fitting, 46) : room < 420 ? 28 : 32;
    this.size = size;
    this.columns = Math.max(1, Math.min(track.width, Math.floor(room / size))); // a frame may have no width yet
    this.rows = Math.min(track.height, Math.max(3, Math.floor((innerHeight * 0.4) / size)));
    const { cells, viewport, trail, head, overview } = parts;
    viewport.style.setProperty("--size", `${size}px`);
    viewport.style.width = `${this.columns * size}px`;
    viewport.style.height = `${this.rows * size}px`;
    cells.style.gridTemplateColumns = `repeat(${this.columns}, ${size}px)`;
    trail.setAttribute("width", this.columns * size);
    trail.setAttribute("height", this.rows * size);
    cells.replaceChildren();
    this.shown = [];
    for (let i = 0; i < this.rows * this.columns; i++) {
      cells.append(element("span"));
      this.shown.push({ symbol: -1, kind: "" });
    }
    this.spans = [...cells.children];
    overview.hidden = this.columns === track.width;
    head.style.transition = "none";
    this.#look(true);
  }

  // The camera follows the head; it moves only when the head comes near the edge.
  #look(anew) {
    const { track, camera, columns, rows } = this;
    const { column, row } = track.head;
    const follow = (at, from, shown, all) => {
      const edge = Math.min(3, Math.floor((shown - 1) / 2));
      let start = from;
      if (anew || at < from || at >= from + shown) start = at - Math.floor(shown / 2);
      else if (at < from + edge) start = at - edge;
      else if (at >= from + shown - edge) start = at - shown + 1 + edge;
      return Math.max(0, Math.min(start, all - shown));
    };
    camera.column = follow(column, camera.column, columns, track.width);
    camera.row = follow(row, camera.row, rows, track.height);
  }

  render(other, differ) {
    this.#look(false);
    this.#renderCells(differ ? other : null);
    this.#renderHead();
    this.#renderAction();
  }

  #renderCells(other) {
    const { track, camera, columns, shown, spans } = this;
    let i = 0;
    for (let row = camera.row; row < camera.row + this.rows; row++) {
      for (let column = camera.column; column < camera.column + columns; column++, i++) {
        const symbol = track.cells[row * track.width + column];
        const kind = other && symbol !== symbolAt(other, column + track.left, track.top - row) ? "differs" : "";
        const was = shown[i];
        if (was.symbol !== symbol) {
          spans[i].textContent = symbol === track.blank ? "" : track.symbols[symbol];
          const long = [...track.symbols[symbol]].length > 2;
          spans[i].title = long ? track.symbols[symbol] : "";
          spans[i].classList.toggle("long", long);
          was.symbol = symbol;
        }
        if (was.kind !== kind) {
          spans[i].classList.toggle("differs", kind !== "");
          was.kind = kind;
        }
      }
    }
  }

  #renderHead() {
    const { track, camera, size, parts } = this;
    const { column, row } = track.head;
    parts.head.style.transform = `translate(${(column - camera.column) * size}px, ${(row - camera.row) * size}px)`;
    const middle = (at) => [
      (at % track.width - camera.column + 0.93) * size, // at the edges of cells, so as not to strike symbols through
      (Math.floor(at / track.width) - camera.row + 0.93) * size,
    ];
    const places = track.trail(TRAIL).map(middle);
    this.lines.forEach((line, age) => {
      const gone = age + 1 >= places.length;
      line.style.display = gone ? "none" : "";
      if (gone) return;
      const [[x1, y1], [x2, y2]] = [places[age], places[age + 1]];
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value);
    });
    const x = column + track.left, y = track.top - row;
    parts.place.textContent = `${track.finished ? `${track.facts.outcome} · ` : ""}head at (${x}, ${y})`;
    const percent = (part) => `${(100 * part) / track.width}%`;
    parts.window.style.left = percent(camera.column);
    parts.window.style.width = percent(this.columns);
    parts.dot.style.left = percent(column + 0.5);
    parts.viewport.setAttribute("aria-label", this.#describe(row));
  }

  // The row under the head, as far as it is shown.
  #describe(row) {
    const { track, camera } = this;
    const from = row * track.width + camera.column;
    const line = Array.from(track.cells.subarray(from, from + this.columns), (symbol) => track.symbols[symbol]);
    const { column } = track.head;
    const place = column - camera.column + 1;
    return `Grid of ${track.name}. The head's row: ${line.join(" ")}. The head is on place ${place}.`;
  }

  #renderAction() {
    const { track, values } = this;
    const act = describe(track, track.step);
    for (const [name, value] of Object.entries(values)) value.textContent = act[name] ?? "–";
    this.parts.action.classList.toggle("ended", track.finished);
  }
}

// What happens at a step, in words; nothing after the last.
function describe(track, step) {
  const act = { state: track.stateName(step) };
  if (step < track.length) {
    act.sees = symbolText(track, track.seen[step]);
    act.writes = symbolText(track, track.written[step]);
    act.moves = MOVES[track.moves[step]];
    act.next = track.stateName(step + 1);
    if (track.margins) {
      act["symbol margin"] = marginText(track.margin(0, step));
      act["move margin"] = marginText(track.margin(1, step));
    }
  } else {
    const { row, column } = track.head;
    act.sees = symbolText(track, track.cells[row * track.width + column]);
  }
  return act;
}

function sentence(track, step) {
  if (step >= track.length) return `${track.facts.ending}.`;
  const act = describe(track, step);
  const state = track.states ? `state ${act.state} ` : "";
  const next = track.states ? `, next ${act.next}` : "";
  return `${state}sees ${act.sees}, writes ${act.writes}, ${act.moves.slice(2)}${next}.`;
}

function marginText(margin) {
  return margin >= 0.0995 ? margin.toFixed(2) : margin === 0 ? "0" : margin.toPrecision(1);
}

function symbolAt(track, x, y) {
  const column = x - track.left, row = track.top - y;
  const inside = column >= 0 && column < track.width && row >= 0 && row < track.height;
  return inside ? track.cells[row * track.width + column] : track.blank;
}
