"""Real files changed at random: bytes, words, numbers, whole values of JSON; checksums are made to fit again."""

import hashlib
import json
import re

NUMBERS = [b"0", b"-1", b"1", b"255", b"256", b"-2147483649", b"4294967296", b"9223372036854775808", b"1e999", b"-0.0"]
NUMBERS += [b"nan", b"inf", b"1_0", b"0x10", b"9" * 40, b"9" * 5000, "٣".encode(), b"1e-400", b"2.5"]
ODD = b'\0|\xff|\xef\xbb\xbf|\r|"|\'|"""|[|]]|{|}|..|*|=|->|\\|\\u0000|\\ud800|#|---\n|,|\t|../x|halt'.split(b"|")
ODD += b"/etc/passwd|__import__('os')|!!python/object|\x80\x04.|${HOME}|%s%n|\xc3\xa9|\xe2\x80\xae".split(b"|")
ODD += [b" " * 3000, b"a" * 3000, b'"' * 900, b'\\"""' * 900, b"\n" * 900, b"[" * 2000, b'{"a":' * 500]
VALUES = [None, True, False, 0, -1, 2**31, 2**63, 10**30, 0.5, "", "x", "\0", "../x", [], {}, [[]], [None], "é" * 9]
KINDS = ("flip", "byte", "cut", "end", "insert", "insert", "again", "splice", "number", "number", "line", *["json"] * 3)


def mutated(content, others, rng):
    """``content`` with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        content = changed(rng.choice(KINDS), content, others, rng)
    return content[:65536]


def changed(kind, content, others, rng):
    """``content`` with one change."""
    i, j = sorted(rng.randrange(len(content) + 1) for _ in "12")
    if kind == "flip" and content:
        i = min(i, len(content) - 1)
        return content[:i] + bytes([content[i] ^ 1 << rng.randrange(8)]) + content[i + 1 :]
    if kind == "cut":
        return content[:i] + content[min(j, i + rng.choice((1, 4, 40, 4000))) :]
    if kind == "end":
        return content[:i]
    if kind == "again":
        return content[:j] + content[i : min(j, i + 200)] * rng.choice((1, 1, 2, 50)) + content[j:]
    if kind == "splice":
        other = rng.choice(others)
        return content[:i] + other[rng.randrange(len(other) + 1) :]
    if kind == "number" and (found := [match.span() for match in re.finditer(rb"-?\d+", content[:20000])]):
        start, end = rng.choice(found)
        return content[:start] + rng.choice(NUMBERS) + content[end:]
    if kind == "line":
        lines = content.split(b"\n")
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        return b"\n".join(lines)
    if kind == "json":
        try:
            return edited_json(content, rng)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            kind = "byte"
    if kind == "byte":
        return content[:i] + bytes([rng.randrange(256)]) + content[i + rng.randrange(2) :]
    return content[:i] + rng.choice(rng.choice((NUMBERS, ODD, ODD))) + content[i:]


def edited_json(content, rng):
    """A value somewhere in JSON replaced: the whole content, one of its lines, or the header of safetensors."""
    if content[8:9] == b"{":
        return edited_safetensors(content, rng)
    if content[:1] == b"{" and b"\n{" in content:
        lines = content.split(b"\n")
        i = rng.randrange(len(lines))
        lines[i] = dumped(edited(json.loads(lines[i]), rng))
        return b"\n".join(lines)
    value = edited(json.loads(content), rng)
    if isinstance(value, dict) and "digest" in value:
        rest = {key: item for key, item in value.items() if key != "digest"}
        value["digest"] = hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return dumped(value)


def edited(value, rng):
    """``value`` with one of its parts replaced, removed, renamed or doubled."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        key = rng.choice([*value]) if isinstance(value, dict) else rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.7:
            value[key] = edited(value[key], rng)
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


def dumped(value):
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


def edited_safetensors(content, rng):
    """The header edited, or the part of it that is ours, with the length (and mostly the checksum) made to fit."""
    length = int.from_bytes(content[:8], "little")
    header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
    if rng.random() < 0.3:
        header = edited(header, rng)
    else:
        ours = json.loads(header["__metadata__"]["dfst"])
        ours.pop("sha256", None)
        ours = edited(ours, rng)
        if isinstance(ours, dict) and rng.random() < 0.9:
            ours["sha256"] = checksum(header, ours, body)
        header["__metadata__"]["dfst"] = json.dumps(ours, ensure_ascii=False)
    written = dumped(header)
    return len(written).to_bytes(8, "little") + written + body


def checksum(header, ours, body):
    digest = hashlib.sha256(json.dumps(ours, sort_keys=True).encode())
    for name in sorted(header.keys() - {"__metadata__"}):
        start, end = header[name]["data_offsets"]
        digest.update(f"{name} <f4 {tuple(header[name]['shape'])}".encode())
        digest.update(body[start:end])
    return digest.hexdigest()
