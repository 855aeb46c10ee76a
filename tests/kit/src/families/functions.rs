//! The functions of the default scenarios, after DifferentiationInterfaceTest.jl.

#![allow(clippy::needless_range_loop, reason = "as in the original")]

use di::differentiable;

/// `sin x`
#[differentiable]
pub fn num_to_num(x: f64) -> f64 {
    x.sin()
}

/// `[sin x, sin 2x]`
#[differentiable]
pub fn num_to_vec(x: f64) -> Vec<f64> {
    vec![x.sin(), (2.0 * x).sin()]
}

/// Columns `num_to_vec(x)` and `num_to_vec(3x)`.
#[differentiable]
pub fn num_to_mat(x: f64) -> Vec<[f64; 2]> {
    vec![
        [x.sin(), (3.0 * x).sin()],
        [(2.0 * x).sin(), (6.0 * x).sin()],
    ]
}

/// First half `sin x`, second half `sin 2x`.
#[differentiable]
pub fn num_to_vec_into(x: f64, y: &mut [f64]) {
    let half = y.len() / 2;
    for i in 0..y.len() {
        y[i] = if i < half { x.sin() } else { (2.0 * x).sin() };
    }
}

/// Columns `num_to_vec_into(x)` and `num_to_vec_into(3x)`.
#[differentiable]
pub fn num_to_mat_into(x: f64, y: &mut [[f64; 2]]) {
    let half = y.len() / 2;
    for i in 0..y.len() {
        let z = if i < half { x } else { 2.0 * x };
        y[i][0] = z.sin();
        y[i][1] = (3.0 * z).sin();
    }
}

/// Elementwise sine.
#[differentiable]
pub fn sines(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x.sin()).collect()
}

/// Elementwise sine.
#[differentiable]
pub fn sines_into(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x.sin();
    }
}

/// Sum of all `x_i^4 x_j^6`.
#[differentiable]
pub fn vec_to_num(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for a in x {
        for b in x {
            sum += a.powi(4) * b.powi(6);
        }
    }
    sum
}

/// Sum of all `x_i^4 x_j^6`.
#[differentiable]
pub fn mat_to_num(x: &[[f64; 3]]) -> f64 {
    let mut fourth = 0.0;
    let mut sixth = 0.0;
    for row in x {
        for v in row {
            fourth += v.powi(4);
            sixth += v.powi(6);
        }
    }
    fourth * sixth
}

/// All sines, then all cosines.
#[differentiable]
pub fn vec_to_vec(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; 2 * x.len()];
    for i in 0..x.len() {
        y[i] = x[i].sin();
        y[x.len() + i] = x[i].cos();
    }
    y
}

/// All sines, then all cosines.
#[differentiable]
pub fn vec_to_vec_into(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i].sin();
        y[x.len() + i] = x[i].cos();
    }
}

/// Columns of sines and cosines.
#[differentiable]
pub fn vec_to_mat(x: &[f64]) -> Vec<[f64; 2]> {
    let mut y = vec![[0.0; 2]; x.len()];
    for i in 0..x.len() {
        y[i] = [x[i].sin(), x[i].cos()];
    }
    y
}

/// Columns of sines and cosines.
#[differentiable]
pub fn vec_to_mat_into(x: &[f64], y: &mut [[f64; 2]]) {
    for i in 0..x.len() {
        y[i][0] = x[i].sin();
        y[i][1] = x[i].cos();
    }
}

/// All sines, then all cosines.
#[differentiable]
pub fn mat_to_vec(x: &[[f64; 3]]) -> Vec<f64> {
    let mut y = vec![0.0; 6 * x.len()];
    for i in 0..x.len() {
        for j in 0..3 {
            y[3 * i + j] = x[i][j].sin();
            y[3 * (x.len() + i) + j] = x[i][j].cos();
        }
    }
    y
}

/// All sines, then all cosines.
#[differentiable]
pub fn mat_to_vec_into(x: &[[f64; 3]], y: &mut [f64]) {
    for i in 0..x.len() {
        for j in 0..3 {
            y[3 * i + j] = x[i][j].sin();
            y[3 * (x.len() + i) + j] = x[i][j].cos();
        }
    }
}

/// Columns of sines and cosines.
#[differentiable]
pub fn mat_to_mat(x: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut y = vec![[0.0; 2]; 3 * x.len()];
    for i in 0..x.len() {
        for j in 0..3 {
            y[3 * i + j] = [x[i][j].sin(), x[i][j].cos()];
        }
    }
    y
}

/// Columns of sines and cosines.
#[differentiable]
pub fn mat_to_mat_into(x: &[[f64; 3]], y: &mut [[f64; 2]]) {
    for i in 0..x.len() {
        for j in 0..3 {
            y[3 * i + j][0] = x[i][j].sin();
            y[3 * i + j][1] = x[i][j].cos();
        }
    }
}
