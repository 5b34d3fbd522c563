//! The functions that generated code calls: faults, polls for a stop, memory of unknown origin, `printf`.
//!
//! Each takes the context first. Those that return a status return nonzero if the launch is to stop.

use std::sync::OnceLock;
use std::time::Instant;

use cuprum_kernel::ir::{Convert, Type};

use crate::context::{Bounds, Context, RawFault};
use crate::heap;
use crate::launch::{Extent, Launch};
use crate::runtime::check::{AccessKind, Finding};
use crate::runtime::{convert, print};

/// How many ranges of global memory a block remembers of those that it has looked up.
const MAX_KNOWN_RANGES: usize = 8;

/// `b` of the fault of an access: why it failed.
pub(crate) const OUTSIDE: u64 = 0;
pub(crate) const MISALIGNED: u64 = 1;
pub(crate) const READ_ONLY: u64 = 2;

/// Notes what a check found; the first fault of a context is kept.
pub(crate) unsafe extern "C" fn fault(ctx: *mut Context<'_>, thread: u32, site: u32, a: u64, b: u64) {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &mut *ctx };
    note(ctx, thread, site, a, b);
}

pub(crate) fn note(ctx: &mut Context<'_>, thread: u32, site: u32, a: u64, b: u64) {
    let block = ctx.block_index;
    ctx.fault.get_or_insert(RawFault { site, thread, block, a, b, finding: None });
    ctx.control.stop();
}

/// Whether the launch is to stop.
pub(crate) unsafe extern "C" fn poll(ctx: *mut Context<'_>) -> u32 {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &*ctx };
    u32::from(ctx.control.poll(ctx.watch))
}

/// Nanoseconds.
pub(crate) unsafe extern "C" fn clock(_: *mut Context<'_>) -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// The shift of an access's size in a word whose low bits are the thread's number.
pub(crate) const BYTES_SHIFT: u32 = 16;

/// Notes the first of four threads with neighbouring addresses that is out of bounds: `limit` or more from `start`.
pub(crate) unsafe extern "C" fn out_of_bounds(
    ctx: *mut Context<'_>,
    packed: u32,
    site: u32,
    address: u64,
    start: u64,
    limit: u64,
) {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &mut *ctx };
    let (thread, bytes) = (packed & ((1 << BYTES_SHIFT) - 1), u64::from(packed >> BYTES_SHIFT));
    let of = |lane: u64| address.wrapping_add(lane * bytes);
    let lane = (0..4).find(|lane| of(*lane).wrapping_sub(start) >= limit).unwrap_or(0);
    note(ctx, thread + lane as u32, site, of(lane), start);
}

/// Looks for memory that holds an address of unknown origin.
pub(crate) unsafe extern "C" fn look_up(
    ctx: *mut Context<'_>,
    thread: u32,
    site: u32,
    address: u64,
    bytes: u64,
    write: u32,
) -> u32 {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &mut *ctx };
    let known = ctx.reached.iter().find(|bounds| address.wrapping_sub(bounds.start) < bounds.bytes).copied();
    let Some(found) = known.or_else(|| find(ctx, address)) else {
        note(ctx, thread, site, address, OUTSIDE);
        return 1;
    };
    let own = [ctx.shared, ctx.slots, ctx.stack_start];
    if known.is_none() && !own.contains(&(found.start as *mut u8)) {
        if ctx.reached.len() == MAX_KNOWN_RANGES {
            ctx.reached.remove(0);
        }
        ctx.reached.push(found);
    }
    let within = (address - found.start).checked_add(bytes).is_some_and(|end| end <= found.bytes);
    let aligned = !bytes.is_power_of_two() || bytes > 8 || address.is_multiple_of(bytes);
    let writable = write == 0 || found.writable > 0;
    if within && aligned && writable {
        ctx.found_read = [found.start, found.read[3]];
        ctx.found_write = [found.start, found.write[3]];
        return 0;
    }
    let why = match (within, aligned) {
        (false, _) => OUTSIDE,
        (_, false) => MISALIGNED,
        _ => READ_ONLY,
    };
    note(ctx, thread, site, address, why);
    1
}

/// `malloc`.
pub(crate) unsafe extern "C" fn allocate(ctx: *mut Context<'_>, bytes: u64) -> u64 {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &*ctx };
    let address = heap::allocate(bytes as usize) as u64;
    if let Some(checker) = ctx.checker.filter(|_| address != 0) {
        // Accesses before the memory was freed do not race with accesses from here on.
        checker.lock().unwrap_or_else(|e| e.into_inner()).renew(address, bytes);
    }
    address
}

/// `free`. What was found before of other memory is looked for anew.
pub(crate) unsafe extern "C" fn release(ctx: *mut Context<'_>, thread: u32, site: u32, address: u64) -> u32 {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &mut *ctx };
    if address == 0 || heap::release(address as usize) {
        ctx.found_read = [0; 2];
        ctx.found_write = [0; 2];
        ctx.reached.clear();
        return 0;
    }
    note(ctx, thread, site, address, OUTSIDE);
    1
}

/// The range that holds an address: the launch's arrays, the block's own memory, the module's variables, then all
/// memory that the launch can name.
pub(crate) fn find(ctx: &Context<'_>, address: u64) -> Option<Bounds> {
    let holds = |start: u64, bytes: u64| address.wrapping_sub(start) < bytes;
    if let Some(bounds) = ctx.all_bounds.iter().find(|bounds| holds(bounds.start, bounds.bytes)) {
        return Some(*bounds);
    }
    let own = [
        (ctx.shared as usize, ctx.shared_bytes),
        (ctx.cluster_shared as usize, ctx.cluster_bytes),
        (ctx.slots as usize, ctx.slots_bytes),
        (ctx.stack_start as usize, ctx.stack as usize - ctx.stack_start as usize),
    ];
    for (start, bytes) in own {
        if holds(start as u64, bytes as u64) {
            return Some(Bounds::of(&Extent { start, bytes, writable: true }));
        }
    }
    if let Some(global) = ctx.globals.iter().find(|global| holds(global.start as u64, global.bytes as u64)) {
        return Some(Bounds::of(global));
    }
    for string in ctx.strings {
        let start = string.as_ptr() as usize;
        if holds(start as u64, string.len() as u64) {
            return Some(Bounds::of(&Extent { start, bytes: string.len(), writable: false }));
        }
    }
    if let Some(allocated) = heap::find(address as usize) {
        return Some(Bounds::of(&allocated));
    }
    let found = ctx.launch.memory.find(address as usize)?;
    ctx.control.note_reached(&found);
    holds(found.start as u64, found.bytes as u64).then(|| Bounds::of(&found))
}

/// The conversions that are functions.
pub(crate) fn conversion(kind: Convert, from: Type) -> *const u8 {
    match (kind, from) {
        (Convert::FromHalf, _) => convert::half_to_f32 as *const u8,
        (Convert::ToHalf, Type::F64) => convert::half_from_f64 as *const u8,
        (Convert::ToHalf, _) => convert::half_from_f32 as *const u8,
        (_, Type::F64) => convert::bfloat_from_f64 as *const u8,
        _ => convert::bfloat_from_f32 as *const u8,
    }
}

/// `printf`: `args` are 64 bits each.
pub(crate) unsafe extern "C" fn printf(
    ctx: *mut Context<'_>,
    thread: u32,
    site: u32,
    format: u32,
    args: *const u64,
    count: u32,
) -> u32 {
    // SAFETY: generated code passes the context that it was given, and `count` arguments in its frame.
    let (ctx, args) = unsafe { (&mut *ctx, std::slice::from_raw_parts(args, count as usize)) };
    let format = &ctx.strings[format as usize];
    let format = format.strip_suffix(&[0]).unwrap_or(format);
    let text = print::format(format, args, &|address| {
        let bounds = find(ctx, address)?;
        let rest = bounds.bytes - (address - bounds.start);
        // SAFETY: the range is memory of the launch, and kernels that write it meanwhile race anyway.
        Some(unsafe { std::slice::from_raw_parts(address as *const u8, rest as usize) })
    });
    match text {
        Ok(text) => {
            ctx.printer.deliver(&text);
            0
        }
        Err(address) => {
            note(ctx, thread, site, address, OUTSIDE);
            1
        }
    }
}

/// The checking mode sees an access, of a [`AccessKind`] by its number.
pub(crate) unsafe extern "C" fn watch(
    ctx: *mut Context<'_>,
    thread: u32,
    site: u32,
    address: u64,
    bytes: u64,
    kind: u32,
) -> u32 {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &mut *ctx };
    let Some(checker) = ctx.checker else { return 0 };
    let mut checker = checker.lock().unwrap_or_else(|e| e.into_inner());
    let (kind, memory) = (AccessKind::of(kind), ctx.launch.memory);
    let outcome = match unwritten(ctx.launch, address, bytes, kind) {
        Some(address) => Err(Finding::Uninitialised { address }),
        None => checker.access(thread, site, address, bytes, kind),
    };
    let Err(finding) = outcome else {
        if kind.writes() {
            memory.written(address as usize, bytes as usize);
        }
        return 0;
    };
    let (block, shared) = (ctx.block_index, ctx.shared as u64);
    ctx.fault.get_or_insert(RawFault { site, thread, block, a: address, b: shared, finding: Some(finding) });
    ctx.control.stop();
    1
}

/// The byte that an access of global memory would need and that nobody has written. Of an object that is copied whole,
/// some parts may be so, but not all.
fn unwritten(launch: &Launch<'_>, address: u64, bytes: u64, kind: AccessKind) -> Option<u64> {
    if kind.writes() && kind != AccessKind::Atomic
        || !launch.check.as_ref().is_some_and(|check| check.uninitialised)
    {
        return None;
    }
    let first = launch.memory.unwritten(address as usize, bytes as usize)? as u64;
    let whole = || (address..address + bytes).all(|at| launch.memory.unwritten(at as usize, 1).is_some());
    (kind.needs_a_value() || whole()).then_some(first)
}

/// The checking mode sees a fence.
pub(crate) unsafe extern "C" fn fence(ctx: *mut Context<'_>, thread: u32) {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &*ctx };
    if let Some(checker) = ctx.checker {
        checker.lock().unwrap_or_else(|e| e.into_inner()).fence(thread);
    }
}

/// The checking mode sees that bytes were copied: those that had no value have none there either.
pub(crate) unsafe extern "C" fn carry(ctx: *mut Context<'_>, thread: u32, to: u64, from: u64, bytes: u64) {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &*ctx };
    let Some(checker) = ctx.checker else { return };
    let unwritten = |at: u64| ctx.launch.memory.unwritten(at as usize, 1).is_some();
    checker.lock().unwrap_or_else(|e| e.into_inner()).carry(thread, to, from, bytes, unwritten);
}

/// The checking mode sees that a variable begins without a value.
pub(crate) unsafe extern "C" fn forget(ctx: *mut Context<'_>, address: u64, bytes: u64) {
    // SAFETY: generated code passes the context that it was given.
    let ctx = unsafe { &*ctx };
    if let Some(checker) = ctx.checker {
        checker.lock().unwrap_or_else(|e| e.into_inner()).forget(address, bytes);
    }
}
