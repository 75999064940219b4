"""What people call to see a policy act: on one problem, beside its teacher, or on longer and longer problems.

As in :mod:`dfst.verbs`, a name will do wherever a task or a policy is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError
from dfst.resolve import PROGRAM, as_any_task, as_task, judged_on, named, split_problem, text_of, with_path

if TYPE_CHECKING:
    from dfst.act.rollout import Rollout
    from dfst.resolve import AnyPolicy, AnyTask, Name
    from dfst.show.recording import Recording
    from dfst.study.difference import Difference
    from dfst.study.evaluation import Evaluation
    from dfst.study.lengths import Lengths
    from dfst.study.names import NamedPolicy
    from dfst.teachers.program import ProgramTask
    from dfst.world.outcome import Run


def solve(policy: AnyPolicy, *operands: str, step_limit: int | None = None, reach: int | None = None) -> Run | Rollout:
    """Run a model, a machine or a policy on one problem by itself; the result's ``answer`` is what it left.

    >>> print(solve("add10", "58", "67").answer)
    125
    >>> print(solve("mult2", "101×11").answer)
    1111
    """
    from dfst.act.loose import go_alone
    from dfst.act.policy import OwnPolicy
    from dfst.act.rollout import rollout
    from dfst.training.model import DFST
    from dfst.world.run import run

    who = named(policy, problem=lambda world: operands).policy
    given = split_problem(who, operands)
    if isinstance(who, DFST):
        return rollout(who, *given, step_limit=step_limit, reach=reach)
    if isinstance(who, OwnPolicy):
        return go_alone(who, *given, step_limit=step_limit)[0]
    return run(who, *given, step_limit=step_limit, reach=reach)


def rollout(model: AnyPolicy, *operands: str, teacher: AnyTask | None = None, **options: Any) -> Rollout:
    """Let a model or a policy work on one problem, on its own or in step with ``teacher`` until the two differ.

    ``options`` are those of :func:`dfst.act.rollout.rollout`, such as ``drift``; of a policy of one's own, only
    ``step_limit``.

    >>> rollout("add2:raw", "1011", "110", teacher="add2").divergence is None
    True
    """
    from dfst.act.loose import go_alone, let_loose
    from dfst.act.policy import OwnPolicy
    from dfst.act.rollout import rollout as act

    judge = None if teacher is None else as_task(teacher).machine
    who = named(model, teacher)
    if isinstance(who.policy, OwnPolicy):
        given = split_problem(who.policy, operands)
        if judge is not None:
            return let_loose(who.policy, judge, *given, following=True, **options)
        return go_alone(who.policy, *given, **options)[0]
    weights = who.model()
    return act(weights, *split_problem(weights, operands), teacher=judge, **options)


def evaluate(policy: AnyPolicy, teacher: AnyTask | None = None, **options: Any) -> Evaluation:
    """Measure up to which length a policy does what its teacher does, and keep the record (PLG, RLG).

    ``options`` are those of :func:`dfst.study.evaluation.evaluate`, such as ``to``, ``rlg``, ``out``.

    >>> print(evaluate("add2:machine", to=5))
    add2:machine: PLG at least 5, RLG at least 5
    """
    from dfst.study.evaluation import evaluate as measure

    who = named(policy, teacher)
    return measure(who, judged_on(who, teacher), **with_path(options))


def measure_lengths(
    policy: AnyPolicy, teacher: AnyTask | ProgramTask | None = None, *, to: int, **options: Any
) -> Lengths:
    """PLG and RLG of a model, a machine or any object with ``begin`` and ``act``, up to ``to`` digits.

    >>> measure_lengths("add2", to=4)
    <Lengths: PLG at least 4, RLG at least 4>
    """
    from dfst.study.lengths import measure_lengths as measure

    who = named(policy, teacher)
    judge = judged_on(who, None) if teacher is None else as_any_task(teacher)
    return measure(who.policy, judge, to=to, **options)


def diff(policy: AnyPolicy, *operands: str, teacher: AnyTask | None = None, to: int = 100) -> Difference:
    """Where a policy and its teacher first differ, on ``operands`` or on the shortest problem that is found.

    >>> diff("add2:raw", to=30).found
    True
    """
    from dfst.study.difference import find_difference

    who = named(policy, teacher)
    judged = judged_on(who, teacher)
    return find_difference(who.policy, judged, split_problem(judged.machine, operands) or None, to=to)


def view(policy: AnyPolicy, *operands: str, teacher: AnyTask | None = None, out: Name = "view.html") -> Path:
    """Write a page on which one can step through a rollout, beside the teacher's if there is one; its path.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     view("add2:raw", "1", "1", out=f"{folder}/sum.html").name
    'sum.html'
    """
    from dfst.files import write_atomically
    from dfst.show.viewer import viewer_page

    path = Path(text_of(out, "the path of a page, such as 'view.html'"))
    if path.suffix != ".html":
        raise InputError("the page's name does not end in .html", where=str(path), do="Use one such as view.html.")
    who = named(policy, teacher, problem=lambda world: operands)
    shown = recordings(who, operands, teacher)
    write_atomically(path, viewer_page(shown).encode())
    return path


def recordings(
    who: NamedPolicy,
    operands: Sequence[str],
    teacher: AnyTask | None = None,
    *,
    alone: bool = False,
    steps: int | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Recording]:
    """The rollout of ``who``, and unless it is a machine or to be ``alone``, that of its teacher."""
    from dfst.show.recording import VIEW_STEPS, record_both, record_run
    from dfst.world.machine import GridMachine

    beside, limit = None, VIEW_STEPS if steps is None else steps
    if teacher is not None:
        beside = as_task(teacher).machine
    elif not isinstance(who.policy, GridMachine) and who.who != PROGRAM and not alone:
        try:
            beside = who.task().machine
        except InputError as error:
            say(f"shown without a teacher: {error.sentence}")
    given = split_problem(who.policy, operands)
    if beside is None:
        return [record_run(who.policy, *given, name=who.source, step_limit=limit)]
    return list(record_both(who.policy, beside, *given, name=who.source, step_limit=limit))
