"""Reductions of whole arrays in kernels, and loops that are written once for each item."""

import warnings

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda, literal_unroll
from cuprum.compat.numba.cuda.core import errors

NAMES = (
    *("sum", "prod", "mean", "var", "std", "min", "max", "amin", "amax", "argmin", "argmax", "any", "all"),
    *("count_nonzero", "nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax"),
)
DTYPES = (
    "bool",
    "int8",
    "uint8",
    "int32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
RTOL = {"float16": 2e-3, "float32": 2e-6, "complex64": 5e-6}


def reduced(function, x, out):
    @cuda.jit
    def kernel(x, out):
        out[0] = function(x)

    kernel[1, 1](x, out)
    return out[0]


def arrays(dtype):
    numbers = np.random.default_rng(7).standard_normal((2, 12)) * 3
    x = (numbers[0] + 1j * numbers[1]).astype(dtype) if dtype.startswith("c") else numbers[0].astype(dtype)
    out = [x, x.reshape(3, 4), x.reshape(2, 3, 2)[::-1, :, 1:], np.asarray(x[4])]
    if x.dtype.kind in "fc":
        holed = x.copy()
        holed[3] = np.nan
        out += [holed, np.full(3, np.nan, dtype)]
    return out


# Complex numbers have no order in kernels.
CASES = [(n, d) for n in NAMES for d in DTYPES if d[0] != "c" or not ("min" in n or "max" in n)]


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_reductions_are_numpys(name, dtype):
    function = getattr(np, name)
    for x in arrays(dtype):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            wanted = np.asarray(function(x))
        got = reduced(function, x, np.zeros(1, wanted.dtype))
        np.testing.assert_allclose(got, wanted, rtol=RTOL.get(dtype, 1e-13), atol=0)


def test_methods_of_arrays():
    @cp.jit
    def kernel(x, out):
        out[0] = x.sum()
        out[1] = x[1].max()
        out[2] = x[:, ::2].mean()
        out[3] = x.argmin() + x.any()
        part = cp.jit.shared.array(3, "float64")
        part[:] = 2
        out[4] = part.prod()

    x = np.array([[3.0, -1, 2], [0, 7, 5]])
    out = cp.zeros(5)
    kernel[1, 1](cp.asarray(x), out)
    assert out.get().tolist() == [x.sum(), 7, x[:, ::2].mean(), 2, 8]


def test_sums_are_as_wide_as_numpys():
    x = np.full(5, 2**31 - 1, np.int32)
    assert reduced(np.sum, x, np.zeros(1, np.int64)) == x.sum(dtype=np.int64)
    # One by one in float32, the ones would be lost.
    x = np.r_[np.float32(2**24), np.ones(8, np.float32)]
    assert reduced(np.sum, x, np.zeros(1, np.float32)) == 2**24 + 8


# A kernel that raises ends the use of a GPU by its process.
@pytest.mark.no_gpu
def test_the_least_of_no_elements_is_an_error():
    with pytest.raises(RuntimeError, match="min of an array without elements"):
        reduced(np.min, np.zeros(0), np.zeros(1))
    assert reduced(np.sum, np.zeros(0), np.ones(1)) == 0
    assert np.isnan(reduced(np.mean, np.zeros(0), np.ones(1)))


def test_arguments_of_reductions_are_refused():
    @cuda.jit
    def by_axis(x, out):
        out[0] = np.sum(x, axis=0)

    @cuda.jit
    def method(x, out):
        out[0] = x.sum(0)

    @cuda.jit
    def of_number(x, out):
        out[0] = np.sum(x[0, 0])

    for kernel, words in (
        (by_axis, "sum has no argument 'axis'"),
        (method, "sum takes no arguments"),
        (of_number, "takes an array of numbers"),
    ):
        with pytest.raises(errors.TypingError, match=words):
            kernel[1, 1](np.ones((2, 2)), np.zeros(1))


def test_a_loop_over_several_types_is_written_for_each():
    tables = (np.arange(3), np.array([[1.5, 2.5]]))

    @cuda.jit
    def sums(out, pair):
        place = 0
        for item in literal_unroll(pair):
            out[place] = item
            place += 1
        for table in literal_unroll(tables):
            for k in range(3):
                if k == 1:
                    break
                out[place] = np.sum(table) + k
            place += 1
        else:
            out[place] = -1

    out = np.zeros(5)
    sums[1, 1](out, (1, 2.5))
    assert out.tolist() == [1, 2.5, 3, 4, -1]


def test_unrolled_loops_are_not_left():
    @cuda.jit
    def leaves(out, pair):
        for item in literal_unroll(pair):
            if item > 1:
                break
            out[0] = item

    with pytest.raises(errors.UnsupportedError, match="break in a loop over literal_unroll"):
        leaves[1, 1](np.zeros(1), (1, 2.5))
    assert literal_unroll((1, 2)) == (1, 2)
