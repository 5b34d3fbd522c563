"""Numba's memory: pointers, managers that programs plug in, handles for other processes."""

import ctypes
import gc
import pickle

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat.numba import cuda
from cuprum.compat.numba.cuda.cudadrv import devices, driver


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


def test_contexts_have_memory():
    context = cuda.current_context()
    assert context is cuda.current_context() is devices.get_context() and context.device.id == 0
    assert len(context.deallocations) == 0 and not context.deallocations.is_disabled
    with cuda.defer_cleanup():
        assert context.deallocations.is_disabled
        context.deallocations.clear()
    assert not context.deallocations.is_disabled
    memory = context.memalloc(80)
    host = np.arange(10.0)
    driver.host_to_device(memory, host, 80)
    array = cuda.cudadrv.devicearray.DeviceNDArray((10,), (8,), np.float64, gpu_data=memory)
    double[1, 16](array)
    back = np.zeros(10)
    driver.device_to_host(back, memory, 80)
    np.testing.assert_array_equal(back, host * 2)
    other = context.memalloc(80)
    driver.device_to_device(other, memory, 80)
    driver.device_memset(memory, 0, 40)
    driver.device_to_host(back, memory, 80)
    assert back.tolist() == [0] * 5 + (host[5:] * 2).tolist()
    part = memory.view(40, 80)
    assert part.size == 40 and part.ptr == memory.ptr + 40 and driver.device_memory_size(part) == 40
    with pytest.raises(RuntimeError, match="not within"):
        memory.view(40, 81)


@pytest.mark.parametrize("kind", ["pinned", "mapped", "managed"])
def test_memory_of_the_host(kind):
    context = cuda.current_context()
    if kind == "managed":
        memory = context.memallocmanaged(32)
    else:
        memory = context.memhostalloc(32, mapped=kind == "mapped")
        assert isinstance(memory, cuda.MappedMemory if kind == "mapped" else cuda.PinnedMemory)
    array = np.ndarray(32, np.uint8, buffer=memory)
    array[:] = 5
    driver.device_memset(memory, 7, 16)
    cuda.synchronize()
    assert array.tolist() == [7] * 16 + [5] * 16 and memory.size == 32
    owner = np.zeros(64, np.uint8)
    pinned = context.mempin(owner, owner.ctypes.data, 64)
    assert pinned.ptr == owner.ctypes.data


class Counting(cuda.HostOnlyCUDAMemoryManager):
    """A manager that counts what it gives out."""

    given: dict[int, int] = {}
    ready = False

    def initialize(self):
        Counting.ready = True

    def memalloc(self, size):
        assert Counting.ready
        block = cp.cuda.alloc(max(size, 1))
        self.given[block.ptr] = size
        done = lambda: Counting.given.pop(block.ptr)  # noqa: E731
        return driver.AutoFreePointer(self.context, ctypes.c_void_p(block.ptr), size, finalizer=done)

    def get_memory_info(self):
        return cuda.MemoryInfo(free=32, total=64)

    def get_ipc_handle(self, memory):
        return f"handle of {memory.size} bytes"

    def reset(self):
        Counting.given.clear()

    @property
    def interface_version(self):
        return 1


class Later(Counting):
    """A manager for another version of the interface."""

    @property
    def interface_version(self):
        return 2


@pytest.fixture
def counting():
    cuda.close()
    cuda.set_memory_manager(Counting)
    yield Counting.given
    gc.collect()
    cuda.close()
    cuda.set_memory_manager(None)


def test_a_manager_that_is_plugged_in(counting):
    array = cuda.to_device(np.arange(6.0))
    double[1, 8](array)
    assert array.copy_to_host().tolist() == [0, 2, 4, 6, 8, 10] and list(counting.values()) == [48]
    other = cuda.device_array((2, 3), np.float32, order="F")
    assert sorted(counting.values()) == [24, 48] and other.is_f_contiguous()
    view = array[2:4]
    del array
    gc.collect()
    assert len(counting) == 2 and view.copy_to_host().tolist() == [4, 6]
    assert cuda.current_context().get_memory_info() == (32, 64)
    assert other.get_ipc_handle()._ipc_handle == "handle of 24 bytes"
    del view, other
    gc.collect()
    assert not counting


def test_managers_of_another_version_are_refused():
    with pytest.raises(RuntimeError, match="version 2 - version 1 required"):
        cuda.set_memory_manager(Later)


def test_memory_is_freed_once():
    calls = []
    pointer = cuda.MemoryPointer(
        cuda.current_context(), ctypes.c_void_p(64), 8, finalizer=lambda: calls.append(1)
    )
    owned = pointer.own()
    del pointer
    gc.collect()
    assert not calls
    owned.owner.free()
    with pytest.raises(RuntimeError, match="dead pointer"):
        owned.owner.free()
    del owned
    assert calls == [1]


def test_handles_for_other_processes(on_gpu):
    array = cuda.to_device(np.arange(10))[3:]
    if not on_gpu:
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="NotSupported"):
            array.get_ipc_handle()
        return
    handle = array.get_ipc_handle()
    again = pickle.loads(pickle.dumps(handle))
    assert again._ipc_handle.handle == handle._ipc_handle.handle and again._ipc_handle.size == 56
    assert again._ipc_handle.offset == handle._ipc_handle.offset and again._array_desc["shape"] == (7,)
    with pytest.raises(ValueError, match="original process"):
        handle.open()
    with pytest.raises(ValueError, match="not opened"):
        again.close()


REDIRECTOR = '''
import sys

class NumbaCudaFinder:
    """Behaves as numba-cuda's: asks all finders, itself too, for whatever has `numba.cuda` in its name."""

    def find_spec(self, name, path, target=None):
        if "numba.cuda" in name:
            for finder in sys.meta_path:
                spec = finder.find_spec(name, [*path], target)
                if spec is not None:
                    return spec

sys.meta_path.insert(0, NumbaCudaFinder())
'''


def test_kernels_beside_the_finder_of_numba_cuda(tmp_path):
    (tmp_path / "_numba_cuda_redirector.py").write_text(REDIRECTOR)
    program = """
        sys.path.insert(0, sys.argv[1])
        import _numba_cuda_redirector
        import cuprum.compat
        cuprum.compat.install()
        from numba import cuda

        @cuda.jit
        def double(a):
            a[cuda.threadIdx.x] *= 2

        a = cp.arange(4)
        double[1, 4](a)
        print(a.tolist())
    """
    assert fresh_python(program, tmp_path) == "[0, 2, 4, 6]"
