"""The models in the package, verified again: nothing that is shipped is taken on trust."""

import hashlib
import json
import subprocess
import sys

import pytest

from dfst import from_machine, sample, solve
from dfst.judging.exact_match import Examiner
from dfst.judging.test_sets import random_pairs, same_digit_pairs
from dfst.names import find_policy
from dfst.prove import checker
from dfst.prove.certificate import machine_hash
from dfst.shipped import shipped_model, shipped_models
from dfst.teachers.find import find_task
from dfst.training.model import loss
from dfst.training.weights import load_model, model_bytes
from dfst.world.machine_file import load_machine

TASKS = ["add2", "add10", "mult2", "mult10"]


@pytest.mark.parametrize("task", TASKS)
def test_certificates_hold_and_speak_of_what_is_shipped(task):
    files, teacher = shipped_model(task), find_task(task).machine
    words = [sys.executable, checker.__file__, str(files.certificate), "--weights", str(files.one_hot)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert f"teacher: {machine_hash(teacher)}" in done.stdout
    machine = load_machine(files.machine)
    assert from_machine(machine) == load_model(files.one_hot)
    given = json.loads(files.certificate.read_text(encoding="utf-8"))
    raw = load_model(files.raw)
    assert given["hashes"]["model"] == hashlib.sha256(model_bytes(raw)).hexdigest()
    assert given["hashes"]["traces"] == sample(find_task(task)).sha256
    assert given["claim"]["scope"] == "on every input"
    assert machine_hash(teacher) in files.card.read_text(encoding="utf-8")


@pytest.mark.parametrize("task", TASKS)
def test_a_card_says_what_is_in_the_files_beside_it(task):
    files, teacher = shipped_model(task), find_task(task)
    card = " ".join(files.card.read_text(encoding="utf-8").split())
    given, raw = json.loads(files.certificate.read_text(encoding="utf-8")), load_model(files.raw)
    machine, lasting = load_machine(files.machine), load_model(files.lasting)
    where = json.loads((files.card.with_name("manifest.json")).read_text(encoding="utf-8"))
    assert f"of {len(machine.states)} states (the teacher has {len(teacher.machine.states)})" in card
    assert f"of every length, in {len(given['members']):,} abstract configurations" in card
    assert ("It also shows that the teacher never gets stuck" in card) == given["claim"]["teacher_never_stuck"]
    assert ("It does not show that the teacher never gets stuck" in card) != given["claim"]["teacher_never_stuck"]
    assert f"of dimension {raw.hidden_dim} that learned from {len(sample(teacher))} traces" in card
    assert f"of dimension {lasting.hidden_dim} ({lasting.parameters} parameters)" in card
    assert where["certificate"]["agent_sha256"] == given["hashes"]["model"]
    assert where["certificate"]["certificate_sha256"] == hashlib.sha256(files.certificate.read_bytes()).hexdigest()
    assert where["raw"]["data_sha256"] == given["hashes"]["traces"]


@pytest.mark.parametrize("task", TASKS)
def test_the_proven_models_are_right_where_the_raw_ones_are_not(task):
    files, teacher = shipped_model(task), find_task(task)
    last = teacher.machine.alphabet.classes["digit"][-1]
    chains = [(last * 12, "1"), ("1", last * 12), (last * 12, "0" * 11 + "1"), *same_digit_pairs(teacher, 12)]
    problems = random_pairs(teacher, 60, seed=5) + chains + [(last, last)]
    machine = Examiner(load_machine(files.machine), teacher)
    assert all(attempt.same_actions and attempt.right_answer for attempt in map(machine, problems))
    one_hot = Examiner(load_model(files.one_hot), teacher)
    assert all(one_hot(problem).right_answer for problem in problems[:3])
    raw = load_model(files.raw)
    assert solve(raw, *problems[-1]).answer.text == teacher.truth(*problems[-1])
    assert not all(Examiner(raw, teacher)(problem).same_actions for problem in problems[:5])  # the cards say so


def test_the_raw_models_have_the_papers_sizes():
    sizes = {model.task: load_model(model.raw).parameters for model in shipped_models()}
    assert sizes == {"add2": 1020, "add10": 8900, "mult2": 5280, "mult10": 162108}
    assert loss(load_model(shipped_model("add2").raw), sample(find_task("add2"))) < 1e-6


@pytest.mark.parametrize("task", TASKS)
def test_the_lasting_models_go_where_the_raw_ones_do_not(task):
    files, teacher = shipped_model(task), find_task(task)
    lasting = Examiner(load_model(files.lasting), teacher)
    length = 20 if task == "mult10" else 60  # longer ones take minutes
    assert all(lasting(problem).same_actions for problem in random_pairs(teacher, length, seed=5)[:5])
    assert find_policy(f"{task}:lasting") == load_model(files.lasting)
    assert find_policy(f"{task}:raw") == load_model(files.raw)
