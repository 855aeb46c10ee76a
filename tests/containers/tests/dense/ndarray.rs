//! Matrices of ndarray as results, of any layout.

use di::prelude::*;
use di::{Error, Matrix};
use di_test::allocations::count;
use di_test::compare::{ROUNDING, assert_close};
use ndarray::{Array2, ShapeBuilder, s};

use crate::functions::{NUMBERS, pair, pair_jacobian, weighted, weighted_hessian};

fn flat(matrix: &Array2<f64>) -> Vec<f64> {
    matrix.iter().copied().collect()
}

#[test]
fn jacobians_and_hessians_are_written_to_any_layout() {
    let backend = AutoSource::new();
    let expected = weighted_hessian(&NUMBERS);
    let prep = prepare_hessian(weighted::AD, &backend, &NUMBERS).unwrap();
    let by_rows = Array2::from_elem((6, 6), f64::NAN);
    let by_columns = Array2::from_elem((6, 6).f(), f64::NAN);
    for mut h in [by_rows, by_columns] {
        for call in 0..3 {
            h.fill(f64::NAN);
            let write = || hessian_into(weighted::AD, &mut h, &prep, &backend, &NUMBERS).unwrap();
            // only the first call may: the copy is kept
            assert!(count(write).1 == 0 || call == 0, "call {call} allocates");
            assert_close("hessian_into", &flat(&h), &expected, ROUNDING);
        }
    }

    let x = [0.5, -1.5, 2.0];
    let mut y = [0.0; 2];
    let mut all = Array2::zeros((2, 6));
    let mut part = all.slice_mut(s![.., ..;2]);
    jacobian_into(pair::AD.output(&mut y), &mut part, NoPrep, &backend, &x).unwrap();
    let found: Vec<f64> = part.iter().copied().collect();
    assert_close("jacobian_into", &found, &pair_jacobian(&x), ROUNDING);
    let around: Vec<f64> = all.slice(s![.., 1..;2]).iter().copied().collect();
    assert_close("what is around it", &around, &[0.0; 6], ROUNDING);
}

#[test]
fn matrices_of_another_size_are_refused() {
    let error = hessian_into(
        weighted::AD,
        &mut Array2::zeros((6, 5)),
        NoPrep,
        &AutoSource::new(),
        &NUMBERS,
    );
    assert!(matches!(error, Err(Error::Shape(_))), "{error:?}");
}

#[test]
fn results_become_arrays_and_arrays_matrices() {
    let h = hessian(weighted::AD, NoPrep, &AutoDual::new(), &NUMBERS).unwrap();
    let expected = weighted_hessian(&NUMBERS);
    let array = Array2::from(h.clone());
    assert_close("array", &flat(&array), &expected, ROUNDING);
    assert_eq!(Matrix::from(array), h);

    let wide = Array2::from_shape_fn((2, 3), |(i, j)| (10 * i + j) as f64);
    let turned = wide.clone().reversed_axes();
    assert_eq!(Matrix::from(wide), [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]);
    assert_eq!(
        Matrix::from(turned),
        [[0.0, 10.0], [1.0, 11.0], [2.0, 12.0]]
    );
}
