//! Shapes and strides: how an array's elements lie in its storage. Strides and offsets are in bytes, as NumPy's.

use smallvec::SmallVec;

use crate::{Error, Result};

/// The lengths of an array's axes.
pub type Dims = SmallVec<[usize; 4]>;
/// The byte step along each axis.
pub type Strides = SmallVec<[isize; 4]>;

/// The most dimensions an array may have: NumPy's limit.
pub const MAX_DIMS: usize = 64;

/// The order in which elements are laid out or read: NumPy's `order=`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Row by row.
    C,
    /// Column by column.
    F,
    /// Column by column if the array is so already, else row by row.
    A,
    /// As close to the operands' own as possible.
    K,
}

impl Order {
    /// The order of that letter.
    pub fn from_name(name: &str) -> Option<Order> {
        match name {
            "C" | "c" => Some(Order::C),
            "F" | "f" => Some(Order::F),
            "A" | "a" => Some(Order::A),
            "K" | "k" => Some(Order::K),
            _ => None,
        }
    }
}

/// Where the elements of an array lie: shape, byte strides and the byte offset of the first element.
///
/// ```
/// use cuprum_core::Layout;
/// let rows = Layout::contiguous(&[2, 3], 8);
/// assert_eq!(rows.strides.as_slice(), &[24, 8]);
/// assert_eq!(rows.transpose().strides.as_slice(), &[8, 24]);
/// ```
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// The lengths of the axes.
    pub shape: Dims,
    /// The byte step along each axis.
    pub strides: Strides,
    /// The byte offset of the element at index 0, 0, ...
    pub offset: usize,
}

/// Every view clones its layout: few axes are copied without a call or a loop.
impl Clone for Layout {
    #[inline]
    fn clone(&self) -> Layout {
        Layout { shape: few(&self.shape), strides: few(&self.strides), offset: self.offset }
    }
}

/// The numbers of a slice.
#[inline]
fn few<T: Copy + Default>(numbers: &[T]) -> SmallVec<[T; 4]> {
    let zero = T::default();
    match *numbers {
        [] => SmallVec::new(),
        [a] => SmallVec::from_buf_and_len([a, zero, zero, zero], 1),
        [a, b] => SmallVec::from_buf_and_len([a, b, zero, zero], 2),
        [a, b, c] => SmallVec::from_buf_and_len([a, b, c, zero], 3),
        [a, b, c, d] => SmallVec::from_buf_and_len([a, b, c, d], 4),
        _ => SmallVec::from_slice(numbers),
    }
}

/// The number of elements of a shape.
///
/// ```
/// assert_eq!(cuprum_core::size_of_shape(&[2, 3]), 6);
/// ```
#[inline]
pub fn size_of_shape(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The number of elements of a shape, where an `isize` holds it, as sizes and differences of positions have to.
///
/// ```
/// use cuprum_core::size_in_range;
/// assert_eq!(size_in_range(&[2, 3]), Some(6));
/// assert_eq!(size_in_range(&[1 << 40, 1 << 40]), None);
/// ```
pub fn size_in_range(shape: &[usize]) -> Option<isize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1isize, |n, &length| n.checked_mul(length.try_into().ok()?))
}

/// The shape as Python prints a tuple.
///
/// ```
/// assert_eq!(cuprum_core::show_shape(&[3]), "(3,)");
/// ```
pub fn show_shape(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => {
            let parts: Vec<String> = many.iter().map(usize::to_string).collect();
            format!("({})", parts.join(", "))
        }
    }
}

/// The axis counted from the front.
///
/// ```
/// assert_eq!(cuprum_core::normalize_axis("sum", -1, 3).unwrap(), 2);
/// ```
pub fn normalize_axis(op: &'static str, axis: i64, ndim: usize) -> Result<usize> {
    let n = ndim as i64;
    if axis >= -n && axis < n {
        return Ok(if axis < 0 { axis + n } else { axis } as usize);
    }
    Err(Error::Axis { op: op.into(), axis, ndim })
}

/// The axes counted from the front; a doubled one is an error.
pub fn normalize_axes(op: &'static str, axes: &[i64], ndim: usize) -> Result<SmallVec<[usize; 4]>> {
    let mut out = SmallVec::new();
    for &axis in axes {
        let axis = normalize_axis(op, axis, ndim)?;
        if out.contains(&axis) {
            return Err(Error::value(op, format!("duplicate value in 'axis': {axis}")));
        }
        out.push(axis);
    }
    Ok(out)
}

/// The shape that all of these broadcast to.
///
/// ```
/// let s = cuprum_core::broadcast_shapes("add", &[&[2, 1], &[3]]).unwrap();
/// assert_eq!(s.as_slice(), &[2, 3]);
/// ```
pub fn broadcast_shapes(op: &'static str, shapes: &[&[usize]]) -> Result<Dims> {
    if let Some((first, others)) = shapes.split_first()
        && others.iter().all(|other| other == first)
    {
        return Ok(few(first));
    }
    let ndim = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out: Dims = SmallVec::from_elem(1, ndim);
    for shape in shapes {
        for (o, &d) in out[ndim - shape.len()..].iter_mut().zip(*shape) {
            if *o == 1 {
                *o = d;
            } else if d != 1 && d != *o {
                let shapes = shapes.iter().map(|s| Dims::from_slice(s)).collect();
                return Err(Error::Broadcast { op: op.into(), shapes });
            }
        }
    }
    Ok(out)
}

impl Layout {
    /// Row by row, from offset 0.
    pub fn contiguous(shape: &[usize], itemsize: usize) -> Layout {
        if let [length] = *shape {
            let strides = few(&[itemsize as isize]);
            return Layout { shape: few(&[length]), strides, offset: 0 };
        }
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        let mut step = itemsize as isize;
        for (stride, &dim) in strides.iter_mut().zip(shape).rev() {
            *stride = step;
            step *= dim.max(1) as isize;
        }
        Layout { shape: few(shape), strides, offset: 0 }
    }

    /// Column by column, from offset 0.
    pub fn fortran(shape: &[usize], itemsize: usize) -> Layout {
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        let mut step = itemsize as isize;
        for (stride, &dim) in strides.iter_mut().zip(shape) {
            *stride = step;
            step *= dim.max(1) as isize;
        }
        Layout { shape: few(shape), strides, offset: 0 }
    }

    /// Dense, with the axes nested in the given order, outermost first.
    pub fn dense(shape: &[usize], outer_to_inner: &[usize], itemsize: usize) -> Layout {
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        let mut step = itemsize as isize;
        for &axis in outer_to_inner.iter().rev() {
            strides[axis] = step;
            step *= shape[axis].max(1) as isize;
        }
        Layout { shape: few(shape), strides, offset: 0 }
    }

    /// The dense layout of a copy, in elements of `to` bytes, of elements of `from` bytes that lie like this.
    ///
    /// ```
    /// use cuprum_core::{Layout, Order};
    /// let columns = Layout::fortran(&[2, 3], 8);
    /// assert_eq!(columns.copied(8, 4, Order::K), Layout::fortran(&[2, 3], 4));
    /// assert_eq!(columns.copied(8, 4, Order::C), Layout::contiguous(&[2, 3], 4));
    /// ```
    pub fn copied(&self, from: usize, to: usize, order: Order) -> Layout {
        let by_columns = match order {
            Order::C => false,
            Order::F => true,
            Order::A => self.is_fortran(from) && !self.is_contiguous(from),
            Order::K if self.ndim() < 2 => false,
            Order::K => return Layout::dense(&self.shape, &self.copy_nesting(), to),
        };
        if by_columns { Layout::fortran(&self.shape, to) } else { Layout::contiguous(&self.shape, to) }
    }

    /// The number of elements.
    #[inline]
    pub fn size(&self) -> usize {
        size_of_shape(&self.shape)
    }

    /// The number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Whether the elements lie row by row without gaps.
    pub fn is_contiguous(&self, itemsize: usize) -> bool {
        is_dense_in(self.shape.iter().zip(&self.strides).rev(), itemsize)
    }

    /// Whether the elements lie column by column without gaps.
    pub fn is_fortran(&self, itemsize: usize) -> bool {
        is_dense_in(self.shape.iter().zip(&self.strides), itemsize)
    }

    /// Whether the layout's elements fill one run of memory, in whatever order of axes, each once.
    pub fn is_dense(&self, itemsize: usize) -> bool {
        let nesting = self.nesting();
        is_dense_in(nesting.iter().rev().map(|&a| (&self.shape[a], &self.strides[a])), itemsize)
    }

    /// The axes from the largest stride to the smallest; ties and axes of length one keep their order.
    pub fn nesting(&self) -> Dims {
        nesting_of(&[self])
    }

    /// The axes from the largest stride to the smallest for a copy in K order: unlike ufuncs, NumPy's copies put the axes
    /// that do not move at all innermost.
    pub fn copy_nesting(&self) -> Dims {
        let mut axes: Dims = (0..self.ndim()).collect();
        axes.sort_by_key(|&axis| std::cmp::Reverse(self.strides[axis].unsigned_abs()));
        axes
    }

    /// The bytes from the lowest to one past the highest byte of any element, as `(start, end)`.
    pub fn extent(&self, itemsize: usize) -> (usize, usize) {
        if self.size() == 0 {
            return (self.offset, self.offset);
        }
        let (mut low, mut high) = (self.offset as isize, self.offset as isize);
        for (&dim, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = (dim as isize - 1) * stride;
            if reach < 0 { low += reach } else { high += reach }
        }
        (low as usize, high as usize + itemsize)
    }

    /// Whether every element lies in a memory of so many bytes; whatever the numbers are, none of them overflows here.
    ///
    /// ```
    /// use cuprum_core::Layout;
    /// let rows = Layout::contiguous(&[2, 3], 8);
    /// assert!(rows.lies_within(8, 48) && !rows.lies_within(8, 47));
    /// let mut beyond = rows.clone();
    /// beyond.strides[0] = isize::MAX;
    /// assert!(!beyond.lies_within(8, usize::MAX));
    /// ```
    #[inline]
    pub fn lies_within(&self, itemsize: usize, bytes: usize) -> bool {
        // One element, or one line of them from the start: what most results are.
        match (&self.shape[..], &self.strides[..]) {
            ([], []) if self.offset == 0 => itemsize <= bytes,
            (&[length], &[stride]) if self.offset == 0 && stride as usize == itemsize => {
                length.checked_mul(itemsize).is_some_and(|end| end <= bytes && end <= isize::MAX as usize)
            }
            _ => self.reaches_within(itemsize, bytes),
        }
    }

    fn reaches_within(&self, itemsize: usize, bytes: usize) -> bool {
        if self.shape.len() != self.strides.len() {
            return false;
        }
        if self.shape.contains(&0) {
            return true;
        }
        let ends = || {
            let first = isize::try_from(self.offset).ok()?;
            let last = first.checked_add(isize::try_from(itemsize).ok()?)?;
            let (mut low, mut high) = (first, last);
            for (&length, &stride) in self.shape.iter().zip(&self.strides) {
                let reach = isize::try_from(length - 1).ok()?.checked_mul(stride)?;
                (low, high) = (low.checked_add(reach.min(0))?, high.checked_add(reach.max(0))?);
            }
            // Broadcast axes take no memory, but their elements are counted too.
            size_in_range(&self.shape)?;
            Some((low, high))
        };
        ends().is_some_and(|(low, high)| low >= 0 && high as usize <= bytes)
    }

    /// The layout stretched to `shape`: new and length-one axes get stride 0.
    pub fn broadcast_to(&self, op: &'static str, shape: &[usize]) -> Result<Layout> {
        if self.shape.as_slice() == shape {
            return Ok(self.clone());
        }
        if size_in_range(shape).is_none() {
            let message = format!("shape {} has more elements than can be counted", show_shape(shape));
            return Err(Error::value(op, message));
        }
        let fail =
            || Error::Broadcast { op: op.into(), shapes: vec![self.shape.clone(), Dims::from_slice(shape)] };
        let extra = shape.len().checked_sub(self.ndim()).ok_or_else(fail)?;
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        for axis in 0..self.ndim() {
            let (from, to) = (self.shape[axis], shape[extra + axis]);
            if from == to {
                strides[extra + axis] = self.strides[axis];
            } else if from != 1 {
                return Err(fail());
            }
        }
        Ok(Layout { shape: few(shape), strides, offset: self.offset })
    }

    /// The axes reversed.
    pub fn transpose(&self) -> Layout {
        let mut out = self.clone();
        out.shape.reverse();
        out.strides.reverse();
        out
    }

    /// The axes in another order; `axes` must be a permutation.
    pub fn permute(&self, axes: &[usize]) -> Layout {
        Layout {
            shape: axes.iter().map(|&a| self.shape[a]).collect(),
            strides: axes.iter().map(|&a| self.strides[a]).collect(),
            offset: self.offset,
        }
    }

    /// With an axis of length one put in at `axis`.
    pub fn insert_axis(&self, axis: usize) -> Layout {
        let mut out = self.clone();
        out.shape.insert(axis, 1);
        out.strides.insert(axis, 0);
        out
    }

    /// Without an axis; the first element along it stays.
    pub fn remove_axis(&self, axis: usize) -> Layout {
        let mut out = self.clone();
        out.shape.remove(axis);
        out.strides.remove(axis);
        out
    }

    /// The same elements under another shape without a copy, where strides allow it.
    pub fn reshape(&self, shape: &[usize], itemsize: usize) -> Option<Layout> {
        if self.is_contiguous(itemsize) {
            return Some(Layout { offset: self.offset, ..Layout::contiguous(shape, itemsize) });
        }
        let (old_shape, old_strides): (Dims, Strides) =
            self.shape.iter().zip(&self.strides).filter(|(d, _)| **d != 1).map(|(d, s)| (*d, *s)).unzip();
        let mut strides: Strides = SmallVec::from_elem(itemsize as isize, shape.len());
        let (mut i, mut j) = (0, 0);
        while i < old_shape.len() && j < shape.len() {
            let (start_old, start_new) = (i, j);
            let (mut left, mut right) = (old_shape[i], shape[j]);
            i += 1;
            j += 1;
            while left != right {
                if left < right {
                    left *= old_shape[i];
                    i += 1;
                } else {
                    right *= shape[j];
                    j += 1;
                }
            }
            for axis in start_old..i - 1 {
                if old_strides[axis] != old_shape[axis + 1] as isize * old_strides[axis + 1] {
                    return None;
                }
            }
            let mut step = old_strides[i - 1];
            for axis in (start_new..j).rev() {
                strides[axis] = step;
                step *= shape[axis] as isize;
            }
        }
        Some(Layout { shape: Dims::from_slice(shape), strides, offset: self.offset })
    }

    /// Elements `start`, `start + step`, ... along an axis: `count` of them.
    pub fn slice_axis(&self, axis: usize, start: usize, step: isize, count: usize) -> Layout {
        let mut out = self.clone();
        if count > 0 {
            out.offset = (out.offset as isize + start as isize * out.strides[axis]) as usize;
        }
        out.shape[axis] = count;
        out.strides[axis] *= step;
        out
    }

    /// The diagonal of two axes as a new last axis.
    pub fn diagonal(&self, k: i64, axis1: usize, axis2: usize) -> Layout {
        let (rows, cols) = (self.shape[axis1], self.shape[axis2]);
        let (skip_rows, skip_cols) = if k < 0 { (k.unsigned_abs() as usize, 0) } else { (0, k as usize) };
        let count = rows.saturating_sub(skip_rows).min(cols.saturating_sub(skip_cols));
        let mut out = self.clone();
        if count > 0 {
            let shift = skip_rows as isize * self.strides[axis1] + skip_cols as isize * self.strides[axis2];
            out.offset = (out.offset as isize + shift) as usize;
        }
        let step = self.strides[axis1] + self.strides[axis2];
        for axis in [axis1.max(axis2), axis1.min(axis2)] {
            out.shape.remove(axis);
            out.strides.remove(axis);
        }
        out.shape.push(count);
        out.strides.push(step);
        out
    }
}

/// The axes of arrays of one shape from outermost to innermost, as NumPy's K order nests them: an axis moves inwards
/// only where every operand with a preference wants it there.
pub fn nesting_of(layouts: &[&Layout]) -> Dims {
    let ndim = layouts.first().map_or(0, |l| l.ndim());
    let mut axes: Dims = (0..ndim).rev().collect();
    for i in 1..ndim {
        let axis = axes[i];
        let mut place = i;
        for j in (0..i).rev() {
            match should_swap(layouts, axis, axes[j]) {
                Some(true) => place = j,
                Some(false) => break,
                None => {}
            }
        }
        axes[place..=i].rotate_right(1);
    }
    axes.reverse();
    axes
}

/// Whether `outer` should lie inside `inner`; `None` where no operand has a preference.
fn should_swap(layouts: &[&Layout], outer: usize, inner: usize) -> Option<bool> {
    let mut swap = None;
    for l in layouts {
        let (so, si) = (l.strides[outer].abs(), l.strides[inner].abs());
        if so == 0 || si == 0 || l.shape[outer] == 1 || l.shape[inner] == 1 {
            continue;
        }
        if si <= so {
            return Some(false);
        }
        swap = Some(true);
    }
    swap
}

fn is_dense_in<'a>(
    inner_to_outer: impl Iterator<Item = (&'a usize, &'a isize)> + Clone,
    itemsize: usize,
) -> bool {
    if inner_to_outer.clone().any(|(&dim, _)| dim == 0) {
        return true;
    }
    let mut step = itemsize as isize;
    for (&dim, &stride) in inner_to_outer {
        if dim != 1 {
            if stride != step {
                return false;
            }
            step *= dim as isize;
        }
    }
    true
}
