"""Self-practice: a run that goes on from its own weights, on traces of its own machine."""

from dataclasses import replace

import pytest

from dfst import InputError, RunFolder, from_machine, load_machine, load_model, recipe, save_machine, save_model
from dfst.cli import app
from dfst.prove.compare import compare
from dfst.runs.new_folder import START
from dfst.runs.run_config import RunConfig
from dfst.study.names import find_policy
from dfst.teachers.find import find_task
from dfst.teachers.practice import practice_problems, practice_sampling, practise
from dfst.teachers.sampling import Sampling
from dfst.world.run import run


@pytest.fixture
def taught(tmp_path):
    """A finished run whose model and machine are the teacher's: practice has nothing to improve."""
    add2 = find_task("add2")
    folder = RunFolder.create(tmp_path / "taught", RunConfig("add2", recipe("fast", "add2"), add2.sampling, 12))
    save_model(from_machine(add2.machine, 12), folder.model_path)
    save_machine(add2.machine, folder.path / "machine.dfst")
    return folder


@pytest.mark.parametrize("task", ["add2", "add10", "mult2"])
def test_problems_have_every_length_and_long_runs(task):
    machine = find_task(task).machine
    traces = practise(machine, Sampling(0, 6, 400), seed=3)
    numbers = [number for problem in traces.problems for number in problem]
    assert {len(number) for number in numbers} == set(range(1, 7))
    assert sum(len(set(number)) == 1 for number in numbers if len(number) > 4) > 20
    assert traces.sha256 == practise(machine, Sampling(0, 6, 400), seed=3).sha256
    assert len(traces[7].seen) == run(machine, *traces.problems[7]).steps


def test_a_practice_run_needs_nothing_but_its_folder(taught, tmp_path, capsys):
    command = ["train", "add2", "--practice", str(taught.path), "--out", str(tmp_path / "practice")]
    with pytest.raises(SystemExit, match="0"):
        app([*command, "--iterations", "20", "--n", "30", "--digits", "5"], exit_on_error=False)
    (taught.path / "machine.dfst").unlink()
    folder = RunFolder.open(tmp_path / "practice")
    assert folder.config.practice
    assert folder.config.recipe.name == "practice"
    assert folder.config.sampling == Sampling(0, 5, 30)
    assert max(len(number) for problem in folder.traces().problems for number in problem) <= 5
    assert folder.model().hidden_dim == taught.model().hidden_dim
    assert "extracted from the weights" in (folder.path / "README.md").read_text()


def test_what_cannot_be_practised_is_said(taught, tmp_path):
    def message(*options):
        with pytest.raises(InputError) as caught:
            app(["train", *options, "--out", str(tmp_path / "p")], exit_on_error=False)
        return str(caught.value)

    assert "a model of add2" in message("add10", "--practice", str(taught.path))
    assert "1 to 200 digits" in message("add2", "--practice", str(taught.path), "--digits", "0")
    assert "training traces" in message("add2", "--practice", str(taught.model_path))
    (taught.path / "machine.dfst").unlink()
    assert "dfst certify" in message("add2", "--practice", str(taught.path))


def test_a_model_that_comes_with_dfst_practises_with_the_machine_extracted_from_it(tmp_path):
    command = ["train", "add2", "--practice", "add2:lasting", "--out", str(tmp_path / "practice")]
    with pytest.raises(SystemExit, match="0"):
        app([*command, "--iterations", "20", "--n", "30", "--digits", "5"], exit_on_error=False)
    folder = RunFolder.open(tmp_path / "practice")
    lasting = find_policy("add2:lasting")
    assert load_model(folder.path / START) == lasting.policy
    assert compare(lasting.task().machine, load_machine(folder.path / "practice.dfst")).exact
    other = ["train", "add2", "--practice", "add2:raw", "--out", str(tmp_path / "practice"), "--resume"]
    with pytest.raises(InputError, match="its hidden dim is 8"):
        app(other, exit_on_error=False)


def test_a_practice_run_is_not_resumed_with_another_model(taught, tmp_path):
    command = ["train", "add2", "--practice", str(taught.path), "--out", str(tmp_path / "practice")]
    with pytest.raises(SystemExit, match="0"):
        app([*command, "--iterations", "20", "--n", "30"], exit_on_error=False)
    with pytest.raises(SystemExit, match="0"):
        app([*command, "--resume"], exit_on_error=False)
    model = taught.model()
    save_model(replace(model, A=model.A * 2), taught.model_path)
    with pytest.raises(InputError, match="it practises with another model"):
        app([*command, "--resume"], exit_on_error=False)


def test_a_task_of_another_radix_practises_too():
    assert practice_sampling("add7") == practice_sampling("add10")


def test_unequal_operands_are_long_but_their_runs_are_not():
    machine = find_task("mult2").machine
    equal, unequal = (practice_problems(machine, Sampling(p, 5, 300), seed=1) for p in (0, 20))
    assert max(len(a) for a, _ in equal) == 5
    assert max(max(map(len, pair)) for pair in unequal) > 15
    assert all(len(a) * len(b) <= 25 for a, b in unequal)
