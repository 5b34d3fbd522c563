//! Atomics: plain accesses in memory that one worker alone can see, the machine's own instructions elsewhere.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, Value};
use cuprum_kernel::ir::{Atomic, Local, Type};
use cuprum_kernel::passes::analysis::Origin;

use super::emitter::{Emitter, OWN, USER, clif_type};
use super::memory::integer;
use crate::runtime::atomics::{self, Reach};
use crate::runtime::check::AccessKind;

impl Emitter<'_, '_> {
    /// Whether other threads of the machine may see what stands there: not so for a block's own memory.
    fn is_private(&self, local: Local) -> bool {
        matches!(self.facts.origin(local), Origin::Shared(_) | Origin::DynamicShared | Origin::Slot(_))
    }

    /// The address of an atomic, checked unless it surely is a multiple of the type's size.
    fn aligned_of(&mut self, addr: Local, base: Value, offset: i32, ty: Type) -> Value {
        let bytes = u64::from(ty.bytes());
        if self.surely_aligned(addr, 0, bytes) {
            return self.plus(base, i64::from(offset));
        }
        self.aligned(base, offset, bytes, true)
    }

    pub(super) fn atomic(&mut self, dst: Local, op: Atomic, addr: Local, value: Local) {
        let ty = self.ty(value);
        let (base, offset) = self.checked(addr, 0, u64::from(ty.bytes()), AccessKind::Atomic);
        let address = self.aligned_of(addr, base, offset, ty);
        let x = self.get(value);
        let private = self.is_private(addr);
        let whole = match op {
            Atomic::Add if !ty.is_float() => Some(AtomicRmwOp::Add),
            Atomic::Sub => Some(AtomicRmwOp::Sub),
            Atomic::And => Some(AtomicRmwOp::And),
            Atomic::Or => Some(AtomicRmwOp::Or),
            Atomic::Xor => Some(AtomicRmwOp::Xor),
            Atomic::MinS => Some(AtomicRmwOp::Smin),
            Atomic::MinU => Some(AtomicRmwOp::Umin),
            Atomic::MaxS => Some(AtomicRmwOp::Smax),
            Atomic::MaxU => Some(AtomicRmwOp::Umax),
            Atomic::Exchange => Some(AtomicRmwOp::Xchg),
            _ => None,
        };
        let int = integer(ty);
        let old = if matches!(op, Atomic::AddHalf | Atomic::AddBfloat) {
            let reach = if private { Reach::OneWorker } else { Reach::AllWorkers };
            let Some(function) = atomics::address(op, ty, reach) else { return };
            let clif = clif_type(ty);
            self.call_runtime(function, &[self.unit.pointer, clif], Some(clif), &[address, x])
        } else if private {
            let old = self.b.ins().load(clif_type(ty), USER, address, 0);
            let new = self.combine(op, ty, old, x);
            self.b.ins().store(USER, new, address, 0);
            old
        } else if let Some(whole) = whole {
            let bits = self.bits(int, x);
            let old = self.b.ins().atomic_rmw(int, OWN, whole, address, bits);
            self.bits(clif_type(ty), old)
        } else {
            // Until nobody has written between the read and the swap.
            let again = self.b.create_block();
            let done = self.b.create_block();
            self.b.append_block_param(again, int);
            let first = self.b.ins().atomic_load(int, OWN, address);
            self.leave_open(again);
            self.b.ins().jump(again, &[first.into()]);
            self.enter(again);
            let bits = self.b.block_params(again)[0];
            let old = self.bits(clif_type(ty), bits);
            let new = self.combine(op, ty, old, x);
            let new = self.bits(int, new);
            let seen = self.b.ins().atomic_cas(OWN, address, bits, new);
            let swapped = self.b.ins().icmp(IntCC::Equal, seen, bits);
            self.b.ins().brif(swapped, done, &[], again, &[seen.into()]);
            self.close(again);
            self.enter(done);
            old
        };
        self.set(dst, old);
    }

    /// What an atomic leaves in memory.
    fn combine(&mut self, op: Atomic, ty: Type, old: Value, x: Value) -> Value {
        match op {
            Atomic::Add if ty.is_float() => self.b.ins().fadd(old, x),
            Atomic::Add => self.b.ins().iadd(old, x),
            Atomic::Sub => self.b.ins().isub(old, x),
            Atomic::And => self.b.ins().band(old, x),
            Atomic::Or => self.b.ins().bor(old, x),
            Atomic::Xor => self.b.ins().bxor(old, x),
            Atomic::MinS => self.b.ins().smin(old, x),
            Atomic::MinU => self.b.ins().umin(old, x),
            Atomic::MaxS => self.b.ins().smax(old, x),
            Atomic::MaxU => self.b.ins().umax(old, x),
            Atomic::FMin => self.extremum(old, x, false),
            Atomic::FMax => self.extremum(old, x, true),
            Atomic::Exchange => x,
            Atomic::Increment => {
                let more = self.plus_one(ty, old);
                let wraps = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, old, x);
                let zero = self.zero(ty);
                self.b.ins().select(wraps, zero, more)
            }
            Atomic::Decrement => {
                let one = self.number(ty, 1);
                let less = self.b.ins().isub(old, one);
                let zero = self.zero(ty);
                let at_zero = self.b.ins().icmp(IntCC::Equal, old, zero);
                let above = self.b.ins().icmp(IntCC::UnsignedGreaterThan, old, x);
                let wraps = self.b.ins().bor(at_zero, above);
                self.b.ins().select(wraps, x, less)
            }
            // Packed numbers are the runtime's.
            Atomic::AddHalf | Atomic::AddBfloat => old,
        }
    }

    fn plus_one(&mut self, ty: Type, x: Value) -> Value {
        let one = self.number(ty, 1);
        self.b.ins().iadd(x, one)
    }

    pub(super) fn swap(&mut self, dst: Local, addr: Local, expected: Local, value: Local) {
        let ty = self.ty(value);
        let (base, offset) = self.checked(addr, 0, u64::from(ty.bytes()), AccessKind::Atomic);
        let address = self.aligned_of(addr, base, offset, ty);
        let int = integer(ty);
        let (expected, value) = (self.get(expected), self.get(value));
        let (expected, value) = (self.bits(int, expected), self.bits(int, value));
        let old = if self.is_private(addr) {
            let old = self.b.ins().load(int, USER, address, 0);
            let same = self.b.ins().icmp(IntCC::Equal, old, expected);
            let new = self.b.ins().select(same, value, old);
            self.b.ins().store(USER, new, address, 0);
            old
        } else {
            self.b.ins().atomic_cas(OWN, address, expected, value)
        };
        let old = self.bits(clif_type(ty), old);
        self.set(dst, old);
    }
}
