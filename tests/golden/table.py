"""The golden values: ``python -m tests.golden.table`` writes them anew, to be read as a diff before they are kept."""

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

import dfst
from dfst.prove.certificate import machine_hash
from dfst.teachers.find import gallery

KEPT = Path(__file__).with_name("golden.json")
PACKAGE = Path(dfst.__file__).parent
OLD_RUN = Path(__file__).parent.parent / "formats" / "1"
PAPER = ("add2", "add10", "mult2", "mult10")
VOLATILE = ("seconds", "created", "manifest", "node", "finished", "version", "config_hash", "trial")
"""Keys, or ends of keys, of what no two calls say alike."""


def digest(value: bytes | str) -> str:
    return hashlib.sha256(value if isinstance(value, bytes) else value.encode()).hexdigest()[:16]


def shipped() -> list[Path]:
    """Every file that comes with the package and is no code, and those of an old run folder."""
    mine = [
        path
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyi", ".pyc", ".nbi", ".nbc")
    ]
    return sorted(mine) + sorted(path for path in OLD_RUN.rglob("*") if path.is_file())


def plain(value: Any) -> Any:
    """A record as JSON; arrays and grids by the hash of their bytes."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)} {digest(np.ascontiguousarray(value).tobytes())}"
    if isinstance(value, Enum):
        return value.name
    if callable(getattr(value, "cells", None)):  # a grid
        return digest(repr(sorted((tuple(map(int, at)), int(x)) for at, x in value.cells())))
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


class Walker:
    """A user's policy: walks to the right over digits and halts on the blank."""

    task = "increment"

    def begin(self) -> int:
        return 0

    def act(self, state: int, symbol: str) -> tuple[int, str, str]:
        return (state + 1, symbol, "S" if symbol == "_" else "R")


POLICIES: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "machine": ("add10:machine", "add10", ("58", "67")),
    "teacher": ("teacher:mult2", "mult2", ("101", "11")),
    "float": ("add2:raw", "add2", ("1011", "110")),
    "float that drifts": ("add2:raw", "add2", ("1" * 40, "1" * 40)),
    "large": ("mult10:raw", "mult10", ("12", "34")),
    "lasting": ("add10:lasting", "add10", ("999", "1")),
    "one-hot": ("one-hot", "increment", ("1299",)),
    "rounded": ("add2:rounded", "add2", ("1011", "110")),
    "rounded, of the gallery": ("compare:rounded", "compare", ("101", "110")),
    "user": (Walker(), "increment", ("1299",)),
}


def _rollouts() -> Iterator[tuple[str, Any]]:
    """Every kind of policy, alone and beside its teacher, recorded or not, with its drift or not."""
    for name, (policy, teacher, problem) in POLICIES.items():
        given = dfst.from_machine("teacher:increment") if policy == "one-hot" else policy
        for beside in (None, teacher):
            for how in ({}, {"record": True}, {"drift": True}, {"step_limit": 5}):
                said = ", ".join([*(["beside"] if beside else []), *how])
                try:
                    found = dfst.solve(given, *problem, beside=beside, **how)
                except (dfst.DfstError, TypeError) as error:
                    yield f"{name}: {said}", type(error).__name__
                    continue
                facts = {each.name: plain(getattr(found, each.name)) for each in fields(found) if each.name != "policy"}
                yield f"{name}: {said}", facts | {"answer": plain(found.answer), "explain": found.explain()}


COMMANDS = """\
tasks --json
solve add10 58+67 --json
solve add10:raw 999999999999 1 --json
solve teacher:gcd |||||| |||| --json
eval add2:machine --to 4 --rlg --json
eval add2:raw --to 40 --json
diff add2:raw 1111111111111111111111111111111111111111 1111111111111111111111111111111111111111 --json
diff add2:machine --json
check add10 --json
check add2:rounded --json
check compare --json
check task.dfst --json
check broken.dfst --json
check add2:raw --json
data increment --n 20 --out traces.jsonl --json
doctor task.dfst --json
doctor traces.jsonl --json
~train increment --iterations 300 --seed 1 --out run --json
extract increment:raw --json
certify increment:raw --out certified --json
certify add2:machine --out again --json
certify add2:machine add10:machine --json
certify bold.dfst --teacher shy.dfst --json
~learn increment --seed 3 --out learned --json
learn increment --ask --seed 3 --out asked --json
learn log.csv --seed 3 --out logged --json
learn log.csv --teacher learner.dfst --seed 3 --out judged --json
~sweep run seeds.toml --json
~sweep report sweeps/seeds --json
"""
"""Of what is trained (~) only keys and kinds: its numbers depend on the processor."""
HEAD = """\
format = 1
name = "{}"
symbols = ["0", "1", "_"]
blank = "_"
start = "walk"
[classes]
digit = ["0", "1"]
[input]
cells = ["digit+"]
[answer]
cells = "digit"
---
"""
LOG = "case,input,output\n" + "".join(
    f"{case},{'ab'[(case >> step) & 1]},{'xy'[(bin(case & (2 << step) - 1).count('1')) % 2]}\n"
    for case in range(32)
    for step in range(5)
)
FILES = {
    "task.dfst": HEAD.format("mine") + "walk 0 -> 1 R walk\nwalk 1 -> 0 R walk\nwalk _ -> = S halt\n",
    "broken.dfst": HEAD.format("broken") + "walk 0 -> 2 R walk\nwalk 1 -> 0 X gone\n",
    "bold.dfst": HEAD.format("bold") + "walk 0,1 -> = R walk\nwalk _ -> = S halt\n",
    "shy.dfst": HEAD.format("shy") + "walk 0 -> = R walk\nwalk _ -> = S halt\n",
    "log.csv": LOG,
    "seeds.toml": '[trial]\ntask = "increment"\nseed = "0:2"\niterations = 300\n',
}


def settled(value: Any) -> Any:
    """JSON without what differs from call to call."""
    if isinstance(value, dict):
        return {key: settled(each) for key, each in value.items() if not key.endswith(VOLATILE)}
    return [settled(each) for each in value] if isinstance(value, list) else value


def kinds(value: Any) -> Any:
    """Keys and types of JSON."""
    if isinstance(value, dict):
        return {key: kinds(each) for key, each in value.items()}
    return [kinds(each) for each in value[:1]] if isinstance(value, list) else type(value).__name__


def _commands() -> Iterator[tuple[str, Any]]:
    """Every verb with --json: its exit code, and what it says."""
    from dfst.cli import main

    here, words = os.getcwd(), sys.argv
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in FILES.items():
                Path(name).write_text(text)
            dfst.task("add2").machine.save("learner.dfst")
            for line in COMMANDS.splitlines():
                out, code = io.StringIO(), None
                sys.argv = ["dfst", *line.lstrip("~").split()]
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                    try:
                        main()
                    except SystemExit as stop:
                        code = stop.code
                said = settled(json.loads(out.getvalue() or '""'))
                yield line, [code, kinds(said) if line.startswith("~") else said]
        finally:
            os.chdir(here)
            sys.argv = words


def _hashes() -> Iterator[tuple[str, Any]]:
    """Of every task: its teacher, its traces; of every model: its weights and its header."""
    for name in (*PAPER, "add3", "mult16", *gallery()):
        task = dfst.task(name)
        assert task.machine is not None
        yield f"{name}: machine", machine_hash(task.machine)
        if name not in ("mult10", "mult16"):
            yield f"{name}: traces", task.sample().sha256
    for path in shipped():
        if path.suffix == ".safetensors" and path.parent.name != "checkpoints":
            model = dfst.load(str(path))
            weights = {each: plain(getattr(model, each)) for each in ("A", "B", "C", "h0")}
            yield f"{path.parent.name}/{path.name}", weights


def files() -> dict[str, str]:
    return {f"{path.parent.name}/{path.name}": digest(path.read_bytes()) for path in shipped()}


def hashes() -> dict[str, Any]:
    return dict(_hashes())


def rollouts() -> dict[str, Any]:
    return dict(_rollouts())


def commands() -> dict[str, Any]:
    return dict(_commands())


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    found = {"files": files(), "hashes": hashes(), "rollouts": rollouts(), "commands": commands()}
    KEPT.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
