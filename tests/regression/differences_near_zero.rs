//! Steps of differences shrank with the input, down to 1e-10 of it, until the difference was rounding alone.

use di::prelude::*;
use di::{AutoFiniteDifferences, Capabilities, Error, Operator};
use di_test::compare::{Tolerance, assert_close};

#[differentiable]
fn exponential(x: &[f64]) -> f64 {
    x[0].exp() + 0.5 * x[1] * x[1]
}

#[test]
fn differences_have_their_digits_near_zero() -> Result<(), Error> {
    let schemes = [AutoFiniteDiff::new(), AutoFiniteDiff::new().forward()];
    // A negative step looks the other way; these are for first order.
    let backward = [
        schemes[1].relative_step(-1e-8),
        schemes[1].absolute_step(-1e-8),
    ];
    for (scheme, second_order) in schemes
        .map(|s| (s, true))
        .into_iter()
        .chain(backward.map(|s| (s, false)))
    {
        for x in [0.0_f64, 1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, -1e-7] {
            let at = [x, -x];
            let of = |operator| Tolerance {
                relative: scheme.accuracy(operator),
                absolute: scheme.accuracy(operator),
            };
            let first = [x.exp(), -x];
            let g = gradient(exponential::AD, NoPrep, &scheme, &at)?;
            assert_close("gradient", &g, &first, of(Operator::Gradient));
            if !second_order {
                continue;
            }
            let h = hessian(exponential::AD, NoPrep, &scheme, &at)?;
            let second = [x.exp(), 0.0, 0.0, 1.0];
            let found: Vec<f64> = h.iter().copied().collect();
            assert_close("Hessian", &found, &second, of(Operator::Hessian));
        }
    }
    Ok(())
}

#[differentiable]
fn rectified(x: &[f64]) -> f64 {
    x[0].max(0.0)
}

/// The step was as wide as the scheme allows where a derivative of high order was found to be zero, across the kink.
#[test]
fn schemes_look_no_further_than_they_measured() -> Result<(), Error> {
    for scheme in [
        AutoFiniteDifferences::central(3),
        AutoFiniteDifferences::central(5),
        AutoFiniteDifferences::forward(4),
    ] {
        for x in [0.1, 1.0, 5.0, 100.0, -0.1, -1.0, -100.0] {
            let found = gradient(rectified::AD, NoPrep, &scheme, &[x])?;
            let right = if x > 0.0 { 1.0 } else { 0.0 };
            let bound = Tolerance {
                relative: 1e-10,
                absolute: 1e-10,
            };
            assert_close("gradient", &found, &[right], bound);
        }
    }
    Ok(())
}
