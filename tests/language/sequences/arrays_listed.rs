//! Lists of arrays of `ndarray` in variables, as parameters and as results.

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2, array};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, -0.6], &[1.2, 0.4, 0.9, 0.5]];

#[differentiable]
fn matrix(x: &[f64]) -> Array2<f64> {
    array![[x[0], x[1] * x[2], x[3]], [x[2], x[3] * x[0], x[1].sin()]]
}

#[differentiable]
fn forward(weights: &[Array2<f64>], biases: &[Array1<f64>], input: &Array1<f64>) -> f64 {
    let mut sum = 0.0;
    for (w, b) in weights.iter().zip(biases) {
        let hidden = (w.dot(input) + b).mapv(f64::tanh);
        sum += hidden.sum() * w[[0, 1]];
    }
    sum * weights[0].row(1).sum() + biases.last().unwrap()[0]
}

#[differentiable]
fn columns(x: &[f64], n: usize) -> Vec<Array1<f64>> {
    let mut all = Vec::with_capacity(n);
    for k in 0..n {
        all.push(Array1::from_vec(vec![x[k], x[k] * x[3]]));
    }
    all
}

#[differentiable]
fn layered(x: &[f64]) -> f64 {
    let mut weights = Vec::new();
    weights.push(matrix(x));
    weights.push(matrix(x).mapv(f64::sin));
    let biases = columns(x, 2);
    let mut sum = forward(&weights, &biases, &array![x[0], x[1], x[2]]);
    for (k, w) in weights.iter().enumerate() {
        if k == 1 {
            sum += w.sum() * biases[k].dot(&biases[0]);
        } else {
            sum -= w[[1, 2]];
        }
    }
    sum
}

#[test]
fn lists_of_arrays_that_functions_take() {
    scalar!(layered).row(763).takes_memory().check(&POINTS);
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let m = matrix(x);
    let rows: Vec<Array1<f64>> = m.rows().into_iter().map(|r| r.to_owned()).collect();
    let scaled: Vec<_> = m.outer_iter().map(|r| &r * 2.0).collect();
    let pairs: Vec<Array1<f64>> = (0..3).map(|k| array![x[k], x[3] * k as f64]).collect();
    let same: Vec<Array1<f64>> = vec![array![x[0], x[1]]; 3];
    let both = vec![array![x[0], x[1]], array![x[2], x[3]]];
    let mut decayed = Array1::<f64>::zeros(2);
    for s in both.iter().rev() {
        decayed = decayed * 0.5 + s;
    }
    let scaled: f64 = scaled.iter().map(|r| r.sum() * r[0]).sum();
    rows[0].dot(&rows[1])
        + scaled
        + pairs[1].dot(&pairs[2]) * same.len() as f64
        + decayed.dot(&same[2])
        + both.first().unwrap()[1]
}

#[test]
fn lists_of_arrays_in_variables() {
    scalar!(made).row(762).takes_memory().check(&POINTS);
}

#[differentiable]
mod inside {
    use ndarray::{Array1, Array2, array};

    pub fn stack(x: &[f64]) -> Vec<Array1<f64>> {
        (0..2).map(|k| Array1::from_elem(2, x[k])).collect()
    }

    fn total(all: &[Array1<f64>]) -> f64 {
        let mut sum = 0.0;
        for a in all {
            sum += a.dot(a);
        }
        sum + all[0][1]
    }

    pub fn changed(x: &[f64]) -> f64 {
        let mut all = stack(x);
        all[0] += &array![x[1], x[2]];
        all[1][0] *= x[3];
        for a in all.iter_mut() {
            *a *= 2.0;
            a[1] += x[0];
        }
        let ws: [Array2<f64>; 2] = [array![[x[0], x[1]]], array![[x[2]], [x[3]]]];
        total(&all) * ws[0].dot(&ws[1])[[0, 0]]
            + all.iter().zip(x).map(|(a, v)| a.sum() * v).sum::<f64>()
    }
}

#[test]
fn lists_of_arrays_that_change() {
    scalar!(inside::changed::AD, inside::changed)
        .rows(&[762, 763])
        .takes_memory()
        .check(&POINTS);
}
