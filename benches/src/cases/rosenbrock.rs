//! The chained Rosenbrock function: `sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2`.

use di::prelude::*;

/// The annotated function, in its natural form.
#[differentiable]
pub fn rosenbrock(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}

/// The same, for engines that run it on numbers with overloaded operators.
#[overloaded]
pub fn overloaded_rosenbrock(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}

/// The same, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(x: &[f64]) -> f64 {
    rosenbrock(x)
}

/// Value and gradient by hand, for two inputs or more.
///
/// Strips of 16 and 8: within a strip everything is vectorised but the ordered sum. Each gradient entry gathers
/// what term `i` and term `i - 1` give it; scattering to `g[i]` and `g[i + 1]` costs four times as much.
#[inline(never)]
pub fn value_and_gradient(x: &[f64], g: &mut [f64]) -> f64 {
    let n = x.len();
    let g = &mut g[..n];
    let (a, b) = terms(x[0], x[1]);
    let mut s = 100.0 * a * a + b * b;
    g[0] = -400.0 * a * x[0] - 2.0 * b;
    let i = strips::<16>(x, g, 1, &mut s);
    let i = strips::<8>(x, g, i, &mut s);
    let mut carry = 200.0 * (x[i] - x[i - 1] * x[i - 1]);
    for i in i..n - 1 {
        let (a, b) = terms(x[i], x[i + 1]);
        s += 100.0 * a * a + b * b;
        g[i] = carry - 400.0 * a * x[i] - 2.0 * b;
        carry = 200.0 * a;
    }
    g[n - 1] = carry;
    s
}

/// Gradient by hand, for two inputs or more. The value is not computed.
#[inline(never)]
pub fn gradient(x: &[f64], g: &mut [f64]) {
    let n = x.len();
    let g = &mut g[..n];
    g[0] = -400.0 * (x[1] - x[0] * x[0]) * x[0] - 2.0 * (1.0 - x[0]);
    let (left, here, right) = (&x[..n - 2], &x[1..n - 1], &x[2..]);
    let inner = &mut g[1..n - 1];
    for i in 0..inner.len() {
        let v = here[i];
        let factor = 2.0 - 400.0 * (right[i] - v * v);
        inner[i] = 200.0 * (v - left[i] * left[i]) + (v * factor - 2.0);
    }
    g[n - 1] = 200.0 * (x[n - 1] - x[n - 2] * x[n - 2]);
}

/// Hessian-vector product by hand, for two inputs or more.
#[inline(never)]
pub fn hvp(x: &[f64], v: &[f64], h: &mut [f64]) {
    let n = x.len();
    let (v, h) = (&v[..n], &mut h[..n]);
    let da = |i: usize| v[i + 1] - 2.0 * x[i] * v[i];
    let a = x[1] - x[0] * x[0];
    h[0] = -400.0 * (da(0) * x[0] + a * v[0]) + 2.0 * v[0];
    let (x_left, x_here, x_right) = (&x[..n - 2], &x[1..n - 1], &x[2..]);
    let (v_left, v_here, v_right) = (&v[..n - 2], &v[1..n - 1], &v[2..]);
    let inner = &mut h[1..n - 1];
    for i in 0..inner.len() {
        let (x, v) = (x_here[i], v_here[i]);
        let a = x_right[i] - x * x;
        let da = v_right[i] - 2.0 * x * v;
        let da_left = v - 2.0 * x_left[i] * v_left[i];
        inner[i] = 200.0 * da_left - 400.0 * (da * x + a * v) + 2.0 * v;
    }
    h[n - 1] = 200.0 * da(n - 2);
}

/// The two differences of one term.
#[inline(always)]
fn terms(x: f64, right: f64) -> (f64, f64) {
    (right - x * x, 1.0 - x)
}

/// Terms `from..` in strips of `L`, as many as there are; returns the first term left.
#[inline(always)]
fn strips<const L: usize>(x: &[f64], g: &mut [f64], from: usize, s: &mut f64) -> usize {
    let mut i = from;
    while i + L < x.len() {
        let (left, here, right) = (&x[i - 1..][..L], &x[i..][..L], &x[i + 1..][..L]);
        let g = &mut g[i..][..L];
        let mut value = [0.0; L];
        for t in 0..L {
            let (a, b) = terms(here[t], right[t]);
            value[t] = 100.0 * a * a + b * b;
            g[t] = 200.0 * (here[t] - left[t] * left[t]) - 400.0 * a * here[t] - 2.0 * b;
        }
        for value in value {
            *s += value;
        }
        i += L;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::{gradient, hvp, primal, value_and_gradient};
    use crate::cases::{direction, input};

    /// Slow, for tests: term by term, scattered.
    fn oracle(x: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut g, mut h) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        for i in 0..x.len() - 1 {
            let a = x[i + 1] - x[i] * x[i];
            g[i] += -400.0 * a * x[i] - 2.0 * (1.0 - x[i]);
            g[i + 1] += 200.0 * a;
            h[i] +=
                (1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0) * v[i] - 400.0 * x[i] * v[i + 1];
            h[i + 1] += 200.0 * v[i + 1] - 400.0 * x[i] * v[i];
        }
        (g, h)
    }

    fn check(name: &str, found: &[f64], expected: &[f64]) {
        for (i, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!(
                (a - b).abs() <= 1e-12 * (1.0 + b.abs()),
                "{name}[{i}] = {a}, expected {b}"
            );
        }
    }

    #[test]
    fn forms_by_hand_agree() {
        for n in [2, 3, 9, 10, 17, 18, 26, 100] {
            let (x, v) = (input(n), direction(n));
            let (g_expected, h_expected) = oracle(&x, &v);
            let mut out = vec![f64::NAN; n];
            assert_eq!(value_and_gradient(&x, &mut out), primal(&x), "n = {n}");
            check("value_and_gradient", &out, &g_expected);
            gradient(&x, &mut out);
            check("gradient", &out, &g_expected);
            hvp(&x, &v, &mut out);
            check("hvp", &out, &h_expected);
        }
    }
}
