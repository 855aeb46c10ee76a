//! Integers of 128 bits that reverse code needs again: the tape held their lower halves.

use di::custom_rule;
use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.3, 1.1], &[0.8, 0.9]];

#[differentiable]
fn chosen(t: f64, k: u128, j: i128) -> f64 {
    if k > 1 << 90 {
        t * 3.0
    } else if j < -(1 << 90) {
        t * t
    } else {
        t.sin()
    }
}

#[differentiable]
fn lent_to_a_callee(x: &[f64]) -> f64 {
    let mut k: u128 = 1;
    let mut j: i128 = -1;
    let mut s = x[0];
    for i in 0..6 {
        k = k.wrapping_mul(1_000_003 + i);
        if i % 2 == 0 {
            j = j.wrapping_mul(12_345_678_901_000);
        }
        s = chosen(s, k, j) * x[1];
    }
    s
}

#[differentiable]
fn negative(x: &[f64]) -> f64 {
    let mut s = x[0];
    for j in -2_i128..2 {
        s = chosen(s, 1, j) * chosen(s, 2, j << 90);
    }
    s * x[1]
}

#[differentiable]
fn slope(t: f64, #[constant] k: u128) -> f64 {
    t.cos() * (k >> 64) as f64
}

#[custom_rule(partials(slope))]
fn wave(t: f64, #[constant] k: u128) -> f64 {
    t.sin() * (k >> 64) as f64
}

#[differentiable]
fn lent_to_a_rule(x: &[f64]) -> f64 {
    wave(x[0] * x[1], 3_u128 << 64)
}

#[differentiable]
fn halves(t: f64, k: u128) -> f64 {
    if k == 0 {
        return t;
    }
    let s = halves(t * 0.9, k >> 50);
    if k > 1 << 70 { s * s } else { s.sin() }
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    halves(x[0], 1_u128 << 120) * x[1]
}

#[test]
fn integers_of_128_bits_are_kept_whole() {
    scalar!(lent_to_a_callee).step(0.02).check(&POINTS);
    scalar!(negative).step(0.02).check(&POINTS);
    scalar!(lent_to_a_rule).step(0.02).check(&POINTS);
    scalar!(recursive).step(0.02).check(&POINTS);
}
