"""The recipe lasting: dimensions that go, stages that resume, a model that is kept without asking a teacher."""

import json
import math
import shutil
from dataclasses import replace

import pytest

from dfst import RunFolder, sample
from dfst.judging.lengths import Lengths
from dfst.runs.options import Options
from dfst.teachers.find import find_task
from dfst.traces.files import load_traces
from dfst.training import recipes
from dfst.training.fit import DivergedError
from dfst.until_proven import lasting
from dfst.until_proven.lasting import POLISH, kept_stage, stages_of, train_lasting

TASK = "increment"


@pytest.fixture(scope="module", autouse=True)
def short():
    """The first fit is that of the fast recipe; here a short one, which learns this task nevertheless."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(recipes.RECIPES, "fast", recipes.RECIPES["fast"].changed(iterations=4000))
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run from beginning to end; and what it said."""
    config = Options(recipe="lasting", iterations=1600).on(find_task(TASK))
    folder = RunFolder.create(tmp_path_factory.mktemp("whole") / "run", config)
    said = []
    train_lasting(folder, say=said.append)
    return folder, said


def test_the_model_with_the_longest_agreement_is_kept(whole):
    folder, said = whole
    stages = stages_of(folder)
    assert [stage.hidden_dim for stage in stages[:2]] == [6, 5]
    assert stages[-1].agrees is None or stages[-1].hidden_dim < 6
    best = max(stages, key=lambda stage: (stage.agrees or 0, -stage.hidden_dim))
    trainings = [RunFolder.open(folder.path / "stages" / stage.name) for stage in stages]
    assert folder.model() == best.model(folder)
    assert best.steady
    assert folder.model() != trainings[stages.index(best)].model()
    assert folder.records()[-1].iteration == sum(each.options.iterations for each in trainings)
    assert f"dimension {best.hidden_dim} " in (folder.path / "README.md").read_text()
    assert json.loads((folder.path / "manifest.json").read_text())["recipe"] == "lasting"
    assert any(stage.explain() in line for stage in stages for line in said)


def test_a_round_of_polishing_that_diverges_is_left_behind(monkeypatch, work):
    train, tried = RunFolder.train, []

    def diverge(folder, **options):
        if folder.path.name.startswith(POLISH):
            tried.append(folder.path.name)
            raise DivergedError("the gradient overflowed")
        return train(folder, **options)

    monkeypatch.setattr(RunFolder, "train", diverge)
    monkeypatch.setattr(lasting, "self_agreement", lambda *_, **__: Lengths(5, 5, 200, ()))
    config = Options(recipe="lasting", iterations=160).on(find_task(TASK))
    folder = RunFolder.create(work / "run", config)
    train_lasting(folder)
    folder.model_path.unlink()
    train_lasting(folder)
    assert tried == [f"{POLISH}{number}" for number in (1, 3, 4, 5)]
    losses = [stage.loss for stage in stages_of(folder) if stage.name.startswith(POLISH)]
    assert (len(losses), any(map(math.isfinite, losses))) == (4, False)
    assert folder.model() == kept_stage(folder).model(folder)


def test_a_first_fit_that_fails_is_said(work):
    config = Options(recipe="lasting", hidden_dim=1, iterations=8).on(find_task(TASK))
    with pytest.raises(Exception, match="no dimension can be taken away"):
        train_lasting(RunFolder.create(work / "run", config))


def test_damaged_notes_are_said(whole, call, work):
    shutil.copytree(whole[0].path, work / "run")
    (work / "run/stages.json").write_text("[{")
    status, _, said = call("train", TASK, "--recipe", "lasting", "--iterations", "1600", "--out", "run", "--resume")
    assert status == 1
    assert "stages.json: it is damaged" in said


@pytest.mark.slow
def test_a_stopped_run_goes_on_and_ends_with_the_same_bytes(whole, work):
    class StopError(Exception):
        pass

    def stop_in(name):
        def watch(progress):
            if progress.stage == name and progress.iteration > 50:
                raise StopError

        return watch

    folder, _ = whole
    stopped = RunFolder.create(work / "stopped", folder.options)
    for number in (0, 2, -1):
        with pytest.raises(StopError):
            train_lasting(stopped, watch=stop_in(stages_of(folder)[number].name))
    train_lasting(stopped)
    assert stopped.model_path.read_bytes() == folder.model_path.read_bytes()
    ends = [[replace(stage, seconds=0.0) for stage in stages_of(each)] for each in (stopped, folder)]
    assert ends[0] == ends[1]


@pytest.mark.slow
def test_traces_alone_are_enough(call, work):
    replace(sample(find_task(TASK)), task="mine").save(work / "mine.jsonl")
    words = ["--recipe", "lasting", "--iterations", "1600", "--hidden-dim", "4", "--out", "run"]
    status, said, _ = call("train", "mine.jsonl", *words)
    assert status == 0
    assert "learned" in said
    folder = RunFolder.open(work / "run")
    assert len(load_traces(folder.path / "stages/d4/traces.jsonl")) == len(folder.traces())
    assert folder.model().hidden_dim < 4
