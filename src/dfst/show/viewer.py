"""Runs as one page for a browser: everything is inside, nothing is loaded from anywhere.

The page is the template ``page/page.html`` with its style and scripts. The steps go in as bytes, column by column,
compressed; the page unpacks and replays them (``page/replay.js``).
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from dfst import __version__
from dfst.show.film import equation
from dfst.show.recording import MAX_VIEW_CELLS, Recording, differing_step
from dfst.traces.traces import Traces
from dfst.training.recall import hidden_along
from dfst.world.grid import Area
from dfst.world.machine import GridMachine

PAGE = files("dfst.show") / "page"
BOARD = ("elements.js", "replay.js", "board.js", "state_ring.js")
"""What the viewer and the live page of the documentation have in common."""

_SCRIPTS = (*BOARD, "panels.js", "time_charts.js", "space_time.js", "controls.js")

_MARGIN_STEPS = 8
"""Margins are kept as a byte, in eighths of an octave: m is 2^(-byte / 8), and 255 is 0."""


_HIDDEN_BYTES = 2**20
"""A network's hidden vectors are on the page if they take no more than that, a byte for each number."""


def viewer_page(recordings: Sequence[Recording]) -> str:
    """The page of one run, or of a learner's and its teacher's on the same problem, in this order."""
    pieces: list[bytes] = []
    shared = _shared_box(recordings)
    tracks = [_track(recording, shared or recording.box, pieces) for recording in recordings]
    first = recordings[0]
    shown = [_short(operand) for operand in first.operands]
    answer = _short(first.rollout.answer.text or "") or None
    facts = {
        "format": 1,
        "version": __version__,
        "title": first.name,
        "heading": equation(first.alphabet, first.policy.layout, shown, answer),
        "roles": ["learner", "teacher"] if len(recordings) == 2 else [""],
        "tracks": tracks,
        "divergence": differing_step(recordings) if len(recordings) == 2 else None,
    }
    contents = {
        "style": "\n".join((PAGE / name).read_text(encoding="utf-8") for name in ("style.css", "board.css")),
        "scripts": one_script(PAGE / name for name in _SCRIPTS),
        "title": escape(f"{first.name} on {' , '.join(shown)}"),
        "facts": json.dumps(facts, ensure_ascii=False).replace("<", "\\u003c"),  # no string can end its own element
        "steps": base64.b64encode(zlib.compress(b"".join(pieces), 6)).decode(),
    }
    template = (PAGE / "page.html").read_text(encoding="utf-8")
    # in one go: what is put in is never looked at again, whatever it holds
    return re.sub(r"\{\{(\w+)\}\}", lambda match: contents[match[1]], template)


def one_script(modules: Iterable[Traversable]) -> str:
    """Scripts in one scope of their own, in the order in which they stand on the page."""
    content = "\n".join(module.read_text(encoding="utf-8") for module in modules)
    return f'(() => {{\n"use strict";\n{content}}})();\n'


def _shared_box(recordings: Sequence[Recording]) -> Area | None:
    """One rectangle for all grids, so that cells stand below each other; None if it would be too large."""
    left, right, bottom, top = zip(*(recording.box for recording in recordings), strict=True)
    box = Area(min(left), max(right), min(bottom), max(top))
    return box if (box.right - box.left + 1) * (box.top - box.bottom + 1) <= MAX_VIEW_CELLS else None


def _told_of(policy: Any) -> tuple[str, Sequence[str]]:
    """The story and the states of a machine; of anybody else nothing."""
    return (policy.about, policy.states) if isinstance(policy, GridMachine) else ("", ())


def _track(recording: Recording, box: Area, pieces: list[bytes]) -> dict[str, Any]:
    """The facts of one run; its columns are added to ``pieces``."""
    policy: Any = recording.policy
    alphabet, rollout, steps = recording.alphabet, recording.rollout, recording.steps
    about, names = _told_of(policy)
    columns = {}
    arrays = {"tape": recording.tape, **steps._asdict()}
    track: dict[str, Any] = {}
    if rollout.pairs is not None:
        states = rollout.pairs // np.uint32(len(alphabet))
        arrays["states"] = states.astype(np.min_scalar_type(len(policy.states) - 1).newbyteorder("<"))
        used, counts = np.unique(rollout.pairs, return_counts=True)
        q, x = np.divmod(used, len(alphabet))
        rules = (q, x, policy.written[q, x], policy.move[q, x], policy.next_state[q, x], counts)
        track["rules"] = [
            [*rule, policy.state_name(after), n]
            for *rule, after, n in zip(*(column.tolist() for column in rules), strict=True)
        ]
    if rollout.margins is not None:
        arrays["symbolMargins"], arrays["moveMargins"] = pack_margins(rollout.margins).T
        if 0 < len(recording) * policy.hidden_dim <= _HIDDEN_BYTES:
            arrays["hidden"] = pack_hidden(hidden_along(policy, Traces.of(alphabet, [steps])))
    begin = sum(map(len, pieces))
    for name, array in arrays.items():
        pieces.append(array.tobytes())
        columns[name] = {"begin": begin, "bytes": len(pieces[-1]), "width": array.dtype.itemsize}
        begin += len(pieces[-1])
    return track | {
        "name": recording.name,
        "about": policy.describe(),
        "story": about.strip(),
        "symbols": list(alphabet.symbols),
        "blank": alphabet.blank_index,
        "states": list(names),
        "head": list(policy.layout.head),
        "box": list(box),
        "outcome": rollout.outcome.value,
        "ending": rollout.explain(),
        "lastState": rollout.state,
        "answer": rollout.answer.text,
        "columns": columns,
    }


def pack_margins(margins: np.ndarray) -> np.ndarray:
    """Margins as bytes, in eighths of an octave below 1; 255 stands for everything below 2^-31.8."""
    clear = np.clip(np.nan_to_num(margins), 2.0**-40, 1.0)
    return np.minimum(np.rint(-_MARGIN_STEPS * np.log2(clear)), 255).astype(np.uint8)


def pack_hidden(hidden: np.ndarray) -> np.ndarray:
    """Numbers between -1 and 1 as bytes, 0 in the middle.

    >>> pack_hidden(np.array([-1.0, 0.0, 0.5, np.nan])).tolist()
    [1, 128, 192, 128]
    """
    return np.rint(128 + 127 * np.nan_to_num(hidden)).astype(np.uint8)


def _short(operand: str) -> str:
    return operand if len(operand) <= 24 else f"{operand[:10]}…{operand[-8:]} ({len(operand)} symbols)"
