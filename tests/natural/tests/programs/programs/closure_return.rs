//! Experienced: potentials built by function composition; functions return impl Fn, FnMut accumulator.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod pot {
    fn lennard_jones(eps: f64, sigma: f64) -> impl Fn(f64) -> f64 {
        move |r| {
            let s6 = (sigma / r).powi(6);
            4.0 * eps * (s6 * s6 - s6)
        }
    }
    fn screened(q: f64, kappa: f64) -> impl Fn(f64) -> f64 {
        move |r| q * (-kappa * r).exp() / r
    }
    fn plus<F: Fn(f64) -> f64, G: Fn(f64) -> f64>(f: F, g: G) -> impl Fn(f64) -> f64 {
        move |r| f(r) + g(r)
    }
    fn shifted(f: impl Fn(f64) -> f64, cut: f64) -> impl Fn(f64) -> f64 {
        let at_cut = f(cut);
        move |r| if r < cut { f(r) - at_cut } else { 0.0 }
    }
    fn for_pairs(n: usize, mut body: impl FnMut(usize, usize)) {
        for i in 0..n {
            for j in 0..i {
                body(i, j);
            }
        }
    }

    pub fn energy(p: &[f64], x: &[[f64; 3]]) -> f64 {
        let u = shifted(plus(lennard_jones(p[0], p[1]), screened(p[2], p[3])), 2.5);
        let mut total = 0.0;
        for_pairs(x.len(), |i, j| {
            let r2: f64 = (0..3).map(|k| (x[i][k] - x[j][k]).powi(2)).sum();
            total += u(r2.sqrt());
        });
        total
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = vec![1.0, 1.0, 0.3, 1.5];
    let x = vec![[0.0, 0.0, 0.0], [1.1, 0.1, 0.0], [0.2, 1.3, 0.4], [2.0, 2.2, 0.1]];
    let (gp, gx) = gradient(pot::energy::AD, NoPrep, &AutoSource::new(), &(p.clone(), x.clone()))?;
    let got: Vec<f64> = gp.iter().copied().chain(gx.iter().flatten().copied()).collect();
    let flat: Vec<f64> = p.iter().copied().chain(x.iter().flatten().copied()).collect();
    let f = |v: &[f64]| pot::energy(&v[..4], &v[4..].chunks(3).map(|c| [c[0], c[1], c[2]]).collect::<Vec<_>>());
    check("61", &got, &fd(f, &flat));
    Ok(())
}
