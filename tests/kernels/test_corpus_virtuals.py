"""Virtual functions: objects that kernels make and call through pointers to their bases."""

import numpy as np
import pytest
from corpus import ON_CPU, Case, floats, integers, rows, run

import cuprum as cp

F = np.float32
I32 = np.int32

CASES = [
    Case(
        """struct Shape {
            __device__ virtual float area() const = 0;
            __device__ virtual ~Shape() {}
        };
        struct Square : Shape {
            float side;
            __device__ Square(float s) : side(s) {}
            __device__ float area() const override { return side * side; }
        };
        struct Box : Shape {
            float a, b;
            __device__ Box(float x, float y) : a(x), b(y) {}
            __device__ float area() const override final { return a * b; }
        };
        extern "C" __global__ void shapes(const float* x, float* out) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            Shape* s;
            if (i % 2) s = new Square(x[i]);
            else s = new Box(x[i], 3.0f);
            out[i] = s->area();
            delete s;
        }""",
        lambda: [floats(64), np.zeros(64, F)],
        lambda x, out: {1: np.where(np.arange(64) % 2, x * x, x * F(3))},
        grid=(2,),
    ),
    Case(
        """class Node {
        public:
            int value;
            __device__ Node(int v) : value(v) {}
            __device__ virtual int get() { return value; }
            __device__ virtual int get(int more) { return value + more; }
            __device__ int twice() { return 2 * get(); }
        };
        class Double : public Node {
        public:
            __device__ Double(int v) : Node(v) {}
            __device__ int get() { return 2 * value; }
        };
        class Triple : public Double {
        public:
            __device__ Triple(int v) : Double(v) {}
            __device__ int get() { return Double::get() + value; }
            __device__ int get(int more) { return 100 * more; }
        };
        __device__ int through(Node& node) { return node.get() + 10 * node.twice(); }
        extern "C" __global__ void overriders(const int* x, int* out) {
            int i = threadIdx.x;
            Node a(x[i]);
            Double b(x[i]);
            Triple c(x[i]);
            Node* all[3] = {&a, &b, &c};
            out[i] = through(a);
            out[32 + i] = through(b);
            out[64 + i] = through(c);
            out[96 + i] = all[i % 3]->get(i);
            out[128 + i] = c.Node::get();
        }""",
        lambda: [integers(32, high=50), np.zeros(160, I32)],
        lambda x, out: {
            1: np.concatenate(
                [
                    21 * x,
                    42 * x,
                    63 * x,
                    np.where(np.arange(32) % 3 == 2, 100 * np.arange(32), x + np.arange(32)),
                    x,
                ]
            )
        },
    ),
    Case(
        """struct Log { int* at; int n; };
        __device__ void put(Log* log, int what) { log->at[log->n++] = what; }
        struct A {
            Log* log;
            __device__ A(Log* l) : log(l) { call(1); }
            __device__ virtual void call(int k) { put(log, 10 * k); }
            __device__ virtual ~A() { call(2); }
        };
        struct B : A {
            __device__ B(Log* l) : A(l) { call(3); }
            __device__ void call(int k) override { put(log, 10 * k + 1); }
            __device__ ~B() { call(4); }
        };
        struct C : B {
            __device__ C(Log* l) : B(l) {}
            __device__ void call(int k) override { put(log, 10 * k + 2); }
        };
        extern "C" __global__ void orders(int* out) {
            Log log = {out, 0};
            A* c = new C(&log);
            c->call(5);
            delete c;
            put(&log, -1);
        }""",
        lambda: [np.zeros(8, I32)],
        # While a base is made or destroyed, the object is one of the base.
        lambda out: {0: [10, 31, 52, 41, 20, -1, 0, 0]},
        block=(1,),
    ),
    Case(
        """struct Left { int a; __device__ Left(int x) : a(x) {} __device__ virtual int left() { return a; } };
        struct Right {
            int b;
            __device__ Right(int x) : b(x) {}
            __device__ virtual int right() { return b; }
            __device__ virtual ~Right() {}
        };
        struct Both : Left, Right {
            int c;
            __device__ Both(int x) : Left(x), Right(x + 1), c(x + 2) {}
            __device__ int left() override { return 100 + a + c; }
            __device__ int right() override { return 1000 + b + c; }
        };
        extern "C" __global__ void two_bases(int* out) {
            Both* both = new Both(threadIdx.x);
            Left* left = both;
            Right* right = both;
            out[threadIdx.x] = left->left();
            out[32 + threadIdx.x] = right->right();
            Both copy = *both;
            Right& seen = copy;
            out[64 + threadIdx.x] = seen.right() - ((char*)right - (char*)both);
            Right sliced = copy;
            Right* plain = &sliced;
            out[96 + threadIdx.x] = plain->right();
            delete right;
        }""",
        lambda: [np.zeros(128, I32)],
        lambda out: {
            0: np.concatenate([m + 2 * np.arange(32) for m in (102, 1003, 987)] + [np.arange(32) + 1])
        },
    ),
    Case(
        """template <class T> struct Function {
            __device__ virtual T operator()(T x) const = 0;
        };
        template <class T> struct Scale : Function<T> {
            T by;
            __device__ Scale(T b) : by(b) {}
            __device__ T operator()(T x) const override { return by * x; }
        };
        template <class T> struct Chain : Function<T> {
            const Function<T>*first, *second;
            __device__ Chain(const Function<T>* a, const Function<T>* b) : first(a), second(b) {}
            __device__ T operator()(T x) const override { return (*second)((*first)(x)); }
        };
        extern "C" __global__ void functions(const double* x, double* out) {
            __shared__ Function<double>* f;
            if (threadIdx.x == 0) {
                Function<double>* two = new Scale<double>(2);
                f = new Chain<double>(two, new Scale<double>(8));
            }
            __syncthreads();
            out[threadIdx.x] = (*f)(x[threadIdx.x]);
        }""",
        lambda: [floats(32, dtype=float), np.zeros(32)],
        lambda x, out: {1: 16 * x},
    ),
    Case(
        """struct Empty { __device__ virtual void f() {} };
        struct One { __device__ virtual void f() {} int a; };
        struct Two : One { int b; };
        struct Three : Two { double c; char d; };
        struct Plain { int a; };
        struct Mixed : Plain, One { char e; };
        extern "C" __global__ void sizes(int* out) {
            Mixed m;
            out[0] = sizeof(Empty), out[1] = sizeof(One), out[2] = sizeof(Two), out[3] = sizeof(Three);
            out[4] = sizeof(Mixed), out[5] = (int)((char*)(Plain*)&m - (char*)&m);
            out[6] = __is_polymorphic(Two) + 2 * __is_polymorphic(Plain) + 4 * __has_virtual_destructor(One);
        }""",
        lambda: [np.zeros(7, I32)],
        lambda out: {0: [8, 16, 16, 32, 24, 12, 1]},
        block=(1,),
    ),
]


@rows(CASES)
def test_virtual_functions(case):
    run(case)


MODULE = """
struct Counter { int n; __device__ virtual int next() { return ++n; } };
struct Fast : Counter { __device__ int next() override { return n += 10; } };
__device__ Counter* kept[4];
extern "C" __global__ void make() {
    kept[threadIdx.x] = threadIdx.x % 2 ? new Fast() : new Counter();
    kept[threadIdx.x]->n = threadIdx.x;
}
extern "C" __global__ void use(int* out) { out[threadIdx.x] = kept[threadIdx.x]->next(); }
extern "C" __global__ void none(Counter* c, int* out) { out[0] = c->next(); }
"""


def test_objects_stay_between_launches():
    module = cp.RawModule(code=MODULE)
    out = cp.zeros(4, I32)
    module.get_function("make")((1,), (4,), ())
    use = module.get_function("use")
    use((1,), (4,), (out,))
    use((1,), (4,), (out,))
    assert cp.asnumpy(out).tolist() == [2, 21, 4, 23]


@pytest.mark.skipif(not ON_CPU, reason="a GPU jumps to any address")
def test_what_no_constructor_has_made_is_told():
    module = cp.RawModule(code=MODULE)
    with pytest.raises(cp.cuda.KernelError, match="one that a constructor has made"):
        module.get_function("none")((1,), (1,), (cp.zeros(4), cp.zeros(1, I32)))
