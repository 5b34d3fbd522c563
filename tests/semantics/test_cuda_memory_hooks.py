"""Memory hooks and the sources of pools, on a GPU and without one."""

import ctypes
import gc
import io
import json
import threading

import numpy as np
import pytest

import cuprum as cp

runtime = cp.cuda.runtime


class Heard(cp.cuda.MemoryHook):
    """Writes down what it is told."""

    name = "Heard"

    def __init__(self):
        self.news = []

    def names(self):
        return [name for name, _ in self.news]


for _stage in ("alloc", "malloc", "free"):
    for _when in ("preprocess", "postprocess"):

        def _hear(self, *, _name=f"{_stage}_{_when}", **facts):
            self.news.append((_name, facts))

        setattr(Heard, f"{_stage}_{_when}", _hear)


def test_hooks_hear_of_getting_handing_out_and_giving_back():
    pool = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(pool.malloc), Heard() as hook:
        a = cp.empty(100_000)
        address = a.data.ptr
        del a
        gc.collect()
        handed = [f for name, f in hook.news if name == "malloc_postprocess" and f["size"] == 800_000]
        assert len(handed) == 1 and handed[0]["mem_ptr"] == address and handed[0]["mem_size"] >= 800_000
        gone = [f for name, f in hook.news if name == "free_postprocess" and f["mem_ptr"] == address]
        assert [f["pmem_id"] for f in gone] == [handed[0]["pmem_id"]]
        assert "alloc_postprocess" in hook.names()
        hook.news.clear()
        # The block is there by now: the pool asks nobody.
        b = cp.testing.wait(cp.full(100_000, 2.0))
        assert "malloc_postprocess" in hook.names() and "alloc_preprocess" not in hook.names()
    assert float(b[0]) == 2.0


def test_hooks_belong_to_a_thread_and_to_their_block():
    with Heard() as hook:
        worker = threading.Thread(target=lambda: cp.testing.wait(cp.arange(50_000.0) + 1))
        worker.start()
        worker.join()
        assert hook.news == []
        with pytest.raises(KeyError, match="Heard"), Heard():
            pass
        assert cp.cuda.memory_hook.get_memory_hooks() == {"Heard": hook}
    cp.testing.wait(cp.arange(50_000.0) + 1)
    assert hook.news == [] and cp.cuda.memory_hook.get_memory_hooks() == {}


def test_what_is_pending_belongs_to_where_it_was_recorded():
    before = cp.arange(50_000.0) + 1
    with Heard() as hook:
        inside = cp.arange(70_000.0) + 1
    sizes = [facts["size"] for name, facts in hook.news if name == "malloc_preprocess"]
    assert 560_000 in sizes and 400_000 not in sizes
    assert float(before[0] + inside[0]) == 2.0


@pytest.mark.fusion  # Only what is pending runs under a lock.
def test_a_hook_that_computes_with_arrays_does_not_wait_for_itself():
    class Adds(cp.cuda.MemoryHook):
        name = "Adds"

        def malloc_postprocess(self, **facts):
            float((cp.arange(100_000.0) + 1).sum())

    with Adds(), pytest.raises(RuntimeError, match="cannot compute with arrays itself"):
        cp.testing.wait(cp.arange(200_000.0) * 2)
    counts = cp.cuda.using_allocator(lambda size: cp.cuda.alloc(int((cp.arange(1e5) + 1).sum())))
    with pytest.raises(RuntimeError, match="cannot compute with arrays itself"), counts:
        cp.testing.wait(cp.arange(200_000.0) * 2)
    assert float((cp.arange(200_000.0) * 2)[1]) == 2.0


def test_a_hook_that_fails_refuses_the_memory():
    class Refuses(cp.cuda.MemoryHook):
        def malloc_preprocess(self, **facts):
            raise ValueError("not today")

    with Refuses(), pytest.raises(RuntimeError, match="memory hook failed: not today"):
        cp.testing.wait(cp.arange(100_000.0) + 1)
    assert float((cp.arange(100_000.0) + 1)[0]) == 1.0


def test_two_hooks_are_told_in_their_order():
    order = []

    class Named(cp.cuda.MemoryHook):
        def __init__(self, name):
            self.name = name

        def malloc_postprocess(self, **facts):
            order.append(self.name)

    with Named("first"), Named("second"):
        cp.testing.wait(cp.arange(100_000.0) + 1)
    assert order[:2] == ["first", "second"]


def test_debug_print_hook_prints_lines_of_json():
    text = io.StringIO()
    pool = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(pool.malloc), cp.cuda.memory_hooks.DebugPrintHook(file=text):
        a = cp.testing.wait(cp.arange(100_000.0) + 1)
        del a
    lines = [json.loads(line) for line in text.getvalue().splitlines()]
    assert {line["hook"] for line in lines} == {"alloc", "malloc", "free"}
    malloc = next(line for line in lines if line["hook"] == "malloc" and line["size"] == 800_000)
    assert malloc["pmem_id"].startswith("0x") and malloc["mem_ptr"] > 0


def test_line_profile_hook_counts_by_lines():
    def makes():
        return cp.testing.wait(cp.arange(100_000.0) + 1)

    hook = cp.cuda.memory_hooks.LineProfileHook()
    with hook:
        kept = [makes(), makes()]
    text = io.StringIO()
    hook.print_report(text)
    lines = text.getvalue().splitlines()
    assert lines[0].startswith("_root (")
    assert any("test_cuda_memory_hooks.py:makes:" in line for line in lines)
    used = hook._root.used
    assert used >= 1_600_000 and float(kept[1][0]) == 1.0
    shallow = cp.cuda.memory_hooks.LineProfileHook(max_depth=1)
    with shallow:
        makes()
    shallow.print_report(text := io.StringIO())
    assert all(len(line) - len(line.lstrip()) <= 2 for line in text.getvalue().splitlines())
    with pytest.raises(ValueError, match="max_depth"):
        cp.cuda.memory_hooks.LineProfileHook(-1)


def test_a_pool_may_stand_on_a_function():
    asked, gone = [], []

    def get(size, device):
        asked.append(size)
        return runtime.malloc(size)

    def let_go(address, device):
        gone.append(address)
        runtime.free(address)

    pool = cp.cuda.MemoryPool(cp.cuda.PythonFunctionAllocator(get, let_go).malloc)
    with cp.cuda.using_allocator(pool.malloc):
        for turn in range(10):
            assert float((cp.testing.wait(cp.arange(100_000.0) + turn))[1]) == 1.0 + turn
    gc.collect()
    assert 1 <= len(asked) <= 4 and not gone and pool.free_bytes() >= 800_000
    pool.free_all_blocks()
    assert len(gone) == len(asked) and pool.free_bytes() == 0
    with pytest.raises(TypeError, match="callable"):
        cp.cuda.MemoryPool(3)


def test_functions_of_c_allocate():
    live = {}
    malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    free = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)

    @malloc
    def get(param, size, device):
        assert param == 77
        address = runtime.malloc(size)
        live[address] = size
        return address

    @free
    def let_go(param, address, device):
        del live[address]
        runtime.free(address)

    def address(function):
        return ctypes.cast(function, ctypes.c_void_p).value

    allocator = cp.cuda.CFunctionAllocator(77, address(get), address(let_go), (get, let_go))
    with cp.cuda.using_allocator(allocator.malloc):
        a = cp.arange(50_000.0) + 1
    assert 400_000 in live.values() and float(a.sum()) == 50_000 * 50_001 / 2
    del a
    gc.collect()
    assert not live

    nothing = malloc(lambda param, size, device: None)
    refuses = cp.cuda.CFunctionAllocator(0, address(nothing), address(let_go), nothing)
    with cp.cuda.using_allocator(refuses.malloc), pytest.raises(MemoryError):
        cp.testing.wait(cp.ones(10_000))


def test_memory_in_the_order_of_streams():
    pool = cp.cuda.MemoryAsyncPool()
    stream = cp.cuda.Stream(non_blocking=True)
    with cp.cuda.using_allocator(pool.malloc), stream:
        a = cp.arange(100_000.0) * 2
    assert pool.used_bytes() >= 800_000 and pool.memoryAsyncHasStat
    np.testing.assert_array_equal(cp.asnumpy(a), np.arange(100_000.0) * 2)
    del a
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    for wrong in ("other", [1, 2, 3, 4, 5, 6, 7, 8, 9]):
        with pytest.raises(ValueError, match="MemoryAsyncPool"):
            cp.cuda.MemoryAsyncPool(wrong)
    with cp.cuda.using_allocator(cp.cuda.malloc_async):
        b = cp.arange(1000.0) + 1
    assert float(b.sum()) == 500_500.0


def test_cudas_pools_by_their_handles():
    pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))
    used = runtime.memPoolAttrUsedMemCurrent
    address = runtime.mallocFromPoolAsync(1 << 20, pool, 0)
    assert runtime.memPoolGetAttribute(pool, used) >= 1 << 20
    runtime.memsetAsync(address, 3, 1 << 20, 0)
    runtime.freeAsync(address, 0)
    runtime.deviceSynchronize()
    assert runtime.memPoolGetAttribute(pool, used) == 0
    assert runtime.memPoolGetAttribute(pool, runtime.memPoolAttrUsedMemHigh) >= 1 << 20
    runtime.memPoolSetAttribute(pool, runtime.memPoolAttrUsedMemHigh, 0)
    runtime.memPoolTrimTo(pool, 0)
    assert runtime.memPoolGetAttribute(pool, runtime.memPoolAttrReservedMemCurrent) == 0
    first = runtime.deviceGetMemPool(0)
    runtime.deviceSetMemPool(0, pool)
    assert runtime.deviceGetMemPool(0) == pool
    runtime.deviceSetMemPool(0, first)
    runtime.memPoolDestroy(pool)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 99))
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.memPoolSetAttribute(first, used, 5)


def test_an_event_for_other_processes_keeps_no_time():
    with pytest.raises(ValueError, match="disable_timing"):
        cp.cuda.Event(interprocess=True)
    event = cp.cuda.Event(disable_timing=True, interprocess=True)
    event.record()
    event.synchronize()
    assert event.done
