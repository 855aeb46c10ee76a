//! Sparse Jacobians: all variants, engines, partitions, storages.

use std::cell::Cell;

use di::extend::{OnScalars, Scalar, Slice};
use di::prelude::*;
use di::sparse::{
    AutoSparse, Given, Greedy, Known, MixedMode, OnePerLine, Partition, Pattern, SparsePrep,
    Storage, Structured, Verify,
};
use di_test::allocations::count;
use di_test::parity::rows;
use ndarray::Array2;

use super::{close, dense};

#[differentiable]
fn arrow(x: &[f64], #[constant] a: f64, y: &mut [f64]) {
    y[0] = a * x[0].sin();
    for i in 1..x.len() {
        y[0] += x[i] * x[i] * x[0];
        y[i] = x[0] * x[i].exp() + a;
    }
}

#[differentiable]
fn band(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() - 2];
    for i in 0..x.len() - 2 {
        y[i] = x[i] * x[i + 1] - x[i + 2].cos();
    }
    y
}

const X: [f64; 7] = [0.3, -0.4, 1.1, 0.7, -1.3, 0.2, 0.9];

/// By hand.
fn arrow_jacobian(x: &[f64], a: f64) -> Array2<f64> {
    let n = x.len();
    let mut j = Array2::zeros((n, n));
    j[[0, 0]] = a * x[0].cos();
    for i in 1..n {
        j[[0, 0]] += x[i] * x[i];
        j[[0, i]] = 2.0 * x[i] * x[0];
        j[[i, 0]] = x[i].exp();
        j[[i, i]] = x[0] * x[i].exp();
    }
    j
}

fn band_jacobian(x: &[f64]) -> Array2<f64> {
    let mut j = Array2::zeros((x.len() - 2, x.len()));
    for i in 0..x.len() - 2 {
        j[[i, i]] = x[i + 1];
        j[[i, i + 1]] = x[i];
        j[[i, i + 2]] = x[i + 2].sin();
    }
    j
}

macro_rules! all_variants {
    ($backend:expr) => {{
        let backend = $backend;
        let mut y = vec![0.0; 7];
        let prep =
            prepare_jacobian(arrow::AD.with(1.0).output(&mut y), &backend, &[0.1; 7]).unwrap();
        let expected = arrow_jacobian(&X, 2.0);
        let j = jacobian(arrow::AD.with(2.0).output(&mut y), &prep, &backend, &X).unwrap();
        close(&dense(&j), &expected);
        assert_eq!(j.nnz(), 3 * 7 - 2);
        let mut into = prep.structure().unwrap().layout().zeros();
        let f = arrow::AD.with(2.0).output(&mut y);
        jacobian_into(f, &mut into, &prep, &backend, &X).unwrap();
        close(&dense(&into), &expected);
        let f = arrow::AD.with(2.0).output(&mut y);
        let (value, j) = value_and_jacobian(f, &prep, &backend, &X).unwrap();
        let mut by_hand = vec![0.0; 7];
        arrow(&X, 2.0, &mut by_hand);
        assert_eq!(value, &by_hand);
        close(&dense(&j), &expected);
        let mut values = vec![0.0; j.nnz()];
        let f = arrow::AD.with(2.0).output(&mut y);
        jacobian_values_into(f, &mut values, &prep, &backend, &X).unwrap();
        assert_eq!(values, j.data());
        let j = jacobian(band::AD, NoPrep, &backend, &X).unwrap();
        close(&dense(&j), &band_jacobian(&X));
    }};
}

#[test]
fn engines_partitions_and_storages_agree_with_the_closed_form() {
    let _row = rows(&[74, 87]);
    for storage in [Storage::Rows, Storage::Columns] {
        all_variants!(AutoSparse::new(AutoSource::new()).storage(storage));
        all_variants!(AutoSparse::new(AutoSource::new().forward()).storage(storage));
        all_variants!(AutoSparse::new(AutoSource::new().reverse()).storage(storage));
        all_variants!(AutoSparse::new(AutoDual::new()).storage(storage));
        let mixed = MixedMode::new(AutoDual::new(), AutoSource::new().reverse());
        all_variants!(AutoSparse::new(mixed).storage(storage));
        for partition in [
            Partition::Columns,
            Partition::Rows,
            Partition::Bidirectional,
        ] {
            let backend = AutoSparse::new(AutoSource::new()).partition(partition);
            all_variants!(backend.clone().storage(storage));
            all_variants!(backend.clone().coloring(Greedy::new().substitution()));
            all_variants!(backend.coloring(OnePerLine).storage(storage));
        }
    }
}

#[test]
fn arrows_take_few_colors_in_both_directions() {
    let mut y = vec![0.0; 50];
    let mut colors = |backend: AutoSparse<MixedMode<AutoDual, AutoSource>>| {
        let prep = prepare_jacobian(arrow::AD.with(1.0).output(&mut y), &backend, &[0.1; 50]);
        prep.unwrap().structure().unwrap().coloring().ncolors()
    };
    let mixed = AutoSparse::new(MixedMode::new(AutoDual::new(), AutoSource::new().reverse()));
    assert_eq!(colors(mixed.clone().partition(Partition::Columns)), 50);
    assert_eq!(colors(mixed.clone().partition(Partition::Rows)), 50);
    assert_eq!(colors(mixed), 3);
}

/// Differences of a closure: no code, no tracing.
#[test]
fn closures_take_known_patterns() {
    let calls = Cell::new(0);
    let f = di::closure(|x: &[f64]| {
        calls.set(calls.get() + 1);
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() {
            y[i] = x[i] * x[i] + x[(i + 1) % x.len()];
        }
        y
    });
    let n = 30;
    let pattern = Pattern::from_entries((n, n), (0..n).flat_map(|i| [(i, i), (i, (i + 1) % n)]));
    let backend = AutoSparse::new(AutoFiniteDiff::new())
        .detector(Known::jacobian(pattern.unwrap()))
        .verify(Verify::Never);
    let x = vec![0.5; n];
    let prep = prepare_jacobian(&f, &backend, &x).unwrap();
    let colors = prep.structure().unwrap().coloring().ncolors();
    assert_eq!(colors, 2);
    calls.set(0);
    let j = jacobian(&f, &prep, &backend, &x).unwrap();
    // two for each central difference, and the value with each sweep
    assert!(calls.get() <= 3 * colors, "{} calls", calls.get());
    for (value, (i, j)) in j.iter() {
        assert!((value - 1.0).abs() < 1e-6, "({i}, {j}): {value}");
    }
}

/// Counts its runs.
struct Counted<'a>(&'a Cell<usize>);

impl OnScalars for Counted<'_> {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        self.0.set(self.0.get() + 1);
        let n = x.len();
        let sum = |i: usize| (0..11).fold(S::default(), |sum, k| sum + x[(i + k) % n].sin());
        (0..n).map(sum).collect()
    }
}

#[test]
fn sweeps_are_as_many_as_colors_in_chunks() {
    let _row = rows(&[92]);
    let runs = Cell::new(0);
    let f = di::generic(Counted(&runs));
    let backend = AutoSparse::new(AutoDual::new()).verify(Verify::Never);
    let x = [0.5; 44];
    let prep = prepare_jacobian(&f, &backend, &x).unwrap();
    let colors = prep.structure().unwrap().coloring().ncolors();
    assert_eq!(colors, 11);
    let (count, mut values) = (runs.get(), vec![0.0; 44 * 11]);
    jacobian_values_into(&f, &mut values, &prep, &backend, &x).unwrap();
    let after = runs.get();
    let j = jacobian(&f, &prep, &backend, &x).unwrap();
    assert_eq!(j.data(), values);
    close(
        &dense(&j),
        &jacobian(&f, NoPrep, &AutoDual::new(), &x).unwrap(),
    );
    assert_eq!(after - count, colors.div_ceil(8));
}

#[test]
fn given_and_structured_colors_serve() {
    let _row = rows(&[85]);
    let given = AutoSparse::new(AutoSource::new().forward())
        .coloring(Given::columns([0, 1, 2, 0, 1, 2, 0]));
    let j = jacobian(band::AD, NoPrep, &given, &X).unwrap();
    close(&dense(&j), &band_jacobian(&X));
    let wrong = AutoSparse::new(AutoSource::new().forward())
        .coloring(Given::columns([0, 1, 0, 1, 0, 1, 0]));
    let error = prepare_jacobian(band::AD, &wrong, &X).unwrap_err();
    assert!(matches!(error, di::Error::Sparsity(_)), "{error}");
    let banded = Structured::Banded { lower: 0, upper: 2 };
    let structured = AutoSparse::new(AutoSource::new().forward()).coloring(banded);
    let j = jacobian(band::AD, NoPrep, &structured, &X).unwrap();
    close(&dense(&j), &band_jacobian(&X));
}

#[test]
fn matrices_with_other_entries_are_refused() {
    let _row = rows(&[90]);
    let backend = AutoSparse::new(AutoSource::new());
    let prep = prepare_jacobian(band::AD, &backend, &X).unwrap();
    let j = jacobian(band::AD, &prep, &backend, &X).unwrap();
    close(&dense(&j), &band_jacobian(&X));
    let mut other = Pattern::banded((5, 7), 1, 1).unwrap().zeros();
    let error = jacobian_into(band::AD, &mut other, &prep, &backend, &X).unwrap_err();
    assert!(error.to_string().contains("stored entries"), "{error}");
    let mut by_columns = Pattern::banded((5, 7), 0, 2).unwrap().zeros().to_csc();
    let error = jacobian_into(band::AD, &mut by_columns, &prep, &backend, &X).unwrap_err();
    assert!(error.to_string().contains("stored by rows"), "{error}");
    let error = jacobian_values_into(band::AD, &mut [0.0; 3], &prep, &backend, &X).unwrap_err();
    assert!(matches!(error, di::Error::Shape(_)), "{error}");
}

#[test]
fn other_operators_are_the_dense_backends() -> Result<(), di::Error> {
    let _row = rows(&[63]);
    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        x[0] * x[0] * x[1]
    }
    #[differentiable]
    fn cube(t: f64) -> f64 {
        t * t * t
    }
    let x = [3.0, 2.0];
    macro_rules! check {
        ($dense:expr) => {
            let backend = AutoSparse::new($dense);
            let prep = prepare_gradient(f::AD, &backend, &x)?;
            let g = gradient(f::AD, &prep, &backend, &x)?;
            di_test::compare::assert_bitwise("gradient", &g, &[12.0, 9.0]);
            let mut g = [0.0; 2];
            let y = value_and_gradient_into(f::AD, &mut g, &prep, &backend, &x)?;
            assert_eq!((y, g), (18.0, [12.0, 9.0]));
            let tangent = [1.0, 1.0];
            assert_eq!(pushforward(f::AD, NoPrep, &backend, &x, &tangent)?, 21.0);
            assert_eq!(pullback(f::AD, NoPrep, &backend, &x, &2.0)?, [24.0, 18.0]);
            let prep = prepare_pushforward_same_point(f::AD, &backend, &x, &tangent)?;
            assert_eq!(pushforward(f::AD, &prep, &backend, &x, &[0.0, 1.0])?, 9.0);
            let (y, g, product) = value_gradient_and_hvp(f::AD, NoPrep, &backend, &x, &tangent)?;
            assert_eq!(
                (y, &g[..], &product[..]),
                (18.0, &[12.0, 9.0][..], &[10.0, 6.0][..])
            );
            let prep = prepare_hessian_diagonal(f::AD, &backend, &x)?;
            assert_eq!(hessian_diagonal(f::AD, &prep, &backend, &x)?, [4.0, 0.0]);
            assert_eq!(laplacian(f::AD, NoPrep, &backend, &x)?, 4.0);
            assert_eq!(derivative(cube::AD, NoPrep, &backend, &2.0)?, 12.0);
            assert_eq!(second_derivative(cube::AD, NoPrep, &backend, &2.0)?, 12.0);
            let (_, line) = linearize(f::AD, &backend, &x)?;
            assert_eq!(line.pullback(&1.0)?, [12.0, 9.0]);
        };
    }
    check!(AutoSource::new());
    check!(AutoSource::new().forward());
    check!(AutoSource::new().reverse());
    check!(AutoDual::new());
    check!(AutoTape::new());
    let backend = AutoSparse::new(di::AutoTaylor::new());
    assert_eq!(nth_derivative(cube::AD, 3, NoPrep, &backend, &1.0)?, 6.0);
    // what the engine does not do is its error
    let backend = AutoSparse::new(di::AutoForwardFromPrimitive(AutoSource::new()));
    let error = hvp(f::AD, NoPrep, &backend, &x, &[1.0, 0.0]).unwrap_err();
    assert!(matches!(error, di::Error::Unsupported { .. }), "{error}");
    Ok(())
}

#[differentiable]
fn nothing(x: &[f64], y: &mut [f64]) {
    y[0] = x[0].floor();
    y[1] = 3.0;
}

#[test]
fn functions_that_depend_on_nothing_have_no_entries() {
    let _row = rows(&[93]);
    let backend = AutoSparse::new(AutoSource::new());
    let mut y = vec![7.0; 2];
    let f = nothing::AD.output(&mut y);
    let (value, j) = value_and_jacobian(f, NoPrep, &backend, &[1.5, 2.0]).unwrap();
    close(&dense(&j), &Array2::zeros((2, 2)));
    assert_eq!(
        (value, j.nnz(), j.shape()),
        (&mut vec![1.0, 3.0], 0, (2, 2))
    );
}

#[differentiable]
fn parts(a: &[f64], b: &[f64], y: &mut [f64]) {
    for i in 0..a.len() {
        y[i] = a[i] * b[i] * b[i];
    }
}

#[test]
fn several_arguments_have_their_columns_side_by_side() {
    let (a, b, mut y) = ([1.0, 2.0], [3.0, 4.0], [0.0; 2]);
    for partition in [Partition::Columns, Partition::Rows] {
        let backend = AutoSparse::new(AutoSource::new()).partition(partition);
        let j = jacobian(
            parts::AD.output(&mut y),
            NoPrep,
            &backend,
            &(&a[..], &b[..]),
        )
        .unwrap();
        let expected = ndarray::array![[9.0, 0.0, 6.0, 0.0], [0.0, 16.0, 0.0, 16.0]];
        close(&dense(&j), &expected);
    }
}

#[differentiable]
fn single(x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[test]
fn single_precision_is_a_float_like_any_other() {
    let backend = AutoSparse::new(AutoSource::new());
    let mut y = [0.0f32; 3];
    let j = jacobian(
        single::AD.output(&mut y),
        NoPrep,
        &backend,
        &[1.0f32, 2.0, 3.0],
    )
    .unwrap();
    assert_eq!(j.data(), [2.0f32, 4.0, 6.0]);
}

#[test]
fn prepared_calls_allocate_nothing() {
    let _row = rows(&[89]);
    for partition in [
        Partition::Columns,
        Partition::Rows,
        Partition::Bidirectional,
    ] {
        for verify in [Verify::Never, Verify::Always] {
            let backend = AutoSparse::new(AutoSource::new())
                .partition(partition)
                .verify(verify);
            let mut y = vec![0.0; 7];
            let prep = prepare_jacobian(arrow::AD.with(2.0).output(&mut y), &backend, &X).unwrap();
            let mut values = vec![0.0; 3 * 7 - 2];
            let mut matrix = prep.structure().unwrap().layout().zeros();
            let ((), allocations) = count(|| {
                let f = arrow::AD.with(2.0).output(&mut y);
                jacobian_values_into(f, &mut values, &prep, &backend, &X).unwrap();
                let f = arrow::AD.with(2.0).output(&mut y);
                jacobian_into(f, &mut matrix, &prep, &backend, &X).unwrap();
            });
            close(&dense(&matrix), &arrow_jacobian(&X, 2.0));
            assert_eq!(allocations, 0, "{partition:?} {verify:?}");
        }
    }
}
