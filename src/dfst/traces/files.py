"""Traces on disk: JSON lines that a person can read and write, and parquet for tables."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dfst.errors import DfstError, FileFormatError, InputError, MissingExtraError
from dfst.files import MAX_DATA_BYTES, numbered_lines, read_bytes, read_text
from dfst.traces.traces import Trace, Traces
from dfst.world.alphabet import Alphabet, alphabet_from, alphabet_header, is_names
from dfst.world.layout import Layout, layout_from
from dfst.world.moves import MOVE_NAMES

FORMAT = 1

MAX_VALUES = 5 * 10**7
"""Steps in a parquet file; reading so many takes about two gigabytes."""

MAX_COLUMN_BYTES = 2**30
"""What the columns of a parquet file may be without compression: 64 kB of it can be many gigabytes."""


def traces_bytes(traces: Traces, path: str | Path) -> bytes:
    """The content of the file ``path``: JSON lines for ``.jsonl``, parquet (extra ``data``) for ``.parquet``.

    A JSON-lines file begins with a header (format, task, symbols, blank, layout, sha256); every other line is a trace:
    ``x`` the symbols seen, ``s`` those written, ``m`` the moves, each one string (a list if a symbol has several
    characters).

    >>> import dfst, tempfile
    >>> traces = dfst.record(dfst.task("add2").machine, [("1", "1")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     traces.save(f"{folder}/one.jsonl")
    ...     print(Path(f"{folder}/one.jsonl").read_text().splitlines()[1][:52])
    ...     load_traces(f"{folder}/one.jsonl") == traces
    {"input": ["1", "1"], "x": "_1+1_101+1_1__+10_+_1_10
    True
    """
    match Path(path).suffix:
        case ".jsonl":
            return _to_jsonl(traces).encode()
        case ".parquet":
            return _to_parquet(traces)
        case _:
            raise _not_traces(path)


def load_traces(path: str | Path) -> Traces:
    """The traces in ``path``; refuses a file whose content does not match its recorded hash."""
    match Path(path).suffix:
        case ".jsonl":
            reader, content = _from_jsonl, read_text(path, limit=MAX_DATA_BYTES)
        case ".parquet":
            reader, content = _from_parquet, read_bytes(path)
        case _:
            raise _not_traces(path)
    try:
        traces, claimed = reader(content)  # pyright: ignore[reportArgumentType]
    except MissingExtraError:
        raise
    except DfstError as error:
        raise FileFormatError(error.what, where=str(path), do=error.do) from None
    if claimed is not None and claimed != traces.sha256:
        do = "It was changed or damaged; record it again (or remove its sha256 if you changed it on purpose)."
        raise FileFormatError("the traces do not match the file's sha256", where=str(path), do=do)
    return traces


def _not_traces(path: str | Path) -> InputError:
    what = "it is a folder, not a file with traces" if Path(path).is_dir() else "not a valid name for a file of traces"
    return InputError(what, where=str(path), do="Use a file whose name ends in .jsonl or .parquet.")


def _header(traces: Traces) -> dict[str, Any]:
    layout = {} if traces.layout is None else {"layout": asdict(traces.layout)}
    named = {"format": FORMAT, "task": traces.task} | alphabet_header(traces.alphabet)
    return named | layout | {"sha256": traces.sha256}


def _world(header: Any) -> tuple[Alphabet, str, Layout | None]:
    """(alphabet, task, layout) of a header."""
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        do = "dfst data TASK --out FILE writes such a file."
        raise FileFormatError(f"this is not a trace file of format {FORMAT}", do=do)
    alphabet = alphabet_from(header)
    layout = layout_from(header["layout"], alphabet) if "layout" in header else None
    return alphabet, str(header.get("task", "")), layout


def _to_jsonl(traces: Traces) -> str:
    alphabet = traces.alphabet

    def written(numbers: np.ndarray) -> str | list[str]:
        return alphabet.decode(numbers) if alphabet.single_characters else [alphabet.symbols[i] for i in numbers]

    lines = [json.dumps(_header(traces), ensure_ascii=False)]
    for i, trace in enumerate(traces):
        line: dict[str, Any] = {"input": list(traces.problems[i])} if traces.problems else {}
        line |= {"x": written(trace.seen), "s": written(trace.written)}
        line["m"] = "".join(MOVE_NAMES[m] for m in trace.moves)
        lines.append(json.dumps(line, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def _from_jsonl(text: str) -> tuple[Traces, str | None]:
    header, world, found, inputs = None, None, [], []
    for number, line in numbered_lines(text):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise FileFormatError(f"{where} is not JSON", do=_DAMAGED) from None
        if world is None:
            header, world = value, _world(value)
            continue
        if not isinstance(value, dict):
            raise FileFormatError(f"{where} is not a trace", do=_TRACE)
        tables = {"x": world[0].index, "s": world[0].index, "m": _MOVES}
        found.append(Trace(*(_numbers(value, key, table, where) for key, table in tables.items())))
        if "input" in value:
            if not isinstance(value["input"], list) or not is_names(value["input"]):
                raise FileFormatError(f"{where}: 'input' is not a list of strings", do='Such as ["1", "10"].')
            inputs.append(tuple(value["input"]))
    if header is None or world is None:
        raise FileFormatError("the file is empty", do="dfst data TASK --out FILE writes traces.")
    if any(len(set(map(len, trace))) > 1 for trace in found):
        raise FileFormatError("a trace has x, s and m of different lengths")
    alphabet, task, layout = world
    return Traces.of(alphabet, found, inputs, task, layout), header.get("sha256")


_MOVES = {name: i for i, name in enumerate(MOVE_NAMES)}
_TRACE = "A trace has x, s and m, in symbols of the header and moves U D L R S."
_DAMAGED = "It may be damaged or cut short; record it again with dfst data."


def _numbers(trace: dict[str, Any], key: str, table: Mapping[str, int], where: str) -> np.ndarray:
    names = trace.get(key)
    if not isinstance(names, str | list):
        what = "is missing" if names is None else "is neither a text nor a list"
        raise FileFormatError(f"{where}: {key!r} {what}", do=_TRACE)
    try:
        return np.array([table[name] for name in names], np.uint8)
    except (KeyError, TypeError):  # TypeError: a list or an object as a name
        unknown = next(name for name in names if not isinstance(name, str) or name not in table)
        raise FileFormatError(f"{where}: {unknown!r} in {key!r} is not known", do=_TRACE) from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Reading and writing parquet", "data") from None
    return pyarrow


def _to_parquet(traces: Traces) -> bytes:
    """Columns input, x, s, m; x and s as symbols, m as letters, so that the table needs no key to be read."""
    pa = _pyarrow()
    if len(traces.seen) > MAX_VALUES:
        what = f"{len(traces.seen)} steps are more than a parquet file may hold"
        raise InputError(what, do="Save fewer traces, or use .jsonl.")
    symbols, moves = np.array(traces.alphabet.symbols), np.array(list(MOVE_NAMES))
    columns = {"x": symbols[traces.seen], "s": symbols[traces.written], "m": moves[traces.moves]}
    offsets, problems = pa.array(traces.offsets, pa.int32()), traces.problems or [()] * len(traces)
    table = {"input": pa.array([list(problem) for problem in problems], pa.list_(pa.string()))}
    for name, values in columns.items():
        table[name] = pa.ListArray.from_arrays(offsets, pa.array(values, pa.string()))
    whole, sink = pa.table(table, metadata={"dfst": json.dumps(_header(traces))}), pa.BufferOutputStream()
    pa.parquet.write_table(whole, sink, compression="zstd", write_page_checksum=True)
    return sink.getvalue().to_pybytes()


def _from_parquet(content: bytes) -> tuple[Traces, str | None]:
    pa = _pyarrow()
    try:
        metadata = pa.parquet.read_metadata(pa.BufferReader(content))
        _check_size(metadata)
        paths = [metadata.schema.column(i).path for i in range(metadata.num_columns)]
        # no threads: after an error in one column, those of the others would go on with what is gone, and crash Python
        options: dict[str, Any] = {"use_threads": False, "page_checksum_verification": True}
        options["columns"] = [name for name in _COLUMNS if any(path.split(".")[0] == name for path in paths)]
        options["read_dictionary"] = paths  # so that a text takes its memory once, however often it occurs
        table = pa.parquet.read_table(pa.BufferReader(content), **options)
        header = json.loads((table.schema.metadata or {}).get(b"dfst", b"null"))
    except (pa.ArrowException, OSError, ValueError, RecursionError):
        raise FileFormatError("this is not a readable parquet file", do=_DAMAGED) from None
    alphabet, task, layout = _world(header)
    numbers, offsets = {}, {}
    for name, table_of in (("x", alphabet.index), ("s", alphabet.index), ("m", _MOVES)):
        names, codes, offsets[name] = _column(table, name)
        known = np.array([table_of.get(text, _UNKNOWN) for text in names], np.uint8)
        numbers[name] = known[codes]
        if (numbers[name] == _UNKNOWN).any():
            raise FileFormatError(f"column {name} holds a symbol or move that the header does not know")
    if any(not np.array_equal(offsets["x"], offsets[name]) for name in "sm"):
        raise FileFormatError("a trace has x, s and m of different lengths")
    inputs: list[tuple[str, ...]] = []
    if "input" in table.column_names:
        names, codes, ends = _column(table, "input")
        inputs = [tuple(names[code] for code in codes[i:j]) for i, j in itertools.pairwise(ends)]
    problems = tuple(inputs) if any(inputs) else ()
    arrays = (numbers["x"], numbers["s"], numbers["m"], offsets["x"])
    return Traces(alphabet, *arrays, problems, task, layout), header.get("sha256")


_UNKNOWN = 255
_COLUMNS = ("x", "s", "m", "input")


def _check_size(metadata: Any) -> None:
    """Refuse a file that would take much more memory than it takes place on the disk, as it says itself."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(metadata.num_columns)]
    values: dict[str, int] = {}
    for chunk in chunks:
        values[chunk.path_in_schema] = values.get(chunk.path_in_schema, 0) + chunk.num_values
    do = "Save fewer traces in a file, or use .jsonl."
    if (most := max(metadata.num_rows, *values.values(), 0)) > MAX_VALUES:
        raise FileFormatError(f"it holds {most:,} values in a column; {MAX_VALUES:,} are read at most", do=do)
    if (size := sum(chunk.total_uncompressed_size for chunk in chunks)) > MAX_COLUMN_BYTES:
        limit = f"{MAX_COLUMN_BYTES // 2**20:,} MiB are read at most"
        raise FileFormatError(f"without compression it is {size // 2**20:,} MiB; {limit}", do=do)


def _column(table: Any, name: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """(the texts in it, which of them each value is, where each row begins and the last one ends)."""
    pa = _pyarrow()
    if name not in table.column_names:
        raise FileFormatError("the table lacks the columns x, s and m")
    rows = table[name].combine_chunks()
    values = rows.flatten() if pa.types.is_list(rows.type) and not rows.null_count else None
    kind = values.type.value_type if values is not None and pa.types.is_dictionary(values.type) else None
    if values is None or kind is None or not pa.types.is_string(kind) or values.null_count:
        raise FileFormatError(f"column {name} is not a list of strings in every row")
    ends = np.cumsum([0, *np.diff(rows.offsets.to_numpy())])
    return values.dictionary.to_pylist(), values.indices.to_numpy(), ends.astype(np.int64)
