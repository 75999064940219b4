// The tables beside the grids: the rules of the present state, the steps around now, learner and teacher.

const AROUND = 7;
const number = (value) => value.toLocaleString("en");

function tableRow(now, cells, numeric) {
  const row = element("tr", now ? "now" : "");
  if (now) row.setAttribute("aria-current", "step");
  row.append(element("td", "pointer", now ? "▸" : ""));
  cells.forEach((text, i) => row.append(element("td", numeric.includes(i) ? "number" : "", text)));
  return row;
}

function renderHistory(track, step) {
  const from = Math.max(0, Math.min(step - Math.floor(AROUND / 2), track.length - AROUND));
  const rows = [];
  for (let t = from; t < Math.min(from + AROUND, track.length); t++) {
    const act = describe(track, t);
    const state = track.states ? [act.state] : [];
    const margin = track.margins ? [marginText(Math.min(track.margin(0, t), track.margin(1, t)))] : [];
    const cells = [number(t), ...state, track.symbols[track.seen[t]], track.symbols[track.written[t]], act.moves];
    rows.push(tableRow(t === step, [...cells, ...margin], margin.length ? [0, cells.length] : [0]));
  }
  $("history-rows").replaceChildren(...rows);
}

function renderRules(track, step) {
  const ended = step === track.length;
  const state = ended ? -1 : track.states[step];
  const whose = track.role ? `${track.role}, ` : "";
  $("rules-title").textContent = `Rules of ${whose}state ${track.stateName(step)}`;
  const rows = track.facts.rules
    .filter((rule) => rule[0] === state)
    .map(([, seen, written, move, next, used]) => {
      const cells = [track.symbols[seen], track.symbols[written], MOVES[move], next, number(used)];
      return tableRow(seen === track.seen[step], cells, [4]);
    });
  $("rule-rows").replaceChildren(...rows);
  $("no-rule").hidden = !ended;
}

// Between which states this run goes; -1 is halting.
function usedEdges(track) {
  return track.facts.rules.map(([state, , , , next]) => [state, track.stateNumber(next)]);
}

function renderDifference(tracks, difference, step) {
  if (difference === null) {
    $("difference-text").textContent = "They do the same at every step of this run.";
    return;
  }
  let where = "They have differed.";
  if (step === difference) where = "They differ here.";
  else if (step < difference) where = "The same so far.";
  $("difference-text").textContent = `${where} First difference at step ${number(difference)}:`;
  const acts = tracks.flatMap((track) => [
    element("dt", "", track.role),
    element("dd", "", sentence(track, difference)),
  ]);
  $("difference-acts").replaceChildren(...acts);
}

function renderLegend(track) {
  const items = symbolColours(track).map((colour, symbol) => {
    const item = element("li", "", symbolText(track, symbol));
    const swatch = element("span", "swatch");
    swatch.style.background = colour;
    item.prepend(swatch);
    return item;
  });
  const head = element("li", "", "the head");
  head.prepend(element("span", "swatch of-head"));
  $("legend").replaceChildren(...items, head);
}

function shortened(text) {
  return text.length <= 40 ? text : `${text.slice(0, 10)}…${text.slice(-8)} (${number(text.length)} symbols)`;
}
