//! Adjoints and tangents that were zero by computation won over infinite derivatives: finite numbers came
//! out, and wrong ones. Each derivative is that of a closed form, or it is no number.

#![allow(clippy::needless_range_loop, reason = "as users write it")]

use di::extend::{Dual, Scalar, Unary, UnaryRule};
use di::prelude::*;
use di::{AutoComplexStep, AutoSymbolic, AutoTaylor, custom_rule};

macro_rules! engines {
    ($each:ident) => {{
        $each!(AutoSource::new());
        $each!(AutoSource::new().forward());
        $each!(AutoSource::new().reverse());
        $each!(AutoDual::new());
        $each!(AutoTape::new());
        $each!(AutoTape::eager());
        $each!(AutoSymbolic::new());
        $each!(AutoSymbolic::new().factored());
        $each!(AutoTaylor::new());
    }};
}

#[track_caller]
fn right_or_undefined(what: &str, found: f64, expected: f64) {
    let right = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
    assert!(
        right || !found.is_finite(),
        "{what}: {found}, expected {expected}"
    );
}

macro_rules! gradients {
    ($f:ident, $x:expr, $expected:expr) => {{
        let (x, expected): (&[f64], &[f64]) = (&$x, &$expected);
        macro_rules! check {
            ($backend:expr) => {
                let g = gradient($f::AD, NoPrep, &$backend, x).unwrap();
                for (found, expected) in g.iter().zip(expected) {
                    let what = format!("{} by {}", stringify!($f), stringify!($backend));
                    right_or_undefined(&what, *found, *expected);
                }
            };
        }
        engines!(check);
        check!(AutoComplexStep::new());
    }};
}

macro_rules! hessians {
    ($f:ident, $x:expr, $expected:expr) => {{
        let (x, expected): (&[f64], &[f64]) = (&$x, &$expected);
        macro_rules! check {
            ($backend:expr) => {
                let h = hessian($f::AD, NoPrep, &$backend, x).unwrap();
                for (found, expected) in h.iter().zip(expected) {
                    let what = format!("{} by {}", stringify!($f), stringify!($backend));
                    right_or_undefined(&what, *found, *expected);
                }
            };
        }
        engines!(check);
        check!(SecondOrder::new(AutoDual::new(), AutoSource::new()));
        check!(SecondOrder::new(AutoTape::new(), AutoSource::new()));
        check!(SecondOrder::new(AutoDual::new(), AutoDual::new()));
    }};
}

#[differentiable]
fn kernel(x: &[f64]) -> f64 {
    let r = (x[0] * x[0] + x[1] * x[1]).sqrt();
    (-r * r).exp()
}

#[differentiable]
fn kernel_of_hypot(x: &[f64]) -> f64 {
    let r = x[0].hypot(x[1]);
    (-r * r).exp()
}

#[differentiable]
fn kernel_of_points(x: &[f64], #[constant] centre: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (x[i] - centre[i]).powi(2);
    }
    (-s.sqrt().powi(2)).exp()
}

#[test]
fn kernels_at_coincident_points_are_not_flat() {
    gradients!(kernel, [0.0, 0.0], [0.0, 0.0]);
    hessians!(kernel, [0.0, 0.0], [-2.0, 0.0, 0.0, -2.0]);
    gradients!(kernel_of_hypot, [0.0, 0.0], [0.0, 0.0]);
    hessians!(kernel_of_hypot, [0.0, 0.0], [-2.0, 0.0, 0.0, -2.0]);
    let f = kernel_of_points::AD.with(&[0.5, 0.25]);
    let h = hessian(f, NoPrep, &AutoSource::new(), &[0.5, 0.25][..]).unwrap();
    for (found, expected) in h.iter().zip([-2.0, 0.0, 0.0, -2.0]) {
        right_or_undefined("kernel of points", *found, expected);
    }
}

#[differentiable]
fn square_of_root(x: &[f64]) -> f64 {
    let r = x[0].sqrt();
    r * r
}

#[differentiable]
fn exp_of_ln(x: &[f64]) -> f64 {
    x[0].ln().exp()
}

#[differentiable]
fn cube_of_root(x: &[f64]) -> f64 {
    let r = x[0].cbrt();
    r * r * r
}

#[differentiable]
fn cosh_of_acosh(x: &[f64]) -> f64 {
    x[0].acosh().cosh()
}

#[differentiable]
fn power_of_power(x: &[f64]) -> f64 {
    x[0].powf(0.5).powf(2.0)
}

#[differentiable]
fn reciprocal_twice(x: &[f64]) -> f64 {
    1.0 / (1.0 / x[0])
}

#[differentiable]
fn recip_twice(x: &[f64]) -> f64 {
    x[0].recip().recip()
}

#[test]
fn inverses_undo_each_other_in_reverse() {
    gradients!(square_of_root, [0.0], [1.0]);
    gradients!(exp_of_ln, [0.0], [1.0]);
    gradients!(cube_of_root, [0.0], [1.0]);
    gradients!(cosh_of_acosh, [1.0], [1.0]);
    gradients!(power_of_power, [0.0], [1.0]);
    gradients!(reciprocal_twice, [0.0], [1.0]);
    gradients!(recip_twice, [0.0], [1.0]);
}

#[differentiable]
fn root_of_cube(x: &[f64]) -> f64 {
    (x[0] * x[0] * x[0]).cbrt()
}

#[differentiable]
fn power_of_cube(x: &[f64]) -> f64 {
    (x[0] * x[0] * x[0]).powf(1.0 / 3.0)
}

#[differentiable]
fn ln_of_square(x: &[f64]) -> f64 {
    (x[0] * x[0] * x[1]).ln()
}

#[test]
fn inverses_undo_each_other_forward() {
    gradients!(root_of_cube, [0.0], [1.0]);
    gradients!(power_of_cube, [0.0], [1.0]);
    gradients!(ln_of_square, [0.0, 2.0], [f64::INFINITY, 0.5]);
}

/// The cube root by another's code.
struct Root;

impl UnaryRule<f64> for Root {
    fn primal(&self, x: f64) -> f64 {
        x.cbrt()
    }
    fn derivative<S: Scalar<Real = f64>>(&self, _: S, y: S) -> S {
        S::real_div(1.0 / 3.0, y * y)
    }
}

#[test]
fn rules_by_hand_multiply_as_floats_do() {
    let cube = |x: Dual<f64, 1>| x * x * x;
    let x = Dual::<f64, 1>::variable(0.0, 0);
    right_or_undefined("cube of rule", cube(Unary(Root).call(x)).tangents[0], 1.0);
    right_or_undefined("rule of cube", Unary(Root).call(cube(x)).tangents[0], 1.0);
}

#[custom_rule(partials(slope))]
fn ruled(x: f64) -> f64 {
    x.cbrt()
}

#[differentiable]
fn slope(x: f64) -> f64 {
    1.0 / (3.0 * x.cbrt() * x.cbrt())
}

#[differentiable]
fn cube_of_ruled(x: &[f64]) -> f64 {
    let r = ruled(x[0]);
    r * r * r
}

#[differentiable]
fn ruled_of_cube(x: &[f64]) -> f64 {
    ruled(x[0] * x[0] * x[0])
}

#[test]
fn custom_rules_multiply_as_floats_do() {
    gradients!(cube_of_ruled, [0.0], [1.0]);
    gradients!(ruled_of_cube, [0.0], [1.0]);
}

#[differentiable]
fn roots_in_a_vector(x: &[f64]) -> f64 {
    let mut r = vec![0.0; x.len()];
    for i in 0..x.len() {
        r[i] = x[i].sqrt();
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += r[i] * r[i];
    }
    sum
}

#[test]
fn roots_in_a_vector_have_their_adjoints() {
    gradients!(roots_in_a_vector, [0.0, 4.0, 0.0], [1.0, 1.0, 1.0]);
}

/// A loop and a branch of one arm contribute to a root.
#[differentiable]
fn loop_and_branch(x: &[f64]) -> f64 {
    let r = (x[0] * x[0] + x[1] * x[1]).sqrt();
    let mut s = x[2];
    if x[2] > 0.0 {
        for i in 0..2 {
            s += r * x[i];
        }
        if x[2] > 1.0 {
            s += r;
        }
    }
    s
}

/// The variable that says whether an adjoint was reached was not declared: such functions did not build.
#[test]
fn arms_and_loops_contribute_to_one_root() {
    gradients!(loop_and_branch, [3.0, 4.0, 2.0], [9.8, 11.4, 1.0]);
    gradients!(loop_and_branch, [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]);
}
