"""The files of the mistakes: whole ones, and the same cut short, changed, or of another kind."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import safetensors.numpy

import dfst
from dfst.names import find_policy
from dfst.world.machine_file import dump_machine
from tests.small import header

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63")

TASK = header() + "[task]\n{}\n---\nwalk digit -> = R walk\nwalk _ -> = L end\nend digit -> = S halt\n"

PROGRAM = """
import dfst

@dfst.teacher(symbols="01", problems="01")
def flip(head):
    while head.see() != "_":
        head.do("1" if head.see() == "0" else "0", "R")
"""

TASKS = {
    "fine": "p = 2",
    "p-above-q": "p = 5\nq = 3",
    "thin": "hidden_dim = 1",
    "unknown-key": "hiden_dim = 5",
    "letters": 'p = "two"',
    "no-answers": 'answers = "nothing.csv"',
    "answers-symbols": 'answers = "symbols.csv"',
    "answers-wrong": 'answers = "wrong.csv"',
    "answers-empty": 'answers = "empty"',
    "iterations": "iterations = 0",
}

_INCREMENT = "[trial]\ntask = 'increment'\n"
SWEEPS = {
    "fine": _INCREMENT,
    "typo": f"{_INCREMENT}learning-rate = 0.1",
    "rate": f"{_INCREMENT}learning_rate = -0.1",
}


def make_files(folder: Path, train: Callable[[str, int, Path], None]) -> None:
    """Everything in the empty ``folder``; ``train`` makes a run folder of a task in so many iterations."""
    add2, mult2 = dfst.task("add2"), dfst.task("mult2")
    for name, text in TASKS.items():
        (folder / f"{name}.dfst").write_text(TASK.format(text))
    texts = {
        "table.csv": "a,b\n1,2\n",
        "symbols.csv": "number,answer\n1,1\n12,12\n",
        "wrong.csv": "number,answer\n1,0\n11,11\n",
        "empty": "",
        "empty.jsonl": "",
        "empty.json": "",
        "empty.safetensors": "",
        "empty.toml": "",
        "list.json": "[1, 2]",
        "number.toml": "iterations = 'x'",
        "unknown.toml": "speed = 1",
        "broken.toml": "= 1",
        "header-only.jsonl": '{"format": 1, "task": "add2", "symbols": ["0", "1", "_", "+"], "blank": "_"}\n',
        "foreign.jsonl": '{"text": "hello"}\n{"text": "world"}\n',
        **{f"sweep-{name}.toml": text for name, text in SWEEPS.items()},
        "mine.py": PROGRAM,
        "no-rules.dfst": TASK.format("").split("---")[0],
        "tabs.dfst": TASK.format("").replace("->", "=>"),
        "no-move.dfst": TASK.format("").replace("= R walk", "= X walk"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "picture.png").write_bytes(PNG)
    (folder / "empty-folder").mkdir()
    text = dump_machine(add2.machine)
    (folder / "add2.dfst").write_text(text, encoding="utf-8")
    (folder / "mult2.dfst").write_text(dump_machine(mult2.machine), encoding="utf-8")
    (folder / "latin1.dfst").write_text(dump_machine(mult2.machine), encoding="latin-1")
    (folder / "utf16.dfst").write_text(text, encoding="utf-16")
    (folder / "windows.dfst").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (folder / "cut.dfst").write_text(text[:300])
    dfst.from_machine(add2.machine).save(folder / "add2.safetensors")
    dfst.from_machine(mult2.machine).save(folder / "mult2.safetensors")
    weights = (folder / "add2.safetensors").read_bytes()
    (folder / "changed.safetensors").write_bytes(weights[:-1] + b"\x01")
    (folder / "foreign.safetensors").write_bytes(safetensors.numpy.save({"w": np.zeros(3)}))
    for task in (add2, mult2):
        dfst.sample(task).save(folder / f"{task.name}.jsonl")
    lines = (folder / "add2.jsonl").read_text(encoding="utf-8")
    (folder / "cut.jsonl").write_text(lines[:-50], encoding="utf-8")
    bare = '{"format": 1, "symbols": ["0", "1", "_"], "blank": "_"}\n{"x": "00_", "s": "11_", "m": "RRS"}\n'
    (folder / "changing.jsonl").write_text(bare + '{"x": "010_", "s": "110_", "m": "RLRS"}\n', encoding="utf-8")
    (folder / "endless.jsonl").write_text(bare + '{"x": "01_", "s": "11_", "m": "RRR"}\n', encoding="utf-8")
    dfst.certify(find_policy("teacher:add2"), add2.machine, out=folder / "proof")
    proof = (folder / "proof" / "certificate.json").read_text(encoding="utf-8")
    (folder / "add2.json").write_text(proof, encoding="utf-8")
    (folder / "changed.json").write_text(proof.replace('"start":0', '"start":1', 1), encoding="utf-8")
    (folder / "relabelled.json").write_text(proof.replace('"add2"', '"add3"', 1), encoding="utf-8")
    (folder / "nan.json").write_text(proof.replace('"start":0', '"start":NaN', 1), encoding="utf-8")
    (folder / "no-sweep" / "results").mkdir(parents=True)
    (folder / "other-sweep" / "results").mkdir(parents=True)
    (folder / "other-sweep" / "results" / "add2.json").write_text("{}")
    train("add2", 50, folder / "run")
    for old in sorted((folder / "run" / "checkpoints").iterdir())[:-1]:  # on a slow computer there are two
        old.unlink()
    train("mult2", 2, folder / "other")
    shutil.copytree(folder / "run", folder / "unfinished")
    (folder / "unfinished" / "model.safetensors").unlink()
    begun = {"command": "dfst train add2 --iterations 50 --out somewhere/else"}  # whoever made it, and moved it
    (folder / "unfinished" / "manifest.json").write_text(json.dumps(begun))
    shutil.copytree(folder / "run", folder / "damaged")
    (folder / "damaged" / "model.safetensors").write_bytes(weights[:100])
    for name, change in {
        "future": ("format = 1", "format = 9"),
        "edited": ("hidden_dim = 12", 'hidden_dim = "twelve"'),
        "gone": ('task = "add2"', 'task = "mytask"'),
        "keyless": ("\nseed = 42\n", "\n"),
    }.items():
        shutil.copytree(folder / "run", folder / name)
        config = folder / name / "config.toml"
        text = config.read_text()
        assert change[0] in text, (name, text)
        config.write_text(text.replace(*change))
