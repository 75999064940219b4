"""dfst train: what the command line says goes, and at its end it says in words what was learned."""

import json
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import dfst
from dfst.runs import run_folder
from dfst.show import progress
from dfst.show.progress import PlainLines


def config(path):
    return tomllib.loads((Path(path) / "config.toml").read_text())


def test_what_the_command_line_says_beats_the_file(call, work):
    """Even where it says what would have been the default."""
    Path("c.toml").write_text(
        'recipe = "paper"\nengine = "jax"\ndata_seed = 7\nbatch = 8\nthreads = 1\niterations = 2\n'
    )
    words = ("--recipe", "fast", "--engine", "fused", "--data-seed", "42", "--iterations", "3")
    assert call("train", "add2", "--config", "c.toml", "--out", "run", *words)[0] == 0
    made = config("run")
    assert (made["recipe"]["name"], made["engine"], made["data_seed"]) == ("fast", "fused", 42)
    assert (made["recipe"]["iterations"], made["recipe"]["batch"]) == (3, 8)
    Path("d.toml").write_text('recipe = "paper"\niterations = 2\n')
    assert call("train", "add2", "--config", "d.toml", "--out", "other")[0] == 0
    assert config("other")["recipe"]["name"] == "paper"


def test_a_default_that_was_asked_for_counts(call, work):
    assert call("train", "add2", "--recipe", "paper", "--seed", "7", "--iterations", "2", "--out", "run")[0] == 0
    assert call("train", "add2", "--out", "run", "--resume")[0] == 0
    for words, what in ((("--recipe", "fast"), "its recipe is paper, not fast"), (("--seed", "42"), "its seed is 7")):
        code, _, err = call("train", "add2", "--out", "run", "--resume", *words)
        assert (code, what in err) == (2, True)


def test_threads_may_be_chosen_anew_when_a_run_is_resumed(call, work, monkeypatch):
    assert call("train", "add2", "--iterations", "4", "--threads", "1", "--out", "run")[0] == 0
    before, used, make = config("run"), [], run_folder.make_engine

    def watched(*words, threads, **more):
        used.append(threads)
        return make(*words, threads=threads, **more)

    monkeypatch.setattr(run_folder, "make_engine", watched)
    monkeypatch.setattr("dfst.training.fused.check_threads", lambda number: number)  # here may be a single core
    assert call("train", "add2", "--out", "run", "--resume", "--threads", "2")[0] == 0
    assert call("train", "add2", "--out", "run", "--resume")[0] == 0
    assert used == [2, 1]
    assert config("run") == before


@pytest.mark.parametrize("missing", ["jax", "optax"])
def test_without_the_extra_nothing_is_begun(call, work, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    code, _, err = call("train", "add2", "--engine", "jax", "--iterations", "2", "--out", "run")
    assert (code, 'pip install "dfst[jax]"' in err) == (2, True)
    assert not Path("run").exists()
    assert call("train", "add2", "--iterations", "2", "--out", "run")[0] == 0


def test_it_ends_with_a_verdict_in_words(call, work):
    code, out, err = call("train", "increment", "--out", "my run")
    first, second = out.splitlines()
    assert code == 0
    assert first.startswith("my run: learned: all ")
    assert first.endswith(" s).")
    assert " steps of its " in first
    assert " traces are as recorded (loss " in first
    assert second == "Next: dfst certify 'my run'"
    assert "\x1b" not in err + out
    assert call("certify", "my run", "--json")[0] == 0


def test_a_run_that_learned_nothing_says_so(call, work):
    code, out, _ = call("train", "add2", "--iterations", "5", "--out", "run")
    assert code == 0
    assert out.startswith("run: not learned: ")
    assert "are not as recorded (loss" in out
    assert "\nNext: dfst doctor run looks for the cause; or train longer (--iterations)" in out
    record = json.loads(call("train", "add2", "--out", "run", "--resume", "--json")[1])
    traces = dfst.sample(dfst.task("add2"))
    assert (record["learned"], record["traces"], record["steps"]) == (False, len(traces), len(traces.seen))
    assert 0 < record["wrong_steps"] <= record["steps"]
    assert record["next"] == "dfst doctor run"


def test_no_folder_is_made_if_a_later_seed_cannot_go_on(call, work):
    call("train", "add2", "--iterations", "5", "--seed", "2", "--out", "runs/s2")
    code, _, err = call("train", "add2", "--iterations", "6", "--seeds", "1:3", "--out", "runs", "--resume")
    assert code == 2
    assert "its iterations is 5, not 6" in err
    assert not Path("runs/s1").exists()


def test_traces_that_name_a_task_have_its_dimensions(call, work):
    """From the command line as with dfst.fit; those of an unknown task have 32."""
    traces = dfst.sample("add2")
    traces.save("add2.jsonl")
    replace(traces, task="mystery").save("mystery.jsonl")
    for file, d in (("add2.jsonl", 12), ("mystery.jsonl", 32)):
        record = json.loads(call("train", file, "--iterations", "5", "--out", file[:-6], "--json")[1])
        model, _ = dfst.fit(file, recipe=dfst.recipe("fast", "add2").changed(iterations=5))
        assert (record["hidden_dim"], model.hidden_dim) == (d, d)


@pytest.mark.parametrize(
    ("iterations", "watched", "count", "at", "pace"),
    [
        (10_000, [(100 * s, 7.0 + s) for s in range(101)], 3, "3,000 of 10,000 (30%)", ", 100 it/s, about 70 s left"),
        (10_000, [(s, float(s)) for s in range(10_001)], 33, "300 of 10,000 (3%)", ", 1 it/s, about 162 min left"),
        (100, [(100, 0.0), (100, 301.0)], 1, "100 of 100 (100%)", ""),  # a stage that is being compared
        (1000, [(i, i / 100) for i in range(1001)], 0, "", ""),  # over in 10 s: nothing to say
    ],
)  # fmt: skip
def test_off_a_terminal_a_line_every_half_minute_or_five(iterations, watched, count, at, pace):
    lines, (start, began) = [], watched[0]
    log = PlainLines("run", iterations, began, start, lines.append)
    for iteration, seconds in watched:
        log.watch(iteration, 0.5, seconds)
    assert len(lines) == count
    assert lines[:1] == [f"run: iteration {at}, loss 5.00e-01{pace}"][:count]


def test_those_lines_are_printed(call, work, monkeypatch):
    monkeypatch.setattr(progress, "_SECONDS_PER_LINE", 0.0)
    _, _, err = call("train", "add2", "--iterations", "3000", "--out", "run")
    assert 2 <= sum(line.startswith("run: iteration ") for line in err.splitlines()) <= 10
    assert not any(ord(c) < 32 for c in err.replace("\n", ""))
