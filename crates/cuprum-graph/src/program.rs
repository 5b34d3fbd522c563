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
    /// The element of a table at a position. The arguments are an input that shows the table's first element everywhere, the
    /// position, the table's length and the address of a record: a position beyond the table is noted there, and the first
    /// element stands for it.
    Take,
    /// A reduction of the argument, in the instruction's `dtype`, along the row that an element is in: the same for all
    /// elements of the row.
    Reduce(Reduction),
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

/// One reduction of a Program's elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduced {
    /// The reduction.
    pub op: Reduction,
    /// The register reduced, already in `dtype`.
    pub reg: Reg,
    /// The dtype of the elements.
    pub dtype: DType,
    /// The result's dtype.
    pub output: DType,
}

/// The reductions that end a Program, all over the same axes, and what is made of their results.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduce {
    /// The axes of the iteration shape that go away.
    pub axes: SmallVec<[usize; 4]>,
    /// The axes of the iteration shape from outermost to innermost, in the order of which elements are combined.
    pub nesting: Dims,
    /// What is reduced. The pattern of combining is that of each reduction alone.
    pub results: SmallVec<[Reduced; 1]>,
    /// A Program over the axes that stay: its first inputs are the results, dense in their nesting, its others arrays of
    /// that shape. What it stores is all that leaves the reduction.
    pub epilogue: Box<Program>,
}

impl Reduce {
    /// One reduction of elements of a shape, whose result is stored as it is.
    pub fn alone(
        shape: &[usize],
        op: Reduction,
        reg: Reg,
        dtype: DType,
        axes: &[usize],
        nesting: &[usize],
    ) -> Reduce {
        let kept: Dims = (0..shape.len()).filter(|axis| !axes.contains(axis)).collect();
        let results: Dims = kept.iter().map(|&axis| shape[axis]).collect();
        let order: Dims = nesting.iter().filter_map(|n| kept.iter().position(|k| k == n)).collect();
        let output = op.output(dtype);
        let layout = Layout::dense(&results, &order, output.size());
        let mut epilogue = Program::over(&results);
        epilogue.inputs.push(Input { dtype: output, layout: layout.clone() });
        epilogue.outputs.push(Output { reg: 0, dtype: output, layout });
        Reduce {
            axes: SmallVec::from_slice(axes),
            nesting: Dims::from_slice(nesting),
            results: SmallVec::from_elem(Reduced { op, reg, dtype, output }, 1),
            epilogue: Box::new(epilogue),
        }
    }

    /// The arrays that the epilogue reads beside the results.
    pub fn late_inputs(&self) -> &[Input] {
        &self.epilogue.inputs[self.results.len()..]
    }

    /// The output that a result goes to as it is, if any.
    pub fn stored_whole(&self, result: usize) -> Option<usize> {
        let input = &self.epilogue.inputs[result];
        let whole =
            |o: &Output| o.reg as usize == result && o.dtype == input.dtype && o.layout == input.layout;
        self.epilogue.outputs.iter().position(whole)
    }

    /// Whether the results are stored as they are and nothing else is done.
    pub fn is_bare(&self) -> bool {
        self.epilogue.code.is_empty()
            && self.epilogue.outputs.len() == self.results.len()
            && (0..self.results.len()).all(|result| self.stored_whole(result) == Some(result))
    }
}

/// The rows that instructions of a Program reduce.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rows {
    /// The axes of the iteration shape along which rows lie.
    pub axes: SmallVec<[usize; 4]>,
    /// The axes of the iteration shape from outermost to innermost, in the order of which elements are combined; those of
    /// rows are the innermost.
    pub nesting: Dims,
}

/// Fused work. A device is given the buffers of the inputs and outputs, then those of the epilogue's own.
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
    /// Reductions at the end.
    pub reduce: Option<Reduce>,
    /// What instructions that reduce go along. Such a Program has no reductions at its end; what it stores of results has
    /// layouts that stay where they are along rows.
    pub rows: Option<Rows>,
}

impl Program {
    /// A Program that does nothing yet.
    pub fn over(shape: &[usize]) -> Program {
        Program {
            shape: Dims::from_slice(shape),
            inputs: Vec::new(),
            params: Vec::new(),
            code: Vec::new(),
            outputs: Vec::new(),
            reduce: None,
            rows: None,
        }
    }

    /// How many buffers it reads.
    pub fn input_buffers(&self) -> usize {
        self.inputs.len() + self.reduce.as_ref().map_or(0, |r| r.late_inputs().len())
    }

    /// How many buffers it writes.
    pub fn output_buffers(&self) -> usize {
        self.outputs.len() + self.reduce.as_ref().map_or(0, |r| r.epilogue.outputs.len())
    }

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
        self.fmt_body(f, &[])?;
        let Some(reduce) = &self.reduce else { return Ok(()) };
        let axes: Vec<String> = reduce.axes.iter().map(usize::to_string).collect();
        for r in &reduce.results {
            writeln!(f, "  {} {} %{} over axes {}", r.op.row().name, r.dtype, r.reg, axes.join(", "))?;
        }
        if reduce.is_bare() {
            return Ok(());
        }
        writeln!(f, "then {}", show_shape(&reduce.epilogue.shape))?;
        reduce.epilogue.fmt_body(f, &reduce.results)
    }
}

impl Program {
    /// Inputs, of which the first are results of reductions, parameters, code and stores.
    fn fmt_body(&self, f: &mut fmt::Formatter<'_>, results: &[Reduced]) -> fmt::Result {
        let mut reg = 0;
        for input in &self.inputs {
            match results.get(reg) {
                Some(result) => writeln!(f, "  %{reg} = {}", result.op.row().name)?,
                None => {
                    let strides = show_strides(&input.layout.strides);
                    writeln!(f, "  %{reg} = input {} strides {strides}", input.dtype)?;
                }
            }
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
                InstrKind::Reduce(op) => {
                    let axes = self.rows.iter().flat_map(|rows| &rows.axes).map(usize::to_string);
                    let (name, axes) = (op.row().name, axes.collect::<Vec<_>>().join(", "));
                    writeln!(f, "  %{reg} = {name} {} {args} over axes {axes}", instr.dtype)?;
                }
                InstrKind::Map(op) => writeln!(f, "  %{reg} = {} {} {args}", op.name(), instr.dtype)?,
                InstrKind::Take => writeln!(f, "  %{reg} = take {} {args}", instr.output)?,
                InstrKind::Cast => writeln!(f, "  %{reg} = cast {} {args}", instr.output)?,
                InstrKind::Iota(axis) => writeln!(f, "  %{reg} = iota axis {axis}")?,
            }
            reg += 1;
        }
        for output in &self.outputs {
            writeln!(f, "  store %{} strides {}", output.reg, show_strides(&output.layout.strides))?;
        }
        Ok(())
    }
}

fn show_strides(strides: &[isize]) -> String {
    let parts: Vec<String> = strides.iter().map(isize::to_string).collect();
    format!("[{}]", parts.join(", "))
}
