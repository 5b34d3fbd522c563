//! Bits, shifts and number theory of the integers.

use super::element::{Int, LaneNumber};
use super::loops::{Bool, Map, maps};

maps! {
    BitwiseAnd<T: Int>(a: T, b: T) -> T = a.and(b);
    BitwiseOr<T: Int>(a: T, b: T) -> T = a.or(b);
    BitwiseXor<T: Int>(a: T, b: T) -> T = a.xor(b);
    Invert<T: Int>(a: T) -> T = a.not();
    LeftShift<T: Int>(a: T, b: T) -> T = a.shift_left(b);
    RightShift<T: Int>(a: T, b: T) -> T = a.shift_right(b);
    BitwiseCount<T: Int>(a: T) -> u8 = a.ones();
    Gcd<T: Int>(a: T, b: T) -> T = a.gcd(b);
    Lcm<T: Int>(a: T, b: T) -> T = a.lcm(b);
    IntPower<T: Int>(a: T, b: T) -> T = a.power(b);
}

impl Map<Bool> for BitwiseXor {
    type A = Bool;
    type B = Bool;
    type C = ();
    type Out = Bool;
    #[inline(always)]
    fn map(a: Bool, b: Bool, _: ()) -> Bool {
        a.sub(b)
    }
}

impl Map<Bool> for Invert {
    type A = Bool;
    type B = ();
    type C = ();
    type Out = Bool;
    #[inline(always)]
    fn map(a: Bool, _: (), _: ()) -> Bool {
        Bool::from(!a.truth())
    }
}
