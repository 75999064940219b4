"""Traces whose records hold mistakes: the steps where a trained model would act otherwise, and what they should say.

A model is fitted to the records as they are. It sees only what was seen, so a wrong record misleads it at one step and
not later, and it agrees with the many right records before it remembers the few wrong ones. At fixed iterations its
actions replace the recorded ones, and the grid judges them, without a teacher: a cell must keep what was written on it,
and a trace must halt at its end and nowhere else. Where a corrected trace fails this, the records are put back at as
few of the changed steps as make it consistent; if none do, it is left out for now. A change that the grid demands, for
with the record the trace would be inconsistent, is learned from at once. Of the others, which only the model asks for,
many are rules that it has not learned yet: there training goes on with the record. It ends when nothing is inconsistent
and two looks in a row ask for the same changes.

The grid does not judge a log of conversations. There the network learns the log as it is, and a record is wrong that
the machine does not explain which describes the log most shortly (:mod:`dfst.extraction.shortest`): so a rule that
repeats is a rule, and a record that nothing repeats is a mistake.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from dfst.errors import DfstError, quoted
from dfst.extraction.description import NOISY
from dfst.extraction.shortest import Shortest, shortest
from dfst.files import write_atomically
from dfst.runs.folder_files import CHANGES, EXPLAINS, NOISY_TRACES
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.teachers.task import Task
from dfst.traces.consistency import action, answer, disagreements, faults, named
from dfst.traces.logs import only_conversations
from dfst.traces.traces import Trace, Traces
from dfst.training.engine import TrainState
from dfst.training.model import DFST, identity_model
from dfst.training.recall import actions_along
from dfst.until_proven.looking import Limit, OutOfTime, count, next_look
from dfst.until_proven.train import taught_by
from dfst.world.machine import GridMachine
from dfst.world.worlds import in_world_of

LOOKS = 100
"""Looks at the corrections during a whole training; usually a few are enough."""

LOOKS_AT_LOGS, _PATIENCE = 40, 3
"""The same for a log, where each of them searches for a machine; so many that find none shorter in a row are enough."""

_FEW, _SEARCHED = 0.1, 0.2
"""The share of traces that may be inconsistent if the others are to be learned from, and if records are put back."""

_SHOWN = 20
"""Corrected steps that are said one by one; all of them are in the run folder."""

_PUT_BACK = 8
"""Changed steps of one trace among which those to be put back are searched for: at most 2 to this power ways."""


@dataclass(frozen=True)
class Change:
    """A step that was recorded wrongly; traces and steps count from 0, in sentences about conversations from 1.

    ``case`` is its conversation's name in the log, if it has one.
    """

    trace: int
    step: int
    sees: str
    was: str
    should_be: str
    case: str = ""

    def line(self, *, talk: bool = False) -> str:
        """For a person."""
        if talk:
            which = f"case {quoted(self.case)}" if self.case else f"conversation {self.trace + 1}"
            where = f"{which}, input {self.step + 1}: {quoted(self.sees)}"
            return f"{where} was answered {quoted(self.was)}, should be {quoted(self.should_be)}"
        where = f"trace {self.trace}, step {self.step}: sees {quoted(self.sees)}"
        return f"{where}, was {self.was}, should be {self.should_be}"


@dataclass(frozen=True)
class Corrected:
    """Traces with their records corrected, what was changed, which traces were left out, and the model behind it.

    ``explains`` is the machine that explains a log of conversations.
    """

    traces: Traces
    changes: tuple[Change, ...]
    dropped: tuple[int, ...]
    iterations: int
    model: DFST
    explains: GridMachine | None = None

    def begin(self, run: RunFolder, noisy: Traces, teacher: Task | None, say: Say) -> RunFolder:
        """The new ``run`` on what is left, with the changes and the traces as they were; it says what was wrong.

        Its training goes on from the weights with which the mistakes were found.
        """
        for change in self.changes[:_SHOWN]:
            say(change.line(talk=only_conversations(noisy)))
        if len(self.changes) > _SHOWN:
            say(f"and {len(self.changes) - _SHOWN:,} more: {run.path / CHANGES}")
        known = taught_by(self.traces, teacher)
        start = replace(self.model, name=run.options.task, world=known.world)

        def write() -> None:
            noisy.save(run.path / NOISY_TRACES)
            lines = [json.dumps(vars(change), ensure_ascii=False) + "\n" for change in self.changes]
            write_atomically(run.path / CHANGES, "".join(lines).encode())
            if self.explains is not None:
                machine = self.explains if teacher is None else in_world_of(teacher.machine, self.explains)
                replace(machine, name=run.options.task).save(run.path / EXPLAINS)

        return RunFolder.create(run.path, replace(run.options, n=len(known)), known, start=start, also=write)


def correct(
    traces: Traces, options: Options, *, limit: Limit | None = None, watch: Watch = quiet, say: Say = quiet
) -> Corrected:
    """``traces`` with the steps corrected that a model trained as ``options`` say does not agree with.

    >>> import dfst
    >>> from dfst.traces.record import corrupted
    >>> increment = dfst.task("increment")
    >>> right = dfst.sample(increment)
    >>> found = correct(corrupted(right, 0.01), dfst.Options().on(increment))
    >>> found.traces == right, len(found.changes), found.changes[0].line()
    (True, 3, "trace 17, step 3: sees '_', was '8' and L, should be '_' and L")
    """
    limit = limit or Limit()
    model = identity_model(traces.world, options.hidden_dim, seed=options.seed)
    if only_conversations(traces):
        return _corrected_log(traces, options, model, limit=limit, watch=watch, say=say)
    state, learned_from, before = TrainState.start(model), traces, traces
    best: tuple[tuple[int, int], TrainState, Traces, list[int]] | None = None
    while state.iteration < options.iterations:
        state = next_look(state, learned_from, options, LOOKS, limit=limit, watch=watch)
        now, left = _consistent(traces, _acted(state.model, traces))
        changed, fresh = int(_differ(traces, now).sum()), int(_differ(before, now).sum())
        done = f"{count(changed, 'step')} corrected, {count(len(left), 'trace')} still inconsistent"
        say(f"iteration {state.iteration:,}: {done}")
        before, few = now, len(left) <= _FEW * len(traces)
        if few and (best is None or (len(left), fresh) < best[0]):
            best = ((len(left), fresh), state, now, left)
        if not left and not fresh:
            break
        if few:
            demanded = _demanded(traces, now)
            written = np.where(demanded, now.written, traces.written)
            moves = np.where(demanded, now.moves, traces.moves)
            learned_from = _without(replace(traces, written=written, moves=moves), left)
    if best is None:
        what = f"after {count(state.iteration, 'iteration')} more than a tenth of the traces are still inconsistent"
        raise DfstError(what, do="They cannot be corrected: give more traces, or record them with fewer mistakes.")
    _, state, now, left = best
    return Corrected(_without(now, left), _changes(traces, now, left), tuple(left), state.iteration, state.model)


def _corrected_log(traces: Traces, options: Options, model: DFST, *, limit: Limit, watch: Watch, say: Say) -> Corrected:
    """A log as the machine answers it that describes it most shortly; what is not known stays so."""
    state, since = TrainState.start(model), 0
    best: tuple[Shortest, TrainState] | None = None
    while state.iteration < options.iterations and since < _PATIENCE:
        try:
            state = next_look(state, traces, options, LOOKS_AT_LOGS, limit=limit, watch=watch)
        except OutOfTime:
            if best is None:
                raise
            break
        known = [] if best is None else [best[0].machine]
        found = shortest(state.model, traces, known, dearer=NOISY, seconds=limit.left)
        since += 1
        if best is None or found.bits < best[0].bits:
            best, since = (found, state), 0
        changed = count(int(_differ(traces, best[0].traces).sum()), "step")
        say(f"iteration {state.iteration:,}: {changed} corrected, {count(len(best[0].machine.states), 'state')}")
    assert best is not None
    (found, state), now = best, best[0].traces
    return Corrected(now, _changes(traces, now), (), state.iteration, state.model, found.machine)


def _changes(traces: Traces, now: Traces, left: Sequence[int] = ()) -> tuple[Change, ...]:
    says, cases = answer if only_conversations(traces) else action, traces.cases or [""] * len(traces)
    return tuple(
        Change(i, step, named(traces, int(traces.seen[at])), says(traces, i, step), says(now, i, step), cases[i])
        for i, step, at in _changed(traces, now)
        if i not in left
    )


def _acted(model: DFST, traces: Traces) -> Traces:
    """The records as the model acts; where it has no opinion, they stay, and so does what is unknown."""
    actions = actions_along(model, traces)
    kept = (actions < 0).any(axis=0) | traces.unknown
    written, moves = np.where(kept, (traces.written, traces.moves), actions).astype(np.uint8)
    return replace(traces, written=written, moves=moves)


def _consistent(records: Traces, given: Traces) -> tuple[Traces, list[int]]:
    """``given`` with as few ``records`` put back as make each trace consistent, and the traces where none do.

    With what was put back two traces may see the same and act differently: then it is left out as well.
    """
    wrong = [fault.trace for fault in faults(given)]
    if len(wrong) > _SEARCHED * len(given):  # too little has been learned
        return given, wrong
    traces, left = list(given), []
    for i in wrong:
        ways = list(_ways(records[i], given[i]))
        inconsistent = {fault.trace for fault in faults(Traces.of(given.alphabet, ways))}
        found = next((way for at, way in enumerate(ways) if at not in inconsistent), None)
        if found is None:
            left.append(i)
        else:
            traces[i] = found
    now, searched = Traces.of(given.world, traces, given.problems, given.task), set(wrong)
    while pairs := list(disagreements(_without(now, left))):
        kept = [i for i in range(len(now)) if i not in set(left)]
        left += {kept[first] if kept[first] in searched else kept[second] for first, second, _ in pairs}
    return now, sorted(left)


def _demanded(records: Traces, now: Traces) -> np.ndarray:
    """For each step whether it differs from its record, and with the record its trace would be inconsistent."""
    changed = list(_changed(records, now))
    ways = [_put_back(records[trace], now[trace], [step]) for trace, step, _ in changed]
    found = np.zeros(len(records.seen), bool)
    found[[changed[fault.trace][2] for fault in faults(Traces.of(now.alphabet, ways))]] = True
    return found


def _ways(record: Trace, given: Trace) -> Iterator[Trace]:
    """``given`` with some of the changed steps as they were recorded, fewest first."""
    differing = np.flatnonzero((record.written != given.written) | (record.moves != given.moves)).tolist()
    if len(differing) > _PUT_BACK:
        return
    for steps in chain.from_iterable(combinations(differing, number) for number in range(1, len(differing) + 1)):
        yield _put_back(record, given, list(steps))


def _put_back(record: Trace, given: Trace, steps: list[int]) -> Trace:
    written, moves = given.written.copy(), given.moves.copy()
    written[steps], moves[steps] = record.written[steps], record.moves[steps]
    return Trace(given.seen, written, moves)


def _changed(records: Traces, now: Traces) -> Iterator[tuple[int, int, int]]:
    """The steps that differ: which trace, which step of it, and which of all."""
    for at in np.flatnonzero(_differ(records, now)).tolist():
        trace = int(np.searchsorted(records.offsets, at, "right")) - 1
        yield trace, at - int(records.offsets[trace]), at


def _differ(a: Traces, b: Traces) -> np.ndarray:
    return (a.written != b.written) | (a.moves != b.moves)


def _without(traces: Traces, left: list[int]) -> Traces:
    if not left:
        return traces
    return traces.part([i for i in range(len(traces)) if i not in set(left)])
