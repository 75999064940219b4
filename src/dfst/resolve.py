"""From what was given to what is meant: a name becomes the policy, the task or the traces it stands for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError, quoted, shortened

if TYPE_CHECKING:
    from dfst.act.policy import OwnPolicy, Policy
    from dfst.study.names import NamedPolicy
    from dfst.teachers.program import ProgramTask
    from dfst.teachers.task import Task
    from dfst.traces.traces import Traces
    from dfst.training.model import DFST
    from dfst.world.machine import GridMachine

    Name = str | os.PathLike[str]
    AnyTask = Task | GridMachine | Name
    AnyPolicy = DFST | GridMachine | NamedPolicy | Policy | ProgramTask | Callable[[Any, Any], Any] | Name
    AnyTraces = Traces | ProgramTask | Name


def named(
    policy: AnyPolicy,
    teacher: AnyTask | ProgramTask | None = None,
    traces: Traces | None = None,
    problem: Callable[[ProgramTask], Sequence[str]] | None = None,
) -> NamedPolicy:
    """What ``policy`` names, or is; a policy of one's own acts in the world of ``teacher``, or of ``traces``.

    A program that teaches can only be watched, on one ``problem``, read in its world: it is what it was seen to do.
    """
    from dfst.act.loose import repeating
    from dfst.act.policy import OwnPolicy, is_policy
    from dfst.study.names import NamedPolicy, find_policy
    from dfst.study.own import find_in_python
    from dfst.teachers.program import ProgramTask
    from dfst.training.model import DFST
    from dfst.world.machine import GridMachine

    if isinstance(policy, NamedPolicy):
        return policy
    if isinstance(policy, (DFST, GridMachine)):
        return NamedPolicy(policy, policy.name)
    own, source = policy, ""
    if isinstance(policy, (str, os.PathLike)):
        own, source = find_in_python(os.fspath(policy)), os.fspath(policy)
        if own is None:
            return find_policy(source)
    if isinstance(own, ProgramTask):
        source = source or own.name
        if problem is None:
            do = "Give what was learned from it; dfst learn learns from a program."
            raise InputError("it is a program that teaches, not something learned", where=source, do=do)
        seen = own.record([split_problem(own, problem(own))])[0]
        return NamedPolicy(repeating(seen, own.alphabet, own.layout, source), source, PROGRAM)
    if isinstance(own, OwnPolicy):
        return NamedPolicy(own, own.name, _OWN)
    if not is_policy(own):
        text_of(own, "a model, a machine, the name of one, such as 'add10', or an object with begin() and act()")
    return _of_your_own(own, source, teacher, traces)


_OWN = "policy of your own, in Python, not proven"
PROGRAM = "program in Python, as a teacher"


def _of_your_own(policy: Any, source: str, teacher: AnyTask | ProgramTask | None, traces: Traces | None) -> NamedPolicy:
    """A policy of one's own in its world: that of ``teacher``, of its own attribute task, or of ``traces``."""
    from dfst.act.policy import OwnPolicy
    from dfst.study.names import NamedPolicy
    from dfst.teachers.task import Task

    given = teacher if teacher is not None else getattr(policy, "task", None)
    task = None if given is None else as_any_task(given)
    world = task.setting if task is not None else None if traces is None else understood(traces)
    if world is None or world.layout is None:
        do = "Give the task as teacher (--teacher), or give the policy an attribute task, such as task = 'add2'."
        name = source or getattr(policy, "__name__", type(policy).__name__)
        raise InputError("a policy of your own does not say which task it is for", where=name, do=do)
    own = OwnPolicy.of(policy, world.alphabet, world.layout, source)
    return NamedPolicy(own, source or own.name, _OWN, home=task if isinstance(task, Task) else None)


def as_task(task: AnyTask) -> Task:
    """The task that ``task`` names, or is; of a machine, the one it teaches."""
    from dfst.study.names import find_teacher
    from dfst.teachers.program import ProgramTask
    from dfst.teachers.task import Task
    from dfst.teachers.task_file import parse_task
    from dfst.world.machine import GridMachine
    from dfst.world.machine_file import dump_machine

    if isinstance(task, GridMachine):
        return parse_task(dump_machine(task), source=task.name)
    if isinstance(task, ProgramTask):
        do = "Use certify or measure_lengths, which test it, or write it as a machine file."
        raise InputError("it is a program: no machine is known to compare with", where=task.name, do=do)
    return task if isinstance(task, Task) else find_teacher(text_of(task, "a task, or its name, such as 'add10'"))


def judged_on(who: NamedPolicy, teacher: AnyTask | None) -> Task:
    """The task that ``who`` is judged on: that of ``teacher`` if one is given, else its own."""
    return who.task(None if teacher is None else as_task(teacher))


def as_traces(traces: AnyTraces) -> Traces:
    """The traces, or those in the file that ``traces`` names."""
    from dfst.teachers.program import ProgramTask
    from dfst.traces.files import load_traces
    from dfst.traces.traces import Traces

    if isinstance(traces, Traces):
        return traces
    if isinstance(traces, ProgramTask):
        return traces.sample()
    return load_traces(text_of(traces, "traces, or the path of a .jsonl or .parquet file"))


def as_any_task(task: AnyTask | ProgramTask) -> Task | ProgramTask:
    """As :func:`as_task`; but a program, or the name of one in Python, is taken as well."""
    from dfst.study.own import find_in_python
    from dfst.teachers.program import ProgramTask

    found = find_in_python(task) if isinstance(task, str) else task
    return found if isinstance(found, ProgramTask) else as_task(task)  # pyright: ignore[reportArgumentType]


def understood(traces: AnyTraces) -> Traces:
    """The traces with their layout: the one they have, or the one that can be read from their steps."""
    from dfst.traces.understand import understand

    return understand(as_traces(traces))


def with_layout(learner: DFST | OwnPolicy, traces: Traces) -> Traces:
    """Bare traces with the layout that can be read from their steps, if it is that of ``learner``'s alphabet."""
    from dfst.act.policy import OwnPolicy

    if traces.layout is not None:
        return traces
    try:
        found = understood(traces)
    except InputError:
        if isinstance(learner, OwnPolicy):
            raise
        return traces
    return found if isinstance(learner, OwnPolicy) or found.alphabet == learner.alphabet else traces


def split_problem(policy: DFST | GridMachine | OwnPolicy | ProgramTask, words: Sequence[str]) -> tuple[str, ...]:
    """``words`` as operands; with the task's sign in them, as in 58+67 or 58 + 67, they are what stands around it.

    >>> from dfst import load
    >>> split_problem(load("add10"), ["58+67"]), split_problem(load("mult10"), ["6", "*", "7"])
    (('58', '67'), ('6', '7'))
    """
    words = problem_of(words)
    if policy.layout is None:
        return words
    signs = [part for part in policy.layout.parts if part.removesuffix("+") not in policy.alphabet.classes]
    written = [(sign, "*", "x") if sign == "×" else (sign,) for sign in signs]
    if len(words) == 2 * len(signs) + 1 and all(word in ways for word, ways in zip(words[1::2], written, strict=True)):
        return words[::2]
    if len(words) != 1:
        return words
    parts, rest = [], words[0]
    for ways in written:
        found = next((each for each in ways if each in rest), None)
        if found is None:
            return words
        before, _, rest = rest.partition(found)
        parts.append(before.strip())
    return (*parts, rest.strip())


def text_of(given: Any, wanted: str) -> str:
    """``given`` as text, if it is a text or a path; anything else is refused, with what is ``wanted``."""
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    raise InputError(f"{shortened(repr(given))} is of type {type(given).__name__}", do=f"Give {wanted}.")


def problem_of(given: Any) -> tuple[str, ...]:
    """One problem: a tuple of operands, never one text."""
    if isinstance(given, str):
        raise InputError(
            f"the problem {quoted(given)} is one text", do="Give a tuple of operands, such as ('58', '67')."
        )
    return tuple(map(operand_of, given))


def operand_of(given: Any) -> str:
    """One operand as text; a number is refused."""
    return text_of(given, "a text for each operand, such as '58'")


def with_path(options: dict[str, Any]) -> dict[str, Any]:
    """``options`` with ``out`` as a path, if it is there."""
    out = options.get("out")
    return options if out is None else options | {"out": Path(text_of(out, "a path to write to"))}
