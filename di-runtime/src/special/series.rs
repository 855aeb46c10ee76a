//! The polygamma functions, which the `libm` crate does not have.
//!
//! Recurrence up to where the asymptotic series holds, reflection below zero (Abramowitz, Stegun
//! 1964, 6.4.6, 6.4.7 and 6.4.11).

use std::f64::consts::PI;

/// Bernoulli numbers of even index, from 2 on.
const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174_611.0 / 330.0,
    854_513.0 / 138.0,
    -236_364_091.0 / 2730.0,
];

/// The derivative of order `n` of digamma at `x`; NaN for `n < 0`.
pub(super) fn polygamma(n: i32, x: f64) -> f64 {
    if n < 0 || x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if x > 0.0 {
        return positive(n, x);
    }
    if x == x.floor() {
        // even orders change sign across the pole
        return if n % 2 == 1 { f64::INFINITY } else { f64::NAN };
    }
    let mirrored = positive(n, 1.0 - x);
    let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
    sign * mirrored - cotangent(n, x)
}

fn positive(n: i32, mut x: f64) -> f64 {
    // psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n + 1)
    let far = 12.0 + f64::from(n);
    let mut factorial = 1.0;
    for k in 2..=n {
        factorial *= f64::from(k);
    }
    let mut steps = 0.0;
    while x < far {
        steps += factorial * x.powi(-n - 1);
        x += 1.0;
    }
    let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
    sign * (steps + series(n, factorial, x))
}

/// `(-1)^(n + 1) psi_n(x)` for large `x`.
fn series(n: i32, factorial: f64, x: f64) -> f64 {
    let square = x * x;
    // (2k + n - 1)! / (2k)! / x^(2k + n), from k = 0 on, where it is (n - 1)! / x^n
    let m = f64::from(n);
    let (head, mut term) = if n == 0 {
        (-x.ln() + 0.5 / x, 0.5 / square)
    } else {
        let first = factorial / m * x.powi(-n);
        (
            first + 0.5 * factorial * x.powi(-n - 1),
            first * m * (m + 1.0) / (2.0 * square),
        )
    };
    let mut sum = 0.0;
    for (k, bernoulli) in BERNOULLI.iter().enumerate() {
        sum += bernoulli * term;
        let two = 2.0 * (k as f64 + 1.0);
        term *= (two + m) * (two + m + 1.0) / ((two + 1.0) * (two + 2.0) * square);
    }
    head + sum
}

/// The derivative of order `n` of `pi cot(pi x)`: a polynomial in the cotangent.
fn cotangent(n: i32, x: f64) -> f64 {
    // by the distance to the nearest integer, which is exact
    let c = 1.0 / (PI * (x - x.round())).tan();
    // p' = -pi (1 + c^2) dp/dc
    let mut p = vec![0.0, PI];
    for _ in 0..n {
        let mut next = vec![0.0; p.len() + 1];
        for (k, a) in p.iter().enumerate().skip(1) {
            let part = -PI * a * k as f64;
            next[k - 1] += part;
            next[k + 1] += part;
        }
        p = next;
    }
    p.iter().rev().fold(0.0, |sum, a| sum * c + a)
}
