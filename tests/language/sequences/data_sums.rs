//! Sums over data, whose adjoints are computed trip by trip beside the values, and those that only look like them.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0], &[-1.2, 0.4, 0.9, -0.3]];

const T: [f64; 6] = [0.0, 0.4, 0.9, 1.3, 2.1, 2.6];
const Y: [f64; 6] = [1.9, 1.2, 0.8, 0.7, 0.2, 0.4];

#[differentiable]
fn decay(p: &[f64], t: f64) -> f64 {
    p[0] * (-p[1] * t).exp() + p[2]
}

/// Leaves something on the tape, as often as its argument says.
#[differentiable]
fn relaxed(a: f64, t: f64) -> f64 {
    let mut v = a;
    let mut k = 0.0;
    while k < t {
        v = 0.5 * (v + a * a / (1.0 + v * v));
        k += 1.0;
    }
    v
}

#[differentiable]
fn calls(p: &[f64]) -> f64 {
    let misfit = T
        .iter()
        .zip(&Y)
        .map(|(t, y)| (decay(p, *t) - y).powi(2))
        .sum::<f64>();
    misfit / T.len() as f64 + p[3] * p[3]
}

#[differentiable]
fn calls_on_the_tape(p: &[f64]) -> f64 {
    let scale = (p[3] * 0.3).exp();
    let mut s = p[0];
    for i in 0..T.len() {
        let v = relaxed(p[0] + p[1] * T[i], 4.0 * T[i]);
        let w = relaxed(p[2] * v, T[i]);
        s += scale * (v - Y[i]) * w;
    }
    s * scale
}

#[differentiable]
fn inner_loops(p: &[f64]) -> f64 {
    let mut loss = 0.0;
    for i in 0..T.len() {
        let mut z = p[3];
        for k in 0..3 {
            z += (p[k] * T[i]).sin() * z;
        }
        let mut m = z;
        let mut turns = 0;
        while m > 0.5 && turns < 5 {
            m = m.sqrt() * 0.9;
            turns += 1;
        }
        loss -= if z > 0.8 { (1.0 + z * z).ln() } else { z * m };
    }
    2.0 * loss
}

#[differentiable]
fn two_sums(p: &[f64]) -> f64 {
    let (mut weights, mut mean) = (0.0, 0.0);
    for i in 0..T.len() {
        let w = (-p[1] * T[i]).exp();
        weights += w;
        mean += w * p[i % 4];
    }
    // starts from what the loop returns
    mean / weights
}

#[differentiable]
fn the_sum_of_another(p: &[f64]) -> f64 {
    let mut mean = 0.0;
    for i in 0..T.len() {
        mean += (p[0] * T[i]).cos() * p[i % 4];
    }
    mean /= 6.0;
    let mut variance = 0.0;
    for i in 0..T.len() {
        let d = (p[1] * Y[i]).exp() - mean;
        variance += d * d;
    }
    variance + p[2] * mean
}

#[differentiable]
fn what_comes_after(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..T.len() {
        s += (p[0] * T[i]).exp() * p[1];
    }
    (s * s + 1.0).ln() * p[2]
}

#[differentiable]
fn a_carried_state(p: &[f64]) -> f64 {
    let mut state = p[0];
    let mut s = 0.0;
    for i in 0..T.len() {
        state = (state * p[1] + T[i]).sin();
        s += state * p[2];
    }
    s
}

#[differentiable]
fn a_list_that_is_read(p: &[f64]) -> f64 {
    let mut seen = [0.0; 6];
    let mut s = 0.0;
    for i in 0..T.len() {
        seen[i] = (p[0] * T[i]).exp();
        if i > 1 {
            s += seen[i - 2] * p[1] * p[i % 4];
        }
    }
    s
}

#[differentiable]
fn a_buffer(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..T.len() {
        let mut v = vec![0.0; 3];
        for k in 0..3 {
            v[k] = (p[k] * T[i]).exp();
        }
        let total: f64 = v.iter().sum();
        for k in 0..3 {
            s += (v[k] / total).ln() * Y[i] * p[3];
        }
    }
    s
}

#[differentiable]
fn results(p: &[f64], scale: f64) -> (f64, f64) {
    let (mut a, mut b) = (0.0, p[1]);
    for (t, y) in T.iter().zip(Y) {
        let v = (scale * p[0] * t).exp();
        a += v * y;
        b -= v * v * p[2];
    }
    (a * scale, b)
}

#[differentiable]
fn a_tuple(p: &[f64]) -> f64 {
    let (a, b) = results(p, p[3]);
    a * b
}

#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n - 1 {
        let a = (x[i + 1] - x[i] * x[i]).exp();
        s += a * a + x[n - 1 - i];
    }
    3.0 * s
}

#[differentiable]
fn no_data(p: &[f64]) -> f64 {
    let none: [f64; 0] = [];
    let mut s = p[0];
    for v in none.iter() {
        s += (p[1] * v).exp();
    }
    s * 2.0
}

#[derive(Clone, Copy, Differentiable)]
struct Params {
    rate: f64,
    size: f64,
}

#[differentiable]
fn of_a_struct(q: &Params, shift: f64) -> f64 {
    let mut s = 0.0;
    for (t, y) in T.iter().zip(&Y) {
        let e = (-q.rate * t).exp();
        s += (q.size * e + shift - y).powi(2);
    }
    s
}

#[differentiable]
fn a_struct(p: &[f64]) -> f64 {
    let q = Params {
        rate: p[0] * p[1],
        size: p[2],
    };
    of_a_struct(&q, p[3])
}

#[test]
fn sums_over_data() {
    scalar!(calls).row(46).check(&POINTS);
    scalar!(calls_on_the_tape).row(24).check(&POINTS);
    scalar!(inner_loops).row(24).check(&POINTS);
    scalar!(a_buffer).row(24).check(&POINTS);
    scalar!(elements).row(24).check(&POINTS);
    scalar!(no_data).row(24).check(&POINTS);
    scalar!(a_tuple).row(24).check(&POINTS);
    scalar!(a_struct).row(24).check(&POINTS);
    for n in [1, 2, 3, 15, 16, 17, 18, 32, 33, 40] {
        let x: Vec<f64> = (0..n).map(|i| (0.37 * f64::from(i)).sin()).collect();
        scalar!(springs).row(24).check(&[&x]);
        scalar!(distances).row(24).check(&[&x]);
    }
    check_layers();
}

#[test]
fn sums_that_others_start_from() {
    scalar!(two_sums).row(24).check(&POINTS);
    scalar!(the_sum_of_another).row(24).check(&POINTS);
    scalar!(what_comes_after).row(24).check(&POINTS);
}

#[test]
fn loops_whose_trips_depend_on_each_other() {
    scalar!(a_carried_state).row(24).check(&POINTS);
    scalar!(a_list_that_is_read).row(24).check(&POINTS);
}

/// Sums whose terms are cheap and by inputs of their own: loops of this form run in strips.
#[differentiable]
fn springs(x: &[f64]) -> f64 {
    let mut e = 0.25;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1] - 0.3;
        e += 0.5 * d * d * x[i];
    }
    e
}

#[differentiable]
fn distances(x: &[f64]) -> f64 {
    let mut near = 0.0;
    let mut far = 1.0;
    for i in 0..x.len() {
        let d = (x[i] - 0.3).powi(2) + 0.1;
        near -= d.sqrt() * 2.0;
        far += x[i] / d;
    }
    near + 3.0 * far
}

/// A matrix by a vector: the first that is done to the adjoint of the matrix is to write its rows.
#[differentiable]
fn layer(w: &[f64], #[constant] u: &[f64], #[constant] m: usize) -> f64 {
    let n = u.len();
    let mut s = 0.5;
    for i in 0..m {
        let mut z = 0.1;
        for j in 0..n {
            z += w[i * n + j] * u[j];
        }
        s *= 1.0 + z.tanh();
    }
    s
}

/// Compares gradients by matrices, with elements that belong to no row and without rows.
fn check_layers() {
    let w: Vec<f64> = (0..13).map(|i| (0.61 * f64::from(i)).cos()).collect();
    let (source, differences) = (AutoSource::new(), AutoFiniteDiff::new());
    for (m, n) in [(3, 4), (4, 3), (1, 13), (0, 4), (3, 0), (0, 0)] {
        let u: Vec<f64> = (0..n).map(|i| 0.2 + 0.1 * f64::from(i)).collect();
        let f = layer::AD.with(&u, m);
        let expected = gradient(f, NoPrep, &differences, &w).unwrap();
        let prep = prepare_gradient(f, &source, &w).unwrap();
        let mut found = vec![f64::NAN; w.len()];
        gradient_into(f, &mut found, &prep, &source, &w).unwrap();
        assert_close("gradient", &found, &expected, DIFFERENCES);
        found.fill(f64::NAN);
        value_and_gradient_into(f, &mut found, &prep, &source, &w).unwrap();
        assert_close("value and gradient", &found, &expected, DIFFERENCES);
    }
}
