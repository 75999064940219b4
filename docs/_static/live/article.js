// The figures of the article: each finds its place by data-figure, and works without being touched.

(() => {
  const live = globalThis.dfstLive;
  const { ARROWS, Machine, Network, button, chart, choice, drawn, element, load, slider } = live;
  const KINDS = { raw: "as trained", lasting: "lasting" };

  const network = async (task, kind) => {
    await Promise.all([load(`tasks/${task}.js`), load(`weights/${task}-${kind}.js`)]);
    return new Network(live.unpack(live.weights[`${task}:${kind}`]));
  };
  const machine = ({ table, start }) => new Machine(table, start);

  const figures = {
    // The reader's own numbers, as an observer sees them.
    async trace(root) {
      await load("tasks/add10.js");
      const task = live.tasks.add10, row = element("div", "fig-row"), scroll = element("div", "fig-scroll"), said = element("p", "fig-said");
      const inputs = ["58", "67"].map((value, i) => {
        const input = element("input");
        Object.assign(input, { value, type: "text", inputMode: "numeric", maxLength: 12 });
        input.setAttribute("aria-label", `number ${i + 1}`);
        input.addEventListener("input", show);
        return input;
      });
      row.append(inputs[0], " + ", inputs[1]);
      root.append(row, scroll, said);
      function show() {
        let run;
        try {
          run = live.rollOut(task, machine(task.teacher), inputs.map((input) => input.value.trim()), 5000);
        } catch (error) {
          said.textContent = error.message;
          return;
        }
        const table = element("table"), names = { sees: "seen", writes: "written", moves: "moves", state: "states" };
        for (const [name, key] of Object.entries(names)) {
          const line = element("tr", name === "state" ? "hidden-row" : "");
          line.append(element("th", "", name));
          run[key].slice(0, 60).forEach((value) => line.append(element("td", "",
            key === "moves" ? ARROWS[value] : key === "states" ? task.teacher.states[value] : task.symbols[value])));
          table.append(line);
        }
        scroll.replaceChildren(table);
        said.textContent = `${run.seen.length} steps, leaving ${run.answer} on the grid. The last line is never recorded.`;
      }
      show();
    },

    // Guess, then see: up to how many digits is a network right that saw three?
    async guess(root) {
      const task = (await load("tasks/add10.js"), live.tasks.add10), taught = machine(task.teacher), learned = await network("add10", "raw");
      const row = element("div", "fig-row"), place = element("div", "fig-chart"), said = element("p", "fig-said");
      said.setAttribute("role", "status");
      root.append(row, place, said);
      const guess = slider(row, "My guess:", 3, 40, 3, () => {});
      const reveal = () => {
        said.dataset.shown = "yes";
        const { svg, dot, note } = chart(place, { x: [0, 31], y: [0, 9], height: 200, label: "Right or wrong, by number of digits", lines: [] });
        place.replaceChildren(svg);
        let shortest = null, length = 1;
        const one = () => {
          for (let i = 1; i <= 8; i++) {
            const wrong = randomSumIsWrong(task, taught, learned, length);
            if (wrong) shortest ??= length;
            dot([length, i], wrong ? "bad" : "good");
          }
          if (++length <= 30) return requestAnimationFrame(one);
          note([3.5, 8.9], "← training");
          said.textContent = shortest === null ? "None of these 240 sums was wrong; try again."
            : `You guessed ${guess.input.value}. The shortest wrong sum here has ${shortest} digits. (● right at every step, × wrong at some step; 8 random sums for each length.)`;
          return null;
        };
        one();
      };
      button(row, "Show", reveal);
      said.textContent = "Guess first; the answer comes when you press the button or read on.";
      new IntersectionObserver((seen, watcher) => { // who only scrolls sees it, too
        if (!seen.some((entry) => entry.isIntersecting) || said.dataset.shown) return;
        watcher.disconnect();
        reveal();
      }).observe(root.nextElementSibling ?? root);
    },

    // Gradient descent in the page; a recorded run until it begins.
    async training(root) {
      await Promise.all([load("tasks/add2.js"), load("training.js")]);
      const { training, tasks: { add2: task } } = live, taught = machine(task.teacher), { traces, recorded, iterations } = training;
      const row = element("div", "fig-row"), place = element("div", "fig-chart"), said = element("p", "fig-said");
      root.append(row, place, said);
      const total = traces.reduce((sum, [seen]) => sum + seen.length, 0), power = (loss) => Math.max(Math.log10(loss), -6);
      let current = 0, seed = 0;
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
      // up to how many digits eight random sums each are right at every step
      const reach = (learned) => {
        for (let length = 1; length <= 40; length++) {
          for (let i = 0; i < 8; i++) if (randomSumIsWrong(task, taught, learned, length)) return length - 1;
        }
        return 40;
      };
      const train = () => {
        const trainer = new live.Trainer(training, (seed += 1)), drawing = fresh(), mine = (current += 1), points = [];
        const begun = performance.now();
        let sum = 0;
        const on = () => {
          if (mine !== current) return;
          for (const until = performance.now() + 12; performance.now() < until && trainer.iteration < iterations;) {
            sum += trainer.step();
            if (trainer.iteration % 50) continue;
            points.push([trainer.iteration / 100, power(sum / 50)]);
            drawing.line(points.slice(-2), "line");
            sum = 0;
          }
          const wrong = trainer.wrong(), ended = trainer.iteration >= iterations;
          said.textContent = `Iteration ${trainer.iteration.toLocaleString("en")}, ${((performance.now() - begun) / 1000).toFixed(1)} s: ` +
            `${wrong} of the ${total.toLocaleString("en")} recorded steps would be wrong.`;
          if (!ended) requestAnimationFrame(on);
          else said.textContent += ` Alone on the grid, it is right up to ${reach(trainer.network())} digits (eight random sums of each length).`;
        };
        on();
      };
      button(row, "Train it here", train);
      fresh();
      said.textContent = `The loss of a recorded run, ${iterations.toLocaleString("en")} iterations of eight traces each. Your browser can do the same.`;
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      new IntersectionObserver((seen, watcher) => {
        if (!seen.some((entry) => entry.isIntersecting)) return;
        watcher.disconnect();
        if (!current) train();
      }, { threshold: 0.6 }).observe(root);
    },

    // Eigenvalues of the matrix that a walk applies again and again.
    async eigenvalues(root) {
      await load("eigenvalues.js");
      const row = element("div", "fig-row"), place = element("div", "fig-two"), said = element("p", "fig-said");
      root.append(row, place, said);
      let symbol = "_", cells = 300;
      const show = () => {
        place.replaceChildren();
        const parts = [];
        for (const kind of ["raw", "lasting"]) {
          const points = live.eigenvalues[kind][symbol], box = element("div");
          const sizes = points.map(([re, im]) => Math.hypot(re, im)).sort((one, other) => other - one);
          const steady = (size) => Math.abs(size - 1) < 0.001;
          const label = `${points.length} eigenvalues, ${KINDS[kind]}`;
          const svg = drawn("svg", { viewBox: "-1.7 -1.3 3.4 2.7", role: "img", "aria-label": label }, box);
          drawn("circle", { r: 1, class: "unit" }, svg);
          for (const [re, im] of points) {
            const size = Math.hypot(re, im);
            const grown = Math.min(Math.max(size ** cells, 1e-6), 1e6); // how large a part of h in this direction is now
            const radius = Math.min(0.05 * (1 + Math.log10(Math.max(grown, 1))), 0.25);
            drawn("circle", { cx: re, cy: -im, r: radius, class: steady(size) ? "near" : size > 1 ? "bad" : "good" }, svg);
          }
          drawn("text", { x: 0, y: 1.28, class: "caption" }, svg).textContent = KINDS[kind];
          const factor = sizes[0] ** cells;
          parts.push(`${KINDS[kind]}, ${sizes.filter(steady).length} of ${sizes.length} eigenvalues have size 1, ` +
            `and ${cells} cells stretch the longest by ${factor < 1000 ? factor.toFixed(2) : factor.toExponential(0)}`);
          place.append(box);
        }
        said.textContent = `A[${symbol}] of add2: ${parts.join("; ")}. (Green: size 1. Red: larger, drawn as large as it has grown.)`;
      };
      choice(row, "Walking over", [["blanks _", "_"], ["0", "0"], ["1", "1"]], (chosen) => {
        symbol = chosen;
        show();
      });
      slider(row, "for that number of cells:", 1, 1000, cells, (chosen) => {
        cells = chosen;
        show();
      });
      show();
    },

    // The smallest margin of the teacher's action along 1…1 + 1…1, by length.
    async drift(root) {
      const place = element("div"), said = element("p", "fig-said");
      root.append(place, said);
      const task = (await load("tasks/add2.js"), live.tasks.add2), taught = machine(task.teacher);
      const { line, note, dot } = chart(place, {
        x: [1, 45], y: [-0.6, 1.05], label: "Smallest margin of the teacher's action against length",
        lines: [[1, "1"], [0.5, "0.5"], [0, "0"], [-0.5, "-0.5"]],
      });
      const fails = {};
      for (const kind of ["raw", "lasting"]) {
        const learned = await network("add2", kind), points = [];
        for (let length = 1; length <= 45; length++) {
          const run = live.rollOut(task, taught, ["1".repeat(length), "1".repeat(length)], 1e5), { d, k, scores } = learned;
          let least = 1;
          learned.begin();
          for (let i = 0; i < run.seen.length && least > 0; i++) {
            const act = learned.act(run.seen[i]);
            least = Math.min(least, margin(scores, d, k, run.written[i]), margin(scores, d + k, 5, run.moves[i]));
            if (!act || act[0] !== run.written[i] || act[1] !== run.moves[i]) break;
          }
          points.push([length, Math.max(least, -0.6)]);
          if (least < 0) fails[kind] ??= length;
        }
        line(points, `line ${kind}`);
        points.forEach((point) => dot(point, `${kind} ${point[1] < 0 ? "bad" : "good"}`));
        note([46 - 14, points.at(-15)[1] + 0.09], KINDS[kind], `tick ${kind}`);
      }
      said.textContent = "Below 0 the network chooses another action. " +
        Object.entries(fails).map(([kind, length]) => `The network ${KINDS[kind]} fails from ${length} digits on`).join("; ") +
        (fails.lasting ? "." : "; the lasting one does not fail here.");
    },

    // Two moments of one rollout: can their hidden vectors change places?
    async swap(root) {
      const task = (await load("tasks/add2.js"), live.tasks.add2), learned = await network("add2", "raw");
      const run = live.rollOut(task, machine(task.learner), ["101", "11"], 1000), total = run.seen.length;
      const row = element("div", "fig-row"), said = element("p", "fig-said");
      said.setAttribute("role", "status");
      const kept = [];
      learned.begin();
      for (const seen of run.seen) {
        kept.push([Float32Array.from(learned.h), learned.steps]);
        learned.act(seen);
      }
      const survives = (from, along) => {
        [learned.h, learned.steps] = [Float32Array.from(kept[from][0]), kept[from][1]];
        for (let i = along; i < total; i++) {
          const act = learned.act(run.seen[i]);
          if (!act || act[0] !== run.written[i] || act[1] !== run.moves[i]) return i - along;
        }
        return null;
      };
      root.append(row, said);
      let one, two;
      const show = () => {
        const [u, v] = [Number(one.input.value), Number(two.input.value)];
        const tests = [survives(u, v), survives(v, u)], apart = distance(kept[u][0], kept[v][0]);
        const same = tests.every((test) => test === null);
        const failing = (test, a, b) => (test === null ? "" : ` With the vector of moment ${a}, the future of moment ${b} goes wrong after ${test} ${test === 1 ? "step" : "steps"}.`);
        said.textContent = `${same ? "✓ Interchangeable: one state" : "✗ Not interchangeable: two states"} (the machine has ${task.learner.states[run.states[u]]} and ${task.learner.states[run.states[v]]}).` +
          `${failing(tests[0], u, v)}${failing(tests[1], v, u)} The vectors are ${apart.toFixed(apart < 0.1 ? 4 : 2)} of their length apart.`;
        said.className = `fig-said ${same ? "good" : "bad"}`;
      };
      one = slider(row, "moment", 0, total - 1, 2, show);
      two = slider(row, "and moment", 0, total - 1, 3, show);
      const pairs = kept.flatMap((_, u) => kept.slice(0, u).map((_, v) => [u, v, distance(kept[u][0], kept[v][0])]));
      const both = (u, v) => survives(u, v) === null && survives(v, u) === null;
      const alike = pairs.filter(([u, v]) => run.states[u] === run.states[v] && both(u, v));
      const unlike = pairs.filter(([u, v]) => run.states[u] !== run.states[v] && !both(u, v));
      const go = ([u, v]) => {
        for (const [field, value] of [[one, u], [two, v]]) {
          field.input.value = value;
          field.update();
        }
      };
      button(row, "One state, far apart", () => go(alike.reduce((best, pair) => (pair[2] > best[2] ? pair : best))));
      button(row, "Two states, close", () => go(unlike.reduce((best, pair) => (pair[2] < best[2] ? pair : best))));
      go(alike.reduce((best, pair) => (pair[2] > best[2] ? pair : best)));
    },

    // The shapes of a whole certificate, step by step until nothing new appears.
    async shapes(root) {
      const bytes = await live.certificateBytes("increment"), given = live.parse(bytes);
      const get = (name) => given.get(name), row = element("div", "fig-row"), list = element("ol", "fig-shapes"), said = element("p", "fig-said");
      root.append(row, list, said);
      const sets = get("sets").map((set) => (set.length > 1 ? "digit" : get("symbols")[set[0]].replace("_", "blank")));
      const column = (number) => sets[get("columns")[number][0]];
      const half = (number) => get("halves")[number].map(([c, many]) => `${column(c)}${many ? "⁺" : ""}`);
      const text = ([teacher, learner, , left, under, right]) => [
        ...half(left).reverse(), `[${column(under)}]`, ...half(right)].join(" ") + `  · ${get("teacher").get("states")[teacher]}, ${get("learner").get("states")[learner]}`;
      const layers = [[...get("starts")]], seen = new Set(layers[0]);
      while (layers.at(-1).length) {
        const next = [...new Set(layers.at(-1).flatMap((number) => get("steps")[number]))].filter((number) => !seen.has(number));
        next.forEach((number) => seen.add(number));
        layers.push(next);
      }
      let shown = layers.length;
      const show = () => {
        list.replaceChildren(...layers.slice(0, shown).flatMap((layer, i) => layer.map((number) => {
          const line = element("li", i === shown - 1 && shown < layers.length ? "new" : "", text(get("members")[number]));
          return line;
        })));
        const count = layers.slice(0, shown).reduce((sum, layer) => sum + layer.length, 0);
        said.textContent = shown < layers.length ? `After ${shown - 1} steps: ${count} shapes, ${layers[shown].length} new ones follow.`
          : `${count} shapes, and every step from each of them leads to one of them: the list is closed.`;
      };
      button(row, "From the start", () => {
        shown = 1;
        show();
      });
      button(row, "One step", () => {
        shown = Math.min(shown + 1, layers.length);
        show();
      });
      show();
    },

    // The checker, in the page.
    async check(root) {
      const row = element("div", "fig-row"), said = element("p", "fig-said");
      said.setAttribute("role", "status");
      root.append(row, said);
      const tasks = ["add10", "add2", "mult2", "mult10", "reverse", "gcd"];
      const select = choice(row, "certificate of", tasks.map((name) => [name, name]), () => {});
      button(row, "Check it here", async () => {
        said.textContent = "Checking …";
        const bytes = await live.certificateBytes(select.value);
        await new Promise((done) => setTimeout(done, 30));
        const begin = performance.now(), report = live.verify(bytes);
        said.className = "fig-said good";
        said.textContent = `✓ Verified in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${report.scope}, of every length, the learner acts like the teacher. ${report.members.toLocaleString("en")} shapes, every step from each.`;
      });
    },
  };

  // Whether the network takes a step that the teacher does not, on a random sum of so many digits.
  function randomSumIsWrong(task, taught, learned, length) {
    const { digit } = task.classes, number = () => Array.from({ length }, () => digit[Math.floor(Math.random() * digit.length)]).join("");
    const operands = [number(), number()], run = live.rollOut(task, taught, operands, 1e5);
    return live.difference(live.rollOut(task, learned, operands, run.seen.length + 1), run) !== null;
  }

  // How far two vectors are apart, as a part of the length of the first.
  function distance(one, other) {
    return Math.hypot(...one.map((value, i) => value - other[i])) / Math.hypot(...one);
  }

  function margin(scores, first, count, wanted) {
    let other = -Infinity, size = 0;
    for (let i = 0; i < count; i++) {
      size = Math.max(size, Math.abs(scores[first + i]));
      if (i !== wanted) other = Math.max(other, scores[first + i]);
    }
    return (scores[first + wanted] - other) / size;
  }

  live.figures = Promise.all([...document.querySelectorAll("[data-figure]")].map((root) =>
    figures[root.dataset.figure](root).catch((error) => root.append(element("p", "fig-said bad", error.message)))));
  live.figures.then(() => document.body.classList.add("figures-ready"));
})();
