"""Kernels that use the language: operators, control flow, functions, literals, globals, the preprocessor."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
I32 = np.int32


CASES = [
    Case(
        """extern "C" __global__ void switch_falls_through(const int* in, int* out) {
            int x = 0;
            switch (in[threadIdx.x]) {
                case 0: x += 1;
                case 1: x += 10; break;
                case 2: { x += 100; break; }
                case 3:
                case 4: x += 1000;
                default: x += 10000;
            }
            out[threadIdx.x] = x;
        }""",
        lambda: [np.arange(8, dtype=I32), np.zeros(8, I32)],
        lambda x, out: {1: [11, 10, 100, 11000, 11000, 10000, 10000, 10000]},
        block=(8,),
    ),
    Case(
        """__device__ void swap(int& a, int& b) { int t = a; a = b; b = t; }
        __device__ void minmax(const int* x, int n, int* low, int& high) {
            *low = high = x[0];
            for (const int* p = x + 1; p != x + n; ++p) {
                if (*p < *low) *low = *p;
                if (*p > high) high = *p;
            }
        }
        extern "C" __global__ void references_and_pointers(const int* in, int* out) {
            int t = threadIdx.x, low, high;
            minmax(in + t * 5, 5, &low, high);
            swap(low, high);
            out[2 * t] = low;
            out[2 * t + 1] = high;
        }""",
        lambda: [integers(40), np.zeros(16, I32)],
        lambda x, out: {1: np.stack([x.reshape(8, 5).max(1), x.reshape(8, 5).min(1)], 1).ravel()},
        block=(8,),
    ),
    Case(
        """constexpr int SIZE = 6;
        __device__ constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
        static_assert(factorial(5) == 120, "factorial");
        extern "C" __global__ void constant_expressions(int* out) {
            constexpr int twice = SIZE * 2;
            int held[factorial(3)] = {};
            for (int i = 0; i < SIZE; ++i) held[i] = i * twice;
            int sum = 0;
            for (int x : held) sum += x;
            out[threadIdx.x] = sum + factorial(4) + (int)sizeof(held);
        }""",
        lambda: [np.zeros(4, I32)],
        lambda out: {0: np.full(4, 15 * 12 + 24 + 24)},
        block=(4,),
    ),
    Case(
        """extern "C" __global__ void lambdas(const float* in, float* out, float limit) {
            auto clip = [=](float x) { return x > limit ? limit : x; };
            auto apply = [&](float x) { return clip(x) * 2.0f; };
            float seen = 0.0f;
            auto remember = [&seen](float x) { seen += x; };
            int t = threadIdx.x;
            remember(in[t]);
            remember(1.0f);
            out[t] = apply(in[t]) + seen;
        }""",
        lambda: [floats(32), np.zeros(32, F), F(0.25)],
        lambda x, out, limit: {1: np.minimum(x, limit) * F(2) + (x + F(1))},
        options=("--device-as-default-execution-space",),  # generic lambdas are the host's otherwise
        ulps=1,
    ),
    Case(
        """__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
        extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }""",
        lambda: [np.zeros(12, I32)],
        lambda out: {0: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]},
        block=(12,),
    ),
    Case(
        """extern "C" __global__ void loops(int* out) {
            int t = threadIdx.x, sum = 0, i = 0;
            for (int a = 0, b = 10; a < b; ++a, --b) {
                if (a == 2) continue;
                sum += a * b;
            }
            while (true) {
                if (++i > t) break;
                sum += i;
            }
            do { sum ^= 3; } while (sum % 5 == 0);
            for (;;) { if (sum > 40) goto done; sum += 7; }
        done:
            out[t] = sum;
        }""",
        lambda: [np.zeros(16, I32)],
        lambda out: {0: [_loops(t) for t in range(16)]},
        block=(16,),
    ),
    Case(
        """__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
        __constant__ int offsets[] = {-1, 0, 1};
        __device__ const double pi = 3.141592653589793;
        __device__ int calls;
        extern "C" __global__ void globals(const float* in, float* out, int n, int* count) {
            int i = threadIdx.x;
            float sum = 0.0f;
            for (int k = 0; k < 3; ++k) {
                int j = i + offsets[k];
                if (j >= 0 && j < n) sum += weights[k] * in[j];
            }
            out[i] = sum + (float)(pi > 3);
            atomicAdd(&calls, 1);
            __syncthreads();
            if (i == 0) {
                *count = calls;
                calls = 0;
            }
        }""",
        lambda: [integers(32, high=100).astype(F), np.zeros(32, F), I32(32), np.zeros(1, I32)],
        lambda x, out, n, count: {1: np.convolve(x, [0.25, 0.5, 0.25], "same") + 1, 3: [32]},
    ),
    Case(
        """namespace shapes {
            struct Box { int w, h; };
            __device__ int area(const Box& b) { return b.w * b.h; }
            namespace inner { __device__ int twice(int x) { return 2 * x; } }
        }
        using namespace shapes;
        namespace alias = shapes::inner;
        extern "C" __global__ void namespaces(int* out) {
            Box b{3, (int)threadIdx.x};
            out[threadIdx.x] = area(b) + alias::twice(5) + shapes::inner::twice(b.w);
        }""",
        lambda: [np.zeros(8, I32)],
        lambda out: {0: 3 * np.arange(8) + 16},
        block=(8,),
    ),
    Case(
        """typedef unsigned int u32;
        using real = double;
        #define SQUARE(x) ((x) * (x))
        #define JOIN(a, b) a##b
        #define TEXT(x) #x
        #define SUM(first, ...) add(first, __VA_ARGS__)
        #if defined(SQUARE) && !defined(NOTHING) && (3 + 4 == 7)
        #define CHOSEN 42
        #else
        #error wrong branch
        #endif
        __device__ int add(int a, int b, int c) { return a + b + c; }
        __device__ int length(const char* s) { int n = 0; while (s[n]) ++n; return n; }
        extern "C" __global__ void preprocessor(real* out) {
            u32 JOIN(my, name) = SQUARE(3 + 1);
            out[0] = myname + CHOSEN + SUM(1, 2, 3) + length(TEXT(abc)) + __LINE__ * 0;
        }""",
        lambda: [np.zeros(1)],
        lambda out: {0: [16 + 42 + 6 + 3]},
        block=(1,),
    ),
    Case(
        """extern "C" __global__ void option_macros(int* out) { out[0] = VALUE * 2 + FLAG; }""",
        lambda: [np.zeros(1, I32)],
        lambda out: {0: [43]},
        block=(1,),
        options=("-DVALUE=21", "-DFLAG"),
    ),
    Case(
        """extern "C" __global__ void local_arrays(const int* in, int* out) {
            int t = threadIdx.x, held[4][3];
            for (int r = 0; r < 4; ++r)
                for (int c = 0; c < 3; ++c) held[r][c] = in[t] * (r + 1) + c;
            int (*row)[3] = held + 1;
            int sum = (*row)[2] + row[1][0];
            int index = in[t] & 3;
            out[t] = sum + held[index][index % 3];
        }""",
        lambda: [integers(32, high=50), np.zeros(32, I32)],
        lambda x, out: {1: (2 * x + 2) + 3 * x + x * ((x & 3) + 1) + (x & 3) % 3},
    ),
    Case(
        """extern "C" __global__ void conditional_operators(const int* in, int* out) {
            int x = in[threadIdx.x], hits = 0;
            bool a = x > 10 && ++hits > 0, b = x > 90 || (hits += 10) > 0;
            int c = x % 2 ? x : -x, d = !x, e = (x, x + 1);
            out[threadIdx.x] = a + 2 * b + c + d + e + hits * 1000;
        }""",
        lambda: [integers(64, high=100), np.zeros(64, I32)],
        lambda x, out: {1: _conditions(x)},
        block=(64,),
    ),
    Case(
        """extern "C" __global__ void __launch_bounds__(64) integer_promotion(const unsigned char* in, int* out) {
            unsigned char a = in[threadIdx.x], b = 200;
            int wide = a + b;
            unsigned char narrow = a + b;
            short s = (short)(a * b * 3);
            signed char c = (signed char)a;
            out[4 * threadIdx.x] = wide;
            out[4 * threadIdx.x + 1] = narrow;
            out[4 * threadIdx.x + 2] = s;
            out[4 * threadIdx.x + 3] = c + (a > -1) + (1u > -1);
        }""",
        lambda: [integers(32, high=256, dtype=np.uint8), np.zeros((32, 4), I32)],
        lambda a, out: {
            1: np.stack(
                [
                    a.astype(I32) + 200,
                    a + np.uint8(200),
                    (a.astype(I32) * 600).astype(np.int16),
                    a.astype(np.int8) + 1,
                ],
                1,
            )
        },
    ),
    Case(
        """__device__ __noinline__ float helper(float x, int depth);
        static __device__ __forceinline__ float other(float x) { return x * 0.5f; }
        extern "C" __global__ void declared_before(const float* in, float* out) {
            out[threadIdx.x] = helper(in[threadIdx.x], 3);
        }
        __device__ float helper(float x, int depth) {
            for (int i = 0; i < depth; ++i) x = other(x) + 1.0f;
            return x;
        }""",
        lambda: [floats(32), np.zeros(32, F)],
        lambda x, out: {1: ((x * F(0.5) + F(1)) * F(0.5) + F(1)) * F(0.5) + F(1)},
        options=("--fmad=false",),
    ),
    Case(
        """extern "C" __global__ void literals(double* out) {
            int i = 0;
            out[i++] = 0x1F + 0b101 + 017 + 'A' + 1'000;
            out[i++] = 1.5e3f + .25 + 1e-2;
            out[i++] = 4000000000u + 5LL + 7ull;
            out[i++] = '\\n' + '\\x41' + "abc"[1];
            out[i++] = 0x1.8p3;
            out[i++] = sizeof(1L) + sizeof(1.0f) + sizeof('a') + sizeof("four");
            out[i++] = true + false + (nullptr == (int*)0);
        }""",
        lambda: [np.zeros(7)],
        lambda out: {0: [31 + 5 + 15 + 65 + 1000, 1500.26, 4000000012, 10 + 65 + 98, 12, 8 + 4 + 1 + 5, 2]},
        block=(1,),
        rtol=1e-15,
    ),
    Case(
        """extern "C" __global__ void pointer_arithmetic(const int* begin, int n, long long* out) {
            const int* end = begin + n;
            const int* p = end;
            long long sum = 0;
            while (p > begin) sum = sum * 2 + *--p;
            out[0] = sum;
            out[1] = end - begin;
            out[2] = *(begin + 3) + begin[2] + 1[begin];
            const char* bytes = (const char*)begin;
            out[3] = *(const int*)(bytes + 4 * 5);
            int const* const* pp = &p;
            out[4] = (*pp)[1];
        }""",
        lambda: [integers(10), I32(10), np.zeros(5, np.int64)],
        lambda x, n, out: {
            2: [sum(int(v) << i for i, v in enumerate(x)), 10, x[3] + x[2] + x[1], x[5], x[1]]
        },
        block=(1,),
    ),
    Case(
        """extern "C" __global__ void static_shared_counter(int* out) {
            __shared__ int counter;
            if (threadIdx.x == 0) counter = 100;
            __syncthreads();
            int mine = atomicAdd(&counter, 2);
            __syncthreads();
            out[threadIdx.x] = counter;
            (void)mine;
        }""",
        lambda: [np.zeros(40, I32)],
        lambda out: {0: np.full(40, 180)},
        block=(40,),
    ),
    Case(
        """extern "C" __global__ void compound_assignment(unsigned* out) {
            unsigned x = threadIdx.x + 1;
            x += 5; x -= 2; x *= 7; x /= 2; x %= 50; x <<= 3; x >>= 1; x |= 64; x &= ~4u; x ^= 9;
            unsigned y = x++;
            y += 3 * ++x;
            y -= x--;
            y += 5 * --x;
            out[threadIdx.x] = x * 100 + y;
        }""",
        lambda: [np.zeros(16, np.uint32)],
        lambda out: {0: [_assignments(t) for t in range(16)]},
        block=(16,),
    ),
    Case(
        """namespace own { using ::sqrt; using ::abs; __device__ int sqrt(short x) { return 9; } struct S { int v; };
            __device__ int abs(S x) { return x.v + 100; }
            template <class T> __device__ int twice(T x) { return 2 * abs(x) + sqrt(T(4)); } }
        namespace named { using ::floor; }
        extern "C" __global__ void using_the_languages_own(int* out) {
            own::S s{4};
            out[0] = own::sqrt(4.0); out[1] = own::sqrt((short)4); out[2] = own::sqrt(16.0f);
            out[3] = own::abs(s); out[4] = own::abs(-7); out[5] = own::twice(-3.0); out[6] = named::floor(2.5);
        }""",
        lambda: [np.zeros(7, np.int32)],
        lambda out: {0: np.array([2, 9, 4, 104, 7, 8, 2], np.int32)},
        block=(1,),
    ),
]


def _loops(t):
    total, a, b = 0, 0, 10
    while a < b:
        if a != 2:
            total += a * b
        a, b = a + 1, b - 1
    total += sum(range(1, t + 1))
    while True:
        total ^= 3
        if total % 5:
            break
    while total <= 40:
        total += 7
    return total


def _conditions(x):
    hits = (x > 10).astype(I32)
    hits += np.where(x > 90, 0, 10)
    return (x > 10) + 2 + np.where(x % 2, x, -x) + (x == 0) + x + 1 + hits * 1000


def _assignments(t):
    x = ((t + 1 + 5 - 2) * 7 // 2 % 50 << 3) >> 1
    x = ((x | 64) & ~4 & 0xFFFFFFFF) ^ 9
    y = x + 3 * (x + 2) - (x + 2) + 5 * x
    return (x * 100 + y) & 0xFFFFFFFF


@rows(CASES)
def test_kernel(case):
    run(case)
