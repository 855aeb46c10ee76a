//! The adjoint by hand: each point forward and at once back, so that only one point's values are kept.

use super::{Instance, log_sum_exp, sum_of_squares};

/// What one evaluation needs besides its result.
pub struct Workspace {
    log_determinants: Vec<f64>,
    diagonals: Vec<f64>,
    adjoint_determinants: Vec<f64>,
    adjoint_diagonals: Vec<f64>,
    /// Rows for each component: the point minus the mean, and `Q` times that.
    centered: Vec<f64>,
    scaled: Vec<f64>,
    terms: Vec<f64>,
    adjoint: Vec<f64>,
}

impl Workspace {
    /// For an instance and those of its size.
    pub fn new(instance: &Instance) -> Self {
        let (d, k) = (instance.d, instance.alphas.len());
        Workspace {
            log_determinants: vec![0.0; k],
            diagonals: vec![0.0; k * d],
            adjoint_determinants: vec![0.0; k],
            adjoint_diagonals: vec![0.0; k * d],
            centered: vec![0.0; k * d],
            scaled: vec![0.0; k * d],
            terms: vec![0.0; k],
            adjoint: vec![0.0; d],
        }
    }
}

impl Instance {
    /// Room for a gradient: by `alphas`, `means`, `factors`.
    pub fn zeros(&self) -> [Vec<f64>; 3] {
        [&self.alphas, &self.means, &self.factors].map(|v| vec![0.0; v.len()])
    }
}

/// Value and gradient by hand.
#[inline(never)]
pub fn value_and_gradient(instance: &Instance, w: &mut Workspace, g: &mut [Vec<f64>; 3]) -> f64 {
    let Instance {
        alphas,
        means,
        factors,
        x,
        d,
        gamma,
        m,
        offset,
    } = instance;
    let d = *d;
    let k = alphas.len();
    let n = x.len() / d;
    let stride = d * (d + 1) / 2;
    let [g_alphas, g_means, g_factors] = g;
    for part in [&mut *g_alphas, g_means, g_factors] {
        part.fill(0.0);
    }
    w.adjoint_determinants.fill(0.0);
    w.adjoint_diagonals.fill(0.0);
    for i in 0..k {
        let logs = &factors[i * stride..][..d];
        w.log_determinants[i] = logs.iter().fold(0.0, |sum, q| sum + q);
        for (e, q) in w.diagonals[i * d..][..d].iter_mut().zip(logs) {
            *e = q.exp();
        }
    }
    let mut sum = 0.0;
    for x in x.chunks_exact(d) {
        for i in 0..k {
            let centered = &mut w.centered[i * d..][..d];
            let scaled = &mut w.scaled[i * d..][..d];
            for ((c, x), mean) in centered.iter_mut().zip(x).zip(&means[i * d..][..d]) {
                *c = x - mean;
            }
            multiply(
                &w.diagonals[i * d..][..d],
                &factors[i * stride + d..],
                centered,
                scaled,
            );
            w.terms[i] = alphas[i] + w.log_determinants[i] - 0.5 * sum_of_squares(scaled);
        }
        let total = log_sum_exp(&w.terms);
        sum += total;
        for i in 0..k {
            let share = (w.terms[i] - total).exp();
            g_alphas[i] += share;
            w.adjoint_determinants[i] += share;
            let adjoint = &mut w.adjoint[..];
            for (a, s) in adjoint.iter_mut().zip(&w.scaled[i * d..][..d]) {
                *a = -share * s;
            }
            multiply_adjoint(
                &w.diagonals[i * d..][..d],
                &factors[i * stride + d..],
                &w.centered[i * d..][..d],
                adjoint,
                &mut w.adjoint_diagonals[i * d..][..d],
                &mut g_factors[i * stride + d..],
                &mut g_means[i * d..][..d],
            );
        }
    }
    let of_weights = log_sum_exp(alphas);
    for (g, a) in g_alphas.iter_mut().zip(alphas) {
        *g -= n as f64 * (a - of_weights).exp();
    }
    let mut prior = 0.0;
    let (square, m) = (gamma * gamma, f64::from(*m));
    for i in 0..k {
        let diagonal = &w.diagonals[i * d..][..d];
        let below = &factors[i * stride + d..][..stride - d];
        let frobenius = sum_of_squares(diagonal) + sum_of_squares(below);
        prior += 0.5 * square * frobenius - m * w.log_determinants[i];
        for (g, f) in g_factors[i * stride + d..][..stride - d]
            .iter_mut()
            .zip(below)
        {
            *g += square * f;
        }
        let g_logs = &mut g_factors[i * stride..][..d];
        let sum_adjoint = w.adjoint_determinants[i] - m;
        for ((g, e), a) in g_logs
            .iter_mut()
            .zip(diagonal)
            .zip(&w.adjoint_diagonals[i * d..][..d])
        {
            *g = e * (a + square * e) + sum_adjoint;
        }
    }
    sum - n as f64 * of_weights + prior + offset
}

/// `out = Q x`
#[inline(always)]
fn multiply(diagonal: &[f64], below: &[f64], x: &[f64], out: &mut [f64]) {
    let d = diagonal.len();
    for ((o, q), x) in out.iter_mut().zip(diagonal).zip(x) {
        *o = q * x;
    }
    let mut l = 0;
    for i in 0..d {
        let len = d - 1 - i;
        axpy(&mut out[i + 1..d], &below[l..l + len], x[i]);
        l += len;
    }
}

/// `y += a x`. Short rows go in steps of four: the vectorised loop's overlapping stores cost more.
#[inline(always)]
fn axpy(y: &mut [f64], x: &[f64], a: f64) {
    if y.len() >= 16 {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
        return;
    }
    let (y4, y) = y.as_chunks_mut::<4>();
    let (x4, x) = x.as_chunks::<4>();
    for (y, x) in y4.iter_mut().zip(x4) {
        for t in 0..4 {
            y[t] += a * x[t];
        }
    }
    let m = y.len() & 3;
    let (y, x) = (&mut y[..m], &x[..m]);
    for t in 0..m {
        y[t] += a * x[t];
    }
}

/// Adjoint of `out = Q x`, `x = point - mean`; `adjoint` is that of `out`.
#[inline(always)]
fn multiply_adjoint(
    diagonal: &[f64],
    below: &[f64],
    x: &[f64],
    adjoint: &[f64],
    g_diagonal: &mut [f64],
    g_below: &mut [f64],
    g_mean: &mut [f64],
) {
    let d = diagonal.len();
    let adjoint = &adjoint[..d];
    let mut l = 0;
    for i in 0..d {
        let len = d - 1 - i;
        let (row, g_row) = (&below[l..l + len], &mut g_below[l..l + len]);
        let x_adjoint = row_adjoint(x[i], row, &adjoint[i + 1..d], g_row);
        g_diagonal[i] += adjoint[i] * x[i];
        g_mean[i] -= x_adjoint + adjoint[i] * diagonal[i];
        l += len;
    }
}

/// `g_row += x adjoint`; returns `row . adjoint`.
#[inline(always)]
fn row_adjoint(x: f64, row: &[f64], adjoint: &[f64], g_row: &mut [f64]) -> f64 {
    let (row4, row) = row.as_chunks::<4>();
    let (adjoint4, adjoint) = adjoint.as_chunks::<4>();
    let (g4, g) = g_row.as_chunks_mut::<4>();
    let mut sums = [0.0; 4];
    for ((row, adjoint), g) in row4.iter().zip(adjoint4).zip(g4) {
        for t in 0..4 {
            g[t] += x * adjoint[t];
            sums[t] += row[t] * adjoint[t];
        }
    }
    let m = row.len() & 3;
    let (row, adjoint, g) = (&row[..m], &adjoint[..m], &mut g[..m]);
    let mut sum = 0.0;
    for t in 0..m {
        g[t] += x * adjoint[t];
        sum += row[t] * adjoint[t];
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + sum
}
