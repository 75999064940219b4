"""``dfst check``: what it says to someone who has only the file, and that nothing beside it can be exchanged."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest

from dfst.judging.checking import IN_ROCQ, check_certificate, known_teacher
from dfst.prove import checker
from dfst.prove.certificate import certificate, machine_hash, save_certificate
from dfst.prove.compare import compare
from dfst.shipped import shipped_model
from dfst.teachers.find import find_task, gallery
from dfst.world.machine_file import dump_machine, parse_machine
from tests.prove.checker_cases import sealed
from tests.prove.checker_files import FORGERIES
from tests.small import header

HASH = re.compile("[0-9a-f]{64}")
ADD2 = shipped_model("add2")
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def check(call):
    """Calls ``dfst check`` with words; gives exit code, output and complaints, without hashes."""
    return lambda *words: tuple(
        HASH.sub("…", part) if isinstance(part, str) else part for part in call("check", *words)
    )


def proven(machine, path="c.json"):
    """A certificate that ``machine`` acts like itself."""
    proof = compare(machine, machine).proof
    assert proof is not None
    save_certificate(certificate(machine, machine, proof), path)


def wrong_adder():
    """An adder that calls itself add10, with 1 + 7 = 9."""
    right = dump_machine(find_task("add10").machine)
    wrong = right.replace("add7 0..2 -> 7..9 U back", "add7 0 -> 7 U back\nadd7 1,2 -> 9 U back")
    assert wrong != right
    return parse_machine(wrong)


SMALL = header("small", "go") + "---\n"


def test_it_says_whose_teacher_it_is_what_is_claimed_and_what_was_compared(check):
    code, out, err = check(ADD2.certificate)
    assert code == 0
    assert out.replace(str(ADD2.certificate), "c.json") == (
        "c.json: verified: on every input of every length, the certified machine (15 states) does exactly what its"
        " teacher does.\n"
        "teacher: dfst's own add2, recognised by its hash; SHA-256 ….\n"
        "correct: Rocq proves that this teacher never gets stuck, halts and leaves a + b, for all non-empty digit"
        " strings (proofs/Theorems.v); so the machine does, too.\n"
    )
    assert err.replace(str(ADD2.certificate), "c.json") == (
        "compare your own with it: dfst check c.json --teacher TASK --weights FILE --machine FILE\n"
    )
    code, out, _ = check(ADD2.certificate, "--teacher", "add2", "--weights", ADD2.one_hot, "--machine", ADD2.machine)
    assert code == 0
    assert out.endswith("compared: teacher and weights and machine: the same as certified.\n")
    code, out, _ = check(shipped_model("mult2").certificate)
    assert "teacher: dfst's own mult2" in out
    assert "halts and leaves a · b" in out


def test_what_is_said_to_be_proven_in_rocq_is_stated_there():
    """The teacher of every theorem about numbers is one of these, by its hash, and none is missing."""
    stated = (ROOT / "proofs" / "Theorems.v").read_text(encoding="utf-8")
    proven = re.findall(r"Definition \w+ : Prop := (?:shipped|decimal)\b.*\s+0x([0-9a-f]{64})", stated)
    assert sorted(proven) == sorted(machine_hash(find_task(name).machine) for name in IN_ROCQ)


def test_a_wrong_adder_that_calls_itself_add10_is_not_known(check):
    proven(wrong_adder())
    code, out, _ = check("c.json")
    assert code == 0
    assert (
        "teacher: a teacher that dfst does not know (the file calls it 'add10', but it is not dfst's add10); SHA" in out
    )
    code, _, err = check("c.json", "--teacher", "add10")
    assert (code, "it speaks of another teacher" in err) == (1, True)
    facts = json.loads(check("c.json", "--json")[1])
    assert (facts["known_as"], facts["teacher_label"]) == (None, "add10")


def test_the_facts_as_json(check):
    facts = json.loads(check(ADD2.certificate, "--machine", ADD2.machine, "--json")[1])
    assert facts["verified"] is facts["teacher_never_stuck"] is True
    assert facts["claims_termination"] is facts["claims_correct_answers"] is False
    assert facts["known_as"] == "add2"
    assert facts["compared"] == dict.fromkeys(("teacher", "weights", "model"), "not compared") | {"machine": "same"}


@pytest.mark.parametrize("name", ["add2", "mult2", "add36", "mult17", *gallery()])
def test_every_teacher_of_ours_is_recognised(name):
    machine = find_task(name).machine
    assert known_teacher(machine_hash(machine), len(machine.alphabet)) == name
    assert known_teacher("0" * 64, len(machine.alphabet)) is None


def test_a_teacher_that_gets_stuck_or_never_halts(check):
    proven(parse_machine(SMALL + "go 0,1 -> = R end\nend _ -> = S halt\n"))
    out = check("c.json")[1]
    assert "it is not proven that the teacher always has a rule; where it gets stuck, so does the machine" in out
    assert "(the file calls it 'small')" in out
    proven(parse_machine(SMALL + "go 0,1,_ -> = R go\n"))
    out = check("c.json")[1]
    assert "proven never to get stuck" in out
    assert "not part of the claim: that the teacher ever halts" in out


def test_a_teacher_that_does_nothing_says_nothing_of_its_learner(check):
    proven(parse_machine(SMALL + "go 0,1,_ -> = R go\n"))
    content = json.loads(Path("c.json").read_text())
    content["teacher"] |= {"start": 0, "table": [[None, None, [-1, 2, 4]]]}
    content["learner"] |= {"start": 0, "table": [[[0, 1, 3], [0, 1, 3], [-1, 2, 4]]]}
    content |= {"rows": [0, 0], "sets": [[0, 1], [0, 1, 2]], "columns": [[0], [1]], "halves": [[], [[1, 1]]]}
    content |= {"members": [[0, 0, 0, 0, 0, 1]], "starts": [0], "steps": [[]]}
    content["claim"] = {"scope": checker.CLAIM[True], "teacher_never_stuck": False}
    Path("c.json").write_text(json.dumps(sealed(checker, content)))
    code, out, _ = check("c.json")
    assert code == 0
    assert "on every input of every length, up to where the teacher gets stuck, the certified machine (1 state)" in out
    assert "where it gets stuck, the machine may do anything" in out


def test_another_machine_is_refused(check):
    shutil.copy(ADD2.machine, "machine.dfst")
    assert check(ADD2.certificate, "--machine", "machine.dfst")[0] == 0
    text = Path("machine.dfst").read_text()
    wrong_adder().save("machine.dfst")
    code, out, err = check(ADD2.certificate, "--machine", "machine.dfst")
    assert (code, out) == (1, "")
    assert "machine.dfst: rejected: its rules or its world are not those of the certified machine." in err
    Path("machine.dfst").write_text(text.replace("head = [-1, 0]", "head = [-1, 1]"))
    code, _, err = check(ADD2.certificate, "--machine", "machine.dfst")
    assert (code, "its rules or its world are not" in err) == (1, True)
    Path("machine.dfst").write_text(text + "\n")
    code, _, err = check(ADD2.certificate, "--machine", "machine.dfst")
    assert (code, "it has the rules of the certified machine, but its SHA-256" in err) == (1, True)
    code, _, err = check(ADD2.certificate, "--machine", ADD2.one_hot)
    assert (code, err.count("\n")) == (1, 1)
    proven(find_task("add2").machine)  # without hashes
    find_task("add2").machine.save("machine.dfst")
    assert check("c.json", "--machine", "machine.dfst")[0] == 0


@pytest.mark.parametrize("key", FORGERIES[:4])
def test_nothing_is_printed_as_it_stands_in_a_file(check, key):
    proven(find_task("add2").machine)
    content = json.loads(Path("c.json").read_text())
    Path("key.json").write_text(json.dumps(sealed(checker, content | {key: 1})))
    code, out, err = check("key.json")
    assert (code, out, err.count("\n"), err[:-1].isprintable()) == (1, "", 1, True)
    code, out, err = check("key.json", "--json")
    assert (code, json.loads(out)["verified"], out.replace("\n", "").isprintable()) == (1, False, True)
    content["teacher"]["name"] = key + "!"
    content["layout"]["leading"] = "1"  # so that nobody knows it
    Path("name.json").write_text(json.dumps(sealed(checker, content)))
    code, out, err = check("name.json")
    assert (code, out.count("\n"), out.replace("\n", "").isprintable()) == (0, 4, True)
    assert "a teacher that dfst does not know" in out
    assert check("name.json", "--json")[1].replace("\n", "").isprintable()


def test_compressed_certificates(check):
    Path("c.json.gz").write_bytes(gzip.compress(ADD2.certificate.read_bytes()))
    assert check("c.json.gz", "--teacher", "add2")[0] == 0
    assert check_certificate("c.json.gz").known_as == "add2"
    Path("c.json.gz").write_bytes(gzip.compress(bytes(10**7)))
    code, _, err = check("c.json.gz")
    assert (code, "unpacked, the file is larger than" in err) == (1, True)
