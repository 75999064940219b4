"""State merging without a network, judged by the same prover: python merging_table.py OUT.json TASK:DATA_SEED...

Every method and every least evidence runs in a process of its own, stopped after LIMIT seconds.
"""

import json
import multiprocessing
import sys
import time
from pathlib import Path

from dfst import expert, sample
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.study.merging import METHODS, Method, merge_traces

LIMIT = 120
LEAST_EVIDENCE = (0, 1, 2, 5, 10)


def attempt(task: str, data_seed: int, method: Method, min_evidence: int, out: multiprocessing.Queue) -> None:
    """One row of the table."""
    teacher = expert(task)
    traces = sample(teacher, seed=data_seed)
    began = time.process_time()
    machine = merge_traces(traces, teacher.machine.layout, method, min_evidence=min_evidence)
    seconds = time.process_time() - began
    verdict = compare(teacher.machine, machine, seconds=60)
    where = str(verdict.counterexample or verdict.open)
    out.put(
        {"states": len(machine.states), "seconds": round(seconds, 1), "verdict": verdict.outcome.value, "where": where}
    )


def main(out: str, *tasks: str) -> None:
    """All methods on all tasks."""
    rows, facts = [], manifest()
    context = multiprocessing.get_context("spawn")
    for task, data_seed in (name.split(":") for name in tasks):
        for method in METHODS:
            for least in LEAST_EVIDENCE if method != "rpni" else (0,):
                queue = context.Queue()
                process = context.Process(target=attempt, args=(task, int(data_seed), method, least, queue))
                process.start()
                process.join(LIMIT)
                result = {"verdict": f"gave up after {LIMIT} seconds"}
                if process.is_alive():
                    process.terminate()
                elif not queue.empty():
                    result = queue.get()
                rows.append(
                    {"task": task, "data_seed": int(data_seed), "method": method, "min_evidence": least} | result
                )
                print(*(f"{name}={value}" for name, value in rows[-1].items() if name != "where"), flush=True)
                Path(out).write_text(json.dumps({"manifest": facts, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
