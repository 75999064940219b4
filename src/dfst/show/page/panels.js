// What is beside the grids: the present action, the rules of a state, nearby steps, the first difference, breakpoints.

const MOVES = ["↑ up", "↓ down", "← left", "→ right", "■ halts"];
const AROUND = 7;

const symbolText = (track, symbol) => `${track.symbols[symbol]}${symbol === track.blank ? " blank" : ""}`;

// Of the symbol (head 0) or of the move (head 1).
function marginText(track, head, step) {
  const margin = unpackMargin(track.margins[head][step]);
  return margin >= 0.0995 ? margin.toFixed(2) : margin === 0 ? "0" : margin.toPrecision(1);
}

// What happens at a step, in words; nothing after the last.
function describe(track, step) {
  const state = track.stateName(step);
  if (step >= track.length) return { state, sees: symbolText(track, track.cells[track.at]) };
  const [seen, written] = [track.seen[step], track.written[step]].map((symbol) => symbolText(track, symbol));
  const act = { state, sees: seen, writes: written, moves: MOVES[track.moves[step]], next: track.stateName(step + 1) };
  if (!track.margins) return act;
  return { ...act, "symbol margin": marginText(track, 0, step), "move margin": marginText(track, 1, step) };
}

function sentence(track, step) {
  if (step >= track.length) return `${track.facts.ending}.`;
  const act = describe(track, step);
  const [state, next] = track.states ? [`state ${act.state} `, `, next ${act.next}`] : ["", ""];
  return `${state}sees ${act.sees}, writes ${act.writes}, ${act.moves.slice(2)}${next}.`;
}

function renderAction(root, track) {
  const names = track.states ? ["state", "sees", "writes", "moves", "next"]
    : ["sees", "writes", "moves", "symbol margin", "move margin"];
  const act = describe(track, track.step), list = root.querySelector(".action"), { row, column } = track.head;
  list.replaceChildren(...names.map((name) =>
    element("div", name.replace(" ", "-"), element("dt", "", name), element("dd", "", act[name] ?? "–"))));
  const ended = track.step === track.length ? `${track.facts.outcome} · ` : "";
  root.querySelector(".place").textContent = `${ended}head at (${column + track.left}, ${track.top - row})`;
}

function tableRow(now, cells, numeric) {
  const row = element("tr", now ? "now" : "", element("td", "pointer", now ? "▸" : ""));
  if (now) row.setAttribute("aria-current", "step");
  row.append(...cells.map((text, i) => element("td", numeric.includes(i) ? "number" : "", text)));
  return row;
}

function renderHistory(track, step) {
  const from = Math.max(0, Math.min(step - Math.floor(AROUND / 2), track.length - AROUND));
  const rows = [];
  for (let t = from; t < Math.min(from + AROUND, track.length); t++) {
    const { state, moves } = describe(track, t), cells = [number(t), ...(track.states ? [state] : [])];
    cells.push(track.symbols[track.seen[t]], track.symbols[track.written[t]], moves);
    if (track.margins) cells.push(marginText(track, track.margins[0][t] > track.margins[1][t] ? 0 : 1, t));
    rows.push(tableRow(t === step, cells, track.margins ? [0, cells.length - 1] : [0]));
  }
  $("history-rows").replaceChildren(...rows);
}

function renderRules(track, step) {
  const ended = step === track.length;
  const whose = track.role ? `${track.role}, ` : "";
  $("rules-title").textContent = `Rules of ${whose}state ${track.stateName(step)}`;
  const rules = ended ? [] : track.facts.rules.filter((rule) => rule[0] === track.states[step]);
  $("rule-rows").replaceChildren(...rules.map(([, seen, written, move, next, used]) => {
    const cells = [track.symbols[seen], track.symbols[written], MOVES[move], next, number(used)];
    return tableRow(seen === track.seen[step], cells, [4]);
  }));
  $("no-rule").hidden = !ended;
}

function renderDifference(tracks, difference, step) {
  const where = step < difference ? "The same so far" : step > difference ? "They have differed" : "They differ here";
  $("difference-text").textContent = difference === null ? "They do the same at every step of this run."
    : `${where}. First difference at step ${number(difference)}:`;
  $("difference-acts").replaceChildren(...(difference === null ? [] : tracks.flatMap((track) =>
    [element("dt", "", track.role), element("dd", "", sentence(track, difference))])));
}

function renderLegend(track) {
  const items = symbolColours(track).map((colour, symbol) => {
    const swatch = element("span", "swatch");
    swatch.style.background = colour;
    return element("li", "", swatch, symbolText(track, symbol));
  });
  $("legend").replaceChildren(...items, element("li", "", element("span", "swatch of-head"), "the head"));
}

// Where to stop: at a state of a machine, or at a symbol that the head sees.
class Breakpoints {
  constructor(tracks) {
    this.tracks = tracks;
    this.list = [];
    const whose = (track, what) => (tracks.length > 1 ? `${track.role}${what === "sees" ? " " : ": "}${what}` : what);
    this.choices = tracks.filter((track) => track.states).flatMap((track) =>
      [...new Set(track.facts.rules.map((rule) => rule[0]))].map((value) =>
        ({ kind: "states", track, value, text: `${whose(track, "state")} ${track.facts.states[value]}` })));
    const [first] = tracks;
    this.choices.push(...first.symbols.map((_, value) =>
      ({ kind: "seen", track: first, value, text: `${whose(first, "sees")} ${symbolText(first, value)}` })));
  }

  // The choice that means the present: the state of a machine, or what a model sees.
  here(step) {
    const machine = this.tracks.find((track) => track.states && step < track.length);
    const [kind, track] = machine ? ["states", machine] : ["seen", this.tracks[0]];
    return this.choices.find((c) => c.kind === kind && c.track === track && c.value === track[kind][step]) || null;
  }

  // The first step from `begin` to `end` (both included) where one of them is met: {step, choice}, or null.
  first(begin, end) {
    let found = null;
    for (const choice of this.list) {
      const column = choice.track[choice.kind], until = Math.min(found ? found.step - 1 : end, column.length - 1);
      for (let step = begin; step <= until; step++) {
        if (column[step] !== choice.value) continue;
        found = { step, choice };
        break;
      }
    }
    return found;
  }
}
