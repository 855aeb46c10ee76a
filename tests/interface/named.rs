//! Preps as fields of structs that users write.

use di::prelude::*;
use di::sparse::AutoSparse;
use di_test::compare::{assert_bitwise, assert_same};

#[differentiable]
fn chi2(p: &[f64], #[constant] t: &[f64], #[constant] y: &[f64], #[cache] r: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..t.len() {
        r[i] = p[0] * t[i] + p[1] - y[i];
        sum += r[i] * r[i];
    }
    sum
}

#[differentiable]
fn residuals(p: &[f64], #[constant] t: &[f64], r: &mut [f64]) {
    for i in 0..t.len() {
        r[i] = p[0] * t[i] + p[1];
    }
}

#[differentiable]
fn product(a: &[f64], b: f64, #[constant] k: f64) -> f64 {
    k * a[0] * b
}

#[differentiable]
fn orbit(t: f64) -> [f64; 2] {
    [t * t, t.sin()]
}

#[differentiable]
fn dot<const N: usize>(x: &[f64; N], #[constant] w: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += w[i] * x[i];
    }
    sum
}

/// A fit: data that it owns, and what is prepared for it.
#[derive(Clone)]
struct Problem {
    t: Vec<f64>,
    y: Vec<f64>,
    r: Vec<f64>,
    gradient: GradientPrep<chi2, AutoSource>,
    hvp: HvpPrep<chi2, AutoSource>,
    hessian: HessianPrep<chi2, AutoDual>,
}

impl Problem {
    fn new(t: Vec<f64>, y: Vec<f64>) -> Result<Self, di::Error> {
        let (p, r) = ([0.0; 2], vec![0.0; t.len()]);
        let f = chi2::AD.with(&t, &y, &r);
        Ok(Problem {
            gradient: prepare_gradient(f, &AutoSource::new(), &p)?,
            hvp: prepare_hvp(f, &AutoSource::new(), &p, &p)?,
            hessian: prepare_hessian(f, &AutoDual::new(), &p)?,
            t,
            y,
            r,
        })
    }
}

#[test]
fn problems_hold_their_preps() {
    let mut problem = Problem::new(vec![0.0, 1.0, 2.0], vec![1.0, 3.0, 5.0]).unwrap();
    let (p, by_hand) = ([1.0, 0.0], [-16.0, -12.0]);
    for factor in [1.0, 2.0] {
        // data may change: the prep is for the function, not for what is bound
        problem.y.iter_mut().for_each(|y| *y *= factor);
        let Problem { t, y, r, .. } = &problem;
        let f = chi2::AD.with(t, y, r);
        let (source, dual) = (AutoSource::new(), AutoDual::new());
        let g = gradient(f, &problem.gradient, &source, &p).unwrap();
        let residual = |i: usize| t[i] - y[i];
        let expected = [
            2.0 * (residual(1) + 2.0 * residual(2)),
            2.0 * (residual(0) + residual(1) + residual(2)),
        ];
        assert_bitwise("gradient", &g, &expected);
        assert_same("by hand", factor == 1.0, expected == by_hand);
        let product = hvp(f, &problem.hvp, &source, &p, &[1.0, 0.0]).unwrap();
        assert_bitwise("hvp", &product, &[10.0, 6.0]);
        let h = hessian(f, &problem.hessian, &dual, &p).unwrap();
        assert_bitwise("hessian", h.as_slice(), &[10.0, 6.0, 6.0, 6.0]);
        problem = problem.clone();
    }
}

#[test]
fn preps_of_all_kinds_have_names() {
    struct All {
        pushforward: PushforwardPrep<residuals, AutoSource>,
        pullback: PullbackPrep<product, AutoTape>,
        derivative: DerivativePrep<orbit, AutoDual>,
        gradient: GradientPrep<dot<3>, AutoSource>,
        jacobian: JacobianPrep<residuals, AutoSparse<AutoSource>>,
        second: SecondDerivativePrep<orbit, SecondOrder<AutoDual, AutoSource>>,
    }
    let (t, p, mut r) = ([1.0, 2.0], [3.0, 4.0], [0.0; 2]);
    let (source, tape, dual) = (AutoSource::new(), AutoTape::new(), AutoDual::new());
    let (sparse, second) = (
        AutoSparse::new(AutoSource::new()),
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
    );
    let (x, w, ab) = ([1.0; 3], [5.0, 6.0, 7.0], (&[2.0][..], 3.0));
    let all = All {
        pushforward: prepare_pushforward(residuals::AD.with(&t).output(&mut r), &source, &p, &p)
            .unwrap(),
        pullback: prepare_pullback(product::AD.with(2.0), &tape, &ab, &1.0).unwrap(),
        derivative: prepare_derivative(orbit::AD, &dual, &0.0).unwrap(),
        gradient: prepare_gradient(dot::AD.with(&w), &source, &x).unwrap(),
        jacobian: prepare_jacobian(residuals::AD.with(&t).output(&mut r), &sparse, &p).unwrap(),
        second: prepare_second_derivative(orbit::AD, &second, &0.0).unwrap(),
    };
    let f = residuals::AD.with(&t);
    let dy = pushforward(f.output(&mut r), &all.pushforward, &source, &p, &[1.0, 0.0]).unwrap();
    assert_bitwise("pushforward", &dy, &[1.0, 2.0]);
    let (da, db) = pullback(product::AD.with(2.0), &all.pullback, &tape, &ab, &1.0).unwrap();
    assert_bitwise("pullback", &[da[0], db], &[6.0, 4.0]);
    let d = derivative(orbit::AD, &all.derivative, &dual, &0.0).unwrap();
    assert_bitwise("derivative", &d, &[0.0, 1.0]);
    let g = gradient(dot::AD.with(&w), &all.gradient, &source, &x).unwrap();
    assert_bitwise("gradient", &g, &w);
    let j = jacobian(f.output(&mut r), &all.jacobian, &sparse, &p).unwrap();
    assert_bitwise("jacobian", j.data(), &[1.0, 1.0, 2.0, 1.0]);
    let d = second_derivative(orbit::AD, &all.second, &second, &0.0).unwrap();
    assert_bitwise("second derivative", &d, &[2.0, 0.0]);
}
