//! Functions, records, templates, statements.

use super::{stmts, tree};

#[test]
fn kernels_and_their_words() {
    assert_eq!(
        tree(
            "extern \"C\" __global__ void __launch_bounds__(256, 2) k(const float *__restrict__ x, float *y, const int n) { }"
        ),
        "global extern C bounded fn k(x: restrict ptr(const float), y: ptr(float), n: const int) -> void {  }"
    );
    assert_eq!(
        tree(
            "extern \"C\" { __device__ static inline int f(int); __constant__ float c[16]; }\n__device__ __forceinline__ int g();"
        ),
        "device static inline C fn f(_: int) -> int ;\nconstant C var c: array(float; 16)\ndevice inline fn g() -> int ;"
    );
    assert_eq!(
        tree("extern __shared__ float s[]; __shared__ __align__(16) int t[4][5];"),
        "shared extern var s: array(float; )\nshared aligned var t: array(array(int; 5); 4)"
    );
    assert_eq!(tree("[[maybe_unused]] __attribute__((noinline)) void f(void);"), "fn f() -> void ;");
    assert_eq!(tree("int f([[maybe_unused]] int a);"), "fn f(a: int) -> int ;");
    assert_eq!(tree("auto f(int a) -> decltype(a + 1);"), "fn f(a: int) -> decltype((Add a 1)) ;");
    assert_eq!(tree("int (*pick(int which))(float);"), "fn pick(which: int) -> ptr(fn(float) -> int) ;");
    assert_eq!(
        tree("void f(int a[3], int (&b)[4], int g(int), ...);"),
        "fn f(a: array(int; 3), b: ref(array(int; 4)), g: fn(int) -> int, ...) -> void ;"
    );
}

#[test]
fn records() {
    assert_eq!(
        tree(
            "struct __align__(8) S { int x : 3, : 2; float y = 1; static const int n = 4; union { int a; float b; }; };"
        ),
        "align(8) struct S { var x: int bits 3, _: int bits 2; var y: float = 1; static var n: const int = 4; \
         union <unnamed 1> { var a: int; var b: float }; var _: <unnamed 1> }"
    );
    assert_eq!(
        tree(
            "class C : public A, B<int> { int x; public: C() = default; explicit C(int v) : A(v), x{v} { } ~C(); \
              operator float() const { return x; } C &operator=(const C &) = delete; int operator()(int i) const; \
              float &operator[](int); C operator+(C o) const; bool operator<(C) const; void operator++(int); };"
        ),
        "class C : public a, private b<int> { hidden var x: int; ctor C() = default; explicit ctor C(v: int) : A(v), x({v}) {  }; \
         fn ~C() ;; fn operator float() const { return x; }; \
         fn operator[Assign(None)](_: ref(const C)) -> ref(C) = delete; fn operator[Call](i: int) const -> int ;; \
         fn operator[Index](_: int) -> ref(float) ;; fn operator[Binary(Add)](o: C) const -> C ;; \
         fn operator[Binary(Lt)](_: C) const -> bool ;; fn operator[Increment](_: int) -> void ; }"
    );
    assert_eq!(
        tree(
            "template <class T> struct V { T x; V(T v); V operator+(V o); template <class U> U as(); friend V neg(V a) { return a; } };\n\
              template <class T> V<T>::V(T v) : x(v) { }\n\
              template <class T> V<T> V<T>::operator+(V o) { return V(x + o.x); }\n\
              template <class T> template <class U> U V<T>::as() { return U(x); }"
        ),
        "template<type T> struct V { var x: T; ctor V(v: T) ;; fn operator[Binary(Add)](o: V) -> V ;; \
         template<type U> fn as() -> U ;; friend fn neg(a: V) -> V { return a; } }\n\
         template<type T> ctor V<T>::V(v: T) : x(v) {  }\n\
         template<type T> fn V<T>::operator[Binary(Add)](o: V) -> V<T> { return (Make V (Add x o.x)); }\n\
         template<type T> template<type U> fn V<T>::as() -> U { return (Make U x); }"
    );
    assert_eq!(
        tree("struct S; struct S *p; enum E { A, B = 3, C }; enum class F : unsigned char { X };"),
        "struct S;\nvar p: ptr(S)\nenum E {A, B = 3, C}\nenum class F : unsignedchar {X}"
    );
    // A type that a record declares further down is one in the methods before it.
    assert_eq!(
        tree("struct S { int f() { T *x = 0; return (T)1; } typedef int T; };"),
        "struct S { fn f() -> int { var x: ptr(T) = 0; return (CCast T 1); }; alias T = int }"
    );
}

#[test]
fn templates_and_namespaces() {
    assert_eq!(
        tree(
            "template <typename T = float, int N = 4, bool = true, typename... R, template <class> class Q> struct A;"
        ),
        "template<type T = float, int N = 4, bool  = true, type... R, template<type > Q> struct A;"
    );
    assert_eq!(
        tree(
            "template <bool B, class T> struct enable {}; template <class T, typename enable<sizeof(T) == 4, int>::type = 0> void f(T);"
        ),
        "template<bool B, type T> struct enable {  }\n\
         template<type T, enable<=(Eq sizeof(T) 4), int>::type  = 0> fn f(_: T) -> void ;"
    );
    assert_eq!(
        tree(
            "template <class T> constexpr bool same = false; template <> constexpr bool same<int> = true; \
              template <class T> using P = T *; template <class T> void f(T); template <int N> struct X {}; template void f<int>(int); template struct X<3>;"
        ),
        "template<type T> constexpr var same: bool = false\ntemplate<> constexpr var same<int>: bool = true\n\
         template<type T> alias P = ptr(T)\ntemplate<type T> fn f(_: T) -> void ;\n\
         template<int N> struct X {  }\ninstantiate fn f<int>(_: int) -> void ;\ninstantiate struct X<=3>;"
    );
    assert_eq!(
        tree(
            "namespace a::b { struct S {}; inline namespace c { int g(); } } namespace d = a::b; using namespace a; \
              b::S x; d::S y; using a::b::S; S z; static_assert(sizeof(S) == 1, \"small\");"
        ),
        "namespace a { namespace b { struct S {  }; namespace c { fn g() -> int ; } } }\nnamespace d = a::b\n\
         using namespace a\nvar x: b::S\nvar y: d::S\nusing a::b::S\nvar z: S\n\
         static_assert (Eq sizeof(S) 1) \"small\""
    );
}

#[test]
fn statements() {
    assert_eq!(
        stmts("", "for (int i = 0, j = 1; i < n; ++i, j--) { if (i) continue; else break; }"),
        "for(var i: int = 0, j: int = 1; (Lt i n); (Comma (PreIncrement i) (PostDecrement j))) { if(i) continue; else break; }"
    );
    assert_eq!(stmts("", "for (;;) ;"), "for(; ; ) ;");
    assert_eq!(
        stmts("", "for (auto &x : list) f(x); for (int i : {1, 2}) ;"),
        "for(var x: ref(auto) : list) f(x); for(var i: int : {1, 2}) ;"
    );
    assert_eq!(
        stmts("", "while (int x = next()) do { y(); } while (x > 1);"),
        "while(var x: int = next()) do { y(); } while((Gt x 1))"
    );
    assert_eq!(
        stmts("", "switch (x) { case 1: case 2: f(); break; case 3 ... 5: { } default: ; }"),
        "switch(x) { case 1: case 2: f(); break; case 3 ... 5: {  } default: ; }"
    );
    assert_eq!(
        stmts("", "if (int v = f(); v > 0) g(); else if constexpr (N == 2) h(); else ;"),
        "if(var v: int = f(); (Gt v 0)) g(); else if constexpr((Eq N 2)) h(); else ;"
    );
    assert_eq!(
        stmts("", "again: x--; if (x) goto again; if (y) out: return; "),
        "again: (PostDecrement x); if(x) goto again; if(y) { out: return; }"
    );
    assert_eq!(
        stmts(
            "",
            "\n#pragma unroll\nfor (;;) ;\n#define N 4\n#pragma unroll (N * 2)\nwhile (1) ;\n#pragma unroll 3\ndo ; while (0);\n_Pragma(\"unroll\") for (;;) ;"
        ),
        "unroll for(; ; ) ; unroll((Mul 4 2)) while(1) ; unroll(3) do ; while(0) unroll for(; ; ) ;"
    );
    assert_eq!(
        stmts("", "static __shared__ float tile[16][17]; [[fallthrough]]; ;"),
        "shared static var tile: array(array(float; 17); 16); ; ;"
    );
}
