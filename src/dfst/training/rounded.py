"""A model with its hidden state rounded after every step: a network that cannot drift, of which more can be proven."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dfst.act.growing import Growing, rollout_beside, together
from dfst.act.rounding import Rounding, check_bits
from dfst.errors import InputError
from dfst.training.model import DFST
from dfst.world.policy import Action, Setup
from dfst.world.rollout import Rollout
from dfst.world.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class RoundedDFST(DFST):
    """A DFST that acts with its hidden state rounded to ``bits`` bits (see :mod:`dfst.act.rounding`), exactly."""

    bits: int = 0

    silence = "two scores tie for the highest, or the hidden state cannot be rounded"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bits(self.bits)

    @cached_property
    def rounding(self) -> Rounding:
        """The arithmetic of its steps; those that were made are remembered."""
        return Rounding(self.weights, self.bits)

    def describe(self) -> str:
        """What it is, in a few words."""
        return f"{super().describe()}, hidden state rounded to {self.bits} bit{'s' * (self.bits != 1)}"

    def begin(self) -> Any:
        """The rounded h0: whole numbers."""
        return self.rounding.start

    def act(self, state: Any, symbol: int) -> Action | None:
        """What it does about ``symbol``."""
        return self.rounding.step(state, symbol)

    def rollout(self, setup: Setup, *, drift: bool = False) -> Rollout:
        """As :meth:`dfst.Policy.run`, compiled: the steps become a table that grows as new vectors are met."""
        if drift:
            raise InputError("a rounded network does not drift", where=self.name, do="Measure the model as trained.")
        if setup.beside is None:
            return self._alone.rollout(self, setup)[0]
        teacher = setup.beside.as_table()
        if teacher is None or setup.record:
            return super(DFST, self).rollout(setup)
        if teacher not in self._beside:
            self._beside[teacher] = together(self, teacher)
        return rollout_beside(self, teacher, self._beside[teacher], setup)

    @cached_property
    def _alone(self) -> Growing:
        return Growing(self.alphabet, self.layout, self.begin(), self.act)

    @cached_property
    def _beside(self) -> dict[Table, Growing]:
        """What it does beside each teacher: it is compared with one on many problems, and meets the same vectors."""
        return {}

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, rounded to {self.bits} bit{'s' * (self.bits != 1)})"


def rounded(model: DFST, bits: Any) -> RoundedDFST:
    """``model`` with its hidden state rounded to ``bits`` bits after every step; its weights stay as they are."""
    return RoundedDFST(model.alphabet, *model.weights, model.name, model.layout, bits=bits)
