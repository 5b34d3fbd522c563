"""The array object: attributes, methods, operators over every kind of operand, and Python's protocols.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import functools
import math
import operator

import numpy as np
import pytest
from twin import ALL_DTYPES, COMPLEX, FLOATS, INTEGERS, check, collect, twin

import cuprum as cp

RECENT = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="NumPy before 2.3 lacks this or answers otherwise"
)


def names(xp):
    return {
        "xp": xp,
        "np": np,
        "math": math,
        "s": xp.array(2.5),
        "n": xp.array(7),
        "v": xp.arange(6),
        "w": xp.array([3.5, -1.25, 2.0, 0.0, -7.75, 2.5]),
        "m": xp.arange(12.0).reshape(3, 4),
        "f": xp.asfortranarray(xp.arange(12.0).reshape(3, 4)),
        "a": xp.arange(24).reshape(2, 3, 4),
        "b": xp.array([True, False, True]),
        "c": xp.array([1 + 2j, -3j]),
        "z": xp.zeros((0, 3)),
    }


def value_of(text, xp):
    return eval(text, names(xp))


def state_after(text, xp):
    scope = names(xp)
    exec(text, scope)
    return [scope[name] for name in ("s", "n", "v", "w", "m", "f", "a", "b", "c", "z")]


def check_all(table, body=value_of, **options):
    """One case a line; the lines are indented source texts."""
    with collect() as failures:
        for text in filter(None, map(str.strip, table.splitlines())):
            with failures:
                check(functools.partial(body, text), label=text, **options)


# ---------------------------------------------------------------------------- attributes


def test_attributes():
    check_all("""
        m.shape
        m.ndim
        m.size
        m.itemsize
        m.nbytes
        m.strides
        m.dtype
        f.strides
        m.T.strides
        m[::-1, ::2].strides
        a[:, 1].strides
        s.shape
        s.ndim
        s.size
        s.strides
        z.size
        z.nbytes
        z.shape
        (v > 2).dtype
        (v > 2).itemsize
        c.real
        c.imag
        w.real
        w.imag
        m.flags.c_contiguous
        m.flags.f_contiguous
        f.flags.c_contiguous
        f.flags.f_contiguous
        m.flags["C_CONTIGUOUS"]
        m.flags["F_CONTIGUOUS"]
        m.flags["WRITEABLE"]
        m.flags.writeable
        m.flags.owndata
        m[1:].flags.owndata
        m[:, ::2].flags.c_contiguous
        v.flags.f_contiguous
        s.flags.c_contiguous
        z.flags.c_contiguous
        m.flags.aligned
        m.flags.forc
        m.flags.fnc
        f.flags.fnc
        xp.broadcast_to(v, (2, 6)).flags.writeable
        isinstance(m, xp.ndarray)
        [x.item() for x in m.flat]
        len(list(m.flat))
        m.flat[5]
        m.T.flat[5]
        m.flat[2:8]
        m.flat[[1, 3]]
        m.base is None
        m.view().base is m
        callable(m.sum)
    """)


def test_setting_attributes():
    check_all(
        """
        v.shape = (2, 3)
        m.shape = (4, 3)
        m.shape = -1
        m.shape = (2, -1)
        c.real = 5
        c.imag = [7, 8]
        c.real = w[:2]
        w.real = 1
        m.flat = 3
        m.flat = [1, 2, 3]
        m.T.flat = xp.arange(12)
        m.flat[3] = 99
        m.flat[::2] = -1
        m.T.flat[[0, 1]] = 7
    """,
        state_after,
    )


def test_attribute_errors():
    check_all(
        """
        v.shape = (4, 2)
        m.T.shape = (12,)
        v.size = 3
        v.ndim = 2
        v.T = v
        v.nothing = 1
        v.nothing
        w.imag = 1
        v.nbytes = 5
        v.itemsize = 1
        m.flat[12]
        m.flat["x"]
    """,
        state_after,
    )


@twin()
def test_attributes_in_every_dtype(xp):
    return [
        (a.dtype, a.itemsize, a.nbytes, a.real, a.imag, a.T, a.strides)
        for a in (xp.ones((2, 3), dtype=d) for d in ALL_DTYPES)
    ]


def test_dtype_spellings():
    check_all("""
        xp.zeros(1, dtype=xp.float32).dtype == xp.float32
        xp.zeros(1, dtype="float32").dtype == "f4"
        xp.zeros(1, dtype=np.float32).dtype == np.dtype("f4")
        xp.zeros(1, dtype="d").dtype
        xp.zeros(1, dtype="int").dtype
        xp.zeros(1, dtype="uint").dtype
        xp.zeros(1, dtype="long").dtype
        xp.zeros(1, dtype="=i4").dtype
        xp.zeros(1, dtype="b1").dtype
        xp.zeros(1, dtype=np.intp).dtype
        xp.zeros(1, dtype=np.longlong).dtype.itemsize
        xp.zeros(1, dtype=xp.arange(3).dtype).dtype
        v.dtype.kind
        w.dtype.char
        w.dtype.name
        str(w.dtype)
        xp.result_type(v, w)
        xp.result_type(xp.int8, 3)
        xp.promote_types("i4", "f4")
        xp.can_cast("i4", "f4")
        xp.min_scalar_type(300)
        xp.finfo(xp.float32).eps
        xp.iinfo(xp.int8).max
        xp.issubdtype(v.dtype, xp.integer)
        xp.isdtype(v.dtype, "integral")
    """)


# ---------------------------------------------------------------------------- methods


def test_reduction_methods():
    check_all(
        """
        m.sum()
        m.sum(0)
        m.sum(axis=1)
        m.sum((0, 1))
        m.sum(axis=-1, keepdims=True)
        m.sum(dtype=xp.float32)
        m.sum(initial=10)
        m.sum(where=m > 3)
        m.sum(out=xp.zeros(()))
        m.sum(0, out=xp.zeros(4))
        a.sum((0, 2))
        a.prod(2)
        m.min()
        m.max(0)
        m.min(axis=1, keepdims=True)
        m.max(initial=100)
        m.mean()
        m.mean(0)
        m.mean((0, 1), keepdims=True)
        v.mean()
        m.var()
        m.std(0)
        m.std(ddof=1)
        m.var(axis=1, keepdims=True)
        b.all()
        b.any()
        m.all(1)
        m.any(axis=0, keepdims=True)
        w.argmin()
        w.argmax()
        m.argmax(0)
        m.argmin(axis=1, keepdims=True)
        m.cumsum()
        m.cumsum(0)
        m.cumsum(axis=1, dtype=xp.float32)
        v.cumprod()
        m.trace()
        c.conj()
        c.conjugate()
        v.conj()
        m.dot(m.T)
        v.dot(v)
        xp.ptp(m, 0)
        z.sum()
        z.sum(0)
        z.prod(1)
        z.all()
        z.any()
        z.sum(axis=())
        m.sum(axis=())
        m.mean(out=xp.zeros(()))
    """,
        ulps=2,
    )


def test_other_methods():
    check_all("""
        m.tolist()
        s.tolist()
        z.tolist()
        c.tolist()
        b.tolist()
        n.item()
        c[0].item()
        m.item(3)
        m.item(1, 2)
        m.tobytes()
        m.T.tobytes()
        m.tobytes("F")
        b.nonzero()
        m.take([1, 2], axis=1)
        v.choose([10, 20, 30, 40, 50, 60])
        m.compress([True, False, True], 0)
        v.repeat(2)
        m.ravel()
        m.flatten("F")
        m.squeeze()
        m.swapaxes(0, 1)
        m.transpose(1, 0)
        m.diagonal()
        m.reshape(2, 6)
        m.copy()
        w.round(1)
        w.clip(-1, 1)
        m.astype(int)
        v.view(xp.float64)
        m.max() - m.min()
        xp.array_equal(m, f)
        xp.array_equal(m, m.T)
        xp.array_equiv(v, xp.stack([v, v]))
        xp.allclose(m, f + 1e-9)
        xp.isclose(w, w + 1e-9)
        xp.isscalar(3)
        xp.isscalar(v)
        xp.iterable(v)
        xp.shares_memory(m, m[1:])
    """)


def test_mutating_methods():
    check_all(
        """
        m.fill(4)
        v.put([0, 1], [9, 8])
        m.T[...] = 5
        m.__setitem__(0, 7)
        m.__iadd__(1)
    """,
        state_after,
    )


def test_method_errors():
    check_all("""
        m.sum(2)
        m.sum(axis=-3)
        m.sum((0, 0))
        m.sum("x")
        m.sum(1.5)
        m.sum(bad=1)
        m.sum(0, 1, 2, 3, 4, 5, 6, 7)
        m.sum(dtype="bad")
        m.sum(0, out=xp.zeros(3))
        m.sum(0, out=5)
        z.min()
        z.max(0)
        z.argmax()
        z.argmax(0)
        m.mean(5)
        m.var(axis=2)
        m.std(bad=1)
        m.argmax(2)
        m.argmax((0, 1))
        m.cumsum(2)
        m.cumsum((0, 1))
        m.dot(m)
        m.all(3)
        m.min(initial="x")
        c.min(axis=1)
        m.tolist(1)
        m.tobytes("X")
        m.nothing()
        m.conj(1, 2, 3)
        m.fill()
        m.take()
        m.astype()
        m.item("x")
    """)


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
        v + "x"
        v + None
        v + object()
        v + {}
        "x" + v
        None - v
        v + m
        v @ m
        m @ m
        m @ 2
        2 @ m
        s @ s
        v @ s
        b - b
        -b
        ~w
        ~c
        w & 1
        w << 1
        v << 1.5
        w | w
        c & c
        c // 2
        c % 2
        divmod(c, 2)
        v ** -1
        2 ** (v - 10)
        v.astype(xp.int8) + 300
        v.astype(xp.uint8) - 256
        v.astype(xp.uint8) + -1
        v.astype(xp.int8) * 128
        v + 2 ** 70
        pow(v, 2, 3)
        v + [1, 2]
        v + ["a"] * 6
        m + xp.ones((2, 2))
        v[:2] + v[:3]
        z + xp.ones((2, 3))
    """)


def test_in_place_errors_leave_the_target_alone():
    def body(text, xp):
        scope = names(xp)
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
        v += 1.5
        v += w
        v /= 2
        v **= 0.5
        v **= -1
        v += 1j
        v += 2 ** 70
        b += 1
        b -= b
        b += 1.5
        v &= 1.5
        w &= 1
        w += 1j
        v += [1, 2]
        v[:1] += v
        m[0] += m
        v += "x"
        v += None
        v @= m
        xp.broadcast_to(v, (2, 6)).__iadd__(1)
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
        v == m
        v != [1, 2]
        v < "x"
        v < None
        v >= object()
        c < [[1, 2, 3]]
        v[:2] == v[:3]
    """)


# ---------------------------------------------------------------------------- Python protocols


def test_python_protocols():
    check_all("""
        len(v)
        len(m)
        len(z)
        [x.item() for x in v]
        [x.shape for x in m]
        [x.tolist() for x in a]
        list(z)
        [float(x) for x in m[0]]
        [tuple(map(int, row)) for row in a[0]]
        v.tolist() == list(range(6))
        bool(s)
        bool(xp.array(0))
        bool(xp.array([1]))
        bool(xp.array([[0]]))
        bool(xp.array(math.nan))
        bool(c[0])
        int(n)
        int(s)
        float(n)
        float(s)
        complex(c[0])
        complex(s)
        n.__index__()
        hex(n)
        3 in v
        30 in v
        2.5 in w
        m[1] in m
        all(v >= 0)
        any(v > 10)
        sum(v)
        max(v)
        min(w)
        sorted(w)
        list(reversed(v))
        list(zip(v, w))
        dict(enumerate(v[:2]))
        [*v[:3]]
        abs(w)
        int(m[1, 2])
        float(m.sum())
        range(10)[n]
        [10] * n
        str(n)
        math.floor(s)
        math.sqrt(s)
    """)


def test_python_protocol_errors():
    check_all("""
        len(s)
        iter(s)
        [x for x in s]
        list(n)
        bool(v)
        bool(m > 3)
        not v
        v and v
        v or v
        1 if m else 0
        int(v)
        float(m)
        complex(v)
        int(xp.array(math.nan))
        int(xp.array(math.inf))
        int(z)
        v.__index__()
        s.__index__()
        range(s)
        hash(v)
        {v: 1}
        {v}
        v()
        del v[0]
        "abc"[s]
        round(v, "x")
        0 < v < 3
        v.item()
        min(m)
    """)


def test_hash_is_refused():
    for array in [cp.arange(3), cp.array(1), cp.zeros((0,))]:
        with pytest.raises(TypeError, match="unhashable"):
            hash(array)
    assert cp.ndarray.__hash__ is None


@twin()
def test_iteration_gives_views(xp):
    m = xp.arange(12).reshape(3, 4)
    for row in m:
        row[0] = -1
    first, *rest = m
    rest[0][1] = 50
    x, y, zed = m.T[0]
    return m, first, x + y, zed


@twin()
def test_unpacking_and_starring(xp):
    a, b = xp.arange(2)
    (c, d), (e, f) = xp.arange(4).reshape(2, 2)
    return [a, b, c, d, e, f], (lambda *args: len(args))(*xp.arange(5))


@twin()
def test_unpacking_the_wrong_number(xp):
    a, b = xp.arange(3)
    return a, b


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


def test_full_reductions_and_elements_are_0d_arrays():
    a = cp.arange(6.0)
    for value in [
        a.sum(),
        a.max(),
        a.mean(),
        a[0],
        a.argmax(),
        (a > 2).all(),
        a[cp.array(2)],
        cp.dot(a, a),
        a.sum() + 1,
    ]:
        assert isinstance(value, cp.ndarray)
        assert value.shape == ()


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


@RECENT
def test_what_recent_numpy_settled():
    check_all("""
        bool(z)
    """)
