//! `pushforward`, `pullback`, `derivative`, `jacobian`: functions that return and functions in place.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{Curve, assert_close, points, rosenbrock, springs, springs_jacobian};
use di_runtime::backend::Backend;
use di_runtime::backends::{
    AutoDual, AutoFiniteDiff, AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSource,
};
use di_runtime::closure::{closure, generic};
use di_runtime::matrix::Matrix;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use ndarray::ShapeBuilder;

type Springs = di_runtime::handle::Bind<springs, (di_runtime::generated::Live, ())>;

const K: f64 = 2.0;

fn value(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    springs(x, K, &mut vec![0.0; x.len() - 1], &mut y);
    y
}

fn jacobians_agree<B: Backend<Springs, Matrix = Matrix<f64>>>(backend: &B, tolerance: f64) {
    for x in points(2, 19) {
        let n = x.len();
        let name = format!("{backend:?}, n = {n}");
        let expected: Vec<f64> = springs_jacobian(&x, K).concat();
        // The content of outputs and caches does not matter.
        let (mut y, force) = (vec![f64::NAN; n], vec![f64::NAN; n - 1]);
        let f = springs::AD.with(K, &force);
        let prep = prepare_jacobian(f.output(&mut y), backend, &vec![0.5; n]).unwrap();
        for _ in 0..2 {
            y.fill(f64::NAN);
            let (out, j) = value_and_jacobian(f.output(&mut y), &prep, backend, &x).unwrap();
            assert_close(&name, out, &value(&x), 1e-15);
            assert_eq!(j.shape(), (n, n));
            assert_close(&name, j.as_slice(), &expected, tolerance);
            // Columns first in memory.
            let mut j = ndarray::Array2::from_elem((n, n).f(), f64::NAN);
            jacobian_into(f.output(&mut y), &mut j, &prep, backend, &x).unwrap();
            let flat: Vec<f64> = j.iter().copied().collect();
            assert_close(&name, &flat, &expected, tolerance);
        }
        let j = jacobian(f.output(&mut y), NoPrep, backend, &x).unwrap();
        assert_close(&name, j.as_slice(), &expected, tolerance);
    }
}

#[test]
fn jacobian_by_columns_and_by_rows() {
    jacobians_agree(&AutoSource::new(), 1e-14);
    jacobians_agree(&AutoSource::new().forward(), 1e-14);
    jacobians_agree(&AutoSource::new().reverse(), 1e-14);
    jacobians_agree(&AutoDual::new(), 1e-14);
    jacobians_agree(&AutoForwardFromPrimitive(AutoSource::new()), 1e-14);
    jacobians_agree(&AutoReverseFromPrimitive(AutoSource::new()), 1e-14);
    jacobians_agree(&AutoForwardFromPrimitive(AutoDual::new()), 1e-14);
    jacobians_agree(&AutoDual::new().chunk(2), 1e-14);
    jacobians_agree(&AutoFiniteDiff::new(), 1e-8);
    jacobians_agree(&AutoFiniteDiff::new().forward(), 1e-5);
}

fn products_agree<B: Backend<Springs>>(backend: &B, tolerance: f64) {
    for x in points(2, 11) {
        let n = x.len();
        let name = format!("{backend:?}, n = {n}");
        let j = springs_jacobian(&x, K);
        let v: Vec<f64> = (0..n).map(|i| 0.5 - i as f64).collect();
        let w: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let times = |v: &[f64]| -> Vec<f64> {
            j.iter()
                .map(|r| r.iter().zip(v).map(|(a, b)| a * b).sum())
                .collect()
        };
        let (mut y, force) = (vec![f64::NAN; n], vec![0.0; n - 1]);
        let f = springs::AD.with(K, &force);
        // The Jacobian is symmetric: products from both sides are equal.
        let one = pushforward(f.output(&mut y), NoPrep, backend, &x, &v).unwrap();
        assert_close(&name, &one, &times(&v), tolerance);
        let one = pullback(f.output(&mut y), NoPrep, backend, &x, &v).unwrap();
        assert_close(&name, &one, &times(&v), tolerance);
        let many = [v.clone(), w.clone(), v.clone()];
        let prep = prepare_pushforward(f.output(&mut y), backend, &x, &many).unwrap();
        let (out, [a, b, c]) =
            value_and_pushforward(f.output(&mut y), &prep, backend, &x, &many).unwrap();
        assert_close(&name, out, &value(&x), 1e-15);
        assert_close(&name, &a, &times(&v), tolerance);
        assert_close(&name, &b, &times(&w), tolerance);
        assert_eq!(a, c);
        let prep = prepare_pullback(f.output(&mut y), backend, &x, &many).unwrap();
        let mut results = [vec![f64::NAN; n], vec![f64::NAN; n], vec![f64::NAN; n]];
        let out =
            value_and_pullback_into(f.output(&mut y), &mut results, &prep, backend, &x, &many);
        assert_close(&name, out.unwrap(), &value(&x), 1e-15);
        assert_close(&name, &results[1], &times(&w), tolerance);
        assert_eq!(results[0], results[2]);
        let mut dy = vec![f64::NAN; n];
        pushforward_into(f.output(&mut y), &mut dy, NoPrep, backend, &x, &w).unwrap();
        assert_close(&name, &dy, &times(&w), tolerance);
    }
}

#[test]
fn products_one_at_a_time_and_several() {
    products_agree(&AutoSource::new(), 1e-14);
    products_agree(&AutoSource::new().forward(), 1e-14);
    products_agree(&AutoSource::new().reverse(), 1e-14);
    products_agree(&AutoDual::new(), 1e-14);
    products_agree(&AutoForwardFromPrimitive(AutoSource::new()), 1e-14);
    products_agree(&AutoReverseFromPrimitive(AutoSource::new()), 1e-14);
    products_agree(&AutoForwardFromPrimitive(AutoDual::new()), 1e-14);
    products_agree(&AutoFiniteDiff::new(), 1e-7);
}

#[test]
fn ten_tangents_need_two_passes() {
    let x = [0.3, -0.4, 1.1];
    let seeds: [[f64; 3]; 10] = core::array::from_fn(|k| [k as f64, 1.0, -1.0]);
    let backend = AutoSource::new();
    let all = pushforward(rosenbrock::AD, NoPrep, &backend, &x, &seeds).unwrap();
    for (seed, dy) in seeds.iter().zip(all) {
        assert_eq!(
            pushforward(rosenbrock::AD, NoPrep, &backend, &x, seed).unwrap(),
            dy
        );
    }
    let weights: [f64; 10] = core::array::from_fn(|k| k as f64);
    let all = pullback(rosenbrock::AD, NoPrep, &backend, &x, &weights).unwrap();
    assert_eq!(all[4].map(|v| 2.0 * v), all[8]);
}

#[test]
fn same_point_is_swept_once() {
    let x = vec![0.3, -0.4, 1.1];
    let (mut y, force) = (vec![0.0; 3], vec![0.0; 2]);
    let f = springs::AD.with(K, &force);
    let backend = AutoSource::new();
    let prep = prepare_pullback_same_point(f.output(&mut y), &backend, &x, &x).unwrap();
    for seed in [vec![1.0, 0.0, 0.0], vec![0.0, 2.0, -1.0]] {
        y.fill(f64::NAN);
        let (out, dx) = value_and_pullback(f.output(&mut y), &prep, &backend, &x, &seed).unwrap();
        assert_close("value", out, &value(&x), 1e-15);
        let fresh = pullback(f.output(&mut y), NoPrep, &backend, &x, &seed).unwrap();
        assert_eq!(dx, fresh);
    }
    let elsewhere = vec![0.3, -0.4, 1.2];
    let refused = pullback(f.output(&mut y), &prep, &backend, &elsewhere, &x).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("the point that the prep was made at"),
        "{refused}"
    );
    let prep = prepare_pushforward_same_point(f.output(&mut y), &backend, &x, &x).unwrap();
    let dy = pushforward(f.output(&mut y), &prep, &backend, &x, &[1.0, 0.0, 0.0]).unwrap();
    assert_close("column", &dy, &springs_jacobian(&x, K)[0], 1e-15);
}

#[test]
fn derivatives_of_curves() {
    let (t, expected) = (0.4_f64, [0.4_f64.cos(), 0.8, 0.0]);
    let f = generic(Curve);
    let dual = AutoDual::new();
    let prep = prepare_derivative(f, &dual, &0.0).unwrap();
    assert_eq!(derivative(f, &prep, &dual, &t).unwrap(), expected);
    let (y, dy) = value_and_derivative(f, &prep, &dual, &t).unwrap();
    assert_eq!((y, dy), ([t.sin(), t * t, 1.0], expected));
    let mut dy = [f64::NAN; 3];
    derivative_into(f, &mut dy, NoPrep, &dual, &t).unwrap();
    assert_eq!(dy, expected);
    let dy = derivative(
        closure(|t: f64| vec![t.sin(), t * t, 1.0]),
        NoPrep,
        &AutoFiniteDiff::new(),
        &t,
    );
    assert_close("closure", &dy.unwrap(), &expected, 1e-9);
}

#[test]
fn empty_results_are_empty() {
    let nothing = closure(|_: &[f64]| Vec::<f64>::new());
    let backend = AutoFiniteDiff::new();
    let j = jacobian(nothing, NoPrep, &backend, &[1.0, 2.0]).unwrap();
    assert_eq!(j.shape(), (0, 2));
    assert_eq!(
        pullback(nothing, NoPrep, &backend, &[1.0, 2.0], &Vec::new()).unwrap(),
        [0.0, 0.0]
    );
    let x: [f64; 0] = [];
    let j = jacobian(closure(|_: &[f64]| [1.0]), NoPrep, &backend, &x).unwrap();
    assert_eq!(j.shape(), (1, 0));
}

#[test]
fn jacobian_of_a_function_that_returns() {
    let f = closure(|x: &[f64]| vec![x[0] * x[1], x[1]]);
    let j = jacobian(f, NoPrep, &AutoFiniteDiff::new(), &[3.0, 2.0]).unwrap();
    assert_close("rows", j.as_slice(), &[2.0, 3.0, 0.0, 1.0], 1e-9);
}
