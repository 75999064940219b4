// The page: one present step for all grids, tables and charts, and everything that moves it.

const MAX_ROWS = 400; // in the list of rows
const SPEEDS = [1, 2, 5, 10, 25, 60, 250, 1000, 10000, 100000, 1000000];

class Viewer {
  constructor(facts, buffer) {
    this.facts = facts;
    forgetStyle();
    this.tracks = facts.tracks.map((track, i) => new Track(track, facts.roles[i], buffer));
    this.length = Math.max(...this.tracks.map((track) => track.length));
    this.difference = facts.divergence;
    this.step = 0;
    this.playing = false;
    this.breakpoints = new Breakpoints(this.tracks);
    this.boards = this.tracks.map((track) => new Board(track, $("boards")));
    this.machine = this.tracks.find((track) => track.states) || null;
    if (this.machine) this.ring = new StateRing($("ring"));
    this.floating = this.tracks.find((track) => track.margins) || null;
    if (this.floating) this.marginChart = new MarginChart($("margin-canvas"), this.floating, (to) => this.seek(to));
    this.thinking = this.tracks.find((track) => track.hidden) || null;
    if (this.thinking) this.hiddenStrip = new HiddenStrip($("hidden-canvas"), this.thinking, (to) => this.seek(to));
    this.spaceTime = new SpaceTime($("space-canvas"), (to) => this.seek(to));
    this.#fill();
    this.#listen();
    this.layout();
    const wanted = parseInt(location.hash.slice(1), 10);
    this.seek(Number.isFinite(wanted) ? wanted : 0);
  }

  // What never changes.
  #fill() {
    const { facts, tracks } = this;
    $("title").textContent = facts.heading;
    const [first] = tracks;
    $("problem").textContent = facts.title;
    $("about").textContent = first.facts.about;
    const answer = first.facts.answer === null ? "no answer" : `answer ${shortened(first.facts.answer)}`;
    const ended = first.facts.outcome === "step limit" ? "stopped" : first.facts.outcome;
    $("outcome").textContent = `${ended} after ${number(first.length)} steps · ${answer}`;
    $("scrub").max = $("jump-to").max = this.length;
    $("last-step").textContent = number(this.length);
    for (const speed of SPEEDS) $("speed").append(new Option(`${number(speed)} / s`, speed));
    $("speed").value = this.length > 20000 ? 1000 : this.length > 400 ? 25 : 5;
    this.breakpoints.choices.forEach((choice, i) => $("break-on").append(new Option(choice.text, i)));
    $("history-state").hidden = !first.states;
    $("history-margin").hidden = !first.margins;
    $("rules").hidden = $("states").hidden = !this.machine;
    $("margins").hidden = !this.floating;
    $("hidden-vector").hidden = !this.thinking;
    $("difference").hidden = tracks.length < 2;
    $("to-difference").disabled = this.difference === null;
    tracks.forEach((track, i) => $("track").append(new Option(track.role || track.name, i)));
    $("track-field").hidden = tracks.length < 2;
    $("story").hidden = !this.machine || !this.machine.facts.story;
    if (this.machine) {
      $("story-title").textContent = `How ${this.machine.name} works`;
      $("story-text").textContent = this.machine.facts.story.replace(/\*(\w)\*/g, "$1"); // *a* is a variable
      const whose = this.machine.role ? ` of the ${this.machine.role}` : "";
      $("states-title").textContent = `States${whose}, and the rules this run uses`;
      this.ring.show(this.machine.facts.states, usedEdges(this.machine));
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
    renderLegend(track);
  }

  #listen() {
    const press = (id, action) => $(id).addEventListener("click", action);
    press("to-start", () => this.seek(0));
    press("back", () => this.seek(this.step - 1));
    press("play", () => this.toggle());
    press("forth", () => this.seek(this.step + 1));
    press("to-end", () => this.seek(this.length));
    press("to-difference", () => this.toDifference());
    press("run-on", () => this.runOn());
    press("weakest", () => this.seek(this.marginChart.weakest()));
    press("help-open", () => $("help").showModal());
    $("scrub").addEventListener("input", () => this.seek(Number($("scrub").value)));
    $("jump").addEventListener("submit", (event) => {
      event.preventDefault();
      this.seek(Number($("jump-to").value));
    });
    $("break-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.toggleBreakpoint(this.breakpoints.choices[$("break-on").value]);
    });
    $("range").addEventListener("change", () => this.render());
    $("row").addEventListener("change", () => this.render());
    $("track").addEventListener("change", () => {
      this.#fillRows();
      this.render();
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => this.layout());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      forgetStyle();
      renderLegend(this.tracks[$("track").value]);
      this.render();
    });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const { tagName, type } = event.target;
    const typing = tagName === "SELECT" || (tagName === "INPUT" && type !== "range");
    if (typing) return;
    const pressable = tagName === "BUTTON" || tagName === "SUMMARY";
    if (event.key === " " && pressable) return; // it presses that button
    const stride = event.shiftKey ? 10 : 1;
    const page = Math.max(1, Math.round(this.length / 20));
    const keys = {
      " ": () => this.toggle(),
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
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  layout() {
    forgetStyle();
    for (const board of this.boards) board.layout();
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

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.step === this.length) this.#go(0);
    this.playing = true;
    this.say("");
    this.#showPlaying();
    let last = performance.now();
    let owed = 0;
    const tick = (now) => {
      if (!this.playing) return;
      owed += (Math.max(0, now - last) / 1000) * Number($("speed").value);
      last = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps > 0) this.#advance(steps);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#showPlaying();
  }

  #showPlaying() {
    document.body.classList.toggle("playing", this.playing);
    $("play-word").textContent = this.playing ? "Pause" : "Play";
    $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.#announce();
  }

  #advance(steps) {
    const to = Math.min(this.step + steps, this.length);
    const hit = this.breakpoints.first(this.step + 1, to);
    this.#go(hit ? hit.step : to);
    if (hit) this.#hit(hit);
    else if (to === this.length) this.pause();
  }

  #hit({ step, choice }) {
    this.pause();
    this.say(`Breakpoint at step ${number(step)}: ${choice.text}.`);
  }

  runOn() {
    const hit = this.breakpoints.first(this.step + 1, this.length);
    if (hit) {
      this.#go(hit.step);
      this.#hit(hit);
    } else {
      this.pause();
      this.say(this.breakpoints.list.length ? "No breakpoint is met after this step." : "There is no breakpoint yet.");
    }
  }

  toDifference() {
    if (this.difference === null) this.say("There is no difference to go to.");
    else this.seek(this.difference);
  }

  toggleBreakpoint(choice) {
    if (!choice) return;
    const added = this.breakpoints.toggle(choice);
    this.say(`${added ? "Breakpoint set" : "Breakpoint removed"}: ${choice.text}.`);
    $("break-list").replaceChildren(
      ...this.breakpoints.list.map((each) => {
        const item = element("li", "", each.text);
        const remove = element("button", "remove", "×");
        remove.type = "button";
        remove.setAttribute("aria-label", `Remove the breakpoint ${each.text}`);
        remove.addEventListener("click", () => this.toggleBreakpoint(each));
        item.append(remove);
        return item;
      }),
    );
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
    const { step, tracks, boards } = this;
    const differ = this.difference !== null && step > this.difference;
    boards.forEach((board, i) => board.render(tracks[1 - i], differ));
    $("scrub").value = step;
    $("scrub").setAttribute("aria-valuetext", `step ${step} of ${this.length}`);
    if (document.activeElement !== $("jump-to") || !this.playing) $("jump-to").value = step;
    for (const [id, there] of [["back", 0], ["to-start", 0], ["forth", this.length], ["to-end", this.length]]) {
      $(id).setAttribute("aria-disabled", step === there); // a button that is really disabled would lose the focus
    }
    renderHistory(tracks[0], Math.min(step, tracks[0].length));
    if (this.machine) {
      const now = Math.min(step, this.machine.length);
      renderRules(this.machine, now);
      this.ring.light(this.machine.stateAt(now), this.machine.stateAt(now + 1));
    }
    if (tracks.length > 1) renderDifference(tracks, this.difference, step);
    this.#renderCharts();
    this.#announce();
  }

  #renderCharts() {
    const { floating } = this;
    const range = $("range").value;
    if (floating) {
      const now = Math.min(this.step, floating.length);
      const act = describe(floating, now);
      $("symbol-margin").textContent = act["symbol margin"] ?? "–";
      $("move-margin").textContent = act["move margin"] ?? "–";
      this.marginChart.render(now, range, this.difference);
    }
    if (this.thinking) this.hiddenStrip.render(Math.min(this.step, this.thinking.length), range);
    const track = this.tracks[$("track").value];
    this.spaceTime.render(track, Number($("row").value), Math.min(this.step, track.length), range);
  }

  // For people who listen: the present step, but not every frame of a film.
  #announce() {
    if (this.playing) return;
    const first = this.tracks[0];
    const words = sentence(first, Math.min(this.step, first.length));
    $("live").textContent = `Step ${this.step} of ${this.length}: ${words}`;
  }
}

async function open() {
  if (typeof DecompressionStream === "undefined") {
    $("message").textContent = "This browser is too old to unpack the run; use one of 2023 or later.";
    return;
  }
  const facts = JSON.parse($("facts").textContent);
  const buffer = await unpack($("steps").textContent);
  $("steps").remove();
  window.viewer = new Viewer(facts, buffer);
  document.body.classList.add("ready");
}

open();
