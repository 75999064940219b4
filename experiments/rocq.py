"""Python and Rocq side by side: python -m experiments.rocq OUT.json [SCALE [PART...]]

Every certificate that comes with dfst goes through the verified checker; 10,000 certificates changed in one place go
through checker.py and through it; random machines and the teachers run in both, step by step; the teachers' tables of
radix 2 to 36 are compared with the machines that are proven; and teachers with one wrong entry must be refused. SCALE
1 is all of it, less is a part; parts are certificates, wrong_teachers, runs, mutants, tables. Needs coqc.
"""

import copy
import math
import random
import re
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

from experiments import rocq_mutants, rocq_runs
from experiments.measuring import asked, save

from dfst import GridMachine, Move
from dfst.manifest import manifest
from dfst.prove import rocq_file
from dfst.prove.certificate import load_certificate
from dfst.prove.rocq import LIBRARY, Compiler, check_with_rocq
from dfst.shipped import shipped_model, shipped_models
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.task_file import gallery_folder
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, Rule

SEED = 20261116
MUTANTS, RANDOM, STEPS, WRONG = 10_000, 100, 120, 60
BATCH = 250
"""Mutants in one file for Rocq."""
FEW = {50: 200, 500: 30}
"""Of a certificate with so many members or more, only so many mutants: each takes as long as checking it. The smaller
ones share the rest."""
SHIPPED = {"mult2": 20, "add2": 5}
NAMES = (*LIBRARY, "network/OneHot")
TEACHERS = (
    "words/Words", "words/Tables", "adder/Machine", "multiplier/Machine",
    *(f"multiplier/{name}" for name in ("Weights", "Steps", "Copy", "Times", "Sum", "Rounds", "Teacher")),
)  # fmt: skip


class Rocq:
    """The compiler, with everything compiled that ``parts`` need."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self.compiler = Compiler.found()
        teachers = TEACHERS if {"wrong_teachers", "tables"} & set(parts) else ()
        self.library = self.compiler.library(names=(*NAMES, *teachers))

    def output(self, text: str) -> str:
        """What compiling ``text`` prints."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "Try.v"
            file.write_text(text, encoding="utf-8")
            done = self.compiler.run(file, self.library)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return done.stdout

    def different(self, text: str) -> int:
        """How many results were not as they should be: what the files of the tests print in the end."""
        return int(re.findall(r"= \((\d+)%nat,", self.output(text))[-1])


def certificates(rocq: Rocq, scale: float) -> list[dict[str, Any]]:
    paths = {path.name.split(".")[0]: path for path in sorted(gallery_folder().glob("*.certificate.json.gz"))}
    paths |= {model.task: model.certificate for model in shipped_models()}
    rows = []
    for name, path in paths.items() if scale >= 1 else list(paths.items())[:3]:
        checked = check_with_rocq(path)
        rows.append({"name": name, "members": checked.members, "together": checked.together,
                     "never_stuck": checked.never_stuck, "seconds": checked.seconds})  # fmt: skip
    return rows


def mutants(rocq: Rocq, scale: float) -> dict[str, Any]:
    draw = random.Random(SEED)
    given = {path.name.split(".")[0]: path for path in sorted(gallery_folder().glob("*.certificate.json.gz"))}
    given |= {name: shipped_model(name).certificate for name in SHIPPED}
    loaded = {name: load_certificate(path) for name, path in given.items()}
    if scale < 1:
        loaded = {name: given for name, given in loaded.items() if len(given["members"]) < min(FEW)}
    wanted = {name: count for name, count in SHIPPED.items() if name in loaded}
    for members, count in FEW.items():
        wanted |= {name: count for name in loaded.keys() - SHIPPED if len(loaded[name]["members"]) >= members}
    small = sorted(loaded.keys() - wanted.keys())
    left = MUTANTS - sum(wanted.values())
    wanted |= {name: left // len(small) + (i < left % len(small)) for i, name in enumerate(small)}
    wanted = {name: math.ceil(scale * wanted[name]) for name in loaded}
    rows: dict[str, Any] = {}
    for name, count in wanted.items():
        began, made, apart = time.monotonic(), Counter(), 0
        whole, any_grid = loaded[name], rocq_mutants.bisimilar(loaded[name])  # a tenth of them of the second kind
        for kind, left in ((whole, count - count // 10), (any_grid, count // 10)):
            while left:
                calls = []
                for _ in range(min(left, BATCH)):
                    mutant, call = rocq_mutants.mutant(kind, draw)
                    calls.append((call, rocq_mutants.proven(mutant)))
                left -= len(calls)
                made.update(number for _, number in calls)
                apart += rocq.different(rocq_mutants.rocq_text(kind, calls))
        rows[name] = {"mutants": count, "refused": made[0], "accepted": count - made[0],
                      "disagreements": apart, "seconds": round(time.monotonic() - began, 1)}  # fmt: skip
        print(name, rows[name], flush=True)
    sums = {key: sum(row[key] for row in rows.values()) for key in ("mutants", "refused", "accepted", "disagreements")}
    return sums | {"certificates": rows}


def random_machine(draw: random.Random) -> GridMachine:
    """A machine over 0 1 _ # with some pairs undefined and some halting: its runs wander, halt or get stuck."""
    names, symbols, rules = [f"q{i}" for i in range(draw.randint(1, 5))], "01_#", []
    for state, seen in product(names, symbols):
        written, way = draw.choice(symbols), draw.random()
        if way < 0.1:
            rules.append(Rule(state, seen, written, Move.S, HALT))
        elif way < 0.9 or seen == "0":  # every state has a rule
            rules.append(Rule(state, seen, written, draw.choice(list(Move)[:4]), draw.choice(names)))
    layout = Layout(("digit+",), head=(draw.randint(-2, 3), draw.randint(-1, 1)))
    alphabet = Alphabet(tuple(symbols), "_", {"digit": ("0", "1")})
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=names[0])


def runs(rocq: Rocq, scale: float) -> dict[str, Any]:
    draw = random.Random(SEED)
    count = max(5, int(scale * RANDOM))
    made = [(random_machine(draw), (rocq_runs.random_word(draw, "01", 9),)) for _ in range(count)]
    for name in ("add2", "add10", "mult2", "mult10"):
        machine = arithmetic_task(name).machine
        digits = "".join(machine.alphabet.classes["digit"])
        made += [(machine, tuple(rocq_runs.random_word(draw, digits, 4) for _ in range(2))) for _ in range(2)]
    apart = sum(rocq.different(rocq_runs.rocq_text(made[at : at + 50], STEPS)) for at in range(0, len(made), 50))
    return {"runs": len(made), "steps_each_at_most": STEPS, "machines_and_networks_that_differ": apart}


def tables(rocq: Rocq, scale: float) -> dict[str, Any]:
    radices = range(2, 37) if scale >= 1 else range(2, 6)
    numbers = [
        {radix: rocq_runs.table_number(arithmetic_task(f"{kind}{radix}").machine) for radix in radices}
        for kind in ("add", "mult")
    ]
    apart = rocq.different(rocq_runs.tables_text(*numbers))
    return {"radices": [radices[0], radices[-1]], "tables": 2 * len(radices), "tables_that_differ": apart}


def wrong_teachers(rocq: Rocq, scale: float) -> dict[str, Any]:
    """Teachers with one rule changed: none may have the rules of the machine that is proven."""
    draw, made, accepted = random.Random(SEED), 0, 0
    each = max(1, int(scale * WRONG / 4))
    for name in ("add2", "add10", "mult2", "mult10"):
        given = load_certificate(shipped_model(name).certificate)
        radix, table = len(given["symbols"]) - 2, given["teacher"]["table"]
        machine = f"adder {radix}" if name.startswith("add") else f"multiplier {radix}"
        rules = [(q, x) for q, row in enumerate(table) for x, entry in enumerate(row) if entry]
        rows = []
        for q, x in draw.sample(rules, each):
            row = copy.deepcopy(table[q])
            while row[x] == table[q][x]:
                move = draw.randrange(5)
                row[x] = [-1 if move == 4 else draw.randrange(len(table)), draw.randrange(radix + 2), move]
            rows.append(f"with_row t0 {q} [{'; '.join(map(rocq_mutants.rocq_entry, row))}]")
        texts = (
            rocq_file.text(f"{who}_text", rocq_file.canonical(given, who).encode()) for who in ("teacher", "learner")
        )
        text = rocq_file.HEAD + "".join(texts) + rocq_mutants.PREAMBLE
        text += "From Dfst Require Import words.Tables adder.Machine multiplier.Teacher.\n"
        text += f"Definition same a := imitates {len(table)} {radix + 2} ({machine}) (lookup (rules a)).\n"
        text += "Definition wrong : list bool := Eval vm_compute in (if same t0 then [] else [true]) ++\n"
        text += "  filter (fun accepted => accepted) (map same [\n" + ";\n".join(rows) + "]).\n"
        accepted += rocq.different(text + "Eval vm_compute in (length wrong, wrong).\n")
        made += len(rows)
    return {"wrong_teachers": made, "accepted": accepted}


PARTS = {part.__name__: part for part in (certificates, wrong_teachers, runs, mutants, tables)}


def main(out: str, scale: str = "1", *parts: str) -> None:
    size, parts = float(scale), parts or tuple(PARTS)
    rocq = Rocq(parts)
    record: dict[str, Any] = {"manifest": manifest(seed=SEED), "rocq": rocq.compiler.version, "scale": size}
    for name in parts:
        began = time.monotonic()
        record[name] = PARTS[name](rocq, size)
        print(name, round(time.monotonic() - began, 1), "s", flush=True)
    save(out, record)


if __name__ == "__main__":
    main(*asked())
