//! What is known of an integer in a lane: a number and multiples of what is the same for all lanes of a warp.

use std::cmp::Ordering;

use crate::ir::{Binary, Compare, Local, Type};
use crate::passes::fold;

/// The most parts of a sum.
const MAX_PARTS: usize = 5;

/// What is the same for all lanes of a warp.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Where a variable or array begins.
    Base(u8, u32),
    /// `blockIdx` along an axis.
    Block(u8),
    /// How often a loop has gone round.
    Rounds(u32),
    /// A local.
    Local(Local),
    /// A scalar among the parameters, by its offset.
    Parameter(u32),
}

/// `number + part * factor + ...`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    pub number: i64,
    count: usize,
    parts: [(Part, i64); MAX_PARTS],
}

impl Sum {
    pub fn number(number: i64) -> Sum {
        Sum { number, count: 0, parts: [(Part::Block(0), 0); MAX_PARTS] }
    }

    pub fn part(part: Part) -> Sum {
        let mut sum = Sum::number(0);
        sum.parts[0] = (part, 1);
        sum.count = 1;
        sum
    }

    pub fn as_number(&self) -> Option<i64> {
        (self.count == 0).then_some(self.number)
    }

    pub fn terms(&self) -> &[(Part, i64)] {
        &self.parts[..self.count]
    }

    /// `self + other * factor`; none where there are too many parts.
    pub fn plus(&self, other: &Sum, factor: i64) -> Option<Sum> {
        let mut sum = Sum::number(self.number.wrapping_add(other.number.wrapping_mul(factor)));
        let (mut a, mut b) = (self.terms().iter().peekable(), other.terms().iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => return Some(sum),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(x), Some(y)) => x.0.cmp(&y.0),
            };
            let mut term = (Part::Block(0), 0i64);
            if next != Ordering::Greater {
                term = *a.next()?;
            }
            if next != Ordering::Less {
                let (part, by) = *b.next()?;
                term = (part, term.1.wrapping_add(by.wrapping_mul(factor)));
            }
            if term.1 != 0 {
                *sum.parts.get_mut(sum.count)? = term;
                sum.count += 1;
            }
        }
    }

    pub fn times(&self, factor: i64) -> Option<Sum> {
        Sum::number(0).plus(self, factor)
    }
}

/// The result of an operator on sums; none where it is no sum.
pub fn binary(op: Binary, ty: Type, x: Option<Sum>, y: Option<Sum>) -> Option<Sum> {
    let zero = |sum: &Option<Sum>| sum.as_ref().and_then(Sum::as_number) == Some(0);
    if op == Binary::And && (zero(&x) || zero(&y)) {
        return Some(Sum::number(0));
    }
    let (x, y) = (x?, y?);
    if let (Some(a), Some(b)) = (x.as_number(), y.as_number()) {
        let (a, b) = (a as u64 & fold::mask(ty), b as u64 & fold::mask(ty));
        return Some(Sum::number(fold::signed(ty, fold::binary(op, ty, a, b))));
    }
    match op {
        Binary::Add => x.plus(&y, 1),
        Binary::Sub => x.plus(&y, -1),
        Binary::Mul => match (x.as_number(), y.as_number()) {
            (Some(by), _) => y.times(by),
            (_, Some(by)) => x.times(by),
            _ => None,
        },
        Binary::Shl => x.times(1i64.checked_shl(u32::try_from(y.as_number()?).ok()?)?),
        _ => None,
    }
}

/// The truth of a comparison of sums, as a number; none where it is not known.
pub fn compare(op: Compare, ty: Type, x: &Sum, y: &Sum) -> Option<Sum> {
    let truth = |holds: bool| Some(Sum::number(i64::from(holds)));
    if let (Some(a), Some(b)) = (x.as_number(), y.as_number()) {
        let (a, b) = (a as u64 & fold::mask(ty), b as u64 & fold::mask(ty));
        return truth(fold::compare(op, ty, a, b));
    }
    let distance = x.plus(y, -1)?.as_number()?;
    truth(match op {
        Compare::Eq => distance == 0,
        Compare::Ne => distance != 0,
        Compare::LtS | Compare::LtU => distance < 0,
        Compare::LeS | Compare::LeU => distance <= 0,
        Compare::GtS | Compare::GtU => distance > 0,
        Compare::GeS | Compare::GeU => distance >= 0,
        _ => return None,
    })
}
