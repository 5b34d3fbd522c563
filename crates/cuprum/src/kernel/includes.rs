//! The headers of our own that a text for a GPU needs: those that it includes, itself or through others, and that no
//! toolkit on this machine has.

use std::path::PathBuf;

use cuprum_kernel::{builtins, headers};

/// The header of tensor cores.
const TENSOR_CORES: &str = "mma.h";

/// A compiler's messages with what to do about a header of tensor cores that it has not found.
pub(super) fn explained(log: String) -> String {
    let is_missing = |line: &str| line.contains("cannot open source file") && line.contains(TENSOR_CORES);
    if !log.lines().any(is_missing) {
        return log;
    }
    format!(
        "{log}\nnote: tensor cores need CUDA's own headers: pip install nvidia-cuda-crt (CUDA 12: \
         nvidia-cuda-nvcc-cu12), or set CUDA_PATH to a toolkit"
    )
}

/// The headers to hand to the compiler beside the text: those given, and ours.
pub(super) fn needed(text: &str, given: &[(String, String)], folders: &[PathBuf]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = given.to_vec();
    let mut open: Vec<String> = std::iter::once(text.to_string()).collect();
    open.extend(given.iter().map(|(_, header)| header.clone()));
    while let Some(text) = open.pop() {
        for name in included(&text) {
            let known = found.iter().any(|(have, _)| have == name);
            // The toolkit's Thrust and <nvfunctional> need the host's own library, which NVRTC does not have; its CUB needs
            // its Thrust.
            let is_ours = ["thrust/", "cub/", "nvfunctional"].iter().any(|start| name.starts_with(start));
            let is_theirs = !is_ours && folders.iter().any(|folder| folder.join(name).is_file());
            // Ours is for the CPU and uses no tensor cores: on a GPU it would be slow, and nothing would say so.
            if known || is_theirs || name == TENSOR_CORES {
                continue;
            }
            if let Some(header) = headers::text(name) {
                found.push((name.to_string(), header.to_string()));
                open.push(header.to_string());
            }
        }
    }
    found
}

/// The text with the headers in front of it that declare what the compiler found undeclared; `None` where it is nothing
/// of C's and C++'s libraries that nvcc would know without an include. NVRTC knows none of the host's headers.
pub(super) fn with_missing(text: &str, log: &str) -> Option<String> {
    let quoted = |line: &str, before: &str| -> Option<String> {
        let (_, rest) = line.split_once(before)?;
        rest.split_once('"').map(|(name, _)| name.to_string())
    };
    let mut missing: Vec<&'static str> = Vec::new();
    for line in log.lines() {
        let global = quoted(line, "identifier \"").filter(|_| line.contains("is undefined"));
        let header = match global {
            Some(name) => builtins::header_of(&name),
            None => quoted(line, "namespace \"std\" has no member \"")
                .and_then(|name| builtins::standard_header_of(&name)),
        };
        missing.extend(header.filter(|header| !missing.contains(header)));
    }
    if missing.is_empty() {
        return None;
    }
    let lines: String = missing.iter().map(|header| format!("#include <{header}>\n")).collect();
    Some(format!("{lines}#line 1\n{text}"))
}

/// The names of a text's `#include` lines.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let close = match rest.chars().next()? {
            '<' => '>',
            '"' => '"',
            _ => return None,
        };
        rest[1..].split_once(close).map(|(name, _)| name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_includes_comes_with_it() {
        let found = needed("#include <cupy/complex.cuh>\n#include \"theirs.h\"\n", &[], &[]);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"cupy/complex.cuh"));
        for name in &names {
            let text = cuprum_kernel::headers::text(name).unwrap();
            assert!(included(text).all(|inner| names.contains(&inner)), "{name} {names:?}");
        }
        assert!(!names.contains(&"theirs.h"));
    }

    #[test]
    fn names_that_nvcc_knows_come_with_their_headers() {
        let log = "k.cu(1): error: attribute \"__global__\" does not apply here\n\
                   k.cu(1): error: identifier \"uint\" is undefined\n\
                   k.cu(2): error: identifier \"FLT_MAX\" is undefined\n\
                   k.cu(2): error: identifier \"mine\" is undefined\n\
                   k.cu(3): error: namespace \"std\" has no member \"sqrt\"\n\
                   k.cu(3): error: identifier \"FLT_MIN\" is undefined\n";
        let text = with_missing("int a;", log).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "#include <cuprum/short_names.h>",
                "#include <cuprum/constants.h>",
                "#include <cmath>",
                "#line 1",
                "int a;"
            ]
        );
        assert_eq!(with_missing("int a;", "k.cu(2): error: identifier \"mine\" is undefined\n"), None);
    }

    #[test]
    fn tensor_cores_are_left_to_cudas_own_header() {
        assert!(needed("#include <mma.h>", &[], &[]).is_empty());
        let log = "k.cu(1): catastrophic error: cannot open source file \"crt/mma.h\"".to_string();
        assert!(explained(log).contains("pip install nvidia-cuda-crt"));
        assert_eq!(explained("k.cu(1): error".into()), "k.cu(1): error");
    }

    #[test]
    fn what_was_given_goes_before_ours() {
        let given = [("cupy/complex.cuh".to_string(), "int mine;".to_string())];
        assert_eq!(needed("#include <cupy/complex.cuh>", &given, &[]), given);
    }
}
