"""A whole evaluation of one agent, as a record with its manifest: what ``dfst eval`` writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from dfst.act.forecast import FARTHEST, forecast
from dfst.errors import DfstError, InputError
from dfst.files import check_output, make_folder, read_text, write_atomically
from dfst.learn.model import DFST
from dfst.manifest import manifest
from dfst.prove.certificate import machine_hash
from dfst.study.agents import NamedAgent, beside
from dfst.study.exact_match import Agent, Attempt
from dfst.study.journal import Journal
from dfst.study.lengths import PAPER_LENGTHS, measure_lengths
from dfst.study.test_sets import check_length, random_pairs, same_digit_pairs
from dfst.teachers.find import is_own_name, named_task
from dfst.teachers.task import Operands, Task
from dfst.traces.operands import operands_of
from dfst.world.same import world_difference

DEFAULT_LENGTH = 1000
FORECAST_FROM = 5
"""The length of the problems a forecast is made from."""


class SpreadExaminer(Protocol):
    """An examiner that so many ``workers`` do the work of."""

    workers: int

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem."""
        ...


def evaluate(
    named: NamedAgent,
    *,
    task: str | None = None,
    to: int | None = None,
    rlg: bool = True,
    hard: bool = False,
    with_forecast: bool = False,
    seed: int = 0,
    threads: int | None = None,
    out: Path | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    spread: Callable[[Agent, Task], AbstractContextManager[SpreadExaminer]] | None = None,
    teacher_layout: bool = False,
) -> dict[str, Any]:
    """Measure PLG (and RLG, hard inputs, a forecast), and write the result to ``out``, if there is a place for it.

    The place is the run folder's eval folder by default. Every attempt is kept in a journal beside it, so that an
    evaluation that was stopped goes on where it was. ``spread`` makes an examiner that hands problems to other
    processes instead of ``threads`` (``dfst.sweep.spread_exam``). The agent's world must be the
    teacher's; with ``teacher_layout`` only its symbols must be, and it acts on the teacher's layout.

    >>> from dfst.study.agents import find_agent
    >>> result = evaluate(find_agent("teacher:add2"), to=3)
    >>> result["plg"], result["rlg"], [rung["m"] for rung in result["tested"]]
    (3, 3, [1, 2, 3])
    """
    expert = named.expert(task)
    to = to if to is not None else PAPER_LENGTHS.get(expert.name, DEFAULT_LENGTH)
    check_length(to)
    agent = beside(expert.machine, named.agent, teacher_layout=teacher_layout, where=named.source)
    if out is not None:
        _check_result_file(out)
    elif named.run is not None:
        out = named.run.path / "eval" / f"lengths-seed{seed}.json"
    teacher = machine_hash(expert.machine)
    subject = {"agent": named.sha256, "task": expert.name, "seed": seed}
    if not is_own_name(expert.name) or machine_hash(named_task(expert.name).machine) != teacher:
        subject["teacher"] = teacher  # a name says who it is only if it is dfst's own
    journal = None if out is None else Journal(out.with_suffix(".jsonl"), subject)
    options: dict[str, Any] = {"to": to, "rlg": rlg, "hard": hard, "seed": seed}
    options |= {"journal": journal, "progress": progress}
    if spread is None:
        lengths = measure_lengths(agent, expert, **options, threads=threads)
    else:
        with spread(agent, expert) as examiner:
            lengths = measure_lengths(agent, expert, **options, threads=examiner.workers, examiner=examiner)
    record = asdict(lengths)
    rungs = list(record.pop("rungs"))
    failures = [rung["first_failure"] for rung in rungs if rung["first_failure"]]
    record |= {"tested": rungs, "first_failure": next(iter([*failures, record.pop("hard_failure")]), None)}
    record = {"model": named.source, "task": expert.name, "teacher_sha256": teacher} | record
    if (other := world_difference(named.agent, expert.machine)) is not None:
        record["layout"] = f"the teacher's, as asked for; its own and the teacher's have different {other}"
    if with_forecast and isinstance(agent, DFST):
        record |= foretold(agent, expert, seed)
    record["manifest"] = manifest(agent_sha256=named.sha256, seed=seed)
    if out is not None:
        write_atomically(out, (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode())
    return record


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


def foretold(model: DFST, expert: Task, seed: int = 0) -> dict[str, Any]:
    """The forecast of RLG, and by walk of the teacher, ready for JSON."""
    seen = forecast(model, expert.machine, forecast_problems(expert, seed))
    walks = [
        {"state": walk.state, "move": walk.move.name, "over": walk.over, "digits": digits}
        for walk, digits in seen.walks
    ]
    horizon = seen.horizon if seen.horizon is not None else f"more than {FARTHEST}"
    return {"forecast_rlg": horizon, "forecast_by_walk": walks}


def forecast_problems(expert: Task, seed: int) -> list[Operands]:
    """The short problems a forecast is made from: all same-digit pairs, and the exactly-m-digit random ones."""
    m, encode, operands = FORECAST_FROM, expert.machine.alphabet.encode, operands_of(expert.machine)

    def full(problem: Operands) -> bool:
        return all(each.single or len(encode(text)) == m for each, text in zip(operands, problem, strict=True))

    return same_digit_pairs(expert, m) + [problem for problem in random_pairs(expert, m, seed=seed) if full(problem)]
