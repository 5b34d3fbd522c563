"""Memory pools of ``cp.cuda``, on a GPU and without one: counts, limits, allocators."""

import gc
import pickle
import threading

import numpy as np
import pytest

import cuprum as cp

MB = 2**20
runtime = cp.cuda.runtime


def test_used_bytes_follow_the_arrays(pool):
    before = pool.used_bytes()
    a = cp.zeros(MB)
    assert pool.used_bytes() - before == 8 * MB
    b = a + 1
    assert pool.used_bytes() - before == 16 * MB
    view = b[::2]
    del b
    assert pool.used_bytes() - before == 16 * MB
    del view, a
    assert pool.used_bytes() == before


def test_blocks_are_kept_reused_and_given_back(pool):
    # On a GPU small arrays that are in use hold slabs of free pieces.
    blocks, kept = pool.n_free_blocks(), pool.free_bytes()
    assert (blocks, kept) == (0, 0) or cp.is_available()
    a = cp.zeros(MB)
    cp.testing.wait(a)
    address = a.data.ptr
    del a
    assert (pool.n_free_blocks(), pool.free_bytes()) == (blocks + 1, kept + 8 * MB)
    assert pool.total_bytes() == pool.used_bytes() + kept + 8 * MB
    b = cp.ones(MB)
    assert b.data.ptr == address and pool.n_free_blocks() == blocks
    del b
    pool.free_all_blocks()
    assert (pool.n_free_blocks(), pool.free_bytes()) == (blocks, kept)


def test_limits_are_set_and_lifted(pool):
    assert pool.get_limit() == 0
    pool.set_limit(size=123 * MB)
    assert pool.get_limit() == 123 * MB
    pool.set_limit(fraction=0.5)
    assert pool.get_limit() == int(0.5 * runtime.memGetInfo()[1])
    pool.set_limit()
    assert pool.get_limit() == 0
    for wrong in ({"size": 1, "fraction": 0.5}, {"size": -1}, {"fraction": 1.5}, {"fraction": -0.1}):
        with pytest.raises(ValueError, match="set_limit"):
            pool.set_limit(**wrong)


def test_what_fits_the_limit_exactly_is_given(pool):
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + 16_000_000)
    held = cp.zeros(2_000_000)
    cp.cuda.Device().synchronize()
    with pytest.raises(cp.cuda.memory.OutOfMemoryError):
        cp.testing.wait(cp.zeros(2_000))
    pool.set_limit(size=0)
    assert float(held.sum()) == 0.0


def test_creation_beyond_the_limit_fails_at_the_call(pool):
    used = pool.used_bytes()
    pool.set_limit(size=used + 20 * MB)
    a = cp.zeros(2 * MB)
    with pytest.raises(cp.cuda.memory.OutOfMemoryError) as caught:
        cp.zeros(2 * MB)
    error = caught.value
    assert isinstance(error, MemoryError)
    assert (error.size, error.used, error.limit) == (16 * MB, used + 16 * MB, used + 20 * MB)
    assert all(f"{n:,}" in str(error) for n in (error.size, error.used, error.limit))
    assert pickle.loads(pickle.dumps(error)).args == error.args
    assert float(a.sum()) == 0
    del a
    assert float(cp.ones(2 * MB).sum()) == 2 * MB


def test_work_beyond_the_limit_fails_when_it_runs_and_again_and_then_goes_on(pool):
    a = cp.ones(2 * MB)
    pool.set_limit(size=pool.used_bytes() + 4 * MB)
    message = "out of memory"
    try:
        b = a + 1
    except MemoryError:
        b = None
    if b is not None:
        for _ in range(2):
            with pytest.raises(cp.cuda.OutOfMemoryError, match=message):
                cp.asnumpy(b)
        with pytest.raises(cp.cuda.OutOfMemoryError, match=message):
            cp.cuda.Device().synchronize()
        assert pool.used_bytes() > 0
    assert float(a.sum()) == 2 * MB
    pool.set_limit()
    if b is not None:
        np.testing.assert_array_equal(cp.asnumpy(b), np.full(2 * MB, 2.0))
    np.testing.assert_array_equal(cp.asnumpy(a), np.ones(2 * MB))


@pytest.mark.fusion
def test_what_fuses_away_needs_no_memory(pool):
    a = cp.ones(2 * MB)
    pool.set_limit(size=pool.used_bytes() + MB)
    total = float(((a + 1) * 2).sum())
    assert total == 8 * MB


@pytest.mark.fusion
def test_interior_results_that_are_held_wait_where_memory_is_short(pool):
    a = cp.ones(2 * MB)
    pool.set_limit(size=pool.used_bytes() + MB)
    b = a + 1
    c = b * 2
    total = c.sum()
    assert float(total) == 8 * MB
    with pytest.raises(cp.cuda.OutOfMemoryError):
        cp.asnumpy(c)
    pool.set_limit()
    np.testing.assert_array_equal(cp.asnumpy(b), np.full(2 * MB, 2.0))
    np.testing.assert_array_equal(cp.asnumpy(c), np.full(2 * MB, 4.0))


def test_library_calls_and_writes_hold_to_the_limit(pool):
    a = cp.ones((1024, 1024))
    pool.set_limit(size=pool.used_bytes() + MB)
    with pytest.raises(cp.cuda.OutOfMemoryError):
        a @ a
    with pytest.raises(cp.cuda.OutOfMemoryError):
        cp.asarray(np.ones((1024, 1024)))
    with pytest.raises(cp.cuda.OutOfMemoryError):
        a[cp.arange(1023)]
    a += 1
    assert float(a[0, 0]) == 2.0


def test_free_blocks_make_room_before_giving_up(pool):
    a = cp.ones(2 * MB)
    cp.testing.wait(a)
    used, kept = pool.used_bytes(), pool.free_bytes()
    del a
    assert pool.free_bytes() == kept + 16 * MB
    pool.set_limit(size=used + 8 * MB)
    b = cp.ones(3 * MB - 1000)
    cp.testing.wait(b)
    # Small arrays that are in use hold slabs of free pieces on a GPU.
    assert pool.total_bytes() <= pool.get_limit() + kept


def test_pending_work_makes_room_before_giving_up(pool):
    used = pool.used_bytes()
    pool.set_limit(size=used + 40 * MB)
    a = cp.ones(2 * MB)
    total = (a * 2).sum()
    del a
    b = cp.zeros(4 * MB)
    assert float(total) == 4 * MB and float(b[-1]) == 0


def test_more_than_all_memory_is_refused_at_the_call():
    total = runtime.memGetInfo()[1]
    with pytest.raises(cp.cuda.OutOfMemoryError):
        cp.zeros((total // 4,))
    with pytest.raises(cp.cuda.OutOfMemoryError):
        cp.ones((total // 4, 1), dtype=np.int8) + cp.ones((1, 8), dtype=np.int8)
    assert float(cp.ones(5).sum()) == 5


def test_threads_share_one_limit(pool):
    pool.set_limit(size=pool.used_bytes() + 20 * MB)
    outcomes, barrier = [], threading.Barrier(4)

    def work():
        barrier.wait()
        try:
            made = cp.testing.wait(cp.ones(MB))
            outcomes.append(made)
        except MemoryError:
            outcomes.append(None)

    workers = [threading.Thread(target=work) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert sum(made is not None for made in outcomes) == 2
    assert pool.used_bytes() <= pool.get_limit()


def test_other_pools_count_their_own(pool):
    mine = cp.cuda.MemoryPool()
    before = pool.used_bytes()
    with cp.cuda.using_allocator(mine.malloc):
        assert cp.cuda.get_allocator() == mine.malloc
        a = cp.ones(MB)
        held = cp.cuda.alloc(100)
    assert cp.cuda.get_allocator() == pool.malloc
    assert pool.used_bytes() == before
    assert mine.used_bytes() == 8 * MB + (512 if cp.is_available() else 128)
    assert held.mem.size == 100
    np.testing.assert_array_equal(cp.asnumpy(a), np.ones(MB))
    del a, held
    assert mine.used_bytes() == 0 and mine.n_free_blocks() >= 1
    mine.set_limit(size=MB)
    assert mine.n_free_blocks() == 0
    with pytest.raises(cp.cuda.OutOfMemoryError), cp.cuda.using_allocator(mine.malloc):
        cp.testing.wait(cp.ones(MB))
    assert float(cp.ones(MB).sum()) == MB


def test_allocators_nest_and_belong_to_a_thread(pool):
    mine = cp.cuda.MemoryPool()
    seen = []
    with cp.cuda.using_allocator(mine.malloc):
        with cp.cuda.using_allocator(pool.malloc):
            a = cp.ones(MB)
        worker = threading.Thread(target=lambda: seen.append(cp.cuda.get_allocator()))
        worker.start()
        worker.join()
        with pytest.raises(ValueError, match="using_allocator"):
            cp.cuda.set_allocator(mine.malloc)
    assert seen == [pool.malloc]
    assert mine.used_bytes() == 0 and float(a.sum()) == MB


def test_set_allocator_is_for_the_process(pool):
    mine = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
    before = pool.used_bytes()
    cp.cuda.set_allocator(mine.malloc)
    try:
        a = cp.ones(MB)
        assert mine.used_bytes() == 8 * MB and pool.used_bytes() == before
        cp.cuda.set_allocator(None)
        b = cp.testing.wait(cp.ones(MB))
        assert mine.used_bytes() == 8 * MB and pool.used_bytes() == before
    finally:
        cp.cuda.set_allocator(pool.malloc)
    assert float((a + b).sum()) == 2 * MB
    with pytest.raises(TypeError, match="callable"):
        cp.cuda.set_allocator(3)


def test_functions_of_the_users_own_allocate(pool):
    live = {}

    def get(size, device):
        address = runtime.malloc(size)
        live[address] = size
        return address

    def let_go(address, device):
        del live[address]
        runtime.free(address)

    allocator = cp.cuda.PythonFunctionAllocator(get, let_go)
    with cp.cuda.using_allocator(allocator.malloc):
        a = cp.arange(50_000.0) + 1
        total = a.sum()
    assert max(live.values()) == 400_000
    assert float(total) == 50_000 * 50_001 / 2
    del a, total
    gc.collect()
    assert not live


def test_an_allocator_may_ask_for_counts(pool):
    asked = []

    def watched(size):
        asked.append((size, pool.used_bytes()))
        return pool.malloc(size)

    with cp.cuda.using_allocator(watched):
        a = cp.ones(50_000) + 1
    assert float(a.sum()) == 100_000
    assert 400_000 in [size for size, _ in asked]


def test_an_allocator_that_fails_leaves_everything_usable():
    def refuses(size):
        raise MemoryError("none left")

    def breaks(size):
        raise KeyError("oops")

    with cp.cuda.using_allocator(refuses), pytest.raises(MemoryError):
        cp.testing.wait(cp.ones(10_000))
    with cp.cuda.using_allocator(breaks), pytest.raises(RuntimeError, match="oops"):
        cp.testing.wait(cp.ones(10_000))
    assert float(cp.ones(10_000).sum()) == 10_000
