// The states of a machine as a ring of nodes, halting the last of them; the line of the rule in use is lit.

const MANY_STATES = 40; // beyond that nodes are small, and have no names beside them

class StateRing {
  constructor(svg, choose = null) {
    Object.assign(this, { svg, choose });
    svg.setAttribute("viewBox", "-35 0 410 340");
  }

  // `edges` are pairs of states, by number; -1 is halting.
  show(states, edges) {
    const count = states.length + 1;
    const small = count > MANY_STATES;
    this.svg.replaceChildren();
    this.edges = new Map();
    const lines = this.#drawn("g", { class: "edges" }, this.svg);
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
      const path = state === next ? loop : `M${x1} ${y1}Q${bend(x1, x2)} ${bend(y1, y2)} ${x2} ${y2}`;
      this.edges.set(`${state},${next}`, this.#drawn("path", { d: path }, lines));
    }
    this.nodes = [...states, "halt"].map((name, number) => {
      const node = this.#drawn("g", { class: "node", "data-state": name }, this.svg);
      const [[x, y], [textX, textY]] = [place(number, 128), place(number, 142)];
      const anchor = Math.abs(x - 170) < 25 ? "middle" : x > 170 ? "start" : "end";
      this.#drawn("circle", { cx: x, cy: y, r: small ? 3.5 : 8 }, node);
      if (!small) this.#drawn("text", { x: textX, y: textY, "text-anchor": anchor }, node).textContent = name;
      this.#drawn("title", {}, node).textContent = name;
      if (this.choose && number < count - 1) node.addEventListener("click", () => this.choose(number));
      return node;
    });
    this.lit = [];
  }

  // The present state, and the next one; null if there is none.
  light(state, next) {
    for (const each of this.lit) each.classList.remove("now");
    const node = this.nodes[state < 0 ? this.nodes.length - 1 : state];
    const edge = next === null ? null : this.edges.get(`${state},${next}`);
    this.lit = [node, edge].filter(Boolean);
    for (const each of this.lit) each.classList.add("now");
    edge?.parentNode.append(edge); // the lit line is on top
  }

  #drawn(tag, attributes, parent) {
    const made = document.createElementNS(this.svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    parent.append(made);
    return made;
  }
}
