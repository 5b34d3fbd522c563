//! Faults as users read them, from what generated code noted.

use cuprum_kernel::passes::analysis::Origin;

use crate::codegen::{CheckSubject, Code};
use crate::compiled_module::Kernel;
use crate::context::{Bounds, RawFault};
use crate::entry;
use crate::fault::{Fault, FaultKind, Site};
use crate::findings;

/// `threadIdx` of a thread's number.
pub(crate) fn thread_index(rank: u32, block: [u32; 3]) -> [u32; 3] {
    let [width, height, _] = block.map(|extent| extent.max(1));
    [rank % width, rank / width % height, rank / width / height]
}

/// What a fault's text takes from the launch.
#[derive(Clone, Copy)]
pub(crate) struct Launched<'a> {
    pub kernel: &'a Kernel,
    pub code: &'a Code,
    pub bounds: &'a [Bounds],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: usize,
    /// Where the shared variables are, from the start of the block's shared memory.
    pub shared: &'a [Option<u32>],
}

/// The fault that a check noted.
pub(crate) fn fault(launched: &Launched<'_>, raw: RawFault) -> Fault {
    let Launched { kernel, code, .. } = *launched;
    let info = &code.sites[raw.site as usize];
    let site = Site { span: info.span, thread: thread_index(raw.thread, launched.block), block: raw.block };
    let text = |id: cuprum_kernel::ir::StringId| kernel.program().module.strings[id.index()].clone();
    let fault = |kind, message: String| Fault::new(kind, kernel.name(), message);
    if let Some(finding) = raw.finding {
        return findings::fault(launched, finding, raw, site);
    }
    let fault = match &info.what {
        CheckSubject::Access { kind, bytes, origin, slot } => {
            access(launched, (kind.writes(), *bytes), *origin, (&slot.0, slot.1), raw)
        }
        CheckSubject::Unwritten(name) => {
            let of = if name.is_empty() { "a value" } else { name };
            fault(FaultKind::Uninitialised, format!("uninitialised read of {of}"))
                .explained("nothing was written to it on the way here")
        }
        CheckSubject::Misaligned { write, bytes, .. } => misaligned(kernel, *write, *bytes, raw.a),
        CheckSubject::Assert(message) => fault(FaultKind::Assertion, text(*message)),
        CheckSubject::Index { axis, array } => {
            let (index, size) = (raw.a as i64, raw.b as i64);
            fault(FaultKind::Index, "index out of range".to_string())
                .explained(format!("index {index} of axis {axis} of {}, which has size {size}", text(*array)))
        }
        CheckSubject::Release => {
            fault(FaultKind::OutOfBounds, "free of memory that is not allocated".to_string()).explained(
                format!(
                    "no malloc or new of a kernel has given the address {:#x}, or it has been freed before",
                    raw.a
                ),
            )
        }
        CheckSubject::Launch => fault(FaultKind::Launch, "too many launches".to_string())
            .explained(format!("the threads of one grid may launch {} kernels", raw.a)),
        CheckSubject::Stack => fault(FaultKind::Stack, "stack overflow".to_string())
            .explained("functions call one another too deep; bound the recursion or use a loop"),
    };
    fault.at(site)
}

fn verb(write: bool) -> &'static str {
    if write { "write" } else { "read" }
}

fn misaligned(kernel: &Kernel, write: bool, bytes: u64, address: u64) -> Fault {
    let message = format!("misaligned {} of {bytes} bytes", verb(write));
    let detail = format!("the address {address:#x} is not a multiple of {bytes}");
    Fault::new(FaultKind::Misaligned, kernel.name(), message).explained(detail)
}

fn access(
    launched: &Launched<'_>,
    (write, bytes): (bool, u64),
    origin: Origin,
    slot: (&str, u64),
    raw: RawFault,
) -> Fault {
    let kernel = launched.kernel;
    if !origin.is_known() && raw.b == entry::MISALIGNED {
        return misaligned(kernel, write, bytes, raw.a);
    }
    let what = verb(write);
    let name = kernel.name();
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    let outside = |detail: String| {
        Fault::new(FaultKind::OutOfBounds, name, format!("out-of-bounds {what} of {bytes} {unit}"))
            .explained(detail)
    };
    let read_only = |detail: String| {
        Fault::new(FaultKind::ReadOnly, name, format!("write of {bytes} {unit} to read-only memory"))
            .explained(detail)
    };
    let beside = |variable: &str, kind: &str, size: u64, start: u64| {
        let at = raw.a.wrapping_sub(start) as i64;
        outside(format!("{variable} is {kind} of {size} bytes, the access is at byte {at}"))
    };
    let module = &kernel.program().module;
    match origin {
        Origin::Parameter(number) => {
            let params = kernel.function().kernel.as_ref().map_or(&[][..], |kernel| &kernel.params);
            let variable = params.get(number as usize).map_or("a parameter", |param| param.name.as_str());
            let range = launched.bounds.get(number as usize).copied().unwrap_or_default();
            if range.start == 0 && range.bytes == 0 {
                return outside(if raw.a < 1 << 16 {
                    format!("{variable} is a null pointer")
                } else {
                    format!("{variable} does not point to memory that the kernel may use ({:#x})", raw.a)
                });
            }
            let end = raw.a.wrapping_sub(range.start).checked_add(bytes);
            if write && range.writable == 0 && end.is_some_and(|end| end <= range.bytes) {
                return read_only(format!("{variable} may not be written"));
            }
            beside(variable, "an array", range.bytes, range.start)
        }
        // The check noted where the variable begins.
        Origin::Slot(_) => beside(slot.0, "a local variable", slot.1, raw.b),
        Origin::Shared(shared) => {
            let shared = &module.shared[shared.index()];
            beside(&shared.name, "a shared variable", shared.bytes, raw.b)
        }
        Origin::DynamicShared => {
            let at = raw.a.wrapping_sub(raw.b) as i64;
            let size = launched.dynamic_shared;
            outside(format!(
                "the launch gave {size} bytes of dynamic shared memory, the access is at byte {at}"
            ))
        }
        Origin::Global(global) => {
            let extent = &kernel.program().globals[global.index()];
            let variable = &module.globals[global.index()].name;
            let end = raw.a.wrapping_sub(extent.start as u64).checked_add(bytes);
            if write && !extent.writable && end.is_some_and(|end| end <= extent.bytes as u64) {
                return read_only(format!("{variable} is constant"));
            }
            beside(variable, "a variable", extent.bytes as u64, extent.start as u64)
        }
        Origin::String(_) if write => read_only("it is a text".to_string()),
        Origin::String(_) => outside("the access is beside a text".to_string()),
        Origin::None | Origin::Unknown if raw.b == entry::READ_ONLY => {
            read_only(format!("the memory at {:#x} may not be written", raw.a))
        }
        Origin::None | Origin::Unknown if raw.a < 1 << 16 => {
            outside("the address is a null pointer".to_string())
        }
        Origin::None | Origin::Unknown => {
            outside(format!("no array that the kernel may use holds the address {:#x}", raw.a))
        }
    }
}
