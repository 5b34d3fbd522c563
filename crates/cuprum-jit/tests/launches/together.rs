//! Threads that run together do what they do alone: random kernels in both ways, the same bytes.
//!
//! The checking mode runs every thread by itself; without it groups of neighbours run together where they can.

use cuprum_jit::CheckMode;
use cuprum_kernel::ir::{
    Barrier, Binary, Compare, Convert, End, FunctionBuilder, Local, Module, Op, Shared, SharedId, Special,
    StringId, Type, Unary, Warp,
};

use crate::harness::*;
use crate::random_numbers::Random;

const TYPES: [Type; 5] = [Type::F32, Type::I32, Type::F64, Type::I64, Type::I8];
/// Words that each thread may write.
const WORDS: u64 = 8;
/// Words of `x`.
const INPUT: usize = 4096;

struct Generator {
    random: Random,
    k: FunctionBuilder,
    variables: Vec<Local>,
    /// `threadIdx.x`, the thread's number in its block and in the grid.
    x: Local,
    rank: Local,
    global: Local,
    /// The parameters: what is read, what is written, how many threads work, how many there are.
    input: Local,
    output: Local,
    threads: Local,
    /// All lanes, as a number that is not known before the launch.
    everyone: Local,
    budget: u32,
    barriers: bool,
    /// Whether lanes exchange values, now and then on ways that only some of them take.
    exchanges: bool,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random(seed);
        let mut k = kernel("random", 2, 3);
        let (input, output) = (k.pointer(0), k.pointer(1));
        let (limit, threads) = (k.parameter(Type::I32, 16), k.parameter(Type::I32, 20));
        let everyone = k.parameter(Type::I32, 24);
        let x = k.special(Special::ThreadIdx(0));
        let rank = k.special(Special::ThreadRank);
        let block = k.special(Special::BlockIdx(0));
        let (w, h) = (k.special(Special::BlockDim(0)), k.special(Special::BlockDim(1)));
        let size = k.binary(Binary::Mul, w, h);
        let depth = k.special(Special::BlockDim(2));
        let size = k.binary(Binary::Mul, size, depth);
        let first = k.binary(Binary::Mul, block, size);
        let global = k.binary(Binary::Add, first, rank);
        let mut variables = Vec::new();
        for ty in TYPES.into_iter().chain(TYPES) {
            let local = k.variable(ty, "v");
            k.push(Op::Const { dst: local, bits: random.below(4) });
            variables.push(local);
        }
        let barriers = random.below(3) == 0;
        let exchanges = random.below(2) == 0;
        if random.below(2) == 0 {
            let (go, out) = (k.block(), k.block());
            let within = k.compare(Compare::LtS, global, limit);
            k.branch(within, go, out);
            k.switch_to(out);
            k.end(End::Return(None));
            k.switch_to(go);
        }
        let budget = 40;
        Generator {
            random,
            k,
            variables,
            x,
            rank,
            global,
            input,
            output,
            threads,
            everyone,
            budget,
            barriers,
            exchanges,
        }
    }

    fn finish(mut self) -> FunctionBuilder {
        while self.budget > 0 {
            self.statements(0);
            if self.barriers {
                self.k.push(Op::Barrier(Barrier::Plain));
            }
        }
        for word in 0..3 {
            let ty = self.random.pick(&[Type::F32, Type::I32]);
            let value = self.variable(ty);
            let at = self.own_row(word);
            self.k.store(at, 0, value);
        }
        self.k.end(End::Return(None));
        self.k
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..2 + self.random.below(5) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            if self.exchanges && self.random.below(if depth == 0 { 3 } else { 30 }) == 0 {
                self.exchange();
                continue;
            }
            match self.random.below(if depth < 2 { 14 } else { 9 }) {
                0..=3 => self.assign(),
                4..=6 => self.read(),
                7 | 8 => self.write(),
                9 | 10 => self.branch(depth),
                11 => self.repeat(depth),
                12 => self.shared(),
                _ => self.check(),
            }
        }
    }

    fn variable(&mut self, ty: Type) -> Local {
        let of: Vec<Local> = self.variables.iter().copied().filter(|v| self.k.type_of(*v) == ty).collect();
        self.random.pick(&of)
    }

    fn value(&mut self, ty: Type, depth: u32) -> Local {
        match self.random.below(if depth > 2 { 3 } else { 8 }) {
            0 => {
                let n = self.random.below(6);
                let bits = match ty {
                    Type::F32 => u64::from((n as f32 * 0.75 - 1.0).to_bits()),
                    Type::F64 => (n as f64 * 0.75 - 1.0).to_bits(),
                    _ => n,
                };
                self.k.constant(ty, bits)
            }
            1 if ty == Type::I32 => {
                let lane = self.k.special(Special::LaneId);
                self.random.pick(&[self.x, self.rank, self.global, lane])
            }
            1 | 2 => self.variable(ty),
            3 => {
                let op = if ty.is_float() {
                    self.random.pick(&[Unary::FNeg, Unary::FAbs, Unary::Floor, Unary::Sqrt, Unary::Nearest])
                } else {
                    self.random.pick(&[Unary::Neg, Unary::Not, Unary::CountOnes])
                };
                let src = self.value(ty, depth + 1);
                self.k.unary(op, src)
            }
            4 | 5 => {
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
                        Binary::Add,
                        Binary::Sub,
                        Binary::Mul,
                        Binary::And,
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
                let (a, b) = (self.value(ty, depth + 1), self.value(ty, depth + 1));
                self.k.binary(op, a, b)
            }
            6 => {
                let cond = self.condition(depth + 1);
                let (a, b) = (self.value(ty, depth + 1), self.value(ty, depth + 1));
                let dst = self.k.local(ty);
                self.k.push(Op::Select { dst, cond, a, b });
                dst
            }
            _ => {
                let (kind, from) = match ty {
                    Type::F32 => {
                        self.random.pick(&[(Convert::FromS, Type::I32), (Convert::Demote, Type::F64)])
                    }
                    Type::I32 => self.random.pick(&[
                        (Convert::ToS, Type::F32),
                        (Convert::ZeroExtend, Type::I8),
                        (Convert::Narrow, Type::I64),
                    ]),
                    Type::F64 => {
                        self.random.pick(&[(Convert::FromS, Type::I64), (Convert::Promote, Type::F32)])
                    }
                    Type::I64 => self
                        .random
                        .pick(&[(Convert::SignExtend, Type::I32), (Convert::ZeroExtend, Type::I32)]),
                    _ => (Convert::Narrow, Type::I32),
                };
                let src = self.value(from, depth + 1);
                self.k.convert(ty, kind, src)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Local {
        let ty = self.random.pick(&TYPES);
        let (a, b) = (self.value(ty, depth + 1), self.value(ty, depth + 1));
        let op = if ty.is_float() {
            self.random.pick(&[Compare::FLt, Compare::FGe, Compare::FNe])
        } else {
            self.random.pick(&[Compare::LtS, Compare::GeU, Compare::Eq, Compare::Ne])
        };
        self.k.compare(op, a, b)
    }

    fn assign(&mut self) {
        let ty = self.random.pick(&TYPES);
        let src = self.value(ty, 0);
        let dst = self.variable(ty);
        self.k.push(Op::Copy { dst, src });
    }

    /// A word of `x`: by the thread's number plus something, or anywhere.
    fn read(&mut self) {
        let ty = self.random.pick(&[Type::F32, Type::I32, Type::F32, Type::F64, Type::I8, Type::I64]);
        let bytes = u64::from(ty.bytes());
        let mut index = match self.random.below(4) {
            0 => self.x,
            1 => self.global,
            2 => {
                let more = self.random.below(9);
                let more = self.k.constant(Type::I32, more);
                self.k.binary(Binary::Add, self.rank, more)
            }
            _ => self.value(Type::I32, 1),
        };
        if self.random.below(8) > 0 || !matches!(ty, Type::F32 | Type::I32) {
            // Within bounds; where it is not masked a few of the last threads may be outside.
            let mask = self.k.constant(Type::I32, 255);
            if self.random.below(2) == 0 {
                index = self.k.binary(Binary::And, index, mask);
            } else {
                index = self.k.binary(Binary::MinU, index, mask);
            }
        } else {
            index = self.x;
        }
        let addr = self.k.element(self.input, index, bytes);
        let dst = self.variable(ty);
        self.k.push(Op::Load { dst, addr, offset: 0, volatile: false });
    }

    /// Word `word` of the thread's own words, that of the next thread next to it.
    fn own_row(&mut self, word: u64) -> Local {
        let word = self.k.constant(Type::I32, word);
        let start = self.k.binary(Binary::Mul, word, self.threads);
        let index = self.k.binary(Binary::Add, start, self.global);
        self.k.element(self.output, index, 4)
    }

    fn write(&mut self) {
        let ty = self.random.pick(&[Type::F32, Type::I32]);
        let value = self.value(ty, 1);
        let word = self.random.below(WORDS);
        let at = self.own_row(word);
        self.k.store(at, 0, value);
    }

    /// The thread's own word of shared memory: written and read again.
    fn shared(&mut self) {
        let base = self.k.local(Type::POINTER);
        self.k.push(Op::SharedAddress { dst: base, shared: SharedId(0) });
        let at = self.k.element(base, self.rank, 4);
        let value = self.value(Type::F32, 1);
        self.k.store(at, 0, value);
        let dst = self.variable(Type::F32);
        self.k.push(Op::Load { dst, addr: at, offset: 0, volatile: false });
    }

    /// A collective of all lanes of a warp; its result may be used at once or much later.
    fn exchange(&mut self) {
        let shuffles = [Warp::Shuffle, Warp::ShuffleUp, Warp::ShuffleDown, Warp::ShuffleXor];
        let others = [Warp::Ballot, Warp::All, Warp::Any, Warp::MatchAny, Warp::ReduceAdd, Warp::ReduceMaxS];
        let is_shuffle = self.random.below(4) > 0;
        let op = if is_shuffle { self.random.pick(&shuffles) } else { self.random.pick(&others) };
        let ty = if is_shuffle { self.random.pick(&TYPES) } else { Type::I32 };
        let value = self.value(ty, 1);
        let mask = match self.random.below(3) {
            0 => self.everyone,
            _ => self.k.constant(Type::I32, u64::from(u32::MAX)),
        };
        let lane = match self.random.below(4) {
            0 => self.value(Type::I32, 1),
            _ => {
                let by = self.random.pick(&[0, 1, 2, 3, 4, 5, 8, 16, 31, 37]);
                self.k.constant(Type::I32, by)
            }
        };
        let width = self.random.pick(&[32, 32, 32, 16, 8, 4, 2, 1]);
        let width = self.k.constant(Type::I32, width);
        let dst = self.variable(if is_shuffle { ty } else { Type::I32 });
        self.k.push(Op::Warp { dst, op, mask, value, lane, width });
    }

    fn check(&mut self) {
        let index = self.k.convert(Type::I64, Convert::SignExtend, self.global);
        let size = self.k.constant(Type::I64, 1 << 20);
        self.k.push(Op::CheckIndex { index, size, axis: 0, array: StringId(0) });
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.condition(0);
        let (then, otherwise, after) = (self.k.block(), self.k.block(), self.k.block());
        self.k.branch(cond, then, otherwise);
        for block in [then, otherwise] {
            self.k.switch_to(block);
            if self.random.below(3) > 0 {
                self.statements(depth + 1);
            }
            self.k.jump(after);
        }
        self.k.switch_to(after);
    }

    fn repeat(&mut self, depth: u32) {
        let times = 1 + self.random.below(5);
        let i = self.k.variable(Type::I32, "i");
        self.k.push(Op::Const { dst: i, bits: 0 });
        let (head, body, after) = (self.k.block(), self.k.block(), self.k.block());
        self.k.jump(head);
        self.k.switch_to(head);
        let bound = self.k.constant(Type::I32, times);
        let more = self.k.compare(Compare::LtS, i, bound);
        self.k.branch(more, body, after);
        self.k.switch_to(body);
        self.statements(depth + 1);
        let one = self.k.constant(Type::I32, 1);
        let next = self.k.binary(Binary::Add, i, one);
        self.k.push(Op::Copy { dst: i, src: next });
        self.k.jump(head);
        self.k.switch_to(after);
    }
}

/// The words, with every NaN made one.
fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |four: &[u8]| u32::from_ne_bytes([four[0], four[1], four[2], four[3]]);
    bytes.chunks(4).map(word).map(|w| if f32::from_bits(w).is_nan() { 0x7fc0_0000 } else { w }).collect()
}

#[test]
fn random_kernels_do_the_same_together_and_alone() {
    let rounds = std::env::var("CUPRUM_TOGETHER_ROUNDS").ok().and_then(|t| t.parse().ok()).unwrap_or(60);
    let first = std::env::var("CUPRUM_TOGETHER_SEED").ok().and_then(|t| t.parse().ok()).unwrap_or(1);
    for seed in first..first + rounds {
        let module = Module {
            shared: vec![Shared { name: "s".into(), bytes: 4096, align: 16 }],
            strings: vec!["a".into()],
            ..Module::default()
        };
        let program = program_of(Generator::new(seed).finish(), module);
        let flat = [[8, 1, 1], [7, 1, 1], [64, 1, 1], [80, 1, 1]];
        for block in flat.into_iter().chain([[32, 3, 1], [10, 2, 1], [16, 4, 1], [4, 4, 2], [5, 3, 3]]) {
            let grid = 2;
            let threads = (grid * block[0] * block[1] * block[2]) as usize;
            let mut input: Vec<f32> = (0..INPUT).map(|i| (i % 13) as f32 * 0.5 - 2.0).collect();
            let mut run = |alone: bool| {
                let mut setup = Setup::new(grid, 1);
                setup.block = block;
                setup.check = alone.then(CheckMode::default);
                // Where a block fails, the ones before it have run and the others have not.
                setup.deterministic = Some(true);
                let mut output = vec![0u32; threads * WORDS as usize];
                let numbers = [threads as i32 - 3, threads as i32, -1];
                let arrays = &mut [bytes(&mut input), bytes(&mut output)];
                let outcome = setup.launch(&program, "random", arrays, &numbers);
                (outcome.map_err(|fault| text(&program, &fault)), words(bytes(&mut output)))
            };
            let (alone, together) = (run(true), run(false));
            assert_eq!(alone, together, "seed {seed}, block {block:?}");
        }
    }
}
