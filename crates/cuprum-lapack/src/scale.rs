//! Scaling by powers of two, which is exact: the iterations square their elements.

use crate::{MatrixElement, RealElement};

/// The largest part of any element, or `None` where an element is not finite.
pub(crate) fn largest<T: MatrixElement>(a: &[T]) -> Option<T::RealElement> {
    crate::simd::run(|| {
        let (mut most, mut sum) = (T::RealElement::ZERO, T::RealElement::ZERO);
        for &x in a {
            let (re, im) = (x.re().size1(), x.im().size1());
            most = if re > most { re } else { most };
            most = if im > most { im } else { most };
            // Stays zero unless there is a NaN or an infinity, times zero.
            sum += x.re() * T::RealElement::ZERO + x.im() * T::RealElement::ZERO;
        }
        (sum == T::RealElement::ZERO).then_some(most)
    })
}

/// Multiplies by `2**e`.
pub(crate) fn multiply<T: MatrixElement>(a: &mut [T], e: i32) {
    if e == 0 {
        return;
    }
    for x in a {
        *x = T::from_reals(x.re().times_power_of_two(e), x.im().times_power_of_two(e));
    }
}

/// Brings the largest element near one where it is far from it; gives the exponent that takes it back, or `None`
/// where an element is not finite.
pub(crate) fn normalize<T: MatrixElement>(a: &mut [T]) -> Option<i32> {
    let e = largest(a)?.exponent();
    if e.abs() < 8 {
        return Some(0);
    }
    multiply(a, -e);
    Some(e)
}
