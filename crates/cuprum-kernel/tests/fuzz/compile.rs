//! The whole front end on kernels of the tests, token by token changed: it compiles them or says why not. What compiles is
//! well formed, and stays so through the passes.

use std::path::Path;

use cuprum_kernel::ast::Symbols;
use cuprum_kernel::cuda::{Options, compile};
use cuprum_kernel::ir::{FunctionId, verify, verify_function};
use cuprum_kernel::lex::{Keyword, Punct, TokenKind, lex};
use cuprum_kernel::{FileId, passes};

use crate::random::Random;

/// What a token may become.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "int", "float", "double", "bool", "char", "short", "long long", "unsigned", "void", "auto", "half", "float4", "const",
    "volatile", "&", "&&", "*", "T", "x", "i", "n", "0", "1", "-1", "2", "255", "1.5f", "0x7fffffff", "4294967296", "1e300",
    "'c'", "\"s\"", "nullptr", "true", "this", "threadIdx", "threadIdx.x", "blockDim", "warpSize", "sizeof", "+", "-", "/",
    "%", "<<", ">>", "<", ">", "==", "&&", "||", "^", "~", "!", "=", "+=", "<<=", "++", "--", "?", ":", ",", ";", ".", "->",
    "(", ")", "[", "]", "{", "}", "return", "break", "continue", "if", "else", "for", "while", "static", "__shared__",
    "__device__", "__global__", "__constant__", "extern", "constexpr", "template <class T>", "struct S", "union U",
    "typename", "decltype", "operator()", "[&]", "[=]", "__syncthreads()", "atomicAdd", "__shfl_sync", "printf", "S{}",
    "int()", "float3{1, 2}", "(char)", "(float *)", "&x", "*x", "x[0]", "goto l", "l:", "case 3:", "default:", "using",
    "enum E { A }", "[4]", "[]", "[0]", "{1, 2, 3}", "{}", "= default", "virtual", "...", "static_cast<int>", "__half",
];

/// The kernels of the tests in Python.
pub fn kernels() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("tests").filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let mut kernels = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ext| ext == "py")) {
        let text = std::fs::read_to_string(path).expect("a test");
        for quotes in ["\"\"\"", "'''"] {
            let strings = text.split(quotes).skip(1).step_by(2);
            kernels.extend(strings.filter(|text| text.contains("__global__")).map(str::to_owned));
        }
    }
    assert!(kernels.len() > 50, "the tests' kernels have moved");
    kernels
}

/// A kernel with some of its tokens changed.
pub fn changed(random: &mut Random, kernels: &[String]) -> String {
    let kernel = &kernels[random.below(kernels.len())];
    let mut symbols = Keyword::symbols();
    let mut tokens = spellings(kernel, &mut symbols);
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        match random.below(8) {
            0 => tokens[at] = random.pick(WORDS).to_owned(),
            1 => {
                tokens.remove(at);
            }
            2 => tokens.insert(at, random.pick(WORDS).to_owned()),
            3 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            4 => tokens[at] = tokens[random.below(tokens.len())].clone(),
            5 => {
                // A run of tokens again, somewhere else.
                let end = (at + 1 + random.below(12)).min(tokens.len());
                let run: Vec<String> = tokens[at..end].to_vec();
                let to = random.below(tokens.len());
                tokens.splice(to..to, run);
            }
            6 => {
                let end = (at + 1 + random.below(8)).min(tokens.len());
                tokens.drain(at..end);
            }
            _ => {
                let other = spellings(&kernels[random.below(kernels.len())], &mut symbols);
                let from = random.below(other.len().max(1));
                let end = (from + random.below(30)).min(other.len());
                tokens.splice(at..at, other[from.min(end)..end].iter().cloned());
            }
        }
    }
    tokens.join(" ")
}

/// A text's tokens, directives with their line ends.
fn spellings(text: &str, symbols: &mut Symbols) -> Vec<String> {
    let tokens = lex(text, FileId(0), symbols);
    let mut spellings = Vec::with_capacity(tokens.len());
    let mut directive = false;
    for token in tokens {
        if token.first && directive {
            spellings.push("\n".to_owned());
        }
        if token.first {
            directive = token.is(Punct::Hash);
            if directive {
                spellings.push("\n".to_owned());
            }
        }
        match token.kind {
            TokenKind::Header(symbol) => spellings.push(format!("<{}>", symbols.text(symbol))),
            // Two of these are one operator.
            TokenKind::Punct(Punct::Greater | Punct::GreaterEqual)
                if !token.space && spellings.last().is_some_and(|last| last.ends_with('>')) =>
            {
                let sign = token.spelling(symbols);
                if let Some(last) = spellings.last_mut() {
                    last.push_str(sign);
                }
            }
            _ => spellings.push(token.spelling(symbols).to_owned()),
        }
    }
    spellings
}

/// Compiles a text; a message where that does what it must not.
pub fn offence(text: &str) -> Option<String> {
    let compiled = match compile(text, &Options::default()) {
        Ok(compiled) => compiled,
        Err(errors) => {
            let shown = errors.to_string();
            let failed = shown.contains("the front end failed") || errors.diagnostics.is_empty();
            return failed.then_some(shown);
        }
    };
    let module = &compiled.module;
    let faults = verify(module);
    if !faults.is_empty() {
        return Some(format!("is not well formed: {}", faults.join("\n")));
    }
    for (index, function) in module.functions.iter().enumerate() {
        if function.kernel.is_none() {
            continue;
        }
        if let Ok(prepared) = passes::prepare(module, FunctionId(index as u32)) {
            let faults = verify_function(module, &prepared.kernel);
            if !faults.is_empty() {
                return Some(format!("is not well formed after the passes: {}", faults.join("\n")));
            }
        }
    }
    None
}
