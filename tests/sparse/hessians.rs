//! Sparse Hessians: all variants, parts, constant ones, Lagrangians.

use di::prelude::*;
use di::sparse::{AutoSparse, Greedy, Order, Part, SparsePrep, Storage, Verify};
use di_test::allocations::count;
use di_test::parity::rows;
use ndarray::Array2;

use super::{close, dense};

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        sum += 100.0 * a * a + b * b;
    }
    sum
}

#[differentiable]
fn quadratic(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += d * d;
    }
    sum + 3.0 * x[0]
}

#[differentiable]
fn weighted(x: &[f64], #[constant] w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += w[i - 1] * d * d;
    }
    sum
}

const X: [f64; 6] = [0.4, -0.2, 1.3, 0.8, -0.7, 0.1];

/// By hand.
fn rosenbrock_hessian(x: &[f64]) -> Array2<f64> {
    let n = x.len();
    let mut h = Array2::zeros((n, n));
    for i in 1..n {
        let x0 = x[i - 1];
        h[[i, i]] += 200.0;
        h[[i - 1, i - 1]] += -400.0 * (x[i] - x0 * x0) + 800.0 * x0 * x0 + 2.0;
        h[[i, i - 1]] -= 400.0 * x0;
        h[[i - 1, i]] -= 400.0 * x0;
    }
    h
}

fn weighted_hessian(w: &[f64]) -> Array2<f64> {
    let mut h = Array2::zeros((w.len() + 1, w.len() + 1));
    for (i, w) in w.iter().enumerate() {
        h[[i, i]] += 2.0 * w;
        h[[i + 1, i + 1]] += 2.0 * w;
        h[[i, i + 1]] -= 2.0 * w;
        h[[i + 1, i]] -= 2.0 * w;
    }
    h
}

macro_rules! all_variants {
    ($backend:expr, $part:expr) => {{
        let backend = $backend;
        let prep = prepare_hessian(rosenbrock::AD, &backend, &[0.0; 6]).unwrap();
        let mut expected = rosenbrock_hessian(&X);
        for ((i, j), value) in expected.indexed_iter_mut() {
            let stored = match $part {
                Part::Full => true,
                Part::Lower => j <= i,
                Part::Upper => j >= i,
            };
            *value *= f64::from(u8::from(stored));
        }
        let h = hessian(rosenbrock::AD, &prep, &backend, &X).unwrap();
        close(&dense(&h), &expected);
        assert_eq!(h.nnz(), if $part == Part::Full { 16 } else { 11 });
        let mut into = prep.structure().unwrap().layout().zeros();
        hessian_into(rosenbrock::AD, &mut into, &prep, &backend, &X).unwrap();
        close(&dense(&into), &expected);
        let (y, g, h) = value_gradient_and_hessian(rosenbrock::AD, &prep, &backend, &X).unwrap();
        assert_eq!(y, rosenbrock(&X));
        let by_reverse = gradient(rosenbrock::AD, NoPrep, &AutoSource::new(), &X).unwrap();
        for (a, b) in g.iter().zip(by_reverse) {
            assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()));
        }
        close(&dense(&h), &expected);
        let mut values = vec![0.0; h.nnz()];
        hessian_values_into(rosenbrock::AD, &mut values, &prep, &backend, &X).unwrap();
        assert_eq!(values, h.data());
    }};
}

#[test]
fn engines_parts_and_storages_agree_with_the_closed_form() {
    let _row = rows(&[94]);
    for storage in [Storage::Rows, Storage::Columns] {
        for part in [Part::Full, Part::Lower, Part::Upper] {
            let of = |greedy| {
                AutoSparse::new(AutoSource::new())
                    .coloring(greedy)
                    .storage(storage)
                    .part(part)
            };
            all_variants!(of(Greedy::new()), part);
            all_variants!(of(Greedy::new().substitution()), part);
            all_variants!(of(Greedy::new().orders(Order::ALL)), part);
            all_variants!(
                AutoSparse::new(AutoDual::new()).storage(storage).part(part),
                part
            );
            let nested = SecondOrder::new(AutoDual::new(), AutoSource::new());
            all_variants!(AutoSparse::new(nested).storage(storage).part(part), part);
        }
    }
}

#[test]
fn constant_hessians_are_recognised() {
    let backend = AutoSparse::new(AutoSource::new());
    let constant = |prep: &dyn Fn() -> bool| prep();
    assert!(constant(&|| prepare_hessian(quadratic::AD, &backend, &X)
        .unwrap()
        .structure()
        .unwrap()
        .is_constant()));
    assert!(!constant(&|| prepare_hessian(rosenbrock::AD, &backend, &X)
        .unwrap()
        .structure()
        .unwrap()
        .is_constant()));
    // another weight would be another Hessian
    let w = [1.0; 5];
    assert!(!constant(&|| prepare_hessian(
        weighted::AD.with(&w),
        &backend,
        &X
    )
    .unwrap()
    .structure()
    .unwrap()
    .is_constant()));
    let prep = prepare_hessian(quadratic::AD, &backend, &[0.0; 6]).unwrap();
    for x in [X, [5.0; 6]] {
        let h = hessian(quadratic::AD, &prep, &backend, &x).unwrap();
        close(&dense(&h), &weighted_hessian(&w));
        let (y, g, h) = value_gradient_and_hessian(quadratic::AD, &prep, &backend, &x).unwrap();
        assert_eq!(y, quadratic(&x));
        assert_eq!(
            g,
            gradient(quadratic::AD, NoPrep, &AutoSource::new(), &x).unwrap()
        );
        close(&dense(&h), &weighted_hessian(&w));
    }
}

#[test]
fn constants_change_from_call_to_call() {
    let backend = AutoSparse::new(AutoSource::new());
    let prep = prepare_hessian(weighted::AD.with(&[1.0; 5]), &backend, &X).unwrap();
    for w in [[1.0; 5], [0.0, 2.0, 0.0, -1.0, 3.0], [4.0; 5]] {
        let h = hessian(weighted::AD.with(&w), &prep, &backend, &X).unwrap();
        close(&dense(&h), &weighted_hessian(&w));
    }
}

#[test]
fn linear_functions_have_no_entries() {
    #[differentiable]
    fn linear(x: &[f64]) -> f64 {
        x[0] - 2.0 * x[1]
    }
    let backend = AutoSparse::new(AutoSource::new());
    let (y, g, h) = value_gradient_and_hessian(linear::AD, NoPrep, &backend, &[3.0, 1.0]).unwrap();
    assert_eq!((y, g, h.nnz(), h.shape()), (1.0, [1.0, -2.0], 0, (2, 2)));
}

/// `sigma f(x) + sum of lambda[i] g[i](x)`, with `f = sum x^4` and `g[i] = x[i] x[i + 1] - 1`.
#[differentiable]
fn lagrangian(x: &[f64], #[constant] sigma: f64, #[constant] lambda: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += sigma * x[i].powi(4);
    }
    for i in 0..lambda.len() {
        sum += lambda[i] * (x[i] * x[i + 1] - 1.0);
    }
    sum
}

#[test]
fn lagrangians_take_their_multipliers_as_constants() {
    // as interior-point codes ask for it: lower triangle by columns, structure and values apart
    let backend = AutoSparse::new(AutoSource::new())
        .storage(Storage::Columns)
        .part(Part::Lower);
    let x = [1.0, 2.0, 3.0];
    let prep = prepare_hessian(lagrangian::AD.with(0.0, &[0.0; 2]), &backend, &x).unwrap();
    let structure = prep.structure().unwrap();
    let triplets: Vec<_> = structure.layout().triplets().collect();
    assert_eq!(triplets, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]);
    assert_eq!(structure.layout().starts(), [0, 2, 4, 5]);
    let mut values = [0.0; 5];
    for (sigma, lambda) in [(1.0, [0.0, 5.0]), (0.0, [-2.0, 0.0]), (0.5, [1.0, 1.0])] {
        let f = lagrangian::AD.with(sigma, &lambda);
        hessian_values_into(f, &mut values, &prep, &backend, &x).unwrap();
        let d = |i: usize| 12.0 * sigma * x[i] * x[i];
        assert_eq!(values, [d(0), lambda[0], d(1), lambda[1], d(2)]);
    }
}

#[differentiable]
fn coupled(a: &[f64], b: f64) -> f64 {
    a[0] * a[0] * b + a[1]
}

#[test]
fn several_arguments_have_their_rows_side_by_side() {
    let backend = AutoSparse::new(AutoSource::new());
    let h = hessian(coupled::AD, NoPrep, &backend, &(&[3.0, 1.0][..], 2.0)).unwrap();
    close(
        &dense(&h),
        &ndarray::array![[4.0, 0.0, 6.0], [0.0, 0.0, 0.0], [6.0, 0.0, 0.0]],
    );
}

#[test]
fn prepared_calls_allocate_nothing() {
    for greedy in [Greedy::new(), Greedy::new().substitution()] {
        for verify in [Verify::Never, Verify::Always] {
            let backend = AutoSparse::new(AutoSource::new())
                .coloring(greedy.clone())
                .verify(verify);
            let prep = prepare_hessian(rosenbrock::AD, &backend, &X).unwrap();
            let constant = prepare_hessian(quadratic::AD, &backend, &X).unwrap();
            let mut values = vec![0.0; 16];
            let mut matrix = prep.structure().unwrap().layout().zeros();
            let ((), allocations) = count(|| {
                hessian_values_into(rosenbrock::AD, &mut values, &prep, &backend, &X).unwrap();
                hessian_into(rosenbrock::AD, &mut matrix, &prep, &backend, &X).unwrap();
                hessian_values_into(quadratic::AD, &mut values, &constant, &backend, &X).unwrap();
            });
            assert_eq!(allocations, 0, "{verify:?}");
        }
    }
}
