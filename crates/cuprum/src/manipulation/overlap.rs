//! Whether two views share a byte, decided exactly: they do if a linear equation in their indices, each bounded by
//! the length of its axis, has a solution.

use cuprum_core::Layout;

use crate::Array;

/// Whether the memory of two arrays overlaps as ranges from their lowest to their highest byte.
///
/// ```
/// use cuprum::creation::zeros;
/// use cuprum::manipulation::{may_share_memory, shares_memory};
/// use cuprum::{DType, Index};
/// let a = zeros(&[6], DType::F64).unwrap();
/// let every_other = |start| a.index(&[Index::Slice { start: Some(start), stop: None, step: 2 }]).unwrap();
/// assert!(may_share_memory(&every_other(0), &every_other(1)));
/// assert!(!shares_memory(&every_other(0), &every_other(1)));
/// ```
pub fn may_share_memory(a: &Array, b: &Array) -> bool {
    bounds(a, b).is_some()
}

/// Whether any byte belongs to elements of both arrays.
///
/// ```
/// use cuprum::Array;
/// use cuprum::manipulation::shares_memory;
/// let a = Array::from_slice(&[1, 2, 3, 4]).reshape(&[2, 2]).unwrap();
/// assert!(shares_memory(&a, &a.transpose()));
/// assert!(!shares_memory(&a, &a.copy(cuprum::Order::C).unwrap()));
/// ```
pub fn shares_memory(a: &Array, b: &Array) -> bool {
    let Some(((low, _), (_, high))) = bounds(a, b) else { return false };
    // The first array is counted from its lowest byte up, the second from its highest down: the steps of both must
    // make up the way between.
    let span = (high - low) as u64;
    let sizes = [a.dtype().size() as u64, b.dtype().size() as u64];
    let mut terms = terms_of(a.layout());
    terms.extend(terms_of(b.layout()));
    // Memory comes in cells of whatever divides the element sizes, the strides and the distance of the arrays.
    let cell = terms.iter().map(|t| t.step).chain(sizes).fold(span, gcd);
    terms.iter_mut().for_each(|t| t.step /= cell);
    terms.extend(sizes.map(|size| StrideTerm { step: 1, count: size / cell - 1 }));
    has_solution(&simplified(terms), span / cell - 1)
}

/// The ranges of bytes, if they overlap.
fn bounds(a: &Array, b: &Array) -> Option<((usize, usize), (usize, usize))> {
    if a.size() == 0 || b.size() == 0 {
        return None;
    }
    // Two storages may still lie over one piece of foreign memory.
    let (x, y) = if a.same_storage(b) {
        (0, 0)
    } else {
        (a.view().storage().ready_address()?, b.view().storage().ready_address()?)
    };
    let shifted = |array: &Array, base: usize| {
        let (low, high) = array.layout().extent(array.dtype().size());
        (base + low, base + high)
    };
    let (first, second) = (shifted(a, x), shifted(b, y));
    (first.0 < second.1 && second.0 < first.1).then_some((first, second))
}

/// `step * i` for every `i` from 0 up to and with `count`.
#[derive(Clone, Copy)]
struct StrideTerm {
    step: u64,
    count: u64,
}

fn terms_of(layout: &Layout) -> Vec<StrideTerm> {
    let axes = layout.shape.iter().zip(&layout.strides);
    axes.filter(|(dim, stride)| **dim > 1 && **stride != 0)
        .map(|(&dim, stride)| StrideTerm { step: stride.unsigned_abs() as u64, count: dim as u64 - 1 })
        .collect()
}

/// Terms with the largest step first, one for each step.
fn simplified(mut terms: Vec<StrideTerm>) -> Vec<StrideTerm> {
    terms.retain(|t| t.count > 0);
    terms.sort_by_key(|t| std::cmp::Reverse(t.step));
    terms.dedup_by(|next, kept| {
        let same = next.step == kept.step;
        if same {
            kept.count = kept.count.saturating_add(next.count);
        }
        same
    });
    terms
}

/// Whether the terms can add up to `wanted`.
fn has_solution(terms: &[StrideTerm], wanted: u64) -> bool {
    let Some((first, rest)) = terms.split_first() else { return wanted == 0 };
    let common = rest.iter().fold(0, |g, t| gcd(g, t.step));
    if !wanted.is_multiple_of(gcd(first.step, common)) {
        return false;
    }
    let reach = rest.iter().fold(0u64, |sum, t| sum.saturating_add(t.step.saturating_mul(t.count)));
    let least = wanted.saturating_sub(reach).div_ceil(first.step);
    let most = (wanted / first.step).min(first.count);
    // Only every so many indices leave a rest that the other steps' common divisor divides.
    let every = if common == 0 { 1 } else { common / gcd(first.step, common) };
    let fits = |i: u64| common == 0 || (wanted - first.step * i).is_multiple_of(common);
    let Some(start) = (least..=most).take(every as usize).find(|&i| fits(i)) else { return false };
    (start..=most).step_by(every as usize).any(|i| has_solution(rest, wanted - first.step * i))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{DType, creation::zeros};

    fn bytes(array: &Array) -> HashSet<usize> {
        let mut places = vec![array.layout().offset as isize];
        for (&dim, &stride) in array.shape().iter().zip(array.strides()) {
            places = places.iter().flat_map(|p| (0..dim as isize).map(move |i| p + i * stride)).collect();
        }
        places.iter().flat_map(|&p| p as usize..p as usize + array.dtype().size()).collect()
    }

    #[test]
    fn agrees_with_the_sets_of_bytes() {
        let base = zeros(&[40], DType::I16).unwrap();
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let mut view = || {
            let (rows, columns) = (1 + next(4) as usize, 1 + next(3) as usize);
            let strides = [next(9) as isize - 4, next(9) as isize - 4];
            let dtype = [DType::I8, DType::I16, DType::I32][next(3) as usize];
            let layout = Layout {
                shape: [rows, columns][..].into(),
                strides: strides[..].into(),
                offset: 24 + next(30) as usize,
            };
            base.with_layout_and_dtype(layout, dtype)
        };
        for _ in 0..3000 {
            let (a, b) = (view(), view());
            let expected = !bytes(&a).is_disjoint(&bytes(&b));
            assert_eq!(shares_memory(&a, &b), expected, "{:?} {:?}", a.layout(), b.layout());
        }
    }
}
