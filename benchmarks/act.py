"""Steps per second of rollouts beside hand-written C that does the same: python -m benchmarks.act [--quick] [--json]"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.showing import show

import dfst
from dfst.act.floats import pack
from dfst.manifest import manifest
from dfst.world.grid import Window

NATIVE = Path(__file__).parent / "native"
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC")
FLOAT_LENGTHS = {"add2": 1200, "add10": 900, "mult2": 250, "mult10": 100}
TABLE_LENGTHS = {"add2": 6000, "mult10": 1800}
SKIP_LENGTH = 10_000
I64 = ctypes.c_int64


def measure(quick: bool, note: Any) -> dict[str, Any]:
    """The whole table: every pair of rivals takes turns, and their best times are compared."""
    rounds = 5 if quick else 15
    with tempfile.TemporaryDirectory() as folder:
        table = [_table(task, n, Path(folder), rounds, note) for task, n in TABLE_LENGTHS.items()]
        floats = [_float(task, n, Path(folder), rounds, note) for task, n in FLOAT_LENGTHS.items()]
    skip = _skip(rounds, note)
    return {
        "table_vs_c": {row["task"]: row["ratio"] for row in table},
        "float_vs_c": {str(row["d"]): row["ratio"] for row in floats},
        "skip_vs_plain": skip["ratio"],
        "steps_per_second": {"table": table, "float": floats, "skip": skip},
        "gcc": subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0],
        "flags": " ".join(FLAGS),
        "manifest": manifest(),
    }


def _compile(source: str, folder: Path, **sizes: int) -> Any:
    if shutil.which("gcc") is None:
        raise dfst.DfstError("there is no gcc", do="Install it: the benchmark compiles the loops it compares with.")
    library = folder / f"{Path(source).stem}{''.join(map(str, sizes.values()))}.so"
    defines = [f"-D{name}={value}" for name, value in sizes.items()]
    subprocess.run(["gcc", *FLAGS, *defines, str(NATIVE / source), "-o", str(library), "-lm"], check=True)
    function = getattr(ctypes.CDLL(str(library)), Path(source).stem)
    function.restype = I64
    return function


def _rivals(ours: Callable[[], int], theirs: Callable[[], int], rounds: int) -> tuple[float, float, int]:
    """The best seconds of each, taking turns (other work on the machine only adds); both must make the same steps."""
    if (steps := ours()) != (other := theirs()):
        raise AssertionError(f"{steps} steps against {other}: the two do not do the same work")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for rival, spent in zip((ours, theirs), times, strict=True):
            begin = time.perf_counter()
            rival()
            spent.append(time.perf_counter() - begin)
    return min(times[0]), min(times[1]), steps


def _row(ours: float, theirs: float, steps: int, rival: str, **facts: Any) -> dict[str, Any]:
    rates = {"steps": steps, "dfst": round(steps / ours), rival: round(steps / theirs)}
    return facts | rates | {"ratio": round(theirs / ours, 3)}


def _problem(task: str, n: int) -> tuple[str, str]:
    digits = dfst.task(task).machine.alphabet.classes["digit"]
    pattern = "".join(digits[(7 * i * i + 3 * i) % len(digits)] for i in range(2 * n))
    return pattern[:n], pattern[n:]


def _window(machine: dfst.GridMachine, operands: tuple[str, str]) -> Window:
    """As large as the finished run's, so that the C loop never has to grow it."""
    window = machine.run(*operands, engine="compiled").grid
    assert isinstance(window, Window)
    tape = machine.place(operands)
    inner = window.array[1:-1, 1:-1]
    inner[:] = machine.alphabet.blank_index
    window.array[-window.y0, -window.x0 : len(tape) - window.x0] = tape
    return window


def _start(machine: dfst.GridMachine, window: Window) -> int:
    x, y = machine.layout.head
    return (y - window.y0) * window.array.shape[1] + x - window.x0


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _table(task: str, n: int, folder: Path, rounds: int, note: Any) -> dict[str, Any]:
    machine, operands = dfst.task(task).machine, _problem(task, n)
    function = _compile("table_loop.c", folder)
    window = _window(machine, operands)
    clean = window.array.copy()
    following, written, move = machine.bordered
    width = window.array.shape[1]
    offset = np.array([width, -width, -1, 1, 0])[move]
    row = machine.start * following.shape[1]

    def theirs() -> int:
        cells = clean.copy()
        tables = (_pointer(array) for array in (following, written, offset))
        return function(_pointer(cells), I64(_start(machine, window)), I64(row), *tables, I64(10**12))

    def ours() -> int:
        return machine.run(*operands, engine="compiled").steps

    result = _row(*_rivals(ours, theirs, rounds), "c", task=task, digits=n)
    note(f"table, {task} at {n} digits: {result['dfst'] / 1e6:.0f} M steps/s, {result['ratio']} of C")
    return result


def _float(task: str, n: int, folder: Path, rounds: int, note: Any) -> dict[str, Any]:
    teacher, operands = dfst.task(task), _problem(task, n)
    machine = teacher.machine
    model = dfst.from_machine(machine, teacher.hidden_dim)
    packed = pack(model.weights)
    k, d, stride = packed.shape
    function = _compile("float_loop.c", folder, D=d, K=k, STRIDE=stride)
    window = _window(machine, operands)
    clean = window.array.copy()
    width = window.array.shape[1]
    offset, flushed = np.array([width, -width, -1, 1, 0]), np.zeros(1, np.int64)

    def theirs() -> int:
        cells, h = clean.copy(), model.h0.copy()
        at, arrays = I64(_start(machine, window)), (_pointer(array) for array in (offset, packed, h))
        return function(_pointer(cells), at, *arrays, I64(10**12), _pointer(flushed))

    def ours() -> int:
        return dfst.solve(model, *operands).steps

    result = _row(*_rivals(ours, theirs, rounds), "c", task=task, d=d, digits=n)
    note(f"float, d = {d}: {result['dfst'] / 1e6:.2f} M steps/s, {result['ratio']} of C")
    return result


def _skip(rounds: int, note: Any) -> dict[str, Any]:
    machine, operands = dfst.task("add2").machine, _problem("add2", SKIP_LENGTH)
    skipping, plain, steps = _rivals(
        lambda: machine.run(*operands, engine="skipping").steps,
        lambda: machine.run(*operands, engine="compiled").steps,
        max(rounds // 3, 3),
    )
    result = _row(skipping, plain, steps, "plain", task="add2", digits=SKIP_LENGTH)
    note(f"run-skipping, add2 at {SKIP_LENGTH} digits: {result['dfst'] / 1e9:.1f} G steps/s, {result['ratio']} x plain")
    return result


def rows(result: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    rates = result["steps_per_second"]
    table = [(f"table, {row['task']}", row) for row in rates["table"]]
    floats = [(f"float, d = {row['d']}", row) for row in rates["float"]]
    shown = [{"what": what, "steps/s": f"{row['dfst']:.3g}", "of C": row["ratio"]} for what, row in table + floats]
    skip = rates["skip"]
    shown.append({"what": "walks skipped, add2", "steps/s": f"{skip['dfst']:.3g}", "of C": f"{skip['ratio']} x plain"})
    return f"Rollouts beside C ({result['flags']})", shown


if __name__ == "__main__":
    show(measure, rows)
