//! Launches in which lanes of a warp meet in memory: the kernel with implied synchronisation where they do.
//!
//! Whether they meet follows from the sizes of the launch, its numbers, and whether its arrays overlap. What was found is
//! kept by these, and so are the variants of the kernel.

use std::sync::{Arc, Mutex};

use cuprum_kernel::ir::{self, ParameterKind};
use cuprum_kernel::passes::Prepared;
use cuprum_kernel::passes::analysis::Origin;
use cuprum_kernel::passes::lockstep::{LaunchFacts, Lockstep, Place, Race};

use crate::compiled_module::{Kernel, Ready, Variant};
use crate::launch::Launch;

/// The most launches that are remembered for a kernel.
const MAX_CACHED_LAUNCHES: usize = 16;
/// Threads of a launch from which on it is worth its time to look at one, however many were looked at before. Smaller ones
/// come together wherever lanes may meet.
const MIN_ANALYSED_THREADS: u64 = 1 << 19;
/// The most variants of a kernel, not counting the one with all places that were ever asked for.
const MAX_VARIANTS: usize = 4;

/// A kernel's variants with implied synchronisation.
#[derive(Default)]
pub(crate) struct LockstepVariants {
    known: Mutex<Decisions>,
}

/// How many launches of a kernel are looked at for races.
const RACES_LOOKED_FOR: u32 = 4;

#[derive(Default)]
struct Decisions {
    /// A race that was found, until it is reported.
    race: Option<Race>,
    looked: u32,
    /// For sizes of launches, whether lanes meet in none of them, whatever the scalars are.
    never: Vec<([u32; 7], bool)>,
    /// Launches that had to be looked at.
    misses: usize,
    /// The variants for launches that are not looked at: of arrays that lie apart, and of those that overlap.
    all: [Option<Option<Arc<Variant>>>; 2],
    /// For launches, by what they were decided by, the variant; none for the plain one.
    decided: Vec<(Vec<u64>, Option<Arc<Variant>>)>,
    variants: Vec<(Vec<Place>, Arc<Variant>)>,
}

impl LockstepVariants {
    /// The variant that a launch needs; none where lanes do not meet.
    pub(crate) fn variant(
        &self,
        kernel: &Kernel,
        ready: &Ready,
        launch: &Launch<'_>,
    ) -> Option<Arc<Variant>> {
        let lockstep = ready.lockstep.as_ref()?;
        if launch.block.contains(&0) || launch.block.iter().map(|n| u64::from(*n)).product::<u64>() > 1024 {
            return None;
        }
        let overlaps = overlaps(kernel, lockstep, launch);
        let facts = LaunchFacts {
            block: launch.block,
            grid: launch.grid,
            dynamic_shared: launch.dynamic_shared as u32,
            params: launch.params,
            any_scalars: false,
            overlaps,
        };
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        if !overlaps && known.never_meet(lockstep, &facts) {
            return None;
        }
        let key = key(kernel, lockstep, &facts);
        if let Some((_, variant)) = known.decided.iter().find(|(known, _)| *known == key) {
            return variant.clone();
        }
        if known.looked < RACES_LOOKED_FOR {
            known.looked += 1;
            known.race = lockstep.race(&facts);
            if known.race.is_some() {
                known.looked = RACES_LOOKED_FOR;
            }
        }
        known.misses += 1;
        let sizes = launch.grid.iter().chain(&launch.block).map(|size| u64::from(*size));
        if known.misses > MAX_CACHED_LAUNCHES && sizes.product::<u64>() < MIN_ANALYSED_THREADS {
            return known.for_all(kernel, ready, lockstep, overlaps);
        }
        let places = lockstep.places(&facts);
        let variant = (!places.is_empty()).then(|| known.with(kernel, ready, lockstep, places));
        if known.decided.len() >= MAX_CACHED_LAUNCHES {
            known.decided.remove(0);
        }
        known.decided.push((key, variant.clone()));
        variant
    }
}

impl LockstepVariants {
    /// The race that was found in a launch; once.
    pub(crate) fn take_race(&self) -> Option<Race> {
        self.known.lock().unwrap_or_else(|e| e.into_inner()).race.take()
    }
}

impl Decisions {
    /// Whether lanes meet in no launch of these sizes.
    fn never_meet(&mut self, lockstep: &Lockstep, facts: &LaunchFacts<'_>) -> bool {
        let ([a, b, c], [d, e, f]) = (facts.block, facts.grid);
        let sizes = [a, b, c, d, e, f, facts.dynamic_shared];
        if let Some((_, never)) = self.never.iter().find(|(known, _)| *known == sizes) {
            return *never && self.looked > 0;
        }
        let never = lockstep.places(&LaunchFacts { any_scalars: true, ..*facts }).is_empty();
        if self.never.len() >= MAX_CACHED_LAUNCHES {
            self.never.remove(0);
        }
        self.never.push((sizes, never));
        // The first launch is looked at for races.
        never && self.looked > 0
    }

    /// The variant for launches that are not looked at.
    fn for_all(
        &mut self,
        kernel: &Kernel,
        ready: &Ready,
        lockstep: &Lockstep,
        overlaps: bool,
    ) -> Option<Arc<Variant>> {
        if let Some(variant) = &self.all[usize::from(overlaps)] {
            return variant.clone();
        }
        let places = lockstep.places_for_all(overlaps);
        let variant = (!places.is_empty()).then(|| self.with(kernel, ready, lockstep, places));
        self.all[usize::from(overlaps)] = Some(variant.clone());
        variant
    }

    /// The variant with implied synchronisation at these places at least.
    fn with(
        &mut self,
        kernel: &Kernel,
        ready: &Ready,
        lockstep: &Lockstep,
        mut places: Vec<Place>,
    ) -> Arc<Variant> {
        if self.variants.len() >= MAX_VARIANTS {
            places.extend(self.variants.iter().flat_map(|(places, _)| places));
        }
        places.sort_unstable();
        places.dedup();
        if let Some((_, variant)) = self.variants.iter().find(|(known, _)| *known == places) {
            return variant.clone();
        }
        let prepared = Prepared { kernel: lockstep.with(&places), callees: ready.callees.clone() };
        let variant = Arc::new(Variant::of(&kernel.program().module, prepared));
        self.variants.truncate(MAX_VARIANTS);
        self.variants.push((places, variant.clone()));
        variant
    }
}

/// What a launch is decided by.
fn key(kernel: &Kernel, lockstep: &Lockstep, facts: &LaunchFacts<'_>) -> Vec<u64> {
    let sizes = facts.block.iter().chain(&facts.grid).map(|size| u64::from(*size));
    let mut key: Vec<u64> =
        sizes.chain([u64::from(facts.dynamic_shared), u64::from(facts.overlaps)]).collect();
    for &(offset, bytes) in lockstep.inputs() {
        let at = offset as usize;
        let given = facts.params.get(at..at + bytes as usize).unwrap_or(&[]);
        key.push(given.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)));
    }
    if facts.overlaps {
        let params = kernel.function().kernel.iter().flat_map(|kernel| &kernel.params);
        let pointers = params.filter(|param| matches!(param.kind, ParameterKind::Pointer { .. }));
        let given: Vec<u64> = pointers.filter_map(|param| pointer(param, facts.params)).collect();
        let first = given.iter().copied().min().unwrap_or(0);
        key.extend(given.iter().map(|address| address - first));
    }
    key
}

fn pointer(param: &ir::Parameter, params: &[u8]) -> Option<u64> {
    let at = param.offset as usize;
    params.get(at..at + 8)?.try_into().ok().map(u64::from_ne_bytes)
}

/// Whether two of the arrays and variables that lanes may meet in lie over each other.
fn overlaps(kernel: &Kernel, lockstep: &Lockstep, launch: &Launch<'_>) -> bool {
    let params = kernel.function().kernel.as_ref().map_or(&[][..], |kernel| &kernel.params);
    let range = |origin: &Origin| match origin {
        Origin::Parameter(number) => {
            let given = launch.extents.get(*number as usize).and_then(Option::as_ref);
            let found = || {
                let address = pointer(params.get(*number as usize)?, launch.params)? as usize;
                (address != 0).then(|| launch.memory.find(address)).flatten()
            };
            let extent = given.cloned().or_else(found)?;
            Some((extent.start, extent.start + extent.bytes))
        }
        Origin::Global(id) => {
            let extent = &kernel.program().globals[id.index()];
            Some((extent.start, extent.start + extent.bytes))
        }
        _ => None,
    };
    let mut ranges: Vec<(usize, usize)> = lockstep.ranges().iter().filter_map(range).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}
