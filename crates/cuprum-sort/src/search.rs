//! Binary search: where elements belong in a sorted slice.

use crate::element::Element;

/// On which side of equal elements a position lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// Searches that are taken one step after the other side by side: their loads do not wait for each other.
const WAYS: usize = 16;

/// Where each needle belongs in `sorted`, or in what `order` makes of it: the positions that sort it.
///
/// Every position is between 0 and `sorted.len()`, whether `sorted` is sorted or not. Positions in `order` that are
/// outside `sorted` count as its last element.
///
/// ```
/// use cuprum_sort::{Side, search};
/// let mut places = [0; 2];
/// search(&[1.0, 2.0, 2.0, f64::NAN], None, &[2.0, f64::NAN], Side::Right, &mut places);
/// assert_eq!(places, [3, 4]);
/// ```
pub fn search<T: Element>(
    sorted: &[T],
    order: Option<&[i64]>,
    needles: &[T],
    side: Side,
    places: &mut [i64],
) {
    assert_eq!(needles.len(), places.len(), "one position for each needle");
    if sorted.is_empty() {
        return places.fill(0);
    }
    match (order, side) {
        (None, Side::Left) => search_all(sorted.len(), needles, places, |i, x| sorted[i].precedes(x)),
        (None, Side::Right) => search_all(sorted.len(), needles, places, |i, x| !x.precedes(sorted[i])),
        (Some(order), side) => {
            let last = sorted.len() - 1;
            let at = |i: usize| sorted[usize::try_from(order[i]).unwrap_or(last).min(last)];
            match side {
                Side::Left => search_all(order.len(), needles, places, |i, x| at(i).precedes(x)),
                Side::Right => search_all(order.len(), needles, places, |i, x| !x.precedes(at(i))),
            }
        }
    }
}

/// For each needle the number of elements, of `n`, for which `is_before(i, needle)` holds: a prefix of them.
fn search_all<T: Copy>(n: usize, needles: &[T], places: &mut [i64], is_before: impl Fn(usize, T) -> bool) {
    let whole = needles.len() / WAYS * WAYS;
    let (groups, rest) = needles.split_at(whole);
    for (group, place) in groups.chunks_exact(WAYS).zip(places.chunks_exact_mut(WAYS)) {
        let mut low = [0usize; WAYS];
        let mut length = n;
        while length > 1 {
            let half = length / 2;
            for way in 0..WAYS {
                low[way] += if is_before(low[way] + half - 1, group[way]) { half } else { 0 };
            }
            length -= half;
        }
        for way in 0..WAYS {
            place[way] = (low[way] + usize::from(is_before(low[way], group[way]))) as i64;
        }
    }
    for (needle, place) in rest.iter().zip(&mut places[whole..]) {
        let (mut low, mut length) = (0, n);
        while length > 1 {
            let half = length / 2;
            low += if is_before(low + half - 1, *needle) { half } else { 0 };
            length -= half;
        }
        *place = (low + usize::from(is_before(low, *needle))) as i64;
    }
}
