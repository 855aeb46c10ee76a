//! Log-likelihood of a Gaussian mixture with a Wishart prior, the first objective of ADBench.

mod hand;

use di::prelude::*;
use std::f64::consts::PI;

use super::data::Numbers;

pub use hand::{Workspace, value_and_gradient};

/// `x . x`
#[differentiable]
pub fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut m = x[0];
    for i in 1..x.len() {
        if m < x[i] {
            m = x[i];
        }
    }
    m
}

/// `ln(sum of exp(x[i]))`, without overflow.
#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let m = largest(x);
    let sum: f64 = x.iter().map(|v| (v - m).exp()).sum();
    sum.ln() + m
}

#[differentiable]
fn subtract(d: usize, #[constant] x: &[f64], y: &[f64], out: &mut [f64]) {
    for i in 0..d {
        out[i] = x[i] - y[i];
    }
}

/// `out = Q x`, `Q` lower triangular: its diagonal, and what is below by columns.
#[differentiable]
fn triangular_product(d: usize, diagonal: &[f64], below: &[f64], x: &[f64], out: &mut [f64]) {
    for i in 0..d {
        out[i] = diagonal[i] * x[i];
    }
    let mut l = 0;
    for i in 0..d {
        for j in i + 1..d {
            out[j] += below[l] * x[i];
            l += 1;
        }
    }
}

#[differentiable]
fn log_wishart_prior(
    d: usize,
    #[constant] gamma: f64,
    m: i32,
    log_determinants: &[f64],
    diagonals: &[f64],
    factors: &[f64],
) -> f64 {
    let k = log_determinants.len();
    let stride = d * (d + 1) / 2;
    let mut prior = 0.0;
    for i in 0..k {
        let frobenius = sum_of_squares(&diagonals[i * d..(i + 1) * d])
            + sum_of_squares(&factors[i * stride + d..(i + 1) * stride]);
        prior += 0.5 * gamma * gamma * frobenius - m as f64 * log_determinants[i];
    }
    prior
}

/// The annotated function. `alphas`: log-weights; `means`: by rows; `factors`: for each component the
/// logarithms of the diagonal of `Q`, then what is below it, by columns; `x`: points by rows.
#[differentiable]
pub fn gmm(
    alphas: &[f64],
    means: &[f64],
    factors: &[f64],
    #[constant] x: &[f64],
    d: usize,
    #[constant] gamma: f64,
    m: i32,
    #[constant] offset: f64,
) -> f64 {
    let k = alphas.len();
    let n = x.len() / d;
    let stride = d * (d + 1) / 2;
    let mut log_determinants = vec![0.0; k];
    let mut diagonals = vec![0.0; k * d];
    for i in 0..k {
        for j in 0..d {
            let q = factors[i * stride + j];
            log_determinants[i] += q;
            diagonals[i * d + j] = q.exp();
        }
    }
    let mut centered = vec![0.0; d];
    let mut scaled = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut sum = 0.0;
    for p in 0..n {
        for i in 0..k {
            subtract(d, &x[p * d..], &means[i * d..], &mut centered);
            triangular_product(
                d,
                &diagonals[i * d..],
                &factors[i * stride + d..],
                &centered,
                &mut scaled,
            );
            let distance: f64 = sum_of_squares(&scaled);
            terms[i] = alphas[i] + log_determinants[i] - 0.5 * distance;
        }
        sum += log_sum_exp(&terms);
    }
    let prior: f64 = log_wishart_prior(d, gamma, m, &log_determinants, &diagonals, factors);
    sum - n as f64 * log_sum_exp(alphas) + prior + offset
}

/// An instance.
pub struct Instance {
    /// Log-weights.
    pub alphas: Vec<f64>,
    /// Means by rows.
    pub means: Vec<f64>,
    /// Inverse square roots of covariances.
    pub factors: Vec<f64>,
    /// Points by rows.
    pub x: Vec<f64>,
    /// Dimension.
    pub d: usize,
    /// Parameter of the prior.
    pub gamma: f64,
    /// Parameter of the prior.
    pub m: i32,
    /// What does not depend on the parameters.
    pub offset: f64,
}

impl Instance {
    /// The instance with 10 dimensions, 25 components and 1000 points.
    pub fn d10() -> Self {
        Instance::read(include_str!("../../data/adbench/gmm_d10_K25.txt"))
    }

    /// An instance of these sizes, from a fixed sequence of numbers, as ADBench makes its own.
    pub fn generated(d: usize, k: usize, n: usize) -> Self {
        let mut state = 1_u64;
        let mut uniform = move || {
            // Lehmer's generator with the multiplier of Park and Miller (1988).
            state = state * 48_271 % 2_147_483_647;
            state as f64 / 2_147_483_647.0
        };
        // nearly normal: the sum of twelve uniform numbers
        let mut normal = |n: usize| -> Vec<f64> {
            let mut one = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            (0..n).map(|_| one()).collect()
        };
        let (alphas, factors) = (normal(k), normal(k * d * (d + 1) / 2));
        let mut uniform = |n: usize| -> Vec<f64> { (0..n).map(|_| uniform()).collect() };
        let mut instance = Instance {
            alphas,
            means: uniform(k * d),
            factors,
            x: uniform(n * d),
            d,
            gamma: 1.0,
            m: 0,
            offset: 0.0,
        };
        instance.offset = instance.constants();
        instance
    }

    /// An instance in the format of ADBench.
    ///
    /// # Panics
    /// If `text` is none.
    pub fn read(text: &str) -> Self {
        let mut numbers = Numbers::of(text);
        let [d, k, n] = [(); 3].map(|()| numbers.size());
        let mut instance = Instance {
            alphas: numbers.floats(k),
            means: numbers.floats(k * d),
            factors: numbers.floats(k * d * (d + 1) / 2),
            x: numbers.floats(n * d),
            d,
            gamma: numbers.float(),
            m: numbers.size() as i32,
            offset: 0.0,
        };
        instance.offset = instance.constants();
        instance
    }

    /// `-n d/2 ln(2 pi) - K C`, `C` the constant of the Wishart distribution.
    fn constants(&self) -> f64 {
        let (d, k) = (self.d as f64, self.alphas.len() as f64);
        let points = (self.x.len() / self.d) as f64;
        let freedom = self.d + self.m as usize + 1;
        let log_gamma: f64 = 0.25 * d * (d - 1.0) * PI.ln()
            + (0..self.d)
                .map(|j| log_gamma_of_half(freedom - j))
                .sum::<f64>();
        let c = freedom as f64 * d * (self.gamma.ln() - 0.5 * 2_f64.ln()) - log_gamma;
        -points * d * 0.5 * (2.0 * PI).ln() - k * c
    }
}

/// `ln Gamma(n / 2)` for `n >= 1`, by the recursion of the gamma function.
fn log_gamma_of_half(n: usize) -> f64 {
    let start = if n.is_multiple_of(2) {
        0.0
    } else {
        0.5 * PI.ln()
    };
    let first = 2 - n % 2;
    start
        + (first..n)
            .step_by(2)
            .map(|k| (0.5 * k as f64).ln())
            .sum::<f64>()
}

/// The annotated function on an instance, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(i: &Instance) -> f64 {
    gmm(
        &i.alphas, &i.means, &i.factors, &i.x, i.d, i.gamma, i.m, i.offset,
    )
}

#[cfg(test)]
mod tests {
    use super::{Instance, Workspace, log_gamma_of_half, primal, value_and_gradient};
    use crate::cases::{checksums, close};

    #[test]
    fn log_gamma_of_halves() {
        // Gamma(1/2) = sqrt(pi), Gamma(1) = 1, Gamma(5/2) = 3/4 sqrt(pi), Gamma(5) = 24
        let root = std::f64::consts::PI.sqrt();
        for (n, gamma) in [(1, root), (2, 1.0), (5, 0.75 * root), (10, 24.0)] {
            assert!(close(log_gamma_of_half(n), f64::ln(gamma), 1e-14), "{n}");
        }
    }

    #[test]
    fn reference_values() {
        let instance = Instance::d10();
        let objective = -2.564_965_262_119_762e4;
        assert!(close(primal(&instance), objective, 1e-10));
        let mut work = Workspace::new(&instance);
        let mut g = instance.zeros();
        assert!(close(
            value_and_gradient(&instance, &mut work, &mut g),
            objective,
            1e-10
        ));
        let (s, q) = checksums(g.iter().flatten());
        assert!(close(s, -7.317_052_862_850_6e4, 1e-11), "{s}");
        assert!(close(q, 7.088_366_312_270_31e6, 1e-11), "{q}");
    }
}
