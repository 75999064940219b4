"""A run folder: a training run that people can watch, stop, move and resume.

It holds config.toml (everything that decides the result), manifest.json (where it was made), metrics.jsonl (one record
per line), checkpoints/, and at the end model.safetensors and README.md (the model card). A run on a task that does not
come with the package keeps its file as task.dfst; a run on traces alone keeps them as traces.jsonl. A run that goes on
from given weights holds them as start.safetensors. A run of several stages has a run folder for each below stages/.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dfst.errors import FileFormatError, InputError
from dfst.files import Lines, flush_folder, make_folder, read_text, read_toml, remove, remove_unfinished
from dfst.files import write_atomically as write
from dfst.lock import LOCK_FILE, only_process
from dfst.runs.card import Training, run_card
from dfst.runs.checkpoint import newest_checkpoint, save_checkpoint
from dfst.runs.kept import check_not_kept, mark_kept
from dfst.runs.metrics import METRICS, one_after_another, read_records, write_records
from dfst.runs.new_folder import FIRST, START, TRACES, check_new
from dfst.runs.run_config import RunConfig
from dfst.runs.run_manifest import write_manifest, write_resumption
from dfst.teachers.find import named_task
from dfst.teachers.task import Task
from dfst.teachers.task_file import parse_task
from dfst.traces.consistency import check_traces
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.traces.understand import understand
from dfst.training.engine import TrainState
from dfst.training.fit import Progress, Record, check_engine, make_engine, training
from dfst.training.model import DFST, identity_model, loss
from dfst.training.recipes import Recipe
from dfst.training.weights import MODEL_FILE, load_model

CONFIG = "config.toml"
_WRITTEN = (METRICS, "manifest.json", MODEL_FILE, "README.md")
Fill = Callable[[], None]
_ELSEWHERE = "Wait until it ends, or stop it; or choose another folder with --out."


@dataclass(frozen=True)
class RunFolder:
    """A run folder on disk."""

    path: Path
    config: RunConfig

    @classmethod
    def create(cls, path: Path, config: RunConfig, *, task: str = "") -> RunFolder:
        """A new run; never overwrites anything. ``task`` is the text of the task's file, if it is not one of ours."""
        return cls._create(path, config, lambda: None, task=task)

    @classmethod
    def _create(cls, path: Path, config: RunConfig, fill: Fill, *, task: str = "") -> RunFolder:
        """``fill`` writes what else belongs to it; config.toml comes last, so that a folder that has one is whole."""
        check_new(path)
        check_engine(config.engine)
        make_folder(path)
        with only_process(path, do=_ELSEWHERE):
            check_new(path)  # again: until here, another process could have been faster
            for name in FIRST - {LOCK_FILE}:
                remove(path / name)  # left by a run that was killed while it was made
            remove_unfinished(path)
            flush_folder(path)  # so that whatever is left of a crash, the lock says that it is ours
            if task:
                write(path / "task.dfst", task.encode())
            fill()
            write(path / CONFIG, config.dump().encode())
        return cls(path, config)

    @classmethod
    def create_from_traces(
        cls, path: Path, config: RunConfig, traces: Traces, *, start: DFST | None = None, also: Fill = lambda: None
    ) -> RunFolder:
        """A new run on traces alone, from ``start`` if given, with what ``also`` writes; refuses impossible traces."""
        check_traces(traces)

        def fill() -> None:
            understand(traces).save(path / TRACES)
            if start is not None:
                start.save(path / START)
            also()

        return cls._create(path, config, fill)

    def stage(self, name: str, recipe: Recipe, start: Callable[[], DFST] | None = None) -> RunFolder:
        """A part of this run, in a folder of its own: the same traces and seed, another recipe, from other weights."""
        path = self.path / "stages" / name
        if (path / CONFIG).exists():
            begun = RunFolder.open(path)
            return replace(begun, config=replace(begun.config, threads=self.config.threads))
        begin = None if start is None else start()

        def fill() -> None:
            if begin is not None:
                begin.save(path / START)
            if self.has_own_traces:
                self.traces().save(path / TRACES)

        task = self.path / "task.dfst"
        d = self.config.hidden_dim if begin is None else begin.hidden_dim
        config = replace(self.config, recipe=recipe, hidden_dim=d)
        return self._create(path, config, fill, task=read_text(task) if task.exists() else "")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """For a run of several stages, around all of them: no other process in the folder, and a manifest."""
        with only_process(self.path, do=_ELSEWHERE):
            if (self.path / "manifest.json").exists():
                write_resumption(self.path, self.traces())
            else:
                write_manifest(self.path, self.config, self.traces())
            yield

    def finish(self, stages: Sequence[RunFolder], model: DFST) -> float:
        """End with ``model``, which ``stages`` came to; its loss on all traces at full length."""
        records = one_after_another(stage.records() for stage in stages)
        write_records(self.path, records)
        traces = self.traces()
        iterations = sum(stage.config.recipe.iterations for stage in stages)
        return self._end(model, loss(model, traces), traces, iterations, records[-1].nonfinite if records else 0)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """An existing run."""
        source = path / CONFIG
        if not source.exists():
            what = "there is no run in it" if path.is_dir() else "there is no such folder"
            what = "it is a file, not a run folder" if path.is_file() else what
            raise InputError(what, where=str(path), do="Give the folder of a run (it has a config.toml).")
        return cls(path, RunConfig.parse(read_toml(source), source=str(source)))

    @property
    def model_path(self) -> Path:
        """Where the trained model is, once there is one."""
        return self.path / MODEL_FILE

    @property
    def has_own_traces(self) -> bool:
        """Whether it learns from traces it was given, of which nobody knows the teacher."""
        return (self.path / TRACES).exists()

    def task(self) -> Task:
        """The task it learns: the one in its folder, or the one of that name."""
        path = self.path / "task.dfst"
        if self.has_own_traces:
            do = f"Name a teacher with --teacher, or see the evidence for its machine: dfst extract {self.path}"
            raise InputError("it learned from traces alone, so there is no teacher", where=str(self.path), do=do)
        if path.exists():
            return parse_task(read_text(path), source=str(path))
        try:
            return named_task(self.config.task)
        except InputError:
            what = f"its task {self.config.task!r} does not come with dfst, and there is no task.dfst in the folder"
            raise FileFormatError(what, where=str(self.path), do="Put the task's machine file there.") from None

    def traces(self, progress: Callable[[int, int], None] | None = None) -> Traces:
        """The training data: what it was given, or recorded anew from the config; always the same."""
        if self.has_own_traces:
            return load_traces(self.path / TRACES)
        task, source = self.task(), str(self.path / CONFIG)
        try:
            return task.sample(self.config.sampling, seed=self.config.data_seed, progress=progress)
        except InputError as error:
            raise FileFormatError(error.what, where=source, do=error.do) from None

    def model(self) -> DFST:
        """The trained model."""
        return load_model(self.model_path)

    @property
    def seconds(self) -> float:
        """How long it has been trained."""
        return max((record.seconds for record in self.records()), default=0.0)

    def records(self) -> list[Record]:
        """The records so far; a last line cut short by a crash does not count."""
        return read_records(self.path)

    def train(
        self,
        *,
        watch: Callable[[Progress], None] | None = None,
        note: Callable[[str], None] = lambda text: None,
        checkpoint_seconds: float = 30.0,
    ) -> float:
        """Train to the end, from the newest checkpoint if there is one; the loss on the whole data set at full length.

        ``watch`` sees every block; ``note`` gets sentences for people. Whatever ends the run early (Ctrl-C included),
        the state is saved first. Another process in the same folder is refused.
        """
        if self.config.recipe.name == "lasting":
            do = "Use train_run(run), or dfst train --resume."
            raise InputError("the recipe lasting has several stages", where=str(self.path), do=do)
        check_not_kept(self.path)
        with only_process(self.path, do=_ELSEWHERE):
            return self._train(watch, note, checkpoint_seconds)

    def _train(
        self, watch: Callable[[Progress], None] | None, note: Callable[[str], None], checkpoint_seconds: float
    ) -> float:
        make_folder(self.path / "checkpoints")
        remove_unfinished(self.path / "checkpoints")
        remove_unfinished(self.path, *_WRITTEN)
        traces = self.traces()
        if self.has_own_traces:
            check_traces(traces)
        state, complaints = newest_checkpoint(self.path / "checkpoints")
        for complaint in complaints:
            note(f"{complaint} Falling back to an older checkpoint.")
        config = self.config
        if state is None:
            state = TrainState.start(self.start())
            write_manifest(self.path, config, traces)
        else:
            note(f"resuming at iteration {state.iteration}")
            if state.iteration < config.recipe.iterations:
                write_resumption(self.path, traces)
        records = [record for record in self.records() if record.iteration <= state.iteration]
        write_records(self.path, records)
        before = records[-1].seconds if records else 0.0
        engine = make_engine(config.engine, state, traces, config.recipe, seed=config.seed, threads=config.threads)
        saved, saved_at = state.iteration, time.monotonic()
        with Lines(self.path / METRICS) as metrics:

            def save() -> None:
                metrics.flush()  # first, so that a checkpoint never knows more than the records
                save_checkpoint(engine.state(), self.path / "checkpoints")

            try:
                for progress in training(engine, config.recipe, state.iteration):
                    if progress.record:
                        record = progress.record._replace(seconds=round(before + progress.record.seconds, 3))
                        metrics.add(json.dumps(record._asdict()))
                    if watch:
                        watch(progress)
                    if time.monotonic() - saved_at >= checkpoint_seconds:
                        save()
                        saved, saved_at = progress.iteration, time.monotonic()
            finally:
                final = engine.state()
                if final.iteration > saved:
                    save()
        return self._end(final.model, engine.loss(), traces, final.iteration, final.nonfinite)

    def keep(self, model: DFST, iterations: int) -> float:
        """End early, for good, with the ``model`` it had after so many ``iterations``; its loss on all traces."""
        with only_process(self.path, do=_ELSEWHERE):
            records, traces = [r for r in self.records() if r.iteration <= iterations], self.traces()
            write_records(self.path, records)
            mark_kept(self.path, iterations)
            return self._end(model, loss(model, traces), traces, iterations, records[-1].nonfinite if records else 0)

    def _end(self, model: DFST, loss: float, traces: Traces, iterations: int, nonfinite: int) -> float:
        """Write what a finished run leaves."""
        model.save(self.model_path)
        maker = f"the teacher `{self.config.task}`"
        if self.has_own_traces:
            maker = "an unknown teacher (`traces.jsonl`)"
        text = run_card(self.config, model, traces, maker, Training(loss, iterations, nonfinite, self.seconds))
        write(self.path / "README.md", text.encode())
        return loss

    def start(self) -> DFST:
        """The weights the run begins with."""
        if (self.path / START).exists():
            return load_model(self.path / START)
        given = self.traces() if self.has_own_traces else self.task().machine
        rest = {"seed": self.config.seed, "name": self.config.task, "layout": given.layout}
        return identity_model(given.alphabet, self.config.hidden_dim, **rest)
