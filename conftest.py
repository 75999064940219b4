"""Strictness is switched on once: every function and record of the package has its shapes checked while tests run."""

import pkgutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from jaxtyping import install_import_hook

SOURCE = Path(__file__).parent / "src" / "dfst"
COMPILED = {
    "dfst.llvm",
    "dfst.world.compiled",
    "dfst.world.skipping",
    "dfst.learn.barrier",
    "dfst.learn.fused_kernels",
    "dfst.act.float_kernels",
    "dfst.extraction.trie_kernels",
    "dfst.extraction.swap_kernels",
    "dfst.arena.policy_kernels",
}  # numba compiles these functions; a checker around them would stop it
PLAIN = {"dfst.prove.checker"}  # has no annotations; wrapping its functions would only make it ten times slower
MODULES = {m.name for m in pkgutil.walk_packages([str(SOURCE)], "dfst.") if not m.ispkg} - COMPILED - PLAIN

collect_ignore_glob = ["docs/*.py", "docs/pictures/*.py"]  # they build the site, and need the extra docs

install_import_hook(sorted(MODULES), "beartype.beartype")

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
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return stop.value.code, out, err

    return call
