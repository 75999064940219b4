import pytest

from dfst import Alphabet, FileFormatError, InputError, MachineError
from dfst.world.alphabet import alphabet_from, alphabet_header


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


def test_symbols_beyond_ascii():
    assert Alphabet(("×", "ß", "_"), "_").encode("ß×_").tolist() == [1, 0, 2]


def test_headers_give_back_the_alphabet():
    alphabet = Alphabet(("0", "×", "_"), "_", {"digit": ("0",), "two  words": ("0", "×")})
    assert alphabet_from({"format": 1, **alphabet_header(alphabet)}) == alphabet
    assert alphabet_from({"symbols": ["0", "_"], "blank": "_"}) == Alphabet(("0", "_"), "_")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"symbols": "01"}, "symbols and blank are not names"),
        ({"symbols": None}, "symbols and blank are not names"),
        ({"symbols": [0, 1]}, "symbols and blank are not names"),
        ({"blank": 0}, "symbols and blank are not names"),
        ({"classes": []}, "classes are not lists"),
        ({"classes": {"digit": "01"}}, "classes are not lists"),
        ({"classes": {"": ["0"]}}, "cannot be the name of a class"),
        ({"symbols": ["0", "0", "_"]}, "listed 2 times"),
    ],
)
def test_broken_headers_are_refused_with_a_sentence(wrong, message):
    with pytest.raises(FileFormatError, match=message):
        alphabet_from({"symbols": ["0", "1", "_"], "blank": "_", "classes": {"digit": ["0", "1"]}} | wrong)
