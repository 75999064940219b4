"""What the checker makes of files: small ones that ask for much, weights, forged text, its command line.

More of the cases of checker_cases.py, which also take the checker as an argument.
"""

import contextlib
import copy
import functools
import hashlib
import io
import json
import tempfile
from pathlib import Path

from dfst import from_machine
from dfst.prove.certificate import machine_json
from dfst.world.machine_file import parse_machine
from tests.prove import checker_cases
from tests.prove.attacks import INCREMENT
from tests.prove.checker_cases import INCREMENT_HASH, STUCK, good, limits, machine, reason, sealed


def hostile(checker):
    """Small files that ask for much, and what is said of them."""
    high = [-5000, 5000]
    right = {"name": "", "states": [], "start": 0, "table": [[[0, 0, 3], [0, 1, 3]]]}
    runs = {"sets": [[0, 1]], "columns": [[0] * 1000], "halves": [[[0, 1]] * 500, [[0, 1]]], "rows": [0, 999]}
    proof = {"members": [[0, 0, 0, 0, 0, 1]], "starts": [0], "steps": [[0] * 4]}
    long = {"head": [-1, 0], "teacher": right, "learner": right, **runs, **proof}
    many = [chr(0x4E00 + i) for i in range(1000)]
    few = many[:249]
    starts = {"sets": [[0]], "columns": [[0] * 1000], "halves": [[]], "steps": [[]], "rows": [0, 999]}
    walk, cells = "times the rows are more than 1000000 cells", "more than 10000000 cells"
    asked = {
        "walk": (cells, {"head": [1000, 0], "rows": high}),
        "ways": (cells, {"parts": ["d+"], "head": [99, 0], "rows": high}),
        "walk and ways": (walk, {"parts": ["0"] * 900 + ["d+"], "head": [998, 0], "rows": high}),
        "fewer of them": (cells, {"parts": ["0"] * 90 + ["d+"], "head": [998, 0], "rows": high}),
        "runs": (cells, long),
        "hints of steps that there are not": (cells, long | {"steps": [[0] * 500_000]}),
        "class": ("more than 250 symbols", {"symbols": [*many, "_"], "classes": {"d": many}, "parts": ["d"] * 1000}),
        "smaller class": ("a start is not covered", {"symbols": [*few, "_"], "classes": {"d": few}}),
        "memory": (walk, {"parts": ["0"] * 5000, "rows": high}),
        "any grid": (cells, {"symbols": [*few, "_"], "classes": {"d": few[:1]}, "parts": ["d"]}),
        "starts": (cells, {"head": [-1, 0], "members": [[0, 0, 0, 0, 0, 0]], "starts": [0] * 10_000, **starts}),
    }
    asked["smaller class"][1]["parts"] = ["d"] * 10**5
    asked["any grid"][1].update(members=[[0, 0]] * 50_000, starts=[0], steps=[[]] * 50_000)
    return {name: (hostile_file(checker, **changes), why) for name, (why, changes) in asked.items()}


def hostile_file(checker, parts=("0",), head=(0, 0), **changes):
    """A certificate of a machine that halts at once, not closed, with these values."""
    symbols = changes.get("symbols", ["0", "_"])
    halts = {"name": "", "states": [], "start": 0, "table": [[[-1, 0, 4]] * len(symbols)]}
    layout = {"parts": parts, "head": head, "answer_row": 0, "answer_class": "d", "leading": None}
    content = {"format": checker.FORMAT, "symbols": symbols, "blank": "_", "classes": {"d": ["0"]}, "moves": [*"UDLRS"]}
    content |= {"halting": "S", "teacher": halts, "learner": halts, "rows": [0, 0], "sets": [], "columns": []}
    content |= {"halves": [], "members": [], "starts": [], "steps": [], "hashes": {}, "digest": "", "layout": layout}
    return content | {"claim": {"scope": "on every input", "teacher_never_stuck": True}} | changes


class Files:
    """A folder with a certificate, its teacher and the learner's weights."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.machine = parse_machine(INCREMENT)
        self.write("certificate", good()["increment"])
        self.write("teacher", machine_json(self.machine))
        from_machine(self.machine, hidden_dim=4).save(self.path("weights"))

    def path(self, name):
        return str(self.folder / name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def write(self, name, content):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        (self.folder / name).write_bytes(content)
        return self.path(name)

    def weights(self, **changes):
        """The weights file, changed: A={...} and so on, or functions of its ``body`` or what it says ``about`` it."""
        content = self.read("weights")
        length = int.from_bytes(content[:8], "little")
        header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
        body = changes.pop("body", bytes)(body)
        about = changes.pop("about", dict)(json.loads(header["__metadata__"]["dfst"]))
        header["__metadata__"]["dfst"] = json.dumps(about)
        for key, value in changes.items():
            header[key] = {**header.get(key, {}), **value} if isinstance(value, dict) else value
        text = json.dumps({key: value for key, value in header.items() if value is not None}).encode()
        return self.write("changed", len(text).to_bytes(8, "little") + text + body)


def with_files(case):
    """A case that is given such a folder as well."""

    @functools.wraps(case)
    def run(checker):
        with tempfile.TemporaryDirectory() as folder:
            case(checker, Files(folder))

    return run


def said(checker, *arguments):
    """(exit status, what it prints) of the command line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = checker.main(list(arguments))
        except SystemExit as stop:
            status = stop.code
    return status, out.getvalue() + err.getvalue()


@with_files
def case_command_line(checker, files):
    certificate = files.path("certificate")
    status, text = said(checker, certificate, "--teacher", files.path("teacher"), "--weights", files.path("weights"))
    assert status == 0, text
    lines = text.splitlines()
    assert lines[0] == "verified: on every input the learner acts like the teacher"
    assert {f"teacher: {INCREMENT_HASH}", "teacher_never_stuck: True"} <= set(lines)
    assert said(checker, certificate)[0] == 0
    for content in (machine_json(machine(STUCK)), [], 7, b"nonsense"):
        status, text = said(checker, certificate, "--teacher", files.write("other", content))
        assert (status, text.startswith("rejected: ")) == (1, True)
    changed = files.weights(body=lambda body: bytes(len(body)))
    for words, code, sentence in (
        ((certificate, "--teacher", files.write("other", {})), 1, "another teacher"),
        ((certificate, "--weights", changed), 1, "the weights says something else"),
        ((files.write("broken", {**good()["increment"], "blank": "x"}),), 1, "rejected: "),
        ((files.path("missing"),), 2, "cannot be read"),
        ((), 2, ""),
        ((certificate, "--other"), 2, ""),
        (("",), 2, "the name of the certificate file is empty"),
        *((words, 2, f"the name of the {what} file is empty")
          for what in ("teacher", "weights", "machine")
          for words in ((certificate, f"--{what}", ""), (certificate, f"--{what}="))),
    ):  # fmt: skip
        status, text = said(checker, *words)
        assert (status, sentence in text) == (code, True), text
    size = len(files.read("certificate"))
    with limits(checker, MAX_BYTES=size):
        assert said(checker, certificate)[0] == 0
        checker.MAX_BYTES = size - 1
        status, text = said(checker, certificate)
        assert (status, "too large" in text) == (1, True)


LAYOUT = {"parts": ["digit+"], "head": [0, 0], "answer_row": 0, "answer_class": "digit", "leading": None}
OTHER_LAYOUTS = [
    {"parts": ["digit+", "0"]}, {"parts": ["digit"]}, {"head": [0, 1]}, {"head": [1, 0]}, {"answer_row": 1},
    {"answer_row": False}, {"answer_class": "other"}, {"leading": "0"}, {"more": 1},
]  # fmt: skip
OTHER_WORLDS = [
    ("symbols", ["0", "1"]),
    ("symbols", ["1", "0", "_"]),
    ("blank", "1"),
    ("classes", {"digit": ["0"]}),
    ("classes", {"digit": ["1", "0"]}),
    ("classes", {"digit": ["0", "1"], "more": ["0"]}),
    ("layout", None),
    *(("layout", LAYOUT | change) for change in OTHER_LAYOUTS),
]
"""What the header of INCREMENT's weights must not say."""


@with_files
def case_weights(checker, files):
    given = good()["increment"]

    def why(path):
        return reason(checker, checker.check_weights, Path(path).read_bytes(), given)

    checker.check_weights(files.read("weights"), given)
    for hidden_dim in (2, 7):
        from_machine(files.machine, hidden_dim=hidden_dim).save(files.path("larger"))
        checker.check_weights(files.read("larger"), given)
    content = files.read("weights")
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    for name in ("A", "B", "C", "h0"):
        begin, end = header[name]["data_offsets"]
        for place in range(begin, end, 4):  # every single number matters

            def flip(body, place=place):
                number = b"\0\0\0\0" if any(body[place : place + 4]) else b"\0\0\x80\x3f"
                return body[:place] + number + body[place + 4 :]

            assert f"{name} of the weights says something else" in why(files.weights(body=flip))
        for change, sentence in (
            ({"dtype": "F64"}, f"{name} is not float32"),
            (None, "the weights' header has not the keys"),
            ({"more": 1}, f"{name} has not the keys"),
            ({"data_offsets": [begin, end - 4]}, f"{name} has a wrong size"),
            ({"data_offsets": [begin, 10**9]}, "an offset is not"),
            ({"data_offsets": [-1, end]}, "an offset is not"),
            ({"data_offsets": [begin]}, "offsets is not a list"),
        ):
            assert sentence in why(files.weights(**{name: change}))
        if name != "h0":
            assert f"{name} is not float32" in why(files.weights(**{name: {"shape": [3, 4, 4, 1]}}))
    for changes, sentence in (
        ({"h0": {"shape": [1]}}, "the hidden dimension"),
        ({"h0": {"shape": [10**5 + 1]}}, "the hidden dimension"),
        ({"h0": {"shape": [10**5]}}, "A is not float32"),
        ({"h0": {"shape": [4, 1]}}, "the shape of h0"),
        ({"__metadata__": {"more": "1"}}, "metadata has not the keys"),
        ({"__metadata__": {"dfst": "[]"}}, "differs from the certificate in symbols"),
        ({"__metadata__": {"dfst": "{"}}, "not JSON"),
        ({"__metadata__": {"dfst": "\ud800"}}, "not JSON"),
    ):
        assert sentence in why(files.weights(**changes))
    for key, value in OTHER_WORLDS:
        for changed in (lambda about, k=key, v=value: about | {k: v}, lambda about, k=key: about.pop(k) and about):
            sentence = f"another world: their header differs from the certificate in {key}"
            assert sentence in why(files.weights(about=changed))
    checker.check_weights(Path(files.weights(about=lambda about: about | {"name": "x"})).read_bytes(), given)
    for damaged in (b"12345678", b""):
        assert "not JSON" in why(files.write("changed", damaged))
    from_machine(machine(STUCK, '["digit+", "x"]')).save(files.path("other"))
    assert "differs from the certificate in symbols" in why(files.path("other"))
    checker.check_weights(files.read("other"), good()["stuck"])  # with pairs that have no rule


@with_files
def case_files_named_by_their_hash(checker, files):
    given, weights, text = copy.deepcopy(good()["increment"]), files.read("weights"), b"any file"
    given["hashes"] = {what: hashlib.sha256(x).hexdigest() for what, x in (("one_hot", weights), ("machine", text))}
    certificate = files.write("certificate", sealed(checker, given))
    unnamed = files.write("unnamed", good()["increment"])
    checker.check_weights(weights, given)
    status, said_so = said(checker, certificate, "--machine", files.write("machine", text))
    stated = "only with the SHA-256 that the certificate states, which is not proven"  # it may be any file
    assert (status, said_so.splitlines()[-1]) == (0, f"compared: machine ({stated})")
    from_machine(files.machine, hidden_dim=5).save(files.path("larger"))  # the same table in another file
    for words, what in (
        (("--machine", files.write("machine", text + b" ")), "machine"),
        (("--weights", files.path("larger")), "one_hot"),
    ):
        status, said_so = said(checker, certificate, *words)
        assert (status, f"the one that the certificate has for {what}" in said_so) == (1, True)
    assert said(checker, unnamed, "--weights", files.path("larger"))[0] == 0
    assert said(checker, unnamed, "--machine", files.write("machine", text))[0] == 1


FORGED = "verified: on every input the learner acts like the teacher"
FORGERIES = (f"\n{FORGED}\n", f"\x1b[2K\r{FORGED}\x1b[8m", "\ud800", "\u202e\u2028", "\x85", "k" * 10**5)


@with_files
def case_nothing_is_printed_as_it_stands_in_a_file(checker, files):
    for key in FORGERIES:
        inner = copy.deepcopy(good()["increment"])
        inner["layout"][key] = inner["teacher"][key] = 1
        for content in ({key: 1}, good()["increment"] | {key: 1}, inner):
            status, text = said(checker, files.write("forged", sealed(checker, content)))
            assert (status, text.isascii(), text[:-1].isprintable(), len(text) < 400) == (1, True, True, True)
            assert text.startswith("rejected: ")
        changed = files.weights(about=lambda about, k=key: about | {"classes": {k: ["0"]}}, **{key: {"dtype": "F32"}})
        status, text = said(checker, files.path("certificate"), "--weights", changed)
        assert (status, text[:-1].isprintable()) == (1, True)


CASES = checker_cases.CASES | {name: case for name, case in globals().items() if name.startswith("case_")}
CASES["case_every_hint_matters"] = CASES.pop("case_every_hint_matters")  # the slowest one last
