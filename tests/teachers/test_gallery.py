"""The gallery against plain Python: every machine file, what it computes, and that the prover can follow it."""

import json
import math
import shutil
from itertools import product
from pathlib import Path

import pytest

import dfst
from dfst import shipped as table
from dfst.prove import checker
from dfst.prove.certificate import certificate, file_hash, load_certificate, machine_hash, save_certificate
from dfst.prove.compare import compare
from dfst.world.machine_file import load_machine
from dfst.world.rollout import Outcome

FILES = sorted((Path(dfst.__file__).parent / "teachers" / "gallery").glob("*.dfst"))
NAMES = [path.stem for path in FILES]
SLOW = {"divide"}


def balanced(word):
    while "()" in word:
        word = word.replace("()", "")
    return not word


def order(a, b):
    return "=" if a == b else "<>"[a > b]


def collatz(n):
    return 3 * n + 1 if n % 2 else n // 2


def rule110(word):
    cells = f"00{word}00"
    return "".join("01110110"[int(cells[i : i + 3], 2)] for i in range(len(word) + 2))


TRUTHS = {
    "binary-to-unary": lambda a: "|" * int(a, 2),
    "binary-to-decimal": lambda a: str(int(a.translate({ord("o"): "0", ord("i"): "1"}), 2)),
    "brackets": lambda w: str(int(balanced(w))),
    "collatz": lambda a: f"{collatz(int(a, 2)):b}",
    "compare": lambda a, b: order(int(a, 2), int(b, 2)),
    "copy": lambda w: w,
    "decimal-to-binary": lambda a: f"{int(a):b}",
    "divide": lambda a, b: "|" * (len(a) // len(b)),
    "double": lambda a: str(2 * int(a)),
    "gcd": lambda a, b: "|" * math.gcd(len(a), len(b)),
    "halve": lambda a: str(int(a) // 2),
    "increment": lambda a: str(int(a) + 1),
    "meander": lambda a: "x" * len(a),
    "palindrome": lambda w: str(int(w == w[::-1])),
    "reverse": lambda w: w[::-1],
    "rule110": rule110,
    "sort-bits": lambda w: "".join(sorted(w)),
    "subtract": lambda a, b: f"{max(0, int(a, 2) - int(b, 2)):b}",
    "unary-to-binary": lambda a: f"{len(a):b}",
}
LEAVES_MORE = {"copy", "divide", "meander"}


def load(name):
    return load_machine(FILES[NAMES.index(name)])


def members(machine):
    return [part.symbols for part in machine.world.operands]


def short_problems(machine):
    """All operands of up to 5 symbols, 3 if there are two of them, 2 if there are ten symbols, 9 if there is one."""
    numbers, two = [], len(members(machine)) == 2
    for symbols in members(machine):
        longest = {1: 9, 10: 2}.get(len(symbols), 3 if two else 5)
        numbers.append(["".join(word) for n in range(1, longest + 1) for word in product(symbols, repeat=n)])
    return list(product(*numbers))


def check(machine, problem):
    result = machine.run(*problem, step_limit=10**6)
    assert result.outcome == Outcome.HALTED, (problem, result.explain())
    assert result.answer.text == TRUTHS[machine.name](*problem), problem
    assert result.answer.only_answer_left or machine.name in LEAVES_MORE


def test_every_file_has_a_truth_and_a_story():
    assert sorted(TRUTHS) == NAMES
    for name in NAMES:
        machine = load(name)
        assert machine.name == name
        assert 2 <= machine.about.count(".") <= 8
        assert len(machine.states) <= 30


@pytest.mark.parametrize("name", NAMES)
def test_all_short_inputs(name):
    machine = load(name)
    for problem in short_problems(machine):
        check(machine, problem)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in NAMES]
)
def test_a_machine_acts_like_itself(name):
    """The closure is finite, so that learners of this task can be proven."""
    machine = load(name)
    verdict = compare(machine, machine)
    assert verdict.conclusion == "exact", verdict.explain()
    assert verdict.proof is not None
    checker.verify(certificate(machine, machine, verdict.proof))


def test_the_meander():
    assert load("meander").run("|" * 8).answer.cells.splitlines() == ["xxx_xxx_", "x_x_x_x_", "x___x___", "xxxxxxxx"]


@pytest.mark.parametrize("path", sorted(FILES[0].parent.glob("*.gz")), ids=lambda path: path.name)
def test_the_checker_accepts_every_certificate_of_the_gallery(path):
    name = path.name.partition(".")[0]
    assert path.name == table.certificate_path(name).name
    given = load_certificate(path)
    report = checker.verify(given)
    assert checker.sha256(checker.core(given, given["teacher"])) == machine_hash(load(name))
    rows = json.loads((FILES[0].parent / table.RESULTS).read_text(encoding="utf-8"))["rows"]
    never_stuck = next(row["teacher_never_stuck"] for row in rows if row["name"] == name)
    assert name in table.certified_tasks()
    assert never_stuck == given["claim"]["teacher_never_stuck"]
    assert report["scope"] == given["claim"]["scope"]


def test_certified_is_what_has_a_certificate_of_the_very_machine(tmp_path, monkeypatch):
    for name in ("increment", "double", "halve"):
        shutil.copy(FILES[NAMES.index(name)], tmp_path)
    monkeypatch.setattr(table, "gallery_folder", lambda: tmp_path)
    monkeypatch.setattr(table, "gallery", lambda: ["double", "halve", "increment"])
    machine = load("increment")
    path, proof = tmp_path / "increment.certificate.json.gz", compare(machine, machine).proof
    assert proof is not None
    save_certificate(certificate(machine, machine, proof), path)
    row = {"name": "increment", "verdict": "exact", "teacher_sha256": machine_hash(machine)}
    row["certificate_sha256"] = file_hash(path)
    only_said = {"name": "double", "verdict": "exact", "teacher_sha256": machine_hash(load("double"))}

    def certified(**changes):
        rows = [row | changes, only_said]
        (tmp_path / table.RESULTS).write_text(json.dumps({"rows": rows}))
        return {*table.certified_tasks()}

    assert certified() == {"increment"}
    assert certified(teacher_sha256=machine_hash(load("double"))) == set()
    assert certified(certificate_sha256="0" * 64) == set()
    path.unlink()
    assert certified() == set()


def networks():
    file = Path(__file__).parents[2] / "results" / "gallery_networks.json"
    return json.loads(file.read_text(encoding="utf-8"))["rows"]


def test_every_task_has_the_network_that_was_measured():
    rows = networks()
    assert [row["name"] for row in rows] == NAMES
    for row in rows:
        path, model = table.weights_of(row["name"])["raw"], dfst.load(f"{row['name']}:raw")
        assert (path.name, file_hash(path)) == (row["weights"], row["weights_sha256"])
        assert (model.parameters, model.name) == (row["parameters"], row["name"])
        assert path.stat().st_size < 25_000
    assert any(row["rlg"] < row["measured_to"] for row in rows)


@pytest.mark.parametrize("row", networks(), ids=lambda row: row["name"])
def test_a_network_reaches_what_was_measured_and_no_more(row):
    to = min(row["rlg"] + 1, row["measured_to"], 25)
    found = dfst.measure_lengths(f"{row['name']}:raw", to=to)
    assert (found.rlg, found.plg) == (min(row["rlg"], to), min(row["plg"], to))


@pytest.mark.slow
@pytest.mark.parametrize("row", networks(), ids=lambda row: row["name"])
def test_the_proven_machine_is_the_one_extracted_from_the_network(row):
    found = dfst.extract(f"{row['name']}:raw").machine
    assert machine_hash(found) == machine_hash(dfst.load(f"{row['name']}:machine")) == row["machine_sha256"]
