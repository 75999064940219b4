// The live page: a problem, the network and its machine side by side, the proof, and rules to change.

(() => {
  const live = globalThis.dfstLive;
  const { ARROWS, Board, Machine, Network, Replay, drawHidden, element, fits, load } = live;
  const MOST_STEPS = 400000, LONGEST = 400, EVERY = 64;
  const KINDS = { raw: "as trained", lasting: "trained to last" };
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
      on("length", "input", () => this.draw(Number($("length").value)));
      on("again", "click", () => this.draw(Number($("length").value)));
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
      this.floats = kinds.includes(floats) ? floats : kinds[0] ?? null;
      try {
        await load(`tasks/${name}.js`);
        if (this.floats) await load(`weights/${name}-${this.floats}.js`);
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
      this.network = this.floats ? new Network(live.unpack(live.weights[`${name}:${this.floats}`])) : null;
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
      $("floats").value = this.floats ?? "";
      $("floats-field").hidden = !kinds.length;
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
      $("length").max = { mult10: 24, mult2: 24 }[task.name] ?? (this.network ? 60 : 20);
      $("story").textContent = task.story;
      const names = task.learner.states.map((name, i) => new Option(name, i));
      $("state").replaceChildren(new Option("the current one", ""), ...names);
      $("network").querySelector("figcaption b").textContent = this.network ? "The network, in float32" : "The teacher";
      $("hidden").toggleAttribute("hidden", !this.network);
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
      this.runs = [this.network ?? this.teacher, this.machine].map((policy) => live.rollOut(task, policy, operands, limit));
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
      const [network, machine] = this.runs, who = this.network ? "network" : "teacher";
      const right = this.taught.answer, shown = (run) => (run.answer === null ? "no answer" : short(run.answer));
      const question = this.task.layout.parts.reduce(([text, i], part) =>
        this.task.symbols.includes(part) ? [`${text} ${part} `, i] : [`${text}${short(this.operands[i])}`, i + 1], ["", 0])[0];
      const problem = `${question.trim()} = ${short(right ?? "?")}.`;
      const fails = this.splits[0] !== null, broken = this.splits[1] !== null;
      const steps = (n) => n.toLocaleString("en");
      const about = fails
        ? `The network fails at step ${steps(this.splits[0])} of ${steps(this.taught.seen.length)} (${shown(network)}); `
        : `The ${who} is right at all ${steps(this.taught.seen.length)} steps; `;
      const rest = broken
        ? `the machine, with your rule, leaves its teacher at step ${steps(this.splits[1])} (${shown(machine)}).`
        : fails ? "the machine goes on and is right." : "so is the machine.";
      this.say(`${problem} ${about}${rest}`, fails || broken ? "mixed" : "good");
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
      if (this.network) drawHidden(this.$("hidden"), this.hidden(this.replays[0].step));
      this.lightUp();
      clearTimeout(this.later);
      this.later = setTimeout(() => this.write(), 200); // browsers refuse more than a few addresses a second
    }

    sentence(number, wrong) {
      const { symbols } = this.task, run = this.runs[number], at = this.replays[number].step;
      const act = (of) => `writes ${symbols[of.written[at]]} ${ARROWS[of.moves[at]]}`;
      if (at >= run.seen.length) {
        const end = { halted: "Halted", stuck: "Stuck: no clear winner", "step limit": "Stopped here" }[run.outcome];
        const text = run.outcome === "halted" ? ` with ${run.answer === null ? "no answer" : short(run.answer)}` : "";
        return `${wrong ? "✗ " : "✓ "}${end}${text}.`;
      }
      const state = run.states[at], first = wrong && at === this.splits[number];
      const where = state === undefined ? "" : `state ${this.names(number)[state]} · `;
      const right = !first ? "" : at < this.taught.seen.length ? `; right is: ${act(this.taught)}` : "; right is: halted";
      return `${wrong ? "✗ " : ""}${where}sees ${symbols[run.seen[at]]}, ${act(run)}${right}`;
    }

    names(number) {
      return number === 0 && !this.network ? this.task.teacher.states : this.task.learner.states;
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

    play() {
      if (this.step === this.total) this.seek(0);
      this.playing = true;
      this.showPlay();
      const speed = Math.max(10, this.total / 15); // a long rollout takes a quarter of a minute
      let last = performance.now(), owed = 0;
      const tick = (now) => {
        if (!this.playing) return;
        owed += ((now - last) / 1000) * speed;
        last = now;
        if (owed >= 1) {
          const stop = this.step < this.split && this.step + Math.floor(owed) >= this.split;
          this.seek(stop ? this.split : this.step + Math.floor(owed));
          owed -= Math.floor(owed);
          if (stop) owed = -0.8 * speed; // a moment to look at the step that is wrong
        }
        if (this.step >= this.total) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }

    pause() {
      this.playing = false;
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
