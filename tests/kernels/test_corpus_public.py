"""Kernels in the manner of public repositories: what their authors take from C++, libcu++ and PTX."""

import numpy as np
from corpus import Case, integers, rows, run

F = np.float32
I32 = np.int32
LANES = np.arange(32)
CPP17 = ("--std=c++17",)


def zeros(dtype=I32, size=32):
    return lambda: [np.zeros(size, dtype)]


def bits_of(i):
    """What `bits` computes for thread i."""
    width, ones, c = i.bit_length(), bin(i).count("1"), (1 + 1j * i) ** 2
    trailing = 32 if i == 0 else (i & -i).bit_length() - 1
    ceiling = 1 if i <= 1 else 1 << (i - 1).bit_length()
    floor = 0 if i == 0 else 1 << (width - 1)
    turned = (((i | 0x8000) << 1) | 1) & 0xFFFF
    maybe = i + 1 if i & 1 else -1
    return (
        ones
        + 10 * (8 - width)
        + trailing
        + ceiling
        + floor
        + width
        + turned
        + maybe
        + c.real
        + sum(range(i, 32))
    )


CASES = [
    Case(
        """struct Base {
            __device__ int f(int x) const { return x; }
            __device__ int g(int) { return 7; }
            static __device__ int h(float) { return 3; }
        };
        struct Derived : Base {
            using Base::f; using Base::g; using Base::h;
            __device__ int f(double x) const { return 100 + (int)x; }
            __device__ int g(int) { return 8; }
            static __device__ int h(int) { return 4; }
        };
        template <class T> struct Wrapped : T {
            using T::f;
            __device__ int f(char) const { return -1; }
            template <class U> __device__ int call(U u) { return this->f(u); }
        };
        extern "C" __global__ void using_declarations(int* out) {
            Derived d; Wrapped<Derived> w; int i = threadIdx.x;
            out[i] = d.f(i) + 1000 * d.f(1.5) + d.g(1) + 10 * Derived::h(1) + 20 * Derived::h(1.f)
                   + w.call('a') + w.call(2) + w.call(3.0);
        }""",
        zeros(),
        lambda out: {0: LANES + 101000 + 8 + 40 + 60 - 1 + 2 + 103},
    ),
    Case(
        """struct Pair { int a, b; };
        struct Sum { Pair p; __device__ Sum(Pair p) : p(p) {} };
        template <class... T> __device__ int first(T...) { return 1; }
        __device__ int first(const Pair&) { return 2; }
        extern "C" __global__ void copies_and_references(int* out) {
            Pair p{1, 2};
            out[threadIdx.x] = 10 * first(p) + first(Pair{3, 4}) + 100 * first(p, p);
        }""",
        zeros(),
        lambda out: {0: np.full(32, 122)},
    ),
    Case(
        """struct Empty {};
        struct Other {};
        struct Held { long long v; };
        struct All : Held, Empty, Other {
            __device__ All(long long v, const Other& other) : Held{v}, Empty(Empty()), Other(other) {}
        };
        extern "C" __global__ void empty_bases(long long* out) {
            Other other;
            All a(0x0123456789abcdefLL + threadIdx.x, other);
            static_cast<Empty&>(a) = Empty();
            All b = a;
            static_cast<Other&>(b) = static_cast<Other&>(a);
            out[threadIdx.x] = b.v + sizeof(All);
        }""",
        zeros("i8"),
        lambda out: {0: 0x0123456789ABCDEF + LANES + 8},
    ),
    Case(
        """typedef int (*Step)(int);
        __device__ int twice(Step step, int x) { return step(step(x)); }
        template <class F> __device__ int apply(F f, int x) { return f(x); }
        extern "C" __global__ void lambdas_as_functions(int* out) {
            int i = threadIdx.x;
            Step triple = [](int x) { return 3 * x; };
            auto plus = +[](int x) { return x + 5; };
            Step chosen = i & 1 ? triple : plus;
            out[i] = twice(chosen, i) + apply(triple, 1) + twice([](int x) { return x - 1; }, 10);
        }""",
        zeros(),
        lambda out: {0: np.where(LANES & 1, 9 * LANES, LANES + 10) + 3 + 8},
    ),
    Case(
        """struct Point { float x; int y; };
        __device__ constexpr unsigned long long operator""_kb(unsigned long long x) { return x * 1024; }
        __device__ constexpr double operator""_half(long double x) { return (double)x / 2; }
        extern "C" __global__ void listed_ranges_and_literals(float* out) {
            int i = threadIdx.x; float sum = 0;
            for (int v : {1, 2, i}) sum += v;
            for (auto&& p : {Point{0.5f, 1}, Point{1.5f, i}}) sum += p.x * p.y;
            out[i] = sum + 1_kb + 3.0_half;
        }""",
        zeros(F),
        lambda out: {0: 3 + LANES + 0.5 + 1.5 * LANES + 1024 + 1.5},
        options=CPP17,
    ),
    Case(
        """#include <cuda/std/tuple>
        #include <cuda/std/utility>
        __device__ cuda::std::tuple<int, float, char> parts(int i) { return cuda::std::make_tuple(i, 2.5f, 'c'); }
        extern "C" __global__ void bound_tuples(float* out) {
            int i = threadIdx.x;
            auto [a, b, c] = parts(i);
            auto two = cuda::std::make_tuple(i, 0.5f);
            auto& [d, e] = two;
            d += 1; e *= 4;
            auto [f, g] = cuda::std::make_pair(3, 4.f);
            out[i] = a + b + c + cuda::std::get<0>(two) + cuda::std::get<1>(two) + f * g;
        }""",
        zeros(F),
        lambda out: {0: LANES + 2.5 + 99 + LANES + 1 + 2 + 12},
        options=CPP17,
    ),
    Case(
        """#include <cuda/std/mdspan>
        using cuda::std::dynamic_extent;
        using Shape = cuda::std::extents<int, dynamic_extent, dynamic_extent,>;
        static_assert(sizeof(cuda::std::mdspan<float, Shape, cuda::std::layout_stride>) == 24, "stride");
        static_assert(sizeof(cuda::std::mdspan<float, Shape>) == 16, "right");
        static_assert(cuda::std::mdspan<float, Shape>::rank_dynamic() == 2, "rank");
        extern "C" __global__ void views(float* x, float* out) {
            int t = threadIdx.x, i = t / 8, j = t % 8;
            cuda::std::mdspan<float, Shape> right(x, 4, 8);
            cuda::std::mdspan<float, cuda::std::dextents<int, 2>, cuda::std::layout_left> left(x, 4, 8);
            cuda::std::mdspan<const float, cuda::std::extents<int, 4, 8>> fixed(x);
            cuda::std::mdspan<float, cuda::std::extents<int, 4, dynamic_extent>> mixed(x, 8);
            out[t] = right(i, j) + 100 * left(i, j) + fixed(i, j) + mixed(i, j) + right.extent(1) + mixed.extent(0)
                   + left.stride(1) + right.size();
        }""",
        lambda: [np.arange(32, dtype=F), np.zeros(32, F)],
        lambda x, out: {1: 3 * x + 100 * (LANES // 8 + 4 * (LANES % 8)) + 8 + 4 + 4 + 32},
        options=CPP17,
    ),
    Case(
        """#include <cuda/atomic>
        struct Counter { cuda::atomic<int, cuda::thread_scope_device> n; };
        extern "C" __global__ void atomic_objects(int* a, double* d, float* f, long long* l, Counter* c, unsigned* u) {
            int i = threadIdx.x;
            cuda::atomic_ref<int, cuda::thread_scope_block> sum(a[0]);
            sum.fetch_add(i, cuda::memory_order_relaxed); sum++;
            cuda::atomic_ref<double, cuda::thread_scope_device>(*d).fetch_add(0.5);
            cuda::atomic_ref<float>(*f).fetch_max((float)i);
            cuda::atomic_ref<long long>(*l).fetch_min(-i);
            c->n.fetch_add(2, cuda::std::memory_order_acq_rel); c->n |= 1 << 20;
            cuda::atomic_ref<unsigned> last(*u);
            unsigned old = last.load();
            while (!last.compare_exchange_weak(old, old * 3 + 1)) {}
            cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
            cuda::atomic_ref<int> x(a[1]);
            x.exchange(8); x.store(8, cuda::memory_order_release); a[2 + i] = x.load(cuda::memory_order_acquire);
        }""",
        lambda: [
            np.zeros(34, I32),
            np.zeros(1),
            np.zeros(1, F),
            np.zeros(1, "i8"),
            np.zeros(1, I32),
            np.zeros(1, "u4"),
        ],
        lambda a, d, f, m, c, u: {
            0: [528, *[8] * 33],
            1: [16.0],
            2: [31.0],
            3: [-31],
            4: [64 + (1 << 20)],
            5: [(3**32 - 1) // 2 % 2**32],
        },
        options=CPP17,
        checked=False,
    ),
    Case(
        """#include <cuda/std/bit>
        #include <cuda/std/optional>
        #include <cuda/std/span>
        #include <cuda/std/complex>
        #include <cuda/std/array>
        __device__ cuda::std::optional<int> odd(int i) { if (i & 1) return i; return cuda::std::nullopt; }
        __device__ float total(cuda::std::span<const float> s) { float t = 0; for (float v : s) t += v; return t; }
        extern "C" __global__ void bits(float* x, double* out) {
            unsigned i = threadIdx.x;
            cuda::std::span<float> s(x, 32);
            cuda::std::complex<double> c(1.0, i);
            c *= c;
            auto m = odd(i);
            if (m) *m += 1;
            out[i] = cuda::std::popcount(i) + 10 * cuda::std::countl_zero((unsigned char)i)
                   + cuda::std::countr_zero(i) + cuda::std::bit_ceil(i) + cuda::std::bit_floor(i)
                   + cuda::std::bit_width(i) + cuda::std::rotl((unsigned short)(i | 0x8000), 1)
                   + m.value_or(-1) + c.real() + total(s.subspan(i));
        }""",
        lambda: [np.arange(32, dtype=F), np.zeros(32)],
        lambda x, out: {1: [bits_of(int(i)) for i in LANES]},
        options=CPP17,
    ),
    Case(
        """#include <cooperative_groups.h>
        #include <cuda/barrier>
        #include <cuda_pipeline.h>
        extern "C" __global__ void barriers_and_copies(const float4* in, float4* out) {
            __shared__ float4 held[64];
            __shared__ cuda::barrier<cuda::thread_scope_block> ready;
            auto block = cooperative_groups::this_thread_block();
            int i = threadIdx.x;
            if (i == 0) init(&ready, blockDim.x);
            block.sync();
            __pipeline_memcpy_async(&held[i], &in[i], sizeof(float4));
            __pipeline_commit();
            __pipeline_wait_prior(0);
            for (int round = 0; round < 3; ++round) {
                auto token = ready.arrive();
                ready.wait(static_cast<decltype(token)&&>(token));
                float4 other = held[63 - i];
                ready.arrive_and_wait();
                held[i] = make_float4(other.x + 1, other.y, other.z, other.w);
            }
            out[i] = held[i];
        }""",
        lambda: [np.arange(256, dtype=F), np.zeros(256, F)],
        lambda x, out: {1: (x.reshape(64, 4)[::-1] + [3, 0, 0, 0]).ravel()},
        block=(64,),
        checked=False,
    ),
    Case(
        """__device__ float4 load(const float* p) {
            float4 v;
            asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
            return v;
        }
        __device__ void store(float* p, float a, float b) {
            asm volatile("st.global.v2.f32 [%0], {%1, %2};" :: "l"(p), "f"(a), "f"(b) : "memory");
        }
        __device__ int add(int* p, int v) {
            int old;
            asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
            asm volatile("red.global.max.s32 [%0], %1;" :: "l"(p + 1), "r"(v) : "memory");
            return old;
        }
        __device__ unsigned down(unsigned x) {
            unsigned y;
            asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x), "r"(1));
            return y;
        }
        extern "C" __global__ void vector_and_atomic_ptx(const float* in, float* out, int* counts) {
            int i = threadIdx.x;
            float4 v = load(in + 4 * i);
            add(counts, i);
            store(out + 2 * i, v.x + v.y + v.z + v.w, (float)down(i));
        }""",
        lambda: [np.arange(128, dtype=F), np.zeros(64, F), np.zeros(2, I32)],
        lambda x, out, counts: {
            1: np.stack([x.reshape(32, 4).sum(1), np.minimum(LANES + 1, 31)], 1).ravel(),
            2: [496, 31],
        },
    ),
    Case(
        """template <unsigned size, typename T>
        __device__ void reduce(const T* __restrict__ in, T* out, unsigned n) {
            extern __shared__ __align__(sizeof(double)) unsigned char memory[];
            T* held = reinterpret_cast<T*>(memory);
            unsigned tid = threadIdx.x, i = blockIdx.x * (size * 2) + tid, stride = size * 2 * gridDim.x;
            T sum = 0;
            while (i < n) { sum += in[i]; if (i + size < n) sum += in[i + size]; i += stride; }
            held[tid] = sum;
            __syncthreads();
            if (size >= 256) { if (tid < 128) held[tid] = sum = sum + held[tid + 128]; __syncthreads(); }
            if (size >= 128) { if (tid < 64) held[tid] = sum = sum + held[tid + 64]; __syncthreads(); }
            if (tid < 32) {
                if (size >= 64) sum += held[tid + 32];
                #pragma unroll
                for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
            }
            if (tid == 0) out[blockIdx.x] = sum;
        }
        extern "C" __global__ void __launch_bounds__(128, 4) reduce_blocks(const int* x, int* out, unsigned n) {
            reduce<128>(x, out, n);
        }""",
        lambda: [integers(1000), np.zeros(2, I32), np.uint32(1000)],
        lambda x, out, n: {1: np.pad(x, (0, 24)).reshape(2, 2, 256)[:, :, :].sum((0, 2))},
        grid=(2,),
        block=(128,),
        shared=128 * 8,
    ),
]


@rows(CASES)
def test_kernel(case):
    run(case)
