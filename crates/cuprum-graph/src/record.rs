//! Recording: elementwise ops and reductions become nodes, or run at once where recording would cost more than it saves.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cuprum_core::{DType, Dims, Error, Layout, Op, Order, Reduction, Result, Scalar, nesting_of};
use smallvec::SmallVec;

use crate::events::line_of_work;
use crate::parts::around;
use crate::shortcuts::{reduce_whole, run_eager, run_single_node};
use crate::take::check_take;
use crate::{
    Args, DeviceRef, Node, NodeArg, NodeKind, NodeWork, Piece, ShortSum, Storage, View, eager, mixed_devices,
    pending, plan, same_device,
};

/// Pending work of more nodes than this runs before more is recorded on top.
const MAX_NODES: usize = 64;
/// Pending work that reads more distinct arrays than this runs before more is recorded on top.
const MAX_LEAVES: usize = 16;

/// Elements along an axis that are summed by additions at most, and additions and what they add up then.
const SHORT_SUM_MAX: usize = 8;
const SHORT_SUM_NODES: usize = 32;

/// Halves of a small array begin to be computed at so many times the nodes at which other parts do.
const DEEP_BY_HALVES: usize = 3;

static DEFER: AtomicBool = AtomicBool::new(true);

/// Whether work is recorded; `CUPRUM_DEFER=0` makes everything run at once.
pub fn defer_enabled() -> bool {
    DEFER.load(Ordering::Relaxed)
}

/// Switches recording on or off.
pub fn set_defer(on: bool) {
    DEFER.store(on, Ordering::Relaxed);
}

/// The dense layout of an elementwise result: NumPy's K order over the arguments unless another is asked for.
pub fn result_layout(shape: &[usize], itemsize: usize, args: &[NodeArg], order: Order) -> Layout {
    let operands: SmallVec<[Operand<'_>; 3]> = args.iter().map(Operand::of).collect();
    layout_among(shape, itemsize, &operands, order)
}

/// As [`result_layout`], for operands that need not be broadcast.
pub fn layout_among(shape: &[usize], itemsize: usize, operands: &[Operand<'_>], order: Order) -> Layout {
    match order {
        // Which arrays are in Fortran's order was seen before they were broadcast: the caller has settled `A`.
        Order::C | Order::A => return Layout::contiguous(shape, itemsize),
        Order::F => return Layout::fortran(shape, itemsize),
        Order::K => {}
    }
    let views = operands.iter().filter_map(Operand::view);
    // Rows of rows, repeated or not, make none of another order.
    let in_rows = |view: &View| view.layout.is_contiguous(view.dtype.size());
    if shape.len() < 2 || (!shape.contains(&0) && views.clone().all(in_rows)) {
        return Layout::contiguous(shape, itemsize);
    }
    let in_columns = |view: &View| *view.layout.shape == *shape && view.layout.is_fortran(view.dtype.size());
    if !shape.contains(&0) && views.clone().all(in_columns) {
        return Layout::fortran(shape, itemsize);
    }
    let stretched: SmallVec<[Cow<'_, Layout>; 3]> = views
        .map(|view| match view.layout.broadcast_to("broadcast", shape) {
            Ok(layout) if *view.layout.shape != *shape => Cow::Owned(layout),
            _ => Cow::Borrowed(&view.layout),
        })
        .collect();
    let layouts: SmallVec<[&Layout; 3]> = stretched.iter().map(|layout| &**layout).collect();
    Layout::dense(shape, &nesting_of(&layouts), itemsize)
}

/// Records `op` over arguments that are broadcast to `layout`'s shape already; its loop runs in `dtype`.
pub fn map(device: DeviceRef, op: Op, dtype: DType, mut args: Args, layout: Layout) -> Result<View> {
    for (i, arg) in args.iter_mut().enumerate() {
        if let NodeArg::Scalar(scalar) = arg {
            *scalar = scalar.cast(op.input(i, dtype));
        }
    }
    let output = op.output(dtype);
    record(device, NodeKind::Map { op, dtype }, args, layout, output)
}

/// Records a conversion (or a copy, when the dtype is the same).
pub fn cast(device: DeviceRef, source: NodeArg, dtype: DType, layout: Layout) -> Result<View> {
    record(device, NodeKind::Cast, SmallVec::from_elem(source, 1), layout, dtype)
}

/// Records the elements of an array in another dtype, or a copy of them.
pub fn converted(view: &View, dtype: DType, layout: Layout) -> Result<View> {
    let device = view.storage.device();
    let operands = [Operand::View(view)];
    let small = NodeWork { kind: &NodeKind::Cast, operands: &operands, layout: &layout, dtype };
    if view.layout.shape == layout.shape
        && let Some(storage) = run_eager(device, &small)?
    {
        return Ok(View::of(storage, layout, dtype));
    }
    cast(device, NodeArg::View(view.clone()), dtype, layout)
}

/// Records an array of one value.
pub fn fill(device: DeviceRef, value: Scalar, layout: Layout) -> Result<View> {
    cast(device, NodeArg::Scalar(value), value.dtype(), layout)
}

/// Records an array that is put together from pieces: each argument fills one box of it, and they cover it without overlap.
/// Nothing is copied where the readers of the result can read the pieces instead.
pub fn assemble(
    device: DeviceRef,
    pieces: Vec<Piece>,
    args: Args,
    layout: Layout,
    dtype: DType,
) -> Result<View> {
    record(device, NodeKind::Pieces { pieces: pieces.into() }, args, layout, dtype)
}

/// Records positions along an axis, as int64.
pub fn iota(device: DeviceRef, shape: &[usize], axis: usize) -> Result<View> {
    let layout = Layout::contiguous(shape, DType::I64.size());
    record(device, NodeKind::Iota { axis }, SmallVec::new(), layout, DType::I64)
}

/// Records a reduction over `axes` (ascending); the result keeps the other axes, nested as in the argument.
pub fn reduce(op: Reduction, dtype: DType, arg: &View, axes: SmallVec<[usize; 4]>) -> Result<View> {
    check_axes(op, &axes, arg)?;
    let output = op.output(dtype);
    if axes.len() == arg.layout.ndim()
        && let Some(view) = reduce_whole(op, dtype, arg)?
    {
        return Ok(view);
    }
    let (mut kept, mut shape) = (Dims::new(), Dims::new());
    for (axis, &length) in arg.layout.shape.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)) {
        kept.push(axis);
        shape.push(length);
    }
    let layout = if kept.len() < 2 {
        Layout::contiguous(&shape, output.size())
    } else {
        let nested = arg.layout.nesting();
        let nesting: Dims = nested.iter().filter_map(|axis| kept.iter().position(|k| k == axis)).collect();
        Layout::dense(&shape, &nesting, output.size())
    };
    let device = arg.storage.device();
    let kind = NodeKind::Reduce { op, dtype, axes };
    let operands = [Operand::View(arg)];
    let small = NodeWork { kind: &kind, operands: &operands, layout: &layout, dtype: output };
    if let Some(storage) = run_eager(device, &small)? {
        return Ok(View::of(storage, layout, output));
    }
    if let (Reduction::Sum, &[axis]) = (op, axes_of(&kind))
        && let Some(view) = short_sum(device, dtype, arg, axis, &layout)?
    {
        return Ok(view);
    }
    record(device, kind, SmallVec::from_elem(NodeArg::View(arg.clone()), 1), layout, output)
}

fn axes_of(kind: &NodeKind) -> &[usize] {
    match kind {
        NodeKind::Reduce { axes, .. } => axes,
        _ => &[],
    }
}

/// Records a sum of few pending elements as additions, in the order in which the device adds them up: they fuse with what reads
/// the sum. `None` where it is better reduced.
fn short_sum(
    device: DeviceRef,
    dtype: DType,
    arg: &View,
    axis: usize,
    layout: &Layout,
) -> Result<Option<View>> {
    let length = arg.layout.shape[axis];
    let is_integer = |dtype: DType| dtype.is_integral() && dtype != DType::Bool;
    let is_exact = arg.dtype == dtype || (is_integer(arg.dtype) && is_integer(dtype));
    let nodes = arg.storage.bounds().map_or(0, |(nodes, _)| nodes);
    let takes = |node: &Arc<Node>| node.is_elementwise() && length * nodes <= SHORT_SUM_NODES;
    if !(2..=SHORT_SUM_MAX).contains(&length)
        || layout.size() == 0
        || !is_exact
        || !defer_enabled()
        || !arg.storage.node().as_ref().is_some_and(takes)
    {
        return Ok(None);
    }
    let nesting = arg.layout.nesting();
    let sum = ShortSum { shape: &arg.layout.shape, axis, nesting: &nesting, dtype };
    let Some(joins) = device.short_sum(&sum) else { return Ok(None) };
    let wide = match dtype {
        DType::F32 => DType::F64,
        DType::F16 | DType::BF16 => DType::F32,
        DType::F64 => dtype,
        _ if is_integer(dtype) => dtype,
        _ => return Ok(None),
    };
    let mut places: SmallVec<[NodeArg; 8]> = (0..length)
        .map(|at| {
            let part = arg.layout.slice_axis(axis, at, 1, 1).remove_axis(axis);
            NodeArg::View(arg.with_layout(part))
        })
        .collect();
    let wide_layout = Layout::dense(&layout.shape, &layout.nesting(), wide.size());
    for (to, from) in joins {
        let args = SmallVec::from_buf([places[to].clone(), places[from].clone()]);
        places[to] = NodeArg::View(map(device, Op::Add, wide, args, wide_layout.clone())?);
    }
    let mut total = places.swap_remove(0);
    if !is_integer(dtype) {
        // Sums begin with zero, so that one of negative zeros is a positive one.
        let args = SmallVec::from_buf([total, NodeArg::Scalar(Scalar::zero(wide))]);
        total = NodeArg::View(map(device, Op::Add, wide, args, wide_layout)?);
    }
    match total {
        NodeArg::View(view) if wide == dtype && view.layout == *layout => Ok(Some(view)),
        total => cast(device, total, dtype, layout.clone()).map(Some),
    }
}

/// Records a node; computes it at the call where nothing is deferred, or its elements are few and its arguments ready.
pub(crate) fn record(
    device: DeviceRef,
    kind: NodeKind,
    args: Args,
    layout: Layout,
    dtype: DType,
) -> Result<View> {
    check_devices(device, &kind, &args)?;
    for view in arg_views(&args).filter(|view| is_due_part(view)) {
        run_due(view)?;
    }
    let (depth, leaves) = bounds(&args);
    let mut node = Node { kind, args, layout, dtype, depth, leaves, line: 0 };
    check_node(&node)?;
    if !node.layout.lies_within(dtype.size(), result_bytes(&node.layout, dtype)) {
        return Err(Error::value(node.kind.name(), "the layout of a result is not dense"));
    }
    let work = node.iteration().iter().product::<usize>();
    node.line = line_of_work(device, work, || arg_views(&node.args));
    let is_eager = node.depth == 1 && (work == 0 || eager(device, work).is_some());
    if is_eager || !defer_enabled() {
        return match node.as_work(|work| run_eager(device, work))? {
            Some(storage) => Ok(View::of(storage, node.layout, node.dtype)),
            None => run_now(device, node),
        };
    }
    if node.depth > MAX_NODES || node.leaves > MAX_LEAVES {
        (node.depth, node.leaves) = plan::measure(&node).bounds;
    }
    if node.depth > MAX_NODES || node.leaves > MAX_LEAVES {
        force_args(&node)?;
        (node.depth, node.leaves) = bounds(&node.args);
    }
    pending::check_room(device, result_bytes(&node.layout, node.dtype), node.leaves == 0 && depth == 1)?;
    if pending::is_due() {
        pending::relieve(device)?;
    }
    Ok(keep(device, Arc::new(node)))
}

/// An argument that its owner keeps.
#[derive(Clone, Copy)]
pub enum Operand<'a> {
    /// An array.
    View(&'a View),
    /// One value for every element.
    Scalar(Scalar),
}

impl<'a> Operand<'a> {
    /// A node's argument.
    pub(crate) fn of(source: &'a NodeArg) -> Operand<'a> {
        match source {
            NodeArg::View(view) => Operand::View(view),
            NodeArg::Scalar(scalar) => Operand::Scalar(*scalar),
        }
    }

    #[inline]
    fn source(&self) -> NodeArg {
        match self {
            Operand::View(view) => NodeArg::View((*view).clone()),
            Operand::Scalar(scalar) => NodeArg::Scalar(*scalar),
        }
    }

    #[inline]
    pub(crate) fn view(&self) -> Option<&'a View> {
        match self {
            Operand::View(view) => Some(view),
            Operand::Scalar(_) => None,
        }
    }
}

/// Records an op over one or two ready or pending operands on one device that are broadcast and in the loop's dtypes
/// already, if that needs nothing to run; `None` where it does.
///
/// # Safety
/// The op takes as many operands and has a loop of the dtype; arrays have the layout's shape and are on the device; the layout
/// is dense.
#[allow(unsafe_code, reason = "the fast path has checked what is recorded")]
#[inline]
pub unsafe fn try_record(
    device: DeviceRef,
    op: Op,
    dtype: DType,
    first: &Operand<'_>,
    second: Option<&Operand<'_>>,
    layout: Layout,
) -> Option<View> {
    let output = op.output(dtype);
    // Each array once: `a + a` has one leaf, and one reader more.
    let (a, b) = (first.view(), second.and_then(Operand::view));
    let b = b.filter(|b| !a.is_some_and(|a| Arc::ptr_eq(&a.storage, &b.storage)));
    let reads = || a.into_iter().chain(b);
    let bytes = result_bytes(&layout, output);
    if !defer_enabled() || pending::is_due() || !pending::fits_beside(device, bytes, reads()) {
        return None;
    }
    if reads().any(is_due_part) {
        return None;
    }
    let (mut depth, mut leaves) = (1usize, 0usize);
    for view in reads() {
        let (nodes, inputs) = view.storage.bounds().unwrap_or((0, 1));
        (depth, leaves) = (depth.saturating_add(nodes), leaves.saturating_add(inputs));
    }
    if depth > MAX_NODES || leaves > MAX_LEAVES {
        return None;
    }
    let node = Arc::new(Node {
        kind: NodeKind::Map { op, dtype },
        args: match second {
            Some(second) => Args::from_buf([first.source(), second.source()]),
            None => SmallVec::from_iter([first.source()]),
        },
        layout: layout.clone(),
        dtype: output,
        depth,
        leaves,
        line: line_of_work(device, layout.size(), reads),
    });
    let storage = Storage::pending(device, node);
    for view in reads() {
        view.storage.add_reader(&storage);
    }
    pending::note(&storage, reads());
    Some(View::of(storage, layout, output))
}

/// An error unless the axes are those of the argument, in ascending order.
fn check_axes(op: Reduction, axes: &[usize], arg: &View) -> Result<()> {
    let ascend = axes.windows(2).all(|pair| pair[0] < pair[1]);
    if ascend && axes.last().is_none_or(|&last| last < arg.layout.ndim()) {
        return Ok(());
    }
    Err(Error::value(op.row().name, "the axes of a reduction are not those of its argument, in order"))
}

/// An error unless the arguments are as many as the node's kind takes, of its shape, and there is a loop of its dtype.
pub(crate) fn check_node(node: &Node) -> Result<()> {
    let fits = |arg: &NodeArg| match arg {
        NodeArg::View(view) => view.layout.shape == node.layout.shape,
        NodeArg::Scalar(_) => true,
    };
    let ndim = node.layout.ndim();
    let is_sound = match &node.kind {
        NodeKind::Map { op, dtype } => op.has_loop(*dtype) && node.args.iter().all(fits),
        NodeKind::Cast => node.args.iter().all(fits),
        NodeKind::Iota { axis } => *axis < ndim && node.dtype == DType::I64,
        NodeKind::Take { .. } => check_take(node),
        NodeKind::Reduce { op, axes, .. } => match node.args.first() {
            Some(NodeArg::View(view)) => check_axes(*op, axes, view).is_ok(),
            _ => false,
        },
        NodeKind::Pieces { pieces } => check_pieces(pieces, node),
    };
    if is_sound && node.args.len() == node.kind.operands() {
        return Ok(());
    }
    Err(Error::value(node.kind.name(), "the arguments do not fit the work that is to be recorded"))
}

/// Whether pieces cover a node's result without overlap, and its arguments have their shapes and its dtype.
fn check_pieces(pieces: &[Piece], node: &Node) -> bool {
    let shape = &node.layout.shape;
    let is_inside = |piece: &Piece| {
        let ends = piece.start.iter().zip(&piece.shape).map(|(start, length)| start.checked_add(*length));
        piece.start.len() == shape.len()
            && piece.shape.len() == shape.len()
            && ends.zip(shape).all(|(end, length)| end.is_some_and(|end| end <= *length))
    };
    let fits = |(piece, arg): (&Piece, &NodeArg)| match arg {
        NodeArg::View(view) => view.layout.shape == piece.shape && view.dtype == node.dtype,
        NodeArg::Scalar(scalar) => scalar.dtype() == node.dtype,
    };
    let are_apart = || pieces.iter().enumerate().all(|(i, a)| pieces[..i].iter().all(|b| !a.overlaps(b)));
    let covered = || pieces.iter().map(|piece| piece.shape.iter().product::<usize>()).sum::<usize>();
    pieces.iter().all(is_inside)
        && pieces.iter().zip(&node.args).all(fits)
        && are_apart()
        && covered() == node.layout.size()
}

/// An error unless all arguments are on the device.
pub(crate) fn check_devices(device: DeviceRef, kind: &NodeKind, args: &[NodeArg]) -> Result<()> {
    for arg in args {
        if let NodeArg::View(view) = arg
            && !same_device(view.storage.device(), device)
        {
            return Err(mixed_devices(kind.name(), device, view.storage.device()));
        }
    }
    Ok(())
}

/// A node that is checked as pending work of its own; `None` where its arguments would have to run first.
pub(crate) fn pending_node(device: DeviceRef, node: Node) -> Option<View> {
    let (depth, leaves) = bounds(&node.args);
    (depth <= MAX_NODES && leaves <= MAX_LEAVES)
        .then(|| keep(device, Arc::new(Node { depth, leaves, ..node })))
}

/// The content of an array of which one box is something else; `None` where that would be too much pending work.
pub(crate) fn put_together(before: &View, piece: Piece, value: View) -> Option<Arc<Node>> {
    let mut pieces = around(&piece, &before.layout.shape);
    let part = |piece: &Piece| {
        let axes = piece.start.iter().zip(&piece.shape).enumerate();
        let layout = axes.fold(before.layout.clone(), |layout, (axis, (&start, &length))| {
            layout.slice_axis(axis, start, 1, length)
        });
        NodeArg::View(before.with_layout(layout))
    };
    let mut args: Args = pieces.iter().map(part).collect();
    pieces.push(piece);
    args.push(NodeArg::View(value));
    let (depth, leaves) = bounds(&args);
    let kind = NodeKind::Pieces { pieces: pieces.into() };
    let (layout, dtype) = (before.layout.clone(), before.dtype);
    let line = line_of_work(before.storage.device(), layout.size(), || arg_views(&args));
    let node = Node { kind, args, layout, dtype, depth, leaves, line };
    (depth <= MAX_NODES && leaves <= MAX_LEAVES && check_node(&node).is_ok()).then(|| Arc::new(node))
}

/// Makes the node pending, known to all that it reads.
fn keep(device: DeviceRef, node: Arc<Node>) -> View {
    let (layout, dtype) = (node.layout.clone(), node.dtype);
    let storage = Storage::pending(device, node.clone());
    for view in views(&node) {
        view.storage.add_reader(&storage);
    }
    pending::note(&storage, views(&node));
    if node.is_take() {
        pending::hand_over(device.pinned_limit());
    }
    View::of(storage, layout, dtype)
}

fn result_bytes(layout: &Layout, dtype: DType) -> usize {
    layout.size().saturating_mul(dtype.size())
}

/// Computes an op at the call, without a Program, over operands whose shapes broadcast to the layout's; `None` unless there are
/// few elements and all operands are materialised.
pub fn map_small(
    device: DeviceRef,
    op: Op,
    dtype: DType,
    operands: &[Operand<'_>],
    layout: Layout,
) -> Result<Option<View>> {
    let kind = NodeKind::Map { op, dtype };
    let output = op.output(dtype);
    let work = NodeWork { kind: &kind, operands, layout: &layout, dtype: output };
    Ok(run_eager(device, &work)?.map(|storage| View::of(storage, layout, output)))
}

fn run_now(device: DeviceRef, node: Node) -> Result<View> {
    let (layout, dtype) = (node.layout.clone(), node.dtype);
    let buffer = match run_single_node(device, &node) {
        Some(done) => done?,
        None => plan::run_node(device, Arc::new(node))?,
    };
    Ok(View::of(Storage::ready(device, buffer), layout, dtype))
}

/// Whether a view is a part of much pending work: computing the part with each reader would cost more than storing the array, so
/// it begins at once. In a loop whose steps read parts of the last one's results
/// (slices, rolls, broadcasting) every step then has the same plan. Halves of a small array, and smaller parts, need not
/// overlap: they wait for more.
#[inline]
fn is_due_part(view: &View) -> bool {
    let Some((nodes, _)) = view.storage.bounds() else { return false };
    let cost = view.storage.device().start_cost();
    let Some(deep) = cost.deep_nodes.filter(|&deep| nodes >= deep) else { return false };
    let (bytes, of) = (view.layout.size() * view.dtype.size(), view.storage.bytes());
    let waits = || {
        let elements = of / view.dtype.size().max(1);
        is_half(view) && nodes < deep * DEEP_BY_HALVES && elements * deep * DEEP_BY_HALVES <= cost.ops
    };
    bytes != of && !waits() && !(bytes > of && is_of_rows(view))
}

/// Whether a view repeats, along rows, what was reduced from rows of its own shape: reductions, what is made of their results
/// and what reads it are then one Program (`cluster/rows.rs`).
fn is_of_rows(view: &View) -> bool {
    let shape = &view.layout.shape;
    let mut stack: SmallVec<[Arc<Node>; 8]> = view.storage.node().into_iter().collect();
    for _ in 0..MAX_NODES {
        let Some(node) = stack.pop() else { return false };
        match (&node.kind, &node.args[..]) {
            (NodeKind::Reduce { axes, .. }, [NodeArg::View(arg)]) => {
                let is_innermost = axes.iter().rev().zip((0..shape.len()).rev()).all(|(a, b)| *a == b);
                if arg.layout.shape == *shape && is_innermost {
                    return true;
                }
            }
            _ if node.is_elementwise() => {
                let results = views(&node).filter(|arg| arg.layout.size() < view.layout.size());
                stack.extend(results.filter_map(|arg| arg.storage.node()));
            }
            _ => {}
        }
    }
    false
}

/// Whether a view reads at most half of its array.
#[inline]
fn is_half(view: &View) -> bool {
    view.layout.size() * view.dtype.size() <= view.storage.bytes() / 2
}

/// Runs the work that a due part is of. What of it is broadcast is stored before in any case: that runs, and the rest stays
/// pending if it is not much any more. Where nothing is, all of it runs, so that each step of a loop has the plan of the last;
/// but for halves that are found to wait once shared nodes are counted once.
fn run_due(view: &View) -> Result<()> {
    let storage = &view.storage;
    if let Some(node) = storage.node() {
        let mut counted = plan::measure(&node);
        let before = plan::stored_before(storage, &node, &counted);
        if before.is_empty() && !is_half(view) {
            return storage.run();
        }
        if !before.is_empty() {
            for one in before {
                one.run()?;
            }
            counted = plan::measure(&node);
        }
        storage.set_bounds(&node, counted.bounds);
        if !is_due_part(view) {
            return Ok(());
        }
    }
    storage.run()
}

pub(crate) fn views(node: &Node) -> impl Iterator<Item = &View> {
    arg_views(&node.args)
}

pub(crate) fn arg_views(args: &[NodeArg]) -> impl Iterator<Item = &View> {
    args.iter().filter_map(|arg| match arg {
        NodeArg::View(view) => Some(view),
        NodeArg::Scalar(_) => None,
    })
}

/// Upper bounds on the pending nodes, the new one included, and on the ready arrays behind these arguments; shared ones
/// may count twice.
fn bounds(args: &[NodeArg]) -> (usize, usize) {
    let (mut depth, mut leaves) = (1usize, 0usize);
    for (i, arg) in args.iter().enumerate() {
        let NodeArg::View(view) = arg else { continue };
        let seen =
            |other: &NodeArg| matches!(other, NodeArg::View(v) if Arc::ptr_eq(&v.storage, &view.storage));
        if args[..i].iter().any(seen) {
            continue;
        }
        match view.storage.bounds() {
            Some((d, l)) => {
                depth = depth.saturating_add(d);
                leaves = leaves.saturating_add(l);
            }
            None => leaves += 1,
        }
    }
    (depth, leaves)
}

fn force_args(node: &Node) -> Result<()> {
    for view in views(node) {
        view.storage.force()?;
    }
    Ok(())
}
