// What figures are made of: fields, buttons and a plain chart, all as SVG and HTML without a library.

(() => {
  const live = globalThis.dfstLive; // board.js comes first
  const { element } = live;
  const SVG = "http://www.w3.org/2000/svg";

  function drawn(tag, attributes, parent) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    parent.append(made);
    return made;
  }

  function slider(parent, name, min, max, value, changed) {
    const label = element("label", "fig-field", `${name} `), input = element("input"), shown = element("output");
    Object.assign(input, { type: "range", min, max, value });
    const update = () => {
      shown.textContent = input.value;
      changed(Number(input.value));
    };
    input.addEventListener("input", update);
    label.append(input, shown);
    parent.append(label);
    shown.textContent = value;
    return { input, update };
  }

  function choice(parent, name, entries, changed) {
    const label = element("label", "fig-field", `${name} `), select = element("select");
    for (const [text, value] of entries) select.append(new Option(text, value));
    select.addEventListener("change", () => changed(select.value));
    label.append(select);
    parent.append(label);
    return select;
  }

  function button(parent, text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", act);
    parent.append(made);
    return made;
  }

  // A chart of points (x, y), one colour and mark per series; y between low and high.
  function chart(parent, { width = Math.min(640, parent.clientWidth || 640), height = 240, x: [left, right], y: [low, high], lines = [], label }) {
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, parent);
    const at = ([x, y]) => [44 + ((x - left) / (right - left)) * (width - 60), height - 30 - ((y - low) / (high - low)) * (height - 48)];
    for (const [value, text] of lines) {
      const [, y] = at([left, value]);
      drawn("line", { x1: 44, x2: width - 16, y1: y, y2: y, class: "rule" }, svg);
      drawn("text", { x: 38, y, class: "tick end" }, svg).textContent = text;
    }
    for (let tick = Math.ceil(left / 5) * 5; tick <= right; tick += 5) {
      drawn("text", { x: at([tick, low])[0], y: height - 10, class: "tick middle" }, svg).textContent = tick;
    }
    return {
      svg,
      dot(point, kind) {
        const [x, y] = at(point);
        return kind.includes("bad")
          ? drawn("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, class: kind }, svg)
          : drawn("circle", { cx: x, cy: y, r: 3.5, class: kind }, svg);
      },
      line(points, kind) {
        drawn("polyline", { points: points.map((point) => at(point).join()).join(" "), class: kind }, svg);
      },
      note(point, text, kind = "tick") {
        const [x, y] = at(point);
        drawn("text", { x, y, class: kind }, svg).textContent = text;
      },
    };
  }

  Object.assign(live, { button, chart, choice, drawn, slider });
})();
