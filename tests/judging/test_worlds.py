"""What is judged is what was given: another layout is refused, and never replaced unless someone asks for it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import dfst
from dfst import from_machine
from dfst.errors import InputError
from dfst.judging.exact_match import Examiner
from dfst.names import find_policy
from dfst.teachers.find import find_task
from dfst.training.weights import load_model
from dfst.until_proven.train import taught_by
from dfst.world.machine_file import load_machine
from dfst.world.worlds import World
from tests.act.test_lockstep import changed as with_entry

TASK = find_task("add10")
TEACHER = TASK.machine
CLASSES = TEACHER.alphabet.classes | {"few": tuple("012345678")}
OTHER = {
    "inputs (digit+ of 012": {"parts": (*TEACHER.layout.parts, "0")},  # x + 10 y
    "inputs (few+ of 012": {"parts": ("few+", "+", "digit+")},
    "inputs (digit of 0123": {"parts": ("digit", "+", "digit+")},
    "start cells ((0, 0) and (-1, 0))": {"head": (0, 0)},
    "answer rows (1 and 0)": {"answer_row": 1},
    "symbols of an answer (0 1 2 3 4 5 6 7 8 and 0 1": {"answer_class": "few"},
    "leading symbols of an answer (4 and 0)": {"leading": "4"},
}


def changed(policy, changes):
    """The policy with another layout (and more classes to make it from)."""
    alphabet = replace(policy.alphabet, classes=CLASSES)
    return replace(policy, world=World(alphabet, replace(policy.layout, **changes)))


@pytest.mark.parametrize(("what", "changes"), OTHER.items())
def test_another_world_is_refused_with_what_differs(call, what, changes):
    changed(TEACHER, changes).save("mine.dfst")  # its name is add10
    changed(from_machine(TEACHER), changes).save("mine.safetensors")
    for words in (
        ("certify", "mine.dfst", "--teacher", "add10", "--out", "out"),
        ("certify", "mine.dfst", "--out", "out"),
        ("diff", "mine.dfst", "--teacher", "add10"),
        ("diff", "mine.dfst", "12", "30"),
        ("eval", "mine.dfst", "--to", "2", "--out", "out.json"),
        ("diff", "mine.safetensors", "12", "30"),
        ("diff", "mine.safetensors"),
        ("eval", "mine.safetensors", "--to", "2", "--rlg", "--json"),
    ):
        code, out, err = call(*words)
        assert (code, out) == (2, "")
        assert f"{words[1]}: it and the teacher add10 have different {what}" in err
        assert "--teacher-layout" in err
    assert sorted(path.name for path in Path().iterdir()) == ["mine.dfst", "mine.safetensors"]


@pytest.mark.parametrize(("what", "changes"), OTHER.items())
def test_python_refuses_the_same(what, changes):
    mine = changed(TEACHER, changes)
    weights = from_machine(mine)
    named = mine.with_origin("mine")
    for judge in (
        lambda: dfst.certify(named, TEACHER),
        lambda: dfst.evaluate(named, "add10", to=1),
        lambda: dfst.compare(TEACHER, mine),
        lambda: mine.run("1", "1", beside=TEACHER),
        lambda: Examiner(mine, TASK),
        lambda: Examiner(weights, TASK),
        lambda: dfst.solve(weights, "1", "2", beside=TEACHER),
    ):
        with pytest.raises(InputError) as error:
            judge()
        assert f"have different {what}" in str(error.value)


def test_other_symbols_and_another_blank_are_another_world():
    alphabet = TEACHER.alphabet
    other = replace(alphabet, symbols=(*alphabet.symbols[1:], alphabet.symbols[0]))
    model = from_machine(TEACHER)
    assert World(other, model.layout).difference(TEACHER.world) == "orders of the same symbols"
    assert from_machine("teacher:add3").world.difference(TEACHER.world) == "symbols"
    assert World(replace(alphabet, blank="+"), model.layout).difference(TEACHER.world) == "blanks (+ and _)"
    with pytest.raises(InputError, match="does not say how a problem is written"):
        dfst.solve(replace(model, world=World(model.alphabet)), "1", "2", beside=TEACHER)


def test_the_same_symbols_in_another_order_are_the_same_world(call):
    alphabet = replace(TEACHER.alphabet, symbols=TEACHER.alphabet.symbols[::-1])
    mixed = TEACHER.reordered(alphabet)
    assert mixed.alphabet.symbols != TEACHER.alphabet.symbols
    assert set(mixed.rules()) == set(TEACHER.rules()) == set(mixed.reordered(TEACHER.alphabet).rules())
    assert dfst.solve(mixed, "58", "67").answer.text == dfst.solve(TEACHER, "58", "67").answer.text == "125"
    mixed.save("mixed.dfst")
    from_machine(mixed).save("mixed.safetensors")
    assert dfst.compare(TEACHER, mixed).exact
    assert dfst.solve(from_machine(mixed), "58", "67", beside=TEACHER).answer.text == "125"
    name = ("--teacher", TEACHER.name)
    assert "exact" in call("diff", "mixed.dfst", *name)[1]
    for file in ("mixed.dfst", "mixed.safetensors"):
        assert "PLG at least 2" in call("eval", file, "--to", "2", *name)[1]
        code, out, _ = call("diff", file, "58", "67", *name)
        assert (code, "the two act alike" in out) == (0, True)
        assert call("view", file, "58", "67", *name)[0] == 0
    assert call("certify", "mixed.dfst", *name, "--out", "out")[0] == 0
    assert load_machine("out/machine.dfst").alphabet == TEACHER.alphabet
    traces = dfst.sample(TEACHER.name)
    given = traces.reordered(replace(traces.alphabet, symbols=alphabet.symbols))
    assert given != traces
    assert taught_by(given, dfst.task(TEACHER.name)).sha256 == traces.sha256


def test_names_of_classes_are_no_difference_and_what_is_written_has_the_teachers(call):
    alphabet = replace(TEACHER.alphabet, classes={"cipher": CLASSES["digit"][::-1], "unused": ("+",)})
    layout = replace(TEACHER.layout, parts=("cipher+", "+", "cipher+"), answer_class="cipher")
    replace(TEACHER, world=World(alphabet, layout)).save("mine.dfst")
    assert call("certify", "mine.dfst", "--out", "out")[0] == 0
    written, weights = load_machine("out/machine.dfst"), load_model("out/one_hot.safetensors")
    assert written.alphabet == weights.alphabet == TEACHER.alphabet
    assert written.layout == weights.layout == TEACHER.layout


def test_the_teachers_layout_is_used_if_asked_for_and_everything_says_so(call):
    changed(TEACHER, {"parts": (*TEACHER.layout.parts, "0")}).save("mine.dfst")
    assert call("solve", "mine.dfst", "12", "30")[1].splitlines()[0] == "312"
    code, out, _ = call("certify", "mine.dfst", "--out", "out", "--teacher-layout")
    assert (code, "layout: the teacher's, as asked for" in out) == (0, True)
    assert "different inputs" in json.loads(Path("out/certification.json").read_text())["layout"]
    assert load_machine("out/machine.dfst").layout == load_model("out/one_hot.safetensors").layout == TEACHER.layout
    for file in ("out/machine.dfst", "out/one_hot.safetensors"):
        assert call("solve", file, "12", "30")[1].splitlines()[0] == "42"
    code, out, err = call("diff", "mine.dfst", "--teacher-layout")
    assert (code, "exact" in out, "layout: the teacher's, as asked for" in out) == (0, True, True)
    code, out, _ = call("eval", "mine.dfst", "--to", "2", "--teacher-layout")
    assert (code, "PLG at least 2" in out, "layout: the teacher's, as asked for" in out) == (0, True, True)
    code, _, err = call("certify", "mine.dfst", "--teacher", "add2", "--out", "out2", "--teacher-layout")
    assert (code, "have different symbols" in err, Path("out2").exists()) == (2, True, False)


def test_attempts_on_another_teacher_of_the_same_name_are_not_taken_for_those_on_dfsts_own(work):
    q, x = TEACHER.states.index("back"), TEACHER.alphabet.index["_"]
    with_entry(TEACHER, q, x, written=1).save("wrong.dfst")
    named, out = find_policy("teacher:add10"), work / "result.json"
    wrong = dfst.evaluate(named, "wrong.dfst", to=1, out=out).facts
    with pytest.raises(InputError, match="another measurement"):
        dfst.evaluate(named, to=1, out=out)
    right = dfst.evaluate(named, to=1, out=work / "other.json").facts
    assert (wrong["task"], wrong["plg"], right["plg"]) == ("add10", 0, 1)
    assert wrong["teacher_sha256"] != right["teacher_sha256"]
