"""The directive ``room``: the reference of every public name of one room, read from the package's table of contents."""

from __future__ import annotations

import inspect
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from sphinx.util.docutils import SphinxDirective

import dfst
import dfst.exchange

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

ELSEWHERE = {
    "world": [
        *("world.alphabet.Alphabet", "world.layout.Layout", "world.layout.Answer", "world.machine.Rule"),
        *("world.parts.Part", "world.worlds.in_world_of"),
        *("world.rollout.Outcome", "world.rollout.Divergence", "world.grid.Grid"),
        *("world.grid.Area", "world.grid.Window", "world.table.Configuration", "world.policy.Origin"),
        *("world.rollout.Trace", "world.rollout.Drift"),
        *("world.machine_file.dump_machine", "world.policy.Setup"),
    ],
    "traces": [
        "traces.record.record",
        *("traces.traces.Batch", "traces.coverage.coverage", "traces.coverage.Coverage"),
        *("traces.coverage.Loop", "traces.understand.understand", "traces.record.corrupted"),
    ],
    "teachers": [
        *("teachers.task.ArithmeticTask", "teachers.adder.adder", "teachers.multiplier.multiplier"),
        *("teachers.find.gallery", "teachers.task_file.load_task", "teachers.task_file.parse_task"),
    ],
    "training": [
        *("training.model.identity_model", "training.model.step", "training.model.forward", "training.model.loss"),
        *("training.size.parameter_count", "training.model.Prediction"),
        *("training.fit.fit", "training.fit.Progress", "training.fit.Record", "training.fit.DivergedError"),
        *("training.reduce.balance", "training.reduce.Balance"),
        *("training.engine.Engine", "training.engine.TrainState", "training.engine.Block"),
    ],
    "act": [
        *("act.own.OwnPolicy", "act.rounding.Rounding", "act.rounding.RoundedSteps"),
    ],
    "extraction": [
        *("extraction.evidence.Evidence", "extraction.evidence.Join", "extraction.evidence.Prefix"),
        *("extraction.pipeline.Round", "extraction.report.suggest", "extraction.report.Suggestion"),
    ],
    "prove": [
        *("prove.compare.compare", "prove.verdict.Conclusion", "prove.lockstep.Counterexample"),
        *("prove.certificate.ClosedSet", "prove.certificate.load_certificate"),
        *("prove.network.close", "prove.network.Closed", "prove.network.CertificateSteps"),
    ],
    "judging": [
        *("names.find_policy", "judging.exact_match.Examiner", "judging.exact_match.Attempt"),
        *("judging.certification.certify", "judging.evaluation.evaluate", "judging.examine.Finding"),
        *("judging.tested.try_out", "judging.network.prove_network", "judging.network.NetworkVerdict"),
        *("judging.lengths.measure_lengths", "judging.lengths.Rung"),
        *("judging.lengths.Score", "judging.journal.Journal", "shipped.shipped_model"),
        *("shipped.shipped_models", "shipped.ShippedModel"),
    ],
    "until_proven": [
        *("until_proven.train.train_run", "until_proven.train.begin", "until_proven.learn.learn"),
        *("until_proven.correcting.correct", "until_proven.correcting.Corrected", "until_proven.correcting.Change"),
        *("until_proven.asking.Asking", "until_proven.held_out.HeldOut"),
    ],
    "errors": [
        *(f"errors.{name}" for name in ("InputError", "FileFormatError", "MachineError", "Mistake", "RejectedError")),
        *("errors.MissingExtraError", "errors.NoteWarning", "errors.NameWarning"),
    ],
    "exchange": ["exchange.dot.to_dot", "exchange.dot.parse_dot"],
}
"""What is worth knowing in a room, and has no name in ``dfst`` itself."""


def names_of(room: str) -> list[str]:
    """The public names of ``room`` (or of ``errors``), in the order of the package's table of contents."""
    if room == "exchange":
        return [f"exchange.{name}" for names in dfst.exchange._CONTENTS.values() for name in names]
    contents = dfst._CONTENTS.items()  # what is public, and where it lives
    return [name for module, names in contents for name in names if module.split(".")[1] == room]


class Room(SphinxDirective):
    """``{room} world`` documents every public name of that room."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Hand over to autodoc, one entry for each name."""
        names = names_of(self.arguments[0])
        if not names and self.arguments[0] not in ELSEWHERE:
            raise self.error(f"there is no room {self.arguments[0]}")
        entries = [_entry(f"dfst.{name}", attrgetter(name)(dfst)) for name in names]
        entries += [_entry(f"dfst.{path}", _record(path)) for path in ELSEWHERE.get(self.arguments[0], [])]
        return self.parse_text_to_nodes("```{eval-rst}\n" + "\n".join(entries) + "\n```")


def _record(path: str) -> object:
    module, name = f"dfst.{path}".rsplit(".", 1)
    return getattr(import_module(module), name)


def _entry(path: str, value: object) -> str:
    if not inspect.isclass(value):
        return f".. autofunction:: {path}\n"
    if issubclass(value, Exception):
        return f".. autoexception:: {path}\n   :show-inheritance:\n"
    return f".. autoclass:: {path}\n   :members:\n"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("room", Room)
    return {"parallel_read_safe": True}
