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
    "dfst.world.run": ["Configuration", "Outcome", "Run", "configurations", "run"],
    "dfst.world.machine_file": ["dump_machine", "load_machine", "parse_machine", "save_machine"],
    "dfst.world.morphett": ["parse_morphett"],
    "dfst.world.dot": ["to_dot"],
    # experts: the teachers
    "dfst.experts.task": ["Sampling", "Task"],
    "dfst.experts.expert": ["Expert", "expert"],
    "dfst.experts.task_file": ["load_task", "parse_task"],
    "dfst.experts.find": ["find_task", "gallery"],
    "dfst.experts.adder": ["adder"],
    "dfst.experts.multiplier": ["multiplier"],
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
    "dfst.learn.run_config": ["RunConfig"],
    "dfst.learn.run_folder": ["RunFolder"],
    # act: agents loose on the grid
    "dfst.act.rollout": ["Divergence", "Rollout", "rollout"],
    "dfst.act.lockstep": ["Follower", "Lockstep"],
    "dfst.act.drift": ["Drift"],
    "dfst.act.forecast": ["Forecast", "forecast"],
    # prove: from weights to certainty
    "dfst.prove.extract": ["Extraction", "extract"],
    "dfst.prove.suggest": ["suggest"],
    "dfst.prove.compare": ["Verdict", "compare"],
    "dfst.prove.certificate": ["certificate", "load_certificate", "save_certificate"],
    # study: questions people ask
    "dfst.study.exact_match": ["Attempt", "Examiner"],
    "dfst.study.lengths": ["Lengths", "measure_lengths"],
    "dfst.study.agents": ["NamedAgent", "find_agent"],
    "dfst.study.evaluation": ["evaluate"],
    "dfst.study.certification": ["certify"],
    "dfst.study.finding": ["Finding"],
    "dfst.study.doctor": ["doctor"],
    "dfst.study.mealy": ["from_mealy", "to_mealy"],
    "dfst.study.dot_file": ["parse_dot"],
    "dfst.study.shipped": ["ShippedModel", "shipped_model", "shipped_models"],
    # lesson: from a task to a model in one go
    "dfst.lesson.lasting": ["train_run"],
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
