//! What an index with arrays in it means: the view it reads, the positions along each indexed axis, and the order of the
//! result's axes. The rules are NumPy's.

use cuprum_core::{DType, Dims, Error, Index, Number, Order, Result, Scalar, broadcast_shapes, show_shape};

use super::{Checks, Item, take, value_array, value_mismatch, without_leading_ones};
use crate::Array;
use crate::elementwise::Arg;

/// An index, worked out against an array.
pub(crate) struct IndexPlan {
    /// The array after the basic items, indexed axes first.
    pub source: Array,
    /// Positions along each of those axes, of shape `selection` once they are checked.
    pub indices: Vec<Array>,
    /// The shape that the index arrays broadcast to.
    pub selection: Dims,
    /// How the positions were checked.
    pub checks: Checks,
    /// How many of the other axes come before the selection's in the result.
    before: usize,
    op: &'static str,
    /// The number and the length of each indexed axis.
    axes: Vec<(usize, usize)>,
}

/// An item with its masks turned into positions.
enum IndexEntry {
    Basic(Index),
    /// Positions along one axis.
    Positions(Array),
    /// A mask of no dimensions: it takes no axis, and selects once or not at all.
    Truth(usize),
}

impl IndexPlan {
    /// The plan with all positions checked.
    pub fn new(op: &'static str, a: &Array, items: &[Item<'_>]) -> Result<IndexPlan> {
        IndexPlan::unchecked(op, a, items)?.checked()
    }

    /// The plan of a gather, which may check the positions itself if there is a single index array.
    pub fn for_reading(op: &'static str, a: &Array, items: &[Item<'_>]) -> Result<IndexPlan> {
        let plan = IndexPlan::unchecked(op, a, items)?;
        match items {
            [Item::Array(_)] if a.size() > 0 => plan.checked_by(Checks::check_in_gather),
            _ => plan.checked(),
        }
    }

    /// The plan before its positions are checked. Whatever else can fail at the call fails before that: the error of a
    /// position may come later, and must not come after another one of the same call.
    pub fn unchecked(op: &'static str, a: &Array, items: &[Item<'_>]) -> Result<IndexPlan> {
        check_number(op, a, items)?;
        let entries = entries(op, a, items)?;
        let separated = is_separated(&entries);
        let mut basic: Vec<Index> = Vec::with_capacity(entries.len());
        let mut found: Vec<(usize, usize, Array)> = Vec::new();
        let mut truths: Vec<usize> = Vec::new();
        let consumed = entries.iter().filter(|e| takes_axis(e)).count();
        let (mut axis, mut source_axis) = (0, 0);
        let mut before = None;
        for entry in entries {
            match entry {
                IndexEntry::Basic(index) => {
                    basic.push(index);
                    let skipped = if index == Index::Ellipsis { a.ndim() - consumed } else { 1 };
                    axis += skipped;
                    source_axis += if index == Index::NewAxis { 0 } else { skipped };
                }
                IndexEntry::Positions(positions) => {
                    // All indexed axes so far stand in `axis`, and none of them in the result before the first.
                    before.get_or_insert(axis);
                    basic.push(Index::ALL);
                    found.push((axis, source_axis, positions));
                    axis += 1;
                    source_axis += 1;
                }
                IndexEntry::Truth(count) => {
                    before.get_or_insert(axis);
                    truths.push(count);
                }
            }
        }
        let selection = selection_shape(op, &found, &truths)?;
        let view = a.with_layout(a.layout().index(op, &basic)?);
        let indexed: Dims = found.iter().map(|f| f.0).collect();
        let mut order = indexed.clone();
        order.extend((0..view.ndim()).filter(|x| !indexed.contains(x)));
        let axes = found.iter().map(|&(_, axis, _)| (axis, a.shape()[axis])).collect();
        let indices = found.into_iter().map(|(_, _, positions)| positions).collect();
        let before = if separated { 0 } else { before.unwrap_or(0) };
        let source = view.with_layout(view.layout().permute(&order));
        Ok(IndexPlan { source, indices, selection, checks: Checks::new(op), before, op, axes })
    }

    /// The plan with all positions checked.
    pub fn checked(self) -> Result<IndexPlan> {
        self.checked_by(Checks::check)
    }

    fn checked_by(
        mut self,
        check: fn(&mut Checks, &Array, usize, usize) -> Result<Array>,
    ) -> Result<IndexPlan> {
        for (positions, &(axis, length)) in self.indices.iter_mut().zip(&self.axes) {
            // Positions that are broadcast away select nothing and may be anything, as in NumPy.
            let unused = self.selection.contains(&0) && positions.ndim() > 0;
            let checked = if unused {
                positions.astype_ordered(DType::I64, Order::C)?
            } else {
                check(&mut self.checks, positions, axis, length)?
            };
            let wide = checked.with_layout(checked.layout().broadcast_to(self.op, &self.selection)?);
            *positions = wide.contiguous()?;
        }
        Ok(self)
    }

    /// The order that takes axes (selection, others) to the result's (others before, selection, others after).
    pub fn result_order(&self) -> Dims {
        let (chosen, ndim) = (self.selection.len(), self.selection.len() + self.others().len());
        let mut order: Dims = (chosen..chosen + self.before).collect();
        order.extend(0..chosen);
        order.extend(chosen + self.before..ndim);
        order
    }

    fn others(&self) -> &[usize] {
        &self.source.shape()[self.indices.len()..]
    }

    /// The shape that reading by the index gives.
    pub fn result_shape(&self) -> Dims {
        let mut shape = Dims::from_slice(&self.others()[..self.before]);
        shape.extend_from_slice(&self.selection);
        shape.extend_from_slice(&self.others()[self.before..]);
        shape
    }

    /// A value in a dtype, broadcast to the result and with its axes in the order (selection, others).
    pub fn value_for(&self, op: &'static str, dtype: DType, value: Arg<'_>) -> Result<Array> {
        let array = value_array(op, value, &self.source, dtype)?;
        let shape = self.result_shape();
        let mut trimmed = without_leading_ones(&array, shape.len());
        // Nothing is stored where there are no elements and no places: surplus leading axes may then have any length.
        while array.size() == 0 && shape.contains(&0) && trimmed.ndim() > shape.len() {
            trimmed = trimmed.remove_axis(0);
        }
        let wide = trimmed.broadcast_to(op, &shape).map_err(|_| value_mismatch(op, array.shape(), &shape))?;
        let mut inverse: Dims = shape.clone();
        for (place, &axis) in self.result_order().iter().enumerate() {
            inverse[axis] = place;
        }
        Ok(array.with_layout(wide.permute(&inverse)))
    }
}

fn takes_axis(entry: &IndexEntry) -> bool {
    match entry {
        IndexEntry::Basic(index) => index.consumes(),
        IndexEntry::Positions(_) => true,
        IndexEntry::Truth(_) => false,
    }
}

fn check_number(op: &'static str, a: &Array, items: &[Item<'_>]) -> Result<()> {
    let is_ellipsis = |item: &&Item<'_>| matches!(item, Item::Basic(Index::Ellipsis));
    if items.iter().filter(is_ellipsis).count() > 1 {
        return Err(Error::bad_index(op, "an index can only have a single ellipsis ('...')"));
    }
    let consumed: usize = items
        .iter()
        .map(|item| match item {
            Item::Basic(index) => index.consumes() as usize,
            Item::Array(_) => 1,
            Item::Mask(mask) => mask.ndim(),
        })
        .sum();
    if consumed > a.ndim() {
        let message = format!(
            "too many indices for array: array is {}-dimensional, but {consumed} were indexed",
            a.ndim()
        );
        return Err(Error::bad_index(op, message));
    }
    Ok(())
}

/// The items with masks turned into positions and, since there is an array among them, integers into arrays.
fn entries(op: &'static str, a: &Array, items: &[Item<'_>]) -> Result<Vec<IndexEntry>> {
    let consumed: usize = items
        .iter()
        .map(|item| match item {
            Item::Basic(index) => index.consumes() as usize,
            Item::Array(_) => 1,
            Item::Mask(mask) => mask.ndim(),
        })
        .sum();
    let mut out = Vec::with_capacity(items.len());
    let mut axis = 0;
    for item in items {
        match item {
            Item::Basic(Index::Int(i)) => {
                let scalar = Scalar::wrapping(Number::Int(*i as i128), DType::I64);
                out.push(IndexEntry::Positions(Array::from_scalar_on(a.device(), scalar)?));
                axis += 1;
            }
            Item::Basic(index) => {
                out.push(IndexEntry::Basic(*index));
                axis += match index {
                    Index::Ellipsis => a.ndim() - consumed,
                    other => other.consumes() as usize,
                };
            }
            Item::Array(positions) => {
                let integers = positions.dtype().is_integral() && positions.dtype() != DType::Bool;
                // An empty list has no integers to show; NumPy takes it as an index.
                if !integers && positions.size() > 0 {
                    let message = "arrays used as indices must be of integer (or boolean) type";
                    return Err(Error::bad_index(op, message));
                }
                out.push(IndexEntry::Positions((*positions).clone()));
                axis += 1;
            }
            Item::Mask(mask) if mask.ndim() == 0 => {
                let holds = matches!(mask.scalar()?.number(), Number::Bool(true));
                out.push(IndexEntry::Truth(holds as usize));
            }
            Item::Mask(mask) => {
                check_mask(op, mask, a.shape(), axis)?;
                out.extend(take::true_positions(mask)?.into_iter().map(IndexEntry::Positions));
                axis += mask.ndim();
            }
        }
    }
    Ok(out)
}

/// A mask must have the lengths of the axes it indexes; one without elements fits any length where it has none.
fn check_mask(op: &'static str, mask: &Array, shape: &[usize], first: usize) -> Result<()> {
    if first + mask.ndim() > shape.len() {
        let message = format!(
            "too many indices for array: array is {}-dimensional, but {} were indexed",
            shape.len(),
            first + mask.ndim()
        );
        return Err(Error::bad_index(op, message));
    }
    for (i, &length) in mask.shape().iter().enumerate() {
        let (axis, size) = (first + i, shape[first + i]);
        if length != size && length != 0 {
            let message = format!(
                "boolean index did not match indexed array along axis {axis}; size of axis is {size} but size of \
                 corresponding boolean axis is {length}"
            );
            return Err(Error::bad_index(op, message));
        }
    }
    Ok(())
}

/// Whether basic items stand between array items: then the selection's axes come first.
fn is_separated(entries: &[IndexEntry]) -> bool {
    let is_array = |entry: &IndexEntry| !matches!(entry, IndexEntry::Basic(_));
    let first = entries.iter().position(is_array).unwrap_or(0);
    let last = entries.iter().rposition(is_array).unwrap_or(0);
    entries[first..last].iter().any(|e| !is_array(e))
}

fn selection_shape(op: &'static str, found: &[(usize, usize, Array)], truths: &[usize]) -> Result<Dims> {
    let counts: Vec<[usize; 1]> = truths.iter().map(|&n| [n]).collect();
    let mut shapes: Vec<&[usize]> = found.iter().map(|f| f.2.shape()).collect();
    shapes.extend(counts.iter().map(|c| c.as_slice()));
    broadcast_shapes(op, &shapes).map_err(|_| {
        let shown: Vec<String> = shapes.iter().map(|s| show_shape(s)).collect();
        let message = format!(
            "shape mismatch: indexing arrays could not be broadcast together with shapes {}",
            shown.join(" ")
        );
        Error::bad_index(op, message)
    })
}

/// Positions in C order under another shape.
pub(super) fn contiguous_as(a: &Array, shape: &[usize]) -> Result<Array> {
    crate::manipulation::broadcast_to(a, shape)?.copy(Order::C)
}
