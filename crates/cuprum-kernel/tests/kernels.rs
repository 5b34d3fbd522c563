//! What a module offers to a launch: kernels by their names, parameters with what they take, variables.

use cuprum_kernel::cuda::{Compiled, Options, compile, signatures};
use cuprum_kernel::ir::{Element, Function, ParameterKind};

fn compiled(text: &str, names: &[&str]) -> Compiled {
    let options = Options {
        name_expressions: names.iter().map(|name| name.to_string()).collect(),
        ..Options::default()
    };
    compile(text, &options).unwrap_or_else(|errors| panic!("{errors}"))
}

fn kernel<'a>(compiled: &'a Compiled, name: &str) -> &'a Function {
    let found =
        compiled.module.functions.iter().find(|function| function.name == name && function.kernel.is_some());
    found.unwrap_or_else(|| panic!("there is no kernel {name}"))
}

#[test]
fn name_expressions_find_templates_however_they_are_spaced() {
    let text = "namespace ns { template <class T, int N> __global__ void scale(T* x) { x[0] *= N; } }
        template <class T> struct P { T a; };
        template <class T> __global__ void sum(T* x) { x[0].a += 1; }
        template <class T> __global__ void unused(T* x) { x.nothing(); }
        __global__ void plain(int* x) { *x = 1; }";
    let names = ["ns::scale<float,4>", "&ns::scale< unsigned  int , 2+1 >", "sum<P<double> >", "plain"];
    let compiled = compiled(text, &names);
    let found: Vec<&str> = compiled.names.iter().map(|(_, kernel)| kernel.as_str()).collect();
    assert_eq!(found, ["ns::scale<float, 4>", "ns::scale<unsigned int, 3>", "sum<P<double>>", "plain"]);
    for name in found {
        assert!(!kernel(&compiled, name).blocks.is_empty());
    }
    let kernels = compiled.module.functions.iter().filter(|function| function.kernel.is_some()).count();
    assert_eq!(kernels, 4, "a template that nobody asks for is not made");
}

#[test]
fn a_name_expression_that_fits_no_kernel_is_an_error() {
    let text = "template <class T> __global__ void f(T* x) {} __device__ void g(int) {}";
    for (name, message) in [
        ("f<float, 2>", "no function `f` fits here"),
        ("g", "is not a kernel"),
        ("h<int>", "h"),
        ("f<", "expected"),
    ] {
        let options = Options { name_expressions: vec![name.to_string()], ..Options::default() };
        let errors = compile(text, &options).expect_err(name).to_string();
        assert!(errors.contains(message), "{name}: {errors}");
    }
}

#[test]
fn parameters_say_what_they_take() {
    let text = "#include <cuda_fp16.h>
        #include <cupy/complex.cuh>
        struct Pair { char a; double b; };
        enum Kind : short { ONE };
        __global__ void f(const float* x, bool b, unsigned char c, long long n, complex<float>* z, const __half h, void* any,
                          Pair p, Pair* pp, Kind k, float4 v, int (*rows)[8]) {}";
    let compiled = compiled(text, &[]);
    let info = kernel(&compiled, "f").kernel.clone().expect("it is a kernel");
    let kinds: Vec<&ParameterKind> = info.params.iter().map(|parameter| &parameter.kind).collect();
    let pointer = |to, constant| ParameterKind::Pointer { to, constant };
    assert_eq!(
        kinds,
        [
            &pointer(Element::Float(4), true),
            &ParameterKind::Scalar(Element::Bool),
            &ParameterKind::Scalar(Element::Unsigned(1)),
            &ParameterKind::Scalar(Element::Signed(8)),
            &pointer(Element::Complex(8), false),
            &ParameterKind::Scalar(Element::Float(2)),
            &pointer(Element::Void, false),
            &ParameterKind::Struct,
            &pointer(Element::Other { bytes: 16 }, false),
            &ParameterKind::Scalar(Element::Other { bytes: 2 }),
            &ParameterKind::Struct,
            &pointer(Element::Signed(4), false),
        ]
    );
    let places: Vec<(u32, u32)> =
        info.params.iter().map(|parameter| (parameter.offset, parameter.bytes)).collect();
    let expected = [
        (0, 8),
        (8, 1),
        (9, 1),
        (16, 8),
        (24, 8),
        (32, 2),
        (40, 8),
        (48, 16),
        (64, 8),
        (72, 2),
        (80, 16),
        (96, 8),
    ];
    assert_eq!(places, expected);
    assert_eq!((info.params[0].type_name.as_str(), info.params[4].name.as_str()), ("const float*", "z"));
}

#[test]
fn signatures_need_no_body_that_the_cpu_can_run() {
    let text = "__device__ float g(float x) { asm(\"sin.approx.f32 %0, %1;\"); return x; }
        template <class T> __global__ void __launch_bounds__(64 * sizeof(T)) f(T* x, int n) { asm(\"...\"); x.y = undeclared; }";
    let options = Options { name_expressions: vec!["f<float>".to_string()], ..Options::default() };
    let found = signatures(text, &options).unwrap_or_else(|errors| panic!("{errors}"));
    let info = kernel(&found, "f<float>").kernel.clone().expect("it is a kernel");
    assert_eq!(info.max_threads, Some(256));
    assert_eq!(info.params[0].kind, ParameterKind::Pointer { to: Element::Float(4), constant: false });
}

#[test]
fn variables_have_their_first_values() {
    let text = "constexpr int square(int x) { return x * x; }
        struct Row { short a; float b; };
        __constant__ Row rows[2] = {{1, 0.5f}, {square(3), 2}};
        __device__ unsigned char bytes[4] = {1, 2};
        __device__ int plain;
        namespace ns { __device__ double inside = 1.5; }
        const int hidden = 4;
        __global__ void f(int* x) { *x = rows[1].a + hidden + bytes[0] + plain + (int)ns::inside; }";
    let compiled = compiled(text, &[]);
    let global = |name: &str| {
        compiled
            .module
            .globals
            .iter()
            .find(|global| global.name == name)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    let mut rows = Vec::new();
    for (a, b) in [(1i16, 0.5f32), (9, 2.0)] {
        rows.extend(a.to_le_bytes());
        rows.extend([0, 0]);
        rows.extend(b.to_le_bytes());
    }
    assert_eq!(global("rows").bytes, rows);
    assert!(global("rows").constant && !global("bytes").constant);
    assert_eq!(global("bytes").bytes, [1, 2, 0, 0]);
    assert_eq!(global("plain").bytes, [0; 4]);
    assert_eq!(global("ns::inside").bytes, 1.5f64.to_le_bytes());
    assert_eq!(compiled.module.globals.len(), 4, "a constant number needs no memory");
}

#[test]
fn shared_memory_is_that_of_the_functions_that_are_used() {
    let text = "template <int N> __device__ float* tile() { __shared__ float t[N]; return t; }
        __device__ float unused() { __shared__ double big[4096]; return big[0]; }
        __global__ void f(float* x) {
            extern __shared__ int dynamic[];
            extern __shared__ double also[];
            x[0] = tile<4>()[0] + tile<8>()[1] + tile<4>()[2] + dynamic[0] + also[0];
        }";
    let compiled = compiled(text, &[]);
    let mut sizes: Vec<u64> = compiled.module.shared.iter().map(|shared| shared.bytes).collect();
    sizes.sort();
    assert_eq!(sizes, [16, 32]);
}

#[test]
fn every_module_is_well_formed() {
    for text in [
        "__global__ void f(int* x, int n) { while (n) { if (n & 1) continue; n--; } switch (n) { default: *x = n; } }",
        "struct S { int a; ~S() {} }; __global__ void f(int* x) { for (;;) { S s{1}; if (*x) break; if (x[1]) return; } }",
        "__global__ void f(int* x) { return; *x = 1; }",
        "__global__ void f(int* x) { int a = 1; int& b = a; auto g = [&] { return ++b; }; *x = g() + a; }",
    ] {
        assert_eq!(cuprum_kernel::ir::verify(&compiled(text, &[]).module), Vec::<String>::new(), "{text}");
    }
}
