"""Pictures for slides (extra plot), and the film on the terminal."""

import io
import sys

import pytest
from rich.console import Console

from dfst import InputError, MissingExtraError
from dfst.show.recording import record_both, record_run
from dfst.show.slides import MOMENTS, draw_moments
from dfst.show.terminal_film import play
from dfst.teachers.find import find_task
from tests.show.test_recording import damaged

Image = pytest.importorskip("PIL.Image")


def test_pictures(work):
    recording = record_run(find_task("add10").machine, "58", "67")
    assert draw_moments([recording], work / "all.png") == f"{MOMENTS} moments of 52 steps"
    draw_moments([recording], work / "one.png", step=7)
    with Image.open(work / "all.png") as sheet, Image.open(work / "one.png") as one:
        assert sheet.size == (one.width, MOMENTS * one.height)
        assert len(one.convert("RGB").getcolors()) > 3
    with pytest.raises(InputError, match="no step 53"):
        draw_moments([recording], work / "one.png", step=53)
    with pytest.raises(InputError, match=r"\.png"):
        draw_moments([recording], work / "all.gif")
    with pytest.raises(InputError, match="there is no folder"):
        draw_moments([recording], work / "nowhere" / "all.png")


def test_without_the_extra_it_is_a_sentence(work, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"dfst\[plot\]"):
        draw_moments([record_run(find_task("add2").machine, "1", "1")], work / "all.png")


def terminal(**options):
    return Console(file=io.StringIO(), width=70, color_system=None, **options)


def written(console):
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_terminal_film_ends_with_the_answer():
    console = terminal(force_terminal=True)
    recording = record_run(find_task("add10").machine, "58", "67")
    play([recording], 2000.0, console)
    last = written(console).split("step 52 of 52")[-1]
    assert "0 1 2 5" in last
    assert "halted after 52 steps" in last


def test_where_nothing_moves_a_few_lines_are_printed():
    console = terminal(force_terminal=False)
    play(record_both(damaged("add2", "add1", "1", "1"), find_task("add2").machine, "101", "11"), 5.0, console)
    text = written(console)
    assert "0  state enter: sees _, writes 0, moves R, goes on in enter" in text
    assert "steps …" in text
    assert "learner and teacher have differed since step" in text
    assert text.count("\n") < 30
    assert "\x1b" not in text


def test_ctrl_c_ends_it_with_a_sentence(monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    console = terminal(force_terminal=True)
    play([record_run(find_task("add2").machine, "1", "1")], 5.0, console)
    assert "stopped at step 0 of 30." in written(console)
