"""A run folder: a training run that people can watch, stop, move and resume.

It holds config.toml (everything that decides the result), manifest.json (where it was made), metrics.jsonl (one record
per line), checkpoints/, and at the end model.safetensors and README.md (the model card). A run on a task that does not
come with the package keeps its file as task.dfst; a run on traces alone keeps them as traces.jsonl. A run that goes on
from given weights holds them as start.safetensors. A run of several stages has a run folder for each below stages/.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from dfst.errors import FileFormatError, InputError
from dfst.files import Lines, flush_folder, make_folder, read_bytes, read_text, read_toml, remove, remove_unfinished
from dfst.files import write_atomically as write
from dfst.lock import LOCK_FILE, only_process
from dfst.records import json_text, read_record
from dfst.runs.card import plain, run_card
from dfst.runs.checkpoint import newest_checkpoint, save_checkpoint
from dfst.runs.folder_files import (
    EXPLAINS,
    FIRST,
    KEPT,
    MANIFEST,
    START,
    TRACES,
    check_new,
    kept,
    write_manifest,
    write_resumption,
)
from dfst.runs.options import Options
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
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine

CONFIG, METRICS, CARD, TASK, CHECKPOINTS = "config.toml", "metrics.jsonl", "README.md", "task.dfst", "checkpoints"
IN_USE = "Wait until it ends, or stop it; or choose another folder with --out."

_NONE = Record(0, 0.0, 0.0, 0.0, 0, 0.0)

Watch = Callable[[Progress], None]
Say = Callable[[str], None]


def quiet(given: object) -> None:
    """Watch nothing, say nothing."""


@dataclass(frozen=True)
class RunFolder:
    """A run folder on disk, and the options that it was made with, all of them filled in."""

    path: Path
    options: Options

    @classmethod
    def create(
        cls,
        path: Path,
        options: Options,
        subject: Task | Traces | None = None,
        *,
        start: DFST | None = None,
        also: Callable[[], None] = lambda: None,
    ) -> RunFolder:
        """A new run on a task or on traces alone, which are kept; never overwrites anything, refuses impossible traces.

        It begins with ``start``, if that is given. ``also`` writes what else belongs to it; config.toml comes last, so
        that a folder that has one is whole.
        """
        check_new(path)
        check_engine(options.engine)
        if isinstance(subject, Traces):
            check_traces(subject)
        make_folder(path)
        with only_process(path, do=IN_USE):
            check_new(path)  # again: until here, another process could have been faster
            for name in FIRST - {LOCK_FILE}:
                remove(path / name)  # left by a run that was killed while it was made
            remove_unfinished(path)
            flush_folder(path)  # so that whatever is left of a crash, the lock says that it is ours
            if isinstance(subject, Traces):
                understand(subject).save(path / TRACES)
            elif subject is not None and subject.text:
                write(path / TASK, subject.text.encode())
            if start is not None:
                start.save(path / START)
            also()
            write(path / CONFIG, options.dump().encode())
        return cls(path, options)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """An existing run."""
        source = path / CONFIG
        if not source.exists():
            what = "there is no run in it" if path.is_dir() else "there is no such folder"
            what = "it is a file, not a run folder" if path.is_file() else what
            raise InputError(what, where=str(path), do="Give the folder of a run (it has a config.toml).")
        return cls(path, Options.parse(read_toml(source), source=str(source)))

    def stage(self, name: str, recipe: Recipe, start: Callable[[], DFST] | None = None) -> RunFolder:
        """A part of this run, in a folder of its own: the same traces and seed, another recipe, from other weights."""
        path = self.path / "stages" / name
        if (path / CONFIG).exists():
            begun = RunFolder.open(path)
            return replace(begun, options=replace(begun.options, threads=self.options.threads))
        begin = None if start is None else start()
        subject = self.traces() if self.has_own_traces else self.task()
        d = self.options.hidden_dim if begin is None else begin.hidden_dim
        return self.create(path, replace(self.options.following(recipe), hidden_dim=d), subject, start=begin)

    @property
    def is_new(self) -> bool:
        """Whether it is still to be made."""
        return not (self.path / CONFIG).exists()

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
        path, name = self.path / TASK, self.options.task
        if self.has_own_traces:
            verb = "extract" if self.model_path.exists() else "doctor"  # state merging leaves no network
            do = f"Name a teacher with --teacher, or see the evidence for its machine: dfst {verb} {self.path}"
            raise InputError("it learned from traces alone, so there is no teacher", where=str(self.path), do=do)
        if path.exists():
            return parse_task(read_text(path), source=str(path))
        try:
            return named_task(name)
        except InputError:
            what = f"its task {name!r} does not come with dfst, and there is no task.dfst in the folder"
            raise FileFormatError(what, where=str(self.path), do="Put the task's machine file there.") from None

    def traces(self) -> Traces:
        """The training data: what it was given, or recorded anew from the config; always the same."""
        if self.has_own_traces:
            return load_traces(self.path / TRACES)
        return self._sampled

    @cached_property
    def _sampled(self) -> Traces:
        task = self.task()
        try:
            return task.sample(self.options.sampling, seed=self.options.data_seed)
        except InputError as error:
            raise FileFormatError(error.what, where=str(self.path / CONFIG), do=error.do) from None

    def explains(self) -> list[GridMachine]:
        """The machine that explains its log, if mistakes in that were corrected by it."""
        return [load_machine(self.path / EXPLAINS)] if (self.path / EXPLAINS).exists() else []

    def start(self) -> DFST:
        """The weights the run begins with."""
        if (self.path / START).exists():
            return load_model(self.path / START)
        given, options = self.traces() if self.has_own_traces else self.task().machine, self.options
        return identity_model(given.world, options.hidden_dim, seed=options.seed, name=options.task)

    def model(self) -> DFST:
        """The trained model, which knows where it comes from."""
        return load_model(self.model_path).with_origin(str(self.path), folder=self.path)

    @property
    def seconds(self) -> float:
        """How long it has been trained."""
        return max((record.seconds for record in self.records()), default=0.0)

    def records(self) -> list[Record]:
        """The records so far, up to the first line that is none, such as one cut short by a crash."""
        path, records = self.path / METRICS, []
        for line in read_bytes(path).splitlines() if path.exists() else []:
            try:
                records.append(read_record(Record, json.loads(line), where=str(path), do=""))
            except (ValueError, RecursionError, FileFormatError):
                break
        return records

    def _write_records(self, records: Iterable[Record]) -> None:
        """In the place of those that are there."""
        write(self.path / METRICS, "".join(json_text(record._asdict()) + "\n" for record in records).encode())

    def train(self, *, watch: Watch = quiet, say: Say = quiet) -> float:
        """Train to the end, from the newest checkpoint if there is one; the loss on the whole data set at full length.

        ``watch`` sees every block; ``say`` gets sentences for people. Whatever ends the run early (Ctrl-C included),
        the state is saved first. Another process in the same folder is refused.
        """
        if self.options.recipe == "lasting":
            do = "Use dfst.train, or dfst train --resume."
            raise InputError("the recipe lasting has several stages", where=str(self.path), do=do)
        if (iterations := kept(self.path)) is not None:  # the certificate there is about that model
            what = f"its training was ended after {iterations} iterations, when that model was proven"
            raise InputError(what, where=str(self.path), do="Train in another folder (--out).")
        with only_process(self.path, do=IN_USE):
            return self._train(watch, say)

    def _train(self, watch: Watch, say: Say) -> float:
        options, checkpoints = self.options, self.path / CHECKPOINTS
        make_folder(checkpoints)
        remove_unfinished(checkpoints)
        remove_unfinished(self.path, METRICS, MANIFEST, MODEL_FILE, CARD)
        traces = self.traces()
        state, complaints = newest_checkpoint(checkpoints)
        for complaint in complaints:
            say(f"{complaint} Falling back to an older checkpoint.")
        if state is None:
            state = TrainState.start(self.start())
            write_manifest(self.path, options, traces)
        else:
            say(f"resuming at iteration {state.iteration}")
            if state.iteration < options.iterations:
                write_resumption(self.path, traces)
        records = [record for record in self.records() if record.iteration <= state.iteration]
        self._write_records(records)
        before, saved, saved_at = records[-1].seconds if records else 0.0, state.iteration, time.monotonic()
        check_traces(traces)
        how = {"seed": options.seed, "threads": options.threads}
        engine, final = make_engine(options.engine, state, traces, options.training, **how), lambda: state
        with Lines(self.path / METRICS) as metrics:

            def save(now: TrainState) -> None:
                metrics.flush()  # first, so that a checkpoint never knows more than the records
                save_checkpoint(now, checkpoints)

            try:
                for progress in training(engine, options.training, state.iteration):
                    final = progress.state
                    if progress.record:
                        record = progress.record._replace(seconds=round(before + progress.record.seconds, 3))
                        metrics.add(json_text(record._asdict()))
                    watch(progress)
                    if time.monotonic() - saved_at >= options.checkpoint_seconds:
                        save(progress.state())
                        saved, saved_at = progress.iteration, time.monotonic()
            finally:
                if (end := final()).iteration > saved:
                    save(end)
        return self._end(end.model, engine.loss(), traces, end.iteration, end.nonfinite)

    def keep(self, model: DFST, iterations: int) -> float:
        """End early, for good, with the ``model`` it had after so many ``iterations``; its loss on all traces."""
        with only_process(self.path, do=IN_USE):
            records, traces = [each for each in self.records() if each.iteration <= iterations], self.traces()
            self._write_records(records)
            write(self.path / KEPT, f"{iterations}\n".encode())
            return self._end(model, loss(model, traces), traces, iterations, records[-1].nonfinite if records else 0)

    def finish(self, stages: Sequence[RunFolder], model: DFST) -> float:
        """End with ``model``, which ``stages`` came to; its loss on all traces at full length.

        The records are those of all stages, as if they were one training: each goes on where the last ended.
        """
        records = [_NONE]
        for stage in stages:
            last = records[-1]
            for each in stage.records():
                counts = {"iteration": last.iteration + each.iteration, "nonfinite": last.nonfinite + each.nonfinite}
                records.append(each._replace(**counts, seconds=round(last.seconds + each.seconds, 3)))
        self._write_records(records[1:])
        traces, iterations = self.traces(), sum(stage.options.iterations for stage in stages)
        return self._end(model, loss(model, traces), traces, iterations, records[-1].nonfinite)

    def _end(self, model: DFST, loss: float, traces: Traces, iterations: int, nonfinite: int) -> float:
        """Write what a finished run leaves."""
        model.save(self.model_path)
        name = plain(self.options.task)
        maker = "an unknown teacher (`traces.jsonl`)" if self.has_own_traces else f"the teacher {name}"
        if (self.path / START).exists():
            maker += f", going on from `{START}` (whose training is not counted here),"
        last = _NONE._replace(iteration=iterations, nonfinite=nonfinite, seconds=self.seconds)
        write(self.path / CARD, run_card(self.options, model, traces, maker=maker, loss=loss, last=last).encode())
        return loss
