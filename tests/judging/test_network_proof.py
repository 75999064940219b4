"""dfst certify on the network itself: what it writes, what dfst check says of it, and what it leaves out."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dfst
from dfst.act.rounding import Rounding
from dfst.act.weights import Weights
from dfst.errors import InputError, RejectedError
from dfst.judging.network import NETWORK, prove_network
from dfst.names import find_certificate
from dfst.prove import checker, network_checker
from dfst.prove.certificate import load_certificate
from dfst.training.weights import ROUNDED
from dfst.world.alphabet import Alphabet
from tests.planted import plant
from tests.prove.exact_network import ExactNetwork, parts, problems
from tests.small import header


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the network of collatz is proven."""
    out = tmp_path_factory.mktemp("collatz")
    dfst.certify("collatz:raw", out=out, raw_length=10)
    return out


def test_certify_proves_the_network_itself(folder):
    found = dfst.certify("collatz:raw", raw_length=10)
    assert found.network is not None
    assert found.network.exact
    assert found.facts["network"]["verdict"] == "exact"
    assert "the network itself, hidden state rounded to 3 bits, acts like the teacher on every input" in found.explain()
    assert "nothing is proven about it without rounding: its own RLG is" in found.explain()
    record = json.loads((folder / "certification.json").read_text())
    assert record["network"]["network"] == str(folder / NETWORK)
    assert dfst.load(folder / ROUNDED).bits == 3
    assert json.loads(json.dumps(found.to_json())) == found.to_json()


def test_a_network_is_proven_along_a_finer_certificate_where_the_first_has_impossible_paths(tmp_path):
    """Along the fewest members, sort-bits' machine reads a 0 from a cell in which it has left a 1."""
    found = dfst.certify("sort-bits:raw", out=tmp_path, raw_length=10)
    members = dfst.compare("sort-bits", "sort-bits:machine").size
    assert found.network.tried[0].endswith("members: in member 14 it acts differently")
    assert f"{members} members" in found.network.tried[0]
    assert found.network.exact
    written = json.loads((tmp_path / "certificate.json").read_text())
    assert members < len(written["members"]) == found.facts["configurations"] == found.facts["network"]["members"]
    assert written["claim"] == {"scope": "on every input", "teacher_never_stuck": True}
    assert found.facts["teacher_never_stuck"]
    checked = dfst.check(tmp_path)
    assert checked.compared == ("weights", "machine")
    assert checked.network["pairs"] == found.network.closed.pairs
    model, teacher = dfst.load(tmp_path / ROUNDED), dfst.task("sort-bits").machine
    exact = ExactNetwork(model, model.bits)
    assert not any(parts(exact, teacher, problem) for problem in problems(teacher, 9, 2000))


def test_check_verifies_the_network_of_a_folder(folder):
    checked = dfst.check(folder)
    assert checked.network["bits"] == 3
    assert "the network itself, hidden state rounded to 3 bits, does what its teacher does" in checked.explain()
    assert checked.to_json()["network"]["bits"] == 3
    assert dfst.check("collatz:rounded").network["bits"] == 3
    assert not dfst.check("collatz").network


@pytest.mark.parametrize("name", [NETWORK, ROUNDED])
def test_a_changed_network_in_a_folder_is_rejected(folder, name, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
    with pytest.raises(RejectedError, match="rejected: "):
        dfst.check(tmp_path)


def test_an_earlier_proof_of_a_network_does_not_stay(folder, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    dfst.certify("collatz:raw", out=tmp_path, raw_length=0)
    assert (tmp_path / "certificate.json").exists()
    assert not (tmp_path / NETWORK).exists()
    assert not (tmp_path / ROUNDED).exists()


def test_a_rounded_network_is_proven_with_its_own_bits():
    assert dfst.certify("collatz:rounded", raw_length=5).network.model.bits == 3
    assert dfst.certify("increment:rounded", raw_length=5).network.model.bits == 1
    refuted = dfst.certify("increment:rounded", "double", raw_length=5)
    assert "the rounded network is not what is certified: its own RLG is 0 digits" in refuted.explain()


def test_where_the_teacher_may_get_stuck_nothing_is_claimed_of_a_network(tmp_path):
    """A machine is stuck with its teacher, but a network goes on: here, to one more step."""
    partial = header() + "---\nwalk 0 -> = R =\nwalk _ -> = S halt\n"
    total = partial + "walk 1 -> = R =\n"
    teacher, other = (dfst.GridMachine.parse(text) for text in (partial, total))
    content, traces = dfst.compare(teacher, teacher).certificate().content, dfst.record(teacher, [("00",), ("0",)])
    assert content["claim"] == {"scope": checker.CLAIM[False], "teacher_never_stuck": False}
    verdict = prove_network(dfst.from_machine(other), content, traces, teacher)
    assert verdict is not None
    assert verdict.proven
    assert verdict.conclusion.value == "exact until the teacher is stuck"
    assert "acts like the teacher on every input, up to where the teacher gets stuck" in verdict.explain()
    verdict.save(tmp_path)
    files = [tmp_path / name for name in ("certificate.json", NETWORK, ROUNDED)]
    assert network_checker.verify(*(file.read_bytes() for file in files))["scope"] == checker.CLAIM[True]
    checked = dfst.check(tmp_path, teacher=teacher)
    assert "up to where the teacher gets stuck, the network itself" in checked.explain()
    stated = json.loads(files[1].read_text()) | {"scope": checker.CLAIM[False]}
    stated["digest"] = checker.sha256({key: value for key, value in stated.items() if key != "digest"})
    files[1].write_text(json.dumps(stated))
    with pytest.raises(RejectedError, match="it claims what the certificate does not prove"):
        dfst.check(tmp_path)


def test_a_proof_that_leaves_open_whether_the_teacher_gets_stuck_is_followed_by_one_that_does_not():
    task = dfst.task("unary-to-binary")
    machine = dfst.from_machine(dfst.load("unary-to-binary:machine"))
    content = dfst.compare("unary-to-binary", "unary-to-binary:machine").certificate().content
    assert not content["claim"]["teacher_never_stuck"]
    verdict = prove_network(machine, content, task.sample(), task.machine)
    assert verdict is not None
    assert verdict.certificate["claim"]["teacher_never_stuck"]
    assert verdict.explain().endswith("acts like the teacher on every input (3 hidden vectors, 636 pairs)")


def test_the_start_counts_among_the_roundings_that_may_tie(tmp_path):
    """In float32, h0 is rounded to another vector than in exact numbers."""
    task = dfst.task("increment")
    one_hot = dfst.from_machine(task.machine)
    d, more = one_hot.hidden_dim, {}
    for name in ("A", "B", "C", "h0"):
        old = getattr(one_hot, name)
        new = np.zeros([d + 1 if size == d and i else size for i, size in enumerate(old.shape)], np.float32)
        if name == "h0":
            new = np.array([1, 0, 0.25 - 2**-26], np.float32)
        else:
            new[tuple(slice(size) for size in old.shape)] = old
        more[name] = new
    model = dfst.DFST(one_hot.world, Weights(**more), one_hot.name)
    content = load_certificate(find_certificate("increment"))
    verdict = prove_network(dfst.rounded(model, 1), content, task.sample(), task.machine)
    assert verdict is not None
    verdict.save(tmp_path)
    files = [(tmp_path / name).read_bytes() for name in ("certificate.json", NETWORK, ROUNDED)]
    report = network_checker.verify(*files)
    assert report["nearest_rounding_tie"] == 2**-25
    assert report["same_steps_in_any_order_of_summation"] == ["float64"]


def test_the_network_of_a_run_is_that_runs_own(tmp_path):
    task, run = dfst.task("increment"), tmp_path / "run"
    dfst.train("increment", dfst.Options(out=run))
    dfst.certify(str(run), out=run, raw_length=5)
    assert dfst.load(f"{run}:rounded").run("1299").answer.text == "1300"
    assert "its weights: SHA-256" in dfst.check(run).explain() == dfst.check(f"{run}:rounded").explain()
    assert dfst.check(f"{run}:machine").network["bits"]
    assert [dfst.evaluate(f"{run}{part}", to=3).lengths.plg for part in ("", ":rounded", ":machine", "")] == [3] * 4
    for part, what in ((run, "it is a trained network, not a machine"), (f"{run}:rounded", "it is a trained network")):
        with pytest.raises(InputError, match=what):
            dfst.compare("increment", part)
    with pytest.raises(InputError, match="not a machine"):
        dfst.export(f"{run}:rounded", out=tmp_path / "drawn.dot")
    with pytest.raises(InputError, match="the files of the proof would replace it"):
        dfst.certify(f"{run}:rounded", out=run)
    with pytest.raises(InputError, match="a proof about a network"):
        dfst.check(run / NETWORK)
    content = load_certificate(run / "certificate.json")
    other = prove_network(dfst.from_machine(task.machine), content, task.sample(), task.machine)
    assert other is not None
    other.save(run)
    with pytest.raises(RejectedError, match=r"its weights are not those of model\.safetensors"):
        dfst.check(run)
    for name, again in ((ROUNDED, other.save), (NETWORK, other.save), ("certificate.json", lambda _: None)):
        (run / name).unlink()
        for look in (dfst.load, dfst.check):
            with pytest.raises(InputError, match="the network in it is not proven"):
                look(f"{run}:rounded")
        again(run)


def test_a_proof_whose_network_is_missing_is_rejected(folder, tmp_path):
    for path in folder.iterdir():
        if path.name != ROUNDED:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(RejectedError, match="it is missing"):
        dfst.check(tmp_path)


def test_a_network_is_proven_beside_a_teacher_with_other_symbol_order(tmp_path):
    teacher = dfst.task("collatz").machine
    order = Alphabet(teacher.alphabet.symbols[::-1], teacher.alphabet.blank, teacher.alphabet.classes)
    found = dfst.certify("collatz:raw", teacher.reordered(order), out=tmp_path, raw_length=10)
    assert found.network is not None
    assert found.network.exact
    assert dfst.check(tmp_path).network["bits"] == 3


def test_a_measured_length_ends_where_it_was_measured(tmp_path):
    """The teacher of binary-to-unary takes too long beyond 12 digits."""
    found = dfst.certify("binary-to-unary:rounded", raw_length=100)
    assert found.facts["raw"]["rlg"] == found.facts["raw"]["measured_to"] < 100
    assert "its own RLG is at least" in found.explain()


def test_weights_beyond_the_limit_are_refused_before_they_are_read():
    content = load_certificate(find_certificate("increment"))
    header = {"__metadata__": {"dfst": json.dumps({key: content[key] for key in checker.WORLD})}}
    header |= {"A": 0, "B": 0, "C": 0} | {"h0": {"dtype": "F32", "shape": [1000], "data_offsets": [0, 4000]}}
    text = json.dumps(header).encode()
    with pytest.raises(network_checker.Rejected, match="more than 2,000,000 numbers, its limit"):
        network_checker.read_weights(len(text).to_bytes(8, "little") + text, content)


def test_the_second_checker_alone_and_with_large_files(tmp_path):
    alone = tmp_path / "network_checker.py"
    alone.write_bytes(Path(network_checker.__file__).read_bytes())
    done = subprocess.run([sys.executable, "-I", alone], capture_output=True, text=True, check=False)
    assert done.stderr == "network_checker.py needs checker.py beside it: copy both files.\n"
    with (tmp_path / "big").open("wb") as file:
        file.truncate(checker.MAX_BYTES + 1)
    command = [sys.executable, "-I", network_checker.__file__, *[tmp_path / "big"] * 3]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "rejected: a file is too large\n")


def test_the_second_checker_runs_the_first_one_beside_it_and_not_a_cache(tmp_path):
    for module in (checker, network_checker):
        (tmp_path / Path(module.__file__).name).write_bytes(Path(module.__file__).read_bytes())
    plant(tmp_path / "checker.py", 'print("another")\n')
    command = [sys.executable, "-I", tmp_path / "network_checker.py", *[tmp_path / "checker.py"] * 3]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "rejected: it is not JSON text (line 1)\n"), done.stderr
    assert network_checker.Rejected is checker.Rejected  # in dfst they are one


def test_overflowing_scores_are_computed_exactly():
    rng = np.random.default_rng(0)
    machine = dfst.from_machine(dfst.task("increment").machine).astype(np.float64)
    big = {name: rng.normal(size=getattr(machine, name).shape) * 1.5e307 for name in ("A", "B", "C", "h0")}
    model = dfst.DFST(machine.world, Weights(**big), machine.name)
    exact, rounding = ExactNetwork(model, 4), Rounding(model.weights, 4)
    for _ in range(50):
        h, x = tuple(rng.integers(-16, 17, 2).tolist()), int(rng.integers(len(machine.alphabet)))
        if any(h):
            assert rounding.step(h, x) == exact.step(h, x)


def test_a_network_in_float64_is_left_alone(tmp_path):
    """The second checker reads float32 only."""
    collatz = dfst.task("collatz")
    model = dfst.load("collatz:raw").astype(np.float64)
    found = dfst.certify(model, "collatz", traces=collatz.sample(), out=tmp_path, raw_length=5)
    assert found.exact
    assert found.network is None
    assert not (tmp_path / NETWORK).exists()


def test_names_of_networks_that_are_not_there():
    with pytest.raises(InputError, match="no rounded model of add10 comes with dfst"):
        dfst.load("add10:rounded")
    with pytest.raises(InputError, match="no certificate comes with it"):
        dfst.check("add10:rounded")


def test_rounded_networks_are_measured_like_every_policy():
    assert dfst.measure_lengths("add2:rounded", to=60).rlg == 60
    assert not dfst.diff("gcd:rounded", to=12).found
    assert dfst.evaluate("copy:rounded", to=30, rlg=True).lengths.rlg == 30


def test_a_page_shows_a_rounded_network(tmp_path):
    assert dfst.view("add2:rounded", "11", "1", out=tmp_path / "sum.html").exists()
