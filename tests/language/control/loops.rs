//! `for` over ranges and slices, `while`.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 1.3, 0.2], &[0.8]];

#[differentiable]
fn range(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s = s * x[i] + x[i].sin();
    }
    s
}

#[test]
fn for_over_a_range() {
    scalar!(range).row(65).check(&POINTS);
}

#[differentiable]
fn inclusive_range(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 1..=x.len() {
        s += x[k - 1].powi(k as i32);
    }
    s
}

#[test]
fn for_over_an_inclusive_range() {
    scalar!(inclusive_range).row(65).check(&POINTS);
}

#[differentiable]
fn reversed_range(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in (0..x.len()).rev() {
        s = s * x[0] + x[i];
    }
    s
}

#[test]
fn for_over_a_reversed_range() {
    scalar!(reversed_range).row(66).check(&POINTS);
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n {
        let mut row = 1.0;
        for j in 0..n {
            row = row * x[j] + x[i];
        }
        s += row * row;
    }
    s
}

#[test]
fn loops_in_loops() {
    scalar!(nested).row(67).check(&POINTS);
}

#[differentiable]
fn triangular(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n {
        for j in i + 1..n {
            let d = x[i] - x[j];
            s += d * d * x[i];
        }
        for j in (0..i).rev() {
            s = s * 0.9 + x[j] * x[i];
        }
    }
    s
}

#[test]
fn bounds_from_an_outer_loop() {
    scalar!(triangular).row(67).check(&POINTS);
}

/// Each trip of the outer loop adds to what the one before has written, one element further on.
#[differentiable]
fn overlapping(x: &[f64], m: usize, n: usize) -> f64 {
    let mut sums = vec![0.0; m + n];
    for i in 0..m {
        for j in 0..n {
            sums[i + j] += x[i % x.len()] * (x[j % 3] + 0.1 * j as f64);
        }
    }
    let mut solved = vec![1.0; m];
    let mut l = 0;
    for i in 0..m {
        for j in i + 1..m {
            solved[j] = 0.7 * solved[j] + x[l % x.len()] * x[i % 2];
            l += 1;
        }
    }
    let mut back = solved.clone();
    for i in (0..m).rev() {
        for j in i..m {
            back[j] -= 0.3 * x[j % x.len()] * x[(j - i) % 3];
        }
    }
    sums.iter().zip(&back).map(|(a, b)| a * b).sum::<f64>()
}

#[test]
fn rows_that_overlap() {
    for (m, n) in [(1, 0), (5, 3), (4, 16), (17, 15), (19, 37)] {
        let f = overlapping::AD.with(m, n);
        scalar!(f, |x: &[f64]| overlapping(x, m, n))
            .row(67)
            .step(0.01)
            .check(&[&[0.7, 1.1, -0.4, 0.3]]);
    }
}

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for v in x.iter() {
        s = s.sin() + v;
    }
    for &v in &x[..1] {
        s *= v;
    }
    s
}

#[test]
fn for_over_slices() {
    scalar!(slices).row(68).check(&POINTS);
}

#[differentiable]
fn no_trips(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = x[0];
    for i in n..n {
        s = s * x[i];
    }
    for i in 3..1 {
        s += x[i];
    }
    s * s
}

#[test]
fn loops_without_a_trip() {
    scalar!(no_trips).row(154).check(&POINTS);
}

#[differentiable]
fn rotation(x: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (x[0], 1.0, 0.5);
    for i in 0..x.len() {
        let t = a * x[i];
        a = b;
        b = c + t;
        c = t.sin();
    }
    a * b + c
}

#[test]
fn values_carried_from_trip_to_trip() {
    scalar!(rotation).row(79).check(&POINTS);
}

#[differentiable]
fn becomes_active(x: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (0.1, 0.2, 0.3);
    let mut k = 0;
    while k < x.len() {
        c = b * b;
        b = a + 0.5;
        a = x[k] * x[k];
        k += 1;
    }
    a + b * c
}

#[test]
fn values_that_become_active_in_a_later_trip() {
    scalar!(becomes_active).row(79).check(&POINTS);
}

#[differentiable]
fn while_counter(x: &[f64]) -> f64 {
    let mut i = x.len();
    let mut s = 0.0;
    while i > 0 {
        i -= 1;
        s = s * x[i] + x[0];
    }
    s
}

#[test]
fn while_over_a_counter() {
    scalar!(while_counter).row(71).check(&POINTS);
}

#[differentiable]
fn while_active(x: &[f64]) -> f64 {
    let mut y = x[0] * x[0] + 1.0;
    while y < 50.0 {
        y = y * 1.7 + x[0];
    }
    y
}

#[test]
fn while_on_an_active_condition() {
    scalar!(while_active)
        .row(71)
        .step(0.01)
        .check(&[&[0.7], &[-0.4], &[8.0]]);
}

#[differentiable]
fn float_steps(x: &[f64]) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    while t < 1.0 {
        s += (x[0] * t).sin();
        t += 0.125;
    }
    s
}

#[test]
fn while_over_a_float() {
    scalar!(float_steps).row(70).check(&[&[0.7], &[-2.4]]);
}

#[differentiable]
fn local_buffer(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for k in 0..y.len() {
        let mut work = vec![0.0; n];
        for i in 0..n {
            work[i] = x[i] * (k + 1) as f64;
        }
        for i in 1..n {
            work[i] *= work[i - 1];
        }
        y[k] = work[n - 1] * work[0];
    }
}

#[test]
fn buffers_made_in_each_trip() {
    inplace!(local_buffer, 2).row(36).check(&POINTS);
}

#[differentiable]
fn changing_bounds(x: &[f64]) -> f64 {
    let n = x.len();
    let mut end = 1;
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..end {
            s += x[j] * x[i];
        }
        end = (2 * end + i) % (n + 1);
    }
    s
}

#[test]
fn bounds_that_change() {
    scalar!(changing_bounds).row(67).check(&POINTS);
}
