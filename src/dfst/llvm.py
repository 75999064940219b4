"""Vector and atomic instructions for compiled code. This is the only file that writes LLVM.

Everything a DFST costs is ``out[r] (+)= Σ_u coef[r][u] · rows[u]`` for one, two or four rows r at a time: the
recurrence forward and backward (coef is h or its gradient, rows is A[x]), the two heads, and the collection of
gradients. Written in plain loops LLVM does not keep the sums in registers, so the loop is given to it as vector
instructions; and so are questions about the lanes of a register, and about a row of cells.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WIDE = bool(binding.get_host_cpu_features().get("avx512f"))
VECTOR_BYTES = 64 if _WIDE else 32

PAD = 16
"""Rows are padded with zeros to a multiple of this many numbers, a whole number of vectors in either precision."""

_intrinsic: Any = intrinsic  # to a type checker it is the function that it decorates, called without its context

_I1, _I8, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))


class _Vectors:
    """Vectors of so many numbers: constants, loads and stores."""

    def __init__(self, builder: Any, number: Any, lanes: int, align: int) -> None:
        self.builder, self.lanes, self.align = builder, lanes, align
        self.type = ir.VectorType(number, lanes)

    def every(self, value: float) -> Any:
        return ir.Constant(self.type, [value] * self.lanes)

    def spread(self, scalar: Any) -> Any:
        """``scalar`` in every lane."""
        nothing, everywhere = ir.Constant(self.type, ir.Undefined), [ir.Constant(_I32, 0)] * self.lanes
        first = self.builder.insert_element(nothing, scalar, everywhere[0])
        return self.builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_I32, self.lanes), everywhere))

    def pointer(self, base: Any, index: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(base, [index]), self.type.as_pointer())

    def load(self, base: Any, index: Any) -> Any:
        return self.builder.load(self.pointer(base, index), align=self.align)


def _data(context: Any, builder: Any, signature: Any, args: Any, i: int = 0) -> Any:
    """Where the numbers of argument ``i``, an array, begin."""
    return cgutils.create_struct_proxy(signature.args[i])(context, builder, args[i]).data


def make_product(row_count: int, widest: int, *, strict: bool = False) -> Any:
    """An intrinsic that multiplies ``row_count`` rows with a matrix, at most ``widest`` vectors of each at a time.

    For r < row_count and i < stride: out[to[r] + i] (+)= Σ_u coef[at[r] + u·step] · rows[first + u·stride + i], u <
    count, where ``block`` is (first, stride, count). All arrays are flat; ``add`` keeps what stands in ``out``;
    ``stride`` is a multiple of PAD. ``strict`` rounds every product and every sum, in the order of u, so that all
    computers agree to the last bit; otherwise the two may be fused.
    """
    flags = () if strict else ("contract",)

    @_intrinsic
    def product(typing, coef, at, step, rows, block, out, to, add):
        signature = types.void(coef, at, step, rows, block, out, to, add)

        def generate(context, builder, signature, args):
            number = context.get_data_type(signature.args[0].dtype)
            size = context.get_abi_sizeof(number)
            vectors = _Vectors(builder, number, VECTOR_BYTES // size, size)
            coef, rows, out = (_data(context, builder, signature, args, i) for i in (0, 3, 5))
            at, step, block, to, add = (args[i] for i in (1, 2, 4, 6, 7))
            first, stride, count = (builder.extract_value(block, i) for i in range(3))
            done = cgutils.alloca_once_value(builder, ir.Constant(_I64, 0))

            def take(width):
                """The next ``width`` vectors of every row; their sums stay in registers."""
                begin = builder.load(done)
                builder.store(builder.add(begin, ir.Constant(_I64, width * vectors.lanes)), done)
                shifts = [ir.Constant(_I64, v * vectors.lanes) for v in range(width)]
                tiles = [(r, v) for r in range(row_count) for v in range(width)]
                targets = [builder.add(builder.extract_value(to, r), begin) for r in range(row_count)]
                places = {(r, v): vectors.pointer(out, builder.add(targets[r], shifts[v])) for r, v in tiles}
                top = builder.add(first, begin)
                start = {t: builder.select(add, builder.load(places[t], align=size), vectors.every(0.0)) for t in tiles}
                before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
                builder.cbranch(builder.icmp_signed(">", count, ir.Constant(_I64, 0)), loop, after)

                builder.position_at_end(loop)
                u, sums = builder.phi(_I64), {t: builder.phi(vectors.type) for t in tiles}
                row, offset = builder.add(top, builder.mul(u, stride)), builder.mul(u, step)
                loaded = [vectors.load(rows, builder.add(row, shift)) for shift in shifts]
                grown = {}
                for r in range(row_count):
                    place = builder.add(builder.extract_value(at, r), offset)
                    scalar = vectors.spread(builder.load(builder.gep(coef, [place])))
                    for v in range(width):
                        term = builder.fmul(scalar, loaded[v], flags=flags)
                        grown[r, v] = builder.fadd(sums[r, v], term, flags=flags)
                following = builder.add(u, ir.Constant(_I64, 1))
                u.add_incoming(ir.Constant(_I64, 0), before)
                u.add_incoming(following, loop)
                builder.cbranch(builder.icmp_signed("<", following, count), loop, after)

                builder.position_at_end(after)
                ends = {t: builder.phi(vectors.type) for t in tiles}
                for t in tiles:
                    for phi in (sums[t], ends[t]):
                        phi.add_incoming(start[t], before)
                        phi.add_incoming(grown[t], loop)
                for t in tiles:
                    builder.store(ends[t], places[t], align=size)

            more, end = builder.append_basic_block(), builder.append_basic_block()
            builder.branch(more)
            builder.position_at_end(more)
            left = builder.sdiv(builder.sub(stride, builder.load(done)), ir.Constant(_I64, vectors.lanes))
            for width in range(1, widest + 1):
                with builder.if_then(builder.icmp_signed("==", left, ir.Constant(_I64, width))):
                    take(width)
                    builder.branch(end)
            # the last of them must not be so narrow that it waits for its own sums
            few = builder.icmp_signed("<", left, ir.Constant(_I64, widest + widest // 2))
            with builder.if_else(few) as (half, whole):
                with half:
                    take(widest // 2 + 1)
                with whole:
                    take(widest)
            builder.branch(more)
            builder.position_at_end(end)
            return context.get_dummy_value()

        return signature, generate

    return product


product1, product2 = make_product(1, 4), make_product(2, 4)
product4 = make_product(4, 4 if _WIDE else 2)
"""Four rows of four vectors are 16 sums, half of the 32 registers; AVX2 has only 16."""


def _on_lanes(answer: Any) -> Any:
    """An intrinsic on the lanes ``low`` <= lane < ``high`` of the vector at ``array[at]``; ``answer`` says what of it.

    Numbers are compared as integers with the same order, NaN above infinity: that is one instruction, and total.
    """

    @_intrinsic
    def look(typing, array, at, low, high, key):
        signature = types.int64(array, types.int64, types.int64, types.int64, types.int64)

        def generate(context, builder, signature, args):
            size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
            number = ir.IntType(8 * size)
            vectors = _Vectors(builder, number, VECTOR_BYTES // size, size)
            block = vectors.load(_data(context, builder, signature, args), args[1])
            low, high, key = (builder.trunc(arg, number) if size < 8 else arg for arg in args[2:])
            lane = ir.Constant(vectors.type, list(range(vectors.lanes)))
            inside = builder.sub(lane, vectors.spread(low))
            inside = builder.icmp_unsigned("<", inside, vectors.spread(builder.sub(high, low)))
            result = answer(builder, vectors, block, inside, key)
            widen = builder.zext if answer is _equal_lanes else builder.sext
            return widen(result, _I64) if result.type.width < 64 else result

        return signature, generate

    return look


def _ordered(builder, vectors, block):
    bits = vectors.type.element.width
    negative = builder.ashr(block, vectors.every(bits - 1))
    return builder.xor(block, builder.and_(negative, vectors.every(2 ** (bits - 1) - 1)))


def _largest_lane(builder, vectors, block, inside, key):
    lowest = vectors.every(-(2 ** (vectors.type.element.width - 1)))
    return _largest(builder, vectors, builder.select(inside, _ordered(builder, vectors, block), lowest))


def _largest_size(builder, vectors, block, inside, key):
    sizes = builder.and_(block, vectors.every(2 ** (vectors.type.element.width - 1) - 1))
    return _largest(builder, vectors, builder.select(inside, sizes, vectors.every(0)))


def _equal_lanes(builder, vectors, block, inside, key):
    equal = builder.icmp_signed("==", _ordered(builder, vectors, block), vectors.spread(key))
    return builder.bitcast(builder.and_(inside, equal), ir.IntType(vectors.lanes))


def _largest(builder, vectors, values):
    number = vectors.type.element
    name = f"llvm.vector.reduce.smax.v{vectors.lanes}i{number.width}"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [vectors.type]), name)
    return builder.call(function, [values])


largest_of, size_of, equal_to = (_on_lanes(answer) for answer in (_largest_lane, _largest_size, _equal_lanes))


def make_scan(*, leftwards: bool) -> Any:
    """An intrinsic: how many cells from ``at`` on, in one direction, hold symbols from ``low`` to ``low + span``.

    64 cells are read at a time, also beyond the last one.
    """

    @_intrinsic
    def scan(typing, cells, at, low, span):
        signature = types.int64(cells, types.int64, types.uint8, types.uint8)

        def generate(context, builder, signature, args):
            base, vectors = _data(context, builder, signature, args), _Vectors(builder, _I8, 64, 1)
            low, span = vectors.spread(args[2]), vectors.spread(args[3])
            before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
            builder.branch(loop)
            builder.position_at_end(loop)
            seen = builder.phi(_I64)
            place = builder.sub(args[1], seen) if leftwards else builder.add(args[1], seen)
            place = builder.sub(place, ir.Constant(_I64, 63)) if leftwards else place
            outside = builder.icmp_unsigned(">", builder.sub(vectors.load(base, place), low), span)
            mask = builder.bitcast(outside, _I64)
            following = builder.add(seen, ir.Constant(_I64, 64))
            seen.add_incoming(ir.Constant(_I64, 0), before)
            seen.add_incoming(following, loop)
            builder.cbranch(builder.icmp_unsigned("==", mask, ir.Constant(_I64, 0)), loop, after)
            builder.position_at_end(after)
            return builder.add(seen, (builder.ctlz if leftwards else builder.cttz)(mask, ir.Constant(_I1, 0)))

        return signature, generate

    return scan


@_intrinsic
def trailing_zeros(typing, mask):
    """How many of the lowest bits are zero."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(_I1, 0))

    return types.int64(types.int64), generate


@_intrinsic
def atomic_add(typing, array, place, value):
    """Atomically: array[place] += value; what stood there before."""

    def generate(context, builder, signature, args):
        place = builder.gep(_data(context, builder, signature, args), [args[1]])
        return builder.atomic_rmw("add", place, args[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


@_intrinsic
def atomic_read(typing, array, place):
    """Atomically: array[place]."""

    def generate(context, builder, signature, args):
        place = builder.gep(_data(context, builder, signature, args), [args[1]])
        return builder.load_atomic(place, "seq_cst", 8, typ=_I64)

    return types.int64(array, types.int64), generate
