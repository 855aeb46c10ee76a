//! Patterns, globally and at a point.

use di::extend::{OnScalars, Scalar, Slice};
use di::prelude::*;
use di::sparse::{
    AllEntries, AutoSparse, Known, Pattern, Probe, SparsePrep, Tracing, hessian_pattern,
    jacobian_pattern, probe_hessian, probe_jacobian,
};
use di_test::compare::{assert_bitwise, assert_empty};
use di_test::parity::rows;

macro_rules! small_functions {
    ($($name:ident |$x:ident| $body:expr => $entries:expr;)*) => {
        $(
            #[differentiable]
            fn $name($x: &[f64]) -> f64 {
                $body
            }
        )*

        #[test]
        fn second_derivatives_of_small_functions_are_where_they_are() {
            let _row = rows(&[82]);
            $(
                let pattern = hessian_pattern($name::AD, &Tracing::global(), &[0.7; 4]).unwrap();
                let expected: &[(usize, usize)] = &$entries;
                let lower: Vec<_> = pattern.lower().entries().collect();
                assert_eq!(lower, expected, "{}", stringify!($body));
                let flat = |entries: &[(usize, usize)]| -> Vec<f64> {
                    entries.iter().flat_map(|(i, j)| [*i as f64, *j as f64]).collect()
                };
                same_entries(&flat(&lower), &flat(expected));
                assert!(pattern.is_symmetric());
            )*
        }
    };
}

small_functions! {
    sums |x| x[0] + x[1] * x[2] + 1.0 / x[3] => [(2, 1), (3, 3)];
    product |x| x[0] * x[1] => [(1, 0)];
    square |x| x[0] * x[0] => [(0, 0)];
    quotient |x| x[0] / x[1] => [(1, 0), (1, 1)];
    zeroth |x| x[0].powi(0) + x[1].powi(1) + x[2].powi(2) + x[3].powi(3) => [(2, 2), (3, 3)];
    linear |x| 3.0 * x[0] - x[1] / 2.0 + x[2].abs() => [];
    rounded |x| x[0].floor() * x[1] + x[2].signum() * x[3] * x[3] => [(3, 3)];
    larger |x| x[0].max(x[1] * x[2]) + x[3].min(2.0) => [(2, 1)];
    fused |x| x[0].mul_add(x[1], x[2]) + x[3].sin_cos().0 => [(1, 0), (3, 3)];
    length |x| x[0].hypot(x[1]) + x[2].atan2(2.0) => [(0, 0), (1, 0), (1, 1), (2, 2)];
    power |x| x[0].powf(x[1]) + x[2].copysign(x[3]) => [(0, 0), (1, 0), (1, 1)];
    composed |x| ((x[0] * x[1]).exp() + x[2]).sqrt()
        => [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];
    clamped |x| (x[0] * x[1]).clamp(-1.0, 1.0) + x[2].rem_euclid(3.0) => [(1, 0)];
    dead |x| { let _unused = x[0] * x[1]; x[2] * x[3] } => [(3, 2)];
}

#[differentiable]
fn gates(x: &[f64], y: &mut [f64]) {
    y[0] = x[0].max(x[1]);
    y[1] = x[0] * x[2];
    y[2] = if x[0] > x[1] { x[0] } else { x[3] };
    y[3] = x[3].clamp(-1.0, 1.0) + x[0].min(x[1]);
    y[4] = x[2] / x[0];
}

#[test]
fn a_point_says_more_than_all_points() {
    let x = [1.0, 0.5, 0.0, 2.0];
    let mut y = [0.0; 5];
    let local = jacobian_pattern(gates::AD.output(&mut y), &Tracing::local(), &x).unwrap();
    let expected = [(0, 0), (1, 2), (2, 0), (3, 1), (4, 2)];
    assert!(local.entries().eq(expected), "{local:?}");
}

/// The same on any scalar; with a selection where the other one branches.
struct Gate {
    select: bool,
}

impl OnScalars for Gate {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        if self.select {
            return vec![x[1].select_lt(x[0], x[0], x[3] * x[2])];
        }
        vec![if x[0].gt(x[1]) { x[0] } else { x[3] * x[2] }]
    }
}

#[test]
fn branches_of_generic_functions_are_errors_globally() {
    let f = di::generic(Gate { select: false });
    let error = jacobian_pattern(&f, &Tracing::global(), &[1.0; 4]).unwrap_err();
    assert!(matches!(error, di::Error::MissingPrimal(_)), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("`>`") && text.contains("`Tracing::local()`"),
        "{text}"
    );
    let backend = AutoSparse::new(AutoDual::new());
    assert!(prepare_jacobian(&f, &backend, &[1.0; 4]).is_err());
}

/// It insists on something that is not known.
struct Guarded;

impl OnScalars for Guarded {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        assert!(x[1].gt(x[0]), "in order");
        vec![x[0] * x[1]]
    }
}

#[test]
fn assertions_on_inputs_are_errors_globally() {
    let f = di::generic(Guarded);
    let error = jacobian_pattern(&f, &Tracing::global(), &[1.0, 2.0]).unwrap_err();
    assert!(matches!(error, di::Error::MissingPrimal(_)), "{error}");
    let local = jacobian_pattern(&f, &Tracing::local(), &[1.0, 2.0]).unwrap();
    assert!(local.entries().eq([(0, 0), (0, 1)]));
}

#[test]
fn selections_are_unions() {
    let f = di::generic(Gate { select: true });
    let global = jacobian_pattern(&f, &Tracing::global(), &[1.0; 4]).unwrap();
    assert!(global.entries().eq([(0, 0), (0, 2), (0, 3)]));
    let local = jacobian_pattern(&f, &Tracing::local(), &[1.0, 0.0, 1.0, 1.0]).unwrap();
    assert!(local.entries().eq([(0, 0)]));
    // the same function of floats, and of dual numbers
    for x in [[1.0, 0.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]] {
        let plain: Vec<f64> = Gate { select: true }.run(&x);
        assert_eq!(plain, [if x[0] > x[1] { x[0] } else { 6.0 }]);
        let backend = AutoSparse::new(AutoDual::new());
        let j = jacobian(&f, NoPrep, &backend, &x).unwrap();
        let row = if x[0] > x[1] {
            [1.0, 0.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, 3.0, 2.0]
        };
        super::close(
            &super::dense(&j),
            &ndarray::Array2::from_shape_fn((1, 4), |(_, k)| row[k]),
        );
    }
}

#[test]
fn branches_of_annotated_functions_are_joined() {
    let mut y = [0.0; 5];
    let f = gates::AD.output(&mut y);
    let global = jacobian_pattern(f, &Tracing::global(), &[1.0; 4]).unwrap();
    let expected = [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 0),
        (2, 3),
        (3, 0),
        (3, 1),
        (3, 3),
        (4, 0),
        (4, 2),
    ];
    assert!(global.entries().eq(expected), "{global:?}");
}

#[differentiable]
fn cached(x: &[f64], #[constant] a: f64, #[cache] buffer: &mut [f64], y: &mut [f64]) {
    for i in 0..x.len() {
        buffer[i] = a * x[i] * x[i];
    }
    for i in 1..x.len() {
        y[i - 1] = buffer[i] - buffer[i - 1];
    }
}

#[test]
fn caches_begin_empty_and_constants_do_not_count() {
    let mut y = [0.0; 3];
    // what is in the example of a cache is no input
    let f = cached::AD.with(2.0, &[9.0; 4]).output(&mut y);
    let pattern = jacobian_pattern(f, &Tracing::global(), &[1.0; 4]).unwrap();
    assert_eq!(pattern, Pattern::banded((3, 4), 0, 1).unwrap());
}

#[differentiable]
fn two(a: &[f64], b: f64) -> [f64; 2] {
    [a[0] * b, a[1]]
}

#[test]
fn several_arguments_count_one_after_the_other() {
    let x = (&[1.0, 2.0][..], 3.0);
    let pattern = jacobian_pattern(two::AD, &Tracing::global(), &x).unwrap();
    assert!(pattern.entries().eq([(0, 0), (0, 2), (1, 1)]));
}

#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += d * d;
    }
    sum
}

#[test]
fn a_million_inputs_take_less_than_200_bytes_each() {
    let x = vec![0.5; 1_000_000];
    let work = || hessian_pattern(chain::AD, &Tracing::global(), &x);
    let (pattern, allocated) = di_test::allocations::count_bytes(work);
    assert_eq!(pattern.unwrap().len(), 3 * x.len() - 2);
    let each = allocated.peak / x.len();
    assert!((1..200).contains(&each), "{each} bytes for each input");
}

/// The derivative of the first by itself is no number.
#[differentiable]
fn poles(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
    let zero = 0.0 * x[0];
    y[0] = zero.sqrt();
}

fn same_entries(found: &[f64], expected: &[f64]) {
    if expected.is_empty() {
        assert_empty("entries", found);
    } else {
        assert_bitwise("entries", found, expected);
    }
}

/// The same entries.
fn same(found: &Pattern, expected: &Pattern) {
    let flat = |pattern: &Pattern| -> Vec<f64> {
        let entries = pattern.entries();
        entries.flat_map(|(i, j)| [i as f64, j as f64]).collect()
    };
    same_entries(&flat(found), &flat(expected));
}

#[test]
fn probing_finds_what_does_not_vanish() {
    let _row = rows(&[80]);
    let n = 21;
    let x: Vec<f64> = (0..n).map(|i| 1.5 + (i as f64).sin()).collect();
    for probe in [Probe::direct, Probe::iterative] {
        let tridiagonal = Pattern::banded((n, n), 1, 1).unwrap();
        let found = probe_hessian(chain::AD, &AutoDual::new(), &x, probe(0.0)).unwrap();
        same(found.pattern(), &tridiagonal);
        let found = probe_hessian(chain::AD, &AutoTape::new(), &x, probe(0.0)).unwrap();
        same(found.pattern(), &tridiagonal);
        // none is larger than this
        let found = probe_hessian(chain::AD, &AutoDual::new(), &x, probe(4.0)).unwrap();
        same(found.pattern(), &Pattern::from_entries((n, n), []).unwrap());
        // differences are never zero to the last digit
        let f =
            || di::closure(|x: &[f64]| (0..12).map(|i| x[i] * x[(i * i) % 21]).collect::<Vec<_>>());
        let entries = (0..12).flat_map(|i| [(i, i), (i, (i * i) % n)]);
        let expected = Pattern::from_entries((12, n), entries).unwrap();
        let found = probe_jacobian(f(), &AutoFiniteDiff::new(), &x, probe(1e-6)).unwrap();
        same(found.pattern(), &expected);
        // by rows, into an output, and what is not a number is an entry: also in rows whose adjoint, which is zero,
        // meets the pole
        let mut y = vec![0.0; n];
        let f = poles::AD.output(&mut y);
        let found = probe_jacobian(f, &AutoSource::new().reverse(), &x, probe(1e-6)).unwrap();
        let entries = (0..n).flat_map(|i| [(i, i), (i, 0)]);
        let expected = Pattern::from_entries((n, n), entries).unwrap();
        same(found.pattern(), &expected);
        let known = AutoSparse::new(AutoSource::new()).detector(found);
        let f = poles::AD.output(&mut y);
        assert_eq!(jacobian(f, NoPrep, &known, &x).unwrap().nnz(), 2 * n - 1);
    }
}

#[test]
fn known_patterns_have_a_size_and_a_kind() {
    let _row = rows(&[76]);
    let sizes =
        AutoSparse::new(AutoSource::new()).detector(Known::hessian(Pattern::diagonal(4).unwrap()));
    let error = prepare_hessian(chain::AD, &sizes, &[0.0; 3]).unwrap_err();
    assert!(
        error.to_string().contains("3 by 3, found 4 by 4"),
        "{error}"
    );
    let kind =
        AutoSparse::new(AutoSource::new()).detector(Known::jacobian(Pattern::diagonal(3).unwrap()));
    let error = prepare_hessian(chain::AD, &kind, &[0.0; 3]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a Hessian, found that of a Jacobian"),
        "{error}"
    );
    let all = AutoSparse::new(AutoSource::new()).detector(AllEntries);
    let prep = prepare_hessian(chain::AD, &all, &[0.0; 3]).unwrap();
    assert_eq!(prep.structure().unwrap().sparsity_pattern().len(), 9);
    let h = hessian(chain::AD, &prep, &all, &[1.0, 2.0, 3.0]).unwrap();
    let by_hand = ndarray::array![[2.0, -2.0, 0.0], [-2.0, 4.0, -2.0], [0.0, -2.0, 2.0]];
    super::close(&super::dense(&h), &by_hand);
    assert_eq!(h.data(), [2.0, -2.0, 0.0, -2.0, 4.0, -2.0, 0.0, -2.0, 2.0]);
}

/// Three numbers, many steps.
#[differentiable]
fn orbit(x: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (x[0], x[1], x[2]);
    for _ in 0..20_000 {
        let (da, db, dc) = (b - a, a * (1.0 - c) - b, a * b - c);
        a += 0.01 * da;
        b += 0.01 * db;
        c += 0.01 * dc;
    }
    a + b + c
}

/// A hundred numbers, all of which soon depend on each other, for a while.
#[differentiable]
fn diffusion(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let mut u = x.to_vec();
    for _ in 0..200 {
        for i in 0..n {
            let left = u[(i + n - 1) % n];
            u[i] = 0.5 * (u[i] + left * left);
        }
    }
    for i in 0..n {
        y[i] = u[i];
    }
}

#[test]
fn long_programs_on_few_numbers_do_not_take_the_square_of_their_length() {
    let start = std::time::Instant::now();
    let pattern = hessian_pattern(orbit::AD, &Tracing::global(), &[0.1; 3]).unwrap();
    assert_eq!(pattern.len(), 9);
    let mut y = vec![0.0; 100];
    let pattern = jacobian_pattern(
        diffusion::AD.output(&mut y),
        &Tracing::global(),
        &[0.1; 100],
    );
    assert_eq!(pattern.unwrap().len(), 100 * 100);
    // the square would be hours
    assert!(start.elapsed().as_secs() < 60);
}
