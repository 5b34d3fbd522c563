"""Wrong kernels over the stand-in: each is reported as a GPU, or a sanitizer on one, would report it."""

from ctypes import c_int

import numpy as np
from driver_api import ADD, ASSERT, ILLEGAL_ADDRESS, LAUNCH_FAILED, MISALIGNED, fails


def wrong(machine, body, code, capfd, says, grid=1, block=64):
    kernel = machine.kernel('extern "C" __global__ void kernel(int* x, int n) {\n' + body + "\n}")
    x = machine.to_device(np.arange(64, dtype="i4"))
    capfd.readouterr()
    with fails(code):
        kernel(grid, block, x, c_int(64))
    said = capfd.readouterr().err
    assert "kernel kernel" in said
    for words in says:
        assert words in said
    machine.free(x)
    # The driver goes on.
    kernel = machine.kernel(ADD, "add")
    one, two, out = (machine.to_device(np.full(1, v, "f4")) for v in (1, 2, 0))
    kernel(1, 1, one, two, out, c_int(1))
    assert machine.to_host(out, np.empty(1, "f4"))[0] == 3
    machine.free(one, two, out)


def test_deadlocks_are_reported(machine, capfd):
    body = "if (threadIdx.x != 7) {\n__syncthreads(); } else __shfl_sync(~0u, n, 0);"
    says = ["deadlock", "63 at __syncthreads in line 3", "1 at __shfl_sync in line 3"]
    wrong(machine, body, LAUNCH_FAILED, capfd, says)
    wrong(machine, "while (atomicAdd(x, 0) != -1) {}", LAUNCH_FAILED, capfd, ["spin without end"])


def test_barriers_that_differ(machine, capfd):
    body = "if (threadIdx.x % 2)\n__syncthreads();\nelse\n__syncthreads();"
    wrong(machine, body, LAUNCH_FAILED, capfd, ["different barriers", "5 and 3"])


def test_a_mask_without_the_caller(machine, capfd):
    wrong(machine, "__syncwarp(1u);", LAUNCH_FAILED, capfd, ["0x00000001", "lane 1"])


def test_threads_that_have_ended_are_not_waited_for(machine):
    kernel = machine.kernel("""
        extern "C" __global__ void kernel(int* x) {
            if (threadIdx.x >= 40) return;
            __syncthreads();
            x[threadIdx.x] = __ballot_sync(~0u, 1);
        }
    """)
    x = machine.empty(64 * 4)
    kernel(1, 64, x)
    got = machine.to_host(x, np.empty(64, "i4"))
    assert (got[:32] == -1).all() and (got[32:40] == 0xFF).all()
    assert (got[40:].view("u4") == 0xA5A5A5A5).all()
    machine.free(x)


def test_writing_out_of_bounds(machine, capfd):
    says = ["wrote out of bounds, 0 bytes behind a block of 256 bytes"]
    wrong(machine, "x[threadIdx.x + 1] = 3;", LAUNCH_FAILED, capfd, says)
    wrong(machine, "x[-2] = 3;", LAUNCH_FAILED, capfd, ["8 bytes before"])


def test_memory_that_is_not_there(machine, capfd):
    wrong(machine, "x[threadIdx.x * 1ll << 40] = 3;", ILLEGAL_ADDRESS, capfd, ["thread (1, 0, 0)"])


def test_misaligned_access(machine, capfd):
    wrong(
        machine, "*reinterpret_cast<int4*>(x + 1) = make_int4(1, 2, 3, 4);", MISALIGNED, capfd, ["misaligned"]
    )


def test_index_beyond_a_shared_array(machine, capfd):
    wrong(machine, "__shared__ int s[32]; s[n - 32] = 1; x[0] = s[0];", MISALIGNED, capfd, ["bounds"])


def test_asserts_traps_and_divisions(machine, capfd):
    wrong(machine, "assert(n == 63);", ASSERT, capfd, ["assertion failed: n == 63, line 2 of kernel.cu"])
    wrong(machine, "if (n) __trap();", LAUNCH_FAILED, capfd, ["__trap"])
    wrong(machine, "x[0] = x[1] / (n - 64);", LAUNCH_FAILED, capfd, ["division by zero"])


def test_endless_kernels_end(machine, monkeypatch, capfd):
    monkeypatch.setenv("CUPRUM_STANDIN_TIMEOUT", "1")
    wrong(machine, "while (*(volatile int*)x == 0) {}", LAUNCH_FAILED, capfd, ["time limit"])


def test_memory_nobody_wrote_is_poison(machine):
    kernel = machine.kernel("""
        __device__ unsigned kept;
        template <class T> T of_template(bool first) { __shared__ T s; if (first) s = 1; return s; }
        inline unsigned of_inline(bool first) { __shared__ unsigned s; if (first) s = 1; return s; }
        static unsigned of_static(bool first) { __shared__ unsigned s; if (first) s = 1; return s; }
        extern "C" __global__ void kernel(unsigned* x) {
            __shared__ unsigned s;
            bool first = blockIdx.x == 0;
            if (first) s = kept = 1;
            x += 5 * blockIdx.x;
            x[0] = s, x[1] = of_template<unsigned>(first), x[2] = of_inline(first), x[3] = of_static(first);
            x[4] = kept;
        }
    """)
    x = machine.empty(40)
    assert (machine.to_host(x, np.empty(40, "u1")) == 0xA5).all()
    kernel(2, 1, x)
    assert machine.to_host(x, np.empty(10, "u4")).tolist() == [1] * 5 + [0xA5A5A5A5] * 4 + [1]
    machine.free(x)
