"""What the checker must accept, and what it must reject and why: cases that take the checker as an argument.

So the same cases judge the checker itself (test_checker.py) and copies of it with a fault (checker_mutations.py).
"""

import contextlib
import copy
import functools
import gzip
import hashlib
import io
import itertools
import json
import tempfile
from pathlib import Path

from dfst import GridMachine, from_machine, parse_machine, save_model
from dfst.prove.abstraction import Precision
from dfst.prove.bisimulation import alike_everywhere
from dfst.prove.certificate import certificate, machine_json
from dfst.prove.closed_set import closed_set
from dfst.prove.closure import close
from tests.prove.attacks import INCREMENT

WORLD = """
format = 1
name = "m"
symbols = ["0", "1", "_", "x"]
blank = "_"
start = "a"
[classes]
digit = ["0", "1"]
[input]
cells = {cells}
head = {head}
[answer]
row = 0
cells = "digit"
---
"""
WANDER = """
a 0,1 -> = U b
a _   -> x R a
a x   -> = S halt
b _   -> 0 D c
b 0,1 -> = D c
b x   -> = S halt
c 0,1 -> = R a
"""
"""It marks the row above the digits, and gets stuck nowhere: c sees only digits."""

STUCK = """
a 0,1 -> = R a
a x   -> = L b
b 0   -> _ S halt
"""
"""Stuck if the last digit is a 1."""

BOLD = STUCK + "b 1 -> 0 S halt\n"
"""A learner that goes on where its teacher is stuck."""


def machine(rules, cells='["digit+"]', head="[0, 0]") -> GridMachine:
    return parse_machine(WORLD.format(cells=cells, head=head) + rules)


GETS_STUCK = {"stuck", "bold"}


def proven(teacher, learner=None, *, low=0, high=0, alike=False, **more):
    learner = learner or teacher
    pairs = alike_everywhere(teacher, learner, [(0, 0)]) if alike else frozenset()
    closure = close(teacher, learner, Precision(low, high, **more), limit=1000, alike=pairs)
    return certificate(teacher, learner, closed_set(closure, teacher.layout.head[1]), {"model": "0" * 64})


@functools.cache
def good():
    """Certificates by name."""
    increment = parse_machine(INCREMENT)
    inside = {
        f"inside {x}": proven(machine(WANDER, '["digit", "x", "digit+"]', f"[{x}, 1]"), high=2) for x in (0, 1, 2, 5)
    }
    words = {f"at {x}": proven(machine(WANDER, '["x", "digit+"]', f"[{x}, -1]"), low=-2, high=1) for x in (-4, -1, 3)}
    return {
        "increment": proven(increment),
        "precise": proven(increment, apart=3, runs=2, tracked=frozenset({(1, 1, 3), (0, 0, 3)})),
        "wander": proven(machine(WANDER), high=1),
        "stuck": proven(machine(STUCK, '["digit+", "x"]')),
        "bold": proven(machine(STUCK, '["digit+", "x"]'), machine(BOLD, '["digit+", "x"]')),
        "any grid": proven(increment, alike=True),
        **inside,
        **words,
    }


def sealed(checker, content):
    """With the digest that fits."""
    return content | {"digest": checker.sha256({key: value for key, value in content.items() if key != "digest"})}


def reason(checker, call, *arguments) -> str:
    """Why the checker rejects what it is called with."""
    try:
        call(*arguments)
    except checker.Rejected as rejection:
        return str(rejection)
    raise AssertionError(f"accepted: {str(arguments)[:200]}")


def rejected(checker, name, change, why):
    """``change`` applied to the certificate ``name`` is rejected, and the reason holds ``why``."""
    content = copy.deepcopy(good()[name])
    content = change(content) or content
    if isinstance(content, dict) and "digest" in content:
        content = sealed(checker, content)
    given = reason(checker, checker.verify, content)
    assert why in given, f"{given} instead of {why}"


def setting(*path):
    """A change: setting(key, key, ..., value) puts the value there."""
    *keys, last, value = path

    def change(content):
        for key in keys:
            content = content[key]
        content[last] = value

    return change


REJECTED = [
    ("increment", lambda c: [c], "the certificate has not the keys"),
    ("increment", lambda c: c.pop("hashes") and None, "the certificate has not the keys"),
    ("increment", setting("more", 1), "the certificate has not the keys"),
    ("increment", setting("format", "dfst-certificate/2"), "its format is not"),
    ("increment", setting("halting", "R"), "its format is not"),
    ("increment", setting("moves", [*"UDRLS"]), "its format is not"),
    ("increment", setting("symbols", "01_"), "the alphabet is not a list"),
    ("increment", setting("symbols", ["0", "1", 2]), "holds what is not a string"),
    ("increment", setting("symbols", ["0", "1", "_", "_"]), "a symbol comes twice"),
    ("increment", setting("blank", "x"), "a symbol comes twice, or the blank never"),
    ("increment", setting("classes", []), "the classes are not an object"),
    ("increment", setting("classes", "digit", []), "is empty"),
    ("increment", setting("classes", "digit", ["0", "x"]), "a class holds"),
    ("increment", setting("layout", {}), "the layout has not the keys"),
    ("increment", setting("layout", "parts", []), "is empty"),
    ("increment", setting("layout", "parts", [[]]), "not a string"),
    ("increment", setting("layout", "parts", ["digits"]), "neither a symbol nor a class"),
    ("increment", setting("layout", "parts", ["digit++"]), "neither a symbol nor a class"),
    ("increment", setting("layout", "parts", ["_"]), "may be blank"),
    ("increment", setting("classes", "digit", ["0", "_"]), "may be blank"),
    ("increment", setting("layout", "head", [0]), "the start cell is not a list of the right length"),
    ("increment", setting("layout", "head", [1001, 0]), "a coordinate of the start cell"),
    ("increment", setting("layout", "head", [0, -1001]), "a coordinate of the start cell"),
    ("increment", setting("layout", "head", [True, 0]), "a coordinate of the start cell"),
    ("increment", setting("layout", "head", [0, 1.0]), "a coordinate of the start cell"),
    ("increment", setting("layout", "head", [201, 0]), "too far inside"),
    ("increment", setting("layout", "head", [0, 1]), "its rows leave out"),
    ("increment", setting("layout", "head", [0, -1]), "its rows leave out"),
    ("increment", setting("layout", "head", [1, 0]), "a start is not covered"),
    ("increment", setting("layout", "head", [-1, 0]), "a start is not covered"),
    ("increment", setting("rows", [0]), "the rows is not a list"),
    ("increment", setting("rows", [1, 1]), "its rows leave out"),
    ("increment", setting("rows", [-1, -1]), "its rows leave out"),
    ("increment", setting("rows", [-1, 0]), "a column is not a list of the right length"),
    ("increment", setting("rows", [-5001, 0]), "a row is not a whole number from -5000 to 5000"),
    ("increment", setting("rows", [0, 5001]), "a row is not a whole number from -5000 to 5000"),
    ("increment", setting("teacher", None), "the teacher has not the keys"),
    ("increment", setting("learner", "extra", 1), "the learner has not the keys"),
    ("increment", setting("teacher", "table", None), "the teacher's table is not a list"),
    ("increment", setting("teacher", "table", 0, [None]), "a row of the teacher's table"),
    ("increment", setting("teacher", "table", 0, 0, [0, 0]), "an entry of the teacher's table"),
    ("increment", setting("teacher", "table", 0, 0, [2, 0, 3]), "a next state of the teacher"),
    ("increment", setting("teacher", "table", 0, 0, [-2, 0, 3]), "a next state of the teacher"),
    ("increment", setting("teacher", "table", 0, 0, [0, 3, 3]), "a symbol that the teacher writes"),
    ("increment", setting("teacher", "table", 0, 0, [0, -1, 3]), "a symbol that the teacher writes"),
    ("increment", setting("teacher", "table", 0, 0, [0, 0, 5]), "a move of the teacher"),
    ("increment", setting("teacher", "table", 0, 0, [0, 0, -1]), "a move of the teacher"),
    ("increment", setting("teacher", "table", 0, 0, [-1, 0, 3]), "halts without staying"),
    ("increment", setting("learner", "table", 0, 0, [0, 0, 4]), "the learner stays without halting"),
    ("increment", setting("teacher", "start", 2), "the teacher's start"),
    ("increment", setting("learner", "start", -1), "the learner's start"),
    ("increment", setting("teacher", "start", 1), "a start is not covered"),
    ("increment", setting("learner", "start", 1), "a start is not covered"),
    ("increment", setting("learner", "table", 1, 0, None), "teacher and learner act differently"),
    ("increment", setting("learner", "table", 1, 0, [-1, 0, 4]), "teacher and learner act differently"),
    ("increment", setting("learner", "table", 0, 0, [0, 0, 2]), "teacher and learner act differently"),
    ("increment", setting("learner", "table", 0, 0, [1, 0, 3]), "is not covered"),
    ("increment", setting("teacher", "table", 0, 0, [1, 0, 3]), "is not covered"),
    ("increment", setting("sets", {}), "the sets is not a list"),
    ("increment", setting("sets", 0, []), "a set is empty"),
    ("increment", setting("sets", 0, 5), "a set is not a list"),
    ("increment", setting("sets", 0, [3]), "a symbol of a set"),
    ("increment", setting("sets", 0, [-1]), "a symbol of a set"),
    ("increment", setting("columns", {}), "the columns is not a list"),
    ("increment", setting("columns", 0, [0, 0]), "a column is not a list"),
    ("increment", setting("columns", 0, [99]), "the number of a set"),
    ("increment", setting("columns", 0, [-1]), "the number of a set"),
    ("increment", setting("halves", {}), "the halves is not a list"),
    ("increment", setting("halves", 0, [[0]]), "a run is not a list"),
    ("increment", setting("halves", 0, [[99, 0]]), "the number of a column"),
    ("increment", setting("halves", 0, [[0, 2]]), "a run's flag"),
    ("increment", setting("halves", 0, [[0, -1]]), "a run's flag"),
    ("increment", setting("halves", 0, [[0, True]]), "a run's flag"),
    ("increment", setting("members", {}), "the members is not a list"),
    ("increment", setting("members", 0, 7), "a member is not a list"),
    ("increment", setting("members", 0, [0, 0, 0]), "a member has neither 2 nor 6 numbers"),
    ("increment", setting("members", 0, [2, 0]), "a member's state"),
    ("increment", setting("members", 0, [0, -1]), "a member's state"),
    ("increment", setting("members", 0, 2, 1), "a member's row"),
    ("increment", setting("members", 0, 2, -1), "a member's row"),
    ("increment", setting("members", 0, 2, None), "a member's row"),
    ("increment", setting("members", 0, 3, 99), "the number of a half"),
    ("increment", setting("members", 0, 4, 99), "the number of a column"),
    ("increment", setting("members", 0, 5, -1), "the number of a half"),
    ("increment", setting("starts", []), "a start is not covered"),
    ("increment", setting("starts", [99]), "the number of a start"),
    ("increment", setting("starts", [-1]), "the number of a start"),
    ("increment", setting("starts", 0), "the starts is not a list"),
    ("increment", setting("steps", []), "the steps is not a list of the right length"),
    ("increment", setting("steps", 0, 0), "the hints of a member is not a list"),
    ("increment", lambda c: c["steps"][0].pop() * 0 or None, "the number of the member that covers a step"),
    ("increment", lambda c: c["steps"][0].append(0), "more hints than steps"),
    (
        "increment",
        lambda c: setting("steps", 0, 0, len(c["members"]))(c),
        "the number of the member that covers a step",
    ),
    ("increment", setting("steps", 0, 0, -1), "the number of the member that covers a step"),
    ("increment", setting("claim", "teacher_never_stuck", False), "it claims what it does not prove"),
    ("increment", setting("claim", "teacher_never_stuck", 1), "it claims what it does not prove"),
    ("stuck", setting("claim", "teacher_never_stuck", True), "it claims what it does not prove"),
    ("bold", setting("claim", "scope", "on every input"), "it claims what it does not prove"),
    ("increment", setting("hashes", []), "its hashes are not all SHA-256"),
    ("increment", setting("hashes", "model", "any text"), "its hashes are not all SHA-256"),
    ("increment", setting("hashes", "model", "0" * 63), "its hashes are not all SHA-256"),
    ("increment", setting("hashes", "model", "0" * 63 + "G"), "its hashes are not all SHA-256"),
    ("increment", setting("hashes", "more", 64), "its hashes are not all SHA-256"),
    ("increment", setting("hashes", "more", ["0"] * 64), "its hashes are not all SHA-256"),
    ("increment", setting("symbols", [f"s{n}" for n in range(251)]), "more than 250 symbols"),
    ("increment", setting("layout", "answer_row", "nowhere"), "the answer's row"),
    ("increment", setting("layout", "answer_row", 1001), "the answer's row"),
    ("increment", setting("layout", "answer_row", -1001), "the answer's row"),
    ("increment", setting("layout", "answer_row", None), "the answer's row"),
    ("increment", setting("layout", "answer_class", "no such class"), "the answer's class is none of the classes"),
    ("increment", setting("layout", "answer_class", ["digit"]), "the answer's class holds what is not a string"),
    ("increment", setting("layout", "leading", "_"), "the leading symbol is not"),
    ("increment", setting("layout", "leading", 0), "the leading symbol is not"),
    (
        "increment",
        lambda c: setting("classes", "all", ["0", "_"])(c) or setting("layout", "answer_class", "all")(c),
        "or holds the blank",
    ),
    ("increment", setting("teacher", "states", -1), "the teacher's states is not a list"),
    ("increment", setting("teacher", "states", 0, -1), "the teacher's names holds what is not a string"),
    ("increment", setting("learner", "states", ["walk"]), "the learner has more or fewer names"),
    ("increment", setting("learner", "states", ["a", "b", "c"]), "the learner has more or fewer names"),
    ("increment", setting("learner", "name", None), "the learner's names holds what is not a string"),
    ("increment", lambda c: c["steps"][0].append(None), "more hints than steps"),
    ("increment", lambda c: c["steps"][0].extend([None, "garbage", {"verified": 1}]), "more hints than steps"),
    ("increment", setting("steps", 0, 0, None), "the number of the member that covers a step"),
    ("wander", setting("classes", "digit", ["0", "1", "x"]), "a start is not covered"),
    ("increment", setting("classes", {"digit": ["0", "1"], "odd": ["1", "3"]}), "a class holds"),
    ("increment", setting("layout", "head", [1000, 0]), "too far inside"),
    ("increment", setting("layout", "head", [-1000, 0]), "a start is not covered"),
    ("inside 0", lambda c: setting("rows", [1, 1 + c["rows"][1] - c["rows"][0]])(c), "its rows leave out"),
    ("at 3", lambda c: setting("rows", [-1 + c["rows"][0] - c["rows"][1], -1])(c), "its rows leave out"),
    ("any grid", setting("learner", "table", 1, 0, [-1, 0, 4]), "teacher and learner act differently"),
    ("any grid", setting("learner", "table", 0, 0, [1, 0, 3]), "is not covered"),
]


def case_accepts_good_certificates(checker):
    for name, content in good().items():
        report = checker.verify(content)
        assert report["members"] == len(content["members"])
        assert report["scope"] == (
            "on every input, up to where the teacher gets stuck" if name == "bold" else "on every input"
        )
        assert report["teacher_never_stuck"] is (name not in GETS_STUCK)
    assert good()["any grid"]["members"] == [[0, 0], [1, 1]]
    world = copy.deepcopy(good()["increment"])
    world["classes"]["anything"] = world["symbols"]
    checker.verify(sealed(checker, world))
    unnamed = copy.deepcopy(good()["increment"])
    unnamed["teacher"]["states"] = []  # names are for people
    unnamed["layout"] |= {"answer_row": -1000, "leading": "1"}
    checker.verify(sealed(checker, unnamed))
    unnamed["layout"]["answer_row"] = 1000
    checker.verify(sealed(checker, unnamed))
    hashes = checker.verify(good()["increment"])
    assert hashes["teacher"] == hashes["learner"] == INCREMENT_HASH
    assert checker.verify(good()["bold"])["learner"] != checker.verify(good()["bold"])["teacher"]


INCREMENT_HASH = "adae59371404b51353c6e3278b4d756b8f702942aac32af1a9554a97474ba10b"


def case_rejects_with_a_reason(checker):
    for name, change, why in REJECTED:
        rejected(checker, name, change, why)


def case_the_digest_must_fit(checker):
    content = good()["increment"] | {"hashes": {"model": "1" * 64}}
    assert "digest" in reason(checker, checker.verify, content)
    checker.verify(sealed(checker, content))


def case_every_hint_matters(checker):
    """A hint to any other member is accepted only if that member holds as much as the right one."""
    for name in ACCEPTED_HINTS:
        changed, members, accepted = copy.deepcopy(good()[name]), good()[name]["members"], 0
        for hints in changed["steps"]:
            for i, hint in enumerate(hints):
                for wrong in range(len(members)):
                    if wrong != hint:
                        hints[i] = wrong
                        with contextlib.suppress(checker.Rejected):
                            checker.verify(sealed(checker, changed))
                            accepted += 1
                hints[i] = hint
        assert accepted == ACCEPTED_HINTS[name], (name, accepted)


ACCEPTED_HINTS = {"increment": 9, "inside 2": 9, "at 3": 11}


def tapes(half, length, columns):
    """The beginnings, ``length`` columns long, of the tapes in a half whose runs are (column, many)."""
    found = {()}
    for column, many in half:
        longer = set()
        for tape in found:
            for n in range(1, max(length - len(tape), 1) + 1) if many else (1,):
                longer |= {
                    (*tape, *more)[:length] for more in itertools.product(*[[c for c in columns if c & column[0]]] * n)
                }
        found = longer
    return {(*tape, *[1] * (length - len(tape)))[:length] for tape in found}


def case_inclusion_of_halves_is_sound(checker):
    """Against brute force, on all halves of up to two runs; columns are one cell with the symbols 1 (blank) and 2."""
    runs = [((mask,), many) for mask in (1, 2, 3) for many in (0, 1)]
    halves = [(), *((run,) for run in runs), *itertools.product(runs, runs)]
    holds = {half: tapes(half, 5, (1, 2)) for half in halves}
    known, accepted = {}, 0
    for small, large in itertools.product(halves, halves):
        answer = checker.half_inside(small, large, (1,), known)
        assert answer in (True, False)
        assert answer is checker.half_inside(small, large, (1,), {})
        assert not answer or holds[small] <= holds[large], (small, large)
        accepted += answer
    assert accepted == ACCEPTED_HALVES
    three = (((2,), 0), ((2,), 1), ((1,), 0), ((2,), 0))
    assert checker.half_inside(three, (((2,), 1), ((3,), 1), ((2,), 0)), (1,), {})
    assert not checker.half_inside(three, (((2,), 1), ((2,), 0)), (1,), {})


ACCEPTED_HALVES = 471


def case_inclusion_of_members(checker):
    small, large = ((2,), 0), ((3,), 1)
    member = (1, 2, 0, (large,), (3,), (large,))

    def covers(config):
        return checker.covers(config, member, (1,), {})

    assert covers((1, 2, 0, (small,), (2,), (small, small)))
    assert not covers((0, 2, 0, (small,), (2,), (small,)))
    assert not covers((1, 0, 0, (small,), (2,), (small,)))
    assert not covers((1, 2, 1, (small,), (2,), (small,)))
    assert not covers((1, 2, 0, (((4,), 0),), (2,), (small,)))
    assert not covers((1, 2, 0, (small,), (4,), (small,)))
    assert not covers((1, 2, 0, (small,), (2,), (((4,), 0),)))
    anywhere = (1, 2, None, None, None, None)
    assert checker.covers((1, 2, 0, (small,), (2,), ()), anywhere, (1,), {}) is True
    assert checker.covers(anywhere, anywhere, (1,), {}) is True
    assert checker.covers((2, 2, None, None, None, None), anywhere, (1,), {}) is False


def case_steps(checker):
    one, many = ((2, 2), 0), ((4, 4), 1)
    blank = (1, 1)
    assert checker.pop((), blank) == [(blank, ())]
    assert checker.pop((one, many), blank) == [((2, 2), (many,))]
    assert checker.pop((many, one), blank) == [((4, 4), (many, one)), ((4, 4), (one,))]
    config = (5, 6, 1, (one,), (8, 8), (many,))
    up, down, left, right = range(4)
    assert checker.after((*config[:2], 0, *config[3:]), 4, up, blank) == [(5, 6, 1, (one,), (16, 8), (many,))]
    assert checker.after(config, 4, down, blank) == [(5, 6, 0, (one,), (8, 16), (many,))]
    assert checker.after(config, 0, left, blank) == [(5, 6, 1, (), (2, 2), (((8, 1), 0), many))]
    pushed = (((8, 1), 0), one)
    assert checker.after(config, 0, right, blank) == [(5, 6, 1, pushed, (4, 4), (many,)), (5, 6, 1, pushed, (4, 4), ())]
    assert checker.after((5, 6, None, None, None, None), 0, right, blank) == [(5, 6, None, None, None, None)]
    for row, move in ((1, up), (0, down)):
        leaving = (*config[:2], row, *config[3:])
        assert "leaves the rows" in reason(checker, checker.after, leaving, 0, move, blank)


def case_starts(checker):
    blank, digit, sharp = (1, 1), (1, 6), (1, 8)
    parts = [(6, True), (8, False)]
    one, many = (digit, False), (digit, True)
    end = (sharp, False)
    assert checker.starts(parts, 0, 1, blank) == [((), digit, (many, end)), ((), digit, (end,))]
    assert checker.starts(parts, -1, 1, blank) == [((), blank, (many, end))]
    assert checker.starts(parts, -3, 1, blank) == [((), blank, ((blank, False), (blank, False), many, end))]
    assert checker.starts(parts, 2, 1, blank) == [
        ((one, one), digit, (many, end)),
        ((one, one), digit, (end,)),
        ((one, one), sharp, ()),
        ((end, one), blank, ()),
    ]
    checker.MAX_STARTS, before = 3, checker.MAX_STARTS
    checker.starts(parts, 1, 1, blank)
    checker.starts(parts, 2, 1, blank)
    why = reason(checker, checker.starts, parts, 3, 1, blank)
    checker.MAX_STARTS = before
    assert "too far inside" in why


def case_only_plain_json(checker):
    for text, why in (
        (b"[1, 2", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b"1" * 5000, "not JSON"),
        (b"[1.5]", "1.5 is not a whole number"),
        (b"[1e999]", "not a whole number"),
        (b"[NaN]", "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b'{"a": 1, "a": 2}', "a key comes twice"),
        (b'{"a": {"b": 1, "b": 1}}', "a key comes twice"),
    ):
        given = reason(checker, checker.parse, text)
        assert why in given, given
        assert len(given) < 200
    assert checker.parse(b'{"a": [1, true, null, "x"]}') == {"a": [1, True, None, "x"]}
    assert (
        checker.sha256({"b": [1, None], "a": "ä"}) == "847d613442ae70ec251d2ed0647cb38a4f17e66567bc2204cb21a3670a2ef6a5"
    )
    deep = []
    for _ in range(100_000):
        deep = [deep]
    try:
        checker.sha256(deep)
        raise AssertionError("hashed what is nested deeply")
    except checker.Rejected as rejection:
        given = str(rejection)
    assert "nested" in given


def case_compressed(checker):
    plain = json.dumps(good()["increment"]).encode()
    packed = gzip.compress(plain)
    assert checker.unzipped(packed) == checker.unzipped(plain) == plain
    assert checker.unzipped(b"") == b""
    for content in (packed[:-1], packed[: len(packed) // 2], packed[:2], packed + b" ", packed + packed):
        assert "cut short" in reason(checker, checker.unzipped, content)
    for content in (packed[:20] + b"xxxx" + packed[24:], packed[:-8] + bytes(8), packed[:2] + packed):
        assert "damaged" in reason(checker, checker.unzipped, content)
    assert "larger than" in reason(checker, checker.unzipped, gzip.compress(bytes(10**6)))  # of a thousand bytes
    limit = checker.MAX_BYTES
    try:
        checker.MAX_BYTES = len(plain)
        assert checker.unzipped(packed) == plain
        checker.MAX_BYTES = len(plain) - 1
        assert f"larger than {len(plain) - 1} bytes" in reason(checker, checker.unzipped, packed)
    finally:
        checker.MAX_BYTES = limit


def case_limits(checker):
    limits = (checker.MAX_BYTES, checker.MAX_STARTS, checker.MAX_INPUT)
    assert limits == (2**28, 100, 10**6)
    assert (checker.MAX_LISTS, checker.MAX_SYMBOLS) == (2**22, 250)
    work = (checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK)
    assert work == (5 * 10**8, 10**7, 1000)
    run, blank, known = ((2, 2), 0), (1, 1), {"limit": 100}
    try:
        checker.MAX_BYTES = 3
        assert checker.parse(b"123") == 123
        assert "too large" in reason(checker, checker.parse, b"1234")
        # halves of two rows: 10 to look them up and their 2 * (3 + 1) cells, 10 and 2 for the run that is compared
        # with each, and 10 and 2 for the one that is left at the end
        assert checker.half_inside((run,) * 3, ((run[0], 1),), blank, known) is True
        assert known["work"] == 18 + 12 + 14 + 14 + 12
        assert checker.half_inside((run,) * 3, ((run[0], 1),), blank, known) is True  # known: only looked up
        assert known["work"] == 70 + 18
        given = reason(checker, checker.half_inside, (run,) * 2, ((run[0], 1),), blank, known)
        assert "too long (more than 100 cells" in given
        checker.MAX_WORK, known = 20, {}
        assert checker.covers((1, 2, 1, (), run[0], ()), (1, 2, 0, (), run[0], ()), blank, known) is False
        assert known["work"] == 12
        assert "more than 20 cells" in reason(checker, checker.covers, (1,) * 6, (1,) * 6, blank, known)
        parts, known = [(2, True), (4, False)], {}
        checker.MAX_WORK = 10**4
        checker.starts(parts, 2, 0, blank, known)  # two ways of two runs, then three of three, all of two cells, twice
        assert known["work"] == 10 + 2 * 2 * 2 * 2 + 10 + 2 * 3 * 3 * 2
        checker.MAX_INPUT = 4
        checker.starts(parts, 2, 0, blank)
        checker.MAX_INPUT = 3
        assert "more than 3 cells" in reason(checker, checker.starts, parts, 2, 0, blank)
    finally:
        checker.MAX_BYTES, checker.MAX_STARTS, checker.MAX_INPUT = limits
        checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK = work


def case_as_many_symbols_as_the_limit(checker):
    most = checker.MAX_SYMBOLS
    try:
        checker.MAX_SYMBOLS = 3
        checker.verify(good()["increment"])
        checker.MAX_SYMBOLS = 2
        assert "more than 2 symbols" in reason(checker, checker.verify, good()["increment"])
    finally:
        checker.MAX_SYMBOLS = most


def case_work_is_as_long_as_the_file(checker):
    """A certificate may ask for as much as ``spend`` counts, and not for a cell more."""
    content, work = good()["wander"], (checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK)
    steps = sum(map(len, content["steps"])) - 1  # the last step gives nothing to itself
    try:
        for settings in ((WANDER_WORK, 10**9, 0), (10**9, WANDER_WORK, 0), (10**9, WANDER_WORK - 5 * steps, 5)):
            checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK = settings
            checker.verify(content)
            checker.MAX_WORK, checker.SMALL_WORK = settings[0] - 1, settings[1] - 1
            assert f"more than {WANDER_WORK - 1} cells" in reason(checker, checker.verify, content)
    finally:
        checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK = work


WANDER_WORK = 3026


def hostile(checker):
    """Small files that ask for much, and what is said of them."""
    high = [-5000, 5000]
    right = {"name": "", "states": [], "start": 0, "table": [[[0, 0, 3], [0, 1, 3]]]}
    runs = {"sets": [[0, 1]], "columns": [[0] * 1000], "halves": [[[0, 1]] * 500, [[0, 1]]], "rows": [0, 999]}
    proof = {"members": [[0, 0, 0, 0, 0, 1]], "starts": [0], "steps": [[0] * 4]}
    many = [chr(0x4E00 + i) for i in range(1000)]
    few = many[:249]
    return {
        "walk": (hostile_file(checker, layout={"head": [1000, 0]}, rows=high), "more than 10000000 cells"),
        "ways": (
            hostile_file(checker, layout={"parts": ["d+"], "head": [99, 0]}, rows=high),
            "more than 10000000 cells",
        ),
        "walk and ways": (
            hostile_file(checker, layout={"parts": ["0"] * 900 + ["d+"], "head": [998, 0]}, rows=high),
            "times the rows are more than 1000000 cells",
        ),
        "fewer of them": (
            hostile_file(checker, layout={"parts": ["0"] * 90 + ["d+"], "head": [998, 0]}, rows=high),
            "more than 10000000 cells",
        ),
        "runs": (
            hostile_file(checker, layout={"head": [-1, 0]}, teacher=right, learner=right, **runs, **proof),
            "more than 10000000 cells",
        ),
        "hints of steps that there are not": (
            hostile_file(checker, layout={"head": [-1, 0]}, teacher=right, learner=right, **runs, **proof)
            | {"steps": [[0] * 500_000]},
            "more than 10000000 cells",
        ),
        "class": (
            hostile_file(checker, symbols=[*many, "_"], classes={"d": many}, layout={"parts": ["d"] * 1000}),
            "more than 250 symbols",
        ),
        "smaller class": (
            hostile_file(checker, symbols=[*few, "_"], classes={"d": few}, layout={"parts": ["d"] * 10**5}),
            "a start is not covered",
        ),
        "memory": (
            hostile_file(checker, layout={"parts": ["0"] * 5000}, rows=high),
            "times the rows are more than 1000000 cells",
        ),
        "any grid": (
            hostile_file(checker, symbols=[*few, "_"], classes={"d": few[:1]}, layout={"parts": ["d"]})
            | {"members": [[0, 0]] * 50_000, "starts": [0], "steps": [[]] * 50_000},
            "more than 10000000 cells",
        ),
        "starts": (
            hostile_file(checker, layout={"head": [-1, 0]}, members=[[0, 0, 0, 0, 0, 0]], starts=[0] * 10_000)
            | {"sets": [[0]], "columns": [[0] * 1000], "halves": [[]], "steps": [[]], "rows": [0, 999]},
            "more than 10000000 cells",
        ),
    }


def hostile_file(checker, **changes):
    """A certificate of a machine that halts at once, not closed, with these values."""
    symbols = changes.get("symbols", ["0", "_"])
    halts = {"name": "", "states": [], "start": 0, "table": [[[-1, 0, 4]] * len(symbols)]}
    layout = {"parts": ["0"], "head": [0, 0], "answer_row": 0, "answer_class": "d", "leading": None}
    content = {"format": checker.FORMAT, "symbols": symbols, "blank": "_", "classes": {"d": ["0"]}, "moves": [*"UDLRS"]}
    content |= {"halting": "S", "teacher": halts, "learner": halts, "rows": [0, 0], "sets": [], "columns": []}
    content |= {"halves": [], "members": [], "starts": [], "steps": [], "hashes": {}, "digest": ""}
    content |= {"claim": {"scope": "on every input", "teacher_never_stuck": True}}
    return content | {"layout": layout | changes.pop("layout", {})} | changes


def case_large_files(checker):
    with tempfile.TemporaryDirectory() as folder:
        files, limit = Files(folder), checker.MAX_BYTES
        size = (files.folder / "certificate").stat().st_size
        try:
            checker.MAX_BYTES = size
            assert said(checker, files.path("certificate"))[0] == 0
            checker.MAX_BYTES = size - 1
            status, text = said(checker, files.path("certificate"))
            assert status == 1
            assert "too large" in text
        finally:
            checker.MAX_BYTES = limit


class Files:
    """A folder with a certificate, its teacher and the learner's weights."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.machine = parse_machine(INCREMENT)
        self.write("certificate", json.dumps(good()["increment"]).encode())
        self.write("teacher", json.dumps(machine_json(self.machine)).encode())
        save_model(from_machine(self.machine, hidden_dim=4), self.path("weights"))

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return self.path(name)

    def weights(self, **changes):
        """The weights file, changed: A={...} and so on, or functions of its ``body`` or what it says ``about`` it."""
        content = (self.folder / "weights").read_bytes()
        length = int.from_bytes(content[:8], "little")
        header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
        body = changes.pop("body", bytes)(body)
        about = changes.pop("about", dict)(json.loads(header["__metadata__"]["dfst"]))
        header["__metadata__"]["dfst"] = json.dumps(about)
        for key, value in changes.items():
            if value is None:
                del header[key]
            else:
                header[key] = {**header.get(key, {}), **value} if isinstance(value, dict) else value
        text = json.dumps(header).encode()
        return self.write("changed", len(text).to_bytes(8, "little") + text + body)


def said(checker, *arguments):
    """(exit status, what it prints) of the command line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = checker.main(list(arguments))
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue() + err.getvalue()


def case_command_line(checker):
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        certificate = files.path("certificate")
        status, text = said(
            checker, certificate, "--teacher", files.path("teacher"), "--weights", files.path("weights")
        )
        assert status == 0, text
        lines = text.splitlines()
        assert lines[0] == "verified: on every input the learner acts like the teacher"
        assert {f"teacher: {INCREMENT_HASH}", "teacher_never_stuck: True"} <= set(lines)
        assert said(checker, certificate)[0] == 0
        other = machine_json(machine(STUCK))
        for content in (json.dumps(other), "[]", "7", "nonsense"):
            status, text = said(checker, certificate, "--teacher", files.write("other", content.encode()))
            assert status == 1
            assert text.startswith("rejected: "), text
        assert "another teacher" in said(checker, certificate, "--teacher", files.write("other", b"{}"))[1]
        changed = files.weights(body=lambda body: bytes(len(body)))
        status, text = said(checker, certificate, "--weights", changed)
        assert status == 1
        assert "the weights says something else" in text
        broken = files.write("broken", json.dumps({**good()["increment"], "blank": "x"}).encode())
        assert said(checker, broken)[0] == 1
        status, text = said(checker, files.path("missing"))
        assert status == 2
        assert "cannot be read" in text
        assert said(checker)[0] == 2
        assert said(checker, certificate, "--other")[0] == 2


OTHER_WORLDS = [
    ("symbols", ["0", "1"]),
    ("symbols", ["1", "0", "_"]),
    ("blank", "1"),
    ("classes", {"digit": ["0"]}),
    ("classes", {"digit": ["1", "0"]}),
    ("classes", {"digit": ["0", "1"], "more": ["0"]}),
    ("layout", None),
    *(
        (
            "layout",
            {"parts": ["digit+"], "head": [0, 0], "answer_row": 0, "answer_class": "digit", "leading": None} | change,
        )
        for change in (
            {"parts": ["digit+", "0"]},
            {"parts": ["digit"]},
            {"head": [0, 1]},
            {"head": [1, 0]},
            {"answer_row": 1},
            {"answer_row": False},
            {"answer_class": "other"},
            {"leading": "0"},
            {"more": 1},
        )
    ),
]
"""What the header of INCREMENT's weights must not say."""


def case_weights(checker):
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        given = good()["increment"]

        def why(path):
            return reason(checker, checker.check_weights, Path(path).read_bytes(), given)

        checker.check_weights(Path(files.path("weights")).read_bytes(), given)
        for hidden_dim in (2, 7):
            save_model(from_machine(files.machine, hidden_dim=hidden_dim), files.path("larger"))
            checker.check_weights(Path(files.path("larger")).read_bytes(), given)
        for name, where in (("A", 0), ("B", 0), ("C", 0), ("h0", 0)):
            content = (files.folder / "weights").read_bytes()
            header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
            begin, end = header[name]["data_offsets"]
            for place in range(begin + where, end, 4):  # every single number matters

                def flip(body, place=place):
                    number = b"\0\0\0\0" if any(body[place : place + 4]) else b"\0\0\x80\x3f"
                    return body[:place] + number + body[place + 4 :]

                assert f"{name} of the weights says something else" in why(files.weights(body=flip))
            assert f"{name} is not float32" in why(files.weights(**{name: {"dtype": "F64"}}))
            assert "the weights' header has not the keys" in why(files.weights(**{name: None}))
            assert f"{name} has not the keys" in why(files.weights(**{name: {"more": 1}}))
            assert f"{name} has a wrong size" in why(files.weights(**{name: {"data_offsets": [begin, end - 4]}}))
            assert "an offset is not" in why(files.weights(**{name: {"data_offsets": [begin, 10**9]}}))
            assert "an offset is not" in why(files.weights(**{name: {"data_offsets": [-1, end]}}))
            assert "offsets is not a list" in why(files.weights(**{name: {"data_offsets": [begin]}}))
        for name in ("A", "B", "C"):
            assert f"{name} is not float32" in why(files.weights(**{name: {"shape": [3, 4, 4, 1]}}))
        assert "the hidden dimension" in why(files.weights(h0={"shape": [1]}))
        assert "the hidden dimension" in why(files.weights(h0={"shape": [10**5 + 1]}))
        assert "A is not float32" in why(files.weights(h0={"shape": [10**5]}))
        assert "the shape of h0" in why(files.weights(h0={"shape": [4, 1]}))
        assert "metadata has not the keys" in why(files.weights(__metadata__={"more": "1"}))
        assert "differs from the certificate in symbols" in why(files.weights(__metadata__={"dfst": "[]"}))
        for key, value in OTHER_WORLDS:
            for changed in (lambda about, k=key, v=value: about | {k: v}, lambda about, k=key: about.pop(k) and about):
                given_reason = why(files.weights(about=changed))
                assert f"another world: their header differs from the certificate in {key}" in given_reason
        checker.check_weights(Path(files.weights(about=lambda about: about | {"name": "x"})).read_bytes(), given)
        assert "not JSON" in why(files.weights(__metadata__={"dfst": "{"}))
        assert "not JSON" in why(files.write("changed", b"12345678"))
        assert "not JSON" in why(files.write("changed", b""))
        assert "not JSON" in why(files.weights(__metadata__={"dfst": "\ud800"}))
        save_model(from_machine(machine(STUCK, '["digit+", "x"]')), files.path("other"))
        assert "differs from the certificate in symbols" in why(files.path("other"))
        checker.check_weights(Path(files.path("other")).read_bytes(), good()["stuck"])  # with pairs that have no rule


def case_files_named_by_their_hash(checker):
    with tempfile.TemporaryDirectory() as folder:
        files, given = Files(folder), copy.deepcopy(good()["increment"])
        weights, text = (files.folder / "weights").read_bytes(), b"any file"
        given["hashes"] = {what: hashlib.sha256(x).hexdigest() for what, x in (("one_hot", weights), ("machine", text))}
        certificate = files.write("certificate", json.dumps(sealed(checker, given)).encode())
        checker.check_weights(weights, given)
        status, said_so = said(checker, certificate, "--machine", files.write("machine", text))
        assert status == 0
        stated = "only with the SHA-256 that the certificate states, which is not proven"  # it may be any file
        assert said_so.splitlines()[-1] == f"compared: machine ({stated})"
        status, said_so = said(checker, certificate, "--machine", files.write("machine", text + b" "))
        assert status == 1
        assert "the one that the certificate has for machine" in said_so
        save_model(from_machine(files.machine, hidden_dim=5), files.path("larger"))  # the same table in another file
        status, said_so = said(checker, certificate, "--weights", files.path("larger"))
        assert status == 1
        assert "the one that the certificate has for one_hot" in said_so
        unnamed = files.write("unnamed", json.dumps(good()["increment"]).encode())
        assert said(checker, unnamed, "--weights", files.path("larger"))[0] == 0
        assert said(checker, unnamed, "--machine", files.write("machine", text))[0] == 1


FORGED = "verified: on every input the learner acts like the teacher"


def case_nothing_is_printed_as_it_stands_in_a_file(checker):
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        for key in (f"\n{FORGED}\n", f"\x1b[2K\r{FORGED}\x1b[8m", "\ud800", "\u202e\u2028", "\x85", "k" * 10**5):
            inner = copy.deepcopy(good()["increment"])
            inner["layout"][key] = inner["teacher"][key] = 1
            for content in ({key: 1}, good()["increment"] | {key: 1}, inner):
                forged = files.write("forged", json.dumps(sealed(checker, content)).encode())
                status, text = said(checker, forged)
                assert status == 1
                assert text.isascii()
                assert text[:-1].isprintable()
                assert text.startswith("rejected: ")
                assert len(text) < 400
            changed = files.weights(
                about=lambda about, k=key: about | {"classes": {k: ["0"]}}, **{key: {"dtype": "F32"}}
            )
            status, text = said(checker, files.path("certificate"), "--weights", changed)
            assert status == 1
            assert text[:-1].isprintable()


def case_empty_names(checker):
    with tempfile.TemporaryDirectory() as folder:
        certificate = Files(folder).path("certificate")
        for what in ("teacher", "weights", "machine"):
            for words in ((f"--{what}", ""), (f"--{what}=",)):
                status, text = said(checker, certificate, *words)
                assert status == 2
                assert f"the name of the {what} file is empty" in text
        status, text = said(checker, "")
        assert status == 2
        assert "the name of the certificate file is empty" in text


CASES = {name: case for name, case in globals().items() if name.startswith("case_")}
CASES["case_every_hint_matters"] = CASES.pop("case_every_hint_matters")  # the slowest one last
