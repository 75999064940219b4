"""State merging without a network, judged by the same prover.

Usage: python -m experiments.merging OUT.json TASK:DATA_SEED...
Every method and every least evidence runs in a process of its own, stopped after LIMIT seconds.
"""

import multiprocessing
import queue
import time

from experiments.measuring import asked, kept, save

from dfst import measure_lengths, sample
from dfst.exchange.merging import METHODS, Method, merge_traces
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.teachers.find import find_task

LIMIT = 120
LEAST_EVIDENCE = (0, 1, 2, 5, 10)
LENGTH = 200  # RLG is measured to so many digits


def attempt(task: str, data_seed: int, method: Method, min_evidence: int, out: multiprocessing.Queue) -> None:
    """Merge, and hand over the machine and the seconds it took."""
    teacher = find_task(task)
    traces = sample(teacher, seed=data_seed)
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
    facts["traces"] = find_task(task).sampling.n
    try:
        machine, seconds = out.get(timeout=LIMIT)
    except queue.Empty:
        return facts | {"verdict": f"gave up after {LIMIT} seconds"}
    finally:
        process.terminate()
    verdict = compare(find_task(task).machine, machine)
    facts |= {"states": len(machine.states), "seconds": round(seconds, 1), "verdict": verdict.conclusion.value}
    lengths = measure_lengths(machine, find_task(task), to=LENGTH)
    facts |= {"rlg": lengths.rlg, "plg": lengths.plg, "measured_to": LENGTH}
    return facts | {"where": str(verdict.counterexample or verdict.open)}


def main(out: str, *tasks: str) -> None:
    """All methods on all tasks; the file is written anew after every line, and lines that are in it are kept."""
    rows, facts = kept(out, {"rows": []})["rows"], manifest()
    done = {(line["task"], line["data_seed"], line["method"], line["min_evidence"]) for line in rows}
    for task, data_seed in (name.split(":") for name in tasks):
        for method in METHODS:
            for least in LEAST_EVIDENCE if method != "rpni" else (0,):
                if (task, int(data_seed), method, least) not in done:
                    rows.append(row(task, int(data_seed), method, least) | {"manifest": facts})
                    shown = {name: value for name, value in rows[-1].items() if name not in ("where", "manifest")}
                    print(*(f"{name}={value}" for name, value in shown.items()), flush=True)
                    save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
