//! Solutions of equations, differentiated by the implicit function theorem, whatever found them.

use di::implicit;
use di::implicit::Solver;
use di::prelude::*;
use di_runtime::scalar::{Lanes, Scalar};
use di_test::compare::{ROUNDING, Tolerance, assert_close};
use di_test::{inplace, scalar};

// ---- one number ----

#[differentiable]
fn kepler(e: f64, mean: f64, eccentricity: f64) -> f64 {
    e - eccentricity * e.sin() - mean
}

/// Kepler's equation by bisection, which no derivative goes through.
#[implicit(root = kepler, without(steps))]
fn anomaly(mean: f64, eccentricity: f64, #[constant] steps: usize) -> f64 {
    let (mut low, mut high) = (mean - 1.0, mean + 1.0);
    for _ in 0..steps {
        let middle = 0.5 * (low + high);
        if middle - eccentricity * middle.sin() > mean {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

#[differentiable]
fn orbit(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let e: f64 = anomaly(x[0] + 0.3 * i as f64, x[1], 80);
        s += (e.cos() - x[1]) * x[2];
    }
    s + anomaly(0.5, x[1], 80) + anomaly(x[0], 0.25, 80)
}

#[test]
fn roots_of_one_equation() {
    scalar!(orbit)
        .row(83)
        .step(0.05)
        .check(&[&[0.7, 0.3, 1.1], &[2.0, 0.6, -0.4]]);
    // dE/dM = 1 / (1 - e cos E), dE/de = sin E / (1 - e cos E)
    let f = anomaly::AD.with(80).fix_eccentricity(0.3);
    let e = anomaly(0.7, 0.3, 80);
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let de = derivative(f, NoPrep, &backend, &0.7).unwrap();
        assert_close("dE/dM", &[de], &[1.0 / (1.0 - 0.3 * e.cos())], ROUNDING);
    }
    let de = second_derivative(f, NoPrep, &AutoSource::new(), &0.7).unwrap();
    let closed = -0.3 * e.sin() / (1.0 - 0.3 * e.cos()).powi(3);
    assert_close("d2E/dM2", &[de], &[closed], ROUNDING);
    let de = derivative(f, NoPrep, &AutoDual::new(), &0.7).unwrap();
    assert_close("by duals", &[de], &[1.0 / (1.0 - 0.3 * e.cos())], ROUNDING);
}

#[differentiable]
fn babylonian(y: f64, a: &[f64]) -> f64 {
    0.5 * (y + a[0] * a[1] / y)
}

#[implicit(fixed_point = babylonian)]
fn geometric_mean(a: &[f64]) -> f64 {
    let mut y = 1.0;
    for _ in 0..60 {
        y = 0.5 * (y + a[0] * a[1] / y);
    }
    y
}

#[differentiable]
fn means(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() - 1 {
        s *= geometric_mean(&x[i..]);
    }
    s * x[0]
}

#[test]
fn fixed_points_of_one_map() {
    scalar!(means)
        .row(83)
        .check(&[&[0.7, 1.3, 2.1], &[2.0, 0.5]]);
    let g = gradient(geometric_mean::AD, NoPrep, &AutoSource::new(), &[2.0, 8.0]).unwrap();
    assert_close("geometric mean", &g, &[1.0, 0.25], ROUNDING);
}

// ---- systems ----

#[differentiable]
fn flow(y: &[f64], p: &[f64], load: f64, r: &mut [f64]) {
    let n = y.len();
    for i in 0..n {
        r[i] = p[i] * y[i] + y[i] * y[i] * y[i] - load * (1.0 + i as f64);
        if i > 0 {
            r[i] -= 0.3 * y[i - 1] * p[0];
        }
        if i + 1 < n {
            r[i] -= 0.2 * y[i + 1] * y[i];
        }
    }
}

/// By a fixed number of sweeps, each row solved for its own unknown: no matrix in sight.
fn sweep_flow(p: &[f64], load: f64, y: &mut [f64]) {
    let n = y.len();
    y.fill(0.5);
    for _ in 0..300 {
        for i in 0..n {
            let before = if i > 0 { 0.3 * y[i - 1] * p[0] } else { 0.0 };
            for _ in 0..4 {
                let after = if i + 1 < n { 0.2 * y[i + 1] } else { 0.0 };
                let r =
                    p[i] * y[i] + y[i].powi(3) - load * (1.0 + i as f64) - before - after * y[i];
                y[i] -= r / (p[i] + 3.0 * y[i] * y[i] - after);
            }
        }
    }
}

#[implicit(root = flow)]
fn solve_flow(p: &[f64], load: f64, y: &mut [f64]) {
    sweep_flow(p, load, y);
}

#[implicit(root = flow, solver = Counted)]
fn solve_flow_otherwise(p: &[f64], load: f64, y: &mut [f64]) {
    sweep_flow(p, load, y);
}

/// A solver of one's own: Gauss-Jordan inverse, kept where the matrix was.
struct Counted;

impl Solver for Counted {
    fn factor<S: Scalar>(matrix: &mut [S], pivots: &mut [usize]) {
        let n = pivots.len();
        let one = || S::real_div(di_test_one(), S::from_real(di_test_one()));
        for k in 0..n {
            let pivot = S::real_div(di_test_one(), matrix[k * n + k]);
            matrix[k * n + k] = one();
            for j in 0..n {
                matrix[j * n + k] = matrix[j * n + k] * pivot;
            }
            for i in (0..n).filter(|i| *i != k) {
                let factor = matrix[k * n + i];
                matrix[k * n + i] = S::default();
                for j in 0..n {
                    matrix[j * n + i] = matrix[j * n + i] - factor * matrix[j * n + k];
                }
            }
        }
    }

    fn solve<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]) {
        let n = pivots.len();
        let old = b.to_vec();
        for i in 0..n {
            b[i] = T::zero();
            for j in 0..n {
                b[i].acc(old[j].scale(factors[j * n + i]));
            }
        }
    }

    fn solve_transposed<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]) {
        let n = pivots.len();
        let old = b.to_vec();
        for i in 0..n {
            b[i] = T::zero();
            for j in 0..n {
                b[i].acc(old[j].scale(factors[i * n + j]));
            }
        }
    }
}

fn di_test_one<R: di_runtime::scalar::Real>() -> R {
    R::from_f64(1.0)
}

#[differentiable]
fn network(x: &[f64], out: &mut [f64]) {
    let n = x.len();
    let mut y = vec![0.0; n];
    let mut p = vec![0.0; n];
    for i in 0..n {
        p[i] = 2.0 + x[i] * x[i];
    }
    for k in 0..2 {
        solve_flow(&p, 1.0 + x[k], &mut y);
        for i in 0..n {
            p[i] += y[i] * x[0];
        }
    }
    solve_flow_otherwise(&p, 1.5, out);
    out[0] *= y[n - 1];
    y[0] = 0.0;
}

#[test]
fn roots_of_systems() {
    // one of its solvers takes memory
    inplace!(network, 3)
        .row(83)
        .takes_memory()
        .check(&[&[0.7, 0.4, -0.3], &[-0.2, 0.4, 0.9]]);
}

#[differentiable]
fn relax(y: &[f64; 2], a: &[f64; 2], g: &mut [f64; 2]) {
    g[0] = 0.3 * y[1].cos() + a[0];
    g[1] = 0.4 * (y[0] * a[1]).sin();
}

#[implicit(fixed_point = relax)]
fn equilibrium(a: &[f64; 2], y: &mut [f64; 2]) {
    *y = [0.0; 2];
    for _ in 0..200 {
        *y = [0.3 * y[1].cos() + a[0], 0.4 * (y[0] * a[1]).sin()];
    }
}

#[differentiable]
fn balanced(x: &[f64]) -> f64 {
    let mut y = [0.0; 2];
    let mut s = 0.0;
    for i in 0..2 {
        equilibrium(&[x[i], x[1] * y[0] + 1.0], &mut y);
        s += y[0] * x[2] + y[1];
    }
    s
}

#[test]
fn fixed_points_of_arrays() {
    scalar!(balanced)
        .row(83)
        .check(&[&[0.7, 0.4, 1.3], &[-0.2, 0.8, 0.9]]);
}

/// The matrix needs rows exchanged: the first pivot is zero.
#[differentiable]
fn crossed(y: &[f64], b: &[f64], r: &mut [f64]) {
    r[0] = 2.0 * y[1] - b[0];
    r[1] = 3.0 * y[2] + y[0] - b[1];
    r[2] = 4.0 * y[0] - y[1] - b[2];
}

#[implicit(root = crossed)]
fn solve_crossed(b: &[f64], y: &mut [f64]) {
    y[1] = b[0] / 2.0;
    y[0] = (b[2] + y[1]) / 4.0;
    y[2] = (b[1] - y[0]) / 3.0;
}

#[test]
fn systems_are_pivoted() {
    let x = [1.0, 2.0, 3.0];
    let expected = [
        [0.125, 0.0, 0.25],
        [0.5, 0.0, 0.0],
        [-0.125 / 3.0, 1.0 / 3.0, -0.25 / 3.0],
    ];
    for backend in [
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
    ] {
        let mut y = [0.0; 3];
        let j = jacobian(solve_crossed::AD.output(&mut y), NoPrep, &backend, &x).unwrap();
        let found: Vec<f64> = j.iter().copied().collect();
        let tolerance = Tolerance {
            relative: 1e-14,
            absolute: 1e-15,
        };
        assert_close("crossed", &found, expected.as_flattened(), tolerance);
    }
}
