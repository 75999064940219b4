"""Gradient truth: the engines agree with each other and with finite differences, and stay together while training."""

import threading
import time
from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest

import dfst
from dfst import DFST, Traces, recipe, sample
from dfst.act.weights import Weights
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Sampling
from dfst.training.engine import Schedule, TrainState
from dfst.training.fit import DivergedError, fit
from dfst.training.fused import FusedEngine
from dfst.training.fused_kernels import block
from dfst.training.jax_engine import JaxEngine
from dfst.training.model import identity_model, loss

ENGINES = {"jax": False, "associative": True}
TOLERANCE = {np.float64: 1e-8, np.float32: 2e-4}  # relative, to the largest entry of each array


def random_model(traces: Traces, d: int, seed: int, dtype: Any = np.float64) -> DFST:
    rng, k = np.random.default_rng(seed), len(traces.alphabet)
    A = 0.9 * np.eye(d) + 0.1 * rng.normal(size=(k, d, d)) / np.sqrt(d)
    rest = [rng.normal(size=shape) / np.sqrt(d) for shape in ((k, k, d), (k, 5, d), (d,))]
    return DFST(traces.world, Weights(*(array.astype(dtype) for array in (A, *rest))))


def small(task: str, n: int = 60) -> Traces:
    teacher = find_task(task)
    every = (teacher.radix + teacher.radix**2) ** 2
    return sample(teacher, Sampling(p=0, q=2, n=min(max(n, teacher.radix**2), every)), seed=3)


def apart(some: Weights, other: Weights) -> float:
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(some, other, strict=True))


def fused(model, traces, threads=1, **changes):
    return FusedEngine(TrainState.start(model), traces, fast(**changes), seed=1, threads=threads)


def fast(**changes):
    return recipe("fast", "add2").changed(**{"iterations": 400, "batch": 8, **changes})


@pytest.mark.parametrize(("task", "d"), [("add2", 12), ("add10", 20), ("mult2", 32), ("mult3", 7)])
def test_the_fused_gradient_against_finite_differences(task, d):
    traces = small(task, 20)
    model = random_model(traces, d, seed=d)
    value, gradient = fused(model, traces).gradient()
    assert np.isclose(value, loss(model, traces), rtol=1e-10)
    rng = np.random.default_rng(0)
    for name in Weights._fields:
        direction = rng.normal(size=getattr(model, name).shape)
        size = 1e-5 / np.linalg.norm(direction)

        def at(factor, name=name, step=size * direction):
            weights = model.weights._replace(**{name: getattr(model, name) + factor * step})
            return loss(replace(model, weights=weights), traces)

        # five points: the error of the difference is of fourth order
        slope = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * size)
        assert np.isclose((getattr(gradient, name) * direction).sum(), slope, rtol=1e-6, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "d", "dtype"),
    [("add2", 12, np.float64), ("mult2", 32, np.float64), ("add3", 33, np.float32), ("mult10", 108, np.float32)],
)
def test_all_engines_give_the_same_gradient(task, d, dtype):
    traces = small(task)
    model = random_model(traces, d, seed=d, dtype=dtype)
    reference, gradient = fused(model.astype(np.float64), traces).gradient()
    with jax.enable_x64(dtype is np.float64):
        engines: dict[str, Any] = {
            name: JaxEngine(TrainState.start(model), traces, fast(), seed=1, associative=scanned)
            for name, scanned in ENGINES.items()
        }
        engines["fused"] = fused(model, traces)
        engines["two threads"] = fused(model, traces, threads=2)
        for name, engine in engines.items():
            value, own = engine.gradient()
            assert np.isclose(value, reference, rtol=TOLERANCE[dtype]), name
            assert apart(own, gradient) < TOLERANCE[dtype], name


def test_one_option_reaches_the_log_parallel_scan(monkeypatch):
    scans, scan = [], jax.lax.associative_scan
    monkeypatch.setattr(jax.lax, "associative_scan", lambda *given: scans.append(given) or scan(*given))
    traces, few = small("add2"), recipe("fast", "add2").changed(iterations=3)
    _, by_steps = dfst.fit(traces, recipe=few, engine="jax")
    assert not scans
    _, by_scan = dfst.fit(traces, recipe=few, engine="associative")
    assert scans
    assert np.isclose(by_scan.final_loss, by_steps.final_loss, rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "iterations"), [("add2", 500), ("mult2", 200), ("mult10", 20)])
def test_weights_do_not_depend_on_the_number_of_threads(monkeypatch, task, iterations):
    traces = sample(find_task(task))
    model = identity_model(traces.world, find_task(task).hidden_dim)
    rules = recipe("fast", task).changed(iterations=iterations)
    ends = []
    for candidates in ((1,), (2,), (3,), (1, 2, 4)):  # the last changes while it trains
        monkeypatch.setattr("dfst.training.fused._candidates", lambda threads, batch, use=candidates: use)
        engine = FusedEngine(TrainState.start(model), traces, rules, seed=7)
        losses = np.concatenate([engine.advance(count).losses for count in (1, iterations // 2, iterations)])
        ends.append((engine.state(), losses))
    for state, losses in ends[1:]:
        assert np.array_equal(losses, ends[0][1])
        assert state.model == ends[0][0].model
        for some, first in ((state.mean, ends[0][0].mean), (state.square, ends[0][0].square)):
            assert all(np.array_equal(a, b) for a, b in zip(some, first, strict=True))


@pytest.mark.parametrize("thread", [0, 1])
def test_a_thread_that_fails_leaves_no_other_behind(monkeypatch, thread):
    traces = small("mult2")
    monkeypatch.setattr("dfst.training.fused._candidates", lambda threads, batch: (2,))
    engine = fused(identity_model(traces.world, 12), traces)
    engine.advance(3)
    before = threading.active_count()

    def interrupted(*job):
        if job[-2] == thread:
            raise KeyboardInterrupt
        return block(*job)

    monkeypatch.setattr("dfst.training.fused.block", interrupted)
    state = engine.state()
    with pytest.raises(KeyboardInterrupt):
        engine.advance(3)
    for _ in range(1000):
        if threading.active_count() <= before:  # one of an earlier test may have ended as well
            break
        time.sleep(0.01)
    assert threading.active_count() <= before
    assert engine.state().model == state.model
    assert engine.iteration == 3


def exploding(traces):
    model = random_model(traces, 12, seed=1, dtype=np.float32)
    return replace(model, weights=model.weights._replace(A=model.A * np.float32(1e6)))


@pytest.mark.parametrize("name", ["fused", "jax"])
@pytest.mark.parametrize("rule", ["skip", "stop"])
def test_a_gradient_that_is_not_finite_changes_nothing(name, rule):
    traces = small("mult2")
    model = exploding(traces)
    rules = fast(on_nonfinite=rule)
    kind = FusedEngine if name == "fused" else JaxEngine
    engine = kind(TrainState.start(model), traces, rules, seed=1)
    block = engine.advance(5)
    assert block.stopped == (rule == "stop")
    assert len(block.norms) == (1 if rule == "stop" else 5)
    assert not np.isfinite(block.norms).any()
    assert engine.state().model == model
    assert not engine.state().square.A.any()
    assert engine.nonfinite == len(block.norms)


def test_a_run_of_which_nothing_can_come_any_more_ends():
    traces = small("mult2")
    with pytest.raises(DivergedError, match=r"iteration 0: .*1,005 times in a row.*lower the rate"):
        fit(exploding(traces), traces, fast(iterations=3000), seed=1)
    whole, _ = fit(exploding(traces), traces, fast(iterations=900), seed=1)
    assert np.array_equal(whole.A, exploding(traces).A)


def test_batches_are_uniform_and_depend_on_the_seed():
    def draws(seed):
        return Schedule(fast(batch=32), seed=seed, traces=20, longest=10).plan(0, 1000).chosen

    counts = np.array([np.bincount(draws(seed).ravel(), minlength=20) for seed in range(40)])
    chi_square = ((counts - 1600) ** 2 / 1600).sum(axis=1)
    assert 16 < chi_square.mean() < 22  # 19 degrees of freedom: 19, give or take 1 for the mean of 40
    schedule, chosen = Schedule(fast(batch=32), seed=1, traces=20, longest=10), draws(1)
    assert np.array_equal(schedule.plan(100, 7).chosen, chosen[100:107])
    assert not np.array_equal(draws(2), chosen)
