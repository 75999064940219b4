"""Every single bit of an add2 model file and of a checkpoint, flipped; python -m experiments.breaking.flips counts."""

import json
from collections.abc import Callable, Iterable
from functools import cache

from dfst import FileFormatError, recipe, sample
from dfst.runs.checkpoint import checkpoint_bytes, parse_checkpoint
from dfst.teachers.find import find_task
from dfst.training.fit import fit
from dfst.training.model import identity_model
from dfst.training.state import TrainState, Weights
from dfst.training.weights import model_bytes, parse_model

PARSERS: dict[str, Callable[[bytes], object]] = {"model": parse_model, "checkpoint": parse_checkpoint}
FILES = tuple(PARSERS)


@cache
def content(name: str) -> bytes:
    """The file as a short training leaves it, with its layout and odd numbers."""
    traces = sample(find_task("add2"))
    begin = identity_model(traces.alphabet, 12, name="add2", layout=traces.layout)
    model, _ = fit(begin, traces, recipe("fast", "add2").changed(iterations=20))
    state = TrainState(model, Weights.of(model), Weights.of(begin), 20)
    return model_bytes(model) if name == "model" else checkpoint_bytes(state)


def bits(name: str) -> int:
    """How many there are."""
    return 8 * len(content(name))


def undetected(name: str, places: Iterable[int] | None = None) -> list[int]:
    """The bits (of those at ``places``, or of all) whose flip is not refused with a sentence."""
    damaged, parse, found = bytearray(content(name)), PARSERS[name], []
    parse(bytes(damaged))
    for place in range(bits(name)) if places is None else places:
        damaged[place // 8] ^= 1 << place % 8
        try:
            parse(bytes(damaged))
            found.append(place)
        except FileFormatError:
            pass
        damaged[place // 8] ^= 1 << place % 8
    return found


def flips() -> dict[str, dict[str, int]]:
    """Bits and undetected flips of each file."""
    return {name: {"bits": bits(name), "undetected": len(undetected(name))} for name in FILES}


if __name__ == "__main__":
    print(json.dumps(flips(), indent=1))
