//! The elementary functions of real arguments, as lanes over [`crate::math`].

use std::f32::consts::PI as PI_SINGLE;
use std::f64::consts::PI;
use std::marker::PhantomData;

use super::loops::{Map, Slot};
use crate::math::{ElementaryFunction, ElementaryFunction2, Sin, special};

/// A function of one argument.
pub(super) struct Elementary<F>(PhantomData<F>);
/// A function of two arguments.
pub(super) struct Elementary2<F>(PhantomData<F>);

impl<T: Slot, F: ElementaryFunction<T>> Map<T> for Elementary<F> {
    type A = T;
    type B = ();
    type C = ();
    type Out = T;
    const RARE: bool = true;
    #[inline(always)]
    fn map(a: T, _: (), _: ()) -> T {
        F::fast(a)
    }
    #[inline(always)]
    fn rare(a: T, _: (), _: ()) -> bool {
        F::rare(a)
    }
    #[inline(always)]
    fn slow(a: T, _: (), _: ()) -> T {
        F::slow(a)
    }
}

impl<T: Slot, F: ElementaryFunction2<T>> Map<T> for Elementary2<F> {
    type A = T;
    type B = T;
    type C = ();
    type Out = T;
    const RARE: bool = true;
    const IS_LONG: bool = F::IS_LONG;
    #[inline(always)]
    fn map(a: T, b: T, _: ()) -> T {
        F::fast(a, b)
    }
    #[inline(always)]
    fn rare(a: T, b: T, _: ()) -> bool {
        F::rare(a, b)
    }
    #[inline(always)]
    fn slow(a: T, b: T, _: ()) -> T {
        F::slow(a, b)
    }
}

/// `sin(pi x) / (pi x)`, one at zero.
pub(super) struct Sinc;

/// Implements [`Sinc`] as NumPy computes it: the angle is rounded before the sine is taken.
macro_rules! sinc {
    ($($t:ident $pi:expr;)+) => {$(
        impl Map<$t> for Sinc {
            type A = $t;
            type B = ();
            type C = ();
            type Out = $t;
            const RARE: bool = true;
            #[inline(always)]
            fn map(x: $t, _: (), _: ()) -> $t {
                let angle = $pi * x;
                let ratio = <Sin as ElementaryFunction<$t>>::fast(angle) / angle;
                if angle == 0.0 { 1.0 } else { ratio }
            }
            #[inline(always)]
            fn rare(x: $t, _: (), _: ()) -> bool {
                <Sin as ElementaryFunction<$t>>::rare($pi * x)
            }
            #[inline(always)]
            fn slow(x: $t, _: (), _: ()) -> $t {
                let angle = $pi * x;
                if angle == 0.0 { 1.0 } else { <Sin as ElementaryFunction<$t>>::slow(angle) / angle }
            }
        }
    )+};
}

sinc! {
    f32 PI_SINGLE;
    f64 PI;
}

/// The angle of a real number: zero, or pi for the negative ones, minus zero among them.
pub(super) struct RealAngle;

impl Map<f32> for RealAngle {
    type A = f32;
    type B = ();
    type C = ();
    type Out = f32;
    #[inline(always)]
    fn map(x: f32, _: (), _: ()) -> f32 {
        let angle = if x.is_sign_negative() { PI_SINGLE } else { 0.0 };
        if x.is_nan() { x } else { angle }
    }
}

impl Map<f64> for RealAngle {
    type A = f64;
    type B = ();
    type C = ();
    type Out = f64;
    #[inline(always)]
    fn map(x: f64, _: (), _: ()) -> f64 {
        let angle = if x.is_sign_negative() { PI } else { 0.0 };
        if x.is_nan() { x } else { angle }
    }
}

/// The modified Bessel function of order zero.
pub(super) struct I0;

impl Map<f32> for I0 {
    type A = f32;
    type B = ();
    type C = ();
    type Out = f32;
    #[inline(always)]
    fn map(x: f32, _: (), _: ()) -> f32 {
        special::i0(x as f64) as f32
    }
}

impl Map<f64> for I0 {
    type A = f64;
    type B = ();
    type C = ();
    type Out = f64;
    #[inline(always)]
    fn map(x: f64, _: (), _: ()) -> f64 {
        special::i0(x)
    }
}
