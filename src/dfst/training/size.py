"""How large a network is."""

from __future__ import annotations

from numbers import Integral

from dfst.errors import InputError
from dfst.world.moves import Move

MOVES = len(Move)
MAX_PARAMETERS = 2**30


def parameter_count(symbols: int, hidden_dim: int) -> int:
    """K d² + K² d + 5 K d + d.

    >>> [parameter_count(k, d) for k, d in [(4, 12), (12, 20), (4, 32), (12, 108)]]
    [1020, 8900, 5280, 162108]
    """
    return symbols * hidden_dim**2 + symbols**2 * hidden_dim + MOVES * symbols * hidden_dim + hidden_dim


def check_size(symbols: int, hidden_dim: int) -> None:
    """Refuse a hidden dimension that is no whole number, or that no machine could hold, before numpy does."""
    if not isinstance(hidden_dim, Integral):
        raise InputError(f"{hidden_dim!r} is not a whole number", where="hidden_dim", do="Give one, such as 8.")
    if hidden_dim < 1:
        raise InputError(f"a hidden dimension of {hidden_dim} is too small", do="Use 1 or more.")
    if (count := parameter_count(symbols, hidden_dim)) > MAX_PARAMETERS:
        what = f"a hidden dimension of {hidden_dim} makes {count} parameters"
        raise InputError(what, do=f"Use fewer; {MAX_PARAMETERS} parameters are the limit.")
