"""Learn algorithms exactly, by watching them run.

The names below are the whole public face, loaded on first use: importing dfst imports neither numpy nor numba nor jax.
Errors are in :mod:`dfst.errors`, doors to other tools in :mod:`dfst.exchange`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_CONTENTS = {
    # what people call; each takes names, paths and objects alike
    "dfst.api": [
        *("task", "sample", "record", "load"),
        *("extract", "compare", "certify", "check", "doctor"),
        *("solve", "evaluate", "measure_lengths", "diff", "view", "export"),
        *("fit", "from_machine", "reduce", "steady", "rounded", "train", "learn"),
    ],
    "dfst.errors": ["DfstError"],
    # world: what exists without any learning
    "dfst.world.moves": ["Move"],
    "dfst.world.worlds": ["World"],
    "dfst.world.machine": ["GridMachine"],
    "dfst.world.policy": ["Policy"],
    "dfst.world.rollout": ["Rollout"],
    # traces and teachers: what was observed, and of whom
    "dfst.traces.traces": ["Traces"],
    "dfst.traces.observe": ["Head", "observe"],
    "dfst.teachers.sampling": ["Sampling"],
    "dfst.teachers.program": ["ProgramTask", "teacher"],
    "dfst.teachers.task": ["Task"],
    # training and runs: the DFST, and how it is trained
    "dfst.act.weights": ["Weights"],
    "dfst.training.model": ["DFST"],
    "dfst.training.recipes": ["Recipe", "recipe"],
    "dfst.training.fit": ["History"],
    "dfst.runs.options": ["Options"],
    "dfst.runs.run_folder": ["RunFolder"],
    # act, extraction, prove, judging: what a learner does, and what is proven about it
    "dfst.act.own": ["policy"],
    "dfst.extraction.pipeline": ["Extraction"],
    "dfst.prove.certificate": ["Certificate"],
    "dfst.prove.verdict": ["Verdict"],
    "dfst.judging.certification": ["Certification"],
    "dfst.judging.checking": ["Checked"],
    "dfst.judging.difference": ["Difference"],
    "dfst.judging.evaluation": ["Evaluation"],
    "dfst.judging.lengths": ["Lengths"],
    "dfst.judging.tested": ["Tested"],
    "dfst.until_proven.learned": ["Learned"],
    "dfst.until_proven.train": ["Trained"],
}
_MODULES = ("errors", "exchange")


def _face(package: str, contents: Mapping[str, list[str]]) -> tuple[list[str], Callable[[str], Any], Callable[[], Any]]:
    """What a module whose names are loaded on first use has: __all__, __getattr__ and __dir__."""
    home = {name: module for module, names in contents.items() for name in names}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return [*home], load, lambda: sorted(home)


_names, _load, _ = _face(__name__, _CONTENTS)

__all__ = ["__version__", *_names]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"dfst.{name}")
    globals()[name] = _load(name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted((*__all__, *_MODULES))
