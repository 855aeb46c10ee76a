//! Experienced: in-place wavelet (lifting) transform; split_at_mut, rotate, drain, chunk patterns, copy_from_slice.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn lift(x: &mut [f64], scratch: &mut Vec<f64>) {
    let half = x.len() / 2;
    scratch.clear();
    scratch.extend_from_slice(x);
    for (i, pair) in scratch.chunks_exact(2).enumerate() {
        if let [a, b] = pair {
            x[i] = 0.5 * (a + b);
            x[half + i] = b - a;
        }
    }
    let (smooth, detail) = x.split_at_mut(half);
    for i in 1..half {
        detail[i] -= 0.25 * (smooth[i] - smooth[i - 1]);
    }
}

#[differentiable]
fn shrink(v: f64, t: f64) -> f64 {
    v.signum() * (v.abs() - t).max(0.0)
}

#[differentiable]
fn wavelet_cost(signal: &[f64], threshold: f64) -> f64 {
    let mut x = signal.to_vec();
    let mut scratch = Vec::new();
    let mut n = x.len();
    while n > 1 {
        lift(&mut x[..n], &mut scratch);
        n /= 2;
    }
    x.rotate_left(1);
    let tail: Vec<f64> = x.drain(x.len() - 3..).collect();
    let mut kept = [0.0; 3];
    kept.copy_from_slice(&tail);
    let [first, .., last] = kept;
    for v in x.iter_mut() {
        *v = shrink(*v, threshold);
    }
    match x.as_slice() {
        [] => 0.0,
        [only] => *only,
        [a, rest @ ..] => a * first + rest.iter().map(|r| r * r).sum::<f64>() - last,
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let s = [1.0, 3.0, 2.0, -1.0, 0.5, 4.0, 2.5, 2.2];
    let (g, gt) = gradient(wavelet_cost::AD, NoPrep, &AutoSource::new(), &(s.to_vec(), 0.1))?;
    let mut got = g;
    got.push(gt);
    let x: Vec<f64> = s.iter().copied().chain([0.1]).collect();
    check("79", &got, &fd(|x| wavelet_cost(&x[..8], x[8]), &x));
    Ok(())
}
