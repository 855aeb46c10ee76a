//! Engines that run on any scalar: each differentiates the copy.

use di::prelude::*;
use di::sparse::{AutoSparse, Tracing, hessian_pattern, jacobian_pattern};

use crate::{close, within};

#[overloaded]
mod model {
    use std::collections::VecDeque;

    /// `sum_i (x_i x_{i+1})^2 + exp(x_i)`, without branches.
    pub fn energy(x: &[f64]) -> f64 {
        let mut last: VecDeque<f64> = VecDeque::new();
        let mut sum = 0.0;
        for v in x {
            last.push_back(*v);
            if last.len() > 1 {
                sum += (last[0] * last[1]).powi(2);
                last.pop_front();
            }
            sum += v.exp();
        }
        sum
    }

    /// `y_i = sin(x_i) x_{i+1}`
    pub fn coupled(x: &[f64]) -> Vec<f64> {
        let parts: Vec<Box<dyn Fn() -> f64>> = x
            .windows(2)
            .map(|w| Box::new(move || w[0].sin() * w[1]) as Box<dyn Fn() -> f64>)
            .collect();
        parts.iter().map(|part| part()).collect()
    }

    pub fn branching(x: &[f64]) -> f64 {
        x.iter().map(|v| if *v > 0.0 { v * v } else { -v }).sum()
    }

    pub fn wave(t: f64) -> f64 {
        let modes = [Box::new(t), Box::new(2.0 * t)];
        modes.into_iter().map(|m| m.sin()).sum()
    }
}

fn gradient_of_energy(x: &[f64]) -> Vec<f64> {
    let mut g: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    for i in 1..x.len() {
        g[i] += 2.0 * x[i] * x[i - 1].powi(2);
        g[i - 1] += 2.0 * x[i - 1] * x[i].powi(2);
    }
    g
}

fn hessian_of_energy(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut h = vec![0.0; n * n];
    for (i, v) in x.iter().enumerate() {
        h[i * n + i] += v.exp();
    }
    for i in 1..n {
        h[i * n + i] += 2.0 * x[i - 1].powi(2);
        h[(i - 1) * n + i - 1] += 2.0 * x[i].powi(2);
        h[i * n + i - 1] += 4.0 * x[i] * x[i - 1];
        h[(i - 1) * n + i] += 4.0 * x[i] * x[i - 1];
    }
    h
}

const X: [f64; 5] = [0.3, -1.2, 0.8, 0.5, -0.4];

macro_rules! engines {
    ($($test:ident: $backend:expr, $digits:expr;)*) => {$(
        #[test]
        fn $test() {
            let backend = $backend;
            let prep = prepare_gradient(model::energy::AD, &backend, &X).unwrap();
            for x in [X, X.map(|v| v * 0.5)] {
                let (y, g) = value_and_gradient(model::energy::AD, &prep, &backend, &x).unwrap();
                close("value", &[y], &[model::energy(&x)]);
                within("gradient", &g, &gradient_of_energy(&x), $digits);
                let h = hessian(model::energy::AD, NoPrep, &backend, &x).unwrap();
                within("Hessian", h.as_slice(), &hessian_of_energy(&x), f64::sqrt($digits));
                let j = jacobian(model::coupled::AD, NoPrep, &backend, &x).unwrap();
                let mut expected = [[0.0; 5]; 4];
                for i in 0..4 {
                    expected[i][i] = x[i].cos() * x[i + 1];
                    expected[i][i + 1] = x[i].sin();
                }
                within("Jacobian", j.as_slice(), expected.as_flattened(), $digits);
            }
        }
    )*};
}

engines! {
    tapes: AutoTape::new(), 1e-12;
    eager_tapes: AutoTape::eager(), 1e-12;
    dual_numbers: AutoDual::new(), 1e-12;
    dual_numbers_in_chunks: AutoDual::new().chunk(2), 1e-12;
    power_series: AutoTaylor::new(), 1e-12;
    expressions: AutoSymbolic::new(), 1e-12;
    differences: AutoFiniteDiff::new(), 1e-6;
    differences_of_high_order: AutoFiniteDifferences::central(5), 1e-9;
    complex_steps: AutoComplexStep::new(), 1e-12;
}

#[test]
fn one_engine_over_another() {
    let direction = [0.5, -1.0, 2.0, 0.0, 0.3];
    macro_rules! check {
        ($outer:expr, $inner:expr) => {
            let backend = SecondOrder::new($outer, $inner);
            let prep = prepare_hessian(model::energy::AD, &backend, &X).unwrap();
            for x in [X, X.map(|v| v * 0.5)] {
                let h = hessian(model::energy::AD, &prep, &backend, &x).unwrap();
                let expected = hessian_of_energy(&x);
                within("Hessian", h.as_slice(), &expected, 1e-7);
                let product = hvp(model::energy::AD, NoPrep, &backend, &x, &direction).unwrap();
                let row = |row: &[f64]| row.iter().zip(&direction).map(|(a, b)| a * b).sum();
                let expected: Vec<f64> = expected.chunks(5).map(row).collect();
                within("product", &product, &expected, 1e-7);
            }
        };
    }
    check!(AutoDual::new(), AutoTape::new());
    check!(AutoTape::new(), AutoDual::new());
    check!(AutoDual::new(), AutoDual::new());
    check!(AutoFiniteDiff::new(), AutoTape::new());
}

#[test]
fn derivatives_of_high_order() {
    let t = 0.3_f64;
    let backend = AutoTaylor::new();
    for order in 1..6 {
        let angle = std::f64::consts::FRAC_PI_2 * order as f64;
        let expected = (t + angle).sin() + f64::powi(2.0, order as i32) * (2.0 * t + angle).sin();
        let found = nth_derivative(model::wave::AD, order, NoPrep, &backend, &t).unwrap();
        close("derivative", &[found], &[expected]);
    }
}

#[test]
fn sparse_matrices_of_functions_without_branches() {
    for backend in [
        AutoSparse::new(AutoTape::new()),
        AutoSparse::new(AutoTape::new()).detector(Tracing::local()),
    ] {
        let prep = prepare_hessian(model::energy::AD, &backend, &X).unwrap();
        let h = hessian(model::energy::AD, &prep, &backend, &X).unwrap();
        assert_eq!(h.nnz(), 13);
        close(
            "Hessian",
            h.to_dense().as_slice().unwrap(),
            &hessian_of_energy(&X),
        );
        let prep = prepare_jacobian(model::coupled::AD, &backend, &X).unwrap();
        let j = jacobian(model::coupled::AD, &prep, &backend, &X).unwrap();
        assert_eq!(j.nnz(), 8);
        let dense = jacobian(model::coupled::AD, NoPrep, &AutoDual::new(), &X).unwrap();
        close(
            "Jacobian",
            j.to_dense().as_slice().unwrap(),
            dense.as_slice(),
        );
    }
    let backend = AutoSparse::new(AutoDual::new());
    let h = hessian(model::energy::AD, NoPrep, &backend, &X).unwrap();
    close(
        "Hessian",
        h.to_dense().as_slice().unwrap(),
        &hessian_of_energy(&X),
    );
    let pattern = jacobian_pattern(model::coupled::AD, &Tracing::global(), &X).unwrap();
    let entries: Vec<_> = pattern.entries().collect();
    assert_eq!(
        entries,
        [
            (0, 0),
            (0, 1),
            (1, 1),
            (1, 2),
            (2, 2),
            (2, 3),
            (3, 3),
            (3, 4)
        ]
    );
}

/// A branch on a number needs its value, which global patterns do not have.
#[test]
fn global_patterns_of_branches_are_refused() {
    let error = hessian_pattern(model::branching::AD, &Tracing::global(), &X).unwrap_err();
    assert!(error.to_string().contains("Tracing::local()"), "{error}");
    let error =
        prepare_hessian(model::branching::AD, &AutoSparse::new(AutoTape::new()), &X).unwrap_err();
    assert!(error.to_string().contains("Tracing::local()"), "{error}");
    let pattern = hessian_pattern(model::branching::AD, &Tracing::local(), &X).unwrap();
    let entries: Vec<_> = pattern.lower().entries().collect();
    assert_eq!(entries, [(0, 0), (2, 2), (3, 3)]);
}
