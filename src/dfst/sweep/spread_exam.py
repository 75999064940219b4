"""Many long problems: an examiner whose work is done by tasks on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.study.exact_match import Attempt, Examiner, ModelOrMachine
from dfst.sweep.cluster import check_workers, connected, slots
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task

_RETRIES = 2


def _examine(examiner: Examiner, problem: Operands) -> tuple[Any, ...]:
    return tuple(examiner(problem))


class SpreadExaminer:
    """An examiner that makes a Ray task of every problem; ``workers`` threads may call it at a time."""

    def __init__(self, ray: Any, policy: ModelOrMachine, task: Task, workers: int | None = None) -> None:
        if not (room := slots(ray, 1)):
            raise InputError("no node of the cluster has a core for this", do="Start one: ray start --address=…")
        self.workers, self._ray = min(workers or room, room), ray
        self._examiner = ray.put(Examiner(policy, task))
        self._task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_examine)

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem; if its worker is lost, Ray runs it again."""
        try:
            return Attempt(*self._ray.get(self._task.remote(self._examiner, problem)))
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, DfstError) else error from None
        except self._ray.exceptions.RayError:
            do = "Run the same command again: what was measured is kept. Fewer --workers need less memory."
            raise InputError(f"{_RETRIES + 1} workers were lost on one problem", do=do) from None


def spreading(
    address: str | None, workers: int | None, *, threads: int | None = None
) -> Callable[[ModelOrMachine, Task], AbstractContextManager[SpreadExaminer]] | None:
    """How to spread problems over a cluster, checked before anything is done; None if nobody asked for it."""
    if address is None:
        if workers is not None:
            do = "Give the cluster's --address; on this computer, use --threads."
            raise InputError("--workers is for a cluster", do=do)
        return None
    if threads is not None:
        raise InputError("--threads is for this computer, --address for a cluster", do="Leave one of them out.")
    check_workers(workers, address)

    @contextmanager
    def spread(policy: ModelOrMachine, task: Task) -> Iterator[SpreadExaminer]:
        with connected(address) as ray:
            yield SpreadExaminer(ray, policy, task, workers)

    return spread
