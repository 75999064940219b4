"""What is known of an extracted machine when there is no teacher to compare it with."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from dfst.extraction.pipeline import Extraction
from dfst.extraction.suggest import Suggestion, suggest
from dfst.world.machine import UNDEFINED


def report(extraction: Extraction, *, weakest: int = 5, suggestions: int = 5) -> dict[str, Any]:
    """Everything worth saying, ready for JSON: consistency, size, the ``weakest`` joins, what to record next.

    >>> import dfst
    >>> from dfst.extraction.pipeline import extract
    >>> add2 = dfst.task("add2")
    >>> facts = report(extract(dfst.from_machine(add2.machine), dfst.sample(add2)))
    >>> facts["traces"], facts["followed"], facts["states"], facts["rehearsed"]
    (20, 20, 11, 0)
    """
    evidence, machine = extraction.evidence, extraction.machine
    joins = evidence.joins
    return {
        "traces": len(evidence.traces),
        "followed": evidence.followed,
        "states": len(machine.states),
        "rules": int((machine.next_state != UNDEFINED).sum()),
        "undefined": int((machine.next_state == UNDEFINED).sum()),
        "rehearsed": len(evidence.rehearsed),
        "unrecorded_rules": [list(pair) for pair in evidence.unrecorded],
        "open_probes": evidence.open_probes,
        "rounds": [asdict(each) for each in extraction.rounds],
        "joins": len(joins),
        "joins_without_shared_steps": sum(join.shared == 0 for join in joins),
        "median_shared_steps": float(np.median([join.shared for join in joins])) if joins else None,
        "weakest": [join.explain() for join in joins[:weakest]],
        "suggestions": [_suggestion(each) for each in suggest(evidence, suggestions)],
    }


def _suggestion(each: Suggestion) -> dict[str, Any]:
    return {"problem": list(each.problem), "why": each.why, "settles": each.join and each.join.rank}


def describe(facts: dict[str, Any]) -> str:
    """A :func:`report` in words."""
    consistent = "all" if facts["followed"] == facts["traces"] else f"only {facts['followed']}"
    lines = [
        f"{facts['states']} states, {facts['rules']} rules; {facts['undefined']} pairs undefined: there it is stuck.",
        f"Consistent with {consistent} of {facts['traces']} traces. Nothing here compares it with a teacher.",
    ]
    if facts["rehearsed"]:
        resting = len(facts["unrecorded_rules"])
        lines.append(
            f"{facts['rehearsed']} runs of the model's own were used besides; {resting} rules rest on them alone."
        )
    if facts["open_probes"]:
        lines.append(f"On {facts['open_probes']} fresh problems it still does not do what the model does.")
    lines.append(
        f"{facts['joins']} joins, {facts['joins_without_shared_steps']} of them without a shared recorded step."
    )
    if facts["weakest"]:
        lines += ["The weakest:", *(f"  {number}. {text}" for number, text in enumerate(facts["weakest"], 1))]
    if facts["suggestions"]:
        lines.append("Worth recording next:")
        lines += [f"  {' '.join(each['problem'])}: {each['why']}" for each in facts["suggestions"]]
    return "\n".join(lines)
