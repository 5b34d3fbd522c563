//! The derivatives in the table of ops agree with differences of the ops themselves.

use cuprum::elementwise::{Arg, Options, apply};
use cuprum::prelude::*;
use cuprum_core::Number;
use cuprum_core::ops::{Inputs, Row, Term};

const SAMPLES: usize = 200;

/// Numbers within the middle of the op's domain, other ones for every argument.
fn samples(row: &Row, argument: usize) -> Vec<f64> {
    let (low, high) = (row.domain.0.max(-3.0), row.domain.1.min(3.0));
    let (middle, half) = ((low + high) / 2.0, 0.45 * (high - low));
    // Multiples of an irrational number fill the interval evenly.
    let step = [0.618_033_988_749_894_8, 0.754_877_666_246_692_7, 0.819_172_513_396_164_4][argument];
    (1..=SAMPLES).map(|i| middle + half * (2.0 * (i as f64 * step).fract() - 1.0)).collect()
}

fn arguments(row: &Row) -> Vec<Array> {
    let array = |i: usize| match (row.inputs, i) {
        (Inputs::ConditionFirst, 0) => Array::from_slice(&samples(row, i)).greater(0.0).unwrap(),
        (Inputs::ExponentSecond, 1) => {
            Array::from_slice(&samples(row, i)).rint().unwrap().astype(DType::I64).unwrap()
        }
        _ => Array::from_slice(&samples(row, i)),
    };
    (0..row.nin).map(array).collect()
}

fn call(op: Op, args: &[&Array]) -> Array {
    let args: Vec<Arg<'_>> = args.iter().map(|&array| Arg::Array(array)).collect();
    apply(op, &args, &Options::default()).unwrap()
}

fn evaluate(term: &Term, args: &[Array], result: &Array) -> Array {
    match term {
        Term::Argument(number) => args[*number].clone(),
        Term::Result => result.clone(),
        Term::Number(number) => result.full_like(Number::Float(*number)).unwrap(),
        Term::Apply(op, terms) => {
            let values: Vec<Array> = terms.iter().map(|term| evaluate(term, args, result)).collect();
            call(*op, &values.iter().collect::<Vec<_>>())
        }
    }
}

/// The slope of the op along one argument, by central differences of that part of the argument.
fn slope(op: Op, args: &[Array], argument: usize, part: f64) -> Vec<f64> {
    let moved = |by: f64| {
        let there = args[argument].binary(Op::Multiply, 1.0 + by).unwrap();
        let mut all: Vec<&Array> = args.iter().collect();
        all[argument] = &there;
        let values = call(op, &all).to_vec::<f64>().unwrap();
        (there.to_vec::<f64>().unwrap(), values)
    };
    let (after, before) = (moved(part), moved(-part));
    (0..SAMPLES).map(|s| (after.1[s] - before.1[s]) / (after.0[s] - before.0[s])).collect()
}

#[test]
fn derivatives_are_the_slopes_of_their_ops() {
    let mut checked = 0;
    for op in Op::all() {
        let row = op.row();
        let args = arguments(row);
        let result = (!row.derivative.is_empty()).then(|| call(op, &args.iter().collect::<Vec<_>>()));
        for (i, term) in row.derivative.iter().enumerate() {
            if matches!((row.inputs, i), (Inputs::ConditionFirst, 0) | (Inputs::ExponentSecond, 1)) {
                continue;
            }
            let result = result.as_ref().unwrap();
            let values = result.to_vec::<f64>().unwrap();
            let stated = evaluate(term, &args, result).to_vec::<f64>().unwrap();
            // How far two step sizes are apart bounds what the difference itself is off by.
            let (measured, wider) = (slope(op, &args, i, 1e-5), slope(op, &args, i, 2e-5));
            for s in 0..SAMPLES {
                let bound = 1e-6 * (1.0 + values[s].abs() + stated[s].abs()) + (measured[s] - wider[s]).abs();
                let off = (stated[s] - measured[s]).abs();
                let at: Vec<f64> =
                    args.iter().map(|a| a.astype(DType::F64).unwrap().to_vec::<f64>().unwrap()[s]).collect();
                assert!(
                    off <= bound,
                    "{} by argument {i} at {at:?}: {} stated, {} measured",
                    row.name,
                    stated[s],
                    measured[s]
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} derivatives were compared");
}
