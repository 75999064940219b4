"""Doors to other tools: tables of traces, AALpy's machines and learners, dot files. Loaded on first use."""

from __future__ import annotations

from dfst import _face  # pyright: ignore[reportAttributeAccessIssue]

_CONTENTS = {
    "dfst.exchange.tables": ["from_pandas", "to_pandas", "from_io_traces", "to_io_traces"],
    "dfst.traces.logs": ["from_csv", "to_csv"],
    "dfst.exchange.xes": ["from_xes"],
    "dfst.exchange.mealy": ["from_mealy", "to_mealy"],
    "dfst.exchange.sul": ["to_sul", "PolicySUL", "ProblemOracle"],
    "dfst.exchange.merging": ["merge"],
}

__all__, __getattr__, __dir__ = _face(__name__, _CONTENTS)
