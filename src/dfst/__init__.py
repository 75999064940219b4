"""Learn algorithms exactly, by watching them run.

The names below are the whole public face, loaded on first use: importing dfst imports neither numpy nor numba nor jax.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_CONTENTS = {
    # what can go wrong
    "dfst.errors": [
        "DfstError",
        "FileFormatError",
        "InputError",
        "MachineError",
        "MissingExtraError",
        "NameWarning",
        "Problem",
    ],
    # world: what exists without any learning
    "dfst.world.alphabet": ["Alphabet"],
    "dfst.world.moves": ["Move"],
    "dfst.world.grid": ["Grid", "Window"],
    "dfst.world.layout": ["Answer", "Layout"],
    "dfst.world.machine": ["GridMachine", "Rule"],
    "dfst.world.outcome": ["Outcome", "Run"],
    "dfst.world.run": ["Configuration", "configurations", "run"],
    "dfst.world.machine_file": ["dump_machine", "load_machine", "parse_machine", "save_machine"],
    # teachers: who shows it
    "dfst.teachers.task": ["Sampling", "Task"],
    "dfst.teachers.lessons": ["Expert"],
    "dfst.teachers.expert": ["expert"],
    "dfst.teachers.task_file": ["load_task", "parse_task"],
    "dfst.teachers.find": ["find_task", "gallery"],
    "dfst.teachers.adder": ["adder"],
    "dfst.teachers.multiplier": ["multiplier"],
    # traces: observations of a teacher
    "dfst.traces.traces": ["Batch", "Traces"],
    "dfst.traces.record": ["record"],
    "dfst.traces.sampler": ["sample"],
    "dfst.traces.practice": ["practise"],
    "dfst.traces.understand": ["understand"],
    "dfst.traces.files": ["load_traces", "save_traces"],
    "dfst.traces.coverage": ["Coverage", "coverage"],
    # learn: the DFST
    "dfst.learn.model": ["DFST", "forward", "identity_model", "loss", "parameter_count", "step"],
    "dfst.learn.one_hot": ["Replay", "from_machine", "replay"],
    "dfst.learn.weights": ["load_model", "save_model"],
    "dfst.learn.recipes": ["Recipe", "recipe"],
    "dfst.learn.fit": ["DivergedError", "History", "Progress", "Record", "fit"],
    "dfst.learn.reduce": ["Balance", "balance", "reduce"],
    "dfst.learn.steady": ["steady"],
    # runs: a training on disk
    "dfst.runs.run_config": ["RunConfig"],
    "dfst.runs.run_folder": ["RunFolder"],
    # act: policies on the grid
    "dfst.act.rollout": ["Divergence", "Rollout", "rollout"],
    "dfst.act.lockstep": ["Follower", "Lockstep"],
    "dfst.act.drift": ["Drift"],
    "dfst.act.forecast": ["Forecast", "forecast"],
    # extraction: from weights to a machine
    "dfst.extraction.pipeline": ["Extraction", "extract"],
    "dfst.extraction.suggest": ["suggest"],
    # prove: from two machines to a verdict
    "dfst.prove.compare": ["Verdict", "compare"],
    "dfst.prove.certificate": ["certificate", "load_certificate", "save_certificate"],
    # study: questions about one learner
    "dfst.study.exact_match": ["Attempt", "Examiner"],
    "dfst.study.lengths": ["Lengths", "measure_lengths"],
    "dfst.study.agents": ["NamedAgent", "find_agent"],
    "dfst.study.evaluation": ["evaluate"],
    "dfst.study.certification": ["certify"],
    "dfst.study.doctor.finding": ["Finding"],
    "dfst.study.doctor.doctor": ["doctor"],
    "dfst.study.shipped": ["ShippedModel", "shipped_model", "shipped_models"],
    # lesson: from a task to a model in one go
    "dfst.lesson.lasting": ["train_run"],
    # exchange: doors to other tools
    "dfst.exchange.morphett": ["parse_morphett"],
    "dfst.exchange.to_dot": ["to_dot"],
    "dfst.exchange.mealy": ["from_mealy", "to_mealy"],
    "dfst.exchange.dot_file": ["parse_dot"],
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
