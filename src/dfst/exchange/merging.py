"""The rival without a neural network: state merging on the bare traces, by AALpy (extra ``arena``)."""

from __future__ import annotations

import warnings
from functools import cmp_to_key
from typing import Any, Literal, get_args

from dfst.effort import Effort, OutOfEffort
from dfst.errors import DfstError, InputError, MissingExtraError
from dfst.own import AnyTraces, understood
from dfst.records import checked
from dfst.traces.consistency import check_traces, with_what_others_know
from dfst.traces.logs import only_conversations
from dfst.traces.traces import UNKNOWN, Trace, Traces
from dfst.world.conversation import with_ends
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

Method = Literal["rpni", "edsm", "edsm-frequency"]
"""rpni: merge whatever is compatible, earliest prefix first. edsm: the merge with the most evidence first, counting
merged nodes. edsm-frequency: the same, counting observations."""

METHODS: tuple[Method, ...] = get_args(Method)


@checked
def merge(traces: AnyTraces, method: Method = "edsm-frequency", *, seconds: float | None = 120) -> GridMachine:
    """The machine that state merging (AALpy's, extra ``arena``) makes of ``traces``: the rival without a network.

    ``method`` is ``rpni``, ``edsm`` or ``edsm-frequency``. The layout is that of the traces, or the one that can be
    read from their steps. The result is a machine like any other: it can be compared, run and saved. Merging that takes
    longer than ``seconds`` is given up (None: never).

    >>> from dfst import sample
    >>> merge(sample("add2"), "rpni")
    GridMachine('add2 by rpni', 14 states, 4 symbols, 52 rules)
    """
    data = understood(traces)
    assert data.layout is not None
    return merge_traces(data, data.layout, method, seconds=seconds)


def merge_traces(
    traces: Traces,
    layout: Layout,
    method: Method = "rpni",
    *,
    min_evidence: int = 0,
    work: int = 10**12,
    seconds: float | None = None,
) -> GridMachine:
    """The machine that AALpy's generalised state merging makes of ``traces``, seen as runs of a Mealy machine.

    What no trace shows stays UNDEFINED, and so does what leads to nothing but that. Evidence first merges at scores of
    at least ``min_evidence``. Merging that takes more ``work``,
    comparisons of two states, is given up, too.
    """
    if method not in METHODS:
        raise InputError(f"there is no merging method {method!r}", do=f"Methods are {', '.join(METHODS)}.")
    check_traces(traces)
    effort = Effort(work, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # newer Pythons complain of AALpy's strings when they first compile it
            from aalpy.learning_algs import run_GSM
            from aalpy.learning_algs.general_passive import DataHandler, GsmNode, ScoreFunctionsGSM
    except ImportError:
        raise MissingExtraError("State merging", "arena") from None
    unknown = GsmNode.unknown_output

    class Counts(DataHandler.CountDataHandler):
        """Counts what is known."""

        def aggregate_data(self, src_node: Any, in_value: Any, out_value: Any, dst_node: Any) -> None:
            if out_value is not unknown:
                super().aggregate_data(src_node, in_value, out_value, dst_node)

    def compatible(one: Any, other: Any) -> bool:
        effort.spend(1)
        return GsmNode.GsmNode.deterministic_compatible(one, other)

    def order(one: Any, other: Any) -> int:
        effort.spend(0)  # putting prefixes in order takes long where they are
        return -1 if GsmNode.GsmNode.short_lex_order(one, other) else 1

    score = ScoreFunctionsGSM.SimpleScoreCalculation
    options: dict[str, Any] = {"node_order": cmp_to_key(order), "score_calc": score(compatible)}
    if method != "rpni":
        count = ScoreFunctionsGSM.EDSM_score if method == "edsm" else ScoreFunctionsGSM.EDSM_frequency_score
        options = {"score_calc": score(compatible, count(min_evidence)), "data_handler": Counts()}

    def steps_of(trace: Trace) -> list[tuple[int, Any]]:
        effort.spend(0)
        steps = zip(*(column.tolist() for column in trace), strict=True)
        return [(x, unknown if w == UNKNOWN else (w, m)) for x, w, m in steps]

    data: Any = map(steps_of, with_what_others_know(traces))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that pairs stay undefined is what we want
        kind = {"output_behavior": "mealy", "transition_behavior": "deterministic", "data_format": "io_traces"}
        try:
            learned: Any = run_GSM(data, **kind, **options)
        except OutOfEffort as over:
            do = "Give fewer or shorter traces, or more time (seconds)."
            raise DfstError(f"state merging did not end: {over}", do=do) from None
    symbols, rules = traces.alphabet.symbols, []
    # states that nothing leaves are where traces end
    names = {state: f"m{i}" for i, state in enumerate(state for state in learned.states if state.transitions)}
    for state, own in names.items():
        for x, following in state.transitions.items():
            if state.output_fun[x] is None:  # not known
                continue
            written, move = state.output_fun[x]
            after = HALT if move == Move.S else names[following]
            rules.append(Rule(own, symbols[x], symbols[written], Move(move), after))
    start, name = names[learned.initial_state], f"{traces.task or 'traces'} by {method}"
    while dead := {rule.next for rule in rules} - {rule.state for rule in rules} - {HALT, start}:
        rules = [rule for rule in rules if rule.next not in dead]
    machine = GridMachine.from_rules(rules, alphabet=traces.alphabet, layout=layout, start=start, name=name)
    return with_ends(machine) if only_conversations(traces) else machine
