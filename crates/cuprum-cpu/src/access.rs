//! Moving elements between memory of any strides and dense blocks.

use crate::streams::fetch_lines;

/// Bytes that are filled one element after the other; the rest is a copy of them.
const FILL_PATTERN_BYTES: usize = 4 << 10;

/// Bytes of a row that is copied element by element: a call for each would cost more than the copy.
const UNROLLED_ROW_MAX_BYTES: usize = 64;

/// Copies `n` elements from position `start` of a strided region into a dense block.
///
/// # Safety
/// `source` plus every offset that the region reaches is readable; `block` takes `n * size` bytes and does not overlap.
pub(crate) unsafe fn gather(
    source: *const u8,
    dims: &[usize],
    steps: &[isize],
    size: usize,
    start: usize,
    n: usize,
    block: *mut u8,
) {
    let (down, across) = inner_steps(steps);
    let mut done = 0;
    walk_rows(dims, steps, start, n, |offset, rows, count| {
        // SAFETY: rows stay inside the region by construction, and inside the block since they add up to `n`.
        unsafe {
            let (first, run) = (source.offset(offset), block.add(done * size));
            if rows > 1 && count * size <= UNROLLED_ROW_MAX_BYTES {
                short_rows(first, (down, across), run, rows, count, size);
            } else {
                for row in 0..rows {
                    let run = run.add(row * count * size);
                    copy_from_strided(first.offset(row as isize * down), across, run, count, size);
                }
            }
        }
        done += rows * count;
    });
}

/// Copies `rows` short rows of `count` elements, `step.0` and `step.1` bytes apart, into a dense run.
///
/// # Safety
/// All addressed elements are valid; the run does not overlap the source.
unsafe fn short_rows(
    source: *const u8,
    step: (isize, isize),
    run: *mut u8,
    rows: usize,
    count: usize,
    size: usize,
) {
    #[inline(always)]
    unsafe fn copy<T: Copy>(
        source: *const u8,
        step: (isize, isize),
        run: *mut u8,
        rows: usize,
        count: usize,
    ) {
        let mut run = run.cast::<T>();
        for row in 0..rows as isize {
            // SAFETY: the caller vouches for every element; accesses may be unaligned.
            unsafe {
                let first = source.offset(row * step.0);
                for at in 0..count {
                    let value = first.offset(at as isize * step.1).cast::<T>().read_unaligned();
                    run.add(at).write_unaligned(value);
                }
                run = run.add(count);
            }
        }
    }
    /// Counts that are known in advance unroll.
    #[inline(always)]
    unsafe fn known<T: Copy>(
        source: *const u8,
        step: (isize, isize),
        run: *mut u8,
        rows: usize,
        count: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            match count {
                2 => copy::<T>(source, step, run, rows, 2),
                3 => copy::<T>(source, step, run, rows, 3),
                4 => copy::<T>(source, step, run, rows, 4),
                _ => copy::<T>(source, step, run, rows, count),
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        match size {
            1 => known::<u8>(source, step, run, rows, count),
            2 => known::<u16>(source, step, run, rows, count),
            4 => known::<u32>(source, step, run, rows, count),
            8 => known::<u64>(source, step, run, rows, count),
            _ => known::<[u64; 2]>(source, step, run, rows, count),
        }
    }
}

/// Copies a dense block of `n` elements to position `start` of a strided region.
///
/// # Safety
/// As for [`gather`], with `target` writable.
pub(crate) unsafe fn scatter(
    target: *mut u8,
    dims: &[usize],
    steps: &[isize],
    size: usize,
    start: usize,
    n: usize,
    block: *const u8,
) {
    let mut done = 0;
    // SAFETY: as in `gather`.
    walk_runs(dims, steps, start, n, |offset, step, count| unsafe {
        copy_to_strided(block.add(done * size), target.offset(offset), step, count, size);
        done += count;
    });
}

/// Calls `run(offset, step, count)` for each piece of the innermost axis that covers positions `start..start + n`.
pub(crate) fn walk_runs(
    dims: &[usize],
    steps: &[isize],
    start: usize,
    n: usize,
    mut run: impl FnMut(isize, isize, usize),
) {
    let (down, across) = inner_steps(steps);
    walk_rows(dims, steps, start, n, |offset, rows, count| {
        for row in 0..rows as isize {
            run(offset + row * down, across, count);
        }
    });
}

/// The steps along the two innermost axes.
fn inner_steps(steps: &[isize]) -> (isize, isize) {
    match *steps {
        [.., down, across] => (down, across),
        [across] => (0, across),
        [] => (0, 0),
    }
}

/// Calls `run(offset, rows, count)` for pieces of the two innermost axes that cover positions `start..start + n`, one after the
/// other: as many whole rows as lie together, or a part of one.
fn walk_rows(
    dims: &[usize],
    steps: &[isize],
    start: usize,
    n: usize,
    mut run: impl FnMut(isize, usize, usize),
) {
    let Some(last) = dims.len().checked_sub(1) else {
        if n > 0 {
            run(0, 1, n);
        }
        return;
    };
    let mut index: smallvec::SmallVec<[usize; 4]> = smallvec::SmallVec::from_elem(0, dims.len());
    let mut rest = start;
    let mut offset = 0;
    // Most walks begin at the beginning, which takes no division.
    let axes = if start == 0 { 0 } else { dims.len() };
    for axis in (0..axes).rev() {
        index[axis] = rest % dims[axis];
        rest /= dims[axis];
        offset += index[axis] as isize * steps[axis];
    }
    let mut left = n;
    while left > 0 {
        let mut axis = last;
        if last > 0 && index[last] == 0 && left >= dims[last] {
            axis = last - 1;
            let rows = (left / dims[last]).min(dims[axis] - index[axis]);
            run(offset, rows, dims[last]);
            left -= rows * dims[last];
            index[axis] += rows;
            offset += rows as isize * steps[axis];
        } else {
            let count = left.min(dims[last] - index[last]);
            run(offset, 1, count);
            left -= count;
            index[last] += count;
            offset += count as isize * steps[last];
        }
        while axis > 0 && index[axis] == dims[axis] {
            offset += steps[axis - 1] - dims[axis] as isize * steps[axis];
            index[axis] = 0;
            axis -= 1;
            index[axis] += 1;
        }
    }
}

/// Fills dense memory with `n` times the same element.
///
/// # Safety
/// There is memory for so many elements of the value's size.
pub(crate) unsafe fn fill(target: *mut u8, value: &[u8], n: usize) {
    let (size, bytes) = (value.len(), n * value.len());
    // SAFETY: all that is written, and read again, lies in the memory that the caller vouches for.
    unsafe {
        if value.iter().all(|byte| *byte == value[0]) {
            return target.write_bytes(value[0], bytes);
        }
        let first = bytes.min(FILL_PATTERN_BYTES / size * size);
        copy_from_strided(value.as_ptr(), 0, target, first / size, size);
        for start in (first..bytes).step_by(first) {
            std::ptr::copy_nonoverlapping(target, target.add(start), first.min(bytes - start));
        }
    }
}

/// Copies `count` elements a step apart into a dense run.
///
/// # Safety
/// All addressed elements are valid; the run does not overlap the source.
#[inline]
pub(crate) unsafe fn copy_from_strided(
    source: *const u8,
    step: isize,
    run: *mut u8,
    count: usize,
    size: usize,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if step == size as isize {
            return std::ptr::copy_nonoverlapping(source, run, count * size);
        }
        match size {
            1 => strided_in::<u8>(source, step, run, count),
            2 => strided_in::<u16>(source, step, run, count),
            4 => strided_in::<u32>(source, step, run, count),
            8 => strided_in::<u64>(source, step, run, count),
            _ => strided_in::<[u64; 2]>(source, step, run, count),
        }
    }
}

/// Copies a dense run to `count` elements a step apart.
///
/// # Safety
/// All addressed elements are valid; the run does not overlap the target.
#[inline]
pub(crate) unsafe fn copy_to_strided(
    run: *const u8,
    target: *mut u8,
    step: isize,
    count: usize,
    size: usize,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if step == size as isize {
            return std::ptr::copy_nonoverlapping(run, target, count * size);
        }
        match size {
            1 => strided_out::<u8>(run, target, step, count),
            2 => strided_out::<u16>(run, target, step, count),
            4 => strided_out::<u32>(run, target, step, count),
            8 => strided_out::<u64>(run, target, step, count),
            _ => strided_out::<[u64; 2]>(run, target, step, count),
        }
    }
}

#[inline]
unsafe fn strided_in<T: Copy>(source: *const u8, step: isize, run: *mut u8, count: usize) {
    let run = run.cast::<T>();
    // SAFETY: the caller of `copy_from_strided` vouches for every element; reads may be unaligned.
    unsafe {
        if step == 0 {
            let value = source.cast::<T>().read_unaligned();
            for i in 0..count {
                run.add(i).write_unaligned(value);
            }
            return;
        }
        if step == -(size_of::<T>() as isize) {
            // Backwards from a known end, which vectorises.
            let first = source.offset((count as isize - 1) * step).cast::<T>();
            for i in 0..count {
                run.add(i).write_unaligned(first.add(count - 1 - i).read_unaligned());
            }
            return;
        }
        if step == 2 * size_of::<T>() as isize {
            let first = source.cast::<T>();
            for i in 0..count {
                run.add(i).write_unaligned(first.add(2 * i).read_unaligned());
            }
            return;
        }
        for i in 0..count {
            run.add(i).write_unaligned(source.offset(i as isize * step).cast::<T>().read_unaligned());
        }
    }
}

#[inline]
unsafe fn strided_out<T: Copy>(run: *const u8, target: *mut u8, step: isize, count: usize) {
    let run = run.cast::<T>();
    // SAFETY: the caller of `copy_to_strided` vouches for every element; writes may be unaligned.
    unsafe {
        for i in 0..count {
            target.offset(i as isize * step).cast::<T>().write_unaligned(run.add(i).read_unaligned());
        }
    }
}

/// Copies a tile of `rows` x `cols` elements into a dense block, walking the source along its smaller step.
///
/// # Safety
/// All addressed elements are valid; the block does not overlap the source.
pub(crate) unsafe fn gather_tile(
    source: *const u8,
    step: (isize, isize),
    rows: usize,
    cols: usize,
    size: usize,
    block: *mut u8,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if step.0.abs() < step.1.abs() && step.0 != 0 {
            return transpose(
                source,
                (step.1, step.0),
                block,
                ((cols * size) as isize, size as isize),
                cols,
                rows,
                size,
            );
        }
        for r in 0..rows {
            copy_from_strided(
                source.offset(r as isize * step.0),
                step.1,
                block.add(r * cols * size),
                cols,
                size,
            );
        }
    }
}

/// Copies a tile of `rows` x `cols` elements to another, walking either along its smaller step.
///
/// # Safety
/// All addressed elements are valid, and the tiles do not overlap.
pub(crate) unsafe fn copy_tile(
    source: *const u8,
    from: (isize, isize),
    target: *mut u8,
    to: (isize, isize),
    rows: usize,
    cols: usize,
    size: usize,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if from.0.abs() < from.1.abs() && from.0 != 0 {
            return transpose(source, (from.1, from.0), target, to, cols, rows, size);
        }
        if to.0.abs() < to.1.abs() && to.0 != 0 {
            return transpose(source, from, target, (to.1, to.0), rows, cols, size);
        }
        for r in 0..rows as isize {
            strided_copy(source.offset(r * from.0), from.1, target.offset(r * to.0), to.1, cols, size);
        }
    }
}

/// Asks memory for a tile of `rows` x `cols` elements that will be gathered soon; any address will do.
pub(crate) fn fetch_tile(source: *const u8, step: (isize, isize), rows: usize, cols: usize, size: usize) {
    let turned = step.0.abs() < step.1.abs() && step.0 != 0;
    let (near, far, length, count) =
        if turned { (step.0, step.1, rows, cols) } else { (step.1, step.0, cols, rows) };
    if near.unsigned_abs() != size || far == 0 {
        return;
    }
    for line in 0..count {
        let first = source.wrapping_offset(line as isize * far);
        let first = if near < 0 { first.wrapping_offset((length - 1) as isize * near) } else { first };
        let within = first as usize % 64;
        fetch_lines(first.wrapping_sub(within), (within + length * size).div_ceil(64));
    }
}

/// Copies a dense block to a tile of `rows` x `cols` elements.
///
/// # Safety
/// All addressed elements are valid; the block does not overlap the target.
pub(crate) unsafe fn scatter_tile(
    target: *mut u8,
    step: (isize, isize),
    rows: usize,
    cols: usize,
    size: usize,
    block: *const u8,
) {
    // SAFETY: the caller's promise, element by element.
    unsafe {
        if step.0.abs() < step.1.abs() && step.0 != 0 {
            return transpose(
                block,
                ((cols * size) as isize, size as isize),
                target,
                (step.1, step.0),
                rows,
                cols,
                size,
            );
        }
        for r in 0..rows {
            copy_to_strided(
                block.add(r * cols * size),
                target.offset(r as isize * step.0),
                step.1,
                cols,
                size,
            );
        }
    }
}

/// Copies element (i, j) of the source to element (j, i) of the target, for `i < m` and `j < n`; steps are those along
/// a matrix's rows and columns.
///
/// # Safety
/// All addressed elements are valid and the two do not overlap.
unsafe fn transpose(
    source: *const u8,
    from: (isize, isize),
    target: *mut u8,
    to: (isize, isize),
    m: usize,
    n: usize,
    size: usize,
) {
    let dense = from.1 == size as isize && to.1 == size as isize;
    let side = square_side(size);
    // SAFETY: squares and their rest cover each element once; the caller vouches for all of them.
    unsafe {
        let (mut whole_m, mut whole_n) = (0, 0);
        if dense && side > 1 {
            (whole_m, whole_n) = (m / side * side, n / side * side);
            for j in (0..whole_n).step_by(side) {
                for i in (0..whole_m).step_by(side) {
                    let from_square = source.offset(i as isize * from.0 + (j * size) as isize);
                    transpose_square(
                        from_square,
                        from.0,
                        target.offset(j as isize * to.0 + (i * size) as isize),
                        to.0,
                        size,
                    );
                }
            }
        }
        for i in 0..m {
            let start = if i < whole_m { whole_n } else { 0 };
            if start == n {
                // Squares did all of it: what comes behind may lie outside the target.
                continue;
            }
            let row = source.offset(i as isize * from.0 + start as isize * from.1);
            let column = target.offset(start as isize * to.0 + i as isize * to.1);
            strided_copy(row, from.1, column, to.0, n - start, size);
        }
    }
}

/// The side of the squares that are transposed in registers; 1 where there are none.
fn square_side(size: usize) -> usize {
    match size {
        4 if cfg!(target_arch = "x86_64") => 4,
        8 if cfg!(target_arch = "x86_64") => 2,
        _ => 1,
    }
}

/// Transposes a square of [`square_side`] elements a side, rows `from` and `to` bytes apart.
///
/// # Safety
/// Both squares are valid and do not overlap.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_square(source: *const u8, from: isize, target: *mut u8, to: isize, size: usize) {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of x86-64; loads and stores are unaligned and stay in the squares.
    unsafe {
        if size == 4 {
            let row = |i: isize| _mm_loadu_ps(source.offset(i * from).cast());
            let (a, b, c, d) = (row(0), row(1), row(2), row(3));
            let (ab_low, cd_low) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            let out = |j: isize, x: __m128| _mm_storeu_ps(target.offset(j * to).cast(), x);
            out(0, _mm_movelh_ps(ab_low, cd_low));
            out(1, _mm_movehl_ps(cd_low, ab_low));
            out(2, _mm_movelh_ps(ab_high, cd_high));
            out(3, _mm_movehl_ps(cd_high, ab_high));
        } else {
            let (a, b) = (_mm_loadu_pd(source.cast()), _mm_loadu_pd(source.offset(from).cast()));
            _mm_storeu_pd(target.cast(), _mm_unpacklo_pd(a, b));
            _mm_storeu_pd(target.offset(to).cast(), _mm_unpackhi_pd(a, b));
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn transpose_square(_source: *const u8, _from: isize, _target: *mut u8, _to: isize, _size: usize) {
    unreachable!("there are no squares on this architecture")
}

/// Copies `count` elements between two strided runs.
///
/// # Safety
/// All addressed elements are valid and the runs do not overlap.
#[inline]
unsafe fn strided_copy(
    source: *const u8,
    from: isize,
    target: *mut u8,
    to: isize,
    count: usize,
    size: usize,
) {
    #[inline(always)]
    unsafe fn run<T: Copy>(source: *const u8, from: isize, target: *mut u8, to: isize, count: usize) {
        for i in 0..count as isize {
            // SAFETY: the caller vouches for every element; accesses may be unaligned.
            unsafe {
                let value = source.offset(i * from).cast::<T>().read_unaligned();
                target.offset(i * to).cast::<T>().write_unaligned(value);
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        match size {
            1 => run::<u8>(source, from, target, to, count),
            2 => run::<u16>(source, from, target, to, count),
            4 => run::<u32>(source, from, target, to, count),
            8 => run::<u64>(source, from, target, to, count),
            _ => run::<[u64; 2]>(source, from, target, to, count),
        }
    }
}
