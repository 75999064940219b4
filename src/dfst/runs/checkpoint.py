"""Checkpoints: a training run on disk, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from dfst.act.weights import Weights
from dfst.errors import DfstError, FileFormatError
from dfst.files import read_bytes, remove, write_atomically
from dfst.training.engine import TrainState
from dfst.training.weights import model_from, model_header, pack, unpack

_FIELDS = Weights._fields
_TENSORS = tuple(f"{prefix}{name}" for prefix in ("", "mean.", "square.") for name in _FIELDS)
_KEPT = 2
"""Checkpoints that stay: the newest, and one more in case the newest is damaged."""


def checkpoint_bytes(state: TrainState) -> bytes:
    """The content of a checkpoint file."""
    header = model_header(state.model) | {"iteration": state.iteration, "nonfinite": state.nonfinite}
    groups = (("", state.model.weights), ("mean.", state.mean), ("square.", state.square))
    tensors = {f"{prefix}{name}": getattr(weights, name) for prefix, weights in groups for name in _FIELDS}
    return pack("checkpoint", header, tensors)


def parse_checkpoint(content: bytes, *, source: str = "checkpoint") -> TrainState:
    """The state whose file has this content."""
    header, tensors = unpack("checkpoint", content, _TENSORS, source=source)
    model = model_from(header, tensors, source=source)
    mean, square = (Weights(*(tensors[f"{p}.{name}"] for name in _FIELDS)) for p in ("mean", "square"))
    for weights in (mean, square):
        if [array.shape for array in weights] != [array.shape for array in model.weights]:
            raise FileFormatError("its moments do not fit its weights", where=source)
    iteration, nonfinite = header.get("iteration"), header.get("nonfinite")
    if not isinstance(iteration, int) or not isinstance(nonfinite, int) or iteration < 0:
        raise FileFormatError("its header is incomplete", where=source)
    return TrainState(model, mean, square, iteration, nonfinite)


def save_checkpoint(state: TrainState, folder: Path) -> None:
    """Write ``state`` to ``folder`` under its iteration's number, atomically, then remove all but the newest two.

    The folder must be there: one that was moved away while its run goes on is not made again.
    """
    write_atomically(folder / f"{state.iteration:010d}.safetensors", checkpoint_bytes(state))
    for old in sorted(folder.glob("*.safetensors"))[:-_KEPT]:
        remove(old)


def newest_checkpoint(folder: Path) -> tuple[TrainState | None, list[str]]:
    """The newest state in ``folder`` that is whole (None if there is none), and a sentence for each damaged file."""
    complaints = []
    for path in sorted(folder.glob("*.safetensors"), reverse=True):
        try:
            return parse_checkpoint(read_bytes(path), source=str(path)), complaints
        except DfstError as error:
            complaints.append(error.sentence)
    return None, complaints
