"""Importing this registers the Gymnasium environment dfst/GridWorld-v0 (extra ``gym``).

Gymnasium loads no plugins by itself: a module has to be imported, or named in front of the environment.

>>> import gymnasium
>>> environment = gymnasium.make("dfst.gym:dfst/GridWorld-v0", task="add2")
>>> environment.action_space
MultiDiscrete([4 5])
"""

from __future__ import annotations

from dfst.errors import MissingExtraError

try:
    import gymnasium
except ImportError:
    raise MissingExtraError("The Gymnasium environment", "gym") from None

if "dfst/GridWorld-v0" not in gymnasium.registry:
    gymnasium.register("dfst/GridWorld-v0", entry_point="dfst.exchange.gridworld:GridWorld")
