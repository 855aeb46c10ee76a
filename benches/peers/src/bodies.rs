//! The bodies of the cases once more, on any number: statement by statement those of `di_benches::cases`, which are on
//! floats. Parameters are one slice.

#![expect(
    clippy::needless_range_loop,
    reason = "the cases are written as numerical programs are, with indices"
)]

use di_benches::cases::{gmm, lotka_volterra, mlp};
use std::ops::{Add, Mul, Neg, Sub};

/// What numbers of all crates have in common. Floats stand on the right, as constants that no tape records.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// A constant. Some crates need another number of the same tape for it.
    fn constant(self, c: f64) -> Self;
    /// The value, for comparisons.
    fn float(self) -> f64;
    /// `exp`
    fn exponential(self) -> Self;
    /// `ln`
    fn logarithm(self) -> Self;
    /// `tanh`
    fn hyperbolic(self) -> Self;
}

/// A function of one slice.
pub trait Body {
    /// Calls it.
    fn call<T: Number>(&self, x: &[T]) -> T;
}

/// See `di_benches::cases::rosenbrock`.
pub struct Rosenbrock;

impl Body for Rosenbrock {
    fn call<T: Number>(&self, x: &[T]) -> T {
        let mut s = x[0].constant(0.0);
        for i in 0..x.len() - 1 {
            let a = x[i + 1] - x[i] * x[i];
            let b = x[i] - 1.0;
            s = s + (a * a * 100.0 + b * b);
        }
        s
    }
}

/// See `di_benches::cases::mlp`; with its input.
pub struct Mlp(pub Vec<f64>);

impl Body for Mlp {
    fn call<T: Number>(&self, x: &[T]) -> T {
        let n = self.0.len();
        let (w1, rest) = x.split_at(mlp::HIDDEN * n);
        let (b1, rest) = rest.split_at(mlp::HIDDEN);
        let (w2, b2) = rest.split_at(mlp::HIDDEN);
        let mut out = b2[0];
        for i in 0..b1.len() {
            let mut z = b1[i];
            for j in 0..n {
                z = z + w1[i * n + j] * self.0[j];
            }
            out = out + w2[i] * z.hyperbolic();
        }
        (out - 1.0) * (out - 1.0)
    }
}

/// See `di_benches::cases::lotka_volterra`.
pub struct LotkaVolterra;

impl Body for LotkaVolterra {
    fn call<T: Number>(&self, p: &[T]) -> T {
        let (mut x, mut y) = (p[0].constant(10.0), p[0].constant(5.0));
        for _ in 0..lotka_volterra::STEPS {
            let dx = p[0] * x - p[1] * x * y;
            let dy = p[3] * x * y - p[2] * y;
            x = x + dx * 0.01;
            y = y + dy * 0.01;
        }
        x + y
    }
}

/// See `di_benches::cases::gmm`.
pub struct Gmm(pub gmm::Instance);

fn sum_of_squares<T: Number>(x: &[T]) -> T {
    let zero = x[0].constant(0.0);
    x.iter().fold(zero, |sum, v| sum + *v * *v)
}

fn log_sum_exp<T: Number>(x: &[T]) -> T {
    let mut m = x[0];
    for v in &x[1..] {
        if m.float() < v.float() {
            m = *v;
        }
    }
    let zero = x[0].constant(0.0);
    let sum = x.iter().fold(zero, |sum, v| sum + (*v - m).exponential());
    sum.logarithm() + m
}

impl Body for Gmm {
    fn call<T: Number>(&self, parameters: &[T]) -> T {
        let i = &self.0;
        let (d, k, n) = (i.d, i.alphas.len(), i.x.len() / i.d);
        let stride = d * (d + 1) / 2;
        let (alphas, rest) = parameters.split_at(k);
        let (means, factors) = rest.split_at(k * d);
        let zero = alphas[0].constant(0.0);
        let mut log_determinants = vec![zero; k];
        let mut diagonals = vec![zero; k * d];
        for i in 0..k {
            for j in 0..d {
                let q = factors[i * stride + j];
                log_determinants[i] = log_determinants[i] + q;
                diagonals[i * d + j] = q.exponential();
            }
        }
        let (mut centered, mut scaled, mut terms) = (vec![zero; d], vec![zero; d], vec![zero; k]);
        let mut sum = zero;
        for p in 0..n {
            for c in 0..k {
                for j in 0..d {
                    // the other sign: not every crate subtracts from a float, and only squares are read
                    centered[j] = means[c * d + j] - i.x[p * d + j];
                }
                for j in 0..d {
                    scaled[j] = diagonals[c * d + j] * centered[j];
                }
                let below = &factors[c * stride + d..];
                let mut l = 0;
                for i in 0..d {
                    for j in i + 1..d {
                        scaled[j] = scaled[j] + below[l] * centered[i];
                        l += 1;
                    }
                }
                let distance = sum_of_squares(&scaled);
                terms[c] = alphas[c] + log_determinants[c] - distance * 0.5;
            }
            sum = sum + log_sum_exp(&terms);
        }
        let mut prior = zero;
        for c in 0..k {
            let frobenius = sum_of_squares(&diagonals[c * d..(c + 1) * d])
                + sum_of_squares(&factors[c * stride + d..(c + 1) * stride]);
            prior = prior
                + (frobenius * (0.5 * i.gamma * i.gamma) - log_determinants[c] * f64::from(i.m));
        }
        sum - log_sum_exp(alphas) * (n as f64) + prior + i.offset
    }
}
