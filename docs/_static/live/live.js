// The live page: a problem, the network and its machine side by side, the proof, and rules to change.

(() => {
  const live = globalThis.dfstLive;
  const { ARROWS, Board, Machine, Network, Replay, drawHidden, element, fits, load } = live;
  const MOST_STEPS = 400000, LONGEST = 400, EVERY = 64;
  const PLAYED = 6; // seconds that playing takes at most
  const KINDS = { raw: "as trained", lasting: "lasting" };
  const RESULTS = { "+": "sum", "×": "product" };
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  class Page {
    constructor(root) {
      this.root = root;
      this.$ = (name) => root.querySelector(`#live-${name}`);
      this.boards = ["network", "machine"].map((name) => new Board(this.$(name)));
      this.ring = new StateRing(this.$("ring"), (state) => this.choose(state));
      this.edits = [];
      this.step = 0;
      for (const { name } of live.catalogue) this.$("task").append(new Option(name, name));
      this.listen();
    }

    listen() {
      const { $ } = this;
      const on = (name, event, act) => $(name).addEventListener(event, act);
      on("problem", "submit", (event) => event.preventDefault());
      on("task", "change", () => this.open({ task: $("task").value }));
      on("floats", "change", () => this.open({ ...this.state(), floats: $("floats").value, step: 0 }));
      for (const [name, event] of [["length", "input"], ["again", "click"]]) {
        on(name, event, () => {
          this.draw(Number($("length").value));
          this.show();
        });
      }
      on("scrub", "input", () => this.seek(Number($("scrub").value)));
      on("back", "click", () => this.seek(this.step - 1));
      on("forth", "click", () => this.seek(this.step + 1));
      on("play", "click", () => (this.playing ? this.pause() : this.play()));
      on("jump", "click", () => this.seek(this.split));
      on("large", "click", () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen()));
      on("check", "click", () => this.check());
      on("undo", "click", () => this.open({ ...this.state(), edits: [] }));
      on("state", "change", () => this.choose($("state").value === "" ? null : Number($("state").value)));
      addEventListener("resize", () => this.resize());
      document.addEventListener("fullscreenchange", () => this.resize());
      addEventListener("hashchange", () => {
        if (location.hash.slice(1) !== this.address) this.fromAddress();
      });
    }

    // What is shown, as it stands in the address.
    state() {
      return { task: this.task.name, floats: this.floats, operands: this.operands, step: this.step, edits: this.edits };
    }

    write() {
      const { task, floats, operands, step, edits } = this.state();
      const words = new URLSearchParams([["task", task], ...operands.map((text) => ["in", text])]);
      if (floats && floats !== "raw") words.set("floats", floats);
      for (const edit of edits) words.append("edit", edit.join("."));
      if (step) words.set("step", step);
      this.address = words.toString();
      history.replaceState(null, "", `#${this.address}`);
    }

    async fromAddress() {
      const words = new URLSearchParams(location.hash.slice(1));
      const known = live.catalogue.some(({ name }) => name === words.get("task"));
      const edits = words.getAll("edit").map((text) => text.split(".").map(Number));
      const given = { floats: words.get("floats"), operands: words.getAll("in"), step: Number(words.get("step")) || 0, edits };
      await this.open(known ? { task: words.get("task"), ...given } : { task: this.root.dataset.task });
      return known;
    }

    async open({ task: name, floats = null, operands = [], step = 0, edits = [] }) {
      this.pause();
      const kinds = live.catalogue.find((each) => each.name === name).weights;
      this.floats = kinds.includes(floats) ? floats : kinds[0];
      try {
        await Promise.all([load(`tasks/${name}.js`), load(`weights/${name}-${this.floats}.js`)]);
      } catch (error) {
        this.say(error.message, "bad");
        return;
      }
      const task = (this.task = live.tasks[name]);
      const parts = live.operandParts(task);
      this.edits = edits.filter((edit) => fits(task, edit));
      this.teacher = new Machine(task.teacher.table, task.teacher.start);
      this.table = task.learner.table.map((row) => [...row]);
      for (const [state, seen, ...rule] of this.edits) this.table[state][seen] = rule;
      this.machine = new Machine(this.table, task.learner.start);
      this.network = new Network(live.unpack(live.weights[`${name}:${this.floats}`]));
      this.operands = parts.map((_, i) => operands[i] ?? task.example[i]);
      this.chosen = null;
      this.fields(kinds, parts);
      const edges = this.table.flatMap((row, state) => row.filter(Boolean).map(([next]) => [state, next]));
      this.ring.show(task.learner.states, edges);
      this.$("proof").textContent = "";
      this.$("proof").className = "live-proof";
      this.run(step);
      this.judge();
    }

    // The controls that depend on the task.
    fields(kinds, parts) {
      const { $, task } = this;
      $("task").value = task.name;
      $("floats").replaceChildren(...kinds.map((kind) => new Option(KINDS[kind], kind)));
      $("floats").value = this.floats;
      let number = 0;
      $("inputs").replaceChildren(...task.layout.parts.map((part) => {
        if (task.symbols.includes(part)) return element("span", "live-fixed", part);
        const input = element("input"), place = number++;
        Object.assign(input, { type: "text", value: this.operands[place], spellcheck: false, autocomplete: "off", maxLength: LONGEST });
        input.setAttribute("aria-label", `input ${place + 1}, of ${task.classes[part.replace(/\+$/, "")].join(" ")}`);
        input.addEventListener("input", () => {
          this.operands[place] = input.value.trim();
          this.pause();
          this.run(0);
        });
        return input;
      }));
      const grows = parts.some((part) => part.endsWith("+"));
      $("length-field").hidden = $("again").hidden = !grows;
      const [reached, tested] = task.reached.raw; // long enough to see the network fail
      $("length").max = { mult10: 18, mult2: 24 }[task.name] ?? Math.min(tested, Math.max(60, Math.ceil(1.3 * reached)));
      $("story").replaceChildren(...italic(task.story));
      this.reach();
      const names = task.learner.states.map((name, i) => new Option(name, i));
      $("state").replaceChildren(new Option("the current one", ""), ...names);
    }

    // How far this network gets, as it was measured: of it, nothing is proven.
    reach() {
      const { task, floats } = this, [length, tested] = task.reached[floats];
      const far = length >= tested ? `at least ${tested.toLocaleString("en")} symbols, as far as it was tested` : `${length.toLocaleString("en")} symbols`;
      const stuck = task.stuck ? " The proof does not rule out that the teacher gets stuck; then the machine stops at the same step." : "";
      this.$("reach").textContent = `The network (${KINDS[floats]}) learned from ${task.traces.toLocaleString("en")} traces of inputs of up to ` +
        `${task.longest} symbols. In tests on random inputs and on inputs that repeat one symbol, it acts like its teacher up to ${far}. ` +
        `The machine is proven to act like the teacher at every length.${stuck}`;
      this.$("extracted").textContent = `The machine extracted from ${floats === "raw" ? "it" : "the network as trained"}`;
    }

    // New random input of a length.
    draw(length) {
      this.pause();
      this.operands = live.operandParts(this.task).map((part) => {
        const letters = this.task.classes[part.replace(/\+$/, "")];
        const letter = () => letters[Math.floor(Math.random() * letters.length)];
        const first = letters[0] === "0" && length > 1 ? letters[1 + Math.floor(Math.random() * (letters.length - 1))] : letter();
        return part.endsWith("+") ? first + Array.from({ length: length - 1 }, letter).join("") : letter();
      });
      [...this.$("inputs").querySelectorAll("input")].forEach((input, i) => (input.value = this.operands[i]));
      this.run(0);
    }

    // Everybody works on the problem; then the page can go to any step.
    run(step) {
      const { $, task, operands } = this;
      $("length").value = Math.max(...operands.map((text) => text.length));
      $("digits").textContent = $("length").value;
      try {
        live.place(task, operands);
      } catch (error) {
        this.say(error.message, "bad");
        return;
      }
      const taught = live.rollOut(task, this.teacher, operands, MOST_STEPS);
      const limit = Math.min(MOST_STEPS, 2 * taught.seen.length + 100); // as dfst view shows a learner that went astray
      this.runs = [this.network, this.machine].map((policy) => live.rollOut(task, policy, operands, limit));
      this.taught = taught;
      this.splits = this.runs.map((run) => live.difference(run, taught));
      this.split = Math.min(...this.splits.filter((at) => at !== null));
      this.replays = this.runs.map((run) => new Replay(task, run));
      const boxes = this.replays.map((replay) => replay.box);
      const box = {
        left: Math.min(...boxes.map((each) => each.left)), right: Math.max(...boxes.map((each) => each.right)),
        low: Math.min(...boxes.map((each) => each.low)), high: Math.max(...boxes.map((each) => each.high)),
      };
      this.boards.forEach((board, i) => board.show(task, this.replays[i], box));
      this.kept = null;
      this.total = Math.max(...this.runs.map((run) => run.seen.length));
      $("scrub").max = this.total;
      const share = Number.isFinite(this.split) ? (100 * this.split) / this.total : 100;
      $("scrub").style.setProperty("--until", `${share}%`);
      $("jump").disabled = !Number.isFinite(this.split);
      this.verdict();
      this.seek(step);
    }

    // The result in one sentence.
    verdict() {
      const { layout, symbols } = this.task, [fails, broken] = this.splits.map((at) => at !== null);
      const signs = layout.parts.filter((part) => symbols.includes(part));
      const equation = this.operands.length === 2 && RESULTS[signs[0]]; // 578 → 579, but 58 + 67 = 125
      const problem = `${this.operands.map(short).join(` ${signs[0]} `)} ${equation ? "=" : "→"} ${short(this.taught.answer ?? "?")}.`;
      const all = this.taught.seen.length.toLocaleString("en");
      const failed = (i) => `first mistake at step ${this.splits[i].toLocaleString("en")} of ${all}: ${this.ending(i)}`;
      const about = fails ? `The network makes its ${failed(0)}.` : `The network acts like its teacher at all ${all} steps`;
      const rest = broken ? `The machine, with your rule, makes its ${failed(1)}.`
        : fails ? "The machine acts like the teacher to the end." : "and so does the machine.";
      this.say(`${problem} ${about}${!fails && broken ? "." : ""} ${rest}`, fails || broken ? "mixed" : "good");
    }

    // What became of a rollout that did not act like the teacher.
    ending(number) {
      const { task, taught } = this, run = this.runs[number], right = taught.answer;
      const what = RESULTS[task.layout.parts[1]] ?? "answer", steps = `${run.seen.length.toLocaleString("en")} steps`;
      if (run.outcome === "halted" && run.answer === right) return `it still left the right ${what}`;
      if (run.outcome === "halted" && run.answer === null) return `it stopped, but what it left is no ${what}`;
      if (run.outcome === "halted") return `it left ${run.answer === "" ? "nothing" : short(run.answer)}`;
      if (run.outcome === "stuck") return `it got stuck after ${steps}`;
      const replay = new Replay(task, run);
      replay.seek(taught.seen.length); // when the teacher has stopped
      if (right !== null && live.answer(task, replay.grid) === right) return `it wrote the right ${what} but did not stop`;
      return `it had not stopped after ${steps}`;
    }

    say(text, kind) {
      this.$("verdict").textContent = text;
      this.$("verdict").className = `live-verdict ${kind}`;
    }

    seek(wanted) {
      this.step = Math.max(0, Math.min(wanted, this.total));
      this.replays.forEach((replay) => replay.seek(this.step));
      this.$("scrub").value = this.step;
      this.$("step").textContent = `${this.step.toLocaleString("en")} / ${this.total.toLocaleString("en")}`;
      this.$("back").disabled = this.step === 0;
      this.$("forth").disabled = this.step === this.total;
      const apart = this.step > this.split;
      this.boards.forEach((board, i) => {
        board.render(apart ? this.replays[1 - i].grid : null);
        const wrong = this.splits[i] !== null && this.step >= this.splits[i];
        board.root.classList.toggle("failed", wrong);
        board.part("act").textContent = this.sentence(i, wrong);
      });
      drawHidden(this.$("hidden"), this.hidden(this.replays[0].step));
      this.lightUp();
      clearTimeout(this.later);
      this.later = setTimeout(() => this.write(), 200); // browsers refuse more than a few addresses a second
    }

    sentence(number, wrong) {
      const { symbols } = this.task, run = this.runs[number], at = this.replays[number].step;
      const act = (of) => `writes ${symbols[of.written[at]]} ${ARROWS[of.moves[at]]}`;
      if (at >= run.seen.length) {
        const left = run.answer === null ? "but left no answer" : `and left ${short(run.answer || "nothing")}`;
        const stuck = `Stuck: ${number ? "there is no rule" : "no single action scores highest"}`;
        const end = { halted: `Stopped ${left}`, stuck, "step limit": "Cut off here: it did not stop" }[run.outcome];
        return `${wrong ? "✗" : "✓"} ${end}.`;
      }
      const state = run.states[at], first = wrong && at === this.splits[number];
      const where = state === undefined ? "" : `state ${this.task.learner.states[state]} · `;
      const right = !first ? "" : at < this.taught.seen.length ? `; the teacher ${act(this.taught)}` : "; the teacher has stopped";
      return `${wrong ? "✗ " : ""}${where}sees ${symbols[run.seen[at]]}, ${act(run)}${right}`;
    }

    // h before a step, from the nearest one that was kept.
    hidden(step) {
      const run = this.runs[0], network = this.network;
      if (!this.kept) {
        network.begin();
        this.kept = run.seen.map((seen, i) => {
          const copy = i % EVERY === 0 ? [Float32Array.from(network.h), network.steps] : null;
          network.act(seen);
          return copy;
        });
      }
      const from = Math.floor(Math.min(step, run.seen.length - 1) / EVERY) * EVERY;
      if (from < 0) return network.h0;
      [network.h, network.steps] = [Float32Array.from(this.kept[from][0]), this.kept[from][1]];
      for (let i = from; i < step; i++) network.act(run.seen[i]);
      return network.h;
    }

    // Shows a new problem up to its first mistake, or to its end: at once where motion is not welcome.
    show() {
      if (!still.matches) this.play();
      else if (Number.isFinite(this.split)) this.seek(this.split);
    }

    // Plays to the first mistake and stops there; from there, to the end.
    play() {
      if (this.step === this.total) this.seek(0);
      const goal = this.step < this.split ? Math.min(this.split, this.total) : this.total;
      const speed = Math.max(10, (goal - this.step) / PLAYED), begun = (this.playing = {}); // its own, if played again
      this.showPlay();
      let last = performance.now(), owed = 0;
      const tick = (now) => {
        if (this.playing !== begun) return;
        owed += ((now - last) / 1000) * speed;
        last = now;
        if (owed >= 1) {
          this.seek(Math.min(goal, this.step + Math.floor(owed)));
          owed -= Math.floor(owed);
        }
        if (this.step >= goal) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }

    pause() {
      this.playing = null;
      this.showPlay();
    }

    showPlay() {
      this.$("play").textContent = this.playing ? "❚❚ Pause" : "▶ Play";
    }

    resize() {
      if (!this.replays) return;
      this.boards.forEach((board) => board.layout());
      this.seek(this.step);
    }
  }

  // Text in which *a* is a variable.
  function italic(text) {
    return text.split(/\*(\w)\*/).map((part, i) => (i % 2 ? element("i", "", part) : part));
  }

  function short(text) {
    return text.length <= 26 ? text : `${text.slice(0, 8)}…${text.slice(-6)} (${text.length} symbols)`;
  }

  Object.assign(Page.prototype, live.workshop);
  Object.assign(live, { Page });

  const root = document.getElementById("live");
  if (root) {
    const page = (live.page = new Page(root));
    page.fromAddress().then((named) => {
      root.classList.add("ready");
      if (named) root.scrollIntoView();
      else if (!still.matches) page.play();
    });
  }
})();
