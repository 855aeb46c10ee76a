//! Deques of what is differentiated: delay lines and moving windows.

use di::prelude::*;
use di_test::scalar;
use std::collections::VecDeque;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15, 0.55, 1.2],
    &[0.85, 0.44, 0.52, 0.91, 0.3],
    &[0.05, 0.93, 0.64, 0.27, 0.8],
];

#[differentiable]
fn delayed(x: &[f64]) -> f64 {
    let mut line: VecDeque<f64> = VecDeque::from(vec![0.0; 3]);
    let mut s = 0.0;
    for k in 0..8 {
        line.push_back(x[0] * (k as f64 * x[1]).sin());
        s += line.pop_front().unwrap().powi(2);
    }
    s + line.iter().sum::<f64>() * line.len() as f64
}

#[differentiable]
fn averaged(x: &[f64], #[constant] width: usize) -> f64 {
    let mut window = VecDeque::with_capacity(width);
    let mut sum = 0.0;
    let mut s = 0.0;
    for v in x {
        let v = v * v;
        if window.len() == width {
            if let Some(old) = window.pop_front() {
                sum -= old;
            }
        }
        window.push_back(v);
        sum += v;
        let mean = sum / window.len() as f64;
        s += (v - mean).powi(2) * window[0] + *window.back().unwrap();
    }
    for (i, v) in window.iter().enumerate() {
        s += v * i as f64 * x[3];
    }
    s
}

#[differentiable]
fn both_ends(x: &[f64], #[constant] kinds: &[usize]) -> f64 {
    let mut q: VecDeque<f64> = vec![x[0], x[1] * 2.0].into();
    let mut s: f64 = 0.0;
    for (i, k) in kinds.iter().enumerate() {
        match k {
            0 => q.push_front(x[i]),
            1 => q.push_back(x[i] * s.sin()),
            2 => {
                q.pop_back();
            }
            _ => {
                if let Some(v) = q.pop_back() {
                    s += v * x[0];
                }
            }
        }
        if q.is_empty() {
            continue;
        }
        s += q.front().copied().unwrap_or(x[4]) * q[q.len() - 1];
    }
    q.rotate_left(1);
    for v in q.iter_mut() {
        *v *= x[2];
    }
    q[0] += x[1];
    if let Some(v) = q.get_mut(1) {
        *v = v.sin() * x[1];
    }
    while let Some(v) = q.pop_front() {
        s = s * 0.9 + v * v;
    }
    s
}

#[test]
fn delay_lines_and_windows() {
    scalar!(delayed).row(627).check(&POINTS);
    scalar!(averaged::AD.with(3), |x: &[f64]| averaged(x, 3))
        .row(627)
        .check(&POINTS);
    let kinds = [0, 1, 0, 2, 3];
    scalar!(both_ends::AD.with(&kinds), |x: &[f64]| both_ends(x, &kinds))
        .row(628)
        .check(&POINTS);
    let kinds = [2, 2, 3, 1, 0];
    scalar!(both_ends::AD.with(&kinds), |x: &[f64]| both_ends(x, &kinds))
        .row(628)
        .check(&POINTS);
}

#[differentiable]
fn shift(line: &mut VecDeque<f64>, v: f64) -> f64 {
    line.push_back(v);
    line.pop_front().unwrap()
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut line: VecDeque<f64> = VecDeque::new();
    line.extend(x.iter().take(2).map(|v| v.exp()));
    let start = line.clone();
    let mut s: f64 = 0.0;
    for v in x {
        s += shift(&mut line, v * x[0]) * s.cos();
    }
    for v in &line {
        s += v.sin();
    }
    for v in start {
        s *= v;
    }
    line.clear();
    line.push_front(s * x[3]);
    let last: f64 = line.iter().rev().map(|v| v * v).sum();
    s + last
}

#[differentiable]
mod filters {
    use std::collections::VecDeque;

    pub struct Fir {
        pub taps: Vec<f64>,
    }

    impl Fir {
        fn run(&self, input: &[f64]) -> f64 {
            let mut state: VecDeque<[f64; 2]> = VecDeque::new();
            let mut s = 0.0;
            for v in input {
                state.push_front([*v, v * v]);
                state.truncate(self.taps.len());
                for (h, [a, b]) in self.taps.iter().zip(state.iter()) {
                    s += h * a + h * h * b;
                }
            }
            s
        }
    }

    pub fn energy(x: &[f64]) -> f64 {
        let fir = Fir {
            taps: x[..3].to_vec(),
        };
        fir.run(x)
    }
}

#[test]
fn deques_in_functions_and_modules() {
    scalar!(lent).row(629).check(&POINTS);
    scalar!(filters::energy::AD, filters::energy)
        .row(629)
        .takes_memory()
        .check(&POINTS);
}
