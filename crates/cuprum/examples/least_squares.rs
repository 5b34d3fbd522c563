//! A straight line through noisy points, by the normal equations: `cargo run --example least_squares`.

use cuprum::creation::linspace;
use cuprum::manipulation::stack;
use cuprum::prelude::*;

/// Runs the example.
pub fn main() -> cuprum::Result<()> {
    let x = linspace(0.0.into(), 10.0.into(), 1001, true, None)?;
    // A deterministic wobble stands in for noise: it is orthogonal to neither column, but small.
    let y = 2.5 * &x + 1.0 + 0.01 * (&x * 37.0).sin()?;

    let design = stack(&[&x, &x.full_like(1.0)?], 1, None, Casting::SameKind, None)?;
    let normal = design.transpose().matmul(&design)?.to_vec::<f64>()?;
    let right = design.transpose().matmul(&y)?.to_vec::<f64>()?;

    let determinant = normal[0] * normal[3] - normal[1] * normal[2];
    let slope = (right[0] * normal[3] - right[1] * normal[1]) / determinant;
    let intercept = (right[1] * normal[0] - right[0] * normal[2]) / determinant;
    println!("y = {slope:.3} x + {intercept:.3}");
    assert!((slope - 2.5).abs() < 1e-2 && (intercept - 1.0).abs() < 1e-2);

    let residual = (&y - (slope * &x + intercept)).square()?.mean()?.sqrt()?;
    println!("residual {:.4}", residual.item::<f64>()?);
    Ok(())
}
