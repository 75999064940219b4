"""Small files made to take long or to fill the memory."""

# ruff: noqa: E501 - the table of bombs reads best with one in a line
import json
import tempfile
import time
import tracemalloc
from pathlib import Path

from dfst.files import MAX_TOML_BYTES
from tests.fuzz.targets import KEPT, REFUSALS, TARGETS
from tests.small import header

SIZE = 200_000
HEADER_SIZE = MAX_TOML_BYTES - 300
"""Of what is TOML: a longer one is refused unread, as one bomb shows."""


def machine(rules: str, symbols: str = '"0", "1", "_"') -> bytes:
    """A machine file with these rules."""
    return (header("n", "a", symbols) + "---\n" + rules).encode()


def _many() -> str:
    return ", ".join(f'"s{i}"' for i in range(247)) + ', "0", "1", "_"'


def _header(text: str) -> bytes:
    return (header("n", "a") + text).encode()


def safetensors(text: str, body: bytes = b"") -> bytes:
    """A safetensors file with that header."""
    return len(text.encode()).to_bytes(8, "little") + text.encode() + body


def certificate(**changes) -> bytes:
    """The kept certificate with other parts."""
    return json.dumps(json.loads((KEPT / "run" / "certificate.json").read_text()) | changes).encode()


BOMBS: dict[str, tuple[str, bytes]] = {
    "many lines of many rules": ("machine", machine("".join(f"q{i} s0..s246 -> = R a\n" for i in range(8000)), _many())),
    "as many rules as may be": (
        "machine", machine("".join(f"q{i} s0..s246 -> = R q{i}\n" for i in range(403)) + "a 0 -> = S halt\n", _many())
    ),
    "a header longer than may be": ("machine", _header("x = 1\n" * (SIZE // 6))),
    "escaped long quotes": ("machine", _header('\\"""' * (HEADER_SIZE // 4))),
    "a key of a million parts": ("machine", _header("a." * (HEADER_SIZE // 2) + "a = 1\n")),
    "a rule of commas": ("machine", machine("a " + "0," * (SIZE // 2) + "0 -> = R a\n")),
    "a rule of backslashes": ("machine", machine('"' + "\\" * SIZE + "\n")),
    "many wrong rules": ("machine", machine("x\n" * (SIZE // 2))),
    "many classes, nearly alike": (
        "machine",
        _header("").replace(b"[input]", "".join(f'{"c" * 300}{i} = ["0"]\n' for i in range(95)).encode() + b"[input]")
        + b"---\n" + f'a {"c" * 300}x -> = R a\n'.encode() * 100,
    ),
    "many symbols": ("machine", machine("a 0 -> = R a\n", ", ".join(f'"x{i}"' for i in range(HEADER_SIZE // 10)))),
    "a huge p": ("task", (KEPT / "task.dfst").read_bytes().replace(b"[task]\n", b"[task]\np = 9000\nq = 10000\n")),
    "tables in a config": ("config", b"".join(b"[a%d]\n" % i for i in range(HEADER_SIZE // 8))),
    "brackets in a certificate": ("certificate", b"[" * SIZE),
    "empty lists in a certificate": ("certificate", b"[" + b"[]," * (SIZE // 3) + b"[]]"),
    "more lists than may be": ("certificate", b"[" + b"[]," * 2**22 + b"[]]"),
    "a start far inside": (
        "certificate",
        certificate(layout={"parts": ["digit+"] * 1000, "head": [1000, 0], "answer_row": 0, "answer_class": "digit", "leading": None}),
    ),
    "many members": ("certificate", certificate(members=[[0, 0]] * (SIZE // 6), steps=[[]] * (SIZE // 6))),
    "a huge header length": ("model", (2**62).to_bytes(8, "little") + b"{}"),
    "a shape that overflows": ("model", safetensors('{"A":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}')),
    "many tensors": (
        "model",
        safetensors("{" + ",".join(f'"t{i}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for i in range(2000)) + "}"),
    ),
    "brackets in traces": ("jsonl", b"[" * SIZE),
    "a long trace": ("jsonl", b'{"format": 1, "symbols": ["0", "_"], "blank": "_"}\n{"x": "' + b"0" * (SIZE // 3) + b'"}'),
    "columns of answers": ("answers", b"1," * (SIZE // 2)),
    "brackets in a journal": ("journal", b"[" * SIZE),
    "arrows in a drawing": ("dot", b"digraph {\n" + b'a -> b [label="0/0 R"];\n' * (SIZE // 24) + b"}\n"),
    "braces in a drawing": ("dot", b"digraph " + b"{" * SIZE),
    "a number of 200,000 digits": ("command", b"run\0add2\0" + b"1" * SIZE + b"\0001\0--step-limit\0001"),
}  # fmt: skip


def measure(name, memory):
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
    facts = {"bytes": len(content), "result": result}
    return facts | ({"factor": round(peak / len(content), 1)} if memory else {"seconds": round(seconds, 2)})


def _read(target, path):
    try:
        TARGETS[target].read(path)
        return "accepted"
    except REFUSALS:
        return "refused"
