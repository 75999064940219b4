"""State merging is tried before a network on a log without contradictions, and whoever found the machine is named."""

import json
from pathlib import Path

import pytest

import dfst
from dfst.exchange import to_csv
from dfst.exchange.dot import to_dot
from dfst.traces.logs import conversations_of, traces_of_conversations
from dfst.traces.traces import UNKNOWN
from dfst.training.recall import Recall
from dfst.until_proven import looking, merging
from dfst.until_proven.held_out import keep_back
from dfst.until_proven.looking import Limit
from dfst.world.conversation import Turn, conversation_machine, turns_of
from tests.logs.protocols import door, random_protocol, walks
from tests.mistakes import call

pytest.importorskip("aalpy")


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A log that tells all, one that does not, and the reference."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(walks(door(), 150))), encoding="utf-8")
    (tmp_path / "door.dot").write_text(to_dot(door()), encoding="utf-8")
    return tmp_path


def test_merging_is_enough_for_a_telling_log_and_no_network_is_trained(logs, capsys):
    assert call("learn", "log.csv", "--teacher", "door.dot", "--out", "run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["exact"], said["learner"], said["iterations"]) == (True, "state merging", 0)
    assert said["merged"] == "state merging: 4 states, exact"
    assert not (logs / "run" / "model.safetensors").exists()
    assert dfst.check("run", teacher="door.dot").scope
    assert dfst.load("run").origin.who == "machine found by state merging, without a network"
    assert call("certify", "run", "--teacher", "door.dot") == 0


def test_without_a_reference_the_conversations_kept_back_decide(logs):
    learned = dfst.learn("log.csv", dfst.Options(out="run"))
    assert (learned.exact, learned.learner, learned.certification) == (False, "state merging", None)
    assert (learned.held_out.number, learned.held_out.machine, learned.held_out.network) == (10, 10, None)
    assert learned.to_json()["states"] == len(dfst.load("run:machine").states)
    assert "10 of 10 conversations to choose by are right to the end" in learned.explain()
    assert "the machine answers 10 of 10 held-out conversations right to the end" in learned.explain()
    assert dfst.compare("door.dot", "run:machine").exact
    assert not dfst.doctor("run")
    again = dfst.learn("log.csv", dfst.Options(out="run", resume=True))
    assert (again.learner, again.held_out) == (learned.learner, learned.held_out)
    with pytest.raises(dfst.errors.InputError, match="the folder is not empty"):
        dfst.learn("log.csv", dfst.Options(out="run"))


@pytest.mark.slow
def test_the_network_learns_where_merging_is_worse(logs, monkeypatch):
    """A machine of one state is not enough; then the log is learned as it is without the library."""
    always = conversation_machine([Turn("q", each, "ok", "q") for each in ("lock", "unlock", "open door")], "q")
    monkeypatch.setattr(merging, "merge_traces", lambda *_, **__: always)
    said = []
    learned = dfst.learn("log.csv", dfst.Options(out="run"), say=said.append)
    assert learned.learner == "network"
    assert learned.held_out.machine == learned.held_out.number == 10
    assert "of 10 conversations to choose by are right to the end" in said[0]
    monkeypatch.setattr(merging, "find_spec", lambda name: None)
    without = dfst.learn("log.csv", dfst.Options(out="without"), say=said.append)
    assert merging.ALONE in said
    assert (without.learner, without.merged, without.iterations) == ("network", "", learned.iterations)


def test_transitions_that_a_log_never_shows_are_counted(logs):
    """Of a reference with an input that nobody gave, as many as it has states."""
    log, said = dfst.load("log.csv"), []
    turns = [turn for turn in turns_of(dfst.task("door.dot").machine)]
    states = {turn.state for turn in turns}
    turns += [Turn(state, "kick", "ouch", state) for state in sorted(states)]
    (logs / "kicked.dot").write_text(to_dot(conversation_machine(turns, turns[0].state)), encoding="utf-8")
    assert merging.never_shown(dfst.task("door.dot"), log) == ""
    dfst.learn("log.csv", dfst.Options(out=logs / "run", iterations=1500), teacher="kicked.dot", say=said.append)
    what = f"the log never shows {len(states)} of the {len(turns)} transitions of the reference"
    assert said[0].startswith(what), said


@pytest.mark.parametrize(
    ("wrong", "ends"), [(3, "held-out conversations right"), (4, "are not as recorded; dfst doctor")]
)
def test_a_network_that_misses_few_records_of_a_log_has_a_machine(logs, monkeypatch, wrong, ends):
    """One step of a hundred may be wrong at the end."""
    monkeypatch.setattr(merging, "find_spec", lambda name: None)
    monkeypatch.setattr(looking, "recall", lambda _, traces: Recall(len(traces), 399, 1, wrong))
    learned = dfst.learn("log.csv", dfst.Options(out="run", iterations=1500))
    assert ends in learned.explain()


def test_merging_that_takes_too_long_is_given_up(logs, monkeypatch):
    monkeypatch.setattr(merging, "_WORK", 1)
    said = []
    traces = dfst.load("log.csv")
    assert merging.MergedLog.of(traces, dfst.task("door.dot"), None, Limit(), said.append) is None
    assert said == ["state merging did not end: the limit of 1 units of work was reached"]


def test_what_is_kept_back_proves_something_and_is_said_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = walks(random_protocol(5, states=4, inputs=4), 150)
    doubled = traces_of_conversations([*log, *log, *[talk[:-1] for talk in log]])
    for log_or_doubled in (doubled, traces_of_conversations(log)):
        kept = keep_back(log_or_doubled)
        assert kept is not None
        learned_from = [[read for read, _ in talk] for talk in conversations_of(kept.learn)]
        for talk in [*conversations_of(kept.judge), *conversations_of(kept.choose)]:
            assert not any(inputs[: len(talk)] == [read for read, _ in talk] for inputs in learned_from)
        assert sum(map(len, kept)) == len(log_or_doubled)
    silent = traces_of_conversations([*log, *[[(read, None) for read, _ in talk] for talk in log]])
    assert not any((trace.written[:-1] == UNKNOWN).all() for trace in keep_back(silent).judge)
    kept = keep_back(traces_of_conversations(log))
    assert kept is not None
    for part in kept:
        for talk, case in zip(conversations_of(part), part.cases, strict=True):
            assert log[int(case) - 1] == talk
    case = kept.judge.cases[0]
    talk = log[int(case) - 1]
    talk[-1] = talk[-1][0], "wrong"
    Path("log.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
    learned = dfst.learn("log.csv", dfst.Options(out="run"))
    assert f"kept back, and answered otherwise: case '{case}', input {len(talk)}" in learned.explain()
    assert learned.held_out.against[0] == f"case '{case}', input {len(talk)}"


@pytest.mark.slow
def test_a_run_that_is_resumed_says_the_same_again(logs, monkeypatch):
    first = dfst.learn("log.csv", dfst.Options(out="merged"), teacher="door.dot")
    again = dfst.learn("log.csv", dfst.Options(out="merged", resume=True), teacher="door.dot")
    assert first.exact
    assert again.exact
    always = conversation_machine([Turn("q", each, "ok", "q") for each in ("lock", "unlock", "open door")], "q")
    monkeypatch.setattr(merging, "merge_traces", lambda *_, **__: always)
    first = dfst.learn("log.csv", dfst.Options(out="alone"))
    machine = Path("alone/machine.dfst").read_bytes()
    again = dfst.learn("log.csv", dfst.Options(out="alone", resume=True))
    assert (first.learner, again.learner) == ("network", "network")
    assert Path("alone/machine.dfst").read_bytes() == machine
    assert again.held_out == first.held_out
    assert Path("alone/held_out.jsonl").exists()
    assert not any(finding.cause == "stalled" for finding in dfst.doctor("alone"))


def test_of_a_short_log_what_merging_finds_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    talks = [[("push", "on"), ("push", "off"), ("push", "on")], [("push", "on"), ("push", "off")]]
    Path("short.csv").write_text(to_csv(traces_of_conversations(talks)), encoding="utf-8")
    learned = dfst.learn("short.csv", dfst.Options(out=Path("run")))
    assert (learned.learner, learned.iterations, learned.held_out) == ("state merging", 0, None)
    assert "too few different conversations to keep some back" in learned.explain()
    assert dfst.solve("run:machine", "push push push push").answer.text == "on off on off"


@pytest.mark.slow
def test_a_noisy_log_may_lack_symbols_of_its_reference(logs, capsys):
    """One of its inputs is never given; what is seen is corrected all the same."""
    machine = random_protocol(3, states=4, inputs=4)
    log = [talk for talk in walks(machine, 2000, longest=8) if all(read != "in 3" for read, _ in talk)]
    read, was = (longest := max(log, key=len))[-1]
    longest[-1] = read, "out0" if was != "out0" else "out1"
    (logs / "noisy.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
    (logs / "reference.dot").write_text(to_dot(machine), encoding="utf-8")
    options, said = dfst.Options(out="run", iterations=4000), []
    learned = dfst.learn("noisy.csv", options, noisy=True, teacher="reference.dot", say=said.append)
    assert learned.corrected == 1
    case = log.index(longest) + 1
    assert any(f"case '{case}', input {len(longest)}: '{read}' was answered" in line for line in said)
    change = json.loads((logs / "run" / "changes.jsonl").read_text(encoding="utf-8"))
    assert {name: change[name] for name in ("case", "sees")} == {"case": str(case), "sees": read}
    assert (change["was"], change["should_be"]) == (longest[-1][1], was)
    assert learned.looks[0].iteration == 0  # of the machine by which it was corrected
    assert "has no answer" in learned.explain()  # to the input that nobody gave
    (logs / "run" / "explains.dfst").write_text("nothing", encoding="utf-8")
    with pytest.raises(dfst.DfstError, match=r"explains\.dfst"):
        dfst.learn("noisy.csv", dfst.Options(out="run", resume=True), noisy=True, teacher="reference.dot")


def test_a_reference_may_be_named_when_learning_is_resumed(logs):
    """The run keeps its own hidden dimension, which traces alone were given."""
    (logs / "few.csv").write_text(to_csv(traces_of_conversations(walks(door(), 12))), encoding="utf-8")
    assert not dfst.learn("few.csv", dfst.Options(out="run")).exact
    assert dfst.learn("few.csv", dfst.Options(out="run", resume=True), teacher="door.dot").exact
    said = dfst.evaluate("run", "door.dot", to=5).lengths.explain()  # of the network itself
    assert said.startswith("PLG at least 5") or ("the policy answers" in said)
