//! The headers of our own that a text for a GPU needs: those that it includes, itself or through others, and that no
//! toolkit on this machine has.

use std::path::PathBuf;

use cuprum_kernel::headers;

/// The headers to hand to the compiler beside the text: those given, and ours.
pub(super) fn needed(text: &str, given: &[(String, String)], folders: &[PathBuf]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = given.to_vec();
    let mut open: Vec<String> = std::iter::once(text.to_string()).collect();
    open.extend(given.iter().map(|(_, header)| header.clone()));
    while let Some(text) = open.pop() {
        for name in included(&text) {
            let known = found.iter().any(|(have, _)| have == name);
            // The toolkit's Thrust needs the host's own library, which NVRTC does not have.
            let is_theirs =
                !name.starts_with("thrust/") && folders.iter().any(|folder| folder.join(name).is_file());
            if known || is_theirs {
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
    fn what_was_given_goes_before_ours() {
        let given = [("cupy/complex.cuh".to_string(), "int mine;".to_string())];
        assert_eq!(needed("#include <cupy/complex.cuh>", &given, &[]), given);
    }
}
