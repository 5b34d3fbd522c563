"""Objects that are no arrays and describe memory of Cuprum's by `__cuda_array_interface__`."""

import gc
import pathlib

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat import _interface


class Described:
    """Describes an array's memory as another library's object would."""

    def __init__(self, array, **changed):
        self.array = array
        self.interface = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "descr": array.dtype.descr,
            "data": (array.data.ptr, False),
            "strides": array.strides,
            "version": 3,
            **changed,
        }

    @property
    def __cuda_array_interface__(self):
        return self.interface


class Given:
    def __init__(self, array):
        self.array = array

    def __cupy_get_ndarray__(self):
        return self.array


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_memory_is_shared_both_ways(dtype):
    a = cp.arange(24).astype(dtype).reshape(2, 3, 4)
    for view in (a, a.T, a[:, ::2], a[::-1, 1]):
        b = cp.asarray(Described(view))
        assert b.dtype == a.dtype and b.strides == view.strides
        np.testing.assert_array_equal(b.get(), view.get())
        np.testing.assert_array_equal(cp.asnumpy(Described(view)), view.get())
        view += view.dtype.type(1)
        np.testing.assert_array_equal(b.get(), view.get())
        b[...] = 0
        assert not bool(view.any())


@pytest.mark.parametrize("defer", ["0", "1"])
def test_writes_that_wait_are_seen(defer):
    code = """
    sys.path.insert(0, sys.argv[1])
    from test_described_memory import Described
    a = cp.zeros(200_000)
    b = cp.asarray(Described(a))
    a += 1
    c = b * 2
    a[::2] = 5
    b[1::2] -= 3
    print(float(c.sum()), float(b.sum()), float(a.sum()))
    """
    said = fresh_python(code, pathlib.Path(__file__).parent, CUPRUM_DEFER=defer)
    assert said.split() == ["400000.0", "300000.0", "300000.0"]


def test_lists_of_them_are_stacked():
    a = cp.arange(3.0)
    assert cp.asarray([Described(a), Described(a + 1)]).tolist() == [[0, 1, 2], [1, 2, 3]]
    assert cp.array([[Given(a)], [Given(a)]], dtype="i4").shape == (2, 1, 3)
    assert cp.asarray(Given(a)) is a
    with pytest.raises(TypeError):
        cp.array([Described(a), object()])


def test_copies_and_layouts():
    a = cp.arange(6.0).reshape(2, 3)
    copy = cp.array(Described(a))
    ordered = cp.asarray(Described(a), order="F")
    a[...] = 9
    assert copy.tolist() == [[0, 1, 2], [3, 4, 5]] and ordered.flags.f_contiguous
    dense = cp.asarray(Described(a, strides=None))
    assert dense.tolist() == a.tolist()


def test_functions_kernels_and_indices_take_them():
    a = cp.arange(6.0).reshape(2, 3)
    assert cp.add(Described(a), 1).tolist() == (a + 1).tolist()
    assert float(cp.sum(Described(a.T))) == 15
    square = cp.ElementwiseKernel("T x", "T y", "y = x * x")
    assert square(Described(a.T)).tolist() == (a * a).T.tolist()
    rows = cp.array([1, 0])
    assert a[Described(rows)].tolist() == a[rows].tolist()
    a[0] = Described(cp.array([7.0, 8.0, 9.0]))
    assert a[0].tolist() == [7, 8, 9]
    assert cp.asnumpy(Given(a)).tolist() == a.tolist()


def test_memory_outlives_its_owner():
    a = cp.arange(1000.0)
    described = Described(a)
    b = cp.asarray(described)
    described.array = None
    del a, described
    gc.collect()
    others = [cp.full(1000, -1.0) for _ in range(20)]
    assert float(b.sum()) == 499500 and len(others) == 20


def test_read_only_and_empty():
    a = cp.arange(4.0)
    b = cp.asarray(Described(a, data=(a.data.ptr, True)))
    with pytest.raises(ValueError, match="read-only"):
        b[0] = 1
    empty = cp.asarray(Described(cp.zeros((0, 3)), data=(0, False)))
    assert empty.shape == (0, 3) and empty.size == 0
    assert cp.asarray(Described(cp.zeros(0), data=(None, False), strides=None)).shape == (0,)


def test_addresses_that_mean_nothing_raise():
    a = cp.arange(8.0)
    address = a.data.ptr
    wrong = [
        {"data": (8, False)},
        {"data": (2**62, False)},
        {"shape": (9,), "strides": (8,)},
        {"shape": (4,), "strides": (-8,)},
        {"shape": (2**40,), "strides": (8,)},
        {"shape": (2**62, 2**62), "strides": (8, 8)},
        {"data": (address + 8, False)},
        # Behind the array, in what a pool has rounded its block up by.
        {"data": (address + 64, False), "shape": (2,), "strides": (8,)},
        {"data": (address + 56, False), "shape": (2,), "strides": (8,)},
        {"data": (address + 1, False), "shape": (2,)},
        {"shape": (2,), "strides": (3,)},
        {"strides": (8, 8)},
        {"typestr": ">f8"},
        {"mask": cp.ones(8, bool)},
    ]
    for changed in wrong:
        with pytest.raises((ValueError, RuntimeError)):
            cp.asarray(Described(a, **changed))
    host = np.zeros(4)
    with pytest.raises((ValueError, RuntimeError)):
        cp.asarray(Described(a, data=(host.ctypes.data, False), shape=(4,)))


def test_parts_of_memory_that_is_not_ours_say_nothing_of_the_rest():
    runtime = cp.cuda.runtime
    address = runtime.malloc(64)
    try:
        runtime.memset(address, 0, 64)
        described = {"typestr": "<f8", "data": (address, False), "strides": None}
        given = Described(cp.zeros(4), shape=(4,), **described)
        part = cp.asarray(given)
        whole = cp.asarray(Described(cp.zeros(8), shape=(8,), **described))
        part[...] = 1
        assert whole.tolist() == [1] * 4 + [0] * 4
        del part, whole, given
    finally:
        runtime.free(address)


def test_structures_and_dates():
    numbers = cp.arange(4, dtype="i8")
    for typestr in ("<M8[s]", "<m8[ns]"):
        dates = cp.asarray(Described(numbers, typestr=typestr, descr=[("", typestr)]))
        assert dates.dtype == np.dtype(typestr) and dates.shape == (4,)
        np.testing.assert_array_equal(dates.get(), np.arange(4).view(typestr))
        assert dates.view("i8").dtype == np.int64
    records = cp.zeros(3, dtype=[("n", "i4"), ("x", "f8")])
    records["n"] = cp.array([1, 2, 3])
    _interface.show()
    try:
        given = Described(cp.zeros(1))
        given.interface = dict(records.__cuda_array_interface__)
    finally:
        _interface.withdraw()
    got = cp.asarray(given)
    assert got.dtype == records.dtype and got["n"].tolist() == [1, 2, 3]
    records["n"] = 5
    assert got["n"].tolist() == [5, 5, 5]


class OfAnotherLibrary(Described):
    """An array that has methods and NumPy's functions of its own, as CuPy's has."""

    def sum(self, **keywords):
        raise AssertionError("its memory is shared, and its methods are not asked")

    squeeze = transpose = sum

    def __array_function__(self, function, types, args, keywords):
        return NotImplemented


def test_functions_with_a_method_take_arrays_that_share_their_memory():
    a = cp.arange(6.0).reshape(1, 6)
    given = OfAnotherLibrary(a)
    assert isinstance(cp.sum(given), cp.ndarray) and float(cp.sum(given)) == 15
    assert cp.squeeze(given).shape == (6,) and cp.transpose(given).shape == (6, 1)
