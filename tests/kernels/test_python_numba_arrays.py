"""Numba's host interface: arrays, records, streams and devices."""

import asyncio

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda, int32, types, vectorize, void
from cuprum.compat.numba.cuda.np.numpy_support import from_dtype


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


def test_host_arrays_are_copied_there_and_back():
    a = np.arange(5.0)
    double[1, 32](a)
    assert a.tolist() == [0, 2, 4, 6, 8]


def test_arrays_of_the_device():
    a = np.arange(6.0)
    device = cuda.to_device(a)
    a[:] = -1
    double[1, 32](device)
    assert device.copy_to_host().tolist() == [0, 2, 4, 6, 8, 10]
    out = np.zeros(6)
    assert device.copy_to_host(out) is out and out[5] == 10
    assert (device.shape, device.ndim, device.size, device.dtype) == ((6,), 1, 6, np.float64)
    assert device.strides == (8,) and device.nbytes == 48 and len(device) == 6
    assert device[2] == 4 and device[-1] == 10
    part = device[1:4]
    double[1, 32](part)
    assert device.copy_to_host().tolist() == [0, 4, 8, 12, 8, 10]
    device[0] = 5
    device[1:3] = np.array([7.0, 7.0])
    assert device.copy_to_host().tolist() == [5, 7, 7, 12, 8, 10]
    device.copy_to_device(np.ones(6))
    assert device.copy_to_host().tolist() == [1] * 6
    assert device.reshape(2, 3).shape == (2, 3) and device.reshape((3, 2)).T.shape == (2, 3)
    assert device.reshape(2, 3).ravel().shape == (6,)
    assert cuda.is_cuda_array(device) and not cuda.is_cuda_array(a)
    with pytest.raises(TypeError, match="expected float64"):
        device.copy_to_host(np.zeros(5))


def test_making_arrays():
    a = cuda.device_array((3, 4), np.float32)
    assert a.shape == (3, 4) and a.dtype == np.float32 and a.is_c_contiguous()
    assert cuda.device_array((3, 4), np.int32, order="F").is_f_contiguous()
    like = cuda.device_array_like(np.zeros((2, 5), np.int16))
    assert like.shape == (2, 5) and like.dtype == np.int16
    fortran = cuda.to_device(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    np.testing.assert_array_equal(fortran.copy_to_host(), np.arange(6.0).reshape(2, 3))
    assert cuda.to_device(np.float32(3)).copy_to_host() == 3
    target = cuda.device_array(3)
    assert cuda.to_device(np.arange(3.0), to=target) is target and target[2] == 2
    for made in (cuda.pinned_array(4), cuda.mapped_array(4), cuda.managed_array(4)):
        made[:] = 3
        double[1, 32](made)
        cuda.synchronize()
        assert made.tolist() == [6] * 4
    with cuda.pinned(np.zeros(3)):
        pass


def test_arrays_of_other_libraries():
    a = cp.arange(4.0)
    double[1, 32](a)
    view = cuda.as_cuda_array(a)
    double[1, 32](view)
    assert cp.asnumpy(a).tolist() == [0, 4, 8, 12]


def test_which_way_arrays_travel():
    @cuda.jit
    def both(a, b, c):
        i = cuda.grid(1)
        if i < a.size:
            b[i] = a[i] + c[i]
            c[i] = -1
            a[i] = -1

    a, b, c = np.ones(3), np.zeros(3), np.ones(3)
    both[1, 32](cuda.In(a), cuda.Out(b), cuda.InOut(c))
    assert a.tolist() == [1] * 3 and b.tolist() == [2] * 3 and c.tolist() == [-1] * 3


def test_streams_and_events():
    stream = cuda.stream()
    start, end = cuda.event(), cuda.event(timing=True)
    start.record(stream)
    device = cuda.to_device(np.arange(4.0), stream=stream)
    double[1, 32, stream](device)
    host = device.copy_to_host(stream=stream)
    end.record(stream)
    stream.synchronize()
    end.synchronize()
    assert host.tolist() == [0, 2, 4, 6]
    assert cuda.event_elapsed_time(start, end) >= 0 and start.elapsed_time(end) >= 0 and end.query()
    with stream.auto_synchronize():
        double[1, 32, stream](device)
    assert device[1] == 4
    double[1, 32, cuda.default_stream()](device)
    double[1, 32, 0](device)
    end.wait(stream)


def test_devices():
    assert cuda.is_available()
    assert cuda.detect()
    device = cuda.get_current_device()
    assert device.id == 0 and isinstance(device.name, bytes) and len(device.compute_capability) == 2
    assert (
        device.WARP_SIZE == 32 and device.MULTIPROCESSOR_COUNT >= 1 and device.MAX_THREADS_PER_BLOCK == 1024
    )
    free, total = cuda.current_context().get_memory_info()
    assert 0 < free <= total
    assert len(cuda.gpus) >= 1 and cuda.gpus[0].id == 0 and [d.id for d in cuda.list_devices()][0] == 0
    assert cuda.gpus[0]._device.name == cuda.gpus[0].name
    with cuda.gpus[0]:
        pass
    cuda.select_device(0)
    with cuda.defer_cleanup():
        pass
    cuda.profile_start()
    cuda.profile_stop()
    cuda.synchronize()
    cuda.close()
    assert cuda.runtime.get_version() >= (11, 0)


class Foreign:
    """Known by its interface alone, over memory of the device."""

    def __init__(self, array, strides=None):
        self.kept = array
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "strides": strides,
            "typestr": array.dtype.str,
            "data": (array.data.ptr, False),
            "version": 3,
        }


def test_arrays_that_are_known_by_their_interface_alone():
    array = cp.arange(12, dtype=np.float32).reshape(3, 4)
    foreign = Foreign(array)
    seen = cuda.as_cuda_array(foreign)
    np.testing.assert_array_equal(seen.copy_to_host(), cp.asnumpy(array))
    double[1, 32](cuda.as_cuda_array(Foreign(array[0])))
    np.testing.assert_array_equal(cp.asnumpy(array)[0], [0, 2, 4, 6])

    @cuda.jit
    def total(x, out):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                out[0] += x[i, j] * (i + 1)

    @cuda.jit
    def captured(out):
        out[0] = foreign[2, 3] + foreign.shape[1]

    out = np.zeros(1)
    total[1, 1](foreign, out)
    host = cp.asnumpy(array)
    assert out[0] == (host.sum(1) * [1, 2, 3]).sum()
    captured[1, 1](out)
    assert out[0] == 15
    turned = Foreign(array.T.copy().T)
    turned.__cuda_array_interface__["strides"] = turned.kept.strides
    out[0] = 0
    total[1, 1](turned, out)
    assert out[0] == (host.sum(1) * [1, 2, 3]).sum()


RECORD = np.dtype([("a", "i4"), ("b", "f8"), ("m", "f4", (2, 2)), ("inner", [("c", "i8")])], align=True)


def test_records_on_the_device():
    host = np.zeros(5, RECORD)
    host["a"], host["b"] = np.arange(5), np.arange(5) / 2
    device = cuda.to_device(host)
    record = device[2]
    assert (record.shape, record.dtype, record["a"], record["b"]) == ((), RECORD, 2, 1.0)
    record["b"] = 7.5
    record["m"][1, 0] = 3
    device[3]["inner"]["c"] = -9
    host["b"][2], host["m"][2, 1, 0], host["inner"]["c"][3] = 7.5, 3, -9
    np.testing.assert_array_equal(device.copy_to_host(), host)
    np.testing.assert_array_equal(device["b"].copy_to_host(), host["b"])
    np.testing.assert_array_equal(device[1::2].copy_to_host(), host[1::2])
    np.testing.assert_array_equal(device.reshape(5, 1)[1:, 0]["m"].copy_to_host(), host[1:]["m"])
    device[0] = host[4]
    device["a"][4] = 11
    host[0], host["a"][4] = host[4].copy(), 11
    np.testing.assert_array_equal(device.copy_to_host(), host)

    @cuda.jit
    def scaled(records, one, out):
        i = cuda.grid(1)
        if i < records.size:
            out[i] = records[i].b * one.a + records[i].inner.c

    part, out = device[::2], np.zeros(3)
    scaled[1, 8](part, device[4], out)
    np.testing.assert_array_equal(out, host["b"][::2] * 11 + host["inner"]["c"][::2])
    assert cuda.to_device(host[1]).copy_to_host()["b"] == 0.5


def test_arrays_like_views():
    for view in (
        np.zeros((6, 8), order="F")[::2, ::2],
        np.zeros((4, 6, 2)).transpose(2, 0, 1),
        np.zeros(9)[::3],
    ):
        expected = np.zeros_like(view)
        for like in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like):
            made = like(view)
            assert (made.shape, made.strides, made.dtype) == (view.shape, expected.strides, view.dtype)
    strided = cuda.device_array((3, 4), np.float32, strides=(32, 8))
    strided[:] = np.arange(12).reshape(3, 4)
    assert strided.strides == (32, 8) and strided.copy_to_host()[2].tolist() == [8, 9, 10, 11]


def test_streams_are_awaited():
    async def done():
        stream = cuda.stream()
        futures = [stream.async_done() for _ in range(2)]
        return [await future is stream for future in futures]

    assert asyncio.run(done()) == [True, True]


def test_arrays_of_records_are_transposed():
    host = np.zeros((2, 3), [("a", "i4"), ("b", "f8")])
    host["a"] = np.arange(6).reshape(2, 3)
    turned = cuda.to_device(host).T
    assert turned.shape == (3, 2)
    np.testing.assert_array_equal(turned.copy_to_host(), host.T)
    np.testing.assert_array_equal(turned.transpose((1, 0)).copy_to_host(), host)
    with pytest.raises(ValueError, match="axes"):
        turned.transpose((0, 0))


def test_arrays_that_are_not_aligned_are_copied():
    @cuda.jit("void(double[:])")
    def number(x):
        i = cuda.grid(1)
        if i < x.shape[0]:
            x[i] = i

    memory = np.zeros(88, np.byte)
    start = 4 if memory.__array_interface__["data"][0] % 8 == 0 else 0
    x = np.ndarray(9, np.double, memory, start)
    assert not x.flags.aligned
    number[1, 16](x)
    np.testing.assert_array_equal(x, np.arange(9))


def test_addresses_are_pointers():
    @cuda.jit(void(types.CPointer(types.int32), int32))
    def add(x, n):
        i = cuda.grid(1)
        if i < n:
            x[i] += n

    x = cuda.to_device(np.arange(5, dtype=np.int32))
    add[1, 8](x.device_ctypes_pointer.value, 5)
    assert x.copy_to_host().tolist() == [5, 6, 7, 8, 9]


def test_streams_have_handles():
    made = cuda.stream()
    assert int(made.handle) == made.handle.value == made.ptr
    assert cuda.external_stream(made.ptr).handle == made.handle


def test_kernels_take_dates_and_structures_of_cuprum():
    days = np.arange("2005-02", "2005-03", dtype="M8[D]")

    @cuda.jit
    def assign(out, values):
        for i in range(values.shape[0]):
            out[i] = values[i]

    out = cp.zeros(days.size, "M8[D]")
    assign[1, 1](out, cp.array(days))
    np.testing.assert_array_equal(out.get(), days)

    @cuda.jit
    def fill(rows):
        i = cuda.threadIdx.x
        rows[i].a = i
        rows[i]["b"] = i * 0.5

    rows = cp.zeros(6, [("a", "i4"), ("b", "f4")])
    fill[1, 3](rows[::2])
    assert rows.get().tolist() == [(0, 0), (0, 0), (1, 0.5), (0, 0), (2, 1), (0, 0)]

    day = from_dtype(days.dtype)

    @vectorize([(day, day)], target="cuda")
    def later(start, end):
        return end - start

    np.testing.assert_array_equal(later(days, days + 3), np.full(days.size, 3, "m8[D]"))
    with pytest.raises(TypeError, match="foreign byte order"):
        fill[1, 3](cp.zeros(6, "i4").view(">i4"))


def test_shapes_may_be_lists():
    @cuda.jit
    def kernel(x):
        table = cuda.shared.array(shape=[2, 3], dtype=np.float32)
        own = cuda.local.array([4], np.int32)
        i = cuda.threadIdx.x
        table[i // 3, i % 3] = i
        cuda.syncthreads()
        own[1] = 2
        x[i] = table[i // 3, i % 3] * own[1]

    x = np.zeros(6, np.float32)
    kernel[1, 6](x)
    assert x.tolist() == [0, 2, 4, 6, 8, 10]
