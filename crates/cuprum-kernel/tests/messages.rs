//! Errors as users read them: the place, what is wrong, what to do.

use cuprum_kernel::cuda::{Options, compile};

/// Texts, and the messages about them.
const ROWS: &[(&str, &[&str])] = &[
    (
        r"__global__ void k(float* x) { x[thredIdx.x] = 1; }",
        &[r"kernel.cu:1:33: error: there is no variable or function `thredIdx`; did you mean `threadIdx`?"],
    ),
    (
        r"__global__ void k(float* x) { undefined_fn(x); }",
        &[r"kernel.cu:1:31: error: there is no function `undefined_fn`"],
    ),
    (
        r"__global__ void k(float* x) { x = 1.5; }",
        &[r"kernel.cu:1:33: error: a `double` is not a `float*`; write a cast where that is meant"],
    ),
    (
        r"__global__ void k(float* x, const float* y) { y[0] = 1; x = y; }",
        &[
            r"kernel.cu:1:52: error: this is const and cannot be changed",
            r"kernel.cu:1:59: error: a `const float*` cannot be used as `float*`: that would drop `const`",
        ],
    ),
    (
        r"__global__ void k(int n) { int a[n]; }",
        &[
            r"kernel.cu:1:34: error: the length of an array must be known at compile time: use a literal, a constexpr or a template parameter, or `extern __shared__` memory sized by the launch",
        ],
    ),
    (
        r"__global__ int k(int n) { return 1; }",
        &[r"kernel.cu:1:16: error: a kernel returns nothing: its type must be void"],
    ),
    (
        r#"__global__ void k(float* x) { asm("add.f32 %0, %1, %2;" : "=f"(x[0]) : "f"(1.0f)); asm("vote.any %0, 1;" : "=r"(x[0])); }"#,
        &[
            r"kernel.cu:1:31: error: the PTX instruction `add.f32` is not supported on the CPU; use CUDA's functions or operators, or `#ifdef __CUDACC__` around it",
            r"kernel.cu:1:84: error: the PTX instruction `vote.any` is not supported on the CPU; use __ballot_sync and its forms",
        ],
    ),
    (
        r"struct D { ~D() {} }; __global__ void k(float* x) { D* p = new D[4]; delete[] p; delete x[0]; }",
        &[
            r"kernel.cu:1:60: error: `new` of an array of `D`, which has a destructor, is not supported on the CPU: make its elements one by one",
            r"kernel.cu:1:89: error: `delete` takes a pointer",
        ],
    ),
    (
        r"__global__ void k(float* x) { std::vector<int> v; x[0] = std::accumulate(x, x + 2, 0.0f); }",
        &[
            r"kernel.cu:1:31: error: `std::vector`: containers and pointers that allocate do not exist in kernels: use an array of fixed size (std::array of <array>), or pass memory from Python",
            r"kernel.cu:1:58: error: `std::accumulate`: write #include <numeric>",
        ],
    ),
    (
        r"struct A { int a; }; struct B : virtual A {}; __global__ void k(float* x) { B b; }",
        &[r"kernel.cu:1:41: error: virtual bases are not supported on the CPU; use a plain base"],
    ),
    (
        r"__global__ void k(float* x) { try { x[0] = 1; } catch (...) {} }",
        &[
            r"kernel.cu:1:31: error: exceptions are not supported in kernels; use assert or write a status to an array",
        ],
    ),
    (
        r"__global__ void k(float* x) { k<<<1>>>(x); }",
        &[r"kernel.cu:1:32: error: a launch names its grid and its block: kernel<<<grid, block>>>(...)"],
    ),
    (
        r"struct S { int a; }; __global__ void k(float* x) { S s; s.b = 1; s->a = 2; }",
        &[
            r"kernel.cu:1:59: error: `S` has no member `b`; it has a",
            r"kernel.cu:1:69: error: a `S` is not a pointer",
        ],
    ),
    (
        r#"__device__ float f(float a, float b) { return a; } __global__ void k(float* x) { x[0] = f(1); f("a", 2); }"#,
        &[
            r"kernel.cu:1:89: error: no function `f` takes (int); there is `f(float, float)`: it takes 2 arguments, not 1",
            r"kernel.cu:1:95: error: no function `f` takes (const char [2], int); there is `f(float, float)`: argument 1 is a `const char [2]`, not a `float`",
        ],
    ),
    (
        r"template <class T> __device__ T g(T a, T b) { return a; } __global__ void k(float* x) { x[0] = g(1, 2.0); }",
        &[
            r"kernel.cu:1:96: error: no function `g` takes (int, double); there is the template `g` with 2 parameters: its template arguments cannot be found from these",
        ],
    ),
    (
        r"template <class T> __device__ T g(T a) { return a.foo; } __global__ void k(float* x) { x[0] = g(1.0f); }",
        &[
            r"kernel.cu:1:51: error: a `float` has no members",
            r"kernel.cu:1:95: note: `g<float>` is instantiated here",
        ],
    ),
    (
        r"__global__ void k(float* x) { x[1.5] = 2; float y = x; int z = 5 % 2.0; }",
        &[
            r"kernel.cu:1:31: error: an index must be an integer, not `double`",
            r"kernel.cu:1:53: error: a `float*` is not a `float`; write a cast where that is meant",
            r"kernel.cu:1:66: error: `%` is for integers; use fmod for floats",
        ],
    ),
    (
        r"__global__ void k(float* x) { break; continue; goto nowhere; }",
        &[
            r"kernel.cu:1:31: error: `break` stands outside a loop or switch",
            r"kernel.cu:1:38: error: `continue` stands outside a loop",
            r"kernel.cu:1:48: error: there is no such label in this function",
        ],
    ),
    (
        r"__device__ void f(int); __global__ void k(float* x) { f(1); }",
        &[r"kernel.cu:1:55: error: `f` is declared, but not defined: its body is needed to call it"],
    ),
    (
        r"__host__ float h(float a) { return a; } __global__ void k(float* x) { x[0] = h(1); }",
        &[r"kernel.cu:1:78: error: `h` is a __host__ function: mark it __device__ to call it in a kernel"],
    ),
    (
        r"int host = 3; __global__ void k(float* x) { x[0] = host; }",
        &[
            r"kernel.cu:1:52: error: `host` is a variable of the host: mark it __device__ or __constant__, or make it constexpr",
        ],
    ),
    (
        r"__global__ void k(float* x) { __shared__ float s[4] = {1, 2, 3, 4}; x[0] = s[0]; }",
        &[
            r"kernel.cu:1:48: error: a __shared__ variable cannot have a first value: write it and call __syncthreads()",
        ],
    ),
    (
        r"template <int N> struct R { static const int v = R<N + 1>::v; }; __global__ void k(float* x) { x[0] = R<0>::v; }",
        &[r"kernel.cu:1:54: error: templates are nested more than 500 deep here: the recursion needs an end"],
    ),
    (
        r"constexpr int rec(int n) { return rec(n + 1); } __global__ void k(float* x) { int a[rec(0)]; }",
        &[r"kernel.cu:1:35: error: this constant needs calls nested too deep"],
    ),
    (
        r"struct A { A a; }; __global__ void k(float* x) { }",
        &[r"kernel.cu:1:14: error: `A` is used inside its own definition, where its size is not known"],
    ),
    (r"struct B; __global__ void k(B b) { }", &[r"kernel.cu:1:31: error: `B` is declared, but not defined"]),
    (
        r"__global__ void k(float* x) { const int c = 1; c = 2; 5 = 6; x[0]++ = 1; }",
        &[
            r"kernel.cu:1:50: error: this is const and cannot be changed",
            r"kernel.cu:1:57: error: this is a temporary and cannot be assigned to",
            r"kernel.cu:1:69: error: this is a temporary and cannot be assigned to",
        ],
    ),
    (
        r"__global__ void k(float* x) { int a = 1; int a = 2; }",
        &[r"kernel.cu:1:46: error: `a` is declared twice in this block"],
    ),
    (
        r"__device__ int f(int) { return 1; } __device__ int f(long) { return 2; } __global__ void k(float* x) { x[0] = f(1.5); }",
        &[
            r"kernel.cu:1:111: error: the call of `f` with (double) is ambiguous; several fit equally: kernel.cu:1:16, kernel.cu:1:52; cast an argument",
        ],
    ),
    (
        r#"static_assert(sizeof(int) == 8, "ints are small"); __global__ void k(float* x) { static_assert(1 == 2); }"#,
        &[
            r"kernel.cu:1:1: error: static_assert failed: ints are small",
            r"kernel.cu:1:82: error: static_assert failed",
        ],
    ),
    (
        r"__global__ void k(float* x) { float y = later(1); } __device__ float later(float a) { return a; }",
        &[r"kernel.cu:1:41: error: `later` is declared only below: declare it before it is used"],
    ),
    (
        r"__global__ void k(float* x) { int i = 0; switch (i) { case 1: case 1: break; } }",
        &[r"kernel.cu:1:63: error: this case stands twice in the switch"],
    ),
    (
        r"__global__ void k(float* x) { void v; auto a; int& r; const int z; }",
        &[
            r"kernel.cu:1:36: error: a variable cannot be of type `void`",
            r"kernel.cu:1:44: error: `auto` needs a value to take its type from",
            r"kernel.cu:1:52: error: a reference needs what it refers to",
            r"kernel.cu:1:65: error: `z` is const and needs a value",
        ],
    ),
    (
        r"__global__ void k(float *x) { x[0] = sinn(1.0f) + blockIdx.w + threadidx.x; }",
        &[r"kernel.cu:1:38: error: there is no function `sinn`; did you mean `sin`?"],
    ),
    (
        r"enum class E { A, B }; __global__ void k(int* x) { x[0] = E::A + 1; x[1] = E::C; int q = E::A; }",
        &[
            r"kernel.cu:1:62: error: an `enum class` does not convert by itself: cast the `E`",
            r"kernel.cu:1:76: error: there is no `C` there",
            r"kernel.cu:1:93: error: a `E` is not a `int`; write a cast where that is meant",
        ],
    ),
    (
        r"__global__ void k(float* x) { auto f = [](int i) { return x[i]; }; f(0); }",
        &[r"kernel.cu:1:59: error: `x` belongs to the function around: capture it with [=] or [&]"],
    ),
    (
        r"template <class T> __global__ void tk(T* x) { } __global__ void k(float* x) { tk(x); }",
        &[
            r"kernel.cu:1:79: error: the kernel `tk` cannot be called from a kernel; make it a __device__ function",
        ],
    ),
];

#[test]
fn every_error_says_where_what_and_what_to_do() {
    for (text, expected) in ROWS {
        let Err(errors) = compile(text, &Options::default()) else { panic!("{text}: there is no error") };
        let rendered = errors.to_string();
        let messages: Vec<&str> = rendered.lines().filter(|line| line.starts_with("kernel.cu:")).collect();
        assert_eq!(messages, *expected, "{text}");
        for diagnostic in &errors.diagnostics {
            let excerpt = errors.sources.excerpt(diagnostic.span);
            assert!(excerpt.contains('^'), "{text}: {} shows no line", diagnostic.message);
        }
    }
}

#[test]
fn recursion_without_an_end_is_an_error() {
    let kernel = "__global__ void k(int* x) { x[0] = ";
    let texts = [
        "template <class T> __device__ int f(T t) { return f(&t); }",
        "template <int N> __device__ int f(int x) { return f<N + 1>(x); } __device__ int f(int x) { return f<0>(x); }",
        "template <int N> struct S { static const int v = S<N + 1>::v; }; __device__ int f(int) { return S<0>::v; }",
        "constexpr int r(int n) { return r(n + 1); } __device__ int f(int) { constexpr int v = r(0); return v; }",
        "constexpr int r() { for (;;) {} return 0; } __device__ int f(int) { constexpr int v = r(); return v; }",
    ];
    for text in texts {
        let whole = format!("{text}\n{kernel}f(1); }}");
        assert!(compile(&whole, &Options::default()).is_err(), "{text}");
    }
}
