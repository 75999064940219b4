"""Traces on disk: JSON lines that a person can read and write; logs of conversations are read as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dfst.errors import DfstError, FileFormatError, InputError
from dfst.files import MAX_DATA_BYTES, read_text
from dfst.traces.logs import from_csv, json_lines, parse_json_log
from dfst.traces.traces import MARK, UNKNOWN, Trace, Traces
from dfst.world.alphabet import is_names
from dfst.world.moves import MOVE_NAMES
from dfst.world.worlds import world_from

FORMAT = 1

TRACES, LOG = ".jsonl", ".csv"
"""How the name of a file ends that holds traces or, as JSON lines or as CSV, a log of conversations."""

_MOVES = {name: i for i, name in enumerate(MOVE_NAMES)}
_TRACE = "A trace has x, s and m, in symbols of the header and moves U D L R S."
_DAMAGED = "It may be damaged or cut short; record it again with dfst data."


def traces_text(traces: Traces, path: str | Path) -> str:
    """The content of the file ``path``, whose name must end in .jsonl.

    It begins with a header (format, task, symbols, blank, layout, sha256); every other line is a trace: ``x`` the
    symbols seen, ``s`` those written, ``m`` the moves, each one string (a list if a symbol has several characters).
    What was written is null where nobody knows it; ``?`` is read as well, unless it is a symbol.

    >>> import dfst
    >>> traces = dfst.record(dfst.task("add2").machine, [("1", "1")])
    >>> print(traces_text(traces, "one.jsonl").splitlines()[1][:52])
    {"input": ["1", "1"], "x": "_1+1_101+1_1__+10_+_1_10
    """
    _check_name(path, TRACES)
    alphabet = traces.alphabet

    names = dict(enumerate(alphabet.symbols))

    def written(numbers: np.ndarray) -> str | list[str | None]:
        whole = alphabet.single_characters and UNKNOWN not in numbers
        return alphabet.decode(numbers) if whole else [names.get(number) for number in numbers.tolist()]

    header = {"format": FORMAT, "task": traces.task} | traces.world.header()
    lines = [header | {"sha256": traces.sha256}]
    for i, trace in enumerate(traces):
        line: dict[str, Any] = {"case": traces.cases[i]} if traces.cases else {}
        line |= {"input": list(traces.problems[i])} if traces.problems else {}
        line |= {"x": written(trace.seen), "s": written(trace.written)}
        lines.append(line | {"m": "".join(MOVE_NAMES[m] for m in trace.moves)})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def load_traces(path: str | Path) -> Traces:
    """The traces in ``path``, or the log of conversations; refuses a file that does not match its recorded hash."""
    _check_name(path, TRACES, LOG)
    text, name = read_text(path, limit=MAX_DATA_BYTES), Path(path)
    try:
        if name.suffix.lower() == LOG:
            return from_csv(text, task=name.stem)
        if text[:1000].lstrip().startswith("["):
            return parse_json_log(text, task=name.stem)
        traces, claimed = _parsed(text)
    except DfstError as error:
        raise FileFormatError(error.what, where=str(path), do=error.do) from None
    if claimed is not None and claimed != traces.sha256:
        do = "It was changed or damaged; record it again (or remove its sha256 if you changed it on purpose)."
        raise FileFormatError("the traces do not match the file's sha256", where=str(path), do=do)
    return traces


def is_file_of_traces(name: str) -> bool:
    """Whether ``name`` is that of a file with traces, or with a log."""
    return name.lower().endswith((TRACES, LOG))


def _check_name(path: str | Path, *endings: str) -> None:
    if Path(path).suffix.lower() not in endings:
        folder = Path(path).is_dir()
        what = "it is a folder, not a file with traces" if folder else "not a valid name for a file of traces"
        raise InputError(what, where=str(path), do=f"Use a file whose name ends in {TRACES}.")


def _parsed(text: str) -> tuple[Traces, str | None]:
    """The traces, and the hash that the header claims."""
    lines = json_lines(text, do=_DAMAGED)
    if (first := next(lines, None)) is None:
        raise FileFormatError("the file is empty", do="dfst data TASK --out FILE writes traces.")
    _, header = first
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        do = 'dfst data TASK --out FILE writes such a file; a line of a log is such as [["syn", "syn+ack"]].'
        raise FileFormatError(f"this is not a trace file of format {FORMAT}", do=do)
    world, found, inputs, cases = world_from(header), [], [], []
    alphabet = world.alphabet
    tables = {"x": alphabet.index, "s": {None: UNKNOWN, MARK: UNKNOWN, **alphabet.index}, "m": _MOVES}
    for number, value in lines:
        where = f"line {number}"
        if not isinstance(value, dict):
            raise FileFormatError(f"{where} is not a trace", do=_TRACE)
        found.append(Trace(*(_numbers(value, key, table, where) for key, table in tables.items())))
        if "input" in value:
            if not isinstance(value["input"], list) or not is_names(value["input"]):
                raise FileFormatError(f"{where}: 'input' is not a list of strings", do='Such as ["1", "10"].')
            inputs.append(tuple(value["input"]))
        if "case" in value:
            if not isinstance(value["case"], str):
                raise FileFormatError(f"{where}: 'case' is not a text", do='It is a name, such as "17".')
            cases.append(value["case"])
    return Traces.of(world, found, inputs, str(header.get("task", "")), cases), header.get("sha256")


def _numbers(trace: dict[str, Any], key: str, table: Mapping[Any, int], where: str) -> np.ndarray:
    names = trace.get(key)
    if not isinstance(names, str | list):
        what = "is missing" if names is None else "is neither a text nor a list"
        raise FileFormatError(f"{where}: {key!r} {what}", do=_TRACE)
    try:
        return np.array([table[name] for name in names], np.uint8)
    except (KeyError, TypeError):  # TypeError: a list or an object as a name
        unknown = next(name for name in names if not isinstance(name, (str, type(None))) or name not in table)
        raise FileFormatError(f"{where}: {unknown!r} in {key!r} is not known", do=_TRACE) from None
