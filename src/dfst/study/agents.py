"""Naming an agent: a run folder, a weights file, a machine file, a shipped model, or a teacher."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from dfst.errors import DfstError, FileFormatError, InputError, quoted
from dfst.experts.find import find_task, gallery, named_task
from dfst.experts.task import Task
from dfst.learn.model import DFST
from dfst.learn.run_folder import RunFolder
from dfst.learn.weights import load_model, model_bytes
from dfst.study.exact_match import Agent
from dfst.study.shipped import shipped_models
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine, load_machine

KINDS = "Give a run folder, a .safetensors or machine file, teacher:NAME, or a model that dfst models lists."

AnyAgent = TypeVar("AnyAgent", bound=DFST | GridMachine)


@dataclass(frozen=True)
class NamedAgent:
    """An agent and where it comes from; ``run`` is its run folder, if it has one."""

    agent: Agent
    source: str
    run: RunFolder | None = None

    @property
    def sha256(self) -> str:
        """A hash of its content."""
        agent = self.agent
        content = model_bytes(agent) if isinstance(agent, DFST) else dump_machine(agent).encode()
        return hashlib.sha256(content).hexdigest()

    def expert(self, task: str | None = None) -> Task:
        """The teacher it is to be compared with: ``task``, or the one it was trained on."""
        if task is None and self.run is not None:
            return self.run.task()
        try:
            return find_task(task) if task else named_task(self.agent.name)
        except InputError:
            if task:
                raise
            what = f"it does not say which task it is for (its name is {self.agent.name!r})"
            do = "Name the teacher to compare with, such as --task add10 or --task teacher.dfst."
            raise InputError(what, where=self.source, do=do) from None


def beside(teacher: GridMachine, agent: AnyAgent) -> AnyAgent:
    """The agent on the teacher's problems, if it sees the same symbols and begins at the same cell.

    Which inputs there are is the teacher's business: an agent that learnt from bare traces knows its layout only from
    what it has seen. Any other agent is left as it is.

    >>> import dfst
    >>> beside(dfst.expert("add2").machine, dfst.expert("mult2").machine).name
    'mult2'
    """
    ours, theirs = agent.alphabet, teacher.alphabet
    if agent.layout is None or agent.layout.head != teacher.layout.head:
        return agent
    if (ours.symbols, ours.blank) != (theirs.symbols, theirs.blank):
        return agent
    return replace(agent, alphabet=theirs, layout=teacher.layout)


def find_agent(text: str) -> NamedAgent:
    """The agent that ``text`` names; of a shipped model it is the proven one, with one-hot weights.

    The float models it comes from are called, for instance, add10:raw and add10:practised.

    >>> find_agent("teacher:add2").agent
    GridMachine('add2', 11 states, 4 symbols, 31 rules)
    """
    if text.startswith("teacher:"):
        return NamedAgent(find_task(text.removeprefix("teacher:")).machine, text)
    path = Path(text)
    is_folder = os.path.isdir(text)  # unlike Path.is_dir, it takes a number of a million digits for what it is
    if is_folder and not (path / "config.toml").exists() and any(path.glob("*.safetensors")):
        return NamedAgent(load_model(path), text)  # a model without its run, as from a model hub
    if is_folder:
        folder = RunFolder.open(path)
        if not folder.model_path.exists():
            name = folder.config.task
            name = f"FILE (the machine file of {name})" if (path / "task.dfst").exists() else name
            do = f"Go on with dfst train {name} --out {text} --resume."
            raise InputError("its training is not finished", where=text, do=do)
        return NamedAgent(folder.model(), text, folder)
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
    task, _, which = text.partition(":")
    for model in shipped_models():
        files = {"": model.one_hot, "raw": model.raw, "practised": model.practised}
        if model.task == task and which in files:
            return NamedAgent(load_model(files[which]), text)
    do = KINDS
    if text.isdecimal():
        do = "The agent goes before the numbers, such as add10 1 1."
    elif task in gallery() or re.fullmatch("(add|mult)[0-9]+", text):
        do = f"Train one with dfst train {text}, or let its teacher work: teacher:{text}."
    elif close := get_close_matches(text, [model.task for model in shipped_models()], 1):
        do = f"Did you mean {close[0]}? (dfst models lists those that come with dfst.)"
    raise InputError(f"there is no agent called {quoted(text)}", do=do)
