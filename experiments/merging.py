"""State merging without a network, judged by the same prover.

Usage: python -m experiments.merging OUT.json TASK:DATA_SEED...
Every method and every least evidence runs in a process of its own, stopped after LIMIT seconds.
"""

import multiprocessing
import queue
import time

from experiments.measuring import add_rows, asked

import dfst
from dfst.exchange.merging import METHODS, Method, merge_traces

LIMIT = 120
LEAST_EVIDENCE = (0, 1, 2, 5, 10)
LENGTH = 200  # RLG is measured to so many digits


def attempt(task: str, data_seed: int, method: Method, min_evidence: int, out: multiprocessing.Queue) -> None:
    """Merge, and hand over the machine and the seconds it took."""
    teacher = dfst.task(task)
    traces = dfst.sample(teacher, seed=data_seed)
    began = time.process_time()
    machine = merge_traces(traces, teacher.machine.layout, method, min_evidence=min_evidence)
    out.put((machine, time.process_time() - began))


def row(task: str, data_seed: int, method: Method, min_evidence: int) -> dict:
    """One line of the table; merging is stopped after LIMIT seconds, the proof has as long as ours."""
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    process = context.Process(target=attempt, args=(task, data_seed, method, min_evidence, out))
    process.start()
    facts = {"task": task, "data_seed": data_seed, "method": method, "min_evidence": min_evidence}
    facts["traces"] = dfst.task(task).sampling.n
    try:
        machine, seconds = out.get(timeout=LIMIT)
    except queue.Empty:
        return facts | {"verdict": f"gave up after {LIMIT} seconds"}
    finally:
        process.terminate()
    verdict = dfst.compare(task, machine)
    facts |= {"states": len(machine.states), "seconds": round(seconds, 1), "verdict": verdict.conclusion.value}
    lengths = dfst.measure_lengths(machine, task, to=LENGTH)
    facts |= {"rlg": lengths.rlg, "plg": lengths.plg, "measured_to": LENGTH}
    return facts | {"where": str(verdict.counterexample or verdict.open)}


def main(out: str, *tasks: str) -> None:
    """All methods on all tasks."""
    names = ("task", "data_seed", "method", "min_evidence")
    keys = (
        (task, int(data_seed), method, least)
        for task, data_seed in (name.split(":") for name in tasks)
        for method in METHODS
        for least in (LEAST_EVIDENCE if method != "rpni" else (0,))
    )
    add_rows(out, names, keys, row, quiet=("where",))


if __name__ == "__main__":
    main(*asked())
