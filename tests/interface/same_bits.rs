//! All variants of an operator have the same bits, whichever the engine.

use di::prelude::*;
use di::{
    AutoComplexStep, AutoFiniteDifferences, AutoForwardFromPrimitive, AutoReverseFromPrimitive,
    AutoSymbolic, AutoTaylor, Error,
};
use di_test::compare::assert_bitwise;

/// Branches, sums whose order matters, a quotient and elementary functions.
#[differentiable]
fn mixed(x: &[f64]) -> f64 {
    let mut sum = 0.1;
    for i in 0..x.len() {
        let a = x[i] * x[(i + 1) % x.len()];
        sum += if x[i] > 0.0 {
            a.sin() / (1.0 + a * a)
        } else {
            (a - 0.3).exp() * x[0]
        };
        sum *= 1.0 + 0.1 * x[i];
    }
    sum / 3.0
}

fn points() -> Vec<Vec<f64>> {
    let at = |i: usize, k: usize| ((i * 7 + k * 13) as f64 * 0.37).sin();
    (0..12)
        .map(|k| (0..5).map(|i| at(i, k)).collect())
        .collect()
}

macro_rules! same {
    ($($backend:expr, $points:expr;)*) => {$(
        let backend = $backend;
        let points: Vec<Vec<f64>> = $points;
        let prep = prepare_gradient(mixed::AD, &backend, &points[0])?;
        for x in &points {
            let g = gradient(mixed::AD, &prep, &backend, x)?;
            let (_, with_value) = value_and_gradient(mixed::AD, &prep, &backend, x)?;
            let mut written = vec![0.0; x.len()];
            gradient_into(mixed::AD, &mut written, &prep, &backend, x)?;
            assert_bitwise("value_and_gradient", &with_value, &g);
            assert_bitwise("gradient_into", &written, &g);
            value_and_gradient_into(mixed::AD, &mut written, &prep, &backend, x)?;
            assert_bitwise("value_and_gradient_into", &written, &g);
        }
    )*};
}

#[test]
fn gradients_with_and_without_value_have_the_same_bits() -> Result<(), Error> {
    same! {
        AutoSource::new(), points();
        AutoSource::new().forward(), points();
        AutoSource::new().reverse(), points();
        AutoDual::new(), points();
        AutoDual::new().chunk(1), points();
        AutoTaylor::new(), points();
        AutoSymbolic::new(), points();
        AutoSymbolic::new().factored(), points();
        AutoFiniteDiff::new(), points();
        AutoFiniteDifferences::central(5), points();
        AutoComplexStep::new(), points();
        AutoForwardFromPrimitive(AutoSource::new()), points();
        AutoReverseFromPrimitive(AutoDual::new()), points();
        AutoTape::eager(), points();
        // where no branch changes
        AutoTape::new(), points().iter().map(|x| x.iter().map(|v| v.abs() + 0.1).collect()).collect();
    }
    Ok(())
}
