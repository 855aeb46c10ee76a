//! Second derivatives alone, and with value and gradient: the same bit by bit, and those that differences give. Where the
//! gradient is not asked for, sweeps compute tangents of it and no values, so calls of both kinds take turns in one prep.

use di::prelude::*;
use di::sparse::AutoSparse;
use di_test::compare::{Tolerance, assert_bitwise, assert_close};

const STEP: f64 = 1e-5;

const DIFFERENCES: Tolerance = Tolerance {
    relative: 1e-6,
    absolute: 1e-6,
};

const N: usize = 13;

/// Written first, and carried on to the next trip. The factors of squares are literals, of which one is a half.
#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b * 0.5 + b * b;
    }
    s
}

/// Added to and subtracted from in any order, in branches.
#[differentiable]
fn scattered(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let k = (5 * i + 2) % x.len();
        let d = x[k] * x[i] - x[i];
        if d > 0.0 {
            s += 0.5 * d * d * x[k];
        } else {
            s -= d * x[0];
        }
    }
    s
}

#[differentiable]
fn energy(x: &[f64], scale: f64) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += scale * v * v * v;
    }
    s
}

/// Handed on to another function, which adds to what there is.
#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let h = x.len() / 2;
    energy(&x[..h], x[h]) * energy(&x[h..], x[0]) + x[1] * x[h]
}

/// Rows and numbers that stay where they are; some have no derivative.
#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut s = x[0] * x[0] * -3.0;
    for pair in x[2..].chunks(3) {
        for (k, v) in pair.iter().enumerate() {
            s += (k as f64) * v * v * x[0];
        }
    }
    s
}

fn point(shift: f64) -> Vec<f64> {
    (0..N)
        .map(|i| (0.7 * i as f64 + shift).sin() + 0.3)
        .collect()
}

/// `(f(x + step v) - f(x - step v)) / (2 step)` in each entry.
fn difference(f: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], v: &[f64]) -> Vec<f64> {
    let at = |step: f64| {
        let x: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + step * v).collect();
        f(&x)
    };
    let (up, down) = (at(STEP), at(-STEP));
    let pairs = up.iter().zip(&down);
    pairs.map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
}

macro_rules! check {
    ($f:ident) => {{
        let (name, backend) = (stringify!($f), AutoSource::new());
        let sparse = AutoSparse::new(backend);
        let v: Vec<f64> = (0..N).map(|i| (1.3 * i as f64).cos()).collect();
        let x = point(0.0);
        let prep = prepare_hvp($f::AD, &backend, &x, &v)?;
        let dense = prepare_hessian($f::AD, &backend, &x)?;
        let colored = prepare_hessian($f::AD, &sparse, &x)?;
        for shift in [0.0, 0.4, 1.1] {
            let x = point(shift);
            let alone = hvp($f::AD, &prep, &backend, &x, &v)?;
            let (y, g, product) = value_gradient_and_hvp($f::AD, &prep, &backend, &x, &v)?;
            let again = hvp($f::AD, &prep, &backend, &x, &v)?;
            assert_bitwise(name, &[y], &[$f(&x)]);
            assert_bitwise(name, &alone, &product);
            assert_bitwise(name, &again, &product);
            let gradient = |x: &[f64]| gradient($f::AD, NoPrep, &backend, x).expect("a gradient");
            assert_close(name, &g, &gradient(&x), DIFFERENCES);
            assert_close(name, &alone, &difference(gradient, &x, &v), DIFFERENCES);
            let unit =
                |k: usize| -> Vec<f64> { (0..N).map(|i| f64::from(u8::from(i == k))).collect() };
            let slopes: Vec<f64> = (0..N)
                .flat_map(|k| difference(|x| vec![$f(x)], &x, &unit(k)))
                .collect();
            assert_close(name, &g, &slopes, DIFFERENCES);

            let columns: Vec<f64> = (0..N)
                .flat_map(|k| difference(gradient, &x, &unit(k)))
                .collect();
            let alone = hessian($f::AD, &dense, &backend, &x)?;
            let (_, g, h) = value_gradient_and_hessian($f::AD, &dense, &backend, &x)?;
            let again = hessian($f::AD, &dense, &backend, &x)?;
            assert_close(name, &g, &slopes, DIFFERENCES);
            assert_close(name, alone.as_slice(), &columns, DIFFERENCES);
            assert_bitwise(name, alone.as_slice(), h.as_slice());
            assert_bitwise(name, again.as_slice(), h.as_slice());
            let h = hessian($f::AD, &colored, &sparse, &x)?.to_dense();
            let h: Vec<f64> = h.iter().copied().collect();
            assert_close(name, &h, &columns, DIFFERENCES);
        }
    }};
}

#[test]
fn second_derivatives_alone_are_those_with_the_gradient() -> Result<(), di::Error> {
    check!(neighbours);
    check!(scattered);
    check!(handed_on);
    check!(rows);
    Ok(())
}
