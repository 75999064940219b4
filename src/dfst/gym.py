"""Importing this registers the Gymnasium environment GridWorld-v0 (extra ``gym``), also as dfst/GridWorld-v0.

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

for _name in ("GridWorld-v0", "dfst/GridWorld-v0"):
    if _name not in gymnasium.registry:
        gymnasium.register(_name, entry_point="dfst.exchange.gridworld:GridWorld")
