//! What macros expand to, what conditions choose, and the messages about what is wrong.

use crate::SourceMap;
use crate::lex::TokenKind;

use super::{HeaderList, Options, preprocess};

fn with(text: &str, options: &Options<'_>) -> (String, String) {
    let mut sources = SourceMap::default();
    let result = preprocess(&mut sources, "kernel.cu", text, options);
    let mut shown = String::new();
    for (index, token) in result.tokens.iter().enumerate() {
        if token.kind == TokenKind::UnrollEnd {
            shown.push_str(" ;");
        }
        if index > 0 && (token.space || token.first) && token.kind != TokenKind::Eof {
            shown.push(' ');
        }
        shown.push_str(token.spelling(&result.symbols));
    }
    let messages: Vec<String> =
        result.diagnostics.iter().map(|diagnostic| diagnostic.render(&sources)).collect();
    (shown, messages.join("\n"))
}

fn expand(text: &str) -> String {
    let (shown, messages) = with(text, &Options::default());
    assert_eq!(messages, "", "{text}");
    shown
}

fn message(text: &str) -> String {
    with(text, &Options::default()).1
}

#[test]
fn objects_and_functions() {
    assert_eq!(expand("#define N 4\n#define SQ(x) ((x) * (x))\nSQ(N + 1) SQ"), "((4 + 1) * (4 + 1)) SQ");
    assert_eq!(expand("#define F(a, b) b a\nF(1, (2, 3)) F(, x) F((,), )"), "(2, 3) 1 x (,)");
    assert_eq!(expand("#define F() 1\nF() F( ) F\n()"), "1 1 1");
    assert_eq!(expand("#define A B\n#define B A\nA B"), "A B");
    assert_eq!(expand("#define f(x) x + f(x)\nf(f(1))"), "1 + f(1) + f(1 + f(1))");
    assert_eq!(expand("#define N 1\n#undef N\nN"), "N");
    assert_eq!(expand("#define LONG a \\\n  b\nLONG c"), "a b c");
}

#[test]
fn the_standards_own_example_of_rescanning() {
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                #define str(x) # x\n\
                f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
                g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
                p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
                char c[2][6] = { str(hello), str() };";
    assert_eq!(
        expand(text).replace(' ', ""),
        "f(2*(y+1))+f(2*(f(2*(z[0]))))%f(2*(0))+t(1);f(2*(2+(3,4)-0,1))|f(2*(~5))&f(2*(0,1))^m(0,1);\
         inti[]={1,23,4,5,};charc[2][6]={\"hello\",\"\"};"
    );
}

#[test]
fn strings_and_pasting() {
    assert_eq!(expand("#define S(x) #x\nS(a  +\tb) S(\"q\\n\" '\\0') S()"), r#""a + b" "\"q\\n\" '\\0'" """#);
    assert_eq!(expand("#define C(a, b) a ## b\nC(x, 1) C(1, e5) C(<, <) C(, y) C(z,)"), "x1 1e5 << y z");
    assert_eq!(
        expand("#define N 3\n#define C(a, b) a##b\n#define D(a, b) C(a, b)\nC(x, N) D(x, N)"),
        "xN x3"
    );
    assert_eq!(expand("#define X(t) make_##t##2\nX(float)"), "make_float2");
    assert!(message("#define C(a, b) a ## b\nC(+, x)").contains("makes `+x`, which is no token"));
}

#[test]
fn variadic_macros() {
    assert_eq!(expand("#define P(f, ...) printf(f, __VA_ARGS__)\nP(a, b, c)"), "printf(a, b, c)");
    assert_eq!(expand("#define P(f, ...) printf(f, ##__VA_ARGS__)\nP(a) P(a, b)"), "printf(a) printf(a,b)");
    assert_eq!(
        expand("#define P(f, ...) printf(f __VA_OPT__(,) __VA_ARGS__)\nP(a) P(a, b)"),
        "printf(a) printf(a , b)"
    );
    assert_eq!(expand("#define P(...) #__VA_ARGS__\nP(a, (b)) P()"), "\"a, (b)\" \"\"");
    assert_eq!(expand("#define P(args...) f(args)\nP(1, 2)"), "f(1, 2)");
}

#[test]
fn conditions() {
    let choose = |condition: &str| expand(&format!("#if {condition}\nyes\n#else\nno\n#endif")) == "yes";
    for holds in [
        "1",
        "2 > 1 && 1 << 3 == 8",
        "-1 < 0",
        "-1 > 0u",
        "(1 ? 2 : 0) == 2",
        "!defined(X)",
        "!defined X",
        "'a' == 97",
        "0x10 == 16 && 010 == 8 && 0b11 == 3",
        "1 || 1 / 0",
        "0 ? 1 / 0 : 1",
        "undefined == 0",
        "true",
        "__CUDA_ARCH__ >= 700",
        "defined(__CUDACC__) and not defined(X)",
        "~0 == -1",
        "(-8 >> 1) == -4",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "18446744073709551615u > 1",
        "__cplusplus >= 201703L",
        "1000000000000 > 1",
    ] {
        assert!(choose(holds), "{holds}");
    }
    for fails in
        ["0", "1 > 2", "defined(X) && X > 3", "false", "1 == 2 || 3 < 2", "__has_include(<nothing.h>)"]
    {
        assert!(!choose(fails), "{fails}");
    }
    assert_eq!(expand("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif e"), "b");
    assert_eq!(expand("#ifdef X\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
    assert_eq!(expand("#if 0\n#if garbage ( '\n#else\n#endif\ndon't\n#endif\nend"), "end");
    assert_eq!(expand("#define X\n#ifndef X\na\n#elifdef X\nb\n#endif"), "b");
    assert_eq!(expand("#define V(x) x\n#if V(2) == 2 && V(defined(Y)) == 0\nok\n#endif"), "ok");
    assert!(message("#if 1 / 0\n#endif").contains("division by zero"));
    assert!(message("#if 1 +\n#endif").contains("ends where a value is expected"));
    assert!(message("#if 1.5\n#endif").contains("is no integer"));
    assert!(message("#if FOO(1)\n#endif").contains("no macro `FOO`"));
    assert!(message("#if 1\n").contains("has no `#endif`"));
    assert!(message("#else\n").contains("without `#if`"));
    assert!(message("#if 0\n#else\n#else\n#endif").contains("behind `#else`"));
}

#[test]
fn headers_by_name() {
    let headers =
        HeaderList(&[("a.h", "#pragma once\nint a;\n"), ("d/b.h", "#include \"a.h\"\nB\n"), ("c.h", "C")]);
    let options = Options { headers: &headers, ..Options::default() };
    assert_eq!(
        with("#include <a.h>\n#include \"d/b.h\"\n#include <c.h>\n#include <c.h>", &options).0,
        "int a; B C C"
    );
    assert_eq!(
        with("#define H <c.h>\n#include H\n#if __has_include(<a.h>)\nyes\n#endif", &options).0,
        "C yes"
    );
    assert_eq!(
        with("int x;\n#include <vector>\n", &options).1,
        "kernel.cu:2:10: error: there is no header `vector`: containers that allocate do not exist in kernels: \
         use arrays of fixed size, or pass memory from Python; the headers are a.h, c.h, d/b.h\n#include <vector>\n         ^^^^^^^^"
    );
    let preludes = Options { preludes: &["c.h"], ..options };
    assert_eq!(with("x", &preludes).0, "C x");
}

#[test]
fn macros_from_outside_and_of_the_place() {
    let options = Options {
        defines: &["N=3", "FLAG", "SQ(x)=x * x"],
        undefines: &["__CUDA_ARCH__"],
        ..Options::default()
    };
    assert_eq!(with("N FLAG SQ(2) __CUDA_ARCH__", &options).0, "3 1 2 * 2 __CUDA_ARCH__");
    assert_eq!(expand("__LINE__\n__LINE__ __FILE__ __COUNTER__ __COUNTER__"), "1 2 \"kernel.cu\" 0 1");
    assert_eq!(
        expand("#line 10 \"a.py\"\n__LINE__ __FILE__\n\n__LINE__\n#line 3\n__LINE__"),
        "10 \"a.py\" 12 3"
    );
    assert_eq!(expand("#ifndef __device__\n#define __device__\n#endif\n__device__ x"), "__device__ x");
    assert_eq!(expand("#define L __LINE__\n\nL"), "3");
}

#[test]
fn pragmas() {
    assert_eq!(expand("#define N 4\n#pragma unroll N\nfor"), "#pragma unroll 4 ; for");
    assert_eq!(expand("#pragma nounroll\nfor"), "#pragma unroll1 ; for");
    assert_eq!(expand("#pragma diag_suppress 177\n#pragma omp parallel\nx"), "x");
    assert_eq!(expand("#define U _Pragma(\"unroll 2\")\nU for"), "#pragma unroll 2 ; for");
    assert!(message("#pragma pack(push, 1)\n").contains("`#pragma pack` is not supported"));
}

#[test]
fn messages_have_places() {
    assert_eq!(
        message("#error stop  here\n"),
        "kernel.cu:1:1: error: #error stop here\n#error stop  here\n^"
    );
    assert_eq!(message("#warning hm\n"), "kernel.cu:1:1: warning: #warning hm\n#warning hm\n^");
    assert!(message("#nonsense\n").contains("no directive `#nonsense`"));
    assert!(message("#define F(a b) a\n").contains("parameters"));
    assert!(message("#define F(x) x\nF(1, 2)\n").contains("the macro `F` takes 1 argument, not 2"));
    assert!(
        message("#define F(x) x\nF(1\n")
            .contains("kernel.cu:2:1: error: the arguments of the macro `F` have no `)`")
    );
    assert!(message("#define A 1\n#define A 2\n").contains("warning: `A` is defined anew"));
    assert!(message("#define A 1\n#define  A  1\n").is_empty());
}

#[test]
fn explosions_end_in_a_message() {
    let mut bomb = String::from("#define A0 x x x x x x x x x x\n");
    for level in 1..20 {
        let below = format!("A{} ", level - 1).repeat(10);
        bomb += &format!("#define A{level} {below}\n");
    }
    assert!(
        message(&format!("{bomb}A19")).contains("expand to too much")
            || message(&format!("{bomb}A19")).contains("tokens")
    );
    let nested = format!("#define F(x) x x\n{}1{}", "F(".repeat(60), ")".repeat(60));
    assert!(!message(&nested).is_empty());
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
    assert!(message(&deep).contains("deep"));
    let paste = format!("#define P(x) P2(x)\n#define P2(x) x##x\n{}a{}", "P(".repeat(40), ")".repeat(40));
    assert!(message(&paste).contains("bytes") || message(&paste).contains("too much"));
    let string = format!("#define S(x) S2(x)\n#define S2(x) #x\n{}\"{}", "S(".repeat(40), ")".repeat(40))
        .replace("(\"", "(\"\"");
    assert!(!message(&string).is_empty());
    let headers = HeaderList(&[
        ("a.h", "#include \"a.h\"\n"),
        ("b.h", "#include \"c.h\"\n#include \"c.h\"\n"),
        ("c.h", "#if __COUNTER__ < 60000\n#include \"b.h\"\n#endif"),
    ]);
    let options = Options { headers: &headers, ..Options::default() };
    assert!(with("#include \"a.h\"", &options).1.contains("more than 64 deep"));
    assert!(!with("#include \"b.h\"", &options).1.is_empty());
    let condition = format!("#if {}1{}\n#endif", "(".repeat(5000), ")".repeat(5000));
    assert!(message(&condition).contains("nested more than 100 deep"));
}
