//! Where users' texts find CUDA's own headers, and whether a text says all that its code depends on.

use std::path::{Path, PathBuf};

use super::build::KernelText;
use crate::sys::search_folders;

/// Folders of CUDA's headers that are there: the toolkit's, then the wheels'.
pub fn include_folders() -> Vec<PathBuf> {
    let named = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let toolkits = named.chain(["/usr/local/cuda".into(), "/opt/cuda".into()]);
    let mut folders: Vec<PathBuf> = toolkits.map(|root| root.join("include")).collect();
    for folder in search_folders() {
        let nvidia = folder.join("nvidia");
        folders.push(nvidia.join("cu13/include"));
        folders.extend(
            ["cuda_runtime", "curand", "cuda_cccl", "cuda_nvcc"].map(|p| nvidia.join(p).join("include")),
        );
    }
    let mut found = Vec::new();
    // From CUDA 13 on, what cooperative groups and curand include of the C++ library has a folder of its own.
    for folder in folders.into_iter().flat_map(|folder| [folder.join("cccl"), folder]) {
        if folder.is_dir() && !found.contains(&folder) {
            found.push(folder);
        }
    }
    found
}

/// Whether no file of the user's is included, whose content would be missing from the cache's key.
pub(super) fn is_self_contained(text: &KernelText<'_>, folders: &[PathBuf]) -> bool {
    let known = |name: &str| {
        text.headers.iter().any(|(header, _)| header == name)
            || folders.iter().any(|folder| folder.join(name).is_file())
            || !Path::new(name).is_absolute() && is_built_in(name)
    };
    let names_a_file = |option: &String| {
        ["-include", "--pre-include", "-I", "--include-path"].iter().any(|start| option.starts_with(start))
    };
    let texts = std::iter::once(text.text).chain(text.headers.iter().map(|(_, header)| header.as_str()));
    !text.options.iter().any(names_a_file) && texts.flat_map(included).all(|name| name.is_some_and(known))
}

/// Headers that NVRTC has within itself.
fn is_built_in(name: &str) -> bool {
    ["cuda_runtime.h", "vector_types.h", "device_launch_parameters.h", "math.h", "stdint.h", "stddef.h"]
        .contains(&name)
}

/// The names of a text's `#include` lines; `None` for one that a macro spells.
fn included(text: &str) -> impl Iterator<Item = Option<&str>> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start();
        let close = match rest.chars().next() {
            Some('<') => '>',
            Some('"') => '"',
            _ => return Some(None),
        };
        Some(rest[1..].split_once(close).map(|(name, _)| name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_of_files_are_seen() {
        let headers = [("own.h".to_string(), String::new())];
        let contained = |text: &str, options: &[String]| {
            let text = KernelText { name: "k.cu", text, options, headers: &headers, expressions: &[] };
            is_self_contained(&text, &[])
        };
        assert!(contained("#include <own.h>\nint a;", &[]));
        assert!(contained("  #  include \"own.h\"", &[]));
        assert!(!contained("#include \"theirs.h\"", &[]));
        assert!(!contained("#include NAME", &[]));
        assert!(!contained("int a;", &["-Ihere".into()]));
    }
}
