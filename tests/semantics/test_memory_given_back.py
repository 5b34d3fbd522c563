"""Memory that is given back by hand, external streams, and calls of the runtime that CUDA refuses."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.cuda import pinned_memory


def test_pooled_memory_goes_back_once_nothing_uses_it():
    pool = cp.cuda.MemoryPool()
    memory = pool.malloc(2**20).mem
    assert pool.used_bytes() == 2**20
    memory.free()
    memory.free()
    assert pool.used_bytes() == 0 and pool.n_free_blocks() > 0 and memory.ptr == 0
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0

    pointer = pool.malloc(2**20)
    a = cp.ndarray(4, "f8", pointer)
    a[...] = 3
    pointer.mem.free()
    # The array still lies in it, so nobody else gets it.
    assert pool.used_bytes() == 2**20 and a.tolist() == [3] * 4
    del a, pointer
    assert pool.used_bytes() == 0


def test_no_bytes_are_of_no_pool():
    nothing = cp.cuda.MemoryPool().malloc(0).mem
    assert isinstance(nothing, cp.cuda.Memory) and not isinstance(nothing, cp.cuda.PooledMemory)
    pinned = cp.cuda.PinnedMemoryPool().malloc(0).mem
    assert isinstance(pinned, cp.cuda.PinnedMemory)
    assert not isinstance(pinned, pinned_memory.PooledPinnedMemory)


def test_pooled_pinned_memory_goes_back_once_no_buffer_uses_it():
    pool = cp.cuda.PinnedMemoryPool()
    pointer = pool.malloc(2**20)
    assert isinstance(pointer.mem, pinned_memory.PooledPinnedMemory)
    host = np.frombuffer(pointer, np.float64, 4)
    host[...] = 2
    pointer.mem.free()
    del pointer
    assert pool.n_free_blocks() == 0 and host.sum() == 8
    del host
    assert pool.n_free_blocks() == 1


def test_the_older_name_of_free_all_blocks_warns():
    with pytest.warns(DeprecationWarning, match="free_all_blocks"):
        cp.cuda.MemoryPool().free_all_free()


class Foreign:
    def __init__(self, answer):
        self.answer = answer

    def __cuda_stream__(self):
        return self.answer


def test_streams_of_others_have_no_known_device():
    stream = cp.cuda.Stream()
    foreign = Foreign((0, stream.ptr))
    taken = cp.cuda.Stream.from_external(foreign)
    assert taken.ptr == stream.ptr and taken.device_id == -1
    assert cp.cuda.ExternalStream(stream.ptr, 0).device_id == 0
    with taken:
        assert cp.cuda.get_current_stream() == taken
        assert (cp.ones(3) + 1).tolist() == [2, 2, 2]
    for answer, words in [
        (5, "2-tuple"),
        ((0,), "2-tuple"),
        (("0", 1), r"\(int, int\)"),
        ((1, 2), "unsupported version"),
    ]:
        with pytest.raises(TypeError, match=words):
            cp.cuda.Stream.from_external(Foreign(answer))


def test_managed_memory_refuses_unknown_devices_and_advice():
    memory = cp.cuda.malloc_managed(4096).mem
    memory.prefetch(cp.cuda.get_current_stream())
    memory.advise(1, cp.cuda.Device(0))
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
        memory.prefetch(cp.cuda.get_current_stream(), device_id=10**8)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
        memory.advise(-1, cp.cuda.Device(0))
