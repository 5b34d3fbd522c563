"""Exchange without copies: DLPack both ways with NumPy and PyTorch (where installed), the buffer protocol."""

import gc
import weakref

import numpy as np
import pytest

import cuprum as cp

# NumPy shares the memory of the CPU alone; sharing that of a GPU is tested with the GPU.
pytestmark = pytest.mark.cpu

DTYPES = [
    np.bool_,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
]

LAYOUTS = {
    "whole": lambda a: a,
    "transposed": lambda a: a.T,
    "strided": lambda a: a[:, ::2],
    "reversed": lambda a: a[::-1],
    "part": lambda a: a[1:, 1:3],
    "row": lambda a: a[1],
    "no axes": lambda a: a[1, 2:3].reshape(()),
    "empty": lambda a: a[:0],
    "broadcast": lambda a: np.broadcast_to(a[0], (3, 6)) if isinstance(a, np.ndarray) else None,
}


def host(dtype):
    return np.arange(24).reshape(4, 6).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
def test_numpy_to_cuprum_and_back_shares_memory(dtype):
    a = host(dtype)
    b = cp.from_dlpack(a)
    assert (b.dtype, b.shape, b.strides) == (a.dtype, a.shape, a.strides)
    assert b.data.ptr == a.ctypes.data
    c = np.from_dlpack(b)
    assert c.ctypes.data == a.ctypes.data
    a[0, 0] = 1
    assert b[0, 0] == c[0, 0] == a[0, 0]
    np.testing.assert_array_equal(cp.asnumpy(b), a)


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "broadcast"])
def test_layouts_into_cuprum(layout):
    a = LAYOUTS[layout](host(np.float64))
    b = cp.from_dlpack(a)
    assert b.shape == a.shape
    np.testing.assert_array_equal(cp.asnumpy(b), a)
    np.testing.assert_array_equal(cp.asnumpy(b * 2 + 1), a * 2 + 1)
    if a.size:
        b[...] = 5
        assert (a == 5).all()


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "broadcast"])
def test_layouts_out_of_cuprum(layout):
    a = LAYOUTS[layout](cp.asarray(host(np.float32)))
    b = np.from_dlpack(a)
    assert b.shape == a.shape
    np.testing.assert_array_equal(b, cp.asnumpy(a))
    if a.size:
        a += 1
        np.testing.assert_array_equal(b, cp.asnumpy(a))
        assert b.ctypes.data == a.data.ptr


def test_a_read_only_array_stays_so():
    a = host(np.float64)
    a.flags.writeable = False
    b = cp.from_dlpack(a)
    assert not b.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        b[0, 0] = 1
    c = cp.broadcast_to(cp.arange(3.0), (2, 3))
    assert not np.from_dlpack(c).flags.writeable


def test_pending_work_runs_before_the_export_and_later_reads_see_writes():
    a = cp.arange(100_000.0) * 2
    reader = a + 1
    b = np.from_dlpack(a)
    b[:] = 0
    assert float(a.sum()) == 0
    np.testing.assert_array_equal(cp.asnumpy(reader), np.arange(100_000.0) * 2 + 1)
    later = a + 1
    b[:] = 7
    np.testing.assert_array_equal(cp.asnumpy(later), np.ones(100_000))


def test_owners_live_as_long_as_the_sharers():
    class Owner(np.ndarray):
        pass

    owner = np.arange(1000.0).view(Owner)
    gone = weakref.ref(owner)
    shared = cp.from_dlpack(owner)
    part = shared[10:20]
    del owner, shared
    gc.collect()
    assert float(part.sum()) == 145
    del part
    gc.collect()
    assert gone() is None
    out = np.from_dlpack(cp.arange(1000.0))
    gc.collect()
    assert out.sum() == 499500


def test_copies_and_devices_that_are_asked_for():
    a = host(np.float64)
    b = cp.from_dlpack(a, copy=True)
    a[...] = 0
    assert float(b.sum()) == 276
    assert np.from_dlpack(b, copy=True).ctypes.data != b.data.ptr
    assert cp.from_dlpack(a, device="cpu").shape == a.shape
    with pytest.raises(ValueError, match="device|GPU"):
        cp.from_dlpack(a, device="cuda:99")
    with pytest.raises(BufferError):
        b.__dlpack__(dl_device=(2, 0))
    assert b.__dlpack_device__() == (1, 0)


def test_a_capsule_is_taken_once():
    class Producer:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self, **_):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    for version in (None, (1, 0)):
        producer = Producer(cp.arange(4.0).__dlpack__(max_version=version))
        assert float(cp.from_dlpack(producer).sum()) == 6
        with pytest.raises(ValueError, match="used already"):
            cp.from_dlpack(producer)


def test_an_old_producer_without_keywords():
    class Old:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, stream=None):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    a = host(np.int32)
    assert cp.from_dlpack(Old(a)).data.ptr == a.ctypes.data
    assert int(cp.asarray(Old(a)).sum()) == 276


def test_what_cannot_be_taken():
    class OnAGpu:
        def __dlpack__(self, **_):
            raise AssertionError("asked before the device was known")

        def __dlpack_device__(self):
            return (2, 99)

    with pytest.raises(BufferError, match="on a GPU"):
        cp.from_dlpack(OnAGpu())
    with pytest.raises((TypeError, AttributeError)):
        cp.from_dlpack([1, 2])


def test_bfloat16_has_a_number_in_dlpack_though_not_in_numpy():
    a = cp.arange(4, dtype=cp.bfloat16)
    again = cp.from_dlpack(a)
    assert again.dtype == a.dtype and again.data.ptr == a.data.ptr


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
def test_the_buffer_protocol_shares_memory(dtype):
    a = cp.asarray(host(dtype))
    view = memoryview(a)
    assert (view.shape, view.strides, view.itemsize) == (a.shape, a.strides, a.itemsize)
    b = np.asarray(view)
    assert b.dtype == a.dtype and b.ctypes.data == a.data.ptr
    a[0, 0] = 1
    assert b[0, 0] == np.asarray(1, dtype)


def test_arrays_on_the_cpu_do_not_pretend_to_be_on_a_gpu():
    assert not hasattr(cp.arange(3), "__cuda_array_interface__")


def test_pytorch_shares_memory():
    torch = pytest.importorskip("torch")
    a = cp.arange(6.0).reshape(2, 3)
    t = torch.from_dlpack(a)
    t += 1
    np.testing.assert_array_equal(cp.asnumpy(a), np.arange(6.0).reshape(2, 3) + 1)
    back = cp.from_dlpack(t.T)
    assert back.data.ptr == t.data_ptr() and back.shape == (3, 2)
    half = cp.from_dlpack(torch.ones(3, dtype=torch.bfloat16))
    assert half.dtype == cp.dtype("bfloat16") if hasattr(cp, "dtype") else True
