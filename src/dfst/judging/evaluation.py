"""A whole evaluation of one policy, as a record with its manifest: what ``dfst eval`` writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError, printable
from dfst.explained import Explained
from dfst.files import check_output, make_folder, read_text, write_atomically
from dfst.judging.journal import Journal
from dfst.judging.lengths import Lengths, measure_lengths
from dfst.judging.test_sets import check_length
from dfst.lock import check_no_links
from dfst.manifest import manifest
from dfst.names import is_rounded, sha256_of, source_of
from dfst.prove.certificate import machine_hash
from dfst.records import checked
from dfst.teachers.task import Task
from dfst.world.machine import GridMachine
from dfst.world.policy import Policy
from dfst.world.worlds import borrowed_layout, in_world_of

DEFAULT_LENGTH = 1000
OWN_LENGTH = 20
"""For a policy in Python, if nothing else is asked: each of its steps is a call."""


@dataclass(frozen=True, repr=False)
class Evaluation(Explained):
    """How long problems may be until a policy leaves its teacher, and everything about the measurement for JSON."""

    lengths: Lengths
    facts: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Everything, for a program."""
        return dict(self.facts)

    def explain(self) -> str:
        """One line, and the first failure."""
        reached, _, difference = self.lengths.explain().partition("\n")
        layout = f"layout: {self.facts['layout']}." if "layout" in self.facts else ""
        lines = [f"{self.facts['model']}: {reached}", layout, difference]
        return "\n".join(map(printable, filter(None, lines)))


@checked
def evaluate(
    policy: Policy,
    task: Task,
    *,
    to: int | None = None,
    rlg: bool = False,
    seed: int = 0,
    out: Path | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    teacher_layout: bool = False,
) -> Evaluation:
    """Measure PLG (and RLG), and write the result to ``out``, if there is a place for it.

    The place is the run folder's eval folder by default. Every attempt is kept in a journal beside it, so that an
    interrupted evaluation resumes. The policy's world must be the teacher's; with ``teacher_layout`` only its symbols
    must be, and it acts on the teacher's layout.
    """
    if to is None:
        to = (task.length or DEFAULT_LENGTH) if policy.compiled else OWN_LENGTH
    check_length(to)
    source, folder = source_of(policy), policy.origin.folder
    judged = in_world_of(task.machine, policy, teacher_layout=teacher_layout, where=source)
    if out is not None:
        _check_result_file(out)
    elif folder is not None:
        check_no_links(folder)
        whose = "machine-" if isinstance(policy, GridMachine) else "rounded-" * is_rounded(policy)  # each has its own
        out = folder / "eval" / f"{whose}lengths-seed{seed}.json"
    teacher, agent = machine_hash(task.machine), sha256_of(policy)
    subject = {"agent": agent, "task": task.name, "seed": seed, "teacher": teacher}
    # a policy in Python has no hash: who could say that it is the same one?
    journal = None if out is None or not agent else Journal(out.with_suffix(".jsonl"), subject)
    lengths = measure_lengths(judged, task, to=to, rlg=rlg, seed=seed, journal=journal, progress=progress)
    record = asdict(lengths)
    rungs = list(record.pop("rungs"))
    first = next((rung["first_failure"] for rung in rungs if rung["first_failure"]), None)
    record |= {"tested": rungs, "first_failure": first}
    record = {"model": source, "task": task.name, "teacher_sha256": teacher} | record
    if (layout := borrowed_layout(policy, task.machine)) is not None:
        record["layout"] = layout
    record |= {"journal": None if journal is None else str(journal.path)}
    record["manifest"] = manifest(agent_sha256=agent, seed=seed)
    if out is not None:
        write_atomically(out, (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())
    return Evaluation(lengths, record)


def _check_result_file(path: Path) -> None:
    """Refuse to write over anything but an older evaluation."""
    make_folder(path.parent)
    check_output(path, ".json", what="an evaluation")
    if path.exists():
        try:
            known = json.loads(read_text(path))
        except (DfstError, ValueError, RecursionError):
            known = None
        if not isinstance(known, dict) or "tested" not in known:
            raise InputError("it is there already, and is not an evaluation", where=str(path), do="Give another file.")
