"""The one inner loop of training: a small matrix product that stays in vector registers.

Everything a DFST costs is ``out[r] (+)= Σ_u coef[r][u] · rows[u]`` for one, two or four rows r at a time: the
recurrence forward and backward (coef is h or its gradient, rows is A[x]), the two heads, and the collection of
gradients. Written in plain loops LLVM does not keep the sums in registers, so the loop is given to it as vector
instructions.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dfst.jit import compiled

_FEATURES = binding.get_host_cpu_features()
VECTOR_BYTES = 64 if _FEATURES.get("avx512f") else 32
_WIDEST = 4 if _FEATURES.get("avx512f") else 2
"""Vectors per row in one tile: four rows of four are 16 sums, half of the 32 registers; AVX2 has only 16."""

PAD = 16
"""Rows are padded with zeros to a multiple of this many numbers, a whole number of vectors in either precision."""


def make_tile(row_count: int, vector_count: int, *, strict: bool = False) -> Any:
    """An intrinsic for ``row_count`` rows of ``vector_count`` vectors; see :func:`product4` for its arguments.

    ``strict`` rounds every product and every sum, in the order of u, so that all machines agree to the last bit;
    otherwise the two may be fused.
    """
    flags = () if strict else ("contract",)

    @intrinsic
    def tile(typing, coef, at, step, rows, first, stride, count, out, to, add):
        signature = types.void(coef, at, step, rows, first, stride, count, out, to, add)

        def generate(context, builder, signature, args):
            number = context.get_data_type(signature.args[0].dtype)
            size = context.get_abi_sizeof(number)
            lanes = VECTOR_BYTES // size
            vector, i64, i32 = ir.VectorType(number, lanes), ir.IntType(64), ir.IntType(32)
            arrays = [(0, args[0]), (3, args[3]), (7, args[7])]
            coef, rows, out = (
                cgutils.create_struct_proxy(signature.args[i])(context, builder, array).data for i, array in arrays
            )
            at, step, first, stride, count, to, add = (args[i] for i in (1, 2, 4, 5, 6, 8, 9))
            zero, nothing = ir.Constant(vector, [0.0] * lanes), ir.Constant(vector, ir.Undefined)
            everywhere = ir.Constant(ir.VectorType(i32, lanes), [0] * lanes)

            def pointer(base, index, v):
                index = builder.add(index, ir.Constant(i64, lanes * v))
                return builder.bitcast(builder.gep(base, [index]), vector.as_pointer())

            tiles = [(r, v) for r in range(row_count) for v in range(vector_count)]
            places = {(r, v): pointer(out, builder.extract_value(to, r), v) for r, v in tiles}
            begin = {t: builder.select(add, builder.load(places[t], align=size), zero) for t in tiles}
            before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
            builder.cbranch(builder.icmp_signed(">", count, ir.Constant(i64, 0)), loop, after)

            builder.position_at_end(loop)
            u = builder.phi(i64)
            u.add_incoming(ir.Constant(i64, 0), before)
            sums = {t: builder.phi(vector) for t in tiles}
            row = builder.add(first, builder.mul(u, stride))
            loaded = [builder.load(pointer(rows, row, v), align=size) for v in range(vector_count)]
            offset, grown = builder.mul(u, step), {}
            for r in range(row_count):
                scalar = builder.load(builder.gep(coef, [builder.add(builder.extract_value(at, r), offset)]))
                spread = builder.insert_element(nothing, scalar, ir.Constant(i32, 0))
                spread = builder.shuffle_vector(spread, nothing, everywhere)
                for v in range(vector_count):
                    product = builder.fmul(spread, loaded[v], flags=flags)
                    grown[r, v] = builder.fadd(sums[r, v], product, flags=flags)
            following = builder.add(u, ir.Constant(i64, 1))
            u.add_incoming(following, loop)
            for t in tiles:
                sums[t].add_incoming(begin[t], before)
                sums[t].add_incoming(grown[t], loop)
            builder.cbranch(builder.icmp_signed("<", following, count), loop, after)

            builder.position_at_end(after)
            ends = {t: builder.phi(vector) for t in tiles}
            for t in tiles:
                ends[t].add_incoming(begin[t], before)
                ends[t].add_incoming(grown[t], loop)
            for t in tiles:
                builder.store(ends[t], places[t], align=size)
            return context.get_dummy_value()

        return signature, generate

    return tile


_one_by_4, _one_by_3, _one_by_2, _one_by_1 = (make_tile(1, v) for v in (4, 3, 2, 1))
_two_by_4, _two_by_3, _two_by_2, _two_by_1 = (make_tile(2, v) for v in (4, 3, 2, 1))
_four_by_4, _four_by_3, _four_by_2, _four_by_1 = (make_tile(4, v) for v in (4, 3, 2, 1))


@compiled(inline="always")
def product1(coef, at, step, rows, first, stride, count, out, to, add, width):
    """:func:`product4` for one row."""
    lanes = VECTOR_BYTES // coef.itemsize
    left = width // lanes
    while left:
        if left >= 4:
            _one_by_4(coef, (at,), step, rows, first, stride, count, out, (to,), add)
            taken = 4
        elif left == 3:
            _one_by_3(coef, (at,), step, rows, first, stride, count, out, (to,), add)
            taken = 3
        elif left == 2:
            _one_by_2(coef, (at,), step, rows, first, stride, count, out, (to,), add)
            taken = 2
        else:
            _one_by_1(coef, (at,), step, rows, first, stride, count, out, (to,), add)
            taken = 1
        left -= taken
        first += taken * lanes
        to += taken * lanes


@compiled(inline="always")
def product2(coef, at, step, rows, first, stride, count, out, to, add, width):
    """:func:`product4` for two rows."""
    lanes = VECTOR_BYTES // coef.itemsize
    left = width // lanes
    while left:
        if left >= 4:
            _two_by_4(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 4
        elif left == 3:
            _two_by_3(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 3
        elif left == 2:
            _two_by_2(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 2
        else:
            _two_by_1(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 1
        left -= taken
        first += taken * lanes
        to = (to[0] + taken * lanes, to[1] + taken * lanes)


@compiled(inline="always")
def product4(coef, at, step, rows, first, stride, count, out, to, add, width):
    """For r = 0..3: out[to[r] + i] (+)= Σ_u coef[at[r] + u·step] · rows[first + u·stride + i], i < width, u < count.

    All arrays are flat; ``add`` keeps what stands in ``out``; ``width`` is a multiple of PAD.
    """
    lanes = VECTOR_BYTES // coef.itemsize
    left = width // lanes
    while left:
        if left >= _WIDEST and _WIDEST == 4:
            _four_by_4(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 4
        elif left == 3 and _WIDEST == 4:
            _four_by_3(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 3
        elif left >= 2:
            _four_by_2(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 2
        else:
            _four_by_1(coef, at, step, rows, first, stride, count, out, to, add)
            taken = 1
        left -= taken
        first += taken * lanes
        shift = taken * lanes
        to = (to[0] + shift, to[1] + shift, to[2] + shift, to[3] + shift)
