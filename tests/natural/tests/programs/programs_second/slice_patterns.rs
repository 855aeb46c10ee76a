//! Continued fractions and recursive slice algorithms with slice patterns.
use di::prelude::*;

#[differentiable]
fn continued_fraction(terms: &[f64]) -> f64 {
    match terms {
        [] => 0.0,
        [a] => *a,
        [a, rest @ ..] => a + 1.0 / continued_fraction(rest),
    }
}

#[differentiable]
fn neville(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    match (xs, ys) {
        ([_], [y]) => *y,
        ([x0, .., xn], [_, .., _]) => {
            let left = neville(&xs[..xs.len() - 1], &ys[..ys.len() - 1], x);
            let right = neville(&xs[1..], &ys[1..], x);
            ((x - xn) * left - (x - x0) * right) / (x0 - xn)
        }
        _ => panic!("lengths differ"),
    }
}

#[differentiable]
fn pairwise_sum(x: &[f64]) -> f64 {
    if x.len() <= 2 {
        return x.iter().sum();
    }
    let (l, r) = x.split_at(x.len() / 2);
    pairwise_sum(l) + pairwise_sum(r)
}

#[differentiable]
fn all(v: &[f64]) -> f64 {
    let Some((head, tail)) = v.split_first() else { return 0.0 };
    let (xs, ys) = tail.split_at(tail.len() / 2);
    let cf = continued_fraction(v);
    let n = if let ([a, b, ..], Some(last)) = (xs, ys.last()) { a * b - last } else { 1.0 };
    cf + head * neville(xs, ys, 0.35) + pairwise_sum(v).powi(2) * n
}

pub(super) fn main() -> Result<(), di::Error> {
    let v = [0.4, 0.1, 0.9, 1.7, 2.2, 1.0, 1.5, 0.6, 2.0];
    let g = gradient(all::AD, NoPrep, &AutoSource::new(), &v)?;
    super::check_of("slices", &g, &v, |v| all(v));
    Ok(())
}
