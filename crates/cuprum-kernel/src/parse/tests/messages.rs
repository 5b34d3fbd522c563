//! Messages: their place, their words, several of them, and the limits.

use super::{good, messages, read};

#[test]
fn a_missing_semicolon_is_shown_behind_what_it_ends() {
    assert_eq!(
        messages("__global__ void f(float *x) {\n    x[0] = 1\n    x[1] = 2;\n}"),
        "kernel.cu:2:13: error: `;` is missing behind the expression\n    x[0] = 1\n            ^"
    );
}

#[test]
fn what_is_unexpected_is_shown() {
    assert_eq!(
        messages("int a = ;"),
        "kernel.cu:1:9: error: a value is expected, not `;`\nint a = ;\n        ^"
    );
    assert_eq!(
        messages("void f() { int x = g(1, ; }"),
        "kernel.cu:1:25: error: a value is expected, not `;`\nvoid f() { int x = g(1, ; }\n                        ^"
    );
    assert_eq!(
        messages("void f() { else g(); }"),
        "kernel.cu:1:12: error: `else` without `if`\nvoid f() { else g(); }\n           ^^^^"
    );
    assert_eq!(
        messages("void f() {\n"),
        "kernel.cu:1:10: error: this `{` has no `}`\nvoid f() {\n         ^"
    );
    assert_eq!(messages("}"), "kernel.cu:1:1: error: this `}` closes nothing\n}\n^");
    assert_eq!(
        messages("char *s = \"abc;\nint x;"),
        "kernel.cu:1:11: error: the string has no closing `\"`\nchar *s = \"abc;\n          ^^^^^"
    );
    assert_eq!(
        messages("int x = 08;"),
        "kernel.cu:1:9: error: `8` is no digit of the number `08`\nint x = 08;\n        ^^"
    );
    assert_eq!(
        messages("long float x;"),
        "kernel.cu:1:1: error: these words together are no type\nlong float x;\n^^^^"
    );
    assert!(messages("int x; /* and so on").contains("the comment has no closing `*/`"));
    assert!(messages("int x = 3 $ 4;").contains("`;` is missing"));
}

#[test]
fn several_errors_are_told_and_no_more_than_twenty() {
    let text = "void f() {\n int a = ;\n int b = 1;\n c(;\n}\nint d = ];\nvoid g() { return }\n";
    let (unit, diagnostics, _) = read(text);
    assert_eq!(diagnostics.iter().map(|d| d.span.line).collect::<Vec<_>>(), [2, 4, 6, 7]);
    assert_eq!(unit.declarations.len(), 2);
    let (_, diagnostics, _) = read(&"int a = ;\n".repeat(100));
    assert_eq!(diagnostics.len(), 20);
}

#[test]
fn a_message_inside_a_macro_points_at_its_use() {
    assert_eq!(
        messages("#define BAD(x) x +\nint a = 1;\nint b = BAD(a);\n"),
        "kernel.cu:3:15: error: a value is expected, not `;`\nint b = BAD(a);\n              ^"
    );
    assert_eq!(
        messages("#define BAD )\nint b = BAD;\n"),
        "kernel.cu:2:9: error: a value is expected, not `)`\nint b = BAD;\n        ^^^"
    );
}

#[test]
fn a_line_directive_names_the_file() {
    let text = messages("#line 41 \"script.py\"\nint a;\nint b = ;\n");
    assert_eq!(text, "script.py:42:9: error: a value is expected, not `;`");
}

#[test]
fn nesting_is_bounded_and_said_so() {
    // Without optimisation the deepest that is read takes more than a test's own thread has.
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(nest);
    thread.expect("a thread").join().expect("messages");
}

fn nest() {
    for (open, close) in
        [("(", ")"), ("-(", ")"), ("f(", ")"), ("a[", "]"), ("{", "}"), ("[]{return ", ";}()")]
    {
        let text = format!("int x = {}1{};", open.repeat(100_000), close.repeat(100_000));
        let messages = messages(&text);
        assert!(
            messages.contains("nested more than 256 deep"),
            "{open}: {}",
            &messages[..200.min(messages.len())]
        );
    }
    let blocks = format!("void f() {{ {} {} }}", "{".repeat(100_000), "}".repeat(100_000));
    assert!(messages(&blocks).contains("nested more than 256 deep"));
    let pointers = format!("int {}x;", "*".repeat(100_000));
    assert!(messages(&pointers).contains("more than 64 `*`"));
    let sum = format!("int x = {}1;", "1 + ".repeat(100_000));
    assert!(messages(&sum).contains("more than 1000 operators high"));
    let links = format!("void f() {{ {} ; }}", "if (a) ; else ".repeat(10_000));
    assert!(messages(&links).contains("use `switch`"));
    let records = format!("{} {}", "struct A {".repeat(10_000), "};".repeat(10_000));
    assert!(messages(&records).contains("nested more than 256 deep"));
    let angles = format!("template <class T> struct A {{}}; {}int{} x;", "A<".repeat(400), ">".repeat(400));
    assert!(messages(&angles).contains("nested more than 256 deep"));
}

#[test]
fn what_stands_below_the_limits_is_read() {
    good(&format!("int x = {}1{};", "(".repeat(60), ")".repeat(60)));
    good(&format!("int x = {}1;", "1 + ".repeat(900)));
    good(&format!("int x[] = {{ {} }};", "1 * 2 + 3, ".repeat(20_000)));
    good(&format!("void f() {{ {} ; }}", "if (a) ; else ".repeat(300)));
}
