"""Every file of a finished run folder, damaged in every way: a sentence or the right answer, never a traceback."""

import itertools
import shutil
from functools import partial

import pytest

import dfst
from dfst.errors import DfstError
from dfst.runs.folder_files import FIRST
from dfst.runs.run_folder import RunFolder

DAMAGES = {
    "empty": lambda content: b"",
    "letters": lambda content: b"abc\n",
    "cut short": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(len(content)),
    "binary": lambda content: bytes(range(256)) * 4,
    "a number": lambda content: b"7\n",
    "a huge number": lambda content: b"9" * 5000,
    "another number": lambda content: "٣\n".encode(),  # a digit to Python, and none to us
    "a list": lambda content: b"[]\n",
    "a table": lambda content: b"{}\n",
    "a nested list": lambda content: b"[" * 100_000,
    "null": lambda content: b'{"commit": null, "resumed": 5, "format": null}\n',
    "twice": lambda content: content * 2,
    "a folder": None,
}


def made(kind, folder):
    """A finished run folder of each kind, with everything that can be in one."""
    options = dfst.Options(out=folder / "run", seed=3)
    if kind == "task":
        dfst.learn(dfst.task("increment").machine, options)
    elif kind == "noisy":
        dfst.learn("increment", options, noisy=True)
    elif kind == "asked":
        dfst.learn("increment", options, ask=True)
    else:
        dfst.sample("increment").save(folder / "traces.jsonl")
        dfst.learn(str(folder / "traces.jsonl"), options, teacher="increment")
    if kind != "asked":
        dfst.evaluate(str(folder / "run"), "increment", to=2)
    return folder / "run"


def quick_uses(kind, run):
    """What reads such a folder again, and takes no time."""
    yield "check", lambda: dfst.check(run, teacher="increment")
    if kind != "asked":
        yield "train", lambda: RunFolder.open(run).train()
        yield "solve", lambda: dfst.solve(str(run), "19")
        yield "solve its machine", lambda: dfst.solve(f"{run}:machine", "19")


def slow_uses(kind, run):
    """What trains, extracts or proves."""
    options = dfst.Options(out=run, seed=3, resume=True)
    again = {
        "task": partial(dfst.learn, dfst.task("increment").machine),
        "noisy": partial(dfst.learn, "increment", noisy=True),
        "asked": partial(dfst.learn, "increment", ask=True),
        "traces": partial(dfst.learn, str(run.parent / "traces.jsonl"), teacher="increment"),
    }[kind]
    yield "resume", lambda: again(options=options)
    if kind != "asked":
        yield "evaluate", lambda: dfst.evaluate(str(run), "increment", to=2)
        yield "certify", lambda: dfst.certify(str(run), "increment", raw_length=0)
        yield "doctor", lambda: dfst.doctor(run)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("kind", ["task", "noisy", "asked", "traces"])
def test_a_damaged_file_is_a_sentence(kind, tmp_path):
    """Each damage meets every quick use, and the slow ones in turn."""
    whole, broken = made(kind, tmp_path), tmp_path / "broken" / "run"
    if (tmp_path / "traces.jsonl").exists():
        (tmp_path / "broken").mkdir()
        shutil.copy(tmp_path / "traces.jsonl", tmp_path / "broken")
    slow, sentences, others = itertools.cycle(slow_uses(kind, broken)), [], []
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    if kind in ("noisy", "traces"):  # the others are as in the run folder of a task
        files = [path for path in files if path.name in FIRST]
    for path in files:
        for name, damage in DAMAGES.items():
            for use, call in (*quick_uses(kind, broken), next(slow)):
                shutil.rmtree(broken, ignore_errors=True)
                shutil.copytree(whole, broken)
                if damage is None:
                    (broken / path).unlink()
                    (broken / path).mkdir()
                else:
                    (broken / path).write_bytes(damage((whole / path).read_bytes()))
                try:
                    call()
                except DfstError as error:
                    sentences.append(str(error))
                except Exception as error:
                    others.append(f"{use} with {path} ({name}): {error!r}")
    assert others == []
    assert len(sentences) > 20


def test_a_damaged_mark_of_what_was_kept(call, work):
    assert call("learn", "increment", "--out", "run", "--seed", 3)[0] == 0
    for text in ("abc\n", "", "-3\n", "9" * 50):
        (work / "run" / "kept").write_text(text)
        code, _, err = call("learn", "increment", "--out", "run", "--resume")
        assert (code, "Traceback" in err) == (0 if text == "9" * 50 else 1, False)
        do = "Write the iteration there whose model was kept (README.md says which), or train in another folder."
        if code:
            said = err.splitlines()[-1]  # before it, that something may have to be compiled
            assert said == f"dfst: run/kept: it is damaged: it holds no number of iterations. {do}"
