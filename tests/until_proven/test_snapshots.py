"""A lesson ends with the earliest snapshot that is proven, and leaves everything in the run folder."""

import json
from pathlib import Path

import dfst
from dfst.until_proven.looking import LOOKS
from tests.wrong_files import PROGRAM


def lesson(task, seed=42, **options):
    said = []
    asked = dfst.Options(recipe="fast", seed=seed, out="run")
    return dfst.learn(task, asked, say=said.append, **options), said


def test_a_task_is_learned_until_it_is_proven(work):
    learned, said = lesson("increment", seed=3)
    assert learned.exact
    whole = dfst.recipe("fast", "increment").iterations
    assert learned.iterations % (whole // LOOKS) == 0
    assert learned.iterations < whole / 2
    assert [look.verdict for look in learned.looks][-1] == "exact"
    assert said[-1].endswith("exact")
    for name in ("model.safetensors", "machine.dfst", "certificate.json", "one_hot.safetensors", "README.md"):
        assert (work / "run" / name).is_file()
    assert dfst.check("run", teacher="increment", machine="run/machine.dfst").known_as == "increment"
    assert dfst.solve("run:machine", "9" * 80).answer.text == str(10**80)
    assert "exact after" in str(learned)


def test_the_result_does_not_depend_on_when_proofs_arrive(work, monkeypatch):
    """With a slow judge the training runs on; the snapshot that counts is the same."""
    import time

    from dfst.until_proven import looking

    quick, _ = lesson("increment", seed=3)
    first = Path("run/model.safetensors").read_bytes()
    Path("run").rename("other")
    real = looking.compare
    monkeypatch.setattr(looking, "compare", lambda *a, **k: (time.sleep(1.5), real(*a, **k))[1])
    slow, _ = lesson("increment", seed=3)
    assert slow.iterations == quick.iterations
    assert Path("run/model.safetensors").read_bytes() == first


def test_a_limit_ends_it_and_it_resumes(work):
    learned, _ = lesson("add10", seconds=0.01)
    assert not learned.exact
    assert "seconds were not enough" in str(learned)
    assert not (work / "run" / "model.safetensors").exists()
    assert list((work / "run" / "checkpoints").iterdir())


def test_without_a_teacher_nothing_is_proven(work):
    dfst.sample("increment").save("mine.jsonl")
    learned, _ = lesson("mine.jsonl", seed=3)
    assert not learned.exact
    assert "not proven: no teacher" in str(learned)
    assert (work / "run" / "model.safetensors").is_file()


def test_a_program_is_learned_and_tested_but_never_proven(call, work):
    (work / "flipping.py").write_text(PROGRAM)
    code, out, _ = call("learn", "flipping.py:flip", "--out", "run", "--json")
    facts = json.loads(out)
    assert (code, facts["exact"], facts["tested"]["passed"], facts["tested"]["states"]) == (0, False, True, 1)
    assert "tested, not proven" in call("learn", "flipping.py:flip", "--n", 60, "--out", "other")[1]
    assert dfst.RunFolder.open(work / "other").traces().task == "flip"
    assert len(dfst.RunFolder.open(work / "other").traces()) == 60
