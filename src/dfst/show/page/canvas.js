// Drawing on a canvas: the page's own colours, sharp lines, and pressing to go somewhere.

// Asking for a style or a size in the middle of a frame makes the browser lay out the page once more: both are kept.
const kept = { colours: new Map(), width: 0 };

function forgetStyle() {
  kept.colours.clear();
  kept.width = $("charts").clientWidth - 2 * parseFloat(getComputedStyle($("charts")).paddingLeft);
}

function colourOf(name) {
  if (!kept.colours.has(name)) {
    kept.colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  }
  return kept.colours.get(name);
}

// A canvas as sharp as the screen; gives its context in CSS pixels.
function prepare(canvas, height) {
  const { width } = kept;
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  return { context, width, height };
}

// The steps that a chart shows: all, or some around the present.
function shownSteps(track, step, range, near) {
  if (range === "whole") return [0, Math.max(1, track.length)];
  const from = Math.max(0, Math.min(step - Math.floor(near / 2), track.length - near));
  return [from, Math.min(track.length, from + near)];
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function mark(context, x, top, bottom, colour, text, right) {
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5;
  line(context, x, top, x, bottom);
  if (!text) return;
  const width = context.measureText(text).width;
  context.fillText(text, x + width + 6 > right ? x - width - 5 : x + 5, bottom - 9);
}

// Pressing or dragging on a chart goes there; the slider does the same for keyboards.
function dragToJump(canvas, jump) {
  const go = (event) => {
    const box = canvas.getBoundingClientRect();
    jump(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    go(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) go(event);
  });
}

// The same for a chart over time, which knows its canvas, its inset, and the steps that it shows.
function dragThroughTime(chart, jump) {
  dragToJump(chart.canvas, (x) => {
    const { left, right } = chart.inset;
    const part = (x - left) / (chart.canvas.clientWidth - left - right);
    jump(Math.round(chart.from + part * (chart.to - chart.from)));
  });
}
