//! Vectors and matrices of one version of nalgebra.

use di::Error;
use di::prelude::*;
use di_test::allocations::count;
use di_test::compare::{ROUNDING, assert_close};

use super::nalgebra::{
    DMatrix, DVector, Matrix2x3, Matrix3, OMatrix, SMatrix, SVector, U2, Vector3,
};
use crate::functions::{
    NUMBERS, cubes, cubes_gradient, pair, pair_jacobian, product, weighted, weighted_gradient,
    weighted_hessian,
};

/// The numbers of a matrix, row by row.
fn rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

#[test]
fn dynamic_vectors() {
    let x = DVector::from_column_slice(&NUMBERS);
    for backend in ["source", "dual", "tape"] {
        let backend = di::auto(backend).unwrap();
        let prep = prepare_gradient(weighted::AD, &backend, &x).unwrap();
        let g: DVector<f64> = gradient(weighted::AD, &prep, &backend, &x).unwrap();
        assert_close(
            "gradient",
            g.as_slice(),
            &weighted_gradient(&NUMBERS),
            ROUNDING,
        );
        let mut into = DVector::repeat(6, f64::NAN);
        let y = value_and_gradient_into(weighted::AD, &mut into, &prep, &backend, &x).unwrap();
        assert_close(
            "value",
            &[y],
            &[evaluate(weighted::AD, &NUMBERS).unwrap()],
            ROUNDING,
        );
        assert_eq!(into, g);
        // a prep does not depend on the container
        assert_eq!(
            gradient(weighted::AD, &prep, &backend, &NUMBERS).unwrap(),
            *g.as_slice()
        );
    }
}

#[test]
fn hessians_and_their_products() {
    let (backend, x) = (AutoSource::new(), DVector::from_column_slice(&NUMBERS));
    let expected = weighted_hessian(&NUMBERS);
    let prep = prepare_hessian(weighted::AD, &backend, &x).unwrap();
    let (mut g, mut h) = (DVector::zeros(6), DMatrix::repeat(6, 6, f64::NAN));
    hessian_into(weighted::AD, &mut h, &prep, &backend, &x).unwrap();
    assert_close("hessian_into", &rows(&h), &expected, ROUNDING);
    h.fill(f64::NAN);
    value_gradient_and_hessian_into(weighted::AD, &mut g, &mut h, &prep, &backend, &x).unwrap();
    assert_close("with the gradient", &rows(&h), &expected, ROUNDING);
    assert_close(
        "gradient",
        g.as_slice(),
        &weighted_gradient(&NUMBERS),
        ROUNDING,
    );
    let made = DMatrix::from(hessian(weighted::AD, &prep, &backend, &x).unwrap());
    assert_eq!(made, h);
    let back = di::Matrix::from(made);
    assert_close("from a DMatrix", back.as_slice(), &expected, ROUNDING);

    let v = DVector::from_fn(6, |k, _| 1.0 - k as f64);
    let hv: DVector<f64> = hvp(weighted::AD, NoPrep, &backend, &x, &v).unwrap();
    let expected = DMatrix::from_row_slice(6, 6, &expected) * v;
    assert_close("hvp", hv.as_slice(), expected.as_slice(), ROUNDING);
}

#[test]
fn jacobians_and_their_products() {
    let (backend, x) = (AutoSource::new(), Vector3::new(2.0, 3.0, 5.0));
    let expected = pair_jacobian(x.as_slice());
    let mut y = DVector::zeros(2);
    let f = pair::AD.output(&mut y);
    let prep = prepare_jacobian(f, &backend, &x).unwrap();
    let mut j = DMatrix::repeat(2, 3, f64::NAN);
    jacobian_into(pair::AD.output(&mut y), &mut j, &prep, &backend, &x).unwrap();
    assert_close("dynamic", &rows(&j), &expected, ROUNDING);
    assert_eq!(y.as_slice(), [6.0, 75.0]);

    let mut fixed = Matrix2x3::repeat(f64::NAN);
    value_and_jacobian_into(pair::AD.output(&mut y), &mut fixed, &prep, &backend, &x).unwrap();
    assert_eq!(fixed, Matrix2x3::from_row_slice(&expected));
    // columns of a larger matrix
    let mut wide = DMatrix::repeat(4, 5, -1.0);
    let mut block = wide.view_mut((1, 2), (2, 3));
    jacobian_into(pair::AD.output(&mut y), &mut block, &prep, &backend, &x).unwrap();
    assert_eq!(wide.view((1, 2), (2, 3)), fixed);
    assert_eq!(wide.iter().filter(|v| **v == -1.0).count(), 14);
    // by a prep that holds the function
    let mut ready = prep.bind(pair::AD.output(&mut y));
    ready.jacobian_into(&mut j, &x).unwrap();
    assert_eq!(j, fixed);

    let (dx, dy) = (
        Vector3::new(1.0, -1.0, 0.5),
        DVector::from_vec(vec![2.0, -3.0]),
    );
    let mut y = DVector::zeros(2);
    let found: DVector<f64> =
        pushforward(pair::AD.output(&mut y), NoPrep, &backend, &x, &dx).unwrap();
    assert_close(
        "pushforward",
        found.as_slice(),
        (fixed * dx).as_slice(),
        ROUNDING,
    );
    let found: Vector3<f64> = pullback(pair::AD.output(&mut y), NoPrep, &backend, &x, &dy).unwrap();
    assert_close(
        "pullback",
        found.as_slice(),
        (fixed.transpose() * dy).as_slice(),
        ROUNDING,
    );
}

#[test]
fn matrices_are_read_and_written_by_rows() {
    let by_rows = DMatrix::from_row_slice(2, 3, &NUMBERS);
    for backend in ["source", "dual", "tape"] {
        let backend = di::auto(backend).unwrap();
        let g: DMatrix<f64> = gradient(weighted::AD, NoPrep, &backend, &by_rows).unwrap();
        assert_eq!(g.shape(), (2, 3));
        assert_close("dynamic", &rows(&g), &weighted_gradient(&NUMBERS), ROUNDING);
        let x = SMatrix::<f64, 2, 3>::from_row_slice(&NUMBERS);
        let g: SMatrix<f64, 2, 3> = gradient(weighted::AD, NoPrep, &backend, &x).unwrap();
        assert_close(
            "static",
            g.transpose().as_slice(),
            &weighted_gradient(&NUMBERS),
            ROUNDING,
        );
        let mut h = SMatrix::<f64, 6, 6>::repeat(f64::NAN);
        hessian_into(weighted::AD, &mut h, NoPrep, &backend, &x).unwrap();
        assert_close(
            "Hessian",
            h.as_slice(),
            &weighted_hessian(&NUMBERS),
            ROUNDING,
        );
    }
    // half static, and rows: what is in order is not copied
    let half = OMatrix::<f64, U2, super::nalgebra::Dyn>::from_row_slice(&NUMBERS);
    let g = gradient(weighted::AD, NoPrep, &AutoSource::new(), &half).unwrap();
    assert_close(
        "half",
        g.transpose().as_slice(),
        &weighted_gradient(&NUMBERS),
        ROUNDING,
    );
    let row = super::nalgebra::RowDVector::from_row_slice(&NUMBERS);
    let g = gradient(weighted::AD, NoPrep, &AutoSource::new(), &row).unwrap();
    assert_close("row", g.as_slice(), &weighted_gradient(&NUMBERS), ROUNDING);
}

#[test]
fn functions_of_arrays_and_of_views() {
    let x = Vector3::new(2.0, 3.0, 5.0);
    let g: Vector3<f64> = gradient(product::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_eq!(g, Vector3::new(15.0, 10.0, 6.0));
    let mut h = Matrix3::repeat(f64::NAN);
    hessian_into(product::AD, &mut h, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_eq!(h, Matrix3::new(0.0, 5.0, 3.0, 5.0, 0.0, 2.0, 3.0, 2.0, 0.0));

    for (r, c) in [(2, 3), (1, 6), (6, 1)] {
        let a = DMatrix::from_row_slice(r, c, &NUMBERS);
        let g: DMatrix<f64> = gradient(cubes::AD, NoPrep, &AutoSource::new(), &a).unwrap();
        let expected = DMatrix::from_fn(r, c, |i, j| cubes_gradient(i, j, a[(i, j)]));
        assert_close("of a view", g.as_slice(), expected.as_slice(), ROUNDING);
    }
    let f = di::closure(|x: ndarray::ArrayView1<'_, f64>| x[0] * x[1]);
    let g = gradient(
        &f,
        NoPrep,
        &AutoFiniteDiff::new(),
        &SVector::from([2.0, 5.0]),
    )
    .unwrap();
    assert!((g[0] - 5.0).abs() < 1e-6 && (g[1] - 2.0).abs() < 1e-6);
}

/// A matrix of the user's that is not differentiated.
#[differentiable]
fn quadratic(x: &[f64], #[constant] a: &DMatrix<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            sum += a[(i, j)] * x[i] * x[j];
        }
    }
    sum
}

#[test]
fn constants_are_compared() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 0.0, 3.0]);
    let (backend, x) = (AutoTape::new(), DVector::from_vec(vec![5.0, 7.0]));
    let prep = prepare_gradient(quadratic::AD.with(&a), &backend, &x).unwrap();
    for a in [a.clone(), a.transpose() * 2.0, a] {
        let g = gradient(quadratic::AD.with(&a), &prep, &backend, &x).unwrap();
        let expected = (&a + a.transpose()) * &x;
        assert_close("gradient", g.as_slice(), expected.as_slice(), ROUNDING);
    }
}

#[test]
fn sizes_are_checked() {
    let (backend, x) = (AutoSource::new(), DVector::from_column_slice(&NUMBERS));
    let prep = prepare_hessian(weighted::AD, &backend, &x).unwrap();
    let mut small = DMatrix::repeat(6, 5, f64::NAN);
    let error = hessian_into(weighted::AD, &mut small, &prep, &backend, &x);
    assert!(matches!(error, Err(Error::Shape(_))), "{error:?}");
    let mut short = DVector::zeros(5);
    let error = gradient_into(weighted::AD, &mut short, NoPrep, &backend, &x);
    assert!(matches!(error, Err(Error::Shape(_))), "{error:?}");
    let prep = prepare_gradient(cubes::AD, &backend, &DMatrix::zeros(2, 3)).unwrap();
    let error = gradient(cubes::AD, &prep, &backend, &DMatrix::zeros(3, 2));
    assert!(matches!(error, Err(Error::Preparation(_))), "{error:?}");
}

#[test]
fn prepared_calls_allocate_nothing() {
    let (backend, x) = (AutoSource::new(), DVector::from_column_slice(&NUMBERS));
    let prep = prepare_hessian(weighted::AD, &backend, &x).unwrap();
    let (mut g, mut h) = (DVector::zeros(6), DMatrix::zeros(6, 6));
    let mut call = || {
        value_gradient_and_hessian_into(weighted::AD, &mut g, &mut h, &prep, &backend, &x).unwrap()
    };
    let (_, first) = count(&mut call);
    let (_, second) = count(&mut call);
    // the first call makes the copy
    assert_eq!((first, second), (1, 0));
    let a = DMatrix::from_row_slice(2, 3, &NUMBERS);
    let (prep, mut g) = (
        prepare_gradient(weighted::AD, &backend, &a).unwrap(),
        a.clone(),
    );
    gradient_into(weighted::AD, &mut g, &prep, &backend, &a).unwrap();
    let (done, times) = count(|| gradient_into(weighted::AD, &mut g, &prep, &backend, &a));
    done.unwrap();
    assert_eq!(times, 0);
}
