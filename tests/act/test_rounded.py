"""A network with its hidden state rounded: the same steps in floats, in whole numbers, in fractions; one rollout."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

import dfst
from dfst.act.rounding import Rounding
from dfst.act.weights import Weights
from dfst.errors import FileFormatError, InputError
from dfst.prove.counterexample import telling_problems
from dfst.training.recall import recall
from dfst.training.weights import parse_model
from dfst.world.grid import Area
from dfst.world.policy import Policy, Setup
from tests.prove.exact_network import ExactNetwork


def small_weights(rng, d=3, k=3, large=3):
    """Weights of small whole numbers, so that many scores and roundings are ties."""

    def draw(*shape):
        return np.array([rng.randint(-large, large) / 4 for _ in range(int(np.prod(shape)))]).reshape(shape)

    return Weights(draw(k, d, d), draw(k, k, d), draw(k, 5, d), draw(d))


def test_steps_are_those_of_fractions_at_ties_too():
    rng, ties = random.Random(0), 0
    for _ in range(40):
        weights, bits = small_weights(rng), rng.randint(1, 4)
        rounding, exact = Rounding(weights, bits), ExactNetwork(weights, bits)
        assert rounding.start == exact.start
        vectors = [tuple(rng.randint(-(2**bits), 2**bits) for _ in range(3)) for _ in range(30)]
        for vector in vectors:
            for seen in range(3):
                wanted = exact.step(vector, seen)
                ties += wanted is None or wanted[0] is None
                assert rounding.step(vector, seen) == wanted
    assert ties > 100


def test_steps_of_trained_weights_are_those_of_fractions():
    for name, bits in (("add2:lasting", 5), ("mult2:lasting", 3), ("gcd:raw", 16)):
        model, rng = dfst.load(name), random.Random(1)
        rounding, exact = Rounding(model.weights, bits), ExactNetwork(model, bits)
        vectors = np.array([[rng.randint(-(2**bits), 2**bits) for _ in model.h0] for _ in range(40)])
        for seen in range(len(model.alphabet)):
            after, symbols, moves = rounding.steps(vectors, seen)
            for vector, *found in zip(vectors.tolist(), after.tolist(), symbols, moves, strict=True):
                wanted = exact.step(tuple(vector), seen)
                assert (min(found[1:]) < 0) == (wanted is None)
                assert wanted is None or (tuple(found[0]), *found[1:]) == wanted


@pytest.mark.parametrize("name", ["add2", "copy", "rule110", "collatz", "gcd", "meander"])
def test_compiled_rollouts_are_those_of_the_one_loop_in_python(name):
    model, teacher = dfst.load(f"{name}:rounded"), dfst.task(name)
    for problem in list(telling_problems(model))[::9][:20]:
        tape = model.place(problem)
        for beside in (None, teacher.machine):
            setup = Setup(tape, 10**5, None, beside, record=True)
            reference = Policy.rollout(model, setup)
            for record in (False, True):
                found = model.run(*problem, beside=beside, record=record, step_limit=10**5)
                facts = ("outcome", "steps", "cell", "divergence")
                assert [getattr(found, each) for each in facts] == [getattr(reference, each) for each in facts]
                assert found.grid == reference.grid
                if record:
                    assert all(map(np.array_equal, found.trace, reference.trace))


def test_long_rollouts_on_which_nearly_every_step_is_new_are_those_of_the_one_loop():
    # Many vectors: the table grows by hand between two copies, up to the limit, and out of the area.
    model = dfst.rounded(dfst.load("brackets:raw"), 8)
    for problem in ("()" * 9, "(" * 15 + ")" * 15, ")" * 40):
        tape = model.place([problem])
        for limit, area in ((10_000, None), (137, None), (10_000, Area.around(len(tape), 1))):
            setup = Setup(tape, limit, area, None, False)
            slow, fast = Policy.rollout(model, setup), model.rollout(setup)
            assert (slow.outcome, slow.steps, slow.cell) == (fast.outcome, fast.steps, fast.cell)
            assert slow.grid == fast.grid
    assert len(model.rounding.tables[None].states) > 200


def test_where_it_leaves_its_teacher_is_told_as_by_the_one_loop():
    model, teacher = dfst.rounded("meander:raw", 3), dfst.task("meander").machine
    found = model.run("|", beside=teacher)
    reference = Policy.rollout(model, Setup(model.place(["|"]), 10**5, None, teacher))
    assert found.divergence == reference.divergence is not None


def test_many_rollouts_at_once_are_those_made_one_by_one():
    model = dfst.rounded("copy:raw", 6)
    together = dfst.measure_lengths(model, "copy", to=60, threads=4)
    alone = dfst.measure_lengths(dfst.rounded("copy:raw", 6), "copy", to=60, threads=1)
    assert together == alone
    assert alone.rlg == 60


def test_a_network_that_cannot_be_rounded_is_stuck():
    model = dfst.from_machine(dfst.task("increment").machine)
    ties = dfst.DFST(model.world, Weights(model.A, model.B, model.C, np.array([1, 0.25], np.float32)), "")
    assert dfst.solve(dfst.rounded(ties, 1), "12").outcome == "stuck"  # 2 * 0.25 + 1/2 is a whole number
    nothing = dfst.DFST(model.world, Weights(model.A, model.B, model.C, 0 * model.h0), "")
    assert dfst.rounded(nothing, 3).begin() is None


def test_it_is_saved_and_loaded_with_its_bits(tmp_path):
    model = dfst.rounded("add2:lasting", 5)
    model.save(tmp_path / "net.safetensors")
    again = dfst.load(tmp_path / "net.safetensors")
    assert again == model
    assert again != dfst.rounded("add2:lasting", 6)
    assert again != dfst.load("add2:lasting")
    assert str(dfst.solve(again, "1011", "110").answer) == "10001"
    assert "rounded to 5 bits" in again.describe()


@pytest.mark.parametrize("bits", [0, -1, 17, True, 2.5, "5", None])
def test_what_is_no_number_of_bits_is_refused(bits):
    with pytest.raises(InputError, match="hole number"):
        dfst.rounded("add2:lasting", bits)


def test_it_is_refused_without_assertions_too():
    words = [sys.executable, "-O", "-c", "import dfst; dfst.rounded('add2:lasting', 99)"]
    assert "Give a whole number from 1 to 16" in subprocess.run(words, capture_output=True, text=True).stderr


@pytest.mark.parametrize("bits", [0, 99, "5", [5], 2.0, True])
def test_a_file_with_no_number_of_bits_is_refused(bits, tmp_path):
    content = header_with(dfst.rounded("add2:lasting", 5), bits, tmp_path)
    with pytest.raises(FileFormatError, match="whole number from 1 to 16"):
        parse_model(content)


def header_with(model, bits, folder):
    """The file of a model whose header was changed, its checksum corrected."""
    from dfst.training.weights import model_header, pack

    return pack("model", model_header(model) | {"bits": bits}, model.weights._asdict())


def test_it_does_not_drift():
    with pytest.raises(InputError, match="does not drift"):
        dfst.solve("add2:rounded", "1", "1", beside="add2", drift=True)


@pytest.mark.parametrize(("bits", "right"), [(1, False), (2, False), (3, True)])
def test_what_is_certified_is_what_acts(bits, right):
    """The float model is right; one and two bits are too few for it."""
    model, teacher, traces = dfst.rounded("add2:raw", bits), dfst.task("add2").machine, dfst.sample("add2")
    acted = [model.run(*problem, beside=teacher, step_limit=1000).divergence is None for problem in traces.problems]
    assert all(acted) == right == (recall(model, traces).wrong_traces == 0)
    found = dfst.certify(model, "add2", traces=traces, raw_length=0)
    assert found.exact == right
    assert found.facts.get("own_runs", 0) == acted.count(False)


def test_json_of_a_solution():
    assert json.dumps(dfst.solve("add2:rounded", "1", "1").to_json())
