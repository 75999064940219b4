"""Naming an agent: a run folder, a weights file, a machine file, a shipped model, or a teacher."""

from __future__ import annotations

import hashlib
import os
import warnings
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from dfst.errors import DfstError, FileFormatError, InputError, NameWarning, printable, quoted
from dfst.learn.model import DFST
from dfst.learn.weights import load_model, model_bytes, model_file
from dfst.prove.certificate import machine_hash
from dfst.runs.run_folder import RunFolder
from dfst.study.exact_match import Agent
from dfst.study.shipped import shipped_models
from dfst.teachers.find import find_task, is_own_name, named_task, warn_of_same_name
from dfst.teachers.task import Task
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine, load_machine
from dfst.world.same import check_same_world, same_symbols

KINDS = "Give a run folder, a .safetensors or machine file, teacher:NAME, or a model that dfst models lists."

ASK = "Correct its layout, or use the teacher's instead with --teacher-layout (in Python teacher_layout=True)."

AnyAgent = TypeVar("AnyAgent", bound=DFST | GridMachine)


@dataclass(frozen=True)
class NamedAgent:
    """An agent and where it comes from; ``run`` is its run folder, if it has one.

    ``who`` says in words what acts under this name and whether it is proven; empty if the name is that of one file.
    """

    agent: Agent
    source: str
    run: RunFolder | None = None
    who: str = ""

    @property
    def sha256(self) -> str:
        """A hash of its content."""
        agent = self.agent
        content = model_bytes(agent) if isinstance(agent, DFST) else dump_machine(agent).encode()
        return hashlib.sha256(content).hexdigest()

    def expert(self, task: str | None = None) -> Task:
        """The teacher it is to be compared with: ``task``, or the one it was trained on."""
        if task is None and self.run is not None:
            return self._own_teacher(self.run.task())
        try:
            return named_task(self.agent.name) if task is None else find_task(task)
        except InputError:
            if task is not None:
                raise
            what = f"it does not say which task it is for (its name is {self.agent.name!r})"
            do = "Name the teacher to compare with, such as --task add10 or --task teacher.dfst."
            raise InputError(what, where=self.source, do=do) from None

    def _own_teacher(self, task: Task) -> Task:
        """The teacher that its run folder holds; says so if it has the name of one of dfst's own, but is another."""
        if is_own_name(task.name) and machine_hash(named_task(task.name).machine) != machine_hash(task.machine):
            what = f"{self.source}: its teacher is called {task.name}, but it is not dfst's own {task.name}."
            warnings.warn(printable(f"{what} Compare with that one by --task {task.name}."), NameWarning, stacklevel=3)
        return task


def beside(teacher: GridMachine, agent: AnyAgent, *, teacher_layout: bool = False, where: str = "") -> AnyAgent:
    """The agent on the teacher's problems, if its world is the teacher's; any other is refused with a sentence.

    What comes back has the teacher's names of classes, which mean the same. With ``teacher_layout`` the symbols have to
    be the same, and the teacher's layout takes the place of the agent's own: for one that learned from bare traces, and
    knows its layout only from what was seen. Whoever asks for that says so, and writes what comes back.

    >>> import dfst
    >>> beside(dfst.expert("add2").machine, dfst.from_machine(dfst.expert("add2").machine)).name
    'add2'
    """
    if not (teacher_layout and agent.layout is not None and same_symbols(agent, teacher)):
        check_same_world(agent, teacher, where=where, do=ASK)
    return replace(agent, alphabet=teacher.alphabet, layout=teacher.layout)


def find_agent(text: str) -> NamedAgent:
    """The agent that ``text`` names; of a shipped model it is the proven one, with one-hot weights.

    The float models of its task are called, for instance, add10:raw, add10:lasting and add10:practised. Names of
    dfst's own come first: a file or folder called add10 is ./add10.

    >>> find_agent("teacher:add2").agent
    GridMachine('add2', 11 states, 4 symbols, 31 rules)
    """
    return _own(text) if is_own_name(text) else _in_files(text)


def _own(text: str) -> NamedAgent:
    """What dfst itself means by ``text``."""
    warn_of_same_name(text)
    task, _, which = text.partition(":")
    if task == "teacher":
        who = "the teacher that comes with dfst" if is_own_name(which) else "a machine as a teacher"
        return NamedAgent(find_task(which).machine, text, who=who)
    for model in shipped_models():
        if model.task == task:
            path, who = {
                "": (model.one_hot, "the learned machine as one-hot weights, proven equal to its teacher"),
                "raw": (model.raw, f"the raw float model as trained, not proven; the proven machine is {task}"),
                "lasting": (
                    model.lasting,
                    f"the float model with few dimensions, not proven; the proven one is {task}",
                ),
                "practised": (model.practised, f"the float model after practice, not proven; the proven one is {task}"),
            }[which]
            if not path.exists():
                how = f"--recipe {which}" if which == "lasting" else "--practice RUN"
                do = f"Take {task}:raw, or make one yourself with dfst train {task} {how}."
                raise InputError(f"no {which} model of {task} comes with dfst yet: it is being measured", do=do)
            return NamedAgent(load_model(path), text, who=who)
    do = f"Train one with dfst train {task}, or let its teacher work: teacher:{task}."
    raise InputError(f"there is no agent called {quoted(text)}", do=do)


def _in_files(text: str) -> NamedAgent:
    """The agent in a file or folder of the user's."""
    path = Path(text)
    is_folder = os.path.isdir(text)  # unlike Path.is_dir, it takes a number of a million digits for what it is
    if is_folder and not (path / "config.toml").exists() and any(path.glob("*.safetensors")):
        file = model_file(path)  # a model without its run, as from a model hub
        return NamedAgent(load_model(file), text, who=f"the weights in {file}")
    if is_folder:
        folder = RunFolder.open(path)
        if not folder.model_path.exists():
            name = folder.config.task
            name = f"FILE (the machine file of {name})" if (path / "task.dfst").exists() else name
            do = f"Go on with dfst train {name} --out {text} --resume."
            raise InputError("its training is not finished", where=text, do=do)
        who = "the raw float model as trained, not proven"
        if (path / "certificate.json").exists():
            who += f"; the certificate there is about the extracted machine, {path / 'machine.dfst'}"
        return NamedAgent(folder.model(), text, folder, who)
    if path.suffix == ".safetensors":
        return NamedAgent(load_model(path), text)
    if os.path.exists(text) or path.suffix == ".dfst":
        try:
            return NamedAgent(load_machine(path), text)
        except DfstError:
            if path.suffix == ".dfst":
                raise
            do = "Models end in .safetensors, machine files in .dfst."
            raise FileFormatError("it is neither a model nor a machine file", where=text, do=do) from None
    do = KINDS
    if text.isdecimal():
        do = "The agent goes before the numbers, such as add10 1 1."
    elif close := get_close_matches(text, [model.task for model in shipped_models()], 1):
        do = f"Did you mean {close[0]}? (dfst models lists those that come with dfst.)"
    raise InputError(f"there is no agent called {quoted(text)}", do=do)
