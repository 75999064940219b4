"""Learning by asking: from the shortest problem on, the learner asks for the trace that it is missing.

First every rule of the teacher is shown. Then, in every round, state merging and a network learn from the traces so
far, and problems are sought on which the better one goes wrong: among random ones, and with the prover, which finds one
or proves that there is none. Those that tell most (``telling``) are shown, until a machine is proven equal to the
teacher.

The network goes on from where the round before left it, but starts from scratch whenever the number of traces passes a
power of two: what it learned from half of them may be in the way of the rest. A round depends on the network, on the
traces so far and on the seed, and all of it is in the folder. So asking goes on if it was interrupted, and ends as if
it had not been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

from dfst.errors import DfstError, FileFormatError, printable
from dfst.exchange.merging import merge_traces
from dfst.extraction.pipeline import extract
from dfst.extraction.rehearse import probes
from dfst.files import make_folder, read_bytes, remove, write_atomically
from dfst.judging.certification import MACHINE, Certification, certify
from dfst.judging.checking import check_folder
from dfst.lock import only_process
from dfst.names import NamedPolicy
from dfst.prove import checker
from dfst.prove.certificate import machine_hash
from dfst.prove.compare import compare
from dfst.prove.lockstep import Counterexample, first_difference
from dfst.prove.verdict import Conclusion
from dfst.runs.checkpoint import checkpoint_bytes, parse_checkpoint
from dfst.runs.new_folder import ASKING, TRACES
from dfst.runs.run_folder import RunFolder, Say, Watch
from dfst.runs.run_manifest import made_with, write_facts, write_manifest
from dfst.seeds import Stream
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.operands import shortest_problems
from dfst.traces.record import record
from dfst.traces.traces import Trace, Traces
from dfst.training.engine import TrainState
from dfst.training.model import identity_model
from dfst.training.recall import recall
from dfst.training.weights import MODEL_FILE
from dfst.until_proven.begin import ELSEWHERE, has_ended
from dfst.until_proven.learned import MERGING, NETWORK, Learned, Look, Snapshot, count
from dfst.until_proven.looking import LOOKS, Limit, OutOfTime, next_look
from dfst.until_proven.telling import Problem, most_telling, with_new_rules
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine
from dfst.world.same import beside

Shows = Callable[[Problem], Trace]
"""Whoever answers: it is given a problem and shows its run on it."""

_POOL, _RICH = 300, 2000
"""Random problems that are tried in a round before the prover is called, and of which some may show new rules."""

_MERGED = 2000
"""Steps up to which state merging learns too: beyond that it takes minutes, and was never the first to be right."""

_STEPS = 100_000
"""Steps in which two machines must differ on a random problem."""

_LEAST = 100
"""Traces up to which any task may ask; beyond that, as many as it would be given without asking."""


class Candidate(NamedTuple):
    """A machine that was learned; and the snapshot that it was extracted from, if a network learned it."""

    machine: GridMachine
    snapshot: Snapshot | None = None

    @property
    def learner(self) -> str:
        """Who learned it."""
        return MERGING if self.snapshot is None else NETWORK

    @property
    def iterations(self) -> int:
        """What it took."""
        return 0 if self.snapshot is None else self.snapshot.iterations


class Asking:
    """What was asked so far, in the folder of ``run``, and what was learned from it; ``shows`` answers.

    The traces are ``traces.jsonl`` there, in the order in which they were asked for.
    """

    def __init__(self, run: RunFolder, task: Task, looks: list[Look], limit: Limit, shows: Shows | None) -> None:
        self.path, self.options, self.task, self.looks, self.limit = run.path, run.options, task, looks, limit
        self.shows = shows or (lambda problem: record(task.machine, [problem])[0])
        self.rounds = 0
        self.problems: list[Problem] = []
        self.shown: list[Trace] = []

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other process in the folder; what was asked there before is known."""
        make_folder(self.path)
        path, task = self.path / TRACES, self.task
        with only_process(self.path, do=f"Wait until it ends, or {ELSEWHERE[0].lower()}{ELSEWHERE[1:]}"):
            if path.exists():
                before = load_traces(path)
                of = before.task, before.alphabet, len(before.problems)
                if of != (task.name, task.machine.alphabet, len(before)):
                    what = "its traces are not those that were asked for"
                    raise FileFormatError(what, where=str(path), do=ELSEWHERE)
                self.problems, self.shown = [*before.problems], [*before]
            else:
                facts = {"teacher_sha256": machine_hash(task.machine), "hidden_dim": self.options.hidden_dim}
                write_manifest(self.path, self.options, None, **facts, digits=self.options.digits)
            yield

    def ask_and_look(self, watch: Watch, say: Say) -> tuple[Candidate | None, str]:
        """One round: learn from what was shown, and ask for what is missing; a machine that is proven, or why none."""
        if has_ended(self.path):
            return Candidate(load_machine(self.path / MACHINE)), ""
        if len(self.problems) > max(_LEAST, self.task.sampling.n):
            return None, f"{len(self.problems)} traces were not enough"
        if not self.problems and not can_merge():
            say('state merging is left out, the network learns alone: pip install "dfst[arena]" brings AALpy')
        try:
            found, missing = self._look(watch, say) if self.problems else (None, [])
        except OutOfTime:
            return None, self.limit.not_enough()
        if found is None:
            self._ask(missing)
        return found, ""

    @property
    def traces(self) -> Traces:
        """What was shown so far."""
        machine = self.task.machine
        return Traces.of(machine.alphabet, self.shown, self.problems, self.task.name, machine.layout)

    def _ask(self, problems: list[Problem]) -> None:
        """Have the runs on ``problems`` shown; as long as it is not known what to ask for, the shortest new one."""
        if not problems:
            problems = [next(each for each in shortest_problems(self.task.machine) if each not in self.problems)]
        doubled = (len(self.problems) + len(problems)).bit_length() > len(self.problems).bit_length()
        for problem in problems:
            self.problems.append(problem)
            self.shown.append(self.shows(problem))
        if doubled:
            remove(self.path / ASKING)
        self.traces.save(self.path / TRACES)

    def _look(self, watch: Watch, say: Say) -> tuple[Candidate | None, list[Problem]]:
        """A machine that is proven; or problems to ask for: first those with new rules, then counterexamples."""
        if new := with_new_rules(self.task.machine, self._random(_RICH), self.problems, step_limit=_STEPS):
            return None, new
        self.rounds += 1
        teacher, pool = self.task.machine, self._random(_POOL)
        fewest: dict[Problem, Counterexample] = {}
        for each in self._learned(watch):
            self.limit.check()
            tried = {p: first_difference(teacher, each.machine, p, step_limit=_STEPS) for p in pool}
            wrong = {problem: found for problem, found in tried.items() if found is not None}
            conclusion = Conclusion.REFUTED
            if not wrong:
                verdict = compare(teacher, each.machine)
                conclusion, found = verdict.conclusion, verdict.counterexample
                wrong = {} if found is None else {found.operands: found}
            states = len(each.machine.states)
            self.looks.append(Look(each.iterations, 0, states, conclusion.value))
            traces = count(len(self.problems), "trace")
            say(f"{traces}, {each.learner}: {count(states, 'state')}, {conclusion.value}")
            if conclusion == Conclusion.EXACT:
                return each, []
            if wrong and (not fewest or len(wrong) <= len(fewest)):
                fewest = wrong
        return None, most_telling(teacher, fewest, self.problems, step_limit=_STEPS)

    def _learned(self, watch: Watch) -> list[Candidate]:
        """What each of the learners makes of the traces so far."""
        traces, found, machine = self.traces, list[Candidate](), self.task.machine
        if can_merge() and len(traces.seen) <= _MERGED:
            merged = merge_traces(traces, machine.layout, "edsm")
            found.append(Candidate(replace(merged, name=self.task.name)))
        self.limit.check()
        if (state := self._network(traces, watch)) is not None:
            extraction = extract(state.model, traces, rehearsing=False)
            learner = beside(machine, extraction.machine)
            found.append(Candidate(learner, Snapshot(state.iteration, state.model, extraction)))
        return found

    def _network(self, traces: Traces, watch: Watch) -> TrainState | None:
        """The first look at which it takes every step of ``traces``; None if it does not, even from the beginning."""
        path, options = self.path / ASKING, self.options
        facts = {"seed": options.seed, "name": options.task, "layout": traces.layout}
        start = TrainState.start(identity_model(traces.alphabet, options.hidden_dim, **facts))
        before = [parse_checkpoint(read_bytes(path), source=str(path))] if path.exists() else []
        for state in (*before, start):
            while not (learned := recall(state.model, traces).learned) and state.iteration < options.iterations:
                state = next_look(state, traces, options, LOOKS, limit=self.limit, watch=watch)
            if learned:
                write_atomically(path, checkpoint_bytes(state))
                return state
        return None

    def ended(self, found: Candidate | None, why: str, say: Say) -> Learned:
        """Write the certificate if there is one; if a network has it, a run folder around it.

        What had ended before is only judged again.
        """
        certification, traces, again = None, self.traces, has_ended(self.path)
        learner = NETWORK if found is None or (again and (self.path / MODEL_FILE).is_file()) else found.learner
        if found is not None and again:
            certification = self._judged_again(found, say)
        elif found is not None:
            named = NamedPolicy(found.machine, str(self.path))
            if (snapshot := found.snapshot) is not None:
                options = replace(self.options, p=0, digits=0, n=len(traces))
                made = made_with(self.path) | {"data_sha256": traces.sha256}
                manifest = partial(write_facts, self.path, made)
                run = RunFolder.create(self.path, options, traces, also=manifest)
                run.keep(snapshot.model, snapshot.iterations)
                named = NamedPolicy(run.model(), str(self.path), run=run)
            extraction = None if snapshot is None else snapshot.extraction
            certification = certify(named, self.task, out=self.path, extraction=extraction, raw_length=0)
            remove(self.path / ASKING)
        return Learned(
            self.path, self.options.seed, 0 if found is None else found.iterations, self.limit.passed,
            tuple(self.looks), certification, traces, why,
            rounds=self.rounds, learner=learner, teacher_sha256=machine_hash(self.task.machine),
        )  # fmt: skip

    def _judged_again(self, found: Candidate, say: Say) -> Certification:
        """Prove it once more, and check the certificate in the folder.

        If that is lost, or is not about this teacher and the machine in the folder, it is written anew.
        """
        path, out = self.path, None
        try:
            check_folder(path, teacher=self.task.machine)
        except (checker.Rejected, DfstError) as reason:
            why = reason.sentence if isinstance(reason, DfstError) else reason
            say(printable(f"the certificate in {path} does not hold, so it is made anew: {why}"))
            out = path
        return certify(NamedPolicy(found.machine, f"{path}:machine"), self.task, raw_length=0, out=out)

    def _random(self, number: int) -> list[Problem]:
        """Random problems of which no run was shown."""
        alphabet, layout = self.task.machine.alphabet, self.task.machine.layout
        longest = [self.options.digits] * len(layout.operand_parts(alphabet))
        stream = Stream(self.options.seed, f"asking after {len(self.problems)}")
        pool = dict.fromkeys(probes(alphabet, layout, longest, number, stream))
        return [problem for problem in pool if problem not in self.problems]


def can_merge() -> bool:
    """Whether the library of state merging is installed."""
    return find_spec("aalpy") is not None
