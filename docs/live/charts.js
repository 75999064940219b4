// What figures are made of: fields, and a plain chart, as HTML and SVG without a library.

function slider(parent, name, min, max, value, changed = () => {}) {
  const input = element("input"), shown = element("output", "", value);
  Object.assign(input, { type: "range", min, max, value });
  const update = () => {
    shown.textContent = input.value;
    changed();
  };
  input.addEventListener("input", update);
  parent.append(element("label", "fig-field", `${name} `, input, shown));
  return { input, update };
}

function choice(parent, name, entries, changed = () => {}) {
  const select = element("select", "", "", ...entries.map(([text, value]) => new Option(text, value)));
  select.addEventListener("change", changed);
  parent.append(element("label", "fig-field", `${name} `, select));
  return select;
}

// A chart of points (x, y) with some horizontal lines [y, text]; a mark of the class "bad" is a cross.
function chart(parent, { height = 240, x: [left, right], y: [low, high], lines = [], label }) {
  const width = Math.min(640, parent.clientWidth || 640);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, parent);
  const at = ([x, y]) => [
    44 + ((x - left) / (right - left)) * (width - 60), height - 30 - ((y - low) / (high - low)) * (height - 48),
  ];
  for (const [value, text] of lines) {
    const [, y] = at([left, value]);
    drawn("line", { x1: 44, x2: width - 16, y1: y, y2: y, class: "rule" }, svg);
    drawn("text", { x: 38, y, class: "tick end" }, svg, text);
  }
  for (let tick = Math.ceil(left / 5) * 5; tick <= right; tick += 5) {
    drawn("text", { x: at([tick, low])[0], y: height - 10, class: "tick middle" }, svg, tick);
  }
  return {
    dot(point, kind) {
      const [cx, cy] = at(point);
      if (kind.includes("bad")) drawn("path", { d: `M${cx - 4} ${cy - 4}l8 8m0 -8l-8 8`, class: kind }, svg);
      else drawn("circle", { cx, cy, r: 3.5, class: kind }, svg);
    },
    line(points, kind) {
      drawn("polyline", { points: points.map(at).join(" "), class: kind }, svg);
    },
    note(point, text, kind = "tick") {
      const [x, y] = at(point);
      drawn("text", { x, y, class: kind }, svg, text);
    },
  };
}

// Calls `act` once, when enough of an element is on the screen.
function whenSeen(watched, threshold, act) {
  new IntersectionObserver((seen, watcher) => {
    if (!seen.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    act();
  }, { threshold }).observe(watched);
}
