//! What basin's solvers see: values, derivatives, products, errors, and no memory taken.

use std::error::Error;
use std::fmt;

use basin::{
    CostFunction, DenseMatrix, Gradient, Hessian, HessianProduct, Jacobian, MatrixIndex, Residual,
};
use di::Scalar;
use di::prelude::*;
use di::sparse::AutoSparse;
use di_basin::{Objective, Residuals};
use di_test::allocations::{Counting, count};
use faer::Col;
use faer::sparse::{SparseColMat, Triplet};
use nalgebra::{DMatrix, DVector};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[differentiable]
fn bowl(x: &[f64], #[constant] depth: f64) -> f64 {
    depth * (x[0] * x[0] * x[1] + 3.0 * x[1])
}

#[differentiable]
fn products(x: &[f64], #[constant] shift: &[f64], r: &mut [f64]) {
    r[0] = x[0] * x[1] - shift[0];
    r[1] = x[0] * x[0] - shift[1];
    r[2] = x[1];
}

#[derive(Debug)]
struct Negative;

impl fmt::Display for Negative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a negative argument")
    }
}

impl Error for Negative {}

#[generic]
fn guarded<S: Scalar<Real = f64>>(x: &[S]) -> Result<S, Negative> {
    if x[0].lt(S::default()) {
        return Err(Negative);
    }
    Ok(x[0] * x[0] * x[0])
}

#[test]
fn derivatives_of_an_objective_are_right() -> Result<(), di::Error> {
    let x = vec![3.0, 2.0];
    let f = Objective::new(bowl::AD.with(2.0), AutoSource::new(), &x)?;
    let h = DenseMatrix::from_row_slice(2, 2, &[8.0, 12.0, 12.0, 0.0]);
    assert_eq!(f.cost(&x)?, 48.0);
    assert_eq!(f.gradient(&x)?, [24.0, 24.0]);
    assert_eq!(f.cost_and_gradient(&x)?, (48.0, vec![24.0, 24.0]));
    assert_eq!(f.hessian(&x)?, h);
    assert_eq!(
        f.cost_and_gradient_and_hessian(&x)?,
        (48.0, vec![24.0, 24.0], h)
    );
    assert_eq!(f.hessian_product(&x, &vec![1.0, 1.0])?, [20.0, 12.0]);
    Ok(())
}

#[test]
fn vectors_of_nalgebra_are_taken_too() -> Result<(), di::Error> {
    let x = DVector::from_vec(vec![3.0, 2.0]);
    let f = Objective::new(bowl::AD.with(2.0), AutoDual::new(), &x)?;
    let h = DMatrix::from_row_slice(2, 2, &[8.0, 12.0, 12.0, 0.0]);
    let g = DVector::from_vec(vec![24.0, 24.0]);
    assert_eq!(f.cost_and_gradient_and_hessian(&x)?, (48.0, g, h));
    let mut room = [0.0; 3];
    let f = products::AD.with(&[1.0, 2.0]).output(&mut room);
    let f = Residuals::new(f, AutoSource::new(), &x)?;
    let (r, j) = f.residual_and_jacobian(&x)?;
    assert_eq!(r.as_slice(), [5.0, 7.0, 2.0]);
    assert_eq!(
        j,
        DMatrix::from_row_slice(3, 2, &[2.0, 3.0, 6.0, 0.0, 0.0, 1.0])
    );
    Ok(())
}

/// Neighbours multiplied, and the last one alone: four rows, three entries above the diagonal.
#[differentiable]
fn chain(x: &[f64], r: &mut [f64]) {
    let n = x.len();
    for i in 0..n - 1 {
        r[i] = x[i] * x[i + 1];
    }
    r[n - 1] = 3.0 * x[n - 1];
}

#[test]
fn columns_of_faer_have_sparse_jacobians() -> Result<(), di::Error> {
    let x = Col::from_fn(4, |i| i as f64 + 2.0);
    let backend = AutoSparse::new(AutoSource::new());
    let f = Residuals::new(chain::AD.output(&mut [0.0; 4]), backend, &x)?;
    let (r, mut j) = f.residual_and_jacobian(&x)?;
    let entries = |j: &SparseColMat<usize, f64>| -> Vec<(usize, usize, f64)> {
        j.triplet_iter().map(|t| (t.row, t.col, *t.val)).collect()
    };
    let expected = |x: &Col<f64>| {
        vec![
            (0, 0, x[1]),
            (0, 1, x[0]),
            (1, 1, x[2]),
            (1, 2, x[1]),
            (2, 2, x[3]),
            (2, 3, x[2]),
            (3, 3, 3.0),
        ]
    };
    assert_eq!(r, Col::from_fn(4, |i| [6.0, 12.0, 20.0, 15.0][i]));
    assert_eq!(entries(&j), expected(&x));
    let y = Col::from_fn(4, |i| 7.0 - i as f64);
    f.jacobian_into(&y, &mut j)?;
    assert_eq!(entries(&j), expected(&y));
    // a matrix with other entries is replaced
    for other in [
        vec![],
        vec![Triplet::new(0, 3, 1.0), Triplet::new(2, 1, 4.0)],
    ] {
        let other = SparseColMat::try_new_from_triplets(4, 4, &other);
        j = other.expect("the entries are in the matrix");
        f.jacobian_into(&x, &mut j)?;
        assert_eq!(entries(&j), expected(&x));
    }
    // without `AutoSparse` they are dense
    let f = Residuals::new(chain::AD.output(&mut [0.0; 4]), AutoSource::new(), &x)?;
    let dense = f.jacobian(&x)?;
    assert_eq!(dense.shape(), (4, 4));
    for (row, column, value) in expected(&x) {
        assert_eq!(dense[(row, column)], value);
    }
    Ok(())
}

#[test]
fn sparse_methods_that_write_take_no_memory() -> Result<(), di::Error> {
    let x = Col::from_fn(4, |i| i as f64 + 2.0);
    let backend = AutoSparse::new(AutoSource::new());
    let f = Residuals::new(chain::AD.output(&mut [0.0; 4]), backend, &x)?;
    let (mut r, mut j) = f.residual_and_jacobian(&x)?;
    let mut all = || -> Result<(), di::Error> {
        f.residual_into(&x, &mut r)?;
        f.jacobian_into(&x, &mut j)?;
        f.residual_and_jacobian_into(&x, &mut r, &mut j)
    };
    all()?;
    let (done, taken) = count(&mut all);
    done?;
    assert_eq!((r[2], j[(2, 3)], taken), (20.0, 4.0, 0));
    Ok(())
}

#[test]
fn buffers_of_another_size_are_made_to_fit() -> Result<(), di::Error> {
    let x = vec![3.0, 2.0];
    let f = Objective::new(bowl::AD.with(2.0), AutoSource::new(), &x)?;
    let (mut g, mut h) = (vec![7.0; 5], DenseMatrix::from_row_slice(1, 1, &[9.0]));
    assert_eq!(
        f.cost_and_gradient_and_hessian_into(&x, &mut g, &mut h)?,
        48.0
    );
    assert_eq!(g, [24.0, 24.0]);
    assert_eq!(
        h,
        DenseMatrix::from_row_slice(2, 2, &[8.0, 12.0, 12.0, 0.0])
    );
    let mut room = [0.0; 3];
    let f = products::AD.with(&[1.0, 2.0]).output(&mut room);
    let f = Residuals::new(f, AutoSource::new(), &x)?;
    let mut r = Vec::new();
    f.residual_and_jacobian_into(&x, &mut r, &mut h)?;
    assert_eq!(r, [5.0, 7.0, 2.0]);
    assert_eq!((h.nrows(), h.ncols(), h.matrix_entry(1, 0)), (3, 2, 6.0));
    Ok(())
}

#[test]
fn methods_that_write_take_no_memory() -> Result<(), di::Error> {
    let (x, v) = (vec![3.0, 2.0], vec![1.0, 1.0]);
    let f = Objective::new(bowl::AD.with(2.0), AutoSource::new(), &x)?;
    let mut room = [0.0; 3];
    let s = products::AD.with(&[1.0, 2.0]).output(&mut room);
    let s = Residuals::new(s, AutoSource::new(), &x)?;
    let (mut g, mut p, mut r) = (vec![0.0; 2], vec![0.0; 2], vec![0.0; 3]);
    let mut h = f.hessian(&x)?;
    let mut j = s.jacobian(&x)?;
    let mut all = || -> Result<f64, di::Error> {
        f.gradient_into(&x, &mut g)?;
        f.cost_and_gradient_into(&x, &mut g)?;
        f.hessian_into(&x, &mut h)?;
        f.hessian_product_into(&x, &v, &mut p)?;
        s.residual_into(&x, &mut r)?;
        s.jacobian_into(&x, &mut j)?;
        s.residual_and_jacobian_into(&x, &mut r, &mut j)?;
        f.cost_and_gradient_and_hessian_into(&x, &mut g, &mut h)?;
        f.cost(&x)
    };
    // A thread's first calls make its clones.
    all()?;
    let (cost, taken) = count(&mut all);
    assert_eq!((cost?, taken), (48.0, 0));
    assert_eq!(
        (g, p, r),
        (vec![24.0, 24.0], vec![20.0, 12.0], vec![5.0, 7.0, 2.0])
    );
    Ok(())
}

#[test]
fn an_error_of_the_function_is_the_error_of_the_problem() -> Result<(), di::Error> {
    let f = Objective::new(guarded::AD, AutoDual::new(), &vec![2.0])?;
    let (bad, mut g) = (vec![-1.0], vec![0.0]);
    for error in [
        f.cost(&bad).map(|_| ()),
        f.gradient(&bad).map(|_| ()),
        f.cost_and_gradient_into(&bad, &mut g).map(|_| ()),
        f.hessian(&bad).map(|_| ()),
        f.hessian_product(&bad, &bad).map(|_| ()),
    ] {
        let error = error.expect_err("the function failed");
        assert_eq!(error.to_string(), "a negative argument");
    }
    assert_eq!(f.gradient(&vec![2.0])?, [12.0]);
    assert!(matches!(
        f.gradient(&vec![2.0, 3.0]),
        Err(di::Error::Preparation(_))
    ));
    Ok(())
}
