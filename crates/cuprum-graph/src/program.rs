//! Programs: fused work as a device receives it, straight-line code over one iteration shape. They print as text.

use std::fmt;

use cuprum_core::{DType, Dims, Layout, Op, Reduction, Scalar, show_shape};
use smallvec::SmallVec;

/// A register: inputs come first, then parameters, then the results of the code in order.
pub type Reg = u16;

/// An array that a Program reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    /// The element type.
    pub dtype: DType,
    /// Its layout, broadcast to the iteration shape.
    pub layout: Layout,
}

/// An array that a Program writes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Output {
    /// The register that is stored.
    pub reg: Reg,
    /// The element type.
    pub dtype: DType,
    /// Where it goes, in the iteration shape.
    pub layout: Layout,
}

/// What one instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstrKind {
    /// An op whose loop runs in the instruction's `dtype`.
    Map(Op),
    /// A conversion from the instruction's `dtype` to its `output`.
    Cast,
    /// The position along an axis of the iteration shape.
    Iota(usize),
}

/// One instruction; its result is the next register.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// The loop's dtype.
    pub dtype: DType,
    /// The result's dtype.
    pub output: DType,
    /// Its arguments.
    pub args: SmallVec<[Reg; 3]>,
}

/// The reduction that ends a Program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduce {
    /// The reduction.
    pub op: Reduction,
    /// The register reduced, already in `dtype`.
    pub reg: Reg,
    /// The dtype of the elements.
    pub dtype: DType,
    /// The axes of the iteration shape that go away.
    pub axes: SmallVec<[usize; 4]>,
    /// The axes of the iteration shape from outermost to innermost, in the order of which elements are combined.
    pub nesting: Dims,
    /// The result's dtype.
    pub output: DType,
    /// The result's layout, over the axes that stay.
    pub layout: Layout,
}

/// Fused work. The reduction's result, where there is one, is the last output buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The shape that all registers have.
    pub shape: Dims,
    /// Arrays read.
    pub inputs: Vec<Input>,
    /// Scalars: the same for every element, not part of the structure.
    pub params: Vec<Scalar>,
    /// The code.
    pub code: Vec<Instr>,
    /// Arrays written.
    pub outputs: Vec<Output>,
    /// A reduction at the end.
    pub reduce: Option<Reduce>,
}

impl Program {
    /// The dtype of a register.
    pub fn dtype(&self, reg: Reg) -> DType {
        let at = reg as usize;
        let (inputs, params) = (self.inputs.len(), self.params.len());
        if at < inputs {
            self.inputs[at].dtype
        } else if at < inputs + params {
            self.params[at - inputs].dtype()
        } else {
            self.code[at - inputs - params].output
        }
    }

    /// How many registers there are.
    pub fn registers(&self) -> usize {
        self.inputs.len() + self.params.len() + self.code.len()
    }

    /// The number of elements iterated over.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {}", show_shape(&self.shape))?;
        let mut reg = 0;
        for input in &self.inputs {
            writeln!(f, "  %{reg} = input {} strides {}", input.dtype, show_strides(&input.layout.strides))?;
            reg += 1;
        }
        for param in &self.params {
            writeln!(f, "  %{reg} = param {}", param.dtype())?;
            reg += 1;
        }
        for instr in &self.code {
            let args: Vec<String> = instr.args.iter().map(|a| format!("%{a}")).collect();
            let args = args.join(", ");
            match instr.kind {
                InstrKind::Map(op) => writeln!(f, "  %{reg} = {} {} {args}", op.name(), instr.dtype)?,
                InstrKind::Cast => writeln!(f, "  %{reg} = cast {} {args}", instr.output)?,
                InstrKind::Iota(axis) => writeln!(f, "  %{reg} = iota axis {axis}")?,
            }
            reg += 1;
        }
        for output in &self.outputs {
            writeln!(f, "  store %{} strides {}", output.reg, show_strides(&output.layout.strides))?;
        }
        if let Some(r) = &self.reduce {
            let axes: Vec<String> = r.axes.iter().map(usize::to_string).collect();
            writeln!(f, "  {} {} %{} over axes {}", r.op.row().name, r.dtype, r.reg, axes.join(", "))?;
        }
        Ok(())
    }
}

fn show_strides(strides: &[isize]) -> String {
    let parts: Vec<String> = strides.iter().map(isize::to_string).collect();
    format!("[{}]", parts.join(", "))
}
