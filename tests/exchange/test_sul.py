"""AALpy's active learners on machines, models and policies; what they learn, the prover takes."""

from dataclasses import replace

import pytest

pytest.importorskip("aalpy")

from aalpy.learning_algs import run_KV, run_Lsharp

import dfst

INCREMENT = dfst.task("increment")


def problems(task):
    return task.sample().problems


@pytest.mark.parametrize("policy", ["teacher:increment", "increment"])
def test_kv_learns_a_machine_that_is_proven(policy):
    sul = dfst.exchange.to_sul(policy)
    learned = run_KV(sul.inputs, sul, dfst.exchange.ProblemOracle(sul, problems(INCREMENT)), "mealy", print_level=0)
    assert dfst.compare(INCREMENT, dfst.exchange.from_mealy(learned, INCREMENT.machine)).exact


def test_lsharp_learns_from_a_function():
    table = INCREMENT.machine.table
    sul = dfst.exchange.to_sul(
        lambda state, symbol: table[INCREMENT.machine.start if state is None else state][symbol], INCREMENT
    )
    oracle = dfst.exchange.ProblemOracle(sul, problems(INCREMENT))
    learned = run_Lsharp(sul.inputs, sul, oracle, "mealy", print_level=0)
    assert dfst.compare(INCREMENT, dfst.exchange.from_mealy(learned, INCREMENT.machine)).exact
    assert oracle.num_queries > 0


def test_after_the_end_nothing_changes():
    sul = dfst.exchange.to_sul("teacher:increment")
    assert sul.query((9, "_", 8, 1, "_")) == ["9 R", "_ L", "9 S", "halted", "halted"]
    stuck = dfst.exchange.to_sul(lambda state, symbol: None, INCREMENT)
    assert stuck.query((1, 2)) == ["stuck", "stuck"]


def test_an_unsure_model_says_nothing():
    model = dfst.load("add2:raw")
    unsure = replace(model, weights=model.weights._replace(B=model.B / 3))
    assert dfst.exchange.to_sul(model).query(("_", 1)) == ["0 R", "1 R"]
    assert dfst.exchange.to_sul(unsure).query(("_", 1))[0] == "stuck"


def test_a_rounded_network_says_what_it_does_rounded():
    model, machine = dfst.rounded("add2:raw", 1), dfst.task("add2").machine
    sul, trace = dfst.exchange.to_sul(model), machine.run("1", "1", record=True).trace
    state, wanted = model.begin(), []
    for seen in trace.seen.tolist():
        action = model.act(state, seen)
        wanted.append("stuck" if action is None else f"{sul.inputs[action[1]]} {'UDLRS'[action[2]]}")
        state = None if action is None else action[0]
    asked = [sul.inputs[seen] for seen in trace.seen.tolist()]
    assert sul.query(tuple(asked)) == wanted != dfst.exchange.to_sul("add2:raw").query(tuple(asked))
