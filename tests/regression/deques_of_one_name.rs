//! `let q: VecDeque<f64> = q.iter().map(..).collect();` of a deque of differentiated numbers had those again that `q` had
//! lost at its front.

use di::prelude::*;
use di_test::scalar;
use std::collections::VecDeque;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3, -0.4], &[-0.6, 1.9, 2.2, 0.8]];

#[differentiable]
fn doubled(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = x.iter().map(|v| v * v).collect();
    q.pop_front();
    let q: VecDeque<f64> = q.iter().map(|v| v * 2.0 * x[3]).collect();
    q.iter().sum::<f64>() + q[0] * q.len() as f64
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut q: VecDeque<f64> = VecDeque::from(vec![x[0], x[1], x[2]]);
    while let Some(v) = q.pop_front() {
        let mut q: VecDeque<f64> = q.iter().map(|w| w * v).collect();
        q.pop_front();
        let q: VecDeque<f64> = q.into_iter().filter(|w| *w < 5.0).collect();
        s += q.iter().map(|w| w.sin()).sum::<f64>() + v * v;
    }
    s
}

#[test]
fn what_is_gone_stays_gone() {
    scalar!(doubled).check(&POINTS);
    scalar!(in_a_loop).check(&POINTS);
}
