"""Raw models that last: train, take dimensions away while the traces can still be fitted, polish what is left.

A linear recurrence with spare dimensions learns a short walk as a transient that counts its cells, and directions that
no recorded state ever takes may grow. With as few dimensions as the behaviour needs there is room for neither. Nobody
but the traces is asked: of the models that fit them, the one that agrees longest with the machine extracted from itself
is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from dfst.act.recall import recall
from dfst.errors import DfstError, FileFormatError
from dfst.experts.task import Task
from dfst.files import read_text, write_atomically
from dfst.learn.fit import Progress
from dfst.learn.model import DFST
from dfst.learn.recipes import Recipe
from dfst.learn.recipes import recipe as named_recipe
from dfst.learn.reduce import reduce
from dfst.learn.run_folder import RunFolder
from dfst.prove.extract import extract
from dfst.study.certification import MACHINE
from dfst.study.lengths import PAPER_LENGTHS, Lengths, measure_lengths
from dfst.traces.traces import Traces
from dfst.world.machine_file import save_machine

LASTING, STAGES = "lasting", "stages.json"

_REFIT = 8
"""A refit takes one part in so many of a polish's iterations."""

_FIRST_STEP = 8
"""The first try takes away one dimension in so many; where that is too much, half as many, down to a single one."""

_JUMP = 30
"""Where the loss is so many times the least one so far, the dimensions are too few: it jumps by hundreds then."""

_ROUNDS = (1.0, 2.5, 1.5)
"""How often it is polished at most, and at how many times the recipe's rate: a high one shakes bad directions out."""

_OWN_LENGTH = 200
"""Agreement with its own machine is measured to this many symbols, where the paper names no length."""


@dataclass(frozen=True)
class Stage:
    """One training on the way, and up to what length its model does what the machine extracted from it does.

    ``agrees`` is that length on random problems and on those of one symbol, as an RLG is measured, ``agrees_random`` on
    random ones, as a PLG; both are None where the traces are not fitted.
    """

    name: str
    hidden_dim: int
    loss: float
    seconds: float
    agrees: int | None = None
    agrees_random: int | None = None

    def explain(self) -> str:
        """In words."""
        if self.agrees is None:
            return f"d = {self.hidden_dim}: loss {self.loss:.1e}; too few dimensions for the traces"
        return f"d = {self.hidden_dim}: loss {self.loss:.1e}, agrees with its own machine to {self.agrees} digits"


def train_run(
    run: RunFolder,
    *,
    watch: Callable[[Progress], None] | None = None,
    note: Callable[[str], None] = lambda text: None,
    checkpoint_seconds: float = 30.0,
) -> float:
    """Train ``run`` as its recipe says; the loss on all traces at full length."""
    train = train_lasting if run.config.recipe.name == LASTING else RunFolder.train
    return train(run, watch=watch, note=note, checkpoint_seconds=checkpoint_seconds)


def train_lasting(
    run: RunFolder,
    *,
    watch: Callable[[Progress], None] | None = None,
    note: Callable[[str], None] = lambda text: None,
    checkpoint_seconds: float = 30.0,
) -> float:
    """Train ``run`` to the end, from where it was stopped if it was; the loss of the model that is kept.

    Every stage is a run folder below ``stages/``; stages.json says what they came to.
    """
    own = {} if run.has_own_traces else run.task().training
    lesson = _Lesson(run, watch, note, checkpoint_seconds)
    wide = lesson.stage(f"d{run.config.hidden_dim}", named_recipe("fast", run.config.task).changed(**own))
    lesson.polish(lesson.narrowed(wide))
    best = max(lesson.stages, key=_lasts)
    note(f"{run.path.name}: keeping {best.name}")
    return run.finish([lesson.folder(stage.name) for stage in lesson.stages], lesson.folder(best.name))


def stages_of(run: RunFolder) -> list[Stage]:
    """What the stages of a lasting run came to so far, in their order."""
    path = run.path / STAGES
    try:
        return [Stage(**each) for each in json.loads(read_text(path))] if path.exists() else []
    except (ValueError, TypeError, RecursionError):
        do = "Remove it; the stages' models stay, and are looked at once more."
        raise FileFormatError("it is damaged", where=str(path), do=do) from None


def _lasts(stage: Stage) -> tuple[int, float]:
    """The larger the better; needs no teacher."""
    return stage.agrees or 0, -stage.loss


@dataclass(frozen=True)
class _Lesson:
    run: RunFolder
    watch: Callable[[Progress], None] | None
    note: Callable[[str], None]
    checkpoint_seconds: float

    @cached_property
    def traces(self) -> Traces:
        return self.run.traces()

    @cached_property
    def stages(self) -> list[Stage]:
        return []

    @cached_property
    def known(self) -> dict[str, Stage]:
        return {stage.name: stage for stage in stages_of(self.run)}

    @property
    def longest(self) -> int:
        return PAPER_LENGTHS.get(self.run.config.task, _OWN_LENGTH)

    def folder(self, name: str) -> RunFolder:
        return RunFolder.open(self.run.path / "stages" / name)

    def model(self, stage: Stage) -> DFST:
        return self.folder(stage.name).model()

    def narrowed(self, wide: Stage) -> Stage:
        """The stage with the fewest dimensions that still fits the traces."""
        if wide.agrees is None:
            what = "the first fit does not act as the traces say everywhere, so no dimension can be taken away"
            do = f"Look for the cause: dfst doctor {self.folder(wide.name).path}"
            raise DfstError(what, where=str(self.run.path), do=do)
        recipe = self.run.config.recipe
        refit = recipe.changed(name="refit", iterations=max(1, recipe.iterations // _REFIT))
        good, too_few, step = wide, 0, max(1, wide.hidden_dim // _FIRST_STEP)
        while step:
            d = good.hidden_dim - step
            if d <= too_few:
                step //= 2
                continue
            tried = self.stage(f"d{d}", refit, lambda d=d, good=good: reduce(self.model(good), self.traces, d))
            if tried.agrees is None:
                too_few = d
            else:
                good = tried
        return good

    def polish(self, narrow: Stage) -> None:
        """Some rounds, each of which begins with the one of its dimensions that agrees longest with its own machine."""
        recipe, best = self.run.config.recipe, narrow
        for number, faster in enumerate(_ROUNDS, 1):
            if (best.agrees or 0) >= self.longest:
                break
            polish = recipe.changed(name="polish", learning_rate=recipe.learning_rate * faster)
            tried = self.stage(f"d{narrow.hidden_dim}-polish{number}", polish, lambda best=best: self.model(best))
            best = max(best, tried, key=_lasts)

    def stage(self, name: str, recipe: Recipe, start: Callable[[], DFST] | None = None) -> Stage:
        """Train it, if that has not been done, and look at its model."""
        if (stage := self.known.get(name)) is None:
            run = self.run.stage(name, recipe, start)
            loss = run.train(watch=self.watcher(name), note=self.note, checkpoint_seconds=self.checkpoint_seconds)
            stage = Stage(name, run.model().hidden_dim, loss, run.records()[-1].seconds)
            least = min((known.loss for known in self.stages if known.agrees is not None), default=loss)
            if loss <= _JUMP * least and recall(run.model(), self.traces).learned:
                own = self.own_lengths(run)
                stage = replace(stage, agrees=own.rlg or 0, agrees_random=own.plg)
        self.stages.append(stage)
        self.note(f"{self.run.path.name}: {stage.explain()}")
        write_atomically(self.run.path / STAGES, (json.dumps(list(map(asdict, self.stages)), indent=1) + "\n").encode())
        return stage

    def watcher(self, stage: str) -> Callable[[Progress], None] | None:
        """Whoever watches the run, told which stage it is in."""
        watch = self.watch
        return None if watch is None else lambda progress: watch(progress._replace(stage=stage))

    def own_lengths(self, run: RunFolder) -> Lengths:
        """How far the model of ``run`` does what the machine extracted from it does; keeps the machine."""
        config, model = self.run.config, run.model()
        machine = extract(model, self.traces).machine
        save_machine(machine, run.path / MACHINE)
        own = Task(config.task, machine, config.hidden_dim, config.sampling)
        return measure_lengths(model, own, to=self.longest, threads=config.threads or None)
