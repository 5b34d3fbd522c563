//! Comparisons and logic: any dtype in, `bool` out.

use super::element::Number;
use super::loops::{Bool, Map, maps};

maps! {
    Equal<T: Number>(a: T, b: T) -> Bool = Bool::from(a.equal(b));
    NotEqual<T: Number>(a: T, b: T) -> Bool = Bool::from(!a.equal(b));
    Less<T: Number>(a: T, b: T) -> Bool = Bool::from(a.less(b));
    LessEqual<T: Number>(a: T, b: T) -> Bool = Bool::from(a.less_equal(b));
    Greater<T: Number>(a: T, b: T) -> Bool = Bool::from(b.less(a));
    GreaterEqual<T: Number>(a: T, b: T) -> Bool = Bool::from(b.less_equal(a));
    LogicalAnd<T: Number>(a: T, b: T) -> Bool = Bool::from(a.truth() & b.truth());
    LogicalOr<T: Number>(a: T, b: T) -> Bool = Bool::from(a.truth() | b.truth());
    LogicalXor<T: Number>(a: T, b: T) -> Bool = Bool::from(a.truth() ^ b.truth());
    LogicalNot<T: Number>(a: T) -> Bool = Bool::from(!a.truth());
    Isnan<T: Number>(a: T) -> Bool = Bool::from(a.is_nan());
    Isinf<T: Number>(a: T) -> Bool = Bool::from(a.is_inf());
    Isfinite<T: Number>(a: T) -> Bool = Bool::from(!a.is_nan() & !a.is_inf());
}
