//! Products and their signs, patterns and errors. What solvers make of them is in examples/robertson.rs.

use di::prelude::*;
use di_diffsol::{Equations, Initial};

/// Not symmetric in anything, so that a transposed or a negative product shows.
#[differentiable]
fn f(x: &[f64], p: &[f64], t: f64, #[constant] k: f64, dx: &mut [f64]) {
    dx[0] = p[0] * x[0] * x[1] + t;
    dx[1] = k * p[1] * x[0] * x[0];
    dx[2] = p[0] * x[2] * t;
}

#[differentiable]
fn start(p: &[f64], t: f64, x: &mut [f64]) {
    x[0] = p[0] * p[1];
    x[1] = p[1] * p[1] + t;
    x[2] = 1.0;
}

const X: [f64; 3] = [2.0, 3.0, 5.0];
const P: [f64; 2] = [7.0, 11.0];
const T: f64 = 0.5;
const K: f64 = 2.0;
/// Jacobians by state and by parameters, by hand.
const BY_STATE: [[f64; 3]; 3] = [[21.0, 14.0, 0.0], [88.0, 0.0, 0.0], [0.0, 0.0, 3.5]];
const BY_PARAMETERS: [[f64; 2]; 3] = [[6.0, 0.0], [0.0, 8.0], [2.5, 0.0]];
const START_BY_PARAMETERS: [[f64; 2]; 3] = [[11.0, 7.0], [0.0, 22.0], [0.0, 0.0]];

fn times<const N: usize>(j: &[[f64; N]; 3], v: &[f64]) -> Vec<f64> {
    let row = |row: &[f64; N]| row.iter().zip(v).map(|(a, b)| a * b).sum();
    j.iter().map(row).collect()
}

fn minus_transposed_times<const N: usize>(j: &[[f64; N]; 3], v: &[f64]) -> Vec<f64> {
    let column = |k: usize| -j.iter().zip(v).map(|(row, v)| row[k] * v).sum::<f64>();
    (0..N).map(column).collect()
}

#[test]
fn products_and_their_signs_are_those_by_hand() -> Result<(), di::Error> {
    for backend in ["source", "dual", "tape"] {
        let mut y = [0.0; 3];
        let f = Equations::new(f::AD.with(K).output(&mut y), di::auto(backend)?, &X, &P)?;
        assert_eq!(f.rows(), 3);
        let mut out = [f64::NAN; 3];
        f.value()(&X, &P, T, &mut out);
        assert_eq!(out, [42.5, 88.0, 17.5]);
        let (v, w) = ([1.0, -2.0, 3.0], [1.0, -2.0]);
        f.jacobian()(&X, &P, T, &v, &mut out);
        assert_eq!(out[..], times(&BY_STATE, &v));
        f.sens()(&X, &P, T, &w, &mut out);
        assert_eq!(out[..], times(&BY_PARAMETERS, &w));
        f.adjoint()(&X, &P, T, &v, &mut out);
        assert_eq!(out[..], minus_transposed_times(&BY_STATE, &v));
        f.sens_adjoint()(&X, &P, T, &v, &mut out[..2]);
        assert_eq!(out[..2], minus_transposed_times(&BY_PARAMETERS, &v));
        assert_eq!(f.failure(), None);

        let x0 = Initial::new(start::AD.output(&mut y), di::auto(backend)?, &P)?;
        assert_eq!(x0.rows(), 3);
        x0.value()(&P, T, &mut out);
        assert_eq!(out, [77.0, 121.5, 1.0]);
        x0.sens()(&P, T, &w, &mut out);
        assert_eq!(out[..], times(&START_BY_PARAMETERS, &w));
        x0.adjoint()(&P, T, &v, &mut out[..2]);
        assert_eq!(out[..2], minus_transposed_times(&START_BY_PARAMETERS, &v));
        assert_eq!(x0.failure(), None);
    }
    Ok(())
}

/// diffsol finds sparsity patterns so.
#[test]
fn a_direction_that_is_no_number_shows_where_it_goes() -> Result<(), di::Error> {
    let f = Equations::new(
        f::AD.with(K).output(&mut [0.0; 3]),
        AutoSource::new(),
        &X,
        &P,
    )?;
    let mut out = [0.0; 3];
    f.jacobian()(&X, &P, T, &[0.0, f64::NAN, 0.0], &mut out);
    assert_eq!(out.map(f64::is_nan), [true, false, false]);
    f.adjoint()(&X, &P, T, &[0.0, f64::NAN, 0.0], &mut out);
    assert_eq!(out.map(f64::is_nan), [true, false, false]);
    Ok(())
}

#[test]
fn what_fails_is_nan_and_the_error_is_kept() -> Result<(), di::Error> {
    let f = Equations::new(
        f::AD.with(K).output(&mut [0.0; 3]),
        AutoSource::new(),
        &X,
        &P,
    )?;
    let mut out = [0.0; 3];
    // another number of parameters than was prepared for, which the function would not even notice
    f.sens()(&X, &P, T, &[1.0, 1.0], &mut out);
    assert_eq!(f.failure(), None);
    f.sens()(&X, &[7.0, 11.0, 13.0], T, &[1.0, 1.0, 1.0], &mut out);
    assert!(out.iter().all(|v| v.is_nan()));
    assert!(matches!(f.failure(), Some(di::Error::Preparation(_))));
    f.jacobian()(&X, &P, T, &[1.0; 3], &mut out);
    assert_eq!(out[..], times(&BY_STATE, &[1.0; 3]));
    Ok(())
}

#[test]
fn threads_share_equations() -> Result<(), di::Error> {
    let f = Equations::new(
        f::AD.with(K).output(&mut [0.0; 3]),
        AutoSource::new(),
        &X,
        &P,
    )?;
    let found = std::thread::scope(|scope| {
        let threads = [0, 1, 2].map(|k| {
            let f = &f;
            scope.spawn(move || {
                let (mut v, mut out) = ([0.0; 3], [0.0; 3]);
                v[k] = 1.0;
                f.jacobian()(&X, &P, T, &v, &mut out);
                out
            })
        });
        threads.map(|t| t.join().expect("no panic"))
    });
    for (k, column) in found.into_iter().enumerate() {
        assert_eq!(column, BY_STATE.map(|row| row[k]));
    }
    Ok(())
}
