"""Questions about the lanes of one vector register, as instructions: which number is largest, which equal a key."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dfst.jit import compiled
from dfst.learn.tiles import VECTOR_BYTES


def _on_vector(answer: Any) -> Any:
    """An intrinsic on the lanes ``low`` <= lane < ``high`` of the vector at ``array[at]``; ``answer`` says what of it.

    Numbers are compared as integers with the same order, NaN above infinity: that is one instruction, and total.
    """

    @intrinsic
    def look(typing, array, at, low, high, key):
        signature = types.int64(array, types.int64, types.int64, types.int64, types.int64)

        def generate(context, builder, signature, args):
            size = context.get_abi_sizeof(context.get_data_type(signature.args[0].dtype))
            lanes = VECTOR_BYTES // size
            number, i64 = ir.IntType(8 * size), ir.IntType(64)
            vector = ir.VectorType(number, lanes)
            base = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(base, [args[1]]), vector.as_pointer())
            block = builder.load(place, align=size)

            def spread(scalar):
                nothing = ir.Constant(vector, ir.Undefined)
                first = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
                zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
                return builder.shuffle_vector(first, nothing, zeros)

            def narrow(value):
                return builder.trunc(value, number) if size < 8 else value

            def every(value):
                return ir.Constant(vector, [value] * lanes)

            lane = ir.Constant(vector, list(range(lanes)))
            inside = builder.icmp_unsigned(
                "<", builder.sub(lane, spread(narrow(args[2]))), spread(narrow(builder.sub(args[3], args[2])))
            )
            negative = builder.ashr(block, every(8 * size - 1))
            ordered = builder.xor(block, builder.and_(negative, every(2 ** (8 * size - 1) - 1)))
            result = answer(builder, vector, number, block, ordered, inside, spread(narrow(args[4])), every)
            if result.type.width < 64:
                result = (builder.zext if answer is _equal_lanes else builder.sext)(result, i64)
            return result

        return signature, generate

    return look


def _largest_lane(builder, vector, number, block, ordered, inside, key, every):
    lowest = every(-(2 ** (number.width - 1)))
    return _reduce(builder, vector, number, builder.select(inside, ordered, lowest))


def _largest_size(builder, vector, number, block, ordered, inside, key, every):
    sizes = builder.and_(block, every(2 ** (number.width - 1) - 1))
    return _reduce(builder, vector, number, builder.select(inside, sizes, every(0)))


def _equal_lanes(builder, vector, number, block, ordered, inside, key, every):
    equal = builder.and_(inside, builder.icmp_signed("==", ordered, key))
    return builder.bitcast(equal, ir.IntType(vector.count))


def _reduce(builder, vector, number, values):
    name = f"llvm.vector.reduce.smax.v{vector.count}i{number.width}"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [vector]), name)
    return builder.call(function, [values])


largest_of, size_of, equal_to = (_on_vector(answer) for answer in (_largest_lane, _largest_size, _equal_lanes))


def _count_zeros(typing, mask):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


trailing_zeros: Any = intrinsic(_count_zeros)


@compiled(inline="always")
def lanes_of(first, count, lanes):
    """Where ``count`` numbers from ``first`` on lie: (first vector, last vector, first lane, end lane in the last)."""
    last = first + count - 1
    return first // lanes * lanes, last // lanes * lanes, first % lanes, last % lanes + 1
