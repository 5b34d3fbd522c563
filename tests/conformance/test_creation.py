"""Creation: from Python values, buffers and NumPy, filled, by ranges and grids; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import functools
import math

import numpy as np
import pytest
from twin import ALL_DTYPES, FLOATS, INTEGERS, check, collect, twin

import cuprum as cp

RECENT = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="NumPy before 2.3 lacks this or answers otherwise"
)


def value_of(text, xp):
    scope = {
        "xp": xp,
        "np": np,
        "math": math,
        "m": xp.arange(12.0).reshape(3, 4),
        "f": xp.asfortranarray(xp.arange(12.0).reshape(3, 4)),
        "i": xp.arange(6, dtype=xp.int32),
        "s": xp.array(2.5),
    }
    return eval(text, scope)


def check_all(table, **options):
    """One case a line; the lines are indented source texts."""
    with collect() as failures:
        for text in filter(None, map(str.strip, table.splitlines())):
            with failures:
                check(functools.partial(value_of, text), label=text, **options)


# ---------------------------------------------------------------------------- array and asarray


def test_array_from_python_values():
    check_all("""
        xp.array(3)
        xp.array(-3)
        xp.array(2**40)
        xp.array(2**63)
        xp.array(2**64 - 1)
        xp.array(-2**63)
        xp.array(2.5)
        xp.array(1j)
        xp.array(True)
        xp.array(math.nan)
        xp.array(-0.0)
        xp.array([])
        xp.array([[]])
        xp.array([[], []])
        xp.array([[[]], [[]]])
        xp.array(())
        xp.array([1])
        xp.array([1, 2, 3])
        xp.array((1, 2, 3))
        xp.array(range(5))
        xp.array([range(3), range(3, 6)])
        xp.array([1, 2.5])
        xp.array([1, 2.5, 3j])
        xp.array([True, False])
        xp.array([True, 2])
        xp.array([True, 2.5])
        xp.array([True, 1j])
        xp.array([2**31, 1])
        xp.array([2**63, 1])
        xp.array([2**63, 1.5])
        xp.array([[1, 2], [3, 4]])
        xp.array([(1, 2), [3, 4]])
        xp.array(((1, 2), (3, 4)))
        xp.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
        xp.array([[[[[1]]]]])
        xp.array([[1], [2.0], [3j]])
        xp.array([1e400, -1e400])
        xp.array([math.inf, -math.inf, math.nan])
        xp.array([np.int8(1), np.int8(2)])
        xp.array([np.int8(1), np.uint8(2)])
        xp.array([np.int8(1), 2])
        xp.array([np.float32(1), 2])
        xp.array([np.float32(1), 2.5])
        xp.array([np.float16(1), np.float32(2)])
        xp.array([np.int64(1), np.float32(2)])
        xp.array([np.uint64(1), np.int64(2)])
        xp.array([np.bool_(True), 1])
        xp.array([np.complex64(1), 2.0])
        xp.array(np.float32(1.5))
        xp.array(np.int8(-1))
        xp.array(np.bool_(True))
        xp.array(np.complex64(1j))
        xp.array([np.arange(3), np.arange(3, 6)])
        xp.array([np.arange(3, dtype=np.int8), [1, 2, 3]])
        xp.array([np.float32(0.1), 0.1])
        xp.array([[np.int16(1), 2], [3.5, True]])
        xp.array(bytearray(b"abc"))
        xp.array(memoryview(b"abc"))
        xp.array([xp.array(1), xp.array(2)])
        xp.array([xp.array(1), 2.5])
        xp.array([xp.arange(3), xp.arange(3)])
        xp.array([xp.arange(3, dtype=xp.int8), xp.arange(3, dtype=xp.float32)])
        xp.array([[xp.arange(2), xp.arange(2)], [xp.arange(2), xp.arange(2)]])
        xp.array([xp.ones((2, 2)), [[1, 2], [3, 4]]])
        xp.array((xp.arange(2), [5, 6]))
        xp.array([xp.zeros(0), xp.zeros(0)])
        xp.array([i[:3], i[3:]])
        xp.array([m.T, m.T])
    """)


def test_array_options():
    check_all("""
        xp.array([1, 2], dtype=xp.float32)
        xp.array([1, 2], dtype="float32")
        xp.array([1, 2], dtype="f4")
        xp.array([1, 2], dtype=float)
        xp.array([1, 2], dtype=int)
        xp.array([1, 2], dtype=bool)
        xp.array([1, 2], dtype=complex)
        xp.array([1, 2], dtype=np.dtype("i2"))
        xp.array([1, 2], dtype="<i8")
        xp.array([1, 2], dtype="?")
        xp.array([1.9, -1.9], dtype=xp.int32)
        xp.array([0, 1, 2.5], dtype=bool)
        xp.array([1, 2], dtype=None)
        xp.array([], dtype=xp.int8)
        xp.array(300, dtype=xp.float16)
        xp.array([70000.0], dtype=xp.float16)
        xp.array([255], dtype=xp.uint8)
        xp.array([-128, 127], dtype=xp.int8)
        xp.array(2**64 - 1, dtype=xp.uint64)
        xp.array([2**70], dtype=xp.float64)
        xp.array([1 + 2j], dtype=xp.complex64)
        xp.array(m)
        xp.array(f)
        xp.array(m.T)
        xp.array(m[::2, ::-1])
        xp.array(m, dtype=xp.float32)
        xp.array(f, dtype=xp.float32)
        xp.array(m, order="C")
        xp.array(m, order="F")
        xp.array(f, order="C")
        xp.array(f, order="F")
        xp.array(f, order="K")
        xp.array(f, order="A")
        xp.array(m[::2], order="A")
        xp.array(m[::2], order="K")
        xp.array(m[::2].T, order="K")
        xp.array(m.reshape(3, 2, 2).swapaxes(0, 1), order="K")
        xp.array([[1, 2], [3, 4]], order="F")
        xp.array([[1, 2], [3, 4]], order="C")
        xp.array(5, ndmin=1)
        xp.array(5, ndmin=3)
        xp.array([1, 2], ndmin=2)
        xp.array([1, 2], ndmin=0)
        xp.array(m, ndmin=4)
        xp.array(f, ndmin=3)
        xp.array([[]], ndmin=3)
        xp.array([1, 2], copy=True)
        xp.array(m, copy=None)
        xp.array(m, copy=True) is m
        xp.array(m) is m
        xp.array(m, subok=True)
        xp.array(object=[1, 2])
        xp.array(i.astype(xp.int64) > 2, dtype=xp.int8)
        xp.array(s)
        xp.array(s, ndmin=2)
        xp.array([1, 2], ndmin=-1)
        xp.array([1, 2], ndmin=65)
        xp.array(m[::2].T, order="A")
        xp.array(m.T, order="A")
        xp.array(m.T, order="A", dtype=xp.float32)
    """)


def test_asarray():
    check_all("""
        xp.asarray([1, 2])
        xp.asarray(5)
        xp.asarray(m) is m
        xp.asarray(m, dtype=xp.float64) is m
        xp.asarray(m, dtype="f8") is m
        xp.asarray(m, dtype=xp.float32) is m
        xp.asarray(m, dtype=xp.float32)
        xp.asarray(m, order="F") is m
        xp.asarray(f, order="F") is f
        xp.asarray(m, order="F")
        xp.asarray(f, order="C")
        xp.asarray(f, order="K") is f
        xp.asarray(m, copy=True) is m
        xp.asarray(m, copy=False) is m
        xp.asarray(m[::2], order="C")
        xp.asanyarray(m) is m
        xp.asanyarray([1.5])
        xp.ascontiguousarray(m) is m
        xp.ascontiguousarray(f)
        xp.ascontiguousarray(m[:, ::2])
        xp.ascontiguousarray(5)
        xp.ascontiguousarray(s)
        xp.ascontiguousarray(i, dtype=xp.float32)
        xp.asfortranarray(f) is f
        xp.asfortranarray(m)
        xp.asfortranarray(5)
        xp.asfortranarray([[1, 2], [3, 4]], dtype=xp.int8)
        xp.require(f, requirements="C")
        xp.require(m, dtype=xp.float32, requirements=["F"])
        xp.asarray_chkfinite([1.0, 2.0])
        xp.asarray_chkfinite([1.0, math.nan])
        xp.copy(m)
        xp.copy(f)
        xp.copy(f, order="C")
        xp.copy(m, order="F")
        xp.copy(m[::2, ::2])
        xp.copy(m.T)
        xp.copy([1, 2])
        xp.copy(3)
        m.copy()
        f.copy()
        f.copy("K")
        f.copy(order="A")
        f.copy(order="F")
        m[:, 1].copy()
    """)


def test_array_errors():
    check_all("""
        xp.array([[1, 2], [3]])
        xp.array([1, [2]])
        xp.array([[1], 2])
        xp.array([[1, 2], [3, [4]]])
        xp.array([[[1], [2]], [[3]]])
        xp.array([xp.arange(2), xp.arange(3)])
        xp.array([xp.arange(2), 5])
        xp.array([[1, 2], [3]], dtype=xp.float64)
        xp.array(["a"], dtype=xp.float64)
        xp.array("abc", dtype=xp.int64)
        xp.array(None, dtype=xp.int64)
        xp.array([1, None], dtype=xp.int32)
        xp.array([1j], dtype=xp.float64)
        xp.array(1j, dtype=xp.int64)
        xp.array([300], dtype=xp.uint8)
        xp.array([-1], dtype=xp.uint8)
        xp.array(128, dtype=xp.int8)
        xp.array([2**63], dtype=xp.int64)
        xp.array([-1], dtype=xp.uint64)
        xp.array([2**64], dtype=xp.uint64)
        xp.array([10**400], dtype=xp.float64)
        xp.array([math.nan], dtype=xp.int32)
        xp.array([math.inf], dtype=xp.int64)
        xp.array(object(), dtype=xp.float32)
        xp.array({}, dtype=xp.float32)
        xp.array([{}], dtype=xp.int8)
        xp.array([1, 2], dtype="nonsense")
        xp.array([1, 2], dtype="f3")
        xp.array([1, 2], order="X")
        xp.array([1, 2], order=5)
        xp.array([1, 2], ndmin="x")
        xp.array([1, 2], bad=1)
        xp.array()
        xp.array(1, 2, 3)
        xp.array([1, 2], copy=False)
        xp.array(m, dtype=xp.float32, copy=False)
        xp.asarray([1, 2], copy=False)
        xp.asarray(m, order="F", copy=False)
        xp.asarray([[1, 2], [3]])
        xp.asarray("x", dtype=xp.float32)
        xp.asarray()
        m.copy(order="Z")
        m.copy(1, 2)
    """)


def test_what_has_no_dtype_is_refused():
    """NumPy would make object or string arrays; Cuprum has no such dtype and says so."""
    with collect() as failures:
        for value in [
            None,
            "abc",
            b"abc",
            object(),
            {},
            {1, 2},
            [None],
            [1, None],
            ["a", "b"],
            [object()],
            [1, "a"],
            [{}],
            (x for x in range(3)),
            lambda: 0,
            2**70,
            [2**70],
            [-(2**70)],
            np.array(["a"]),
            np.array([None]),
            np.array(["2020-01-01"], dtype="M8[D]"),
            np.zeros(2, dtype=[("a", "i4")]),
            np.array([1], dtype=np.longdouble) if np.dtype(np.longdouble).itemsize > 8 else None,
        ]:
            with failures:
                try:
                    result = cp.array(value)
                except (TypeError, ValueError, OverflowError) as error:
                    assert str(error).startswith("array: "), f"{value!r}: message {error}"
                else:
                    raise AssertionError(f"{value!r} became {result!r}")


@pytest.mark.parametrize("dtype", ["O", "S", "U", "M8[D]", "m8[s]", "V4", "i4,f4"])
def test_unsupported_dtypes_are_refused(dtype):
    for make in [cp.zeros, cp.ones, cp.empty, cp.arange]:
        with pytest.raises(TypeError):
            make(3, dtype=dtype)


@twin()
def test_array_from_numpy_in_every_dtype_and_order(xp):
    results = []
    for dtype in ALL_DTYPES:
        host = (np.arange(24).reshape(2, 3, 4) % 5).astype(dtype)
        for view in [
            host,
            host.T,
            host[::-1, ::2],
            host.swapaxes(0, 1),
            host[0, 0, 0],
            host[:0],
            np.broadcast_to(host[0], (2, 3, 4)),
        ]:
            results.append(xp.array(view))
            results.append(xp.array(view, order="C"))
            results.append(xp.array(view, order="F"))
    return results


@twin()
def test_deeply_nested_and_wide_lists(xp):
    deep = 7
    for _ in range(30):
        deep = [deep]
    return xp.array(deep).ndim, xp.array([[j * 100 + i for i in range(100)] for j in range(100)])


def test_too_deep_lists_are_refused():
    deep = [1]
    for _ in range(100):
        deep = [deep]
    with pytest.raises(ValueError):
        cp.array(deep, dtype=cp.float64)
    loop = []
    loop.append(loop)
    with pytest.raises((ValueError, RecursionError)):
        cp.array(loop, dtype=cp.float64)


# ---------------------------------------------------------------------------- filled arrays


def test_zeros_ones_full():
    check_all("""
        xp.zeros(3)
        xp.zeros(0)
        xp.zeros(())
        xp.zeros([])
        xp.zeros((2, 3))
        xp.zeros([2, 3])
        xp.zeros((2, 0, 3))
        xp.zeros(np.int64(3))
        xp.zeros((np.int8(2), np.uint16(3)))
        xp.zeros(xp.array(3))
        xp.zeros(np.array([2, 3]))
        xp.zeros(range(1, 4))
        xp.zeros(3, dtype=xp.int8)
        xp.zeros(3, int)
        xp.zeros((2, 3), "c8")
        xp.zeros((2, 3), order="F")
        xp.zeros((2, 3), xp.float32, "F")
        xp.zeros(shape=(2,), dtype=bool, order="C")
        xp.ones(3)
        xp.ones(())
        xp.ones((2, 0))
        xp.ones((2, 3), dtype=bool)
        xp.ones((2, 3), dtype=xp.complex128, order="F")
        xp.ones([4], xp.uint8)
        xp.full(3, 7)
        xp.full((2, 3), 7.5)
        xp.full((), 7)
        xp.full((2, 3), True)
        xp.full((2, 3), 1j)
        xp.full((2, 3), [1, 2, 3])
        xp.full((2, 3), [[1], [2]])
        xp.full((2, 3), xp.arange(3))
        xp.full((2, 3), xp.array(4, dtype=xp.int8))
        xp.full(3, np.float32(1.5))
        xp.full(3, 7, dtype=xp.float16)
        xp.full(3, 7.9, dtype=xp.int32)
        xp.full((2, 3), 7, order="F")
        xp.full(shape=3, fill_value=-1)
        xp.full(3, math.nan)
        xp.full(0, 5)
        xp.full(3, 2**40)
        xp.full(3, 2**63)
        xp.empty(3).shape
        xp.empty((2, 3), dtype=xp.int8).dtype
        xp.empty((2, 3), order="F").flags.f_contiguous
        xp.empty((2, 3), xp.float32, "F").strides
        xp.empty(()).shape
        xp.empty((2, 0), dtype="f4")
        xp.empty((5, 0, 2)).size
    """)


def test_like():
    check_all("""
        xp.zeros_like(m)
        xp.zeros_like(f)
        xp.zeros_like(m.T)
        xp.zeros_like(m[::2, ::-1])
        xp.zeros_like(m[:, 0])
        xp.zeros_like(m.reshape(3, 2, 2).swapaxes(0, 1))
        xp.zeros_like(m, dtype=xp.int8)
        xp.zeros_like(f, order="C")
        xp.zeros_like(m, order="F")
        xp.zeros_like(f, order="A")
        xp.zeros_like(m[::2], order="A")
        xp.zeros_like(m, shape=(5,))
        xp.zeros_like(f, shape=(2, 5))
        xp.zeros_like(f, shape=(2, 5, 2))
        xp.zeros_like(m, shape=7)
        xp.zeros_like([1, 2])
        xp.zeros_like(5)
        xp.zeros_like(2.5)
        xp.zeros_like(s)
        xp.zeros_like(xp.broadcast_to(i, (2, 6)))
        xp.ones_like(i)
        xp.ones_like(f)
        xp.ones_like(i, dtype=bool)
        xp.ones_like([[1.5]])
        xp.ones_like(m, xp.int16, "F")
        xp.full_like(m, 7)
        xp.full_like(i, 7.9)
        xp.full_like(i, 7.9, dtype=float)
        xp.full_like(f, 2)
        xp.full_like(m, [1, 2, 3, 4])
        xp.full_like(m, xp.arange(4))
        xp.full_like(i, True)
        xp.full_like(m, math.nan)
        xp.full_like(m, 1, shape=(2, 2))
        xp.full_like([1, 2], 5)
        xp.full_like(xp.zeros((0, 3)), 1)
        xp.empty_like(m).shape
        xp.empty_like(f).strides
        xp.empty_like(m.T).strides
        xp.empty_like(m, dtype=xp.int8).dtype
        xp.empty_like(m, shape=(3, 0))
        xp.empty_like(m[::2, ::2]).strides
        xp.empty_like(f, order="C").strides
    """)


def test_filled_errors():
    check_all("""
        xp.zeros(-1)
        xp.zeros((2, -3))
        xp.zeros(2.5)
        xp.zeros((2, 2.5))
        xp.zeros("x")
        xp.zeros((2, None))
        xp.zeros((2, "x"))
        xp.zeros(3, dtype="bad")
        xp.zeros(3, order="X")
        xp.zeros(3, bad=1)
        xp.zeros()
        xp.zeros((1,) * 65)
        xp.zeros(2**70)
        xp.zeros((2**40, 2**40))
        xp.zeros(2**62)
        xp.zeros((2**31, 2**31, 2**31))
        xp.zeros([[2, 3]])
        xp.ones(-1)
        xp.ones((3, -1))
        xp.ones(1.0)
        xp.ones(3, order="Q")
        xp.full(3)
        xp.full(3, "x", dtype=xp.float64)
        xp.full((2, 3), [1, 2])
        xp.full((2, 3), xp.ones((3, 2)))
        xp.full(3, 1j, dtype=xp.float64)
        xp.full(-3, 1)
        xp.full_like(m, [1, 2])
        xp.full_like(i, 10**30)
        xp.zeros_like(m, order="X")
        xp.zeros_like(m, shape=-1)
        xp.zeros_like(m, dtype="bad")
        xp.zeros_like()
        xp.empty(-1)
        xp.empty((-1, 0))
        xp.empty(2.0)
        xp.empty((2**40, 2**40))
        xp.empty_like(m, shape=(2, -2))
    """)


@twin()
def test_filled_in_every_dtype(xp):
    return [
        (
            xp.zeros((2, 3), dtype=d),
            xp.ones((2, 3), dtype=d),
            xp.full((2, 3), 1, dtype=d),
            xp.full_like(xp.ones(4, dtype=d), 0),
        )
        for d in ALL_DTYPES
    ]


@twin()
def test_large_zeros_are_zeros_after_reuse(xp):
    results = []
    for _ in range(5):
        a = xp.full(100_000, 7.0)
        results.append(float(a.sum()))
        del a
        results.append(float(xp.zeros(100_000).sum()))
        results.append(float(xp.ones(100_000).sum()))
    return results


# ---------------------------------------------------------------------------- ranges


def test_arange():
    check_all("""
        xp.arange(5)
        xp.arange(0)
        xp.arange(-5)
        xp.arange(5.0)
        xp.arange(4.5)
        xp.arange(2, 7)
        xp.arange(7, 2)
        xp.arange(2, 7, 2)
        xp.arange(2, 8, 2)
        xp.arange(7, 2, -1)
        xp.arange(7, 2, -2)
        xp.arange(0, 1, 0.1)
        xp.arange(0, 1.0001, 0.1)
        xp.arange(1, 0, -0.25)
        xp.arange(0.5, 5)
        xp.arange(0.1, 0.4, 0.1)
        xp.arange(5, dtype=xp.float32)
        xp.arange(5, dtype=float)
        xp.arange(5.5, dtype=int)
        xp.arange(0, 5, dtype="i2")
        xp.arange(0, 5, 1, xp.uint8)
        xp.arange(0, 3, 0.5, dtype=xp.float16)
        xp.arange(5, dtype=xp.complex64)
        xp.arange(0, 2, 0.5, dtype=xp.complex128)
        xp.arange(2, dtype=bool)
        xp.arange(0, dtype=bool)
        xp.arange(stop=5)
        xp.arange(start=2, stop=5)
        xp.arange(2, stop=5)
        xp.arange(2, stop=8, step=3)
        xp.arange(1, 10, step=4)
        xp.arange(2, None)
        xp.arange(2, None, 1)
        xp.arange(True)
        xp.arange(np.int8(5))
        xp.arange(np.float32(3))
        xp.arange(np.int8(1), np.int16(5))
        xp.arange(np.uint8(5))
        xp.arange(np.float32(0), np.float32(1), np.float32(0.25))
        xp.arange(xp.array(4))
        xp.arange(10**10, 10**10 + 3)
        xp.arange(-3, 3)
        xp.arange(2**63 - 3, 2**63 - 1)
        xp.arange(0, 10, 3.5)
        xp.arange(1e-3, 5e-3, 1e-3)
        xp.arange(5, 0)
        xp.arange(0, -1)
        xp.arange(250, 260, dtype=xp.int16)
        xp.arange(1, 2, 3)
        xp.arange(0, 1, math.inf)
    """)


def test_arange_errors():
    check_all("""
        xp.arange()
        xp.arange(1, 2, 0)
        xp.arange(0, 1, 0.0)
        xp.arange(0, 10, math.nan)
        xp.arange(math.inf)
        xp.arange(math.nan)
        xp.arange(0, math.inf)
        xp.arange("x")
        xp.arange(None)
        xp.arange([1, 2])
        xp.arange(1, 2, 3, 4, 5)
        xp.arange(5, dtype="bad")
        xp.arange(3, dtype=bool)
        xp.arange(5, bad=1)
        xp.arange(10**18)
        xp.arange(0, 1, 1e-18)
        xp.arange(step=2)
    """)


@twin()
def test_arange_in_every_dtype(xp):
    return [
        (xp.arange(7, dtype=d), xp.arange(2, 9, 3, dtype=d), xp.arange(3, 3, dtype=d))
        for d in INTEGERS + FLOATS
    ]


@twin()
def test_large_arange_has_numpys_bits(xp):
    return (
        xp.arange(100_000) * 1,
        xp.arange(0, 1e4, 0.1),
        xp.arange(0, 3e4, 0.3, dtype=xp.float32),
        xp.arange(1e5, 0, -1.5),
    )


def test_linspace():
    check_all(
        """
        xp.linspace(0, 1)
        xp.linspace(0, 1, 5)
        xp.linspace(0, 1, 1)
        xp.linspace(0, 1, 0)
        xp.linspace(1, 0, 7)
        xp.linspace(2, 2, 4)
        xp.linspace(-1, 1, 11)
        xp.linspace(0, 1, 5, endpoint=False)
        xp.linspace(0, 1, 1, endpoint=False)
        xp.linspace(0, 1, 0, endpoint=False)
        xp.linspace(0, 1, 5, True)
        xp.linspace(0, 1, 5, retstep=True)
        xp.linspace(0, 1, 5, endpoint=False, retstep=True)
        xp.linspace(0, 1, 1, retstep=True)[0]
        xp.linspace(0, 10, 5, dtype=xp.float32)
        xp.linspace(0, 10, 4, dtype=int)
        xp.linspace(-10, 10, 4, dtype=int)
        xp.linspace(0, 1, 3, dtype=xp.float16)
        xp.linspace(0, 1, 3, dtype=complex)
        xp.linspace(0, 1j, 3)
        xp.linspace(1 + 1j, 2 - 1j, 4)
        xp.linspace([0, 1], [1, 3], 4)
        xp.linspace([0, 1], [1, 3], 4, axis=1)
        xp.linspace([0, 1], [1, 3], 4, axis=-1)
        xp.linspace([0, 1], 5, 3)
        xp.linspace(0, [1, 2, 3], 3)
        xp.linspace([[0], [1]], [2, 3], 3)
        xp.linspace([[0], [1]], [2, 3], 3, axis=1)
        xp.linspace(xp.array([0.0, 1.0]), xp.array([1.0, 1.0]), 3)
        xp.linspace(xp.array([0.0, 1.0]), 2, 3, endpoint=False)
        xp.linspace(xp.array(0.0), xp.array(1.0), 3)
        xp.linspace(np.float32(0), np.float32(1), 3)
        xp.linspace(xp.zeros(2, dtype=xp.float32), xp.ones(2, dtype=xp.float32), 3)
        xp.linspace(xp.arange(2, dtype=xp.int8), 5, 3)
        xp.linspace(0, 1e-320, 5)
        xp.linspace(0, 5e-324, 3)
        xp.linspace(-1e308, 1e308, 3)
        xp.linspace(0, math.inf, 3)
        xp.linspace(math.nan, 1, 3)
        xp.linspace(0, 1, np.int64(4))
        xp.linspace(start=0, stop=1, num=3)
        xp.linspace(0, 3, 4, dtype=bool)
        xp.linspace(xp.zeros((2, 0)), 1, 3)
        xp.linspace(0, 10, 11)[10]
        xp.linspace(0, 1, 1001)
        xp.linspace(0.1, 0.7, 77, endpoint=False)
    """,
        ulps=1,
    )


def test_logspace_and_geomspace():
    check_all(
        """
        xp.logspace(0, 2, 5)
        xp.logspace(0, 2, 5, endpoint=False)
        xp.logspace(0, 3, 4, base=2)
        xp.logspace(0, 3, 4, base=2.0, dtype=int)
        xp.logspace(-2, 2)
        xp.logspace(0, 2, 5, dtype=xp.float32)
        xp.logspace([0, 1], [1, 2], 3)
        xp.logspace([0, 1], [1, 2], 3, axis=1)
        xp.logspace(0, 2, 0)
        xp.logspace(0, 2, 1)
        xp.logspace(2, 0, 3)
        xp.logspace(0, 1, 3, base=xp.array([2.0, 10.0]))
        xp.geomspace(1, 1000, 4)
        xp.geomspace(1000, 1, 4)
        xp.geomspace(1, 256, 9)
        xp.geomspace(-1, -1000, 4)
        xp.geomspace(1, 1000, 3, endpoint=False)
        xp.geomspace(1, 1000, 4, dtype=xp.float32)
        xp.geomspace(1, 256, 9, dtype=int)
        xp.geomspace([1, 10], [100, 1000], 3)
        xp.geomspace([1, 10], [100, 1000], 3, axis=-1)
        xp.geomspace(1j, 1000j, 4)
        xp.geomspace(1, 2, 1)
        xp.geomspace(1, 2, 0)
        xp.geomspace(5, 5, 3)
    """,
        ulps={"d": 4, "f": 2, "D": 8},
    )


def test_space_errors():
    check_all("""
        xp.linspace(0, 1, -1)
        xp.linspace(0, 1, 2.5)
        xp.linspace(0, 1, "x")
        xp.linspace(0)
        xp.linspace("a", 1)
        xp.linspace(0, 1, 3, axis=2)
        xp.linspace([0, 1], [1, 2, 3])
        xp.linspace(0, 1, 3, dtype="bad")
        xp.linspace(0, 1, bad=3)
        xp.linspace(None, 1)
        xp.logspace(0, 1, -1)
        xp.logspace(0)
        xp.geomspace(0, 10)
        xp.geomspace(1, 0)
        xp.geomspace(1, 10, -1)
        xp.geomspace([0, 1], [1, 2])
    """)


# ---------------------------------------------------------------------------- matrices


def test_matrices():
    check_all("""
        xp.eye(3)
        xp.eye(3, 4)
        xp.eye(4, 3)
        xp.eye(3, k=1)
        xp.eye(3, k=-1)
        xp.eye(3, 5, 2)
        xp.eye(3, k=10)
        xp.eye(3, k=-10)
        xp.eye(0)
        xp.eye(2, 0)
        xp.eye(3, dtype=xp.int8)
        xp.eye(3, dtype=bool)
        xp.eye(3, order="F")
        xp.eye(3, M=4, k=1, dtype=xp.complex64, order="F")
        xp.eye(np.int64(2), np.int64(3), np.int64(1))
        xp.identity(3)
        xp.identity(0)
        xp.identity(2, dtype=xp.int32)
        xp.diag([1, 2, 3])
        xp.diag([1, 2], k=1)
        xp.diag([1, 2], k=-2)
        xp.diag([])
        xp.diag(m)
        xp.diag(m, 1)
        xp.diag(m, -2)
        xp.diag(m, 4)
        xp.diag(m, -3)
        xp.diag(m.T)
        xp.diag(f)
        xp.diag(i > 2)
        xp.diag(i[::-2])
        xp.diagflat([1, 2])
        xp.diagflat([[1, 2], [3, 4]])
        xp.diagflat([1, 2], 1)
        xp.diagflat([1, 2], -1)
        xp.diagflat(5)
        xp.diagflat(m.T)
        xp.tri(3)
        xp.tri(3, 4)
        xp.tri(3, 4, 1)
        xp.tri(3, k=-1)
        xp.tri(3, dtype=bool)
        xp.tri(0)
        xp.tri(4, 2, -1, dtype=xp.int8)
        xp.tril(m)
        xp.tril(m, 1)
        xp.tril(m, -1)
        xp.tril(m, 10)
        xp.tril(m, -10)
        xp.tril(m.T)
        xp.tril(xp.arange(24).reshape(2, 3, 4))
        xp.tril([1, 2, 3])
        xp.tril(m > 3)
        xp.triu(m)
        xp.triu(m, 1)
        xp.triu(m, -1)
        xp.triu(m, 10)
        xp.triu(m.T, -1)
        xp.triu(xp.arange(24).reshape(2, 3, 4), 1)
        xp.triu([1, 2, 3])
        xp.triu(m[:, ::-1])
        xp.triu(xp.zeros((0, 3)))
        xp.vander([1, 2, 3])
        xp.vander([1, 2, 3], 2)
        xp.vander([1, 2, 3], 4)
        xp.vander([1, 2, 3], increasing=True)
        xp.vander([1.5, 2.5], 3, True)
        xp.vander(i, 3)
        xp.vander([1, 2], 0)
        xp.vander(xp.array([1, 2], dtype=xp.int8), 3)
        xp.vander([], 2)
        xp.vander([1j, 2], 3)
    """)


def test_matrix_errors():
    check_all("""
        xp.eye(-1)
        xp.eye(2.5)
        xp.eye("x")
        xp.eye()
        xp.eye(3, 2.5)
        xp.eye(3, k=1.5)
        xp.eye(3, order="X")
        xp.eye(3, -1)
        xp.identity(-1)
        xp.identity(2.5)
        xp.diag(5)
        xp.diag(xp.zeros((2, 2, 2)))
        xp.diag([1, 2], k="x")
        xp.tri("x")
        xp.tril(5)
        xp.triu(5)
        xp.tril(m, "x")
        xp.vander(m)
        xp.vander(5)
        xp.vander([1, 2], -1)
    """)


# ---------------------------------------------------------------------------- grids


def test_grids():
    check_all("""
        xp.meshgrid([1, 2, 3])
        xp.meshgrid([1, 2, 3], [4, 5])
        xp.meshgrid([1, 2, 3], [4.5, 5], indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], sparse=True)
        xp.meshgrid([1, 2, 3], [4, 5], sparse=True, indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], [6, 7], indexing="xy")
        xp.meshgrid([1, 2, 3], [4, 5], [6, 7], indexing="ij")
        xp.meshgrid([1, 2, 3], [4, 5], copy=False)
        xp.meshgrid([1, 2, 3], [4, 5], copy=False, sparse=True)
        xp.meshgrid(5, [1, 2])
        xp.meshgrid(i, i[::-1])
        xp.meshgrid([], [1, 2])
        xp.meshgrid()
        xp.meshgrid(m, [1, 2])
        xp.mgrid[0:3]
        xp.mgrid[0:3, 0:2]
        xp.mgrid[1:7:2, 0:2]
        xp.mgrid[0:1:5j]
        xp.mgrid[0:1:3j, 0:2]
        xp.mgrid[-1:1:0.5]
        xp.mgrid[:3, :2]
        xp.mgrid[0:3, 0:2, 0:2]
        xp.mgrid[0:1:0.25, 0:3]
        xp.mgrid[3:0:-1]
        xp.mgrid[0:0]
        xp.ogrid[0:3]
        xp.ogrid[0:3, 0:2]
        xp.ogrid[0:1:5j, 0:2]
        xp.ogrid[1:7:2, 0:2, 0:1:2j]
        xp.indices((2, 3))
        xp.indices((2, 3), dtype=xp.int8)
        xp.indices((2, 3), sparse=True)
        xp.indices((2,))
        xp.indices(())
        xp.indices((2, 0))
        xp.indices((2, 3, 4), dtype=float)
        xp.fromfunction(lambda x, y: x + y, (2, 3))
        xp.fromfunction(lambda x, y: x * y, (2, 3), dtype=xp.int32)
        xp.fromfunction(lambda x: x ** 2, (4,), dtype=int)
        xp.fromfunction(lambda x, y: x == y, (3, 3))
        xp.fromfunction(lambda x, k=1: x + k, (3,), k=10)
        xp.s_[1:2, ..., None]
        xp.index_exp[1:2]
    """)


def test_r_and_c():
    check_all("""
        xp.r_[1, 2, 3]
        xp.r_[1:5]
        xp.r_[1:5:2]
        xp.r_[0:1:5j]
        xp.r_[1:3, 5, 7:9]
        xp.r_[i, 0, i]
        xp.r_[i, 0.5]
        xp.r_[-1:1:6j, [0] * 3, 5, 6]
        xp.r_[[1, 2], [3, 4]]
        xp.r_[m, m]
        xp.r_["-1", m, m]
        xp.r_["0,2", [1, 2], [3, 4]]
        xp.r_["1,2,0", [1, 2], [3, 4]]
        xp.r_["0,2,0", [1, 2], [3, 4]]
        xp.r_[True, False]
        xp.r_[i[:0], 1]
        xp.r_[xp.array(5), i]
        xp.c_[[1, 2], [3, 4]]
        xp.c_[i, i]
        xp.c_[i, i * 0.5]
        xp.c_[m, m]
        xp.c_[m, [1, 2, 3]]
        xp.c_[1:4, 5:8]
    """)


def test_grid_errors():
    check_all("""
        xp.meshgrid([1, 2], [3], indexing="no")
        xp.meshgrid([1, 2], [3], bad=1)
        xp.indices((-1, 2))
        xp.indices(3)
        xp.indices((2.5,))
        xp.fromfunction(lambda x: x, (2, 3))
        xp.fromfunction(3, (2,))
        xp.r_[m, [1, 2]]
        xp.r_["x", [1, 2]]
        xp.c_[[1, 2], [3]]
        xp.mgrid["x"]
        xp.mgrid[0:3:0]
    """)


# ---------------------------------------------------------------------------- buffers and iterators


def test_frombuffer_and_fromiter():
    check_all("""
        xp.frombuffer(b"abc", dtype=xp.uint8)
        xp.frombuffer(bytes(16))
        xp.frombuffer(bytes(range(16)), dtype="i4")
        xp.frombuffer(bytes(range(16)), "i2", 3)
        xp.frombuffer(bytes(range(16)), dtype="i2", count=3, offset=2)
        xp.frombuffer(bytes(range(16)), dtype="u1", offset=5)
        xp.frombuffer(bytes(range(17)), dtype="u1", count=-1)
        xp.frombuffer(bytearray(8), dtype=xp.float32)
        xp.frombuffer(memoryview(bytes(range(8))), dtype="f4")
        xp.frombuffer(np.arange(4.0))
        xp.frombuffer(bytes(range(9)), dtype="i4", offset=1)
        xp.fromiter(range(5), dtype=int)
        xp.fromiter((x * x for x in range(5)), dtype=xp.float32)
        xp.fromiter([1, 2, 3], int, count=2)
        xp.fromiter([1.9, 2.9], dtype=int)
        xp.fromiter([], dtype=float)
        xp.fromiter(iter([True, False]), dtype=bool)
        xp.fromiter({1: 2, 3: 4}, dtype=int)
        xp.fromiter((complex(x, -x) for x in range(3)), dtype=complex)
        xp.fromiter(range(5), dtype=int, count=5)
        xp.fromiter(i, dtype=xp.int64)
    """)


def test_frombuffer_and_fromiter_errors():
    check_all("""
        xp.frombuffer(b"abc")
        xp.frombuffer(b"abc", dtype="i2")
        xp.frombuffer(b"", dtype="u1")
        xp.frombuffer(b"abcd", dtype="u1", count=5)
        xp.frombuffer(b"abcd", dtype="u1", offset=5)
        xp.frombuffer(b"abcd", dtype="u1", offset=-1)
        xp.frombuffer(b"abcd", dtype="u1", count="x")
        xp.frombuffer("abcd", dtype="u1")
        xp.frombuffer([1, 2], dtype="u1")
        xp.frombuffer(5)
        xp.frombuffer()
        xp.fromiter(5, dtype=int)
        xp.fromiter([1, 2])
        xp.fromiter([1, 2], dtype=int, count=3)
        xp.fromiter(["x"], dtype=float)
        xp.fromiter([None], dtype=int)
        xp.fromiter([[1, 2]], dtype=int)
        xp.fromiter([300], dtype=xp.uint8)
        xp.fromiter((1 // (2 - x) for x in range(3)), dtype=int)
    """)


@twin()
def test_fromiter_stops_at_the_iterators_own_error(xp):
    def numbers():
        yield 1
        raise KeyError("inside")

    return xp.fromiter(numbers(), dtype=int)


@twin()
def test_creation_functions_do_not_alias_their_source(xp):
    source = xp.arange(4.0)
    made = [
        xp.array(source),
        xp.copy(source),
        source.copy(),
        xp.diag(source),
        xp.full((2, 4), source),
        xp.meshgrid(source, source)[0],
    ]
    source[:] = -1
    return made


@RECENT
def test_what_recent_numpy_settled():
    check_all("""
        xp.full(3, 300, dtype=xp.uint8)
        xp.full(3, -1, dtype=xp.uint8)
        xp.full_like(i, 2**40)
    """)
