"""Learn algorithms exactly, by watching them run.

The names below are the whole public face, loaded on first use: importing dfst imports neither numpy nor numba nor jax.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_CONTENTS = {
    # what people call; each takes names, paths and objects alike
    "dfst.api": [
        *("task", "sample", "record", "load", "load_machine", "load_model"),
        *("extract", "compare", "certify", "check", "doctor"),
        *("solve", "evaluate", "measure_lengths", "diff", "view"),
        *("fit", "from_machine", "reduce", "steady", "learn", "merge", "to_sul"),
    ],
    # what can go wrong
    "dfst.errors": [
        *("DfstError", "FileFormatError", "InputError", "MachineError", "MissingExtraError", "Mistake", "NameWarning"),
        "RejectedError",
    ],
    # world: what exists without any learning
    "dfst.world.alphabet": ["Alphabet"],
    "dfst.world.moves": ["Move"],
    "dfst.world.grid": ["Grid"],
    "dfst.world.layout": ["Answer", "Layout"],
    "dfst.world.machine": ["GridMachine", "Rule"],
    "dfst.world.policy": ["Policy"],
    "dfst.world.rollout": ["Divergence", "Outcome", "Rollout"],
    "dfst.world.machine_file": ["parse_machine", "save_machine"],
    # traces and teachers: what was observed, and of whom
    "dfst.traces.traces": ["Traces"],
    "dfst.traces.observe": ["Head", "observe"],
    "dfst.traces.files": ["load_traces", "save_traces"],
    "dfst.teachers.sampling": ["Sampling"],
    "dfst.teachers.program": ["ProgramTask", "teacher"],
    "dfst.teachers.task": ["Task"],
    # training and runs: the DFST, and how it is trained
    "dfst.training.model": ["DFST"],
    "dfst.training.weights": ["save_model"],
    "dfst.training.recipes": ["Recipe", "recipe"],
    "dfst.training.fit": ["History"],
    "dfst.runs.run_folder": ["RunFolder"],
    # act, extraction, prove, study: what a learner does, and what is proven about it
    "dfst.act.own": ["policy"],
    "dfst.extraction.pipeline": ["Extraction"],
    "dfst.prove.certificate": ["Certificate"],
    "dfst.prove.verdict": ["Verdict"],
    "dfst.study.certification": ["Certification"],
    "dfst.study.checking": ["Checked"],
    "dfst.study.difference": ["Difference"],
    "dfst.study.doctor.finding": ["Finding"],
    "dfst.study.evaluation": ["Evaluation"],
    "dfst.study.lengths": ["Lengths"],
    "dfst.study.tested": ["Tested"],
    "dfst.until_proven.learned": ["Learned", "Look"],
    # exchange: doors to other tools
    "dfst.exchange.mealy": ["from_mealy", "to_mealy"],
    "dfst.exchange.sul": ["PolicySUL", "ProblemOracle"],
    "dfst.exchange.tables": [
        *("from_pandas", "to_pandas", "from_io_traces", "to_io_traces", "from_abbadingo", "to_abbadingo"),
    ],
}
_HOME = {name: module for module, names in _CONTENTS.items() for name in names}

__all__ = ["__version__", *_HOME]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dfst' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
