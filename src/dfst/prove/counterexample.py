"""Problems on which two machines really part: small ones, or those that a pursuit found; none longer than needed."""

from __future__ import annotations

from dfst.effort import Effort
from dfst.prove.lockstep import Counterexample, first_difference
from dfst.prove.partial_input import PartialInput
from dfst.prove.problems import telling_problems
from dfst.world.machine import GridMachine

_STEPS_EACH = 3_000
_STEPS_TO_CONFIRM = 10**7


def among_small_problems(teacher: GridMachine, learner: GridMachine, effort: Effort) -> Counterexample | None:
    """A counterexample among small problems, if there is one; they are always the same and count as no work.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> among_small_problems(machine, machine, Effort(0)) is None
    True
    """
    for problem in telling_problems(teacher.alphabet, teacher.layout):
        found = first_difference(teacher, learner, problem, step_limit=_STEPS_EACH)
        if found is not None:
            return _shrunk(teacher, learner, found)
        effort.spend(0)
    return None


def confirmed(teacher: GridMachine, learner: GridMachine, operands: tuple[str, ...] | None) -> Counterexample | None:
    """The counterexample that a pursuit found, by running both machines again from the start."""
    if operands is None:
        return None
    found = first_difference(teacher, learner, operands, step_limit=_STEPS_TO_CONFIRM)
    assert found is not None, "the pursuit ran both machines on these operands and saw them part"
    return _shrunk(teacher, learner, found)


def _shrunk(teacher: GridMachine, learner: GridMachine, found: Counterexample) -> Counterexample:
    """A counterexample from which no symbol can be left out."""
    inputs = PartialInput(teacher.alphabet, teacher.layout)
    again = True
    while again:
        again = False
        word = tuple(teacher.place(found.operands).tolist())
        for shorter in inputs.shortened(word):
            operands = inputs.operands(dict(enumerate(shorter)))
            smaller = first_difference(teacher, learner, operands, step_limit=found.step + 1)
            if smaller is not None:
                found, again = smaller, True
                break
    return found
