"""Write src/dfst/__init__.pyi, which tells type checkers what the lazy face holds: python docs/stub.py [--check]"""

import sys
from pathlib import Path

import dfst

STUB = Path(dfst.__file__).with_suffix(".pyi")


def stub() -> str:
    """One line for every public name, from the package's table of contents."""
    lines = ['"""What is public and where it lives; written by docs/stub.py."""', ""]
    for module, names in dfst._CONTENTS.items():
        lines += [f"from {module} import {name} as {name}" for name in names]
    return "\n".join([*lines, "", "__all__: list[str]", "__version__: str", "_CONTENTS: dict[str, list[str]]", ""])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if STUB.read_text(encoding="utf-8") == stub() else f"{STUB.name} is old: python docs/stub.py")
    STUB.write_text(stub(), encoding="utf-8")
