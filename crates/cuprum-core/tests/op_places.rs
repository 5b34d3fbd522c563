//! An elementwise op is three places: its row, its lane, its CUDA text. The sources are read and counted.

use std::path::{Path, PathBuf};

use cuprum_core::Op;
use cuprum_core::ops::{Cost, Namespace};

/// Where lanes are bound to ops.
const LANES: [&str; 2] = ["cuprum-lanes/src/lib.rs", "cuprum-lanes/src/special.rs"];
/// Functions that a few other places treat as more than a row: sines and cosines of one argument share a loop, powers of
/// integers check their exponents, and powers of one exponent have a lane beside that of powers of many.
const COMPOSED: [Op; 4] = [Op::Sin, Op::Cos, Op::Power, Op::FloatPower];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, ending: &str, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// The code of a file, without comments, examples and tests.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    before_tests.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn names(code: &str, op: Op) -> bool {
    let name = format!("Op::{op:?}");
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(&name).any(|(at, _)| ends(&code[at + name.len()..]))
}

/// Whether a text of CUDA C defines a function: a line begins with its type and goes on with its name.
fn defines(text: &str, function: &str) -> bool {
    text.lines().filter(|line| !line.starts_with(' ')).any(|line| {
        line.find(&format!(" {function}("))
            .is_some_and(|at| !line[..at].contains(['=', '(', ';']) && !line.starts_with("return"))
    })
}

#[test]
#[cfg_attr(miri, ignore = "reads all sources, and no unsafe code")]
fn a_function_is_a_row_a_lane_and_a_cuda_text() {
    let (mut rust, mut cuda) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(crates()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The languages of kernels have ops of their own.
        if path.is_dir() && !["cuprum-kernel", "cuprum-jit"].contains(&name.as_str()) {
            sources(&path.join("src"), ".rs", &mut rust);
        }
    }
    sources(&crates().join("cuprum-cuda/src/kernels"), ".cuh", &mut cuda);
    rust.retain(|(path, _)| !path.to_string_lossy().contains("tests"));
    rust.iter_mut().for_each(|(_, text)| *text = code(text));
    for op in Op::all() {
        let call = op.row().cuda.call;
        let function = &call[..call.find('(').expect("a call of a function")];
        assert!(cuda.iter().any(|(_, text)| defines(text, function)), "no CUDA text defines {function}");
    }
    let functions = Op::all().filter(|op| op.row().cost == Cost::Function && !COMPOSED.contains(op));
    let (mut elementary, mut special) = (0, 0);
    for op in functions {
        let places: Vec<&PathBuf> =
            rust.iter().filter(|(_, text)| names(text, op)).map(|(path, _)| path).collect();
        assert!(
            places.len() == 1 && LANES.iter().any(|lanes| places[0].to_string_lossy().ends_with(lanes)),
            "{op:?} is named in {places:?}: facts about an op belong into its row"
        );
        *if op.row().namespace == Namespace::Special { &mut special } else { &mut elementary } += 1;
    }
    assert!(elementary > 20 && special > 100, "only {elementary} and {special} functions were counted");
}
