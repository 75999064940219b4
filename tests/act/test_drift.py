import numpy as np
import pytest

from dfst import InputError, Outcome, expert, from_machine, rollout
from dfst.act.drift import _BINS
from dfst.act.forecast import forecast
from dfst.study.evaluation import forecast_problems
from dfst.study.lengths import measure_lengths
from tests.act.test_rollout import noisy

ADD2 = expert("add2")


def test_a_one_hot_model_does_not_drift():
    drift = rollout(from_machine(ADD2.machine), "1" * 40, "1" * 40, teacher=ADD2.machine, drift=True).drift
    assert drift.margin == 1.0
    assert np.array_equal(drift.norms, np.zeros_like(drift.norms))
    assert sum(kind.steps for kind in drift.kinds) == drift.steps
    assert 0 < len(drift.margins) <= _BINS
    assert drift.interval * len(drift.margins) >= drift.steps > drift.interval * (len(drift.margins) - 1)


def test_the_record_is_thinned_and_loses_no_minimum():
    model = noisy(ADD2.machine, 1e-3, seed=3)
    result = rollout(model, "1" * 60, "1" * 60, teacher=ADD2.machine, drift=True)
    drift = result.drift
    assert drift.interval > 1
    assert drift.margin == min(kind.margin for kind in drift.kinds)
    assert drift.kinds[0].margin == drift.margin
    assert np.isfinite(drift.norms).all()


def test_margins_do_not_depend_on_the_scale():
    from dataclasses import replace

    model = noisy(ADD2.machine, 1e-3, seed=3)
    scaled = replace(model, A=model.A * np.float32(2.0**20))
    one, two = (rollout(m, "1011", "111", teacher=ADD2.machine, drift=True).drift for m in (model, scaled))
    assert np.array_equal(one.margins, two.margins)
    assert np.allclose(two.norms - one.norms, 20 * np.arange(len(one.norms)) * one.interval)


@pytest.mark.parametrize("seed", range(4))
def test_a_forecast_from_five_digits_is_within_a_factor_of_two(seed):
    model = noisy(ADD2.machine, 4e-3, seed=seed)
    measured = measure_lengths(model, ADD2, to=400).rlg
    seen = forecast(model, ADD2.machine, forecast_problems(ADD2, 0))
    assert measured is not None
    assert seen.horizon is not None
    assert 5 < measured < 400
    assert measured / 2 <= seen.horizon <= 2 * measured
    horizons = [horizon for _, horizon in seen.walks if horizon is not None]
    assert horizons == sorted(horizons)


def test_a_model_that_never_drifts_has_no_horizon():
    seen = forecast(from_machine(ADD2.machine), ADD2.machine, [("111", "101")])
    assert seen.horizon is None
    assert {walk.over for walk, _ in seen.walks} == {"digit", "_"}


def test_a_forecast_refuses_what_it_cannot_use():
    model = from_machine(ADD2.machine)
    with pytest.raises(InputError, match="all of one length"):
        forecast(model, ADD2.machine, [("1", "11")])
    with pytest.raises(InputError, match="all of one length"):
        forecast(model, ADD2.machine, [])
    with pytest.raises(InputError, match="different symbols or layouts"):
        forecast(model, expert("mult2").machine, [("1", "1")])


def test_a_diverged_rollout_still_has_its_drift():
    result = rollout(noisy(ADD2.machine, 3e-2, seed=1), "1" * 80, "1" * 80, teacher=ADD2.machine, drift=True)
    assert result.outcome == Outcome.DIVERGED
    assert result.drift.steps == result.steps
