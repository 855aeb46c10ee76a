//! `x` and results that are vectors of vectors.

use di::prelude::*;
use di::{AutoDual, AutoFiniteDiff, AutoSource, AutoTape, Error};

use crate::near;

/// sum of sin(x) * i + product of first elements
#[differentiable]
fn energy(x: &[Vec<f64>]) -> f64 {
    let mut s = 0.0;
    let mut p = 1.0;
    for (i, row) in x.iter().enumerate() {
        for v in row {
            s += v.sin() * (i as f64 + 1.0);
        }
        if !row.is_empty() {
            p *= row[0];
        }
    }
    s + p * x.len() as f64
}

fn gradient_of_energy(x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let firsts = || x.iter().enumerate().filter(|(_, r)| !r.is_empty());
    let entry = |i: usize, j: usize| {
        let rest: f64 = firsts()
            .filter(|(k, _)| *k != i)
            .map(|(_, r)| r[0])
            .product();
        let first = if j == 0 { rest * x.len() as f64 } else { 0.0 };
        x[i][j].cos() * (i as f64 + 1.0) + first
    };
    let row = |i: usize| (0..x[i].len()).map(|j| entry(i, j)).collect();
    (0..x.len()).map(row).collect()
}

#[track_caller]
fn close(a: &[Vec<f64>], b: &[Vec<f64>], tolerance: f64) {
    let lengths = |rows: &[Vec<f64>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(lengths(a), lengths(b));
    near(&a.concat(), &b.concat(), tolerance);
}

fn points() -> [Vec<Vec<f64>>; 2] {
    [
        vec![vec![0.3, -1.2, 2.0], vec![], vec![0.7], vec![1.1, 0.4]],
        vec![vec![-0.3, 0.2, 1.0], vec![], vec![0.1], vec![2.1, -0.4]],
    ]
}

#[test]
fn gradients_have_the_rows_of_x() -> Result<(), Error> {
    let [a, b] = points();
    let prep = prepare_gradient(energy::AD, &AutoSource::new(), &a)?;
    for x in [&a, &b, &a] {
        let (y, g) = value_and_gradient(energy::AD, &prep, &AutoSource::new(), x)?;
        assert_eq!(y, energy(x));
        close(&g, &gradient_of_energy(x), 1e-14);
    }
    let mut g = vec![vec![9.0; 3], vec![], vec![9.0], vec![9.0; 2]];
    gradient_into(energy::AD, &mut g, &prep, &AutoSource::new(), &b[..])?;
    close(&g, &gradient_of_energy(&b), 1e-14);
    let g = gradient(energy::AD, NoPrep, &AutoDual::new(), &a)?;
    close(&g, &gradient_of_energy(&a), 1e-14);
    let g = gradient(energy::AD, NoPrep, &AutoTape::new(), &a)?;
    close(&g, &gradient_of_energy(&a), 1e-14);
    let g = gradient(energy::AD, NoPrep, &AutoFiniteDiff::new(), &a)?;
    close(&g, &gradient_of_energy(&a), 1e-6);
    let other = vec![vec![0.3, -1.2], vec![1.0], vec![0.7], vec![1.1, 0.4]];
    assert!(gradient(energy::AD, &prep, &AutoSource::new(), &other).is_err());
    Ok(())
}

#[test]
fn products_and_second_order() -> Result<(), Error> {
    let [x, v] = points();
    let backend = AutoSource::new();
    let expected: f64 = gradient_of_energy(&x)
        .iter()
        .flatten()
        .zip(v.iter().flatten())
        .map(|(g, v)| g * v)
        .sum();
    let found: f64 = pushforward(energy::AD, NoPrep, &backend, &x, &v)?;
    assert!((found - expected).abs() < 1e-12);
    let n = x.iter().flatten().count();
    let h = hessian(energy::AD, NoPrep, &backend, &x)?;
    assert_eq!(h.shape(), (n, n));
    // entries 0, 3, 4 are the first ones of their rows
    assert!((h[[0, 3]] - 4.0 * x[3][0]).abs() < 1e-12);
    assert!((h[[1, 1]] + x[0][1].sin()).abs() < 1e-12);
    assert!((h[[5, 5]] + 4.0 * x[3][1].sin()).abs() < 1e-12);
    let hv = hvp(energy::AD, NoPrep, &backend, &x, &v)?;
    let flat: Vec<f64> = v.iter().flatten().copied().collect();
    for (i, found) in hv.iter().flatten().enumerate() {
        let expected: f64 = (0..n).map(|j| h[[i, j]] * flat[j]).sum();
        assert!((found - expected).abs() < 1e-12);
    }
    Ok(())
}

/// Rows of sums and products; the first row is made last.
#[differentiable]
fn table(x: &[f64]) -> Vec<Vec<f64>> {
    let mut rows = vec![Vec::new(), vec![x[0] * x[1]]];
    rows[0].push(x[1].exp());
    rows[1].push(x[2]);
    rows[0].push(x[0] + x[2]);
    rows.push(vec![x[2] * x[2]]);
    rows.swap(1, 2);
    rows
}

#[differentiable]
fn table_in_place(x: &[f64], y: &mut [Vec<f64>]) {
    y[0][0] = x[1].exp();
    y[0][1] += x[0] + x[2];
    y[1][0] = x[2] * x[2];
    y[2][0] = x[0] * x[1];
    y[2][1] = x[2];
}

#[test]
fn results_with_rows() -> Result<(), Error> {
    let x = [0.3, -0.7, 1.9_f64];
    let rows = [
        [0.0, x[1].exp(), 0.0],
        [1.0, 0.0, 1.0],
        [0.0, 0.0, 2.0 * x[2]],
        [x[1], x[0], 0.0],
        [0.0, 0.0, 1.0],
    ];
    let check = |found: di::Matrix| {
        for (i, row) in rows.iter().enumerate() {
            for (j, v) in row.iter().enumerate() {
                assert!(
                    (found[[i, j]] - v).abs() < 1e-14,
                    "{i} {j}: {} {v}",
                    found[[i, j]]
                );
            }
        }
    };
    let (y, j) = value_and_jacobian(table::AD, NoPrep, &AutoSource::new(), &x)?;
    assert_eq!(Vec::from(y), table(&x));
    check(j);
    check(jacobian(table::AD, NoPrep, &AutoDual::new(), &x)?);
    let mut y = vec![vec![0.0; 2], vec![0.0], vec![0.0; 2]];
    check(jacobian(
        table_in_place::AD.output(&mut y),
        NoPrep,
        &AutoSource::new(),
        &x,
    )?);
    assert_eq!(y, table(&x));
    let dy = vec![vec![1.0, 2.0], vec![3.0], vec![4.0, 5.0]];
    let expected: Vec<f64> = (0..3)
        .map(|j| (0..5).map(|i| (i as f64 + 1.0) * rows[i][j]).sum())
        .collect();
    for found in [
        pullback(table::AD, NoPrep, &AutoSource::new(), &x, &dy)?,
        pullback(
            table_in_place::AD.output(&mut y),
            NoPrep,
            &AutoSource::new(),
            &x,
            &dy,
        )?,
    ] {
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-13);
        }
    }
    Ok(())
}

/// A network: weights by layer, by value, beside numbers.
#[differentiable]
fn network(mut w: Vec<Vec<f64>>, b: &[f64], #[constant] data: &[Vec<f64>]) -> f64 {
    w[0][0] *= b[1];
    let mut s = 0.0;
    for sample in data {
        let mut h = 0.0;
        for (w, x) in w[0].iter().zip(sample) {
            h += w * x;
        }
        s += (w[1][0] * h.tanh() + b[0]).powi(2);
    }
    s
}

#[test]
fn several_parameters() -> Result<(), Error> {
    let w = vec![vec![0.3, -0.4], vec![1.2]];
    let b = vec![0.1, 0.9];
    let data = vec![vec![1.0, 2.0], vec![-0.5, 0.3]];
    let f = network::AD.with(&data);
    let (y, (gw, gb)) = value_and_gradient(f, NoPrep, &AutoSource::new(), &(&w, &b))?;
    assert_eq!(y, network(w.clone(), &b, &data));
    let (mut ew, mut eb) = (vec![vec![0.0; 2], vec![0.0]], [0.0; 2]);
    for x in &data {
        let h = w[0][0] * b[1] * x[0] + w[0][1] * x[1];
        let r = 2.0 * (w[1][0] * h.tanh() + b[0]);
        let dh = r * w[1][0] * (1.0 - h.tanh().powi(2));
        ew[0][0] += dh * b[1] * x[0];
        ew[0][1] += dh * x[1];
        ew[1][0] += r * h.tanh();
        eb[0] += r;
        eb[1] += dh * w[0][0] * x[0];
    }
    close(&gw, &ew, 1e-13);
    close(&[gb], &[eb.to_vec()], 1e-13);
    Ok(())
}
