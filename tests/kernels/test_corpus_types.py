"""Kernels that make types: structs, unions, enumerations, vectors, templates, functors, overloads."""

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


@rows(CASES)
def test_kernel(case):
    run(case)
