import pytest

from dfst import MachineError, Outcome
from dfst.exchange.morphett import parse_morphett
from dfst.world.run import run

# binary increment, with a stay in the middle, a wildcard and a breakpoint
INCREMENT = """
; go to the right end
0 0 0 r 0
0 1 1 r 0 !
0 _ _ l 1
1 1 0 l 1
1 * 1 * 2     ; writes and stays
2 * * * halt-done
"""


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 8, 255])
def test_increment(number):
    result = run(parse_morphett(INCREMENT), f"{number:b}")
    assert result.outcome == Outcome.HALTED
    assert result.answer.text == f"{number + 1:b}"


def test_exact_rules_go_before_wildcards():
    machine = parse_morphett("0 a x r 0\n0 * y r 0\n0 _ _ * halt\n* b z r 0")
    assert run(machine, "abxy").answer.text == "xyyy"
    machine = parse_morphett("0 a x r 0\n* b z r 0\n* * y r 1\n1 _ _ * halt")
    assert run(machine, "aby").answer.text == "xzy"


def test_wildcards_keep_symbol_and_state():
    machine = parse_morphett("0 * * r *\n0 _ _ * halt", extra_symbols="ab")
    assert run(machine, "abba").answer.text == "abba"


def test_a_chain_of_stays_becomes_one_step():
    machine = parse_morphett("0 a b * 1\n1 b c * 2\n2 c d r 0\n0 _ _ * halt")
    result = run(machine, "aa")
    assert (result.steps, result.answer.text) == (3, "dd")


def test_a_loop_of_stays_is_refused_with_a_sentence():
    with pytest.raises(MachineError, match="stays on its cell for ever"):
        parse_morphett("0 a b * 1\n1 b a * 0\n0 _ _ * halt")


def test_a_pair_without_a_rule_is_stuck():
    assert run(parse_morphett("0 a a r 0"), "aa").outcome == Outcome.STUCK


@pytest.mark.parametrize(
    ("program", "word", "left"),
    [
        ("0 1 X r 0\n0 0 Y r dead", "10", "XY"),  # to a state without rules
        ("0 1 X r b\nb 1 Y r c", "11", "XY"),  # the rule before that one is kept
        ("0 a b * 1\n0 _ _ * halt", "a", "b"),  # staying, in a state without rules
        ("0 a b * 1\n1 b c * 2\n2 x x r 0", "a", "c"),  # a chain of stays that ends at a pair without a rule
    ],
)
def test_a_rule_into_nothing_writes_and_halts(program, word, left):
    result = run(parse_morphett(program), word)
    assert (result.outcome, result.answer.text) == (Outcome.HALTED, left)


def test_every_kind_of_line_end():
    flip = "0 0 1 r 0\n0 1 0 r 0\n0 _ _ * halt"
    for end in ("\r\n", "\r"):
        assert parse_morphett(flip.replace("\n", end)) == parse_morphett(flip)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("0 a b r", "4 words"),
        ("0 a b up 1", "direction 'up'"),
        ("0 ab c r 1", "'ab' is not one visible character"),
        ("0 a b r 0\n0 a c r 0", "second rule; the first is in line 1"),
        ("; nothing", "no rules"),
        ("* * * * *", "does nothing, for ever"),
        ("1 a a r 1", "start state '0' has no rules"),
    ],
)
def test_mistakes(program, message):
    with pytest.raises(MachineError, match=message):
        parse_morphett(program)
