"""Weights as files: there and back, and everything else refused."""

import pickle

import numpy as np
import pytest
import safetensors.numpy

from dfst import from_machine
from dfst.errors import FileFormatError
from dfst.teachers.find import find_task
from dfst.training.model import identity_model
from dfst.training.weights import load_model, model_bytes, parse_model

ADD2 = from_machine(find_task("add2").machine)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_there_and_back(dtype, tmp_path):
    for model in (ADD2, identity_model(find_task("mult10").machine.world, 20, seed=1, name="mult10")):
        model = model.astype(dtype)
        model.save(tmp_path / "m.safetensors")
        loaded = load_model(tmp_path / "m.safetensors")
        assert loaded == model
        assert loaded.h0.dtype == dtype


def test_every_truncation_is_noticed():
    content = model_bytes(ADD2)
    for length in [*range(0, len(content), 97), len(content) - 1]:
        with pytest.raises(FileFormatError):
            parse_model(content[:length])
    with pytest.raises(FileFormatError):
        parse_model(content + b"\0")


def tensors(**changes):
    return {name: getattr(ADD2, name) for name in ("A", "B", "C", "h0")} | changes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps({"A": 1}), "not a complete safetensors file"),
        (safetensors.numpy.save(tensors()), "not a model"),
        (safetensors.numpy.save(tensors(), {"dfst": "{"}), "not a complete"),
        (safetensors.numpy.save(tensors(), {"dfst": "[]"}), "unreadable"),
        (safetensors.numpy.save(tensors(), {"dfst": '{"format": 2, "kind": "model"}'}), r"format \(model 2\)"),
        (safetensors.numpy.save(tensors(D=ADD2.h0), {"dfst": '{"format": 1, "kind": "model"}'}), "it holds"),
        (safetensors.numpy.save(tensors(), {"dfst": '{"format": 1, "kind": "model"}'}), "checksum"),
    ],
)
def test_other_files_are_refused_with_a_sentence(content, message):
    with pytest.raises(FileFormatError, match=message):
        parse_model(content)
