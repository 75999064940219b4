"""A conversation as a page: inputs, outputs and states, one input a line; there is no grid to see."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dfst.explained import html_table, left_out
from dfst.show.recording import Recording, differing_step
from dfst.world.conversation import name_of_symbol
from dfst.world.moves import Move

_SHOWN = 2000
"""So many inputs are shown."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title></head>
<body style="font-family: sans-serif"><h1>{title}</h1>{table}</body></html>
"""


def talks(recordings: Sequence[Recording]) -> bool:
    """Whether each of the runs answers one input after the other, as far as it goes."""
    return all(each.policy.world.is_conversation and (each.steps.moves[:-1] == Move.R).all() for each in recordings)


def conversation_page(recordings: Sequence[Recording]) -> str:
    """The page of one conversation; with a second run it is that of the teacher, and the first difference is marked."""
    first, two = recordings[0], len(recordings) == 2
    names = [name_of_symbol(symbol) for symbol in first.alphabet.symbols]
    rows = [[str(step), names[x]] for step, x in enumerate(first.tape[:_SHOWN].tolist(), 1)]
    header, known = ["", "input"], [each.rollout.pairs is not None for each in recordings]
    for who, each, states in zip(("output", "teacher's output"), recordings, known, strict=False):
        header += [who, "state"][: 1 + states]
        for step, row in enumerate(rows):
            given = step < len(each) and each.steps.seen[step] == first.tape[step]
            row += [names[each.steps.written[step]] if given else "no answer"]
            row += [each.state(step) if step < len(each) else ""] * states
    differs = differing_step(recordings) if two else None
    marked = None if differs is None or differs >= len(rows) else (differs, 2)
    endings = [f"{each.name}: {each.rollout.explain()}" for each in recordings]
    more = "; ".join(filter(None, [*endings, left_out(len(rows), len(first.tape), "inputs")]))
    title = f"{first.name}: {len(first.tape):,} input{'s' * (len(first.tape) != 1)}"
    return _PAGE.format(title=escape(title), table=html_table(rows, header=header, more=more, marked=marked))
