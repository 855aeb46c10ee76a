//! Functions on `f32`, by every operator and backend, against the same formula in `f64`, which is checked against differences.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::{inplace, scalar};

/// What `f32` can hold of a derivative of these functions.
const SINGLE: Tolerance = Tolerance {
    relative: 2e-5,
    absolute: 2e-5,
};

macro_rules! both {
    ($float:ident, $energy:ident, $helper:ident, $spread:ident) => {
        #[differentiable]
        fn $helper(x: $float, p: &[$float; 2]) -> $float {
            (x * p[0]).sin() + p[1]
        }

        #[differentiable]
        fn $energy(x: &[$float]) -> $float {
            let mut s: $float = 0.125;
            for i in 1..x.len() {
                let d = x[i] - 0.75 * x[i - 1];
                let c = [x[i - 1], 0.5];
                s += $helper(d, &c) * d + (i as $float) * x[i].max(0.25) / 4.0;
                if d < -1.0 {
                    s *= x[0];
                }
            }
            if s > 1e3 { -0.0 } else { s * s.abs().sqrt() }
        }

        #[differentiable]
        fn $spread(x: &[$float], #[constant] a: $float, y: &mut [$float]) {
            for i in 0..y.len() {
                y[i] += x[i] * x[i + 1].exp() * a;
            }
        }
    };
}
both!(f32, energy, helper, spread);
both!(f64, energy_64, helper_64, spread_64);

const X: [f32; 4] = [0.5, 1.125, -0.25, 0.875];

fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| f64::from(*x)).collect()
}

#[test]
fn the_reference() {
    let x = wide(&X);
    scalar!(energy_64).check(&[&x]);
    inplace!(spread_64::AD.with(0.5), |x, y| spread_64(x, 0.5, y), 3).check(&[&x]);
}

#[test]
fn gradients() {
    let _row = di_test::rows::row(149);
    let x = wide(&X);
    let expected = gradient(energy_64::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let (y, g) = value_and_gradient(energy::AD, NoPrep, &AutoSource::new(), &X[..]).unwrap();
    assert_eq!(y.to_bits(), energy(&X).to_bits());
    assert_close("AutoSource", &wide(&g), &expected, SINGLE);
    let g = gradient(energy::AD, NoPrep, &AutoDual::new(), &X[..]).unwrap();
    assert_close("AutoDual", &wide(&g), &expected, SINGLE);
    let coarse = Tolerance {
        relative: 2e-2,
        absolute: 2e-2,
    };
    let g = gradient(energy::AD, NoPrep, &AutoFiniteDiff::new(), &X[..]).unwrap();
    assert_close("AutoFiniteDiff", &wide(&g), &expected, coarse);
}

#[test]
fn second_order() {
    let _row = di_test::rows::row(149);
    let x = wide(&X);
    let (v, v_64) = ([1.0_f32, -0.5, 0.25, 2.0], [1.0, -0.5, 0.25, 2.0]);
    let expected = hvp(energy_64::AD, NoPrep, &AutoSource::new(), &x, &v_64[..]).unwrap();
    let found = hvp(energy::AD, NoPrep, &AutoSource::new(), &X[..], &v[..]).unwrap();
    assert_close("hvp", &wide(&found), &expected, SINGLE);
    let expected = hessian(energy_64::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let expected: Vec<f64> = expected.iter().copied().collect();
    for found in [
        hessian(energy::AD, NoPrep, &AutoSource::new(), &X[..]).unwrap(),
        hessian(energy::AD, NoPrep, &AutoDual::new(), &X[..]).unwrap(),
    ] {
        let found: Vec<f32> = found.iter().copied().collect();
        assert_close("hessian", &wide(&found), &expected, SINGLE);
    }
}

#[test]
fn jacobians() {
    let x = wide(&X);
    let (mut y, mut y_64) = ([0.0_f32; 3], [0.0_f64; 3]);
    let expected = jacobian(
        spread_64::AD.with(0.5).output(&mut y_64[..]),
        NoPrep,
        &AutoSource::new(),
        &x,
    )
    .unwrap();
    let expected: Vec<f64> = expected.iter().copied().collect();
    for found in [
        jacobian(
            spread::AD.with(0.5).output(&mut y[..]),
            NoPrep,
            &AutoSource::new(),
            &X[..],
        )
        .unwrap(),
        jacobian(
            spread::AD.with(0.5).output(&mut y[..]),
            NoPrep,
            &AutoDual::new(),
            &X[..],
        )
        .unwrap(),
    ] {
        let found: Vec<f32> = found.iter().copied().collect();
        assert_close("jacobian", &wide(&found), &expected, SINGLE);
    }
}

#[differentiable]
fn scalar_32(x: f32) -> f32 {
    // rounded once, to f32
    (x * 16_777_217.0).sin() * 0.1 + x.powi(3)
}

#[test]
fn derivatives_of_numbers() {
    let x = 0.75_f32;
    let (y, d) = value_and_derivative(scalar_32::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_eq!(y.to_bits(), scalar_32(x).to_bits());
    let inner = x * 16_777_217.0_f32;
    let expected = inner.cos() * 16_777_217.0 * 0.1 + 3.0 * x * x;
    assert_close(
        "derivative",
        &[f64::from(d)],
        &[f64::from(expected)],
        SINGLE,
    );
    let d2 = second_derivative(scalar_32::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    let expected = -inner.sin() * 16_777_217.0 * 16_777_217.0 * 0.1 + 6.0 * x;
    assert!(
        (d2 - expected).abs() <= 1e-4 * expected.abs(),
        "{d2} {expected}"
    );
}
