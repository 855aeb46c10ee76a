//! An array of `ndarray` behind a parameter that stands for two, rows or a tuple, was taken for another parameter.

use di::prelude::*;
use ndarray::{Array1, Array2, array};

#[differentiable]
fn behind_rows(m: &[Vec<f64>], a: &Array2<f64>, v: &Array1<f64>) -> f64 {
    m[1][0] * a[[0, 1]] * v[2] + m[0][0] * a[[1, 0]]
}

#[differentiable]
fn behind_a_tuple(s: (f64, f64), a: &Array2<f64>) -> f64 {
    s.0 * a[[0, 1]] + s.1 * a[[1, 0]] * a[[1, 0]]
}

#[test]
fn each_has_its_own_gradient() {
    let m = vec![vec![2.0], vec![3.0, 4.0]];
    let a = array![[1.0, 5.0], [7.0, 1.0]];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let x = (m.clone(), a.clone(), array![1.0, 1.0, 11.0]);
        let (dm, da, dv) = gradient(behind_rows::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(dm, [vec![7.0], vec![55.0, 0.0]]);
        assert_eq!(da, array![[0.0, 33.0], [2.0, 0.0]]);
        assert_eq!(dv, array![0.0, 0.0, 15.0]);
        let x = (2.0, 3.0, a.clone());
        let (s0, s1, da) = gradient(behind_a_tuple::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!((s0, s1), (5.0, 49.0));
        assert_eq!(da, array![[0.0, 2.0], [42.0, 0.0]]);
    }
}
