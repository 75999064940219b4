"""From what was given to what is meant: a name, a path, an object, or code of the user's own.

``file.py:Name`` is a policy or a task of one's own. Naming it runs that file and what it imports; no other name ever
runs anything, since a folder in which somebody works may come from anybody.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from dfst.act.own import Acting, OwnPolicy, acts_in_a_world, is_policy
from dfst.errors import InputError, check_type, in_your_code, quoted
from dfst.names import find_policy, find_teacher, task_of
from dfst.teachers.program import PROGRAM, ProgramTask
from dfst.teachers.task import Task
from dfst.teachers.task_file import parse_task
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.traces.understand import understand
from dfst.world.conversation import word_of
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine
from dfst.world.policy import Policy
from dfst.world.worlds import World

Name = str | os.PathLike[str]
AnyTask = Task | GridMachine | Name
AnyPolicy = Policy | Acting | ProgramTask | Callable[[Any, Any], Any] | Name
AnyTraces = Traces | ProgramTask | Name


def named(
    policy: AnyPolicy,
    teacher: AnyTask | ProgramTask | None = None,
    traces: Traces | None = None,
    problem: Callable[[ProgramTask], Sequence[str]] | None = None,
) -> Policy:
    """What ``policy`` names, or is; a policy of one's own acts in the world of ``teacher``, or of ``traces``.

    A program that teaches can only be watched, on one ``problem``, read in its world: it is what it was seen to do.
    """
    own: Any = policy
    source = ""
    if isinstance(policy, (str, os.PathLike)):
        own, source = find_in_python(os.fspath(policy)), os.fspath(policy)
        if own is None:
            return find_policy(source)
    if isinstance(own, ProgramTask):
        source = source or own.name
        if problem is None:
            do = "Give what was learned from it; dfst learn learns from a program."
            raise InputError("it is a program that teaches, not something learned", where=source, do=do)
        return own.show(*split_problem(own, problem(own))).policy.with_origin(source, PROGRAM)
    if acts_in_a_world(own):
        return own
    if not is_policy(own):
        text_of(own, "a model, a machine, the name of one, such as 'add10', or an object with begin() and act()")
    return _of_your_own(own, source, teacher, traces)


_OWN = "policy of your own, in Python, not proven"


def _of_your_own(policy: Any, source: str, teacher: AnyTask | ProgramTask | None, traces: Traces | None) -> OwnPolicy:
    """A policy of one's own in its world: its attribute, that of ``teacher`` or of its own task, or of ``traces``."""
    given = teacher if teacher is not None else getattr(policy, "task", None)
    task = None if given is None else as_any_task(given)
    world = getattr(policy, "world", None)
    if not isinstance(world, World):
        world = task.world if task is not None else None if traces is None else understood(traces).world
    if world is None or world.layout is None:
        do = "Give the task as teacher (--teacher), or give the policy an attribute task, such as task = 'add2'."
        name = source or getattr(policy, "__name__", type(policy).__name__)
        raise InputError("a policy of your own does not say which task it is for", where=name, do=do)
    own = OwnPolicy.of(policy, world, source)
    return own.with_origin(own.name, _OWN, task=None if task is None or task.machine is None else task)


def as_any_task(
    task: AnyTask | ProgramTask, wanted: str = "a task, or its name, such as 'add10'"
) -> Task | ProgramTask:
    """The task that ``task`` names, or is, a program included; of a machine, the one it teaches."""
    found = find_in_python(task) if isinstance(task, str) else task
    if isinstance(found, GridMachine):
        return parse_task(dump_machine(found), source=found.name)
    return found if isinstance(found, (Task, ProgramTask)) else find_teacher(text_of(task, wanted))


def as_task(task: AnyTask | ProgramTask) -> Task:
    """As :func:`as_any_task`; but a program is refused."""
    found = as_any_task(task)
    if found.machine is None:
        do = "Use certify or measure_lengths, which test it, or write it as a machine file."
        raise InputError("it is a program: no machine is known to compare with", where=found.name, do=do)
    return found


def judged_on(who: Policy, teacher: AnyTask | ProgramTask | None) -> Task | ProgramTask:
    """The task that ``who`` is judged on: that of ``teacher`` if one is given, else its own."""
    return task_of(who) if teacher is None else as_any_task(teacher)


def as_traces(traces: AnyTraces) -> Traces:
    """The traces, or those in the file that ``traces`` names."""
    if isinstance(traces, Traces):
        return traces
    if isinstance(traces, ProgramTask):
        return traces.sample()
    return load_traces(text_of(traces, "traces, or the path of a .jsonl or .csv file"))


def understood(traces: AnyTraces) -> Traces:
    """The traces with their layout: the one they have, or the one that can be read from their steps."""
    return understand(as_traces(traces))


def with_layout(learner: Policy, traces: Traces) -> Traces:
    """Bare traces with the layout that can be read from their steps, if it is that of ``learner``'s alphabet."""
    if not learner.compiled:
        return understood(traces)
    try:
        found = understood(traces)
    except InputError:
        return traces
    return found if found.alphabet == learner.alphabet else traces


def split_problem(policy: Policy | ProgramTask, words: Sequence[str]) -> tuple[str, ...]:
    """``words`` as operands; with the task's sign in them, as in 58+67 or 58 + 67, they are what stands around it."""
    words = problem_of(words)
    if policy.layout is None:
        return words
    if words and policy.world.is_conversation:
        return (word_of(policy, words),)
    signs = [part.name for part in policy.world.parts if part.fixed]
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
    check_type(given, (str, os.PathLike), do=f"Give {wanted}.")
    return os.fspath(given)


def problem_of(given: Any) -> tuple[str, ...]:
    """One problem: a tuple of operands, never one text."""
    if isinstance(given, str):
        do = "Give a tuple of operands, such as ('58', '67')."
        raise InputError(f"the problem {quoted(given)} is one text", do=do)
    return tuple(text_of(operand, "a text for each operand, such as '58'") for operand in given)


def with_path(options: dict[str, Any]) -> dict[str, Any]:
    """``options`` with ``out`` as a path, if it is there."""
    out = options.get("out")
    return options if out is None else options | {"out": Path(text_of(out, "a path to write to"))}


_NAME = re.compile(r"(?P<file>[^:]+\.py):(?P<name>[A-Za-z_]\w*)")


def find_in_python(text: str) -> Any:
    """The object that ``text`` names in a Python file of the user's, as file.py:Name; None if it is no such name.

    Of a class it is an object, made without arguments.
    """
    match = _NAME.fullmatch(text)
    if match is None or os.path.isdir(match["file"]):
        return None
    try:
        module = _run(match["file"])
        found = getattr(module, match["name"], None)
        if found is None:
            names = [name for name in vars(module) if not name.startswith("_")]
            close = get_close_matches(match["name"], names, 1)
            do = f"Did you mean {match['file']}:{close[0]}?" if close else "Name a class or an object of that file."
            raise InputError(f"{match['file']} has no {quoted(match['name'])}", where=text, do=do)
        return found() if isinstance(found, type) else found
    except BaseException as error:
        raise InputError(f"loading it raised {in_your_code(error)}", where=text, do="Correct it there.") from error


def _run(name: str) -> ModuleType:
    """What the file ``name`` makes: its text runs, never a __pycache__ beside it, and leaves no cache.

    As in ``python FILE``, it can import what is beside it; those imports are Python's own, their caches included.
    """
    if not Path(name).is_file():
        raise InputError("there is no such file", where=name, do="Give the path of a Python file before the colon.")
    folder = os.path.realpath(Path(name).parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None
    loader = spec.loader
    assert isinstance(loader, SourceFileLoader)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(Path(name).stem, module)  # so that its classes can be copied
    cached, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        exec(loader.source_to_code(loader.get_data(loader.path), loader.path), vars(module))
    finally:
        sys.dont_write_bytecode = cached
    return module
