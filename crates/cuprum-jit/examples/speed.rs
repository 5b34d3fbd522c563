//! How fast kernels compile and run: `cargo run --release -p cuprum-jit --example speed`.

use std::time::Instant;

use cuprum_jit::{Extent, Launch, Memory, Program};
use cuprum_kernel::ir::{
    Barrier, Binary, Compare, Convert, Element, End, FunctionBuilder, Kernel, Local, Module, Op, Parameter,
    ParameterKind, Shared, SharedId, Special, Type,
};

struct Nothing;

impl Memory for Nothing {
    fn find(&self, _: usize) -> Option<Extent> {
        None
    }
}

fn kernel(name: &str) -> FunctionBuilder {
    let pointer = |i: u32| Parameter {
        name: ["a", "b", "c"][i as usize].to_string(),
        type_name: "float*".to_string(),
        kind: ParameterKind::Pointer { to: Element::Float(4), constant: i < 2 },
        offset: 8 * i,
        bytes: 8,
        align: 8,
    };
    let mut params: Vec<Parameter> = (0..3).map(pointer).collect();
    params.push(Parameter {
        name: "n".to_string(),
        type_name: "int".to_string(),
        kind: ParameterKind::Scalar(Element::Signed(4)),
        offset: 24,
        bytes: 4,
        align: 4,
    });
    FunctionBuilder::kernel(name, Kernel { params, param_bytes: 28, max_threads: None })
}

fn element(k: &mut FunctionBuilder, base: Local, index: Local) -> Local {
    let wide = k.convert(Type::I64, Convert::SignExtend, index);
    let size = k.constant(Type::I64, 4);
    let offset = k.binary(Binary::Mul, wide, size);
    k.binary(Binary::Add, base, offset)
}

fn add() -> FunctionBuilder {
    let mut k = kernel("add");
    let block = k.special(Special::BlockIdx(0));
    let width = k.special(Special::BlockDim(0));
    let thread = k.special(Special::ThreadIdx(0));
    let before = k.binary(Binary::Mul, block, width);
    let i = k.binary(Binary::Add, before, thread);
    let n = k.parameter(Type::I32, 24);
    let within = k.compare(Compare::LtS, i, n);
    let (body, end) = (k.block(), k.block());
    k.branch(within, body, end);
    k.switch_to(body);
    let (a, b, c) = (k.parameter(Type::I64, 0), k.parameter(Type::I64, 8), k.parameter(Type::I64, 16));
    let (a, b, c) = (element(&mut k, a, i), element(&mut k, b, i), element(&mut k, c, i));
    let (x, y) = (k.load(Type::F32, a, 0), k.load(Type::F32, b, 0));
    let sum = k.binary(Binary::FAdd, x, y);
    k.store(c, 0, sum);
    k.jump(end);
    k.switch_to(end);
    k.end(End::Return(None));
    k
}

fn matmul() -> FunctionBuilder {
    let mut k = kernel("matmul");
    let sixteen = k.constant(Type::I32, 16);
    let (tx, ty) = (k.special(Special::ThreadIdx(0)), k.special(Special::ThreadIdx(1)));
    let (bx, by) = (k.special(Special::BlockIdx(0)), k.special(Special::BlockIdx(1)));
    let above = k.binary(Binary::Mul, by, sixteen);
    let row = k.binary(Binary::Add, above, ty);
    let left = k.binary(Binary::Mul, bx, sixteen);
    let col = k.binary(Binary::Add, left, tx);
    let n = k.parameter(Type::I32, 24);
    let acc = k.variable(Type::F32, "acc");
    let t = k.variable(Type::I32, "t");
    let zero = k.constant(Type::I32, 0);
    let zerof = k.constant(Type::F32, 0);
    let one = k.constant(Type::I32, 1);
    k.push(Op::Copy { dst: acc, src: zerof });
    k.push(Op::Copy { dst: t, src: zero });
    let (head, body, inner, inner_body, after, end) =
        (k.block(), k.block(), k.block(), k.block(), k.block(), k.block());
    let tiles = k.binary(Binary::DivS, n, sixteen);
    k.jump(head);
    k.switch_to(head);
    let more = k.compare(Compare::LtS, t, tiles);
    k.branch(more, body, end);
    k.switch_to(body);
    let (sa, sb) = (k.local(Type::I64), k.local(Type::I64));
    k.push(Op::SharedAddress { dst: sa, shared: SharedId(0) });
    k.push(Op::SharedAddress { dst: sb, shared: SharedId(1) });
    let (a, b) = (k.parameter(Type::I64, 0), k.parameter(Type::I64, 8));
    let base = k.binary(Binary::Mul, row, n);
    let step = k.binary(Binary::Mul, t, sixteen);
    let at = k.binary(Binary::Add, base, step);
    let at = k.binary(Binary::Add, at, tx);
    let pa = element(&mut k, a, at);
    let va = k.load(Type::F32, pa, 0);
    let tile_row = k.binary(Binary::Mul, ty, sixteen);
    let own = k.binary(Binary::Add, tile_row, tx);
    let psa = element(&mut k, sa, own);
    k.store(psa, 0, va);
    let brow = k.binary(Binary::Add, step, ty);
    let brow = k.binary(Binary::Mul, brow, n);
    let at = k.binary(Binary::Add, brow, col);
    let pb = element(&mut k, b, at);
    let vb = k.load(Type::F32, pb, 0);
    let psb = element(&mut k, sb, own);
    k.store(psb, 0, vb);
    k.push(Op::Barrier(Barrier::Plain));
    let i = k.variable(Type::I32, "i");
    k.push(Op::Copy { dst: i, src: zero });
    k.jump(inner);
    k.switch_to(inner);
    let more = k.compare(Compare::LtS, i, sixteen);
    k.branch(more, inner_body, after);
    k.switch_to(inner_body);
    let x = k.binary(Binary::Add, tile_row, i);
    let px = element(&mut k, sa, x);
    let vx = k.load(Type::F32, px, 0);
    let y = k.binary(Binary::Mul, i, sixteen);
    let y = k.binary(Binary::Add, y, tx);
    let py = element(&mut k, sb, y);
    let vy = k.load(Type::F32, py, 0);
    let product = k.binary(Binary::FMul, vx, vy);
    let sum = k.binary(Binary::FAdd, acc, product);
    k.push(Op::Copy { dst: acc, src: sum });
    let next = k.binary(Binary::Add, i, one);
    k.push(Op::Copy { dst: i, src: next });
    k.jump(inner);
    k.switch_to(after);
    k.push(Op::Barrier(Barrier::Plain));
    let next = k.binary(Binary::Add, t, one);
    k.push(Op::Copy { dst: t, src: next });
    k.jump(head);
    k.switch_to(end);
    let c = k.parameter(Type::I64, 16);
    let base = k.binary(Binary::Mul, row, n);
    let at = k.binary(Binary::Add, base, col);
    let pc = element(&mut k, c, at);
    k.store(pc, 0, acc);
    k.end(End::Return(None));
    k
}

fn time(program: &Program, name: &str, grid: [u32; 3], block: [u32; 3], arrays: [&mut [f32]; 3], n: i32) {
    let extents: Vec<Option<Extent>> = arrays
        .into_iter()
        .map(|a| Some(Extent { start: a.as_mut_ptr() as usize, bytes: 4 * a.len(), writable: true }))
        .collect();
    let mut params = Vec::new();
    for extent in extents.iter().flatten() {
        params.extend((extent.start as u64).to_ne_bytes());
    }
    params.extend(n.to_ne_bytes());
    let launch = Launch {
        grid,
        block,
        dynamic_shared: 0,
        params: &params,
        extents: &extents,
        memory: &Nothing,
        cooperative: false,
        deterministic: None,
        timeout: None,
        check: None,
        alone: None,
        print: &|_| {},
    };
    let kernel = program.kernel(name).expect("the kernel");
    let begun = Instant::now();
    kernel.compile().expect("it compiles");
    let compiled = begun.elapsed();
    let repeats = if n < 1000 && name == "add" { 10_000 } else { 20 };
    let mut best = f64::MAX;
    for _ in 0..repeats {
        let begun = Instant::now();
        kernel.launch(&launch).expect("it runs");
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!(
        "{name:8} n = {n:9}: compiled in {:.2} ms, runs in {:.4} ms",
        compiled.as_secs_f64() * 1e3,
        best * 1e3
    );
}

fn main() {
    let shared = |name: &str| Shared { name: name.to_string(), bytes: 1024, align: 4 };
    let module = Module {
        functions: vec![add().finish(), matmul().finish()],
        shared: vec![shared("As"), shared("Bs")],
        ..Module::default()
    };
    let program = Program::new(module).expect("the module is well formed");
    for n in [10usize, 10_000_000] {
        let (mut a, mut b, mut c) = (vec![1f32; n], vec![2f32; n], vec![0f32; n]);
        let grid = [n.div_ceil(256) as u32, 1, 1];
        time(&program, "add", grid, [256, 1, 1], [&mut a, &mut b, &mut c], n as i32);
        assert!(c.iter().all(|c| *c == 3.0));
        let begun = Instant::now();
        for ((c, a), b) in c.iter_mut().zip(&a).zip(&b) {
            *c = a + b;
        }
        println!("         one thread of Rust: {:.4} ms", begun.elapsed().as_secs_f64() * 1e3);
    }
    let n = 512;
    let (mut a, mut b, mut c) = (vec![0f32; n * n], vec![0f32; n * n], vec![0f32; n * n]);
    for i in 0..n * n {
        a[i] = (i % 13) as f32;
        b[i] = (i % 7) as f32;
    }
    time(&program, "matmul", [32, 32, 1], [16, 16, 1], [&mut a, &mut b, &mut c], n as i32);
    for (row, col) in [(0, 0), (17, 300), (511, 511)] {
        let expected: f32 = (0..n).map(|k| a[row * n + k] * b[k * n + col]).sum();
        assert_eq!(c[row * n + col], expected);
    }
}
