"""The rules of a machine file, one line each: ``state sees -> writes move next``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from dfst.errors import InputError, quoted
from dfst.world.alphabet import Alphabet
from dfst.world.machine import Rule
from dfst.world.moves import MOVE_NAMES, Move


class _Token(NamedTuple):
    text: str
    quoted: bool


_KEEP = _Token("=", False)
_LONG, _MOST_NAMES = 40, 10_000  # a name to guess what was meant by; names in one line
_RULE = "A rule reads: state sees -> writes move next."
_ONE_OR_EACH = "Give one for all, or one for each."
_TOKEN = re.compile(r'\s*(?:(?P<comment>#.*)|(?P<quoted>"(?:[^"\\]++|\\.){0,1000}")|(?P<comma>,)|(?P<bare>[^\s,"]+))')


def rules_of(line: str, alphabet: Alphabet | None) -> Iterator[Rule]:
    """The rules that ``line`` stands for; without an alphabet none, but an error for what is wrong anyway.

    Whoever reads the file knows the line's number, and adds it to the :class:`dfst.errors.InputError`.
    """
    fields = _fields(line)
    arrow = [i for i, field in enumerate(fields) if field == [_Token("->", False)]]
    if arrow != [2] or len(fields) != 6:
        raise InputError("this is not a rule", do=_RULE)
    states, sees, _, writes, moves, goes = fields
    states, moves = [_state_name(token) for token in states], [_move(token) for token in moves]
    least = max(len(sees), len(writes))  # a token stands for one symbol or more
    for count, what in ((len(moves), "moves"), (len(goes), "next states")):
        if 1 < count < least:
            raise InputError(f"{count} {what} for at least {least} symbols", do=_ONE_OR_EACH)
    if len(moves) != len(goes) and min(len(moves), len(goes)) > 1:
        raise InputError(f"{len(moves)} moves, but {len(goes)} next states", do=_ONE_OR_EACH)
    if alphabet is None:
        return
    seen = [symbol for token in sees for symbol in _symbols(token, alphabet, "sees")]
    if len(set(seen)) < len(seen):
        twice = next(symbol for symbol in seen if seen.count(symbol) > 1)
        raise InputError(f"{twice!r} is listed twice in what is seen", do="List each symbol once.")
    written = seen
    if writes != [_KEEP]:
        named = [symbol for token in writes for symbol in _symbols(token, alphabet, "writes")]
        written = _stretched(named, len(seen), "writes")
    moves, goes = _stretched(moves, len(seen), "moves"), _stretched(goes, len(seen), "next states")
    for state in states:
        for x, w, move, token in zip(seen, written, moves, goes, strict=True):
            yield Rule(state, x, w, move, state if token == _KEEP else _state_name(token, x))


def _fields(line: str) -> list[list[_Token]]:
    """The line's fields, each a list of tokens that were joined by commas; comments dropped."""
    fields: list[list[_Token]] = []
    at, joining, count, line = 0, False, 0, line.rstrip()
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise InputError("a quote is not closed", do='Names in quotes end with ".')
        at = match.end()
        if match["comment"]:
            break
        if match["comma"]:
            if joining or not fields:
                raise InputError("a comma has nothing before it", do=_RULE)
            joining = True
            continue
        try:
            token = _Token(json.loads(match["quoted"]), True) if match["quoted"] else _Token(match["bare"], False)
        except ValueError:
            raise InputError(f"{match['quoted']} is not a valid quoted name", do="Quote as in JSON.") from None
        if (count := count + 1) > _MOST_NAMES:
            raise InputError(f"there are more than {_MOST_NAMES} names in one line", do="Write several rules.")
        if not joining:
            fields.append([])
        fields[-1].append(token)
        joining = False
    if joining:
        raise InputError("a comma has nothing after it", do=_RULE)
    return fields


def _symbols(token: _Token, alphabet: Alphabet, what: str) -> Sequence[str]:
    """The symbols that a token stands for: one, a class, or a range."""
    if token.text in alphabet.index:
        return (token.text,)
    if not token.quoted and token.text in alphabet.classes:
        return alphabet.classes[token.text]
    first, dots, last = token.text.partition("..")
    if not token.quoted and dots and first in alphabet.index and last in alphabet.index:
        low, high = alphabet.index[first], alphabet.index[last]
        if low <= high:
            return alphabet.symbols[low : high + 1]
        raise InputError(f"range {token.text} runs backwards", do="Give the lower symbol first.")
    known = [*alphabet.symbols, *alphabet.classes]
    close = [] if len(token.text) > _LONG else get_close_matches(token.text, [k for k in known if len(k) <= _LONG], 1)
    do = f"Did you mean {close[0]!r}?" if close else f"Known are {' '.join(known[:40])}."
    raise InputError(f"{what} {quoted(token.text)}, which is neither a symbol nor a class nor a range", do=do)


def _stretched(items: list[Any], count: int, what: str) -> list[Any]:
    if len(items) == 1:
        return items * count
    if len(items) != count:
        raise InputError(f"{len(items)} {what} for {count} symbols seen", do=_ONE_OR_EACH)
    return items


def _move(token: _Token) -> Move:
    if len(token.text) != 1 or token.text not in MOVE_NAMES:
        raise InputError(f"{token.text!r} is not a move", do="Moves are U, D, L, R, and S to halt.")
    return Move[token.text]


def _state_name(token: _Token, seen: str = "") -> str:
    name = token.text
    if not token.quoted and "*" in name:
        if not seen:
            raise InputError(f"{name!r} is not a state name", do="Only a next state can have * (the symbol seen).")
        name = name.replace("*", seen)
    if name == "=" and not token.quoted:
        raise InputError("'=' is not a state name", do="Write the state's name; = is for what is written or goes on.")
    return name


def dump_state(rules: list[Rule], alphabet: Alphabet) -> Iterator[str]:
    """The rules of one state, as few lines as ranges and classes allow, in the order of the first symbol seen."""
    groups: dict[tuple[str, Move, bool], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.next, rule.move, rule.written == rule.seen), []).append(rule)
    for (following, move, keeps), group in groups.items():
        seen, written = [r.seen for r in group], [r.written for r in group]
        writes = "=" if keeps else _dump_symbols(written[:1] if len(set(written)) == 1 else written, alphabet)
        goes = "=" if following == group[0].state else _quote(following, special="*")
        state = _quote(group[0].state, special="*")
        yield f"{state} {_dump_symbols(seen, alphabet)} -> {writes} {move.name} {goes}"


def _dump_symbols(symbols: list[str], alphabet: Alphabet) -> str:
    for name, members in alphabet.classes.items():
        if tuple(symbols) == members and len(members) > 1 and not _needs_quotes(name):
            return name
    parts, i = [], 0
    while i < len(symbols):
        j = i
        while j + 1 < len(symbols) and alphabet.index[symbols[j + 1]] == alphabet.index[symbols[j]] + 1:
            j += 1
        plain = not any("." in symbols[k] or _needs_quotes(symbols[k]) for k in (i, j))
        if j - i >= 2 and plain and f"{symbols[i]}..{symbols[j]}" not in alphabet.classes:
            parts.append(f"{symbols[i]}..{symbols[j]}")
            i = j + 1
        else:
            parts.append(_quote(symbols[i]))
            i += 1
    return ",".join(parts)


def _quote(name: str, special: str = "") -> str:
    needed = _needs_quotes(name) or any(c in name for c in special)
    return json.dumps(name, ensure_ascii=False) if needed else name


def _needs_quotes(name: str) -> bool:
    return bool(re.search(r'[\s,"]', name)) or name.startswith("#") or name in ("=", "->") or not name
