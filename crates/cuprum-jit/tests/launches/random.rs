//! Random kernels: what a thread computes does not depend on how many of them run together.

use cuprum_kernel::ir::{Barrier, Binary, Compare, Convert, End, FunctionBuilder, Local, Op, Type, Unary};

use crate::harness::*;
use crate::random_numbers::Random;

const THREADS: usize = 240;

const TYPES: [Type; 6] = [Type::I32, Type::I64, Type::F32, Type::F64, Type::I8, Type::I16];

/// A kernel in the making: variables of each type that ops read and write.
struct Maker {
    k: FunctionBuilder,
    random: Random,
    pool: Vec<(Type, Local)>,
    x: Local,
    barriers: bool,
}

impl Maker {
    fn of_type(&mut self, ty: Type) -> Local {
        let known: Vec<Local> = self.pool.iter().filter(|(t, _)| *t == ty).map(|(_, local)| *local).collect();
        self.random.pick(&known)
    }

    /// A new value in an old variable or a new one.
    fn write(&mut self, ty: Type, make: impl FnOnce(&mut Maker, Local) -> Op) {
        let dst = if self.random.below(2) == 0 { self.of_type(ty) } else { self.k.variable(ty, "v") };
        let op = make(self, dst);
        self.k.push(op);
        self.pool.push((ty, dst));
    }

    fn op(&mut self) {
        let ty = self.random.pick(&TYPES);
        match self.random.below(10) {
            0 => {
                let bits = self.random.pick(&[0, 1, 2, 3, 7, 100, 0x7f, 0x3f80_0000, u64::MAX]);
                let bits = bits & (u64::MAX >> (64 - 8 * ty.bytes()));
                self.write(ty, |_, dst| Op::Const { dst, bits });
            }
            1 => {
                // An element within the array: a power of two of them.
                let index = self.of_type(Type::I32);
                let most = self.k.int(255);
                let within = self.k.binary(Binary::And, index, most);
                let x = self.x;
                let addr = self.k.element(x, within, 8);
                self.write(ty, |_, dst| Op::Load { dst, addr, offset: 0, volatile: false });
            }
            2 => {
                let (from, to, kind) = self.random.pick(&[
                    (Type::I32, Type::I64, Convert::SignExtend),
                    (Type::I32, Type::I64, Convert::ZeroExtend),
                    (Type::I64, Type::I32, Convert::Narrow),
                    (Type::I32, Type::F32, Convert::FromS),
                    (Type::F32, Type::I32, Convert::ToS),
                    (Type::F32, Type::F64, Convert::Promote),
                    (Type::F64, Type::F32, Convert::Demote),
                    (Type::I8, Type::I32, Convert::SignExtend),
                    (Type::I32, Type::I8, Convert::Narrow),
                    (Type::I16, Type::I64, Convert::SignExtend),
                    (Type::I8, Type::I16, Convert::ZeroExtend),
                    (Type::I64, Type::I16, Convert::Narrow),
                    (Type::I32, Type::F32, Convert::Bits),
                    (Type::I64, Type::F64, Convert::Bits),
                ]);
                let src = self.of_type(from);
                self.write(to, |_, dst| Op::Convert { dst, kind, src });
            }
            3 => {
                let of = self.random.pick(&TYPES);
                let (a, b) = (self.of_type(of), self.of_type(of));
                let op = if of.is_float() {
                    self.random.pick(&[Compare::FLt, Compare::FEq, Compare::FNe, Compare::FGe])
                } else {
                    self.random.pick(&[Compare::LtS, Compare::GeU, Compare::Eq, Compare::Ne, Compare::GtS])
                };
                self.write(Type::I8, |_, dst| Op::Compare { dst, op, a, b });
            }
            4 => {
                let cond = self.of_type(Type::I8);
                let (a, b) = (self.of_type(ty), self.of_type(ty));
                self.write(ty, |_, dst| Op::Select { dst, cond, a, b });
            }
            5 => {
                let src = self.of_type(ty);
                let op = if ty.is_float() {
                    self.random.pick(&[Unary::FNeg, Unary::FAbs, Unary::Sqrt, Unary::Floor])
                } else {
                    self.random.pick(&[Unary::Neg, Unary::Not, Unary::CountOnes, Unary::ReverseBits])
                };
                self.write(ty, |_, dst| Op::Unary { dst, op, src });
            }
            6 => {
                // A step by a constant, which keeps what differs by a constant that way.
                let by = self.random.pick(&[1u64, 2, 4, 31]);
                let by = self.k.constant(Type::I32, by);
                let a = self.of_type(Type::I32);
                let op = self.random.pick(&[Binary::Add, Binary::Sub, Binary::Mul, Binary::Shl]);
                self.write(Type::I32, |_, dst| Op::Binary { dst, op, a, b: by });
            }
            _ => {
                let (a, b) = (self.of_type(ty), self.of_type(ty));
                let op = if ty.is_float() {
                    self.random.pick(&[
                        Binary::FAdd,
                        Binary::FSub,
                        Binary::FMul,
                        Binary::FDiv,
                        Binary::FMin,
                        Binary::FMax,
                    ])
                } else {
                    self.random.pick(&[
                        Binary::Add,
                        Binary::Sub,
                        Binary::Mul,
                        Binary::And,
                        Binary::Or,
                        Binary::Xor,
                        Binary::Shl,
                        Binary::ShrS,
                        Binary::ShrU,
                        Binary::DivS,
                        Binary::RemU,
                        Binary::MinS,
                        Binary::MaxU,
                    ])
                };
                self.write(ty, |_, dst| Op::Binary { dst, op, a, b });
            }
        }
    }

    fn body(&mut self, depth: usize) {
        for _ in 0..3 + self.random.below(8) {
            self.op();
        }
        if depth == 0 {
            return;
        }
        for _ in 0..1 + self.random.below(2) {
            let known = self.pool.len();
            match self.random.below(3) {
                0 => {
                    let cond = self.of_type(Type::I8);
                    let (yes, no, end) = (self.k.block(), self.k.block(), self.k.block());
                    self.k.branch(cond, yes, no);
                    self.k.switch_to(yes);
                    self.body(depth - 1);
                    self.k.jump(end);
                    self.k.switch_to(no);
                    self.pool.truncate(known);
                    self.body(depth - 1);
                    self.k.jump(end);
                    self.k.switch_to(end);
                    self.pool.truncate(known);
                }
                1 => {
                    // A loop of a number of rounds that may differ from thread to thread.
                    let of = self.of_type(Type::I32);
                    let seven = self.k.int(7);
                    let left = self.k.variable(Type::I32, "left");
                    let rounds = self.k.binary(Binary::And, of, seven);
                    self.k.push(Op::Copy { dst: left, src: rounds });
                    let (head, inner, end) = (self.k.block(), self.k.block(), self.k.block());
                    self.k.jump(head);
                    self.k.switch_to(head);
                    self.k.branch(left, inner, end);
                    self.k.switch_to(inner);
                    self.body(depth - 1);
                    let one = self.k.int(1);
                    let less = self.k.binary(Binary::Sub, left, one);
                    self.k.push(Op::Copy { dst: left, src: less });
                    self.k.jump(head);
                    self.k.switch_to(end);
                    self.pool.truncate(known);
                }
                _ if self.barriers => self.k.push(Op::Barrier(Barrier::Plain)),
                _ => self.op(),
            }
        }
        self.op();
    }
}

fn random_kernel(seed: u64, barriers: bool) -> FunctionBuilder {
    let mut k = kernel("random", 2, 0);
    let i = k.global_index();
    let (x, y) = (k.pointer(0), k.pointer(1));
    let px = k.element(x, i, 8);
    let own = k.variable(Type::I32, "own");
    k.push(Op::Copy { dst: own, src: i });
    let mut pool = vec![(Type::I32, own)];
    for ty in TYPES {
        let value = k.load(ty, px, 0);
        pool.push((ty, value));
        let constant = k.constant(ty, 3);
        pool.push((ty, constant));
    }
    let random = Random(seed);
    let mut maker = Maker { k, random, pool, x, barriers };
    maker.body(3);
    // All that was computed goes to the results, so that nothing is left out.
    for (n, ty) in TYPES.into_iter().enumerate() {
        let value = maker.of_type(ty);
        let k = &mut maker.k;
        let bytes = k.constant(Type::I32, 6);
        let row = k.binary(Binary::Mul, i, bytes);
        let column = k.int(n as i32);
        let at = k.binary(Binary::Add, row, column);
        let to = k.element(y, at, 8);
        k.store(to, 0, value);
    }
    maker.k.end(End::Return(None));
    maker.k
}

fn run(program: &cuprum_jit::CompiledModule, block: [u32; 3]) -> Vec<u64> {
    let threads = block.iter().product::<u32>();
    let mut random = Random(12345);
    let mut x: Vec<u64> = (0..256)
        .map(|i| match i % 4 {
            0 => random.below(10),
            1 => f64::to_bits(random.below(100) as f64 / 8.0),
            2 => u64::from(f32::to_bits(random.below(100) as f32 / 4.0)),
            _ => random.next(),
        })
        .collect();
    let mut y = vec![0u64; THREADS * TYPES.len()];
    let setup = Setup { block, ..Setup::new(THREADS as u32 / threads, 1) };
    setup.launch(program, "random", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
    y
}

/// NaNs have no sign and no payload that is said.
fn canonical(values: Vec<u64>) -> Vec<u64> {
    let canonical = |(i, bits): (usize, u64)| match TYPES[i % TYPES.len()] {
        Type::F32 if f32::from_bits(bits as u32).is_nan() => u64::MAX,
        Type::F64 if f64::from_bits(bits).is_nan() => u64::MAX,
        _ => bits,
    };
    values.into_iter().enumerate().map(canonical).collect()
}

#[test]
fn threads_alone_and_together_do_the_same() {
    for seed in 0..80 {
        let program = program(random_kernel(seed, false));
        let alone = canonical(run(&program, [1, 1, 1]));
        for width in [4, 16, 30, 48, 240] {
            let together = canonical(run(&program, [width, 1, 1]));
            for (i, (a, b)) in alone.iter().zip(&together).enumerate() {
                let (thread, ty) = (i / TYPES.len(), TYPES[i % TYPES.len()]);
                assert_eq!(a, b, "seed {seed}, {width} threads, thread {thread}, {ty}");
            }
        }
    }
}

#[test]
fn barriers_change_nothing_of_what_a_thread_computes() {
    for seed in 0..80 {
        let program = program(random_kernel(seed, true));
        let alone = canonical(run(&program, [1, 1, 1]));
        for width in [4, 30, 240] {
            let together = canonical(run(&program, [width, 1, 1]));
            for (i, (a, b)) in alone.iter().zip(&together).enumerate() {
                let (thread, ty) = (i / TYPES.len(), TYPES[i % TYPES.len()]);
                assert_eq!(a, b, "seed {seed}, {width} threads, thread {thread}, {ty}");
            }
        }
    }
}
