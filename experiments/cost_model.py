"""A cost model: a sum of terms that can be read off the code, with factors fitted to measurements.

The factors are not negative and have the least relative error, so that small and large configurations count alike.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

Sizes = Mapping[str, float]
Measured = Mapping[str, float]
Terms = dict[str, Callable[[Sizes], float]]


@dataclass(frozen=True)
class Quantity:
    """Something that costs: how it is measured, and for every unit the terms that its cost is a sum of.

    ``fitted`` are the configurations that the factors are fitted to, ``unseen`` those they are checked on, measured by
    ``real`` if that is another way.
    """

    measure: Callable[..., tuple[Sizes, Measured]]
    terms: dict[str, Terms]
    fitted: list[tuple[Any, ...]]
    unseen: list[tuple[Any, ...]]
    real: Callable[..., tuple[Sizes, Measured]] | None = None


@contextmanager
def traced() -> Iterator[list[float]]:
    """The most bytes that Python and numpy hold at a time within the block, beyond what they held before."""
    peak: list[float] = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield peak
    finally:
        peak.append(tracemalloc.get_traced_memory()[1] - before)
        tracemalloc.stop()


def fastest(call: Callable[[], Any], *, many: bool = False) -> float:
    """The least seconds of several calls: whatever else the machine does only adds."""
    times, end = [], time.perf_counter() + 2
    while not times or (len(times) < (2000 if many else 10) and time.perf_counter() < end):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def fit(terms: Terms, points: list[tuple[Sizes, float]]) -> dict[str, float]:
    """Factors that are not negative, with the least relative error."""
    from scipy.optimize import nnls

    matrix = np.array([[term(sizes) / value for term in terms.values()] for sizes, value in points])
    scale = matrix.max(axis=0)
    factors, _ = nnls(matrix / scale, np.ones(len(points)))
    return dict(zip(terms, (factors / scale).tolist(), strict=True))


def predict(terms: Terms, factors: dict[str, float], sizes: Sizes) -> float:
    return sum(factors[name] * term(sizes) for name, term in terms.items())


def measured(name: str, quantity: Quantity) -> dict[str, Any]:
    """The points, the fitted factors, and how the predictions stand."""
    record: dict[str, Any] = {"fitted": [], "unseen": [], "factors": {}}
    for kind, configurations in (("fitted", quantity.fitted), ("unseen", quantity.unseen)):
        measure = quantity.real if kind == "unseen" and quantity.real else quantity.measure
        for configuration in configurations:
            sizes, values = measure(*configuration)
            record[kind].append({"what": list(configuration), "sizes": sizes, "measured": values})
            print(name, kind, *configuration, sizes, values, flush=True)
    for unit, terms in quantity.terms.items():
        points = [(point["sizes"], point["measured"][unit]) for point in record["fitted"]]
        factors = record["factors"][unit] = fit(terms, points)
        for point in (*record["fitted"], *record["unseen"]):
            predicted = predict(terms, factors, point["sizes"])
            point.setdefault("predicted", {})[unit] = predicted
            point.setdefault("ratio", {})[unit] = round(predicted / point["measured"][unit], 3)
        print(name, unit, factors, "unseen:", [point["ratio"][unit] for point in record["unseen"]], flush=True)
    return record
