"""Arrays: annotations with dimension letters, checked at run time in the tests, and views that cannot be changed.

The letters mean the same everywhere: K symbols, d hidden dimensions, Q states, T steps of a trace, N traces, n digits.
jaxtyping is a development dependency only; without it ``Float[np.ndarray, "K d d"]`` is plainly ``np.ndarray``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxtyping import Float, Int32, Int64, UInt8, UInt32
else:
    try:
        from jaxtyping import Float, Int32, Int64, UInt8, UInt32
    except ImportError:

        class Float:
            """Stands in for the jaxtyping class of the same use: ``X[array_type, shape]`` is the array type."""

            def __class_getitem__(cls, item: tuple[type, str]) -> Any:
                """The array type, whatever the shape."""
                return item[0]

        Int32 = Int64 = UInt8 = UInt32 = Float

__all__ = ["Float", "Int32", "Int64", "UInt8", "UInt32", "freeze", "frozen"]


def frozen(array: Any) -> Any:
    """A view of ``array`` that raises where somebody changes it."""
    view = array.view()
    view.setflags(write=False)
    return view


def freeze(record: Any, names: Iterable[str]) -> None:
    """Let the arrays of these ``names`` in a frozen ``record`` be such views."""
    for name in names:
        object.__setattr__(record, name, frozen(getattr(record, name)))
