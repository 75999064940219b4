"""Symbols of one or several characters, capitals and strangers."""

import pytest

from dfst.errors import InputError
from dfst.world.alphabet import Alphabet


def test_encodes_capitals_and_refuses_strangers():
    hexadecimal = Alphabet(tuple("0123456789abcdef_"), "_")
    assert hexadecimal.encode("Ff").tolist() == [15, 15]
    with pytest.raises(InputError, match=r"'g' \(position 3\)"):
        hexadecimal.encode("12g")


def test_capitals_that_are_symbols_stay_themselves():
    assert Alphabet(("a", "A", "_"), "_").encode("aA").tolist() == [0, 1]


def test_long_symbols_are_separated_by_spaces():
    words = Alphabet(("left", "right", "_"), "_")
    assert words.encode("left right").tolist() == [0, 1]
    assert words.decode([1, 0]) == "right left"
    assert words.decode(words.encode("right _ left")) == "right _ left"
