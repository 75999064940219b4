"""Looks at a training: at fixed iterations, so that what is seen is always the same, however fast this computer is.

While a run folder is trained, another core judges its snapshots in their order, so the result is the earliest one that
is proven, however late a proof arrives. A snapshot is extracted only if it takes every recorded action (a look of
milliseconds), first without rehearsal, which is nearly all of an extraction's time, and compared with few
configurations: a comparison that ends undecided takes minutes, in which later snapshots would wait.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from dfst.effort import Effort
from dfst.errors import DfstError
from dfst.extraction.pipeline import Extraction, extract
from dfst.extraction.report import suggest
from dfst.prove.compare import SMALL, compare
from dfst.prove.verdict import Verdict
from dfst.runs.folder_files import kept
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.teachers.task import Task
from dfst.traces.logs import only_conversations
from dfst.traces.traces import Traces
from dfst.training.engine import TrainState
from dfst.training.fit import RECORDS, Progress, make_engine, training
from dfst.training.model import DFST
from dfst.training.recall import recall
from dfst.world.machine import GridMachine
from dfst.world.worlds import in_world_of

LOOKS = 40
"""Snapshots of a whole training, evenly spaced over its iterations."""

_GLANCE, _FEW = 64, 100
"""Traces that are tried before all of them: a model that has not learned these need not be led along thousands. Of so
many steps of a log one may be wrong at the end of a training."""


@dataclass(frozen=True)
class Snapshot:
    """A model after so many iterations; and, if that is known already, its extraction and the prover's verdict."""

    iterations: int
    model: DFST
    extraction: Extraction | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Look:
    """What was seen of one snapshot: wrong steps, the states of its machine, and what became of it.

    ``against`` says where the machine differs from the teacher, if it is refuted.
    """

    iteration: int
    wrong_steps: int
    states: int | None = None
    verdict: str = ""
    against: str = ""

    def line(self) -> str:
        """For a log."""
        if self.states is None:
            return f"iteration {self.iteration:,}: {count(self.wrong_steps, 'step')} not yet as recorded"
        return f"iteration {self.iteration:,}: {count(self.states, 'state')}, {self.verdict}"


def count(number: int, what: str) -> str:
    """So many of something."""
    return f"{number:,} {what}{'s' * (number != 1)}"


Choose = Callable[[Snapshot], tuple[Look, Snapshot | None]]
"""What is seen of a snapshot without a teacher; and one that is good enough, as soon as there is one."""


class OutOfTime(DfstError):
    """The seconds that were given have passed."""


class _Stop(Exception):
    """Training need not go on."""


class Limit(Effort):
    """So many ``seconds`` from now on; None: no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(math.inf, seconds)

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.seconds is not None and self.passed > self.seconds

    def check(self) -> None:
        """End with :class:`OutOfTime` if the time is up."""
        if self.late:
            raise OutOfTime("the time was up before it was learned", do="Give it more --seconds.")

    def not_enough(self) -> str:
        """Why nothing is proven, if the time is up."""
        return f"{self.seconds:.3g} seconds were not enough; resume it with --resume"


def look_interval(iterations: int, looks: int) -> int:
    """How many iterations lie between two of so many ``looks``."""
    return RECORDS // looks * max(1, iterations // RECORDS)


def next_look(
    state: TrainState, traces: Traces, options: Options, looks: int, *, limit: Limit, watch: Watch = quiet
) -> TrainState:
    """``state`` trained on ``traces`` to the next of so many ``looks``; :class:`OutOfTime` if the time is up before."""
    interval, recipe = look_interval(options.iterations, looks), options.training
    engine = make_engine(options.engine, state, traces, recipe, seed=options.seed, threads=options.threads)
    for progress in training(engine, recipe, state.iteration):
        watch(progress)
        limit.check()
        if progress.iteration % interval == 0:
            break
    return engine.state()


def look_while_training(
    run: RunFolder,
    task: Task | None,
    looks: list[Look],
    *,
    choose: Choose | None = None,
    limit: Limit,
    watch: Watch,
    say: Say,
) -> tuple[Snapshot | None, str]:
    """Train ``run`` until a snapshot is proven equal to the teacher of ``task``, or to its end, or to the ``limit``.

    Without a task nothing can be proven, and it ends when the extracted machine leaves nothing to ask, or with the
    snapshot that ``choose`` hands over. Every look is added to ``looks``. What there is at the end if it has learned
    its traces, still to be extracted; or why not.
    """
    if (iteration := kept(run.path)) is not None:
        return Snapshot(iteration, run.model()), ""
    traces, also, interval = run.traces(), run.explains(), look_interval(run.options.iterations, LOOKS)
    glance = Traces.of(traces.alphabet, list(islice(traces, _GLANCE)))

    def look(iteration: int, model: DFST, wrong: int = 0) -> Snapshot | None:
        seen, good = Look(iteration, wrong), None
        if not wrong:
            seen, good = _look(iteration, model, traces, task, also, limit, choose)
        looks.append(seen)
        say(seen.line())
        return good

    found: Snapshot | None = None
    if also and not run.records() and (found := look(0, run.start())) is not None:
        return found, ""  # the machine by which the log was corrected is good enough
    abandoned, judged = False, list[Future[None]]()

    def judge(iteration: int, model: DFST) -> None:
        nonlocal found
        if found is not None or limit.late or abandoned:
            return
        found = look(iteration, model, recall(model, glance).wrong_steps or recall(model, traces).wrong_steps)

    def see(progress: Progress) -> None:
        if progress.iteration % interval == 0:
            judged.append(pool.submit(judge, progress.iteration, progress.model()))
        watch(progress)
        if found is not None or limit.late or any(each.done() and each.exception() for each in judged):
            raise _Stop

    with ThreadPoolExecutor(1) as pool:
        try:
            run.train(watch=see)
        except _Stop:
            pass  # the snapshots that are waiting are still judged, as any of them may be the first
        except BaseException:  # Ctrl-C included: what waits to be judged is of no use any more
            abandoned = True
            raise
    for each in judged:
        each.result()  # what went wrong there is raised here
    if found is not None:
        return found, ""
    if limit.late:
        refuted = next((f"; the machine so far is {look.against}" for look in reversed(looks) if look.against), "")
        return None, limit.not_enough() + refuted
    model, known = run.model(), recall(run.model(), traces)
    few = known.steps // _FEW if only_conversations(traces) else 0  # a log's machine need not explain every record
    if known.wrong_steps > few:
        return None, f"{known.explain()}; dfst doctor {run.path} looks for the cause"
    return Snapshot(run.options.iterations, model), ""


def _look(
    iteration: int,
    model: DFST,
    traces: Traces,
    task: Task | None,
    also: list[GridMachine],
    limit: Limit,
    choose: Choose | None,
) -> tuple[Look, Snapshot | None]:
    """What is seen of a snapshot that takes every recorded action; and itself, if it is good enough."""
    try:
        extraction = extract(model, traces, also=also, rehearsing=False, seconds=limit.left)
    except DfstError as error:
        return Look(iteration, 0, 0, error.what), None
    verdict, against = None, ""
    if choose is not None:
        return choose(Snapshot(iteration, model, extraction))
    if task is None:
        exact = not suggest(extraction.evidence, 1)
        said = "nothing left to ask" if exact else "something is left to ask"
    else:
        learner = in_world_of(task.machine, extraction.machine)
        verdict = compare(task.machine, learner, limit=SMALL, seconds=limit.left)
        exact, said = verdict.proven, verdict.conclusion.value
        against = verdict.explain() if verdict.refuted else ""
    snapshot = Snapshot(iteration, model, extraction, verdict)
    return Look(iteration, 0, len(extraction.machine.states), said, against), snapshot if exact else None
