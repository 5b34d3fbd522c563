//! What the checking mode found, as users read it.

use cuprum_kernel::passes::analysis::Origin;

use crate::codegen::CheckSubject;
use crate::context::RawFault;
use crate::fault::{Fault, FaultKind, Site};
use crate::report::{Launched, thread_index};
use crate::runtime::check::Finding;

/// The fault of a finding at an access; `b` of what was noted is where the block's shared memory begins.
pub(crate) fn fault(launched: &Launched<'_>, finding: Finding, raw: RawFault, site: Site) -> Fault {
    let Launched { kernel, code, .. } = *launched;
    let own = phrase(launched, raw.site);
    match finding {
        Finding::Race { address, other } => {
            let there = Site {
                span: code.sites.get(other.site as usize).map(|info| info.span).unwrap_or_default(),
                thread: thread_index(other.thread, launched.block),
                block: thread_index(other.block, launched.grid),
            };
            let advice = if there.block == site.block {
                "nothing orders the two accesses; a barrier (__syncthreads) between them would"
            } else {
                "blocks are not ordered within a launch; use atomics, or a second launch"
            };
            Fault::new(FaultKind::Race, kernel.name(), format!("data race: {own}"))
                .explained(format!("{}{advice}", variable(launched, raw, address)))
                .at(site)
                .against(format!("with the {}", phrase(launched, other.site)), there)
        }
        Finding::Uninitialised { address } => {
            let what = code.sites.get(raw.site as usize).map(|info| &info.what);
            let shared = matches!(
                what,
                Some(CheckSubject::Access { origin: Origin::Shared(_) | Origin::DynamicShared, .. })
            );
            // Threads run one after another: what another one was to write may still come.
            let advice = match what {
                _ if shared => " yet; write it first, with a barrier (__syncthreads) between",
                Some(CheckSubject::Access { origin: Origin::Parameter(_), .. }) => " since it was allocated",
                _ => "",
            };
            Fault::new(FaultKind::Uninitialised, kernel.name(), format!("uninitialised {own}"))
                .explained(format!("{}nobody has written it{advice}", variable(launched, raw, address)))
                .at(site)
        }
        Finding::ShadowTooLarge => Fault::new(FaultKind::Launch, kernel.name(), "it cannot be checked")
            .explained("the launch touches more memory than the checking mode can watch; use smaller arrays")
            .at(site),
    }
}

/// `read of 4 bytes`.
fn phrase(launched: &Launched<'_>, site: u32) -> String {
    match launched.code.sites.get(site as usize).map(|info| &info.what) {
        Some(CheckSubject::Access { kind, bytes: 1, .. }) => format!("{} of 1 byte", kind.name()),
        Some(CheckSubject::Access { kind, bytes, .. }) => format!("{} of {bytes} bytes", kind.name()),
        _ => "access".to_string(),
    }
}

/// `byte 24 of tile: `, where the variable of an access is known.
fn variable(launched: &Launched<'_>, raw: RawFault, address: u64) -> String {
    let Some(CheckSubject::Access { origin, slot, .. }) =
        launched.code.sites.get(raw.site as usize).map(|info| &info.what)
    else {
        return String::new();
    };
    let module = &launched.kernel.program().module;
    let (name, start) = match *origin {
        Origin::Parameter(number) => {
            let params = launched.kernel.function().kernel.as_ref().map_or(&[][..], |kernel| &kernel.params);
            let Some(param) = params.get(number as usize) else { return String::new() };
            (&param.name, launched.bounds.get(number as usize).map(|bounds| bounds.start))
        }
        Origin::Shared(id) => {
            let at = launched.shared.get(id.index()).copied().flatten();
            (&module.shared[id.index()].name, at.map(|at| raw.b + u64::from(at)))
        }
        Origin::Global(id) => {
            let start = launched.kernel.program().globals[id.index()].start as u64;
            (&module.globals[id.index()].name, Some(start))
        }
        Origin::Slot(_) if slot.0.is_empty() => return String::new(),
        Origin::Slot(_) => return format!("{}: ", slot.0),
        Origin::DynamicShared => return "dynamic shared memory: ".to_string(),
        _ => return String::new(),
    };
    match start {
        Some(start) => format!("byte {} of {name}: ", address.wrapping_sub(start)),
        None => format!("{name}: "),
    }
}
