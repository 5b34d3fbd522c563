//! Elements of 8 and 16 bits: they are counted rather than compared.

use cuprum_core::memory::{filled, with_capacity};

use crate::element::KeyedElement;
use crate::quick::SortKey;

/// Whether counting `n` elements of so many keys costs less than sorting them.
pub(crate) fn pays(n: usize, keys: usize) -> bool {
    n >= keys / 8
}

/// Sorts elements, in a stable way.
pub(crate) fn sort<T: KeyedElement>(line: &mut [T]) {
    let counts = count(line);
    let signs = zero_signs(line, &counts);
    fill::<T>(line, &counts);
    restore_zeros(line, &counts, &signs);
}

fn table_size<T: KeyedElement>() -> usize {
    T::KEY_COUNT.expect("elements whose keys can be counted")
}

/// The place of a key in the table, which is in their order.
#[inline(always)]
fn place_of<T: KeyedElement>(key: T::SortKey) -> usize {
    (key.wide() + table_size::<T>() as i64 / 2) as usize
}

/// How often each element occurs.
fn count<T: KeyedElement>(line: &[T]) -> Vec<usize> {
    // Neighbours often are equal: counting them in tables of their own spares them waiting for each other.
    let mut tables = filled(table_size::<T>(), [0u32; 4]);
    let mut counts = filled(tables.len(), 0);
    for part in line.chunks(1 << 30) {
        for (i, value) in part.iter().enumerate() {
            tables[place_of::<T>(value.key())][i % 4] += 1;
        }
        for (count, four) in counts.iter_mut().zip(&mut tables) {
            *count += four.iter().map(|c| *c as usize).sum::<usize>();
            *four = [0; 4];
        }
    }
    counts
}

/// Writes each element as often as it was counted, in order.
fn fill<T: KeyedElement>(line: &mut [T], counts: &[usize]) {
    let mut rest = line;
    for (place, &n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let (part, behind) = std::mem::take(&mut rest).split_at_mut(n);
        part.fill(value_at(place));
        rest = behind;
    }
}

/// The element at a place of the table.
fn value_at<T: KeyedElement>(place: usize) -> T {
    T::from_key(T::SortKey::from_wide(place as i64 - table_size::<T>() as i64 / 2))
}

/// Whether each zero is the negative one, in their order; nothing where all are of one sign.
fn zero_signs<T: KeyedElement>(line: &[T], counts: &[usize]) -> Vec<bool> {
    let [minus, plus] = T::zeros();
    if !T::SIGNED_ZERO || counts[place_of::<T>(minus)] == 0 || counts[place_of::<T>(plus)] == 0 {
        return Vec::new();
    }
    let mut signs = with_capacity(counts[place_of::<T>(minus)] + counts[place_of::<T>(plus)]);
    let keys = line.iter().map(|v| v.key()).filter(|k| *k == minus || *k == plus);
    signs.extend(keys.map(|k| k == minus));
    signs
}

fn restore_zeros<T: KeyedElement>(line: &mut [T], counts: &[usize], signs: &[bool]) {
    let [minus, plus] = T::zeros();
    let first: usize = if signs.is_empty() { 0 } else { counts[..place_of::<T>(minus)].iter().sum() };
    for (value, is_minus) in line[first..].iter_mut().zip(signs) {
        *value = T::from_key(if *is_minus { minus } else { plus });
    }
}
