"""A network as a policy of one's own, which ``rollout``, ``extract`` and ``certify`` take."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from experiments.networks.modules import MOVES, Network, Recurrent

_ROOM = 64
"""A transformer's history is filled up to this many symbols, or twice as many, and so on: few lengths to compile."""


class NetworkPolicy:
    """A network as a policy. One step is compiled; a state is never changed, so that nobody has to copy it.

    The state of a recurrent network is its own. A transformer has none: it reads everything it has seen again at every
    step, which takes longer and longer.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        if isinstance(network, Recurrent):
            self.step_limit = 1_000_000
            self._step = jax.jit(lambda state, symbol: _decided(*network.step(state, symbol)))
        else:
            self.step_limit = 4_000
            self._step = jax.jit(lambda seen, last: _decided(seen, network.scores(seen)[last]))

    def begin(self) -> Any:
        """The state before the first symbol."""
        return self.network.begin() if isinstance(self.network, Recurrent) else ()

    def copy(self, state: Any) -> Any:
        """The state itself, as nothing changes it."""
        return state

    def act(self, state: Any, symbol: int) -> tuple[Any, int, int] | None:
        """One step on the grid; None if no symbol or no move has the highest score alone, as for a DFST."""
        if isinstance(self.network, Recurrent):
            after, done = self._step(state, symbol)
        else:
            after, room = (*state, symbol), _ROOM
            while room < len(after):
                room *= 2
            _, done = self._step(np.array(after + (0,) * (room - len(after)), np.int32), len(after) - 1)
        written, move = divmod(int(done), MOVES + 1)
        return None if written == 0 or move == 0 else (after, written - 1, move - 1)


def _decided(state: Any, scores: Any) -> tuple[Any, Any]:
    """The state, and what leads in one number: a symbol and a move, 0 for none."""
    written, move = _leader(scores[:-MOVES]), _leader(scores[-MOVES:])
    return state, (written + 1) * (MOVES + 1) + move + 1


def _leader(scores: Any) -> Any:
    """The number of the highest score; -1 if it is not alone, or no number."""
    return jnp.where((scores == scores.max()).sum() == 1, scores.argmax(), -1)
