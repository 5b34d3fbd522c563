"""`malloc`, `free`, `new` and `delete` in kernels."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, rows, run
from twin import fresh_python

import cuprum as cp

I32 = np.int32
F = np.float32
T = np.arange(32)

CASES = [
    Case(
        """struct Node {
            int value;
            Node* next;
            __device__ Node(int v, Node* n) : value(v), next(n) {}
        };
        extern "C" __global__ void lists(int* out) {
            Node* head = nullptr;
            for (int i = 0; i < 5; ++i) head = new Node(i * threadIdx.x, head);
            int sum = 0;
            while (head) {
                sum = sum * 2 + head->value;
                Node* next = head->next;
                delete head;
                head = next;
            }
            out[threadIdx.x] = sum;
        }""",
        lambda: [np.zeros(32, I32)],
        lambda out: {0: sum(i * T << i for i in range(5))},
    ),
    Case(
        """extern "C" __global__ void arrays(float* out, int n) {
            float* held = new float[n + threadIdx.x];
            double* wide = (double*)malloc(4 * sizeof(double));
            for (int i = 0; i < n + threadIdx.x; ++i) held[i] = i;
            wide[3] = held[n + threadIdx.x - 1];
            out[threadIdx.x] = held[2] + (float)wide[3];
            delete[] held;
            free(wide);
            free(nullptr);
        }""",
        lambda: [np.zeros(32, F), 10],
        lambda out, n: {0: 2 + 9 + T},
    ),
    Case(
        """struct Counter {
            int* at;
            __device__ Counter(int* p) : at(p) { *at += 1; }
            __device__ ~Counter() { *at += 100; }
        };
        struct Seven { int value; __device__ Seven() : value(7) {} };
        extern "C" __global__ void constructors(int* out, int n) {
            int* at = out + threadIdx.x;
            Counter* counter = new Counter(at);
            delete counter;
            Seven* sevens = new Seven[n];
            for (int i = 0; i < n; ++i) *at += sevens[i].value * 1000;
            delete[] sevens;
            __align__(8) char place[16];
            Counter* placed = new (place) Counter(at);
            placed->~Counter();
        }""",
        lambda: [np.zeros(32, I32), 4],
        lambda out, n: {0: np.full(32, 202 + 28000)},
        options=("-std=c++17",),
    ),
    Case(
        """__device__ int* kept[32];
        extern "C" __global__ void shared_by_threads(int* out) {
            int t = threadIdx.x;
            kept[t] = new int(t * t);
            __syncthreads();
            out[t] = *kept[31 - t];
            __syncthreads();
            delete kept[31 - t];
        }""",
        lambda: [np.zeros(32, I32)],
        lambda out: {0: (31 - T) ** 2},
    ),
]


@rows(CASES)
def test_heap(case):
    run(case)


def test_memory_outlives_the_kernel():
    module = cp.RawModule(
        code="""__device__ int* kept;
        extern "C" __global__ void make(int n) {
            kept = new int[n];
            for (int i = 0; i < n; ++i) kept[i] = i * i;
        }
        extern "C" __global__ void take(int* out, int n) {
            for (int i = 0; i < n; ++i) out[i] = kept[i];
            delete[] kept;
        }
        """
    )
    out = cp.zeros(10, "int32")
    module.get_function("make")((1,), (1,), (10,))
    module.get_function("take")((1,), (1,), (out, 10))
    np.testing.assert_array_equal(cp.asnumpy(out), np.arange(10) ** 2)


EXHAUST = """extern "C" __global__ void exhaust(int* out) {
    char* last = nullptr;
    int n = 0;
    while (char* p = (char*)malloc(1 << 16)) {
        *(char**)p = last;
        last = p;
        ++n;
    }
    while (last) {
        char* before = *(char**)last;
        free(last);
        last = before;
    }
    *out = n;
}"""


@pytest.mark.skipif(not ON_CPU, reason="a GPU sets the limit before its first kernel")
def test_the_heap_has_a_limit_that_can_be_set():
    """In a process of its own: the limit stays while kernels of other tests hold memory."""
    program = f"""
        EXHAUST = {EXHAUST!r}
        runtime = cp.cuda.runtime
        before = runtime.deviceGetLimit(2)
        assert before == 8 << 20
        kernel, out = cp.RawKernel(EXHAUST, "exhaust"), cp.zeros(1, "int32")
        for limit in (1 << 20, 3 << 20, before):
            runtime.deviceSetLimit(2, limit)
            assert runtime.deviceGetLimit(2) == limit
            for _ in range(2):
                kernel((1,), (1,), (out,))
                assert int(out[0]) == limit >> 16
        print("done")
        """
    assert fresh_python(program).strip() == "done"


@pytest.mark.skipif(not ON_CPU, reason="a GPU does not check")
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("int* p = new int[4]; p[4] = 1;", "out-of-bounds write of 4 bytes"),
        ("int* p = new int[4]; delete[] p; out[0] = p[1];", "out-of-bounds read of 4 bytes"),
        ("int* p = new int[4]; delete[] p; delete[] p;", "free of memory that is not allocated"),
        ("free(out);", "free of memory that is not allocated"),
    ],
)
def test_misuse_is_told(body, message):
    kernel = cp.RawKernel(f'extern "C" __global__ void misuse(int* out) {{ {body} }}', "misuse")
    with pytest.raises(cp.cuda.KernelMemoryError, match=message):
        kernel((1,), (1,), (cp.zeros(4, "int32"),))
