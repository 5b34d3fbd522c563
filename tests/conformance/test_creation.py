"""Creation from Python values, buffers, iterators and NumPy; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import warnings

import numpy as np
import pytest
from case_texts import RECENT, check_all
from twin import ALL_DTYPES, collect, twin

import cuprum as cp

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
        xp.array([1, 2], ndmin=65)  # ValueError
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
        xp.asarray_chkfinite([1.0, math.nan])  # ValueError
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
        xp.array([[1, 2], [3]])  # ValueError
        xp.array([1, [2]])  # ValueError
        xp.array([[1], 2])  # ValueError
        xp.array([[1, 2], [3, [4]]])  # ValueError
        xp.array([[[1], [2]], [[3]]])  # ValueError
        xp.array([xp.arange(2), xp.arange(3)])  # ValueError
        xp.array([xp.arange(2), 5])  # ValueError
        xp.array([[1, 2], [3]], dtype=xp.float64)  # ValueError
        xp.array(["a"], dtype=xp.float64)  # ValueError
        xp.array("abc", dtype=xp.int64)  # ValueError
        xp.array(None, dtype=xp.int64)  # TypeError
        xp.array([1, None], dtype=xp.int32)  # TypeError
        xp.array([1j], dtype=xp.float64)  # TypeError
        xp.array(1j, dtype=xp.int64)  # TypeError
        xp.array([300], dtype=xp.uint8)  # OverflowError
        xp.array([-1], dtype=xp.uint8)  # OverflowError
        xp.array(128, dtype=xp.int8)  # OverflowError
        xp.array([2**63], dtype=xp.int64)  # OverflowError
        xp.array([-1], dtype=xp.uint64)  # OverflowError
        xp.array([2**64], dtype=xp.uint64)  # OverflowError
        xp.array([10**400], dtype=xp.float64)  # OverflowError
        xp.array([math.nan], dtype=xp.int32)  # ValueError
        xp.array([math.inf], dtype=xp.int64)  # OverflowError
        xp.array(object(), dtype=xp.float32)  # TypeError
        xp.array({}, dtype=xp.float32)  # TypeError
        xp.array([{}], dtype=xp.int8)  # TypeError
        xp.array([1, 2], dtype="nonsense")  # TypeError
        xp.array([1, 2], dtype="f3")  # TypeError
        xp.array([1, 2], order="X")  # ValueError
        xp.array([1, 2], order=5)  # TypeError
        xp.array([1, 2], ndmin="x")  # TypeError
        xp.array([1, 2], bad=1)  # TypeError
        xp.array()  # TypeError
        xp.array(1, 2, 3)  # TypeError
        xp.array([1, 2], copy=False)  # ValueError
        xp.array(m, dtype=xp.float32, copy=False)  # ValueError
        xp.asarray([1, 2], copy=False)  # ValueError
        xp.asarray(m, order="F", copy=False)  # ValueError
        xp.asarray([[1, 2], [3]])  # ValueError
        xp.asarray("x", dtype=xp.float32)  # ValueError
        xp.asarray()  # TypeError
        m.copy(order="Z")  # ValueError
        m.copy(1, 2)  # TypeError
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
            np.array([1], dtype=np.longdouble) if np.dtype(np.longdouble).itemsize > 8 else None,
        ]:
            with failures:
                try:
                    result = cp.array(value)
                except (TypeError, ValueError, OverflowError) as error:
                    assert str(error).startswith("array: "), f"{value!r}: message {error}"
                else:
                    raise AssertionError(f"{value!r} became {result!r}")


@pytest.mark.parametrize("dtype", ["O", "S", "U", "V0", "i4,O"])
def test_unsupported_dtypes_are_refused(dtype):
    for make in [cp.zeros, cp.ones, cp.empty, cp.arange]:
        error = ValueError if dtype == "i4,O" and make is not cp.arange else TypeError
        with pytest.raises(error, match=rf"^{make.__name__}: .*(not supported|Python objects)"):
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
    with pytest.raises(ValueError, match="setting an array element with a sequence"):
        cp.array(loop, dtype=cp.float64)


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
        xp.frombuffer(b"abc")  # ValueError
        xp.frombuffer(b"abc", dtype="i2")  # ValueError
        xp.frombuffer(b"", dtype="u1")
        xp.frombuffer(b"abcd", dtype="u1", count=5)  # ValueError
        xp.frombuffer(b"abcd", dtype="u1", offset=5)  # ValueError
        xp.frombuffer(b"abcd", dtype="u1", offset=-1)  # ValueError
        xp.frombuffer(b"abcd", dtype="u1", count="x")  # TypeError
        xp.frombuffer("abcd", dtype="u1")  # TypeError
        xp.frombuffer([1, 2], dtype="u1")  # TypeError
        xp.frombuffer(5)  # TypeError
        xp.frombuffer()  # TypeError
        xp.fromiter(5, dtype=int)  # TypeError
        xp.fromiter([1, 2])  # TypeError
        xp.fromiter([1, 2], dtype=int, count=3)  # ValueError
        xp.fromiter(["x"], dtype=float)  # ValueError
        xp.fromiter([None], dtype=int)  # TypeError
        xp.fromiter([[1, 2]], dtype=int)  # TypeError
        xp.fromiter([300], dtype=xp.uint8)  # OverflowError
        xp.fromiter((1 // (2 - x) for x in range(3)), dtype=int)  # ZeroDivisionError
    """)


@twin(raises=KeyError)
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
        xp.full(3, 300, dtype=xp.uint8)  # OverflowError
        xp.full(3, -1, dtype=xp.uint8)  # OverflowError
        xp.full_like(i, 2**40)  # OverflowError
    """)


def test_dtypes_by_their_texts():
    """Names, letters and codes of kind and size, in every byte order, as NumPy reads them."""
    kinds, sizes = "?biufcdegOSUVm", ("", "0", "1", "2", "4", "8", "16", "32", "04", "1 ", "-1")
    texts = [order + kind + size for order in ("", "=", "<", ">", "|") for kind in kinds for size in sizes]
    texts += [np.dtype(code).name for code in "?bhilBHILefdFD"]
    texts += [
        "int",
        "float",
        "complex",
        "uint",
        "half",
        "single",
        "double",
        "byte",
        "<float32",
        "Float32",
        "",
    ]
    for text in texts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                want = np.dtype(text)
        except (TypeError, ValueError, DeprecationWarning):
            with pytest.raises((TypeError, ValueError, DeprecationWarning)):
                cp.empty(0, text)
            continue
        if want.kind in "biufc" and want.itemsize <= 16 and want.name not in ("float128", "longdouble"):
            assert cp.empty(0, text).dtype == want.newbyteorder("="), text
        elif want.kind in "Vm" and want.itemsize and want.isnative:
            assert cp.empty(0, text).dtype == want, text
        else:
            with pytest.raises(TypeError, match="not supported"):
                cp.empty(0, text)
