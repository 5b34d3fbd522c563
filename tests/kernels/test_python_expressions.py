"""Expressions of Python kernels: their types are Numba's (or CuPy's), their values Python's and NumPy's."""

import cmath
import contextlib
import math

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda
from cuprum.jit import _rules
from cuprum.jit._module import compile_device_function
from cuprum.jit._types import scalar


def result_type(function, *dtypes, rules=_rules.NUMBA):
    kinds = tuple(scalar(dtype) for dtype in dtypes)
    return str(compile_device_function(function, kinds, rules, True)[2])


NUMBA_TYPES = [
    (lambda a, b: a + b, ("int32", "int32"), "int64"),
    (lambda a, b: a * b, ("int8", "uint8"), "int64"),
    (lambda a, b: a + b, ("uint8", "uint32"), "uint64"),
    (lambda a, b: a - b, ("uint64", "int64"), "int64"),
    (lambda a, b: a + b, ("float32", "int16"), "float32"),
    (lambda a, b: a + b, ("float32", "int32"), "float64"),
    (lambda a, b: a + b, ("float32", "float32"), "float32"),
    (lambda a, b: a + b, ("complex64", "float32"), "complex64"),
    (lambda a, b: a + b, ("complex64", "float64"), "complex128"),
    (lambda a, b: a + b, ("bool", "bool"), "int64"),
    (lambda a: a + 1, ("float32",), "float64"),
    (lambda a: a + 1.0, ("float32",), "float64"),
    (lambda a: a + np.float32(1), ("float32",), "float32"),
    (lambda a, b: a / b, ("int32", "int32"), "float64"),
    (lambda a, b: a / b, ("float32", "float32"), "float32"),
    (lambda a, b: a // b, ("int32", "int32"), "int64"),
    (lambda a, b: a // b, ("float32", "float32"), "float32"),
    (lambda a, b: a % b, ("uint8", "uint8"), "uint64"),
    (lambda a: a**2, ("float32",), "float32"),
    (lambda a: a**2, ("int32",), "int64"),
    (lambda a: a**0.5, ("int32",), "float64"),
    (lambda a, b: a << b, ("uint8", "int8"), "uint64"),
    (lambda a, b: a & b, ("bool", "bool"), "bool"),
    (lambda a, b: a | b, ("int16", "uint16"), "int64"),
    (lambda a: -a, ("int8",), "int64"),
    (lambda a: ~a, ("uint32",), "uint64"),
    (lambda a: not a, ("int32",), "bool"),
    (lambda a, b: a < b, ("int32", "float64"), "bool"),
    (lambda a, b: min(a, b), ("int32", "int32"), "int32"),
    (lambda a, b: max(a, b), ("int32", "float32"), "float64"),
    (lambda a: abs(a), ("complex64",), "float32"),
    (lambda a: math.sqrt(a), ("float32",), "float32"),
    (lambda a: math.sqrt(a), ("int32",), "float64"),
    (lambda a: math.floor(a), ("float32",), "int64"),
    (lambda a: int(a), ("float32",), "int64"),
    (lambda a: float(a), ("int32",), "float64"),
    (lambda a: round(a), ("float64",), "int64"),
    (lambda a: round(a, 2), ("float32",), "float32"),
    (lambda a, b: a if a > b else b, ("int32", "float32"), "float64"),
    (lambda a: np.int16(a), ("float64",), "int16"),
    (lambda a: (a, a + 1), ("int32",), "Tuple(int32, int64)"),
    (lambda a, b: divmod(a, b), ("int32", "int32"), "Tuple(int64, int64)"),
]


@pytest.mark.parametrize(("function", "dtypes", "expected"), NUMBA_TYPES, ids=range(len(NUMBA_TYPES)))
def test_types_are_numbas(function, dtypes, expected):
    assert result_type(function, *dtypes) == expected


CUDA_TYPES = [
    (lambda a: a + 1, ("int16",), "int32"),
    (lambda a: a + 1.0, ("float32",), "float32"),
    (lambda a: a + 1.0, ("int64",), "float32"),
    (lambda a, b: a + b, ("int8", "int8"), "int8"),
    (lambda a, b: a + b, ("int64", "float32"), "float32"),
    (lambda a, b: a / b, ("int32", "int32"), "float64"),
    (lambda a: a * 5000000000, ("int32",), "int64"),
]


@pytest.mark.parametrize(("function", "dtypes", "expected"), CUDA_TYPES, ids=range(len(CUDA_TYPES)))
def test_types_of_rawkernels_are_cs(function, dtypes, expected):
    assert result_type(function, *dtypes, rules=_rules.CUDA) == expected


def test_types_in_numpys_mode():
    assert result_type(lambda a, b: a + b, "int8", "int8", rules=_rules.NUMPY) == "int8"
    assert result_type(lambda a: a + 1.0, "float32", rules=_rules.NUMPY) == "float64"


INTEGERS = np.array([-9, -8, -7, -3, -2, -1, 1, 2, 3, 7, 8, 9], np.int64)
FLOATS = np.array([-7.5, -3.0, -2.5, -0.5, 0.25, 0.5, 1.5, 2.0, 2.5, 7.75, 1e10, 3.0])


@cuda.jit
def integer_operators(a, b, out):
    i, j = cuda.grid(2)
    if i < a.size and j < b.size:
        x = a[i]
        y = b[j]
        out[0, i, j] = x + y
        out[1, i, j] = x - y
        out[2, i, j] = x * y
        out[3, i, j] = x // y
        out[4, i, j] = x % y
        out[5, i, j] = x & y
        out[6, i, j] = x | y
        out[7, i, j] = x ^ y
        out[8, i, j] = x ** abs(y)
        out[9, i, j] = x << (y & 7)
        out[10, i, j] = x >> (y & 7)
        q, r = divmod(x, y)
        out[11, i, j] = q * 1000 + r


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_divide_and_shift_as_in_python(dtype):
    a = INTEGERS.astype(dtype)
    n = a.size
    out = np.zeros((12, n, n), np.int64)
    integer_operators[(2, 2), (16, 16)](a, a, out)
    x, y = INTEGERS[:, None], INTEGERS[None, :]
    expected = [x + y, x - y, x * y, x // y, x % y, x & y, x | y, x ^ y, x ** abs(y)]
    expected += [x << (y & 7), x >> (y & 7), x // y * 1000 + x % y]
    for number, wanted in enumerate(expected):
        np.testing.assert_array_equal(out[number], np.broadcast_to(wanted, (n, n)), err_msg=str(number))


@cuda.jit
def float_operators(a, out):
    i, j = cuda.grid(2)
    if i < a.size and j < a.size:
        x = a[i]
        y = a[j]
        out[0, i, j] = x / y
        out[1, i, j] = x // y
        out[2, i, j] = x % y
        out[3, i, j] = abs(x) ** y
        out[4, i, j] = x**3
        out[5, i, j] = x**-2
        out[6, i, j] = min(x, y)
        out[7, i, j] = max(x, y)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_divide_as_in_python(dtype):
    a = FLOATS.astype(dtype)
    n = a.size
    out = np.zeros((8, n, n), dtype)
    float_operators[(2, 2), (16, 16)](a, out)
    x, y = a[:, None], a[None, :]
    with np.errstate(all="ignore"):
        wanted = [x / y, x // y, x % y, abs(x) ** y, x**3, x ** dtype_one(dtype, -2), np.minimum(x, y)]
        wanted.append(np.maximum(x, y))
    tolerance = 2e-5 if dtype == "float32" else 1e-13
    for number, expected in enumerate(wanted):
        expected = np.broadcast_to(expected, (n, n))
        if number in (1, 2):
            np.testing.assert_array_equal(out[number], expected, err_msg=str(number))
        else:
            np.testing.assert_allclose(out[number], expected, rtol=tolerance, err_msg=str(number))


def dtype_one(dtype, value):
    return np.dtype(dtype).type(value)


@cuda.jit
def division_by_zero(a, out):
    out[0] = a[0] // a[1]
    out[1] = a[0] % a[1]


def test_integer_division_by_zero_gives_zero():
    out = np.full(2, 7, np.int64)
    division_by_zero[1, 1](np.array([5, 0]), out)
    assert out.tolist() == [0, 0]


@cuda.jit
def comparisons(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i]
        n = 0
        if -3 <= x < 3:
            n += 1
        if 0 < x <= 7 != 3:
            n += 2
        if not x == 2:
            n += 4
        if x in (1, 7, -9):
            n += 8
        if x > 2 and x < 9 or x == -1:
            n += 16
        if (x or 5) == 5:
            n += 32
        if (x and 6) == 6:
            n += 64
        out[i] = n


def test_comparisons_and_boolean_operators():
    values = np.array([-9, -3, -1, 0, 1, 2, 3, 5, 7, 9])
    out = np.zeros(values.size, np.int64)
    comparisons[1, 32](values, out)

    def expected(x):
        n = 0
        n += 1 if -3 <= x < 3 else 0
        n += 2 if 0 < x <= 7 != 3 else 0
        n += 4 if not x == 2 else 0
        n += 8 if x in (1, 7, -9) else 0
        n += 16 if x > 2 and x < 9 or x == -1 else 0
        n += 32 if (x or 5) == 5 else 0
        n += 64 if (x and 6) == 6 else 0
        return n

    assert out.tolist() == [expected(int(x)) for x in values]


@cuda.jit
def mixed_signs(a, b, out):
    out[0] = a[0] < b[0]
    out[1] = a[0] > b[0]
    out[2] = a[0] == b[0]
    out[3] = b[0] >= a[0]
    out[4] = b[0] > 3


def test_signed_and_unsigned_compare_by_value():
    out = np.zeros(5, np.int64)
    mixed_signs[1, 1](np.array([-1]), np.array([2**63 + 5], np.uint64), out)
    assert out.tolist() == [1, 0, 0, 1, 1]


@cuda.jit
def functions(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i]
        out[0, i] = math.sin(x)
        out[1, i] = math.cos(x) + math.tan(x)
        out[2, i] = math.exp(-x)
        out[3, i] = math.log(x) + math.log10(x) + math.log2(x) + math.log1p(x)
        out[4, i] = math.sqrt(x)
        out[5, i] = math.atan2(x, 2.0)
        out[6, i] = math.hypot(x, 3.0)
        out[7, i] = math.floor(x) + math.ceil(x) + math.trunc(x)
        out[8, i] = math.erf(x) + math.erfc(x) + math.gamma(x) + math.lgamma(x)
        out[9, i] = math.fmod(x, 0.7)
        out[10, i] = math.copysign(x, -1.0) + math.fabs(-x)
        out[11, i] = math.pow(x, 1.5)
        out[12, i] = math.degrees(x) + math.radians(x)
        out[13, i] = math.asinh(x) + math.sinh(x) + math.tanh(x) + math.atan(x)
        out[14, i] = math.ldexp(x, 3)
        m, e = math.frexp(x)
        out[15, i] = m * 100 + e
        f, w = math.modf(x)
        out[16, i] = f * 100 + w
        out[17, i] = round(x) + round(x, 1)
        out[18, i] = np.sqrt(x) + np.exp(x) + np.minimum(x, 1.0) + np.maximum(x, 1.0)
        out[19, i] = math.isnan(x) + 2 * math.isinf(x) + 4 * math.isfinite(x)
        out[20, i] = math.log(x, 3.0) + math.pi + math.e


def test_functions_of_math():
    values = np.array([0.1, 0.5, 0.9, 1.0, 1.3, 2.5, 3.5, 7.25])
    out = np.zeros((21, values.size))
    functions[1, 32](values, out)

    def expected(x):
        m, e = math.frexp(x)
        f, w = math.modf(x)
        return [
            math.sin(x),
            math.cos(x) + math.tan(x),
            math.exp(-x),
            math.log(x) + math.log10(x) + math.log2(x) + math.log1p(x),
            math.sqrt(x),
            math.atan2(x, 2.0),
            math.hypot(x, 3.0),
            math.floor(x) + math.ceil(x) + math.trunc(x),
            math.erf(x) + math.erfc(x) + math.gamma(x) + math.lgamma(x),
            math.fmod(x, 0.7),
            math.copysign(x, -1.0) + math.fabs(-x),
            math.pow(x, 1.5),
            math.degrees(x) + math.radians(x),
            math.asinh(x) + math.sinh(x) + math.tanh(x) + math.atan(x),
            math.ldexp(x, 3),
            m * 100 + e,
            f * 100 + w,
            round(x) + round(x, 1),
            np.sqrt(x) + np.exp(x) + min(x, 1.0) + max(x, 1.0),
            4,
            math.log(x, 3.0) + math.pi + math.e,
        ]

    for i, x in enumerate(values):
        np.testing.assert_allclose(out[:, i], expected(float(x)), rtol=1e-12)


@cuda.jit
def complex_numbers(a, b, out, real):
    i = cuda.grid(1)
    if i < a.size:
        z = a[i]
        w = b[i]
        out[0, i] = z + w
        out[1, i] = z - w
        out[2, i] = z * w
        out[3, i] = z / w
        out[4, i] = -z
        out[5, i] = z.conjugate()
        out[6, i] = complex(z.real, w.imag)
        out[7, i] = z * 2 + 1j
        out[8, i] = z**3
        out[9, i] = cmath.exp(z) + cmath.sqrt(w)
        real[0, i] = abs(z)
        real[1, i] = z.real - z.imag
        real[2, i] = z == w
        real[3, i] = z != z


def test_complex_numbers():
    a = np.array([1 + 2j, -3 + 0.5j, 0.25 - 4j, 2 + 0j])
    b = np.array([0.5 - 1j, 2 + 2j, -1 + 0.25j, 2 + 0j])
    out, real = np.zeros((10, 4), complex), np.zeros((4, 4))
    complex_numbers[1, 32](a, b, out, real)
    mixed = a.real + 1j * b.imag
    wanted = [a + b, a - b, a * b, a / b, -a, a.conj(), mixed, a * 2 + 1j, a**3, np.exp(a) + np.sqrt(b)]
    for number, expected in enumerate(wanted):
        np.testing.assert_allclose(out[number], expected, rtol=1e-12, err_msg=str(number))
    np.testing.assert_allclose(real, [abs(a), a.real - a.imag, a == b, a != a], rtol=1e-14)


@cuda.jit
def half_numbers(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * a[i] + a[i]


def test_half_numbers_round_after_every_operation():
    a = np.array([0.1, 1.5, -3.25, 100.0, 6e-5, 255.9], np.float16)
    out = np.zeros_like(a)
    half_numbers[1, 32](a, out)
    with np.errstate(over="ignore"):
        expected = a * a + a
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    "dtype",
    ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "bool"],
)
def test_every_dtype_is_loaded_and_stored(dtype):
    a = np.array([0, 1, 2, 100], dtype)
    out = np.zeros_like(a)
    copy_elements[1, 32](a, out)
    np.testing.assert_array_equal(out, a)


@cuda.jit
def copy_elements(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


@cuda.jit
def casts(x, out):
    out[0] = np.int8(x[0])
    out[1] = np.uint8(x[1])
    out[2] = np.float32(x[2])
    out[3] = cuda.int32(x[3])
    out[4] = bool(x[0])
    out[5] = int(x[3])
    out[6] = np.int32(2147483648 + int(x[0] * 0))


def test_casts():
    out = np.zeros(7)
    casts[1, 1](np.array([100.7, 200.2, 0.1, -3.9]), out)
    assert out.tolist() == [100, 200, np.float32(0.1), -3, 1, -3, -2147483648]


@cuda.jit
def order_of_evaluation(a, out):
    # Every atomic sees what the ones to its left have done.
    out[0] = cuda.atomic.add(a, 0, 1) * 100 + cuda.atomic.add(a, 0, 1) * 10 + a[0]
    out[1] = a[0] + cuda.atomic.add(a, 0, 5)
    t = (cuda.atomic.add(a, 0, 1), a[0], cuda.atomic.add(a, 0, 1))
    out[2] = t[0] * 10000 + t[1] * 100 + t[2]
    if a[0] > 1000 and cuda.atomic.add(a, 0, 1) > 0:
        out[3] = 1
    out[4] = a[0]


def test_evaluation_goes_from_left_to_right():
    a, out = np.zeros(1, np.int64), np.zeros(5, np.int64)
    order_of_evaluation[1, 1](a, out)
    assert out.tolist() == [0 * 100 + 1 * 10 + 2, 2 + 2, 7 * 10000 + 8 * 100 + 8, 0, 9]


def test_rawkernel_literals_have_32_bits():
    @cp.jit.rawkernel()
    def third(out):
        out[0] = 1.0 / 3.0
        x = out[0] + 0.1
        out[1] = x

    out = cp.zeros(2, "float64")
    third((1,), (1,), (out,))
    assert float(out[0]) == np.float64(1.0 / 3.0)
    assert result_type(lambda a: a + 0.1, "float32", rules=_rules.CUDA) == "float32"


SPECIAL = [
    complex(x, y) for x in (-np.inf, -1.5, -0.0, 0.0, 0.5, np.inf) for y in (-np.inf, -2.0, -0.0, 0.0, 1.0)
]
ANALYTIC = "exp log log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh".split()


@pytest.mark.parametrize("name", ANALYTIC)
def test_functions_of_complex_numbers(name):
    function = getattr(cmath, name)
    numpys = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh"}
    oracle = getattr(np, {**numpys, "atanh": "arctanh"}.get(name, name))

    @cuda.jit
    def kernel(z, out):
        i = cuda.grid(1)
        out[i] = function(z[i])

    z = np.array(SPECIAL)
    out = np.zeros_like(z)
    kernel[1, z.size](z, out)
    with np.errstate(all="ignore"):
        expected = oracle(z)
    np.testing.assert_allclose(out, expected, rtol=4e-15)


def test_polar_coordinates():
    @cuda.jit
    def kernel(z, out, truth):
        i = cuda.grid(1)
        out[i] = cmath.rect(*cmath.polar(z[i]))
        truth[i, 0], truth[i, 1], truth[i, 2] = cmath.isnan(z[i]), cmath.isinf(z[i]), cmath.isfinite(z[i])

    z = np.array([1 + 2j, -3.5j, complex(np.inf, 1), complex(1, np.nan), -2 + 0j])
    out, truth = np.zeros_like(z), np.zeros((5, 3), bool)
    kernel[1, 5](z, out, truth)
    np.testing.assert_allclose(out[[0, 1, 4]], z[[0, 1, 4]], rtol=1e-15, atol=1e-15)
    np.testing.assert_array_equal(truth, np.array([np.isnan(z), np.isinf(z), np.isfinite(z)]).T)


@cuda.jit
def divided_after_wrapping(a, out):
    i = cuda.grid(1)
    x = abs(a[i])
    out[0, i] = (100 * x) // 8
    out[1, i] = (100 * x) % 8
    out[2, i] = max(a[i], 0) * 100 // (x + 1)
    out[3, i] = (x + x) % 1000
    out[4, i] = abs(a[i]) // 10
    out[5, i] = (x if x > 2 else 3) ** 3 // 7
    total = 1
    for _ in range(3):
        total = total * x + 1
    out[6, i] = total // 1000
    out[7, i] = (i * 3 + x) % 11


def test_what_has_wrapped_around_is_divided_as_in_python():
    """A product of numbers that are not negative may be: it is divided rounding down."""
    a = np.array([2**62 + 12345, -(2**61) - 7, 834837873387063751, 5, -(2**63), 0, 2**63 - 1])
    out = np.zeros((8, a.size), np.int64)
    divided_after_wrapping[1, a.size](a, out)
    with np.errstate(all="ignore"):
        x = np.abs(a)
        total = ((x + 1) * x + 1) * x + 1
        wanted = [100 * x // 8, 100 * x % 8, np.maximum(a, 0) * 100 // (x + 1), (x + x) % 1000, x // 10]
        wanted += [np.where(x > 2, x, 3) ** 3 // 7, total // 1000, (np.arange(a.size) * 3 + x) % 11]
    for number, expected in enumerate(wanted):
        np.testing.assert_array_equal(out[number], expected, err_msg=str(number))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ANALYTIC)
def test_functions_of_cmath_where_a_part_is_nan(name, dtype):
    function = getattr(cmath, name)

    @cuda.jit
    def kernel(z, out):
        i = cuda.grid(1)
        out[i] = function(z[i])

    parts = (-np.inf, -1.5, -0.0, 0.0, 0.5, np.inf)
    z = [complex(*pair) for x in parts for pair in ((x, np.nan), (np.nan, x))] + [complex(np.nan, np.nan)]
    expected = {}
    for one in z:
        with contextlib.suppress(ValueError):
            expected[repr(one)] = (one, function(one))
    given = np.array([one for one, _ in expected.values()], dtype)
    out = np.zeros_like(given)
    kernel[1, given.size](given, out)
    want = np.array([value for _, value in expected.values()], dtype)
    np.testing.assert_allclose(out.real, want.real, rtol=4e-7)
    np.testing.assert_allclose(out.imag, want.imag, rtol=4e-7)
