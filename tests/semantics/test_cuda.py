"""``cp.cuda``, on a GPU and without one: devices, pointers, pinned memory, transfers."""

import ctypes
import gc
import os
import pickle

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat import cupyx

MB = 2**20
runtime = cp.cuda.runtime


# Devices


@pytest.mark.no_gpu
def test_there_is_no_gpu_and_one_device_that_stands_in():
    assert cp.cuda.is_available() is False and cp.is_available() is False
    assert runtime.getDeviceCount() == 1
    assert (cp.cuda.Device().id, cp.cuda.get_device_id(), runtime.getDevice()) == (0, 0, 0)
    assert runtime.driverGetVersion() == 0


def test_arrays_are_on_the_device():
    a = cp.arange(3)
    assert a.device == cp.cuda.Device(0) == a.data.device
    if cp.is_available():
        assert a.device == "cuda:0" and a.device != "cpu"
        assert repr(a.device) == str(a.device) == "<CUDA Device 0>"
    else:
        assert a.device == "cpu" and a.device != "cuda"
        assert repr(a.device) == str(a.device) == "<CPU Device 0>"
    assert cp.zeros(2, device=a.device).device == a.device


def test_devices_are_values():
    a, b = cp.cuda.Device(0), cp.cuda.Device(1)
    assert a == cp.cuda.Device() and a != b and hash(a) == hash(cp.cuda.Device(0))
    assert a < b and a <= b and b > a and int(b) == 1
    assert pickle.loads(pickle.dumps(a)) == a
    assert a != 0
    with pytest.raises(AttributeError):
        a.id = 3
    with pytest.raises(ValueError, match="negative"):
        cp.cuda.Device(-1)


def test_a_device_that_is_not_there_cannot_be_used():
    count = runtime.getDeviceCount()
    missing = cp.cuda.Device(count)
    for use in (missing.use, missing.__enter__, missing.synchronize, lambda: missing.mem_info):
        with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidDevice"):
            use()
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.getDeviceProperties(count)
    with cp.cuda.Device(0) as outer, cp.cuda.Device(0):
        assert cp.cuda.Device() == outer


def test_properties_say_what_the_machine_is():
    facts = runtime.getDeviceProperties(0)
    assert facts["name"].decode()
    assert facts["multiProcessorCount"] == os.cpu_count() or cp.is_available()
    assert facts["totalGlobalMem"] == runtime.memGetInfo()[1] == cp.cuda.Device().mem_info[1] > 0
    keys = "major minor clockRate warpSize maxThreadsPerBlock maxThreadsDim maxGridSize sharedMemPerBlock"
    assert all(key in facts for key in keys.split())
    device = cp.cuda.Device()
    assert device.compute_capability == f"{facts['major']}{facts['minor']}"
    assert device.attributes["MaxThreadsPerBlock"] == facts["maxThreadsPerBlock"]
    assert device.attributes["MultiProcessorCount"] == runtime.deviceGetAttribute(16, 0)
    assert cp.cuda.Device.from_pci_bus_id(device.pci_bus_id) == device
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.deviceGetAttribute(100_000, 0)


def test_errors_of_the_runtime_have_their_numbers():
    error = pickle.loads(pickle.dumps(runtime.CUDARuntimeError(2)))
    assert error.status == 2 and str(error) == "cudaErrorMemoryAllocation: out of memory"
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.check_status(1)


# Pointers


def test_data_points_at_the_first_element():
    a = cp.arange(6, dtype=np.int32).reshape(2, 3)
    assert isinstance(a.data, cp.cuda.MemoryPointer) and isinstance(a.data.mem, cp.cuda.BaseMemory)
    assert a[1:].data.ptr - a.data.ptr == 12
    assert a[::-1].data.ptr == a[1:].data.ptr and int(a.data) == a.data.ptr == a.data.mem.ptr
    assert a.data.mem.size == 24 and a.data.device_id == 0
    assert ((a.data + 8) - 4).ptr == a.data.ptr + 4


def test_pointers_copy_and_fill():
    a, b = cp.arange(4.0), cp.zeros(4)
    b.data.copy_from_device(a.data, 16)
    np.testing.assert_array_equal(cp.asnumpy(b), [0, 1, 0, 0])
    host = np.array([7.0, 8.0])
    (b.data + 16).copy_from_host(host.ctypes.data, 16)
    np.testing.assert_array_equal(cp.asnumpy(b), [0, 1, 7, 8])
    b.data.copy_to_host(ctypes.c_void_p(host.ctypes.data), 16)
    np.testing.assert_array_equal(host, [0, 1])
    b.data.copy_from(host.ctypes.data, 8)
    b.data.copy_from_async(a.data + 8, 8)
    b.data.memset_async(0, 8)
    np.testing.assert_array_equal(cp.asnumpy(b), [0, 1, 7, 8])
    for wrong in (lambda: b.data.memset(0, 33), lambda: (b.data + 30).copy_from(a.data, 8)):
        with pytest.raises(ValueError, match="do not fit"):
            wrong()


def test_a_write_through_a_pointer_does_not_reach_earlier_results():
    a = cp.arange(100_000.0)
    pointer = a.data
    b = a + 1
    pointer.memset(0, a.nbytes)
    np.testing.assert_array_equal(cp.asnumpy(b), np.arange(100_000.0) + 1)
    assert float(a.sum()) == 0


def test_a_pointer_keeps_the_memory():
    a = cp.arange(1000.0)
    pointer = a.data
    del a
    cp.testing.wait(cp.ones(1000))
    again = cp.ndarray((1000,), np.float64, pointer)
    np.testing.assert_array_equal(cp.asnumpy(again), np.arange(1000.0))


def test_arrays_over_memory_that_exists():
    memory = cp.cuda.alloc(48)
    a = cp.ndarray((2, 3), np.float64, memory)
    b = cp.ndarray((2, 3), np.float64, memory, order="F")
    every_other = cp.ndarray((3,), np.float64, memory, strides=(16,))
    a[...] = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(cp.asnumpy(b), np.arange(6.0).reshape(3, 2).T)
    np.testing.assert_array_equal(cp.asnumpy(every_other), [0, 2, 4])
    assert a.data.ptr == memory.ptr
    with pytest.raises(ValueError, match="aligned"):
        cp.ndarray((2,), np.float64, memory + 1)
    with pytest.raises(ValueError, match="strides"):
        cp.ndarray((2,), np.float64, memory, strides=(8, 8))


@pytest.mark.cpu
def test_memory_of_somebody_else():
    host = np.arange(5.0)
    memory = cp.cuda.UnownedMemory(host.ctypes.data, host.nbytes, host)
    a = cp.ndarray(5, np.float64, cp.cuda.MemoryPointer(memory, 0))
    a *= 2
    host[0] = 100
    np.testing.assert_array_equal(cp.asnumpy(a + 1), host + 1)


def test_the_runtimes_memory_functions():
    address = runtime.malloc(64)
    runtime.memset(address, 3, 64)
    host = np.zeros(64, np.uint8)
    runtime.memcpy(host.ctypes.data, address, 64, runtime.memcpyDeviceToHost)
    assert (host == 3).all()
    runtime.free(address)
    runtime.free(0)
    for again in (runtime.free, runtime.freeHost):
        with pytest.raises(runtime.CUDARuntimeError):
            again(address)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.memcpy(0, 0, 0, 9)


# Pinned memory


def test_pinned_memory_is_a_buffer():
    memory = cp.cuda.alloc_pinned_memory(80)
    assert memory.size() == 80 and int(memory) == memory.ptr == memory.mem.ptr
    host = np.frombuffer(memory, np.float64, 10)
    host[:] = np.arange(10)
    assert host.ctypes.data == memory.ptr
    np.testing.assert_array_equal(np.frombuffer(memory + 40, np.float64), np.arange(5.0, 10))
    with pytest.raises(ValueError, match="past the end"):
        memory + 81
    address = memory.ptr
    del memory
    gc.collect()
    assert host.ctypes.data == address and host.sum() == 45


def test_the_pinned_pool_keeps_blocks_apart_from_the_devices(pool):
    pinned = cp.get_default_pinned_memory_pool()
    pinned.free_all_blocks()
    before = pool.used_bytes()
    memory = cp.cuda.alloc_pinned_memory(MB)
    assert pool.used_bytes() == before and pinned.n_free_blocks() == 0
    del memory
    assert pinned.n_free_blocks() == 1
    pinned.free_all_blocks()
    assert pinned.n_free_blocks() == 0
    mine = cp.cuda.PinnedMemoryPool()
    cp.cuda.set_pinned_memory_allocator(mine.malloc)
    try:
        held = cp.cuda.alloc_pinned_memory(MB)
        del held
        assert mine.n_free_blocks() == 1
        cp.cuda.set_pinned_memory_allocator()
        assert cp.cuda.alloc_pinned_memory(8).size() == 8
    finally:
        cp.cuda.set_pinned_memory_allocator(pinned.malloc)


def test_pinned_arrays():
    a = cupyx.empty_pinned((2, 3), np.float32, order="F")
    assert (a.shape, a.dtype, a.flags.f_contiguous) == ((2, 3), np.float32, True)
    z = cupyx.zeros_pinned(4)
    np.testing.assert_array_equal(z, np.zeros(4))
    like = cupyx.zeros_like_pinned(cp.ones((2, 3), order="F", dtype=np.int16))
    assert (like.shape, like.dtype, like.flags.f_contiguous) == ((2, 3), np.int16, True)
    assert cupyx.empty_like_pinned(np.ones((2, 3)), shape=(5,), dtype=complex).shape == (5,)
    assert cupyx.empty_pinned((0, 3)).shape == (0, 3) and cupyx.zeros_pinned(()).shape == ()
    a[...] = 3
    assert float(cp.asarray(a).sum()) == 18
    with pytest.raises(ValueError, match="order"):
        cupyx.empty_pinned(3, order="X")


# Transfers


def moved(work):
    with cp.cuda.count_transfers() as counted:
        work()
    return (
        counted.to_device_calls,
        counted.to_device_bytes,
        counted.to_host_calls,
        counted.to_host_bytes,
    )


HOST = np.arange(12.0).reshape(3, 4)

TRANSFERS = {
    "asarray": (lambda: cp.asarray(HOST), (1, 96, 0, 0)),
    "array": (lambda: cp.array(HOST), (1, 96, 0, 0)),
    "transposed": (lambda: cp.asarray(HOST.T), (1, 96, 0, 0)),
    "strided": (lambda: cp.asarray(HOST[:, ::2]), (1, 48, 0, 0)),
    "converted": (lambda: cp.asarray(HOST, dtype=np.float32), (1, 48, 0, 0)),
    "a list": (lambda: cp.array([1, 2, 3]), (1, 24, 0, 0)),
    "empty": (lambda: cp.asarray(np.empty((0, 3))), (0, 0, 0, 0)),
    "set": (lambda: DEVICE.set(HOST), (1, 96, 0, 0)),
    "an operand": (lambda: DEVICE + HOST, (1, 96, 0, 0)),
    "made there": (lambda: cp.zeros((3, 4)), (0, 0, 0, 0)),
    "ours already": (lambda: cp.asarray(DEVICE), (0, 0, 0, 0)),
    "numbers": (lambda: (DEVICE + 1) * 2.5, (0, 0, 0, 0)),
    "asnumpy": (lambda: cp.asnumpy(DEVICE), (0, 0, 1, 96)),
    "get": (lambda: DEVICE.get(), (0, 0, 1, 96)),
    "get into": (lambda: DEVICE.get(out=np.empty((3, 4))), (0, 0, 1, 96)),
    "get a part": (lambda: DEVICE[1:, ::2].get(), (0, 0, 1, 32)),
    "get the transpose": (lambda: DEVICE.T.get(), (0, 0, 1, 96)),
    "float": (lambda: float(DEVICE.sum()), (0, 0, 1, 8)),
    "item": (lambda: DEVICE[2, 3].item(), (0, 0, 1, 8)),
    "bool": (lambda: bool((DEVICE > 3).any()), (0, 0, 1, 1)),
    "tolist": (lambda: DEVICE.tolist(), (0, 0, 1, 96)),
    "an element": (lambda: DEVICE[1, 1], (0, 0, 0, 0)),
    "dlpack in": (lambda: cp.from_dlpack(HOST), (0, 0, 0, 0)),
    "dlpack": (lambda: cp.from_dlpack(DEVICE), (0, 0, 0, 0)),
    "round trip": (lambda: cp.asnumpy(cp.asarray(HOST) + 1), (1, 96, 1, 96)),
}
DEVICE = cp.asarray(HOST)
if not cp.is_available():
    TRANSFERS |= {
        "numpy.array": (lambda: DEVICE.__array__(), (0, 0, 1, 96)),
        "dlpack out": (lambda: np.from_dlpack(DEVICE), (0, 0, 0, 0)),
        "a buffer": (lambda: memoryview(DEVICE), (0, 0, 0, 0)),
    }


@pytest.mark.parametrize("case", TRANSFERS)
def test_transfers_are_counted_exactly(case):
    work, expected = TRANSFERS[case]
    assert moved(work) == expected


def test_counts_of_a_block_stand_still_after_it():
    with cp.cuda.count_transfers() as counted:
        cp.asarray(HOST)
        assert counted.to_device_calls == 1
        cp.asarray(HOST)
    before = cp.cuda.transfers()
    cp.asarray(HOST)
    assert counted.to_device_calls == 2
    after = cp.cuda.transfers()
    assert after.to_device_bytes - before.to_device_bytes == 96
    assert repr(counted) == "<Transfers: 2 calls, 192 bytes to the device; 0 calls, 0 bytes to the host>"


def test_copies_through_pointers_are_counted():
    a = cp.zeros((3, 4))
    assert moved(lambda: a.data.copy_from_host(HOST.ctypes.data, 96)) == (1, 96, 0, 0)
    assert moved(lambda: a.data.copy_to_host(HOST.ctypes.data, 96)) == (0, 0, 1, 96)
    assert moved(lambda: a.data.copy_from_device(a.data, 96)) == (0, 0, 0, 0)


# The rest


@pytest.mark.no_gpu
def test_profiling_marks_do_nothing():
    nvtx = cp.cuda.nvtx
    with cp.cuda.profile():
        nvtx.RangePush("a")
        nvtx.Mark("b")
        nvtx.RangePop()
        nvtx.RangeEnd(nvtx.RangeStart("c"))
    assert nvtx.available is False


def test_scattering():
    a = cp.zeros((3, 2))
    cupyx.scatter_add(a, (cp.array([0, 0, 2]), slice(None)), cp.array([[1.0], [2.0], [3.0]]))
    np.testing.assert_array_equal(cp.asnumpy(a), [[3, 3], [0, 0], [3, 3]])
    cupyx.scatter_max(a, cp.array([1]), 7.0)
    cupyx.scatter_min(a, 0, -1.0)
    np.testing.assert_array_equal(cp.asnumpy(a), [[-1, -1], [7, 7], [3, 3]])
    np.testing.assert_array_equal(cp.asnumpy(cupyx.rsqrt(cp.array([4.0, 16.0]))), [0.5, 0.25])


@pytest.mark.no_gpu
def test_a_forked_child_has_the_pool_and_its_limit():
    printed = fresh_python(
        """
        a = cp.ones(1000000)
        cp.testing.wait(a)
        pool = cp.get_default_memory_pool()
        pool.set_limit(size=pool.used_bytes() + 2**20)
        child = os.fork()
        if child == 0:
            try:
                cp.zeros(1000000)
            except MemoryError:
                print(float(a.sum()), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        """
    )
    assert printed == "1000000.0"


def test_arrays_over_a_pointer_have_all_of_its_memory():
    base = cp.arange(8, dtype="f4")
    memory = base.data.mem
    a = cp.ndarray((3, 3), "f4", cp.cuda.MemoryPointer(memory, 12), (-4, 8))
    np.testing.assert_array_equal(cp.asnumpy(a), [[3, 5, 7], [2, 4, 6], [1, 3, 5]])
    assert (a.data.mem.ptr, a.data.mem.size) == (memory.ptr, memory.size)
    assert a.data.ptr - a.data.mem.ptr == 12
    # From there the whole of it is reached again.
    again = cp.ndarray((8,), "f4", cp.cuda.MemoryPointer(a.data.mem, 0))
    np.testing.assert_array_equal(cp.asnumpy(again), np.arange(8))
    again[2] = 20
    a[1, 2] += 100
    base += 1
    np.testing.assert_array_equal(cp.asnumpy(base), [1, 2, 21, 4, 5, 6, 107, 8])
    np.testing.assert_array_equal(cp.asnumpy(a), [[4, 6, 8], [21, 5, 107], [2, 4, 6]])
    del base, a, memory
    np.testing.assert_array_equal(cp.asnumpy(again)[:3], [1, 2, 21])
    for offset, strides in ((0, (-4,)), (12, (4,)), (28, (4,))):
        with pytest.raises(ValueError, match="ndarray"):
            cp.ndarray((8,), "f4", cp.cuda.MemoryPointer(again.data.mem, offset), strides)


@pytest.mark.parametrize("kind", [np.uint8, np.uint32, np.int64])
def test_pointers_take_numbers_of_numpys(kind):
    # An address plus a small integer of NumPy's does not fit into the integer's dtype.
    a, b, host = cp.arange(8, dtype="uint8"), cp.zeros(8, "uint8"), np.zeros(4, "uint8")
    four = kind(4)
    b.data.copy_from_device(a.data + four, four)
    assert b.tolist() == [4, 5, 6, 7, 0, 0, 0, 0]
    (b.data + 6 - kind(2)).memset(9, four)
    assert b.tolist() == [4, 5, 6, 7, 9, 9, 9, 9]
    b.data.copy_to_host(host.ctypes.data, four)
    assert host.tolist() == [4, 5, 6, 7]
    a.data.copy_from_host(host.ctypes.data, four)
    assert a.tolist() == [4, 5, 6, 7, 4, 5, 6, 7]
    with pytest.raises(ValueError, match="200 bytes do not fit: 8 bytes are left"):
        b.data.memset(0, kind(200))
