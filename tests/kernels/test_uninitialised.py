"""Reads of what nobody has written, in the checking mode: variables, local, shared and global memory."""

import threading

import numpy as np
import pytest

import cuprum as cp

pytestmark = pytest.mark.cpu


def kernel(body, parameters="float* x", before=""):
    return cp.RawKernel(f'{before}\nextern "C" __global__ void f({parameters}) {{\n{body}\n}}\n', "f")


read = kernel("y[threadIdx.x] = x[threadIdx.x];", "const float* x, float* y")
write = kernel("x[threadIdx.x] = threadIdx.x;")


def told(line, thread, launch, *args):
    """Check that a launch is told to read without a value, at that line and by that thread."""
    with pytest.raises(cp.cuda.UninitializedError) as caught:
        launch(*args)
    error = caught.value
    assert (error.kernel, error.line, error.thread, error.block) == ("f", line, (thread, 0, 0), (0, 0, 0))
    return str(error)


def test_variables():
    some = kernel("float v;\nif (threadIdx.x != 3) v = 1;\nx[threadIdx.x] = v;")
    x = cp.zeros(8, "float32")
    some(1, 8, (x,))
    with cp.cuda.check():
        assert "uninitialised read of v" in told(5, 3, some, 1, 8, (x,))
        some(1, 3, (x,))
    assert x.get().tolist() == [1, 1, 1, 0, 1, 1, 1, 1]


def test_members():
    pair = "struct Pair { float a, b; };"
    copied = kernel("Pair p;\np.a = 1;\nPair q = p;\nx[0] = n ? q.b : q.a;", "float* x, int n", pair)
    x = cp.zeros(1, "float32")
    with cp.cuda.check():
        copied(1, 1, (x, 0))
        told(6, 0, copied, 1, 1, (x, 1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: cp.empty(8, "float32"),
        lambda: cp.empty_like(cp.zeros(8, "float32")),
        lambda: cp.ndarray(8, "float32"),
        lambda: cp.cuda.alloc(32),
        lambda: cp.cuda.MemoryPool().malloc(32),
    ],
)
def test_arrays_that_nobody_filled(make):
    y = cp.zeros(8, "float32")
    read(1, 8, (make(), y))
    with cp.cuda.check():
        x = make()
        assert "of x: nobody has written it" in told(3, 0, read, 1, 8, (x, y))
        write(1, 5, (x,))
        read(1, 5, (x, y))
        told(3, 5, read, 1, 8, (x, y))
        write(1, 8, (x,))
        read(1, 8, (x, y))
    np.testing.assert_array_equal(y.get(), np.arange(8))


def test_sums_into_memory_that_nobody_filled():
    add = kernel("atomicAdd(x, 1.0f);")
    with cp.cuda.check():
        told(3, 0, add, 1, 4, (cp.empty(1, "float32"),))
        x = cp.zeros(1, "float32")
        add(1, 4, (x,))
    assert float(x[0]) == 4


def test_vectors():
    four = kernel("float4 v = x[threadIdx.x];\ny[threadIdx.x] = v.x;", "const float4* x, float* y")
    y = cp.zeros(2, "float32")
    with cp.cuda.check():
        x = cp.empty(8, "float32")
        told(3, 0, four, 1, 1, (x, y))
        x[0] = 5
        four(1, 1, (x, y))
        x[3] = 5
        x[5:8] = 1
        told(4, 1, four, 1, 2, (x, y))


def _filled():
    """Yield the ways that the library itself writes an array of eight floats."""
    host = np.arange(8, dtype="float32")
    yield "fill", lambda x: x.fill(3)
    yield "set", lambda x: x.set(host)
    yield "slice", lambda x: x.__setitem__(slice(None), 1)
    yield "array", lambda x: x.__setitem__(Ellipsis, cp.asarray(host))
    yield "mask", lambda x: x.__setitem__(cp.ones(8, bool), 2)
    yield "indices", lambda x: x.__setitem__(cp.arange(8), 2)
    yield "put", lambda x: x.put(cp.arange(8), cp.asarray(host))
    yield "out", lambda x: cp.add(cp.asarray(host), 1, out=x)
    yield "reduction", lambda x: cp.sum(cp.ones((3, 8), "float32"), axis=0, out=x)
    yield "cumsum", lambda x: cp.cumsum(cp.asarray(host), out=x)
    yield "take", lambda x: cp.take(cp.asarray(host), cp.arange(8), out=x)
    yield "matmul", lambda x: cp.matmul(cp.ones((8, 2), "float32"), cp.ones(2, "float32"), out=x)
    yield "concatenate", lambda x: cp.concatenate([cp.asarray(host[:4]), cp.asarray(host[4:])], out=x)
    yield "copyto", lambda x: cp.copyto(x, cp.asarray(host))
    yield "random", lambda x: cp.random.default_rng(1).random(dtype="float32", out=x)
    yield "in place", lambda x: x.__imul__(0)
    yield "sort", lambda x: x.sort()
    yield "memset", lambda x: x.data.memset(0, 32)
    yield "runtime", lambda x: cp.cuda.runtime.memset(x.data.ptr, 0, 32)
    yield "copy", lambda x: x.data.copy_from_host(host.ctypes.data, 32)
    yield "view", lambda x: x.view("int32").fill(1)
    yield "buffer", lambda x: np.frombuffer(memoryview(x), "float32")
    yield "dlpack", lambda x: np.from_dlpack(x)


@pytest.mark.parametrize("how", [pytest.param(fill, id=name) for name, fill in _filled()])
def test_what_the_library_writes_is_written(how):
    y = cp.zeros(8, "float32")
    with cp.cuda.check():
        x = cp.empty(8, "float32")
        how(x)
        read(1, 8, (x, y))


def test_results_of_the_library_are_written():
    y = cp.zeros(8, "float32")
    with cp.cuda.check():
        for _ in range(50):
            # The memory of one array is given to the next.
            x = cp.empty(8, "float32")
            del x
            read(1, 8, (cp.zeros(8, "float32") + 1, y))
            read(1, 8, (cp.sort(cp.ones(8, "float32")), y))
            read(1, 8, (cp.asarray(np.ones(8, "float32")), y))
        pool = cp.cuda.MemoryPool()
        with cp.cuda.using_allocator(pool.malloc):
            read(1, 8, (cp.zeros(8, "float32"), y))
            told(3, 0, read, 1, 8, (cp.empty(8, "float32"), y))


def test_kernels_without_the_check_write_too():
    y = cp.zeros(8, "float32")
    with cp.cuda.check():
        x, z = cp.empty(8, "float32"), cp.empty(8, "float32")
    write(1, 8, (x,))
    by_address = kernel("((float*)address)[threadIdx.x] = 1;", "long long address")
    by_address(1, 8, (z.data.ptr,))
    with cp.cuda.check():
        read(1, 8, (x, y))
        read(1, 8, (z, y))


def test_parts_of_arrays():
    y = cp.zeros(8, "float32")
    with cp.cuda.check():
        x = cp.empty(8, "float32")
        x[2:6] = 1
        read(1, 4, (x[2:], y))
        told(3, 4, read, 1, 5, (x[2:], y))
        told(3, 0, read, 1, 1, (x, y))


def test_elementwise_kernels():
    with cp.cuda.check():
        add = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "add")
        np.testing.assert_array_equal(add(cp.arange(4.0)).get(), np.arange(4.0) + 1)
        more = cp.ElementwiseKernel("T x", "T y", "y += x", "more")
        with pytest.raises(cp.cuda.UninitializedError):
            more(cp.arange(4.0))
        largest = cp.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", "", "largest")
        assert float(largest(cp.arange(300.0))) == 299
        with pytest.raises(cp.cuda.UninitializedError):
            add(cp.empty(4))


def test_other_threads_are_not_checked():
    y, made = cp.zeros(8, "float32"), []
    with cp.cuda.check():
        thread = threading.Thread(target=lambda: made.append(cp.empty(8, "float32", device="cpu")))
        thread.start()
        thread.join()
        read(1, 8, (made[0], y))
