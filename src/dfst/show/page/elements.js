// What every page is made of: elements, drawings, numbers, and time that passes. Text is only ever set as text.

const ARROWS = ["↑", "↓", "←", "→", "■"];
// the namespace of drawings, asked for: a page that loads nothing has no address in it
const SVG = Object.assign(element("template"), { innerHTML: "<svg></svg>" }).content.firstChild.namespaceURI;
const number = (value) => value.toLocaleString("en");

function element(tag, className = "", text = "", ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(text, ...children);
  return made;
}

function drawn(tag, attributes, parent, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(text);
  parent.append(made);
  return made;
}

function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function shortened(text, most = 40) {
  return text.length <= most ? text : `${text.slice(0, 10)}…${text.slice(-8)} (${number(text.length)} symbols)`;
}

// Calls `advance` with the number of steps that are due, at most once a frame, until `on` of what it returns is false.
function playAt(speed, advance) {
  const player = { on: true };
  let last = performance.now(), owed = 0;
  const tick = (now) => {
    if (!player.on) return;
    owed += (Math.max(0, now - last) / 1000) * speed();
    last = now;
    const steps = Math.floor(owed);
    owed -= steps;
    if (steps > 0) advance(steps);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  return player;
}

// The bytes that were compressed and written as base64.
function unpacked(text, format) {
  const packed = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream(format))).arrayBuffer();
}
