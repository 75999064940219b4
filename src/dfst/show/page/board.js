// One grid with its head and its trail; the camera follows the head where the grid is wider than its place.

const TRAIL = 24;

class Board {
  constructor(root, track = null) {
    Object.assign(this, { root, track, camera: { column: 0, row: 0 } });
    const viewport = element("div", "viewport"), overview = element("div", "overview");
    this.parts = { viewport, overview };
    for (const name of ["cells", "head"]) viewport.append((this.parts[name] = element("div", name)));
    for (const name of ["window", "dot"]) overview.append((this.parts[name] = element("div", name)));
    viewport.setAttribute("role", "img");
    const trail = (this.parts.trail = drawn("svg", { class: "trail", "aria-hidden": true }, viewport));
    this.lines = Array.from({ length: TRAIL }, (_, age) => drawn("line", { opacity: 1 - age / TRAIL }, trail));
    root.querySelector(".frame").append(viewport, overview);
  }

  // As many cells as there is room for, of so many pixels each, in up to so many rows.
  layout({ least = 28, most = 46, rows = null } = {}) {
    const { track, parts: { viewport, cells, overview, trail } } = this;
    const room = overview.parentElement.clientWidth - 2; // a frame may have no width yet
    const size = (this.size = Math.max(least, Math.min(Math.floor(room / track.width), most)));
    this.columns = Math.max(1, Math.min(track.width, Math.floor(room / size)));
    this.rows = Math.min(track.height, rows ?? Math.max(3, Math.floor((innerHeight * 0.4) / size)));
    const [width, height] = [this.columns * size, this.rows * size];
    viewport.style.cssText = `--size: ${size}px; width: ${width}px; height: ${height}px`;
    cells.style.gridTemplateColumns = `repeat(${this.columns}, ${size}px)`;
    trail.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.spans = Array.from({ length: this.rows * this.columns }, () => element("span"));
    this.shown = this.spans.map(() => ({ symbol: -1, differs: false }));
    cells.replaceChildren(...this.spans);
    overview.hidden = this.columns === track.width;
    this.#look(true);
  }

  // The camera moves only when the head comes near the edge.
  #look(anew) {
    const { track, camera, columns, rows } = this;
    const follow = (at, from, shown, all) => {
      const edge = Math.min(3, Math.floor((shown - 1) / 2));
      let start = from;
      if (anew || at < from || at >= from + shown) start = at - Math.floor(shown / 2);
      else if (at < from + edge) start = at - edge;
      else if (at >= from + shown - edge) start = at - shown + 1 + edge;
      return Math.max(0, Math.min(start, all - shown));
    };
    camera.column = follow(track.head.column, camera.column, columns, track.width);
    camera.row = follow(track.head.row, camera.row, rows, track.height);
  }

  // `other`: a track to compare with, whose cells that are not the same get a mark; or null
  render(other) {
    this.#look(false);
    const { track, camera, columns, shown, spans } = this;
    spans.forEach((span, i) => {
      const column = camera.column + (i % columns), row = camera.row + Math.floor(i / columns), was = shown[i];
      const symbol = track.cells[row * track.width + column];
      const differs = other !== null && symbol !== other.symbolAt(column + track.left, track.top - row);
      if (was.symbol !== symbol) {
        const text = track.symbols[symbol], long = [...text].length > 2;
        span.textContent = symbol === track.blank ? "" : text;
        span.title = long ? text : "";
        span.classList.toggle("long", long);
      }
      if (was.differs !== differs) span.classList.toggle("differs", differs);
      Object.assign(was, { symbol, differs });
    });
    this.#renderHead();
  }

  #renderHead() {
    const { track, camera, size, columns, parts } = this, { column, row } = track.head;
    parts.head.style.transform = `translate(${(column - camera.column) * size}px, ${(row - camera.row) * size}px)`;
    const places = track.trail(TRAIL).map((at) => [ // at the edges of cells, so as not to strike symbols through
      ((at % track.width) - camera.column + 0.93) * size, (Math.floor(at / track.width) - camera.row + 0.93) * size,
    ]);
    this.lines.forEach((line, age) => {
      const gone = age + 1 >= places.length;
      line.style.display = gone ? "none" : "";
      if (gone) return;
      const [[x1, y1], [x2, y2]] = [places[age], places[age + 1]];
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value);
    });
    const percent = (part) => `${(100 * part) / track.width}%`;
    parts.window.style.cssText = `left: ${percent(camera.column)}; width: ${percent(columns)}`;
    parts.dot.style.left = percent(column + 0.5);
    const seen = track.row(track.top - row, camera.column, camera.column + columns).join(" ");
    const label = `Grid. The head's row: ${seen}. The head is on place ${column - camera.column + 1}.`;
    parts.viewport.setAttribute("aria-label", label);
  }
}
