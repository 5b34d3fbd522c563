//! What is computed when in a Program along rows. Its instructions fall into levels: an instruction that reduces needs all of
//! its row, so what follows from it can only be computed in another walk over the row.

use cuprum_core::ops::Cost;

use crate::{Instr, InstrKind, Output, Program, Reg, Rows};

/// What reading an element at a position costs, in light ops.
pub(crate) const TAKE_COST: usize = 16;

/// The rows that a reduction goes along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowShape {
    /// How many rows there are.
    pub count: usize,
    /// How many elements each of them has.
    pub length: usize,
    /// The bytes of an element that is reduced, at least four.
    pub width: usize,
}

/// For each register of a Program along rows, in which walk over a row it can be computed, and whether it is the same for all
/// elements of a row.
pub struct RowLevels {
    levels: Vec<usize>,
    per_row: Vec<bool>,
    costs: Vec<usize>,
}

impl RowLevels {
    /// The levels of a Program's registers.
    pub fn of(program: &Program) -> RowLevels {
        let axes = program.rows.as_ref().map_or(&[][..], |rows| &rows.axes);
        let mut levels = vec![0; program.inputs.len() + program.params.len()];
        let mut per_row: Vec<bool> = Vec::with_capacity(program.registers());
        for input in &program.inputs {
            let layout = &input.layout;
            per_row.push(axes.iter().all(|&a| layout.shape[a] <= 1 || layout.strides[a] == 0));
        }
        per_row.resize(levels.len(), true);
        let mut costs = vec![0; levels.len()];
        for instr in &program.code {
            let args = || instr.args.iter().map(|&arg| arg as usize);
            let level = args().map(|arg| levels[arg]).max().unwrap_or(0);
            let is_constant = args().all(|arg| per_row[arg]);
            let behind: usize = args().filter(|&arg| !per_row[arg]).map(|arg| costs[arg]).sum();
            let (level, same, cost) = match instr.kind {
                InstrKind::Reduce(_) => (level + 1, true, 0),
                InstrKind::Iota(axis) => (0, !axes.contains(&axis), 1),
                InstrKind::Cast => (level, is_constant, behind + 1),
                // Only elements that exist have their positions checked.
                InstrKind::Take => (level, false, behind + TAKE_COST),
                InstrKind::Map(op) => {
                    let own = match op.row().cost {
                        Cost::Light => 1,
                        Cost::Division => 4,
                        Cost::Function => 16,
                    };
                    (level, is_constant, behind + own)
                }
            };
            levels.push(level);
            per_row.push(same);
            costs.push(cost);
        }
        RowLevels { levels, per_row, costs }
    }

    /// The number of walks over a row.
    pub fn count(&self) -> usize {
        self.levels.iter().max().map_or(1, |last| last + 1)
    }

    /// The walk in which a register can be computed.
    pub fn level(&self, reg: Reg) -> usize {
        self.levels[reg as usize]
    }

    /// Whether a register is the same for all elements of a row.
    pub fn is_per_row(&self, reg: Reg) -> bool {
        self.per_row[reg as usize]
    }

    /// Whether an output has one element for each row.
    pub fn is_result(&self, rows: &Rows, output: &Output) -> bool {
        let layout = &output.layout;
        let stays = |&axis: &usize| layout.shape[axis] <= 1 || layout.strides[axis] == 0;
        self.is_per_row(output.reg) && rows.axes.iter().all(stays)
    }

    /// The registers of elements that one walk over a row leaves to later ones: those that cost more than `most` to compute
    /// again. `stored_in` gives the walk that stores an output's elements, `None` where it has one for each row.
    pub fn carried(
        &self,
        program: &Program,
        most: usize,
        stored_in: impl Fn(&Output) -> Option<usize>,
    ) -> Vec<Reg> {
        let first_code = program.inputs.len() + program.params.len();
        let reduced = |instr: &Instr| matches!(instr.kind, InstrKind::Reduce(_)).then(|| instr.args[0]);
        let mut carried: Vec<Reg> = Vec::new();
        for level in (0..self.count()).rev() {
            let mut stack: Vec<Reg> = program.code.iter().filter_map(reduced).collect();
            stack.extend(&carried);
            stack.retain(|&reg| self.level(reg) == level);
            let outputs = program.outputs.iter().filter(|output| stored_in(output) == Some(level));
            stack.extend(outputs.map(|output| output.reg));
            let mut seen = vec![false; program.registers()];
            while let Some(reg) = stack.pop() {
                let at = reg as usize;
                if at < first_code || self.is_per_row(reg) || std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                if self.level(reg) < level && self.cost(reg) > most {
                    if !carried.contains(&reg) {
                        carried.push(reg);
                    }
                    continue;
                }
                stack.extend(&program.code[at - first_code].args);
            }
        }
        carried
    }

    /// What computing a register for an element costs, from inputs and what is there for each row, in light ops.
    pub fn cost(&self, reg: Reg) -> usize {
        self.costs[reg as usize]
    }
}
