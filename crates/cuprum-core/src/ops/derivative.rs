//! Derivatives of ops as expressions of other ops.

use std::fmt;

use super::Op;

/// A part of a derivative: an expression over an op's arguments and its result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Term {
    /// The op's argument of that number: `a`, `b`, `c`.
    Argument(usize),
    /// The op's result: `y`.
    Result,
    /// A constant.
    Number(f64),
    /// An op of other terms.
    Apply(Op, &'static [Term]),
}

/// For `d![Divide(1, b), y]` this makes
/// `&[Term::Apply(Op::Divide, &[Term::Number(1.0), Term::Argument(1)]), Term::Result]`: a derivative by each argument.
macro_rules! d {
    ($($head:tt $(($($args:tt)*))?),+ $(,)?) => { &[$(term!($head $(($($args)*))?)),+] };
}

/// One term of [`d!`].
macro_rules! term {
    (a) => { Term::Argument(0) };
    (b) => { Term::Argument(1) };
    (c) => { Term::Argument(2) };
    (y) => { Term::Result };
    ($constant:ident) => { Term::Number(std::f64::consts::$constant) };
    ($number:literal) => { Term::Number($number as f64) };
    ($op:ident($($head:tt $(($($args:tt)*))?),+)) => {
        Term::Apply(Op::$op, &[$(term!($head $(($($args)*))?)),+])
    };
}
pub(crate) use {d, term};

/// As a call of functions by their names: `divide(1, b)`.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Argument(number) => f.write_str(["a", "b", "c"][*number]),
            Term::Result => f.write_str("y"),
            Term::Number(number) => write!(f, "{number}"),
            Term::Apply(op, args) => {
                write!(f, "{}(", op.name())?;
                for (i, arg) in args.iter().enumerate() {
                    write!(f, "{}{arg}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_print_as_calls() {
        assert_eq!(Op::Divide.row().derivative[1].to_string(), "divide(negative(y), b)");
    }

    /// Each op has as many terms as arguments, and terms name arguments that exist.
    fn check(term: &Term, nin: usize) {
        match term {
            Term::Argument(number) => assert!(*number < nin),
            Term::Result | Term::Number(_) => {}
            Term::Apply(op, args) => {
                assert_eq!(args.len(), op.row().nin, "{term}");
                args.iter().for_each(|arg| check(arg, nin));
            }
        }
    }

    #[test]
    fn derivatives_are_well_formed() {
        for op in Op::all() {
            let row = op.row();
            assert!(row.derivative.is_empty() || row.derivative.len() == row.nin, "{}", row.name);
            row.derivative.iter().for_each(|term| check(term, row.nin));
        }
    }
}
