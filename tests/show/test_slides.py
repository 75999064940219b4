"""Films and pictures for slides (extra plot), and the film on the terminal."""

import io
import sys
from itertools import pairwise

import numpy as np
import pytest
from rich.console import Console

from dfst import InputError, MissingExtraError, expert
from dfst.show.recording import record_both, record_run
from dfst.show.slides import FRAMES, MOMENTS, draw_film, draw_moments
from dfst.show.terminal_film import play
from tests.show.test_recording import damaged

Image = pytest.importorskip("PIL.Image")


def test_a_short_film_has_every_step(work):
    recording = record_run(expert("add2").machine, "1", "1")
    draw_film([recording], work / "film.gif")
    with Image.open(work / "film.gif") as film:
        assert film.n_frames == len(recording) + 1
        pictures = []
        for i in range(film.n_frames):
            film.seek(i)
            pictures.append(np.asarray(film.convert("RGB")))
    assert all((one != two).any() for one, two in pairwise(pictures))


def test_a_long_film_has_some_of_them(work):
    recording = record_run(expert("add10").machine, "9" * 40, "8" * 40)
    assert draw_film([recording], work / "film.gif") == f"{FRAMES} frames of {len(recording):,} steps"
    with Image.open(work / "film.gif") as film:
        assert film.n_frames == FRAMES


def test_pictures(work):
    recording = record_run(expert("add10").machine, "58", "67")
    assert draw_moments([recording], work / "all.png") == f"{MOMENTS} moments of 52 steps"
    draw_moments([recording], work / "one.png", step=7)
    with Image.open(work / "all.png") as sheet, Image.open(work / "one.png") as one:
        assert sheet.size == (one.width, MOMENTS * one.height)
        assert len(one.convert("RGB").getcolors()) > 3
    with pytest.raises(InputError, match="no step 53"):
        draw_moments([recording], work / "one.png", step=53)
    with pytest.raises(InputError, match=r"\.gif"):
        draw_film([recording], work / "film.png")
    with pytest.raises(InputError, match="cannot be written"):
        draw_film([recording], work / "nowhere" / "film.gif")


def test_without_the_extra_it_is_a_sentence(work, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"dfst\[plot\]"):
        draw_film([record_run(expert("add2").machine, "1", "1")], work / "film.gif")


def terminal(**options):
    return Console(file=io.StringIO(), width=70, color_system=None, **options)


def written(console):
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_terminal_film_ends_with_the_answer():
    console = terminal(force_terminal=True)
    recording = record_run(expert("add10").machine, "58", "67")
    play([recording], 2000.0, console)
    last = written(console).split("step 52 of 52")[-1]
    assert "0 1 2 5" in last
    assert "halted after 52 steps" in last


def test_where_nothing_moves_a_few_lines_are_printed():
    console = terminal(force_terminal=False)
    play(record_both(damaged("add2", "add1", "1", "1"), expert("add2").machine, "101", "11"), 5.0, console)
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
    play([record_run(expert("add2").machine, "1", "1")], 5.0, console)
    assert "stopped at step 0 of 30." in written(console)
