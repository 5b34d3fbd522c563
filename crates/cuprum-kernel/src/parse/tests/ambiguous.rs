//! Where C++ has to know what a name is: templates and less-than, casts and parentheses, declarations and expressions.

use super::{expr, expr_with, stmts, tree};

#[test]
fn operators_bind_as_in_c() {
    assert_eq!(expr("a + b * c - d"), "(Sub (Add a (Mul b c)) d)");
    assert_eq!(expr("a = b = c ? d : e ? f : g"), "(Set a (Set b (? c d (? e f g))))");
    assert_eq!(
        expr("a | b ^ c & d == e < f << g"),
        "(BitOr a (BitXor b (BitAnd c (Eq d (Lt e (Shl f g))))))"
    );
    assert_eq!(expr("a || b && !c"), "(Or a (And b (Not c)))");
    assert_eq!(expr("-a.b[2]++"), "(Minus (PostIncrement a.b[2]))");
    assert_eq!(expr("*p++ = ~*q--"), "(Set (Deref (PostIncrement p)) (BitNot (Deref (PostDecrement q))))");
    assert_eq!(expr("a, b, c"), "(Comma (Comma a b) c)");
    assert_eq!(expr("a >> b >= c"), "(Ge (Shr a b) c)");
    assert_eq!(expr("a >>= b > c"), "(Shr= a (Gt b c))");
    assert_eq!(expr("a <<= 1, a %= 2"), "(Comma (Shl= a 1) (Rem= a 2))");
    assert_eq!(expr("a ?: b"), "(? a _ b)");
    assert_eq!(expr("a and not b or c xor d"), "(Or (And a (Not b)) (BitXor c d))");
    assert_eq!(expr("a.*b->*c"), "(ArrowStar (DotStar a b) c)");
    assert_eq!(expr("x ? y = 1, 2 : z = 3"), "(? x (Comma (Set y 1) 2) (Set z 3))");
}

#[test]
fn literals() {
    assert_eq!(
        expr("1 + 2u + 3ll + 0x1Ful + 1.5f + 2. + 0b11"),
        "(Add (Add (Add (Add (Add (Add 1 2u) 3ll) 31ul) 1.5f) 2.0) 3)"
    );
    assert_eq!(expr(r#"f('a', "x" "\ty", true, nullptr)"#), r#"f('97', "x\ty", true, nullptr)"#);
    assert_eq!(expr("__func__"), "\"f\"");
}

#[test]
fn less_than_and_templates() {
    let templates =
        "template <class T> T max(T, T); template <class T, int N> struct A { static const int n = N; };";
    assert_eq!(expr("a < b > c"), "(Gt (Lt a b) c)");
    assert_eq!(expr_with(templates, "max<int>(a, b) < c"), "(Lt max<int>(a, b) c)");
    assert_eq!(expr_with(templates, "max<A<int, 3>>(a, b)"), "max<A<int, =3>>(a, b)");
    assert_eq!(expr_with(templates, "A<float, (2 > 1)>::n > 2"), "(Gt A<float, =(Gt 2 1)>::n 2)");
    assert_eq!(expr_with(templates, "A<int, sizeof(int) >= 4>::n"), "A<int, =(Ge sizeof(int) 4)>::n");
    assert_eq!(
        expr_with(templates, "A<A<int, 1>, (8 >> 1)>::n >> 1"),
        "(Shr A<A<int, =1>, =(Shr 8 1)>::n 1)"
    );
    // A variable hides a template of the same name.
    assert_eq!(stmts(templates, "int max = 3; max < 4;"), "var max: int = 3; (Lt max 4);");
    // One that is not declared is a template where a call with types follows.
    assert_eq!(expr("unknown<float>(x)"), "unknown<float>(x)");
    assert_eq!(expr("f(a < b, c > d)"), "f((Lt a b), (Gt c d))");
    assert_eq!(expr("i < n && j > (m)"), "(And (Lt i n) (Gt j m))");
    let member = "struct S { template <int N> int get() const; int size; };";
    assert_eq!(stmts(member, "S s; s.get<3>() < s.size;"), "var s: S; (Lt s.get<=3>() s.size);");
    assert_eq!(expr("T::template g<int>(x)"), "T::g<int>(x)");
}

#[test]
fn casts_and_parentheses() {
    assert_eq!(expr("(float)x / 2"), "(Div (CCast float x) 2)");
    assert_eq!(expr("(x) - 1"), "(Sub x 1)");
    assert_eq!(expr("(unsigned char)-1"), "(CCast unsignedchar (Minus 1))");
    assert_eq!(expr_with("struct T {};", "(T*)(p + 1)"), "(CCast ptr(T) (Add p 1))");
    assert_eq!(expr_with("typedef int T;", "(T)(x)"), "(CCast T x)");
    assert_eq!(expr_with("int T;", "(T)(x)"), "T(x)");
    assert_eq!(expr_with("int T;", "(T) * x"), "(Mul T x)");
    assert_eq!(expr("(float(x) + 1)"), "(Add (Make float x) 1)");
    assert_eq!(expr("(const volatile int *const *)p"), "(CCast ptr(const ptr(const volatile int)) p)");
    assert_eq!(expr("(int (*)(float, int))p"), "(CCast ptr(fn(float, int) -> int) p)");
    assert_eq!(expr("*(float4 *)&x"), "(Deref (CCast ptr(float4) (Address x)))");
    assert_eq!(expr("(Unknown)x"), "(CCast Unknown x)");
    assert_eq!(expr("static_cast<unsigned long long>(x) >> 3"), "(Shr (StaticCast unsignedlonglong x) 3)");
    assert_eq!(
        expr("reinterpret_cast<int *>(const_cast<char *>(p))[0]"),
        "(ReinterpretCast ptr(int) (ConstCast ptr(char) p))[0]"
    );
    assert_eq!(expr_with("struct V { int x, y; };", "(V){1, 2}.x"), "(Make V {1, 2}).x");
    assert_eq!(
        expr("sizeof(int) + sizeof(x) + sizeof x[0] + alignof(double)"),
        "(Add (Add (Add sizeof(int) sizeof x) sizeof x[0]) alignof(double))"
    );
    assert_eq!(expr("sizeof(int[4]) * sizeof(float *)"), "(Mul sizeof(array(int; 4)) sizeof(ptr(float)))");
}

#[test]
fn declarations_and_expressions() {
    let types = "struct T { T(int); void g(); static int s; }; typedef T U; template <class X> struct V { typedef X type; };";
    assert_eq!(stmts(types, "T a(1); T b = 2; T c{3};"), "var a: T (1); var b: T = 2; var c: T {3};");
    assert_eq!(stmts(types, "T * a; U & b = c;"), "var a: ptr(T); var b: ref(U) = c;");
    assert_eq!(stmts(types, "T(1).g(); T::s = 3; x * y;"), "(Make T 1).g(); (Set T::s 3); (Mul x y);");
    assert_eq!(
        stmts(types, "V<int>::type a = 1; typename V<T>::type b;"),
        "var a: V<int>::type = 1; var b: V<T>::type;"
    );
    assert_eq!(
        stmts(types, "int (*p)[3] = q; int (&r)[2] = s; float (*f)(int, T) = g;"),
        "var p: ptr(array(int; 3)) = q; var r: ref(array(int; 2)) = s; var f: ptr(fn(int, T) -> float) = g;"
    );
    assert_eq!(stmts(types, "T (*p)[3] = q;"), "var p: ptr(array(T; 3)) = q;");
    assert_eq!(
        stmts("", "float a[2][3] = {{1}, {2}}, *b = a[0], c;"),
        "var a: array(array(float; 3); 2) = {{1}, {2}}, b: ptr(float) = a[0], c: float;"
    );
    assert_eq!(stmts("", "unknown x = 3; unknown *y = z;"), "var x: unknown = 3; var y: ptr(unknown) = z;");
    assert_eq!(
        stmts("", "int x(a * b); int g(int, float y);"),
        "var x: int ((Mul a b)); fn g(_: int, y: float) -> int ;;"
    );
    assert_eq!(stmts(types, "T a(T(3)); T b(int);"), "var a: T ((Make T 3)); fn b(_: int) -> T ;;");
    assert_eq!(
        stmts("", "int(x) = 1; unsigned(y); int(z) + 1;"),
        "var x: int = 1; var y: unsignedint; (Add (Make int z) 1);"
    );
    assert_eq!(
        stmts("", "const unsigned long long int a = 1; long double b; short c; signed char d;"),
        "var a: const unsignedlonglong = 1; var b: longdouble; var c: short; var d: signedchar;"
    );
    assert_eq!(
        stmts("struct P { int a, b; };", "auto [x, y] = p; const auto &[u, v] = q;"),
        "bind [x, y] : auto = p; bind [u, v] : ref(const auto) = q;"
    );
    assert_eq!(
        stmts("", "struct { int x; } a; typedef struct { float y; } B; B b;"),
        "struct <unnamed 1> { var x: int }; var a: <unnamed 1>; struct B { var y: float }; var b: B;"
    );
}

#[test]
fn template_arguments_are_types_or_values() {
    let before = "template <class... T> struct A {}; template <int N> struct I {}; template <class T> struct X { static const bool value = true; typedef T type; }; struct S {};";
    assert_eq!(
        stmts(before, "A<int, const float *, S &, unsigned[3], void(int)> a;"),
        "var a: A<int, ptr(const float), ref(S), array(unsignedint; 3), fn(int) -> void>;"
    );
    assert_eq!(
        stmts(before, "I<1 + 2> a; I<X<int>::value> b; I<(1 > 0)> c; I<sizeof(S)> d; I<int(3)> e;"),
        "var a: I<=(Add 1 2)>; var b: I<=X<int>::value>; var c: I<=(Gt 1 0)>; var d: I<=sizeof(S)>; var e: I<=(Make int 3)>;"
    );
    assert_eq!(stmts(before, "A<X<int>::type, X<X<int>>> a;"), "var a: A<X<int>::type, X<X<int>>>;");
    assert_eq!(stmts(before, "A<> a;"), "var a: A<>;");
    assert_eq!(
        tree(
            "template <class T> struct A; template <class T> struct A<T *> { T x; }; template <> struct A<int> {};"
        ),
        "template<type T> struct A;\ntemplate<type T> struct A<ptr(T)> { var x: T }\ntemplate<> struct A<int> {  }"
    );
}

#[test]
fn lambdas_lists_folds_and_packs() {
    assert_eq!(
        expr("[=, &a, b = 1](int i) -> float { return i; }(3)"),
        "[Some(Value) &a, b = 1](i: int) -> float { return i; }(3)"
    );
    assert_eq!(expr("[] { }"), "[None ]() {  }");
    assert_eq!(expr("[&](auto x) mutable { x++; }"), "[Some(Reference) ](x: auto) { (PostIncrement x); }");
    assert_eq!(
        stmts(
            "struct P { int x, y[2]; };",
            "P p = {.x = 1, .y = {2, 3}}; int a[] = {[2] = 1, 5}; P q{.x{1}};"
        ),
        "var p: P = {.x = 1, .y = {2, 3}}; var a: array(int; ) = {[2] = 1, 5}; var q: P {.x = {1}};"
    );
    assert_eq!(expr("(... + x)"), "(Fold Add _ x)");
    assert_eq!(expr("(x && ...)"), "(Fold And x _)");
    assert_eq!(expr("(0 + ... + x)"), "(Fold Add 0 x)");
    assert_eq!(expr("(f(x), ...)"), "(Fold Comma f(x) _)");
    assert_eq!(expr("f(g(x)..., 1)"), "f(g(x)..., 1)");
    assert_eq!(
        tree("template <class... T> int f(T... x) { return sizeof...(T) + g<T...>(x...); } "),
        "template<type... T> fn f(...x: T) -> int { return (Add sizeof...(T) g<T...>(x...)); }"
    );
}

#[test]
fn what_is_refused_is_still_read() {
    assert_eq!(expr("k<<<g, dim3(2, 3), 0>>>(x, y)"), "(Launch k <g, dim3(2, 3), 0> (x, y))");
    assert_eq!(
        stmts("", "int *p = new int[4]; delete[] p; throw 1;"),
        "var p: ptr(int) = (new int[4]); (delete[] p); (refused throw);"
    );
    assert_eq!(
        stmts("", "asm volatile(\"mov %0, %1;\" \"x\" : \"=r\"(a) : \"r\"(b));"),
        "asm \"mov %0, %1;x\";"
    );
    assert_eq!(stmts("", "try { f(); } catch (...) { }"), "try;");
}
