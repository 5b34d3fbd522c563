//! Threads that run together in vectors do what they do alone: random kernels, launched with rows of many threads and
//! with rows of one.

use cuprum_kernel::ir::{
    Barrier, Binary, Compare, Convert, End, FunctionBuilder, Local, Math, Op, Special, Type, Unary,
};

use crate::harness::*;
use crate::random_numbers::Random;

const THREADS: u32 = 96;
const WORDS: usize = 16;

/// A kernel in the making: variables of each type that statements read and write.
struct Maker {
    k: FunctionBuilder,
    random: Random,
    ints: Vec<Local>,
    longs: Vec<Local>,
    floats: Vec<Local>,
    doubles: Vec<Local>,
    truths: Vec<Local>,
    rank: Local,
    budget: usize,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut k = kernel("random", 2, 0);
        let rank = k.special(Special::ThreadRank);
        let mut variables = |ty, n: usize| (0..n).map(|_| k.variable(ty, "v")).collect::<Vec<_>>();
        let (ints, longs) = (variables(Type::I32, 4), variables(Type::I64, 2));
        let (floats, doubles, truths) =
            (variables(Type::F32, 3), variables(Type::F64, 2), variables(Type::I8, 2));
        let mut made =
            Maker { k, random: Random(seed), ints, longs, floats, doubles, truths, rank, budget: 60 };
        made.begin();
        made
    }

    fn begin(&mut self) {
        for (i, local) in self.ints.clone().into_iter().enumerate() {
            let value = if i == 0 { self.rank } else { self.k.int(i as i32 * 7 - 3) };
            self.k.push(Op::Copy { dst: local, src: value });
        }
        for local in self.longs.clone() {
            let value = self.k.convert(Type::I64, Convert::SignExtend, self.rank);
            self.k.push(Op::Copy { dst: local, src: value });
        }
        for local in self.floats.clone() {
            let value = self.k.convert(Type::F32, Convert::FromS, self.rank);
            self.k.push(Op::Copy { dst: local, src: value });
        }
        for local in self.doubles.clone() {
            let value = self.k.constant(Type::F64, 1.25f64.to_bits());
            self.k.push(Op::Copy { dst: local, src: value });
        }
        for local in self.truths.clone() {
            let value = self.k.constant(Type::I8, 1);
            self.k.push(Op::Copy { dst: local, src: value });
        }
    }

    fn int(&mut self) -> Local {
        let ints = self.ints.clone();
        match self.random.below(6) {
            0 => self.rank,
            1 => {
                let value = self.random.below(9) - 2;
                self.k.int(value)
            }
            _ => self.random.pick(&ints),
        }
    }

    fn of(&mut self, ty: Type) -> Local {
        let all = match ty {
            Type::I32 => return self.int(),
            Type::I64 => &self.longs,
            Type::F32 => &self.floats,
            Type::F64 => &self.doubles,
            _ => &self.truths,
        };
        let all = all.clone();
        self.random.pick(&all)
    }

    /// `base + 4 * (index & mask)`.
    fn address(&mut self, base: Local, index: Local, mask: i32) -> Local {
        let mask = self.k.int(mask);
        let index = self.k.binary(Binary::And, index, mask);
        self.k.element(base, index, 4)
    }

    fn assign(&mut self, to: Local, value: Local) {
        self.k.push(Op::Copy { dst: to, src: value });
    }

    fn value(&mut self, ty: Type) -> Local {
        let choice = self.random.below(8);
        match ty {
            Type::I32 => self.int_value(choice),
            Type::I64 => match choice {
                0 => {
                    let a = self.int();
                    let kind = self.random.pick(&[Convert::SignExtend, Convert::ZeroExtend]);
                    self.k.convert(Type::I64, kind, a)
                }
                _ => {
                    let op = self.random.pick(&[
                        Binary::Add,
                        Binary::Sub,
                        Binary::Mul,
                        Binary::Xor,
                        Binary::ShrS,
                        Binary::MinS,
                    ]);
                    let (a, b) = (self.of(ty), self.of(ty));
                    self.k.binary(op, a, b)
                }
            },
            Type::F32 | Type::F64 => self.float_value(ty, choice),
            _ => self.truth_value(choice),
        }
    }

    fn int_value(&mut self, choice: usize) -> Local {
        match choice {
            0 => {
                let a = self.of(Type::F32);
                self.k.convert(Type::I32, Convert::ToS, a)
            }
            1 => {
                let a = self.of(Type::I64);
                self.k.convert(Type::I32, Convert::Narrow, a)
            }
            2 => {
                let a = self.of(Type::I8);
                self.k.convert(Type::I32, Convert::ZeroExtend, a)
            }
            3 => {
                let (x, i) = (self.k.pointer(0), self.int());
                let at = self.address(x, i, 63);
                self.k.load(Type::I32, at, 0)
            }
            4 => {
                let (c, a, b) = (self.of(Type::I8), self.int(), self.int());
                let dst = self.k.local(Type::I32);
                self.k.push(Op::Select { dst, cond: c, a, b });
                dst
            }
            5 => {
                let op = self.random.pick(&[Unary::Neg, Unary::Not, Unary::CountOnes]);
                let a = self.int();
                self.k.unary(op, a)
            }
            _ => {
                let op = self.random.pick(&[
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
                    Binary::MulHighS,
                ]);
                let (a, b) = (self.int(), self.int());
                self.k.binary(op, a, b)
            }
        }
    }

    fn float_value(&mut self, ty: Type, choice: usize) -> Local {
        match choice {
            0 => {
                let a = self.int();
                self.k.convert(ty, Convert::FromS, a)
            }
            1 if ty == Type::F32 => {
                let a = self.of(Type::F64);
                self.k.convert(ty, Convert::Demote, a)
            }
            1 => {
                let a = self.of(Type::F32);
                self.k.convert(ty, Convert::Promote, a)
            }
            2 if ty == Type::F32 => {
                // In a row: an element of the thread's own.
                let x = self.k.pointer(0);
                let at = self.k.element(x, self.rank, 4);
                let bits = self.k.load(Type::I32, at, 4);
                self.k.convert(ty, Convert::FromS, bits)
            }
            3 => {
                let op =
                    self.random.pick(&[Unary::FNeg, Unary::FAbs, Unary::Floor, Unary::Nearest, Unary::Sqrt]);
                let a = self.of(ty);
                self.k.unary(op, a)
            }
            4 => {
                let args = vec![self.of(ty)];
                let dst = self.k.local(ty);
                self.k.push(Op::Math { dst, function: Math::Sin, args });
                dst
            }
            5 => {
                let (c, a, b) = (self.of(Type::I8), self.of(ty), self.of(ty));
                let dst = self.k.local(ty);
                self.k.push(Op::Select { dst, cond: c, a, b });
                dst
            }
            _ => {
                let op = self.random.pick(&[
                    Binary::FAdd,
                    Binary::FSub,
                    Binary::FMul,
                    Binary::FDiv,
                    Binary::FMin,
                    Binary::FMax,
                    Binary::CopySign,
                ]);
                let (a, b) = (self.of(ty), self.of(ty));
                self.k.binary(op, a, b)
            }
        }
    }

    fn truth_value(&mut self, choice: usize) -> Local {
        let integers =
            [Compare::Eq, Compare::Ne, Compare::LtS, Compare::GeS, Compare::LtU, Compare::LeU, Compare::GtS];
        let floats = [Compare::FEq, Compare::FNe, Compare::FLt, Compare::FGe];
        match choice {
            0 | 1 => {
                let ty = self.random.pick(&[Type::F32, Type::F64]);
                let (op, a, b) = (self.random.pick(&floats), self.of(ty), self.of(ty));
                self.k.compare(op, a, b)
            }
            2 => {
                let op = self.random.pick(&[Binary::And, Binary::Or, Binary::Xor]);
                let (a, b) = (self.of(Type::I8), self.of(Type::I8));
                self.k.binary(op, a, b)
            }
            3 => {
                let (op, a, b) = (self.random.pick(&integers), self.of(Type::I64), self.of(Type::I64));
                self.k.compare(op, a, b)
            }
            _ => {
                let (op, a, b) = (self.random.pick(&integers), self.int(), self.int());
                self.k.compare(op, a, b)
            }
        }
    }

    /// Statements, with branches and loops within, and barriers where every thread comes by.
    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.random.below(5) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(12) {
                0 | 1 if depth > 0 => self.branch(depth),
                2 if depth > 0 => self.repeat(depth),
                3 if depth == 3 => self.k.push(Op::Barrier(Barrier::Plain)),
                4 => self.write(),
                _ => {
                    let ty = self.random.pick(&[
                        Type::I32,
                        Type::I32,
                        Type::F32,
                        Type::F32,
                        Type::F64,
                        Type::I64,
                        Type::I8,
                    ]);
                    let value = self.value(ty);
                    let to = match ty {
                        Type::I32 => self.random.pick(&self.ints.clone()),
                        _ => self.of(ty),
                    };
                    self.assign(to, value);
                }
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.value(Type::I8);
        let (then, otherwise, end) = (self.k.block(), self.k.block(), self.k.block());
        self.k.branch(cond, then, otherwise);
        self.k.switch_to(then);
        self.statements(depth - 1);
        self.k.jump(end);
        self.k.switch_to(otherwise);
        if self.random.below(2) == 0 {
            self.statements(depth - 1);
        }
        if self.random.below(12) == 0 && depth < 3 {
            self.k.end(End::Return(None));
        } else {
            self.k.jump(end);
        }
        self.k.switch_to(end);
    }

    /// A loop that some threads leave sooner than others.
    fn repeat(&mut self, depth: usize) {
        let count = self.k.variable(Type::I32, "count");
        let most = self.k.int(1 + self.random.below(6));
        let own = self.int();
        let seven = self.k.int(7);
        let own = self.k.binary(Binary::And, own, seven);
        let stop = if self.random.below(2) == 0 { most } else { own };
        let (zero, one) = (self.k.int(0), self.k.int(1));
        self.assign(count, zero);
        let (head, body, end) = (self.k.block(), self.k.block(), self.k.block());
        self.k.jump(head);
        self.k.switch_to(head);
        let more = self.k.compare(Compare::LtS, count, stop);
        self.k.branch(more, body, end);
        self.k.switch_to(body);
        self.statements(depth - 1);
        let next = self.k.binary(Binary::Add, count, one);
        self.assign(count, next);
        self.k.jump(head);
        self.k.switch_to(end);
    }

    /// To the thread's own part of the result: a row for each word, so that neighbours' words are neighbours.
    fn write(&mut self) {
        let y = self.k.pointer(1);
        let word = self.random.below(WORDS) as i64;
        let at = self.k.element(y, self.rank, 4);
        let ty = self.random.pick(&[Type::I32, Type::F32]);
        let value = self.of(ty);
        self.k.store(at, 4 * i64::from(THREADS) * word, value);
    }

    fn finish(mut self) -> FunctionBuilder {
        self.statements(3);
        let y = self.k.pointer(1);
        let at = self.k.element(y, self.rank, 4);
        for (i, local) in [&self.ints[..], &self.floats].concat().into_iter().enumerate() {
            self.k.store(at, 4 * i64::from(THREADS) * (WORDS + i) as i64, local);
        }
        let wide = self.k.element(y, self.rank, 8);
        let row = 4 * i64::from(THREADS) * (WORDS + 8) as i64;
        self.k.store(wide, row, self.longs[0]);
        self.k.store(wide, row + 8 * i64::from(THREADS), self.doubles[0]);
        self.k.end(End::Return(None));
        self.k
    }
}

fn run(seed: u64, block: [u32; 3]) -> Vec<u32> {
    let program = program(Maker::new(seed).finish());
    let mut x: Vec<i32> = (0..THREADS as i32 + 8).map(|i| (i * 37) % 101 - 20).collect();
    let mut y = vec![0u32; THREADS as usize * (WORDS + 16)];
    let setup = Setup { block, ..Setup::new(1, 1) };
    setup.launch(&program, "random", &mut [bytes(&mut x), bytes(&mut y)], &[]).unwrap();
    y
}

#[test]
fn random_kernels_do_the_same_in_rows_of_any_width() {
    for seed in 0..40 {
        let alone = run(seed, [1, 32, 3]);
        for block in [[96, 1, 1], [32, 3, 1], [6, 16, 1], [24, 4, 1]] {
            let together = run(seed, block);
            let differ = (0..alone.len()).find(|i| alone[*i] != together[*i]);
            assert!(
                differ.is_none(),
                "seed {seed}, block {block:?}: {differ:?} {:x?} {:x?}",
                differ.map(|i| alone[i]),
                differ.map(|i| together[i])
            );
        }
    }
}
