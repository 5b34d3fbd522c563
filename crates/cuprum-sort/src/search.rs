//! Binary search: where elements belong in a sorted slice.

use std::hint::select_unpredictable;

use crate::element::SortElement;

/// On which side of equal elements a position lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// Searches that advance side by side, one step at a time: their loads do not wait for each other.
const SEARCHES_AT_A_TIME: usize = 16;

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
pub fn search<T: SortElement>(
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
    let last = sorted.len() - 1;
    // SAFETY: `search_all` asks for positions below the number of elements.
    let plain = |i: usize| unsafe { *sorted.get_unchecked(i) };
    match (order, side) {
        (None, Side::Left) => search_all(sorted.len(), needles, places, Left, plain),
        (None, Side::Right) => search_all(sorted.len(), needles, places, Right, plain),
        (Some(order), side) => {
            let at = |i: usize| sorted[usize::try_from(order[i]).unwrap_or(last).min(last)];
            match side {
                Side::Left => search_all(order.len(), needles, places, Left, at),
                Side::Right => search_all(order.len(), needles, places, Right, at),
            }
        }
    }
}

/// Whether an element stays before a needle, on one of the sides.
trait Before: Copy {
    /// For any two.
    fn any<T: SortElement>(self, element: T, needle: T) -> bool;
    /// For needles that are not NaN: a plain comparison.
    fn plain<T: SortElement>(self, element: T, needle: T) -> bool;
}

#[derive(Clone, Copy)]
struct Left;
#[derive(Clone, Copy)]
struct Right;

impl Before for Left {
    #[inline(always)]
    fn any<T: SortElement>(self, element: T, needle: T) -> bool {
        element.precedes(needle)
    }
    #[inline(always)]
    fn plain<T: SortElement>(self, element: T, needle: T) -> bool {
        element.is_below(needle)
    }
}

impl Before for Right {
    #[inline(always)]
    fn any<T: SortElement>(self, element: T, needle: T) -> bool {
        !needle.precedes(element)
    }
    #[inline(always)]
    fn plain<T: SortElement>(self, element: T, needle: T) -> bool {
        element.is_at_most(needle)
    }
}

/// For each needle the number of elements, of `n`, that stay before it.
#[inline(always)]
fn search_all<T: SortElement, B: Before>(
    n: usize,
    needles: &[T],
    places: &mut [i64],
    before: B,
    element: impl Fn(usize) -> T + Copy,
) {
    let mut groups = needles.chunks_exact(SEARCHES_AT_A_TIME);
    let mut targets = places.chunks_exact_mut(SEARCHES_AT_A_TIME);
    for (group, place) in (&mut groups).zip(&mut targets) {
        let group: &[T; SEARCHES_AT_A_TIME] = group.try_into().expect("a whole group");
        let found = if group.iter().all(|needle| needle.is_ordered()) {
            search_group(n, group, element, |e, x| before.plain(e, x))
        } else {
            search_group(n, group, element, |e, x| before.any(e, x))
        };
        place.copy_from_slice(&found.map(|at| at as i64));
    }
    for (needle, place) in groups.remainder().iter().zip(targets.into_remainder()) {
        *place = search_group(n, &[*needle], element, |e, x| before.any(e, x))[0] as i64;
    }
}

/// Takes the searches of a group through the halves side by side. Elements are asked for below `n`, which is not 0.
#[inline(always)]
fn search_group<T: Copy, const N: usize>(
    n: usize,
    needles: &[T; N],
    element: impl Fn(usize) -> T,
    is_before: impl Fn(T, T) -> bool,
) -> [usize; N] {
    let mut low = [0usize; N];
    let mut length = n;
    while length > 1 {
        let half = length / 2;
        for way in 0..N {
            let behind = is_before(element(low[way] + half - 1), needles[way]);
            low[way] = select_unpredictable(behind, low[way] + half, low[way]);
        }
        length -= half;
    }
    for way in 0..N {
        low[way] += usize::from(is_before(element(low[way]), needles[way]));
    }
    low
}
