// The figures of the article: each finds its place by data-figure, and works without being touched.

// What becomes of sums that a network does unlike its teacher.
const ENDINGS = { endless: "were written right but did not stop", unfinished: "were not right and did not stop",
  wrong: "stopped wrong", stuck: "got stuck", right: "stopped right by other steps" };

// Of each: a row for its controls, a place to draw on, and a line of text that is read aloud when it changes.
const figures = {
  // The reader's own numbers, as an observer sees them.
  async trace({ row, place, said }) {
    const task = await loadTask("add10"), names = { sees: "seen", writes: "written", moves: "moves", state: "states" };
    const texts = { moves: ARROWS, states: task.teacher.states };
    place.className = "fig-scroll";
    const inputs = ["58", "67"].map((value, i) => textInput(value, `number ${i + 1}`, 12, show));
    for (const input of inputs) input.inputMode = "numeric";
    row.append(inputs[0], " + ", inputs[1]);
    function show() {
      let run;
      try {
        run = rollOut(task, new Machine(task.teacher), inputs.map((input) => input.value.trim()), 5000);
      } catch (error) {
        said.textContent = error.message;
        return;
      }
      place.replaceChildren(element("table", "", "", ...Object.entries(names).map(([name, key]) => {
        const cells = run[key].slice(0, 60).map((value) => element("td", "", (texts[key] ?? task.symbols)[value]));
        return element("tr", name === "state" ? "hidden-row" : "", element("th", "", name), ...cells);
      })));
      said.textContent = `${run.seen.length} steps, leaving ${run.answer} on the grid. ` +
        "The last line is never recorded.";
    }
    show();
  },

  // Guess, then see: up to how many digits does a network that saw three act like its teacher?
  async guess({ root, row, place, said }) {
    const task = await loadTask("add10"), learned = await loadNetwork("add10", "raw");
    const guess = slider(row, "My guess:", 3, 40, 3);
    let shown = false;
    const reveal = async () => {
      shown = true;
      place.replaceChildren();
      const { dot, note } = chart(place, { x: [0, 31], y: [0, 9], height: 200, label: "Endings of sums, by digits" });
      const astray = [];
      for (let length = 1; length <= 30; length++) {
        for (let i = 1; i <= 8; i++) {
          const end = randomSum(task, learned, length);
          dot([length, i], end === null ? "good" : end === "endless" ? end : "bad");
          if (end !== null) astray.push({ length, end });
        }
        await nextFrame();
      }
      note([3.5, 8.9], "← training");
      const count = (key) => astray.filter(({ end }) => end === key).length;
      const ended = Object.keys(ENDINGS).map((key) => `${count(key)} ${ENDINGS[key]}`);
      said.textContent = !astray.length ? "The network did each of these 240 sums as its teacher does; try again."
        : `You guessed ${guess.input.value}. The shortest sum that the network does otherwise than its teacher has ` +
          `${astray[0].length} digits. Of ${astray.length} such sums, ${ended.join(", ")}. ` +
          "(● as the teacher at every step, ○ right but endless, × anything else; 8 random sums for each length.)";
    };
    row.append(button("Show", reveal));
    said.textContent = "Guess first; the answer comes when you press the button or read on.";
    whenSeen(root.nextElementSibling ?? root, 0, () => shown || reveal()); // who only scrolls sees it, too
  },

  // Gradient descent in the page; a recorded run until it begins.
  async training({ root, row, place, said }) {
    const task = await loadTask("add2");
    await load("training.js");
    const { training } = live, { traces, recorded, iterations } = training;
    const total = traces.reduce((sum, [seen]) => sum + seen.length, 0);
    const power = (loss) => Math.max(Math.log10(loss), -6);
    let current = 0;
    said.removeAttribute("role"); // it changes with every frame
    const fresh = () => {
      place.replaceChildren();
      const drawing = chart(place, {
        x: [0, iterations / 100], y: [-6, 0.3], label: "Loss against hundreds of iterations",
        lines: [[0, "1"], [-2, "1e-2"], [-4, "1e-4"], [-6, "1e-6"]],
      });
      drawing.note([iterations / 400, 0.15], "loss, by hundreds of iterations; grey: a recorded run");
      drawing.line(recorded.map(([iteration, loss]) => [iteration / 100, power(loss)]), "line recorded");
      return drawing;
    };
    // up to how many digits the network acts like its teacher, in eight random sums of each length
    const lengths = Array.from({ length: 8 * 40 }, (_, i) => 1 + Math.floor(i / 8));
    const reach = (learned) => (lengths.find((length) => randomSum(task, learned, length) !== null) ?? 41) - 1;
    const train = async () => {
      const mine = (current += 1), trainer = new Trainer(training, mine), drawing = fresh(), points = [];
      const begun = performance.now();
      let sum = 0;
      while (trainer.iteration < iterations) {
        for (const until = performance.now() + 12; performance.now() < until && trainer.iteration < iterations;) {
          sum += trainer.step();
          if (trainer.iteration % 50) continue;
          points.push([trainer.iteration / 100, power(sum / 50)]);
          drawing.line(points.slice(-2), "line");
          sum = 0;
        }
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        said.textContent = `Iteration ${number(trainer.iteration)}, ${seconds} s: ` +
          `${trainer.wrong()} of the ${number(total)} recorded steps would be wrong.`;
        await nextFrame();
        if (mine !== current) return; // it was begun again
      }
      said.textContent += ` Alone on the grid, every step is right up to ${reach(trainer.network())} digits ` +
        "(eight random sums of each length).";
    };
    row.append(button("Train it here", train));
    fresh();
    said.textContent = `The loss of a recorded run, ${number(iterations)} iterations of eight traces each. ` +
      "Your browser can do the same.";
    if (!still.matches) whenSeen(root, 0.6, () => current || train());
  },

  // Eigenvalues of the matrix that a walk applies again and again.
  async eigenvalues({ row, place, said }) {
    await load("eigenvalues.js");
    place.className = "fig-two";
    const steady = (size) => Math.abs(size - 1) < 0.001;
    const draw = (kind) => {
      const symbol = select.value, cells = Number(count.input.value);
      const points = live.eigenvalues[kind][symbol], sizes = points.map(([re, im]) => Math.hypot(re, im));
      const label = `${points.length} eigenvalues, ${KINDS[kind]}`, box = element("div");
      const svg = drawn("svg", { viewBox: "-1.7 -1.3 3.4 2.7", role: "img", "aria-label": label }, box);
      drawn("circle", { r: 1, class: "unit" }, svg);
      points.forEach(([re, im], i) => {
        const grown = Math.min(Math.max(sizes[i] ** cells, 1), 1e6); // a part of h in this direction, by now
        const r = Math.min(0.05 * (1 + Math.log10(grown)), 0.25);
        drawn("circle", { cx: re, cy: -im, r, class: steady(sizes[i]) ? "near" : sizes[i] > 1 ? "bad" : "good" }, svg);
      });
      drawn("text", { x: 0, y: 1.28, class: "caption" }, svg, KINDS[kind]);
      place.append(box);
      const factor = Math.max(...sizes) ** cells;
      return `${KINDS[kind]}, ${sizes.filter(steady).length} of ${sizes.length} eigenvalues have size 1, ` +
        `and ${cells} cells stretch the longest by ${factor < 1000 ? factor.toFixed(2) : factor.toExponential(0)}`;
    };
    const show = () => {
      place.replaceChildren();
      said.textContent = `A[${select.value}] of add2: ${Object.keys(KINDS).map(draw).join("; ")}. ` +
        "(Green: size 1. Red: larger, drawn as large as it has grown.)";
    };
    const select = choice(row, "Walking over", [["blanks _", "_"], ["0", "0"], ["1", "1"]], show);
    const count = slider(row, "for that number of cells:", 1, 1000, 300, show);
    show();
  },

  // The smallest margin of the teacher's action along 1…1 + 1…1, by length.
  async drift({ place, said }) {
    const task = await loadTask("add2"), fails = [];
    const { line, note, dot } = chart(place, {
      x: [1, 45], y: [-0.6, 1.05], label: "Smallest margin of the teacher's action against length",
      lines: [[1, "1"], [0.5, "0.5"], [0, "0"], [-0.5, "-0.5"]],
    });
    for (const kind of Object.keys(KINDS)) {
      const learned = await loadNetwork("add2", kind), { d, k, scores } = learned;
      const points = Array.from({ length: 45 }, (_, i) => {
        const run = rollOut(task, new Machine(task.teacher), ["1".repeat(i + 1), "1".repeat(i + 1)], 1e5);
        let least = 1;
        learned.begin();
        for (let t = 0; t < run.seen.length && least > 0; t++) {
          learned.act(run.seen[t]);
          least = Math.min(least, margin(scores, d, k, run.written[t]), margin(scores, d + k, 5, run.moves[t]));
        }
        return [i + 1, Math.max(least, -0.6)];
      });
      line(points, `line ${kind}`);
      points.forEach((point) => dot(point, `${kind} ${point[1] < 0 ? "bad" : "good"}`));
      note([32, points[30][1] + 0.09], KINDS[kind], `tick ${kind}`);
      const first = points.find(([, least]) => least < 0);
      fails.push(first ? `The network ${KINDS[kind]} fails from ${first[0]} digits on`
        : `the ${KINDS[kind]} one does not fail here`);
    }
    said.textContent = `Below 0 the network chooses another action. ${fails.join("; ")}.`;
  },

  // Two moments of one rollout: can their hidden vectors change places?
  async swap({ row, place, said }) {
    place.remove();
    const task = await loadTask("add2"), learned = await loadNetwork("add2", "raw"), { states } = task.learner;
    const run = rollOut(task, new Machine(task.learner), ["101", "11"], 1000), total = run.seen.length;
    learned.begin();
    const kept = run.seen.map((seen) => {
      const before = learned.get();
      learned.act(seen);
      return before;
    });
    // after how many steps the future of one moment goes wrong with the vector of another, or null
    const survives = (from, along) => {
      learned.set(kept[from]);
      for (let i = along; i < total; i++) {
        const act = learned.act(run.seen[i]);
        if (!act || act[0] !== run.written[i] || act[1] !== run.moves[i]) return i - along;
      }
      return null;
    };
    const both = (u, v) => survives(u, v) === null && survives(v, u) === null;
    let one, two;
    const show = () => {
      const [u, v] = [Number(one.input.value), Number(two.input.value)], same = both(u, v);
      const apart = distance(kept[u][0], kept[v][0]);
      const failing = (a, b) => {
        const after = survives(a, b), steps = `${after} ${after === 1 ? "step" : "steps"}`;
        if (after === null) return "";
        return ` With the vector of moment ${a}, the future of moment ${b} goes wrong after ${steps}.`;
      };
      said.textContent = `${same ? "✓ Interchangeable: one state" : "✗ Not interchangeable: two states"} ` +
        `(the machine has ${states[run.states[u]]} and ${states[run.states[v]]}).${failing(u, v)}${failing(v, u)} ` +
        `The vectors are ${apart.toFixed(apart < 0.1 ? 4 : 2)} of their length apart.`;
      said.className = `fig-said ${same ? "good" : "bad"}`;
    };
    one = slider(row, "moment", 0, total - 1, 2, show);
    two = slider(row, "and moment", 0, total - 1, 3, show);
    const pairs = kept.flatMap((_, u) => kept.slice(0, u).map((_, v) => [u, v, distance(kept[u][0], kept[v][0])]))
      .sort((first, second) => first[2] - second[2]);
    const alike = pairs.findLast(([u, v]) => run.states[u] === run.states[v] && both(u, v));
    const unlike = pairs.find(([u, v]) => run.states[u] !== run.states[v] && !both(u, v));
    const go = ([u, v]) => {
      [one.input.value, two.input.value] = [u, v];
      one.update();
      two.update();
    };
    row.append(button("One state, far apart", () => go(alike)), button("Two states, close", () => go(unlike)));
    go(alike);
  },

  // The shapes of a whole certificate, step by step until nothing new appears.
  async shapes({ row, place, said }) {
    const given = parse(await loadCertificate("increment")), list = element("ol", "fig-shapes");
    const [symbols, columns, halves, members, starts, steps] =
      ["symbols", "columns", "halves", "members", "starts", "steps"].map((name) => given.get(name));
    place.className = "";
    place.append(list);
    const sets = given.get("sets").map((set) => (set.length > 1 ? "digit" : symbols[set[0]].replace("_", "blank")));
    const column = (at) => sets[columns[at][0]];
    const half = (at) => halves[at].map(([c, many]) => `${column(c)}${many ? "⁺" : ""}`);
    const text = ([teacher, learner, , left, under, right]) => {
      const states = [given.get("teacher").get("states")[teacher], given.get("learner").get("states")[learner]];
      return `${[...half(left).reverse(), `[${column(under)}]`, ...half(right)].join(" ")}  · ${states.join(", ")}`;
    };
    const layers = [[...starts]], seen = new Set(starts);
    while (layers.at(-1).length) {
      layers.push([...new Set(layers.at(-1).flatMap((at) => steps[at]))].filter((at) => !seen.has(at)));
      layers.at(-1).forEach((at) => seen.add(at));
    }
    const show = (shown) => {
      const open = shown < layers.length, known = layers.slice(0, shown);
      list.replaceChildren(...known.flatMap((layer, i) => layer.map((at) =>
        element("li", open && i === shown - 1 ? "new" : "", text(members[at])))));
      said.textContent = open
        ? `After ${shown - 1} steps: ${known.flat().length} shapes, ${layers[shown].length} new ones follow.`
        : `${known.flat().length} shapes, and every step from each of them leads to one of them: the list is closed.`;
    };
    let shown = layers.length;
    row.append(button("From the start", () => show((shown = 1))));
    row.append(button("One step", () => show((shown = Math.min(shown + 1, layers.length)))));
    show(shown);
  },

  // The checker, in the page.
  async check({ row, place, said }) {
    place.remove();
    const tasks = ["add10", "add2", "mult2", "mult10", "reverse", "gcd"];
    const select = choice(row, "certificate of", tasks.map((name) => [name, name]));
    row.append(button("Check it here", async () => {
      said.textContent = "Checking …";
      const { scope, members, seconds } = await check(select.value);
      said.className = "fig-said good";
      said.textContent = `✓ Verified in ${seconds} s: ${scope}, of every length, the learner acts ` +
        `like the teacher. ${number(members)} shapes, every step from each.`;
    }));
  },
};

// What became of a random sum of so many digits; null if every step was the teacher's.
function randomSum(task, learned, length) {
  const { digit } = task.classes, draw = () => digit[Math.floor(Math.random() * digit.length)];
  const operands = [0, 0].map(() => Array.from({ length }, draw).join(""));
  const taught = rollOut(task, new Machine(task.teacher), operands, 1e5);
  const run = rollOut(task, learned, operands, patience(taught));
  return difference(run, taught) === null ? null : ending(task, run, taught);
}

// How far two vectors are apart, as a part of the length of the first.
function distance(one, other) {
  return Math.hypot(...one.map((value, i) => value - other[i])) / Math.hypot(...one);
}

function margin(scores, first, count, wanted) {
  const all = [...scores.subarray(first, first + count)], others = all.filter((_, i) => i !== wanted);
  return (all[wanted] - Math.max(...others)) / Math.max(...all.map(Math.abs));
}

Object.assign(live, { Trainer, load });
Promise.all([...document.querySelectorAll("[data-figure]")].map((root) => {
  const row = element("div", "fig-row"), place = element("div", "fig-chart"), said = element("p", "fig-said");
  said.setAttribute("role", "status");
  root.append(row, place, said);
  return figures[root.dataset.figure]({ root, row, place, said }).catch((error) => (said.textContent = error.message));
})).then(() => document.body.classList.add("figures-ready"));
