"""A policy or a task of one's own by name: ``module:Name`` or ``file.py:Name``, as on the command line.

Naming it runs the module, as ``import`` does; no other name ever runs anything.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from dfst.errors import DfstError, InputError, in_your_code, quoted
from dfst.teachers.find import is_own_name

_NAME = re.compile(r"(?P<module>[^:]+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)")


def find_in_python(text: str) -> Any:
    """The object that ``text`` names in Python code of the user's; None if it names no module that is there.

    Of a class it is an object, made without arguments.

    >>> find_in_python("add10:raw"), find_in_python("nowhere:Policy"), find_in_python("fractions:Fraction")
    (None, None, Fraction(0, 1))
    """
    match = _NAME.fullmatch(text)
    if match is None or is_own_name(text) or (match["name"] == "machine" and os.path.isdir(match["module"])):
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
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)  # as python -m does
    try:
        if not name.endswith(".py"):
            return importlib.import_module(name) if _is_there(name) else None
        if not Path(name).is_file():
            raise InputError("there is no such file", where=name, do="Give the path of a Python file before the colon.")
        spec = importlib.util.spec_from_file_location(Path(name).stem, name)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(Path(name).stem, module)  # so that its classes can be copied
        if spec.loader is not None:
            spec.loader.exec_module(module)
        return module
    except DfstError:
        raise
    except Exception as error:
        raise _raised(error, text) from error


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _raised(error: Exception, text: str) -> InputError:
    """An error of the user's own code as a sentence, with the line it comes from."""
    return InputError(f"loading it raised {in_your_code(error)}", where=text, do="Correct it there.")
