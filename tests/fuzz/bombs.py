"""Small files made to take long or to fill the memory: python -m tests.fuzz.bombs prints seconds and memory of each."""

# ruff: noqa: E501 - the table of bombs reads best with one in a line
import json
import resource
import tempfile
import time
import tracemalloc
from pathlib import Path

from dfst.files import MAX_TOML_BYTES
from tests.fuzz.targets import KEPT, REFUSALS, TARGETS

SIZE = 200_000
HEADER_SIZE = MAX_TOML_BYTES - 300
"""Of what is TOML: a longer one is refused unread, as one bomb shows."""
CASES = Path(__file__).parent.parent / "fuzz_cases"
HEAD = """format = 1
name = "n"
symbols = [{symbols}]
blank = "_"
start = "a"
[classes]
digit = ["0", "1"]
[input]
cells = ["digit+"]
[answer]
cells = "digit"
---
"""


def machine(rules: str, symbols: str = '"0", "1", "_"') -> bytes:
    """A machine file with these rules."""
    return (HEAD.format(symbols=symbols) + rules).encode()


def _many() -> str:
    return ", ".join(f'"s{i}"' for i in range(247)) + ', "0", "1", "_"'


def _header(text: str) -> bytes:
    return (HEAD.format(symbols='"0", "1", "_"').replace("---\n", "") + text).encode()


def safetensors(header: str, body: bytes = b"") -> bytes:
    """A safetensors file with that header."""
    return len(header.encode()).to_bytes(8, "little") + header.encode() + body


def certificate(**changes) -> bytes:
    """The kept certificate with other parts."""
    return json.dumps(json.loads((KEPT / "run" / "certificate.json").read_text()) | changes).encode()


BOMBS: dict[str, tuple[str, bytes]] = {
    "states times symbols in one line": ("machine", machine(f"{','.join(f'q{i}' for i in range(30_000))} s0..s246 -> = R a\n", _many())),
    "many lines of many rules": ("machine", machine("".join(f"q{i} s0..s246 -> = R a\n" for i in range(8000)), _many())),
    "as many rules as may be": (
        "machine", machine("".join(f"q{i} s0..s246 -> = R q{i}\n" for i in range(403)) + "a 0 -> = S halt\n", _many())
    ),
    "short lines": ("machine", machine("xy\n" * (SIZE // 3))),
    "a header longer than may be": ("machine", _header("x = 1\n" * (SIZE // 6))),
    "escaped long quotes": ("machine", _header('\\"""' * (HEADER_SIZE // 4))),
    "long quotes that never end": ("machine", _header('"""' + "\\'''" * (HEADER_SIZE // 4))),
    "a table name of spaces": ("machine", _header("[a" + " " * HEADER_SIZE)),
    "a dotted key": ("machine", _header("a." * (HEADER_SIZE // 2))),
    "a key of a million parts": ("machine", _header("a." * (HEADER_SIZE // 2) + "a = 1\n")),
    "inline tables": ("machine", _header("x = " + "{a=" * (HEADER_SIZE // 3))),
    "commas": ("machine", _header("x = [" + "," * HEADER_SIZE)),
    "quotes": ("machine", _header('"' * HEADER_SIZE)),
    "a rule of commas": ("machine", machine("a " + "0," * (SIZE // 2) + "0 -> = R a\n")),
    "a rule of spaces": ("machine", machine("a" + " " * SIZE + "\n")),
    "a rule of quotes": ("machine", machine('"' * (SIZE + 1) + "\n")),
    "a rule of backslashes": ("machine", machine('"' + "\\" * SIZE + "\n")),
    "many wrong rules": ("machine", machine("x\n" * (SIZE // 2))),
    "many unknown symbols": ("machine", machine("a zz -> = R a\n" * (SIZE // 14))),
    "long names, nearly alike": (
        "machine",
        _header(f'{"k" * 6000}x = 1\n{"k" * 6000}y = 2\n').replace(b'digit = ["0"', f'{"c" * 16_000} = ["0"'.encode())
        + f'---\na {"c" * 15_999}d -> = R a\n'.encode(),
    ),
    "many classes, nearly alike": (
        "machine",
        _header("").replace(b"[input]", "".join(f'{"c" * 300}{i} = ["0"]\n' for i in range(95)).encode() + b"[input]")
        + b"---\n" + f'a {"c" * 300}x -> = R a\n'.encode() * 100,
    ),
    "unknown keys": ("machine", _header("".join(f"symbol{i} = 1\n" for i in range(HEADER_SIZE // 14)))),
    "many symbols": ("machine", machine("a 0 -> = R a\n", ", ".join(f'"x{i}"' for i in range(HEADER_SIZE // 10)))),
    "the same class member": ("machine", _header("").replace(b'["0", "1"]', b"[" + b'"0",' * (HEADER_SIZE // 4) + b"]")),
    "different class members": (
        "machine",
        _header("").replace(b'["0", "1"]', ("[" + ",".join(f'"{i}"' for i in range(HEADER_SIZE // 8)) + "]").encode()),
    ),
    "a huge p": ("task", (KEPT / "task.dfst").read_bytes().replace(b"[task]\n", b"[task]\np = 9000\nq = 10000\n")),
    "brackets in a config": ("config", b"x = " + b"[" * HEADER_SIZE),
    "a config longer than may be": ("config", b"".join(b"[a%d]\n" % i for i in range(SIZE // 8))),
    "tables in a config": ("config", b"".join(b"[a%d]\n" % i for i in range(HEADER_SIZE // 8))),
    "nested tables in a config": ("config", b"[" + b"a." * 15_000 + b"a]\n"),
    "brackets in a certificate": ("certificate", b"[" * SIZE),
    "empty lists in a certificate": ("certificate", b"[" + b"[]," * (SIZE // 3) + b"[]]"),
    "objects in a certificate": ("certificate", b"[" + b"{}," * (SIZE // 3) + b"{}]"),
    "more lists than may be": ("certificate", b"[" + b"[]," * 2**22 + b"[]]"),
    "a row of 10000 cells": ("certificate", certificate(rows=[-5000, 5000])),
    "a start far inside": (
        "certificate",
        certificate(layout={"parts": ["digit+"] * 1000, "head": [1000, 0], "answer_row": 0, "answer_class": "digit", "leading": None}),
    ),
    "many members": ("certificate", certificate(members=[[0, 0]] * (SIZE // 6), steps=[[]] * (SIZE // 6))),
    "a huge header length": ("model", (2**62).to_bytes(8, "little") + b"{}"),
    "a tensor larger than the file": ("model", safetensors('{"A":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,4000000000000]}}')),
    "a shape that overflows": ("model", safetensors('{"A":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}')),
    "an empty tensor of any shape": ("model", safetensors('{"A":{"dtype":"F32","shape":[0,9999999999],"data_offsets":[0,0]}}')),
    "a header of brackets": ("model", safetensors('{"__metadata__":{"dfst":"' + "[" * (SIZE // 2) + '"}}')),
    "many tensors": (
        "model",
        safetensors("{" + ",".join(f'"t{i}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for i in range(2000)) + "}"),
    ),
    "a header longer than ours": ("model", safetensors('{"__metadata__":{"dfst":"' + "[" * SIZE + '"}}')),
    "brackets in traces": ("jsonl", b"[" * SIZE),
    "empty lists in traces": ("jsonl", b"[" + b"[]," * (SIZE // 3) + b"[]]"),
    "many empty lines": ("jsonl", b"\n" * SIZE),
    "a long trace": ("jsonl", b'{"format": 1, "symbols": ["0", "_"], "blank": "_"}\n{"x": "' + b"0" * (SIZE // 3) + b'"}'),
    "lines of two characters in traces": ("jsonl", b'{"format": 1, "symbols": ["0", "_"], "blank": "_"}\n' + b"  \n" * (SIZE // 3)),
    "60 million equal steps": ("parquet", (CASES / "parquet-many_equal_steps").read_bytes()),
    "60 million equal steps, the index says one": ("parquet", (CASES / "parquet-index_that_lies").read_bytes()),
    "columns of answers": ("answers", b"1," * (SIZE // 2)),
    "a quote in answers": ("answers", b'1,1,"' + b"\n" * SIZE),
    "brackets in a journal": ("journal", b"[" * SIZE),
    "words of a program": ("morphett", b"0 " * (SIZE // 2)),
    "a chain of staying rules": ("morphett", b"".join(b"q%d * * * q%d\n" % (i, i + 1) for i in range(5000)).replace(b"q0 ", b"0 ")),
    "arrows in a drawing": ("dot", b"digraph {\n" + b'a -> b [label="0/0 R"];\n' * (SIZE // 24) + b"}\n"),
    "arrows in a drawing, in one line": ("dot", b"digraph { " + b'a -> b [label="0/0 R"]; ' * (SIZE // 24) + b"}\n"),
    "braces in a drawing": ("dot", b"digraph " + b"{" * SIZE),
    "a number of 200,000 digits": ("command", b"run\0add2\0" + b"1" * SIZE + b"\0001\0--step-limit\0001"),
    "a limit of many digits": ("command", b"run\0add2\0001\0001\0--step-limit\0" + b"9" * SIZE),
}  # fmt: skip


def measure(name: str, memory: bool) -> dict[str, float | int | str]:
    """What one of them takes: seconds, or the most memory per byte of the file (measuring that takes long itself)."""
    target, content = BOMBS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / TARGETS[target].name
        path.write_bytes(TARGETS[target].seeds()[0])
        _read(target, path)
        path.write_bytes(content)
        if memory:
            tracemalloc.start()
        began = time.process_time()
        result = _read(target, path)
        seconds = time.process_time() - began
        peak = tracemalloc.get_traced_memory()[1] if memory else 0
        tracemalloc.stop()
    return {
        "bytes": len(content),
        "seconds": round(seconds, 2),
        "factor": round(peak / len(content), 1),
        "result": result,
    }


def _read(target: str, path: Path) -> str:
    try:
        TARGETS[target].read(path)
        return "accepted"
    except REFUSALS:
        return "refused"


def measured() -> dict[str, dict[str, float | int | str]]:
    """All of them: seconds without, memory with tracemalloc."""
    return {name: measure(name, memory=False) | {"factor": measure(name, memory=True)["factor"]} for name in BOMBS}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))
    print(json.dumps(measured(), indent=1))
