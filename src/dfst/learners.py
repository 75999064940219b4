"""What people call to let other learners work: AALpy's active learners on any policy, state merging on any traces.

As in :mod:`dfst.verbs`, a name will do wherever a task or a policy is expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfst.errors import InputError
from dfst.resolve import named, understood

if TYPE_CHECKING:
    from dfst.exchange.merging import Method
    from dfst.exchange.sul import PolicySUL
    from dfst.resolve import AnyPolicy, AnyTask, AnyTraces
    from dfst.world.machine import GridMachine


def to_sul(policy: AnyPolicy, teacher: AnyTask | None = None, *, sure: float = 0.5) -> PolicySUL:
    """A policy as AALpy's L*, KV and L# ask it (extra ``arena``): a symbol is the input, "written move" the output.

    A float model whose best score is not ``sure`` ahead of the second says ``stuck``, for it was never taught that.
    Together with :class:`dfst.ProblemOracle`, which asks only what a grid can show, a learner of AALpy's
    finds a machine that :func:`compare` can prove.

    >>> to_sul("add2:raw").query(("_", 1, "+"))
    ['0 R', '1 R', '+ L']
    """
    from dfst.exchange.sul import PolicySUL

    if not 0 <= sure < 1:
        raise InputError(f"sure = {sure!r} cannot be used", do="Give a number from 0 to below 1, such as 0.5.")
    return PolicySUL(named(policy, teacher).policy, sure=sure)


def merge(
    traces: AnyTraces, method: Method = "edsm-frequency", *, min_evidence: int = 0, seconds: float | None = 120
) -> GridMachine:
    """The machine that state merging (AALpy's, extra ``arena``) makes of ``traces``: the rival without a network.

    ``method`` is ``rpni``, ``edsm`` or ``edsm-frequency``; the last two merge at scores of at least ``min_evidence``.
    The layout is that of the traces, or the one that can be read from their steps. The result is a machine like
    any other: it can be compared, run and saved. Merging that takes longer than ``seconds`` is given up (None: never).

    >>> from dfst import sample
    >>> merge(sample("add2"), "rpni")
    GridMachine('add2 by rpni', 14 states, 4 symbols, 52 rules)
    """
    from dfst.exchange.merging import merge_traces

    data = understood(traces)
    assert data.layout is not None
    return merge_traces(data, data.layout, method, min_evidence=min_evidence, seconds=seconds)
