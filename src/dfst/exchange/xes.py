"""Event logs in XES, the XML format of process mining (extra: none), as conversations: a case is one of them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from dfst.errors import FileFormatError, check_text, quoted
from dfst.files import MAX_DATA_BYTES
from dfst.traces.logs import pair_in_file, traces_of_conversations
from dfst.traces.traces import Traces

_MAPPING = "Name the attribute of an event that is its input, and the one that is its output."


def from_xes(text: str, *, input: str, output: str, task: str = "") -> Traces:
    """The conversations in an XES text: every event's attributes with these keys are an input and its output.

    An output ``?`` is not known.

    >>> event = '<event><string key="concept:name" value="push"/><int key="lamp" value="1"/></event>'
    >>> from_xes(f"<log><trace>{event}{event}</trace></log>", input="concept:name", output="lamp").problems
    (('push push',),)
    """
    check_text(text)
    if len(text) > MAX_DATA_BYTES:
        raise FileFormatError("the log is too large", do="Split it.")
    if re.search(r"<!(?!--|\[CDATA\[)", text):
        raise FileFormatError("it declares a document type, which no event log needs", do="Remove the <!DOCTYPE ...>.")
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError) as error:  # ValueError: a declared encoding that does not exist
        do = "Give the text of a log, not its path; it may be cut short."
        raise FileFormatError(f"this is not XML ({error})", do=do) from None
    if _name(root) != "log":
        raise FileFormatError(f"this is not XES: it is {quoted(_name(root))}, not a log", do="Give an event log.")
    found, cases = [], []
    for case, trace in enumerate((each for each in root if _name(each) == "trace"), 1):
        pairs = []
        for number, event in enumerate((each for each in trace if _name(each) == "event"), 1):
            has = {each.get("key"): each.get("value", "").strip() for each in event}
            where = f"trace {case}, event {number}"
            for key in (input, output):
                if not has.get(key):
                    what = f"{where} has no attribute {quoted(key)}, but {quoted(' '.join(map(str, has)))}"
                    raise FileFormatError(what, do=_MAPPING)
            pairs.append(pair_in_file(has[input], has[output], where))
        found.append(pairs)
        own = (each.get("value", "") for each in trace if each.get("key") == "concept:name")
        cases.append(next(own, "") or str(case))
    return traces_of_conversations(found, cases=cases, task=task)


def _name(element: ET.Element) -> str:
    """The tag without its namespace."""
    return element.tag.rpartition("}")[2]
