"""A model led along traces: its hidden states, which the traces themselves never show."""

from __future__ import annotations

import numpy as np

from dfst.shapes import Float
from dfst.traces.traces import Traces
from dfst.training.model import DFST, check_alphabet


def hidden_along(model: DFST, traces: Traces) -> Float[np.ndarray, "steps d"]:
    """The hidden state of ``model`` before every step of ``traces``, scaled to length 1, in float64.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> hidden_along(dfst.from_machine(add2.machine), dfst.sample(add2)).max(axis=1).min().item()
    1.0
    """
    check_alphabet(model, traces)
    hidden = np.empty((len(traces.seen), model.hidden_dim))
    A = model.A.astype(np.float64)
    h, alive = np.tile(model.h0.astype(np.float64), (len(traces), 1)), np.arange(len(traces))
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at = traces.offsets[alive] + t
        sizes = np.linalg.norm(h[alive], axis=1, keepdims=True)
        h[alive] /= np.where(sizes > 0, sizes, 1)
        hidden[at] = h[alive]
        h[alive] = np.einsum("nij,nj->ni", A[traces.seen[at]], h[alive])
    return hidden
