//! Parts of pending arrays. The work behind a slice, a transpose or another view of a pending array is the work of the whole
//! array with every argument seen through the same view, so it can be done inside the Program that reads the view. The
//! part of an array put together from pieces is the work behind the piece that it lies in.

use cuprum_core::{DType, Dims, Layout, Number, Scalar, Strides};
use smallvec::SmallVec;

use crate::node::Piece;
use crate::{Args, Node, NodeArg, NodeKind, View};

/// Where the elements of a view lie in a dense array: the position of the first one, and the step along each axis of the
/// array that one step along an axis of the view makes.
pub(crate) struct IndexMap {
    start: Dims,
    steps: SmallVec<[Strides; 4]>,
}

impl IndexMap {
    /// The map of a view of an array that is dense from offset 0. `None` if a stride of the view follows no axis of the
    /// array, as after a reshape that merges axes.
    pub(crate) fn of(view: &Layout, array: &Layout) -> Option<IndexMap> {
        let nesting = array.nesting();
        let start = position(view.offset, array, &nesting)?;
        let step = |(&length, &stride): (&usize, &isize)| -> Option<Strides> {
            if length <= 1 || stride == 0 {
                return Some(SmallVec::from_elem(0, array.ndim()));
            }
            let steps = position(stride.unsigned_abs(), array, &nesting)?;
            Some(steps.iter().map(|&step| step as isize * stride.signum()).collect())
        };
        let steps = view.shape.iter().zip(&view.strides).map(step).collect::<Option<_>>()?;
        let map = IndexMap { start, steps };
        let is_inside = |axis: usize| {
            let (low, high) = map.range(axis, &view.shape);
            low >= 0 && high < array.shape[axis] as isize
        };
        (0..array.ndim()).all(is_inside).then_some(map)
    }

    /// The map of a box of an array: some elements along each axis, from a start on.
    fn of_box(start: &[usize]) -> IndexMap {
        let ndim = start.len();
        let one = |axis: usize| (0..ndim).map(|other| isize::from(other == axis)).collect();
        IndexMap { start: Dims::from_slice(start), steps: (0..ndim).map(one).collect() }
    }

    /// The first and the last position along an axis of the array that a view of this shape has elements at.
    fn range(&self, axis: usize, shape: &[usize]) -> (isize, isize) {
        let first = self.start[axis] as isize;
        self.steps.iter().zip(shape).fold((first, first), |(low, high), (steps, &length)| {
            let reach = steps[axis] * (length as isize - 1);
            (low + reach.min(0), high + reach.max(0))
        })
    }

    /// A layout over the array's shape, seen through the view.
    fn apply(&self, layout: &Layout, shape: &[usize]) -> Layout {
        let along =
            |steps: &[isize]| steps.iter().zip(&layout.strides).map(|(step, stride)| step * stride).sum();
        let start = self.start.iter().zip(&layout.strides).map(|(&at, stride)| at as isize * stride);
        Layout {
            shape: Dims::from_slice(shape),
            strides: self.steps.iter().map(|steps| along(steps)).collect(),
            offset: (layout.offset as isize + start.sum::<isize>()) as usize,
        }
    }

    /// The axis of the view that alone moves along an axis of the array, with its step; `None` where several do.
    fn mover(&self, axis: usize) -> Option<Option<(usize, isize)>> {
        let mut moving = self.steps.iter().enumerate().filter(|(_, steps)| steps[axis] != 0);
        let first = moving.next().map(|(of_view, steps)| (of_view, steps[axis]));
        moving.next().is_none().then_some(first)
    }
}

/// The position along each axis of the element at a byte offset of a dense array; `None` between two elements.
fn position(offset: usize, array: &Layout, nesting: &[usize]) -> Option<Dims> {
    let mut position: Dims = SmallVec::from_elem(0, array.ndim());
    let mut rest = offset;
    for &axis in nesting.iter().filter(|&&axis| array.shape[axis] > 1) {
        let stride = array.strides[axis] as usize;
        position[axis] = rest / stride;
        rest %= stride;
    }
    (rest == 0).then_some(position)
}

/// Whether a view may be computed by the work behind it: it has elements of a pending result that is no reduction,
/// none of them twice. Repeated elements are computed once and stored, unless they are all the same number.
pub(crate) fn is_part(view: &View, node: &Node) -> bool {
    let repeats = || view.layout.shape.iter().zip(&view.layout.strides).any(|(&n, &step)| n > 1 && step == 0);
    let has_parts = node.is_elementwise() || node.pieces().is_some();
    has_parts && view.dtype == node.dtype && view.layout.size() > 0 && (is_fill(node) || !repeats())
}

/// Whether all elements are one number.
fn is_fill(node: &Node) -> bool {
    node.kind == NodeKind::Cast && matches!(node.args[..], [NodeArg::Scalar(_)])
}

/// The work behind a view of a pending result that is not put together from pieces; `None` where it cannot be told.
pub(crate) fn work_of(view: &View, node: &Node) -> Option<Node> {
    let shape = &view.layout.shape;
    if is_fill(node) {
        return Some(part(node.kind.clone(), node.args.clone(), shape, node));
    }
    let Some(map) = IndexMap::of(&view.layout, &node.layout) else {
        return reshaped(view, node);
    };
    match node.kind {
        NodeKind::Map { .. } | NodeKind::Cast | NodeKind::Take { .. } => {
            let through = |layout: &Layout, _| Some(map.apply(layout, shape));
            Some(part(node.kind.clone(), args_through(node, through)?, shape, node))
        }
        NodeKind::Iota { axis } => match map.mover(axis)? {
            Some((of_view, 1)) if map.start[axis] == 0 => {
                Some(part(NodeKind::Iota { axis: of_view }, Args::new(), shape, node))
            }
            None => {
                let at = Scalar::wrapping(Number::Int(map.start[axis] as i128), DType::I64);
                let args = SmallVec::from_elem(NodeArg::Scalar(at), 1);
                Some(part(NodeKind::Cast, args, shape, node))
            }
            Some(_) => None,
        },
        NodeKind::Reduce { .. } | NodeKind::Pieces { .. } => None,
    }
}

/// The work behind the whole of a result under another shape, where all arguments can be seen under it.
fn reshaped(view: &View, node: &Node) -> Option<Node> {
    let (size, shape) = (node.dtype.size(), &view.layout.shape);
    let is_whole = view.layout.offset == 0
        && view.layout.size() == node.layout.size()
        && view.layout.is_contiguous(size)
        && node.layout.is_contiguous(size);
    if !is_whole
        || matches!(node.kind, NodeKind::Iota { .. } | NodeKind::Reduce { .. } | NodeKind::Pieces { .. })
    {
        return None;
    }
    let args = args_through(node, |layout, size| layout.reshape(shape, size))?;
    Some(part(node.kind.clone(), args, shape, node))
}

/// The arguments of a node seen through a view, which is told layouts and the size of their elements; a table stays as it is.
fn args_through(node: &Node, through: impl Fn(&Layout, usize) -> Option<Layout>) -> Option<Args> {
    let mut args = node.args.clone();
    for arg in args.iter_mut().skip(usize::from(node.is_take())) {
        if let NodeArg::View(read) = arg {
            *read = read.with_layout(through(&read.layout, read.dtype.size())?);
        }
    }
    Some(args)
}

/// Work over a shape that is a part of a node's.
fn part(kind: NodeKind, args: Args, shape: &[usize], of: &Node) -> Node {
    let layout = Layout::contiguous(shape, of.dtype.size());
    Node { kind, args, layout, dtype: of.dtype, depth: 1, leaves: 0, line: of.line }
}

/// How a view lies across the pieces that an array is put together from.
pub(crate) enum PieceSpan {
    /// Within one piece: this is the work behind it.
    Piece(Box<Node>),
    /// In several: cut at these positions along axes of the view, every part lies in one.
    Cuts(Vec<(usize, usize)>),
}

/// How a view of an array that is put together from pieces lies across them; `None` where that cannot be told.
pub(crate) fn across(view: &View, node: &Node, pieces: &[Piece]) -> Option<PieceSpan> {
    let map = IndexMap::of(&view.layout, &node.layout)?;
    let shape = &view.layout.shape;
    let ranges: SmallVec<[(isize, isize); 4]> =
        (0..node.layout.ndim()).map(|axis| map.range(axis, shape)).collect();
    let holds = |piece: &Piece| {
        let mut axes = piece.start.iter().zip(&piece.shape).zip(&ranges);
        axes.all(|((&start, &length), &(low, high))| {
            low >= start as isize && high < (start + length) as isize
        })
    };
    if let Some(at) = pieces.iter().position(holds) {
        let arg = match &node.args[at] {
            NodeArg::Scalar(scalar) => NodeArg::Scalar(*scalar),
            NodeArg::View(read) => {
                let start = map.start.iter().zip(&pieces[at].start).map(|(at, first)| at - first).collect();
                let within = IndexMap { start, steps: map.steps };
                NodeArg::View(read.with_layout(within.apply(&read.layout, shape)))
            }
        };
        let work = part(NodeKind::Cast, SmallVec::from_elem(arg, 1), shape, node);
        return Some(PieceSpan::Piece(Box::new(work)));
    }
    let mut cuts = Vec::new();
    for (axis, &(low, high)) in ranges.iter().enumerate() {
        let ends = pieces.iter().flat_map(|piece| [piece.start[axis], piece.start[axis] + piece.shape[axis]]);
        for end in ends.map(|end| end as isize).filter(|&end| end > low && end <= high) {
            let (of_view, step) = map.mover(axis)??;
            // The first position of the view at which the array's is at or beyond the end, going up or down.
            let first = map.start[axis] as isize;
            let cut = if step > 0 { (end - first + step - 1) / step } else { (first - end) / -step + 1 };
            if !cuts.contains(&(of_view, cut as usize)) {
                cuts.push((of_view, cut as usize));
            }
        }
    }
    Some(PieceSpan::Cuts(cuts))
}

/// The boxes that cuts along axes make of a shape: where each begins and how long it is. The innermost axis varies fastest.
pub(crate) fn boxes(shape: &[usize], cuts: &[(usize, usize)]) -> Vec<Piece> {
    let mut boxes = vec![Piece { start: Dims::new(), shape: Dims::new() }];
    for (axis, &length) in shape.iter().enumerate() {
        let mut ends: Dims = cuts.iter().filter(|cut| cut.0 == axis).map(|cut| cut.1).collect();
        ends.extend([0, length]);
        ends.sort_unstable();
        ends.dedup();
        let extend = |known: &Piece| -> SmallVec<[Piece; 4]> {
            let longer = |end: &[usize]| {
                let mut piece = known.clone();
                piece.start.push(end[0]);
                piece.shape.push(end[1] - end[0]);
                piece
            };
            ends.windows(2).map(longer).collect()
        };
        boxes = boxes.iter().flat_map(extend).collect();
    }
    boxes
}

/// A view that is a box of an array, its axes in any order.
pub(crate) struct BoxView {
    pub(crate) piece: Piece,
    /// The axis of the view that is each axis of the array; an axis of the array at one position has none.
    axes: SmallVec<[Option<usize>; 4]>,
}

impl BoxView {
    /// A layout over the view's shape as one over the box's.
    pub(crate) fn axes_of(&self, layout: &Layout) -> Layout {
        let stride = |axis: &Option<usize>| axis.map_or(0, |of_view| layout.strides[of_view]);
        Layout {
            shape: self.piece.shape.clone(),
            strides: self.axes.iter().map(stride).collect(),
            offset: layout.offset,
        }
    }
}

/// The box of a dense array that a view is; `None` where it is none.
pub(crate) fn box_of(view: &Layout, array: &Layout) -> Option<BoxView> {
    let map = IndexMap::of(view, array)?;
    let (mut shape, mut axes) = (Dims::new(), SmallVec::new());
    for axis in 0..array.ndim() {
        match map.mover(axis)? {
            None => {
                shape.push(1);
                axes.push(None);
            }
            Some((of_view, 1)) => {
                shape.push(view.shape[of_view]);
                axes.push(Some(of_view));
            }
            Some(_) => return None,
        }
    }
    // A diagonal moves along several axes at once, and what is repeated along none.
    let is_box = shape.iter().product::<usize>() == view.size();
    is_box.then_some(BoxView { piece: Piece { start: map.start, shape }, axes })
}

/// The boxes around a box that fill an array.
pub(crate) fn around(inner: &Piece, shape: &[usize]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut reached = inner.clone();
    for (axis, &length) in shape.iter().enumerate() {
        let end = inner.start[axis] + inner.shape[axis];
        for (start, length) in [(0, inner.start[axis]), (end, length - end)] {
            let mut piece = reached.clone();
            (piece.start[axis], piece.shape[axis]) = (start, length);
            if length > 0 {
                pieces.push(piece);
            }
        }
        (reached.start[axis], reached.shape[axis]) = (0, length);
    }
    pieces
}

/// The work of one box of a result, which goes to its place in the result's layout.
pub(crate) fn boxed(node: &Node, piece: &Piece) -> Option<Node> {
    let map = IndexMap::of_box(&piece.start);
    let layout = map.apply(&node.layout, &piece.shape);
    let through = |layout: &Layout, _| Some(map.apply(layout, &piece.shape));
    let made = match &node.kind {
        NodeKind::Map { .. } | NodeKind::Cast | NodeKind::Take { .. } => Node {
            kind: node.kind.clone(),
            args: args_through(node, through)?,
            layout: node.layout.clone(),
            ..*node
        },
        NodeKind::Pieces { pieces } => {
            let inside = |of: &Piece| {
                let mut axes = of.start.iter().zip(&of.shape).zip(piece.start.iter().zip(&piece.shape));
                axes.all(|((&first, &length), (&start, &count))| {
                    start >= first && start + count <= first + length
                })
            };
            let at = pieces.iter().position(inside)?;
            let arg = match &node.args[at] {
                NodeArg::Scalar(scalar) => NodeArg::Scalar(*scalar),
                NodeArg::View(read) => {
                    let start: Dims =
                        piece.start.iter().zip(&pieces[at].start).map(|(at, first)| at - first).collect();
                    let layout = IndexMap::of_box(&start).apply(&read.layout, &piece.shape);
                    NodeArg::View(read.with_layout(layout))
                }
            };
            Node {
                kind: NodeKind::Cast,
                args: SmallVec::from_elem(arg, 1),
                layout: node.layout.clone(),
                ..*node
            }
        }
        NodeKind::Iota { .. } | NodeKind::Reduce { .. } => return None,
    };
    Some(Node { layout, ..made })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset of every element of a layout, in C order.
    fn offsets(layout: &Layout) -> Vec<isize> {
        let mut all = vec![layout.offset as isize];
        for (&length, &stride) in layout.shape.iter().zip(&layout.strides) {
            all =
                all.iter().flat_map(|first| (0..length as isize).map(move |i| first + i * stride)).collect();
        }
        all
    }

    /// What a view of an array shows of another array of the array's shape is what the map makes of that one's layout.
    fn check(view: &Layout, array: &Layout, other: &Layout) {
        let map = IndexMap::of(view, array).expect("steps within axes");
        let of_array = offsets(array);
        let of_other = offsets(other);
        let expected: Vec<isize> = offsets(view)
            .iter()
            .map(|at| of_other[of_array.iter().position(|o| o == at).expect("an element of the array")])
            .collect();
        assert_eq!(offsets(&map.apply(other, &view.shape)), expected, "{view:?}");
    }

    // A million comparisons, and nothing that Miri could find: this crate has no `unsafe` there.
    #[cfg_attr(miri, ignore)]
    #[test]
    fn views_show_the_same_elements_of_every_argument() {
        for array in [
            Layout::contiguous(&[4, 5, 6], 8),
            Layout::fortran(&[4, 5, 6], 8),
            Layout::dense(&[4, 5, 6], &[1, 0, 2], 8),
        ] {
            let mut broadcast = Layout::contiguous(&[4, 1, 6], 2).broadcast_to("test", &[4, 5, 6]).unwrap();
            broadcast.offset = 14;
            for other in [Layout::contiguous(&[4, 5, 6], 4), Layout::fortran(&[4, 5, 6], 1), broadcast] {
                check(&array, &array, &other);
                check(&array.slice_axis(1, 1, 1, 3), &array, &other);
                check(&array.slice_axis(0, 3, -1, 4).slice_axis(2, 5, -2, 3), &array, &other);
                check(&array.transpose(), &array, &other);
                check(&array.permute(&[2, 0, 1]).slice_axis(1, 1, 2, 2).insert_axis(1), &array, &other);
                check(&array.diagonal(1, 0, 1), &array, &other);
                check(&array.slice_axis(1, 2, 1, 1).remove_axis(1), &array, &other);
                check(
                    &array.slice_axis(0, 2, 1, 1).broadcast_to("test", &[3, 5, 6]).unwrap(),
                    &array,
                    &other,
                );
            }
        }
        let line = Layout::contiguous(&[24], 8);
        check(&line.reshape(&[2, 3, 4], 8).unwrap(), &line, &Layout::contiguous(&[24], 4));
    }

    #[test]
    fn steps_that_leave_an_axis_have_no_map() {
        let array = Layout::contiguous(&[4, 5], 8);
        assert!(IndexMap::of(&Layout::contiguous(&[20], 8), &array).is_none());
        let mut half = array.clone();
        half.offset = 4;
        assert!(IndexMap::of(&half.slice_axis(1, 0, 1, 4), &array).is_none());
    }

    #[test]
    fn boxes_cover_a_shape() {
        let made = boxes(&[5, 4], &[(0, 2), (1, 3), (0, 2)]);
        let ends: Vec<_> = made.iter().map(|b| (b.start.to_vec(), b.shape.to_vec())).collect();
        let expected = [([0, 0], [2, 3]), ([0, 3], [2, 1]), ([2, 0], [3, 3]), ([2, 3], [3, 1])];
        assert_eq!(ends, expected.map(|(start, shape)| (start.to_vec(), shape.to_vec())));
    }
}
