"""Mealy machines on the grid, their files, and the proof of equality, against a look-up table as the truth."""

import itertools
import random

import pytest

import dfst
from dfst.errors import FileFormatError, InputError, MachineError
from dfst.exchange import (
    from_csv,
    from_io_traces,
    from_mealy,
    from_pandas,
    from_xes,
    to_csv,
    to_io_traces,
    to_mealy,
    to_pandas,
)
from dfst.exchange.dot import parse_dot, to_dot
from dfst.prove.lockstep import first_difference
from dfst.teachers.find import find_task
from dfst.traces.logs import conversations_of, only_conversations, traces_of_conversations
from dfst.world.conversation import Turn, answers_one_by_one, conversation_machine, name_of_symbol, turns_of
from tests.logs.protocols import DOOR, answers, door, random_protocol, walks

HOSTILE = [
    *("a / b", "a/b", 'say "hi"', "back\\slash", "new\nline", "tab\there", "", "halt", "input", "output", "_"),
    *("<b>&amp;</b>", "->", "// no", "# no", "é", "7", "07", "_x2f_", "a" * 300, "{", "]", "\u202e"),
]
WIKI = """digraph g {
/* as the wiki writes them */ graph [rankdir=LR]; node [shape="circle"];
__start0 [label="" shape="none"];
\ts.0 [shape="circle" label="s.0"]; // the start
\ts.0 -> s-1 [label="ask(A,1) / answer{B}"];
\ts.0 -> s.0 [label=<<table border="0"><tr><td>stop / -</td></tr><tr><td>ask &amp; stop / no way</td></tr></table>>]
\ts-1->s.0 [label="stop/ok", color="red"];
\ts-1 -> s-1 [label="ask(A,1) / no\\nask & stop / no"]
__start0 -> s.0;
}
"""


@pytest.mark.parametrize("machine", [door(), random_protocol(1), random_protocol(2, 9, 5)], ids=lambda m: m.name)
def test_a_machine_on_the_grid_answers_as_its_table(machine):
    assert answers_one_by_one(machine)
    for talk in walks(machine, 50):
        said = machine.run(" ".join(dfst.world.conversation.symbol_of_name(read) for read, _ in talk))
        assert [name_of_symbol(symbol) for symbol in said.answer.text.split()] == [answer for _, answer in talk]
        assert answers(machine, [read for read, _ in talk]) == [answer for _, answer in talk]


def test_the_wikis_own_form_is_read():
    machine = parse_dot(WIKI, name="wiki")
    assert {*turns_of(machine)} == {
        Turn("s.0", "ask(A,1)", "answer{B}", "s-1"),
        Turn("s.0", "stop", "-", "s.0"),
        Turn("s.0", "ask & stop", "no way", "s.0"),
        Turn("s-1", "stop", "ok", "s.0"),
        Turn("s-1", "ask(A,1)", "no", "s-1"),
        Turn("s-1", "ask & stop", "no", "s-1"),
    }


def test_there_and_back_in_every_form(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    machine = door(("locked", "lock"), ("open", "unlock"))
    machine.save("door.dfst")
    (tmp_path / "door.dot").write_text(to_dot(machine), encoding="utf-8")
    assert parse_dot(to_dot(machine), name="door") == machine
    assert dfst.load("door.dfst") == find_task("door.dot").machine == machine
    traces = find_task("door.dot").sample()
    assert only_conversations(traces)
    assert len(traces) > 50
    for talk in conversations_of(traces):
        assert answers(machine, [read for read, _ in talk]) == [answer for _, answer in talk]


def test_there_and_back_through_aalpy(tmp_path, capsys):
    pytest.importorskip("aalpy")
    from aalpy.utils import load_automaton_from_file

    for machine in (door(), door(("locked", "lock")), random_protocol(4)):
        mealy = to_mealy(machine)
        assert from_mealy(mealy, name=machine.name) == machine
        mealy.save(tmp_path / "machine")
        again = load_automaton_from_file(tmp_path / "machine.dot", "mealy")
        assert from_mealy(again, machine) == machine
        assert parse_dot((tmp_path / "machine.dot").read_text(), machine) == machine
        assert from_mealy(to_mealy(machine, complete=True), machine) == machine


def test_hostile_names_survive():
    turns = [Turn(name or "start", name, HOSTILE[-i], HOSTILE[(i + 1) % len(HOSTILE)] or "start")
             for i, name in enumerate(HOSTILE)]  # fmt: skip
    machine = conversation_machine(
        [*turns, *(Turn("start", name, name, name or "start") for name in HOSTILE[:6])], "start"
    )
    assert parse_dot(to_dot(machine)).alphabet == machine.alphabet
    assert dfst.GridMachine.parse(dfst.export(machine)) == machine
    names = [" ".join(name.split()) for name in HOSTILE]
    log = [[*itertools.pairwise(names)], [("halt", "")]]
    assert conversations_of(traces_of_conversations([[*itertools.pairwise(HOSTILE)], [("halt", "")]])) == log
    assert conversations_of(from_csv(to_csv(traces_of_conversations([[("a,b", 'c "d"'), ("é", "-")]])))) == [
        [("a,b", 'c "d"'), ("é", "-")]
    ]


def test_a_name_may_be_a_number_longer_than_python_reads():
    traces = from_csv(f"case,input,output\n1,{'9' * 5000},b\n1,7,b\n")
    assert conversations_of(from_io_traces(to_io_traces(traces))) == conversations_of(traces)


def test_a_column_that_a_frame_has_twice_is_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, "a", "b", "R", "S"]], columns=["trace", "seen", "written", "move", "move"])
    with pytest.raises(InputError, match="more than one column 'move'"):
        from_pandas(frame)


def test_logs_there_and_back():
    pytest.importorskip("pandas")
    log = walks(door(), 20)
    traces = traces_of_conversations(log)
    assert conversations_of(traces) == log
    for again in (from_csv(to_csv(traces)), from_pandas(to_pandas(traces)), from_io_traces(to_io_traces(traces))):
        assert conversations_of(again) == log
        assert again.sha256 == traces.sha256
    with pytest.raises(InputError, match="no conversations"):
        to_csv(dfst.sample("add2"))


def test_outputs_that_look_like_moves_are_still_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    talks = [[("up", "motor U"), ("down", "motor D"), ("wait", "halted")], [("down", "stuck"), ("up", "motor U")]]
    assert conversations_of(from_io_traces(talks)) == talks
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(talks)))
    dfst.learn("log.csv", dfst.Options(out=tmp_path / "run"))
    dot = 'digraph lift { __start0 -> a; a -> b [label="up / motor U"]; b -> a [label="down / motor D"]; }'
    (tmp_path / "lift.dot").write_text(dot)
    assert dfst.task("lift.dot").machine.alphabet.classes["output"] == ("motor␣D", "motor␣U")
    (tmp_path / "back.dot").write_text(to_dot(dfst.task("lift.dot").machine))
    assert dfst.compare("back.dot", "lift.dot").exact


def test_the_names_of_cases_stay_with_their_conversations(tmp_path):
    log = from_csv("case,input,output\nmonday,a,b\n tuesday ,a,b\ntuesday,a,c\n")
    assert log.cases == ("monday", "tuesday")
    assert log.part([1]).cases == ("tuesday",)
    log.save(tmp_path / "log.jsonl")
    assert dfst.load(str(tmp_path / "log.jsonl")).cases == log.cases
    assert to_csv(log) == "case,input,output\nmonday,a,b\ntuesday,a,b\ntuesday,a,c\n"
    event = '<event><string key="in" value="a"/><string key="out" value="b"/></event>'
    named = f'<trace><string key="concept:name" value="monday"/>{event}</trace>'
    assert from_xes(f"<log>{named}<trace/><trace>{event}</trace></log>", input="in", output="out").cases == (
        "monday",
        "3",
    )


@pytest.mark.parametrize("names", [("one", "one"), ("one", " one"), ("one", ""), ("", " ")])
def test_cases_that_share_a_name_are_not_taken_for_one_conversation(names):
    log = traces_of_conversations([[("a", "b")], [("a", "c")]], cases=names)
    assert len(from_csv(to_csv(log))) == 2


def test_names_of_cases_that_do_not_fit_are_refused(tmp_path):
    traces_of_conversations([[("a", "b")], [("b", "b")]], cases=("1", "2")).save(tmp_path / "log.jsonl")
    text = (tmp_path / "log.jsonl").read_text()
    (tmp_path / "log.jsonl").write_text(text.replace('"case": "1"', '"case": 1'))
    with pytest.raises(FileFormatError, match="'case' is not a text"):
        dfst.load(str(tmp_path / "log.jsonl"))
    (tmp_path / "log.jsonl").write_text(text.replace('"case": "1", ', "", 1))
    with pytest.raises(FileFormatError, match="1 names of cases for 2 traces"):
        dfst.load(str(tmp_path / "log.jsonl"))


def test_too_many_names_and_two_answers_are_refused_in_a_sentence():
    with pytest.raises(InputError, match="there are 300 different inputs and outputs, and at most 249"):
        conversation_machine([Turn("s", f"i{i}", f"o{i % 100}", "s") for i in range(200)], "s")
    with pytest.raises(MachineError, match=r"\(s, i\) has a second rule; the first is above"):
        conversation_machine([Turn("s", "i", "o", "s"), Turn("s", "i", "p", "s")], "s")
    with pytest.raises(InputError, match="cannot be told apart"):
        conversation_machine([Turn("s", "a b", "o", "s"), Turn("s", "a␣b", "p", "s")], "s")
    for text in ('digraph g { __start0 -> a; a -> a [label="x"] }', 'digraph g { a -> a [label="x/y"] }'):
        with pytest.raises(FileFormatError, match=r"no slash|0 start states are marked"):
            parse_dot(text)


def test_a_partial_reference_asks_nothing_where_it_is_stuck(tmp_path):
    whole, partial = door(), door(("locked", "lock"), ("open", "unlock"))
    verdict = dfst.compare(partial, conversation_machine(turns_of(whole), "closed", like=partial))
    assert (verdict.exact, verdict.proven) == (False, True)
    assert "up to where the teacher gets stuck" in verdict.explain()
    verdict.certificate().save(tmp_path / "certificate.json")
    assert "up to where the teacher gets stuck" in dfst.check(tmp_path / "certificate.json").explain()
    missing = dfst.compare(whole, partial)
    assert missing.refuted
    assert "(closed) answers" not in str(missing.counterexample)
    assert str(missing.counterexample).endswith("(locked) has no answer")
    wrong = [turn._replace(output="error") if turn[:2] == ("bolt out", "unlock") else turn for turn in DOOR]
    found = dfst.compare(partial, conversation_machine(wrong, "closed", like=partial)).counterexample
    assert found is not None
    assert found.operands == ("open␣door lock unlock",)


@pytest.mark.parametrize("seed", range(12))
def test_a_partial_reference_never_refutes_because_it_is_stuck(tmp_path, seed):
    rng, whole = random.Random(seed), random_protocol(seed, states=5, inputs=3)
    kept = [turn for turn in turns_of(whole) if rng.random() < 0.7 or turn.state == "q0"]
    partial = conversation_machine(kept, "q0", like=whole)
    others = [turn._replace(output="out0", next="q0") for turn in turns_of(whole) if turn not in kept]
    for learner in (whole, conversation_machine([*kept, *others], "q0", like=whole), partial):
        verdict = dfst.compare(partial, learner)
        assert (verdict.exact, verdict.proven) == (learner is partial, True)
        verdict.certificate().save(tmp_path / "certificate.json")
        checked = dfst.check(tmp_path / "certificate.json", teacher=partial)
        assert ("up to where the teacher gets stuck" in checked.explain()) == (learner is not partial)
    reached = [turn for turn in turns_of(partial) if turn.state in {rule.state for rule in partial.rules()}]
    for turn in rng.sample(reached, 4):
        other = turn._replace(output="out1" if turn.output != "out1" else "out2")
        changed = [other if each == turn else each for each in [*kept, *others]]
        found = dfst.compare(partial, conversation_machine(changed, "q0", like=whole)).counterexample
        assert found is not None
        word = [name_of_symbol(symbol) for symbol in found.operands[0].split()]
        assert len(answers(partial, word)) == len(word)  # it is stuck nowhere on the way


def test_the_counterexample_is_a_shortest_word():
    rng = random.Random(5)
    for seed in range(6):
        machine = random_protocol(seed, states=4, inputs=3)
        turns = turns_of(machine)
        at = rng.randrange(len(turns))
        turns[at] = turns[at]._replace(output="out0" if turns[at].output != "out0" else "out1")
        other = conversation_machine(turns, "q0", like=machine)
        words = (
            " ".join(word)
            for n in range(1, 6)
            for word in itertools.product(machine.alphabet.classes["input"], repeat=n)
        )
        truth = next((w for w in words if machine.run(w).answer.text != other.run(w).answer.text), None)
        found = dfst.compare(machine, other).counterexample
        assert (found is None) == (truth is None)
        if found is not None and truth is not None:
            assert len(found.operands[0].split()) == len(truth.split())
            assert first_difference(machine, other, found.operands, step_limit=99) == found
