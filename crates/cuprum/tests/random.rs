//! Generators: bounds and parameters that are compared on the device, and streams that move on without a look at them.

use cuprum::random::{Distribution, Generator, Parameter};
use cuprum::{Array, DType};
use cuprum_core::SimdLevel;
use cuprum_random::{Integers, fill_integers};

fn at(words: usize, halves: usize) -> Generator {
    let mut generator = Generator::new(11);
    generator.raw(&[words]).unwrap();
    generator.random(&[halves], DType::F32).unwrap();
    generator
}

#[test]
fn streams_move_on_as_far_as_the_draws_went() {
    for (words, halves) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)] {
        for (high, dtype) in
            [(255, DType::U8), (99, DType::U8), (1, DType::I16), (5, DType::I32), (7, DType::I64)]
        {
            for count in [1, 2, 5, 100] {
                let mut generator = at(words, halves);
                let mut stream = *generator.stream();
                let (mut small, mut middle, mut large, mut huge) =
                    (vec![0u8; count], vec![0u16; count], vec![0u32; count], vec![0u64; count]);
                let out = match dtype.size() {
                    1 => Integers::Bits8(&mut small),
                    2 => Integers::Bits16(&mut middle),
                    4 => Integers::Bits32(&mut large),
                    _ => Integers::Bits64(&mut huge),
                };
                fill_integers(&mut stream, 0, high, out, SimdLevel::Portable).unwrap();
                generator.integers(0, i128::from(high), &[count], dtype).unwrap();
                assert_eq!(*generator.stream(), stream, "{count} of {dtype} up to {high}");
            }
        }
        let mut generator = at(words, halves);
        let mut stream = *generator.stream();
        fill_integers(&mut stream, 0, 1, Integers::Bool(&mut [0; 70]), SimdLevel::Portable).unwrap();
        generator.integers(0, 1, &[70], DType::Bool).unwrap();
        assert_eq!(*generator.stream(), stream);
    }
}

#[test]
fn bounds_are_the_same_compared_or_looked_at() {
    let low: Vec<i64> = (0..200).map(|i| -i * i).collect();
    let high: Vec<i64> = (0..200).map(|i| i * 1000 + 1).collect();
    for dtype in [DType::I32, DType::I64] {
        for endpoint in [false, true] {
            let draw = |low: &Array, high: &Array| {
                let mut generator = at(1, 1);
                let drawn = generator.integers_between(low, high, endpoint, None, dtype).unwrap();
                (drawn.to_bytes().unwrap(), *generator.stream())
            };
            let (low, high) = (Array::from_slice(&low), Array::from_slice(&high));
            // Floats are looked at by the host.
            let [low_floats, high_floats] = [&low, &high].map(|bound| bound.astype(DType::F64).unwrap());
            assert_eq!(draw(&low, &high), draw(&low_floats, &high_floats));
        }
    }
    let whole = Generator::new(1)
        .integers_between(
            &Array::from_slice(&[i64::MIN; 9]),
            &Array::from_slice(&[i64::MAX; 9]),
            true,
            None,
            DType::I64,
        )
        .unwrap();
    assert!(whole.to_vec::<i64>().unwrap().iter().any(|x| *x < 0));
}

#[test]
fn bounds_beyond_the_dtype_are_refused() {
    let refused = |low: i64, high: i64, endpoint, dtype, message: &str| {
        let (low, high) = (Array::from_slice(&[0, low]), Array::from_slice(&[1, high]));
        let error = Generator::new(1).integers_between(&low, &high, endpoint, None, dtype).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    };
    refused(-1, 5, true, DType::U8, "low is out of bounds");
    refused(0, 256, true, DType::U8, "high is out of bounds");
    refused(0, 257, false, DType::U8, "high is out of bounds");
    refused(5, 5, false, DType::I32, "low >= high");
    refused(6, 5, true, DType::U64, "low >= high");
}

#[test]
fn parameters_out_of_bounds_are_refused_wherever_they_stand() {
    use Distribution::*;
    let refused = |distribution, rows: &[[f64; 2]], message: &str| {
        let arrays: Vec<Array> = rows.iter().map(|row| Array::from_slice(row)).collect();
        let parameters: Vec<Parameter<'_>> = arrays.iter().map(Parameter::from).collect();
        let error = Generator::new(1).draw(distribution, &parameters, None, None).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    };
    refused(Normal, &[[0.0, 0.0], [1.0, -0.0]], "scale < 0");
    refused(Poisson, &[[1.0, -1.0]], "lam < 0");
    refused(Poisson, &[[1.0, f64::NAN]], "lam < 0 or lam is NaN");
    refused(Geometric, &[[0.5, 0.0]], "p <= 0");
    refused(Uniform, &[[0.0, 0.0], [1.0, f64::INFINITY]], "range exceeds");
    refused(Uniform, &[[0.0, 2.0], [1.0, 1.0]], "high - low < 0");
    refused(Triangular, &[[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], "left == right");
    refused(Hypergeometric, &[[5.0, 5.0], [5.0, 5.0], [3.0, 11.0]], "ngood + nbad < nsample");
    refused(NegativeBinomial, &[[1e10, 1.0], [1e-10, 0.5]], "n too large");
}

#[test]
fn parameters_that_comparisons_leave_open_are_drawn_from() {
    let mut generator = Generator::new(1);
    let scales = Array::from_slice(&[1.0, f64::NAN]);
    let drawn = generator.draw(Distribution::Normal, &[0.0.into(), (&scales).into()], None, None).unwrap();
    assert!(drawn.to_vec::<f64>().unwrap()[1].is_nan());
    let (low, high) = (Array::from_slice(&[0.0, -8.5e307]), Array::from_slice(&[1.0, 8.5e307]));
    let drawn = generator.draw(Distribution::Uniform, &[(&low).into(), (&high).into()], None, None).unwrap();
    assert!(drawn.to_vec::<f64>().unwrap()[1].is_finite());
}
