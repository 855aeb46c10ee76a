//! Arrays of `ndarray` that functions return, used without a type beside them.

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2, ArrayView1, Axis};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.4, 0.6], &[0.3, 0.9]];

#[differentiable]
fn made(x: &[f64]) -> Array1<f64> {
    Array1::from(x.to_vec())
}

#[differentiable]
fn acc(a: &Array1<f64>) -> Array1<f64> {
    a.mapv(|v| -v * v)
}

#[differentiable]
fn grid(a: &Array1<f64>, b: f64) -> Array2<f64> {
    let mut g = Array2::zeros((2, 2));
    for i in 0..2 {
        for j in 0..2 {
            g[[i, j]] = a[i] * a[j] + b;
        }
    }
    g
}

#[differentiable]
fn pull(a: ArrayView1<f64>, b: ArrayView1<f64>) -> Array1<f64> {
    let d = &b - &a;
    let r2 = d.dot(&d) + 0.1;
    d / r2
}

#[differentiable]
fn energy(p: &Array1<f64>) -> f64 {
    p.dot(p)
}

#[differentiable]
fn untyped(x: &[f64]) -> f64 {
    let a = made(x);
    let f = pull(a.view(), acc(&a).view());
    let mut s = a.clone();
    s.scaled_add(2.0, &f);
    s.dot(&s) + a.sum() * made(x)[0]
}

#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut p = made(x);
    for _ in 0..3 {
        p += &(acc(&p) * 0.1);
        p = &p + acc(&p) * 0.1;
        if p[0] > 0.8 {
            p = acc(&acc(&p)) * x[1];
        }
    }
    let q: Array1<f64> = acc(&p) * 0.5;
    q.dot(&p) + acc(&p).sum() + acc(&q).dot(&p)
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let p = made(x);
    let g = grid(&p, x[0]) + &grid(&p, 1.0) * 2.0;
    let r = g.row(0).dot(&p);
    let h = grid(&p, 0.0).dot(&p);
    let t = grid(&p, x[1]).sum_axis(Axis(0));
    g.sum() + r + h[1] * t[0] + grid(&acc(&p), 1.0)[[0, 1]] + (-acc(&p)).sum()
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let p = made(x);
    let q = if x[0] > 0.5 { acc(&p) } else { made(x) };
    let mut s = 0.0;
    for (v, w) in acc(&q).iter().zip(&q) {
        s += v * w;
    }
    let (a, b) = (acc(&p), made(x));
    s += acc(&made(x)).iter().map(|v| v * x[0]).sum::<f64>();
    s + a.dot(&b) + energy(&acc(&p)) + energy(&(acc(&p) * x[0]))
}

#[differentiable]
fn unnamed(x: &[f64]) -> f64 {
    made(x).sum() * x[0]
}

#[test]
fn results_of_calls_are_arrays() {
    scalar!(untyped).row(564).check(&POINTS);
    scalar!(stepped).row(564).check(&POINTS);
    scalar!(parts).row(564).check(&POINTS);
    scalar!(walked).row(564).check(&POINTS);
    scalar!(unnamed).row(564).check(&POINTS);
}

#[differentiable]
mod inside {
    use ndarray::{Array1, Array2};
    type State = Array1<f64>;

    pub struct Model {
        pub k: f64,
    }

    impl Model {
        fn doubled(p: &State) -> State {
            p * 2.0
        }
    }

    fn step(p: &State, h: f64) -> State {
        p + &(p * h)
    }

    fn pairs(pos: &Array2<f64>) -> Array2<f64> {
        let mut acc = Array2::zeros((2, 1));
        let f = step(&pos.row(0).to_owned(), 0.5);
        acc.row_mut(0).scaled_add(0.5, &f);
        acc
    }

    pub fn run(x: &[f64]) -> f64 {
        let p = step(&Array1::from(x.to_vec()), x[0]);
        let q = step(&p, 0.1) - &p;
        let w = Model::doubled(&q) * 3.0;
        let mut g: Array2<f64> = Array2::from_shape_vec((2, 1), x.to_vec()).unwrap();
        g += &(pairs(&g) * 0.1);
        q.dot(&q) + w.sum() + g.iter().map(|v| v * v).sum::<f64>()
    }
}

#[test]
fn results_of_calls_in_modules() {
    scalar!(inside::run::AD, inside::run)
        .row(564)
        .check(&POINTS);
}
