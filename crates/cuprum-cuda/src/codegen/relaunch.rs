//! Launches again: a plan holds for every run of its Program whose operands are aligned as before, so that only addresses
//! and scalars are written into its arguments.

use cuprum_graph::{Buffer, Program, ProgramRun};
use smallvec::SmallVec;

use super::{LaunchGeometry, LaunchPlan};

/// What a plan knows of alignment: no piece that a thread moves at once is larger.
const MAX_ALIGNMENT: usize = 16;

/// A part of the arguments, aligned as the strictest field is.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct ArgsPart([u8; MAX_ALIGNMENT]);

impl ArgsPart {
    /// Bytes in parts, the last one filled up.
    pub(super) fn of(bytes: &[u8]) -> impl Iterator<Item = ArgsPart> {
        bytes.chunks(MAX_ALIGNMENT).map(|bytes| {
            let mut part = [0; MAX_ALIGNMENT];
            part[..bytes.len()].copy_from_slice(bytes);
            ArgsPart(part)
        })
    }
}

/// A launch that can be made again.
pub struct CachedLaunch {
    /// What it is launched with.
    pub geometry: LaunchGeometry,
    /// Bytes of device memory that the launch needs for itself.
    pub scratch: usize,
    parts: Vec<ArgsPart>,
    /// The first fields are the addresses of the launch's own memory.
    reduces: bool,
    places: SmallVec<[AddressSource; 6]>,
    params: SmallVec<[u32; 8]>,
}

/// Where an operand's address comes from.
struct AddressSource {
    is_output: bool,
    buffer: usize,
    offset: usize,
    /// The address's distance from the last multiple of [`MAX_ALIGNMENT`].
    phase: usize,
}

impl AddressSource {
    fn address(&self, operands: &impl OperandBuffers) -> usize {
        let buffer = if self.is_output { operands.output(self.buffer) } else { operands.input(self.buffer) };
        buffer.address() + self.offset
    }
}

/// The buffers of a Program's run.
pub trait OperandBuffers {
    /// What it reads.
    fn input(&self, at: usize) -> &Buffer;
    /// What it writes.
    fn output(&self, at: usize) -> &Buffer;
}

/// Inputs and outputs.
impl OperandBuffers for (&[Buffer], &[Buffer]) {
    #[inline]
    fn input(&self, at: usize) -> &Buffer {
        &self.0[at]
    }

    #[inline]
    fn output(&self, at: usize) -> &Buffer {
        &self.1[at]
    }
}

impl OperandBuffers for ProgramRun<'_> {
    #[inline]
    fn input(&self, at: usize) -> &Buffer {
        &self.buffers[self.inputs[at]]
    }

    #[inline]
    fn output(&self, at: usize) -> &Buffer {
        &self.buffers[self.outputs[at]]
    }
}

impl LaunchPlan {
    /// The launch in a form that can be repeated with other buffers of the same Program.
    pub fn again(&self, program: &Program, operands: &impl OperandBuffers) -> CachedLaunch {
        let mut places = SmallVec::new();
        let mut place = |is_output: bool, buffer: usize, offset: usize| {
            let mut place = AddressSource { is_output, buffer, offset, phase: 0 };
            place.phase = place.address(operands) % MAX_ALIGNMENT;
            places.push(place);
        };
        // The order of the structure's operands that lie in memory.
        let (reads, writes) = (program.inputs.len(), program.outputs.len());
        program.inputs.iter().enumerate().for_each(|(at, input)| place(false, at, input.layout.offset));
        program.outputs.iter().enumerate().for_each(|(at, output)| place(true, at, output.layout.offset));
        if let Some(reduce) = &program.reduce {
            let (late, results) = (reduce.late_inputs(), &reduce.epilogue.outputs);
            late.iter().enumerate().for_each(|(at, input)| place(false, reads + at, input.layout.offset));
            results.iter().enumerate().for_each(|(at, out)| place(true, writes + at, out.layout.offset));
        }
        CachedLaunch {
            geometry: self.geometry,
            scratch: self.scratch,
            parts: ArgsPart::of(self.args.bytes()).collect(),
            reduces: program.reduce.is_some(),
            places,
            params: self.params.clone(),
        }
    }
}

impl CachedLaunch {
    /// Whether the plan holds for operands at these places.
    pub fn fits(&self, operands: &impl OperandBuffers) -> bool {
        self.places.iter().all(|place| place.address(operands) % MAX_ALIGNMENT == place.phase)
    }

    /// The kernel's one parameter, filled in with the launch's operands and scalars, its own memory and tickets that are
    /// all zero.
    pub fn args(
        &mut self,
        program: &Program,
        operands: &impl OperandBuffers,
        scratch: usize,
        tickets: usize,
    ) -> &[ArgsPart] {
        let own = if self.reduces { &[scratch, tickets][..] } else { &[] };
        let addresses = self.places.iter().map(|place| place.address(operands));
        for (nth, address) in own.iter().copied().chain(addresses).enumerate() {
            let half = nth % 2 * 8;
            self.parts[nth / 2].0[half..half + 8].copy_from_slice(&(address as u64).to_le_bytes());
        }
        let late = program.reduce.iter().flat_map(|reduce| &reduce.epilogue.params);
        for (param, &at) in program.params.iter().chain(late).zip(&self.params) {
            let (part, at) = (at as usize / MAX_ALIGNMENT, at as usize % MAX_ALIGNMENT);
            self.parts[part].0[at..at + param.bytes().len()].copy_from_slice(param.bytes());
        }
        &self.parts
    }
}
