"""The network that learns by asking: from round to round it goes on where it was, and keeps that in a file.

Whenever the number of traces passes a power of two it starts from scratch: what it learned from half of them may be in
the way of the rest.
"""

from __future__ import annotations

from pathlib import Path

from dfst.files import read_bytes, remove, write_atomically
from dfst.runs.checkpoint import checkpoint_bytes, parse_checkpoint
from dfst.runs.run_config import RunConfig
from dfst.traces.traces import Traces
from dfst.training.engine import TrainState
from dfst.training.model import identity_model
from dfst.training.recall import recall
from dfst.until_proven.looks import Watch, next_look
from dfst.until_proven.snapshots import LOOKS


class Pupil:
    """A network in the file ``path``, which is there after the first round; it is trained as ``config`` says."""

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path, self.config = path, config

    def learn(self, traces: Traces, watch: Watch | None = None, deadline: float | None = None) -> TrainState | None:
        """The first look at which it takes every step of ``traces``; None if it does not, even from the beginning."""
        before = self._before()
        state = before and self._trained(before, traces, watch, deadline)
        state = state or self._trained(self._untrained(traces), traces, watch, deadline)
        if state is not None:
            write_atomically(self.path, checkpoint_bytes(state))
        return state

    def forget(self) -> None:
        """Begin anew in the next round."""
        remove(self.path)

    def _before(self) -> TrainState | None:
        return parse_checkpoint(read_bytes(self.path), source=str(self.path)) if self.path.exists() else None

    def _untrained(self, traces: Traces) -> TrainState:
        facts = {"seed": self.config.seed, "name": self.config.task, "layout": traces.layout}
        return TrainState.start(identity_model(traces.alphabet, self.config.hidden_dim, **facts))

    def _trained(
        self, state: TrainState, traces: Traces, watch: Watch | None, deadline: float | None
    ) -> TrainState | None:
        while not recall(state.model, traces).learned:
            if state.iteration >= self.config.recipe.iterations:
                return None
            state = next_look(state, traces, self.config, LOOKS, watch, deadline)
        return state
