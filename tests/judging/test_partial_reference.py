"""A reference that does not answer everything: every verb says how far its verdict goes, and none says more."""

import json
import re

import pytest

import dfst
from dfst.errors import InputError
from tests.small import header

HEAD = """\
format = 1
name = "{}"
symbols = ["a", "b", "x", "y", "_"]
blank = "_"
start = "s"
[classes]
input = ["a", "b"]
output = ["x", "y"]
[input]
cells = ["input+"]
[answer]
cells = "output"
---
"""
RULES = {
    "empty": "s _ -> = S halt\n",
    "half": "s a -> x R s\ns _ -> = S halt\n",
    "one": "s a -> x R s\ns b -> x R s\ns _ -> = S halt\n",
    "two": "s a -> x R s\ns b -> y R s\ns _ -> = S halt\n",
}
UNTIL = "exact until the teacher is stuck"
SCOPES = {"exact": "on every input", UNTIL: "on every input, up to where the teacher gets stuck", "refuted": ""}
STUCK = header(name="stuck") + "---\nwalk 0 -> = R walk\nwalk _ -> = S halt\n"
BOLD = header(name="bold") + "---\nwalk 0,1 -> = R walk\nwalk _ -> = S halt\n"
SHY = header(name="shy") + "---\nwalk 0 -> 1 R walk\nwalk _ -> = S halt\n"
NOTHING = header(name="nothing") + "---\nwalk _ -> = S halt\n"


@pytest.fixture
def files(work):
    for name, rules in RULES.items():
        (work / f"{name}.dfst").write_text(HEAD.format(name) + rules)
    for name, text in {"stuck": STUCK, "bold": BOLD, "shy": SHY, "nothing": NOTHING}.items():
        (work / f"{name}.dfst").write_text(text)
    (work / "log.csv").write_text("case,input,output\n1,a,x\n1,b,y\n2,b,y\n2,a,x\n3,a,x\n")
    (work / "against.csv").write_text("case,input,output\n1,a,y\n1,b,y\n2,b,y\n2,a,y\n3,a,y\n")
    return work


@pytest.mark.parametrize(
    ("learner", "teacher", "verdict"),
    [
        ("one", "one", "exact"),
        ("half", "half", "exact"),  # stuck together
        ("one", "half", UNTIL),
        ("two", "half", UNTIL),
        ("two", "one", "refuted"),
        ("half", "one", "refuted"),  # the learner is stuck, the teacher is not
        ("stuck", "stuck", "exact"),
        ("bold", "stuck", UNTIL),
        ("stuck", "bold", "refuted"),
        ("shy", "stuck", "refuted"),
    ],
)
def test_one_rule_in_every_verb(learner, teacher, verdict, call, files):
    policy, judge = f"{learner}.dfst", f"{teacher}.dfst"
    code, out, _ = call("certify", policy, "--teacher", judge, "--out", "out", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["scope"]) == (verdict == "refuted", verdict, SCOPES[verdict])
    assert verdict in call("certify", policy, "--teacher", judge, "--out", "out")[1]
    code, out, _ = call("diff", policy, "--teacher", judge)
    assert code == (verdict == "refuted")
    assert verdict == "refuted" or out.startswith(f"{verdict}:")
    known = dfst.compare(judge, policy)
    assert (known.conclusion.value, known.exact, known.proven) == (verdict, verdict == "exact", verdict != "refuted")
    if known.proven:
        _, out, _ = call("check", "out")
        assert ("up to where the teacher gets stuck" in out) == (verdict == UNTIL)


def test_a_table_says_how_far(call, files):
    code, out, _ = call("certify", "one.dfst", "two.dfst", "--teacher", "half.dfst")
    assert code == 0
    assert "0 of 2 are proven exact, 2" in out
    assert out.count(UNTIL) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("certify", "one.dfst", "two.dfst", "--teacher", "empty.dfst"),
        ("certify", "bold.dfst", "--teacher", "nothing.dfst"),
        ("learn", "log.csv", "--teacher", "empty.dfst"),
        ("learn", "log.csv", "--noisy", "--teacher", "empty.dfst"),
        ("learn", "nothing.dfst", "--ask"),
        ("diff", "one.dfst", "--teacher", "empty.dfst"),
        ("eval", "one.dfst", "--teacher", "empty.dfst", "--to", "2"),
    ],
)
def test_a_reference_that_answers_no_first_input_is_refused(words, call, files):
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert "no rule for the first symbol" in err
    assert not list(files.glob("*certified")) + list(files.glob("runs"))


def test_in_python_too(files):
    with pytest.raises(InputError, match="no rule for the first symbol"):
        dfst.compare("empty.dfst", "one.dfst")


def test_logged_steps_outside_the_reference_are_counted_and_said(call, files):
    code, out, _ = call("learn", "log.csv", "--teacher", "half.dfst", "--out", "run", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["exact"]) == (0, UNTIL, False)
    assert (found["scope"], found["teacher_never_stuck"]) == (SCOPES[UNTIL], False)
    assert found["steps_outside_reference"] == 5  # of conversation 1 from b on, of 2 all, with their ends
    code, out, _ = call("learn", "log.csv", "--teacher", "half.dfst", "--out", "again")
    assert "5 of 8 recorded steps lie outside the reference" in out
    assert UNTIL in out


def test_what_was_tested_says_on_how_many_problems_the_teacher_is_stuck(call, files):
    for policy in ("bold", "stuck"):  # one goes on, one is stuck, too
        code, out, _ = call("eval", f"{policy}.dfst", "--teacher", "stuck.dfst", "--to", "2", "--rlg")
        assert (code, len(out.splitlines())) == (0, 1)
        assert re.search(r"RLG at least 2, on \d+ of 24 problems until the teacher is stuck", out)
        code, out, _ = call("eval", f"{policy}.dfst", "--teacher", "stuck.dfst", "--to", "2", "--json")
        assert sum(rung["random"]["until_stuck"] for rung in json.loads(out)["tested"]) > 0
    whole = call("eval", "bold.dfst", "--teacher", "bold.dfst", "--to", "2")[1]
    assert whole == "bold.dfst: PLG at least 2\n"
    dfst.from_machine("bold.dfst").save("bold.safetensors")
    code, out, _ = call("diff", "bold.safetensors", "--teacher", "stuck.dfst", "--to", "2")
    assert code == 0
    assert re.search(r"not proven\); on \d+ of 24 problems the teacher is stuck, and nothing is compared", out)
    traces = dfst.record("bold.dfst", [("0",), ("1",), ("10",), ("011",)])
    found = dfst.certify("bold.safetensors", "stuck.dfst", traces=traces, raw_length=2)
    assert re.search(r"own RLG is at least 2 digits, on \d+ of 24 problems until the teacher is stuck", found.explain())


def test_who_never_answers_where_the_teacher_is_stuck_is_not_right(files):
    (files / "round.dfst").write_text(STUCK + "walk 1 -> = R round\nround 0,1,_ -> = R round\n")
    rungs = dfst.measure_lengths("round.dfst", "stuck.dfst", to=2, rlg=True).rungs
    assert [rung.same_digit.right_answers for rung in rungs] == [1, 1]


def test_of_several_seeds_too(call, files):
    code, out, _ = call("learn", "log.csv", "--teacher", "half.dfst", "--out", "runs", "--seeds", "0:2")
    assert code == 0
    assert "0 of 2 seeds are proven exact, 2 exact until the teacher is stuck" in " ".join(out.split())


def test_a_log_against_the_reference_is_refuted_all_the_same(call, files):
    code, out, _ = call("learn", "against.csv", "--teacher", "half.dfst", "--out", "run", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["exact"], found["scope"]) == (1, "refuted", False, "")
