"""The files of the mistakes: whole ones, and the same cut short, changed, or of another kind."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import safetensors.numpy

import dfst
from dfst.study.agents import find_agent

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63")

TASK = """\
format = 1
name = "mine"
symbols = ["0", "1", "_"]
blank = "_"
start = "walk"
[classes]
digit = ["0", "1"]
[input]
cells = ["digit+"]
[answer]
cells = "digit"
[task]
{}
---
walk digit -> = R walk
walk _ -> = L end
end digit -> = S halt
"""

TASKS = {
    "fine": "p = 2",
    "p-above-q": "p = 5\nq = 3",
    "n-too-small": "p = 2\nq = 3\nn = 1",
    "n-too-large": "p = 1\nq = 2\nn = 1000",
    "thin": "hidden_dim = 1",
    "hidden-zero": "hidden_dim = 0",
    "unknown-key": "hiden_dim = 5",
    "letters": 'p = "two"',
    "decimal": "n = 2.5",
    "no-answers": 'answers = "nothing.csv"',
    "answers-number": "answers = 5",
    "answers-columns": 'answers = "columns.csv"',
    "answers-symbols": 'answers = "symbols.csv"',
    "answers-wrong": 'answers = "wrong.csv"',
    "answers-many-wrong": 'answers = "many.csv"',
    "answers-picture": 'answers = "picture.png"',
    "answers-folder": 'answers = "empty-folder"',
    "answers-empty": 'answers = "empty"',
    "rate": "learning_rate = -1.0",
    "iterations": "iterations = 0",
    "whole-rate": "learning_rate = 1",
}

_INCREMENT = "[trial]\ntask = 'increment'\n"
SWEEPS = {
    "fine": _INCREMENT,
    "no-task": "[trial]\nseed = 1",
    "task": "[trial]\ntask = 'incremnt'",
    "typo": f"{_INCREMENT}learning-rate = 0.1",
    "option": f"time-limit = 5\n{_INCREMENT}",
    "seeds": f"{_INCREMENT}seed = '8:0'",
    "seed": f"{_INCREMENT}seed = {2**70}",
    "twice": f"{_INCREMENT}seed = [1, 1]",
    "many": f"{_INCREMENT}seed = '0:900000'\nbatch = [8, 16]",
    "rate": f"{_INCREMENT}learning_rate = -0.1",
    "huge-rate": f"{_INCREMENT}learning_rate = 1{'0' * 400}",
    "n": f"{_INCREMENT}n = [60, 1]",
    "text": f"{_INCREMENT}iterations = 'many'",
    "limit": f"time_limit = -1\n{_INCREMENT}",
    "no-time": f"time_limit = 0\n{_INCREMENT}",
    "memory": f"memory_limit = 'much'\n{_INCREMENT}",
    "retries": f"retries = 1{'0' * 100}\n{_INCREMENT}",
    "threads": f"threads = 100000\n{_INCREMENT}",
    "engine": f"engine = 'warp'\n{_INCREMENT}",
    "points": f"{_INCREMENT}[search]\nbatch = [8, 16]",
    "range": f"{_INCREMENT}[search]\npoints = 3\nbatch = {{ from = 16, to = 8 }}",
    "huge-range": f"{_INCREMENT}[search]\npoints = 3\nlearning_rate = {{ from = 1, to = 1{'0' * 400} }}",
    "many-points": f"{_INCREMENT}seed = '0:1000'\n[search]\npoints = 1001\nbatch = [8, 16]",
    "choices": f"{_INCREMENT}[search]\npoints = 3\nbatch = [8, 8]",
}


def make_files(folder: Path, train: Callable[[str, int, Path], None]) -> None:
    """Everything in the empty ``folder``; ``train`` makes a run folder of a task in so many iterations."""
    add2, mult2 = dfst.expert("add2"), dfst.expert("mult2")
    for name, text in TASKS.items():
        (folder / f"{name}.dfst").write_text(TASK.format(text))
    texts = {
        "table.csv": "a,b\n1,2\n",
        "columns.csv": "number,answer\n1,1,1\n",
        "symbols.csv": "number,answer\n1,1\n12,12\n",
        "wrong.csv": "number,answer\n1,0\n11,11\n",
        "many.csv": "\n".join(f"{n:b},{n + 1:b}" for n in range(200)),
        "notes.txt": "hello world\n",
        "long.txt": "1" * 100_000,
        "long-wrong.txt": "1" * 100_000 + "2",
        "empty": "",
        "empty.dfst": "",
        "empty.jsonl": "",
        "empty.json": "",
        "empty.safetensors": "",
        "empty.toml": "",
        "list.json": "[1, 2]",
        "object.json": "{}",
        "number.toml": "iterations = 'x'",
        "unknown.toml": "speed = 1",
        "broken.toml": "= 1",
        "huge.toml": f"n = {10**30}",
        "header-only.jsonl": '{"format": 1, "task": "add2", "symbols": ["0", "1", "_", "+"], "blank": "_"}\n',
        "foreign.jsonl": '{"text": "hello"}\n{"text": "world"}\n',
        **{f"sweep-{name}.toml": text for name, text in SWEEPS.items()},
        "no-rules.dfst": TASK.format("").split("---")[0],
        "tabs.dfst": TASK.format("").replace("->", "=>"),
        "no-move.dfst": TASK.format("").replace("= R walk", "= X walk"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    for ending in ("png", "safetensors", "jsonl", "parquet", "json", "dfst"):
        (folder / f"picture.{ending}").write_bytes(PNG)
    (folder / "empty-folder").mkdir()
    text = dfst.dump_machine(add2.machine)
    (folder / "add2.dfst").write_text(text, encoding="utf-8")
    (folder / "mult2.dfst").write_text(dfst.dump_machine(mult2.machine), encoding="utf-8")
    (folder / "latin1.dfst").write_text(dfst.dump_machine(mult2.machine), encoding="latin-1")
    (folder / "utf16.dfst").write_text(text, encoding="utf-16")
    (folder / "windows.dfst").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (folder / "cut.dfst").write_text(text[:300])
    dfst.save_model(dfst.from_machine(add2.machine), folder / "add2.safetensors")
    dfst.save_model(dfst.from_machine(mult2.machine), folder / "mult2.safetensors")
    weights = (folder / "add2.safetensors").read_bytes()
    (folder / "cut.safetensors").write_bytes(weights[:-100])
    (folder / "changed.safetensors").write_bytes(weights[:-1] + b"\x01")
    (folder / "weights.bin").write_bytes(weights)
    (folder / "foreign.safetensors").write_bytes(safetensors.numpy.save({"w": np.zeros(3)}))
    for task in (add2, mult2):
        dfst.save_traces(dfst.sample(task), folder / f"{task.name}.jsonl")
    dfst.save_traces(dfst.sample(add2), folder / "add2.parquet")
    lines = (folder / "add2.jsonl").read_text(encoding="utf-8")
    (folder / "cut.jsonl").write_text(lines[:-50], encoding="utf-8")
    (folder / "changed.jsonl").write_text(lines.replace('"m": "R', '"m": "L', 1), encoding="utf-8")
    (folder / "few.jsonl").write_text("\n".join(lines.split("\n")[:5]), encoding="utf-8")
    bare = '{"format": 1, "symbols": ["0", "1", "_"], "blank": "_"}\n{"x": "00_", "s": "11_", "m": "RRS"}\n'
    (folder / "changing.jsonl").write_text(bare + '{"x": "010_", "s": "110_", "m": "RLRS"}\n', encoding="utf-8")
    (folder / "endless.jsonl").write_text(bare + '{"x": "01_", "s": "11_", "m": "RRR"}\n', encoding="utf-8")
    (folder / "cut.parquet").write_bytes((folder / "add2.parquet").read_bytes()[:-30])
    dfst.certify(find_agent("teacher:add2"), add2.machine, out=folder / "proof")
    proof = (folder / "proof" / "certificate.json").read_text(encoding="utf-8")
    (folder / "add2.json").write_text(proof, encoding="utf-8")
    (folder / "cut.json").write_text(proof[:-100], encoding="utf-8")
    (folder / "changed.json").write_text(proof.replace('"start":0', '"start":1', 1), encoding="utf-8")
    (folder / "relabelled.json").write_text(proof.replace('"add2"', '"add3"', 1), encoding="utf-8")
    (folder / "nan.json").write_text(proof.replace('"start":0', '"start":NaN', 1), encoding="utf-8")
    (folder / "no-sweep" / "results").mkdir(parents=True)
    (folder / "other-sweep" / "results").mkdir(parents=True)
    shutil.copy(folder / "add2.parquet", folder / "other-sweep" / "results" / "add2.parquet")
    train("add2", 50, folder / "run")
    train("mult2", 2, folder / "other")
    shutil.copytree(folder / "run", folder / "unfinished")
    (folder / "unfinished" / "model.safetensors").unlink()
    shutil.copytree(folder / "run", folder / "damaged")
    (folder / "damaged" / "model.safetensors").write_bytes(weights[:100])
    for name, change in {
        "future": ("format = 1", "format = 9"),
        "edited": ("hidden_dim = 12", 'hidden_dim = "twelve"'),
        "edited-n": ("n = 20", "n = 3"),
        "gone": ('task = "add2"', 'task = "mytask"'),
        "unreadable": ("format = 1", "format = = 1"),
        "keyless": ("\nseed = 42\n", "\n"),
        "edited-engine": ('engine = "fused"', 'engine = "warp"'),
    }.items():
        shutil.copytree(folder / "run", folder / name)
        config = folder / name / "config.toml"
        text = config.read_text()
        assert change[0] in text, (name, text)
        config.write_text(text.replace(*change))
