"""From a model to a certificate, as a user does it; the model is the teacher in another basis: nothing is trained."""

import json
from pathlib import Path

import pytest

import dfst
from dfst.teachers.find import find_task
from tests.act.test_lockstep import changed
from tests.act.test_rollout import noisy

ADD2 = find_task("add2")


@pytest.fixture
def model(work):
    noisy(ADD2.machine, 2e-3, seed=2).save(Path("m.safetensors"))
    dfst.sample(ADD2).save(Path("t.jsonl"))
    return "m.safetensors"


@pytest.mark.slow
def test_certify_then_check_then_solve(call, model):
    code, out, _ = call("certify", model, "--traces", "t.jsonl", "--out", "proof", "--raw-to", 40, "--json")
    record = json.loads(out)
    assert (code, record["verdict"], record["checked"]) == (0, "exact", True)
    assert record["traces_followed"] == record["traces"] == 20
    assert 3 <= record["raw"]["rlg"] <= 40
    assert record == json.loads(Path("proof/certification.json").read_text())
    code, out, _ = call(
        "check", "proof/certificate.json", "--teacher", "add2", "--weights", "proof/one_hot.safetensors"
    )
    assert (code, "verified: on every input" in out) == (0, True)
    assert record["teacher_sha256"] in out
    code, out, _ = call("solve", "proof/one_hot.safetensors", "1" * 300, "1", "--json")
    assert json.loads(out)["answer"] == "1" + "0" * 300
    code, out, _ = call("certify", model, "--traces", "t.jsonl", "--out", "again", "--raw-to", 5)
    assert "is exact: on every input of every length" in out
    rounded = record["network"]["verdict"] == "exact"
    said = ("the raw float model is not what is certified", "nothing is proven about it without rounding")[rounded]
    assert f"{said}: its own RLG is" in out
    assert Path("again/certificate.json").read_bytes() == Path("proof/certificate.json").read_bytes()


def test_a_wrong_machine_is_refuted_with_a_problem_that_shows_it(call, work):
    q, x = ADD2.machine.states.index("back"), ADD2.machine.alphabet.index["_"]
    changed(ADD2.machine, q, x, next_state=-2).save(Path("wrong.dfst"))
    code, out, _ = call("certify", "wrong.dfst", "--out", "proof", "--json")
    record = json.loads(out)
    assert (code, record["verdict"]) == (1, "refuted")
    assert not Path("proof/certificate.json").exists()
    code, out, _ = call("diff", "wrong.dfst", *record["counterexample"], "--json")
    assert (code, json.loads(out)["teacher_state"]) == (1, "back")
    code, out, _ = call("diff", "wrong.dfst")
    assert (code, "the policy has no rule" in out) == (1, True)


def test_diff_of_float_models_and_of_the_teacher_itself(call, model):
    code, out, _ = call("diff", model, "--to", 60, "--json")
    found = json.loads(out)
    assert code == found["differs"]
    code, out, _ = call("diff", model, "101+11")
    assert (code, "act alike for all" in out) == (0, True)
    code, out, _ = call("diff", "teacher:add2")
    assert (code, out.strip()) == (0, "exact: on every input of every length the learner acts like the teacher.")


def test_why_an_extraction_gave_up_is_in_the_record():
    found = dfst.certify(dfst.from_machine(ADD2.machine), traces=dfst.sample(ADD2), raw_length=0, seconds=1e-9)
    assert not found.exact
    assert found.facts["gave_up"].startswith("the limit of 1e-09 seconds was reached")
    assert f"the extraction gave up: {found.facts['gave_up']}." in found.explain()
