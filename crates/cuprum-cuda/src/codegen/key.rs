//! What a kernel's text depends on: ops, dtypes and layout classes. Shapes, strides and scalars are the launch's.

use std::hash::{Hash, Hasher};

use cuprum_core::{DType, Op, Reduction};
use cuprum_graph::Reg;
use smallvec::SmallVec;

/// What an operand is to the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// An array read.
    Input,
    /// Positions along an axis.
    Iota,
    /// An array written.
    Output,
    /// The position of an element among those that are reduced to one.
    Position,
    /// An array that an epilogue reads, over the axes that stay.
    EpilogueInput,
    /// Positions along an axis that stays, in an epilogue.
    EpilogueIota,
    /// Where what is made of a reduction's results goes.
    Result,
    /// An array read once for each row.
    RowInput,
}

impl Role {
    /// Whether the operand lies in memory.
    pub(super) fn is_memory(self) -> bool {
        matches!(self, Role::Input | Role::Output | Role::EpilogueInput | Role::Result | Role::RowInput)
    }
}

/// How a pack of neighbouring elements lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Access {
    /// One element for the whole program.
    Fixed,
    /// Neighbours, aligned as a whole.
    Vector,
    /// One element for the whole pack.
    Splat,
    /// Elements some step apart.
    Strided,
    /// Through shared memory: neighbours lie along the other side of a tile.
    Transposed,
}

/// One operand's class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct OperandClass {
    pub(super) role: Role,
    pub(super) dtype: DType,
    pub(super) access: Access,
    /// Whether every element is aligned to its own size.
    pub(super) aligned: bool,
}

/// What a step of the code does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum StepKind {
    Map(Op),
    Cast,
    /// An element of a table.
    Take,
    Iota,
    /// A reduction along the row.
    Reduce(Reduction),
}

/// One instruction of the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct KeyStep {
    pub(super) kind: StepKind,
    pub(super) dtype: DType,
    pub(super) output: DType,
    pub(super) args: [Reg; 4],
}

/// How a kernel walks its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Path {
    /// Elementwise: a thread takes packs of neighbours, several of them a block apart.
    Map { unroll: u8 },
    /// Elementwise through square tiles in shared memory.
    Tile { side: u8 },
    /// A reduction by groups of at most a warp's threads, a group for each result.
    Lanes { unroll: u8 },
    /// A reduction by blocks, one or several for each result.
    Block { unroll: u8 },
    /// A reduction down columns: threads side by side have results side by side.
    Columns { unroll: u8 },
    /// A fold from left to right, a thread for each result.
    Fold,
    /// Rows that are reduced and go on, by groups of at most a warp's threads or by blocks, a group for each row. Threads keep
    /// so many packs, or none.
    Rows { block: bool, held: u8 },
}

/// One reduction at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Reducing {
    pub(super) op: Reduction,
    pub(super) reg: Reg,
    pub(super) dtype: DType,
    pub(super) output: DType,
}

/// The reductions at the end, and what is made of their results: registers are numbered as a Program's are, the results
/// before the inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ending {
    pub(super) results: SmallVec<[Reducing; 1]>,
    pub(super) params: SmallVec<[DType; 4]>,
    pub(super) code: SmallVec<[KeyStep; 4]>,
    /// The register of each output.
    pub(super) stored: SmallVec<[Reg; 2]>,
}

/// What a key along rows has beside its code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct RowKey {
    /// The walk over a row in which each step of the code can be computed.
    pub(super) levels: SmallVec<[u8; 16]>,
    /// Whether each step's result is the same for all elements of a row.
    pub(super) per_row: SmallVec<[bool; 16]>,
    /// Elements that a walk leaves to later ones.
    pub(super) carried: SmallVec<[Reg; 4]>,
    /// The register of each output that has one element for each row.
    pub(super) stored: SmallVec<[Reg; 2]>,
}

/// Everything that a kernel's text is made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Structure {
    pub(super) path: Path,
    /// Whether positions and strides take 64 bits.
    pub(super) wide: bool,
    /// Elements that a thread takes at once.
    pub(super) pack: u8,
    /// Whether the elements of a pack are located one by one: they may lie on both sides of an axis's end.
    pub(super) scattered: bool,
    /// Axes of the two spaces.
    pub(super) outer: u8,
    pub(super) inner: u8,
    /// Inputs, iotas in the order of the code, outputs, then what a reduction adds.
    pub(super) operands: SmallVec<[OperandClass; 8]>,
    pub(super) params: SmallVec<[DType; 8]>,
    pub(super) code: SmallVec<[KeyStep; 16]>,
    /// The register of each output.
    pub(super) stored: SmallVec<[Reg; 4]>,
    pub(super) reduce: Option<Ending>,
    pub(super) rows: Option<RowKey>,
}

/// A kernel's identity: equal keys have equal texts.
#[derive(Clone, Debug)]
pub struct KernelKey {
    hash: u64,
    pub(super) structure: Structure,
    /// Boxes that are walked in one launch; empty where the kernel has the one structure. The first group's is `structure`.
    pub(super) groups: Box<[BoxGroup]>,
}

/// Boxes of one structure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct BoxGroup {
    pub(super) structure: Structure,
    pub(super) boxes: u8,
}

impl KernelKey {
    pub(super) fn new(structure: Structure) -> KernelKey {
        let mut hasher = Mixer(0);
        structure.hash(&mut hasher);
        KernelKey { hash: hasher.finish(), structure, groups: Box::default() }
    }

    /// The kernel that walks boxes of several structures.
    pub(super) fn joined(groups: Vec<BoxGroup>) -> KernelKey {
        let mut hasher = Mixer(1);
        groups.hash(&mut hasher);
        KernelKey { hash: hasher.finish(), structure: groups[0].structure.clone(), groups: groups.into() }
    }
}

#[cfg(test)]
impl KernelKey {
    /// Keys of different structures that all have the same hash.
    pub(crate) fn colliding(pack: u8) -> KernelKey {
        let structure = Structure {
            path: Path::Fold,
            wide: false,
            pack,
            scattered: false,
            outer: 0,
            inner: 1,
            operands: SmallVec::new(),
            params: SmallVec::new(),
            code: SmallVec::new(),
            stored: SmallVec::new(),
            reduce: None,
            rows: None,
        };
        KernelKey { hash: 7, structure, groups: Box::default() }
    }
}

impl PartialEq for KernelKey {
    fn eq(&self, other: &KernelKey) -> bool {
        self.hash == other.hash && self.structure == other.structure && self.groups == other.groups
    }
}

impl Eq for KernelKey {}

/// The hash was made with the key: maps are asked at every launch.
impl Hash for KernelKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A quick hash of small fields; keys that collide are told apart by comparing them.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, x: u8) {
        self.mix(x.into());
    }
    fn write_u16(&mut self, x: u16) {
        self.mix(x.into());
    }
    fn write_u32(&mut self, x: u32) {
        self.mix(x.into());
    }
    fn write_u64(&mut self, x: u64) {
        self.mix(x);
    }
    fn write_usize(&mut self, x: usize) {
        self.mix(x as u64);
    }
    fn write_isize(&mut self, x: isize) {
        self.mix(x as u64);
    }
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

impl Structure {
    /// The name of an operand: registers by their number, outputs by theirs.
    pub(super) fn operand_name(&self, at: usize) -> String {
        let same_before = |role: Role| self.operands[..at].iter().filter(|o| o.role == role).count();
        match self.operands[at].role {
            Role::Input | Role::RowInput => format!("r{at}"),
            Role::Iota => {
                let nth = same_before(Role::Iota);
                let mut iotas = (0..self.code.len()).filter(|&i| self.code[i].kind == StepKind::Iota);
                let step = iotas.nth(nth).expect("every iota operand has its instruction");
                format!("r{}", self.first_code() + step)
            }
            Role::Output => format!("y{}", same_before(Role::Output)),
            Role::Position => "position".into(),
            Role::EpilogueInput => format!("x{}", same_before(Role::EpilogueInput)),
            Role::EpilogueIota => format!("i{}", same_before(Role::EpilogueIota)),
            Role::Result => format!("z{}", same_before(Role::Result)),
        }
    }

    /// The register of the first instruction.
    pub(super) fn first_code(&self) -> usize {
        self.inputs() + self.params.len()
    }

    /// The operands of a role, with their places.
    pub(super) fn of_role(&self, role: Role) -> impl Iterator<Item = (usize, OperandClass)> {
        self.operands.iter().copied().enumerate().filter(move |(_, operand)| operand.role == role)
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.operands.iter().filter(|o| matches!(o.role, Role::Input | Role::RowInput)).count()
    }

    /// Whether the operand has a step along an axis of the outer space that the launch gives.
    pub(super) fn steps_outer(&self, operand: OperandClass) -> bool {
        operand.access != Access::Fixed
    }

    /// Whether the operand has a step along an axis of the inner space that the launch gives: along the innermost one, a
    /// vector's is its size, and a splat does not move.
    pub(super) fn steps_inner(&self, operand: OperandClass, axis: usize) -> bool {
        let innermost = axis + 1 == self.inner as usize;
        match operand.access {
            Access::Fixed => false,
            Access::Vector | Access::Splat => !innermost,
            Access::Strided | Access::Transposed => true,
        }
    }

    /// Whether elements take others at positions, which are checked for elements that exist.
    pub(super) fn takes(&self) -> bool {
        self.code.iter().any(|step| step.kind == StepKind::Take)
    }

    /// The counts that the launch gives, by name.
    pub(super) fn counts(&self) -> &'static [&'static str] {
        match self.path {
            Path::Map { .. } => &["whole", "count"],
            Path::Tile { .. } => &["tiles_across", "tiles_down", "across", "down"],
            Path::Lanes { .. } | Path::Rows { .. } => &["results", "packs", "whole", "count", "shift"],
            Path::Block { .. } => &["results", "packs", "whole", "count", "segments", "span"],
            Path::Columns { .. } => &["results", "packs", "count", "segments", "span", "tiles", "shift"],
            Path::Fold => &["results", "count"],
        }
    }
}
