"""Arrays with a readable header in one safetensors file, refused with a sentence if anything about it is wrong."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from dfst.errors import FileFormatError

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
