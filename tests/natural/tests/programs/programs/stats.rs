//! Student: mean, median, variance, correlation of marks.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn mean(v: &[f64]) -> f64 {
    let sum: f64 = v.iter().sum();
    sum / v.len() as f64
}

#[differentiable]
fn std_dev(v: &[f64]) -> f64 {
    let m = mean(v);
    let mut s = 0.0;
    for x in v {
        s += (x - m).powf(2.0);
    }
    (s / (v.len() - 1) as f64).sqrt()
}

#[differentiable]
fn median(v: &[f64]) -> f64 {
    let mut sorted = v.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mid = sorted.len() / 2;
    if sorted.len() % 2 == 0 { (sorted[mid - 1] + sorted[mid]) / 2.0 } else { sorted[mid] }
}

#[differentiable]
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (ma, mb) = (mean(a), mean(b));
    let cov: f64 = a.iter().zip(b.iter()).map(|(x, y)| (x - ma) * (y - mb)).sum::<f64>() / (a.len() as f64 - 1.0);
    cov / (std_dev(a) * std_dev(b))
}

#[differentiable]
fn report(v: &[f64]) -> f64 {
    let (homework, exam) = v.split_at(v.len() / 2);
    let min = homework.iter().cloned().fold(f64::INFINITY, f64::min);
    let max = *exam.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
    let result = correlation(homework, exam) + 0.1 * median(exam) - 0.01 * (max - min);
    println!("result so far: {result:.3}");
    result
}

pub(super) fn main() -> Result<(), di::Error> {
    let v = [12.0, 15.5, 9.0, 18.0, 14.0, 11.0, 13.0, 8.5, 17.0, 15.0];
    let g = gradient(report::AD, NoPrep, &AutoSource::new(), &v)?;
    check("17", &g, &fd(report, &v));
    Ok(())
}
