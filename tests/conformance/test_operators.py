"""Operators over every kind of operand, in place too; comparisons, promotion, foreign operands.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import functools
import math
import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from case_texts import RECENT, arrays, check_all, scope_of, state_after
from twin import ALL_DTYPES, COMPLEX, FLOATS, INTEGERS, check, collect, twin

import cuprum as cp

# ---------------------------------------------------------------------------- operators

BINARY = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!="]


BITWISE = ["&", "|", "^", "<<", ">>"]


def operands(xp, dtype):
    """Two arrays of tame values: no zero divisor, no negative shift, no overflow."""
    left = (np.arange(6) % 5 + 1).astype(dtype)
    right = (np.arange(6) % 3 + 1).astype(dtype)
    return xp.array(left), xp.array(right)


@pytest.mark.parametrize("symbol", BINARY + BITWISE)
def test_operators_over_dtype_pairs(symbol):
    def body(xp, left, right):
        a, _ = operands(xp, left)
        _, b = operands(xp, right)
        return eval(f"a {symbol} b")

    with collect() as failures:
        for left in ALL_DTYPES:
            for right in ALL_DTYPES:
                ulps = {"d": 2, "f": 2, "e": 1, "F": 4, "D": 4} if symbol in ("**", "/") else 0
                if symbol == "*" and (left in COMPLEX or right in COMPLEX):
                    ulps = 1
                with failures:
                    check(
                        functools.partial(body, left=left, right=right),
                        ulps=ulps,
                        label=f"{left} {symbol} {right}",
                        may_raise=TypeError,
                    )


PYTHON_SCALARS = [
    0,
    1,
    2,
    -1,
    3,
    100,
    300,
    -300,
    2**31,
    2**40,
    True,
    False,
    0.5,
    2.0,
    -1.5,
    1e10,
    math.inf,
    math.nan,
    1j,
    2 - 1j,
]


NUMPY_SCALARS = [
    np.int8(2),
    np.uint8(3),
    np.int16(-2),
    np.int32(5),
    np.uint32(5),
    np.int64(2),
    np.uint64(2),
    np.float16(0.5),
    np.float32(1.5),
    np.float64(0.1),
    np.complex64(1j),
    np.complex128(2),
    np.bool_(True),
]


@pytest.mark.parametrize("symbol", ["+", "-", "*", "//", "%", "<", "==", "!=", "&", "|", "/"])
def test_operators_with_scalars(symbol):
    """Weak Python scalars and strong NumPy scalars, on either side."""

    def body(xp, dtype, scalar, swapped):
        a, _ = operands(xp, dtype)
        return eval(f"scalar {symbol} a" if swapped else f"a {symbol} scalar")

    with collect() as failures:
        for dtype in ALL_DTYPES:
            for scalar in PYTHON_SCALARS + NUMPY_SCALARS:
                for swapped in [False, True]:
                    kind = f"{dtype} {symbol} {type(scalar).__name__}({scalar})" + (
                        " swapped" if swapped else ""
                    )
                    ulps = {"F": 4, "D": 4} if symbol in "/*" else 0
                    with failures:
                        check(
                            functools.partial(body, dtype=dtype, scalar=scalar, swapped=swapped),
                            ulps=ulps,
                            special=False,
                            signed_zero=False,
                            label=kind,
                            may_raise=(OverflowError, TypeError),
                        )


@pytest.mark.parametrize(
    "exponent",
    [0, 1, 2, 3, -1, -2, 0.5, -0.5, True, 1j]
    + [pytest.param(e, marks=RECENT) for e in [2.0, np.int8(2), np.float32(0.5)]],
)
def test_power_with_scalars(exponent):
    def body(xp, dtype, swapped):
        a, _ = operands(xp, dtype)
        return exponent**a if swapped else a**exponent

    with collect() as failures:
        for dtype in ALL_DTYPES:
            for swapped in [False, True]:
                with failures:
                    check(
                        functools.partial(body, dtype=dtype, swapped=swapped),
                        ulps={"d": 2, "f": 2, "e": 1, "F": 16, "D": 16},
                        signed_zero=False,
                        label=f"{dtype} ** {exponent!r}" + (" swapped" if swapped else ""),
                        may_raise=(OverflowError, ValueError),
                    )


def test_unary_operators():
    def body(xp, dtype, text):
        a, _ = operands(xp, dtype)
        return eval(text)

    with collect() as failures:
        for dtype in ALL_DTYPES:
            for text in ["-a", "+a", "abs(a)", "~a", "-a[::-1]", "abs(-a)", "divmod(a, 2)", "divmod(7, a)"]:
                with failures:
                    check(
                        functools.partial(body, dtype=dtype, text=text),
                        ulps={"F": 1, "D": 1},
                        label=f"{dtype} {text}",
                        may_raise=TypeError,
                    )


def test_operators_broadcast_and_keep_layout():
    check_all("""
        m + v[:4]
        m + f
        f + f
        f * 2
        m.T + m.T
        m.T - f.T
        m[::-1] * 2
        m[:, ::2] + 1
        a + xp.arange(3)[:, None]
        a * a.T.swapaxes(0, 2)
        a.swapaxes(0, 1) + 1
        a.swapaxes(0, 1) + a.swapaxes(0, 1)
        s + m
        m + s
        s + s
        s * 2
        n + 1
        n + 1.5
        n / 2
        z + 1
        z + xp.ones(3)
        z + z
        m + xp.ones((1, 1))
        m[:1] + m[:, :1]
        xp.broadcast_to(v, (2, 6)) + 1
        xp.broadcast_to(v, (2, 6)) + xp.broadcast_to(v[:, None], (6, 2)).T
        m == f
        m < f.T.T
        m @ m.T
        v @ v
        m @ v[:4]
        v[:3] @ m
        a @ m.T[:4, :2]
        [1, 2, 3, 4] + m
        m + [1, 2, 3, 4]
        (1, 2, 3, 4) * m
        m - np.arange(4)
        np.arange(4) - m
        m == [0, 1, 2, 3]
        m + range(4)
    """)


def test_in_place_operators():
    check_all(
        """
        m += 1
        m -= f
        m *= 2.5
        m /= 3
        m //= 2
        m %= 3
        m **= 2
        v += 1
        v -= v
        v *= v
        v //= 2
        v %= 4
        v **= 2
        v &= 3
        v |= 8
        v ^= 5
        v <<= 2
        v >>= 1
        b &= False
        b |= True
        b ^= b
        b += b
        b *= False
        c += 1
        c *= 1j
        c /= 2
        s += 1
        n *= 3
        z += 1
        m += v[:4]
        m[1:] += m[:-1]
        m[:] += m[::-1]
        m += m[0]
        m += [1, 2, 3, 4]
        m += np.arange(4)
        m.T[...] += 1
        m[:3, :3] += m[:3, :3].T
        m += True
        m += np.float32(1.5)
        v += np.int8(3)
        v += True
        f += m
        f.T[0] *= 10
        a[:, 1] -= a[:, 0]
        a[...] *= -1
        a[a > 5] += 100
        w[w < 0] *= -1
        w += w
    """,
        state_after,
    )


def test_in_place_keeps_the_object():
    for text in ["+= 1", "-= 1", "*= 2", "//= 2", "%= 5", "**= 2", "&= 7", "|= 1", "^= 1", "<<= 1", ">>= 1"]:
        scope = {"x": cp.arange(5)}
        kept = scope["x"]
        exec(f"x {text}", scope)
        assert scope["x"] is kept, text


def test_operator_errors():
    check_all("""
        v + "x"  # TypeError
        v + None  # TypeError
        v + object()  # TypeError
        v + {}  # TypeError
        "x" + v  # TypeError
        None - v  # TypeError
        v + m  # ValueError
        v @ m  # ValueError
        m @ m  # ValueError
        m @ 2  # ValueError
        2 @ m  # ValueError
        s @ s  # ValueError
        v @ s  # ValueError
        b - b  # TypeError
        -b  # TypeError
        ~w  # TypeError
        ~c  # TypeError
        w & 1  # TypeError
        w << 1  # TypeError
        v << 1.5  # TypeError
        w | w  # TypeError
        c & c  # TypeError
        c // 2  # TypeError
        c % 2  # TypeError
        divmod(c, 2)  # TypeError
        v ** -1  # ValueError
        2 ** (v - 10)  # ValueError
        v.astype(xp.int8) + 300  # OverflowError
        v.astype(xp.uint8) - 256  # OverflowError
        v.astype(xp.uint8) + -1  # OverflowError
        v.astype(xp.int8) * 128  # OverflowError
        v + 2 ** 70  # OverflowError
        pow(v, 2, 3)  # TypeError
        v + [1, 2]  # ValueError
        v + ["a"] * 6  # TypeError
        m + xp.ones((2, 2))  # ValueError
        v[:2] + v[:3]  # ValueError
        z + xp.ones((2, 3))  # ValueError
    """)


def test_in_place_errors_leave_the_target_alone():
    def body(text, xp):
        scope = scope_of(arrays, xp)
        before = [np.array(scope[name].tolist()) for name in ("v", "m", "b", "w")]
        try:
            exec(text, scope)
        finally:
            if xp is not np:
                after = [np.array(scope[name].tolist()) for name in ("v", "m", "b", "w")]
                same = all(np.array_equal(x, y) for x, y in zip(before, after, strict=True))
                assert same, f"half-written by {text}"

    check_all(
        """
        v += 1.5  # TypeError
        v += w  # TypeError
        v /= 2  # TypeError
        v **= 0.5  # TypeError
        v **= -1  # ValueError
        v += 1j  # TypeError
        v += 2 ** 70  # OverflowError
        b += 1  # TypeError
        b -= b  # TypeError
        b += 1.5  # TypeError
        v &= 1.5  # TypeError
        w &= 1  # TypeError
        w += 1j  # TypeError
        v += [1, 2]  # ValueError
        v[:1] += v  # ValueError
        m[0] += m  # ValueError
        v += "x"  # TypeError
        v += None  # TypeError
        v @= m  # TypeError
        xp.broadcast_to(v, (2, 6)).__iadd__(1)  # ValueError
    """,
        body,
    )


def test_comparison_rules():
    check_all("""
        v == 3
        v != 3
        v == None
        v == object()
        v != object()
        v == {}
        v == set()
        v == int
        v != None
        v == "x"
        v != "x"
        v == [0, 1, 2, 3, 4, 5]
        v == (v > 2)
        v < 2.5
        2.5 > v
        c == 1 + 2j
        w == w
        xp.array([math.nan]) == xp.array([math.nan])
        v.astype(xp.uint8) == -1
        v.astype(xp.uint8) < 300
        v.astype(xp.uint8) > -1
        v.astype(xp.int8) != 1000
        v < 2 ** 70
        v > -2 ** 70
        v == 2 ** 70
        xp.array([2 ** 63], dtype=xp.uint64) > xp.array([-1])
        xp.array([2 ** 53 + 1]) == xp.array([2.0 ** 53])
        m[0] == m[1]
        s == 2.5
        z == z
    """)


def test_comparison_errors():
    check_all("""
        v == m  # ValueError
        v != [1, 2]  # ValueError
        v < "x"  # TypeError
        v < None  # TypeError
        v >= object()  # TypeError
        c < [[1, 2, 3]]  # ValueError
        v[:2] == v[:3]  # ValueError
    """)


@twin()
def test_reduction_results_combine_with_everything(xp):
    a = xp.arange(6.0)
    total = a.sum()
    return [
        total + 1,
        1 + total,
        total * a,
        a / total,
        total > 10,
        total == 15,
        -total,
        total**2,
        a[2] + a[3],
        a[2] * 2,
        a.max() - a.min(),
        (a - a.mean()) / a.std(),
        total.astype(xp.float32),
        a[a.argmax()],
        xp.zeros(int(a.max())),
        xp.arange(a.max()),
    ]


@twin()
def test_values_are_fixed_when_computed(xp):
    x = xp.arange(5)
    y = x + 10
    z = x * y
    x[:2] = 99
    y += 1
    return x, y, z


@twin()
def test_every_operator_has_its_function(xp):
    a, b = xp.array([7, 8, 9]), xp.array([2, 3, 4])
    ops = [
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.floordiv,
        operator.mod,
        operator.pow,
    ]
    ops += [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.matmul]
    ops += [operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt]
    return [op(a, b) for op in ops], [operator.neg(a), operator.pos(a), operator.abs(a), operator.invert(a)]


def test_foreign_operands_get_their_turn():
    class Foreign:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "radd"

        def __rmul__(self, other):
            return "rmul"

        def __eq__(self, other):
            return "eq"

        __hash__ = None

    assert cp.arange(3) + Foreign() == "radd"
    assert cp.arange(3) * Foreign() == "rmul"
    assert (cp.arange(3) == Foreign()) == "eq"


def test_a_reflected_operator_of_an_unknown_operand_is_not_shadowed():
    class Other:
        __array_priority__ = 1000

        def __radd__(self, other):
            return "radd"

        def __rmatmul__(self, other):
            return "rmatmul"

    assert cp.arange(3) + Other() == "radd"
    assert cp.arange(3) @ Other() == "rmatmul"


def test_weak_and_strong_promotion_dtypes():
    check_all("""
        (v.astype(xp.int8) + 1).dtype
        (v.astype(xp.int8) + 1.0).dtype
        (v.astype(xp.float32) + 1.5).dtype
        (v.astype(xp.float32) + np.float64(1.5)).dtype
        (v.astype(xp.float16) * 2).dtype
        (v.astype(xp.float32) + 1j).dtype
        (v + np.float32(1)).dtype
        (v.astype(xp.int8) + np.int16(1)).dtype
        (v.astype(xp.uint8) + xp.array(1)).dtype
        (v.astype(xp.uint8) + xp.array(1, dtype=xp.uint8)).dtype
        (b + 1).dtype
        (b + 1.5).dtype
        (b + b).dtype
        (b * 1j).dtype
        (True + v.astype(xp.int8)).dtype
        (s.astype(xp.float32) + w).dtype
        (s + w.astype(xp.float32)).dtype
        (v.astype(xp.float32).sum() + v.astype(xp.float32)).dtype
        (v.astype(xp.int8).sum()).dtype
        (v.astype(xp.uint8).sum()).dtype
        (b.sum()).dtype
        (v.astype(xp.float16).mean()).dtype
        (v.mean()).dtype
        (v / v).dtype
        (v.astype(xp.int8) / v.astype(xp.int8)).dtype
        (v.astype(xp.uint64) + v).dtype
        (v.astype(xp.uint32) + v.astype(xp.int32)).dtype
    """)


@twin()
def test_float_sources_of_every_dtype_pair_with_0d(xp):
    results = []
    for dtype in INTEGERS + FLOATS:
        a = xp.ones(3, dtype=dtype)
        zero_d = xp.array(2, dtype=dtype)
        results.append((a + zero_d, zero_d + a, a[0] + 1, zero_d * 1.5, zero_d + zero_d))
    return results


@pytest.mark.parametrize("number", [Fraction(1, 2), Decimal(1)])
def test_numbers_that_arrays_do_not_hold_are_not_compared(number):
    a = cp.arange(3)
    for compare in (operator.eq, operator.ne):
        with pytest.raises(TypeError, match=f"a {type(number).__name__} cannot be compared with an array"):
            compare(a, number)
        with pytest.raises(TypeError):
            compare(number, a)
