"""How far learning from telling logs goes: python -m experiments.log_ladder OUT.json MODELS NAME:SECONDS...

A row is about one model: the steps of its telling log, the processor seconds of each stage and the peak memory. Merging
is RPNI on the log. The network is trained, at most for SECONDS, until it acts as recorded; then a machine is extracted
from it and compared with the reference. Each row is measured in a process of its own. made_657x75 is a machine of 657
states and 75 inputs made by chance, for a size that no model at hand has.
"""

import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.logs import data
from experiments.measuring import add_rows, asked

import dfst
from dfst.errors import DfstError
from dfst.exchange.dot import to_dot
from dfst.exchange.merging import merge_traces
from dfst.prove.compare import SMALL
from dfst.training.engine import TrainState
from dfst.training.fit import Progress
from dfst.training.model import identity_model
from dfst.training.recall import recall
from dfst.world.conversation import Turn, conversation_machine

_LOOKS, _GLANCE = 200, 64
_MADE, _OUTPUTS = re.compile(r"made_(\d+)x(\d+)"), 50


class _LearnedError(Exception):
    """The network acts as recorded, or its time is over."""


def made(states: int, inputs: int) -> str:
    """A drawing of a Mealy machine that is made by chance, for ever the same."""
    rng = random.Random(0)
    turns = [
        Turn(f"q{q}", f"in{x}", f"out{rng.randrange(_OUTPUTS)}", f"q{rng.randrange(states)}")
        for q in range(states)
        for x in range(inputs)
    ]
    return to_dot(conversation_machine(turns, "q0", name=f"made_{states}x{inputs}"))


def stage(facts: dict[str, Any], name: str, do: Callable[[], Any]) -> Any:
    """Do it, and note how long the processor was busy and how much memory was ever used."""
    begun = time.process_time()
    try:
        return do()
    finally:
        facts[f"{name}_seconds"] = round(time.process_time() - begun, 1)
        facts[f"{name}_peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def trained(traces: dfst.Traces, hidden_dim: int, seconds: float, facts: dict[str, Any]) -> TrainState:
    """The network as soon as it acts as recorded, or as it is when the time is over."""
    recipe, begun = dfst.recipe("quick"), time.monotonic()
    every, last = recipe.iterations // _LOOKS, [0]
    model = identity_model(traces.world, hidden_dim)
    glance, found = traces.part(range(min(_GLANCE, len(traces)))), [TrainState.start(model)]

    def look(progress: Progress) -> None:
        over = time.monotonic() - begun > seconds
        if progress.iteration - last[0] < every and not over and progress.iteration < recipe.iterations:
            return
        last[0], found[0] = progress.iteration, progress.state()
        if over or (recall(found[0].model, glance).learned and recall(found[0].model, traces).learned):
            raise _LearnedError

    with suppress(_LearnedError):
        dfst.fit(traces, model=model, recipe=recipe, callbacks=[look])
    facts |= {"iterations": found[0].iteration, "wrong_steps": recall(found[0].model, traces).wrong_steps}
    return found[0]


def rung(path: Path, seconds: float) -> dict[str, Any]:
    """One model, stage by stage."""
    facts: dict[str, Any] = {}
    common, reference, _, traces = stage(facts, "log", lambda: data(path, "telling", 0, 0, 0))
    machine = reference.machine

    def verdict(found: dfst.GridMachine) -> str:
        return dfst.compare(machine, found, limit=SMALL, seconds=seconds).conclusion.value

    assert traces.layout is not None
    layout = traces.layout
    try:
        merged = stage(facts, "merging", lambda: merge_traces(traces, layout, "rpni", seconds=seconds))
        facts |= {"merging_states": len(merged.states), "merging": verdict(merged)}
    except DfstError as error:
        facts["merging"] = error.what
    facts["hidden_dim"] = reference.hidden_dim
    state = stage(facts, "training", lambda: trained(traces, reference.hidden_dim, seconds, facts))
    extraction = stage(facts, "extraction", lambda: dfst.extract(state.model, traces, seconds=seconds))
    facts |= {"found": len(extraction.machine.states), "gave_up": extraction.gave_up}
    facts["network"] = stage(facts, "proof", lambda: verdict(extraction.machine))
    return common | facts


def main(out: str, folder: str, *which: str) -> None:
    """A row for every model that is asked for."""
    if out == "-":
        print(json.dumps(rung(Path(folder), float(which[0]))))
        return
    models = {path.stem: path for path in Path(folder).rglob("*.dot")}

    def row(name: str, seconds: float) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as drawings:
            path = models.get(name, Path(drawings) / f"{name}.dot")
            if size := _MADE.fullmatch(name):
                path.write_text(made(int(size[1]), int(size[2])), encoding="utf-8")
            command = [sys.executable, "-m", "experiments.log_ladder", "-", str(path), str(seconds)]
            done = subprocess.run([*command, "--uncommitted"], capture_output=True, text=True, check=True)
        return {"model": name, "limit": seconds} | json.loads(done.stdout.splitlines()[-1])

    keys = [(name, float(seconds)) for name, seconds in (text.split(":") for text in which)]
    add_rows(out, ("model", "limit"), keys, row)


if __name__ == "__main__":
    main(*asked())
