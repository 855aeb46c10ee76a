//! Functions that take functions: their bodies are put where they are called, with the closures that they are given.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
fn trapezoid(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut sum = 0.5 * (f(a) + f(b));
    for i in 1..n {
        sum += f(a + i as f64 * h);
    }
    sum * h
}

#[differentiable]
fn newton<F, D>(f: F, derivative: D, start: f64) -> f64
where
    F: Fn(f64) -> f64,
    D: Fn(f64) -> f64,
{
    let mut x = start;
    for _ in 0..20 {
        let change = f(x) / derivative(x);
        x -= change;
        if change.abs() < 1e-14 {
            return x;
        }
    }
    x
}

#[differentiable]
fn decay(t: f64, rate: f64) -> f64 {
    (-rate * t).exp()
}

/// The closure has the inputs in it, and names that the body has too.
#[differentiable]
fn area(x: &[f64]) -> f64 {
    let (a, h) = (x[0], x[1]);
    trapezoid(|t| a * decay(t, h), 0.0, x[2], 8)
}

/// The root of `y^3 + x0 y = x1`, by its first derivatives.
#[differentiable]
fn root(x: &[f64]) -> f64 {
    newton(|y| y * y * y + x[0] * y - x[1], |y| 3.0 * y * y + x[0], 1.0)
}

/// One inside of the other, a closure by its name, and functions by their paths.
#[differentiable]
fn nested_calls(x: &[f64]) -> f64 {
    let outer = |s: f64| trapezoid(|t| (s * t).sin() * x[0], 0.0, x[1], 4);
    trapezoid(&outer, 0.0, 1.0, 4) + trapezoid(f64::exp, 0.0, x[2], 4)
}

#[derive(Clone, Debug, Differentiable)]
struct Band {
    diag: Vec<f64>,
    sup: Vec<f64>,
}

#[differentiable]
impl Band {
    fn zeros(n: usize) -> Self {
        Self {
            diag: vec![0.0; n],
            sup: vec![0.0; n - 1],
        }
    }

    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in (0..x.len()).rev() {
            if i + 1 < x.len() {
                x[i] -= self.sup[i] * x[i + 1];
            }
            x[i] /= self.diag[i];
        }
        x
    }
}

#[differentiable]
fn assemble(t: &[f64], source: impl Fn(f64) -> f64) -> (Band, Vec<f64>) {
    let mut band = Band::zeros(t.len());
    let mut rest = vec![0.0; t.len()];
    for i in 0..t.len() {
        band.diag[i] = 2.0 + t[i] * t[i];
        if i > 0 {
            band.sup[i - 1] = t[i - 1] * 0.25;
        }
        rest[i] = source(i as f64) - t[i].exp();
    }
    (band, rest)
}

/// What a function with a function returns, in a tuple whose types are not written.
#[differentiable]
fn newton_steps(x: &[f64]) -> f64 {
    let mut t = vec![x[0]; 3];
    let source = |at: f64| x[1] * (-at * 0.5).exp();
    for _ in 0..3 {
        let (band, rest) = assemble(&t, source);
        let dt = band.solve(&rest);
        t.iter_mut().zip(&dt).for_each(|(t, d)| *t += d);
        if dt.iter().all(|d| d.abs() < 1e-9) {
            break;
        }
    }
    t[0] * t[2] + t[1]
}

#[test]
fn tuples_of_functions_with_functions() {
    scalar!(newton_steps).takes_memory().check(&POINTS);
}

#[test]
fn closures_as_arguments() {
    scalar!(area).check(&POINTS);
    scalar!(root).check(&POINTS);
    scalar!(nested_calls).check(&POINTS);
}

#[test]
fn a_root_has_the_derivative_of_the_implicit_function() {
    let x = [0.7, 1.1];
    let y = root(&x);
    let g = gradient(root::AD, NoPrep, &AutoSource::new(), &x[..]).unwrap();
    let slope = 3.0 * y * y + x[0];
    di_test::compare::assert_close(
        "gradient",
        &g,
        &[-y / slope, 1.0 / slope],
        di_test::compare::Tolerance {
            relative: 1e-12,
            absolute: 1e-14,
        },
    );
}
