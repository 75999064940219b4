"""The grid as a Gymnasium environment (extra ``gym``): a policy sees one symbol, writes one, and moves.

Gymnasium loads no plugins by itself: this module has to be imported, or named in front of the environment.

>>> environment = gymnasium.make("dfst.gym:dfst/GridWorld-v0", task="add2")
>>> environment.action_space
MultiDiscrete([4 5])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from dfst.errors import InputError, MissingExtraError
from dfst.own import as_task
from dfst.teachers.sampling import Operands, Sampling, check_sampling, problems
from dfst.teachers.task import Task
from dfst.world.grid import Grid
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS, Move

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise MissingExtraError("The Gymnasium environment", "gym") from None

if "dfst/GridWorld-v0" not in gymnasium.registry:
    gymnasium.register("dfst/GridWorld-v0", entry_point="dfst.gym:GridWorld")


class GridWorld(gymnasium.Env[Any, Any]):
    """Solve the problems of a task, one per episode, by working on its grid.

    The observation is the number of the symbol under the head, 0 to K - 1, and nothing else: to solve a task a policy
    has to remember. An action is (number of the symbol to write, move), the moves as in :class:`dfst.Move`: U, D, L, R,
    and S = 4, which halts. Halting ends the episode (terminated); the reward is 1 if then the right answer stands on
    the grid, read as the task's layout says, and 0 in every other case and at every other step. After ``step_limit``
    steps, by default twice as many as the teacher takes on this problem, the episode is cut off (truncated).

    ``reset`` draws one of the problems that ``sampling`` describes (by default the task's own, those a DFST learns
    from), or takes the one in ``options={"operands": ("1011", "110")}``. ``info`` always has the ``operands``, the
    right ``answer`` (None if the teacher has none) and the ``cell`` of the head.

    >>> import dfst
    >>> world = GridWorld("add2")
    >>> seen, info = world.reset(options={"operands": ("11", "1")})
    >>> world.alphabet.symbols[seen], info["answer"]
    ('_', '100')
    >>> teacher = dfst.record(world.task.machine, [("11", "1")])[0]
    >>> for action in zip(teacher.written, teacher.moves):
    ...     seen, reward, terminated, truncated, info = world.step(action)
    >>> reward, terminated, truncated
    (1.0, True, False)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 10}  # noqa: RUF012  (Gymnasium's own way)

    def __init__(
        self,
        task: str | Task | GridMachine = "add2",
        *,
        sampling: Sampling | None = None,
        step_limit: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """``task`` is a name (a teacher, one of the gallery, a file), a :class:`dfst.Task` or a machine."""
        self.task = as_task(task)
        self.alphabet, self.layout = self.task.machine.alphabet, self.task.machine.layout
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"there is no render mode {render_mode!r}", where="GridWorld", do="There is ansi.")
        if step_limit is not None and step_limit < 1:
            raise InputError(f"a step limit of {step_limit} allows no step", where="GridWorld", do="Give 1 or more.")
        self.observation_space = spaces.Discrete(len(self.alphabet))
        self.action_space = spaces.MultiDiscrete([len(self.alphabet), len(Move)])
        self.render_mode, self._limit_given, self._running = render_mode, step_limit, False
        self._sampling = sampling or self.task.sampling
        check_sampling(self._sampling, self.task.world)

    @cached_property
    def _problems(self) -> list[Operands]:
        return problems(self.task.world, self._sampling, seed=42)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Begin an episode: (the symbol under the head, info)."""
        super().reset(seed=seed)
        given = (options or {}).get("operands")
        if given is None:
            given = self._problems[int(self.np_random.integers(len(self._problems)))]
        if not isinstance(given, list | tuple):
            raise InputError(f"{given!r} is not a problem", where="GridWorld", do="Give a tuple of operands.")
        self._operands: Operands = tuple(given)
        self._grid = Grid(self.task.machine.world, self.task.machine.place(self._operands))
        self._cell, self._steps, self._running = self.layout.head, 0, True
        self._answer = self.task.truth(*self._operands)
        self._limit = self._limit_given or 2 * self.task.machine.run(*self._operands).steps
        return self._grid[self._cell], self._info()

    def step(self, action: np.ndarray | Sequence[Any]) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Write and move: (the symbol under the head, reward, terminated, truncated, info)."""
        if not self._running:
            raise InputError("the episode is over, or has not begun", where="GridWorld", do="Call reset() first.")
        numbers, sizes = list(action), (len(self.alphabet), len(Move))
        fits = len(numbers) == 2 and all(isinstance(number, int | np.integer) for number in numbers)
        if not fits or not all(0 <= number < size for number, size in zip(numbers, sizes, strict=True)):
            do = f"An action is (symbol, move): whole numbers, the first below {sizes[0]}, the second below {sizes[1]}."
            raise InputError(f"{numbers} is not an action", where="GridWorld", do=do)
        written, move = map(int, numbers)
        self._grid[self._cell] = written
        self._cell = (self._cell[0] + OFFSETS[move][0], self._cell[1] + OFFSETS[move][1])
        self._steps += 1
        terminated = move == Move.S
        truncated = not terminated and self._steps >= self._limit
        self._running = not (terminated or truncated)
        right = terminated and self._answer is not None and self._grid.answer().text == self._answer
        return self._grid[self._cell], float(right), terminated, truncated, self._info()

    def render(self) -> str | None:
        """The whole grid as text (ansi)."""
        return self._grid.text() if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"operands": self._operands, "answer": self._answer, "cell": self._cell}
