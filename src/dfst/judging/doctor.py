"""Why does it not learn? The doctor looks at a task, at bare traces or at a run, and names causes in plain words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from dfst.effort import check_seconds
from dfst.errors import DfstError, InputError
from dfst.exchange.merging import merge
from dfst.extraction.pipeline import extract
from dfst.extraction.report import report
from dfst.judging.certification import MACHINE
from dfst.judging.examine import Finding, examine_task, examine_traces, some
from dfst.judging.open_questions import open_questions
from dfst.own import find_in_python
from dfst.prove.compare import compare
from dfst.runs.folder_files import HELD_OUT, how_to_resume
from dfst.runs.run_folder import RunFolder
from dfst.teachers.find import find_task, is_own_name
from dfst.teachers.program import ProgramTask
from dfst.teachers.task import Task
from dfst.traces.files import is_file_of_traces, load_traces
from dfst.traces.logs import only_conversations
from dfst.traces.traces import Traces
from dfst.traces.understand import understand
from dfst.training.model import loss
from dfst.training.recipes import recipe
from dfst.world.machine_file import load_machine
from dfst.world.worlds import in_order_of, in_world_of

_LEARNED = 1e-3
"""A run that ends with a lower loss has learned its traces; whether that is enough, the extraction shows."""

_OFTEN, _HUGE = 0.01, 1e3  # of all gradients; the norm of one
_FAR_ABOVE, _FAR_BELOW, _SHORT = 3.0, 0.1, 0.5  # of the fast recipe's learning rate and iterations

_SECONDS = 5.0
"""So long states of a log are merged, and looked at, unless asked otherwise: 15 seconds and 2 GB are enough then."""


def doctor(
    subject: str, *, seed: int = 42, seconds: float = _SECONDS, say: Callable[[str], None] = lambda text: None
) -> list[Finding]:
    """What is wrong with a run folder, a file of traces, a task or a program, the likeliest cause first.

    The states of a log are merged, to find what it leaves open, for so many ``seconds``.
    """
    check_seconds(seconds)
    path, own = Path(subject), is_own_name(subject)
    if not own and path.is_dir():
        found = _examine_run(RunFolder.open(path), say)
    elif not own and is_file_of_traces(subject):
        traces = load_traces(path)
        found = examine_traces(traces) or examine_traces(understand(traces)) or list(_log(traces, seconds, say))
    elif isinstance(program := find_in_python(subject), ProgramTask):
        found = examine_traces(program.sample(seed=seed))
    else:
        found = examine_task(find_task(subject), seed)
    return sorted(found, key=lambda finding: finding.severity != "problem")


def _log(traces: Traces, seconds: float, say: Callable[[str], None]) -> Iterator[Finding]:
    """What a log leaves open about the machine that state merging makes of it, if that is installed."""
    if only_conversations(traces) and find_spec("aalpy") is not None:
        say("merging states")
        try:
            machine = merge(traces, seconds=seconds)
        except DfstError as error:
            do = "Give it more time (--seconds); or learn it first (dfst learn), and ask about the run folder."
            yield Finding("undecided", f"what the log leaves open is not known: {error.what}", do, "warning")
            return
        yield from open_questions(machine, traces)


def _examine_run(folder: RunFolder, say: Callable[[str], None]) -> list[Finding]:
    """What keeps a run from a proven machine: its task, its training, or too little evidence for a merge."""
    try:
        task = replace(folder.task(), sampling=folder.options.sampling)
    except InputError:
        task = None
    found = examine_traces(folder.traces()) if task is None else examine_task(task, folder.options.data_seed)
    if any(finding.cause in ("contradiction", "does-not-halt") for finding in found):
        return found
    of_log = task is None and only_conversations(folder.traces())
    if (of_log or not folder.model_path.exists()) and (folder.path / MACHINE).is_file():  # there may be no network
        return found + list(open_questions(load_machine(folder.path / MACHINE), _whole_log(folder)))
    if training := _training(folder, task):
        return [training, *found]  # what is missing in the traces does not keep the loss up
    say("extracting")
    return found + list(_machine(folder, task, say))


def _whole_log(folder: RunFolder) -> Traces:
    """The traces of a run, and the conversations that were kept back."""
    traces, path = folder.traces(), folder.path / HELD_OUT
    back = list(in_order_of(traces.world, load_traces(path))) if path.is_file() else []
    return Traces.of(traces.world, [*traces, *back], task=traces.task)


def _training(folder: RunFolder, task: Task | None) -> Finding | None:
    """Why the loss is not small, if it is not."""
    options, records = folder.options, folder.records()
    finished = folder.model_path.exists()
    with np.errstate(all="ignore"):  # the weights of a run that exploded overflow here as well
        reached = loss(folder.model(), folder.traces()) if finished else math.inf
    if reached < _LEARNED:
        return None
    last = records[-1] if records else None
    usual = recipe("fast", task or "")
    rate, iterations = options.learning_rate, options.iterations
    lost = last is not None and last.nonfinite > _OFTEN * last.iteration
    grew = last is None or last.gradient_norm > _HUGE  # or none that could be written down
    if lost or (not finished and options.on_nonfinite == "stop" and grew):
        what = f"{last.nonfinite if last else 'some'} gradients were not finite: the hidden state explodes"
        if rate > _FAR_ABOVE * usual.learning_rate:
            return _rate_finding(what, rate, usual.learning_rate)
        do = "Clip the gradient and let the visible prefix grow: clip = 1 and growth = 0.3 in a file for --config."
        return Finding("exploding", what, do)
    if not finished:
        where = f"at iteration {last.iteration} of {iterations}" if last else "before its first record"
        do = f"If it ended by itself, it said why. {how_to_resume(folder.path)}"
        return Finding("not-finished", f"the training run stopped {where}", do)
    ended = f"the loss ended at {reached:.2g}"
    if task is not None and options.hidden_dim < (states := len(task.machine.states)):
        what = f"{ended}; {options.hidden_dim} hidden dimensions are fewer than the teacher's {states} states"
        return Finding("hidden-dimension", what, f"Use hidden_dim = {states + 1} or more.")
    if rate > _FAR_ABOVE * usual.learning_rate or rate < _FAR_BELOW * usual.learning_rate:
        return _rate_finding(ended, rate, usual.learning_rate)
    if iterations < _SHORT * usual.iterations:
        do = f"Use iterations = {usual.iterations} or more, as the recipe fast does."
        return Finding("too-short", f"{ended} after {iterations} iterations", do)
    do = "Try another --seed, a larger --hidden-dim or more --iterations; for long traces, growth = 0.3 and a lower"
    do += " learning_rate in a file for --config."
    return Finding("stalled", f"{ended}, though learning rate and iterations are usual", do)


def _rate_finding(what: str, rate: float, usual: float) -> Finding:
    kind = "high" if rate > usual else "low"
    do = f"Use learning_rate = {usual:g}, as the recipe fast does."
    return Finding("learning-rate", f"{what}; a learning rate of {rate:g} is too {kind}", do)


def _machine(folder: RunFolder, task: Task | None, say: Callable[[str], None]) -> Iterator[Finding]:
    """What is weak about the extracted machine; with a teacher, only if it is not proven."""
    extraction = extract(folder.model(), folder.traces(), progress=say)
    facts = report(extraction, suggestions=4).facts
    weakest = next(iter(facts["weakest"]), "none")
    examples = [" ".join(each["problem"]) for each in facts["suggestions"]]
    record = f"Record problems such as {some(examples)}." if examples else "Record more problems."
    if task is not None:
        say("comparing")
        verdict = compare(task.machine, in_world_of(task.machine, extraction.machine))
        if verdict.counterexample is not None:
            wrong = " ".join(verdict.counterexample.operands)
            what = f"the machine errs on {wrong}: states were merged with too little evidence; the weakest: {weakest}"
            yield Finding("weak-merge", what, f"Add {wrong} to the training problems. {record}")
        elif not verdict.proven:
            do = "Measure it with dfst eval; a machine with fewer rows or simpler walks is easier to prove."
            what = f"the machine could be neither proven nor refuted: {verdict.explain()}"
            yield Finding("undecided", what, do, "warning")
        return
    if only_conversations(folder.traces()):
        yield from open_questions(extraction.machine, folder.traces())
        return
    alone = facts["joins_without_shared_steps"]
    if facts["followed"] < facts["traces"] or facts["open_probes"] or alone:
        followed = f"{facts['followed']} of {facts['traces']} traces are followed"
        what = f"{followed}, {alone} of {facts['joins']} joins share no recorded step"
        what += f", {facts['open_probes']} fresh problems are open; the weakest join: {weakest}"
        yield Finding("weak-merge", what, record, "warning")
