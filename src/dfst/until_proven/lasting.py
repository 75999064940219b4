"""Raw models that last: train, take dimensions away while the traces can still be fitted, make the walks steady.

A linear recurrence with spare dimensions learns a short walk as a transient that counts its cells, and directions that
no recorded state ever takes may grow. With as few dimensions as the behaviour needs there is little room for either,
and what it does on a walk can be made repeatable (:mod:`dfst.training.reduce`). Nobody but the traces is asked: of
the models that fit them, the one that agrees longest with the machine extracted from itself is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dfst.errors import DfstError
from dfst.extraction.pipeline import extract
from dfst.runs.run_folder import RunFolder
from dfst.runs.run_options import own_settings
from dfst.study.certification import MACHINE
from dfst.study.lengths import own_length, self_agreement
from dfst.teachers.task import Task
from dfst.training.fit import DivergedError, Progress
from dfst.training.model import DFST
from dfst.training.recall import recall
from dfst.training.recipes import Recipe
from dfst.training.recipes import recipe as named_recipe
from dfst.training.reduce import reduce
from dfst.training.weights import MODEL_FILE
from dfst.until_proven.stages import POLISH, Stage, lasts, save_stages, stages_of
from dfst.world.machine import GridMachine

LASTING = "lasting"

_REFIT = 1 / 8
"""A refit takes this part of a polish's iterations."""

_FIRST_STEP = 8
"""The first try takes away one dimension in so many; where that is too much, half as many, down to a single one."""

_JUMP = 30
"""Where the loss is so many times the least one so far, the dimensions count as too few."""

_ROUNDS = ((_REFIT, 1.0), (_REFIT, 1.0), (1.0, 1.0), (1.0, 2.5), (1.0, 1.5))
"""How often it is polished at most: the part of the recipe's iterations, and of its rate. Fitting again what was made
steady is often enough; a long round at a high rate shakes bad directions out. Most models last without any."""


def train_run(
    run: RunFolder,
    *,
    watch: Callable[[Progress], None] | None = None,
    note: Callable[[str], None] = lambda text: None,
    checkpoint_seconds: float = 30.0,
) -> float:
    """Train ``run`` as its recipe says, in one go or in stages; the loss on all traces at full length.

    >>> import tempfile
    >>> import dfst
    >>> from pathlib import Path
    >>> add2, recipe = dfst.task("add2"), dfst.recipe("fast", "add2").changed(iterations=20)
    >>> from dfst.runs.run_config import RunConfig
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     config = RunConfig("add2", recipe, add2.sampling, add2.hidden_dim)
    ...     train_run(dfst.RunFolder.create(Path(folder) / "run", config)) < 1
    True
    """
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
    own = own_settings(run.traces() if run.has_own_traces else run.task())
    with run.alone():
        lesson = _Lesson(run, watch or (lambda progress: None), note, checkpoint_seconds)
        lesson.narrow(named_recipe("fast", run.config.task).changed(**own))
        best = lesson.longest_lasting()
        note(f"{run.path.name}: keeping {best.name}")
        return run.finish([stage.folder(run) for stage in lesson.stages], best.model(run))


class _Lesson:
    """The stages of one run, as far as they have come."""

    def __init__(
        self,
        run: RunFolder,
        watch: Callable[[Progress], None],
        note: Callable[[str], None],
        checkpoint_seconds: float,
    ) -> None:
        self.run, self.watch, self.note, self.checkpoint_seconds = run, watch, note, checkpoint_seconds
        self.traces, self.longest = run.traces(), own_length(run.config.task)
        self.known = {stage.name: stage for stage in stages_of(run)}
        self.names: list[str] = []

    @property
    def stages(self) -> list[Stage]:
        """Those of this lesson, in their order, as they are known by now."""
        return [self.known[name] for name in self.names]

    def narrow(self, fast: Recipe) -> None:
        """Fit, then take dimensions away until the traces can no longer be fitted."""
        recipe = self.run.config.recipe
        refit = recipe.changed(name="refit", iterations=max(1, int(recipe.iterations * _REFIT)))
        good = self.stage(f"d{self.run.config.hidden_dim}", fast)
        if not good.fits:
            what = "the first fit does not act as the traces say everywhere, so no dimension can be taken away"
            do = f"Look for the cause: dfst doctor {good.folder(self.run).path}; or try another --seed."
            raise DfstError(what, where=str(self.run.path), do=do)
        least, too_few, step = good.loss, 0, max(1, good.hidden_dim // _FIRST_STEP)
        while step:
            d = good.hidden_dim - step
            if d <= too_few:
                step //= 2
                continue
            start = partial(reduce, good.folder(self.run).model(), self.traces, d)
            tried = self.stage(f"d{d}", refit, start, at_most=_JUMP * least)
            if tried.fits:
                good, least = tried, min(least, tried.loss)
            else:
                too_few = d

    def longest_lasting(self) -> Stage:
        """Of those that fit, the one that lasts longest; the fewest dimensions first, and no further than needed.

        If none of them lasts as far as is measured, the best is polished, some rounds, each from the best so far.
        """
        looked: list[Stage] = []
        for stage in sorted((stage for stage in self.stages if stage.fits), key=lambda stage: stage.hidden_dim):
            looked.append(self.look(stage))
            if self.is_enough(looked[-1]):
                return looked[-1]
        recipe, done = self.run.config.recipe, set()
        for number, (part, faster) in enumerate(_ROUNDS, 1):
            best = max(looked, key=lasts)
            if best.agrees == best.looked_to:  # nothing is known that polishing could mend
                break
            if (best.name, part, faster) in done:  # it would be the same round again
                continue
            done.add((best.name, part, faster))
            iterations, rate = max(1, int(recipe.iterations * part)), min(1.0, recipe.learning_rate * faster)
            polish = recipe.changed(name="polish", iterations=iterations, learning_rate=rate)
            tried = self.stage(f"{POLISH}{number}", polish, partial(best.model, self.run))
            looked += [self.look(tried)] if tried.fits else []
            if self.is_enough(looked[-1]):
                break
        return max(looked, key=lasts)

    def is_enough(self, stage: Stage) -> bool:
        return (stage.agrees or 0) >= self.longest

    def stage(
        self, name: str, recipe: Recipe, start: Callable[[], DFST] | None = None, at_most: float = math.inf
    ) -> Stage:
        """Train it, if that has not been done; a loss above ``at_most`` does not fit, nor does what diverges."""
        path, known = self.run.path / "stages" / name, self.known.get(name)
        if known is None or (known.loss < math.inf and not (path / MODEL_FILE).exists()):
            run = self.run.stage(name, recipe, start)
            try:
                loss = run.train(
                    watch=lambda progress: self.watch(progress._replace(stage=name)),
                    note=self.note,
                    checkpoint_seconds=self.checkpoint_seconds,
                )
                fits = loss <= at_most and recall(run.model(), self.traces).learned
            except DivergedError:
                if start is None:  # there is nothing else to go on with
                    raise
                loss, fits = math.inf, False
            self.remember(Stage(name, run.start().hidden_dim, loss, run.seconds, fits))
        self.names.append(name)
        return self.known[name]

    def look(self, stage: Stage) -> Stage:
        """See how long its model lasts with steady walks; and as it was trained, if that is not far enough."""
        if stage.agrees is None:
            self.note(f"{self.run.path.name} {stage.name}: comparing the model with the machine extracted from it")
            found: list[tuple[Stage, GridMachine]] = []
            for tried in (replace(stage, steady=True), stage):
                if recall(tried.model(self.run), self.traces).learned:
                    found.append(self.compared(tried))
                    if found[-1][0].agrees == found[-1][0].looked_to:
                        break
            stage, machine = max(found, key=lambda each: lasts(each[0]))
            machine.save(stage.folder(self.run).path / MACHINE)
            self.remember(stage)
        return stage

    def compared(self, stage: Stage) -> tuple[Stage, GridMachine]:
        """How far the model of ``stage`` does what the machine extracted from it does; and that machine.

        Whoever watches the run may stop it here as well, by raising.
        """
        config, model = self.run.config, stage.model(self.run)
        trained = stage.folder(self.run).config.recipe.iterations
        here = Progress(trained, stage.loss, None, lambda: model, trained, stage.name)
        machine = extract(model, self.traces, progress=lambda text: self.watch(here)).machine
        own = Task(config.task, machine, config.hidden_dim, config.sampling)
        threads = config.threads or None
        found = self_agreement(model, own, threads=threads, progress=lambda: self.watch(here))
        return replace(stage, agrees=found.rlg or 0, agrees_random=found.plg, looked_to=found.to), machine

    def remember(self, stage: Stage) -> None:
        """Keep what a stage came to, and say it."""
        self.note(f"{self.run.path.name}: {stage.explain()}")
        self.known[stage.name] = stage
        save_stages(self.run, self.known.values())
