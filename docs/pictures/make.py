"""Drawings of the pages, and the card that links to them show, from the package itself: python -m docs.pictures.make

``python -m docs.pictures.make viewer`` takes the pictures of the viewer alone, with the browser of the tests.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from experiments.pages.pictures import COLOURS, picture, plain
from matplotlib.patches import FancyBboxPatch

import dfst
from dfst.shipped import shipped_model
from dfst.show.machine_drawing import draw_machine
from dfst.show.recording import Recording, record_both, record_run
from dfst.show.viewer import viewer_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).parent
BLUE, RED, GREEN = COLOURS[:3]


def road() -> None:
    """From a teacher to a certificate, in six boxes."""
    boxes = [
        ("teacher", "a machine on a grid", BLUE),
        ("traces", "seen, written, moved;\nnever its states", BLUE),
        ("DFST", "A, B, C, h₀,\nby gradient descent", RED),
        ("rollout", "the floats on the grid:\nright for a while", RED),
        ("machine", "extracted from it\nby the swap test", GREEN),
        ("certificate", "both act alike\non every input", GREEN),
    ]
    with picture(HERE / "road.svg", (8.2, 3.6)) as figure:
        axes = figure.add_subplot(xlim=(0, 9), ylim=(0, 4))
        axes.axis("off")
        centres = [(1.4, 3.2), (4.5, 3.2), (7.6, 3.2), (7.6, 0.9), (4.5, 0.9), (1.4, 0.9)]
        for (name, text, colour), (x, y) in zip(boxes, centres, strict=True):
            axes.text(x, y + 0.3, name, ha="center", va="center", weight="bold", color=colour, size=13)
            axes.text(x, y - 0.2, text, ha="center", va="center", size=10)
            axes.add_patch(_frame(x - 1.15, y - 0.65, 2.3, 1.3, colour))
        arrow = {"arrowstyle": "-|>", "color": "0.4", "lw": 1.5}
        ends = [
            ((2.6, 3.2), (3.3, 3.2)),
            ((5.7, 3.2), (6.4, 3.2)),
            ((7.6, 2.5), (7.6, 1.6)),
            ((6.7, 2.5), (5.2, 1.6)),
            ((3.3, 0.9), (2.6, 0.9)),
            ((1.4, 2.5), (1.4, 1.6)),
        ]
        for tail, tip in ends:
            axes.annotate("", tip, tail, arrowprops=arrow)
        axes.text(1.55, 2.05, "compared for all inputs at once", ha="left", va="center", size=9, color="0.35")


def _frame(x: float, y: float, width: float, height: float, colour: str) -> FancyBboxPatch:
    style = "round,pad=0,rounding_size=0.12"
    return FancyBboxPatch((x, y), width, height, boxstyle=style, fill=False, ec=colour, lw=1.8, clip_on=False)


def observation(steps: int = 14) -> None:
    """The first steps of 1 + 1 in binary: what an observer writes down, and what stays hidden."""
    machine = dfst.task("add2").machine
    seen = [step for _, step in zip(range(steps), machine.configurations("1", "1"), strict=False)]
    rows = [
        ("sees", [step.seen for step in seen], BLUE),
        ("writes", [step.written for step in seen], BLUE),
        ("moves", [step.move.name for step in seen if step.move is not None], BLUE),
        ("state", [step.state for step in seen], "0.6"),
    ]
    with picture(HERE / "observation.svg", (8.2, 2.3)) as figure:
        axes = figure.add_subplot(xlim=(-1.6, steps), ylim=(-0.6, 4.2))
        axes.axis("off")
        for height, (name, cells, colour) in zip((3.4, 2.5, 1.6, 0.3), rows, strict=True):
            axes.text(-0.3, height, name, ha="right", va="center", color=colour, weight="bold")
            for t, cell in enumerate(cells):
                hidden = name == "state"
                axes.text(
                    t + 0.5, height, cell.replace("_", "␣"), ha="center", va="center",
                    size=8 if hidden else 12, color=colour if hidden else "black", rotation=30 if hidden else 0,
                    family="monospace",
                )  # fmt: skip
        axes.add_patch(_frame(0, 1.15, steps, 2.7, BLUE))
        axes.text(-0.3, -0.15, "never recorded", ha="right", va="center", size=8, color="0.6")


def drift(lengths: tuple[int, ...] = tuple(range(1, 46))) -> None:
    """The smallest margin of the teacher's action along 11…1 + 11…1, by length: add2's float model, and its machine."""
    teacher = dfst.task("add2").machine
    shipped = shipped_model("add2")
    models = [
        ("float model, as trained", shipped.raw, RED),
        ("its machine, as one-hot weights", shipped.one_hot, GREEN),
    ]
    with picture(HERE / "drift.svg", (8.0, 3.6)) as figure:
        axes = figure.add_subplot(ylim=(-0.95, 1.08))
        axes.axhline(0, color="0.6", lw=1)
        for name, path, colour in models:
            model = dfst.load(path)
            runs = [dfst.solve(model, "1" * m, "1" * m, beside=teacher, drift=True) for m in lengths]
            margins = [run.drift.margin if run.drift else math.nan for run in runs]
            axes.plot(lengths, margins, color=colour, label=name, marker="o", markersize=3)
        axes.axvspan(0.5, 3.5, color="0.9", zorder=0)
        axes.text(2, 0.5, "training", rotation=90, ha="center", va="center", color="0.4", size=10)
        axes.text(28.5, -0.06, "below 0: it does something else", ha="right", va="top", color="0.4", size=10)
        plain(axes, x="digits", y="smallest margin of\nthe teacher's action")
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0.1, 0.02))


def card(first: str = "58", second: str = "67") -> None:
    """What a link to the site shows, 1200 by 630 pixels: a sum on squared paper, and what this is."""
    answer = str(dfst.solve("add10", first, second).answer)
    with picture(HERE.parent / "_static" / "card.png", (7.5, 3.9375)) as figure:
        axes = figure.add_subplot(xlim=(0, 12), ylim=(0, 6.3))
        axes.axis("off")
        rows = ((4.3, f"{first}+{second}", BLUE), (3.2, "", BLUE), (2.1, answer.rjust(len(first) + 1), GREEN))
        for y, symbols, colour in rows:
            for x in range(len(first) + len(second) + 1):
                axes.add_patch(_frame(0.4 + x, y, 0.92, 0.92, "0.8"))
                if x < len(symbols):
                    axes.text(0.86 + x, y + 0.44, symbols[x], ha="center", va="center", size=26, color=colour)
        axes.text(6.2, 4.6, "dfst", size=40, weight="bold", va="center")
        axes.text(6.2, 3.2, "Learn algorithms exactly,\nby watching them run", size=17, va="center")
        axes.text(0.4, 0.9, "a linear network  →  a machine  →  a proof for every length", size=15, color="0.35")


def adder() -> None:
    """The machine that was extracted from add10's weights; states that carry a digit are drawn together."""
    draw_machine(dfst.load("add10:machine"), HERE / "add10_machine.svg")


def viewer() -> None:
    """The viewer's page: a multiplication, and a damaged model beside its teacher on a phone in the dark."""
    from playwright.sync_api import sync_playwright  # the other pictures do without it
    from tests.show.conftest import CHROMIUM

    teacher = dfst.task("add2").machine
    model, x, q = dfst.from_machine(teacher), teacher.alphabet.index["1"], teacher.states.index("add1")
    B = model.B.copy()
    B[x, :, q] = 0
    B[x, x, q] = 1  # where it carries a one and sees a one, it writes a one, not a zero
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def opened(recordings: Sequence[Recording], step: int, **options: Any) -> Page:
            file = Path(folder) / "view.html"
            file.write_text(viewer_page(recordings), encoding="utf-8")
            page = browser.new_page(**options)
            page.goto(f"{file.as_uri()}#{step}")
            page.wait_for_selector("body.ready")
            return page

        product = record_run(dfst.task("mult10").machine, "58", "67")
        page = opened([product], 50, viewport={"width": 1280, "height": 900})
        page.get_by_label("Show").select_option("near this step")
        page.screenshot(path=HERE / "viewer_machine.png", full_page=True)
        both = record_both(replace(model, B=B), teacher, "1011", "111", name="damaged")
        phone = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "color_scheme": "dark"}
        opened(both, 23, **phone).screenshot(path=HERE / "viewer_phone.png")


if __name__ == "__main__":
    for make in [viewer] if sys.argv[1:] == ["viewer"] else [adder, card, road, observation, drift, viewer]:
        make()
