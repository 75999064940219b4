"""From a trained model, or any policy, and its traces to a finite machine. The teacher is never looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dfst.act.own import OwnPolicy
from dfst.effort import Effort
from dfst.errors import InputError
from dfst.extraction.evidence import Evidence
from dfst.extraction.grow import grow
from dfst.extraction.merge import Merged, merge, without_twins
from dfst.extraction.own_swap import OwnSwapTest, own_traces
from dfst.extraction.regular import Redirect, regularise
from dfst.extraction.rehearse import PROBES, fits, rehearse, with_rehearsals
from dfst.extraction.rewind import Rewind
from dfst.extraction.shortest import shortest
from dfst.extraction.swap import SwapTest
from dfst.extraction.trie import Table, trie_of
from dfst.seeds import Stream
from dfst.traces.consistency import check_alphabet, check_traces
from dfst.traces.coverage import followed
from dfst.traces.logs import only_conversations
from dfst.traces.traces import UNKNOWN, Traces
from dfst.training.model import DFST
from dfst.training.recall import recall
from dfst.world.conversation import with_ends
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.worlds import World

ROUNDS = 8
"""After so many rounds of rehearsal the best machine so far is handed out, and its evidence says what is open."""

WORK = 500_000
"""Swap tests and rehearsals, besides one for each recorded step, before giving up."""

LEAST_STATES, STATES_PER_DIMENSION = 100, 4
"""A model that keeps apart more states has not learned its traces; those that have: fewer than 2 for each dimension."""


OWN_WORK, OWN_STATES, OWN_PROBES = 20_000, 400, 500
"""The same for a policy in Python, each step of which is a call; and how many problems it is rehearsed on."""


class Limits(NamedTuple):
    """When an extraction gives up, and on how many problems it rehearses."""

    effort: Effort
    states: int
    probes: int


@dataclass(frozen=True)
class Round:
    """One extraction: states after phase one and at the end, and the fresh rehearsals that it does not follow."""

    rehearsed: int
    grown: int
    merged: int
    open_probes: int


@dataclass(frozen=True)
class Extraction:
    """A finite machine read out of a model, what speaks for it, and the rounds of rehearsal it took.

    ``gave_up`` says why the extraction ended early, if it did: then the machine follows the traces, but what was joined
    last rests on the traces alone. ``own_runs`` counts the traces that a policy of one's own does not follow: its own
    runs took their place. ``unexplained`` counts the records of a log that the machine does not answer as recorded:
    there the shortest description was another machine than the one that the swap test had found.
    """

    machine: GridMachine
    evidence: Evidence
    rounds: tuple[Round, ...]
    gave_up: str = ""
    own_runs: int = 0
    unexplained: int = 0


def extract(
    model: DFST | OwnPolicy,
    traces: Traces,
    *,
    also: Sequence[GridMachine] = (),
    rehearsing: bool = True,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Extraction:
    """The machine that ``model`` has learned from ``traces``; a pair (state, symbol) nothing speaks for is UNDEFINED.

    Phase one grows states from the trie of all trace prefixes (:mod:`dfst.extraction.grow`), phase two merges poor
    states into richer ones that explain them (:mod:`dfst.extraction.merge`), phase three gives symbols that are treated
    alike one successor where nothing speaks against it (:mod:`dfst.extraction.regular`), and states that no future can
    tell apart become one (:mod:`dfst.extraction.merge`). Then, if ``rehearsing``, the model runs by itself on problems
    that nobody recorded, no longer than the recorded ones; where the machine does not follow, those runs join the
    traces, and all phases are repeated until both agree. Only the model, the traces and the layout are used.
    ``progress`` gets sentences for people. Conversations are not rehearsed, and may end in any state of the machine:
    a log does not show where one may end. Of them the machine may be a smaller one that explains all but a few records
    (:mod:`dfst.extraction.shortest`), or one of those that are known ``also``.

    A badly trained model keeps most prefixes apart. The extraction gives up on it, with the reason in ``gave_up`` and a
    machine that rests on the traces more than on the model: after ``seconds``, if given; else by the number of states
    for the model's dimensions, and by counted work, so that the same model and traces give the same machine on any
    computer.
    """
    if model.layout is None:
        raise InputError("the model does not know how problems stand on the grid", do="Give it a layout.")
    check_traces(traces)
    check_alphabet(model, traces)
    if isinstance(model, DFST) and model.bits is not None:  # the kernels know floats only
        model = OwnPolicy.of(model, model.world, model.name)
    if isinstance(model, OwnPolicy):  # its traces are what it does itself
        effort = Effort(OWN_WORK + len(traces.seen), seconds)
        data, own_runs = own_traces(model, traces, effort)
        limits, rewind = Limits(effort, OWN_STATES, OWN_PROBES), Rewind(model, data)
        found = _extracted(lambda given: OwnSwapTest(rewind, given), data, model, rehearsing, progress, limits)
        return replace(found, own_runs=own_runs)
    most = LEAST_STATES + STATES_PER_DIMENSION * model.hidden_dim
    limits = Limits(Effort(WORK + len(traces.seen), seconds), most, PROBES)
    found = _extracted(lambda given: SwapTest(model, given), traces, model, rehearsing, progress, limits)
    if only_conversations(traces):
        return _shortened(found, model, traces, also, limits.effort.left)
    if found.gave_up:
        found = replace(found, gave_up=f"{found.gave_up}; of the model itself, {recall(model, traces).explain()}")
    return found


def _shortened(
    found: Extraction, model: DFST, traces: Traces, also: Sequence[GridMachine], seconds: float | None
) -> Extraction:
    """What is found of a log, or a machine that describes it more shortly."""
    short = shortest(model, traces, [*also, *([] if found.gave_up else [found.machine])], seconds=seconds)
    if short.machine is found.machine:
        return found
    evidence = replace(found.evidence, machine=short.machine, number={})
    unexplained = int((~traces.unknown & (short.traces.written != traces.written)).sum())
    return replace(found, machine=short.machine, evidence=evidence, gave_up="", unexplained=unexplained)


def _extracted(
    make_test: Callable[[Traces], SwapTest],
    traces: Traces,
    model: DFST | OwnPolicy,
    rehearsing: bool,
    progress: Callable[[str], None] | None,
    limits: Limits,
) -> Extraction:
    """The extraction for any model: of it only its name and a swap test on given traces are needed."""
    say, name = progress or (lambda text: None), model.name or "extracted"
    effort, most, count = limits
    world = replace(traces.world, layout=model.layout)
    talks = only_conversations(traces)
    says = traces.alphabet.classes[world.known.answer_class] if talks else traces.alphabet.symbols
    outputs = np.array([traces.alphabet.index[symbol] for symbol in says])
    stream, recorded = Stream(0, "rehearsal"), trie_of(traces)
    nothing = rehearsed = traces.part([])
    rounds: list[Round] = []
    best: Evidence | None = None
    while True:
        test = make_test(with_rehearsals(traces, rehearsed))
        grown = grow(test, say, effort, most, finish=best is None)
        if grown.ended and best is not None:
            return Extraction(best.machine, best, tuple(rounds), grown.ended)
        _guess(grown.table, test, outputs)
        redirects: list[Redirect] = []
        merged = Merged(grown.table, [*range(len(grown.table))], [])
        if not grown.ended:
            merged, redirects = regularise(merge(grown.table, test, say, effort), test)
        machine, number = _machine_of(merged, world, name, ends=talks)
        fresh = nothing
        if rehearsing and not talks and not grown.ended:
            say(f"{len(machine.states)} states; rehearsing")
            fresh = rehearse(test, world, traces, stream, effort, count)
            fresh = fresh.part([i for i, trace in enumerate(fresh) if fits(recorded, trace)])
        _, taken = followed(machine, fresh)
        failing = fresh.part(np.flatnonzero(taken < fresh.lengths).tolist())
        rounds.append(Round(len(rehearsed), len(grown.table), len(machine.states), len(failing)))
        if best is None or len(failing) < best.open_probes:
            best = Evidence(machine, traces, rehearsed, len(failing), test.trie, grown, merged, redirects, number)
        ended = grown.ended or effort.reached
        if not len(failing) or ended or len(rounds) == ROUNDS:
            return Extraction(best.machine, best, tuple(rounds), ended)
        rehearsed = with_rehearsals(rehearsed, failing)


def _guess(table: Table, test: SwapTest, outputs: np.ndarray) -> None:
    """Let the model guess, in ``table``, which of the ``outputs`` is written where no trace shows it."""
    for row in table:
        for x, step in row.items():
            if step.written == UNKNOWN:
                row[x] = replace(step, written=test.would_write(step.witness, outputs))


def _machine_of(merged: Merged, world: World, name: str, *, ends: bool) -> tuple[GridMachine, dict[int, int]]:
    """The table as a machine without twins, and which of its states each state of phase one has become.

    With ``ends`` it halts on the blank in every state. A breadth-first walk from the start numbers the states.
    """
    home, table = merged.home, merged.table
    order = [home[0]]
    for state in order:
        following = (home[step.target] for _, step in sorted(table[state].items()) if step.target is not None)
        order += dict.fromkeys(q for q in following if table[q] and q not in order)
    number = {state: i for i, state in enumerate(order)}
    shape = (len(order), len(world.alphabet))
    next_state = np.full(shape, UNDEFINED, np.int32)
    written, move = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for state, i in number.items():
        for x, step in table[state].items():
            target = None if step.target is None else number.get(home[step.target])
            if target is not None or step.halts:  # otherwise a trace was cut short: what comes next is not known
                next_state[i, x] = HALTED if target is None else target
                written[i, x], move[i, x] = step.action
    names = tuple(f"s{i}" for i in range(len(order)))
    machine = GridMachine(name, world, names, 0, next_state, written, move)
    machine, became = without_twins(with_ends(machine) if ends else machine)
    return machine, {q: became[number[home[q]]] for q in range(len(home)) if home[q] in number}
