"""The doctor on logs: what it asks for can be recorded until it is silent, and then the log shows it."""

import re
from collections import Counter

import pytest

import dfst
from dfst.exchange import merge, to_csv
from dfst.judging.open_questions import open_questions
from dfst.traces.logs import in_words_of, traces_of_conversations
from dfst.until_proven.held_out import answered
from dfst.world.conversation import name_of_symbol, symbol_of_name
from tests.logs.protocols import answers, door, random_protocol, walks


def asked_for(findings):
    """The words of inputs that the findings name."""
    texts = (re.fullmatch(r"Record conversations such as (.*?)(?: and \d+ more)?\.", each.do)[1] for each in findings)
    return [[name_of_symbol(symbol) for symbol in word.split()] for text in texts for word in text.split(", ")]


@pytest.mark.parametrize("seed", range(2))
def test_it_is_silent_once_what_it_asks_for_was_recorded(tmp_path, monkeypatch, seed):
    pytest.importorskip("aalpy")
    monkeypatch.chdir(tmp_path)
    machine = door() if seed == 0 else random_protocol(seed, 5, 3)
    log, findings = walks(machine, 3, seed=seed), []
    for _ in range(60):
        (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
        findings = dfst.doctor("log.csv")
        assert {finding.severity for finding in findings} <= {"warning"}
        if not findings:
            break
        for word in asked_for(findings):
            log += [[*zip(word, answers(machine, word), strict=True)]] * 2
    assert not findings
    merged = merge(traces_of_conversations(log))
    assert answered(merged, traces_of_conversations(log)) == len(log)
    seen = Counter()
    for talk in log:
        word = [symbol_of_name(read) for read, _ in talk]
        seen.update(merged.run(" ".join(word), record=True).pairs.tolist())
    inputs = {merged.alphabet.index[symbol] for symbol in merged.alphabet.classes["input"]}
    counts = [seen[q * len(merged.alphabet) + x] for q in range(len(merged.states)) for x in inputs]
    assert min(counts) >= 2


def test_it_is_silent_about_what_the_log_shows_and_counts_what_it_does_not():
    machine = door()
    every = in_words_of(machine, traces_of_conversations(walks(machine, 500)))
    assert not [*open_questions(machine, every)]
    few = in_words_of(machine, traces_of_conversations([[("lock", "ok"), ("unlock", "ok")], [("unlock", "error")]]))
    once, untold = open_questions(machine, few)
    assert once.what.startswith("12 of 12 transitions are seen less than twice, 9 of them never, such as (closed, ")
    assert once.do.startswith("Record conversations such as lock, open␣door, unlock, lock lock, ")
    assert untold.cause == "not-told-apart"
    assert "5 pairs of states" in untold.what  # only the answers to unlock differ, of closed and locked
    assert len(once.conversations) == len({*once.conversations}) == 12
    assert all(some in once.do for some in once.conversations[:8])
    words = asked_for([untold])
    assert any(answers(machine, word)[-1] == "error" for word in words)


def test_an_output_that_nobody_knows_shows_nothing():
    machine = door()
    log = [[(read, None if read == "unlock" else answer) for read, answer in talk] for talk in walks(machine, 500)]
    found = [*open_questions(machine, in_words_of(machine, traces_of_conversations(log)))]
    assert [finding.cause for finding in found] == ["seen-once"]
    assert "4 of 12 transitions are seen less than twice, 4 of them never" in found[0].what
    assert found[0].what.count("unlock)") == 4


@pytest.mark.slow
def test_a_run_on_a_log_is_looked_at_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(walks(door(), 8))), encoding="utf-8")
    run = dfst.learn("log.csv", dfst.Options(out="run"))
    assert not run.exact
    causes = {finding.cause for finding in dfst.doctor("run")}
    assert causes & {"seen-once", "not-told-apart"}
