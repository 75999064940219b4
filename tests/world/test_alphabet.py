import pytest

from dfst import Alphabet, InputError, MachineError


def test_lists_every_problem():
    with pytest.raises(MachineError) as error:
        Alphabet(("0", "0", "a b", ""), "_", {"0": ("0",), "empty": (), "odd": ("x", "x")})
    text = str(error.value)
    for part in (
        "'0' is listed 2 times",
        "'a b' cannot",
        "'' cannot",
        "blank '_'",
        "name of a symbol",
        "is empty",
        "'x'",
    ):
        assert part in text
    assert len(error.value.mistakes) == 8


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
