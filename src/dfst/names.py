"""What a name means: the one place that decides it, for the command line and for Python.

    add10              what was learned, as one-hot weights: proven equal to its teacher (or the teacher, where nothing
                       learned comes with dfst, as for add3)
    add10:raw, :lasting
                       float models that come with dfst, not proven; of a task of the gallery only :raw
    add2:rounded       a network with its hidden state rounded, proven equal to its teacher, where there is one
    add10:machine      the learned machine as a table
    RUN:machine, :rounded
                       what dfst certify wrote to a run folder: the machine, the rounded network if that is proven
    teacher:add10      the teacher; teacher:RUN and teacher:FILE that of a run folder or of a machine file
    a run folder, a .safetensors file, a .dfst file: the float model, the weights, the machine in it
    file.py:Name       a policy of one's own, in a Python file (:mod:`dfst.own`)

Names of dfst's own come first: a file or folder called add10 is ./add10.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from difflib import get_close_matches
from pathlib import Path

from dfst.act.own import OwnPolicy
from dfst.errors import DfstError, FileFormatError, InputError, NameWarning, printable, quoted
from dfst.prove.certificate import learner_of, load_certificate, machine_hash
from dfst.runs.folder_files import how_to_resume
from dfst.runs.run_folder import RunFolder
from dfst.shipped import FOLDER, certificate_of, weights_of
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import find_task, gallery, is_own_name, named_task, warn_of_same_name
from dfst.teachers.mealy_dot import ENDINGS, load_dot_task
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.training.model import DFST, from_machine
from dfst.training.weights import ROUNDED, load_model, model_bytes, model_file
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine, load_machine
from dfst.world.policy import Policy

KINDS = "Give a task's name, a run folder, a .safetensors or machine file, or teacher:NAME (dfst tasks lists names)."

_TEACHER = "teacher"
_WHO = {
    "raw": "float model as trained (recipe fast), not proven",
    "lasting": "float model of the recipe lasting, not proven",
    "rounded": "network with its hidden state rounded, proven to act like its teacher: dfst check says up to where",
}
_HOW = {"raw": "", "lasting": " --recipe lasting", "rounded": " --recipe lasting, and see what dfst certify says of it"}

_PROOF = ("certificate.json", "network.json", ROUNDED)
"""What there is in a folder in which a network is proven."""


def source_of(policy: Policy) -> str:
    """The name it was asked for by, or else its own."""
    return policy.origin.source or policy.name


def sha256_of(policy: Policy) -> str:
    """A hash of its content; empty for a policy in Python, which has none."""
    if isinstance(policy, GridMachine):
        return hashlib.sha256(dump_machine(policy).encode()).hexdigest()
    return hashlib.sha256(model_bytes(policy)).hexdigest() if isinstance(policy, DFST) else ""


def task_of(policy: Policy) -> Task:
    """The task it was trained on, which it is to be judged on if no other is named."""
    origin = policy.origin
    if origin.task is not None:
        return origin.task
    if origin.folder is not None:
        task = RunFolder.open(origin.folder).task()
        if is_own_name(task.name) and machine_hash(named_task(task.name).machine) != machine_hash(task.machine):
            what = f"{source_of(policy)}: its teacher is called {task.name}, but it is not dfst's own {task.name}."
            warnings.warn(printable(f"{what} Use that one with --teacher {task.name}."), NameWarning, stacklevel=2)
        return task
    try:
        return named_task(policy.name)
    except InputError:
        what = f"it does not say which task it is for (its name is {policy.name!r})"
        do = "Name the teacher to compare with, such as --teacher add10 or --teacher FILE.dfst."
        raise InputError(what, where=source_of(policy), do=do) from None


def model_of(policy: Policy) -> DFST:
    """Its weights; a machine has none."""
    if isinstance(policy, DFST):
        return policy
    what = f"it is a {_kind(policy)}, which has no weights"
    raise InputError(what, where=source_of(policy), do="Give a trained model, such as a run folder or add2:raw.")


def _kind(policy: Policy) -> str:
    """A float model, a machine or a policy in Python, without what else it says of itself."""
    return policy.describe().partition(",")[0]


def learner_in(policy: Policy) -> DFST | OwnPolicy:
    """What a machine can be extracted from: a model, or a policy in Python."""
    return policy if isinstance(policy, OwnPolicy) else model_of(policy)


def is_rounded(policy: Policy) -> bool:
    """Whether it is a network whose hidden state is rounded."""
    return isinstance(policy, DFST) and policy.bits is not None


def machine_of(policy: Policy) -> GridMachine:
    """It as a machine: itself, or the one that was extracted from it."""
    if isinstance(policy, GridMachine):
        return policy
    origin, source = policy.origin, source_of(policy)
    if origin.folder is not None and not is_rounded(policy):
        return _extracted(origin.folder)
    if origin.task is not None and ":" not in source and isinstance(policy, DFST):
        return machine_of(find_policy(f"{source}:machine"))
    do = f"Extract one with dfst extract {source} --out machine.dfst."
    raise InputError(f"it is a {_kind(policy)}, not a machine", where=source, do=do)


def traces_of(policy: Policy, given: Traces | None = None) -> Traces:
    """``given``, or the traces it was trained on: those of its run folder, or of its task if it comes with dfst."""
    if given is not None:
        return given
    if policy.origin.folder is not None:
        return RunFolder.open(policy.origin.folder).traces()
    if policy.origin.task is not None:
        return policy.origin.task.sample()
    do = "Give a run folder, or the traces it was trained on with --traces FILE."
    raise InputError("the extraction needs the training traces", where=source_of(policy), do=do)


def find_policy(text: str) -> Policy:
    """The policy that ``text`` names (see above), with its origin."""
    name, _, which = text.partition(":")
    if name == _TEACHER and which:
        warn_of_same_name(text)
        task = find_teacher(which)
        return task.machine.with_origin(text, "teacher", task=task)
    if is_own_name(text):
        warn_of_same_name(text)
        return _own(text, name, which)
    folder, which = _part_of_run(text)
    if which == "machine":
        return _extracted(folder).with_origin(text, "extracted machine", folder=folder)
    if which == "rounded":
        who = "network with its hidden state rounded; dfst check has its proof checked"
        return load_model(folder / ROUNDED).with_origin(text, who, folder=folder)
    if text.endswith(ENDINGS):
        return load_dot_task(text).machine.with_origin(text, "Mealy machine in a file")
    return _in_files(text)


def _part_of_run(text: str) -> tuple[Path, str]:
    """The run folder and the part of it that FOLDER:machine or FOLDER:rounded names; any other text is only a path."""
    folder, _, which = text.rpartition(":")
    if which not in ("machine", "rounded") or os.path.exists(text):
        return Path(text), ""
    RunFolder.open(Path(folder))  # which refuses what is none
    if which == "rounded" and not all((Path(folder) / name).is_file() for name in _PROOF):
        do = f"dfst certify {folder} tries to prove it with its hidden state rounded."
        raise InputError("the network in it is not proven", where=folder, do=do)
    return Path(folder), which


def find_teacher(text: str) -> Task:
    """The task whose teacher ``text`` names: a task's name, a machine file, or a run folder."""
    text = text.removeprefix(f"{_TEACHER}:")
    if not is_own_name(text) and (Path(text) / "config.toml").is_file():
        return RunFolder.open(Path(text)).task()
    return find_task(text)


def find_certificate(text: str) -> Path:
    """The certificate that ``text`` names: that of a task, of a run folder, or a file."""
    if not text:
        raise InputError("the name is empty", do="Give a certificate; is a shell variable not set?")
    if is_own_name(text):
        warn_of_same_name(text)
        name, _, which = text.partition(":")
        of_network = which == "rounded" and which in weights_of(name)
        path = certificate_of(name) if which in ("", "machine") or of_network else None
        if path is None:
            proven = f"What is proven is the learned machine: dfst check {name}." if certificate_of(name) else ""
            do = proven or "dfst tasks lists the tasks that come with a certificate."
            raise InputError("no certificate comes with it", where=text, do=do)
        return path
    folder, _ = _part_of_run(text)
    if not folder.is_dir():
        return folder
    if not (folder / "certificate.json").is_file():
        do = f"Make one with dfst certify {folder} (and --teacher, if it learned from traces alone)."
        raise InputError("there is no certificate in it", where=text, do=do)
    return folder / "certificate.json"


def _own(text: str, name: str, which: str) -> Policy:
    """What dfst itself means by ``text``."""
    home = named_task(name)
    if which in _WHO:
        if (path := weights_of(name).get(which)) is None:
            do = f"Train one with dfst train {name}{_HOW[which]}."
            raise InputError(f"no {which} model of {name} comes with dfst", do=do)
        return load_model(path).with_origin(text, _WHO[which], task=home)
    learned = _learned(name, home)
    if learned is None and which:
        do = f"Train one with dfst train {name}, then dfst certify its run folder."
        raise InputError(f"no learned machine of {name} comes with dfst", do=do)
    if learned is None:
        return home.machine.with_origin(text, "teacher (nothing learned comes with dfst)", task=home)
    if which:
        return learned.with_origin(text, "learned machine, proven equal to its teacher", task=home)
    who = "learned machine as one-hot weights, proven equal to its teacher"
    return from_machine(learned).with_origin(text, who, task=home)


def _learned(name: str, home: Task) -> GridMachine | None:
    """The machine that was learned and comes with dfst: beside its weights, or in a certificate of the gallery."""
    if (path := FOLDER / name / "machine.dfst").is_file():
        return load_machine(path)
    return None if (path := certificate_of(name)) is None else learner_of(load_certificate(path), home.machine)


def _extracted(folder: Path) -> GridMachine:
    """The machine that was extracted in a run folder."""
    if not (path := folder / "machine.dfst").is_file():
        do = f"Extract one with dfst certify {folder}."
        raise InputError("no machine was extracted from it yet", where=str(folder), do=do)
    return load_machine(path)


def _here() -> list[str]:
    """What can be named in the working folder and in runs/: run folders, machine files and weights."""
    places = [place for place in (Path(), Path("runs")) if place.is_dir()]
    found = [path for place in places for path in sorted(place.iterdir())[:1000]]
    return [str(path) for path in found if path.suffix in (".dfst", ".safetensors") or (path / "config.toml").is_file()]


def _in_files(text: str) -> Policy:
    """The policy in a file or folder of the user's."""
    path = Path(text)
    is_folder = os.path.isdir(text)  # unlike Path.is_dir, it takes a number of a million digits for what it is
    if is_folder and not (path / "config.toml").exists() and any(path.glob("*.safetensors")):
        file = model_file(path)  # a model without its run, as from a model hub
        return load_model(file).with_origin(text, f"weights in {file}")
    if is_folder:
        folder = RunFolder.open(path)
        if not folder.model_path.exists() and (path / "machine.dfst").is_file():
            return _extracted(path).with_origin(text, "machine found by state merging, without a network", folder=path)
        if not folder.model_path.exists():
            raise InputError("its training is not finished", where=text, do=how_to_resume(path))
        who = "float model as trained, not proven"
        if (path / "certificate.json").exists():
            who += f"; the certificate is about the extracted machine, {text}:machine"
        return folder.model().with_origin(text, who, folder=path)
    if path.suffix == ".safetensors":
        return load_model(path).with_origin(text, "weights in a file")
    if os.path.exists(text) or path.suffix == ".dfst":
        try:
            return load_machine(path).with_origin(text, "machine in a file")
        except DfstError:
            if path.suffix == ".dfst":
                raise
            do = "Models end in .safetensors, machine files in .dfst."
            raise FileFormatError("it is neither a model nor a machine file", where=text, do=do) from None
    name = text.partition(":")[0]
    if text.isdecimal():
        do = "The name of a policy goes before the numbers, such as add10 1 1."
    elif is_own_name(name):
        has = [*weights_of(name), *(["machine"] if certificate_of(name) else [])]
        close = get_close_matches(text.partition(":")[2].lower(), has, 1)
        do = f"{name} has {', '.join(f'{name}:{variant}' for variant in has)}{' and ' * bool(has)}teacher:{name}."
        do = f"Did you mean {name}:{close[0]}? {do}" if close else do
    else:
        known = [*PAPER_LENGTHS, *gallery()]
        close = get_close_matches(text.lower(), known, 1) or get_close_matches(text, _here(), 1)
        do = f"Did you mean {close[0]}? (dfst tasks lists what comes with dfst.)" if close else KINDS
    raise InputError(f"there is no policy called {quoted(text)}", do=do)
