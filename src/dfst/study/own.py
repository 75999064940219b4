"""A policy or a task of one's own by name: ``file.py:Name`` or ``module:Name``, as on the command line.

Naming it runs that file, or imports that module, which has to be installed: a folder in which somebody works may come
from anybody, so what is in it runs only if its file is named. No other name ever runs anything.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from dfst.errors import DfstError, InputError, in_your_code, quoted
from dfst.teachers.find import is_own_name

_NAME = re.compile(r"(?P<module>[^:]+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)")

_RUN_FOLDERS: set[str] = set()
"""Where files are that were run by name: what is beside them they may import, but it cannot be named."""


def find_in_python(text: str) -> Any:
    """The object that ``text`` names in Python code of the user's; None if it names no module that is installed.

    Of a class it is an object, made without arguments.

    >>> find_in_python("add10:raw"), find_in_python("nowhere:Policy"), find_in_python("fractions:Fraction")
    (None, None, Fraction(0, 1))
    """
    match = _NAME.fullmatch(text)
    if match is None or is_own_name(match["module"]) or is_own_name(text):
        return None
    if match["name"] == "machine" and os.path.isdir(match["module"]):
        return None
    module = _module(match["module"], text)
    if module is None:
        return None
    found = getattr(module, match["name"], None)
    if found is None:
        names = [name for name in vars(module) if not name.startswith("_")]
        close = get_close_matches(match["name"], names, 1)
        do = f"Did you mean {match['module']}:{close[0]}?" if close else "Name a class or an object of that module."
        raise InputError(f"{match['module']} has no {quoted(match['name'])}", where=text, do=do)
    if not isinstance(found, type):
        return found
    try:
        return found()
    except DfstError:
        raise
    except Exception as error:
        raise _raised(error, text) from error


def _module(name: str, text: str) -> ModuleType | None:
    """The module, run if it was not yet; None if there is none."""
    try:
        return _run(name) if name.endswith(".py") else _installed(name, text)
    except DfstError:
        raise
    except Exception as error:
        raise _raised(error, text) from error


def _run(name: str) -> ModuleType:
    """What the file ``name`` makes; as in ``python FILE``, it can import what is beside it."""
    if not Path(name).is_file():
        raise InputError("there is no such file", where=name, do="Give the path of a Python file before the colon.")
    folder = os.path.realpath(Path(name).parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
        _RUN_FOLDERS.add(folder)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(Path(name).stem, module)  # so that its classes can be copied
    if spec.loader is not None:
        spec.loader.exec_module(module)
    return module


def _installed(name: str, text: str) -> ModuleType | None:
    """An installed module; one that is only in the working folder is never imported."""
    with _nothing_local():
        try:
            found = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            found = None
        if found is not None:
            return importlib.import_module(name)
    file = Path(*name.split(".")).with_suffix(".py")
    if file.is_file():
        do = f"Name the file to run the code in it: {file}:{text.partition(':')[2]}."
        raise InputError(f"there is no installed module {quoted(name)}", where=text, do=do)
    return None


@contextmanager
def _nothing_local() -> Iterator[None]:
    """Imports meanwhile find nothing in the working folder, or beside a file that was run."""
    local = {os.path.realpath(os.getcwd()), *_RUN_FOLDERS}
    before = sys.path[:]
    sys.path[:] = [place for place in before if os.path.realpath(place or os.curdir) not in local]
    try:
        yield
    finally:
        sys.path[:] = before


def _raised(error: Exception, text: str) -> InputError:
    """An error of the user's own code as a sentence, with the line it comes from."""
    return InputError(f"loading it raised {in_your_code(error)}", where=text, do="Correct it there.")
