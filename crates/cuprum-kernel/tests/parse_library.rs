//! The CUDA C that the library itself is written in, templates and all, is preprocessed and parsed without a message.

use std::path::Path;

use cuprum_kernel::parse::parse;
use cuprum_kernel::preprocess::{HeaderList, Options};
use cuprum_kernel::{Diagnostic, Severity, SourceMap};

/// Names that NVRTC knows by itself, and of types that the library writes before some of its kernels.
const KNOWN: &str =
    "typedef unsigned long size_t; struct uint4; typedef int Index, Count, Key, Stamp, State, Unit, Target;
struct Inside { int x; }; struct Place { unsigned long long x; bool y; }; struct Block { int c[4]; };
#define EACH(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
";

fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuprum-cuda/src/kernels");
    let mut texts: Vec<_> = std::fs::read_dir(folder)
        .expect("the library's kernels")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.to_string();
            let kernel = name.ends_with(".cu") || name.ends_with(".cuh");
            kernel.then(|| (name, std::fs::read_to_string(&path).expect("a kernel's text")))
        })
        .collect();
    texts.sort();
    texts
}

fn render(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render(sources) + "\n").collect()
}

/// What the library puts before its kernels.
const BEFORE: &[&str] = &[
    "prelude.cuh",
    "half.cuh",
    "complex.cuh",
    "elementary.cuh",
    "ops_arithmetic.cuh",
    "ops_exponential.cuh",
    "ops_complex.cuh",
    "element_packs.cuh",
];

#[test]
fn every_kernel_of_the_library_is_read() {
    let texts = texts();
    assert!(texts.len() > 50, "the library's kernels have moved");
    let headers: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let headers = HeaderList(&headers);
    let mut failures = String::new();
    for (name, text) in &texts {
        let mut sources = SourceMap::default();
        let before: Vec<&str> = BEFORE.iter().copied().take_while(|before| before != name).collect();
        let options = Options { headers: &headers, preludes: &before, ..Options::default() };
        let whole = format!("{KNOWN}#line 1\n{text}");
        let (unit, diagnostics) = parse(&mut sources, name, &whole, &options);
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            failures += &format!("== {name}\n{}", render(&sources, &diagnostics));
        }
        assert!(unit.declarations.len() > 1 || !diagnostics.is_empty(), "{name} is empty");
    }
    assert!(failures.is_empty(), "{failures}");
}
