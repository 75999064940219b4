"""How many dimensions a task needs, seen from its teacher: python -m experiments.ranks OUT.json TASK...

For every task, from the traces that training sees:

- ``states``: the teacher's, and ``visited``: those that the traces visit;
- ``rank``: of the teacher's one-hot weights along the traces (balance): as many directions are reached and tell
  apart what follows;
- ``at_least``: no model with fewer dimensions can score all traces exactly. The scores of one symbol are a linear map
  of h, so there are at least as many dimensions as linearly independent actions were recorded on one symbol;
- ``walks``: for every symbol, how many states walk over it, at least three cells in a row, as recorded.
"""

from collections.abc import Iterator

import numpy as np
from experiments.measuring import add_rows, asked

import dfst
from dfst.traces.traces import Trace
from dfst.training.reduce import balance


def at_least(traces: dfst.Traces) -> int:
    """The largest rank of the actions that were recorded on one symbol, each as its two one-hot scores."""
    symbols = len(traces.alphabet.symbols)
    actions = {(int(x), int(w), int(m)) for x, w, m in zip(traces.seen, traces.written, traces.moves, strict=True)}
    rows: list[list[np.ndarray]] = [[] for _ in range(symbols)]
    for seen, written, move in actions:
        rows[seen].append(np.concatenate([np.eye(symbols)[written], np.eye(len(dfst.Move))[move]]))
    return max(int(np.linalg.matrix_rank(np.stack(each))) for each in rows if each)


CELLS = 3
"""Whoever stays in a state for so many cells in a row walks; a shorter stay may be learned as something else."""


def walk(machine: dfst.GridMachine, trace: Trace) -> Iterator[tuple[int, int, int]]:
    """Its steps: the state, the symbol seen, and how many cells in a row it has seen that and stayed.

    The machine is deterministic, so what it saw says which states it was in.
    """
    state, stayed = machine.start, (0, -1, -1)
    for seen in trace.seen.tolist():
        after = int(machine.next_state[state, seen])
        cells = 0 if after != state else 1 + (stayed[0] if stayed[1:] == (state, seen) else 0)
        stayed = (cells, state, seen)
        yield state, seen, cells
        state = after


def row(name: str) -> dict:
    """One task."""
    task = dfst.task(name)
    traces = dfst.sample(task)
    recorded = {step for trace in traces for step in walk(task.machine, trace)}
    walks = {(state, seen) for state, seen, cells in recorded if cells >= CELLS}
    return {
        **{"task": name, "traces": len(traces), "hidden_dim": task.hidden_dim},
        **{"states": len(task.machine.states), "visited": len({state for state, _, _ in recorded})},
        "rank": len(balance(dfst.from_machine(task.machine), traces).values),
        "at_least": at_least(traces),
        "walks": {name: sum(seen == x for _, seen in walks) for x, name in enumerate(traces.alphabet.symbols)},
    }


def main(out: str, *tasks: str) -> None:
    """Every task that is named."""
    add_rows(out, ("task",), ((name,) for name in tasks), row)


if __name__ == "__main__":
    main(*asked())
