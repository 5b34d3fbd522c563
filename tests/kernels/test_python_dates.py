"""datetime64, timedelta64 and bfloat16 in Python kernels, beside NumPy and Cuprum's own arrays."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.bf16 import bfloat16, hadd, hfma, hneg, hsqrt

DATES = np.array(["2005-02-01", "2024-02-29", "1969-12-31", "NaT", "1900-01-01"], "M8[D]")
HOURS = np.array([5, -3, 100000, 7, "NaT"], "m8[h]")


def over(function, first, second, dtype):
    """Apply an operator to the elements of two arrays, in a kernel and by NumPy."""

    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = function(a[i], b[i])

    function = cuda.jit(function, device=True)
    out = np.zeros(len(first), dtype)
    kernel[1, 8](first, second, out)
    return out


CASES = {
    "difference": (lambda a, b: a - b, DATES, DATES[::-1].copy(), "m8[D]"),
    "date and hours": (lambda a, b: a + b, DATES, HOURS, "M8[h]"),
    "hours and date": (lambda a, b: b + a, DATES, HOURS, "M8[h]"),
    "date less hours": (lambda a, b: a - b, DATES, HOURS, "M8[h]"),
    "sum of units": (lambda a, b: a + b, HOURS, np.array([1, 2, 3, 4, 5], "m8[m]"), "m8[m]"),
    "into a finer unit": (lambda a, b: a - b, DATES, DATES[:1].repeat(5), "m8[s]"),
    "times an integer": (lambda a, b: a * b, HOURS, np.arange(-2, 3), "m8[h]"),
    "an integer times": (lambda a, b: b * a, HOURS, np.arange(-2, 3), "m8[h]"),
    "times a real number": (lambda a, b: a * b, HOURS, np.array([0.5, 1.9, -1.5, 2, 3]), "m8[h]"),
    "over an integer": (lambda a, b: a // b, HOURS, np.array([2, 2, -3, 3, 2]), "m8[h]"),
    "ratio": (lambda a, b: a / b, HOURS, np.array([2, 7, 3, 4, 5], "m8[m]"), "f8"),
    "quotient": (lambda a, b: a // b, HOURS[:4], np.array([2, 7, -3, 4], "m8[m]"), "i8"),
    "remainder": (lambda a, b: a % b, HOURS, np.array([2, 7, -3, 4, 5], "m8[h]"), "m8[h]"),
    "less": (lambda a, b: a < b, DATES, DATES[::-1].copy(), "?"),
    "equal": (lambda a, b: a == b, DATES, DATES, "?"),
    "not equal": (lambda a, b: a != b, DATES, DATES, "?"),
    "hours at least": (lambda a, b: a >= b, HOURS, np.array([5, 0, 1, 7, 7], "m8[h]"), "?"),
    "opposite": (lambda a, b: -a, HOURS, HOURS, "m8[h]"),
    "plus an integer": (lambda a, b: a + 3, DATES, DATES, "M8[D]"),
}


def test_a_single_element_is_a_number():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + b

    spans = cp.array(HOURS)
    out = np.zeros(len(DATES), "M8[h]")
    kernel[1, 8](cp.array(DATES), spans[0], out)
    np.testing.assert_array_equal(out, DATES + HOURS[0])


@pytest.mark.parametrize("name", CASES)
def test_operators_on_dates(name):
    function, first, second, dtype = CASES[name]
    with np.errstate(invalid="ignore"):
        expected = function(first, second).astype(dtype)
    found = over(function, first, second, dtype)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


LAUNCH = np.datetime64("2005-02-01")


@cuda.jit
def marks(dates, day, step, out):
    i = cuda.grid(1)
    if i < dates.shape[0]:
        out[i, 0] = dates[i] == day
        out[i, 1] = dates[i] >= LAUNCH
        dates[i] = dates[i] + step


@pytest.mark.parametrize("place", ["host", "device", "strided"])
def test_arrays_and_numbers_of_dates_as_arguments(place):
    dates = np.repeat(DATES, 2)[::2] if place == "strided" else DATES.copy()
    given = cuda.to_device(dates) if place == "device" else dates
    out = np.zeros((5, 2), bool)
    marks[1, 8](given, DATES[1], np.timedelta64(2, "D"), out)
    result = given.copy_to_host() if place == "device" else dates
    np.testing.assert_array_equal(result, DATES + np.timedelta64(2, "D"))
    np.testing.assert_array_equal(out[:, 0], DATES == DATES[1])
    np.testing.assert_array_equal(out[:, 1], DATES >= LAUNCH)


def test_dates_on_the_device():
    device = cuda.to_device(DATES)
    assert device.dtype == DATES.dtype and device[1] == DATES[1] and device.shape == (5,)
    np.testing.assert_array_equal(device[1:4].copy_to_host(), DATES[1:4])
    np.testing.assert_array_equal(device.view(np.int64).copy_to_host(), DATES.view(np.int64))


REFUSED = {
    "sum of dates": (lambda a, b: a + b, DATES, DATES, "M8[D]"),
    "date times": (lambda a, b: a * 2, DATES, DATES, "M8[D]"),
    "date and number compared": (lambda a, b: a < 5, DATES, DATES, "?"),
    "days as months": (lambda a, b: a - b, DATES, DATES, "m8[M]"),
    "a date as a number": (lambda a, b: a, DATES, DATES, "f8"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_operators_that_dates_do_not_have(name):
    with pytest.raises(TypeError if name != "days as months" else NotImplementedError):
        over(*REFUSED[name])


# bfloat16


@cuda.jit
def narrow(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        own = cuda.local.array(2, bfloat16)
        own[0] = a[i] * b[i] - bfloat16(0.1)
        own[1] = a[i] / (b[i] + 1)
        out[i] = own[0] + own[1] if a[i] < b[i] else -own[1]


def test_numbers_of_bfloat16_are_rounded_as_arrays_are():
    rng = np.random.default_rng(0)
    a, b = (cp.asarray(rng.normal(size=100).astype("f4")).astype(cp.bfloat16) for _ in range(2))
    out = cp.zeros(100, cp.bfloat16)
    narrow[1, 128](a, b, out)
    tenth = cp.asarray(np.float32(0.1)).astype(cp.bfloat16)
    # The integer 1 makes the quotient float64, which is then rounded once.
    ratio = (a.astype("f8") / (b.astype("f8") + 1)).astype(cp.bfloat16)
    expected = cp.where(a < b, a * b - tenth + ratio, -ratio)
    np.testing.assert_array_equal(cp.asnumpy(out.astype(cp.float32)), cp.asnumpy(expected.astype(cp.float32)))


@cuda.jit
def rounded(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i]


def test_conversions_to_bfloat16_round_once():
    half = 2.0**-8
    x = np.array([1 + half, 1 + half + 1e-12, 1 + 3 * half, 1 + 3 * half - 1e-12, -1 - half - 1e-12])
    x = np.concatenate([x, [0.0, -0.0, np.inf, -np.inf, np.nan, 3.4e38, 1e300, 1e-40, -1e-45, 1e-60]])
    out = cp.zeros(x.size, cp.bfloat16)
    rounded[1, 32](x, out)
    found = cp.asnumpy(out.astype(cp.float32))
    expected = [1, 1 + 2 * half, 1 + 4 * half, 1 + 2 * half, -1 - 2 * half]
    np.testing.assert_array_equal(found[:5], np.array(expected, "f4"))
    np.testing.assert_array_equal(found[5:10], x[5:10].astype("f4"))
    assert np.signbit(found[6]) and np.isinf(found[10]) and np.isinf(found[11])
    assert abs(found[12] - 1e-40) < 1e-40 * half * 100 and found[13] == found[14] == 0


@cuda.jit
def functions(a, out):
    out[0] = hadd(a[0], a[1])
    out[1] = hfma(a[0], a[1], a[2])
    out[2] = hneg(a[0])
    out[3] = hsqrt(a[2])


def test_functions_of_bfloat16():
    a, out = cp.array([2, 3, 16], dtype=cp.bfloat16), cp.zeros(4, cp.bfloat16)
    functions[1, 1](a, out)
    assert cp.asnumpy(out.astype(cp.float32)).tolist() == [5, 22, -2, 4]


@cuda.jit
def vectors(out):
    a, b = cuda.long2(1, -2), cuda.ulong4(1, 2, 3, 4)
    out[0], out[1] = a.y, b.w


def test_vectors_of_long():
    out = np.zeros(2, np.int64)
    vectors[1, 1](out)
    assert out.tolist() == [-2, 4]
