"""Records from files: the keys and kinds of a table are held against the record it becomes."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from dfst.errors import DfstError, FileFormatError, InputError, shown
from dfst.files import read_text

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    dict: "a table",
    list: "a list",
}


def read_record(kind: type[T], values: Any, *, where: str, do: str, **defaults: Any) -> T:
    """The record (a dataclass or a named tuple) of ``kind`` with these values, named and of the kinds of its fields.

    None may be missing but those with ``defaults``; null is a number that JSON cannot write (:func:`json_text`), so it
    is read as NaN. ``do`` says what to do about a file that is wrong.
    """
    if not isinstance(values, dict):
        raise FileFormatError("a table is missing, or is none", where=where, do=do)
    values, hints = defaults | values, get_type_hints(kind)
    check_keys(values, hints, where=where, do=do)
    if missing := [name for name in hints if name not in values]:
        raise FileFormatError(f"{missing[0]!r} is missing", where=where, do=do)
    made = {}
    for name, hint in hints.items():
        if is_dataclass(hint) and isinstance(hint, type):
            made[name] = read_record(hint, values[name], where=f"{where}, [{name}]", do=do)
        elif hint is float and values[name] is None:
            made[name] = math.nan
        else:
            made[name] = of_kind(name, values[name], hint, where=where)
    try:
        return kind(**made)
    except DfstError as error:
        what = ": ".join(filter(None, (error.where, error.what)))
        raise FileFormatError(what, where=where, do=error.do or do) from None


def check_keys(
    values: Iterable[str],
    known: Iterable[str],
    *,
    where: str,
    what: str = "a key",
    do: str = "",
    error: type[DfstError] = FileFormatError,
) -> None:
    """Refuse a key that nobody knows; ``what`` says what it would have to be.

    >>> check_keys({"sed": 1}, ("seed", "task"), where="x.toml")
    Traceback (most recent call last):
    dfst.errors.FileFormatError: x.toml: 'sed' is not a key. Did you mean seed?
    """
    known = tuple(known)
    for name in values:
        if name not in known:
            close = get_close_matches(str(name).replace("-", "_"), known, 1)
            advice = f"Did you mean {close[0]}?" if close else do or f"It may have {', '.join(known)}."
            raise error(f"{name!r} is not {what}", where=where, do=advice)


def of_kind(name: str, value: Any, kind: Any, *, where: str, error: type[DfstError] = FileFormatError) -> Any:
    """``value`` as a value of ``kind``, an annotation; whole numbers do for fractions, NumPy's for Python's."""
    value = value.item() if getattr(value, "shape", None) == () else value
    if not fits(value, kind):
        said = shown(value)
        if get_origin(kind) is Literal:
            raise error(f"there is no {name} {said}", where=where, do=f"Write one of {', '.join(get_args(kind))}.")
        if kind in (int, int | None, float, float | None) and type(value) is int:
            raise error(f"{name} = {said} cannot be used", where=where, do="Write a smaller number.")
        plain = get_args(kind)[0] if isinstance(kind, types.UnionType) else kind
        word = _WORDS.get(plain, "a list, as dfst does")
        raise error(f"{name} = {said} has the wrong kind of value", where=where, do=f"Write {word}.")
    return float(value) if kind is float else tuple(value) if get_origin(kind) is tuple else value


_PLAIN = {"bool": bool, "int": int, "float": float, "int | None": int | None, "float | None": float | None}


def checked(function: F) -> F:
    """``function``, which people call: numbers and truth values that are none are refused before it begins.

    Its annotations say which parameters those are; a scalar of NumPy's is handed on as Python's.

    >>> @checked
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double(number="3")
    Traceback (most recent call last):
    dfst.errors.InputError: number = '3' has the wrong kind of value. Write a whole number.
    """
    form = signature(function)
    kinds = {name: _PLAIN[each.annotation] for name, each in form.parameters.items() if each.annotation in _PLAIN}

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        given = form.bind(*args, **options)
        for name in kinds.keys() & given.arguments.keys():
            given.arguments[name] = of_kind(name, given.arguments[name], kinds[name], where="", error=InputError)
        return function(*given.args, **given.kwargs)

    return call  # pyright: ignore[reportReturnType]


def fits(value: Any, kind: Any) -> bool:
    """Whether ``value``, from a JSON or TOML file, is of ``kind``; numbers are those that 64 bits hold.

    >>> fits(1, float), fits(True, int), fits(["a"], tuple[str, ...]), fits(5, list[str]), fits(None, str | None)
    (True, False, True, False, True)
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin in (list, tuple):
        if not isinstance(value, list):
            return False
        several = inner if origin is tuple and inner[-1] is not ... else inner[:1] * len(value)
        return len(several) == len(value) and all(map(fits, value, several))
    if kind is float:
        return type(value) is float or (type(value) is int and abs(value) < 2**1000)
    if kind is int:
        return type(value) is int and -(2**63) <= value < 2**63
    return value is None if kind is types.NoneType else isinstance(value, kind)


def json_text(value: Any, **how: Any) -> str:
    """``value`` as JSON; numbers that JSON does not have, infinite ones and NaN, are null. ``how`` is for json.dumps.

    >>> json_text({"loss": float("inf"), "norms": (1.0, float("nan"))})
    '{"loss": null, "norms": [1.0, null]}'
    """
    return json.dumps(_finite(value), allow_nan=False, **how)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_json(path: Path, *, do: str, what: str = "it is damaged") -> Any:
    """The value of a JSON file that dfst has written; ``what`` is wrong with one that is not JSON."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise FileFormatError(what, where=str(path), do=do) from None
