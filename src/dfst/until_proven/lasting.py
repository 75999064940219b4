"""Raw models that last: train, take dimensions away while the traces can still be fitted, make the walks steady.

A linear recurrence with spare dimensions learns a short walk as a transient that counts its cells, and directions that
no recorded state ever takes may grow. With as few dimensions as the behaviour needs there is little room for either,
and what it does on a walk can be made repeatable (:mod:`dfst.training.reduce`). Nobody but the traces is asked: of
the models that fit them, the one that agrees longest with the machine extracted from itself is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial

from dfst.errors import DfstError, FileFormatError
from dfst.extraction.pipeline import extract
from dfst.files import write_atomically
from dfst.judging.certification import MACHINE
from dfst.judging.lengths import own_length, reached_text, self_agreement
from dfst.lock import only_process
from dfst.records import json_text, read_json, read_record
from dfst.runs.folder_files import MANIFEST, write_manifest, write_resumption
from dfst.runs.options import Options
from dfst.runs.run_folder import IN_USE, RunFolder, Say, Watch, quiet
from dfst.teachers.task import Task
from dfst.training.engine import TrainState
from dfst.training.fit import DivergedError, Progress
from dfst.training.model import DFST
from dfst.training.recall import recall
from dfst.training.recipes import Recipe
from dfst.training.reduce import reduce, steady
from dfst.training.weights import MODEL_FILE
from dfst.world.machine import GridMachine

LASTING, STAGES, POLISH = "lasting", "stages.json", "polish"

_REFIT = 1 / 8
"""A refit takes this part of a polish's iterations."""

_FIRST_STEP = 8
"""The first try takes away one dimension in so many; where that is too much, half as many, down to a single one."""

_JUMP = 30
"""Where the loss is so many times the least one so far, the dimensions count as too few."""

_ROUNDS = ((_REFIT, 1.0), (_REFIT, 1.0), (1.0, 1.0), (1.0, 2.5), (1.0, 1.5))
"""How often it is polished at most: the part of the recipe's iterations, and of its rate. Fitting again what was made
steady is often enough; a long round at a high rate shakes bad directions out. Most models last without any."""


@dataclass(frozen=True)
class Stage:
    """One training on the way, and up to what length its model does what the machine extracted from it does.

    ``fits`` says whether the model acts as all the traces say, and its loss has not jumped. ``agrees`` is that length
    on random problems and on those of one symbol, as an RLG is measured, ``agrees_random`` on random ones, as a PLG;
    both are None for a stage that nobody needed to look at. ``looked_to`` is the length to which this was measured:
    less than asked for, if the machine takes too many steps on longer problems. ``steady`` says whether they are about
    the model with steady walks; ``loss`` is that of the model as it was trained.
    """

    name: str
    hidden_dim: int
    loss: float
    seconds: float
    fits: bool
    steady: bool = False
    agrees: int | None = None
    agrees_random: int | None = None
    looked_to: int | None = None

    def explain(self) -> str:
        """In words.

        >>> Stage("d8", 8, 9.8e-10, 6.6, fits=True, steady=True, agrees=3850, looked_to=3850).explain()
        'd = 8: loss as trained 9.8e-10; with steady walks agrees with its own machine to at least 3,850 symbols'
        """
        if self.agrees is None or self.looked_to is None:
            return f"d = {self.hidden_dim}: loss {self.loss:.1e}{'' if self.fits else '; does not fit the traces'}"
        walks = "with steady walks " if self.steady else ""
        how = f"{walks}agrees with its own machine to {reached_text(self.agrees, self.looked_to)} symbols"
        return f"d = {self.hidden_dim}: loss as trained {self.loss:.1e}; {how}"

    def model(self, run: RunFolder) -> DFST:
        """What this stage of ``run`` came to."""
        trained = self.folder(run).model()
        return steady(trained) if self.steady else trained

    def folder(self, run: RunFolder) -> RunFolder:
        """Where it was trained."""
        return RunFolder.open(run.path / "stages" / self.name)


def stages_of(run: RunFolder) -> list[Stage]:
    """What the stages of a lasting run came to so far, in their order."""
    path = run.path / STAGES
    do = "Remove it; the stages' models stay, and are looked at once more."
    found = read_json(path, do=do) if path.exists() else []
    if not isinstance(found, list):
        raise FileFormatError("it is damaged", where=str(path), do=do)
    return [read_record(Stage, each, where=str(path), do=do) for each in found]


def lasts(stage: Stage) -> tuple[int, int]:
    """How long its model lasts, and with how few dimensions; the larger the better, and needs no teacher."""
    return stage.agrees or 0, -stage.hidden_dim


def kept_stage(run: RunFolder) -> Stage:
    """The one whose model a lasting run ended with."""
    return max((stage for stage in stages_of(run) if stage.agrees is not None), key=lasts)


def train_lasting(run: RunFolder, *, watch: Watch = quiet, say: Say = quiet) -> float:
    """Train ``run`` to the end, from where it was stopped if it was; the loss of the model that is kept.

    Every stage is a run folder below ``stages/``; stages.json says what they came to.
    """
    fast = Options().on(run.traces() if run.has_own_traces else run.task()).training
    with only_process(run.path, do=IN_USE):
        if (run.path / MANIFEST).exists():
            write_resumption(run.path, run.traces())
        else:
            write_manifest(run.path, run.options, run.traces())
        stages = _Stages(run, watch, say)
        stages.narrow(fast)
        best = stages.longest_lasting()
        say(f"{run.path.name}: keeping {best.name}")
        return run.finish([stage.folder(run) for stage in stages.done], best.model(run))


class _Stages:
    """The stages of one run, as far as they have come."""

    def __init__(self, run: RunFolder, watch: Watch, say: Say) -> None:
        self.run, self.watch, self.say = run, watch, say
        self.traces, self.longest = run.traces(), own_length(run.options.task)
        self.known = {stage.name: stage for stage in stages_of(run)}
        self.names: list[str] = []

    @property
    def done(self) -> list[Stage]:
        """Those so far, in their order, as they are known by now."""
        return [self.known[name] for name in self.names]

    def narrow(self, fast: Recipe) -> None:
        """Fit, then take dimensions away until the traces can no longer be fitted."""
        recipe = self.run.options.training
        refit = recipe.changed(name="refit", iterations=max(1, int(recipe.iterations * _REFIT)))
        good = self.stage(f"d{self.run.options.hidden_dim}", fast)
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
        for stage in sorted((stage for stage in self.done if stage.fits), key=lambda stage: stage.hidden_dim):
            looked.append(self.look(stage))
            if lasts(looked[-1])[0] >= self.longest:
                return looked[-1]
        recipe, done = self.run.options.training, set()
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
            if lasts(looked[-1])[0] >= self.longest:
                break
        return max(looked, key=lasts)

    def stage(
        self, name: str, recipe: Recipe, start: Callable[[], DFST] | None = None, at_most: float = math.inf
    ) -> Stage:
        """Train it, if that has not been done; a loss above ``at_most`` does not fit, nor does what diverges."""
        path, known = self.run.path / "stages" / name, self.known.get(name)
        if known is None or (known.loss < math.inf and not (path / MODEL_FILE).exists()):
            run = self.run.stage(name, recipe, start)
            try:
                loss = run.train(watch=lambda progress: self.watch(progress._replace(stage=name)), say=self.say)
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
            self.say(f"{self.run.path.name} {stage.name}: comparing the model with the machine extracted from it")
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
        options, model = self.run.options, stage.model(self.run)
        trained = stage.folder(self.run).options.iterations
        here = Progress(trained, stage.loss, None, lambda: TrainState.start(model), trained, stage.name)
        machine = extract(model, self.traces, progress=lambda text: self.watch(here)).machine
        own = Task(options.task, machine, options.hidden_dim, options.sampling)
        found = self_agreement(model, own, threads=options.threads or None, progress=lambda: self.watch(here))
        return replace(stage, agrees=found.rlg or 0, agrees_random=found.plg, looked_to=found.to), machine

    def remember(self, stage: Stage) -> None:
        """Keep what a stage came to, so that a run that goes on need not find it out again, and say it."""
        self.say(f"{self.run.path.name}: {stage.explain()}")
        self.known[stage.name] = stage
        text = json_text([asdict(each) for each in self.known.values()], indent=1)
        write_atomically(self.run.path / STAGES, f"{text}\n".encode())
