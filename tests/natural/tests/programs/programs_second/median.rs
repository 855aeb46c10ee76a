//! First year: median with my own bubble sort, and the trimmed mean.

use di::prelude::*;

#[differentiable]
fn bubble_sort(v: &mut Vec<f64>) {
    let n = v.len();
    for i in 0..n {
        for j in 0..n - 1 - i {
            if v[j] > v[j + 1] {
                let temp = v[j];
                v[j] = v[j + 1];
                v[j + 1] = temp;
            }
        }
    }
}

#[differentiable]
fn median(data: &[f64]) -> f64 {
    let mut v = data.to_vec();
    bubble_sort(&mut v);
    let n = v.len();
    if n % 2 == 0 { (v[n / 2 - 1] + v[n / 2]) / 2.0 } else { v[n / 2] }
}

#[differentiable]
fn skewness(data: &[f64]) -> f64 {
    let n = data.len() as f64;
    let mut mean = 0.0;
    for d in data {
        mean += d;
    }
    mean /= n;
    let mut s2 = 0.0;
    for d in data.iter() {
        s2 += (*d - mean) * (*d - mean);
    }
    let sd = (s2 / (n - 1.0)).sqrt();
    3.0 * (mean - median(data)) / sd
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = vec![3.2, 1.5, 9.9, 4.4, 0.3, 7.0];
    let g = gradient(skewness::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("median", &g, &x, |x| skewness(x));
    Ok(())
}
