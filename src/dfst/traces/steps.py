"""Traces as people write them in Python: three texts, or a list of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dfst.errors import InputError, shortened
from dfst.world.alphabet import Alphabet
from dfst.world.moves import MOVE_NAMES, Move

Columns = tuple[list[Any], list[Any], list[Any]]

_HOW = 'Give three texts, such as ("1_", "0_", "RS"), or a list of steps, such as [("1", "0", "R"), ("_", "_", "S")].'


def columns_of(given: Any, alphabet: Alphabet, number: int) -> list[np.ndarray]:
    """Seen, written and moves of one trace as numbers; ``number`` is its place, for sentences.

    >>> binary = Alphabet(("0", "1", "_"), "_")
    >>> [column.tolist() for column in columns_of(("1_", "0_", "RS"), binary, 0)]
    [[1, 2], [0, 2], [3, 4]]
    >>> [column.tolist() for column in columns_of([("1", "0", "R"), (2, 2, 4)], binary, 0)]
    [[1, 2], [0, 2], [3, 4]]
    """
    where = f"trace {number}"
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError(f"it is {shortened(repr(given))}", where=where, do=_HOW)
    seen, written, moves = _texts(given, alphabet) if _is_texts(given) else _steps(given, where)
    if not len(seen) == len(written) == len(moves):
        what = f"it sees {len(seen)} symbols, writes {len(written)} and makes {len(moves)} moves"
        raise InputError(what, where=where, do="Give as many of each; what is not changed is written again.")
    if not len(seen):
        raise InputError("it is empty", where=where, do="A trace has at least the step that halts, with the move S.")
    symbols = dict(alphabet.index) | {i: i for i in range(len(alphabet))}
    names = {name: i for i, name in enumerate(MOVE_NAMES)} | {i: i for i in range(len(Move))}
    kinds = (("symbol", symbols, alphabet.symbols), ("symbol", symbols, alphabet.symbols), ("move", names, MOVE_NAMES))
    return [_numbers(column, *kind, where) for column, kind in zip((seen, written, moves), kinds, strict=True)]


def _is_texts(given: Sequence[Any]) -> bool:
    """Whether a trace is given as three columns, the moves as one text."""
    return len(given) == 3 and isinstance(given[2], str)


def _texts(given: Sequence[Any], alphabet: Alphabet) -> Columns:
    seen, written = (
        (list(text) if alphabet.single_characters else text.split()) if isinstance(text, str) else list(text)
        for text in given[:2]
    )
    return seen, written, list(given[2])


def _steps(given: Sequence[Any], where: str) -> Columns:
    for t, step in enumerate(given):
        if isinstance(step, str) or not isinstance(step, Sequence) or len(step) != 3:
            what = f"step {t} is {shortened(repr(step))}, not (seen, written, move)"
            raise InputError(what, where=where, do=_HOW)
    seen, written, moves = ([step[i] for step in given] for i in range(3))
    return seen, written, moves


def _numbers(column: list[Any], kind: str, known: dict[Any, int], names: Sequence[str], where: str) -> np.ndarray:
    try:
        return np.array([known[each] for each in column], np.uint8)
    except (KeyError, TypeError):  # TypeError: a list as a symbol
        at = next(t for t, each in enumerate(column) if not isinstance(each, (str, int)) or each not in known)
        what = f"{column[at]!r} in step {at} is not a {kind} here"
        raise InputError(what, where=where, do=f"The {kind}s are {' '.join(names)}.") from None
