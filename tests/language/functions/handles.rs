//! Closures as handles, bound to what they capture.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]];

#[test]
fn closure_without_captures() {
    let f = differentiable_closure!(|x: &[f64]| x[0] * x[1].sin() + x.iter().sum::<f64>());
    scalar!(f, |x: &[f64]| x[0] * x[1].sin() + x.iter().sum::<f64>())
        .row(166)
        .check(&POINTS);
}

#[test]
fn closure_over_data() {
    let data = vec![0.5, -1.0, 2.0];
    let n = 2;
    struct Model {
        scale: f64,
    }
    let model = Model { scale: 1.5 };
    let loss = |x: &[f64], data: &[f64], n: usize, scale: f64| -> f64 {
        let mut s = 0.0;
        for (x, d) in x.iter().zip(data).take(n) {
            if *d > 0.0 {
                s += (x - d).powi(2) * scale;
            } else {
                s += (x * d).exp();
            }
        }
        s * x[2]
    };
    let data: &[f64] = &data;
    let f = differentiable_closure!([data: &[f64], n: usize, scale: f64 = model.scale * 2.0] |x: &[f64]| -> f64 {
        let mut s = 0.0;
        for (x, d) in x.iter().zip(data).take(n) {
            if *d > 0.0 {
                s += (x - d).powi(2) * scale;
            } else {
                s += (x * d).exp();
            }
        }
        s * x[2]
    });
    scalar!(f, |x: &[f64]| loss(x, data, n, 3.0))
        .row(166)
        .check(&POINTS);
}

#[test]
fn closure_that_writes() {
    let k = 3.0;
    let f = differentiable_closure!([k: f64] |x: &[f64], y: &mut [f64]| {
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x * k).sin() * x;
        }
    });
    let plain = |x: &[f64], y: &mut [f64]| {
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x * k).sin() * x;
        }
    };
    inplace!(f, plain, 2).row(166).check(&POINTS);
}

/// One closure at several places: each evaluation has its own data.
#[test]
fn closures_made_in_a_loop() {
    let backend = AutoSource::new();
    let mut total = 0.0;
    for k in 1..4 {
        let f = differentiable_closure!([k: i32] |x: f64| x.powi(k));
        total += derivative(f, NoPrep, &backend, &2.0).unwrap();
    }
    assert_eq!(total, 1.0 + 4.0 + 12.0);
}
