"""Conversations from XES event logs; and what is wrong with such files, in sentences."""

import contextlib
import random

import pytest

from dfst.errors import DfstError, FileFormatError, InputError
from dfst.exchange import from_pandas, from_xes
from dfst.traces.logs import conversations_of
from tests.logs.protocols import door, walks

EVENT = '<event><string key="concept:name" value="{}"/><int key="code" value="{}"/></event>'
WHICH = {"input": "concept:name", "output": "code"}


def xes(*cases):
    """An event log as pm4py writes it."""
    traces = (f"<trace>{''.join(EVENT.format(*pair) for pair in case)}</trace>" for case in cases)
    head = '<?xml version="1.0" encoding="utf-8" ?>\n<log xes.version="1849-2016" xmlns="http://www.xes-standard.org/">'
    return f'{head}<!-- a log --><string key="origin" value="x"/>{"".join(traces)}</log>'


def test_an_event_log_is_read_with_a_stated_mapping():
    traces = from_xes(xes([("push", 1), ("pull &amp; go", 0)], [("pull &amp; go", "?")]), **WHICH)
    assert conversations_of(traces) == [[("push", "1"), ("pull & go", "0")], [("pull & go", None)]]
    other = from_xes(xes([("push", 1)]), input="code", output="concept:name")
    assert conversations_of(other) == [[("1", "push")]]


XES_MISTAKES = {
    "nothing": ("", "this is not XML (no element found"),
    "cut": (xes([("a", 1)])[:-8], "this is not XML ("),
    "page": ("<html/>", "this is not XES: it is 'html', not a log."),
    "entities": (f'<!DOCTYPE log [<!ENTITY a "b">]>{xes()}', "it declares a document type, which no event log needs."),
    "laughs": ('<!DOCTYPE l [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><log>&b;</log>', "it declares a document type"),
    "file": ('<!DOCTYPE l SYSTEM "file:///etc/passwd"><log/>', "it declares a document type"),
    "undeclared": ("<log>&a;</log>", "this is not XML (undefined entity"),
    "encoding": ('<?xml version="1.0" encoding="no-such"?><log/>', "there are no conversations"),
    "empty": ("<log/>", "there are no conversations. Give at least one input with its output."),
    "eventless": ("<log><trace/></log>", "there are no conversations."),
    "key": (
        xes([("a", 1)]).replace("code", "other"),
        "trace 1, event 1 has no attribute 'code', but 'concept:name other'.",
    ),
    "value": (xes([("a", 1), ("a", " ")]), "trace 1, event 2 has no attribute 'code', but"),
    "valueless": ('<log><trace><event><string key="code"/></event></trace></log>', "has no attribute 'concept:name'"),
    "input": (xes([("?", 1)]), "trace 1, event 1: the input is ?, which stands for what is not known."),
    "outputs": (xes([("a", "?")]), "no output is known. There is nothing to learn"),
    "many": (xes([(f"in{i}", f"out{i}") for i in range(150)]), "there are 300 different inputs and outputs"),
}


@pytest.mark.parametrize("name", XES_MISTAKES)
def test_a_mistake_in_an_event_log_gets_its_sentence(name):
    text, sentence = XES_MISTAKES[name]
    with pytest.raises(DfstError) as error:
        from_xes(text, **WHICH)
    assert sentence in error.value.sentence


def test_an_event_log_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("dfst.exchange.xes.MAX_DATA_BYTES", 10)
    with pytest.raises(FileFormatError, match="the log is too large"):
        from_xes(xes([("a", 1)]), **WHICH)


def test_changed_files_are_read_or_refused():
    text, rng = xes(*walks(door(), 4)), random.Random("xes")
    for _ in range(300):
        changed = list(text)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(changed))
            changed[at : at + rng.randint(0, 3)] = rng.choice(
                ['"', "\n", "<", "\0", "&", ">", "/", "?", ",", " ", "é", ""]
            )
        with contextlib.suppress(DfstError):
            assert len(from_xes("".join(changed), **WHICH))


def test_a_frame_that_lacks_a_column_of_a_log():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match=r"no column 'output'\. It needs the columns case, input, output"):
        from_pandas(pandas.DataFrame({"case": [1], "input": ["a"], "answer": ["b"]}))
