"""Write src/dfst/__init__.pyi, which tells type checkers what the lazy face holds: python docs/stub.py [--check]"""

import sys
from pathlib import Path
from typing import Any

import dfst
import dfst.exchange


def stub(module: Any) -> str:
    """One line for every public name, from the module's table of contents."""
    lines = ['"""What is public and where it lives; written by docs/stub.py."""', ""]
    lines += [f"from dfst import {name} as {name}" for name in getattr(module, "_MODULES", ())]
    for home, names in module._CONTENTS.items():
        lines += [f"from {home} import {name} as {name}" for name in names]
    known = ["__version__: str"] if module is dfst else []
    return "\n".join([*lines, "", "__all__: list[str]", *known, "_CONTENTS: dict[str, list[str]]", ""])


for module in (dfst, dfst.exchange):
    path = Path(str(module.__file__)).with_suffix(".pyi")
    if "--check" not in sys.argv:
        path.write_text(stub(module), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != stub(module):
        sys.exit(f"{path} is old: python docs/stub.py")
