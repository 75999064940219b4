"""Many long problems: an examiner whose work is done by processes, on this machine or on a cluster."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.learn.model import DFST
from dfst.learn.weights import model_bytes, parse_model
from dfst.study.exact_match import Agent, Attempt, Examiner
from dfst.sweep.cluster import check_cluster, connected, slots
from dfst.teachers.find import find_task
from dfst.teachers.task import Operands, Task
from dfst.teachers.task_file import parse_task
from dfst.world.machine_file import dump_machine, parse_machine

_TRIES = 3
"""So many workers may be lost on one problem."""


class ExamWorker:
    """Examines an agent that it gets as the content of its file; Ray runs it in a process of its own."""

    def __init__(self, agent: bytes, kind: str, task: str, text: str, answers: list[tuple[Operands, str]]) -> None:
        expert = parse_task(text, source=task) if text else find_task(task)
        learner = parse_model(agent) if kind == "model" else parse_machine(agent.decode())
        self._examine = Examiner(learner, replace(expert, answers=dict(answers)))

    def examine(self, problem: Operands) -> tuple[Any, ...]:
        """One problem: the fields of the attempt."""
        return tuple(self._examine(problem))


class SpreadExaminer:
    """An examiner that hands every problem to a free worker, and to another one if that is lost.

    ``workers`` is how many there are; so many threads may call it at a time.
    """

    def __init__(self, ray: Any, agent: Agent, expert: Task, workers: int | None = None) -> None:
        is_model = isinstance(agent, DFST)
        content = model_bytes(agent) if isinstance(agent, DFST) else dump_machine(agent).encode()
        answers = list(expert.answers.items())
        self._facts = (content, "model" if is_model else "machine", expert.name, expert.text, answers)
        self._ray, self._worker = ray, ray.remote(num_cpus=1, max_restarts=0)(ExamWorker)
        room = slots(ray, 1)
        if not room:
            raise InputError("no node of the cluster has a core for this", do="Start one: ray start --address=…")
        self.workers = min(workers or room, room)
        self._free: queue.Queue[Any] = queue.Queue()
        for _ in range(self.workers):
            self._free.put(self._worker.remote(*self._facts))

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem."""
        for _ in range(_TRIES):
            actor = self._free.get()
            try:
                return Attempt(*self._ray.get(actor.examine.remote(problem)))
            except self._ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, DfstError):
                    raise error.cause from None
                raise
            except self._ray.exceptions.RayError:
                self._ray.kill(actor)
                actor = self._worker.remote(*self._facts)
            finally:
                self._free.put(actor)
        do = "Run the same command again: what was measured is kept. Fewer --workers need less memory."
        raise InputError(f"{_TRIES} workers were lost on one problem", do=do)


@contextmanager
def spread(agent: Agent, expert: Task, *, address: str | None, workers: int | None) -> Iterator[SpreadExaminer]:
    """An examiner with ``workers`` processes here, or on the Ray cluster at ``address``."""
    with connected(address, workers=workers) as ray:
        yield SpreadExaminer(ray, agent, expert, workers)


def spreading(
    address: str | None, workers: int | None, *, threads: int | None = None
) -> Callable[[Agent, Task], AbstractContextManager[SpreadExaminer]] | None:
    """How to spread problems, checked before anything is done; None if neither was asked for."""
    if address is None and workers is None:
        return None
    if threads is not None:
        raise InputError("threads and worker processes were both asked for", do="Leave --threads out.")
    check_cluster(address, workers)
    return partial(spread, address=address, workers=workers)
