//! Trees, as text, of what kernels are written in; and the messages about what is not CUDA C.

mod ambiguous;
mod declarations;
mod messages;
mod show;

use crate::ast::{Declaration, FunctionBody, TranslationUnit};
use crate::preprocess::Options;
use crate::{Diagnostic, SourceMap};

use super::parse;
use show::Show;

fn read(text: &str) -> (TranslationUnit, Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::default();
    let (unit, diagnostics) = parse(&mut sources, "kernel.cu", text, &Options::default());
    (unit, diagnostics, sources)
}

fn good(text: &str) -> TranslationUnit {
    let (unit, diagnostics, sources) = read(text);
    let messages: String = diagnostics.iter().map(|d| d.render(&sources) + "\n").collect();
    assert!(diagnostics.is_empty(), "{text}\n{messages}");
    unit
}

/// The declarations of a text.
fn tree(text: &str) -> String {
    let unit = good(text);
    Show(&unit.symbols).unit(&unit.declarations)
}

/// The statements of a text's last function.
fn body(text: &str) -> String {
    let unit = good(text);
    let show = Show(&unit.symbols);
    match unit.declarations.last() {
        Some(Declaration::Function(function)) => match &function.body {
            FunctionBody::Block(block) => {
                block.statements.iter().map(|s| show.stmt(s)).collect::<Vec<_>>().join(" ")
            }
            _ => panic!("the last function has no body"),
        },
        _ => panic!("the last declaration is no function"),
    }
}

/// An expression, in a place where `before` is declared.
fn expr_with(before: &str, text: &str) -> String {
    let body = body(&format!("{before}\nvoid f() {{ return {text}; }}"));
    body.strip_prefix("return ").and_then(|text| text.strip_suffix(";")).unwrap_or(&body).to_string()
}

fn expr(text: &str) -> String {
    expr_with("", text)
}

/// Statements, in a place where `before` is declared.
fn stmts(before: &str, text: &str) -> String {
    body(&format!("{before}\nvoid f() {{ {text} }}"))
}

/// All messages about a text, as users see them.
fn messages(text: &str) -> String {
    let (_, diagnostics, sources) = read(text);
    diagnostics.iter().map(|d| d.render(&sources)).collect::<Vec<_>>().join("\n")
}
