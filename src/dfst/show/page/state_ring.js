// The states of a machine as a ring of nodes, halting the last of them; the line of the rule in use is lit.

class StateRing {
  constructor(svg, choose = null) {
    Object.assign(this, { svg, choose });
    svg.setAttribute("viewBox", "-35 0 410 340");
  }

  // `edges` are pairs of states, by number; -1 is halting.
  show(states, edges) {
    const count = states.length + 1, small = count > 40; // then nodes have no names beside them
    this.svg.replaceChildren();
    this.edges = new Map();
    this.lit = [];
    const lines = drawn("g", { class: "edges" }, this.svg);
    const place = (number, radius) => {
      const angle = (2 * Math.PI * number) / count - Math.PI / 2;
      return [170 + radius * Math.cos(angle), 170 + radius * Math.sin(angle)];
    };
    for (const [state, next] of edges) {
      if (this.edges.has(`${state},${next}`)) continue;
      const [[x1, y1], [x2, y2]] = [place(state, 128), place(next < 0 ? count - 1 : next, 128)];
      const bend = (a, b) => ((a + b) / 2 - 170) * 0.35 + 170;
      const inside = place(state, 108); // where a loop turns; the names are outside
      const loop = `M${x1} ${y1}A10 10 0 1 1 ${inside}A10 10 0 1 1 ${x1} ${y1}`;
      const d = state === next ? loop : `M${x1} ${y1}Q${bend(x1, x2)} ${bend(y1, y2)} ${x2} ${y2}`;
      this.edges.set(`${state},${next}`, drawn("path", { d }, lines));
    }
    this.nodes = [...states, "halt"].map((name, number) => {
      const node = drawn("g", { class: "node", "data-state": name }, this.svg);
      const [[cx, cy], [x, y]] = [place(number, 128), place(number, 142)];
      const anchor = Math.abs(cx - 170) < 25 ? "middle" : cx > 170 ? "start" : "end";
      drawn("circle", { cx, cy, r: small ? 3.5 : 8 }, node);
      if (!small) drawn("text", { x, y, "text-anchor": anchor }, node, name);
      drawn("title", {}, node, name);
      if (this.choose && number < count - 1) node.addEventListener("click", () => this.choose(number));
      return node;
    });
  }

  // The present state, and the next one; null if there is none.
  light(state, next) {
    for (const each of this.lit) each.classList.remove("now");
    const edge = next === null ? null : this.edges.get(`${state},${next}`);
    this.lit = [this.nodes.at(state), edge].filter(Boolean); // -1, halting, is the last
    for (const each of this.lit) each.classList.add("now");
    edge?.parentNode.append(edge); // the lit line is on top
  }
}
