//! Launches that wait to be submitted, with copies of their arguments.

use std::ffi::c_void;
use std::ops::Range;

use smallvec::SmallVec;

use crate::codegen::LaunchGeometry;
use crate::compile::Kernel;
use crate::launch::Launch;

/// Pointers to the arguments of one launch, as the driver takes them.
pub(super) type ArgumentPointers = SmallVec<[*mut c_void; 24]>;

/// Launches of one stream, in their order.
#[derive(Default)]
pub(super) struct Batch {
    launches: Vec<KeptLaunch>,
    /// The arguments of all, each aligned as the strictest type is.
    words: Vec<u128>,
    /// Where in its launch's words each argument begins.
    starts: Vec<u32>,
}

#[derive(Clone)]
struct KeptLaunch {
    kernel: Kernel,
    geometry: LaunchGeometry,
    words: Range<usize>,
    starts: Range<usize>,
}

impl Batch {
    pub(super) fn len(&self) -> usize {
        self.launches.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.launches.is_empty()
    }

    pub(super) fn push(&mut self, launch: &Launch<'_>) {
        let (words, starts) = (self.words.len(), self.starts.len());
        self.words.extend_from_slice(launch.words);
        self.starts.extend_from_slice(launch.starts);
        self.launches.push(KeptLaunch {
            kernel: launch.kernel,
            geometry: launch.geometry,
            words: words..self.words.len(),
            starts: starts..self.starts.len(),
        });
    }

    /// Forgets the first launches.
    pub(super) fn forget(&mut self, count: usize) {
        if count == self.len() {
            self.clear();
        } else {
            self.launches.drain(..count);
        }
    }

    /// Forgets all launches.
    pub(super) fn clear(&mut self) {
        self.launches.clear();
        self.words.clear();
        self.starts.clear();
    }

    /// The functions of all launches: what a sequence is known by.
    pub(super) fn functions(&self) -> impl Iterator<Item = usize> {
        self.launches.iter().map(|launch| launch.kernel.function)
    }

    pub(super) fn kernel(&self, number: usize) -> Kernel {
        self.launches[number].kernel
    }

    pub(super) fn geometry(&self, number: usize) -> LaunchGeometry {
        self.launches[number].geometry
    }

    /// Pointers to the arguments of a launch, which hold until the batch changes.
    pub(super) fn arguments(&self, number: usize) -> ArgumentPointers {
        let launch = &self.launches[number];
        let words = &self.words[launch.words.clone()];
        let starts = &self.starts[launch.starts.clone()];
        starts.iter().map(|&start| (&raw const words[start as usize]).cast_mut().cast()).collect()
    }

    /// Whether a launch is the same in both batches, arguments and all.
    pub(super) fn is_equal(&self, other: &Batch, number: usize) -> bool {
        let (a, b) = (&self.launches[number], &other.launches[number]);
        a.kernel.function == b.kernel.function
            && a.geometry == b.geometry
            && self.words[a.words.clone()] == other.words[b.words.clone()]
            && self.starts[a.starts.clone()] == other.starts[b.starts.clone()]
    }
}
