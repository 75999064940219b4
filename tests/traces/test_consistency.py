"""Traces that no run can have left are noticed, with trace and step."""

import json
import random

import numpy as np
import pytest

import dfst
from dfst import Move, Traces, sample
from dfst.errors import InputError
from dfst.exchange.merging import merge_traces
from dfst.runs.options import Options
from dfst.teachers.find import find_task
from dfst.traces.consistency import check_traces, faults
from dfst.traces.traces import Trace
from dfst.training.fit import fit
from dfst.world.alphabet import Alphabet
from dfst.world.moves import OFFSETS

ALPHABET = Alphabet(("0", "1", "_"), "_")


def by_hand(trace):
    """The first step that sees what is not there, and the step that wrote on its cell, one step after the other."""
    grid, cell = {}, (0, 0)
    for step, (seen, written, move) in enumerate(zip(*(column.tolist() for column in trace), strict=True)):
        if cell in grid and grid[cell][0] != seen:
            return step, grid[cell][1]
        grid[cell] = written, step
        cell = cell[0] + OFFSETS[move][0], cell[1] + OFFSETS[move][1]
    return None


def test_random_walks_are_judged_as_by_hand():
    rng, traces = random.Random(5), []
    for _ in range(400):
        length = rng.randint(1, 9)
        columns = [[rng.choice((0, 1)) for _ in range(length)] for _ in range(2)]
        moves = [rng.randrange(4) for _ in range(length - 1)] + [int(Move.S)]
        traces.append(Trace(*(np.array(column, np.uint8) for column in (*columns, moves))))
    found = {fault.trace: fault for fault in faults(Traces.of(ALPHABET, traces))}
    wanted = {i: two for i, trace in enumerate(traces) if (two := by_hand(trace)) is not None}
    assert found.keys() == wanted.keys()
    assert 50 < len(wanted) < 350
    for i, (sees, wrote) in wanted.items():
        assert (found[i].kind, found[i].step) == ("contradiction", sees)
        assert f"at step {sees} it sees" in found[i].what
        assert found[i].what.endswith(f"at step {wrote}")


def broken(folder, kind):
    """A file of add2's traces of which trace 3 is broken, without a hash."""
    traces = sample(find_task("add2"))
    path = folder / f"{kind}.jsonl"
    traces.save(path)
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    del header["sha256"]
    if kind == "contradiction":  # what step 3 wrote is 1
        assert lines[3]["s"][3] == lines[3]["x"][5] == "1"
        lines[3]["x"] = lines[3]["x"][:5] + "0" + lines[3]["x"][6:]
    elif kind == "disagreement":  # the last step halts, so nobody sees what it writes
        lines.append(lines[3] | {"s": lines[3]["s"][:-1] + "+"})
        header["traces"] = len(lines)
    else:
        lines[3] |= {key: lines[3][key][:-1] for key in "xsm"}
    path.write_text("\n".join(map(json.dumps, [header, *lines])), encoding="utf-8")
    return path


SAYS = {
    "contradiction": "trace 3 contradicts itself: at step 5 it sees '0' on the cell where it wrote '1' at step 3",
    "does-not-halt": "trace 3 never halts: its last move is L, not S",
    "disagreement": "traces 3 and 20 see the same but act differently: at step 29, seeing '+', '_' and S in one and "
    "'+' and S in the other",
}


@pytest.mark.parametrize("kind", SAYS)
def test_the_doctor_names_trace_and_step(tmp_path, kind):
    first, *others = dfst.doctor(str(broken(tmp_path, kind)))
    cause = "contradiction" if kind == "disagreement" else kind
    assert (first.cause, first.what, others) == (cause, SAYS[kind], [])


@pytest.mark.parametrize("kind", SAYS)
def test_nothing_is_learned_from_them(tmp_path, kind):
    traces = dfst.load(broken(tmp_path, kind))
    model = dfst.from_machine(find_task("add2").machine)
    for learn in (
        lambda: check_traces(traces),
        lambda: fit(model, traces, dfst.recipe("fast").changed(iterations=1)),
        lambda: dfst.extract(model, traces),
        lambda: dfst.fit(traces),
        lambda: merge_traces(traces, find_task("add2").machine.layout),
        lambda: dfst.exchange.merge(traces),
        lambda: dfst.RunFolder.create(tmp_path / "run", Options(hidden_dim=12).on(traces), traces),
    ):
        with pytest.raises(InputError) as refused:
            learn()
        assert refused.value.what == SAYS[kind]
    assert not (tmp_path / "run").exists()
