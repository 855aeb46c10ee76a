//! Functions that are not annotated: `#[generic]`, closures, with contexts and outputs.

use di::prelude::*;
use di::{Scalar, closure};
use di_test::parity::rows;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, array};

use crate::near;

#[generic]
fn rosenbrock<S: Scalar<Real = f64>>(x: &[S]) -> S {
    let mut s = S::default();
    for w in x.windows(2) {
        s = s + (w[1] - w[0] * w[0]).powi(2).mul_real(100.0) + S::real_sub(1.0, w[0]).powi(2);
    }
    s
}

fn rosenbrock_gradient(x: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let d = x[i + 1] - x[i] * x[i];
        g[i] += -400.0 * d * x[i] - 2.0 * (1.0 - x[i]);
        g[i + 1] += 200.0 * d;
    }
    g
}

#[test]
fn generic_function() {
    let _row = rows(&[1, 3, 35]);
    let x = vec![0.3, -1.2, 0.8, 1.1, 0.2, -0.4, 0.9, 1.3, 0.1];
    let backend = AutoDual::new();
    let prep = prepare_gradient(rosenbrock::AD, &backend, &vec![0.0; 9]).unwrap();
    let (y, g) = value_and_gradient(rosenbrock::AD, &prep, &backend, &x).unwrap();
    assert_eq!(y, rosenbrock(&x));
    near(&g, &rosenbrock_gradient(&x), 1e-12);
    let tape = AutoTape::new();
    let prep = prepare_gradient(rosenbrock::AD, &tape, &vec![0.0; 9]).unwrap();
    let g = gradient(rosenbrock::AD, &prep, &tape, &x).unwrap();
    near(&g, &rosenbrock_gradient(&x), 1e-12);
    // on plain floats it is differentiated by differences
    let g = gradient(rosenbrock::AD, NoPrep, &AutoFiniteDiff::new(), &x).unwrap();
    near(&g, &rosenbrock_gradient(&x), 1e-5);
    let h = hessian(rosenbrock::AD, NoPrep, &backend, &[0.5, 2.0]).unwrap();
    near(
        &h,
        &array![[1200.0 * 0.25 - 800.0 + 2.0, -200.0], [-200.0, 200.0]],
        1e-12,
    );
}

#[generic]
fn misfit<S: Scalar<Real = f64>>(
    #[constant] data: &[f64],
    w: &[S],
    #[cache] r: &mut [S],
    #[constant] scale: f64,
) -> S {
    for ((r, w), d) in r.iter_mut().zip(w).zip(data) {
        *r = w.sub_real(*d).mul_real(scale);
    }
    r.iter().fold(S::default(), |s, r| s + *r * *r)
}

#[test]
fn generic_function_with_contexts() {
    let _row = rows(&[22, 23, 24]);
    let (w, first, second) = ([1.0, 2.0], vec![0.5, 0.0], vec![3.0, 1.0]);
    let buffer = [f64::NAN; 2];
    let backend = AutoDual::new();
    let f = misfit::AD;
    let prep = prepare_gradient(f.with(&first, &buffer, 1.0), &backend, &w).unwrap();
    let g = gradient(f.with(&first, &buffer, 1.0), &prep, &backend, &w).unwrap();
    near(&g, &[1.0, 4.0], 0.0);
    // constants change from call to call, and the prep has kept none of them
    drop(first);
    let g = gradient(f.with(&second, &buffer, 2.0), &prep, &backend, &w).unwrap();
    assert_eq!(g, [-16.0, 8.0]);
    // a tape sees that constants have changed
    let tape = AutoTape::new();
    let recorded = prepare_gradient(f.with(&second, &buffer, 1.0), &tape, &w).unwrap();
    for (scale, factor) in [(1.0, 1.0), (2.0, 4.0), (1.0, 1.0)] {
        let g = gradient(f.with(&second, &buffer, scale), &recorded, &tape, &w).unwrap();
        near(&g, &[-4.0 * factor, 2.0 * factor], 1e-14);
    }
    let short = [0.0];
    let error = gradient(f.with(&second, &short, 2.0), &prep, &backend, &w).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("caches: expected [2], found [1]"),
        "{error}"
    );
}

#[generic]
fn sum_and_product<S: Scalar<Real = f64>>(x: &[S], a: S, y: &mut [S]) {
    y[0] = y[0] + x[0] + a;
    y[1] = y[1] + x[1] * a;
}

#[test]
fn generic_function_that_writes_with_two_arguments() {
    let mut y = [9.0; 2];
    let x = ([2.0, 3.0], 5.0);
    let f = sum_and_product::AD;
    let (y, j) = value_and_jacobian(f.output(&mut y), NoPrep, &AutoDual::new(), &x).unwrap();
    assert_eq!(*y, [7.0, 15.0]);
    assert_eq!(j, [[1.0, 0.0, 1.0], [0.0, 5.0, 3.0]]);
}

#[generic]
fn product<S: Scalar<Real = f64>>(a: ArrayView2<'_, S>, b: ArrayView2<'_, S>) -> Array2<S> {
    Array2::from_shape_fn((a.nrows(), b.ncols()), |(i, j)| {
        (0..a.ncols()).fold(S::default(), |s, k| s + a[[i, k]] * b[[k, j]])
    })
}

/// Differential of a product of matrices: `da b + a db`.
#[test]
fn matrices_to_a_matrix() {
    let _row = rows(&[16, 17, 31]);
    let a = array![[1.0, 2.0, 0.5], [3.0, -1.0, 4.0]];
    let b = array![[0.5, 1.0], [2.0, -3.0], [1.5, 0.25]];
    let (da, db) = (a.mapv(f64::sin), b.mapv(f64::cos));
    let expected = da.dot(&b) + a.dot(&db);
    let backend = AutoDual::new();
    // an array in column-major order, and one that is a part of another one
    let a = a.t().as_standard_layout().into_owned().reversed_axes();
    let mut wide = Array2::from_elem((3, 4), f64::NAN);
    wide.slice_mut(ndarray::s![.., ..;2]).assign(&b);
    let b = wide.slice(ndarray::s![.., ..;2]);
    assert!(!a.is_standard_layout() && !b.is_standard_layout());
    let x = (a.view(), b);
    let prep = prepare_pushforward(product::AD, &backend, &x, &(&da, &db)).unwrap();
    let (y, dy) = value_and_pushforward(product::AD, &prep, &backend, &x, &(&da, &db)).unwrap();
    assert_eq!(y, a.dot(&b));
    near(&dy, &expected, 1e-12);
    // the Jacobian: rows and columns in row-major order of result and arguments
    let j = jacobian(product::AD, NoPrep, &backend, &x).unwrap();
    assert_eq!(j.shape(), (4, 12));
    let flat: Array1<f64> = da.iter().chain(&db).copied().collect();
    let flat = Array2::from(j).dot(&flat);
    near(
        flat.as_slice().unwrap(),
        expected.as_slice().unwrap(),
        1e-12,
    );
    // the same by pullbacks of a forward engine
    let dx = pullback(product::AD, NoPrep, &backend, &x, &expected).unwrap();
    near(&dx.0, &expected.dot(&b.t()), 1e-12);
    near(&dx.1, &a.t().dot(&expected), 1e-12);
    let error = pushforward(product::AD, &prep, &backend, &x, &(&db, &da)).unwrap_err();
    assert!(error.to_string().contains("tangent"), "{error}");
}

#[generic]
fn powers<S: Scalar<Real = f64>>(t: S) -> Array2<S> {
    Array2::from_shape_fn((2, 2), |(i, j)| t.powi((2 * i + j) as i32 + 1))
}

#[test]
fn number_to_matrix() {
    let t = 0.42_f64;
    let d = derivative(powers::AD, NoPrep, &AutoDual::new(), &t).unwrap();
    near(
        &d,
        &array![[1.0, 2.0 * t], [3.0 * t.powi(2), 4.0 * t.powi(3)]],
        1e-12,
    );
    let d = second_derivative(powers::AD, NoPrep, &AutoDual::new(), &t).unwrap();
    near(&d, &array![[0.0, 2.0], [6.0 * t, 12.0 * t.powi(2)]], 1e-12);
}

#[generic]
fn halves<S: Scalar<Real = f32>>(x: &[S; 2]) -> (S, Vec<S>) {
    (x[0] * x[1], vec![x[0].mul_real(0.5), x[1].mul_real(0.5)])
}

#[test]
fn single_precision_and_tuples() {
    let x = [3.0_f32, 4.0];
    let dy: (f32, Vec<f32>) =
        pushforward(halves::AD, NoPrep, &AutoDual::new(), &x, &[1.0_f32, 2.0]).unwrap();
    assert_eq!(dy, (10.0, vec![0.5, 1.0]));
}

#[test]
fn closures_with_constants_and_outputs() {
    let _row = rows(&[22, 29, 30]);
    let backend = AutoFiniteDiff::new();
    let (p, q) = (vec![2.0, 3.0], 5.0);
    let f = closure(|x: &[f64], p: &[f64], q: &f64| q * (p[0] * x[0] + p[1] * x[1] * x[1]));
    let prep = prepare_gradient(f.with(&p, &q), &backend, &[0.0, 0.0]).unwrap();
    let g = gradient(f.with(&p, &q), &prep, &backend, &[1.0, 2.0]).unwrap();
    near(&g, &[10.0, 60.0], 1e-7);
    drop(p);
    let g = gradient(f.with(&[1.0, 1.0], &1.0), &prep, &backend, &[1.0, 2.0]).unwrap();
    near(&g, &[1.0, 4.0], 1e-7);

    let f = closure(|x: &[f64], k: &f64, y: &mut [f64]| {
        y[0] += k * x[0] * x[1];
        y[1] += k * x[1];
    });
    let mut y = [7.0; 2];
    let (y, j) =
        value_and_jacobian(f.with(&3.0).output(&mut y), NoPrep, &backend, &[1.0, 2.0]).unwrap();
    assert_eq!(*y, [6.0, 6.0]);
    near(&j, &array![[6.0, 3.0], [0.0, 3.0]], 1e-6);
}

#[test]
fn closures_on_views_of_ndarray() {
    let backend = AutoFiniteDiff::new();
    let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let f = closure(|x: ArrayView2<'_, f64>| x.iter().map(|x| x * x).sum::<f64>());
    let g: Array2<f64> = gradient(f, NoPrep, &backend, &x.t()).unwrap();
    near(&g, &x.t().mapv(|x| 2.0 * x), 1e-6);
    let columns = closure(|x: ArrayView2<'_, f64>| x.sum_axis(ndarray::Axis(0)));
    let j = jacobian(columns, NoPrep, &backend, &x).unwrap();
    let expected = array![
        [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    ];
    near(&j, &expected, 1e-6);
    let writes = closure(|x: ArrayView1<'_, f64>, mut y: ArrayViewMut2<'_, f64>| {
        y.row_mut(0).assign(&x);
        y.row_mut(1).assign(&x.mapv(|x| x * x));
    });
    // the output is a transposed array: filled in logical order
    let mut y = Array2::zeros((2, 2)).reversed_axes();
    let x = array![3.0, 4.0];
    let (y, j) = value_and_jacobian(writes.output(&mut y), NoPrep, &backend, &x).unwrap();
    assert_eq!(*y, array![[3.0, 4.0], [9.0, 16.0]]);
    near(
        &j,
        &array![[1.0, 0.0], [0.0, 1.0], [6.0, 0.0], [0.0, 8.0]],
        1e-5,
    );
    let scale = closure(|x: f64, mut y: ArrayViewMut1<'_, f64>| y.fill(x * x));
    let mut y = Array1::zeros(3);
    let dy = derivative(scale.output(&mut y), NoPrep, &backend, &2.0).unwrap();
    near(&dy, &array![4.0, 4.0, 4.0], 1e-7);
}

#[generic]
fn nothing<S: Scalar<Real = f64>>(x: ArrayView2<'_, S>) -> Array1<S> {
    x.iter().copied().collect()
}

#[test]
fn empty_arrays() {
    let x = Array2::<f64>::zeros((0, 3));
    let j = jacobian(nothing::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_eq!(j.shape(), (0, 0));
    let f = closure(|x: ArrayView2<'_, f64>| x.sum());
    let g = gradient(f, NoPrep, &AutoFiniteDiff::new(), &x).unwrap();
    assert_eq!(g.dim(), (0, 3));
}
