//! Recorded work: a node computes the whole content of one storage from views and scalars.

use std::sync::Arc;

use cuprum_core::{DType, Dims, Layout, Op, Reduction, Scalar};
use smallvec::SmallVec;

use crate::{DeferredCheck, View};

/// An argument of recorded work.
#[derive(Clone, Debug)]
pub enum NodeArg {
    /// An array, broadcast to the node's iteration shape; the table of a take is as it is.
    View(View),
    /// One value for every element.
    Scalar(Scalar),
}

impl NodeArg {
    /// The dtype of the argument.
    pub fn dtype(&self) -> DType {
        match self {
            NodeArg::View(view) => view.dtype,
            NodeArg::Scalar(scalar) => scalar.dtype(),
        }
    }
}

/// The arguments of a node; nearly all have one or two, and nodes are moved often enough for their size to matter.
pub type Args = SmallVec<[NodeArg; 2]>;

/// A box of an array's elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The position of its first element.
    pub start: Dims,
    /// How many elements it has along each axis.
    pub shape: Dims,
}

impl Piece {
    /// The same box of an array that begins at a position of another one.
    pub(crate) fn moved_by(mut self, position: &[usize]) -> Piece {
        self.start.iter_mut().zip(position).for_each(|(start, by)| *start += by);
        self
    }

    /// Whether the two boxes have an element in common.
    pub(crate) fn overlaps(&self, other: &Piece) -> bool {
        let ends = |piece: &Piece, axis: usize| (piece.start[axis], piece.start[axis] + piece.shape[axis]);
        (0..self.start.len()).all(|axis| {
            let (a, b) = (ends(self, axis), ends(other, axis));
            a.0 < b.1 && b.0 < a.1
        })
    }
}

/// What a node computes.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// An elementwise op whose loop runs in `dtype`; arguments are converted to it.
    Map {
        /// The op.
        op: Op,
        /// The loop's dtype.
        dtype: DType,
    },
    /// The argument, converted to the result's dtype.
    Cast,
    /// The position along an axis, in int64.
    Iota {
        /// The axis.
        axis: usize,
    },
    /// A reduction of the argument, converted to `dtype` first, over some axes.
    Reduce {
        /// The reduction.
        op: Reduction,
        /// The dtype of the elements reduced.
        dtype: DType,
        /// The axes that go away, in ascending order.
        axes: SmallVec<[usize; 4]>,
    },
    /// The elements of a table, an array of one dense axis that is ready, at positions. The arguments are the table, the
    /// positions, the table's length and the address of the record where the device notes a position beyond it.
    Take {
        /// The mark of the check, which is held until it has run.
        check: DeferredCheck,
    },
    /// The arguments, one box of the result each: arrays joined, rolled or padded.
    Pieces {
        /// Where each argument goes; they cover the result, and no two overlap.
        pieces: Arc<[Piece]>,
    },
}

impl NodeKind {
    /// The name that errors use.
    pub fn name(&self) -> &'static str {
        match self {
            NodeKind::Map { op, .. } => op.name(),
            NodeKind::Reduce { op, .. } => op.row().name,
            NodeKind::Take { .. } => "take",
            NodeKind::Cast | NodeKind::Iota { .. } | NodeKind::Pieces { .. } => "copy",
        }
    }

    /// How many arguments it takes.
    pub fn operands(&self) -> usize {
        match self {
            NodeKind::Map { op, .. } => op.row().nin,
            NodeKind::Cast | NodeKind::Reduce { .. } => 1,
            NodeKind::Take { .. } => 4,
            NodeKind::Iota { .. } => 0,
            NodeKind::Pieces { pieces } => pieces.len(),
        }
    }
}

/// Recorded work. Immutable: shape, dtype and layout are fixed when it is recorded.
#[derive(Debug)]
pub struct Node {
    /// What is computed.
    pub kind: NodeKind,
    /// From what.
    pub args: Args,
    /// The layout of the result, dense from offset 0.
    pub layout: Layout,
    /// The dtype of the result.
    pub dtype: DType,
    /// An upper bound on the pending nodes behind this one, itself included.
    pub depth: usize,
    /// An upper bound on the ready arrays that the pending work reads.
    pub leaves: usize,
    /// The line of the user's program that recorded it, as profilers number lines; zero where none listened.
    pub line: u32,
}

impl Node {
    /// Whether it can run inside another node's Program.
    pub fn is_elementwise(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Map { .. } | NodeKind::Cast | NodeKind::Iota { .. } | NodeKind::Take { .. }
        )
    }

    /// Whether it takes elements of a table, which is its first argument and has a shape of its own.
    pub fn is_take(&self) -> bool {
        matches!(self.kind, NodeKind::Take { .. })
    }

    /// The pieces that it puts together, if that is what it does.
    pub fn pieces(&self) -> Option<&[Piece]> {
        match &self.kind {
            NodeKind::Pieces { pieces } => Some(pieces),
            _ => None,
        }
    }

    /// The shape it iterates over.
    pub fn iteration(&self) -> &[usize] {
        match (&self.kind, &self.args.first()) {
            (NodeKind::Reduce { .. }, Some(NodeArg::View(view))) => &view.layout.shape,
            _ => &self.layout.shape,
        }
    }

    /// The number of elements iterated over.
    pub fn elements(&self) -> usize {
        self.iteration().iter().product()
    }
}
