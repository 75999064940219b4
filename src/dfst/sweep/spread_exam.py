"""Many long problems: an examiner whose work is done by worker processes on a cluster."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.study.exact_match import Attempt, Examiner, ModelOrMachine
from dfst.sweep.cluster import check_cluster, connected, slots
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.teachers.task_file import parse_task
from dfst.training.model import DFST
from dfst.training.weights import model_bytes, parse_model
from dfst.world.machine_file import dump_machine, parse_machine

_TRIES = 3
"""So many workers may be lost on one problem."""


class ExamWorker:
    """Examines a policy that it gets as the content of its file; Ray runs it in a process of its own."""

    def __init__(self, policy: bytes, kind: str, task: str, text: str, answers: list[tuple[Operands, str]]) -> None:
        found = parse_task(text, source=task) if text else find_task(task)
        learner = parse_model(policy) if kind == "model" else parse_machine(policy.decode())
        self._examine = Examiner(learner, replace(found, answers=dict(answers)))

    def examine(self, problem: Operands) -> tuple[Any, ...]:
        """One problem: the fields of the attempt."""
        return tuple(self._examine(problem))


class SpreadExaminer:
    """An examiner that hands every problem to a free worker, and to another one if that is lost.

    ``workers`` is how many there are; so many threads may call it at a time.
    """

    def __init__(self, ray: Any, policy: ModelOrMachine, task: Task, workers: int | None = None) -> None:
        is_model = isinstance(policy, DFST)
        content = model_bytes(policy) if isinstance(policy, DFST) else dump_machine(policy).encode()
        answers = list(task.answers.items())
        self._facts = (content, "model" if is_model else "machine", task.name, task.text, answers)
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
def spread(policy: ModelOrMachine, task: Task, *, address: str, workers: int | None) -> Iterator[SpreadExaminer]:
    """An examiner with ``workers`` processes on the Ray cluster at ``address``."""
    with connected(address, workers=workers) as ray:
        yield SpreadExaminer(ray, policy, task, workers)


def spreading(
    address: str | None, workers: int | None, *, threads: int | None = None
) -> Callable[[ModelOrMachine, Task], AbstractContextManager[SpreadExaminer]] | None:
    """How to spread problems over a cluster, checked before anything is done; None if nobody asked for it."""
    if address is None and workers is None:
        return None
    if address is None:
        do = "Give the cluster's --address; on this computer, use --threads."
        raise InputError("--workers is for a cluster", do=do)
    if threads is not None:
        raise InputError("--threads is for this computer, --address for a cluster", do="Leave one of them out.")
    check_cluster(address, workers)
    return partial(spread, address=address, workers=workers)
