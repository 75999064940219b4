"""Learning by asking: from the shortest problem on, the learner asks for the trace that it is missing.

First every rule of the teacher is shown: a learner can hardly know a rule that it was never shown, so no time is spent
on learning before that. Then, in every round, state merging and a network learn from the traces so far, and problems
are sought on which the better one goes wrong: among random ones, and with the prover, which finds one or proves that
there is none. Those that tell most are shown, until a machine is proven equal to the teacher: one for each fault of the
learner, the most frequent fault first; of problems with the same fault, the one whose run shows most rules that were
never shown one after the other.

The network goes on from where the round before left it, but starts from scratch whenever the number of traces passes a
power of two: what it learned from half of them may be in the way of the rest. A round depends on the network, on the
traces so far and on the seed, and all of it is in the folder. So asking goes on if it was interrupted, and ends as if
it had not been.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise

from dfst.errors import DfstError, FileFormatError, printable
from dfst.exchange.merging import merge_traces
from dfst.extraction.pipeline import extract
from dfst.extraction.rehearse import probes
from dfst.files import make_folder, read_bytes, remove, write_atomically
from dfst.judging.certification import MACHINE, Certification, certify
from dfst.judging.checking import check_folder
from dfst.lock import only_process
from dfst.prove import checker
from dfst.prove.certificate import machine_hash
from dfst.prove.compare import compare
from dfst.prove.lockstep import Counterexample, first_difference
from dfst.prove.verdict import Conclusion, Verdict
from dfst.runs.checkpoint import checkpoint_bytes, parse_checkpoint
from dfst.runs.folder_files import ASKING, TRACES, made_with, write_facts, write_manifest
from dfst.runs.run_folder import RunFolder, Say, Watch
from dfst.seeds import Stream
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.record import record
from dfst.traces.traces import Trace, Traces
from dfst.training.engine import TrainState
from dfst.training.model import identity_model
from dfst.training.recall import recall
from dfst.until_proven.looking import LOOKS, Limit, Look, OutOfTime, Snapshot, count, next_look
from dfst.until_proven.merging import ALONE, MERGING, NETWORK, can_merge
from dfst.until_proven.train import ELSEWHERE, has_ended
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine
from dfst.world.policy import Policy
from dfst.world.rollout import Outcome
from dfst.world.worlds import in_world_of

Problem = tuple[str, ...]
Candidate = tuple[GridMachine, Snapshot | None]
"""A machine that was learned; and the snapshot that it was extracted from, if a network learned it."""

Proven = tuple[GridMachine, Snapshot | None, Verdict | None]
"""The same with the prover's verdict, if it is known."""

_POOL, _RICH = 300, 2000
"""Random problems that are tried in a round before the prover is called, and of which some may show new rules."""

_MERGED = 2000
"""Steps up to which state merging learns too: beyond that it takes minutes, and was never the first to be right."""

_STEPS = 100_000
"""Steps in which two machines must differ on a random problem, and a run must end that is asked for."""

_EIGHTH = 8
"""Of so many traces so far, one more is asked for at once; at least one."""

_LEAST = 100
"""Traces up to which any task may ask; beyond that, as many as it would be given without asking."""


class Asking:
    """What was asked so far, in the folder of ``run``, and what was learned from it.

    The traces are ``traces.jsonl`` there, in the order in which they were asked for.
    """

    def __init__(self, run: RunFolder, task: Task, limit: Limit, *, watch: Watch, say: Say) -> None:
        self.path, self.options, self.task = run.path, run.options, task
        self.limit, self.watch, self.say = limit, watch, say
        self.looks: list[Look] = []
        self.rounds = 0
        self.problems: list[Problem] = []
        self.shown: list[Trace] = []

    def until_proven(self) -> tuple[Proven | None, str]:
        """Learn from what was shown, and ask for what is missing, until a machine is proven; that, or why none is."""
        make_folder(self.path)
        with only_process(self.path, do=f"Wait until it ends, or {ELSEWHERE[0].lower()}{ELSEWHERE[1:]}"):
            self._begin()
            if has_ended(self.path):
                return (load_machine(self.path / MACHINE), None, None), ""
            if not self.problems and not can_merge():
                self.say(ALONE)
            while len(self.problems) <= max(_LEAST, self.task.sampling.n):
                try:
                    found, missing = self._look() if self.problems else (None, [])
                    if found is not None:
                        return found, ""
                    self._ask(missing)
                except OutOfTime:
                    return None, self.limit.not_enough()
            return None, f"{len(self.problems)} traces were not enough"

    def _begin(self) -> None:
        """Read what was asked there before; if that is nothing, say in the manifest who asks."""
        path, task = self.path / TRACES, self.task
        if not path.exists():
            facts = {"teacher_sha256": machine_hash(task.machine), "hidden_dim": self.options.hidden_dim}
            return write_manifest(self.path, self.options, None, **facts, digits=self.options.digits)
        before = load_traces(path)
        if (before.task, before.alphabet, len(before.problems)) != (task.name, task.machine.alphabet, len(before)):
            raise FileFormatError("its traces are not those that were asked for", where=str(path), do=ELSEWHERE)
        self.problems, self.shown = [*before.problems], [*before]

    @property
    def traces(self) -> Traces:
        """What was shown so far."""
        return Traces.of(self.task.world, self.shown, self.problems, self.task.name)

    def _ask(self, problems: list[Problem]) -> None:
        """Record the runs on ``problems``; while it is not known what to ask for, the shortest new one that halts."""
        if not problems:
            some = islice(self.task.machine.world.shortest_problems(), len(self.problems) + _POOL)
            new = [each for each in some if each not in self.problems]
            halting = (each for each in self._in_time(new) if _rules_along(self.task.machine, each))
            problems = [next(halting, new[0])]
        doubled = (len(self.problems) + len(problems)).bit_length() > len(self.problems).bit_length()
        self.problems += problems
        self.shown += record(self.task.machine, problems)
        if doubled:
            remove(self.path / ASKING)
        self.traces.save(self.path / TRACES)

    def _in_time(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The problems, one by one; :class:`OutOfTime` as soon as the time is up, but not before the first."""
        for problem in problems:
            yield problem
            self.limit.check()

    def _look(self) -> tuple[Proven | None, list[Problem]]:
        """A machine that is proven; or problems to ask for: first those with new rules, then counterexamples."""
        if new := [
            *self._in_time(with_new_rules(self.task.machine, self._in_time(self._random(_RICH)), self.problems))
        ]:
            return None, new
        self.rounds += 1
        teacher, pool = self.task.machine, self._random(_POOL)
        fewest: dict[Problem, Counterexample] = {}
        for machine, snapshot in self._learned():
            tried = (
                (each, first_difference(teacher, machine, each, step_limit=_STEPS)) for each in self._in_time(pool)
            )
            wrong = {problem: found for problem, found in tried if found is not None}
            conclusion, verdict = Conclusion.REFUTED, None
            if not wrong:
                verdict = compare(teacher, machine, seconds=self.limit.left)
                conclusion, found = verdict.conclusion, verdict.counterexample
                wrong = {} if found is None else {found.operands: found}
            iterations, learner = (0, MERGING) if snapshot is None else (snapshot.iterations, NETWORK)
            self.looks.append(look := Look(iterations, 0, len(machine.states), conclusion.value))
            states = count(len(machine.states), "state")
            self.say(f"{count(len(self.problems), 'trace')}, {learner}: {states}, {look.verdict}")
            if verdict is not None and verdict.proven:
                return (machine, snapshot, verdict), []
            if wrong and (not fewest or len(wrong) <= len(fewest)):
                fewest = wrong
        self.limit.check()  # whatever was begun may have ended early
        return None, most_telling(teacher, fewest, self.problems)

    def _learned(self) -> list[Candidate]:
        """What each of the learners makes of the traces so far."""
        traces, found, machine = self.traces, list[Candidate](), self.task.machine
        if can_merge() and len(traces.seen) <= _MERGED:
            try:
                merged = merge_traces(traces, machine.layout, "edsm", seconds=self.limit.left)
            except DfstError:
                self.limit.check()  # raises OutOfTime
                raise
            found.append((replace(merged, name=self.task.name), None))
        self.limit.check()
        if (state := self._network(traces)) is not None:
            extraction = extract(state.model, traces, rehearsing=False, seconds=self.limit.left)
            snapshot = Snapshot(state.iteration, state.model, extraction)
            found.append((in_world_of(machine, extraction.machine), snapshot))
        return found

    def _network(self, traces: Traces) -> TrainState | None:
        """The first look at which it takes every step of ``traces``; None if it does not, even from the beginning."""
        path, options = self.path / ASKING, self.options
        facts = {"seed": options.seed, "name": options.task}
        start = TrainState.start(identity_model(traces.world, options.hidden_dim, **facts))
        before = [parse_checkpoint(read_bytes(path), source=str(path))] if path.exists() else []
        for state in (*before, start):
            while not (learned := recall(state.model, traces).learned) and state.iteration < options.iterations:
                state = next_look(state, traces, options, LOOKS, limit=self.limit, watch=self.watch)
            if learned:
                write_atomically(path, checkpoint_bytes(state))
                return state
        return None

    def certified(self, found: Proven) -> Certification:
        """Write the certificate; if a network has it, a run folder around it.

        What had ended before is proven once more. If the certificate in the folder is lost, or is not about this
        teacher and the machine there, it is written anew.
        """
        (machine, snapshot, verdict), path, out = found, self.path, self.path
        if has_ended(path):
            try:
                check_folder(path, teacher=self.task.machine)
                out = None
            except (checker.Rejected, DfstError) as reason:
                why = reason.sentence if isinstance(reason, DfstError) else reason
                self.say(printable(f"the certificate in {path} does not hold, so it is made anew: {why}"))
            return certify(machine.with_origin(f"{path}:machine"), self.task, raw_length=0, out=out)
        learned: Policy = machine.with_origin(str(path))
        if snapshot is not None:
            options = replace(self.options, p=0, digits=0, n=len(self.traces))
            made = made_with(path) | {"data_sha256": self.traces.sha256}
            run = RunFolder.create(path, options, self.traces, also=partial(write_facts, path, made))
            run.keep(snapshot.model, snapshot.iterations)
            learned = run.model()
        extraction = None if snapshot is None else snapshot.extraction
        certification = certify(learned, self.task, made=(extraction, verdict), out=path, raw_length=0)
        remove(path / ASKING)
        return certification

    def _random(self, number: int) -> list[Problem]:
        """Random problems of which no run was shown."""
        world = self.task.world
        longest = [self.options.digits] * len(world.operands)
        stream = Stream(self.options.seed, f"asking after {len(self.problems)}")
        pool = dict.fromkeys(probes(world, longest, number, stream))
        return [problem for problem in pool if problem not in self.problems]


def with_new_rules(teacher: GridMachine, problems: Iterable[Problem], shown: Sequence[Problem]) -> Iterator[Problem]:
    """As few of the ``problems`` as a greedy choice finds, to show every rule that they can and ``shown`` did not.

    >>> from dfst import task
    >>> [*with_new_rules(task("add2").machine, [("0", "0"), ("10", "1"), ("101", "1100")], [("0", "0")])]
    [('101', '1100')]
    """
    runs = {problem: set(rules) for problem in problems if (rules := _rules_along(teacher, problem))}
    known = {rule for problem in shown for rule in _rules_along(teacher, problem)}
    while runs and not runs[best := max(runs, key=lambda problem: len(runs[problem] - known))] <= known:
        yield best
        known |= runs.pop(best)


def most_telling(
    teacher: GridMachine, wrong: Mapping[Problem, Counterexample], shown: Sequence[Problem]
) -> list[Problem]:
    """Some of the problems ``wrong``, each with the learner's fault; it has learned from the runs on ``shown``.

    >>> from dfst import GridMachine, task
    >>> from dfst.prove.lockstep import first_difference
    >>> teacher = task("add2").machine
    >>> rules = [rule for rule in teacher.rules() if rule.seen != "1"]
    >>> learner = GridMachine.from_rules(rules, alphabet=teacher.alphabet, layout=teacher.layout, start="enter")
    >>> problems = [("0", "1"), ("1", "11")]
    >>> wrong = {each: first_difference(teacher, learner, each, step_limit=1000) for each in problems}
    >>> most_telling(teacher, wrong, [("0", "0")])
    [('1', '11')]
    """
    runs = {problem: rules for problem in wrong if (rules := _rules_along(teacher, problem))}
    known = {pair for problem in shown for pair in pairwise(_rules_along(teacher, problem))}
    faults = {problem: (each.learner_state, each.seen, each.teacher_state) for problem, each in wrong.items()}
    often, met = Counter(faults.values()), Counter()
    chosen: list[Problem] = []

    def tells(problem: Problem) -> tuple[int, ...]:
        return -met[faults[problem]], often[faults[problem]], len(set(pairwise(runs[problem])) - known)

    while runs and len(chosen) < max(1, len(shown) // _EIGHTH):
        chosen.append(max(runs, key=tells))
        met[faults[chosen[-1]]] += 1
        known |= set(pairwise(runs.pop(chosen[-1])))
    return chosen


def _rules_along(teacher: GridMachine, problem: Problem) -> list[int]:
    """The rules of the teacher's run on ``problem``, as numbers; none if it does not halt: it cannot be asked for."""
    found = teacher.run(*problem, step_limit=_STEPS, record=True)
    return found.pairs.tolist() if found.outcome == Outcome.HALTED and found.pairs is not None else []
