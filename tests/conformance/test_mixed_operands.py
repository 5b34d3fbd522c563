"""Elementwise ops over mixed dtypes, and over Python and NumPy scalars; in-place operators."""

# ruff: noqa: B023, SIM905 - a body runs at once, inside the loop that makes it; name lists read best as text

import itertools

import numpy as np
import pytest
from samples import IN_PLACE, pairs, special_values
from twin import ALL_DTYPES, INTEGERS, Failure, check, collect, run, twin

import cuprum as cp

# ---------------------------------------------------------------------------------------------------------
# Mixed dtypes and scalars

MIXED = """
    add subtract multiply true_divide power equal less greater_equal bitwise_and left_shift arctan2 logaddexp
    copysign ldexp floor_divide remainder fmod divmod maximum hypot logical_xor gcd
    """.split()


@pytest.mark.parametrize("name", MIXED)
def test_mixed_dtype_pairs(name):
    """All 14 x 14 pairs, values included: the operands are converted before the op, as NumPy does."""
    ulps = 4 if name in ("power", "arctan2", "logaddexp", "hypot", "true_divide", "multiply") else 0
    with collect() as failures:
        for left, right in itertools.product(ALL_DTYPES, repeat=2):

            def body(xp, left=left, right=right):
                a = xp.array(np.array([0, 1, 3, 100]).astype(left))
                b = xp.array(np.array([1, 2, 0, 7]).astype(right))
                return getattr(xp, name)(a, b)

            with failures:
                check(body, ulps=ulps, label=f"{name}({left}, {right})", may_raise=TypeError)


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("n", [3, 5000])
def test_numpy_scalars_on_either_side(name, n):
    """Scalars of the array's own dtype, by NumPy's functions and by ours."""
    ulps = 4 if name in ("power", "arctan2", "logaddexp", "hypot", "true_divide", "multiply") else 0
    with collect() as failures:
        for dtype, value in itertools.product(ALL_DTYPES, (0, 2, 100)):
            other = np.dtype(dtype).type(value)
            # NumPy's powers of complex64 lose digits: 2**100 is off by 2e-6.
            most = 7 if dtype == "complex64" else 100
            host = np.resize(np.array([0, 1, 3, most]).astype(dtype), n)

            def body(xp):
                a = xp.array(host)
                ways = [lambda: getattr(np, name)(other, a), lambda: getattr(np, name)(a, other)]
                ways += [lambda: getattr(xp, name)(other, a), lambda: getattr(xp, name)(a, other)]
                return [way() for way in ways]

            with failures, np.errstate(all="ignore"):
                check(body, ulps=ulps, label=f"{name}({dtype}, {value})", may_raise=(TypeError, ValueError))


def test_operators_of_numpy_scalars():
    with collect() as failures:
        for dtype in ALL_DTYPES:
            host, one = np.array([1, 2, 3]).astype(dtype), np.dtype(dtype).type(1)

            def body(xp):
                a = xp.array(host)
                b = a.copy()
                b += one
                b *= one
                return one + a, a + one, one * a, a * one, one < a, a >= one, one == a, a == one, b

            with failures:
                check(body, label=str(dtype))


COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]


@pytest.mark.parametrize("name", COMPARISONS)
def test_signed_with_unsigned_compares_exactly(name):
    """int64 against uint64 goes through no float: 2**63 and 2**63 - 1 differ."""
    signed = np.array([-(2**63), -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1], np.int64)
    unsigned = np.array([0, 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64)
    a, b = pairs(signed, unsigned)
    check(lambda xp: getattr(xp, name)(xp.array(a), xp.array(b)), label="q, Q")
    check(lambda xp: getattr(xp, name)(xp.array(b), xp.array(a)), label="Q, q")


HUGE = [2**7, -(2**7) - 1, 2**8, -1, 2**31, 2**32, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30)]


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparison_with_integers_out_of_range(name):
    """A Python integer that the dtype cannot hold still compares, as in NumPy 2."""
    with collect() as failures:
        for dtype, value in itertools.product(INTEGERS, HUGE):
            with failures:
                host = special_values(dtype)
                check(lambda xp: getattr(xp, name)(xp.array(host), value), label=f"{name}({dtype}, {value})")
                check(lambda xp: getattr(xp, name)(value, xp.array(host)), label=f"{name}({value}, {dtype})")


SCALARS = [
    0,
    1,
    -1,
    2,
    7,
    127,
    128,
    255,
    256,
    300,
    65536,
    2**31,
    2**40,
    2**63,
    -(2**63),
    2**64,
    10**30,
    1.5,
    -0.0,
    0.1,
    1e10,
    1e300,
    float("inf"),
    float("nan"),
    True,
    False,
    1j,
    2.5 - 3j,
]


NUMPY_SCALARS = [
    np.bool_(True),
    np.int8(3),
    np.uint8(200),
    np.int16(-300),
    np.int64(5),
    np.uint64(2**63),
    np.float16(1.5),
    np.float32(0.1),
    np.float64(0.1),
    np.complex64(1 + 2j),
    np.complex128(1j),
    np.array(3, np.int16),
    np.array(2.5, np.float32),
]


SCALAR_OPS = """
    add subtract multiply true_divide floor_divide remainder maximum less equal bitwise_or left_shift power
    """.split()


def exact_power(xp, operator, a, b):
    """Apply a power; NumPy's finite complex64 results, far from exact, come from its complex128 ones."""
    result = operator(a, b)
    if xp is not np or result.dtype != np.complex64:
        return result
    wide = [x.astype(np.complex128) if isinstance(x, (np.ndarray, np.generic)) else x for x in (a, b)]
    exact = operator(*wide).astype(np.complex64)
    return np.where(np.isfinite(result), exact, result)


@pytest.mark.parametrize("name", SCALAR_OPS)
def test_python_scalars(name):
    """NEP 50: a Python scalar takes the array's dtype; what does not fit raises OverflowError."""
    ulps = 4 if name in ("power", "multiply", "true_divide") else 0

    def call(xp, a, b):
        ufunc = getattr(xp, name)
        return exact_power(xp, ufunc, a, b) if name == "power" else ufunc(a, b)

    with collect() as failures:
        for dtype, scalar in itertools.product(ALL_DTYPES, SCALARS):
            host = np.array([0, 1, 2, 3, 7]).astype(dtype)
            label = f"{name}: {dtype} with {scalar!r}"
            with failures:
                check(
                    lambda xp: call(xp, xp.array(host), scalar),
                    ulps=ulps,
                    label=label,
                    may_raise=(OverflowError, TypeError, ValueError),
                )
            with failures:
                check(
                    lambda xp: call(xp, scalar, xp.array(host)),
                    ulps=ulps,
                    label=label + ", reversed",
                    may_raise=(OverflowError, TypeError),
                )


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "divmod": divmod,
    "**": lambda a, b: a**b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@pytest.mark.parametrize("symbol", OPERATORS)
def test_operators_with_scalars(symbol):
    operator = OPERATORS[symbol]
    ulps = 4 if symbol in ("**", "*", "/") else 0

    def call(xp, a, b):
        return exact_power(xp, operator, a, b) if symbol == "**" else operator(a, b)

    with collect() as failures:
        for dtype, scalar in itertools.product(ALL_DTYPES, SCALARS + NUMPY_SCALARS):
            host = np.array([0, 1, 2, 3, 7]).astype(dtype)
            label = f"{dtype} {symbol} {scalar!r}"
            with failures:
                check(
                    lambda xp: call(xp, xp.array(host), scalar),
                    ulps=ulps,
                    label=label,
                    may_raise=(OverflowError, TypeError, ValueError),
                )
            with failures:
                check(
                    lambda xp: call(xp, scalar, xp.array(host)),
                    ulps=ulps,
                    label=f"{scalar!r} {symbol} {dtype}",
                    may_raise=(OverflowError, TypeError),
                )


@pytest.mark.parametrize("symbol", OPERATORS)
def test_numpy_scalars_and_arrays_on_the_left_give_cuprum_arrays(symbol):
    for left in (np.float32(2), np.array([1, 2, 3], np.int32), np.array(2, np.int16)):
        got = run(lambda xp: OPERATORS[symbol](left, cp.array([1, 2, 3], dtype=cp.int32)), cp)
        if isinstance(got, Failure):
            assert got.cls is TypeError and symbol in ("<<", ">>", "&", "|", "^"), (
                f"{left!r} {symbol}: {got!r}"
            )
            continue
        for result in got if isinstance(got, tuple) else (got,):
            assert isinstance(result, cp.ndarray), f"{left!r} {symbol} Cuprum array is a {type(result)}"


@pytest.mark.parametrize("symbol", IN_PLACE)
def test_in_place_operators_keep_the_dtype_or_raise(symbol):
    ulps = 4 if symbol in ("**=", "*=", "/=") else 0
    with collect() as failures:
        for left, right in itertools.product(ALL_DTYPES, [*ALL_DTYPES, 2, 2.5, 1j, True, 300]):

            def body(xp, left=left, right=right):
                a = xp.array(np.array([[1, 2, 3], [4, 5, 6]]).astype(left))
                b = xp.array(np.array([3, 1, 2]).astype(right)) if isinstance(right, str) else right
                alias = a
                result = IN_PLACE[symbol](a, b)
                return alias, result is alias

            with failures:
                check(
                    body, ulps=ulps, label=f"{left} {symbol} {right!r}", may_raise=(OverflowError, TypeError)
                )


@twin(raises=ValueError)
def test_in_place_with_a_result_that_would_broadcast_the_target_raises(xp):
    a = xp.zeros(3)
    a += xp.ones((2, 3))
    return a
