//! The length of a sub-slice, where nothing else of its bounds is read in reverse.

use di::prelude::*;

#[differentiable]
fn tail(x: &[f64]) -> f64 {
    x[1..].iter().sum()
}

#[differentiable]
fn scaled_by_length(x: &[f64]) -> f64 {
    let s = &x[1..];
    x[0] * s.len() as f64
}

#[differentiable]
fn right_half(x: &[f64]) -> f64 {
    let (l, r) = x.split_at(2);
    r.iter().sum::<f64>() * l[0]
}

#[test]
fn lengths_of_views_reach_the_reverse_sweep() {
    let x = [1.5, 0.5, 2.0];
    let backend = AutoSource::new().reverse();
    let of_tail = gradient(tail::AD, NoPrep, &backend, &x).expect("fits");
    assert_eq!(of_tail, [0.0, 1.0, 1.0]);
    let of_scaled = gradient(scaled_by_length::AD, NoPrep, &backend, &x).expect("fits");
    assert_eq!(of_scaled, [2.0, 0.0, 0.0]);
    let of_right = gradient(right_half::AD, NoPrep, &backend, &x).expect("fits");
    assert_eq!(of_right, [2.0, 0.0, 1.5]);
}
