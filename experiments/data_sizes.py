"""How little is enough: python -m experiments.data_sizes OUT.json TASK:N:SEEDS[:covering]...

TASK:N:SEEDS is such as add2:10:0-4.

For every seed: the paper's set of traces (data seed = seed), N of them, the fast recipe, extraction, proof. The N are
drawn at random, or (covering) chosen greedily to show as many of the teacher's two steps in a row as they can.
"""

import time
from collections.abc import Iterator
from itertools import pairwise

from experiments.measuring import add_rows, asked

import dfst
from dfst.seeds import Stream
from dfst.traces.coverage import coverage


def drawn(count: int, n: int, seed: int) -> list[int]:
    """``n`` of so many traces, drawn without replacement, in their order."""
    stream = Stream(seed, "subset")
    return sorted(sorted(range(count), key=lambda _: stream.word())[:n])


def covering(machine: dfst.GridMachine, traces: dfst.Traces, n: int) -> list[int]:
    """``n`` of the traces: each next one shows most (state, symbol, next symbol) that the others do not show yet.

    When all are shown, it begins again, so that everything is seen twice, and so on.
    """
    shows: dict[int, set[tuple[int, int, int]]] = {}
    for i, trace in enumerate(traces):
        state, shows[i] = machine.start, set()
        for seen, following in pairwise(trace.seen.tolist()):
            shows[i].add((state, seen, following))
            state = int(machine.next_state[state, seen])
    chosen, shown = [], set()
    while len(chosen) < n:
        best = max(shows, key=lambda i: len(shows[i] - shown))
        if shows[best] - shown:
            chosen.append(best)
            shown |= shows.pop(best)
        elif not shown:
            break
        else:
            shown = set()
    return chosen


def row(task: str, n: int, seed: int, choice: str) -> dict:
    """Train on ``n`` traces, extract, prove."""
    teacher, whole = dfst.task(task).machine, dfst.sample(task, seed=seed)
    chosen = covering(teacher, whole, n) if choice == "covering" else drawn(len(whole), n, seed)
    traces = dfst.record(task, [whole.problems[i] for i in chosen])
    began = time.perf_counter()
    model, history = dfst.fit(traces, seed=seed)
    trained = time.perf_counter()
    machine = dfst.extract(model, traces).machine
    verdict = dfst.compare(task, machine)
    return {
        "task": task,
        "n": n,
        "seed": seed,
        "choice": choice,
        "loss": history.final_loss,
        "uncovered": len(coverage(teacher, traces).uncovered),
        "states": len(machine.states),
        "verdict": verdict.conclusion.value,
        "train_seconds": round(trained - began, 1),
        "certify_seconds": round(time.perf_counter() - trained, 1),
    }


def wanted(text: str) -> Iterator[tuple[str, int, int, str]]:
    """What TASK:N:SEEDS[:covering] asks for."""
    task, n, seeds, choice = [*text.split(":"), "random"][:4]
    first, _, last = seeds.partition("-")
    yield from ((task, int(n), seed, choice) for seed in range(int(first), int(last or first) + 1))


def main(out: str, *words: str) -> None:
    """All that is asked for."""
    add_rows(out, ("task", "n", "seed", "choice"), (key for text in words for key in wanted(text)), row)


if __name__ == "__main__":
    main(*asked())
