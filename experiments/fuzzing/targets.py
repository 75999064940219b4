"""What reads files and words that strangers may have written: for each, real ones to begin with, and its reader."""

import contextlib
import io
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import dfst
from dfst.cli import _call, app
from dfst.errors import DfstError
from dfst.exchange.dot import parse_dot, to_dot
from dfst.prove import checker
from dfst.prove.certificate import load_certificate
from dfst.runs.checkpoint import parse_checkpoint
from dfst.runs.run_folder import RunFolder
from dfst.study.journal import Journal
from dfst.teachers.task_file import gallery_folder, load_task, read_answers

TESTS = Path(__file__).parents[2] / "tests"
KEPT = TESTS / "formats" / "1"
REFUSALS = (DfstError, checker.Rejected)
"""A refusal in words; anything else that is raised is a finding."""


class Target(NamedTuple):
    """``name`` is the file's name, ``read`` gets its path; ``seeds`` are real contents."""

    name: str
    read: Callable[[Path], object]
    seeds: Callable[[], list[bytes]]


def _contents(*paths: Path) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def _machines() -> list[bytes]:
    broken = sorted((TESTS / "broken_machines").glob("*.dfst"))
    return _contents(*sorted(gallery_folder().glob("*.dfst"))[:6], *broken, KEPT / "machine.dfst", KEPT / "task.dfst")


def _drawings() -> list[bytes]:
    machine = dfst.task("add2").machine
    return [
        to_dot(machine).encode(),
        b'digraph { s0 [penwidth=2]; s0 -> s1 [label="0 \xe2\x86\x92 1 R"]; s1 -> s0 }',
    ]


def _words() -> list[bytes]:
    return [
        b"run\0add2\0101\0011",
        b"run\0add10\00099\0001\0--step-limit\0001000",
        b"solve\0add2\00011\0001\0--step-limit\00099",
        b"train\0add2\0--seeds\0000:8\0--iterations\0000",
        b"train\0add2\0--learning-rate\000inf\0--batch\000-1",
        b"data\0add2\0--n\000-1\0--seed\0007",
        b"eval\0teacher:add2\0--to\0000",
    ]


def _certificate(path: Path) -> None:
    given = load_certificate(path)
    checker.verify(given)
    checker.check_weights((KEPT / "run" / "one_hot.safetensors").read_bytes(), given)


@cache
def _given() -> dict:
    return load_certificate(KEPT / "run" / "certificate.json")


def _model(path: Path) -> None:
    with contextlib.suppress(*REFUSALS):
        checker.check_weights(path.read_bytes(), _given())
    dfst.load_model(path)


def _config(path: Path) -> None:
    RunFolder.open(path.parent).task()


def _journal(path: Path) -> None:
    Journal(path, {"agent": "a"})


def _command(path: Path) -> None:
    """The words of a command line, with zero bytes between them; nothing it could ask for takes long or stays."""
    words = path.read_bytes().decode(errors="replace").split("\0")
    if words[0] not in ("solve", "data", "train", "eval"):
        words[0] = "solve"
    if words[0] in ("train", "eval", "data"):
        words.append("--no-such-option")  # everything is read, nothing is done
    before, sys.argv = sys.argv, ["dfst", *words]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            code = _call(app)
    finally:
        sys.argv = before
    if code not in (0, 1, 2) or "Traceback" in said.getvalue():
        raise AssertionError(f"exit code {code}: {said.getvalue()[-300:]}")


def _answers(path: Path) -> None:
    read_answers(path, dfst.task("add2").machine)


TARGETS = {
    "machine": Target("machine.dfst", dfst.load_machine, _machines),
    "task": Target("task.dfst", load_task, _machines),
    "answers": Target("answers.csv", _answers, lambda: [b"a,b,sum\n1,1,10\n11,1,100\n", b'# x\n"1", 0 ,"1"\n']),
    "certificate": Target("certificate.json", _certificate, lambda: _contents(KEPT / "run" / "certificate.json")),
    "model": Target(
        "model.safetensors",
        _model,
        lambda: _contents(KEPT / "run" / "model.safetensors", KEPT / "run" / "one_hot.safetensors"),
    ),
    "checkpoint": Target(
        "checkpoint.safetensors",
        lambda path: parse_checkpoint(path.read_bytes()),
        lambda: _contents(*sorted((KEPT / "run" / "checkpoints").glob("*.safetensors"))[-1:]),
    ),
    "jsonl": Target("traces.jsonl", dfst.load_traces, lambda: [_short_traces()]),
    "config": Target("config.toml", _config, lambda: _contents(KEPT / "run" / "config.toml")),
    "journal": Target("journal.jsonl", _journal, lambda: [b'{"agent": "a"}\n[1, "random", 0, [true, true, null]]\n']),
    "dot": Target("drawing.dot", lambda path: parse_dot(_text(path)), _drawings),
    "command": Target("words", _command, _words),
}


def _short_traces() -> bytes:
    """A few of the kept traces, without the hash that would refuse every change."""
    header, *lines = (KEPT / "traces.jsonl").read_text().splitlines()[:6]
    known = json.loads(header)
    del known["sha256"]
    return "\n".join([json.dumps(known), *lines]).encode()


def _text(path: Path) -> str:
    from dfst.files import read_text

    return read_text(path)
