// The workshop below the two grids: the machine's states and rules, what a changed rule breaks, and the proof.

(() => {
  const live = globalThis.dfstLive; // board.js comes first
  const { ARROWS, MOVES, Rejected, element } = live;
  const FOLDER = new URL("data/", document.currentScript.src).href;

  // Loads a script of data by a tag, so that it works from a folder, too.
  const loading = new Map();
  function load(path) {
    if (!loading.has(path)) {
      loading.set(path, new Promise((done, fail) => {
        const script = element("script");
        script.src = FOLDER + path;
        script.onload = done;
        script.onerror = () => fail(new Error(`${path} cannot be loaded.`));
        document.head.append(script);
      }));
    }
    return loading.get(path);
  }

  async function certificateBytes(name) {
    await load(`certificates/${name}.js`);
    const packed = Uint8Array.from(atob(live.certificates[name]), (unit) => unit.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Whether numbers from an address are a rule that this machine may have.
  function fits(task, [state, seen, next, written, move, ...more]) {
    const below = (number, count) => Number.isInteger(number) && number >= 0 && number < count;
    const states = task.learner.states.length, symbols = task.symbols.length;
    const right = below(state, states) && below(seen, symbols) && below(written, symbols) && below(move, 5);
    return right && !more.length && task.learner.table[state][seen] !== null
      && (move === 4 ? next === -1 : below(next, states));
  }

  // What the page can do besides showing two rollouts; `this` is the page.
  const workshop = {
    lightUp() {
      const run = this.runs[1], at = this.replays[1].step;
      const state = at < run.seen.length ? run.states[at] : run.last;
      const next = at + 1 < run.seen.length ? run.states[at + 1] : at < run.seen.length ? run.last : null;
      this.ring.light(state, next);
      const shown = this.chosen ?? state, seen = this.chosen === null && at < run.seen.length ? run.seen[at] : null;
      if (this.tableOf !== `${this.task.name}:${shown}:${this.edits.join(";")}`) this.rules(shown);
      for (const row of this.$("rules").rows) row.classList.toggle("now", Number(row.dataset.seen) === seen);
    },

    choose(state) {
      this.chosen = state;
      this.$("state").value = state ?? "";
      this.lightUp();
    },

    // The rules of one state, each of which can be changed.
    rules(state) {
      const { task, $ } = this, body = $("rules");
      this.tableOf = `${task.name}:${state}:${this.edits.join(";")}`;
      $("rules-name").textContent = state < 0 ? "halt" : task.learner.states[state];
      const options = [...task.learner.states.map((name, i) => [name, i]), ["halt", -1]];
      const choice = (entries, value, label, changed) => {
        const select = element("select");
        select.append(...entries.map(([name, number]) => new Option(name, number)));
        select.value = value;
        select.setAttribute("aria-label", label);
        select.addEventListener("change", () => changed(Number(select.value)));
        return select;
      };
      const rows = task.symbols.map((symbol, seen) => { // all of them, so that the table keeps its height
        const row = element("tr"), rule = this.table[state]?.[seen];
        row.dataset.seen = seen;
        if (!rule) {
          row.append(element("td", "live-none", symbol), Object.assign(element("td", "live-none", "no rule"), { colSpan: 3 }));
          return row;
        }
        row.classList.toggle("edited", this.edits.some((edit) => edit[0] === state && edit[1] === seen));
        const change = (place) => (value) => this.edit(state, seen, rule, place, value);
        const cells = [
          element("span", "", symbol),
          choice(task.symbols.map((name, i) => [name, i]), rule[1], `seeing ${symbol}: writes`, change(1)),
          choice(MOVES.map((name, i) => [`${ARROWS[i]} ${name}`, i]), rule[2], `seeing ${symbol}: moves`, change(2)),
          choice(options, rule[0], `seeing ${symbol}: next state`, change(0)),
        ];
        row.append(...cells.map((cell) => {
          const td = element("td");
          td.append(cell);
          return td;
        }));
        return row;
      });
      body.replaceChildren(...rows);
    },

    edit(state, seen, rule, place, value) {
      const changed = [...rule];
      changed[place] = value;
      if (place === 0 && (value < 0) !== (changed[2] === 4)) changed[2] = value < 0 ? 4 : 3; // to halt is to stay
      if (place === 2 && (value === 4) !== (changed[0] < 0)) changed[0] = value === 4 ? -1 : state;
      const kept = this.edits.filter((edit) => edit[0] !== state || edit[1] !== seen);
      const same = String(this.task.learner.table[state][seen]) === String(changed);
      const chosen = this.chosen ?? state;
      this.open({ ...this.state(), edits: same ? kept : [...kept, [state, seen, ...changed]] }).then(() => this.choose(chosen));
    },

    // What a changed rule breaks: the shortest problem that shows it.
    judge() {
      const { $, edits, task } = this, box = $("breaks");
      $("undo").hidden = !edits.length;
      box.replaceChildren();
      if (!edits.length) return;
      const found = live.counterexample(task, this.machine, this.teacher);
      if (!found) {
        box.textContent = "None of the 12,000 shortest problems shows a difference.";
        return;
      }
      const problem = found.operands.join(` ${task.layout.parts.find((part) => task.symbols.includes(part)) ?? ""} `);
      box.append(`The shortest problem that your rule breaks: ${problem}, at step ${found.step}. `);
      const show = element("button", "", "Show it");
      show.type = "button";
      show.addEventListener("click", () => {
        this.open({ ...this.state(), operands: found.operands, step: found.step });
        this.root.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
      });
      box.append(show);
    },

    // The checker itself, in this page, on the file that dfst ships; with changed rules on the changed machine.
    async check() {
      const { $, task, edits } = this, say = (text, kind) => {
        $("proof").textContent = text;
        $("proof").className = `live-proof ${kind}`;
      };
      say("Checking …", "");
      try {
        const bytes = await certificateBytes(task.name);
        await new Promise((done) => setTimeout(done, 30)); // so that the line above is seen
        const begin = performance.now(), given = live.parse(bytes);
        given.get("learner").set("table", this.table);
        const report = live.verify(given), taken = ((performance.now() - begin) / 1000).toFixed(1);
        const halting = report.teacher_never_stuck ? " The teacher is never stuck." : "";
        say(`✓ Verified here, in ${taken} s: ${report.scope}, of every length, this machine acts like its teacher. ` +
          `${report.members.toLocaleString("en")} abstract configurations, and every step from each.${halting}`, "good");
      } catch (error) {
        if (!(error instanceof Rejected)) say(`The certificate could not be checked: ${error.message}`, "bad");
        else say(`✗ Rejected: ${error.message}.${edits.length ? " Your rule is not what the certificate proves." : ""}`, "bad");
      }
    },
  };

  Object.assign(live, { certificateBytes, fits, load, workshop });
})();
