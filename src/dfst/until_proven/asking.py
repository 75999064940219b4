"""Learning by asking: from the shortest problem on, the learner asks for the trace that it is missing.

First every rule of the teacher is shown. Then, in every round, state merging and a network learn from the traces so
far, and problems are sought on which the better one goes wrong: among random ones, and with the prover, which finds one
or proves that there is none. Those that tell most (``telling``) are shown, until a machine is proven
equal to the teacher.

The network goes on from where the round before left it (``pupil``). A round depends on that, on the
traces so far and on the seed, and all of it is in the folder. So asking goes on if it was interrupted, and ends as if
it had not been.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from dfst.exchange.merging import merge_traces
from dfst.extraction.pipeline import Extraction, extract
from dfst.extraction.rehearse import probes
from dfst.files import make_folder
from dfst.lock import only_process
from dfst.names import NamedPolicy
from dfst.prove.certificate import machine_hash
from dfst.prove.compare import compare
from dfst.prove.lockstep import Counterexample, first_difference
from dfst.prove.verdict import Conclusion
from dfst.runs.new_folder import ASKING, TRACES
from dfst.runs.run_config import RunConfig
from dfst.runs.run_folder import RunFolder
from dfst.seeds import Stream
from dfst.study.certification import certify
from dfst.teachers.sampling import Sampling
from dfst.teachers.task import Task
from dfst.traces.operands import shortest_problems
from dfst.traces.record import record
from dfst.traces.traces import Trace, Traces
from dfst.training.model import DFST
from dfst.until_proven.asked import check_asked, check_can_ask, has_ended, judged_again, note_asker, shown_before
from dfst.until_proven.learned import MERGING, NETWORK, Learned, Look, Say, quiet
from dfst.until_proven.looks import OutOfTime, Watch, check_time
from dfst.until_proven.pupil import Pupil
from dfst.until_proven.telling import Problem, most_telling, with_new_rules
from dfst.world.machine import GridMachine
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
    """A machine that was learned in a round, and by whom; of a network also the model, and its extraction."""

    machine: GridMachine
    learner: str
    iterations: int = 0
    model: DFST | None = None
    extraction: Extraction | None = None


def learn_asking(
    path: Path,
    config: RunConfig,
    task: Task,
    *,
    longest: int | None = None,
    shows: Shows | None = None,
    seconds: float | None = None,
    resume: bool = False,
    watch: Watch | None = None,
    say: Say = quiet,
) -> Learned:
    """Learn ``task`` from traces that are asked for, one after another, and write what was learned to ``path``.

    Problems are sought with numbers of up to ``longest`` digits, by default one more than in the task's own traces.
    ``shows`` answers; by default it is the task's teacher. The traces are ``traces.jsonl`` in the folder, in the order
    in which they were asked for; ``resume`` goes on from them. If the network learned it, it is a run folder on these
    traces. What had ended before is only judged again.
    """
    check_can_ask(path, resume)
    make_folder(path)
    longest = longest or task.sampling.q + 1
    with only_process(path, do="Wait until it ends, or choose another folder with --out."):
        if (path / TRACES).exists():
            check_asked(path, config, task, longest)
        else:
            note_asker(path, config, task, longest)
        if has_ended(path):
            return judged_again(path, config, task, say)
        if not _can_merge():
            say('state merging is left out, the network learns alone: pip install "dfst[arena]" brings AALpy')
        shows = shows or (lambda problem: record(task.machine, [problem])[0])
        asking = _Asking(path, config, task, longest, shows, seconds, watch, say)
        try:
            found, why = asking.with_counterexamples()
        except OutOfTime:
            found, why = None, f"{seconds:g} seconds were not enough; resume it with --resume"
    return asking.ended(path, found, why)


class _Asking:
    """What was asked so far, and what was learned from it."""

    def __init__(
        self,
        path: Path,
        config: RunConfig,
        task: Task,
        longest: int,
        shows: Shows,
        seconds: float | None,
        watch: Watch | None,
        say: Say,
    ) -> None:
        self.path, self.config, self.task, self.longest = path / TRACES, config, task, longest
        self.pupil = Pupil(path / ASKING, config)
        self.shows, self.watch, self.say = shows, watch, say
        self.began = time.monotonic()
        self.deadline = None if seconds is None else self.began + seconds
        self.most = max(_LEAST, task.sampling.n)
        self.looks: list[Look] = []
        self.round = 0
        before = shown_before(path, task) if self.path.exists() else None
        self.problems: list[Problem] = [] if before is None else [*before.problems]
        self.shown: list[Trace] = [] if before is None else [*before]
        if before is None:
            self.ask([next(shortest_problems(task.machine))])

    def ask(self, problems: list[Problem]) -> None:
        """Have the runs on ``problems`` shown; as long as it is not known what to ask for, the shortest new one."""
        if not problems:
            problems = [next(each for each in shortest_problems(self.task.machine) if each not in self.problems)]
        doubled = (len(self.problems) + len(problems)).bit_length() > len(self.problems).bit_length()
        for problem in problems:
            self.problems.append(problem)
            self.shown.append(self.shows(problem))
        if doubled:
            self.pupil.forget()
        self.traces.save(self.path)

    @property
    def traces(self) -> Traces:
        """What was shown so far."""
        machine = self.task.machine
        return Traces.of(machine.alphabet, self.shown, self.problems, self.task.name, machine.layout)

    def with_counterexamples(self) -> tuple[Candidate | None, str]:
        """The first machine that is proven equal to the teacher, or why there is none."""
        while len(self.problems) <= self.most:
            if new := with_new_rules(self.task.machine, self._random(_RICH), self.problems, step_limit=_STEPS):
                self.ask(new)
                continue
            proven, problems = self._judged(self._learned())
            if proven is not None:
                return proven, ""
            self.ask(problems)
        return None, f"{len(self.problems)} traces were not enough"

    def ended(self, path: Path, found: Candidate | None, why: str) -> Learned:
        """Write the certificate if there is one; if a network has it, a run folder around it."""
        traces, config = self.traces, replace(self.config, sampling=Sampling(0, 0, len(self.problems)))
        certification, learner, iterations = None, NETWORK, 0
        if found is not None:
            learner, iterations = found.learner, found.iterations
            named = NamedPolicy(found.machine, str(path))
            if found.model is not None:
                run = RunFolder.create_from_traces(path, config, traces)
                note_asker(path, config, self.task, self.longest, traces)
                run.keep(found.model, iterations)
                named = NamedPolicy(run.model(), str(path), run=run)
            options = {"extraction": found.extraction, "raw_length": 0}
            certification = certify(named, self.task, out=path, **options)
            self.pupil.forget()
        took, looks = time.monotonic() - self.began, tuple(self.looks)
        facts = {"rounds": self.round, "learner": learner, "teacher_sha256": machine_hash(self.task.machine)}
        return Learned(path, config.seed, iterations, took, looks, certification, traces, why, **facts)

    def _learned(self) -> list[Candidate]:
        """What each of the learners makes of the traces so far."""
        self.round += 1
        traces, found = self.traces, []
        if _can_merge() and len(traces.seen) <= _MERGED:
            machine = merge_traces(traces, self.task.machine.layout, "edsm")
            found.append(Candidate(replace(machine, name=self.task.name), MERGING))
        check_time(self.deadline)
        if (network := self._network(traces)) is not None:
            found.append(network)
        return found

    def _network(self, traces: Traces) -> Candidate | None:
        """The machine of the first snapshot that has learned the traces; None if none has."""
        state = self.pupil.learn(traces, self.watch, self.deadline)
        if state is None:
            return None
        extraction = extract(state.model, traces, rehearsing=False)
        machine = beside(self.task.machine, extraction.machine)
        return Candidate(machine, NETWORK, state.iteration, state.model, extraction)

    def _random(self, count: int) -> list[Problem]:
        """Random problems of which no run was shown."""
        alphabet, layout = self.task.machine.alphabet, self.task.machine.layout
        longest = [self.longest] * len(layout.operand_parts(alphabet))
        stream = Stream(self.config.seed, f"asking after {len(self.problems)}")
        pool = dict.fromkeys(probes(alphabet, layout, longest, count, stream))
        return [problem for problem in pool if problem not in self.problems]

    def _judged(self, candidates: list[Candidate]) -> tuple[Candidate | None, list[Problem]]:
        """A machine that is proven; or problems on which the one that is right most often is wrong."""
        teacher, pool = self.task.machine, self._random(_POOL)
        fewest: dict[Problem, Counterexample] = {}
        for each in candidates:
            check_time(self.deadline)
            tried = {p: first_difference(teacher, each.machine, p, step_limit=_STEPS) for p in pool}
            wrong = {problem: found for problem, found in tried.items() if found is not None}
            conclusion = Conclusion.REFUTED
            if not wrong:
                verdict = compare(teacher, each.machine)
                conclusion, found = verdict.conclusion, verdict.counterexample
                wrong = {} if found is None else {found.operands: found}
            self._note(each, conclusion.value)
            if conclusion == Conclusion.EXACT:
                return each, []
            if wrong and (not fewest or len(wrong) <= len(fewest)):
                fewest = wrong
        return None, most_telling(teacher, fewest, self.problems, step_limit=_STEPS)

    def _note(self, candidate: Candidate, verdict: str) -> None:
        states = len(candidate.machine.states)
        self.looks.append(Look(candidate.iterations, 0, states, verdict))
        many = len(self.problems)
        self.say(f"{many} trace{'s' * (many > 1)}, {candidate.learner}: {states} states, {verdict}")


def _can_merge() -> bool:
    return find_spec("aalpy") is not None
