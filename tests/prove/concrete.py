"""Which concrete configurations the members of a certificate hold, by regular expressions; no code of the prover.

A column of the grid becomes a character, a run a character class, a half a regular expression.
"""

import re

from dfst.world.grid import Grid
from dfst.world.machine import HALTED, GridMachine
from dfst.world.moves import OFFSETS


class Members:
    """The members of a certificate (or of its JSON), to be asked whether they hold a configuration."""

    def __init__(self, content) -> None:
        self.content = content
        self.low, self.high = content["rows"]
        self.by_states = {}
        for member in content["members"]:
            self.by_states.setdefault(tuple(member[:2]), []).append(member[2:])
        self.blank = content["symbols"].index(content["blank"])

    def hold(self, q: int, s: int, grid: Grid, cell) -> bool:
        """Whether some member holds this configuration."""
        x, y = cell
        points = dict(grid.cells())
        columns = {}
        for (i, j), symbol in points.items():
            columns.setdefault(i, {})[j] = symbol
        for shape in self.by_states.get((q, s), []):
            if not shape:
                return True
            if any(not self.low <= j <= self.high for _, j in points) or shape[0] != y - self.low:
                continue
            near, far = min([*columns, x]) - 1, max([*columns, x]) + 1
            halves = [range(x - 1, near - 1, -1), range(x + 1, far + 1)]
            if self._fits(shape[2], columns.get(x, {})) and all(
                self._matches(half, [columns.get(i, {}) for i in there])
                for half, there in zip((shape[1], shape[3]), halves, strict=True)
            ):
                return True
        return False

    def _fits(self, column: int, cells) -> bool:
        sets = self.content["columns"][column]
        rows = range(self.low, self.high + 1)
        return all(
            cells.get(row, self.blank) in self.content["sets"][which] for row, which in zip(rows, sets, strict=True)
        )

    def _matches(self, half: int, columns) -> bool:
        kinds = {tuple(sorted(cells.items())): cells for cells in [*columns, {}]}
        letters = {kind: chr(0x4E00 + i) for i, kind in enumerate(kinds)}
        pattern = ""
        for column, many in self.content["halves"][half]:
            fitting = [letters[kind] for kind, cells in kinds.items() if self._fits(column, cells)]
            if not fitting:
                return False
            pattern += f"[{''.join(fitting)}]" + "+" * many
        text = "".join(letters[tuple(sorted(cells.items()))] for cells in columns)
        blanks = letters[()] * len(self.content["halves"][half])  # runs may lie on the blanks beyond
        return re.fullmatch(pattern + f"{letters[()]}*", text + blanks) is not None


def configurations(teacher: GridMachine, learner: GridMachine, operands, steps: int):
    """(teacher state, learner state, grid, cell) of a joint run, the start included; the grid is changed in between."""
    grid = Grid(teacher.world, teacher.place(operands))
    q, s, cell = teacher.start, learner.start, teacher.layout.head
    for _ in range(steps):
        yield q, s, grid, cell
        seen = grid[cell]
        theirs, ours = teacher.table[q][seen], learner.table[s][seen]
        if theirs is None or ours is None or theirs[0] == HALTED:
            return
        assert theirs[1:] == ours[1:]
        grid[cell] = theirs[1]
        dx, dy = OFFSETS[theirs[2]]
        q, s, cell = theirs[0], ours[0], (cell[0] + dx, cell[1] + dy)
