"""How much a parquet file unpacks to, counted before pyarrow does it: a kilobyte can hold a thousand million steps.

The file's index says so, too, but pyarrow believes the pages (a page is a header and packed values) and not the index,
so whoever makes a file to fill the memory would have the index lie. Both are in Thrift's compact protocol, and read
here, because pyarrow ends the whole process when it is asked about some damaged columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

MAX_VALUES = 5 * 10**7
"""In one column; reading so many steps takes about two gigabytes."""

MAX_UNPACKED_BYTES = 2**30
"""What the pages of a file may unpack to; a step is still a few bits then, so this is plenty."""

_MAX_INDEX_BYTES = 2**20
_END = 8  # bytes at the file's end: the length of the index, and PAR1
_ROW_GROUPS, _COLUMNS, _ROWS, _CHUNK = 4, 1, 3, 3  # fields of the index, two of a group of rows, of a column in it
_PATH, _CHUNK_BYTES, _FIRST_PAGE, _FIRST_DICTIONARY = 3, 7, 9, 11  # fields of a chunk
_UNPACKED, _PACKED, _KINDS = 2, 3, (5, 7, 8)  # fields of a page's header; the last say more, first the number of values
_MAX_DEPTH = 8


def is_too_large(content: bytes, columns: Iterable[str]) -> bool:
    """Whether unpacking ``columns`` would fill the memory; a ValueError says that this is no parquet file."""
    length = int.from_bytes(content[-_END:-4], "little")
    if length > min(_MAX_INDEX_BYTES, len(content) - _END):
        raise ValueError("its index is too long")
    index, _ = _struct(content, len(content) - _END - length)
    unpacked, values = 0, {str([name.encode()]): 0 for name in columns}
    for group in _get(list, index, _ROW_GROUPS):
        for column in _get(list, group, _COLUMNS) if _size(group, _ROWS) else ():  # without rows no page is read
            chunk = _get(dict, column, _CHUNK)
            name = str(_get(list, chunk, _PATH)[:1])
            if name not in values:
                continue
            at, first = _size(chunk, _FIRST_PAGE), _get(int, {_FIRST_DICTIONARY: 0} | chunk, _FIRST_DICTIONARY)
            at = first if 0 < first < at else at
            end = at + _size(chunk, _CHUNK_BYTES)
            while at < end:
                header, at = _struct(content, at)
                at += _size(header, _PACKED)
                unpacked += _size(header, _UNPACKED)
                values[name] += sum(_size(header[kind], 1) for kind in _KINDS if kind in header)
                if values[name] > MAX_VALUES or unpacked > MAX_UNPACKED_BYTES:
                    return True
    return False


def _size(fields: Any, number: int) -> int:
    size = _get(int, fields, number)
    if size < 0:
        raise ValueError("a size is negative")
    return size


def _get(kind: type, fields: Any, number: int) -> Any:
    """That field of a struct, if it is one and the field is of that kind."""
    found = fields.get(number) if isinstance(fields, dict) else None
    if not isinstance(found, kind):
        raise ValueError("a field is missing")
    return found


def _struct(content: bytes, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """(the fields by their numbers, where it ends)."""
    fields: dict[int, Any] = {}
    number = 0
    while True:
        first, at = _byte(content, at)
        if not first:
            return fields, at
        if first >> 4:
            number += first >> 4
        else:
            number, at = _integer(content, at)
        if first & 15 in (1, 2):  # true and false, which need no room
            fields[number] = None
        else:
            fields[number], at = _value(content, at, first & 15, depth)


def _value(content: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """(the value, where it ends); None for what does not matter here."""
    if kind in (4, 5, 6):
        return _integer(content, at)
    if kind == 8:
        length, at = _varint(content, at)
        return content[at : at + length], at + length
    if kind == 9 and depth < _MAX_DEPTH:
        first, at = _byte(content, at)
        count, items = first >> 4, []
        if count == 15:
            count, at = _varint(content, at)
        for _ in range(count):
            item, at = _value(content, at, first & 15, depth + 1)
            items.append(item)
        return items, at
    if kind == 12 and depth < _MAX_DEPTH:
        return _struct(content, at, depth + 1)
    if kind in (1, 2, 3, 7):  # a truth in a list, a byte, a fraction
        return None, _byte(content, at + 7 * (kind == 7))[1]
    raise ValueError("there is something else")


def _integer(content: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(content, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte, at = _byte(content, at)
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise ValueError("a number is too long")


def _byte(content: bytes, at: int) -> tuple[int, int]:
    if at >= len(content):
        raise ValueError("it is cut short")
    return content[at], at + 1
