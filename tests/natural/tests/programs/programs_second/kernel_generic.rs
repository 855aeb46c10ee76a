//! Kernel ridge regression, generic over the kernel: a closure is passed; conjugate gradients solve it.
use di::prelude::*;

#[differentiable]
fn gram(x: &[f64], kernel: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
    x.iter().map(|&a| x.iter().map(|&b| kernel(a, b)).collect()).collect()
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn cg<F>(apply: F, b: &[f64], iterations: usize) -> Vec<f64>
where
    F: Fn(&[f64]) -> Vec<f64>,
{
    let mut x = vec![0.0; b.len()];
    let mut r = b.to_vec();
    let mut p = r.clone();
    let mut rr = dot(&r, &r);
    for _ in 0..iterations {
        let ap = apply(&p);
        let alpha = rr / dot(&p, &ap);
        for i in 0..x.len() {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let new = dot(&r, &r);
        if new.sqrt() < 1e-12 {
            break;
        }
        let beta = new / std::mem::replace(&mut rr, new);
        p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
    }
    x
}

#[differentiable]
fn predict(width: f64, ridge: f64, #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
    let k = |a: f64, b: f64| (-(a - b).powi(2) / (2.0 * width * width)).exp();
    let g = gram(xs, k);
    let apply = |v: &[f64]| -> Vec<f64> { g.iter().zip(v).map(|(row, vi)| dot(row, v) + ridge * vi).collect() };
    let w = cg(apply, ys, 8);
    xs.iter().zip(&w).map(|(&x, w)| w * k(x, 1.4)).sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let (xs, ys) = ([0.0, 1.0, 2.0, 3.5, 5.0], [0.1, 0.9, 0.8, -0.3, -0.9]);
    let g = gradient(predict::AD.with(&xs, &ys), NoPrep, &AutoSource::new(), &(1.1, 0.2))?;
    super::check_of("kernel", &[g.0, g.1], &[1.1, 0.2], |x| predict(x[0], x[1], &xs, &ys));
    Ok(())
}
