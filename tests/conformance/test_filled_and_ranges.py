"""Arrays filled with a value, and ranges; bad arguments too.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
"""

import numpy as np
import pytest
from case_texts import check_all
from twin import ALL_DTYPES, FLOATS, INTEGERS, twin

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
        xp.zeros(-1)  # ValueError
        xp.zeros((2, -3))  # ValueError
        xp.zeros(2.5)  # TypeError
        xp.zeros((2, 2.5))  # TypeError
        xp.zeros("x")  # TypeError
        xp.zeros((2, None))  # TypeError
        xp.zeros((2, "x"))  # TypeError
        xp.zeros(3, dtype="bad")  # TypeError
        xp.zeros(3, order="X")  # ValueError
        xp.zeros(3, bad=1)  # TypeError
        xp.zeros()  # TypeError
        xp.zeros((1,) * 65)  # ValueError
        xp.zeros(2**70)  # ValueError
        xp.zeros((2**40, 2**40))  # ValueError
        xp.zeros(2**62)  # ValueError
        xp.zeros((2**31, 2**31, 2**31))  # ValueError
        xp.zeros([[2, 3]])  # TypeError
        xp.ones(-1)  # ValueError
        xp.ones((3, -1))  # ValueError
        xp.ones(1.0)  # TypeError
        xp.ones(3, order="Q")  # ValueError
        xp.full(3)  # TypeError
        xp.full(3, "x", dtype=xp.float64)  # ValueError
        xp.full((2, 3), [1, 2])  # ValueError
        xp.full((2, 3), xp.ones((3, 2)))  # ValueError
        xp.full(3, 1j, dtype=xp.float64)
        xp.full(-3, 1)  # ValueError
        xp.full_like(m, [1, 2])  # ValueError
        xp.full_like(i, 10**30)  # OverflowError
        xp.zeros_like(m, order="X")  # ValueError
        xp.zeros_like(m, shape=-1)  # ValueError
        xp.zeros_like(m, dtype="bad")  # TypeError
        xp.zeros_like()  # TypeError
        xp.empty(-1)  # ValueError
        xp.empty((-1, 0))  # ValueError
        xp.empty(2.0)  # TypeError
        xp.empty((2**40, 2**40))  # ValueError
        xp.empty_like(m, shape=(2, -2))  # ValueError
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
        xp.arange()  # TypeError
        xp.arange(1, 2, 0)  # ZeroDivisionError
        xp.arange(0, 1, 0.0)  # ZeroDivisionError
        xp.arange(0, 10, math.nan)  # ValueError
        xp.arange(math.inf)  # ValueError
        xp.arange(math.nan)  # ValueError
        xp.arange(0, math.inf)  # ValueError
        xp.arange("x")  # TypeError
        xp.arange(None)  # TypeError
        xp.arange([1, 2])  # TypeError
        xp.arange(1, 2, 3, 4, 5)  # TypeError
        xp.arange(5, dtype="bad")  # TypeError
        xp.arange(3, dtype=bool)  # TypeError
        xp.arange(5, bad=1)  # TypeError
        xp.arange(10**18)  # MemoryError
        xp.arange(0, 1, 1e-18)  # MemoryError
        xp.arange(step=2)  # TypeError
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
        xp.linspace(0, 1, -1)  # ValueError
        xp.linspace(0, 1, 2.5)  # TypeError
        xp.linspace(0, 1, "x")  # TypeError
        xp.linspace(0)  # TypeError
        xp.linspace("a", 1)  # TypeError
        xp.linspace(0, 1, 3, axis=2)  # AxisError
        xp.linspace([0, 1], [1, 2, 3])  # ValueError
        xp.linspace(0, 1, 3, dtype="bad")  # TypeError
        xp.linspace(0, 1, bad=3)  # TypeError
        xp.linspace(None, 1)  # TypeError
        xp.logspace(0, 1, -1)  # ValueError
        xp.logspace(0)  # TypeError
        xp.geomspace(0, 10)  # ValueError
        xp.geomspace(1, 0)  # ValueError
        xp.geomspace(1, 10, -1)  # ValueError
        xp.geomspace([0, 1], [1, 2])  # ValueError
    """)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64", "int8", "bool", "float64"])
@pytest.mark.parametrize("end", [1, 0.5, 2j, True, np.float32(3), np.int8(2)], ids=repr)
@pytest.mark.parametrize("name", ["linspace", "logspace"])
@twin(ulps={"e": 1, "f": 2, "d": 4, "F": 8, "D": 8})
def test_python_numbers_as_ends_take_the_other_ends_dtype(xp, name, end, dtype):
    array = xp.array([0, 1], dtype)
    return getattr(xp, name)(array, end, 5), getattr(xp, name)(end, array, 5)


@twin()
def test_linspace_between_singles_is_single(xp):
    return xp.linspace(np.float32(0), np.float32(1), 5), xp.linspace(
        xp.ones(2, "float16"), 0, 3, retstep=True
    )


@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "complex64"])
@twin(may_raise=TypeError)
def test_arange_of_complex_numbers_is_complex(xp, dtype):
    return xp.arange(0, 2, 1 + 0j, dtype=dtype)
