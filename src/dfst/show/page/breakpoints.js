// Where to stop: at a state of a machine, or at a symbol that the head sees.

class Breakpoints {
  constructor(tracks) {
    this.tracks = tracks;
    this.list = [];
    this.choices = [];
    for (const track of tracks) {
      if (!track.states) continue;
      const used = [...new Set(track.facts.rules.map((rule) => rule[0]))];
      const whose = tracks.length > 1 ? `${track.role}: state` : "state";
      for (const value of used) {
        this.choices.push({ kind: "states", track, value, text: `${whose} ${track.facts.states[value]}` });
      }
    }
    const [first] = tracks;
    const whose = tracks.length > 1 ? `${first.role} sees` : "sees";
    first.symbols.forEach((_, value) => {
      this.choices.push({ kind: "seen", track: first, value, text: `${whose} ${symbolText(first, value)}` });
    });
  }

  // Adds the choice, or takes it away if it is there; says which.
  toggle(choice) {
    const at = this.list.indexOf(choice);
    if (at >= 0) this.list.splice(at, 1);
    else this.list.push(choice);
    return at < 0;
  }

  // The choice that means the present: the state of a machine, or what a model sees.
  here(step) {
    const machine = this.tracks.find((track) => track.states && step < track.length);
    const [kind, track] = machine ? ["states", machine] : ["seen", this.tracks[0]];
    if (step >= track.length) return null;
    return this.choices.find((c) => c.kind === kind && c.track === track && c.value === track[kind][step]) || null;
  }

  // The first step from `begin` to `end` (both included) where one of them is met: {step, choice}, or null.
  first(begin, end) {
    let found = null;
    let last = end;
    for (const choice of this.list) {
      const column = choice.track[choice.kind];
      const until = Math.min(last, column.length - 1);
      for (let step = begin; step <= until; step++) {
        if (column[step] === choice.value) {
          found = { step, choice };
          last = step - 1;
          break;
        }
      }
    }
    return found;
  }
}
