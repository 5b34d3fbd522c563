//! Programs as CUDA C: how a Program's elements are walked, the kernel text for it, and what a launch passes. Nothing
//! here touches a device; compiling and launching are left to others.
//!
//! [`LaunchPlan::of`] classifies operands and chooses the walk; its [`KernelKey`] makes the text, once for all Programs that
//! differ in shapes, strides and scalars alone. The walks are `kernels/*.cuh`; a key's own text is how they reach its
//! operands.

mod args;
mod joined;
mod key;
mod map;
mod operands;
mod reduce;
mod reduce_text;
mod relaunch;
mod rows;
mod rows_text;
mod space;
mod text;
mod tile;
mod tile_text;

use cuprum_graph::Program;
use smallvec::SmallVec;

pub use args::ProgramArgs;
pub use joined::{JoinedLaunch, JoinedPlan};
pub use key::KernelKey;
pub use reduce::short_sum;
pub use relaunch::{ArgsPart, CachedLaunch};
pub use rows::takes_rows;

use args::IndexArgs;
use key::Structure;
use operands::Operands;
use space::Space;

/// How many tickets a launch may use, 32-bit words that are zero before and after it: one for each row, or tile of columns,
/// that several blocks share. Rows like these are fewer than the GPU's blocks, tiles of one column a thread four times that.
pub const MAX_LAUNCH_TICKETS: usize = 4 * reduce::RESIDENT_BLOCKS;

/// The threads of a block, in every kernel made here.
const THREADS: usize = 256;

/// Blocks and threads of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchGeometry {
    /// Blocks along each dimension.
    pub grid: [u32; 3],
    /// Threads of a block along each dimension.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

impl LaunchGeometry {
    fn blocks(count: usize) -> LaunchGeometry {
        LaunchGeometry { grid: [count as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 }
    }
}

/// One launch of a Program.
#[derive(Clone, Debug)]
pub struct LaunchPlan {
    /// The key of its kernel.
    pub key: KernelKey,
    /// Its grid, blocks and shared memory.
    pub geometry: LaunchGeometry,
    args: ProgramArgs,
    /// Where the scalars are in the arguments, the epilogue's after the others.
    params: SmallVec<[u32; 8]>,
    scratch: usize,
}

impl LaunchPlan {
    /// The launch that runs a Program on operands at these addresses; `None` where there is nothing to do.
    pub fn of(program: &Program, inputs: &[usize], outputs: &[usize]) -> Option<LaunchPlan> {
        let operands = Operands::of(program, inputs, outputs);
        if let Some(rows) = &program.rows {
            return rows::plan(program, rows, operands);
        }
        match &program.reduce {
            Some(reduce) => {
                let late = (&inputs[program.inputs.len()..], &outputs[program.outputs.len()..]);
                reduce::plan(program, reduce, operands, late)
            }
            None if program.size() == 0 => None,
            None => Some(map::plan(program, &operands)),
        }
    }

    /// Bytes of device memory that the launch needs for itself.
    #[inline]
    pub fn scratch_bytes(&self) -> usize {
        self.scratch
    }

    /// The kernel's one parameter, with the addresses of the launch's own memory and of tickets that are all zero.
    pub fn args(&mut self, scratch: usize, tickets: usize) -> &[u8] {
        if self.key.structure.reduce.is_some() {
            self.args.set_address(0, scratch);
            self.args.set_address(1, tickets);
        }
        self.args.bytes()
    }

    /// The plan of a structure whose operands walk `outer` and `inner`; `counts` are those that the path names.
    fn build(
        program: &Program,
        operands: &Operands<'_>,
        structure: Structure,
        outer: &Space,
        inner: &Space,
        counts: &[usize],
        geometry: LaunchGeometry,
    ) -> LaunchPlan {
        debug_assert_eq!(counts.len(), structure.counts().len());
        let mut args = ProgramArgs::default();
        if structure.reduce.is_some() {
            args.push_address(0);
            args.push_address(0);
        }
        for (at, operand) in structure.operands.iter().enumerate() {
            if operand.role.is_memory() {
                args.push_address(operands.address(at));
            }
        }
        let late = program.reduce.iter().flat_map(|reduce| &reduce.epilogue.params);
        let params = program.params.iter().chain(late).map(|param| args.push(param.bytes()) as u32).collect();
        let mut numbers = IndexArgs { args: &mut args, wide: structure.wide };
        counts.iter().for_each(|&count| numbers.count(count));
        for axis in 1..outer.ndim() {
            numbers.divisor(outer.dims[axis]);
        }
        for axis in 1..inner.ndim() {
            let innermost = axis + 1 == inner.ndim();
            let part = if innermost && !structure.scattered { structure.pack as usize } else { 1 };
            numbers.divisor(inner.dims[axis] / part);
        }
        for (at, operand) in structure.operands.iter().enumerate() {
            if structure.steps_outer(*operand) {
                (0..outer.ndim()).for_each(|axis| numbers.stride(outer.step(at, axis)));
            }
            for axis in (0..inner.ndim()).filter(|&axis| structure.steps_inner(*operand, axis)) {
                numbers.stride(inner.step(at, axis));
            }
        }
        args.finish();
        LaunchPlan { key: KernelKey::new(structure), geometry, args, params, scratch: 0 }
    }
}
