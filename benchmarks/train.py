"""Milliseconds per training iteration, every engine beside bare JAX: python -m benchmarks.train [--quick] [--json]"""

from __future__ import annotations

import statistics
import time
from typing import Any

import jax
import numpy as np
from benchmarks.bare_jax import make_step
from benchmarks.showing import show

import dfst
from dfst.manifest import manifest
from dfst.training.engine import Schedule, TrainState
from dfst.training.fused import FusedEngine
from dfst.training.jax_engine import JaxEngine
from dfst.training.model import identity_model

TASKS = ("add2", "add10", "mult2", "mult10")


SGEMM_SIZE = 2048
"""A square single-precision matrix product of this size is the peak that is compared with, on all cores."""


def measure(quick: bool, note: Any) -> dict[str, Any]:
    """The whole table; ``quick`` leaves out the forms that take seconds per iteration."""
    rows = [_task(task, quick, note) for task in TASKS]
    peak = statistics.median(row["sgemm_gflops"] for row in rows)
    return {"sgemm_gflops": round(peak, 1), "tasks": rows, "manifest": manifest()}


def _task(task: str, quick: bool, note: Any) -> dict[str, Any]:
    teacher = dfst.task(task)
    traces = dfst.sample(teacher)
    model = identity_model(traces.world, teacher.hidden_dim)
    recipe = dfst.recipe("fast", task).changed(growth=0.0, iterations=10**6)
    state = TrainState.start(model)
    engines: dict[str, Any] = {f"fused_{n}": FusedEngine(state, traces, recipe, seed=1, threads=n) for n in (1, 2)}
    forms = ["sequential", "associative"] if not quick else ["sequential"]
    if task == "mult10":
        forms = forms[:1]  # the scans would hold 32 · 420 matrices of 108 · 108 several times over
    for form in forms:
        engines[f"jax_{form}"] = JaxEngine(
            state, traces, recipe, seed=1, associative=form == "associative", devices=jax.devices()[:1]
        )
    bare_state, bare_step = make_step(traces.padded(), model, 10**6, recipe.learning_rate)
    plan = Schedule(recipe, seed=1, traces=len(traces), longest=int(traces.lengths.max())).plan(0, 1)

    def bare() -> None:
        nonlocal bare_state
        bare_state, loss = bare_step(bare_state, plan.chosen[0])
        loss.block_until_ready()

    matrix = np.random.default_rng(0).random((SGEMM_SIZE, SGEMM_SIZE), np.float32)
    calls = {name: engine.advance for name, engine in engines.items()} | {
        "bare": lambda n: [bare() for _ in range(n)],
        "sgemm": lambda n: [matrix @ matrix for _ in range(n)],
    }
    budget, rounds = (0.4, 3) if quick else (2.0, 5)
    counts, times = {}, {name: [] for name in calls}
    for name, call in calls.items():
        note(f"{task}: {name}")
        call(1)  # compile
        counts[name] = max(1, min(2000, int(budget / _seconds(call, 1, 1))))
    for _ in range(rounds):  # side by side: whatever else the machine does hits all alike
        for name, call in calls.items():
            time.sleep(0.1)  # JAX's and BLAS's threads of the one before may still spin
            times[name].append(_seconds(call, counts[name], counts[name]))
    ms = {name: round(1000 * statistics.median(values), 4) for name, values in times.items()}
    d, heads = teacher.hidden_dim, len(traces.alphabet) + 5
    flops = 32 * float(traces.lengths.mean()) * 6 * d * (d + heads)  # A, B, C: forward, for h, for the weights
    gflops = flops / statistics.median(times["fused_2"]) / 1e9
    sgemm = 2 * SGEMM_SIZE**3 / statistics.median(times["sgemm"]) / 1e9
    return {
        "task": task,
        "fused_ms": ms["fused_2"],
        "fused_1thread_ms": ms["fused_1"],
        "bare_jax_ms": ms["bare"],
        **{f"{name}_ms": value for name, value in ms.items() if name.startswith("jax")},
        "speedup_vs_bare_jax": round(ms["bare"] / ms["fused_2"], 2),
        "useful_mflop_per_iteration": round(flops / 1e6, 1),
        "useful_gflops": round(gflops, 1),
        "sgemm_gflops": round(sgemm, 1),
        "fraction_of_sgemm": round(gflops / sgemm, 3),
    }


def _seconds(call: Any, times: int, *arguments: Any) -> float:
    begin = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - begin) / times


def rows(result: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    columns = {"task": "task", "fused_ms": "2 threads", "fused_1thread_ms": "1 thread", "bare_jax_ms": "bare JAX"}
    columns |= {"speedup_vs_bare_jax": "speed-up", "fraction_of_sgemm": "of sgemm"}
    title = f"Training, ms per iteration (sgemm: {result['sgemm_gflops']} GFLOP/s)"
    return title, [{column: row[key] for key, column in columns.items()} for row in result["tasks"]]


if __name__ == "__main__":
    show(measure, rows)
