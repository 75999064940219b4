"""Proofs about networks: the closure beside its slow twin, the second checker, and attacks on it."""

import hashlib
import json
import random
import subprocess
import sys

import numpy as np
import pytest

import dfst
from dfst.act.rounding import Rounding
from dfst.act.weights import Weights
from dfst.judging.checking import CERTIFICATE_NAME
from dfst.judging.network import NETWORK, prove_network
from dfst.names import find_certificate
from dfst.prove import checker, network_checker
from dfst.prove.certificate import load_certificate
from dfst.prove.counterexample import problem_on_which
from dfst.prove.network import close, edges_of, finer
from dfst.shipped import catalogue
from dfst.training.weights import ROUNDED, model_bytes
from dfst.world.moves import Move
from tests.prove.exact_network import ExactNetwork, parts, problems
from tests.prove.scripts import output

SHIPPED = [offer.name for offer in catalogue() if "rounded" in offer.models]


def files_of(name):
    """The three files of a shipped proof about a network: certificate, network.json, weights."""
    path = find_certificate(f"{name}:rounded")
    return path, *(path.with_name(CERTIFICATE_NAME.sub(file, path.name)) for file in (NETWORK, ROUNDED))


def contents_of(name):
    return [path.read_bytes() for path in files_of(name)]


def stated(content, **changes):
    """network.json with changes, its digest made to fit."""
    found = json.loads(content) | changes
    found["digest"] = checker.sha256({key: value for key, value in found.items() if key != "digest"})
    return json.dumps(found).encode()


def test_networks_that_are_proven_come_with_dfst():
    assert {"add2", "increment", "copy", "halve", "rule110", "collatz", "gcd", "meander"} <= {*SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_proof_is_verified_by_a_script_that_needs_only_python(name):
    command = [sys.executable, "-I", network_checker.__file__, *map(str, files_of(name))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    model = dfst.load(f"{name}:rounded")
    first = f"verified: {network_checker.checker.CLAIM[False]}"
    assert done.stdout.startswith(first)
    assert f"rounded to {model.bits} bit{'s' * (model.bits != 1)}, acts like the teacher" in done.stdout
    assert "not claimed: anything about the network without rounding" in done.stdout


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_network_acts_like_its_teacher_on_inputs_of_up_to_six_symbols(name):
    model, teacher = dfst.load(f"{name}:rounded"), dfst.task(name).machine
    exact = ExactNetwork(model, model.bits)
    assert not any(parts(exact, teacher, problem) for problem in problems(teacher, 6, 150))


@pytest.mark.parametrize("name", ["increment", "copy", "collatz", "gcd", "brackets", "subtract"])
def test_the_closure_finds_what_its_slow_twin_finds(name):
    content, model = load_certificate(find_certificate(name)), dfst.load(f"{name}:raw")
    edges, steps = edges_of(content), network_checker.steps_of(content)
    *tensors, _, _ = network_checker.read_weights(model_bytes(model), content)
    for bits in (1, 2, 3):
        found = close(Rounding(model.weights, bits), edges)
        try:
            pairs, vectors, _ = network_checker.close(tensors, 1 << bits, content["starts"], steps)
        except network_checker.Rejected:
            assert found.wrong
        else:
            assert (found.pairs, found.vectors, found.reason) == (pairs, vectors, "")


@pytest.mark.parametrize(("name", "bits"), [("brackets", 1), ("meander", 3), ("subtract", 2), ("halve", 3)])
def test_a_path_to_a_wrong_step_becomes_a_problem_on_which_the_network_is_wrong(name, bits):
    model, teacher = dfst.load(f"{name}:raw"), dfst.task(name).machine
    found = close(Rounding(model.weights, bits), edges_of(load_certificate(find_certificate(name))))
    shown = [problem for path in found.paths if (problem := problem_on_which(teacher, path))]
    assert found.wrong
    assert shown
    assert all(parts(ExactNetwork(model, bits), teacher, problem) for problem in shown)


@pytest.mark.parametrize("name", ["increment", "subtract", "meander", "rule110", "gcd"])
def test_a_problem_is_found_on_which_just_this_is_seen(name):
    teacher = dfst.task(name).machine
    for trace in dfst.record(teacher, problems(teacher, 4, 30)):
        path = trace.seen.tolist()
        found = problem_on_which(teacher, path)
        assert found is not None
        assert dfst.record(teacher, [found])[0].seen.tolist() == path
        assert problem_on_which(teacher, [*path, path[-1]]) is None
    assert problem_on_which(teacher, [teacher.alphabet.blank_index]) is None


@pytest.mark.parametrize("name", ["sort-bits", "brackets", "unary-to-binary", "double", "binary-to-unary", "subtract"])
def test_finer_certificates_are_verified_and_claim_no_less(name):
    content, count = load_certificate(find_certificate(name)), 0
    before = checker.verify(content)
    for each in finer(content, dfst.task(name).machine):
        after = checker.verify(each)
        assert {key: after[key] for key in ("scope", "teacher", "learner")} == {
            key: before[key] for key in ("scope", "teacher", "learner")
        }
        assert after["teacher_never_stuck"] >= before["teacher_never_stuck"]
        assert (each["hashes"], each["learner"]) == (content["hashes"], content["learner"])
        count += 1
    assert count


def test_the_closure_ends_within_counted_work():
    content, model = load_certificate(find_certificate("add2")), dfst.load("add2:lasting")
    few = close(Rounding(model.weights, 5), edges_of(content), pairs=1000)
    assert (few.reason, few.wrong) == ("there are more than 1,000 pairs of member and vector", False)
    few = close(Rounding(model.weights, 5), edges_of(content), products=100)
    assert few.reason == "there are more than 100 products of vector and symbol"


def test_a_network_that_is_refuted_is_wrong_on_the_problem_shown():
    task, content = dfst.task("meander"), load_certificate(find_certificate("meander"))
    verdict = prove_network(dfst.rounded("meander:raw", 3), content, task.sample(), task.machine)
    assert verdict is None  # it does not even do what its traces show
    brackets, content = dfst.task("brackets"), load_certificate(find_certificate("brackets"))
    for bits in range(1, 9):
        model = dfst.rounded("brackets:raw", bits)
        verdict = prove_network(model, content, brackets.sample(), brackets.machine)
        if verdict is not None and verdict.difference:
            problem = verdict.difference.removeprefix("on ").partition(",")[0]
            assert parts(ExactNetwork(model, bits), brackets.machine, [problem])
            assert not verdict.exact
            assert verdict.explain().startswith(f"the network itself, hidden state rounded to {bits} bit")
            return
    pytest.fail("no rounding of it is refuted")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"bits": 4}, "the weights' header does not name this number of bits"),
        ({"bits": 0}, "the number of bits is not a whole number from 1 to 16"),
        ({"bits": True}, "the number of bits is not a whole number from 1 to 16"),
        ({"pairs": 42}, "it states another number of pairs or of vectors"),
        ({"vectors": 15}, "it states another number of pairs or of vectors"),
        ({"scope": checker.CLAIM[True]}, "it claims what the certificate does not prove"),
        ({"format": "dfst-network/2"}, "its format is not dfst-network/1"),
        ({"certificate": "0" * 64}, "it names another certificate"),
        ({"weights": "0" * 64}, "it names other weights: the SHA-256 differs"),
        ({"more": 1}, "the network's file has not the keys it should (look at 'more')"),
    ],
)
def test_what_network_json_states_must_be_so(changes, why):
    certificate, network, weights = contents_of("collatz")
    with pytest.raises(network_checker.Rejected) as rejected:
        network_checker.verify(certificate, stated(network, **changes), weights)
    assert str(rejected.value) == why


def turning(d):
    """A teacher that walks for ever, and a network whose hidden state turns by an angle that no rounding closes."""
    header = 'format = 1\nname = "walk"\nsymbols = ["0", "_"]\nblank = "_"\nstart = "go"\n[classes]\ndigit = ["0"]\n'
    header += '[input]\ncells = ["digit+"]\nhead = [0, 0]\n[answer]\nrow = 0\ncells = "digit"\n---\n'
    machine = dfst.GridMachine.parse(header + "go 0,_ -> = R go\n")
    content, rng = dfst.compare(machine, machine).certificate().content, np.random.default_rng(1)
    A, B, C = (np.zeros((2, n, d), np.float32) for n in (d, 2, 5))
    for x in range(2):
        A[x, 0, 0] = B[x, x, 0] = C[x, Move.R, 0] = 1
        A[x, 1:, 1:] = np.linalg.qr(rng.normal(size=(d - 1, d - 1)))[0]
    h0 = np.array([1, *rng.normal(size=d - 1) / 10], np.float32)
    return content, dfst.rounded(dfst.DFST(machine.world, Weights(A, B, C, h0), "walk"), 16)


@pytest.mark.parametrize("pairs", [1, 10**7])
def test_small_files_do_not_make_long_work(work, pairs):
    content, model = turning(8)
    weights = model_bytes(model)
    about = {"certificate": content["digest"], "weights": hashlib.sha256(weights).hexdigest(), "vectors": 1}
    network = stated(contents_of("collatz")[1], **about, bits=16, pairs=pairs)
    for name, file in (("certificate", json.dumps(content).encode()), ("network", network), ("weights", weights)):
        (work / name).write_bytes(file)
    command = [sys.executable, "-I", network_checker.__file__, "certificate", "network", "weights"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout.split(":")[0]) == (1, "rejected")
    assert "pairs" in done.stdout


def test_what_small_files_state_is_no_licence_for_long_work(monkeypatch):
    content, model = turning(40)
    weights = model_bytes(model)
    about = {"certificate": content["digest"], "weights": hashlib.sha256(weights).hexdigest(), "bits": 16}
    network = stated(contents_of("collatz")[1], **about, pairs=10**4, vectors=10**4)
    monkeypatch.setattr(network_checker, "MAX_WORK", 10**6)
    with pytest.raises(network_checker.Rejected, match="too long"):
        network_checker.verify(json.dumps(content).encode(), network, weights)
    assert "more than 1,000,000 products" in close(model.rounding, edges_of(content)).reason
    monkeypatch.setattr(network_checker, "STEP_WORK", 10**5)  # known vectors make work, too
    with pytest.raises(network_checker.Rejected, match="too long"):
        network_checker.verify(*contents_of("collatz"))


def test_files_that_do_not_belong_together_or_are_damaged_are_rejected():
    certificate, network, weights = contents_of("collatz")
    network_checker.verify(certificate, network, weights)
    rng = random.Random(0)
    for name in ("copy", "halve"):
        others = contents_of(name)
        for i in range(3):
            mixed = [certificate, network, weights]
            mixed[i] = others[i]
            with pytest.raises(network_checker.Rejected):
                network_checker.verify(*mixed)
    for i, content in enumerate((certificate, network, weights)):
        for _ in range(20):
            files, place = [certificate, network, weights], rng.randrange(len(content))
            files[i] = rng.choice((content[:place], content[:place] + b"\0" + content[place + 1 :], b""))
            if files[i] != content:
                with pytest.raises(network_checker.Rejected):
                    network_checker.verify(*files)


def test_other_weights_are_rejected_although_they_are_named():
    certificate, network, _ = contents_of("gcd")
    model = dfst.load("gcd:rounded")
    A = model.A.copy()
    A[0] = 0
    other = model_bytes(dfst.rounded(dfst.DFST(model.world, Weights(A, model.B, model.C, model.h0), "gcd"), 3))
    named = stated(network, weights=hashlib.sha256(other).hexdigest())
    with pytest.raises(network_checker.Rejected, match=r"rounded|differently|tie"):
        network_checker.verify(certificate, named, other)


@pytest.mark.parametrize("said", ["null", "true", "4", '"3"', None])
def test_the_header_of_the_weights_names_the_bits(said):
    """Without them, what is loaded is a network that is not rounded."""
    certificate, network, weights = contents_of("collatz")
    length = int.from_bytes(weights[:8], "little")
    text, there = weights[8 : 8 + length].decode(), r", \"bits\": 3"
    assert there in text
    other = text.replace(there, "" if said is None else there.replace("3", said.replace('"', r"\""))).encode()
    changed = len(other).to_bytes(8, "little") + other + weights[8 + length :]
    named = stated(network, weights=hashlib.sha256(changed).hexdigest())
    with pytest.raises(network_checker.Rejected, match="the weights' header does not name this number of bits"):
        network_checker.verify(certificate, named, changed)


def test_a_finer_certificate_may_claim_more():
    teacher, coarse = dfst.task("sort-bits").machine, load_certificate(find_certificate("sort-bits"))
    coarse["claim"] = {"scope": checker.CLAIM[True], "teacher_never_stuck": False}
    assert {"scope": checker.CLAIM[False], "teacher_never_stuck": True} in [c["claim"] for c in finer(coarse, teacher)]


def test_wrong_use_of_the_script_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", network_checker.__file__, "nowhere", "nowhere", "nowhere"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "a file cannot be read" in done.stderr


@pytest.mark.slow
def test_no_changed_network_that_is_wrong_is_accepted():
    counts = output("network_mutants", 150, 7)
    assert sum(number for what, number in counts.items() if what.endswith("rejected")) > 75
    assert counts.get("weight accepted", 0) > 5
    counts = output("network_mutants", 12, 1, "add2")  # each takes seconds; experiments/LOG.md has more
    assert sum(number for what, number in counts.items() if what.endswith("rejected")) > 5
    assert counts.get("weight accepted", 0) > 2


def test_a_network_that_errs_on_long_problems_is_refuted_before_any_certificate_is_followed():
    task, content = dfst.task("brackets"), load_certificate(find_certificate("brackets"))
    model = dfst.load("brackets:raw")
    verdict = prove_network(model, content, task.sample(), task.machine)
    problem = verdict.difference.removeprefix("on ").partition(",")[0]
    assert len(problem) > 8
    assert verdict.closed.pairs == 0
    assert parts(ExactNetwork(model, verdict.model.bits), task.machine, [problem])
    assert verdict.tried
    assert all(": wrong on " in each for each in verdict.tried)
