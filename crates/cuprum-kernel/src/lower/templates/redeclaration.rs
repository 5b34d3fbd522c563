//! Whether two declarations of templates declare the same one: their trees are compared, places aside, with parameters
//! by their positions.

use std::fmt::Write;

use crate::ast;

/// Whether two function templates have the same parameters.
pub(crate) fn same_templates(a: &ast::Function, b: &ast::Function) -> bool {
    let count =
        |function: &ast::Function| function.templates.last().map_or(0, |header| header.parameters.len());
    count(a) == count(b)
        && a.constant == b.constant
        && a.parameters.len() == b.parameters.len()
        && spelled(a) == spelled(b)
}

/// The parameters and the result, spelled so that places do not matter.
fn spelled(function: &ast::Function) -> String {
    let mut text = String::new();
    for parameter in &function.parameters {
        let _ = write!(text, "{:?}|{}|", parameter.ty, parameter.pack);
    }
    let _ = write!(text, "{:?}", function.result);
    if let Some(header) = function.templates.last() {
        for parameter in &header.parameters {
            if let ast::TemplateParameterKind::Value { ty, .. } = &parameter.kind {
                let _ = write!(text, "|{ty:?}");
            }
        }
    }
    let mut text = without_spans(&text);
    if let Some(header) = function.templates.last() {
        for (at, parameter) in header.parameters.iter().enumerate() {
            if let Some(name) = parameter.name {
                text = text.replace(&format!("Symbol({})", name.0), &format!("Parameter({at})"));
            }
        }
    }
    text
}

/// The debug text of a tree without the `Span { ... }` in it.
fn without_spans(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("Span {") {
        result.push_str(&rest[..at]);
        let mut depth = 0;
        let mut end = rest.len();
        for (i, c) in rest[at..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        end = at + i + 1;
                        break;
                    }
                }
                _ => {}
            }
        }
        rest = &rest[end..];
    }
    result.push_str(rest);
    result
}
