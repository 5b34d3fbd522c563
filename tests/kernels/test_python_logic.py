"""NumPy's functions of truth and order in Python kernels, of numbers and of whole arrays, beside NumPy."""

import numpy as np
import pytest

from cuprum.compat.numba import cuda

REALS = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 3.0])
PAIRS = np.array([complex(a, b) for a in (0, 1, -1, np.nan) for b in (0, 1, -1, np.nan)])
WORDS = np.array([0, 1, -1, 5, 127, -128, 64, 3], np.int8)


def tables(values):
    """Return every pair of numbers."""
    a, b = np.meshgrid(values, values)
    return a.ravel().copy(), b.ravel().copy()


ORDERS = (np.less, np.less_equal, np.greater, np.greater_equal)
EXTREMA = (np.minimum, np.maximum, np.fmin, np.fmax)
LOGIC = (np.logical_and, np.logical_or, np.logical_xor)


@pytest.mark.parametrize(
    "values", [REALS, PAIRS, PAIRS.astype(np.complex64), WORDS], ids=lambda v: v.dtype.name
)
@pytest.mark.parametrize("function", [*ORDERS, *EXTREMA, *LOGIC], ids=lambda f: f.__name__)
def test_of_two_numbers(function, values):
    a, b = tables(values)
    with np.errstate(invalid="ignore"):
        expected = function(a, b)

    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = function(a[i], b[i])

    out = np.zeros_like(expected)
    kernel[1, 256](a, b, out)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("values", [REALS, PAIRS, WORDS, np.array([True, False])], ids=lambda v: v.dtype.name)
def test_logical_not(values):
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = np.logical_not(a[i])

    out = np.zeros(values.size, bool)
    kernel[1, 32](values, out)
    np.testing.assert_array_equal(out, np.logical_not(values))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint64"])
def test_invert_keeps_the_type(dtype):
    values = WORDS.astype(dtype)

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = np.invert(a[i])

    out = np.zeros_like(values)
    kernel[1, 32](values, out)
    np.testing.assert_array_equal(out, np.invert(values))


def test_of_whole_arrays():
    @cuda.jit
    def kernel(a, b, less, both, flipped):
        np.less(a, b, less)
        np.logical_and(a, b, both)
        np.invert(both, flipped)

    a, b = np.arange(-2, 6), np.array([0, 1, 2, 0, 4, 0, 9, 0])
    outs = [np.zeros(8, bool) for _ in range(3)]
    kernel[1, 1](a, b, *outs)
    both = np.logical_and(a, b)
    for out, expected in zip(outs, (a < b, both, ~both), strict=True):
        np.testing.assert_array_equal(out, expected)


def test_invert_of_floats_is_refused():
    @cuda.jit
    def kernel(a):
        a[0] = np.invert(a[0])

    with pytest.raises(TypeError, match="invert takes no float64"):
        kernel[1, 1](np.zeros(1))


def test_a_function_with_another_name_than_its_own():
    def local(a):
        a[0] = 7

    local.__name__ = "renamed"
    a = np.zeros(1)
    cuda.jit(local)[1, 1](a)
    assert a[0] == 7
