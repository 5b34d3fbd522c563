//! NVRTC's options as our own front end understands them: macros and headers. All others say how code is made, not what
//! it means, and change nothing here.

use std::path::PathBuf;

/// What options say of macros and headers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Macros {
    /// `NAME` or `NAME=VALUE`, in order.
    pub defines: Vec<String>,
    /// Macros that are taken away.
    pub undefines: Vec<String>,
    /// Folders of headers.
    pub folders: Vec<PathBuf>,
    /// Headers that come before the text.
    pub preludes: Vec<String>,
}

impl Macros {
    /// Reads the options that speak of macros and headers.
    pub(super) fn of(options: &[String]) -> Macros {
        let mut found = Macros::default();
        let mut words = options.iter().map(|option| option.trim());
        while let Some(word) = words.next() {
            let value = |names: &[&str]| {
                names.iter().find_map(|name| {
                    let rest = word.strip_prefix(name)?;
                    let joined = rest.strip_prefix('=').filter(|_| name.len() > 2).unwrap_or(rest);
                    // Long names stand alone or before '='; short ones may have their value right behind.
                    (name.len() == 2 || rest.is_empty() || rest.starts_with('=')).then_some(joined.trim())
                })
            };
            let mut take = |names: &[&str]| match value(names)? {
                "" => Some(words.next().unwrap_or("").to_string()),
                text => Some(text.to_string()),
            };
            if let Some(define) = take(&["-D", "--define-macro"]) {
                found.defines.push(define);
            } else if let Some(name) = take(&["-U", "--undefine-macro"]) {
                found.undefines.push(name);
            } else if let Some(folder) = take(&["-I", "--include-path", "-isystem"]) {
                found.folders.push(folder.into());
            } else if let Some(header) = take(&["-include", "--pre-include"]) {
                found.preludes.push(header);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_folders_are_read_in_all_their_spellings() {
        let words = [
            "-DA=1",
            "-D B",
            "-D",
            "C=x y",
            "--define-macro=D=2",
            "-UE",
            "--undefine-macro=F",
            "-I/here",
            "-I",
            "/there",
            "--include-path=/else",
            "--std=c++17",
            "-arch=sm_90",
            "-include",
            "first.h",
            "--use_fast_math",
            "-O3",
        ];
        let options: Vec<String> = words.map(String::from).to_vec();
        let found = Macros::of(&options);
        assert_eq!(found.defines, ["A=1", "B", "C=x y", "D=2"]);
        assert_eq!(found.undefines, ["E", "F"]);
        assert_eq!(found.folders, [PathBuf::from("/here"), "/there".into(), "/else".into()]);
        assert_eq!(found.preludes, ["first.h"]);
    }
}
