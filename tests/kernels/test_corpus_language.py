"""Kernels that use the language: types, structs, templates, operators, overloads, control flow, globals."""

import numpy as np
from corpus import Case, floats, integers, rows, run

F = np.float32
I32 = np.int32

CASES = [
    Case(
        """struct Particle { float x, y, z; int kind; };
        extern "C" __global__ void array_of_structs(Particle* p, float step, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            Particle q = p[i];
            q.x += step;
            q.y = -q.y;
            q.kind = q.kind * 2 + 1;
            p[i] = q;
        }""",
        lambda: [_particles().view(F), F(0.5), I32(20)],
        lambda p, step, n: {0: _moved(p.view(_PARTICLE)).view(F)},
        grid=(2,),
        block=(16,),
    ),
    Case(
        """struct Settings { int n; float scale; double shift; unsigned char flags[4]; };
        extern "C" __global__ void struct_by_value(Settings s, double* out) {
            int i = threadIdx.x;
            if (i < s.n) out[i] = i * s.scale + s.shift + s.flags[i & 3];
        }""",
        lambda: [
            np.array(
                [(10, 1.5, -2.25, [1, 2, 3, 4])],
                np.dtype([("n", "i4"), ("scale", "f4"), ("shift", "f8"), ("flags", "u1", 4)], align=True),
            )[0],
            np.zeros(16),
        ],
        lambda s, out: {
            1: np.where(np.arange(16) < 10, np.arange(16) * 1.5 - 2.25 + np.arange(16) % 4 + 1, 0)
        },
        block=(16,),
    ),
    Case(
        """struct Vec {
            float x, y;
            __device__ Vec() : x(0), y(0) {}
            __device__ Vec(float x, float y) : x(x), y(y) {}
            __device__ Vec operator+(const Vec& o) const { return Vec(x + o.x, y + o.y); }
            __device__ Vec& operator*=(float s) { x *= s; y *= s; return *this; }
            __device__ float dot(const Vec& o) const { return x * o.x + y * o.y; }
            __device__ float operator[](int i) const { return i == 0 ? x : y; }
        };
        __device__ Vec operator-(const Vec& a, const Vec& b) { return Vec(a.x - b.x, a.y - b.y); }
        extern "C" __global__ void methods_and_operators(const float* in, float* out) {
            int i = threadIdx.x;
            Vec a(in[2 * i], in[2 * i + 1]), b(1.0f, -2.0f), c;
            c = a + b;
            c *= 3.0f;
            Vec d = c - a;
            out[i] = d.dot(b) + d[0] * 10.0f + d[1];
        }""",
        lambda: [integers(64, high=50).astype(F), np.zeros(32, F)],
        lambda x, out: {1: _vectors(x.reshape(-1, 2))},
    ),
    Case(
        """template <typename T> __device__ T twice(T x) { return x + x; }
        template <typename T, int N> __device__ T power(T x) {
            if constexpr (N == 0) return T(1);
            else return x * power<T, N - 1>(x);
        }
        extern "C" __global__ void function_templates(const int* in, int* ints, double* doubles) {
            int i = threadIdx.x;
            ints[i] = twice(in[i]) + power<int, 3>(in[i]);
            doubles[i] = twice(0.5 * in[i]) + power<double, 5>(in[i] * 0.25);
        }""",
        lambda: [integers(32, high=20), np.zeros(32, I32), np.zeros(32)],
        lambda x, a, b: {1: 2 * x + x**3, 2: x + (x * 0.25) ** 5},
        rtol=1e-15,
    ),
    Case(
        """template <typename T> __global__ void scale(const T* in, T* out, T factor, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = in[i] * factor;
        }""",
        lambda: [floats(100, dtype=np.float64), np.zeros(100), np.float64(3.0), I32(100)],
        lambda x, out, f, n: {1: x * 3},
        name="scale<double>",
        module=True,
        grid=(4,),
    ),
    Case(
        """template <typename T, int BLOCK, bool NEGATE> __global__ void sum_blocks(const T* in, T* out) {
            __shared__ T part[BLOCK];
            part[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
            __syncthreads();
            if (threadIdx.x == 0) {
                T sum = 0;
                for (int i = 0; i < BLOCK; ++i) sum += part[i];
                out[blockIdx.x] = NEGATE ? -sum : sum;
            }
        }""",
        lambda: [integers(128), np.zeros(4, I32)],
        lambda x, out: {1: -x.reshape(4, 32).sum(1)},
        name="sum_blocks<int, 32, true>",
        module=True,
        grid=(4,),
    ),
    Case(
        """template <typename T, int N> struct Stack {
            T items[N];
            int top;
            __device__ Stack() : top(0) {}
            __device__ void push(T x) { if (top < N) items[top++] = x; }
            __device__ T pop() { return items[--top]; }
            __device__ bool empty() const { return top == 0; }
        };
        extern "C" __global__ void class_template(const int* in, int* out) {
            Stack<int, 8> stack;
            int t = threadIdx.x;
            for (int i = 0; i < 8; ++i) stack.push(in[t * 8 + i]);
            int result = 0;
            while (!stack.empty()) result = result * 3 + stack.pop();
            out[t] = result;
        }""",
        lambda: [integers(64, high=10), np.zeros(8, I32)],
        lambda x, out: {1: sum(x.reshape(8, 8)[:, i] * 3**i for i in range(8))},
        block=(8,),
    ),
    Case(
        """template <typename T> struct Traits { static const int kind = 0; __device__ static T one() { return T(1); } };
        template <> struct Traits<float> { static const int kind = 1; __device__ static float one() { return 1.5f; } };
        template <typename T> struct Traits<T*> { static const int kind = 2; };
        template <typename T> __device__ double describe(T) { return Traits<T>::kind * 100 + Traits<T>::one(); }
        extern "C" __global__ void specialisations(double* out) {
            out[0] = describe(1);
            out[1] = describe(1.0f);
            out[2] = describe(1.0);
            out[3] = Traits<int*>::kind;
        }""",
        lambda: [np.zeros(4)],
        lambda out: {0: [1, 101.5, 1, 2]},
        block=(1,),
    ),
    Case(
        """enum Kind { ADD, SUBTRACT = 5, MULTIPLY };
        enum class Mode : unsigned char { off, on = 7 };
        __device__ int apply(Kind kind, int a, int b) {
            switch (kind) {
                case ADD: return a + b;
                case SUBTRACT: return a - b;
                case MULTIPLY: return a * b;
                default: return -1;
            }
        }
        extern "C" __global__ void enums_and_switch(const int* in, int* out) {
            int i = threadIdx.x, a = in[i], b = i + 1;
            Mode mode = i & 1 ? Mode::on : Mode::off;
            out[i] = apply(ADD, a, b) + 10 * apply(SUBTRACT, a, b) + 100 * apply(MULTIPLY, a, b)
                   + (mode == Mode::on ? static_cast<int>(Mode::on) : 0) + apply((Kind)3, a, b);
        }""",
        lambda: [integers(32, high=50), np.zeros(32, I32)],
        lambda a, out: {1: _enums(a)},
    ),
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
        """__device__ int f(int) { return 1; }
        __device__ int f(float) { return 2; }
        __device__ int f(double) { return 3; }
        __device__ int f(const char*) { return 4; }
        __device__ int f(int, int b = 7) ;
        __device__ int g(int a, int b = 20, int c = 300) { return a + b + c; }
        __device__ int f(int, int b) { return b; }
        extern "C" __global__ void overloads_and_defaults(int* out) {
            out[0] = f(2.0f); out[1] = f(2.0); out[2] = f("x"); out[3] = f('a', 9);
            out[4] = g(1); out[5] = g(1, 2); out[6] = g(1, 2, 3); out[7] = f((unsigned char)1, 8);
        }""",
        lambda: [np.zeros(8, I32)],
        lambda out: {0: [2, 3, 4, 9, 321, 303, 6, 8]},
        block=(1,),
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
        """union Bits { float f; unsigned u; unsigned char bytes[4]; };
        extern "C" __global__ void unions(const float* in, unsigned* out) {
            Bits b;
            b.f = in[threadIdx.x];
            out[threadIdx.x] = b.u ^ (b.u >> 1);
        }""",
        lambda: [floats(32), np.zeros(32, np.uint32)],
        lambda x, out: {1: x.view(np.uint32) ^ (x.view(np.uint32) >> 1)},
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
        """extern "C" __global__ void vector_types(const float4* in, float2* out, uchar4* bytes, int3* triple) {
            int i = threadIdx.x;
            float4 v = in[i];
            float2 r = make_float2(v.x + v.w, v.y * v.z);
            out[i] = r;
            bytes[i] = make_uchar4(i, i * 2, 255 - i, 7);
            int3 t;
            t.x = i; t.y = -i; t.z = i * i;
            triple[i] = t;
        }""",
        lambda: [floats(32, 4), np.zeros((32, 2), F), np.zeros((32, 4), np.uint8), np.zeros((32, 3), I32)],
        lambda v, out, b, t: {
            1: np.stack([v[:, 0] + v[:, 3], v[:, 1] * v[:, 2]], 1),
            2: np.stack([np.arange(32), np.arange(32) * 2, 255 - np.arange(32), np.full(32, 7)], 1),
            3: np.stack([np.arange(32), -np.arange(32), np.arange(32) ** 2], 1),
        },
    ),
    Case(
        """__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
        __device__ float3 operator*(float s, const float3& a) { return make_float3(s * a.x, s * a.y, s * a.z); }
        __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
        extern "C" __global__ void vector_operators(const float* in, float* out) {
            const float3* p = reinterpret_cast<const float3*>(in);
            float3 a = p[threadIdx.x], b = 2.0f * a + make_float3(1, 2, 3);
            out[threadIdx.x] = dot(a, b);
        }""",
        lambda: [integers(32, 3, high=20).astype(F), np.zeros(32, F)],
        lambda a, out: {1: (a * (2 * a + [1, 2, 3])).sum(1)},
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
        """struct Base { int id; __device__ int twice() const { return 2 * id; } };
        struct Derived : Base {
            float weight;
            static constexpr int version = 4;
            __device__ Derived(int i, float w) : weight(w) { id = i; }
            __device__ float total() const { return twice() + weight; }
        };
        extern "C" __global__ void inheritance(float* out) {
            Derived d(threadIdx.x, 0.5f);
            Base& b = d;
            b.id += 1;
            out[threadIdx.x] = d.total() + Derived::version;
        }""",
        lambda: [np.zeros(16, F)],
        lambda out: {0: 2 * (np.arange(16) + 1) + 4.5},
        block=(16,),
    ),
    Case(
        """struct Multiply { int k; __device__ int operator()(int x) const { return k * x; } };
        template <class F> __device__ int fold(F f, const int* x, int n) {
            int sum = 0;
            for (int i = 0; i < n; ++i) sum += f(x[i]);
            return sum;
        }
        extern "C" __global__ void functors(const int* in, int* out) {
            out[threadIdx.x] = fold(Multiply{(int)threadIdx.x}, in, 10)
                             + fold([](int x) { return x & 1; }, in, 10);
        }""",
        lambda: [integers(10), np.zeros(8, I32)],
        lambda x, out: {1: np.arange(8) * x.sum() + (x & 1).sum()},
        block=(8,),
    ),
    Case(
        """template <class T> __device__ T sum_all(T x) { return x; }
        template <class T, class... Rest> __device__ T sum_all(T x, Rest... rest) { return x + sum_all(rest...); }
        template <class A, class B> __device__ auto mixed(A a, B b) -> decltype(a * b) { return a * b; }
        extern "C" __global__ void variadic_and_auto(double* out) {
            auto a = 3;
            auto b = 2.5;
            decltype(b) c = sum_all(1, 2, 3, 4);
            out[0] = sum_all(1.5, 2.5, 3.0) + mixed(a, b) + c;
        }""",
        lambda: [np.zeros(1)],
        lambda out: {0: [7 + 7.5 + 10]},
        block=(1,),
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
]


_PARTICLE = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("kind", "i4")])


def _particles():
    p = np.zeros(20, _PARTICLE)
    p["x"], p["y"], p["kind"] = np.arange(20), np.arange(20) * 2, np.arange(20)
    return p


def _moved(p):
    p["x"] += F(0.5)
    p["y"] = -p["y"]
    p["kind"] = p["kind"] * 2 + 1
    return p


def _vectors(a):
    d = (a + [1, -2]) * 3 - a
    return d[:, 0] - 2 * d[:, 1] + d[:, 0] * 10 + d[:, 1]


def _enums(a):
    b = np.arange(32) + 1
    return a + b + 10 * (a - b) + 100 * a * b + 7 * (np.arange(32) & 1) - 1


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
