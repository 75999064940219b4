// The live page: a problem, the network and its machine side by side, the proof, and rules to change.

const MOST_STEPS = 400000, LONGEST = 400, EVERY = 64;
const PLAYED = 6; // seconds that playing takes at most
const RESULTS = { "+": "sum", "×": "product" };
const $ = (name) => document.getElementById(`live-${name}`);

class Page {
  constructor(root) {
    this.root = root;
    this.boards = ["network", "machine"].map((name) => new Board($(name)));
    this.workshop = new Workshop(this);
    this.playing = null;
    $("task").append(...live.catalogue.map(({ name }) => new Option(name, name)));
    this.listen();
  }

  listen() {
    const on = (name, event, act) => $(name).addEventListener(event, act);
    // up to the first mistake, or to the end: at once where motion is not welcome
    const drawAndShow = () => {
      this.draw(Number($("length").value));
      if (!still.matches) this.play();
      else if (Number.isFinite(this.split)) this.seek(this.split);
    };
    on("problem", "submit", (event) => event.preventDefault());
    on("task", "change", () => this.open({ task: $("task").value }));
    on("floats", "change", () => this.open({ ...this.state(), floats: $("floats").value, step: 0 }));
    on("length", "input", drawAndShow);
    on("again", "click", drawAndShow);
    on("scrub", "input", () => this.seek(Number($("scrub").value)));
    on("back", "click", () => this.seek(this.step - 1));
    on("forth", "click", () => this.seek(this.step + 1));
    on("play", "click", () => (this.playing ? this.pause() : this.play()));
    on("jump", "click", () => this.seek(this.split));
    on("large", "click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else this.root.requestFullscreen();
    });
    addEventListener("resize", () => this.resize());
    document.addEventListener("fullscreenchange", () => this.resize());
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) !== this.address) this.fromAddress();
    });
  }

  // What is shown, as it stands in the address.
  state() {
    const { task, floats, operands, step, edits } = this;
    return { task: task.name, floats, operands, step, edits };
  }

  write() {
    const { task, floats, operands, step, edits } = this.state();
    const words = new URLSearchParams([["task", task], ...operands.map((text) => ["in", text])]);
    if (floats !== "raw") words.set("floats", floats);
    for (const edit of edits) words.append("edit", edit.join("."));
    if (step) words.set("step", step);
    this.address = words.toString();
    history.replaceState(null, "", `#${this.address}`);
  }

  async fromAddress() {
    const words = new URLSearchParams(location.hash.slice(1)), task = words.get("task");
    const known = live.catalogue.some(({ name }) => name === task);
    await this.open(!known ? { task: this.root.dataset.task } : {
      task, floats: words.get("floats"), operands: words.getAll("in"), step: Number(words.get("step")) || 0,
      edits: words.getAll("edit").map((text) => text.split(".").map(Number)),
    });
    return known;
  }

  async open({ task: name, floats = null, operands = [], step = 0, edits = [] }) {
    this.pause();
    const kinds = live.catalogue.find((each) => each.name === name).weights;
    const kind = kinds.includes(floats) ? floats : kinds[0];
    try {
      [this.task, this.network] = await Promise.all([loadTask(name), loadNetwork(name, kind)]);
    } catch (error) {
      say("verdict", error.message, "bad");
      return;
    }
    const { task } = this;
    this.floats = kind;
    this.edits = edits.filter((edit) => fits(task, edit));
    this.teacher = new Machine(task.teacher);
    this.machine = new Machine({ ...task.learner, table: task.learner.table.map((row) => [...row]) });
    for (const [state, seen, ...rule] of this.edits) this.machine.table[state][seen] = rule;
    this.operands = operandParts(task).map((_, i) => operands[i] ?? task.example[i]);
    this.fields(kinds);
    this.workshop.open();
    this.run(step);
    this.workshop.judge();
  }

  // The controls that depend on the task, and what was measured of its network: of that, nothing is proven.
  fields(kinds) {
    const { task, floats } = this, parts = operandParts(task);
    $("task").value = task.name;
    $("floats").replaceChildren(...kinds.map((kind) => new Option(OFFERED[kind], kind)));
    $("floats").value = floats;
    let count = 0;
    $("inputs").replaceChildren(...task.layout.parts.map((part) => {
      if (task.symbols.includes(part)) return element("span", "live-fixed", part);
      const at = count++;
      return textInput(this.operands[at], `input ${at + 1}, of ${parts[at].letters.join(" ")}`, LONGEST, (text) => {
        this.operands[at] = text;
        this.pause();
        this.run(0);
      });
    }));
    $("length-field").hidden = $("again").hidden = !parts.some(({ grows }) => grows);
    $("length").max = task.slider;
    const story = task.story.split(/\*(\w)\*/); // *a* is a variable
    $("story").replaceChildren(...story.map((text, i) => (i % 2 ? element("i", "", text) : text)));
    $("reach").textContent = task.reached[floats];
    const { bits } = this.network, rounding = `hidden state rounded to ${bits} bit${bits === 1 ? "" : "s"}`;
    $("arithmetic").textContent = `The network, ${bits ? rounding : "in float32"}`;
    $("extracted").textContent = `The machine extracted from ${floats === "raw" ? "it" : "the network as trained"}`;
  }

  // New random input of a length.
  draw(length) {
    this.pause();
    const any = (letters) => letters[Math.floor(Math.random() * letters.length)];
    this.operands = operandParts(this.task).map(({ letters, grows }) => {
      const first = any(letters[0] === "0" && length > 1 && grows ? letters.slice(1) : letters);
      return first + (grows ? Array.from({ length: length - 1 }, () => any(letters)).join("") : "");
    });
    $("inputs").querySelectorAll("input").forEach((input, i) => (input.value = this.operands[i]));
    this.run(0);
  }

  // Everybody works on the problem; then the page can go to any step.
  run(step) {
    const { task, operands } = this;
    $("length").value = Math.max(...operands.map((text) => text.length));
    $("digits").textContent = $("length").value;
    try {
      this.taught = rollOut(task, this.teacher, operands, MOST_STEPS);
    } catch (error) {
      say("verdict", error.message, "bad");
      return;
    }
    const limit = Math.min(MOST_STEPS, patience(this.taught));
    this.runs = [this.network, this.machine].map((policy) => rollOut(task, policy, operands, limit));
    this.splits = this.runs.map((run) => difference(run, this.taught));
    this.split = Math.min(...this.splits.filter((at) => at !== null));
    this.tracks = tracksOf(task, this.runs, task.learner.states);
    this.boards.forEach((board, i) => (board.track = this.tracks[i]));
    this.layout();
    this.kept = null;
    this.total = Math.max(...this.runs.map((run) => run.seen.length));
    $("scrub").max = this.total;
    $("jump").disabled = !Number.isFinite(this.split);
    $("scrub").style.setProperty("--until", `${Math.min(100, (100 * this.split) / this.total)}%`);
    this.verdict();
    this.seek(step);
  }

  // The result in one sentence.
  verdict() {
    const { layout, symbols } = this.task, [fails, broken] = this.splits.map((at) => at !== null);
    const sign = layout.parts.find((part) => symbols.includes(part));
    const relation = this.operands.length === 2 && RESULTS[sign] ? "=" : "→"; // 578 → 579, but 58 + 67 = 125
    const problem = `${this.operands.map(short).join(` ${sign} `)} ${relation} ${short(this.taught.answer ?? "?")}.`;
    const all = number(this.taught.seen.length);
    const failed = (i) => `makes its first mistake at step ${number(this.splits[i])} of ${all}: ${this.ending(i)}.`;
    const rest = broken ? `The machine, with your rule, ${failed(1)}`
      : fails ? "The machine acts like the teacher to the end." : "and so does the machine.";
    const about = fails ? failed(0) : `acts like its teacher at all ${all} steps${broken ? "." : ""}`;
    say("verdict", `${problem} The network ${about} ${rest}`, fails || broken ? "mixed" : "good");
  }

  // What became of a rollout that did not act like the teacher.
  ending(at) {
    const { task, taught } = this, run = this.runs[at];
    const what = RESULTS[task.layout.parts[1]] ?? "answer", steps = `${number(run.seen.length)} steps`;
    const said = {
      right: `still left the right ${what}`,
      wrong: run.answer === null ? `stopped, but what it left is no ${what}` : `left ${this.left(run)}`,
      stuck: `got stuck after ${steps}`,
      endless: `wrote the right ${what} but did not stop`,
      unfinished: `had not stopped after ${steps}`,
    };
    return `it ${said[ending(task, run, taught)]}`;
  }

  // What a rollout left; where that and the teacher's answer are shortened alike, with the symbols that differ.
  left({ answer: text }) {
    const said = short(text || "nothing"), right = this.taught.answer ?? "";
    if (text === right || said !== short(right)) return said;
    const differs = (_, i) => text[i] !== right[i], all = [...text];
    const first = all.findIndex(differs), end = all.findLastIndex(differs) + 1;
    const [ours, theirs] = [text, right].map((each) => short(each.slice(first, end)));
    return `${said} with ${ours} in place of ${theirs} at symbol ${number(first + 1)}`;
  }

  seek(wanted) {
    this.step = Math.max(0, Math.min(wanted, this.total));
    this.tracks.forEach((track) => track.seek(this.step));
    $("scrub").value = this.step;
    $("step").textContent = `${number(this.step)} / ${number(this.total)}`;
    $("back").disabled = this.step === 0;
    $("forth").disabled = this.step === this.total;
    this.boards.forEach((board, i) => {
      board.render(this.step > this.split ? this.tracks[1 - i] : null);
      const wrong = this.splits[i] !== null && this.step >= this.splits[i];
      board.root.classList.toggle("failed", wrong);
      board.root.querySelector(".live-act").textContent = this.sentence(i, wrong);
    });
    drawHidden($("hidden"), this.hidden(this.tracks[0].step));
    this.workshop.light();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.write(), 200); // browsers refuse more than a few addresses a second
  }

  sentence(at, wrong) {
    const { taught, task: { symbols } } = this, run = this.runs[at], { step } = this.tracks[at];
    const act = (of) => `writes ${symbols[of.written[step]]} ${ARROWS[of.moves[step]]}`;
    if (step >= run.seen.length) {
      const left = run.answer === null ? "but left no answer" : `and left ${this.left(run)}`;
      const stuck = `Stuck: ${at ? "there is no rule" : "no single action scores highest"}`;
      const end = { halted: `Stopped ${left}`, stuck, "step limit": "Cut off here: it did not stop" }[run.outcome];
      return `${wrong ? "✗" : "✓"} ${end}.`;
    }
    const where = run.states ? `state ${this.tracks[at].stateName(step)} · ` : "";
    const right = step !== this.splits[at] ? ""
      : `; the teacher ${step < taught.seen.length ? act(taught) : "has stopped"}`;
    return `${wrong ? "✗ " : ""}${where}sees ${symbols[run.seen[step]]}, ${act(run)}${right}`;
  }

  // h before a step, from the nearest one that was kept.
  hidden(step) {
    const { network } = this, { seen } = this.runs[0];
    if (!this.kept) {
      this.kept = [];
      network.begin();
      seen.forEach((symbol, i) => {
        if (i % EVERY === 0) this.kept.push(network.get());
        network.act(symbol);
      });
    }
    const nearest = Math.min(Math.floor(step / EVERY), this.kept.length - 1);
    network.set(this.kept[nearest] ?? [network.h0, 0]);
    for (let i = nearest * EVERY; i < step; i++) network.act(seen[i]);
    return network.h;
  }

  // Plays to the first mistake and stops there; from there, to the end.
  play() {
    if (this.step === this.total) this.seek(0);
    const goal = this.step < this.split ? Math.min(this.split, this.total) : this.total;
    const speed = Math.max(10, (goal - this.step) / PLAYED);
    this.pause();
    this.playing = playAt(() => speed, (steps) => {
      this.seek(Math.min(goal, this.step + steps));
      if (this.step >= goal) this.pause();
    });
    $("play").textContent = "❚❚ Pause";
  }

  pause() {
    if (this.playing) this.playing.on = false;
    this.playing = null;
    $("play").textContent = "▶ Play";
  }

  layout() {
    const [least, most] = document.fullscreenElement ? [40, 64] : [22, 34];
    for (const board of this.boards) board.layout({ least, most, rows: 6 });
  }

  resize() {
    if (!this.tracks) return;
    this.layout();
    this.seek(this.step);
  }
}

// The hidden vector as bars, upwards or downwards from the middle.
function drawHidden(svg, hidden) {
  const largest = Math.max(...Array.from(hidden, Math.abs), 1e-30);
  svg.setAttribute("viewBox", `0 0 ${hidden.length} 2`);
  svg.replaceChildren();
  hidden.forEach((value, i) => {
    const size = Math.abs(value) / largest, [y, kind] = value > 0 ? [1 - size, "plus"] : [1, "minus"];
    drawn("rect", { x: i + 0.1, width: 0.8, y, height: Math.max(size, 0.03), class: kind }, svg);
  });
}

const short = (text) => shortened(text, 26);
const root = document.getElementById("live");
const page = new Page(root);
Object.assign(live, { Machine, Rejected, load, loadNetwork, page, parse, rollOut, verify });
page.fromAddress().then((named) => {
  root.classList.add("ready");
  if (named) root.scrollIntoView();
  else if (!still.matches) page.play();
});
