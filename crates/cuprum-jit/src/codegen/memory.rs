//! Memory: addresses, the checks before every access, loads, stores and copies.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cuprum_kernel::ir::{self, Local, Op, Type};

use super::emitter::{Emitter, FIXED, OWN, USER, clif_type};
use super::thunks::LOOK_UP;
use super::unit::CheckSubject;
use crate::context::{Bounds, Context};
use crate::entry;
use crate::runtime::check::AccessKind;
use cuprum_kernel::passes::analysis::Origin;

/// An access that is to be checked.
#[derive(Clone, Copy)]
struct CheckedAccess {
    bytes: u64,
    write: bool,
    origin: Origin,
    /// What the checking mode is told.
    kind: AccessKind,
}

impl Emitter<'_, '_> {
    pub(super) fn memory_op(&mut self, op: &Op) {
        match op {
            Op::Load { dst, addr, offset, volatile } => self.load(*dst, *addr, *offset, *volatile),
            Op::Store { addr, offset, src, volatile } => self.store(*addr, *offset, *src, *volatile),
            Op::CopyBytes { to, from, bytes } => self.copy_bytes(*to, *from, *bytes),
            Op::ZeroBytes { to, bytes } => self.zero_bytes(*to, *bytes),
            Op::CheckAligned { addr, offset, align, write } => {
                if !self.surely_aligned(*addr, *offset, u64::from(*align)) {
                    let base = self.get(*addr);
                    let address = self.plus(base, *offset);
                    self.aligned(address, 0, u64::from(*align), *write);
                }
            }
            Op::UndefinedBytes { to, bytes } => self.forget(*to, *bytes),
            Op::Written { to, offset, bytes } => {
                if self.unit.checked {
                    self.checked(*to, *offset, *bytes, AccessKind::Write);
                }
            }
            Op::Parameter { dst, offset } => {
                let params = self.fixed(self.unit.pointer, offset_of!(Context, params));
                let ty = clif_type(self.ty(*dst));
                let value = self.b.ins().load(ty, FIXED, params, *offset as i32);
                self.set(*dst, value);
            }
            Op::Atomic { dst, op, addr, value } => self.atomic(*dst, *op, *addr, *value),
            Op::CompareAndSwap { dst, addr, expected, value } => self.swap(*dst, *addr, *expected, *value),
            Op::Fence => {
                if self.unit.checked {
                    let rank = self.rank();
                    let kinds = [self.unit.pointer, types::I32];
                    self.call_runtime(entry::fence as *const u8, &kinds, None, &[self.ctx, rank]);
                }
                self.b.ins().fence();
            }
            _ => {
                if let Some((dst, value)) = self.address(op) {
                    self.set(dst, value);
                }
            }
        }
    }

    /// Ops that give the address of a variable.
    fn address(&mut self, op: &Op) -> Option<(Local, Value)> {
        let (dst, origin) = match op {
            Op::SlotAddress { dst, slot } => (*dst, Origin::Slot(*slot)),
            Op::SharedAddress { dst, shared } => (*dst, Origin::Shared(*shared)),
            Op::DynamicShared { dst } => (*dst, Origin::DynamicShared),
            Op::GlobalAddress { dst, global } => (*dst, Origin::Global(*global)),
            Op::StringAddress { dst, string } => (*dst, Origin::String(*string)),
            _ => return None,
        };
        self.start(origin).map(|start| (dst, start))
    }

    /// Where a variable begins.
    fn start(&mut self, origin: Origin) -> Option<Value> {
        let pointer = self.unit.pointer;
        let (base, offset) = match origin {
            Origin::Slot(slot) => (self.b.use_var(self.slots), u64::from(self.slot_offsets[slot.index()])),
            Origin::Shared(shared) => {
                let at = self.unit.layout.shared[shared.index()].unwrap_or(0);
                (self.fixed(pointer, offset_of!(Context, shared)), u64::from(at))
            }
            Origin::DynamicShared => {
                (self.fixed(pointer, offset_of!(Context, shared)), self.unit.layout.shared_bytes)
            }
            Origin::Global(global) => {
                return Some(self.b.ins().iconst(pointer, self.unit.globals[global.index()] as i64));
            }
            Origin::String(string) => {
                let at = self.unit.strings[string.index()].as_ptr() as i64;
                return Some(self.b.ins().iconst(pointer, at));
            }
            Origin::Parameter(number) => return Some(self.bounds(number, offset_of!(Bounds, start))),
            Origin::None | Origin::Unknown => return None,
        };
        Some(self.plus(base, offset as i64))
    }

    pub(super) fn plus(&mut self, base: Value, offset: i64) -> Value {
        if offset == 0 {
            return base;
        }
        let by = self.b.ins().iconst(types::I64, offset);
        self.b.ins().iadd(base, by)
    }

    /// A field of a parameter's bounds.
    fn bounds(&mut self, number: u32, field: usize) -> Value {
        let all = self.fixed(self.unit.pointer, offset_of!(Context, bounds));
        let at = size_of::<Bounds>() * number as usize + field;
        self.b.ins().load(types::I64, FIXED, all, at as i32)
    }

    /// The size of a variable, where it is known now: 0 where it may not be written but would be.
    fn known_size(&self, origin: Origin, write: bool) -> Option<u64> {
        match origin {
            Origin::Slot(slot) => Some(self.function.slots[slot.index()].bytes),
            Origin::Shared(shared) => Some(self.unit.module.shared[shared.index()].bytes),
            Origin::Global(global) => {
                let global = &self.unit.module.globals[global.index()];
                Some(if write && global.constant { 0 } else { global.bytes.len() as u64 })
            }
            Origin::String(string) => {
                Some(if write { 0 } else { self.unit.strings[string.index()].len() as u64 })
            }
            _ => None,
        }
    }

    /// The address `local + offset`, after a check that `bytes` bytes may be read or written there.
    pub(super) fn checked(
        &mut self,
        local: Local,
        offset: i64,
        bytes: u64,
        kind: AccessKind,
    ) -> (Value, i32) {
        let write = kind.writes();
        let origin = match self.facts.origin(local) {
            Origin::None => Origin::Unknown,
            origin => origin,
        };
        let access = CheckedAccess { bytes, write, origin, kind };
        if let Some(at) = self.surely_at(local, offset, access)
            && let Some(start) = self.start(origin)
        {
            // Computed anew: the local itself may be read on a path where it was never written.
            if self.unit.checked {
                self.watch(start, at, access);
            }
            return (start, at);
        }
        if let Some(&(base, index)) = self.sums.get(&local)
            && let Some(at) = self.surely_within(base, index, offset, access)
            && let Some(start) = self.start(origin)
        {
            let index = self.get(index);
            let address = self.b.ins().iadd(start, index);
            if self.unit.checked {
                self.watch(address, at, access);
            }
            return (address, at);
        }
        let base = self.get(local);
        self.check_access(local, base, offset, access);
        // The instruction holds 32 bits of an offset; what is farther becomes part of the base, after the check.
        let (base, offset) = match i32::try_from(offset) {
            Ok(offset) => (base, offset),
            Err(_) => (self.plus(base, offset), 0),
        };
        if self.unit.checked {
            self.watch(base, offset, access);
        }
        (base, offset)
    }

    /// How far `address + offset` is from the start of its memory; `address` is what `local` holds. Of a sum, the part that
    /// is an address itself is often the same in all rounds of a loop, and so is its distance.
    pub(super) fn distance(&mut self, local: Local, address: Value, start: Value, offset: i64) -> Value {
        let distance = match self.sums.get(&local) {
            Some(&(base, index)) => {
                let (base, index) = (self.get(base), self.get(index));
                let before = self.b.ins().isub(base, start);
                self.b.ins().iadd(before, index)
            }
            None => self.b.ins().isub(address, start),
        };
        self.plus(distance, offset)
    }

    /// Notes the sum that an op makes of an address and an index, for as long as the block changes neither.
    pub(super) fn note_sum(&mut self, op: &Op) {
        let Some(dst) = op.dst() else { return };
        self.sums.retain(|sum, (base, index)| ![*sum, *base, *index].contains(&dst));
        let Op::Binary { op: ir::Binary::Add, a, b, .. } = op else { return };
        let origin = self.facts.origin(dst);
        if !origin.is_known() || *a == dst || *b == dst {
            return;
        }
        if self.facts.origin(*a) == origin {
            self.sums.insert(dst, (*a, *b));
        } else if self.facts.origin(*b) == origin {
            self.sums.insert(dst, (*b, *a));
        }
    }

    /// How far into its variable an access always is, where it is always within it.
    fn surely_at(&self, local: Local, offset: i64, access: CheckedAccess) -> Option<i32> {
        let size = self.known_size(access.origin, access.write)?;
        let at = self.facts.fixed_offset(self.function, local, 8)?.checked_add(offset)?;
        let end = u64::try_from(at).ok()?.checked_add(access.bytes)?;
        if end <= size { i32::try_from(at).ok() } else { None }
    }

    /// How far an access is at least from the start of its variable, where no index can lead beside it:
    /// `counts[bytes[i]]`.
    fn surely_within(&self, base: Local, index: Local, offset: i64, access: CheckedAccess) -> Option<i32> {
        let size = self.known_size(access.origin, access.write)?;
        let at = self.facts.fixed_offset(self.function, base, 8)?.checked_add(offset)?;
        let most = self.facts.most(self.function, index, 8)?;
        let end = u64::try_from(at).ok()?.checked_add(most)?.checked_add(access.bytes)?;
        if end <= size { i32::try_from(at).ok() } else { None }
    }

    fn access(&self, access: CheckedAccess) -> CheckSubject {
        let CheckedAccess { bytes, kind, origin, .. } = access;
        let slot = match origin {
            Origin::Slot(slot) => {
                let slot = &self.function.slots[slot.index()];
                (slot.name.clone(), slot.bytes)
            }
            _ => (String::new(), 0),
        };
        CheckSubject::Access { kind, bytes, origin, slot }
    }

    fn check_access(&mut self, local: Local, base: Value, offset: i64, access: CheckedAccess) {
        let CheckedAccess { bytes, write, origin, .. } = access;
        let Some(start) = self.start(origin) else { return self.check_unknown(base, offset, access) };
        let limit = match self.known_size(origin, write) {
            Some(size) => self.b.ins().iconst(types::I64, (size + 1).saturating_sub(bytes) as i64),
            None => self.limit(origin, bytes, write),
        };
        let distance = self.distance(local, base, start, offset);
        let ok = self.b.ins().icmp(IntCC::UnsignedLessThan, distance, limit);
        // Of the distance, so that the address itself is not needed where the check succeeds.
        let address = self.b.ins().iadd(start, distance);
        let what = self.access(access);
        self.check(ok, what, Some(address), Some(start));
    }

    /// The start of the memory that an address comes from, and the distances from there below which `bytes` bytes are
    /// within it; none where that is not known.
    pub(super) fn reach(&mut self, bytes: u64, write: bool, origin: Origin) -> Option<(Value, Value)> {
        let start = self.start(origin)?;
        let limit = match self.known_size(origin, write) {
            Some(size) => self.b.ins().iconst(types::I64, (size + 1).saturating_sub(bytes) as i64),
            None => self.limit(origin, bytes, write),
        };
        Some((start, limit))
    }

    /// What an access by its origin is about.
    pub(super) fn access_of(&self, bytes: u64, write: bool, origin: Origin) -> CheckSubject {
        let kind = if write { AccessKind::Write } else { AccessKind::Read };
        self.access(CheckedAccess { bytes, write, origin, kind })
    }

    /// Distances from the start below this are within: of parameters and of dynamic shared memory.
    fn limit(&mut self, origin: Origin, bytes: u64, write: bool) -> Value {
        let size = match origin {
            Origin::Parameter(number) => {
                if bytes.is_power_of_two() && bytes <= 32 {
                    let table = if write { offset_of!(Bounds, write) } else { offset_of!(Bounds, read) };
                    return self.bounds(number, table + 8 * bytes.trailing_zeros() as usize);
                }
                let field = if write { offset_of!(Bounds, writable) } else { offset_of!(Bounds, bytes) };
                self.bounds(number, field)
            }
            _ => {
                let bytes = self.fixed(types::I32, offset_of!(Context, dynamic_shared));
                self.b.ins().uextend(types::I64, bytes)
            }
        };
        let needed = self.b.ins().iconst(types::I64, bytes as i64);
        let fits = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, size, needed);
        let spare = self.b.ins().isub(size, needed);
        let limit = self.plus(spare, 1);
        let none = self.b.ins().iconst(types::I64, 0);
        self.b.ins().select(fits, limit, none)
    }

    /// An address that may point anywhere: within the range that was found last, or looked up.
    fn check_unknown(&mut self, base: Value, offset: i64, access: CheckedAccess) {
        let CheckedAccess { bytes, write, .. } = access;
        let address = self.plus(base, offset);
        let look_up = self.b.create_block();
        let go_on = self.b.create_block();
        self.b.set_cold_block(look_up);
        if bytes <= 8 {
            let found =
                if write { offset_of!(Context, found_write) } else { offset_of!(Context, found_read) };
            let start = self.b.ins().load(types::I64, OWN, self.ctx, found as i32);
            let limit = self.b.ins().load(types::I64, OWN, self.ctx, found as i32 + 8);
            let distance = self.b.ins().isub(address, start);
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, distance, limit);
            let mask = self.b.ins().iconst(types::I64, bytes as i64 - 1);
            let low = self.b.ins().band(address, mask);
            let none = self.b.ins().iconst(types::I64, 0);
            let aligned = self.b.ins().icmp(IntCC::Equal, low, none);
            let ok = self.b.ins().band(within, aligned);
            self.unless(ok, look_up, go_on);
        } else {
            self.b.ins().jump(look_up, &[]);
        }
        self.enter(look_up);
        let what = self.access(access);
        let site = self.site(what);
        let rank = self.rank();
        let size = self.b.ins().iconst(types::I64, bytes as i64);
        let writes = self.b.ins().iconst(types::I32, i64::from(write));
        let args = [self.ctx, rank, site, address, size, writes];
        let status = self.call_thunk(self.unit.thunks.look_up, &LOOK_UP, &args);
        let leave = self.leave;
        self.b.ins().brif(status, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    /// The checking mode sees every access.
    fn watch(&mut self, base: Value, offset: i32, access: CheckedAccess) {
        let CheckedAccess { bytes, origin, kind, .. } = access;
        if matches!(origin, Origin::String(_)) {
            return;
        }
        let address = self.plus(base, i64::from(offset));
        let what = self.access(access);
        let site = self.site(what);
        let rank = self.rank();
        let size = self.b.ins().iconst(types::I64, bytes as i64);
        let writes = self.b.ins().iconst(types::I32, i64::from(kind.number()));
        let kinds = [self.unit.pointer, types::I32, types::I32, types::I64, types::I64, types::I32];
        let args = [self.ctx, rank, site, address, size, writes];
        let status = self.call_runtime(entry::watch as *const u8, &kinds, Some(types::I32), &args);
        self.leave_if(status);
    }

    fn load(&mut self, dst: Local, addr: Local, offset: i64, volatile: bool) {
        let ty = self.ty(dst);
        let kind = if volatile { AccessKind::VolatileRead } else { AccessKind::Read };
        let at = offset;
        let (base, offset) = self.checked(addr, at, u64::from(ty.bytes()), kind);
        let value = if volatile {
            let address = self.aligned(base, offset, u64::from(ty.bytes()), false);
            let bits = self.b.ins().atomic_load(integer(ty), OWN, address);
            self.bits(clif_type(ty), bits)
        } else {
            self.check_alignment(addr, at, (base, offset), ty, false);
            self.b.ins().load(clif_type(ty), USER, base, offset)
        };
        self.set(dst, value);
    }

    fn store(&mut self, addr: Local, offset: i64, src: Local, volatile: bool) {
        let ty = self.ty(src);
        let kind = if volatile { AccessKind::VolatileWrite } else { AccessKind::Write };
        let at = offset;
        let (base, offset) = self.checked(addr, at, u64::from(ty.bytes()), kind);
        let value = self.get(src);
        if volatile {
            let address = self.aligned(base, offset, u64::from(ty.bytes()), true);
            let bits = self.bits(integer(ty), value);
            self.b.ins().atomic_store(OWN, bits, address);
        } else {
            self.check_alignment(addr, at, (base, offset), ty, true);
            self.b.ins().store(USER, value, base, offset);
        }
    }

    /// Whether an address surely is a multiple of `bytes`; what is looked up is checked there.
    pub(super) fn surely_aligned(&self, addr: Local, offset: i64, bytes: u64) -> bool {
        let by_launch = matches!(self.facts.origin(addr), Origin::Parameter(_));
        (self.unit.aligned || !by_launch) && self.facts.is_aligned(addr, offset, bytes)
    }

    /// A plain access that a GPU would refuse is a fault, though this processor does not mind it.
    fn check_alignment(&mut self, addr: Local, at: i64, place: (Value, i32), ty: Type, write: bool) {
        let looked_up = !self.facts.origin(addr).is_known();
        if !looked_up && !self.surely_aligned(addr, at, u64::from(ty.bytes())) {
            self.aligned(place.0, place.1, u64::from(ty.bytes()), write);
        }
    }

    /// The address, after a check that it is a multiple of the type's size.
    pub(super) fn aligned(&mut self, base: Value, offset: i32, bytes: u64, write: bool) -> Value {
        let address = self.plus(base, i64::from(offset));
        if bytes > 1 {
            let mask = self.b.ins().iconst(types::I64, bytes as i64 - 1);
            let low = self.b.ins().band(address, mask);
            let none = self.b.ins().iconst(types::I64, 0);
            let ok = self.b.ins().icmp(IntCC::Equal, low, none);
            self.check(ok, CheckSubject::Misaligned { write, bytes }, Some(address), None);
        }
        address
    }

    fn copy_bytes(&mut self, to: Local, from: Local, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let (source, at) = self.checked(from, 0, bytes, AccessKind::Copy);
        let source = self.plus(source, i64::from(at));
        let (target, at) = self.checked(to, 0, bytes, AccessKind::Write);
        let target = self.plus(target, i64::from(at));
        if self.unit.checked {
            let rank = self.rank();
            let size = self.b.ins().iconst(types::I64, bytes as i64);
            let kinds = [self.unit.pointer, types::I32, types::I64, types::I64, types::I64];
            let args = [self.ctx, rank, target, source, size];
            self.call_runtime(entry::carry as *const u8, &kinds, None, &args);
        }
        if bytes > 64 {
            let size = self.b.ins().iconst(types::I64, bytes as i64);
            let pointer = self.unit.pointer;
            let kinds = [pointer, pointer, types::I64];
            self.call_runtime(libc::memmove as *const u8, &kinds, Some(pointer), &[target, source, size]);
            return;
        }
        let pieces = pieces(bytes);
        let values: Vec<Value> =
            pieces.iter().map(|(ty, at)| self.b.ins().load(*ty, USER, source, *at)).collect();
        for ((_, at), value) in pieces.iter().zip(values) {
            self.b.ins().store(USER, value, target, *at);
        }
    }

    /// The checking mode: a variable begins without a value.
    fn forget(&mut self, to: Local, bytes: u64) {
        if self.unit.checked {
            let address = self.get(to);
            let size = self.b.ins().iconst(types::I64, bytes as i64);
            let kinds = [self.unit.pointer, types::I64, types::I64];
            self.call_runtime(entry::forget as *const u8, &kinds, None, &[self.ctx, address, size]);
        }
    }

    fn zero_bytes(&mut self, to: Local, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let (target, at) = self.checked(to, 0, bytes, AccessKind::Write);
        let target = self.plus(target, i64::from(at));
        if bytes > 64 {
            let size = self.b.ins().iconst(types::I64, bytes as i64);
            let zero = self.b.ins().iconst(types::I32, 0);
            let pointer = self.unit.pointer;
            let kinds = [pointer, types::I32, types::I64];
            self.call_runtime(libc::memset as *const u8, &kinds, Some(pointer), &[target, zero, size]);
            return;
        }
        for (ty, at) in pieces(bytes) {
            let zero = self.b.ins().iconst(ty, 0);
            self.b.ins().store(USER, zero, target, at);
        }
    }
}

/// The integer type of a type's width.
pub(super) fn integer(ty: ir::Type) -> types::Type {
    match ty.bytes() {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}

/// Types and offsets that make up a number of bytes.
fn pieces(bytes: u64) -> Vec<(types::Type, i32)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (ty, size) in [(types::I64, 8), (types::I32, 4), (types::I16, 2), (types::I8, 1)] {
        while bytes - at >= size {
            pieces.push((ty, at as i32));
            at += size;
        }
    }
    pieces
}
