"""From a task to a certificate in one go: train, look at snapshots on another core, stop at the first proof.

Snapshots are taken at fixed iterations and judged in their order, so the result is the earliest one that is proven,
however fast this computer is and however late a proof arrives. A snapshot is extracted only if it takes every recorded
action (a look of milliseconds), first without rehearsal, which is nearly all of an extraction's time, and compared
with few configurations: a comparison that ends undecided takes minutes, in which later snapshots would wait.
"""

from __future__ import annotations

import queue
import threading
import time
from itertools import islice

from dfst.errors import DfstError
from dfst.extraction.pipeline import Extraction, extract
from dfst.extraction.report import suggest
from dfst.names import NamedPolicy
from dfst.prove.certificate import machine_hash
from dfst.prove.compare import SMALL, compare
from dfst.prove.verdict import Verdict
from dfst.runs.kept import kept
from dfst.runs.run_folder import RunFolder
from dfst.study.certification import MACHINE, Certification, certify
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.training.fit import Progress
from dfst.training.model import DFST
from dfst.training.recall import recall
from dfst.until_proven.learned import Learned, Look, Say, quiet
from dfst.until_proven.looks import Watch, look_interval
from dfst.world.same import beside

LOOKS = 40
"""Snapshots of a whole training, evenly spaced over its iterations."""

_GLANCE = 64
"""Traces that are tried before all of them: a model that has not learned these need not be led along thousands."""


class _Stop(Exception):
    """Training need not go on."""


def learn_run(
    run: RunFolder,
    *,
    teacher: Task | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
    say: Say = quiet,
) -> Learned:
    """Train ``run`` until a snapshot of it is proven equal to its teacher, or to its end, or for so many ``seconds``.

    The model, machine, certificate and card go to the run folder. A run on traces alone may be given their ``teacher``;
    without one nothing can be proven, and the lesson ends when the extracted machine leaves nothing to ask.
    """
    began = time.monotonic()
    lesson = _Lesson(run, teacher, seconds, say)
    if (iteration := kept(run.path)) is not None:
        lesson.close()
        return lesson.judged(iteration, began)
    try:
        run.train(watch=lambda progress: lesson.see(progress, watch))
    except _Stop:
        pass
    except BaseException:  # Ctrl-C included: what waits to be judged is of no use any more
        lesson.close(abandon=True)
        raise
    lesson.close()
    found = lesson.found
    if found is None and not lesson.late:
        return lesson.last_word(began)
    if found is None:
        why = f"{seconds:.3g} seconds were not enough; resume it with --resume"
        return lesson.ended(lesson.iteration, began, None, why)
    iteration, model, extraction, verdict = found
    run.keep(model, iteration)
    return lesson.judged(iteration, began, extraction, verdict)


class _Lesson:
    """One training, and the thread that looks at its snapshots."""

    def __init__(self, run: RunFolder, teacher: Task | None, seconds: float | None, say: Say) -> None:
        self.run, self.say, self.traces = run, say, run.traces()
        self.task = teacher if run.has_own_traces else run.task()
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.interval = look_interval(run.config.recipe.iterations, LOOKS)
        self.found: tuple[int, DFST, Extraction, Verdict | None] | None = None
        self.looks: list[Look] = []
        self.glance = Traces.of(self.traces.alphabet, list(islice(self.traces, _GLANCE)))
        records = run.records()
        self.iteration = records[-1].iteration if records else 0
        self._abandoned = False
        self._snapshots: queue.SimpleQueue[tuple[int, DFST] | None] = queue.SimpleQueue()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def see(self, progress: Progress, watch: Watch | None) -> None:
        """Called after every block of training."""
        self.iteration = progress.iteration
        if progress.iteration % self.interval == 0:
            self._snapshots.put((progress.iteration, progress.model()))
        if watch is not None:
            watch(progress)
        if self.found is not None or self._error is not None or self.late:
            raise _Stop

    @property
    def left(self) -> float | None:
        """Seconds that are left, at least one; None if there is no limit."""
        return None if self.deadline is None else max(1.0, self.deadline - time.monotonic())

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def close(self, *, abandon: bool = False) -> None:
        """Let the snapshots that are waiting be judged, as any of them may be the first; or ``abandon`` them."""
        self._abandoned = abandon
        self._snapshots.put(None)
        self._thread.join()
        if self._error is not None and not abandon:
            raise self._error

    def last_word(self, began: float) -> Learned:
        """At the end of training: the whole extraction, rehearsal included."""
        model = self.run.model()
        judged = recall(model, self.traces)
        if not judged.learned:
            why = f"{judged.explain()}; dfst doctor {self.run.path} looks for the cause"
            return self.ended(self.iteration, began, None, why)
        return self.judged(self.iteration, began)

    def judged(
        self, iteration: int, began: float, extraction: Extraction | None = None, verdict: Verdict | None = None
    ) -> Learned:
        """The certificate, of what is known already if it is given; of traces alone, only the machine."""
        certification, why = None, ""
        named = NamedPolicy(self.run.model(), str(self.run.path), run=self.run)
        if self.task is not None:
            options = {"extraction": extraction, "verdict": verdict, "seconds": self.left, "raw_length": 0}
            certification = certify(named, self.task, out=self.run.path, **options)
        else:
            machine = (extraction or extract(named.model(), self.traces, seconds=self.left)).machine
            machine.save(self.run.path / MACHINE)
            why = "no teacher; dfst extract reports the evidence for the machine"
        return self.ended(iteration, began, certification, why)

    def ended(self, iteration: int, began: float, certification: Certification | None, why: str) -> Learned:
        """The record of it."""
        seed, took, looks = self.run.config.seed, time.monotonic() - began, tuple(self.looks)
        teacher = None if self.task is None else machine_hash(self.task.machine)
        options = {"why": why, "teacher_sha256": teacher}
        return Learned(self.run.path, seed, iteration, took, looks, certification, self.traces, **options)

    def _look(self) -> None:
        try:
            while (snapshot := self._snapshots.get()) is not None:
                if self.found is None and not self.late and not self._abandoned:
                    self._judge(*snapshot)
        except BaseException as error:  # it is raised again where the training runs
            self._error = error

    def _judge(self, iteration: int, model: DFST) -> None:
        wrong = recall(model, self.glance).wrong_steps or recall(model, self.traces).wrong_steps
        if wrong:
            return self._note(Look(iteration, wrong))
        try:
            extraction = extract(model, self.traces, rehearsing=False, seconds=self.left)
        except DfstError as error:
            return self._note(Look(iteration, 0, 0, error.what))
        states, verdict = len(extraction.machine.states), None
        if self.task is None:
            asks = suggest(extraction.evidence, 1)
            exact, said = not asks, "nothing left to ask" if not asks else "something is left to ask"
        else:
            learner = beside(self.task.machine, extraction.machine)
            verdict = compare(self.task.machine, learner, limit=SMALL, seconds=self.left)
            exact, said = verdict.exact, verdict.conclusion.value
        if exact:
            self.found = (iteration, model, extraction, verdict)
        return self._note(Look(iteration, 0, states, said))

    def _note(self, look: Look) -> None:
        self.looks.append(look)
        self.say(look.line())
