//! num-dual and echidna behind our operators, against closed forms.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

use di::prelude::*;
use di::{AutoEchidna, AutoNumDual, SecondOrder, custom_rule};
use di_test::compare::{Tolerance, assert_close};
use ndarray::{Array2, array};

/// A sum of products, with branches.
#[differentiable]
fn chain(x: &[f64], #[constant] k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let d = x[i + 1] - x[i];
        if d > 0.0 {
            sum += k * d * d * x[i].sin();
        } else {
            sum += d.exp();
        }
    }
    sum
}

fn chain_gradient(x: &[f64], k: f64) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let d = x[i + 1] - x[i];
        let (by_d, by_x) = if d > 0.0 {
            (2.0 * k * d * x[i].sin(), k * d * d * x[i].cos())
        } else {
            (d.exp(), 0.0)
        };
        g[i + 1] += by_d;
        g[i] += by_x - by_d;
    }
    g
}

fn chain_hessian(x: &[f64], k: f64) -> Array2<f64> {
    let mut h = Array2::zeros((x.len(), x.len()));
    for i in 0..x.len() - 1 {
        let d = x[i + 1] - x[i];
        let (dd, dx, xx) = if d > 0.0 {
            (
                2.0 * k * x[i].sin(),
                2.0 * k * d * x[i].cos(),
                -k * d * d * x[i].sin(),
            )
        } else {
            (d.exp(), 0.0, 0.0)
        };
        h[[i + 1, i + 1]] += dd;
        h[[i, i]] += dd - 2.0 * dx + xx;
        h[[i, i + 1]] += dx - dd;
        h[[i + 1, i]] += dx - dd;
    }
    h
}

#[differentiable]
fn turn(x: &[f64], #[constant] angle: f64, #[cache] buffer: &mut [f64], y: &mut [f64]) {
    let (s, c) = angle.sin_cos();
    buffer[0] = c * x[0] - s * x[1];
    buffer[1] = s * x[0] + c * x[1];
    y[0] = buffer[0] * buffer[1];
    y[1] = buffer[0] / buffer[1];
    y[2] = buffer[1].powf(1.5);
}

fn turn_jacobian(x: &[f64], angle: f64) -> Array2<f64> {
    let (s, c) = angle.sin_cos();
    let (a, b) = (c * x[0] - s * x[1], s * x[0] + c * x[1]);
    array![
        [c * b + a * s, -s * b + a * c],
        [(c * b - a * s) / (b * b), (-s * b - a * c) / (b * b)],
        [1.5 * b.sqrt() * s, 1.5 * b.sqrt() * c],
    ]
}

#[differentiable]
fn curve(t: f64) -> [f64; 3] {
    [t.sin(), t * t, 1.0]
}

#[custom_rule(partials(inverse_slope))]
fn inverse(x: f64) -> f64 {
    1.0 / x
}

#[differentiable]
fn inverse_slope(x: f64) -> f64 {
    -1.0 / (x * x)
}

#[track_caller]
fn close(
    what: &str,
    found: impl IntoIterator<Item = f64>,
    expected: impl IntoIterator<Item = f64>,
) {
    let (found, expected): (Vec<f64>, Vec<f64>) =
        (found.into_iter().collect(), expected.into_iter().collect());
    let tolerance = Tolerance {
        relative: 1e-13,
        absolute: 1e-13,
    };
    assert_close(what, &found, &expected, tolerance);
}

macro_rules! all_operators {
    ($backend:expr) => {{
        let b = $backend;
        let what = format!("{b:?}");
        let k = 1.5;
        for n in 2..13 {
            let f = chain::AD.with(k);
            let x: Vec<f64> = (0..n).map(|i| (1.3 * i as f64 + 0.2).sin()).collect();
            let v: Vec<f64> = (0..n).map(|i| 0.4 - 0.1 * i as f64).collect();
            let expected = chain_gradient(&x, k);
            // another constant, and other branches
            let prep = prepare_gradient(chain::AD.with(0.0), &b, &vec![0.0; n]).unwrap();
            for _ in 0..2 {
                let (y, g) = value_and_gradient(f, &prep, &b, &x).unwrap();
                assert_eq!(y, chain(&x, k));
                close(&what, g, expected.clone());
            }
            let along: f64 = expected.iter().zip(&v).map(|(g, v)| g * v).sum();
            let [dy, none] = pushforward(f, NoPrep, &b, &x, &[&v, &vec![0.0; n]]).unwrap();
            close(&what, [dy, none], [along, 0.0]);
            let [twice] = pullback(f, NoPrep, &b, &x, &[2.0]).unwrap();
            close(&what, twice, expected.iter().map(|g| 2.0 * g));
        }
        for angle in [0.3, 1.0] {
            let (x, cache) = ([1.2, 0.9], [f64::NAN; 2]);
            let mut y = [0.0; 3];
            let bound = turn::AD.with(angle, &cache).output(&mut y);
            let j = jacobian(bound, NoPrep, &b, &x).unwrap();
            close(&what, j, turn_jacobian(&x, angle));
        }
        let (y, dy) = value_and_derivative(curve::AD, NoPrep, &b, &0.4).unwrap();
        assert_eq!(y, curve(0.4));
        close(&what, dy, [0.4_f64.cos(), 0.8, 0.0]);
        let empty: Vec<f64> = vec![];
        assert_eq!(
            gradient(total::AD, NoPrep, &b, &empty).unwrap(),
            Vec::<f64>::new()
        );
    }};
}

#[differentiable]
fn total(x: &[f64]) -> f64 {
    x.iter().sum()
}

macro_rules! second_order {
    ($backend:expr) => {{
        let b = $backend;
        let what = format!("{b:?}");
        let k = 1.5;
        for n in [2, 3, 8, 11] {
            let f = chain::AD.with(k);
            let x: Vec<f64> = (0..n).map(|i| (1.3 * i as f64 + 0.2).sin()).collect();
            let v: Vec<f64> = (0..n).map(|i| 0.4 - 0.1 * i as f64).collect();
            let expected = chain_hessian(&x, k);
            let prep = prepare_hessian(f, &b, &vec![0.0; n]).unwrap();
            let (y, g, h) = value_gradient_and_hessian(f, &prep, &b, &x).unwrap();
            assert_eq!(y, chain(&x, k));
            close(&what, g, chain_gradient(&x, k));
            close(&what, h, expected.clone());
            let (g, [hv]) = gradient_and_hvp(f, NoPrep, &b, &x, &[&v]).unwrap();
            close(&what, g, chain_gradient(&x, k));
            close(&what, hv, expected.dot(&ndarray::Array1::from(v)));
        }
        let (y, dy, ddy) =
            value_derivative_and_second_derivative(curve::AD, NoPrep, &b, &0.4).unwrap();
        assert_eq!(y, curve(0.4));
        close(&what, dy, [0.4_f64.cos(), 0.8, 0.0]);
        close(&what, ddy, [-0.4_f64.sin(), 2.0, 0.0]);
    }};
}

#[test]
fn num_dual() {
    all_operators!(AutoNumDual::new());
    second_order!(AutoNumDual::new());
    second_order!(SecondOrder::new(AutoNumDual::new(), AutoSource::new()));
}

#[test]
fn echidna() {
    all_operators!(AutoEchidna::new());
    second_order!(AutoEchidna::new());
    second_order!(SecondOrder::new(
        AutoEchidna::new(),
        AutoSource::new().forward()
    ));
    second_order!(SecondOrder::new(AutoEchidna::new(), AutoSource::new()));
}

#[differentiable]
fn with_rules(x: &[f64]) -> f64 {
    inverse(x[0]) * di::special::erf(x[1]) + x[0].max(x[1])
}

#[test]
fn rules_special_functions_and_kinks_are_ours() {
    let x = [2.0, 0.5];
    let erf = di::special::erf(0.5);
    let slope = 2.0 / std::f64::consts::PI.sqrt() * (-0.25_f64).exp();
    let expected = [-0.25 * erf + 1.0, 0.5 * slope];
    close(
        "AutoNumDual",
        gradient(with_rules::AD, NoPrep, &AutoNumDual::new(), &x).unwrap(),
        expected,
    );
    close(
        "AutoEchidna",
        gradient(with_rules::AD, NoPrep, &AutoEchidna::new(), &x).unwrap(),
        expected,
    );
    // zero times infinity is NaN, also of a derivative that was multiplied by zero, and ties go to the second
    // argument
    #[differentiable]
    fn kinks(x: &[f64]) -> f64 {
        x[0] * 0.0 + x[1].max(x[2]) + (-x[1].abs()).powf(2.0)
    }
    #[differentiable]
    fn poles(x: &[f64]) -> f64 {
        (x[0] * 0.0).sqrt() + x[1]
    }
    let x = [0.0, 1.0, 1.0];
    macro_rules! check {
        ($backend:expr, $at_pole:expr) => {
            let g = gradient(kinks::AD, NoPrep, &$backend, &x).unwrap();
            close(stringify!($backend), g, [0.0, 2.0, 1.0]);
            let g = gradient(poles::AD, NoPrep, &$backend, &x).unwrap();
            let expected: f64 = $at_pole;
            let is_same = g[0] == expected || g[0].is_nan() && expected.is_nan();
            assert!(is_same, "{}: {g:?}", stringify!($backend));
        };
    }
    check!(AutoDual::new(), f64::NAN);
    check!(AutoNumDual::new(), f64::NAN);
    // its own sweep leaves out factors that are zero
    check!(AutoEchidna::new(), 0.0);
}

#[test]
fn engines_run_side_by_side_on_threads() {
    let x: Vec<f64> = (0..9).map(|i| 0.1 * i as f64).collect();
    std::thread::scope(|scope| {
        for k in 1..5 {
            let x = &x;
            scope.spawn(move || {
                let (f, k) = (chain::AD.with(k as f64), k as f64);
                for _ in 0..20 {
                    let g = gradient(f, NoPrep, &AutoEchidna::new(), x).unwrap();
                    close("thread", g, chain_gradient(x, k));
                }
            });
        }
    });
}
