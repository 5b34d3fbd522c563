"""Where memory comes from: managed memory, CUDA's own pools, functions of the user's; and who hears of it."""

import textwrap

import pytest
from test_host import HAS_GPU, on_gpu

import cuprum as cp


def gpu(code, **environment):
    return on_gpu(textwrap.dedent(code), **environment)


def test_managed_memory_is_the_hosts_and_the_devices():
    gpu(
        """
        import ctypes
        runtime = cp.cuda.runtime
        pointer = cp.cuda.malloc_managed(8 * 100)
        assert isinstance(pointer.mem, cp.cuda.ManagedMemory)
        a = cp.ndarray(100, "float64", pointer)
        a[...] = cp.arange(100.0)
        cp.cuda.Device().synchronize()
        seen = np.ctypeslib.as_array((ctypes.c_double * 100).from_address(pointer.ptr))
        np.testing.assert_array_equal(seen, np.arange(100.0))
        seen[3] = -1.0
        assert float(a[3]) == -1.0
        assert runtime.pointerGetAttributes(pointer.ptr).type == runtime.memoryTypeManaged
        pointer.mem.prefetch(cp.cuda.Stream.null)
        pointer.mem.prefetch(cp.cuda.Stream.null, device_id=-1)
        pointer.mem.advise(1, 0)
        plain = cp.ones(3).data
        for call, last in ((runtime.memPrefetchAsync, (0, 0)), (runtime.memAdvise, (1, 0))):
            try:
                call(plain.ptr, 24, *last)
            except runtime.CUDARuntimeError as error:
                assert error.status in (1, 101), error
            else:
                raise AssertionError("memory that is not managed was moved")
        pool = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
        with cp.cuda.using_allocator(pool.malloc):
            b = cp.arange(1000.0) + 1
        kind = runtime.pointerGetAttributes(b.data.ptr).type
        assert kind == runtime.memoryTypeManaged and pool.used_bytes() >= 8000
        with cp.cuda.using_allocator(cp.cuda.malloc_managed):
            c = cp.arange(1000.0) + 2
        assert runtime.pointerGetAttributes(c.data.ptr).type == runtime.memoryTypeManaged
        assert float((b + c).sum()) == (2 * np.arange(1000.0) + 3).sum()
        """
    )


def test_cudas_own_pools_give_memory_in_the_order_of_streams():
    gpu(
        """
        runtime = cp.cuda.runtime
        default = runtime.deviceGetDefaultMemPool(0)
        assert runtime.deviceGetMemPool(0) == default
        used = lambda pool: runtime.memPoolGetAttribute(pool, runtime.memPoolAttrUsedMemCurrent)
        own = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))
        runtime.memPoolSetAttribute(own, runtime.memPoolAttrReleaseThreshold, 1 << 30)
        assert runtime.memPoolGetAttribute(own, runtime.memPoolAttrReleaseThreshold) == 1 << 30
        runtime.memPoolSetAttribute(own, runtime.memPoolReuseAllowOpportunistic, 0)
        assert runtime.memPoolGetAttribute(own, runtime.memPoolReuseAllowOpportunistic) == 0
        pool = cp.cuda.MemoryAsyncPool(own)
        streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
        x = cp.arange(100_000.0)
        with cp.cuda.using_allocator(pool.malloc):
            for turn in range(5):
                with streams[turn % 2]:
                    # Each stream reads what the other one wrote, and frees what it was made of.
                    y = x * 2 + turn
                    x = cp.sort(y)[::-1] - y.max()
        assert used(own) >= x.nbytes and pool.used_bytes() >= x.nbytes
        expected = np.arange(100_000.0)
        for turn in range(5):
            y = expected * 2 + turn
            expected = np.sort(y)[::-1] - y.max()
        np.testing.assert_array_equal(x.get(), expected)
        del x, y
        cp.cuda.Device().synchronize()
        assert used(own) == 0 == pool.used_bytes()
        pool.free_all_blocks()
        assert runtime.memPoolGetAttribute(own, runtime.memPoolAttrReservedMemCurrent) == 0
        runtime.deviceSetMemPool(0, own)
        address = runtime.mallocAsync(4096, streams[0].ptr)
        assert used(own) >= 4096
        runtime.memsetAsync(address, 7, 4096, streams[0].ptr)
        runtime.freeAsync(address, streams[0].ptr)
        memory = cp.cuda.malloc_async(512).mem
        assert isinstance(memory, cp.cuda.MemoryAsync) and memory.stream_ref() is not None
        runtime.free(runtime.mallocFromPoolAsync(64, default, 0))
        cp.cuda.Device().synchronize()
        assert 512 <= used(own) < 1 << 20
        del memory
        runtime.deviceSetMemPool(0, default)
        cp.cuda.Device().synchronize()
        runtime.memPoolTrimTo(own, 0)
        runtime.memPoolDestroy(own)
        try:
            runtime.freeAsync(12345, 0)
        except runtime.CUDARuntimeError as error:
            assert error.status == 1
        else:
            raise AssertionError("memory that is nobody's was freed")
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


def test_a_limit_holds_for_cudas_own_pools():
    gpu(
        """
        pool = cp.cuda.MemoryAsyncPool()
        pool.set_limit(size=1 << 20)
        with cp.cuda.using_allocator(pool.malloc):
            try:
                cp.zeros(1 << 20)
                cp.cuda.Device().synchronize()
            except cp.cuda.OutOfMemoryError as error:
                assert error.size == 8 << 20 and error.limit == 1 << 20
            else:
                raise AssertionError("more than the limit was handed out")
        """
    )


def test_streams_wait_for_memory_of_functions():
    gpu(
        """
        runtime, taken, gone = cp.cuda.runtime, [], []
        def get(size, device):
            address = runtime.malloc(size)
            taken.append((size, address))
            return address
        def let_go(ptr, device):
            gone.append(ptr)
            runtime.free(ptr)
        allocator = cp.cuda.PythonFunctionAllocator(get, let_go)
        streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
        with cp.cuda.using_allocator(allocator.malloc):
            with streams[0]:
                a = cp.arange(1000.0) * 3
            with streams[1]:
                b = a + 1
        np.testing.assert_array_equal(b.get(), np.arange(1000.0) * 3 + 1)
        assert 8000 in [size for size, _ in taken], taken
        del a, b
        cp.cuda.Device().synchronize()
        assert sorted(gone) == sorted(address for _, address in taken)
        # A pool over the functions asks them for slabs, and keeps what arrays let go of.
        pool = cp.cuda.MemoryPool(allocator.malloc)
        before = len(taken)
        with cp.cuda.using_allocator(pool.malloc):
            for _ in range(20):
                float((cp.arange(1000.0) + 1).sum())
        assert len(taken) - before <= 4
        del gone[:]
        pool.free_all_blocks()
        assert len(gone) == len(taken) - before
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


HOOK = """
class Hook(cp.cuda.MemoryHook):
    name = "Hook"
    def __init__(self):
        self.heard = []
for stage in ("alloc", "malloc", "free"):
    for when in ("preprocess", "postprocess"):
        def hear(self, *, _name=f"{stage}_{when}", **facts):
            self.heard.append((_name, facts))
        setattr(Hook, f"{stage}_{when}", hear)
"""


def test_hooks_hear_of_a_gpus_memory():
    gpu(
        HOOK
        + """
pool = cp.cuda.MemoryPool()
with cp.cuda.using_allocator(pool.malloc), Hook() as hook:
    a = cp.arange(300_000.0) + 1
    a.sum()
    cp.cuda.Device().synchronize()
    address = a.data.ptr
    del a
names = [name for name, _ in hook.heard]
first = ["malloc_preprocess", "alloc_preprocess", "alloc_postprocess", "malloc_postprocess"]
assert names[:4] == first, names
assert names.count("malloc_postprocess") == names.count("free_postprocess") >= 1, names
facts = dict(hook.heard)
assert set(facts["alloc_preprocess"]) == {"device_id", "mem_size"}
assert set(facts["alloc_postprocess"]) == {"device_id", "mem_size", "mem_ptr"}
assert set(facts["malloc_preprocess"]) == {"device_id", "size", "mem_size"}
assert set(facts["malloc_postprocess"]) == {"device_id", "size", "mem_size", "mem_ptr", "pmem_id"}
handed = [f for name, f in hook.heard if name == "malloc_postprocess" and f["size"] == 2_400_000]
assert [f["mem_ptr"] for f in handed] == [address]
gone = [f for name, f in hook.heard if name == "free_preprocess" and f["mem_ptr"] == address]
assert [f["pmem_id"] for f in gone] == [handed[0]["pmem_id"]]
heard = len(hook.heard)
cp.arange(10.0).sum().get()
assert len(hook.heard) == heard and not cp.cuda.memory_hook.get_memory_hooks()
"""
    )


@pytest.mark.skipif(HAS_GPU, reason="the block's neighbours are the stand-in's")
def test_memory_that_was_given_back_in_order_is_not_used_after():
    """The stand-in fills what is freed, and sees who writes it later."""
    gpu(
        """
        pool = cp.cuda.MemoryAsyncPool()
        first, second = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
        with cp.cuda.using_allocator(pool.malloc):
            for _ in range(3):
                with first:
                    a = cp.arange(5000.0)
                with second:
                    b = a * 2
                del a
                np.testing.assert_array_equal(b.get(), np.arange(5000.0) * 2)
        """,
        CUPRUM_STANDIN_LAZY="1",
    )


SHARED = """
import json, subprocess
runtime = cp.cuda.runtime
OTHER = '''
import json, sys
import cuprum as cp
runtime = cp.cuda.runtime
handle, mark = (bytes.fromhex(text) for text in sys.argv[1:])
address = runtime.ipcOpenMemHandle(handle)
opened = runtime.ipcOpenEventHandle(mark)
stream = cp.cuda.Stream(non_blocking=True)
runtime.streamWaitEvent(stream.ptr, opened)
with stream:
    memory = cp.cuda.UnownedMemory(address + 256, 800, None)
    a = cp.ndarray(100, "float64", cp.cuda.MemoryPointer(memory, 0))
    seen = (a * 2).get()
    a += 1
stream.synchronize()
runtime.eventSynchronize(opened)
runtime.eventDestroy(opened)
del a
runtime.ipcCloseMemHandle(address)
print(json.dumps(seen.tolist()))
'''
block = cp.cuda.Memory(4096)
a = cp.ndarray(100, "float64", cp.cuda.MemoryPointer(block, 256))
event = cp.cuda.Event(disable_timing=True, interprocess=True)
a[...] = cp.arange(100.0)
event.record()
event.synchronize()
handle, mark = runtime.ipcGetMemHandle(a.data.ptr), runtime.ipcGetEventHandle(event.ptr)
command = [sys.executable, "-c", OTHER, handle.hex(), mark.hex()]
done = subprocess.run(command, capture_output=True, text=True, timeout=300)
assert done.returncode == 0, done.stderr
assert json.loads(done.stdout) == (np.arange(100.0) * 2).tolist()
np.testing.assert_array_equal(a.get(), np.arange(100.0) + 1)
for call in (
    lambda: runtime.ipcOpenMemHandle(handle),
    lambda: runtime.ipcOpenMemHandle(b"short"),
    lambda: runtime.ipcGetEventHandle(cp.cuda.Event().ptr),
    lambda: runtime.ipcCloseMemHandle(64),
):
    try:
        call()
    except runtime.CUDARuntimeError:
        continue
    raise AssertionError("nonsense was shared")
"""


def test_processes_share_memory_and_events():
    on_gpu(SHARED)


@pytest.mark.skipif(cp.is_available(), reason="the CPU's answer")
def test_the_cpu_says_what_it_cannot_share():
    runtime = cp.cuda.runtime
    with pytest.raises(runtime.CUDARuntimeError, match="not supported") as caught:
        runtime.ipcGetMemHandle(cp.ones(3).data.ptr)
    assert caught.value.status == 801 and "shared_memory" in str(caught.value.__cause__)
