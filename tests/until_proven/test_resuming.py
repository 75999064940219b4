"""What is resumed is what was begun, with the same teacher, traces and options; a proof is about the given teacher."""

import json
from dataclasses import replace

import pytest

import dfst
from dfst.prove.certificate import machine_hash

AGAIN = "Ask for what it is, or begin another training run with another --out."


def machine_file(task, path, name="mine"):
    """The teacher of a task of ours as a file of one's own, under another name; its hash."""
    replace(dfst.task(task).machine, name=name).save(path)
    return machine_hash(dfst.task(path).machine)


def refused(call, *words):
    code, out, err = call(*words)
    assert (code, out) == (2, ""), err
    return err


def test_another_teacher_of_the_same_name(call, work):
    first = machine_file("increment", work / "inc.dfst")
    code, out, _ = call("learn", "inc.dfst", "--out", "run", "--seed", 3, "--json")
    assert (code, json.loads(out)["teacher_sha256"]) == (0, first)
    assert call("learn", "inc.dfst", "--out", "run", "--resume")[0] == 0
    second = machine_file("double", work / "inc.dfst")
    sentence = f"dfst: run: its teacher 'mine' is another machine than the one given: SHA-256 {first}, not {second}. "
    for verb in ("learn", "train"):
        assert refused(call, verb, "inc.dfst", "--out", "run", "--resume") == f"{sentence}{AGAIN}\n"


def test_noisy_compares_task_seed_and_traces(call, work):
    machine_file("increment", work / "inc.dfst")
    assert call("learn", "inc.dfst", "--out", "plain", "--seed", 3)[0] == 0
    assert call("learn", "increment", "--noisy", "--out", "noisy", "--seed", 3)[0] == 0
    words = ("learn", "increment", "--noisy", "--out", "noisy", "--resume")
    assert call(*words)[0] == 0
    assert call(*words, "--seed", 3)[0] == 0
    for name, words, sentence in (
        ("plain", ("mult2", "--noisy", "--seed", 99), "its task is mine, not mult2"),
        ("noisy", ("increment", "--noisy", "--seed", 99), "its seed is 3, not 99"),
        ("noisy", ("double", "--noisy"), "its task is increment, not double"),
        ("plain", ("inc.dfst", "--noisy"), "it was not begun with --noisy"),
        ("noisy", ("increment",), "it was begun with --noisy"),
    ):
        err = refused(call, "learn", *words, "--out", name, "--resume")
        assert err == f"dfst: {name}: {sentence}. {AGAIN}\n"
    err = refused(call, "learn", "increment", "--noisy", "--out", "noisy", "--resume", "--data-seed", 7)
    assert err.startswith("dfst: noisy: it was begun with other traces than those given: SHA-256 ")


def test_traces_and_teachers_are_not_mixed_up(call, work):
    for seed, name in enumerate(("one.jsonl", "two.jsonl")):
        dfst.sample("increment", seed=seed).save(name)
    assert call("train", "one.jsonl", "--out", "run", "--iterations", 40)[0] == 0
    assert call("train", "one.jsonl", "--out", "run", "--resume")[0] == 0
    err = refused(call, "train", "two.jsonl", "--out", "run", "--resume")
    hashes = [dfst.load(name).sha256 for name in ("one.jsonl", "two.jsonl")]
    what = f"it was begun with other traces than those given: SHA-256 {hashes[0]}, not {hashes[1]}"
    assert err == f"dfst: run: {what}. {AGAIN}\n"
    err = refused(call, "train", "increment", "--out", "run", "--resume")
    assert "it learns from traces that were given to it, not from the teacher 'increment'" in err
    assert call("train", "increment", "--out", "taught", "--iterations", 40)[0] == 0
    err = refused(call, "train", "one.jsonl", "--out", "taught", "--resume")
    assert "it learns from the teacher 'increment', not from traces that are given" in err


def test_traces_that_changed_under_a_training_run(call, work):
    """As when a teacher that comes with dfst is another one in another version."""
    assert call("train", "increment", "--out", "run", "--iterations", 40)[0] == 0
    config = work / "run" / "config.toml"
    text = config.read_text().replace("iterations = 40", "iterations = 80")
    config.write_text(text.replace("data_seed = 42", "data_seed = 43"))
    code, _, err = call("train", "increment", "--out", "run", "--resume")
    assert code == 1
    assert "its traces are not those that it began with: SHA-256 " in err


@pytest.fixture
def asked(call, work):
    assert call("learn", "increment", "--ask", "--out", "a", "--seed", 3)[0] == 0
    return work / "a"


def test_asking_says_exact_only_with_a_certificate(asked, call):
    words = ("learn", "increment", "--ask", "--out", "a", "--resume")
    whole = (asked / "certificate.json").read_bytes()
    code, out, err = call(*words, "--json")
    assert (code, json.loads(out)["exact"], "made anew" in err) == (0, True, False)
    (asked / "certificate.json").unlink()
    code, _, err = call(*words)
    assert code == 0
    assert "the certificate in a does not hold, so it is made anew: a/certificate.json: there is no such file" in err
    assert call("check", "a", "--teacher", "increment")[0] == 0
    forged = whole.replace(b'"teacher_never_stuck":true', b'"teacher_never_stuck":false')
    (asked / "certificate.json").write_bytes(forged)
    assert "does not hold, so it is made anew: " in call(*words)[2]
    assert call("check", "a", "--teacher", "increment")[0] == 0
    machine_file("double", asked / "machine.dfst", "increment")
    code, _, _ = call(*words)
    assert (code, (asked / "certificate.json").exists()) == (1, False)


def test_asking_another_teacher_or_with_other_options(asked, call, work):
    machine_file("double", work / "other.dfst", "increment")
    first, second = (machine_hash(dfst.task(name).machine) for name in ("increment", "double"))
    what = f"its teacher 'increment' is another machine than the one given: SHA-256 {first}, not {second}"
    cases = {
        ("other.dfst",): what,
        ("double",): "its task is increment, not double",
        ("increment", "--seed", 4): "its seed is 3, not 4",
        ("increment", "--digits", 9): "its number of digits is 4, not 9",
        ("increment", "--hidden-dim", 9): "its hidden dim is 6, not 9",
    }
    for words, sentence in cases.items():
        code, _, err = call("learn", *words, "--ask", "--out", "a", "--resume")
        assert (code, err.splitlines()[-1]) == (2, f"dfst: a: {sentence}. {AGAIN}")
    (asked / "manifest.json").write_text("[]")
    code, _, err = call("learn", "increment", "--ask", "--out", "a", "--resume")
    what = "its manifest.json does not say whose traces these are. Choose another folder with --out."
    assert (code, err.splitlines()[-1]) == (1, f"dfst: a: {what}")
    for wrong in ("x", 2.5, True, [3]):
        (asked / "manifest.json").write_text(json.dumps({"digits": wrong, "seed": 3, "hidden_dim": 6}))
        code, _, err = call("learn", "increment", "--ask", "--out", "a", "--resume")
        assert (code, err.splitlines()[-1]) == (
            1, "dfst: a/manifest.json: its digits is no whole number. Choose another folder with --out.",
        )  # fmt: skip
