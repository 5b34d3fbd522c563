//! Inline PTX: what its instructions do, by the rules of the PTX manual, worked out here.

use cuprum_kernel::cuda::{Options, compile};

use crate::harness::*;

/// Runs `text` over words of `x`: `a`, `b` and `c` are what a thread reads, `r` is what it writes.
fn words(ptx: &str, x: &[[u32; 3]]) -> Vec<u32> {
    let text = format!(
        "__global__ void f(unsigned *x) {{ unsigned *p = x + 4 * threadIdx.x, a = p[0], b = p[1], c = p[2], r;\n\
         asm volatile(\"{ptx}\" : \"=r\"(r) : \"r\"(a), \"r\"(b), \"r\"(c));\np[3] = r; }}"
    );
    let mut memory: Vec<u32> = x.iter().flat_map(|[a, b, c]| [*a, *b, *c, 0]).collect();
    for setup in [Setup::new(1, x.len() as u32), Setup::checked(1, x.len() as u32)] {
        setup.run(&text, &mut [bytes(&mut memory)]).unwrap_or_else(|(_, fault)| panic!("{ptx}: {fault}"));
    }
    memory.chunks(4).map(|row| row[3]).collect()
}

const NUMBERS: [u32; 12] =
    [0, 1, 2, 5, 31, 32, 40, 0x1234_5678, 0x7fff_ffff, 0x8000_0000, 0xdead_beef, 0xffff_ffff];

fn all_triples() -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    for (i, a) in NUMBERS.into_iter().enumerate() {
        for b in NUMBERS {
            all.push([a, b, NUMBERS[(i * 7 + b as usize % 5) % 12]]);
        }
    }
    all
}

#[track_caller]
fn check(ptx: &str, expected: impl Fn(u32, u32, u32) -> u32) {
    let triples = all_triples();
    for ([a, b, c], got) in triples.iter().zip(words(ptx, &triples)) {
        assert_eq!(got, expected(*a, *b, *c), "{ptx} of {a:#x}, {b:#x}, {c:#x}");
    }
}

fn field(a: u32, at: u32, count: u32) -> u32 {
    (0..32)
        .filter(|k| *k < (count & 255) && (at & 255) + k < 32)
        .fold(0, |r, k| r | (a >> ((at & 255) + k) & 1) << k)
}

#[test]
fn integers() {
    check("add.u32 %0, %1, %2;", |a, b, _| a.wrapping_add(b));
    check("sub.s32 %0, %1, %2;", |a, b, _| a.wrapping_sub(b));
    check("mul.lo.u32 %0, %1, %2;", |a, b, _| a.wrapping_mul(b));
    check("mul.hi.u32 %0, %1, %2;", |a, b, _| ((u64::from(a) * u64::from(b)) >> 32) as u32);
    check("mul.hi.s32 %0, %1, %2;", |a, b, _| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32);
    check("mad.lo.s32 %0, %1, %2, %3;", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    check("mad.hi.u32 %0, %1, %2, %3;", |a, b, c| {
        (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c)
    });
    check("and.b32 %0, %1, 0xff00;", |a, _, _| a & 0xff00);
    check("not.b32 %0, %1;", |a, _, _| !a);
    check("neg.s32 %0, %1;", |a, _, _| a.wrapping_neg());
    check("abs.s32 %0, %1;", |a, _, _| (a as i32).wrapping_abs() as u32);
    check("min.s32 %0, %1, %2;", |a, b, _| (a as i32).min(b as i32) as u32);
    check("max.u32 %0, %1, %2;", |a, b, _| a.max(b));
    check("shl.b32 %0, %1, %2;", |a, b, _| if b > 31 { 0 } else { a << b });
    check("shr.u32 %0, %1, %2;", |a, b, _| if b > 31 { 0 } else { a >> b });
    check("shr.s32 %0, %1, %2;", |a, b, _| (a as i32 >> b.min(31)) as u32);
    check("popc.b32 %0, %1;", |a, _, _| a.count_ones());
    check("clz.b32 %0, %1;", |a, _, _| a.leading_zeros());
    check("brev.b32 %0, %1;", |a, _, _| a.reverse_bits());
    check("sad.u32 %0, %1, %2, %3;", |a, b, c| a.abs_diff(b).wrapping_add(c));
    check("bfe.u32 %0, %1, %2, %3;", field);
    check("bfe.s32 %0, %1, %2, %3;", |a, at, count| {
        let (at, count) = (at & 255, count & 255);
        let sign = a >> (at + count).saturating_sub(1).min(31) & 1;
        let fill = |k: u32| if at + k < 32 && k < count { a >> (at + k) & 1 } else { sign };
        if count == 0 { 0 } else { (0..32).fold(0, |r, k| r | fill(k) << k) }
    });
    check("bfi.b32 %0, %1, %2, %3, 5;", |a, b, at| {
        let inside = |k: u32| (at & 255..(at & 255) + 5).contains(&k);
        (0..32).fold(0, |r, k| r | if inside(k) { a >> (k - (at & 255)) & 1 } else { b >> k & 1 } << k)
    });
    check("prmt.b32 %0, %1, %2, 0x5410;", |a, b, _| a & 0xffff | b << 16);
    check("lop3.b32 %0, %1, %2, %3, 0x96;", |a, b, c| a ^ b ^ c);
    check("lop3.b32 %0, %1, %2, %3, 0xe8;", |a, b, c| a & b | a & c | b & c);
    check("shf.l.wrap.b32 %0, %1, %2, %3;", |a, b, c| {
        ((u64::from(b) << 32 | u64::from(a)) << (c & 31) >> 32) as u32
    });
    check("shf.r.clamp.b32 %0, %1, %2, %3;", |a, b, c| {
        ((u64::from(b) << 32 | u64::from(a)) >> c.min(32)) as u32
    });
}

#[test]
fn several_instructions() {
    check(
        "{ .reg .pred p; .reg .u32 t;\\n setp.lt.u32 p, %1, %2; // which\\n selp.u32 t, %1, %2, p; @p add.u32 t, t, 1; @!p mov.u32 t, %3; mov.u32 %0, t; }",
        |a, b, c| if a < b { a.wrapping_add(1) } else { c },
    );
    check("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }", |a, b, c| {
        c.wrapping_add(u32::from(a.checked_add(b).is_none()))
    });
    check("{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.cc.u32 t, %3, %2; subc.u32 %0, 7, 0; }", |a, b, c| {
        let first = i64::from(a) - i64::from(b) < 0;
        let second = i64::from(c) - i64::from(b) - i64::from(first) < 0;
        7 - u32::from(second)
    });
    check(
        "{ .reg .b64 w; .reg .u32 l, h; mov.b64 w, {%1, %2}; mov.b64 {l, h}, w; xor.b32 %0, l, h; }",
        |a, b, _| a ^ b,
    );
}

#[test]
fn registers_of_the_machine() {
    let text = r#"__global__ void f(unsigned *x) {
    unsigned r[6];
    asm("mov.u32 %0, %%laneid;" : "=r"(r[0]));
    asm volatile("mov.u32 %0, %warpid;" : "=r"(r[1]));
    asm("mov.u32 %0, %%tid.y;" : "=r"(r[2]));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r[3]));
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(r[4]));
    unsigned long long begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) :: "memory");
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end));
    r[5] = end >= begin;
    int t = threadIdx.x + 10 * threadIdx.y;
    for (int k = 0; k < 6; k++) x[6 * t + k] = r[k];
}"#;
    let setup = Setup { block: [10, 7, 1], ..Setup::new(1, 1) };
    let mut x = vec![0u32; 6 * 70];
    setup.run(text, &mut [bytes(&mut x)]).unwrap();
    for (t, row) in (0..70u32).zip(x.chunks(6)) {
        assert_eq!(row, [t % 32, t / 32, t / 10, (1 << (t % 32)) - 1, 1, 1]);
    }
}

#[test]
fn floats_and_memory() {
    let text = r#"__global__ void f(float *x, int n) {
    float r, a = x[0];
    double d = a;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(x[1]), "f"(0.5f));
    x[2] = r;
    asm("{ .reg .f32 t; mul.f32 t, %1, 0f40000000; add.f32 %0, t, 0f3F800000; }" : "=f"(r) : "f"(a));
    x[3] = r;
    asm("add.f64 %0, %0, %1;" : "+d"(d) : "d"(0.25));
    x[4] = d;
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(n) : "f"(2.5f));
    x[5] = n;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(4.0f));
    x[6] = r;
    asm volatile("ld.global.cg.f32 %0, [%1+4];" : "=f"(r) : "l"(x) : "memory");
    asm volatile("st.global.f32 [%0], %1;" :: "l"(x + 7), "f"(r) : "memory");
    asm("mov.b32 %0, %1;" : "=r"(n) : "f"(1.0f));
    x[8] = n == 0x3f800000;
    asm volatile("bar.sync 0;");
}"#;
    for setup in [Setup::new(1, 1), Setup::checked(1, 1)] {
        let mut x = [0f32; 9];
        (x[0], x[1]) = (1.5, 3.0);
        setup.run(text, &mut [bytes(&mut x), Arg::Int(0)]).unwrap_or_else(|(_, text)| panic!("{text}"));
        assert_eq!(x, [1.5, 3.0, 5.0, 4.0, 1.75, 2.0, 0.25, 3.0, 1.0]);
    }
}

#[test]
fn what_is_not_known_is_refused_by_its_name() {
    let refused = |ptx: &str| {
        let text = format!("__global__ void f(int *x) {{\n    int r;\n    asm({ptx});\n    *x = r;\n}}");
        match compile(&text, &Options::default()) {
            Ok(_) => panic!("{ptx} is compiled"),
            Err(errors) => errors.to_string(),
        }
    };
    let text = refused(r#""wmma.load.a.sync %0;" : "=r"(r)"#);
    assert!(
        text.contains("kernel.cu:3:5") && text.contains("the PTX instruction `wmma.load.a.sync`"),
        "{text}"
    );
    for (ptx, name) in [
        (r#""@p bra L;""#, "bra"),
        (r#""mov.u32 %0, %%nothing;" : "=r"(r)"#, "mov.u32"),
        (r#""addc.u32 %0, %0, 1;" : "+r"(r)"#, "addc.u32"),
        (r#""add.sat.s32 %0, %0, 1;" : "+r"(r)"#, "add.sat.s32"),
        (r#""ld.param.u32 %0, [%1];" : "=r"(r) : "r"(r)"#, "ld.param.u32"),
        (r#""cvt.sat.u8.f32 %0, 1.0;" : "=r"(r)"#, "cvt.sat.u8.f32"),
        (r#""add.u32 %0, %1;" : "=r"(r) : "r"(1)"#, "add.u32"),
        (r#""add.u32 %7, %0, 1;" : "=r"(r)"#, "add.u32"),
    ] {
        let text = refused(ptx);
        assert!(text.contains(&format!("`{name}`")), "{text}");
    }
    assert!(refused(r#""add.u32 %[r], 1, 2;" : [r] "=r"(r)"#).contains("operands like these"));
}
