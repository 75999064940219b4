"""First machines for a log: the hidden states of a network in groups, and where each group goes on each input.

Hidden states of one state of a machine are near each other only where the future can tell: so they are compared in the
directions that scores of later inputs depend on, as the log mixes its inputs. Groups are means (k-means), more than
the machine will have states; what is the same for the log is merged later (:mod:`dfst.extraction.shortest`).
"""

from __future__ import annotations

import numpy as np

from dfst.extraction.description import Log, answering
from dfst.seeds import Stream
from dfst.shapes import Float, Int32, Int64
from dfst.traces.traces import Traces
from dfst.training.model import DFST
from dfst.training.recall import hidden_along
from dfst.training.reduce import one_thread, root

_AHEAD, _ROUNDS, _SAMPLE = 20, 15, 20_000
"""Inputs ahead that the future has, rounds of k-means, and hidden states that the means are taken of."""


def told_by_the_future(model: DFST, traces: Traces, inputs: list[int]) -> Float[np.ndarray, "steps d"]:
    """The hidden states along ``traces``, in coordinates whose distances are those of the scores of later inputs."""
    A, B = model.A[inputs].astype(np.float64), model.B[inputs].astype(np.float64)
    often = np.bincount(traces.seen, minlength=len(traces.alphabet))[inputs].astype(float)
    often /= often.sum()
    with one_thread():
        now = np.einsum("x,xoi,xoj->ij", often, B, B)
        observed = np.zeros_like(now)
        for _ in range(_AHEAD):
            observed = now + np.einsum("x,xki,xkj->ij", often, observed @ A, A)
        return hidden_along(model, traces) @ root(observed)


def groups(points: Float[np.ndarray, "n d"], number: int, stream: Stream) -> Int64[np.ndarray, " n"]:
    """The group of each point, at most ``number`` of them: k-means, from first means that are far apart (k-means++)."""
    sample = points[:: -(-len(points) // _SAMPLE)]
    means, far = [points[0]], ((sample - points[0]) ** 2).sum(axis=1)
    while len(means) < number and far.max() > 0:
        chosen = int(np.searchsorted(np.cumsum(far), stream.uniform() * far.sum(), "right"))
        means.append(sample[min(chosen, len(sample) - 1)])
        far = np.minimum(far, ((sample - means[-1]) ** 2).sum(axis=1))
    centres = np.array(means)
    with one_thread():
        for _ in range(_ROUNDS):
            group = _nearest(sample, centres)
            sums = np.zeros_like(centres)
            np.add.at(sums, group, sample)
            sizes = np.bincount(group, minlength=len(centres))
            centres = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centres)
        return _nearest(points, centres)


def _nearest(points: np.ndarray, centres: np.ndarray) -> Int64[np.ndarray, " n"]:
    return ((centres**2).sum(axis=1) - 2 * points @ centres.T).argmin(axis=1)


def successors(group: Int64[np.ndarray, " steps"], traces: Traces, log: Log) -> Int32[np.ndarray, "S X"]:
    """Where each group goes on each input, by the majority of the steps in the ``log``; -1 where there are none."""
    number, at = int(group.max()) + 1, np.flatnonzero(answering(traces))
    votes = np.zeros((number, len(log.inputs), number), np.int32)
    np.add.at(votes, (group[at], log.seen, group[at + 1]), 1)
    return np.where(votes.any(axis=2), votes.argmax(axis=2), -1).astype(np.int32)
