"""A distribution over seeds counts those that left no model."""

import json

from experiments.raw_lengths import main, rows_of
from experiments.report.raw_lengths import spreads

from dfst import RunFolder, recipe
from dfst.runs.run_config import RunConfig
from dfst.teachers.find import find_task
from dfst.until_proven.lasting import train_run


def _run(path, **changes):
    task, paper = find_task("add2"), recipe("paper", "add2").changed(**changes)
    return RunFolder.create(path, RunConfig("add2", paper, task.sampling, task.hidden_dim))


def test_a_seed_that_overflows_has_a_row_of_length_zero(tmp_path):
    (row,) = rows_of(_run(tmp_path / "overflows", learning_rate=1.0), set())
    assert (row["rlg"], row["agrees"], row["loss"]) == (0, 0, None)
    assert "overflowed float32" in row["failed"]
    assert (row["hidden_dim"], row["parameters"]) == (12, 1020)
    (again,) = rows_of(RunFolder.open(tmp_path / "overflows"), set())
    assert again["failed"] == row["failed"]
    assert spreads([row | {"data_seed": 42}])["add2", "paper"].lengths == (0,)


def test_a_seed_that_was_only_stopped_is_trained_to_its_end(tmp_path):
    stopped, whole = (_run(tmp_path / name, iterations=300) for name in ("stopped", "whole"))
    train_run(whole)
    (row,) = rows_of(stopped, set())
    assert "failed" not in row
    assert stopped.model() == whole.model()


def test_the_row_of_a_failure_gives_way_once_the_seed_has_a_model(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.measuring._asked", True)  # nothing is measured here
    run, out = _run(tmp_path / "run", iterations=300), tmp_path / "rows.json"
    main(str(out), str(run.path))
    (row,) = json.loads(out.read_text())["rows"]
    stale, other = row | {"failed": "it overflowed"}, row | {"failed": "it overflowed", "seed": 7}
    out.write_text(json.dumps({"rows": [stale, other]}))
    main(str(out), str(run.path))
    kept, mended = json.loads(out.read_text())["rows"]
    assert (kept["seed"], kept["failed"]) == (7, "it overflowed")
    assert mended["seed"] == row["seed"]
    assert "failed" not in mended
