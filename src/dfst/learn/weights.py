"""Weights on disk: safetensors with a readable JSON header; nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dfst.errors import DfstError, FileFormatError
from dfst.files import read_bytes, write_atomically
from dfst.learn.model import DFST
from dfst.world.alphabet import Alphabet

FORMAT = 1
_TENSORS = ("A", "B", "C", "h0")


def save_model(model: DFST, path: str | Path) -> None:
    """Write ``model`` to ``path``, atomically; the same model always gives the same bytes.

    >>> import dfst, tempfile
    >>> model = dfst.from_machine(dfst.expert("add2").machine)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.safetensors")
    ...     load_model(f"{folder}/model.safetensors") == model
    True
    """
    write_atomically(path, model_bytes(model))


def model_bytes(model: DFST) -> bytes:
    """The content of a model file."""
    alphabet = model.alphabet
    header: dict[str, Any] = {"format": FORMAT, "kind": "dfst", "name": model.name, "hidden_dim": model.hidden_dim}
    header |= {"symbols": list(alphabet.symbols), "blank": alphabet.blank}
    header["classes"] = {name: list(members) for name, members in alphabet.classes.items()}
    tensors = {name: np.ascontiguousarray(getattr(model, name)) for name in _TENSORS}
    header["sha256"] = _digest(header, tensors)
    # one metadata entry only: safetensors does not promise an order for several, and the bytes should be reproducible
    return safetensors.numpy.save(tensors, metadata={"dfst": json.dumps(header, ensure_ascii=False)})


def load_model(path: str | Path) -> DFST:
    """The model in ``path``; a damaged, truncated or mismatched file is refused with a sentence."""
    return parse_model(read_bytes(path), source=str(path))


def parse_model(content: bytes, *, source: str = "model") -> DFST:
    """The model whose file has this content."""
    try:
        tensors = safetensors.numpy.load(content)
        length = int.from_bytes(content[:8], "little")
        metadata = json.loads(content[8 : 8 + length]).get("__metadata__") or {}
        header = json.loads(metadata["dfst"])
    except KeyError:
        do = "Save models with dfst.save_model."
        raise FileFormatError("it is a safetensors file, but not a DFST", where=source, do=do) from None
    except (safetensors.SafetensorError, ValueError, TypeError, RecursionError, AttributeError) as error:
        what = f"it is not a complete safetensors file ({str(error)[:200]})"
        raise FileFormatError(what, where=source, do="It may be damaged or cut short; get it again.") from None
    if not isinstance(header, dict) or header.get("kind") != "dfst" or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else None
        do = f"This version of dfst reads format {FORMAT}."
        raise FileFormatError(f"its format ({found}) is not known", where=source, do=do)
    if set(tensors) != set(_TENSORS):
        raise FileFormatError(f"it holds {sorted(tensors)}, not {sorted(_TENSORS)}", where=source)
    claimed = header.pop("sha256", None)
    if claimed != _digest(header, tensors):
        do = "It was changed or damaged after it was written; get it again."
        raise FileFormatError("its content does not match its checksum", where=source, do=do)
    try:
        classes = {name: tuple(members) for name, members in header["classes"].items()}
        alphabet = Alphabet(tuple(header["symbols"]), header["blank"], classes)
        model = DFST(alphabet, **tensors, name=header["name"])
    except (KeyError, TypeError, AttributeError):
        raise FileFormatError("its header is incomplete", where=source) from None
    except DfstError as error:
        raise FileFormatError(error.what, where=source, do=error.do) from None
    if header.get("hidden_dim") != model.hidden_dim:
        raise FileFormatError(
            f"its header says d = {header.get('hidden_dim')}, its weights {model.hidden_dim}", where=source
        )
    return model


def _digest(header: dict[str, Any], tensors: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in _TENSORS:
        array = tensors[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
