"""The film on the terminal."""

import io

from rich.console import Console

from dfst.show.recording import record_both, record_run
from dfst.show.terminal_film import play
from dfst.teachers.find import find_task
from tests.show.test_recording import damaged


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
    assert "0  state enter: sees _, writes 0, moves R, next state enter" in text
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
