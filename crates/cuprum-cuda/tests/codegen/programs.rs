//! Programs and memories for the tests.

use cuprum_core::{DType, Dims, Layout, Number, Op, Reduction, Scalar, Strides};
use cuprum_graph::{Input, Instr, InstrKind, Output, Program, Reduce, Reg};
use smallvec::SmallVec;

/// Builds a Program as a planner would: inputs and parameters first, then code.
pub struct Build {
    pub program: Program,
}

impl Build {
    pub fn over(shape: &[usize]) -> Build {
        Build { program: Program::over(shape) }
    }

    pub fn input(&mut self, dtype: DType, layout: Layout) -> Reg {
        assert!(self.program.params.is_empty() && self.program.code.is_empty());
        self.program.inputs.push(Input { dtype, layout });
        self.last()
    }

    pub fn dense(&mut self, dtype: DType) -> Reg {
        let layout = Layout::contiguous(&self.program.shape, dtype.size());
        self.input(dtype, layout)
    }

    pub fn param(&mut self, number: impl Into<Number>, dtype: DType) -> Reg {
        assert!(self.program.code.is_empty());
        self.program.params.push(Scalar::wrapping(number.into(), dtype));
        self.last()
    }

    fn last(&self) -> Reg {
        (self.program.registers() - 1) as Reg
    }

    fn emit(&mut self, kind: InstrKind, dtype: DType, output: DType, args: &[Reg]) -> Reg {
        self.program.code.push(Instr { kind, dtype, output, args: SmallVec::from_slice(args) });
        self.last()
    }

    pub fn map(&mut self, op: Op, dtype: DType, args: &[Reg]) -> Reg {
        self.emit(InstrKind::Map(op), dtype, op.output(dtype), args)
    }

    pub fn cast(&mut self, reg: Reg, to: DType) -> Reg {
        let from = self.program.dtype(reg);
        self.emit(InstrKind::Cast, from, to, &[reg])
    }

    pub fn iota(&mut self, axis: usize) -> Reg {
        self.emit(InstrKind::Iota(axis), DType::I64, DType::I64, &[])
    }

    /// A reduction along the row.
    pub fn row(&mut self, op: Reduction, reg: Reg) -> Reg {
        let dtype = self.program.dtype(reg);
        self.emit(InstrKind::Reduce(op), dtype, op.output(dtype), &[reg])
    }

    pub fn store_as(&mut self, reg: Reg, layout: Layout) {
        let dtype = self.program.dtype(reg);
        self.program.outputs.push(Output { reg, dtype, layout });
    }

    pub fn store(&mut self, reg: Reg) {
        let layout = Layout::contiguous(&self.program.shape, self.program.dtype(reg).size());
        self.store_as(reg, layout);
    }

    /// Ends in a reduction of an array whose axes nest as given.
    pub fn reduce(&mut self, op: Reduction, reg: Reg, axes: &[usize], nesting: &[usize]) {
        let dtype = self.program.dtype(reg);
        self.program.reduce = Some(Reduce::alone(&self.program.shape, op, reg, dtype, axes, nesting));
    }

    /// Ends in several reductions; `then` computes and stores what is made of their results, which are its first registers.
    pub fn reduce_all(
        &mut self,
        results: &[(Reduction, Reg)],
        axes: &[usize],
        nesting: &[usize],
        then: impl FnOnce(&mut Build),
    ) {
        let shape = self.program.shape.clone();
        let alone = |&(op, reg): &(Reduction, Reg)| {
            Reduce::alone(&shape, op, reg, self.program.dtype(reg), axes, nesting)
        };
        let mut whole = alone(&results[0]);
        for more in results[1..].iter().map(alone) {
            whole.results.extend(more.results);
            whole.epilogue.inputs.extend(more.epilogue.inputs);
        }
        whole.epilogue.outputs.clear();
        let mut build = Build { program: *whole.epilogue };
        then(&mut build);
        whole.epilogue = Box::new(build.program);
        self.program.reduce = Some(whole);
    }
}

/// The layout with these strides.
pub fn strided(shape: &[usize], strides: &[isize], offset: usize) -> Layout {
    Layout { shape: Dims::from_slice(shape), strides: Strides::from_slice(strides), offset }
}

/// Numbers without a pattern, the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    /// An element: small whole numbers and halves, so that few operations round.
    pub fn element(&mut self, dtype: DType) -> Scalar {
        let x = self.next() % 64;
        let number = match dtype {
            DType::Bool => Number::Bool(x.is_multiple_of(3)),
            DType::C64 | DType::C128 => Number::Complex(x as f64 / 2.0 - 8.0, (self.next() % 16) as f64),
            d if d.is_integral() => Number::Int(i128::from(x) - 20),
            _ => Number::Float(x as f64 / 2.0 - 10.0),
        };
        Scalar::wrapping(number, dtype)
    }

    /// Memory that a layout lies in, with elements wherever it reaches.
    pub fn memory(&mut self, layout: &Layout, dtype: DType) -> Vec<u8> {
        let (_, end) = layout.extent(dtype.size());
        let mut memory: Vec<u8> = (0..end + 7).map(|_| self.next() as u8).collect();
        for index in crate::reference::indices(&layout.shape) {
            let at = crate::reference::offset(layout, &index) as usize;
            let element = self.element(dtype);
            memory[at..at + dtype.size()].copy_from_slice(element.bytes());
        }
        memory
    }
}
