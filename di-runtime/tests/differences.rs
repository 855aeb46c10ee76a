//! Differences and complex steps: schemes, steps, error estimates, all operators.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{
    Curve, Product, assert_close, points, rosenbrock, rosenbrock_gradient, rosenbrock_hvp, springs,
    springs_jacobian,
};
use di_runtime::backends::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoSource, Scheme,
};
use di_runtime::closure::{closure, generic};
use di_runtime::error::Error;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::second_order::SecondOrder;
use std::cell::Cell;

/// All operators of a backend on the functions expanded by hand.
macro_rules! first_order {
    ($backend:expr, $tolerance:expr) => {{
        let (b, tolerance) = ($backend, $tolerance);
        for x in points(2, 5) {
            let n = x.len();
            let g = rosenbrock_gradient(&x);
            let f = rosenbrock::AD;
            let what = format!("{b:?} at {x:?}");
            let prep = prepare_gradient(f, &b, &vec![0.0; n]).unwrap();
            for _ in 0..2 {
                assert_close(&what, &gradient(f, &prep, &b, &x).unwrap(), &g, tolerance);
                let (y, found) = value_and_gradient(f, &prep, &b, &x).unwrap();
                assert_eq!(y, rosenbrock(&x));
                assert_close(&what, &found, &g, tolerance);
            }
            let v: Vec<f64> = (0..n).map(|i| 0.5 - 0.3 * i as f64).collect();
            let along: f64 = g.iter().zip(&v).map(|(g, v)| g * v).sum();
            let [dy, still] = pushforward(f, NoPrep, &b, &x, &[v.clone(), vec![0.0; n]]).unwrap();
            assert_close(&what, &[dy, still], &[along, 0.0], tolerance);
            let [dx] = pullback(f, NoPrep, &b, &x, &[2.0]).unwrap();
            let twice: Vec<f64> = g.iter().map(|g| 2.0 * g).collect();
            assert_close(&what, &dx, &twice, tolerance);

            let (k, j, cache) = (1.5, springs_jacobian(&x, 1.5), vec![f64::NAN; n]);
            let mut y = vec![f64::NAN; n];
            let (_, found) =
                value_and_jacobian(springs::AD.with(k, &cache).output(&mut y), NoPrep, &b, &x)
                    .unwrap();
            for (row, expected) in found.rows().zip(&j) {
                assert_close(&what, row, expected, tolerance);
            }
            let mut plain = vec![0.0; n];
            springs(&x, k, &mut vec![0.0; n], &mut plain);
            assert_close(&what, &y, &plain, 1e-15);
        }
        let t = 0.4_f64;
        let (y, dy) = value_and_derivative(generic(Curve), NoPrep, &b, &t).unwrap();
        assert_eq!(y, [t.sin(), t * t, 1.0]);
        assert_close("curve", &dy, &[t.cos(), 2.0 * t, 0.0], tolerance);
        let x: Vec<f64> = vec![];
        let empty = closure_of_nothing();
        assert_eq!(gradient(generic(empty), NoPrep, &b, &x).unwrap(), []);
    }};
}

/// Seven, whatever it is given.
#[derive(Clone, Copy)]
struct Seven;

impl di_runtime::closure::OnScalars for Seven {
    type Real = f64;
    type X = di_runtime::value::Slice;
    type Y = di_runtime::value::Number;
    fn run<S: di_runtime::scalar::Scalar<Real = f64>>(&self, _: &[S]) -> S {
        S::from_real(7.0)
    }
}

fn closure_of_nothing() -> Seven {
    Seven
}

macro_rules! second_order {
    ($backend:expr, $tolerance:expr) => {{
        let (b, tolerance) = ($backend, $tolerance);
        for x in points(2, 5) {
            let n = x.len();
            let f = rosenbrock::AD;
            let what = format!("{b:?} at {x:?}");
            let v: Vec<f64> = (0..n).map(|i| 0.5 - 0.3 * i as f64).collect();
            let (g, [hv]) = gradient_and_hvp(f, NoPrep, &b, &x, &[&v]).unwrap();
            assert_close(&what, &g, &rosenbrock_gradient(&x), tolerance);
            assert_close(&what, &hv, &rosenbrock_hvp(&x, &v), tolerance);
            let prep = prepare_hessian(f, &b, &vec![0.0; n]).unwrap();
            let (y, _, h) = value_gradient_and_hessian(f, &prep, &b, &x).unwrap();
            assert_eq!(y, rosenbrock(&x));
            for i in 0..n {
                let unit: Vec<f64> = (0..n).map(|k| f64::from(u8::from(k == i))).collect();
                let expected = rosenbrock_hvp(&x, &unit);
                assert_close(&what, h.row(i), &expected, tolerance);
                assert_eq!(h.row(i), h.column(i).copied().collect::<Vec<_>>());
            }
        }
    }};
}

macro_rules! second_derivatives {
    ($backend:expr, $tolerance:expr) => {{
        let (b, tolerance) = ($backend, $tolerance);
        let t = 0.4_f64;
        let (y, dy, ddy) =
            value_derivative_and_second_derivative(generic(Curve), NoPrep, &b, &t).unwrap();
        assert_close("curve", &y, &[t.sin(), t * t, 1.0], 1e-15);
        assert_close("curve", &dy, &[t.cos(), 2.0 * t, 0.0], tolerance);
        assert_close("curve", &ddy, &[-t.sin(), 2.0, 0.0], tolerance);
    }};
}

// row 53, row 59
#[test]
fn schemes_agree_with_closed_forms() {
    let fd = AutoFiniteDiff::new();
    for scheme in [Scheme::Central, Scheme::Forward, Scheme::Backward] {
        let tolerance = if scheme == Scheme::Central {
            1e-7
        } else {
            1e-5
        };
        first_order!(fd.with_scheme(scheme), tolerance);
        first_order!(fd.with_scheme(scheme).relative_step(1e-6), 1e-4);
        first_order!(fd.with_scheme(scheme).absolute_step(1e-6), 1e-4);
        let tolerance = if scheme == Scheme::Central {
            1e-4
        } else {
            3e-3
        };
        second_order!(fd.hessian_scheme(scheme), tolerance);
        second_derivatives!(fd.hessian_scheme(scheme), tolerance);
        let outer = fd.with_scheme(scheme);
        second_order!(SecondOrder::new(outer, AutoSource::new()), 1e-4);
        second_order!(SecondOrder::new(outer, AutoDual::new()), 1e-4);
        second_derivatives!(SecondOrder::new(outer, AutoDual::new()), 1e-4);
    }
}

#[test]
fn each_operator_has_its_scheme() {
    // evaluations tell which one ran: f counts them
    let count = Cell::new(0);
    let f = closure(|x: &[f64]| {
        count.set(count.get() + 1);
        vec![x[0] * x[1], x[0] - x[1]]
    });
    let x = [1.0, 2.0];
    let evaluations = |backend: AutoFiniteDiff| {
        let prep = prepare_jacobian(&f, &backend, &x).unwrap();
        count.set(0);
        jacobian(&f, &prep, &backend, &x).unwrap();
        count.get()
    };
    let fd = AutoFiniteDiff::new();
    assert_eq!(evaluations(fd), 5);
    assert_eq!(evaluations(fd.forward()), 4);
    assert_eq!(evaluations(fd.jacobian_scheme(Scheme::Forward)), 4);
    assert_eq!(
        evaluations(fd.forward().jacobian_scheme(Scheme::Central)),
        5
    );
    let f = closure(|x: &[f64]| {
        count.set(count.get() + 1);
        x[0] * x[1]
    });
    let prep = prepare_gradient(&f, &fd, &x).unwrap();
    count.set(0);
    gradient(&f, &prep, &fd, &x).unwrap();
    assert_eq!(count.get(), 4, "nobody asked for the value");
}

#[test]
fn one_sided_differences_stay_on_their_side() {
    let below = closure(|x: &[f64]| (1.0 - x[0]).sqrt().mul_add(0.0, x[0] * x[0] * x[1]));
    let x = [1.0, 0.5];
    let fd = AutoFiniteDiff::new()
        .backward()
        .hessian_scheme(Scheme::Backward);
    let g = gradient(&below, NoPrep, &fd, &x).unwrap();
    assert_close("backward", &g, &[1.0, 1.0], 1e-6);
    let h = hessian(&below, NoPrep, &fd, &x).unwrap();
    assert_close("backward", h.row(0), &[1.0, 2.0], 1e-3);
    let [hv] = hvp(&below, NoPrep, &fd, &x, &[[1.0, 0.0]]).unwrap();
    assert_close("backward", &hv, &[1.0, 2.0], 1e-3);
    let g = gradient(&below, NoPrep, &AutoFiniteDifferences::backward(5), &x).unwrap();
    assert_close("backward", &g, &[1.0, 1.0], 1e-9);
    assert!(gradient(&below, NoPrep, &fd.forward(), &x).unwrap()[0].is_nan());
}

#[test]
fn complex_steps_lose_no_digits() {
    for b in [AutoComplexStep::new(), AutoComplexStep::new().step(1e-40)] {
        first_order!(b, 1e-14);
    }
    let b = AutoFiniteDiff::new().complex_step();
    second_order!(SecondOrder::new(AutoFiniteDiff::new(), b), 1e-7);
    second_order!(b, 1e-14);
    second_derivatives!(b, 1e-15);
    second_order!(SecondOrder::new(b, AutoSource::new()), 1e-14);
    second_derivatives!(SecondOrder::new(AutoFiniteDiff::new(), b), 1e-7);
    let g: Vec<f32> = gradient(generic(Product), NoPrep, &b, &vec![2.0, 3.0, 4.0]).unwrap();
    assert_eq!(g, [12.0, 8.0, 6.0]);
}

#[test]
fn high_order_differences_agree_with_closed_forms() {
    for points in [5, 7, 9] {
        first_order!(AutoFiniteDifferences::central(points), 1e-9);
        second_order!(AutoFiniteDifferences::central(points), 1e-6);
        second_derivatives!(AutoFiniteDifferences::central(points), 1e-6);
    }
    let outer = AutoFiniteDifferences::central(7);
    second_order!(SecondOrder::new(outer, AutoSource::new()), 1e-9);
    second_order!(SecondOrder::new(outer, AutoDual::new()), 1e-9);
    second_derivatives!(SecondOrder::new(outer, AutoDual::new()), 1e-9);
    first_order!(AutoFiniteDifferences::forward(7), 1e-8);
    first_order!(AutoFiniteDifferences::backward(7), 1e-8);
    first_order!(AutoFiniteDifferences::central(5).adapt(0), 1e-8);
    first_order!(AutoFiniteDifferences::central(5).adapt(2), 1e-9);
    first_order!(AutoFiniteDifferences::default().max_range(1e-2), 1e-9);
}

#[test]
fn errors_are_not_larger_than_estimated() {
    type OnNumbers = fn(f64) -> f64;
    let functions: [(OnNumbers, OnNumbers, f64); 6] = [
        (f64::sin, f64::cos, 1.0),
        (f64::exp, f64::exp, 2.0),
        (f64::ln, f64::recip, 1e-3),
        (f64::sqrt, |x| 0.5 / x.sqrt(), 3.0),
        (|x| (20.0 * x).sin(), |x| 20.0 * (20.0 * x).cos(), 0.3),
        (
            |x| 1.0 / (1.0 + x * x),
            |x| -2.0 * x / (1.0 + x * x).powi(2),
            0.7,
        ),
    ];
    for (f, slope, x) in functions {
        for points in [3, 5, 7, 9] {
            let b = AutoFiniteDifferences::central(points);
            let f = closure(f);
            let prep = prepare_derivative(&f, &b, &x).unwrap();
            assert!(prep.error_estimate().unwrap().is_nan());
            let found = derivative(&f, &prep, &b, &x).unwrap();
            let (error, estimate) = ((found - slope(x)).abs(), prep.error_estimate().unwrap());
            // an estimate, not a bound: within a factor of ten, and not useless
            assert!(
                error <= 10.0 * estimate,
                "{points} at {x}: {error:e}, estimated {estimate:e}"
            );
            assert!(
                estimate < 1e-4 * slope(x).abs().max(1.0),
                "{points} at {x}: {estimate:e}"
            );
        }
    }
}

#[test]
fn polynomials_and_zeros_have_any_step() {
    for b in [
        AutoFiniteDifferences::central(5),
        AutoFiniteDifferences::forward(4),
    ] {
        let g = gradient(
            closure(|x: &[f64]| 3.0 * x[0] - x[1]),
            NoPrep,
            &b,
            &[1e3, 2.0],
        )
        .unwrap();
        assert_close("linear", &g, &[3.0, -1.0], 1e-9);
        let g = gradient(closure(|_: &[f64]| 0.0), NoPrep, &b, &[1e3, 2.0]).unwrap();
        assert_eq!(g, [0.0, 0.0]);
    }
}

#[test]
fn too_few_points_are_a_typed_error() {
    let f = closure(|x: f64| x * x);
    let error = derivative(&f, NoPrep, &AutoFiniteDifferences::central(1), &1.0).unwrap_err();
    assert_eq!(
        error,
        Error::Stencil {
            points: 1,
            least: 2
        }
    );
    let shown = error.to_string();
    assert!(
        shown.contains("at least 2") && shown.contains("found 1"),
        "{shown}"
    );
}
