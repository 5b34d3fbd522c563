//! Random orders and choices: permutations by sorting draws, and indices by a cumulative distribution.

use cuprum_core::memory::{collected, copied, filled, with_capacity};
use cuprum_core::{Cipher, Error, Result, SimdLevel, Stream};
use cuprum_threads::run_tasks;

use crate::fill::{CHUNK_ELEMENTS, DisjointSlice, WordBuffer, fill};
use crate::math::{exponential_of_word, uniform_of_word};

/// Entries of a bucket, on average.
const BUCKET_ENTRIES: usize = 1 << 10;

/// Random orders of `0..n`, one a row of `out`: the positions in the ascending, stable order of the row's `n` words.
///
/// With `weights`, the order of `e / weight` instead, `e` the exponential variate of the word: positions drawn one after
/// the other without replacement, each with a chance in proportion to its weight; weights of zero come last.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_core::SimdLevel;
/// use cuprum_random::fill_orders;
/// let mut order = [0; 5];
/// fill_orders(&Stream::new([1, 2], [0; 4]), 5, None, &mut order, SimdLevel::detect()).unwrap();
/// let mut sorted = order;
/// sorted.sort();
/// assert_eq!(sorted, [0, 1, 2, 3, 4]);
/// ```
pub fn fill_orders(
    stream: &Stream,
    n: usize,
    weights: Option<&[f64]>,
    out: &mut [i64],
    level: SimdLevel,
) -> Result<()> {
    if weights.is_some_and(|weights| weights.len() != n) || (n > 0 && !out.len().is_multiple_of(n)) {
        return Err(Error::value("permutation", "weights and rows differ in length"));
    }
    if n == 0 || out.is_empty() {
        return Ok(());
    }
    let rows = out.len() / n;
    if rows == 1 {
        return long_order(stream, weights, out, level);
    }
    let parts = DisjointSlice::new(out);
    run_tasks(rows, rows * n >= 1 << 12, &|row| {
        let mut pairs = with_capacity(n);
        keys(stream, (row * n) as u64, 0, n, weights, level, |key, i| pairs.push((key, i as u64)));
        pairs.sort_unstable();
        // SAFETY: rows are disjoint.
        let order = unsafe { parts.part(row * n, n) };
        order.iter_mut().zip(&pairs).for_each(|(place, pair)| *place = pair.1 as i64);
    })
}

/// The sort keys of positions `at..at + n`, whose words begin at `from + at`.
fn keys(
    stream: &Stream,
    from: u64,
    at: usize,
    n: usize,
    weights: Option<&[f64]>,
    level: SimdLevel,
    mut take: impl FnMut(u64, usize),
) {
    let mut buffer = WordBuffer::new();
    for start in (at..at + n).step_by(CHUNK_ELEMENTS) {
        let words =
            buffer.read(stream, Cipher::Wide, from + start as u64, CHUNK_ELEMENTS.min(at + n - start), level);
        for (i, word) in words.iter().enumerate() {
            let i = start + i;
            // Positive doubles are ordered as their bits are.
            let key = weights.map_or(*word, |weights| (exponential_of_word(*word) / weights[i]).to_bits());
            take(key, i);
        }
    }
}

/// One long order: entries go to buckets by their keys' first bits, and each bucket is sorted by itself.
fn long_order(stream: &Stream, weights: Option<&[f64]>, out: &mut [i64], level: SimdLevel) -> Result<()> {
    let n = out.len();
    let buckets = (n / BUCKET_ENTRIES).next_power_of_two();
    // The bits of weighted keys are not spread evenly.
    if buckets == 1 || weights.is_some() {
        let mut pairs = with_capacity(n);
        keys(stream, 0, 0, n, weights, level, |key, i| pairs.push((key, i as u64)));
        pairs.sort_unstable();
        out.iter_mut().zip(&pairs).for_each(|(place, pair)| *place = pair.1 as i64);
        return Ok(());
    }
    let bits = buckets.trailing_zeros();
    let mut starts = filled(buckets + 1, 0usize);
    keys(stream, 0, 0, n, None, level, |key, _| starts[(key >> (64 - bits)) as usize + 1] += 1);
    for bucket in 0..buckets {
        starts[bucket + 1] += starts[bucket];
    }
    // The result holds the positions by bucket until each bucket's are put in order.
    let mut places = copied(&starts);
    let mut sorted = filled(n, 0u64);
    keys(stream, 0, 0, n, None, level, |key, i| {
        let place = &mut places[(key >> (64 - bits)) as usize];
        sorted[*place] = key << bits;
        out[*place] = i as i64;
        *place += 1;
    });
    let (orders, keys) = (DisjointSlice::new(out), DisjointSlice::new(&mut sorted));
    run_tasks(buckets, true, &|bucket| {
        let (start, count) = (starts[bucket], starts[bucket + 1] - starts[bucket]);
        // SAFETY: buckets are disjoint ranges of the keys and of the result.
        let (keys, order) = unsafe { (keys.part(start, count), orders.part(start, count)) };
        order_bucket(keys, order);
    })
}

/// Puts the positions of a bucket, which stand in ascending order, into the order of their keys.
fn order_bucket(keys: &mut [u64], order: &mut [i64]) {
    const PLACE_MASK: u64 = 0xffff;
    let before = copied(order);
    if before.len() <= PLACE_MASK as usize {
        // A key's last bits make room for its place: one integer to sort by, which decides but for equal beginnings.
        let entries = keys.iter().enumerate().map(|(place, key)| (key & !PLACE_MASK) | place as u64);
        let mut packed: Vec<u64> = collected(entries);
        packed.sort_unstable();
        if packed.windows(2).all(|pair| pair[0] & !PLACE_MASK != pair[1] & !PLACE_MASK) {
            order.iter_mut().zip(&packed).for_each(|(to, entry)| *to = before[(entry & PLACE_MASK) as usize]);
            return;
        }
    }
    let mut pairs: Vec<(u64, i64)> = collected(keys.iter().copied().zip(before));
    pairs.sort_unstable();
    order.iter_mut().zip(&pairs).for_each(|(to, pair)| *to = pair.1);
}

/// Indices by a cumulative distribution: element `i` is the first `k` with `cumulative[k] > d`, `d` the uniform number of word
/// `i`; the last index where there is none.
///
/// ```
/// use cuprum_core::Stream;
/// use cuprum_core::SimdLevel;
/// use cuprum_random::fill_choices;
/// let mut out = [9; 4];
/// fill_choices(&Stream::new([1, 2], [0; 4]), &[0.0, 1.0], &mut out, SimdLevel::detect()).unwrap();
/// assert_eq!(out, [1; 4]);
/// ```
pub fn fill_choices(stream: &Stream, cumulative: &[f64], out: &mut [i64], level: SimdLevel) -> Result<()> {
    if cumulative.is_empty() && !out.is_empty() {
        return Err(Error::value("choice", "there is nothing to choose from"));
    }
    fill(out, |at, chunk| {
        let mut buffer = WordBuffer::new();
        let words = buffer.read(stream, Cipher::Wide, at as u64, chunk.len(), level);
        for (place, word) in chunk.iter_mut().zip(words) {
            let d = uniform_of_word(*word);
            *place = cumulative.partition_point(|c| *c <= d).min(cumulative.len() - 1) as i64;
        }
    })
}
