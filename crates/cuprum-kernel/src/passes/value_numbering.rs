//! Value numbering: folds what is known, puts copies and repeated computations down to the local that has the value
//! already, and brings constant distances of addresses into loads and stores.
//!
//! Numbers of locals that are values (written once, before every read) hold in the whole function; those of other
//! locals in one block. Repeated computations are found within a block.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::dominators::{self, Dominators};
use super::fold;
use super::identities;
use crate::ir::{Binary, Compare, Convert, End, Function, Local, Op, Special, Type};

/// A value's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueNumber(u32);

/// What is known of a value beside its holder.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    Nothing,
    /// A number.
    Constant(u64),
    /// An address that is never null.
    Address,
    /// Another value plus a number.
    Sum(ValueNumber, u64),
    /// 0 or 1.
    Truth,
    /// Whether another value is zero; itself a truth value.
    IsZero(ValueNumber),
    /// Made from another value.
    Converted(Convert, ValueNumber),
}

struct Info {
    /// The local that had it first.
    holder: Local,
    /// A local that is a value and has it, for when the first has another.
    lasting: Option<Local>,
    known: Known,
    ty: Type,
}

/// What computes a value: the op with values in place of operands.
#[derive(PartialEq, Eq, Hash)]
struct ExpressionKey {
    tag: u32,
    ty: Type,
    operands: [u64; 3],
}

/// Mixes a few words quickly; keys are the compiler's own, so nobody chooses them to collide.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// The values of a function, as far as the walk has come.
pub struct Values<'a> {
    types: &'a [crate::ir::LocalInfo],
    is_value: Vec<bool>,
    /// By local: its value, and the block in which that was noted (for values any block).
    current: Vec<Option<(ValueNumber, u32)>>,
    infos: Vec<Info>,
    table: HashMap<ExpressionKey, ValueNumber, BuildHasherDefault<KeyHasher>>,
    block: u32,
    /// Counts writes to memory: loads before and after one may differ.
    memory: u64,
}

/// Simplifies every block. Returns whether anything changed.
pub fn simplify(function: &mut Function) -> bool {
    let dominators = Dominators::new(function);
    let sites = dominators::values(function, &dominators);
    let mut blocks = std::mem::take(&mut function.blocks);
    let mut values = Values {
        types: &function.locals,
        is_value: sites.iter().map(Option::is_some).collect(),
        current: vec![None; function.locals.len()],
        infos: Vec::new(),
        table: HashMap::default(),
        block: 0,
        memory: 0,
    };
    let mut changed = false;
    for &id in &dominators.order {
        values.block = id.0;
        values.table.clear();
        values.memory += 1;
        let block = &mut blocks[id.index()];
        for inst in &mut block.insts {
            changed |= values.simplify_op(&mut inst.op);
        }
        changed |= values.simplify_end(&mut block.end);
    }
    function.blocks = blocks;
    changed
}

impl Values<'_> {
    /// A local's type.
    pub fn type_of_local(&self, local: Local) -> Type {
        self.types[local.index()].ty
    }

    /// The value that a local has now.
    pub fn of(&mut self, local: Local) -> ValueNumber {
        match self.current[local.index()] {
            Some((value, block)) if block == self.block || self.is_value[local.index()] => value,
            _ => {
                let value = self.fresh(local, Known::Nothing);
                self.current[local.index()] = Some((value, self.block));
                value
            }
        }
    }

    fn fresh(&mut self, holder: Local, known: Known) -> ValueNumber {
        let lasting = self.is_value[holder.index()].then_some(holder);
        self.infos.push(Info { holder, lasting, known, ty: self.type_of_local(holder) });
        ValueNumber(self.infos.len() as u32 - 1)
    }

    /// What is known of a value.
    pub fn known(&self, value: ValueNumber) -> Known {
        self.infos[value.0 as usize].known
    }

    /// A value's number, where it is one.
    pub fn constant(&self, value: ValueNumber) -> Option<u64> {
        match self.known(value) {
            Known::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// A value's type.
    pub fn type_of(&self, value: ValueNumber) -> Type {
        self.infos[value.0 as usize].ty
    }

    /// A local that has the value now.
    pub fn holder(&self, value: ValueNumber) -> Option<Local> {
        let Info { holder, lasting, .. } = self.infos[value.0 as usize];
        match self.current[holder.index()] {
            Some((has, block)) if has == value && (block == self.block || self.is_value[holder.index()]) => {
                Some(holder)
            }
            _ => lasting,
        }
    }

    /// `local` has `value` from here on.
    fn assign(&mut self, local: Local, value: ValueNumber) {
        self.current[local.index()] = Some((value, self.block));
        if self.is_value[local.index()] && self.infos[value.0 as usize].lasting.is_none() {
            self.infos[value.0 as usize].lasting = Some(local);
        }
        if self.holder(value).is_none() {
            self.infos[value.0 as usize].holder = local;
        }
    }

    /// The local to read in place of `local`.
    fn leader(&mut self, local: Local) -> Local {
        let value = self.of(local);
        self.holder(value).unwrap_or(local)
    }

    fn simplify_op(&mut self, op: &mut Op) -> bool {
        let mut changed = false;
        op.map_uses(|local| {
            let leader = self.leader(local);
            changed |= leader != local;
            leader
        });
        changed |= self.shorten_address(op);
        if let Some(better) = identities::simpler(self, op)
            && better != *op
        {
            *op = better;
            changed = true;
        }
        self.note(op);
        changed
    }

    /// `base + number` as an address is the base, and the number goes into the op.
    fn shorten_address(&mut self, op: &mut Op) -> bool {
        let (Op::Load { addr, offset, .. }
        | Op::Store { addr, offset, .. }
        | Op::CheckAligned { addr, offset, .. }) = op
        else {
            return false;
        };
        let mut value = self.of(*addr);
        let mut changed = false;
        while let Known::Sum(base, by) = self.known(value) {
            // Far offsets would hide that an address is none at all.
            let near = |sum: &i64| sum.unsigned_abs() < 1 << 30;
            let Some(sum) = offset.checked_add(by as i64).filter(near) else { break };
            if let Some(holder) = self.holder(base) {
                (*addr, *offset) = (holder, sum);
                changed = true;
                value = base;
            } else {
                break;
            }
        }
        changed
    }

    /// Takes note of what the op does to values and memory.
    fn note(&mut self, op: &Op) {
        if writes_memory(op) {
            self.memory += 1;
        }
        if let Op::Store { addr, offset, src, volatile: false } = op {
            // What was written is what would be read.
            let key = self.load_key(*addr, *offset, self.type_of_local(*src));
            let value = self.of(*src);
            self.table.insert(key, value);
        }
        let Some(dst) = op.dst() else { return };
        if let Op::Copy { src, .. } = op {
            let value = self.of(*src);
            return self.assign(dst, value);
        }
        let key = self.key(op);
        if let Some(&value) = key.as_ref().and_then(|key| self.table.get(key)) {
            return self.assign(dst, value);
        }
        let known = self.known_of(op);
        let value = self.fresh(dst, known);
        self.assign(dst, value);
        if let Some(key) = key {
            self.table.insert(key, value);
        }
    }

    /// A value that the block has computed already.
    pub fn computed(&mut self, op: &Op) -> Option<ValueNumber> {
        let key = self.key(op)?;
        self.table.get(&key).copied()
    }

    fn load_key(&mut self, addr: Local, offset: i64, ty: Type) -> ExpressionKey {
        ExpressionKey { tag: 1 << 16, ty, operands: [u64::from(self.of(addr).0), offset as u64, self.memory] }
    }

    /// The key of an op whose result follows from its operands, or from memory as it is now.
    fn key(&mut self, op: &Op) -> Option<ExpressionKey> {
        let mut operand = |local: &Local| u64::from(self.of(*local).0);
        let (kind, sub, operands) = match op {
            Op::Const { bits, .. } => (2, 0, [*bits, 0, 0]),
            Op::Unary { op, src, .. } => (3, *op as u32, [operand(src), 0, 0]),
            Op::Binary { op, a, b, .. } => {
                let (a, b) = (operand(a), operand(b));
                let (a, b) = if identities::is_commutative(*op) { (a.min(b), a.max(b)) } else { (a, b) };
                (4, *op as u32, [a, b, 0])
            }
            Op::Compare { op, a, b, .. } => (5, *op as u32, [operand(a), operand(b), 0]),
            Op::Convert { kind, src, .. } => (6, *kind as u32, [operand(src), 0, 0]),
            Op::Select { cond, a, b, .. } => (7, 0, [operand(cond), operand(a), operand(b)]),
            Op::Fma { a, b, c, .. } => (8, 0, [operand(a), operand(b), operand(c)]),
            Op::Math { function, args, .. } if args.len() <= 3 => {
                let mut operands = [u64::MAX; 3];
                for (place, arg) in operands.iter_mut().zip(args) {
                    *place = operand(arg);
                }
                (9, *function as u32, operands)
            }
            Op::SlotAddress { slot, .. } => (10, 0, [u64::from(slot.0), 0, 0]),
            Op::SharedAddress { shared, .. } => (11, 0, [u64::from(shared.0), 0, 0]),
            Op::DynamicShared { .. } => (12, 0, [0; 3]),
            Op::GlobalAddress { global, .. } => (13, 0, [u64::from(global.0), 0, 0]),
            Op::StringAddress { string, .. } => (14, 0, [u64::from(string.0), 0, 0]),
            Op::Parameter { offset, .. } => (15, 0, [u64::from(*offset), 0, 0]),
            Op::Special { register, .. } => (17, 0, [register_number(*register)?, 0, 0]),
            Op::Load { dst, addr, offset, volatile: false } => {
                let ty = self.type_of_local(*dst);
                return Some(self.load_key(*addr, *offset, ty));
            }
            _ => return None,
        };
        let ty = op.dst().map_or(Type::I8, |dst| self.type_of_local(dst));
        Some(ExpressionKey { tag: kind << 16 | sub, ty, operands })
    }

    fn known_of(&mut self, op: &Op) -> Known {
        match op {
            Op::Const { bits, .. } => Known::Constant(*bits),
            Op::SlotAddress { .. }
            | Op::SharedAddress { .. }
            | Op::GlobalAddress { .. }
            | Op::StringAddress { .. } => Known::Address,
            Op::Binary { op: Binary::Add, a, b, .. } => {
                let (a, b) = (self.of(*a), self.of(*b));
                self.constant(b).map_or(Known::Nothing, |by| Known::Sum(a, by))
            }
            Op::Binary { op: Binary::Sub, a, b, .. } => {
                let (a, b) = (self.of(*a), self.of(*b));
                let ty = self.type_of(a);
                let by = |bits: u64| bits.wrapping_neg() & fold::mask(ty);
                self.constant(b).map_or(Known::Nothing, |bits| Known::Sum(a, by(bits)))
            }
            Op::Compare { op: Compare::Eq, a, b, .. } => {
                let (a, b) = (self.of(*a), self.of(*b));
                if self.constant(b) == Some(0) { Known::IsZero(a) } else { Known::Truth }
            }
            Op::Compare { .. } => Known::Truth,
            Op::Binary { op: Binary::And | Binary::Or | Binary::Xor, a, b, .. } => {
                let (a, b) = (self.of(*a), self.of(*b));
                if self.is_truth(a) && self.is_truth(b) { Known::Truth } else { Known::Nothing }
            }
            Op::Select { a, b, .. } => {
                let (a, b) = (self.of(*a), self.of(*b));
                if self.is_truth(a) && self.is_truth(b) { Known::Truth } else { Known::Nothing }
            }
            Op::Convert { kind, src, .. } => Known::Converted(*kind, self.of(*src)),
            _ => Known::Nothing,
        }
    }

    /// Whether a value is 0 or 1.
    pub fn is_truth(&self, value: ValueNumber) -> bool {
        match self.known(value) {
            Known::Truth | Known::IsZero(_) | Known::Constant(0 | 1) => true,
            Known::Converted(Convert::ZeroExtend, from) => self.is_truth(from),
            _ => false,
        }
    }

    fn simplify_end(&mut self, end: &mut End) -> bool {
        let mut changed = false;
        end.map_used(|local| {
            let leader = self.leader(local);
            changed |= leader != local;
            leader
        });
        match end {
            End::Branch { cond, then, otherwise } => {
                let value = self.of(*cond);
                if let Some(bits) = self.constant(value) {
                    *end = End::Jump(if bits != 0 { *then } else { *otherwise });
                    return true;
                }
                if let Some((holder, negated)) = self.condition(value)
                    && holder != *cond
                {
                    let (then, otherwise) = if negated { (*otherwise, *then) } else { (*then, *otherwise) };
                    *end = End::Branch { cond: holder, then, otherwise };
                    return true;
                }
            }
            End::Switch { value, cases, default } => {
                let value = self.of(*value);
                if let Some(bits) = self.constant(value) {
                    let case = cases.iter().find(|case| case.0 == bits);
                    *end = End::Jump(case.map_or(*default, |case| case.1));
                    return true;
                }
            }
            End::Jump(_) | End::Return(_) | End::Unreachable => {}
        }
        changed
    }

    /// A local to branch on in place of a condition, and whether its sense is the opposite.
    pub fn condition(&self, value: ValueNumber) -> Option<(Local, bool)> {
        let mut value = value;
        let mut negated = false;
        let mut found = None;
        loop {
            value = match self.known(value) {
                Known::IsZero(inner) => {
                    negated = !negated;
                    inner
                }
                Known::Converted(Convert::ZeroExtend | Convert::SignExtend, inner) => inner,
                _ => return found,
            };
            found = self.holder(value).map(|holder| (holder, negated)).or(found);
        }
    }

    /// Folds an op whose operands are numbers.
    pub fn folded(&mut self, op: &Op) -> Option<u64> {
        let dst = op.dst()?;
        let ty = self.type_of_local(dst);
        let mut number = |local: &Local| {
            let value = self.of(*local);
            self.constant(value).map(|bits| (bits, self.type_of(value)))
        };
        let bits = match op {
            Op::Unary { op, src, .. } => fold::unary(*op, ty, number(src)?.0),
            Op::Binary { op, a, b, .. } => fold::binary(*op, ty, number(a)?.0, number(b)?.0),
            Op::Compare { op, a, b, .. } => {
                let (a, of) = number(a)?;
                u64::from(fold::compare(*op, of, a, number(b)?.0))
            }
            Op::Convert { kind, src, .. } => {
                let (src, from) = number(src)?;
                let folded = fold::convert(*kind, from, ty, src);
                // What a NaN becomes is left to the machine, but for its plain bits.
                if from.is_float() && *kind != Convert::Bits && fold::float(from, src).is_nan() {
                    return None;
                }
                folded
            }
            Op::Fma { a, b, c, .. } => fold::fma(ty, number(a)?.0, number(b)?.0, number(c)?.0),
            _ => return None,
        };
        let is_nan = ty.is_float() && fold::float(ty, bits).is_nan();
        let keeps_bits = matches!(op, Op::Convert { kind: Convert::Bits, .. });
        (!is_nan || keeps_bits).then_some(bits)
    }
}

fn register_number(register: Special) -> Option<u64> {
    Some(match register {
        Special::ThreadIdx(axis) => u64::from(axis),
        Special::BlockIdx(axis) => 4 + u64::from(axis),
        Special::BlockDim(axis) => 8 + u64::from(axis),
        Special::GridDim(axis) => 12 + u64::from(axis),
        Special::LaneId => 16,
        Special::ThreadRank => 17,
        Special::DynamicSharedBytes => 18,
        Special::SharedBase => 19,
        Special::ClusterDim(axis) => 20 + u64::from(axis),
        Special::ClusterShared => 24,
        Special::ClusterStep => 25,
        Special::Clock => return None,
    })
}

/// Whether memory may be another after it; a barrier lets other threads write.
fn writes_memory(op: &Op) -> bool {
    op.has_side_effects()
        && !matches!(
            op,
            Op::Assert { .. }
                | Op::CheckIndex { .. }
                | Op::CheckAligned { .. }
                | Op::Printf { .. }
                | Op::Special { .. }
        )
}
