//! `gradient`: every backend, every container, every variant.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{Product, assert_close, points, rosenbrock, rosenbrock_gradient, weighted};
use di_runtime::backend::Backend;
use di_runtime::backends::{
    AutoDual, AutoFiniteDiff, AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSource,
    AutoZero,
};
use di_runtime::bound::Key;
use di_runtime::closure::{closure, generic};
use di_runtime::operators::{
    gradient, gradient_into, prepare_gradient, value_and_gradient, value_and_gradient_into,
};
use di_runtime::prep::NoPrep;
use ndarray::{Array1, array, s};

fn all_variants_agree<B: Backend<Key<rosenbrock>>>(backend: &B, tolerance: f64) {
    let f = rosenbrock::AD;
    for x in points(2, 19) {
        let (value, expected) = (rosenbrock(&x), rosenbrock_gradient(&x));
        // The prep is made elsewhere and used twice.
        let prep = prepare_gradient(f, backend, &vec![0.5; x.len()]).unwrap();
        for _ in 0..2 {
            let name = format!("{backend:?}, n = {}", x.len());
            let g = gradient(f, &prep, backend, &x).unwrap();
            assert_close(&name, &g, &expected, tolerance);
            let (y, g) = value_and_gradient(f, &prep, backend, &x).unwrap();
            assert_eq!(y, value, "{name}");
            assert_close(&name, &g, &expected, tolerance);
            let mut g = vec![f64::NAN; x.len()];
            gradient_into(f, &mut g, &prep, backend, &x).unwrap();
            assert_close(&name, &g, &expected, tolerance);
            g.fill(f64::NAN);
            let y = value_and_gradient_into(f, &mut g[..], NoPrep, backend, &x[..]).unwrap();
            assert_eq!(y, value, "{name}");
            assert_close(&name, &g, &expected, tolerance);
        }
    }
}

#[test]
fn variants_agree_with_the_closed_form() {
    all_variants_agree(&AutoSource::new(), 1e-14);
    all_variants_agree(&AutoSource::new().reverse(), 1e-14);
    all_variants_agree(&AutoSource::new().forward(), 1e-14);
    all_variants_agree(&AutoDual::new(), 1e-14);
    all_variants_agree(&AutoDual::new().chunk(2), 1e-14);
    all_variants_agree(&AutoForwardFromPrimitive(AutoSource::new()), 1e-14);
    all_variants_agree(&AutoForwardFromPrimitive(AutoDual::new()), 1e-14);
    all_variants_agree(&AutoReverseFromPrimitive(AutoSource::new()), 1e-14);
    all_variants_agree(&AutoFiniteDiff::new(), 1e-8);
    all_variants_agree(&AutoFiniteDiff::new().forward(), 1e-5);
}

#[test]
fn every_chunk_serves_every_length() {
    for x in points(2, 13) {
        for chunk in 1..=x.len().min(8) {
            let backend = AutoDual::new().chunk(chunk);
            let g = gradient(rosenbrock::AD, NoPrep, &backend, &x).unwrap();
            let name = format!("chunk {chunk}");
            assert_close(&name, &g, &rosenbrock_gradient(&x), 1e-14);
        }
    }
}

#[test]
fn results_have_the_container_of_x() {
    let (f, b) = (rosenbrock::AD, AutoSource::new());
    let expected = [-400.0, 200.0];
    let prep = prepare_gradient(f, &b, &[0.0, 0.0]).unwrap();
    let from_vec: Vec<f64> = gradient(f, &prep, &b, &vec![1.0, 2.0]).unwrap();
    assert_eq!(from_vec, expected);
    let from_array: [f64; 2] = gradient(f, &prep, &b, &[1.0, 2.0]).unwrap();
    assert_eq!(from_array, expected);
    let from_slice: Vec<f64> = gradient(f, &prep, &b, &[1.0, 2.0][..]).unwrap();
    assert_eq!(from_slice, expected);
    let from_nd: Array1<f64> = gradient(f, &prep, &b, &array![1.0, 2.0]).unwrap();
    assert_eq!(from_nd, array![-400.0, 200.0]);
}

#[test]
fn arrays_that_are_not_contiguous_are_copied() {
    let (f, b) = (rosenbrock::AD, AutoSource::new());
    let all = array![1.0, 9.0, 2.0, 9.0];
    let x = all.slice(s![..;2]);
    let prep = prepare_gradient(f, &b, &x).unwrap();
    assert_eq!(gradient(f, &prep, &b, &x).unwrap(), array![-400.0, 200.0]);
    let mut results = array![7.0, 7.0, 7.0, 7.0];
    gradient_into(f, &mut results.slice_mut(s![..;2]), &prep, &b, &x).unwrap();
    assert_eq!(results, array![-400.0, 7.0, 200.0, 7.0]);
    // Columns first in memory, rows first in the result.
    let matrix = array![[0.1, 0.2], [0.3, 0.4]];
    let turned = matrix.t();
    let g = gradient(f, NoPrep, &b, &turned).unwrap();
    let flat = gradient(f, NoPrep, &b, &[0.1, 0.3, 0.2, 0.4]).unwrap();
    assert_eq!(g, array![[flat[0], flat[1]], [flat[2], flat[3]]]);
}

#[test]
fn several_parameters_are_a_tuple() {
    let b = [1.0, -2.0];
    for (da, db) in [
        gradient(weighted::AD, NoPrep, &AutoSource::new(), &(3.0, b)).unwrap(),
        gradient(
            weighted::AD,
            NoPrep,
            &AutoSource::new().forward(),
            &(3.0, b),
        )
        .unwrap(),
        gradient(weighted::AD, NoPrep, &AutoDual::new(), &(&3.0, &b)).unwrap(),
    ] {
        assert_eq!(da, 30.0);
        assert_eq!(db, [18.0, -36.0]);
    }
    let mut results = (0.0, vec![0.0; 2]);
    let backend = AutoSource::new();
    gradient_into(weighted::AD, &mut results, NoPrep, &backend, &(3.0, b)).unwrap();
    assert_eq!(results, (30.0, vec![18.0, -36.0]));
}

#[test]
fn fixed_parameters_are_constant() {
    let b = [1.0, -2.0];
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let by_b = gradient(weighted::AD.fix_a(&3.0), NoPrep, &backend, &b).unwrap();
        assert_eq!(by_b, [18.0, -36.0]);
        let by_a = gradient(weighted::AD.fix_b(&b), NoPrep, &backend, &3.0).unwrap();
        assert_eq!(by_a, 30.0);
    }
    let prep = prepare_gradient(weighted::AD.fix_a(&0.0), &AutoDual::new(), &b).unwrap();
    let by_b = gradient(weighted::AD.fix_a(&3.0), &prep, &AutoDual::new(), &b).unwrap();
    assert_eq!(by_b, [18.0, -36.0]);
}

#[test]
fn gradient_of_empty_input_is_empty() {
    let one = |_: &[f64]| 1.0;
    let none: [f64; 0] = [];
    let g = gradient(closure(one), NoPrep, &AutoFiniteDiff::new(), &none).unwrap();
    assert_eq!(g, none);
    let empty: Vec<f32> = Vec::new();
    let g = value_and_gradient(generic(Product), NoPrep, &AutoDual::new(), &empty).unwrap();
    assert_eq!(g, (1.0, empty));
    let (y, (da, db)) =
        value_and_gradient(weighted::AD, NoPrep, &AutoSource::new(), &(2.0, none)).unwrap();
    assert_eq!((y, da, db), (0.0, 0.0, none));
}

#[test]
fn single_precision_stays_single() {
    let g: Vec<f32> =
        gradient(generic(Product), NoPrep, &AutoDual::new(), &vec![2.0, 3.0]).unwrap();
    assert_eq!(g, [3.0, 2.0]);
    let backend = AutoFiniteDiff::new();
    let g: [f32; 2] = gradient(
        closure(|x: &[f32]| x[0] * x[1]),
        NoPrep,
        &backend,
        &[2.0, 3.0],
    )
    .unwrap();
    assert!((g[0] - 3.0).abs() < 1e-2 && (g[1] - 2.0).abs() < 1e-2);
}

#[test]
fn closures_capture_constants() {
    let data = [2.0, 5.0];
    let f = closure(|x: &[f64; 2]| data[0] * x[0] + data[1] * x[1] * x[1]);
    let backend = AutoFiniteDiff::new();
    let prep = prepare_gradient(f, &backend, &[0.0, 0.0]).unwrap();
    let g = gradient(f, &prep, &backend, &[1.0, 3.0]).unwrap();
    assert_close("closure", &g, &[2.0, 30.0], 1e-8);
}

#[test]
fn zero_backend_has_values_and_zeros() {
    let (f, x) = (rosenbrock::AD, [0.5, 2.0, -1.0]);
    for backend in [AutoZero::forward(), AutoZero::reverse()] {
        let (y, g) = value_and_gradient(f, NoPrep, &backend, &x).unwrap();
        assert_eq!((y, g), (rosenbrock(&x), [0.0; 3]));
    }
}

#[test]
fn resized_prep_serves_the_new_length() {
    let (f, b) = (rosenbrock::AD, AutoSource::new());
    let mut prep = prepare_gradient(f, &b, &[0.0; 2]).unwrap();
    for x in points(2, 6) {
        prep.resize(f, &x).unwrap();
        let g = gradient(f, &prep, &b, &x).unwrap();
        assert_close("resized", &g, &rosenbrock_gradient(&x), 1e-14);
    }
}
