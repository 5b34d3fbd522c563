//! Texts that nobody would write, made of kernels and of nothing.

use std::path::Path;

use crate::random::Random;

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "int", "float", "T", "x", "f", "(", ")", "{", "}", "[", "]", "<", ">", ">>", "<<<", ">>>", ";", ",", ":", "::",
    "...", "*", "&", "&&", "=", "==", "+=", "->", ".", "?", "~", "!", "-", "++", "template", "typename", "class",
    "struct S", "union", "enum", "operator", "const", "static", "__global__", "__device__", "__shared__", "void",
    "return", "if", "else", "for", "while", "do", "switch", "case 1:", "default:", "break", "goto a", "a:", "sizeof",
    "decltype", "auto", "using", "namespace n", "typedef", "extern \"C\"", "static_cast<", "new", "delete", "this",
    "asm(\"x\")", "1", "0x", "1.5e", "'a'", "'", "\"s\"", "\"", "R\"(", "/*", "//", "\\\n", "\n#define M(x) x #x\n",
    "M(", "\n#if 1\n", "\n#if 0\n", "\n#else\n", "\n#endif\n", "\n#include <x.h>\n", "\n#line 3 \"a\"\n",
    "\n#pragma unroll\n", "\n#", "##", "__VA_ARGS__", "\n#define V(a, ...) a##__VA_ARGS__ __VA_OPT__(x)\n", "V(",
    "__attribute__((aligned(8)))", "[[x]]", "alignas(", "\u{e9}", "\u{1f600}", "\0", "friend", "virtual", "constexpr",
    "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(", "\"{ .reg .u32 t; @p add.cc.u32 t, %1, 0f; lop3.b32 %0, t, t, t, 0x96; }\"", ":::", "::",
    "if constexpr (", "template <", "template <class T> struct A", "A<int", "A<A<int>>", "requires", "try {", "catch",
    "throw", "[=](", "[&]", "[] {", "__launch_bounds__(", "n::x",
];

#[rustfmt::skip]
const STRUCTURES: &[(&str, &str)] = &[
    ("(", ")"), ("{", "}"), ("[", "]"), ("f(", ")"), ("-", ""), ("*", ""), ("!", ""), ("a ? b : ", ""), ("a = ", ""),
    ("a + ", ""), ("(int)", ""), ("sizeof ", ""), ("sizeof(", ")"), ("[]{", "}"), ("[](int x = ", ") {}"),
    ("T<", ">"), ("A<", ">"), ("x.y<", ">"), ("static_cast<int>(", ")"), ("(a, ", ")"), ("{.x = ", "}"),
    ("if (a) ", ""), ("if (a) {} else ", ""), ("for (;;) ", ""), ("do ", " while (1);"), ("switch (a) case 1: ", ""),
    ("a: ", ""), ("struct A { ", " };"), ("namespace n { ", " }"), ("template <class T> ", ""), ("template <", ">"),
    ("int *", ""), ("int (", ")"), ("int (*(", ")())"), ("extern \"C\" { ", " }"), ("union { ", " };"),
    ("enum { a = ", " };"), ("decltype(", ")"), ("__attribute__((", "))"), ("alignas(", ")"), ("[[", "]]"),
    ("a::", ""), ("a<", ""), ("a[", "]"), ("\n#if 1\n", "\n#endif\n"), ("F(", ")"), ("operator ", ""),
    ("void f(", ")"), ("int a[", "]"), ("using x = ", ";"),
];

pub fn corpus() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in ["../cuprum-cuda/src/kernels", "src/headers"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).expect("kernels").filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        texts.extend(paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()));
    }
    assert!(texts.len() > 60);
    texts
}

/// Where a character begins, near a place.
pub fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

pub fn mutated(random: &mut Random, corpus: &[String]) -> String {
    let mut text = corpus[random.below(corpus.len())].clone();
    // A part of a long text is as good, and quicker.
    if text.len() > 3000 {
        let from = boundary(&text, random.below(text.len() - 2000));
        let to = boundary(&text, (from + 1000 + random.below(2000)).min(text.len()));
        text = text[from..to].to_string();
    }
    for _ in 0..=random.below(6) {
        let from = boundary(&text, random.below(text.len() + 1));
        let to = boundary(&text, (from + random.below(40)).min(text.len()));
        match random.below(6) {
            0 => text.replace_range(from..to, ""),
            1 => text.insert_str(from, random.pick(PIECES)),
            2 => text.replace_range(from..to, random.pick(PIECES)),
            3 => {
                let piece = text[from..to].to_string();
                let at = boundary(&text, random.below(text.len() + 1));
                text.insert_str(at, &piece);
            }
            4 => {
                let other = &corpus[random.below(corpus.len())];
                let start = boundary(other, random.below(other.len() + 1));
                let end = boundary(other, (start + random.below(200)).min(other.len()));
                text.insert_str(from, &other[start..end]);
            }
            _ => text.truncate(to),
        }
    }
    text
}

pub fn soup(random: &mut Random) -> String {
    let mut text = String::from("template <class T> struct A { T x; };\nstruct T {};\n");
    for _ in 0..random.below(150) {
        text.push_str(random.pick(PIECES));
        if random.below(4) > 0 {
            text.push(' ');
        }
    }
    text
}

pub fn nested(random: &mut Random) -> String {
    let mut text = String::from("template <class T> struct A { T x; };\n#define F(x) x\n");
    text.push_str(random.pick(&["", "void f() { ", "int x = ", "struct S { ", "void f() { return "]));
    let count = random.pick(&[3, 50, 255, 300, 3000, 20_000]);
    let kinds: Vec<_> = (0..=random.below(3)).map(|_| random.pick(STRUCTURES)).collect();
    let closed = random.below(4) > 0;
    for level in 0..count {
        text.push_str(kinds[level % kinds.len()].0);
    }
    text.push('1');
    if closed {
        for level in (0..count).rev() {
            text.push_str(kinds[level % kinds.len()].1);
        }
        text.push_str("; }");
    }
    text
}

pub fn macros(random: &mut Random) -> String {
    let mut text = String::new();
    let count = 2 + random.below(12);
    for index in 0..count {
        let function = random.below(2) == 0;
        text += &format!(
            "#define M{index}{} ",
            if function { ["(x)", "(x, y)", "(...)", "(x, ...)"][random.below(4)] } else { "" }
        );
        for _ in 0..random.below(12) {
            let other = random.below(count);
            text += &match random.below(10) {
                0 => " x".to_string(),
                1 if function => " #x".to_string(),
                2 => " x ## y".to_string(),
                3 => format!(" M{other}(x)"),
                4 => format!(" M{other}(x, M{})", random.below(count)),
                5 => " __VA_ARGS__".to_string(),
                6 => " __VA_OPT__(a ## x)".to_string(),
                7 => " (".to_string(),
                8 => " M1 ) , M2".to_string(),
                _ => format!(" M{other}"),
            };
        }
        text.push('\n');
    }
    for _ in 0..3 {
        text += &format!("M{}(M{}(a, b), c)\n", random.below(count), random.below(count));
    }
    text
}
