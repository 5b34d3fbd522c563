//! Shuffles and samples without replacement, of NumPy's draws.

use std::collections::HashSet;

use cuprum_core::memory::{try_filled, try_with_capacity};
use cuprum_core::{Error, Result};

use super::bits::{Bits, with_words};
use super::bounded::{interval, lemire};

/// Populations up to this are always sampled by Floyd's method.
const SMALL_POPULATION: i64 = 10_000;

/// Puts each row of `n` positions into the order that NumPy's shuffle leaves them in, Fisher and Yates's; `first` is the last place that is swapped: 1
/// for shuffles, 0 for `permuted`, which draws once more.
///
/// ```
/// use cuprum_random::sequential::{Bits, shuffled};
/// // numpy.random.RandomState(0).permutation(5)
/// assert_eq!(shuffled(&mut Bits::mt19937_of_word(0), 1, 5, 1).unwrap(), [2, 0, 1, 3, 4]);
/// ```
pub fn shuffled(bits: &mut Bits, rows: usize, n: usize, first: usize) -> Result<Vec<i64>> {
    let count = rows.checked_mul(n).ok_or_else(|| Error::value("permutation", "too many elements"))?;
    let mut orders = try_with_capacity(count)?;
    orders.extend((0..rows).flat_map(|_| 0..n as i64));
    if n == 0 {
        return Ok(orders);
    }
    with_words!(bits, words => for row in orders.chunks_exact_mut(n) {
        for i in (first..n).rev() {
            row.swap(i, interval(words, i as u64) as usize);
        }
    });
    Ok(orders)
}

/// Positions with the chances of each, one for each number of `uniform`, as `numpy.searchsorted` finds them from the right.
pub fn choose(chances: &[f64], uniform: &[f64]) -> Result<Vec<i64>> {
    let mut cumulative = try_with_capacity(chances.len())?;
    cumulative.extend(chances.iter().scan(0.0, |sum, chance| {
        *sum += chance;
        Some(*sum)
    }));
    let total = cumulative.last().copied().unwrap_or(1.0);
    cumulative.iter_mut().for_each(|sum| *sum /= total);
    let mut places = try_with_capacity(uniform.len())?;
    places.extend(uniform.iter().map(|u| cumulative.partition_point(|sum| *sum <= *u) as i64));
    Ok(places)
}

/// `count` distinct positions of `population`: the end of a shuffle where they are many of a large population, else Floyd's method; in random order where
/// `shuffle` says so.
///
/// ```
/// use cuprum_random::SeedSequence;
/// use cuprum_random::sequential::{Bits, distinct};
/// let mut bits = Bits::pcg64(&SeedSequence::new(&[42], &[], 4).generate_wide(4)).unwrap();
/// // numpy.random.default_rng(42).choice(10, 3, replace=False)
/// assert_eq!(distinct(&mut bits, 10, 3, true).unwrap(), [9, 0, 6]);
/// ```
pub fn distinct(bits: &mut Bits, population: i64, count: i64, shuffle: bool) -> Result<Vec<i64>> {
    if count < 0 || count > population {
        let message = format!("cannot take a sample of {count} from a population of {population}");
        return Err(Error::value("choice", message));
    }
    let cutoff = if shuffle { 50 } else { 20 };
    if population > SMALL_POPULATION && count > population / cutoff {
        let mut places: Vec<i64> = try_with_capacity(population as usize)?;
        places.extend(0..population);
        swap_down(bits, &mut places, (population - count).max(1) as usize);
        return Ok(places.split_off((population - count) as usize));
    }
    let mut places: Vec<i64> = try_with_capacity(count as usize)?;
    let mut seen = HashSet::with_capacity(count as usize);
    for last in population - count..population {
        let drawn = with_words!(bits, words => lemire(words, last as u64)) as i64;
        let place = if seen.insert(drawn) { drawn } else { last };
        seen.insert(place);
        places.push(place);
    }
    if shuffle {
        swap_down(bits, &mut places, 1);
    }
    Ok(places)
}

fn swap_down(bits: &mut Bits, places: &mut [i64], first: usize) {
    with_words!(bits, words => for i in (first..places.len()).rev() {
        places.swap(i, lemire(words, i as u64) as usize);
    });
}

/// `count` distinct positions, each draw with the chances of what is left.
pub fn weighted_distinct(bits: &mut Bits, chances: &[f64], count: usize) -> Result<Vec<i64>> {
    if chances.iter().filter(|chance| **chance > 0.0).count() < count {
        return Err(Error::value("choice", "fewer non-zero entries in p than size"));
    }
    let mut left = try_with_capacity(chances.len())?;
    left.extend_from_slice(chances);
    let mut places = try_with_capacity(count)?;
    let mut seen = HashSet::new();
    while places.len() < count {
        let mut uniform = try_filled(count - places.len(), 0.0)?;
        bits.fill_uniform(&mut uniform)?;
        for place in &places {
            left[*place as usize] = 0.0;
        }
        let drawn = choose(&left, &uniform)?;
        places.extend(drawn.into_iter().filter(|place| seen.insert(*place)));
    }
    Ok(places)
}
