"""A run as a film: one animated SVG file that any browser (or README) plays, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from dfst.errors import InputError
from dfst.show.recording import record_run
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Cell
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine
from dfst.world.rollout import Outcome

MAX_STEPS = 600
"""A film longer than that is nothing to look at."""

_CELL, _MARGIN, _LINE = 34, 12, 26
_WIDTH = 640
"""So many pixels wide a small film is shown."""

_STEP, _REST = 0.18, 2.5
"""Seconds for a step, and for the last frame."""

_STYLE = (
    ".back{fill:#fff}.cell{fill:#fff;stroke:#ddd}.head{fill:#ffd75e;fill-opacity:.75;stroke:#D55E00;stroke-width:2}"
    ".symbol{font:20px monospace;text-anchor:middle;dominant-baseline:central;fill:#111}"
    ".title{font:bold 18px sans-serif;dominant-baseline:central;fill:#111}"
    ".state{font:italic 16px sans-serif;dominant-baseline:central;fill:#555}"
    "@media(prefers-color-scheme:dark){.back,.cell{fill:#14181d}.cell{stroke:#3a424c}.symbol,.title{fill:#eee}"
    ".state{fill:#aab4c0}.head{fill:#a87900}}"
)


def film(machine: GridMachine, *operands: str) -> str:
    """The run of ``machine`` on ``operands`` as SVG: problem and answer, the grid, the head, and the state as text.

    It is light or dark as the reader's system is. The last frame rests for a while, then it begins again.
    Viewers that do not animate show the input.
    """
    recording = record_run(machine, *operands, step_limit=MAX_STEPS)
    if recording.rollout.outcome == Outcome.STEP_LIMIT:
        raise InputError(f"the run takes more than {MAX_STEPS} steps", do="Film a shorter problem.")
    frames = len(recording) + 1
    total = len(recording) * _STEP + _REST
    times = [i * _STEP / total for i in range(frames)]
    said = equation(machine.alphabet, machine.layout, operands, recording.rollout.answer.text)
    box, (x, y) = recording.box, recording.path
    heads: list[Cell] = list(zip(x.tolist(), y.tolist(), strict=True))
    shots = np.stack([recording.frame(i) for i in range(frames)])
    filled = np.argwhere((shots != machine.alphabet.blank_index).any(axis=0)).tolist()  # cells that ever hold a symbol
    symbols = machine.alphabet.symbols
    cells = {(box.left + i, box.top - j): [symbols[n] for n in shots[:, j, i]] for j, i in filled}
    columns, rows = zip(*cells, *heads, strict=True)
    left, top = min(columns), max(rows)
    width = (max(columns) - left + 1) * _CELL + 2 * _MARGIN
    height = (top - min(rows) + 1) * _CELL + 2 * _MARGIN + _LINE

    def corner(cell: Cell) -> tuple[int, int]:
        return _MARGIN + (cell[0] - left) * _CELL, _MARGIN + _LINE + (top - cell[1]) * _CELL

    def animation(attribute: str, values: list[str]) -> str:
        """The attribute jumps to each value at its frame; values that do not change are left out."""
        kept = [i for i in range(frames) if i == 0 or values[i] != values[i - 1]]
        if len(kept) == 1:
            return ""
        joined, when = ";".join(values[i] for i in kept), ";".join(f"{times[i]:.4f}" for i in kept)
        timing = f'dur="{total:.2f}s" calcMode="discrete" repeatCount="indefinite"'
        return f'<animate attributeName="{attribute}" values="{joined}" keyTimes="{when}" {timing}/>'

    def text(x: int, y: int, content: str, shown: list[bool], kind: str) -> str:
        blink = animation("opacity", [str(int(here)) for here in shown])
        return f'<text class="{kind}" x="{x}" y="{y}" opacity="{int(shown[0])}">{escape(content)}{blink}</text>'

    parts = []
    for cell in sorted({*cells, *heads}):
        x, y = corner(cell)
        parts.append(f'<rect class="cell" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"/>')
    x0, y0 = corner(heads[0])
    head = animation("x", [str(corner(cell)[0]) for cell in heads])
    head += animation("y", [str(corner(cell)[1]) for cell in heads])
    parts.append(f'<rect class="head" x="{x0}" y="{y0}" width="{_CELL}" height="{_CELL}" rx="6">{head}</rect>')
    blank = machine.alphabet.blank
    for cell, values in sorted(cells.items()):
        x, y = corner(cell)
        for symbol in sorted({value for value in values if value != blank}):
            shown = [value == symbol for value in values]
            parts.append(text(x + _CELL // 2, y + _CELL // 2, symbol, shown, "symbol"))
    states = [recording.state(i) for i in range(frames)]
    for state in dict.fromkeys(states):
        shown = [each == state for each in states]
        parts.append(text(_MARGIN, height + _LINE // 2, f"state {state}", shown, "state"))
    height += _LINE
    scale = min(max(_WIDTH / width, 1), 2.5)
    size = f'width="{width * scale:.0f}" height="{height * scale:.0f}" viewBox="0 0 {width} {height}"'
    title = escape(f"{machine.name} at work on {' and '.join(operands)}")
    parts.insert(0, f'<text class="title" x="{_MARGIN}" y="{_MARGIN + _LINE // 2 - 4}">{escape(said)}</text>')
    back = f'<rect class="back" width="{width}" height="{height}" rx="8"/>'
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title><style>{_STYLE}</style>'
    return "\n".join([begin + back, *parts, "</svg>", ""])


def equation(alphabet: Alphabet, layout: Layout | None, operands: Sequence[str], answer: str | None) -> str:
    """Problem and answer on one line."""
    given, index = iter(operands), alphabet.index
    words = list(operands)  # of one, without the marks that a machine needs around it
    if len(operands) > 1 and layout is not None:
        words = [part if part in index else next(given) for part in layout.parts]
    relation = "=" if len(operands) == 2 and words[1] in "+*×" else "→"  # 10 - 11 leaves 0, which is no equation
    return f"{' '.join(words)} {relation} {answer or 'no answer'}"
