"""Inline PTX as matrix kernels write it: shared addresses, asynchronous copies, `ldmatrix`, `mma`, half pairs."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, floats, integers, not_on_standin, rows, run

import cuprum as cp

F = np.float32
I32 = np.int32
SHARED = r"""
#include <stdint.h>
__device__ __forceinline__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void copy16(uint32_t to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" :: "r"(to), "l"(from));
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;\n" :: "n"(N)); }
"""


def ptx(code, *rest, **settings):
    return Case(SHARED + code, *rest, options=("--std=c++17",), marks=[not_on_standin], **settings)


def halves(*shape, seed=0):
    return integers(*shape, low=-8, high=8, seed=seed).astype(np.float16)


CASES = [
    ptx(
        r"""extern "C" __global__ void async_copies(const float4* x, float4* y, int n) {
            __shared__ __align__(16) float4 stage[2][32];
            int t = threadIdx.x;
            copy16(shared_address(&stage[0][t]), x + t);
            commit();
            for (int s = 0; s < n; s++) {
                if (s + 1 < n) copy16(shared_address(&stage[(s + 1) & 1][t]), x + (s + 1) * 32 + t);
                commit();
                wait<1>();
                __syncthreads();
                y[s * 32 + t] = stage[s & 1][31 - t];
                __syncthreads();
            }
        }""",
        lambda: [floats(3, 32, 4), np.zeros((3, 32, 4), F), I32(3)],
        lambda x, y, n: {1: x[:, ::-1]},
    ),
    ptx(
        r"""extern "C" __global__ void partial_copies(const unsigned char* x, unsigned* y) {
            __shared__ __align__(16) unsigned words[32];
            uint32_t at = shared_address(&words[threadIdx.x]);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(at), "l"(x + 4 * threadIdx.x), "r"(threadIdx.x & 3));
            asm volatile("cp.async.wait_all;");
            y[threadIdx.x] = words[threadIdx.x];
        }""",
        lambda: [integers(128, low=1, high=255, dtype=np.uint8), np.zeros(32, np.uint32)],
        lambda x, y: {
            1: [
                int.from_bytes(bytes(x[4 * i : 4 * i + (i & 3)]) + b"\0" * 4, "little") & (2**32 - 1)
                for i in range(32)
            ]
        },
    ),
    ptx(
        r"""extern "C" __global__ void hinted_copies(const unsigned* x, unsigned* y) {
            __shared__ __align__(16) unsigned words[32], others[32];
            int t = threadIdx.x;
            uint64_t policy;
            asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
            asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2;"
                :: "r"(shared_address(&words[t])), "l"(x + t), "l"(policy));
            asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; cp.async.ca.shared.global.L2::128B [%0], [%1], 4, p; }"
                :: "r"(shared_address(&others[t])), "l"(x + t), "r"(t & 1));
            asm volatile("cp.async.wait_all;");
            y[t] = words[t] + others[t];
        }""",
        lambda: [integers(32, low=1, high=255, dtype=np.uint32), np.zeros(32, np.uint32)],
        lambda x, y: {1: x + np.where(np.arange(32) % 2, 0, x).astype(np.uint32)},
    ),
    ptx(
        r"""extern "C" __global__ void shared_windows(int* out) {
            extern __shared__ int dynamic[];
            __shared__ int fixed[32];
            int t = threadIdx.x, a, b, c, old;
            uint32_t f = shared_address(fixed + t), d = shared_address(dynamic + t);
            asm volatile("st.shared.s32 [%0], %1;" :: "r"(f), "r"(t * 2) : "memory");
            if (t % 2 == 0) asm volatile("st.shared.v2.s32 [%0], {%1, %2};" :: "r"(d), "r"(t), "r"(t + 1) : "memory");
            __syncthreads();
            asm volatile("ld.shared.s32 %0, [%1];" : "=r"(a) : "r"(shared_address(fixed + 31 - t)));
            asm volatile("ld.shared.s32 %0, [%1 + 0];" : "=r"(b) : "r"(d));
            __syncthreads();
            asm volatile("atom.shared.add.s32 %0, [%1], 100;" : "=r"(old) : "r"(f));
            uint64_t window;
            asm("cvta.to.shared.u64 %0, %1;" : "=l"(window) : "l"(fixed + t));
            c = *(int*)__cvta_shared_to_generic(window);
            out[t] = a + 1000 * b + 1000000 * (c - old) / 100 + (window == f);
        }""",
        lambda: [np.zeros(32, I32)],
        lambda out: [2 * (31 - t) + 1000 * t + 1000000 + 1 for t in range(32)],
        shared=256,
    ),
    ptx(
        r"""#include <cuda_fp16.h>
        extern "C" __global__ void tensor_tile(const half* a, const half* b, float* d) {
            __shared__ __align__(16) half as[16][24], bs[16][16];
            int t = threadIdx.x;
            for (int i = t; i < 32; i += 32) {
                copy16(shared_address(&as[i / 2][i % 2 * 8]), a + i * 8);
                if (i < 16) copy16(shared_address(&bs[i][0]), b + i * 8);
            }
            commit();
            wait<0>();
            __syncthreads();
            uint32_t ra[4], rb[2];
            uint32_t row = shared_address(&as[t % 16][t / 16 * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(row));
            row = shared_address(&bs[t % 16][0]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(row));
            float c[4] = {0.5f, 0.5f, 0.5f, 0.5f};
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
            int g = t / 4, m = t % 4;
            d[g * 8 + 2 * m] = c[0]; d[g * 8 + 2 * m + 1] = c[1];
            d[(g + 8) * 8 + 2 * m] = c[2]; d[(g + 8) * 8 + 2 * m + 1] = c[3];
        }""",
        lambda: [halves(16, 16), halves(16, 8, seed=1), np.zeros((16, 8), F)],
        lambda a, b, d: {2: a.astype(F) @ b.astype(F) + F(0.5)},
    ),
    ptx(
        r"""extern "C" __global__ void byte_products(const unsigned* a, const unsigned* b, int* d) {
            int t = threadIdx.x, c[4] = {0, 0, 0, 0};
            asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
                : "r"(a[t / 4 * 4 + t % 4]), "r"(a[(t / 4 + 8) * 4 + t % 4]), "r"(b[t / 4 * 4 + t % 4]),
                  "r"(1), "r"(1), "r"(1), "r"(1));
            for (int i = 0; i < 4; i++) d[(t / 4 + (i / 2) * 8) * 8 + t % 4 * 2 + i % 2] = c[i];
        }""",
        lambda: [
            integers(16, 16, low=-128, high=128, dtype=np.int8).view(np.uint32),
            integers(8, 16, low=-128, high=128, seed=1, dtype=np.int8).view(np.uint32),
            np.zeros((16, 8), I32),
        ],
        lambda a, b, d: {2: a.view(np.int8).astype(I32) @ b.view(np.int8).astype(I32).T + 1},
    ),
    ptx(
        r"""extern "C" __global__ void half_registers(const float* x, unsigned* pairs, float* back) {
            int t = threadIdx.x;
            unsigned p, q;
            asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p) : "f"(x[t] * 2), "f"(x[t]));
            asm("{ .reg .f16 lo, hi; cvt.rn.f16.f32 lo, %1; cvt.rn.f16.f32 hi, %2; mov.b32 %0, {lo, hi}; }" : "=r"(q) : "f"(x[t]), "f"(x[t] * 2));
            pairs[t] = p == q ? p : 0xdeadbeef;
            unsigned short h = p & 0xffff;
            float f;
            asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
            unsigned dot;
            asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(dot) : "r"(0x01020304), "r"(0x01010101), "r"(t));
            back[t] = f + dot;
        }""",
        lambda: [floats(32), np.zeros(32, np.uint32), np.zeros(32, F)],
        lambda x, pairs, back: {
            1: np.stack([x, 2 * x], 1).astype(np.float16).view(np.uint32)[:, 0],
            2: x.astype(np.float16).astype(F) + 10 + np.arange(32, dtype=F),
        },
    ),
    ptx(
        r"""typedef struct _item* item_ptr;
        typedef struct _item { int value; item_ptr next; } item_t;
        extern "C" __global__ void linked(int* out) {
            item_t items[4];
            for (int i = 0; i < 4; i++) { items[i].value = i * threadIdx.x; items[i].next = i < 3 ? &items[i + 1] : NULL; }
            int sum = 0;
            for (item_ptr p = items; p; p = p->next) sum += p->value;
            out[threadIdx.x] = sum;
        }""",
        lambda: [np.zeros(32, I32)],
        lambda out: 6 * np.arange(32),
    ),
]


# The fragments of `mma` as the PTX manual places them: which row of a, column of b and sum a register of a lane has.
FORMS = [
    # shape, types of d, a, b, c
    *(("m16n8k16", "f32", kind, kind, "f32") for kind in ("f16", "bf16")),
    *(("m16n8k8", "f32", kind, kind, "f32") for kind in ("f16", "bf16", "tf32")),
    ("m16n8k4", "f32", "tf32", "tf32", "f32"),
    ("m16n8k16", "f16", "f16", "f16", "f16"),
    ("m16n8k8", "f16", "f16", "f16", "f16"),
    *((f"m16n8k{k}", "s32", a, b, "s32") for k in (16, 32) for a in ("s8", "u8") for b in ("s8", "u8")),
    ("m8n8k4", "f64", "f64", "f64", "f64"),
]
DTYPES = {"f16": np.float16, "bf16": np.uint16, "tf32": F, "s8": np.int8, "u8": np.uint8, "f64": np.float64}
DTYPES |= {"f32": F, "s32": I32}


def operands(kind, *shape, seed):
    """Numbers that the kind holds exactly, and the same as doubles."""
    if kind in ("s8", "u8"):
        low = -128 if kind == "s8" else 0
        numbers = np.random.default_rng(seed).integers(low, low + 256, shape)
        return numbers.astype(DTYPES[kind]), numbers.astype(float)
    numbers = np.random.default_rng(seed).integers(-16, 16, shape) / 8
    if kind == "bf16":
        return (numbers.astype(F).view(np.uint32) >> 16).astype(np.uint16), numbers
    return numbers.astype(DTYPES[kind]), numbers


def fragments(matrix, rows, per, width):
    """Registers of the 32 lanes: lane 4 g + t has of each group of rows row g, `per` elements from `per` t on."""
    lanes = []
    for lane in range(32):
        g, t = divmod(lane, 4)
        own = [
            matrix[g + 8 * high, 4 * per * half + per * t : 4 * per * half + per * (t + 1)]
            for half in range(matrix.shape[1] // (4 * per))
            for high in range(rows // 8)
        ]
        lanes.append(np.concatenate(own))
    flat = np.ascontiguousarray(lanes)
    return flat if width == 8 else flat.view(np.uint32)


@not_on_standin
@pytest.mark.parametrize("form", FORMS, ids="-".join)
def test_product(form):
    shape, sum_kind, a_kind, b_kind, _ = form
    m, k = int(shape[1 : shape.index("n")]), int(shape.rpartition("k")[2])
    width = 8 if sum_kind == "f64" else 4
    per = width // np.dtype(DTYPES[a_kind]).itemsize
    (a, exact_a), (b, exact_b) = operands(a_kind, m, k, seed=1), operands(b_kind, k, 8, seed=2)
    c = np.random.default_rng(3).integers(-8, 8, (m, 8)).astype(DTYPES[sum_kind])
    of_a, of_b = fragments(a, m, per, width), fragments(np.ascontiguousarray(b.T), 8, per, width)
    # The sums: rows g and g + 8, two columns from 2 t on; two halves share a register.
    of_c = np.array([[c[lane // 4 + 8 * h, lane % 4 * 2 :][:2] for h in range(m // 8)] for lane in range(32)])
    of_c = np.ascontiguousarray(of_c.reshape(32, -1))
    if sum_kind == "f16":
        of_c = of_c.view(np.uint32)
    counts = [of_c.shape[1], of_a.shape[1], of_b.shape[1], of_c.shape[1]]
    names = {"f32": ("float", "f"), "s32": ("int", "r"), "f16": ("unsigned", "r"), "f64": ("double", "d")}
    ctype, letter = names[sum_kind]
    btype, bletter = ("double", "d") if width == 8 else ("unsigned", "r")
    places, at = [], 0
    for count in counts:
        places.append("{" + ", ".join(f"%{at + i}" for i in range(count)) + "}")
        at += count
    outs = ", ".join(f'"={letter}"(d[{i}])' for i in range(counts[0]))
    ins = [f'"{bletter}"(a[t * {counts[1]} + {i}])' for i in range(counts[1])]
    ins += [f'"{bletter}"(b[t * {counts[2]} + {i}])' for i in range(counts[2])]
    ins += [f'"{letter}"(c[t * {counts[3]} + {i}])' for i in range(counts[3])]
    text = f"mma.sync.aligned.{shape}.row.col.{'.'.join(form[1:])} {', '.join(places)};"
    code = f"""extern "C" __global__ void product(const {btype}* a, const {btype}* b, const {ctype}* c, {ctype}* out) {{
        int t = threadIdx.x;
        {ctype} d[{counts[0]}];
        asm volatile("{text}" : {outs} : {", ".join(ins)});
        for (int i = 0; i < {counts[0]}; i++) out[t * {counts[0]} + i] = d[i];
    }}"""
    kernel = cp.RawKernel(code, "product")
    out = cp.zeros_like(cp.asarray(of_c))
    kernel((1,), (32,), (cp.asarray(of_a), cp.asarray(of_b), cp.asarray(of_c), out))
    got = out.get()
    if sum_kind == "f16":
        got = got.view(np.float16)
    got = got.reshape(32, m // 8, 2)
    # All are exact in every sum, so that no order of additions matters.
    expected = exact_a @ exact_b + c
    for lane in range(32):
        for h in range(m // 8):
            np.testing.assert_array_equal(got[lane, h], expected[lane // 4 + 8 * h, lane % 4 * 2 :][:2])


@pytest.mark.skipif(not ON_CPU, reason="a GPU has more of them")
@pytest.mark.parametrize(
    "text",
    [
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
        "mma.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
        "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
    ],
)
def test_forms_that_are_not_there_are_named(text):
    registers = "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    code = f"""extern "C" __global__ void product(unsigned* x) {{
        asm volatile("{text} {registers}" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
            : "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(x[8]), "r"(x[9]));
    }}"""
    with pytest.raises(cp.cuda.compiler.CompileException, match=text.replace(".", "[.]")):
        cp.RawKernel(code, "product")((1,), (32,), (cp.zeros(10, "uint32"),))


@rows(CASES)
def test_kernel(case):
    run(case)
