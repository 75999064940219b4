"""What reads files and words that strangers may have written: for each, real ones to begin with, and its reader."""

import contextlib
import io
import json
import signal
import sys
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import dfst
from dfst.cli import _call, app
from dfst.errors import DfstError
from dfst.exchange import from_xes
from dfst.exchange.dot import parse_dot, to_dot
from dfst.files import read_text
from dfst.judging.journal import Journal
from dfst.prove import checker
from dfst.prove.certificate import load_certificate
from dfst.runs.checkpoint import parse_checkpoint
from dfst.runs.run_folder import RunFolder
from dfst.teachers.task_file import gallery_folder, load_task, read_answers

TESTS = Path(__file__).parents[1]
KEPT = TESTS / "formats" / "1"
REFUSALS = (DfstError, checker.Rejected)
"""A refusal in words; anything else that is raised is a finding."""

MAX_SECONDS, MAX_FACTOR, ALWAYS = 1.0, 10, 4 * 2**20
"""More than that is a finding, too: seconds of computing, bytes per byte of the file and those any parser takes."""


class Target(NamedTuple):
    """``name`` is the file's name, ``read`` gets its path; ``seeds`` are real contents."""

    name: str
    read: Callable[[Path], object]
    seeds: Callable[[], list[bytes]]


def contents(*paths: Path) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def machines() -> list[bytes]:
    broken = sorted((TESTS / "broken_machines").glob("*.dfst"))
    return contents(*sorted(gallery_folder().glob("*.dfst"))[:6], *broken, KEPT / "machine.dfst", KEPT / "task.dfst")


def drawings() -> list[bytes]:
    drawn = b'digraph { s0 [penwidth=2]; s0 -> s1 [label="0 \xe2\x86\x92 1 R"]; s1 -> s0 }'
    return [to_dot(dfst.task("add2").machine).encode(), drawn]


XES = b"""<?xml version="1.0"?><log><trace><string key="concept:name" value="1"/>
<event><string key="in" value="push"/><int key="out" value="1"/></event>
<event><string key="in" value="push"/><string key="out" value="?"/></event></trace></log>"""

MEALY = b"""digraph g { __start0 [label="" shape="none"]; s0 [shape="circle" label="s0"]; s1;
s0 -> s1 [label="syn / syn+ack"]; s1 -> s0 [label="ack / -"]; __start0 -> s0; }"""

COMMANDS = (
    "run add2 101 011",
    "run add10 099 001 --step-limit 1000",
    "solve add2 011 001 --step-limit 99",
    "train add2 --seeds 0:8 --iterations 0",
    "train add2 --hidden-dim -1 --config x.toml",
    "data add2 --n -1 --seed 7",
    "eval teacher:add2 --to 0",
)


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
    dfst.load(path)


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


def _short_traces() -> bytes:
    """A few of the kept traces, without the hash that would refuse every change."""
    header, *lines = (KEPT / "traces.jsonl").read_text().splitlines()[:6]
    known = json.loads(header)
    del known["sha256"]
    return "\n".join([json.dumps(known), *lines]).encode()


RUN = KEPT / "run"
TARGETS = {
    "machine": Target("machine.dfst", dfst.load, machines),
    "task": Target("task.dfst", load_task, machines),
    "answers": Target(
        "answers.csv",
        lambda path: read_answers(path, dfst.task("add2").machine),
        lambda: [b"a,b,sum\n1,1,10\n11,1,100\n", b'# x\n"1", 0 ,"1"\n'],
    ),
    "certificate": Target("certificate.json", _certificate, lambda: contents(RUN / "certificate.json")),
    "model": Target(
        "model.safetensors", _model, lambda: contents(RUN / "model.safetensors", RUN / "one_hot.safetensors")
    ),
    "checkpoint": Target(
        "checkpoint.safetensors",
        lambda path: parse_checkpoint(path.read_bytes()),
        lambda: contents(*sorted((RUN / "checkpoints").glob("*.safetensors"))[-1:]),
    ),
    "jsonl": Target("traces.jsonl", dfst.load, lambda: [_short_traces()]),
    "config": Target(
        "config.toml", lambda path: RunFolder.open(path.parent).task(), lambda: contents(RUN / "config.toml")
    ),
    "journal": Target(
        "journal.jsonl",
        lambda path: Journal(path, {"agent": "a"}),
        lambda: [b'{"agent": "a"}\n[1, "random", 0, [true, true, null]]\n'],
    ),
    "log": Target(
        "log.csv",
        dfst.load,
        lambda: [b"case,input,output\n1,syn,syn+ack\n1,ack,?\n2,syn,rst\n", b'output;input;case\r\n"a b";"x";1\r\n'],
    ),
    "pairs": Target("log.jsonl", dfst.load, lambda: [b'[["syn", "syn+ack"], ["ack", null]]\n[["syn", "?"]]\n']),
    "xes": Target("log.xes", lambda path: from_xes(read_text(path), input="in", output="out"), lambda: [XES]),
    "mealy": Target("mealy.dot", dfst.task, lambda: [MEALY]),
    "dot": Target("drawing.dot", lambda path: parse_dot(read_text(path)), drawings),
    "command": Target("words", _command, lambda: [text.replace(" ", "\0").encode() for text in COMMANDS]),
}


class Hang(Exception):
    """It took far more than a second."""


def tried(target: str, content: bytes, path: Path, measured: bool = False) -> tuple[str, str]:
    """("accepted", "refused" or "finding", what was found); ``measured``: memory instead of seconds."""
    found = _tried(target, content, path, measured)
    # on a busy computer, or if it is the first to need a module, a file may take long once, but not twice
    return _tried(target, content, path, measured) if "of computing" in found[1] else found


def _tried(target: str, content: bytes, path: Path, measured: bool) -> tuple[str, str]:
    def hangs(*_: object) -> None:
        raise Hang

    path.write_bytes(content)
    signal.signal(signal.SIGVTALRM, hangs)  # without it, the timer would end the whole process
    signal.setitimer(signal.ITIMER_VIRTUAL, 5 * MAX_SECONDS)
    if measured:
        tracemalloc.start()
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TARGETS[target].read(path)
        result = "accepted", ""
    except REFUSALS as error:
        str(error).encode(errors="replace")
        result = "refused", ""
    except Hang:
        result = "finding", f"no end after {time.process_time() - began:.1f} s of computing, {len(content)} bytes"
    except Exception:
        result = "finding", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    seconds = time.process_time() - began
    if measured:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > MAX_FACTOR * len(content) + ALWAYS:
            return "finding", f"{peak} bytes of memory for a file of {len(content)}"
    elif seconds > MAX_SECONDS and result[0] != "finding":
        return "finding", f"{seconds:.1f} s of computing for a file of {len(content)}"
    return result
