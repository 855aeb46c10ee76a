//! Functions expanded by hand, as docs/generated-code.md says, so that operators can be tested without the
//! macro; and what the tests share.

#![allow(
    non_camel_case_types,
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    clippy::too_many_arguments,
    clippy::type_complexity
)]

mod in_place;
mod number_valued;
mod two_parameters;

pub use in_place::springs;
pub use number_valued::rosenbrock;
pub use two_parameters::weighted;

use di_runtime::closure::OnScalars;
use di_runtime::scalar::Scalar;
use di_runtime::value::{Array, Number, Slice};

/// Gradient of [`rosenbrock`].
pub fn rosenbrock_gradient(x: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        g[i] += -400.0 * a * x[i] - 2.0 * (1.0 - x[i]);
        g[i + 1] += 200.0 * a;
    }
    g
}

/// Hessian of [`rosenbrock`] times `v`.
pub fn rosenbrock_hvp(x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut h = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        h[i] += (800.0 * x[i] * x[i] - 400.0 * a + 2.0) * v[i] - 400.0 * x[i] * v[i + 1];
        h[i + 1] += 200.0 * v[i + 1] - 400.0 * x[i] * v[i];
    }
    h
}

/// Jacobian of [`springs`], row by row.
pub fn springs_jacobian(x: &[f64], k: f64) -> Vec<Vec<f64>> {
    let n = x.len();
    let mut j = vec![vec![0.0; n]; n];
    for i in 0..n - 1 {
        let slope = 3.0 * k * (x[i + 1] - x[i]).powi(2);
        j[i][i + 1] += slope;
        j[i][i] -= slope;
        j[i + 1][i + 1] -= slope;
        j[i + 1][i] += slope;
    }
    j
}

/// `t -> [sin t, t^2, 1]`, on any scalar.
#[derive(Clone, Copy)]
pub struct Curve;

impl OnScalars for Curve {
    type Real = f64;
    type X = Number;
    type Y = Array<3>;
    fn run<S: Scalar<Real = f64>>(&self, t: S) -> [S; 3] {
        [t.sin(), t * t, S::from_real(1.0)]
    }
}

/// `x -> prod x_i`, in single precision.
#[derive(Clone, Copy)]
pub struct Product;

impl OnScalars for Product {
    type Real = f32;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f32>>(&self, x: &[S]) -> S {
        x.iter().fold(S::from_real(1.0), |p, x| p * *x)
    }
}

/// Points of every length from `least` to `most`.
pub fn points(least: usize, most: usize) -> impl Iterator<Item = Vec<f64>> {
    (least..=most).map(|n| (0..n).map(|i| (0.7 * i as f64 + 0.3).sin()).collect())
}

/// Panics with index and both values.
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}: length");
    let scale = expected.iter().fold(1.0_f64, |s, v| s.max(v.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let good = (a - b).abs() <= tolerance * scale;
        assert!(good, "{what}: entry {i} is {a}, expected {b}");
    }
}
