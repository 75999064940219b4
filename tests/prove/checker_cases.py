"""What the checker must accept, and what it must reject and why: cases that take the checker as an argument.

So the same cases judge the checker itself (test_checker.py) and copies of it with a fault (checker_mutations.py).
"""

import contextlib
import copy
import functools
import gzip
import itertools
import json

from dfst import GridMachine
from dfst.prove.abstraction import Precision
from dfst.prove.certificate import certificate, closed_set
from dfst.prove.closure import close
from dfst.prove.lockstep import alike_everywhere
from dfst.world.machine_file import parse_machine
from tests.prove.attacks import INCREMENT
from tests.small import header

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
    return parse_machine(header("m", "a", '"0", "1", "_", "x"', cells, f"head = {head}\n") + "---\n" + rules)


GETS_STUCK = {"stuck", "bold"}


def proven(teacher, learner=None, *, low=0, high=0, alike=False, **more):
    learner = learner or teacher
    pairs = alike_everywhere(teacher, learner, (0, 0)) if alike else frozenset()
    closure = close(teacher, learner, Precision(low, high, **more), limit=1000, alike=pairs)
    return certificate(teacher, learner, closed_set(closure), {"model": "0" * 64})


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


@contextlib.contextmanager
def limits(checker, **values):
    """Other limits for a while."""
    before = {name: getattr(checker, name) for name in values}
    vars(checker).update(values)
    try:
        yield
    finally:
        vars(checker).update(before)


def reason(checker, call, *arguments) -> str:
    """Why the checker rejects what it is called with."""
    try:
        call(*arguments)
    except checker.Rejected as rejection:
        return str(rejection)
    raise AssertionError(f"accepted: {str(arguments)[:200]}")


def changed(name, path, value):
    """The certificate ``name`` with ``value``, or what the function ``value`` makes of what is there, at ``path``."""
    content = copy.deepcopy(good()[name])
    *keys, last = (int(key) if key.isdigit() else key for key in path.split("."))
    inside = content
    for key in keys:
        inside = inside[key]
    inside[last] = value(inside[last]) if callable(value) else value
    return content


REJECTED = [  # path, what is said, and the values of which it is said; of the certificate increment
    ("more", "the certificate has not the keys", 1),
    ("format", "its format is not", "dfst-certificate/2"),
    ("halting", "its format is not", "R"),
    ("moves", "its format is not", [*"UDRLS"]),
    ("symbols", "the alphabet is not a list", "01_"),
    ("symbols", "holds what is not a string", ["0", "1", 2]),
    ("symbols", "a symbol comes twice", ["0", "1", "_", "_"]),
    ("symbols", "more than 250 symbols", [f"s{n}" for n in range(251)]),
    ("blank", "a symbol comes twice, or the blank never", "x"),
    ("classes", "the classes are not an object", []),
    ("classes", "a class holds", {"digit": ["0", "1"], "odd": ["1", "3"]}, {"digit": ["0", "x"]}),
    ("classes.digit", "is empty", []),
    ("classes.digit", "may be blank", ["0", "_"]),
    ("layout", "the layout has not the keys", {}),
    ("layout.parts", "is empty", []),
    ("layout.parts", "not a string", [[]]),
    ("layout.parts", "neither a symbol nor a class", ["digits"], ["digit++"]),
    ("layout.parts", "may be blank", ["_"]),
    ("layout.head", "the start cell is not a list of the right length", [0]),
    ("layout.head", "a coordinate of the start cell", [1001, 0], [0, -1001], [True, 0], [0, 1.0]),
    ("layout.head", "too far inside", [201, 0], [1000, 0]),
    ("layout.head", "its rows leave out", [0, 1], [0, -1]),
    ("layout.head", "a start is not covered", [1, 0], [-1, 0], [-1000, 0]),
    ("layout.answer_row", "the answer's row", "nowhere", 1001, -1001, None),
    ("layout.answer_class", "the answer's class is none of the classes", "no such class"),
    ("layout.answer_class", "the answer's class holds what is not a string", ["digit"]),
    ("layout.leading", "the leading symbol is not", "_", 0),
    ("rows", "the rows is not a list", [0]),
    ("rows", "its rows leave out", [1, 1], [-1, -1]),
    ("rows", "a column is not a list of the right length", [-1, 0]),
    ("rows", "a row is not a whole number from -5000 to 5000", [-5001, 0], [0, 5001]),
    ("teacher", "the teacher has not the keys", None),
    ("learner.extra", "the learner has not the keys", 1),
    ("teacher.table", "the teacher's table is not a list", None),
    ("teacher.table.0", "a row of the teacher's table", [None]),
    ("teacher.table.0.0", "an entry of the teacher's table", [0, 0]),
    ("teacher.table.0.0", "a next state of the teacher", [2, 0, 3], [-2, 0, 3]),
    ("teacher.table.0.0", "a symbol that the teacher writes", [0, 3, 3], [0, -1, 3]),
    ("teacher.table.0.0", "a move of the teacher", [0, 0, 5], [0, 0, -1]),
    ("teacher.table.0.0", "halts without staying", [-1, 0, 3]),
    ("teacher.table.0.0", "is not covered", [1, 0, 3]),
    ("learner.table.0.0", "the learner stays without halting", [0, 0, 4]),
    ("learner.table.0.0", "teacher and learner act differently", [0, 0, 2]),
    ("learner.table.0.0", "is not covered", [1, 0, 3]),
    ("learner.table.1.0", "teacher and learner act differently", None, [-1, 0, 4]),
    ("teacher.start", "the teacher's start", 2),
    ("learner.start", "the learner's start", -1),
    ("teacher.start", "a start is not covered", 1),
    ("learner.start", "a start is not covered", 1),
    ("teacher.states", "the teacher's states is not a list", -1),
    ("teacher.states.0", "the teacher's names holds what is not a string", -1),
    ("learner.states", "the learner has more or fewer names", ["walk"], ["a", "b", "c"]),
    ("learner.name", "the learner's names holds what is not a string", None),
    ("sets", "the sets is not a list", {}),
    ("sets.0", "a set is empty", []),
    ("sets.0", "a set is not a list", 5),
    ("sets.0", "a symbol of a set", [3], [-1]),
    ("columns", "the columns is not a list", {}),
    ("columns.0", "a column is not a list", [0, 0]),
    ("columns.0", "the number of a set", [99], [-1]),
    ("halves", "the halves is not a list", {}),
    ("halves.0", "a run is not a list", [[0]]),
    ("halves.0", "the number of a column", [[99, 0]]),
    ("halves.0", "a run's flag", [[0, 2]], [[0, -1]], [[0, True]]),
    ("members", "the members is not a list", {}),
    ("members.0", "a member is not a list", 7),
    ("members.0", "a member has neither 2 nor 6 numbers", [0, 0, 0]),
    ("members.0", "a member's state", [2, 0], [0, -1]),
    ("members.0.2", "a member's row", 1, -1, None),
    ("members.0.3", "the number of a half", 99),
    ("members.0.4", "the number of a column", 99),
    ("members.0.5", "the number of a half", -1),
    ("starts", "a start is not covered", []),
    ("starts", "the number of a start", [99], [-1]),
    ("starts", "the starts is not a list", 0),
    ("steps", "the steps is not a list of the right length", []),
    ("steps.0", "the hints of a member is not a list", 0),
    ("steps.0", "the number of the member that covers a step", lambda hints: hints[:-1]),
    ("steps.0", "more hints than steps", *(lambda hints, x=x: hints + x for x in ([0], [None], ["a", {"b": 1}]))),
    ("steps.0.0", "the number of the member that covers a step", -1, None, 10**6),
    ("steps", "the number of the member that covers a step", lambda steps: [[len(steps), *steps[0][1:]], *steps[1:]]),
    ("claim.teacher_never_stuck", "it claims what it does not prove", False, 1),
    ("hashes", "its hashes are not all SHA-256", [], {"more": 64}, {"more": ["0"] * 64}),
    ("hashes.model", "its hashes are not all SHA-256", "any text", "0" * 63, "0" * 63 + "G"),
]
REJECTED_OTHERS = [  # the same, of other certificates
    ("stuck", "claim.teacher_never_stuck", "it claims what it does not prove", True),
    ("bold", "claim.scope", "it claims what it does not prove", "on every input"),
    ("wander", "classes.digit", "a start is not covered", ["0", "1", "x"]),
    ("inside 0", "rows", "its rows leave out", lambda rows: [1, 1 + rows[1] - rows[0]]),
    ("at 3", "rows", "its rows leave out", lambda rows: [-1 + rows[0] - rows[1], -1]),
    ("any grid", "learner.table.1.0", "teacher and learner act differently", [-1, 0, 4]),
    ("any grid", "learner.table.0.0", "is not covered", [1, 0, 3]),
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
    for name, path, why, *values in [*(("increment", *row) for row in REJECTED), *REJECTED_OTHERS]:
        for value in values:
            given = reason(checker, checker.verify, sealed(checker, changed(name, path, value)))
            assert why in given, f"{path} = {value}: {given} instead of {why}"
    keyless = {key: value for key, value in good()["increment"].items() if key != "hashes"}
    for content in ([good()["increment"]], sealed(checker, keyless)):
        assert "the certificate has not the keys" in reason(checker, checker.verify, content)
    blank = changed("increment", "layout.answer_class", "all")
    blank["classes"]["all"] = ["0", "_"]
    assert "or holds the blank" in reason(checker, checker.verify, sealed(checker, blank))


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
    with limits(checker, MAX_STARTS=3):
        checker.starts(parts, 1, 1, blank)
        checker.starts(parts, 2, 1, blank)
        assert "too far inside" in reason(checker, checker.starts, parts, 3, 1, blank)


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
    assert "nested" in reason(checker, checker.sha256, deep)


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
    with limits(checker, MAX_BYTES=len(plain)):
        assert checker.unzipped(packed) == plain
    with limits(checker, MAX_BYTES=len(plain) - 1):
        assert f"larger than {len(plain) - 1} bytes" in reason(checker, checker.unzipped, packed)


def case_limits(checker):
    assert (checker.MAX_BYTES, checker.MAX_STARTS, checker.MAX_INPUT) == (2**28, 100, 10**6)
    assert (checker.MAX_LISTS, checker.MAX_SYMBOLS) == (2**22, 250)
    assert (checker.MAX_WORK, checker.SMALL_WORK, checker.STEP_WORK) == (5 * 10**8, 10**7, 1000)
    run, blank, known = ((2, 2), 0), (1, 1), {"limit": 100}
    with limits(checker, MAX_BYTES=3):
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
    with limits(checker, MAX_WORK=20):
        known = {}
        assert checker.covers((1, 2, 1, (), run[0], ()), (1, 2, 0, (), run[0], ()), blank, known) is False
        assert known["work"] == 12
        assert "more than 20 cells" in reason(checker, checker.covers, (1,) * 6, (1,) * 6, blank, known)
    parts, known = [(2, True), (4, False)], {}
    with limits(checker, MAX_WORK=10**4, MAX_INPUT=4):
        checker.starts(parts, 2, 0, blank, known)  # two ways of two runs, then three of three, all of two cells, twice
        assert known["work"] == 10 + 2 * 2 * 2 * 2 + 10 + 2 * 3 * 3 * 2
        checker.MAX_INPUT = 3
        assert "more than 3 cells" in reason(checker, checker.starts, parts, 2, 0, blank)
    with limits(checker, MAX_SYMBOLS=3):
        checker.verify(good()["increment"])
        checker.MAX_SYMBOLS = 2
        assert "more than 2 symbols" in reason(checker, checker.verify, good()["increment"])


def case_work_is_as_long_as_the_file(checker):
    """A certificate may ask for as much as ``spend`` counts, and not for a cell more."""
    content = good()["wander"]
    steps = sum(map(len, content["steps"])) - 1  # the last step gives nothing to itself
    for most, small, step in ((WORK, 10**9, 0), (10**9, WORK, 0), (10**9, WORK - 5 * steps, 5)):
        with limits(checker, MAX_WORK=most, SMALL_WORK=small, STEP_WORK=step):
            checker.verify(content)
            checker.MAX_WORK, checker.SMALL_WORK = most - 1, small - 1
            assert f"more than {WORK - 1} cells" in reason(checker, checker.verify, content)


WORK = 3026


CASES = {name: case for name, case in globals().items() if name.startswith("case_")}
