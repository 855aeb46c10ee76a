//! First year: low-pass filter in the frequency domain with a hand written DFT.

use di::prelude::*;
use std::f64::consts::PI;

#[differentiable]
fn dft(x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = x.len();
    let mut re = vec![0.0; n];
    let mut im = vec![0.0; n];
    for k in 0..n {
        for t in 0..n {
            let phi = 2.0 * PI * (k * t) as f64 / n as f64;
            re[k] += x[t] * phi.cos();
            im[k] -= x[t] * phi.sin();
        }
    }
    (re, im)
}

#[differentiable]
fn inverse(re: &[f64], im: &[f64]) -> Vec<f64> {
    let n = re.len();
    (0..n)
        .map(|t| {
            let mut s = 0.0;
            for k in 0..n {
                let phi = 2.0 * PI * (k * t) as f64 / n as f64;
                s += re[k] * phi.cos() - im[k] * phi.sin();
            }
            s / n as f64
        })
        .collect()
}

#[differentiable]
fn smooth(x: &[f64], width: f64) -> Vec<f64> {
    let (mut re, mut im) = dft(x);
    let n = x.len();
    for k in 0..n {
        let f = k.min(n - k) as f64;
        let damp = (-(f / width).powi(2)).exp();
        re[k] *= damp;
        im[k] *= damp;
    }
    inverse(&re, &im)
}

pub(super) fn main() -> Result<(), di::Error> {
    let x: Vec<f64> = (0..8).map(|i| (i as f64 * 1.3).sin() + if i % 2 == 0 { 0.2 } else { -0.2 }).collect();
    let j = jacobian(smooth::AD.fix_width(1.7), NoPrep, &AutoSource::new(), &x)?;
    super::check_jac("dft", |a, b| j[(a, b)], &x, |x| smooth(x, 1.7));
    let d = derivative(smooth::AD.fix_x(&x), NoPrep, &AutoSource::new(), &1.7)?;
    super::check_jac("dft width", |a, _| d[a], &[1.7], |w| smooth(&x, w[0]));
    Ok(())
}
