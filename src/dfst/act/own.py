"""A policy of the user's own, in Python: an object, or a function, that is asked for an action at every step."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from dfst.errors import InputError, in_your_code, shown
from dfst.world.moves import MOVE_NAMES, Move
from dfst.world.policy import Action, Policy, Replay
from dfst.world.worlds import World

Sees = Literal["numbers", "text"]
"""What a policy is given: the number of the symbol under it in the alphabet, or the symbol itself."""

STEPS = 1_000_000
"""After so many steps a policy is given up, unless it says otherwise: each is a call from Python."""


class Acting(Protocol):
    """What an object needs to be taken for a policy; see :class:`dfst.Policy`."""

    def begin(self) -> Any:
        """The state before the first symbol."""
        ...

    def act(self, state: Any, symbol: Any, /) -> Any:
        """What it does about ``symbol``."""
        ...


def policy(
    function: Callable[[Any, Any], tuple[Any, Any, Any] | None],
    *,
    begin: Any = None,
    sees: Sees = "numbers",
    task: Any = None,
    step_limit: int = STEPS,
) -> Policy:
    """A function from (state, symbol) to (state, symbol, move) as a policy that starts in the state ``begin``.

    Wherever a policy is expected the bare function will do, if it starts in the state None and wants numbers.

    >>> import dfst
    >>> def stay(state, symbol):
    ...     return state, symbol, "S"
    >>> dfst.solve(dfst.policy(stay, sees="text"), "11", beside="increment").divergence.done
    ('1', 'S')
    """
    return _Function(function, begin, sees, task, step_limit, getattr(function, "__name__", "policy"))


@dataclass(frozen=True)
class _Function(Policy):
    """A function as a policy."""

    function: Callable[[Any, Any], Any]
    start: Any
    sees: Sees
    task: Any
    step_limit: int
    __name__: str

    def begin(self) -> Any:
        return self.start

    def act(self, state: Any, symbol: Any) -> Any:
        return self.function(state, symbol)


def is_policy(given: Any) -> bool:
    """Whether ``given`` is meant as a policy of the user's own; what only looks like one is refused with a sentence."""
    if isinstance(given, type) and hasattr(given, "act"):
        do = f"Give an object of it: {given.__name__}()."
        raise InputError(f"{given.__name__} is a class, not a policy", do=do)
    has = [callable(getattr(given, name, None)) for name in ("begin", "act")]
    if any(has) and not all(has):
        there, missing = ("begin", "act") if has[0] else ("act", "begin")
        what = f"{shown(given)} has {there}, but no {missing}"
        raise InputError(what, do="A policy has begin() and act(state, symbol).")
    return all(has) or (callable(given) and not isinstance(given, type))


def acts_in_a_world(given: Any) -> bool:
    """Whether ``given`` is a model, a machine, or a policy of one's own that was checked, in its world."""
    return isinstance(given, (OwnPolicy, Replay)) or (isinstance(given, Policy) and given.compiled)


def in_world(given: Any, world: World) -> Policy:
    """``given`` itself if it is in a world already; else, as a policy of one's own, in that which it names, or here."""
    if acts_in_a_world(given):
        return given
    named = getattr(given, "world", None)
    return OwnPolicy.of(given, named if isinstance(named, World) else world)


class PolicyRaisedError(InputError):
    """A policy of the user's own raised an error of its own."""


@dataclass(frozen=True, eq=False)
class OwnPolicy(Policy):
    """A policy of the user's own in a world: what it says is checked, and every mistake ends in a sentence.

    >>> import dfst
    >>> add2 = dfst.task("add2").machine
    >>> own = OwnPolicy.of(lambda state, symbol: (state, "1", "R"), add2.world)
    >>> own.act(own.begin(), 0)
    (None, 1, 3)
    """

    policy: Any = field(repr=False)
    name: str
    world: World = field(repr=False)
    sees: Sees = "numbers"
    step_limit: int = STEPS

    @classmethod
    def of(cls, given: Any, world: World, name: str = "") -> OwnPolicy:
        """``given`` in ``world``."""
        name = name or getattr(given, "__name__", type(given).__name__)
        given = given if hasattr(given, "act") else policy(given)
        sees: Any = getattr(given, "sees", "numbers")
        limit: Any = getattr(given, "step_limit", None)
        limit = STEPS if limit is None else limit
        if sees not in get_args(Sees):
            raise InputError(f"its attribute sees is {sees!r}", where=name, do='Use "numbers" or "text".')
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InputError(f"its step_limit is {limit!r}", where=name, do="Use a whole number, 1 or more.")
        return cls(given, name, world, sees, limit)

    def begin(self) -> Any:
        """The state before the first symbol."""
        try:
            return self.policy.begin()
        except BaseException as error:
            raise self._raised("begin", error, "") from error

    def act(self, state: Any, symbol: int) -> Action | None:
        """What it does about the symbol of this number, checked."""
        given = self.alphabet.symbols[symbol] if self.sees == "text" else symbol
        try:
            action = self.policy.act(state, given)
        except BaseException as error:
            raise self._raised("act", error, f" on seeing {self.alphabet.symbols[symbol]}") from error
        if action is None:
            return None
        if not isinstance(action, (tuple, list)) or len(action) != 3:
            what = f"act returned {shown(action)}"
            raise InputError(what, where=self.name, do="Return (state, symbol, move), or None.")
        after, written, move = action
        return after, self._symbol(written), self._move(move)

    def _symbol(self, given: Any) -> int:
        alphabet = self.alphabet
        number = alphabet.index.get(given) if isinstance(given, str) else _whole(given)
        if number is None or not 0 <= number < len(alphabet):
            do = f"The symbols are {' '.join(alphabet.symbols)}, or their numbers 0 to {len(alphabet) - 1}."
            raise InputError(f"it writes {shown(given)}, which is no symbol here", where=self.name, do=do)
        return number

    def _move(self, given: Any) -> int:
        number = _MOVES.get(given) if isinstance(given, str) else _whole(given)
        if number is None or not 0 <= number < len(Move):
            do = "Moves are the letters U D L R and S, which halts, or their numbers 0 to 4."
            raise InputError(f"it moves {shown(given)}, which is no move", where=self.name, do=do)
        return number

    def attempt(self, state: Any, symbol: int) -> Action | None:
        """As :meth:`act`; where the policy raises an error it has nothing to say.

        For questions that it would never meet on the grid, such as what it would do in the place of another.
        """
        try:
            return self.act(state, symbol)
        except PolicyRaisedError:
            return None

    def _raised(self, what: str, error: BaseException, when: str) -> PolicyRaisedError:
        """The policy's own error as a sentence, with the line it comes from."""
        what = f"{what} raised {in_your_code(error)}{when}"
        return PolicyRaisedError(what, where=self.name, do="Correct the policy there.")


_MOVES = {name: number for number, name in enumerate(MOVE_NAMES)}


def _whole(given: Any) -> int | None:
    """A whole number of any kind (NumPy's and torch's, too); a truth value is none."""
    if isinstance(given, bool):
        return None
    try:
        return operator.index(given)
    except (TypeError, ValueError, RuntimeError):
        return None
