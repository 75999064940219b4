"""A cache of another text beside a Python file, which an import would run in its place."""

import importlib.util
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path


def plant(source: Path, text: str) -> None:
    """Beside ``source`` the cache of ``text``, marked as one that Python does not compare with the file (PEP 552)."""
    cache = Path(importlib.util.cache_from_source(str(source)))
    cache.parent.mkdir(exist_ok=True)
    code = compile(text, str(source), "exec")
    cache.write_bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source.read_bytes()), False))
