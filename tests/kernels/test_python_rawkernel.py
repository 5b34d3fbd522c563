"""CuPy's `jit.rawkernel`: its call shapes, names and typing."""

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp
from cuprum.compat.cupyx import jit


@jit.rawkernel()
def elementwise_copy(x, y, size):
    tid = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    ntid = jit.gridDim.x * jit.blockDim.x
    for i in range(tid, size, ntid):
        y[i] = x[i]


def test_both_ways_to_launch():
    size = np.uint32(2**12)
    x = cp.random.normal(size=(size,), dtype=np.float32)
    y = cp.empty((size,), dtype=np.float32)
    elementwise_copy((8,), (128,), (x, y, size))
    assert (cp.asnumpy(x) == cp.asnumpy(y)).all()
    y[...] = 0
    elementwise_copy[8, 128](x, y, size)
    assert (cp.asnumpy(x) == cp.asnumpy(y)).all()
    assert "__global__" in elementwise_copy.cached_code
    assert len(elementwise_copy.cached_codes) == 1


@jit.rawkernel()
def reduction(x, y, size):
    tid = jit.threadIdx.x
    ntid = jit.blockDim.x
    value = cp.float32(0)
    for i in range(tid, size, ntid):
        value += x[i]
    smem = jit.shared_memory(cp.float32, 1024)
    smem[tid] = value
    jit.syncthreads()
    if tid == cp.uint32(0):
        value = cp.float32(0)
        for i in range(ntid):
            value += smem[i]
        y[0] = value


def test_reduction_in_shared_memory():
    x = cp.ones(5000, "float32")
    y = cp.zeros(1, "float32")
    reduction((1,), (256,), (x, y, cp.uint32(5000)))
    assert float(y[0]) == 5000


@jit.rawkernel()
def dynamic(x, y):
    own = jit.shared_memory(np.int32, None)
    t = jit.threadIdx.x
    own[t] = x[t]
    jit.syncthreads()
    y[t] = own[jit.blockDim.x - 1 - t]


def test_dynamic_shared_memory():
    x = cp.arange(64, dtype="int32")
    y = cp.zeros_like(x)
    dynamic((1,), (64,), (x, y), shared_mem=64 * 4)
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(64)[::-1])


@jit.rawkernel(device=True)
def squared(x):
    return x * x


@jit.rawkernel()
def calls(x, y):
    i = jit.grid(1)
    if i < x.size:
        y[i] = squared(x[i]) + jit.laneid() * 0 + jit.warpsize


def test_device_functions():
    x = cp.arange(10, dtype="float64")
    y = cp.zeros_like(x)
    calls[1, 32](x, y)
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(10.0) ** 2 + 32)


@jit.rawkernel()
def atomics(x, out, words):
    i = jit.grid(1)
    if i < x.shape[0]:
        jit.atomic_add(out, 0, x[i])
        jit.atomic_max(out, 1, x[i])
        jit.atomic_min(out, 2, x[i])
        jit.atomic_sub(out, 3, x[i])
        jit.atomic_or(words, 0, 1)
        jit.atomic_and(words, 1, 2)
        jit.atomic_xor(words, 2, 1)
        jit.atomic_inc(words, 3, 1000)
        jit.atomic_cas(words, 4, 0, 9)
        jit.atomic_exch(words, 5, 7)


def test_atomics():
    x = cp.arange(1, 101, dtype="int32")
    out = cp.array([0, 0, 1000, 0], dtype="int32")
    words = cp.array([0, 3, 0, 0, 0, 0], dtype="uint32")
    atomics((1,), (128,), (x, out, words))
    assert cp.asnumpy(out).tolist() == [5050, 100, 1, -5050]
    assert cp.asnumpy(words).tolist() == [1, 2, 0, 100, 9, 7]


@jit.rawkernel()
def warps(x, y):
    t = jit.threadIdx.x
    value = x[t]
    for k in jit.range(5, unroll=True):
        value += jit.shfl_xor_sync(0xFFFFFFFF, value, 1 << k)
    jit.syncwarp()
    y[t] = value + jit.shfl_down_sync(0xFFFFFFFF, x[t], 1, width=8)


def test_warps():
    x = cp.arange(32, dtype="float32")
    y = cp.zeros_like(x)
    warps((1,), (32,), (x, y))
    t = np.arange(32)
    below = np.where(t % 8 == 7, t, t + 1)
    np.testing.assert_array_equal(cp.asnumpy(y), 496 + below)


@jit.rawkernel(mode="numpy")
def in_numpys_mode(x, y):
    i = jit.grid(1)
    if i < len(x):
        y[i] = x[i] / 2 + 0.1


def test_numpys_mode():
    x = cp.arange(5, dtype="int32")
    y = cp.zeros(5)
    in_numpys_mode[1, 32](x, y)
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(5) / 2 + 0.1)
    with pytest.raises(ValueError, match="mode"):
        jit.rawkernel(mode="fortran")


@jit.rawkernel()
def grouped(x, y):
    t = jit.threadIdx.x
    own = jit.shared_memory(np.float64, 32)
    own[t] = x[t]
    block = jit.cg.this_thread_block()
    jit.cg.sync(block)
    y[t] = own[31 - t] + block.thread_rank() - t


def test_groups():
    x = cp.arange(32.0)
    y = cp.zeros(32)
    grouped[1, 32](x, y)
    np.testing.assert_array_equal(cp.asnumpy(y), np.arange(32.0)[::-1])


@jit.rawkernel()
def copied(x, y):
    block = jit.cg.this_thread_block()
    own = jit.shared_memory(np.int32, 64)
    jit.cg.memcpy_async(block, own, 0, x, 16, 4 * 48)
    jit.cg.wait(block)
    i = jit.threadIdx.x
    if i < 48:
        y[i] = own[47 - i] + cp.maximum(x[i], 5)


def test_a_group_copies():
    x = cp.arange(64, dtype="int32")
    y = cp.zeros(48, dtype="int32")
    copied[1, 64](x, y)
    i = np.arange(48)
    np.testing.assert_array_equal(cp.asnumpy(y), (16 + 47 - i) + np.maximum(i, 5))


def test_python_numbers_are_32_bits_wide():
    seen = {}

    @jit.rawkernel()
    def takes(y, n, f):
        y[0] = n + f

    y = cp.zeros(1)
    takes((1,), (1,), (y, 3, 0.5))
    assert float(y[0]) == 3.5
    (kinds,) = takes.cached_codes
    seen = [str(kind) for kind in kinds]
    assert seen[1:] == ["int32", "float32"]


def test_names_are_those_of_cupyx():
    code = """
    import cuprum.compat
    cuprum.compat.install()
    import cupyx.jit
    from cupyx import jit as again
    from cuprum.compat.cupyx import jit
    assert cupyx.jit is jit and again is jit
    assert cupyx.jit.cub.Sum is jit.cub.Sum and cupyx.jit.thrust.sort is jit.thrust.sort
    print("the same")
    """
    # In a process of its own: another CuPy may have been imported here.
    assert fresh_python(code) == "the same"


def test_half_numbers_are_added_atomically():
    @jit.rawkernel()
    def kernel(x, out):
        jit.atomic_add(out, jit.threadIdx.x % 2, x[jit.threadIdx.x])

    x = cp.arange(64, dtype="float16") / 8
    out = cp.zeros(2, "float16")
    kernel((1,), (64,), (x, out))
    host = cp.asnumpy(x).astype(float)
    assert cp.asnumpy(out).tolist() == [host[0::2].sum(), host[1::2].sum()]


def test_widths_of_shuffles_that_are_known_only_when_run():
    @jit.rawkernel()
    def kernel(x, width):
        x[jit.threadIdx.x] = jit.shfl_sync(0xFFFFFFFF, x[jit.threadIdx.x], 0, width=width)

    for width in (2, 4, 8, 16, 32):
        x = cp.arange(32, dtype="int32")
        kernel((1,), (32,), (x, width))
        assert cp.asnumpy(x).tolist() == [lane - lane % width for lane in range(32)]


def test_lanes_that_nobody_reads_from_need_not_bind_a_value():
    @jit.rawkernel()
    def kernel(a, x):
        if jit.threadIdx.x == 0:
            value = a
        value = jit.shfl_sync(0xFFFFFFFF, value, 0)
        x[jit.threadIdx.x] = value

    for dtype in (np.int32, np.uint64, np.float32, np.float64):
        x = cp.zeros(32, dtype)
        kernel((1,), (32,), (dtype(100), x))
        assert (cp.asnumpy(x) == 100).all()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
def test_dtypes_make_numbers(kind):
    @jit.rawkernel()
    def kernel(x):
        x[jit.threadIdx.x] = cp.dtype(kind).type(np.inf)

    x = cp.zeros(4, kind)
    kernel((1,), (4,), (x,))
    assert (cp.asnumpy(x) == np.full(4, np.inf, kind)).all()


@pytest.mark.parametrize("hint, text", [(True, "#pragma unroll\n"), (False, "unroll(1)"), (3, "unroll(3)")])
def test_loops_are_unrolled(hint, text):
    @jit.rawkernel()
    def kernel(x):
        for k in jit.range(5, unroll=hint):
            x[jit.threadIdx.x] += k

    x = cp.zeros(4)
    kernel((1,), (4,), (x,))
    assert cp.asnumpy(x).tolist() == [10] * 4 and text in kernel.cached_code


def test_groups_say_where_a_thread_is():
    @jit.rawkernel()
    def kernel(x):
        block, grid = jit.cg.this_thread_block(), jit.cg.this_grid()
        if grid.thread_rank() == 37:
            x[0], x[1] = block.thread_rank(), block.num_threads()
            x[2] = block.group_index().x
            x[3] = block.thread_index().x
            size = block.group_dim()
            x[4], x[5], x[6] = size.x, size.y, size.z
            x[7], x[8] = grid.size(), grid.num_blocks()
            x[9] = grid.block_rank()
            x[10] = grid.dim_blocks().x
            x[11] = grid.is_valid()

    x = cp.zeros(12, "uint64")
    kernel((2,), (32,), (x,))
    assert cp.asnumpy(x).tolist() == [5, 32, 1, 5, 32, 1, 1, 64, 2, 1, 2, 1]
