"""Models on disk: safetensors with a readable JSON header; nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dfst.act.weights import Weights
from dfst.errors import DfstError, FileFormatError, InputError
from dfst.files import read_bytes
from dfst.training.model import DFST, rounded
from dfst.world.worlds import world_from

MODEL_FILE, ROUNDED = "model.safetensors", "rounded.safetensors"


def load_model(path: str | Path) -> DFST:
    """The model in the file ``path``, or in a folder with a model.safetensors (or one .safetensors of any name).

    Nothing is ever downloaded. A damaged, truncated or mismatched file is refused with a sentence.
    """
    path = model_file(Path(path)) if Path(path).is_dir() else path
    return parse_model(read_bytes(path), source=str(path))


def model_file(folder: Path) -> Path:
    """The file in ``folder`` that :func:`load_model` takes."""
    names = sorted(path.name for path in folder.glob("*.safetensors"))
    names = [name for name in names if name != ROUNDED] or names  # it lies beside what else was certified
    if MODEL_FILE in names:
        return folder / MODEL_FILE
    if len(names) != 1:
        do = f"Choose one: {', '.join(names)}." if names else "Give a folder with a model.safetensors, or a file."
        raise InputError(f"there are {len(names)} models in it, none of them {MODEL_FILE}", where=str(folder), do=do)
    return folder / names[0]


def model_bytes(model: DFST) -> bytes:
    """The content of a model file."""
    return pack("model", model_header(model), model.weights._asdict())


def parse_model(content: bytes, *, source: str = "model") -> DFST:
    """The model whose file has this content."""
    header, tensors = unpack("model", content, Weights._fields, source=source)
    return model_from(header, tensors, source=source)


def model_header(model: DFST) -> dict[str, Any]:
    """What a file says about a model besides its weights."""
    header = {"name": model.name, "hidden_dim": model.hidden_dim, **model.world.header()}
    return header | ({} if model.bits is None else {"bits": model.bits})


def model_from(header: dict[str, Any], tensors: dict[str, Any], *, source: str) -> DFST:
    """The model of a header and its four arrays."""
    try:
        weights = Weights(*(tensors[name] for name in Weights._fields))
        model = DFST(world_from(header), weights, str(header["name"]))
        model = rounded(model, header["bits"]) if "bits" in header else model
    except (KeyError, TypeError, AttributeError, ValueError):
        raise FileFormatError("its header is incomplete", where=source) from None
    except DfstError as error:
        raise FileFormatError(error.what, where=source, do=error.do) from None
    if header.get("hidden_dim") != model.hidden_dim:
        what = f"its header says d = {header.get('hidden_dim')}, its weights {model.hidden_dim}"
        raise FileFormatError(what, where=source)
    return model


FORMAT = 1

Header = dict[str, Any]
Tensors = dict[str, np.ndarray]


def pack(kind: str, header: Header, tensors: Tensors) -> bytes:
    """The content of a file of ``kind``; the same arrays and header always give the same bytes."""
    tensors = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    full: Header = {"format": FORMAT, "kind": kind, **header}
    full["sha256"] = _digest(full, tensors)
    # one metadata entry only: safetensors does not promise an order for several, and the bytes should be reproducible
    return safetensors.numpy.save(tensors, metadata={"dfst": json.dumps(full, ensure_ascii=False)})


def unpack(kind: str, content: bytes, names: tuple[str, ...], *, source: str) -> tuple[Header, Tensors]:
    """(header, arrays) of a file of ``kind`` that holds the arrays ``names``."""
    length = int.from_bytes(content[:8], "little")
    try:
        tensors = safetensors.numpy.load(content)
        metadata = json.loads(content[8 : 8 + length]).get("__metadata__") or {}
        header = json.loads(metadata["dfst"])
    except KeyError:
        do = f"A {kind} is written by dfst itself."
        raise FileFormatError(f"it is a safetensors file, but not a {kind}", where=source, do=do) from None
    except (safetensors.SafetensorError, ValueError, TypeError, RecursionError, AttributeError):
        what = "it is not a complete safetensors file" if content else "the file is empty"
        raise FileFormatError(what, where=source, do="It may be damaged or cut short; get it again.") from None
    if isinstance(header, dict) and header.get("kind") not in (kind, None):
        do = f"Give a {kind}; dfst train writes model.safetensors at the end of a run."
        raise FileFormatError(f"it is a {header['kind']}, not a {kind}", where=source, do=do)
    if not isinstance(header, dict) or header.get("kind") != kind or header.get("format") != FORMAT:
        found = f"{header.get('kind')} {header.get('format')}" if isinstance(header, dict) else "unreadable"
        do = f"This version of dfst reads format {FORMAT}."
        raise FileFormatError(f"its format ({found}) is not {kind} {FORMAT}", where=source, do=do)
    if set(tensors) != set(names):
        raise FileFormatError(f"it holds {sorted(tensors)}, not {sorted(names)}", where=source)
    claimed = header.pop("sha256", None)
    if claimed != _digest(header, tensors):
        do = "It was changed or damaged after it was written; get it again."
        raise FileFormatError("its content does not match its checksum", where=source, do=do)
    return header, tensors


def _digest(header: Header, tensors: Tensors) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(tensors):
        array = tensors[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
