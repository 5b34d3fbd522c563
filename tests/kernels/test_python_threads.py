"""Threads of Python kernels: shared memory, barriers, warps, atomics, the grid."""

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat.numba import cuda

BLOCK = 64


@cuda.jit
def indices(out):
    i = cuda.grid(1)
    out[i, 0] = cuda.threadIdx.x
    out[i, 1] = cuda.blockIdx.x
    out[i, 2] = cuda.blockDim.x
    out[i, 3] = cuda.gridDim.x
    out[i, 4] = cuda.gridsize(1)
    out[i, 5] = cuda.laneid
    out[i, 6] = cuda.warpsize


def test_indices():
    out = np.zeros((96, 7), np.int64)
    indices[2, 48](out)
    i = np.arange(96)
    expected = [i % 48, i // 48, 48, 2, 96, i % 48 % 32, 32]
    for column, wanted in enumerate(expected):
        np.testing.assert_array_equal(out[:, column], np.broadcast_to(wanted, 96))


@cuda.jit
def indices_3d(out):
    x, y, z = cuda.grid(3)
    nx, ny, nz = cuda.gridsize(3)
    if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
        out[x, y, z] = (x * ny + y) * nz + z


def test_three_axes():
    out = np.zeros((4, 6, 8), np.int64)
    indices_3d[(2, 3, 2), (2, 2, 4)](out)
    np.testing.assert_array_equal(out, np.arange(4 * 6 * 8).reshape(4, 6, 8))


@cuda.jit
def reversed_in_blocks(a, out):
    own = cuda.shared.array(BLOCK, np.float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    own[t] = a[i]
    cuda.syncthreads()
    out[i] = own[BLOCK - 1 - t]


def test_shared_arrays():
    a, out = np.arange(256.0), np.zeros(256)
    reversed_in_blocks[4, BLOCK](a, out)
    np.testing.assert_array_equal(out, a.reshape(4, BLOCK)[:, ::-1].ravel())


@cuda.jit
def block_sums(a, out):
    own = cuda.shared.array(0, np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    own[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    width = cuda.blockDim.x // 2
    while width > 0:
        if t < width:
            own[t] += own[t + width]
        cuda.syncthreads()
        width //= 2
    if t == 0:
        out[cuda.blockIdx.x] = own[0] + own.size * 1000


def test_dynamic_shared_memory():
    a = np.arange(300, dtype=np.float32)
    out = np.zeros(3, np.float32)
    block_sums[3, 128, 0, 128 * 4](a, out)
    padded = np.concatenate([a, np.zeros(84, np.float32)]).reshape(3, 128)
    np.testing.assert_array_equal(out, padded.sum(axis=1) + 128_000)


@cuda.jit(device=True)
def through_shared(value):
    own = cuda.shared.array(0, np.int64)
    own[cuda.threadIdx.x] = value
    cuda.syncthreads()
    return own[(cuda.threadIdx.x + 1) % cuda.blockDim.x] + own.shape[0]


@cuda.jit
def calls_through_shared(out):
    out[cuda.threadIdx.x] = through_shared(cuda.threadIdx.x * 2)


def test_dynamic_shared_memory_of_device_functions():
    out = np.zeros(16, np.int64)
    calls_through_shared[1, 16, 0, 16 * 8](out)
    np.testing.assert_array_equal(out, (np.arange(16) + 1) % 16 * 2 + 16)


@cuda.jit
def barriers_that_count(a, out):
    t = cuda.threadIdx.x
    out[t, 0] = cuda.syncthreads_count(a[t] > 3)
    out[t, 1] = cuda.syncthreads_and(a[t] >= 0)
    out[t, 2] = cuda.syncthreads_or(a[t] == 100)


def test_barriers_that_count():
    a, out = np.arange(40), np.zeros((40, 3), np.int64)
    barriers_that_count[1, 40](a, out)
    assert set(out[:, 0]) == {36}
    assert (out[:, 1] != 0).all() and (out[:, 2] == 0).all()


FULL = 0xFFFFFFFF


@cuda.jit
def shuffles(a, out):
    t = cuda.threadIdx.x
    x = a[t]
    out[0, t] = cuda.shfl_sync(FULL, x, 3)
    out[1, t] = cuda.shfl_up_sync(FULL, x, 2)
    out[2, t] = cuda.shfl_down_sync(FULL, x, 1)
    out[3, t] = cuda.shfl_xor_sync(FULL, x, 5)
    total = x
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(FULL, total, offset)
        offset //= 2
    out[4, t] = cuda.shfl_sync(FULL, total, 0)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_shuffles(dtype):
    a = (np.arange(32) ** 2).astype(dtype)
    out = np.zeros((5, 32), dtype)
    shuffles[1, 32](a, out)
    t = np.arange(32)
    expected = [a[3], a[np.where(t < 2, t, t - 2)], a[np.where(t > 30, t, t + 1)], a[t ^ 5], a.sum()]
    for row, wanted in zip(out, expected, strict=True):
        np.testing.assert_array_equal(row, np.broadcast_to(wanted, 32))


@cuda.jit
def votes(a, out):
    t = cuda.threadIdx.x
    out[0, t] = cuda.all_sync(FULL, a[t] >= 0)
    out[1, t] = cuda.any_sync(FULL, a[t] == 7)
    out[2, t] = cuda.eq_sync(FULL, a[t] > 100)
    out[3, t] = cuda.ballot_sync(FULL, a[t] % 2 == 0)
    out[4, t] = cuda.match_any_sync(FULL, a[t] // 8)
    mask, same = cuda.match_all_sync(FULL, a[t] // 100)
    out[5, t] = mask * same
    out[6, t] = cuda.lanemask_lt()
    cuda.syncwarp()


def test_votes():
    a, out = np.arange(32), np.zeros((7, 32), np.int64)
    votes[1, 32](a, out)
    t = np.arange(32)
    assert (out[0] == 1).all() and (out[1] == 1).all() and (out[2] == 1).all()
    assert set(out[3]) == {0x55555555}
    np.testing.assert_array_equal(out[4], 0xFF << (8 * (t // 8)))
    assert set(out[5]) == {FULL}
    np.testing.assert_array_equal(out[6], (1 << t) - 1)


@cuda.jit
def bits(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i]
        out[0, i] = cuda.popc(x)
        out[1, i] = cuda.clz(x)
        out[2, i] = cuda.ffs(x)
        out[3, i] = cuda.brev(np.uint32(x))
        out[4, i] = cuda.selp(x > 5, x, 5)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "uint32", "int64"])
def test_bits(dtype):
    a = np.array([0, 1, 6, 100, 127], dtype)
    out = np.zeros((5, a.size), np.int64)
    bits[1, 32](a, out)
    width = 8 * a.itemsize
    for i, x in enumerate(a.tolist()):
        turned = int(f"{x:032b}"[::-1], 2)
        lowest = (x & -x).bit_length()
        assert out[:, i].tolist() == [bin(x).count("1"), width - x.bit_length(), lowest, turned, max(x, 5)]


@cuda.jit
def fused(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = cuda.fma(a[i], a[i], 1.0) + cuda.cbrt(a[i])


def test_fma_and_cbrt():
    a = np.array([0.1, 2.0, 27.0])
    out = np.zeros(3)
    fused[1, 3](a, out)
    np.testing.assert_allclose(out, a * a + 1 + np.cbrt(a), rtol=1e-15)


@cuda.jit
def histogram(a, out):
    i = cuda.grid(1)
    step = cuda.gridsize(1)
    for k in range(i, a.size, step):
        cuda.atomic.add(out, a[k] % out.size, 1)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_atomic_add_makes_a_histogram(dtype):
    a = np.random.default_rng(3).integers(0, 1000, 5000)
    out = np.zeros(17, dtype)
    histogram[8, 64](a, out)
    np.testing.assert_array_equal(out, np.bincount(a % 17, minlength=17))


@cuda.jit
def atomics(a, out, words):
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.max(out, 0, a[i])
        cuda.atomic.min(out, 1, a[i])
        cuda.atomic.sub(out, 2, a[i])
        cuda.atomic.nanmax(out, 3, a[i])
        cuda.atomic.nanmin(out, 4, a[i])
        cuda.atomic.or_(words, 0, 1 << (i % 20))
        cuda.atomic.and_(words, 1, ~(1 << (i % 20)))
        cuda.atomic.xor(words, 2, i)
        cuda.atomic.add(words, (3,), 1)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "float32", "float64"])
def test_atomics(dtype):
    a = np.random.default_rng(5).integers(1, 1000, 200).astype(dtype)
    out = np.array([0, 2000, 1000000, 0, 2000], dtype)
    words = np.array([0, 0xFFFFFF, 0, 0], np.int32)
    atomics[4, 64](a, out, words)
    assert out.tolist() == [a.max(), a.min(), 1000000 - int(a.sum()), a.max(), a.min()]
    xor = int(np.bitwise_xor.reduce(np.arange(200)))
    assert words.tolist() == [0xFFFFF, 0xF00000, xor, 200]


@cuda.jit
def extremes_with_nan(a, out):
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.nanmax(out, 0, a[i])
        cuda.atomic.nanmin(out, 1, a[i])
        cuda.atomic.max(out, 2, a[i])
        cuda.atomic.min(out, 3, a[i])
        cuda.atomic.max(out, 4, a[i])
        cuda.atomic.min(out, 5, a[i])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_never_wins(dtype):
    """Of all four, and what is there already stays but for `nanmax` and `nanmin`, as in Numba."""
    a = np.array([np.nan, 3, -5, np.nan, 7], dtype)
    out = np.array([np.nan, np.nan, 0, 0, np.nan, np.nan], dtype)
    extremes_with_nan[1, 8](a, out)
    np.testing.assert_array_equal(out, [7, -5, 7, -5, np.nan, np.nan])


@cuda.jit
def old_values(a, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.add(a, (0, 1), 2)
    cuda.atomic.inc(a, (1, 0), 4)
    cuda.atomic.dec(a, (1, 1), 5)


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_atomics_return_the_old_value(dtype):
    a, out = np.zeros((2, 2), dtype), np.zeros(8, np.int64)
    old_values[1, 8](a, out)
    assert sorted(out.tolist()) == [0, 2, 4, 6, 8, 10, 12, 14]
    increments = decrements = 0
    for _ in range(8):
        increments = 0 if increments >= 4 else increments + 1
        decrements = 5 if decrements == 0 else decrements - 1
    assert a.tolist() == [[0, 16], [increments, decrements]]


@cuda.jit
def exchanges(a, out):
    i = cuda.grid(1)
    out[i, 0] = cuda.atomic.exch(a, 0, i + 1)
    out[i, 1] = cuda.atomic.cas(a, 1, 0, i + 1)
    out[i, 2] = cuda.atomic.compare_and_swap(a[2:], -1, i)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_exchanges(dtype):
    a, out = np.array([0, 0, -1], dtype), np.zeros((16, 3), np.int64)
    exchanges[1, 16](a, out)
    assert sorted([*out[:, 0].tolist(), int(a[0])]) == list(range(17))
    assert (out[:, 1] == 0).sum() == 1 and a[1] - 1 == int(np.flatnonzero(out[:, 1] == 0)[0])
    assert (out[:, 2] == -1).sum() == 1 and a[2] == int(np.flatnonzero(out[:, 2] == -1)[0])


@cuda.jit
def shared_counter(out):
    count = cuda.shared.array(1, np.int32)
    if cuda.threadIdx.x == 0:
        count[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(count, 0, cuda.threadIdx.x)
    cuda.syncthreads()
    out[cuda.grid(1)] = count[0]


def test_atomics_on_shared_memory():
    out = np.zeros(128, np.int32)
    shared_counter[2, 64](out)
    assert set(out) == {63 * 32}


@cuda.jit
def early_threads_leave(a, out):
    own = cuda.shared.array(64, np.float64)
    t = cuda.threadIdx.x
    if t >= a.size:
        return
    own[t] = a[t]
    cuda.syncthreads()
    out[t] = own[a.size - 1 - t]


@pytest.mark.no_gpu
def test_threads_that_left_are_not_waited_for():
    a, out = np.arange(40.0), np.zeros(40)
    early_threads_leave[1, 64](a, out)
    np.testing.assert_array_equal(out, a[::-1])


@cuda.jit
def without_a_barrier(a, out):
    own = cuda.shared.array(64, np.float64)
    t = cuda.threadIdx.x
    own[t] = a[t]
    out[t] = own[63 - t]


@pytest.mark.no_gpu
def test_the_checking_mode_names_the_python_line():
    with cp.cuda.check(), pytest.raises(RuntimeError) as raised:
        without_a_barrier[1, 64](np.arange(64.0), np.zeros(64))
    text = str(raised.value)
    assert "own_array" in text and f"{__file__}:" in text
    assert text.endswith(": out[t] = own[63 - t]") or ": own[t] = a[t]" in text


@cuda.jit
def endless(a):
    while a[0] == 0:
        pass


@pytest.mark.no_gpu
def test_a_kernel_that_does_not_end_is_stopped():
    raw = cuda.jit(endless.py_func)
    raw[1, 1](np.ones(1))
    (compiled,) = raw.overloads.values()
    with pytest.raises(RuntimeError, match="endless"):
        compiled.function.launch((1,), (1,), (cp.zeros(1), 1), timeout=0.2)


@cuda.jit
def fences(a, flag, out):
    if cuda.grid(1) == 0:
        a[0] = 42.0
        cuda.threadfence()
        cuda.atomic.exch(flag, 0, 1)
    cuda.threadfence_block()
    cuda.threadfence_system()
    out[cuda.grid(1)] = 1


def test_fences():
    a, flag, out = np.zeros(1), np.zeros(1, np.int32), np.zeros(4)
    fences[1, 4](a, flag, out)
    assert a[0] == 42 and flag[0] == 1 and out.sum() == 4


@cuda.jit
def printed(a):
    i = cuda.grid(1)
    if i < a.size:
        print("value", i, a[i], a[i] > 1, (1, 2.5))


def test_print(on_gpu, capfd):
    printed[1, 2](np.array([0.5, 1.5]))
    cuda.synchronize()
    if not on_gpu:
        lines = sorted(capfd.readouterr().out.splitlines())
        assert lines == ["value 0 0.500000 False (1, 2.500000)", "value 1 1.500000 True (1, 2.500000)"]


@cp.jit
def ours(a, out):
    i = cp.jit.grid(1)
    if i < a.size:
        cp.jit.atomic.add(out, 0, a[i])


def test_the_names_are_in_cp_jit_too():
    a, out = cp.arange(100.0), cp.zeros(1)
    ours[1, 128](a, out)
    ours((1,), (128,), (a, out))
    assert float(out[0]) == 2 * 4950


@cuda.jit
def whole_grid(a, out):
    i = cuda.grid(1)
    a[i] = i
    group = cuda.cg.this_grid()
    group.sync()
    out[i] = a[a.size - 1 - i]


def test_the_whole_grid_waits():
    a, out = np.zeros(64, np.int64), np.zeros(64, np.int64)
    properties = cp.cuda.runtime.getDeviceProperties(0)
    # The stand-in runs one block after the other.
    blocks = 1 if b"stand-in" in bytes(properties["name"]) else 2
    whole_grid[blocks, 64 // blocks](a, out)
    np.testing.assert_array_equal(out, np.arange(64)[::-1])
