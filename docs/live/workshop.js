// The workshop below the two grids: the machine's states and rules, what a changed rule breaks, and the proof.

function say(name, text, kind) {
  $(name).textContent = text;
  $(name).className = `live-${name} ${kind}`;
}

// Whether numbers from an address are a rule that this machine may have.
function fits(task, [state, seen, next, written, move, ...more]) {
  const below = (value, count) => Number.isInteger(value) && value >= 0 && value < count;
  const states = task.learner.states.length, symbols = task.symbols.length;
  const right = below(state, states) && below(seen, symbols) && below(written, symbols) && below(move, 5);
  return right && !more.length && task.learner.table[state][seen] !== null
    && (move === STAY ? next === -1 : below(next, states));
}

class Workshop {
  constructor(page) {
    this.page = page;
    this.ring = new StateRing($("ring"), (state) => this.choose(state));
    $("check").addEventListener("click", () => this.check());
    $("undo").addEventListener("click", () => page.open({ ...page.state(), edits: [] }));
    $("state").addEventListener("change", () => this.choose($("state").value === "" ? null : Number($("state").value)));
  }

  // A task has been opened, or a rule has changed.
  open() {
    const { states } = this.page.task.learner, { table } = this.page.machine;
    this.chosen = this.shown = null; // whose rules are wanted, or null for the present state; whose are on the page
    this.ring.show(states, table.flatMap((row, state) => row.filter(Boolean).map(([next]) => [state, next])));
    $("state").replaceChildren(new Option("the current one", ""), ...states.map((name, i) => new Option(name, i)));
    say("proof", "", "");
  }

  light() {
    const [, track] = this.page.tracks, { step } = track, state = track.stateAt(step);
    this.ring.light(state, track.stateAt(step + 1));
    const wanted = this.chosen ?? state, seen = this.chosen === null ? track.seen[step] : null;
    if (this.shown !== wanted) this.rules(wanted);
    for (const row of $("rules").rows) row.classList.toggle("now", Number(row.dataset.seen) === seen);
  }

  choose(state) {
    this.chosen = state;
    $("state").value = state ?? "";
    this.light();
  }

  // The rules of one state, each of which can be changed.
  rules(state) {
    const { task, edits, machine } = this.page, numbered = (names) => names.map((name, i) => [name, i]);
    this.shown = state;
    $("rules-name").textContent = task.learner.states[state] ?? "halt";
    $("rules").replaceChildren(...task.symbols.map((symbol, seen) => { // all of them: the table keeps its height
      const row = element("tr"), rule = machine.table[state]?.[seen];
      row.dataset.seen = seen;
      if (!rule) {
        row.append(element("td", "live-none", symbol), element("td", "live-none", "no rule"));
        row.lastChild.colSpan = 3;
        return row;
      }
      row.classList.toggle("edited", edits.some((edit) => edit[0] === state && edit[1] === seen));
      const choice = (options, place, label) => {
        const select = element("select", "", "", ...options.map(([name, value]) => new Option(name, value)));
        select.value = rule[place];
        select.setAttribute("aria-label", `seeing ${symbol}: ${label}`);
        select.addEventListener("change", () => this.edit(state, seen, rule, place, Number(select.value)));
        return element("td", "", select);
      };
      row.append(
        element("td", "", symbol), choice(numbered(task.symbols), 1, "writes"),
        choice([..."UDLRS"].map((name, i) => [`${ARROWS[i]} ${name}`, i]), 2, "moves"),
        choice([...numbered(task.learner.states), ["halt", -1]], 0, "next state"));
      return row;
    }));
  }

  edit(state, seen, rule, place, value) {
    const { page } = this, changed = [...rule], chosen = this.chosen ?? state;
    changed[place] = value;
    if (place === 0 && (value < 0) !== (changed[2] === STAY)) changed[2] = value < 0 ? STAY : 3; // to halt is to stay
    if (place === 2 && (value === STAY) !== (changed[0] < 0)) changed[0] = value === STAY ? -1 : state;
    const kept = page.edits.filter((edit) => edit[0] !== state || edit[1] !== seen);
    const same = String(page.task.learner.table[state][seen]) === String(changed);
    const edits = same ? kept : [...kept, [state, seen, ...changed]];
    page.open({ ...page.state(), edits }).then(() => this.choose(chosen));
  }

  // What a changed rule breaks: the shortest problem that shows it.
  judge() {
    const { page } = this, { edits, task } = page;
    $("undo").hidden = !edits.length;
    $("breaks").textContent = "";
    if (!edits.length) return;
    const found = counterexample(task, page.machine, page.teacher);
    $("breaks").textContent = "None of the 12,000 shortest problems shows a difference.";
    if (!found) return;
    const problem = found.operands.join(` ${task.layout.parts.find((part) => task.symbols.includes(part)) ?? ""} `);
    $("breaks").textContent = `The shortest problem that your rule breaks: ${problem}, at step ${found.step}. `;
    $("breaks").append(button("Show it", () => {
      page.open({ ...page.state(), ...found });
      page.root.scrollIntoView({ behavior: still.matches ? "auto" : "smooth" });
    }));
  }

  // The checker itself, in this page, on the file that dfst ships; with changed rules on the changed machine.
  async check() {
    const { task, edits, machine } = this.page;
    say("proof", "Checking …", "");
    try {
      const { scope, members, seconds, teacher_never_stuck: never } = await check(task.name, machine.table);
      say("proof", `✓ Verified here, in ${seconds} s: ${scope}, of every length, this machine acts like its ` +
        `teacher. ${number(members)} abstract configurations, and every step from each.` +
        (never ? " The teacher is never stuck." : ""), "good");
    } catch (error) {
      const edited = edits.length ? " Your rule is not what the certificate proves." : "";
      say("proof", error instanceof Rejected ? `✗ Rejected: ${error.message}.${edited}`
        : `The certificate could not be checked: ${error.message}`, "bad");
    }
  }
}
