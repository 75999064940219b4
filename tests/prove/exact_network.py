"""A rounded network in fractions, as docs/certificates.md defines it: slow, and written apart from the library's."""

from fractions import Fraction
from itertools import product
from math import floor

OFFSETS = ((0, 1), (0, -1), (-1, 0), (1, 0))


class ExactNetwork:
    """The steps of ``model``, its hidden state rounded to ``bits`` bits; None where a tie or nothing is left."""

    def __init__(self, model, bits):
        self.A, self.B, self.C = ([matrix.tolist() for matrix in tensor] for tensor in (model.A, model.B, model.C))
        self.top, self.known = 2**bits, {}
        self.start = self.rounded([Fraction(value) for value in model.h0.tolist()])

    def rounded(self, numbers):
        largest = max(map(abs, numbers))
        if not largest:
            return None
        halves = [self.top * number / largest + Fraction(1, 2) for number in numbers]
        return None if any(half.denominator == 1 for half in halves) else tuple(map(floor, halves))

    def step(self, h, seen):
        """(h, symbol, move); None if stuck."""
        if h is None:
            return None
        if (h, seen) not in self.known:
            self.known[h, seen] = self._step(h, seen)
        return self.known[h, seen]

    def _step(self, h, seen):
        numbers, symbols, moves = (
            [sum(Fraction(w) * x for w, x in zip(row, h, strict=True)) for row in tensor[seen]]
            for tensor in (self.A, self.B, self.C)
        )
        best = [max(scores) for scores in (symbols, moves)]
        if symbols.count(best[0]) > 1 or moves.count(best[1]) > 1:
            return None
        return self.rounded(numbers), symbols.index(best[0]), moves.index(best[1])


def parts(network, teacher, operands, steps=5000):
    """Whether the network leaves its teacher (a machine) on this problem, both run on a grid that is a dict."""
    grid = {(x, 0): symbol for x, symbol in enumerate(teacher.place(operands).tolist())}
    q, h, (x, y) = teacher.start, network.start, teacher.layout.head
    for _ in range(steps):
        seen = grid.get((x, y), teacher.alphabet.blank_index)
        theirs, ours = teacher.table[q][seen], network.step(h, seen)
        if theirs is None:
            return False  # where it gets stuck, nothing is claimed
        if ours is None or ours[1:] != theirs[1:]:
            return True
        q, grid[x, y], move = theirs
        if q < 0:
            return False
        h, (dx, dy) = ours[0], OFFSETS[move]
        x, y = x + dx, y + dy
    return False


def problems(teacher, longest, most):
    """All problems of up to ``longest`` symbols for each operand, but no more than ``most``, evenly spread."""
    words = []
    for part in teacher.world.operands:
        words.append([word for n in range(1, longest + 1) for word in part.words(n)])
    found = list(product(*words))
    return found[:: -(-len(found) // most)]
