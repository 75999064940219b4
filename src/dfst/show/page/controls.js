// The page: one present step for all grids, tables and charts, and everything that moves it.

const MAX_ROWS = 400; // in the list of rows
const SPEEDS = [1, 2, 5, 10, 25, 60, 250, 1000, 10000, 100000, 1000000];
const $ = (id) => document.getElementById(id);

class Viewer {
  constructor(facts, buffer) {
    this.tracks = facts.tracks.map((track, i) => new Track(track, unpackTrack(track, facts.roles[i], buffer)));
    this.length = Math.max(...this.tracks.map((track) => track.length));
    this.difference = facts.divergence;
    this.step = 0;
    this.playing = null;
    this.breakpoints = new Breakpoints(this.tracks);
    this.boards = this.tracks.map((track) => {
      const root = $("board-template").content.cloneNode(true).firstElementChild;
      root.querySelector(".role").textContent = track.role;
      Object.assign(root.querySelector(".name"), { textContent: track.facts.name, title: track.facts.about });
      $("boards").append(root);
      return new Board(root, track);
    });
    const [go, having] = [(to) => this.seek(to), (what) => this.tracks.find((track) => track[what]) || null];
    [this.machine, this.floating, this.thinking] = ["states", "margins", "hidden"].map(having);
    if (this.machine) this.ring = new StateRing($("ring"));
    if (this.floating) this.marginChart = new MarginChart($("margin-canvas"), this.floating, 100, go);
    if (this.thinking) this.hiddenStrip = new HiddenStrip($("hidden-canvas"), this.thinking, go);
    this.spaceTime = new SpaceTime($("space-canvas"), go);
    this.#fill(facts);
    this.#listen();
    this.layout();
    this.seek(parseInt(location.hash.slice(1), 10));
  }

  // What never changes.
  #fill(facts) {
    const { tracks, machine } = this, [first] = tracks, { answer, outcome } = first.facts;
    $("title").textContent = facts.heading;
    $("problem").textContent = facts.title;
    $("about").textContent = first.facts.about;
    const ended = outcome === "step limit" ? "stopped" : outcome;
    const left = answer === null ? "no answer" : `answer ${shortened(answer)}`;
    $("outcome").textContent = `${ended} after ${number(first.length)} steps · ${left}`;
    $("scrub").max = $("jump-to").max = this.length;
    $("last-step").textContent = number(this.length);
    $("speed").append(...SPEEDS.map((speed) => new Option(`${number(speed)} / s`, speed)));
    $("speed").value = this.length > 20000 ? 1000 : this.length > 400 ? 25 : 5;
    $("break-on").append(...this.breakpoints.choices.map((choice, i) => new Option(choice.text, i)));
    $("track").append(...tracks.map((track, i) => new Option(track.role || track.facts.name, i)));
    const shown = {
      "history-state": first.states, "history-margin": first.margins, rules: machine, states: machine,
      margins: this.floating, "hidden-vector": this.thinking, difference: tracks.length > 1,
      "track-field": tracks.length > 1, story: machine?.facts.story,
    };
    for (const [id, there] of Object.entries(shown)) $(id).hidden = !there;
    $("to-difference").disabled = this.difference === null;
    if (machine) {
      $("story-title").textContent = `How ${machine.facts.name} works`;
      $("story-text").textContent = machine.facts.story.replace(/\*(\w)\*/g, "$1"); // *a* is a variable
      const whose = machine.role ? ` of the ${machine.role}` : "", { states, rules } = machine.facts;
      $("states-title").textContent = `States${whose}, and the rules this run uses`;
      this.ring.show(states, rules.map(([state, , , , next]) => [state, states.indexOf(next)]));
    }
    this.#fillRows();
  }

  // The rows of the chosen grid, the input's row first chosen.
  #fillRows() {
    const track = this.tracks[$("track").value];
    const from = Math.max(0, Math.min(track.top - MAX_ROWS / 2, track.height - MAX_ROWS));
    const rows = Array.from({ length: Math.min(track.height, MAX_ROWS) }, (_, i) => from + i);
    $("row").replaceChildren(...rows.map((row) => new Option(track.top - row, row)));
    $("row").value = track.top;
    $("row-field").hidden = track.height === 1;
  }

  #listen() {
    const on = (id, event, act) => $(id).addEventListener(event, (given) => {
      if (event === "submit") given.preventDefault();
      act();
    });
    for (const each of document.querySelectorAll("[data-key]")) { // a button does what its key does
      each.addEventListener("click", () => this.#press(each.dataset.key, 1));
    }
    on("weakest", "click", () => this.seek(this.marginChart.weakest()));
    on("scrub", "input", () => this.seek(Number($("scrub").value)));
    on("jump", "submit", () => this.seek(Number($("jump-to").value)));
    on("break-form", "submit", () => this.toggleBreakpoint(this.breakpoints.choices[$("break-on").value]));
    on("range", "change", () => this.render());
    on("row", "change", () => this.render());
    on("track", "change", () => {
      this.#fillRows();
      this.layout();
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => this.layout());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.layout());
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const { tagName, type } = event.target;
    const typing = tagName === "SELECT" || (tagName === "INPUT" && type !== "range");
    const pressing = event.key === " " && (tagName === "BUTTON" || tagName === "SUMMARY"); // it presses that button
    if (typing || pressing) return;
    if (this.#press(event.key, event.shiftKey ? 10 : 1)) event.preventDefault();
  }

  // Does what a key does, if it does anything.
  #press(key, stride) {
    const page = Math.max(1, Math.round(this.length / 20));
    const keys = {
      " ": () => (this.playing ? this.pause() : this.play()),
      ArrowRight: () => this.seek(this.step + stride),
      ArrowLeft: () => this.seek(this.step - stride),
      PageDown: () => this.seek(this.step + page),
      PageUp: () => this.seek(this.step - page),
      Home: () => this.seek(0),
      End: () => this.seek(this.length),
      "+": () => this.changeSpeed(1),
      "=": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      b: () => this.toggleBreakpoint(this.breakpoints.here(this.step)),
      n: () => this.runOn(),
      d: () => this.toDifference(),
      "?": () => $("help").showModal(),
    };
    if (Object.hasOwn(keys, key)) keys[key]();
    return Object.hasOwn(keys, key);
  }

  layout() {
    readStyle();
    for (const board of this.boards) board.layout();
    renderLegend(this.tracks[$("track").value]);
    this.render();
  }

  // Any step, from anywhere; playing stops.
  seek(step) {
    this.pause();
    this.#go(step);
    this.say("");
  }

  #go(step) {
    this.step = Math.max(0, Math.min(Math.round(step) || 0, this.length));
    for (const track of this.tracks) track.seek(this.step);
    this.render();
  }

  play() {
    if (this.step === this.length) this.#go(0);
    this.say("");
    this.playing = playAt(() => Number($("speed").value), (steps) => {
      const to = Math.min(this.step + steps, this.length), hit = this.breakpoints.first(this.step + 1, to);
      if (hit) this.#stopAt(hit);
      else this.#go(to);
      if (to === this.length) this.pause();
    });
    this.#showPlaying();
  }

  pause() {
    if (!this.playing) return;
    this.playing.on = false;
    this.playing = null;
    this.#showPlaying();
  }

  #showPlaying() {
    document.body.classList.toggle("playing", this.playing !== null);
    $("play-word").textContent = this.playing ? "Pause" : "Play";
    $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.#announce();
  }

  #stopAt({ step, choice }) {
    this.seek(step);
    this.say(`Breakpoint at step ${number(step)}: ${choice.text}.`);
  }

  runOn() {
    const hit = this.breakpoints.first(this.step + 1, this.length);
    this.pause();
    if (hit) this.#stopAt(hit);
    else this.say(this.breakpoints.list.length ? "No breakpoint follows this step." : "There is no breakpoint yet.");
  }

  toDifference() {
    if (this.difference === null) this.say("There is no difference to go to.");
    else this.seek(this.difference);
  }

  toggleBreakpoint(choice) {
    if (!choice) return;
    const { list } = this.breakpoints, removed = list.includes(choice);
    this.breakpoints.list = removed ? list.filter((each) => each !== choice) : [...list, choice];
    this.say(`Breakpoint ${removed ? "removed" : "set"}: ${choice.text}.`);
    $("break-list").replaceChildren(...this.breakpoints.list.map((each) => {
      const remove = button("×", () => this.toggleBreakpoint(each));
      remove.className = "remove";
      remove.setAttribute("aria-label", `Remove the breakpoint ${each.text}`);
      return element("li", "", each.text, remove);
    }));
  }

  changeSpeed(by) {
    const at = SPEEDS.indexOf(Number($("speed").value));
    $("speed").value = SPEEDS[Math.max(0, Math.min(at + by, SPEEDS.length - 1))];
    this.say(`${number(Number($("speed").value))} steps per second.`);
  }

  say(text) {
    $("message").textContent = text;
  }

  render() {
    const { step, tracks, machine, floating, thinking } = this, range = $("range").value;
    const now = (track) => Math.min(step, track.length);
    const differ = this.difference !== null && step > this.difference;
    this.boards.forEach((board, i) => {
      board.render(differ ? tracks[1 - i] : null);
      renderAction(board.root, tracks[i]);
    });
    $("scrub").value = step;
    $("scrub").setAttribute("aria-valuetext", `step ${step} of ${this.length}`);
    if (document.activeElement !== $("jump-to") || !this.playing) $("jump-to").value = step;
    for (const [id, there] of [["back", 0], ["to-start", 0], ["forth", this.length], ["to-end", this.length]]) {
      $(id).setAttribute("aria-disabled", step === there); // a button that is really disabled would lose the focus
    }
    renderHistory(tracks[0], now(tracks[0]));
    if (machine) {
      renderRules(machine, now(machine));
      this.ring.light(machine.stateAt(now(machine)), machine.stateAt(now(machine) + 1));
    }
    if (tracks.length > 1) renderDifference(tracks, this.difference, step);
    if (floating) {
      const act = describe(floating, now(floating));
      for (const head of ["symbol", "move"]) $(`${head}-margin`).textContent = act[`${head} margin`] ?? "–";
      this.marginChart.render(now(floating), range, this.difference);
    }
    if (thinking) this.hiddenStrip.render(now(thinking), range, null);
    const track = tracks[$("track").value];
    this.spaceTime.render(track, Number($("row").value), now(track), range);
    this.#announce();
  }

  // For people who listen: the present step, but not every frame of a film.
  #announce() {
    if (this.playing) return;
    const [first] = this.tracks, words = sentence(first, Math.min(this.step, first.length));
    $("live").textContent = `Step ${this.step} of ${this.length}: ${words}`;
  }
}

// The columns of one rollout, each a copy so that it is aligned.
function unpackTrack(facts, role, buffer) {
  const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
  const columns = Object.fromEntries(Object.entries(facts.columns).map(([name, { begin, bytes, width }]) =>
    [name, new kinds[width](buffer.slice(begin, begin + bytes))]));
  return { role, ...columns, margins: columns.symbolMargins ? [columns.symbolMargins, columns.moveMargins] : null };
}

async function open() {
  if (typeof DecompressionStream === "undefined") {
    $("message").textContent = "This browser is too old to unpack the run; use one of 2023 or later.";
    return;
  }
  const facts = JSON.parse($("facts").textContent);
  const buffer = await unpacked($("steps").textContent.trim(), "deflate");
  $("steps").remove();
  window.viewer = new Viewer(facts, buffer);
  document.body.classList.add("ready");
}

open();
