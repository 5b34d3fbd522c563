"""Addresses, sizes and capsules that are wrong: an error at the call, never the end of the process."""

import ctypes

import numpy as np
import pytest
from twin import fresh_python as run_python

import cuprum as cp

pytestmark = pytest.mark.cpu


def fresh_python(code, *args, **env):
    """Run code in a process of its own, on the CPU."""
    return run_python(code, *args, **{"CUPRUM_DEVICE": "cpu", **env})


def refused(body):
    """Run lines of which each must raise, in a process of its own; return the classes that they raised."""
    return fresh_python(
        f"""
        runtime = cp.cuda.runtime
        host = np.arange(64, dtype="u1")
        a = cp.arange(8.0)
        address, gone = a.data.ptr, runtime.malloc(64)
        runtime.free(gone)
        for line in {body!r}:
            try:
                eval(line)
            except Exception as error:
                print(type(error).__name__, getattr(error, "status", 0))
            else:
                print("nothing:", line)
        assert float(a.sum()) == 28 and float((a + 1).sum()) == 36
        """
    ).splitlines()


RUNTIME = [
    "runtime.memcpy(1, 2, 3, 0)",
    "runtime.memcpy(1, 2, 3, 1)",
    "runtime.memcpy(1, 2, 3, 2)",
    "runtime.memcpy(1, 2, 3, 3)",
    "runtime.memcpy(1, 2, 3, 4)",
    "runtime.memcpy(1, 2, 3, 5)",
    "runtime.memcpy(address, 0, 8, 1)",
    "runtime.memcpy(address, 0x4141, 8, 1)",
    "runtime.memcpy(address, 2**62, 8, 1)",
    "runtime.memcpy(address, host.ctypes.data, 65, 1)",
    "runtime.memcpy(address, host.ctypes.data, -1, 1)",
    "runtime.memcpy(address, host.ctypes.data, 2**62, 1)",
    "runtime.memcpy(address - 1, host.ctypes.data, 8, 1)",
    "runtime.memcpy(-8, host.ctypes.data, 8, 1)",
    "runtime.memcpy(0x4141, address, 8, 2)",
    "runtime.memcpy(2**64 - 8, address, 8, 2)",
    "runtime.memcpy(host.ctypes.data, address, 65, 2)",
    "runtime.memcpy(address, gone, 8, 3)",
    "runtime.memcpy(gone, address, 8, 3)",
    "runtime.memcpy(host.ctypes.data, host.ctypes.data, 8, 3)",
    "runtime.memcpyAsync(1, 2, 3, 0, 0)",
    "runtime.memcpyAsync(gone, host.ctypes.data, 8, 1, 0)",
    "runtime.memcpyPeer(address, 0, 0x4141, 0, 8)",
    "runtime.memcpyPeerAsync(0x4141, 0, address, 0, 8, 0)",
    "runtime.memcpy2D(address, 32, host.ctypes.data, 8, 8, 3, 1)",
    "runtime.memcpy2D(address, 2**62, host.ctypes.data, 8, 8, 4, 1)",
    "runtime.memcpy2D(address, 8, host.ctypes.data, 8, -8, 4, 1)",
    "runtime.memcpy2D(address, 8, host.ctypes.data, 8, 8, -4, 1)",
    "runtime.memcpy2DAsync(1, 8, 2, 8, 8, 2, 0, 0)",
    "runtime.memset(0x4141, 0, 8)",
    "runtime.memset(0, 0, 8)",
    "runtime.memset(gone, 0, 8)",
    "runtime.memset(address, 0, 65)",
    "runtime.memset(address, 0, -1)",
    "runtime.memset(-1, 0, 8)",
    "runtime.memset(host.ctypes.data, 0, 8)",
    "runtime.memsetAsync(gone, 0, 8, 0)",
    "runtime.memPrefetchAsync(gone, 8, 0, 0)",
    "runtime.memAdvise(0x4141, 8, 1, 0)",
    "runtime.hostRegister(0x4141, 100, 0)",
    "runtime.free(gone)",
    "runtime.free(0x4141)",
    "cp.cuda.UnownedMemory(0x4141, 100, None)",
    "cp.cuda.UnownedMemory(address, 65, a)",
    "cp.cuda.UnownedMemory(2**63, 8, None)",
    "cp.cuda.UnownedMemory(-1, 8, None)",
]


def test_the_runtime_refuses_addresses_that_hold_no_memory():
    found = refused(RUNTIME)
    wrong = [(call, got) for call, got in zip(RUNTIME, found, strict=True) if got != "CUDARuntimeError 1"]
    assert not wrong


POINTERS = [
    "(a.data + 8).memset(0, 60)",
    "(a.data - 8).memset(0, 8)",
    "a.data.memset(0, -8)",
    "a.data.copy_from_device(a.data, 65)",
    "a.data.copy_to_host(host.ctypes.data, 65)",
    "cp.cuda.alloc_pinned_memory(8) + 100",
]


def test_pointers_know_how_far_they_reach():
    assert refused(POINTERS) == ["ValueError 0"] * len(POINTERS)


def test_pointers_ask_for_the_hosts_memory():
    calls = ["a.data.copy_from_host(0x4141, 8)", "a.data.copy_to_host(1, 8)", "a.data.copy_from(2**62, 64)"]
    assert refused(calls) == ["CUDARuntimeError 1"] * len(calls)


ARRAYS = [
    "cp.ndarray(9, 'float64', a.data)",
    "cp.ndarray((2, 8), 'float64', a.data)",
    "cp.ndarray(8, 'float64', a.data + 8)",
    "cp.ndarray(8, 'float64', a.data - 8)",
    "cp.ndarray(10**9, 'float64', a.data)",
    "cp.ndarray((2**40, 2**40), 'float64', a.data)",
    "cp.ndarray(2**62, 'float64', a.data)",
    "cp.ndarray(3, 'float64', a.data, (32,))",
    "cp.ndarray(2, 'float64', a.data, (-8,))",
    "cp.ndarray(2, 'float64', a.data, (2**62,))",
    "cp.ndarray((2, 2), 'float64', a.data, (2**62, 2**62))",
    "cp.ndarray(2, 'float64', a.data, (-2**63,))",
    "cp.ndarray(1, 'complex128', a.data + 56)",
]


def test_arrays_stay_inside_the_memory_that_they_are_given():
    assert refused(ARRAYS) == ["ValueError 0"] * len(ARRAYS)
    with pytest.raises(ValueError, match=r"needs 72 bytes from byte 0 on, of memory with 64 bytes"):
        cp.ndarray(9, "float64", cp.arange(8.0).data)


def test_arrays_that_fit_are_made():
    a = cp.arange(8.0)
    assert cp.ndarray(8, "float64", a.data).tolist() == list(range(8))
    assert cp.ndarray(4, "float64", a.data, (16,)).tolist() == [0, 2, 4, 6]
    assert cp.ndarray(4, "float64", a.data + 56, (-16,)).tolist() == [7, 5, 3, 1]
    assert cp.ndarray((0, 99), "float64", a.data).shape == (0, 99)
    assert cp.ndarray((2, 1000), "float64", a.data, (8, 0)).sum() == 1000
    view = a[2:5]
    assert cp.ndarray(3, "float64", view.data).tolist() == [2, 3, 4]


def test_a_forged_pointer_is_no_memory():
    class Pointer:
        ptr = 0x414141414140

    with pytest.raises(ValueError, match="ndarray: shape"):
        cp.ndarray(4, "float64", Pointer())


def test_memory_that_can_only_be_read_makes_an_array_that_can_only_be_read(tmp_path):
    np.arange(1024.0).tofile(tmp_path / "numbers")
    host = np.memmap(tmp_path / "numbers", "float64", "r")
    memory = cp.cuda.UnownedMemory(host.ctypes.data, host.nbytes, host)
    a = cp.ndarray(1024, "float64", cp.cuda.MemoryPointer(memory, 0))
    assert float(a.sum()) == 1023 * 512 and not a.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        a[0] = 1
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
        cp.cuda.runtime.memcpy(host.ctypes.data, host.ctypes.data, 8, 0)


@pytest.mark.parametrize("size", [0x4141, 2**47])
def test_an_allocator_that_gives_no_memory_is_told(size):
    out = fresh_python(
        f"""
        class Memory:
            ptr, size = {size}, 10**9
        def allocate(size):
            return cp.cuda.MemoryPointer(Memory, 0)
        try:
            with cp.cuda.using_allocator(allocate):
                cp.arange(1000.0) + 1
        except RuntimeError as error:
            print("the allocator failed" in str(error))
        print(float(cp.arange(10.0).sum()))
        """
    )
    assert out.split() == ["True", "45.0"]


def test_an_allocator_that_gives_too_little_is_told():
    pool = cp.cuda.MemoryPool()

    def allocate(size):
        return pool.malloc(max(size // 2, 1))

    with pytest.raises(RuntimeError, match="asked for"), cp.cuda.using_allocator(allocate):
        cp.arange(1000.0).sum()


def test_copies_that_are_right_go_through():
    runtime = cp.cuda.runtime
    host, back, a = np.arange(100.0), np.zeros(100), cp.zeros(100)
    runtime.memcpy(a.data.ptr, host.ctypes.data, 800, runtime.memcpyHostToDevice)
    runtime.memcpy(back.ctypes.data, a.data.ptr, 800, runtime.memcpyDeviceToHost)
    assert np.array_equal(back, host)
    runtime.memcpy(back.ctypes.data, host[::-1].copy().ctypes.data, 400, runtime.memcpyHostToHost)
    runtime.memcpy(back.ctypes.data, back[50:].ctypes.data, 8, runtime.memcpyDefault)
    assert back[0] == back[50]
    pinned = cp.cuda.alloc_pinned_memory(800)
    runtime.memcpy(pinned.ptr, a.data.ptr, 800, runtime.memcpyDeviceToHost)
    runtime.memcpy(a.data.ptr + 8, pinned.ptr, 792, runtime.memcpyHostToDevice)
    assert cp.asnumpy(a).tolist() == [0, *range(99)]
    runtime.memset(pinned.ptr, 0, 800)
    assert not np.frombuffer(pinned, "u1").any()
    address = runtime.malloc(64)
    runtime.memset(address, 1, 64)
    assert runtime.pointerGetAttributes(address).type == runtime.memoryTypeManaged
    runtime.free(address)
    assert runtime.pointerGetAttributes(address).type == runtime.memoryTypeUnregistered
    runtime.hostRegister(host.ctypes.data, host.nbytes, 0)
    runtime.memset(host.ctypes.data, 0, 8)
    runtime.hostUnregister(host.ctypes.data)
    runtime.memcpy(0, 0, 0, 0)
    runtime.memset(0, 0, 0)


def test_copies_of_rows_write_all_or_nothing():
    runtime = cp.cuda.runtime
    a, host = cp.zeros(8), np.arange(8.0)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.memcpy2D(a.data.ptr, 24, host.ctypes.data, 16, 16, 4, runtime.memcpyHostToDevice)
    assert not a.any()
    runtime.memcpy2D(a.data.ptr, 16, host.ctypes.data, 16, 8, 4, runtime.memcpyHostToDevice)
    assert a.tolist() == [0, 0, 2, 0, 4, 0, 6, 0]


def test_pycuda_refuses_addresses_that_hold_no_memory():
    found = fresh_python(
        """
        cp.compat.install()
        import pycuda.autoinit, pycuda.driver as drv, pycuda.gpuarray as gpuarray
        host = np.arange(8.0)
        memory = drv.mem_alloc(64)
        gone = int(drv.mem_alloc(4096))
        calls = [
            lambda: drv.memcpy_htod(0x4141, host),
            lambda: drv.memcpy_htod(gone, host),
            lambda: drv.memcpy_htod(int(memory) + 8, host),
            lambda: drv.memcpy_htod(memory, np.arange(9.0)),
            lambda: drv.memcpy_dtoh(host, 0x4141),
            lambda: drv.memcpy_dtoh(np.zeros(9), memory),
            lambda: drv.memcpy_dtod(memory, 0x4141, 8),
            lambda: drv.memcpy_dtod(int(memory), int(memory), 65),
            lambda: drv.memset_d8(0x4141, 0, 8),
            lambda: drv.memset_d32(int(memory), 0, 17),
            lambda: drv.memset_d2d8(int(memory), 32, 0, 16, 3),
            lambda: drv.from_device(0x4141, 4, "float64"),
            lambda: memory.as_buffer(65),
            lambda: memory.as_buffer(8, -1),
            lambda: gpuarray.GPUArray(9, "float64", gpudata=memory).get(),
            lambda: gpuarray.GPUArray(4, "float64", gpudata=0x4140).get(),
        ]
        for i, call in enumerate(calls):
            try:
                call()
            except (drv.LogicError, ValueError):
                pass
            except BaseException as error:
                print(i, type(error), error)
            else:
                print(i, "nothing")
        drv.memcpy_htod(memory, host)
        back = np.zeros(8)
        drv.memcpy_dtoh(back, int(memory))
        print(back.tolist() == host.tolist())
        """
    )
    assert found == "True"


def test_numba_refuses_addresses_that_hold_no_memory():
    found = fresh_python(
        """
        cp.compat.install()
        from numba import cuda
        class Forged:
            def __init__(self, **facts):
                self.__cuda_array_interface__ = dict(
                    {"shape": (4,), "typestr": "<f8", "data": (0x4140, False), "version": 3}, **facts
                )
        for facts in ({}, {"shape": (-1,)}, {"shape": (2**62, 2**62)}, {"strides": (1, 2, 3)}, {"data": 3}):
            for use in (cuda.as_cuda_array, cuda.to_device, cp.asarray):
                try:
                    use(Forged(**facts))
                except Exception as error:
                    continue
                print(facts, use, "nothing")
        a = cuda.device_array(4)
        try:
            cuda.devicearray.DeviceNDArray((5,), (8,), "float64", gpu_data=a._array.data)
        except ValueError:
            print("told")
        """
    )
    assert found == "told"


# DLPack


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


NAME = b"dltensor"
_kept = []


def capsule(shape, strides=None, ndim=None, offset=0, code=2, bits=64, lanes=1, data=None):
    """Return a capsule of 16 numbers of float64, which says of them whatever it is told to say."""
    memory = np.arange(16.0)
    lengths = None if shape is None else (ctypes.c_int64 * len(shape))(*shape)
    steps = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
    tensor = DLTensor(
        memory.ctypes.data if data is None else data,
        1,
        0,
        len(shape or ()) if ndim is None else ndim,
        code,
        bits,
        lanes,
        lengths,
        steps,
        offset,
    )
    managed = Managed(tensor, None, None)
    _kept.append((memory, lengths, steps, managed))
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(managed), NAME, None)


BAD = {
    "a negative length": {"shape": (-1,)},
    "a negative length beside others": {"shape": (4, -4)},
    "more elements than fit": {"shape": (2**62, 2**62)},
    "more bytes than fit": {"shape": (2**61,)},
    "lengths that overflow to few": {"shape": (2**32, 2**32)},
    "lengths that overflow beside none": {"shape": (2**62, 2**62, 0)},
    "strides that overflow": {"shape": (4,), "strides": (2**62,)},
    "strides that overflow together": {"shape": (2, 2), "strides": (2**59, 2**59)},
    "strides below all memory": {"shape": (2,), "strides": (-(2**59),)},
    "strides of half of all memory": {
        "shape": (3, 2),
        "strides": (2, -(2**63)),
        "offset": 2**63,
        "bits": 8,
        "code": 1,
    },
    "an offset beyond all memory": {"shape": (4,), "offset": 2**64 - 8},
    "many dimensions": {"shape": (1,) * 10000},
    "65 dimensions": {"shape": (1,) * 65},
    "negative dimensions": {"shape": (4,), "ndim": -1},
    "no shape": {"shape": None, "ndim": 2},
    "no memory": {"shape": (4,), "data": 0},
    "an unknown type": {"shape": (4,), "code": 77},
    "odd bits": {"shape": (4,), "bits": 63},
    "lanes": {"shape": (4,), "lanes": 4},
}


@pytest.mark.parametrize("case", BAD)
def test_dlpack_refuses(case):
    with pytest.raises(BufferError, match="from_dlpack"):
        cp.fromDlpack(capsule(**BAD[case]))


def test_dlpack_takes_what_is_right():
    assert cp.fromDlpack(capsule((4, 4))).tolist() == np.arange(16.0).reshape(4, 4).tolist()
    assert cp.fromDlpack(capsule((4,), (-4,), offset=96)).tolist() == [12, 8, 4, 0]
    assert cp.fromDlpack(capsule((0, 5))).shape == (0, 5)
    assert cp.fromDlpack(capsule((0,), data=0)).shape == (0,)
    assert cp.fromDlpack(capsule(())).item() == 0
    assert cp.fromDlpack(capsule((1,) * 64)).ndim == 64
