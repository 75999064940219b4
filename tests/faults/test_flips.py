"""No bit of a model or a checkpoint can change without being noticed."""

import json
from functools import cache

import pytest

from dfst import recipe, sample
from dfst.errors import FileFormatError
from dfst.runs.checkpoint import checkpoint_bytes, parse_checkpoint
from dfst.teachers.find import find_task
from dfst.training.engine import TrainState
from dfst.training.fit import fit
from dfst.training.model import identity_model
from dfst.training.weights import model_bytes, parse_model

PARSERS = {"model": parse_model, "checkpoint": parse_checkpoint}


@cache
def content(name):
    """The file as a short training leaves it, with its layout and odd numbers."""
    traces = sample(find_task("add2"))
    begin = identity_model(traces.world, 12, name="add2")
    model, _ = fit(begin, traces, recipe("fast", "add2").changed(iterations=20))
    state = TrainState(model, model.weights, begin.weights, 20)
    return model_bytes(model) if name == "model" else checkpoint_bytes(state)


def undetected(name, places):
    """The bits whose flip is not refused with a sentence."""
    damaged, parse, found = bytearray(content(name)), PARSERS[name], []
    parse(bytes(damaged))
    for place in places:
        damaged[place // 8] ^= 1 << place % 8
        try:
            parse(bytes(damaged))
            found.append(place)
        except FileFormatError:
            pass
        damaged[place // 8] ^= 1 << place % 8
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_every_bit(name, record_property):
    bits = 8 * len(content(name))
    found = undetected(name, range(bits))
    record_property("flips", json.dumps({name: {"bits": bits, "undetected": len(found)}}))
    assert found == []
