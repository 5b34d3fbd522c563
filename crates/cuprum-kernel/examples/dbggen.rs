#[allow(dead_code)]
#[path = "../tests/fuzz/compile.rs"]
mod compile;
#[allow(dead_code)]
#[path = "../tests/fuzz/texts.rs"]
mod texts;
use cuprum_kernel::FileId;
use cuprum_kernel::lex::*;
fn class(t: &Token, s: &str) -> u32 {
    const TYPES: &[&str] = &["int", "float", "double", "bool", "char", "short", "unsigned", "long"];
    const BIN: &[&str] =
        &["+", "-", "*", "/", "%", "&", "|", "^", "<<", "<", "==", "!=", "<=", ">=", "&&", "||"];
    const ASG: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="];
    match t.kind {
        TokenKind::Number(_) => 1,
        TokenKind::Ident(sym) => {
            if TYPES.contains(&s) {
                2
            } else if Keyword::of(sym).is_some() {
                0
            } else {
                3
            }
        }
        TokenKind::Punct(_) => {
            if BIN.contains(&s) {
                4
            } else if ASG.contains(&s) {
                5
            } else {
                0
            }
        }
        _ => 0,
    }
}
const POOL: [&[&str]; 6] = [
    &[],
    &["0", "1", "2", "3", "255", "1.5f", "2.0", "0x7f", "4294967296", "1e10f", "'c'", "3u", "7ll"],
    &[
        "int",
        "float",
        "double",
        "bool",
        "char",
        "short",
        "unsigned",
        "long long",
        "unsigned char",
        "unsigned long long",
        "float2",
        "signed char",
    ],
    &[
        "threadIdx.x",
        "n",
        "i",
        "x",
        "out",
        "blockDim.x",
        "(i)",
        "(float)i",
        "-i",
        "!i",
        "~i",
        "i++",
        "&i",
        "*out",
        "int(i)",
        "(1,2)",
        "i ? 1 : 2.0f",
        "sizeof(i)",
    ],
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "==", "!=", "<=", ">=", "&&", "||", ","],
    &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="],
];
fn main() {
    let out = std::env::args().nth(1).unwrap();
    let from: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let n: u64 = std::env::args().nth(3).unwrap().parse().unwrap();
    let kernels = compile::kernels();
    for seed in from..from + n {
        let mut r = texts::Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let k = &kernels[r.below(kernels.len())];
        let mut sy = Keyword::symbols();
        let toks = lex(k, FileId(0), &mut sy);
        let mut sp: Vec<String> = toks
            .iter()
            .map(|t| match t.kind {
                TokenKind::Header(s) => format!("<{}>", sy.text(s)),
                _ => t.spelling(&sy).to_string(),
            })
            .collect();
        let orig = sp.clone();
        for _ in 0..1 + r.below(3) {
            for _ in 0..50 {
                let at = r.below(sp.len());
                let c = class(&toks[at], &orig[at]);
                if c == 0 || (at > 0 && orig[at - 1] == "#") {
                    continue;
                }
                if c == 3 && r.below(2) == 0 {
                    let o = r.below(sp.len());
                    if class(&toks[o], &orig[o]) == 3 {
                        sp[at] = orig[o].clone();
                        break;
                    }
                    continue;
                }
                sp[at] = r.pick(POOL[c as usize]).to_string();
                break;
            }
        }
        let mut t = String::new();
        for (i, tok) in toks.iter().enumerate() {
            if tok.first && i > 0 {
                t.push('\n');
            } else if tok.space {
                t.push(' ');
            }
            t.push_str(&sp[i]);
        }
        let res = match cuprum_kernel::cuda::compile(&t, &Default::default()) {
            Ok(_) => "OK".to_string(),
            Err(e) => e.to_string(),
        };
        std::fs::write(format!("{out}/{seed}.cu"), &t).unwrap();
        std::fs::write(format!("{out}/{seed}.txt"), &res).unwrap();
    }
}
