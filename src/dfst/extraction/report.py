"""What is known of an extracted machine when there is no teacher to compare it with, and what to record next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from dfst.explained import Explained
from dfst.extraction.evidence import Evidence, Join
from dfst.extraction.pipeline import Extraction
from dfst.extraction.rehearse import longest_operands, probes
from dfst.seeds import Stream
from dfst.traces.coverage import followed
from dfst.world.machine import UNDEFINED, GridMachine
from dfst.world.rollout import Outcome


@dataclass(frozen=True, repr=False)
class Report(Explained):
    """Everything worth saying of an extraction, as facts: consistency, size, the weakest joins, what to record next."""

    facts: Mapping[str, Any]

    @property
    def consistent(self) -> bool:
        """Whether the machine does what was recorded, in every trace."""
        return self.facts["followed"] == self.facts["traces"]

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        return dict(self.facts)

    def explain(self) -> str:
        """In words."""
        facts, suggestions = self.facts, self.facts["suggestions"]
        which = "all" if self.consistent else f"only {facts['followed']}"
        size = f"{facts['states']} states, {facts['rules']} rules"
        lines = [
            f"{size}; {facts['undefined']} pairs undefined: there it is stuck.",
            f"Consistent with {which} of {facts['traces']} traces. Nothing here compares it with a teacher.",
        ]
        if facts["rehearsed"]:
            own, resting = f"{facts['rehearsed']} runs of the model's own", len(facts["unrecorded_rules"])
            lines.append(f"{own} were used besides; {resting} rules rest on them alone.")
        if facts["guessed_rules"]:
            rules = ", ".join(f"({' '.join(pair)})" for pair in facts["guessed_rules"][:4])
            lines.append(
                f"No trace knows what {len(facts['guessed_rules'])} rules write, such as {rules}: it is guessed."
            )
        if facts["unexplained"]:
            number = facts["unexplained"]
            what = f"{number} recorded output{'s are' if number > 1 else ' is'} not the machine's"
            lines.append(f"{what}: it takes less to name {'them' if number > 1 else 'it'} than rules that explain it.")
        if facts["open_probes"]:
            lines.append(f"On {facts['open_probes']} fresh problems it still does not do what the model does.")
        unshared = facts["joins_without_shared_steps"]
        lines.append(f"{facts['joins']} joins, {unshared} of them without a shared recorded step.")
        if facts["weakest"]:
            lines += ["The weakest:", *(f"  {number}. {text}" for number, text in enumerate(facts["weakest"], 1))]
        if suggestions:
            lines += [
                "Worth recording next:",
                *(f"  {' '.join(each['problem'])}: {each['why']}" for each in suggestions),
            ]
        return "\n".join(lines)


def report(extraction: Extraction, *, suggestions: int = 5) -> Report:
    """What is known of the machine, with its five weakest joins, and so many ``suggestions`` of what to record next."""
    evidence, machine = extraction.evidence, extraction.machine
    joins, defined = evidence.joins, machine.next_state != UNDEFINED
    return Report(
        {
            "traces": len(evidence.traces),
            "followed": evidence.followed,
            "states": len(machine.states),
            "rules": int(defined.sum()),
            "undefined": int((~defined).sum()),
            "rehearsed": len(evidence.rehearsed),
            "unrecorded_rules": [list(pair) for pair in evidence.unrecorded],
            "guessed_rules": [list(pair) for pair in evidence.guessed],
            "open_probes": evidence.open_probes,
            "unexplained": extraction.unexplained,
            "rounds": [asdict(each) for each in extraction.rounds],
            "joins": len(joins),
            "joins_without_shared_steps": sum(join.shared == 0 for join in joins),
            "median_shared_steps": float(np.median([join.shared for join in joins])) if joins else None,
            "weakest": [join.explain() for join in joins[:5]],
            "suggestions": [
                {"problem": list(each.problem), "why": each.why, "settles": each.join and each.join.rank}
                for each in suggest(evidence, suggestions)
            ],
        }
    )


CANDIDATES = 1000
"""How many of the shortest problems are looked at, and how many random ones, up to twice as long as the recorded."""

_PATIENCE = 20  # a run on operands twice as long may take so many times the steps of the longest recorded trace


@dataclass(frozen=True)
class Suggestion:
    """A problem worth recording, and why; ``join`` is what its trace would settle (None: the machine is stuck)."""

    problem: tuple[str, ...]
    why: str
    join: Join | None


def suggest(evidence: Evidence, number: int = 5) -> list[Suggestion]:
    """The ``number`` problems to record next, found without any teacher: the machine itself is run on candidates.

    First those on which it is stuck; then, for the weakest joins, the first problem (short ones come first) that enters
    the state the joined way and then sees a symbol that no recorded trace sees there.
    """
    machine, symbols = evidence.machine, evidence.machine.alphabet.symbols
    steps = _PATIENCE * int(evidence.traces.lengths.max())
    recorded = _recorded_turns(evidence)
    found: dict[tuple[str, ...], Suggestion] = {}
    fresh: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {}  # an entry, to a problem with something new after it
    for problem in _candidates(evidence):
        result = machine.run(*problem, step_limit=steps, reach=steps, engine="compiled", record=True)
        assert result.pairs is not None
        if result.outcome == Outcome.STUCK and len(found) < number:
            found[problem] = Suggestion(problem, f"The machine is {result.explain()}.", None)
        new = _turns(machine, result.pairs) - recorded
        recorded |= new
        for turn in sorted(new):
            pair, seen = divmod(turn, len(symbols))
            entry = machine.states[pair // len(symbols)], symbols[pair % len(symbols)]
            fresh.setdefault(entry, (problem, symbols[seen]))
    for join in evidence.joins:
        for state, symbol in join.entries:
            problem, seen = fresh.get((state, symbol), ((), ""))
            if problem and problem not in found and len(found) < number:
                why = f"It comes from {state} on seeing {symbol} into {join.state} and then sees {seen}: new there."
                found[problem] = Suggestion(problem, why, join)
                break
    return list(found.values())


def _candidates(evidence: Evidence) -> Iterator[tuple[str, ...]]:
    """Problems that were not recorded."""
    world = evidence.machine.world
    longest = longest_operands(evidence.traces) or [2] * len(world.operands)
    random = probes(world, [2 * most for most in longest], CANDIDATES, Stream(0, "suggestion"))
    known = set(evidence.traces.problems)
    for problem in dict.fromkeys([*islice(world.shortest_problems(), CANDIDATES), *random]):
        if problem not in known:
            yield problem


def _turns(machine: GridMachine, pairs: np.ndarray) -> set[int]:
    """(state, symbol, next symbol) of every two steps in a row, as one number."""
    symbols = len(machine.alphabet)
    numbers = pairs.astype(np.int64)
    return set((numbers[:-1] * symbols + numbers[1:] % symbols).tolist())


def _recorded_turns(evidence: Evidence) -> set[int]:
    """The turns of the recorded traces."""
    machine, traces = evidence.machine, evidence.traces
    states, _ = followed(machine, traces)
    pairs = states.astype(np.int64) * len(machine.alphabet) + traces.seen
    bounds = zip(traces.offsets[:-1], traces.offsets[1:], strict=True)
    return set().union(*(_turns(machine, pairs[i:j][states[i:j] >= 0]) for i, j in bounds))
