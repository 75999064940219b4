"""Run folders: made, stopped, killed, damaged, resumed."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dfst import RunFolder
from dfst.runs.options import Options
from dfst.teachers.find import find_task
from dfst.training.fit import fit
from dfst.training.model import identity_model
from tests.sweep.nodes import until

DFST = str(Path(sys.executable).with_name("dfst"))


def config(iterations=400, **changes):
    return Options(iterations=iterations, **changes).on(find_task("add2"))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def written(run):
    """How many records of its training a run folder has."""
    metrics = run / "metrics.jsonl"
    return metrics.read_bytes().count(b"\n") if metrics.exists() else 0


def test_a_run_from_beginning_to_end(tmp_path):
    run = RunFolder.create(tmp_path / "run", config())
    final = run.train()
    names = {path.name for path in run.path.iterdir()} - {".lock"}
    assert names == {"config.toml", "manifest.json", "metrics.jsonl", "checkpoints", "model.safetensors", "README.md"}
    assert RunFolder.open(run.path) == run
    records = run.records()
    assert [record.iteration for record in records] == list(range(2, 401, 2))
    assert records[-1].loss < records[0].loss
    facts = json.loads((run.path / "manifest.json").read_text())
    assert facts["data_sha256"] == run.traces().sha256
    assert {"command", "commit", "cpu", "packages", "python", "seed"} <= set(facts)
    assert f"{final:.3e}" in (run.path / "README.md").read_text()
    model, history = fit(
        identity_model(run.traces().world, 12, name="add2"),
        run.traces(),
        run.options.training,
    )
    assert model == run.model()
    assert history.final_loss == final


def test_a_training_resumed_from_other_sources_names_both_commits(tmp_path, monkeypatch):
    run, first, second = RunFolder.create(tmp_path / "run", config(iterations=40)), "1" * 40, "2" * 40 + "+"

    def interrupt(progress):
        raise KeyboardInterrupt

    def commits():
        made = json.loads((run.path / "manifest.json").read_text())
        return [facts["commit"] for facts in (made, *made.get("resumed", [])) if "commit" in facts]

    for commit, expected in ((first, [first]), (first, [first]), (second, [first, second]), (second, [first, second])):
        monkeypatch.setattr("dfst.manifest.commit", lambda commit=commit: commit)
        with pytest.raises(KeyboardInterrupt):
            run.train(watch=interrupt)
        assert commits() == expected
    (run.path / "manifest.json").write_text("[]")
    run.train()
    assert commits() == [second]
    monkeypatch.setattr("dfst.manifest.commit", lambda: first)
    run.train()  # it is finished: nothing is trained any more
    assert commits() == [second]


@pytest.mark.parametrize("engine", ["fused", "jax"])
def test_interrupted_and_resumed_is_the_same_to_the_bit(tmp_path, engine):
    whole = RunFolder.create(tmp_path / "whole", config(engine=engine, growth=0.3))
    whole.train()
    broken = RunFolder.create(tmp_path / "broken", config(engine=engine, growth=0.3))
    for stop_at in (50, 130, 333):

        def interrupt(progress, stop_at=stop_at):
            if progress.iteration >= stop_at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            broken.train(watch=interrupt)
    broken.train()
    assert digest(broken.model_path) == digest(whole.model_path)
    strip = [record._replace(seconds=0) for record in broken.records()]
    assert strip == [record._replace(seconds=0) for record in whole.records()]


def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path):
    whole = RunFolder.create(tmp_path / "whole", config())
    whole.train()
    run = RunFolder.create(tmp_path / "run", config())

    def interrupt(progress):
        if progress.iteration >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.train(watch=interrupt)
    newest = sorted((run.path / "checkpoints").iterdir())[-1]
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    notes = []
    run.train(say=notes.append)
    assert "checksum" in notes[0]
    assert digest(run.model_path) == digest(whole.model_path)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "kills", "per_kill"), [("fused", 3, 20_000), ("jax", 2, 3_000)])
def test_kill_minus_nine(tmp_path, engine, kills, per_kill, record_property):
    """SIGKILL at random moments, resume each time; experiments/faults.py asks for more than CI has time for."""
    kills *= int(os.environ.get("DFST_TIMES", "1"))
    iterations = str(per_kill * kills)  # so many that the run outlives all the kills
    often = tmp_path / "often.toml"
    often.write_text("checkpoint_seconds = 0.02\n")
    words = [DFST, "train", "add2", "--engine", engine, "--iterations", iterations]
    subprocess.run([*words, "--out", str(tmp_path / "whole")], check=True, capture_output=True)
    words += ["--config", str(often)]
    rng, killed, run = random.Random(9), 0, tmp_path / "killed"
    for _ in range(kills):
        more = written(run) + 20 * rng.random()  # of the 200 records of the whole training, however fast it is
        process = subprocess.Popen([*words, "--out", str(run), "--resume"], stdout=-1, stderr=-1)
        until(lambda more=more: written(run) > more, time.monotonic() + 900, process)
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = subprocess.run([*words, "--out", str(tmp_path / "killed"), "--resume"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert killed == kills
    models = [digest(tmp_path / name / "model.safetensors") for name in ("whole", "killed")]
    facts = {"kills": killed, "runs": 1, "failed": [], "different": int(models[0] != models[1])}
    record_property("kills", json.dumps(facts))
    assert models[0] == models[1]


@pytest.mark.parametrize("line", ["", "practice = false\n"])
def test_a_run_of_format_1_is_read(tmp_path, line):
    config = Options().on(find_task("add2"))
    (tmp_path / "config.toml").write_text(line + config.dump())
    assert RunFolder.open(tmp_path).options == config


def test_numbers_that_are_not_finite_are_null_in_json(call, work):
    """Plain Adam on a rate far too high: the gradient and soon the loss overflow."""
    rate = 'recipe = "paper"\nlearning_rate = 1.0\non_nonfinite = "skip"\niterations = 400\nbatch = 4\n'
    (work / "rate.toml").write_text(rate)

    def parsed(text):
        return json.loads(text, parse_constant=pytest.fail)

    code, out, _ = call("train", "mult2", "--config", "rate.toml", "--out", "run", "--json")
    assert (code, parsed(out)["loss"]) == (0, None)
    lines = [parsed(line) for line in (work / "run" / "metrics.jsonl").read_text().splitlines()]
    assert (lines[-1]["gradient_norm"], lines[-1]["nonfinite"] > 0) == (None, True)
    assert [record.iteration for record in RunFolder.open(Path("run")).records()] == list(range(2, 401, 2))
    assert call("train", "mult2", "--config", "rate.toml", "--out", "run", "--resume")[0] == 0
    assert [parsed(line) for line in (work / "run" / "metrics.jsonl").read_text().splitlines()] == lines


@pytest.mark.parametrize(
    "change", [{"iteration": "x"}, {"seconds": "x"}, {"iteration": None}, {"seconds": [1]}, {"loss": {}}, {"more": 1}]
)
def test_a_record_of_another_kind_does_not_count(call, work, change):
    assert call("train", "increment", "--out", "run", "--iterations", "200")[0] == 0
    metrics = work / "run" / "metrics.jsonl"
    first, second, *rest = map(json.loads, metrics.read_text().splitlines())
    metrics.write_text("".join(json.dumps(line) + "\n" for line in (first, second | change, *rest)))
    assert call("train", "increment", "--out", "run", "--iterations", "200", "--resume")[0] == 0
    assert [record.iteration for record in RunFolder.open(Path("run")).records()] == [first["iteration"]]
