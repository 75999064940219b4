"""Alergia on the same logs: python -m experiments.log_rivals OUT.json MODELS KIND:NOISE:UNKNOWN:SEED...

AALpy's Alergia is state merging that bears wrong outputs: it learns a stochastic Mealy machine, of which the most
frequent answer of each state to each input is taken here. It is tuned as no user could: the row is about the ``eps`` of
EPSILONS whose machine answers the most of the fresh walks. Logs, models and judge are those of experiments.logs. It
takes no unknown outputs.
"""

import time
import warnings
from pathlib import Path
from typing import Any

from experiments.logs import COLUMNS, FRESH, Mealy, data, judged, log_of, logs_asked_for, walks
from experiments.measuring import add_rows, asked

from dfst.traces.logs import conversations_of
from dfst.traces.traces import Traces
from dfst.world.conversation import Turn, conversation_machine
from dfst.world.machine import GridMachine

EPSILONS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.9, 1.5, 1.9)


def alergia(log: Traces, like: GridMachine, eps: float) -> GridMachine:
    """The most frequent answers of the stochastic machine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from aalpy.learning_algs import run_Alergia

        learned: Any = run_Alergia(conversations_of(log), "smm", eps=eps, print_info=False)
    names, turns, todo = {learned.initial_state: "a0"}, [], [learned.initial_state]
    for state in todo:
        for read, ways in state.transitions.items():
            after, said, _ = max(ways, key=lambda way: way[2])
            if after not in names:
                names[after] = f"a{len(names)}"
                todo.append(after)
            turns.append(Turn(names[state], read, said, names[after]))
    return conversation_machine(turns, "a0", like=like)


def row(path: Path, kind: str, noise: int, unknown: int, seed: int) -> dict:
    """The best setting on one log."""
    common, reference, _, log = data(path, kind, noise, unknown, seed)
    mealy = Mealy(reference.machine)
    fresh, found = log_of(mealy, reference.machine, walks(mealy, FRESH, seed + 1000)), []
    for eps in EPSILONS:
        begun = time.process_time()
        machine = alergia(log, reference.machine, eps)
        seconds = round(time.process_time() - begun, 1)
        found.append(judged(reference.machine, machine, fresh) | {"eps": eps, "seconds": seconds})
    return common | max(found, key=lambda each: (each["held_out"], -each["found"]))


def main(out: str, folder: str, *which: str) -> None:
    """Measure what is asked for."""
    models, keys = logs_asked_for(folder, which)
    columns = COLUMNS[:-1]
    add_rows(out, columns, keys, lambda *key: dict(zip(columns, key, strict=True)) | row(models[key[0]], *key[1:]))


if __name__ == "__main__":
    main(*asked())
