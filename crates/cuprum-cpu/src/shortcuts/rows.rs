//! Rows at positions, for arrays too small for a library call: positions are checked and rows copied by the calling thread.

use cuprum_graph::{IndexedRows, MaskedRows};

/// Copies the rows at the positions to `target`; `false` where a position is out of range.
///
/// # Safety
/// As [`cuprum_graph::Shortcuts::take_rows`] says.
pub(super) unsafe fn take(rows: &IndexedRows, target: usize) -> bool {
    // SAFETY: the caller's promise: the target takes a row for each position, and lies apart.
    unsafe {
        match rows.bytes {
            1 => take_elements::<u8>(rows, target),
            2 => take_elements::<u16>(rows, target),
            4 => take_elements::<u32>(rows, target),
            8 => take_elements::<u64>(rows, target),
            bytes => each(rows, |i, row| {
                std::ptr::copy_nonoverlapping(row, (target + i * bytes) as *mut u8, bytes)
            }),
        }
    }
}

/// Copies from `source`, `step` bytes a row, to the rows at the positions; `false` and nothing written where one is out of
/// range. Of several copies to one row the last one stays.
///
/// # Safety
/// As [`cuprum_graph::Shortcuts::put_rows`] says.
pub(super) unsafe fn put(rows: &IndexedRows, source: usize, step: usize) -> bool {
    // SAFETY: as in `take`, the other way round.
    unsafe {
        each(rows, |_, _| ())
            && each(rows, |i, row| {
                std::ptr::copy_nonoverlapping((source + i * step) as *const u8, row.cast_mut(), rows.bytes)
            })
    }
}

/// How many of `n` truth values hold; every byte but zero does.
///
/// # Safety
/// `n` bytes are readable at `mask`.
pub(super) unsafe fn count_true(mask: usize, n: usize) -> usize {
    // SAFETY: the caller's promise.
    let mask = unsafe { std::slice::from_raw_parts(mask as *const u8, n) };
    mask.iter().map(|&truth| usize::from(truth != 0)).sum()
}

/// Copies the rows whose truth value holds to `target`; `false` where there are not as many as were counted.
///
/// # Safety
/// As [`cuprum_graph::Shortcuts::select_rows`] says.
pub(super) unsafe fn select(rows: &MaskedRows, target: usize) -> bool {
    // SAFETY: the caller's promise: the target takes the chosen rows, and lies apart.
    unsafe {
        match rows.bytes {
            1 => select_elements::<u8>(rows, target),
            2 => select_elements::<u16>(rows, target),
            4 => select_elements::<u32>(rows, target),
            8 => select_elements::<u64>(rows, target),
            bytes => select_each(rows, |i, row| {
                std::ptr::copy_nonoverlapping(row, (target + i * bytes) as *mut u8, bytes)
            }),
        }
    }
}

/// # Safety
/// As for [`take_elements`].
unsafe fn select_elements<T: Copy>(rows: &MaskedRows, target: usize) -> bool {
    let to = target as *mut T;
    // SAFETY: the caller's promise; views may begin at any byte.
    unsafe { select_each(rows, |i, row| to.add(i).write_unaligned(row.cast::<T>().read_unaligned())) }
}

/// Calls `work` for each row with the number that it has among the chosen rows, or would have: the next chosen row
/// overwrites it, so that no branch depends on the truth values. `false` if the number of chosen rows differs from the
/// counted one.
///
/// # Safety
/// The memory holds as many rows and truth values as are said to be there.
#[inline]
unsafe fn select_each(rows: &MaskedRows, work: impl Fn(usize, *const u8)) -> bool {
    let mut chosen = 0;
    for i in 0..rows.count {
        if chosen < rows.chosen {
            work(chosen, (rows.rows + i * rows.bytes) as *const u8);
        }
        // SAFETY: the caller's promise.
        chosen += usize::from(unsafe { *((rows.mask + i) as *const u8) } != 0);
    }
    chosen == rows.chosen
}

/// # Safety
/// The rows are of one element each, and `target` takes as many elements as there are positions.
unsafe fn take_elements<T: Copy>(rows: &IndexedRows, target: usize) -> bool {
    let to = target as *mut T;
    // SAFETY: the caller's promise; views may begin at any byte.
    unsafe { each(rows, |i, row| to.add(i).write_unaligned(row.cast::<T>().read_unaligned())) }
}

/// Calls `work` with the number of each position and the row that it names; stops with `false` where there is none.
///
/// # Safety
/// The memory holds as many positions and rows as are said to be there.
#[inline]
unsafe fn each(rows: &IndexedRows, work: impl Fn(usize, *const u8)) -> bool {
    let (positions, count) = (rows.positions as *const i64, rows.count as i64);
    for i in 0..rows.n {
        // Read once: a thread of the program's that writes it meanwhile must not move it behind the check.
        // SAFETY: the caller's promise.
        let at = unsafe { positions.add(i).read_volatile() };
        let from_front = if at < 0 { at.wrapping_add(count) } else { at };
        if from_front < 0 || from_front >= count {
            return false;
        }
        work(i, (rows.rows + from_front as usize * rows.bytes) as *const u8);
    }
    true
}
