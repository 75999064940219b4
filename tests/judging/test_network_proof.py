"""dfst certify on the network itself: what it writes, what dfst check says of it, and what it leaves out."""

import json

import numpy as np
import pytest

import dfst
from dfst.errors import InputError, RejectedError
from dfst.judging.network import NETWORK
from dfst.names import find_certificate
from dfst.prove.certificate import load_certificate
from dfst.training.weights import ROUNDED
from tests.prove.exact_network import ExactNetwork, parts, problems


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
    """Along the shipped members, sort-bits' machine reads a 0 from a cell in which it has left a 1."""
    found = dfst.certify("sort-bits:raw", out=tmp_path, raw_length=10)
    members = len(load_certificate(find_certificate("sort-bits"))["members"])
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
