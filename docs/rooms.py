"""The directive ``room``: the reference of every public name of one room, read from the package's table of contents."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from sphinx.util.docutils import SphinxDirective

import dfst

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

HANDED_BACK = {
    "world": ["world.grid.Area"],
    "traces": ["traces.traces.Trace", "traces.coverage.Loop"],
    "learn": [
        "learn.model.Prediction",
        "learn.state.Engine",
        "learn.state.TrainState",
        "learn.state.Block",
        "learn.state.Weights",
    ],
    "act": ["act.drift.Kind", "act.forecast.Walk", "act.policy.Policy"],
    "extraction": [
        "extraction.evidence.Evidence",
        "extraction.evidence.Join",
        "extraction.evidence.Prefix",
        "extraction.pipeline.Round",
        "extraction.suggest.Suggestion",
    ],
    "prove": [
        "prove.verdict.Outcome",
        "prove.lockstep.Counterexample",
        "prove.closed_set.ClosedSet",
    ],
    "study": [
        "study.evaluation.SpreadExaminer",
        "study.lengths.Rung",
        "study.lengths.Score",
        "study.journal.Journal",
    ],
}
"""Records that public functions take or give and that have no name in ``dfst`` itself."""


def names_of(room: str) -> list[str]:
    """The public names of ``room`` (or of ``errors``), in the order of the package's table of contents."""
    return [
        name
        for module, names in dfst._CONTENTS.items()  # the one list of what is public and where it lives
        for name in names
        if module.split(".")[1] == room
    ]


class Room(SphinxDirective):
    """``{room} world`` documents every public name of that room."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Hand over to autodoc, one entry for each name."""
        names = names_of(self.arguments[0])
        if not names:
            raise self.error(f"there is no room {self.arguments[0]}")
        entries = [_entry(f"dfst.{name}", getattr(dfst, name)) for name in names]
        entries += [_entry(f"dfst.{path}", _record(path)) for path in HANDED_BACK.get(self.arguments[0], [])]
        return self.parse_text_to_nodes("```{eval-rst}\n" + "\n".join(entries) + "\n```")


def _record(path: str) -> type:
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
