//! Functions that are returned, listed, and chosen by a branch; functions that take functions and leave by `?`, or are
//! generic over a length.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
fn decay(rate: f64) -> impl Fn(f64) -> f64 {
    let scale = 1.0 + rate * rate;
    move |t| scale * (-rate * t).exp()
}

#[differentiable]
fn powers(x: &[f64], n: usize) -> impl Iterator<Item = f64> + '_ {
    let scale = n as f64;
    x.iter().map(move |v| scale * v.powi(n as i32))
}

#[differentiable]
fn returned(x: &[f64]) -> f64 {
    let (slow, fast) = (x[0], x[1]);
    let first = decay(slow);
    let second = decay(fast);
    let sum: f64 = powers(x, 2).sum();
    let mut all = 0.0;
    for p in powers(x, 3) {
        all += p * first(p);
    }
    first(x[2]) * second(first(x[2])) + decay(sum)(0.1) + all
}

#[differentiable]
fn straight(t: f64, k: f64) -> f64 {
    k * t + 1.0
}

#[differentiable]
fn wave(t: f64, k: f64) -> f64 {
    (k * t).sin()
}

#[derive(Clone, Copy)]
enum Shape {
    Line,
    Wave,
    Square,
}

#[differentiable]
fn chosen(x: &[f64], #[constant] shape: Shape) -> f64 {
    let f = match shape {
        Shape::Line => straight,
        Shape::Wave => wave,
        Shape::Square => |t: f64, k: f64| k * t * t,
    };
    let g = if x.len() > 2 { f64::exp } else { f64::sin };
    f(x[0], x[1]) * g(x[2]) + x.iter().map(|v| f(*v, 0.5)).sum::<f64>()
}

#[differentiable]
fn listed(x: &[f64]) -> f64 {
    let laws: [fn(f64, f64) -> f64; 2] = [straight, wave];
    let terms = [(f64::sin as fn(f64) -> f64, 0.5), (f64::exp, 2.0)];
    let mut sum = laws[1](x[0], x[1]);
    for (law, k) in laws.iter().zip(x) {
        sum += law(*k, x[2]);
    }
    for (f, k) in terms {
        sum *= k * f(x[1]);
    }
    sum + [f64::cos, f64::tanh].iter().map(|f| f(x[0])).sum::<f64>()
}

#[differentiable]
fn checked_root(f: impl Fn(f64) -> Option<f64>, start: f64) -> Option<f64> {
    let value = f(start)?;
    if value < 0.0 {
        return None;
    }
    Some(f(value + 1.0)? + value)
}

#[differentiable]
fn asked(x: &[f64]) -> f64 {
    let ln = |v: f64| if v > 0.0 { Some((v * x[0]).ln()) } else { None };
    checked_root(ln, x[1] + 3.0).unwrap_or(x[2]) + checked_root(ln, -1.0).unwrap_or(x[2] * x[2])
}

#[differentiable]
fn euler<const N: usize>(f: impl Fn(&[f64; N]) -> [f64; N], y: &[f64; N], h: f64) -> [f64; N] {
    let k = f(y);
    let mut out = [0.0; N];
    for i in 0..N {
        out[i] = y[i] + h * k[i] / N as f64;
    }
    std::array::from_fn(|i| 0.5 * (out[i] + y[N - 1 - i]))
}

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let rhs = |y: &[f64; 2]| [y[1] * x[0], -y[0] * x[1]];
    let mut y = [x[2], 1.0];
    for _ in 0..3 {
        y = euler(rhs, &y, 0.1);
    }
    let z = euler(
        |q: &[f64; 3]| [q[1], q[2], q[0] * q[1]],
        &[x[0], x[1], x[2]],
        0.2,
    );
    y[0] * y[1] + z[0] * z[2]
}

#[test]
fn functions_as_results() {
    scalar!(returned).row(201).check(&POINTS);
}

#[test]
fn functions_chosen_and_listed() {
    scalar!(listed).row(202).check(&POINTS);
    for shape in [Shape::Line, Shape::Wave, Shape::Square] {
        scalar!(chosen::AD.with(shape), |x: &[f64]| chosen(x, shape))
            .row(202)
            .check(&POINTS);
    }
}

#[test]
fn bodies_in_place_that_leave_by_a_question_mark_or_have_a_length() {
    scalar!(asked).row(203).check(&POINTS);
    scalar!(steps).row(203).check(&POINTS);
}
