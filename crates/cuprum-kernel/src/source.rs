//! Where things stand in a kernel's text, and messages that show the place.

use std::fmt;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A place in a text: a file, a line and a column, both from 1 (0: nowhere), and a length in characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 where there is no place.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// How many characters the caret line marks.
    pub length: u32,
}

/// One file's name and text.
#[derive(Clone, Debug)]
pub struct Source {
    /// What messages call it.
    pub name: String,
    /// Its text, from which messages show a line; empty where only the name is known.
    pub text: String,
}

/// The files that a module was made of.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<Source>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(Source { name: name.into(), text: text.into() });
        FileId(self.files.len() as u32 - 1)
    }

    /// A file's name and text.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// The first file of that name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|source| source.name == name).map(|index| FileId(index as u32))
    }

    /// `name:line:column`.
    pub fn place(&self, span: Span) -> String {
        let name = self.get(span.file).map_or("<unknown>", |source| source.name.as_str());
        format!("{name}:{}:{}", span.line, span.column)
    }

    /// The line with a caret line below it; empty where the text is not known.
    pub fn excerpt(&self, span: Span) -> String {
        let line = self
            .get(span.file)
            .and_then(|source| source.text.lines().nth((span.line as usize).checked_sub(1)?));
        let Some(line) = line else { return String::new() };
        let before: String = line
            .chars()
            .take((span.column as usize).saturating_sub(1))
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let room = line.chars().count().saturating_sub(span.column as usize) + 1;
        let marks = "^".repeat((span.length as usize).clamp(1, room));
        format!("{line}\n{before}{marks}")
    }
}

/// How bad a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The kernel cannot be compiled.
    Error,
    /// The kernel is compiled all the same.
    Warning,
    /// Says more about the message before it.
    Note,
}

/// A message about a kernel's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Diagnostic {
    /// An error.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, span, message: message.into() }
    }

    /// Whether it says that there was no memory.
    pub fn is_out_of_memory(&self) -> bool {
        self.message.starts_with(crate::memory::OUT_OF_MEMORY)
    }

    /// The message as users see it: place, text, source line, caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut text = format!("{}: {}: {}", sources.place(self.span), self.severity, self.message);
        let excerpt = sources.excerpt(self.span);
        if !excerpt.is_empty() {
            text.push('\n');
            text.push_str(&excerpt);
        }
        text
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_the_line_and_a_caret() {
        let mut sources = SourceMap::default();
        let file = sources.add("kernel.cu", "int a;\nint b = c;\n");
        let span = Span { file, line: 2, column: 9, length: 1 };
        let text = Diagnostic::error(span, "`c` is not declared").render(&sources);
        assert_eq!(text, "kernel.cu:2:9: error: `c` is not declared\nint b = c;\n        ^");
    }
}
