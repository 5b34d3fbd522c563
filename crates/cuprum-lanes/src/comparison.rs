//! Comparisons and logic: any dtype in, `bool` out.

use super::element::LaneNumber;
use super::loops::{Bool, Map, maps};

maps! {
    Equal<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.equal(b));
    NotEqual<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(!a.equal(b));
    Less<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.less(b));
    LessEqual<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.less_equal(b));
    Greater<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(b.less(a));
    GreaterEqual<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(b.less_equal(a));
    LogicalAnd<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.truth() & b.truth());
    LogicalOr<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.truth() | b.truth());
    LogicalXor<T: LaneNumber>(a: T, b: T) -> Bool = Bool::from(a.truth() ^ b.truth());
    LogicalNot<T: LaneNumber>(a: T) -> Bool = Bool::from(!a.truth());
    Isnan<T: LaneNumber>(a: T) -> Bool = Bool::from(a.is_nan());
    Isinf<T: LaneNumber>(a: T) -> Bool = Bool::from(a.is_inf());
    Isfinite<T: LaneNumber>(a: T) -> Bool = Bool::from(!a.is_nan() & !a.is_inf());
}
