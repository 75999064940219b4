"""A rollout with float32 significands and exponents without end: the truth that rescaling is compared with."""

import numpy as np

from dfst.world.grid import Grid
from dfst.world.moves import OFFSETS, Move


def rounded(x, bits=24):
    """The float64 ``x`` rounded to ``bits`` significant bits, to nearest, ties to even; its exponent is not limited."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits)


def extended_rollout(model, operands, steps):
    """(actions, log2 of the scale, h over the scale) after ``steps`` steps, each operation rounded to 24 bits.

    A product of two 24-bit numbers is exact in float64, and a sum rounded twice (53, then 24 bits) is the sum rounded
    once; so this is float32 arithmetic, but with float64's exponents, renormalised exactly long before they end.
    """
    weights = np.concatenate([model.A, model.B, model.C], axis=1).astype(np.float64)
    k, d = len(model.alphabet), model.hidden_dim
    grid, (x, y) = Grid(model.world, model.place(operands)), model.layout.head
    h, scale, actions = model.h0.astype(np.float64), 0, []
    for _ in range(steps):
        seen = grid[x, y]
        out = np.zeros(weights.shape[1])
        for j in range(d):
            out = rounded(out + rounded(weights[seen, :, j] * h[j]))
        symbol, move = int(out[d : d + k].argmax()), int(out[d + k :].argmax())
        actions.append((symbol, move))
        if move == Move.S:
            break
        grid[x, y] = symbol
        x, y = x + OFFSETS[move][0], y + OFFSETS[move][1]
        h = out[:d]
        shift = int(np.frexp(np.abs(h).max())[1])
        if abs(shift) > 400:
            h, scale = np.ldexp(h, -shift), scale + shift
    return actions, scale, h
