"""Bits packed into bytes and taken out again, beside NumPy's."""

import numpy as np
import pytest
from samples import permuted
from twin import twin

HOST = np.random.default_rng(3).integers(0, 3, (3, 5, 11))


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, 3])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float64"])
@twin(layout=False, may_raise=(np.exceptions.AxisError, TypeError))
def test_packbits(xp, dtype, axis, bitorder):
    return xp.packbits(permuted(xp, HOST.astype(dtype), (2, 0, 1)), axis=axis, bitorder=bitorder)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, 3])
@pytest.mark.parametrize("count", [None, 5, -3, 200, -1000])
@twin(layout=False, may_raise=(np.exceptions.AxisError, ValueError))
def test_unpackbits(xp, axis, count, bitorder):
    return xp.unpackbits(xp.array((HOST * 77).astype("uint8")), axis=axis, count=count, bitorder=bitorder)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, 1])
@twin()
def test_bytes_that_are_not_zero_are_ones(xp, axis, bitorder):
    every = xp.array(np.arange(256, dtype="uint8").reshape(4, 64))
    return [xp.packbits(bits, axis, bitorder) for bits in (every, every.view("int8"), every.view(bool))]


@pytest.mark.parametrize("axis", [None, 0, -1, 1])
@twin(may_raise=np.exceptions.AxisError)
def test_one_value_is_packed_as_a_vector_of_one(xp, axis):
    return (
        xp.packbits(xp.array(5), axis=axis),
        xp.packbits(xp.zeros(0, bool)),
        xp.unpackbits(xp.array(5, "uint8"), axis=axis),
    )
