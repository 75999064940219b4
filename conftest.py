"""Strictness is switched on once: every function and record with arrays has their shapes checked while tests run."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from jaxtyping import install_import_hook

SOURCE = Path(__file__).parent / "src" / "dfst"
COMPILED = {"skipping.py", "barrier.py", "swap_kernels.py"}  # by numba, which a checker around its functions would stop
SHAPED = [
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    for path in sorted(SOURCE.rglob("*.py"))
    if "from dfst.shapes import" in path.read_text(encoding="utf-8") and path.name not in COMPILED
]  # checking the others as well would only make the tests several times slower: their types pyright has seen

collect_ignore_glob = ["docs/*.py", "docs/pictures/*.py"]  # they build the site, and need the extra docs

if os.environ.get("DFST_SHAPES") != "off":  # as CI sets it for the slow tests: they take several times as long with it
    install_import_hook(SHAPED, "beartype.beartype")

settings.register_profile("dfst", deadline=None, derandomize=True, database=None)
settings.load_profile("dfst")


@pytest.fixture
def work(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys, monkeypatch, work):
    """Calls the command line in an empty folder: (exit code, stdout, stderr)."""
    from dfst.cli import main  # here, so that it is imported with its shapes checked

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["dfst", *map(str, words)])
        monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)  # it is a script, though pytest may be a module
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return call
