//! The operands of a Program: where they lie, how they step along its axes, and their classes in a pair of spaces.

use cuprum_core::ops::Cost;
use cuprum_core::{DType, Strides};
use cuprum_graph::{InstrKind, Program, Reduce, Reduced};
use smallvec::SmallVec;

use super::key::{Access, Ending, KeyStep, OperandClass, Reducing, Role, StepKind};
use super::space::Space;

/// How an operand steps along the Program's axes.
enum OperandSteps<'a> {
    Strides(&'a [isize]),
    /// One along this axis, nothing along the others.
    Unit(usize),
    Owned(Strides),
}

struct OperandEntry<'a> {
    role: Role,
    dtype: DType,
    address: usize,
    steps: OperandSteps<'a>,
}

/// Inputs, iotas in the order of the code, outputs, then what a reduction adds.
pub(super) struct Operands<'a> {
    entries: SmallVec<[OperandEntry<'a>; 8]>,
}

impl<'a> Operands<'a> {
    pub(super) fn of(program: &'a Program, inputs: &[usize], outputs: &[usize]) -> Operands<'a> {
        let mut entries: SmallVec<[OperandEntry<'a>; 8]> = SmallVec::new();
        for (input, address) in program.inputs.iter().zip(inputs) {
            let address = address + input.layout.offset;
            let steps = OperandSteps::Strides(&input.layout.strides);
            entries.push(OperandEntry { role: Role::Input, dtype: input.dtype, address, steps });
        }
        for instr in &program.code {
            if let InstrKind::Iota(axis) = instr.kind {
                let steps = OperandSteps::Unit(axis);
                entries.push(OperandEntry { role: Role::Iota, dtype: DType::I64, address: 0, steps });
            }
        }
        for (output, address) in program.outputs.iter().zip(outputs) {
            let address = address + output.layout.offset;
            let steps = OperandSteps::Strides(&output.layout.strides);
            entries.push(OperandEntry { role: Role::Output, dtype: output.dtype, address, steps });
        }
        Operands { entries }
    }

    /// Adds an operand with steps of its own.
    pub(super) fn push(&mut self, role: Role, dtype: DType, address: usize, steps: Strides) {
        self.entries.push(OperandEntry { role, dtype, address, steps: OperandSteps::Owned(steps) });
    }

    /// Makes something else of an operand.
    pub(super) fn set_role(&mut self, at: usize, role: Role) {
        self.entries[at].role = role;
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn role(&self, at: usize) -> Role {
        self.entries[at].role
    }

    pub(super) fn size(&self, at: usize) -> usize {
        self.entries[at].dtype.size()
    }

    /// The address of the element at position zero.
    pub(super) fn address(&self, at: usize) -> usize {
        self.entries[at].address
    }

    /// The step of an operand along an axis of the Program.
    pub(super) fn step(&self, at: usize, axis: usize) -> isize {
        match &self.entries[at].steps {
            OperandSteps::Strides(strides) => strides[axis],
            OperandSteps::Unit(along) => isize::from(axis == *along),
            OperandSteps::Owned(strides) => strides[axis],
        }
    }

    /// The space of these axes of a shape.
    pub(super) fn space(&self, shape: &[usize], order: impl Iterator<Item = usize>) -> Space {
        Space::of(shape, order, self.len(), |operand, axis| self.step(operand, axis))
    }

    /// Whether `pack` neighbours along the inner space's last axis are one aligned piece of memory everywhere.
    pub(super) fn is_vector(&self, at: usize, pack: usize, outer: &Space, inner: &Space) -> bool {
        let entry = &self.entries[at];
        let size = entry.dtype.size();
        entry.role.is_memory()
            && inner.inner_step(at) == size as isize
            && entry.address.is_multiple_of((pack * size).min(16))
            && inner.is_outer_multiple(at, (pack * size).min(16))
            && outer.is_multiple(at, (pack * size).min(16))
    }

    /// The classes of all operands for packs of `pack` elements along the inner space's last axis.
    pub(super) fn classes(
        &self,
        pack: usize,
        scattered: bool,
        outer: &Space,
        inner: &Space,
    ) -> SmallVec<[OperandClass; 8]> {
        let class = |at: usize| {
            let OperandEntry { role, dtype, address, .. } = self.entries[at];
            let size = dtype.size();
            let aligned = !role.is_memory()
                || address.is_multiple_of(size) && outer.is_multiple(at, size) && inner.is_multiple(at, size);
            let access =
                if matches!(role, Role::Input | Role::Iota) && outer.is_fixed(at) && inner.is_fixed(at) {
                    Access::Fixed
                } else if pack == 1 || scattered {
                    Access::Strided
                } else if self.is_vector(at, pack, outer, inner) {
                    Access::Vector
                } else if matches!(role, Role::Input | Role::RowInput) && inner.inner_step(at) == 0 {
                    Access::Splat
                } else {
                    Access::Strided
                };
            OperandClass { role, dtype, access, aligned }
        };
        (0..self.len()).map(class).collect()
    }
}

/// Whether positions or steps need 64 bits: 32-bit positions stay below two to the 31st, and a pack's step along the
/// innermost axis is that of up to 16 elements.
pub(super) fn needs_wide(positions: usize, outer: &Space, inner: &Space) -> bool {
    let most = i32::MAX as usize;
    positions > most || outer.longest_step() > most || inner.longest_step() > most / 16
}

/// The code as a key has it.
pub(super) fn steps(program: &Program) -> SmallVec<[KeyStep; 16]> {
    let step = |instr: &cuprum_graph::Instr| {
        let kind = match instr.kind {
            InstrKind::Map(op) => StepKind::Map(op),
            InstrKind::Cast => StepKind::Cast,
            InstrKind::Take => StepKind::Take,
            InstrKind::Iota(_) => StepKind::Iota,
            InstrKind::Reduce(op) => StepKind::Reduce(op),
        };
        let mut args = [0; 4];
        args[..instr.args.len()].copy_from_slice(&instr.args);
        KeyStep { kind, dtype: instr.dtype, output: instr.output, args }
    };
    program.code.iter().map(step).collect()
}

/// The reductions as a key has them.
pub(super) fn ending(reduce: &Reduce) -> Ending {
    let epilogue = &reduce.epilogue;
    let reducing = |r: &Reduced| Reducing { op: r.op, reg: r.reg, dtype: r.dtype, output: r.output };
    Ending {
        results: reduce.results.iter().map(reducing).collect(),
        params: epilogue.params.iter().map(|p| p.dtype()).collect(),
        code: steps(epilogue).into_iter().collect(),
        stored: epilogue.outputs.iter().map(|o| o.reg).collect(),
    }
}

/// Whether the code is short enough that copies of it cost less than the memory accesses they hide.
pub(super) fn is_light(program: &Program) -> bool {
    let weight = |instr: &cuprum_graph::Instr| match instr.kind {
        InstrKind::Map(op) if op.row().cost > Cost::Light => 16,
        _ => 1,
    };
    program.code.iter().map(weight).sum::<usize>() <= 12
}
