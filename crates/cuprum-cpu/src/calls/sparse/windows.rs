//! Two rows merged by windows of sixteen columns each, with AVX-512.
//!
//! All of both windows up to the lower of their last columns is final. Where the columns of one window belong among those of
//! the other is found by a search of all lanes at once; the merged order is then a set of bits, by which columns and values are
//! spread out.

use std::arch::x86_64::*;

use cuprum_core::SimdLevel;

use super::merge::{BLOCK, Block, MERGE_WIDTH_MAX, Merges, ROOM, intersect};
use super::pairs::Rows;

/// Columns of a window.
const WINDOW: usize = MERGE_WIDTH_MAX / 2;

/// The merges of rows with int32 columns, where this CPU has the instructions.
pub(super) fn merges(level: SimdLevel) -> Option<Merges<i32>> {
    // The wrappers below are reached from here alone.
    (level == SimdLevel::Avx512 && level.is_available()).then_some(Merges {
        count: [
            // SAFETY: the CPU has AVX-512, as just seen.
            |a, b, first, counts| unsafe { count::<false>(a, b, first, counts) },
            // SAFETY: as above.
            |a, b, first, counts| unsafe { count::<true>(a, b, first, counts) },
        ],
        words: [
            intersect,
            // SAFETY: as above.
            |a, b, first, starts, columns, block| unsafe { unite_rows(a, b, first, starts, columns, block) },
        ],
        pairs: [
            intersect,
            // SAFETY: as above.
            |a, b, first, starts, columns, block| unsafe { unite_rows(a, b, first, starts, columns, block) },
        ],
    })
}

/// What a step takes of two rows.
struct Step {
    left: __m512i,
    right: __m512i,
    /// How many elements of either row, and which of the left ones have an equal on the right.
    taken: (usize, usize),
    shared: u16,
    /// How many elements of the right row lie before each on the left.
    rank: __m512i,
}

/// As many low bits, at most sixteen.
#[inline(always)]
fn low_bits(count: usize) -> u16 {
    ((1u32 << count.min(WINDOW)) - 1) as u16
}

impl Step {
    /// The next step of two rows; columns of both rise. At least one element is taken where there is one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn of(a: &[i32], b: &[i32]) -> Step {
        let last = |row: &[i32]| row.get(WINDOW).and(row.get(WINDOW - 1)).copied().unwrap_or(i32::MAX);
        let (here, there) = (low_bits(a.len()), low_bits(b.len()));
        let behind = _mm512_set1_epi32(i32::MAX);
        // SAFETY: the masks have the lanes that the slices have elements for.
        let (left, right) = unsafe {
            (
                _mm512_mask_loadu_epi32(behind, here, a.as_ptr()),
                _mm512_mask_loadu_epi32(behind, there, b.as_ptr()),
            )
        };
        let limit = _mm512_set1_epi32(last(a).min(last(b)));
        let mine = _mm512_mask_cmple_epi32_mask(here, left, limit);
        let theirs = _mm512_mask_cmple_epi32_mask(there, right, limit);
        let mut rank = _mm512_setzero_si512();
        for width in [8, 4, 2, 1, 1] {
            let at = _mm512_add_epi32(rank, _mm512_set1_epi32(width - 1));
            let is_before = _mm512_cmplt_epi32_mask(_mm512_permutexvar_epi32(at, right), left);
            rank = _mm512_mask_add_epi32(rank, is_before, rank, _mm512_set1_epi32(width));
        }
        let shared = _mm512_mask_cmpeq_epi32_mask(mine, _mm512_permutexvar_epi32(rank, right), left);
        Step { left, right, taken: (mine.count_ones() as usize, theirs.count_ones() as usize), shared, rank }
    }
}

/// How many columns two rows share.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn shared(mut a: &[i32], mut b: &[i32]) -> usize {
    let mut count = 0;
    while !a.is_empty() && !b.is_empty() {
        let step = Step::of(a, b);
        count += step.shared.count_ones() as usize;
        (a, b) = (&a[step.taken.0..], &b[step.taken.1..]);
    }
    count
}

/// How many places each row from `first` on has; `UNION` counts those of either side, else those of both.
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn count<const UNION: bool>(
    left: &Rows<'_, i32, ()>,
    right: &Rows<'_, i32, ()>,
    first: usize,
    counts: &mut [i64],
) -> Option<()> {
    for (row, count) in counts.iter_mut().enumerate() {
        let (a, b) = (left.columns_of(first + row)?, right.columns_of(first + row)?);
        let shared = shared(a, b);
        *count = if UNION { a.len() + b.len() - shared } else { shared } as i64;
    }
    Some(())
}

/// Elements of four or eight bytes.
trait Spread: Copy {
    /// Writes sixteen lanes: the next element of `from` where a bit is set, else zero.
    ///
    /// # Safety
    /// `from` has an element for each bit that is set; `to` has room for sixteen. The CPU has AVX-512.
    unsafe fn spread(bits: u16, from: *const Self, to: *mut Self);
}

impl Spread for u32 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn spread(bits: u16, from: *const u32, to: *mut u32) {
        // SAFETY: as promised; as many elements are read as bits are set.
        unsafe {
            let given = _mm512_maskz_loadu_epi32(low_bits(bits.count_ones() as usize), from.cast());
            _mm512_storeu_si512(to.cast(), _mm512_maskz_expand_epi32(bits, given));
        }
    }
}

impl Spread for u64 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn spread(bits: u16, from: *const u64, to: *mut u64) {
        let halves = [bits as u8, (bits >> 8) as u8];
        let counts = halves.map(|half| half.count_ones() as usize);
        // SAFETY: as promised; as many elements are read as bits are set.
        unsafe {
            let low = _mm512_maskz_loadu_epi64(low_bits(counts[0]) as u8, from.cast());
            let high = _mm512_maskz_loadu_epi64(low_bits(counts[1]) as u8, from.add(counts[0]).cast());
            _mm512_storeu_si512(to.cast(), _mm512_maskz_expand_epi64(halves[0], low));
            _mm512_storeu_si512(to.add(8).cast(), _mm512_maskz_expand_epi64(halves[1], high));
        }
    }
}

/// Writes the first places of either row, at most [`MERGE_WIDTH_MAX`] of them: columns, and the elements of both or zeros.
/// Gives how many there are, and takes them from the rows; none where columns fall.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn unite<V: Spread>(
    a: &mut (&[i32], &[V]),
    b: &mut (&[i32], &[V]),
    columns: &mut [i32; MERGE_WIDTH_MAX],
    left: &mut [V; MERGE_WIDTH_MAX],
    right: &mut [V; MERGE_WIDTH_MAX],
) -> Option<usize> {
    let step = Step::of(a.0, b.0);
    let (mine, theirs) = step.taken;
    let ((a_values, a_rest), (b_values, b_rest)) = (a.1.split_at(mine), b.1.split_at(theirs));
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    // Elements of both in order, the left one of two equal ones first: which of them are on the left, and which are second.
    let bits =
        _mm512_maskz_sllv_epi32(low_bits(mine), _mm512_set1_epi32(1), _mm512_add_epi32(lanes, step.rank));
    let is_left = u64::from(_mm512_reduce_or_epi32(bits) as u32);
    let second = _pdep_u64(u64::from(step.shared), is_left) << 1;
    let all = (1u64 << (mine + theirs)) - 1;
    let places = all & !second;
    let of_left = _pext_u64(is_left, places) as u32;
    let of_right = _pext_u64((all & !is_left & !second) | (second >> 1), places) as u32;
    let count = places.count_ones() as usize;
    if of_left.count_ones() as usize > mine || of_right.count_ones() as usize > theirs {
        return None;
    }
    let low = _mm512_maskz_expand_epi32(of_left as u16, step.left);
    let low = _mm512_mask_expand_epi32(low, of_right as u16, step.right);
    // SAFETY: as many elements as bits, as just seen; room for 32 of each.
    unsafe {
        _mm512_storeu_si512(columns.as_mut_ptr().cast(), low);
        V::spread(of_left as u16, a_values.as_ptr(), left.as_mut_ptr());
        V::spread(of_right as u16, b_values.as_ptr(), right.as_mut_ptr());
    }
    if count > WINDOW {
        let before = [of_left, of_right].map(|bits| (bits as u16).count_ones() as usize);
        let moved = before.map(|before| _mm512_add_epi32(lanes, _mm512_set1_epi32(before as i32)));
        let (of_left, of_right) = ((of_left >> WINDOW) as u16, (of_right >> WINDOW) as u16);
        let high = _mm512_maskz_expand_epi32(of_left, _mm512_permutexvar_epi32(moved[0], step.left));
        let high = _mm512_mask_expand_epi32(high, of_right, _mm512_permutexvar_epi32(moved[1], step.right));
        // SAFETY: as above.
        unsafe {
            _mm512_storeu_si512(columns.as_mut_ptr().add(WINDOW).cast(), high);
            V::spread(of_left, a_values.as_ptr().add(before[0]), left.as_mut_ptr().add(WINDOW));
            V::spread(of_right, b_values.as_ptr().add(before[1]), right.as_mut_ptr().add(WINDOW));
        }
    }
    *a = (&a.0[mine..], a_rest);
    *b = (&b.0[theirs..], b_rest);
    Some(count)
}

/// An op at the places of either matrix, as [`super::merge::unite`].
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn unite_rows<V: Spread + Default>(
    left: &Rows<'_, i32, V>,
    right: &Rows<'_, i32, V>,
    first: usize,
    starts: &[i64],
    mut columns: &mut [i32],
    block: &mut Block<V>,
) -> Option<()> {
    let (mut merged, mut waiting, mut done) = ([0; ROOM], 0, 0);
    let mut write = |merged: &[i32], block: &mut Block<V>| -> Option<()> {
        let part;
        (part, columns) = std::mem::take(&mut columns).split_at_mut_checked(merged.len())?;
        part.copy_from_slice(merged);
        block.run(merged.len());
        Some(())
    };
    for (row, end) in starts[1..].iter().enumerate() {
        let (mut a, mut b) = (left.row(first + row)?, right.row(first + row)?);
        while !a.0.is_empty() || !b.0.is_empty() {
            let (_, place) = merged.split_at_mut(waiting);
            let (left, right) = (&mut block.left[waiting..], &mut block.right[waiting..]);
            let (place, left, right) =
                (place.first_chunk_mut()?, left.first_chunk_mut()?, right.first_chunk_mut()?);
            waiting += unite(&mut a, &mut b, place, left, right)?;
            if waiting >= BLOCK {
                write(&merged[..waiting], block)?;
                done += waiting;
                waiting = 0;
            }
        }
        if done + waiting != (end - starts[0]) as usize {
            return None;
        }
    }
    write(&merged[..waiting], block)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of rising columns, of which `density` in 256 are there.
    fn row(numbers: &mut u64, width: i32, density: u64) -> Vec<i32> {
        (0..width)
            .filter(|_| {
                *numbers = numbers.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (*numbers >> 40) % 256 < density
            })
            .collect()
    }

    #[test]
    fn steps_and_windows_find_the_same_places() {
        if merges(SimdLevel::detect()).is_none() {
            return;
        }
        let mut numbers = 7;
        for width in [0, 1, 15, 16, 17, 40, 300] {
            for density in [8, 100, 200, 256].into_iter().flat_map(|a| [5, 90, 256].map(|b| (a, b))) {
                let (a, b) = (row(&mut numbers, width, density.0), row(&mut numbers, width, density.1));
                let (x, y): (Vec<u64>, Vec<u64>) = (
                    a.iter().map(|column| 1000 + *column as u64).collect(),
                    b.iter().map(|column| 5000 + *column as u64).collect(),
                );
                let common = a.iter().filter(|column| b.contains(column)).count();
                // SAFETY: the CPU has AVX-512, as just seen.
                assert_eq!(unsafe { shared(&a, &b) }, common);
                let (mut left, mut right) = ((&a[..], &x[..]), (&b[..], &y[..]));
                let mut got = vec![];
                while !left.0.is_empty() || !right.0.is_empty() {
                    let (mut columns, mut of_left, mut of_right) =
                        ([0; MERGE_WIDTH_MAX], [1; MERGE_WIDTH_MAX], [1; MERGE_WIDTH_MAX]);
                    // SAFETY: as above.
                    let count =
                        unsafe { unite(&mut left, &mut right, &mut columns, &mut of_left, &mut of_right) };
                    let count = count.unwrap();
                    got.extend((0..count).map(|k| (columns[k], of_left[k], of_right[k])));
                }
                let want: Vec<(i32, u64, u64)> = (0..width)
                    .filter(|column| a.contains(column) || b.contains(column))
                    .map(|column| {
                        let at = |row: &[i32], base: u64| {
                            if row.contains(&column) { base + column as u64 } else { 0 }
                        };
                        (column, at(&a, 1000), at(&b, 5000))
                    })
                    .collect();
                assert_eq!(got, want, "{width} {density:?}");
            }
        }
    }

    #[test]
    fn rows_that_fall_or_repeat_end_and_stay_within_their_arrays() {
        if merges(SimdLevel::detect()).is_none() {
            return;
        }
        let mut numbers = 11u64;
        for length in 0..70 {
            let mut any = || {
                numbers = numbers.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                [i32::MAX, i32::MIN, -1, 3][(numbers >> 62) as usize].wrapping_add((numbers >> 59) as i32)
            };
            let (a, b): (Vec<i32>, Vec<i32>) =
                ((0..length).map(|_| any()).collect(), (0..33).map(|_| any()).collect());
            let (x, y) = (vec![1u32; a.len()], vec![2u32; b.len()]);
            let (mut left, mut right) = ((&a[..], &x[..]), (&b[..], &y[..]));
            // SAFETY: the CPU has AVX-512, as just seen.
            assert!(unsafe { shared(&a, &b) } <= a.len());
            while !left.0.is_empty() || !right.0.is_empty() {
                let (mut columns, mut of_left, mut of_right) =
                    ([0; MERGE_WIDTH_MAX], [1; MERGE_WIDTH_MAX], [1; MERGE_WIDTH_MAX]);
                // SAFETY: as above.
                let count =
                    unsafe { unite(&mut left, &mut right, &mut columns, &mut of_left, &mut of_right) };
                let Some(count) = count else { break };
                assert!(count <= MERGE_WIDTH_MAX);
            }
        }
    }
}
