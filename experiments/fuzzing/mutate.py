"""Real files changed at random: bytes, words, numbers, whole values of JSON; checksums are made to fit again."""

import hashlib
import json
import random
import re
from typing import Any

NUMBERS = [b"0", b"-1", b"1", b"255", b"256", b"-2147483649", b"4294967296", b"9223372036854775808", b"1e999", b"-0.0"]
NUMBERS += [b"nan", b"inf", b"1_0", b"0x10", b"9" * 40, b"9" * 5000, "٣".encode(), b"1e-400", b"2.5"]
ODD = [
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    "é".encode(),
    "\u202e".encode(),
    b'"',
    b"'",
    b'"""',
    b"[",
    b"]]",
    b"{",
    b"}",
]
ODD += [
    b"[" * 2000,
    b'{"a":' * 500,
    b"..",
    b"*",
    b"=",
    b"->",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"#",
    b"---\n",
    b",",
    b"\t",
]
ODD += [b"../x", b"/etc/passwd", b"__import__('os')", b"!!python/object", b"\x80\x04.", b"${HOME}", b"%s%n", b"halt"]
ODD += [b" " * 3000, b"a" * 3000, b'"' * 900, b'\\"""' * 900, b"\n" * 900]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**31,
    2**63,
    10**30,
    0.5,
    "",
    "x",
    "\0",
    "../x",
    [],
    {},
    [[]],
    [None],
    "é" * 9,
]


def mutated(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """``content`` with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        content = rng.choice(_CHANGES)(content, others, rng)
    return content[:65536]


def _flip(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _byte(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + rng.randrange(2) :]


def _cut(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    i, j = sorted(rng.randrange(len(content) + 1) for _ in "12")
    return content[:i] + content[min(j, i + rng.choice((1, 4, 40, 4000))) :]


def _end(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _insert(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice((NUMBERS, ODD, ODD))[rng.randrange(len(NUMBERS))] + content[at:]


def _again(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    i, j = sorted(rng.randrange(len(content) + 1) for _ in "12")
    return content[:j] + content[i : min(j, i + 200)] * rng.choice((1, 1, 2, 50)) + content[j:]


def _splice(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other) + 1) :]


def _number(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    found = [match.span() for match in re.finditer(rb"-?\d+", content[:20000])]
    if not found:
        return _insert(content, others, rng)
    start, end = rng.choice(found)
    return content[:start] + rng.choice(NUMBERS) + content[end:]


def _line(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    if rng.random() < 0.5:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines.insert(i, lines[j])
    return b"\n".join(lines)


def _json(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """A value somewhere in JSON replaced: the whole content, one of its lines, or the header of safetensors."""
    try:
        if content[8:9] == b"{":
            return _safetensors(content, rng)
        if content[:1] == b"{" and b"\n" in content and content.count(b"\n{") > 0:
            lines = content.split(b"\n")
            i = rng.randrange(len(lines))
            lines[i] = _dump(_edited(json.loads(lines[i]), rng))
            return b"\n".join(lines)
        return _with_digest(_edited(json.loads(content), rng))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return _byte(content, others, rng)


def _edited(value: Any, rng: random.Random) -> Any:
    """``value`` with one of its parts replaced, removed, renamed or doubled."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        key = rng.choice([*value]) if isinstance(value, dict) else rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.7:
            value[key] = _edited(value[key], rng)
        elif kind < 0.8 and isinstance(value, dict):
            value[rng.choice(("x", "", f"{key}s"))] = value.pop(key)
        elif kind < 0.9 or isinstance(value, dict):
            del value[key]
        else:
            value.insert(key, value[rng.randrange(len(value))])
        return value
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, -2, 2, 10))
    return rng.choice(VALUES)


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


def _with_digest(value: Any) -> bytes:
    if isinstance(value, dict) and "digest" in value:
        rest = {key: item for key, item in value.items() if key != "digest"}
        value["digest"] = hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return _dump(value)


def _safetensors(content: bytes, rng: random.Random) -> bytes:
    """The header edited, or the part of it that is ours, with the length (and mostly the checksum) made to fit."""
    length = int.from_bytes(content[:8], "little")
    header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
    if rng.random() < 0.3:
        header = _edited(header, rng)
    else:
        ours = json.loads(header["__metadata__"]["dfst"])
        ours.pop("sha256", None)
        ours = _edited(ours, rng)
        if isinstance(ours, dict) and rng.random() < 0.9:
            ours["sha256"] = _checksum(header, ours, body)
        header["__metadata__"]["dfst"] = json.dumps(ours, ensure_ascii=False)
    written = _dump(header)
    return len(written).to_bytes(8, "little") + written + body


def _checksum(header: dict[str, Any], ours: dict[str, Any], body: bytes) -> str:
    digest = hashlib.sha256(json.dumps(ours, sort_keys=True).encode())
    for name in sorted(header.keys() - {"__metadata__"}):
        start, end = header[name]["data_offsets"]
        digest.update(f"{name} <f4 {tuple(header[name]['shape'])}".encode())
        digest.update(body[start:end])
    return digest.hexdigest()


_CHANGES = [_flip, _byte, _cut, _end, _insert, _insert, _again, _splice, _number, _number, _line, _json, _json, _json]
