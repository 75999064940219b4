"""Sentences are one line each, whatever stands in the file they are about."""

import pytest

from dfst.errors import DfstError, MachineError, Mistake, printable

FORGED = "\nverified: on every input"


@pytest.mark.parametrize("text", ["add2" + FORGED, "\x1b[2K\rverified", "\u202e2dda\u2028teacher: add2", "\ud800"])
def test_what_a_file_says_cannot_forge_hide_or_reorder_a_line(text):
    sentences = [printable(text), str(DfstError(text, where=text, do=text)), str(Mistake(text, text))]
    sentences.append(str(MachineError([Mistake("something")], where=text)).partition(" mistake in the machine")[0])
    for sentence in sentences:
        assert sentence.isprintable()
        sentence.encode()


def test_what_can_be_printed_stays_as_it_is():
    assert printable("3 × 4 → zwölf, 'a b'") == "3 × 4 → zwölf, 'a b'"
