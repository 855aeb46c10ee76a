//! Random programs under rustc: all generated forms, `gradient`, `hvp` and `hessian` by source code, by duals and by
//! a tape, two lanes, first and second order, against each other and against differences.
//!
//! One function calls the program of a seed, so that operators are compiled once for all of them.

#![allow(warnings, clippy::all, reason = "the programs are random")]

use di::prelude::*;
use di::sparse::{
    AutoSparse, Known, Notation, Pattern, Tracing, hessian_pattern, jacobian_pattern,
};
use di_test::differences::is_smooth;

/// The gradients of one preparation at some points, the first of them again and again: as without preparation, and
/// those of reverse mode. `exact`: bit by bit, which a tape that was made shorter is not.
macro_rules! prepared_once {
    ($f:ident, $points:ident, $backend:expr, exact: $exact:expr) => {{
        let (backend, z, exact) = ($backend, &$points[0], $exact);
        let prep = prepare_gradient($f, &backend, z).expect("a slice of numbers");
        let second = prepare_hvp($f, &backend, z, z).expect("a slice of numbers");
        let mut again = Vec::new();
        for other in &$points {
            for at in [z, other] {
                let what = format!("by {backend:?} at {at:?}, prepared at {z:?}");
                let fresh = gradient($f, NoPrep, &backend, at).expect("fits");
                let mut found = vec![f64::NAN; 14];
                gradient_into($f, &mut found, &prep, &backend, at).expect("fits");
                close(&what, &found, &fresh);
                if exact {
                    assert_eq!(bits(&found), bits(&fresh), "{what}");
                }
                let source = AutoSource::new();
                close(
                    &what,
                    &found,
                    &gradient($f, NoPrep, &source, at).expect("fits"),
                );
                let dense = hvp($f, NoPrep, &source, at, z).expect("fits");
                let found = hvp($f, &second, &backend, at, z).expect("fits");
                close(&format!("hvp {what}"), &found, &dense);
                if std::ptr::eq(at, z) {
                    again.push(bits(&found));
                }
            }
        }
        let same = again.iter().all(|g| *g == again[0]);
        assert!(same || !exact, "the same point again");
    }};
}

/// Equal but for rounding, in numbers as large as the finite ones of these; an infinity equals itself, and NaN NaN.
/// Beside an entry that is not finite an engine that goes forward may have NaN (docs/limits.md, singular points).
fn close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let finite = expected.iter().filter(|b| b.is_finite());
    let size = finite.fold(1.0_f64, |a, b| a.max(b.abs()));
    let at_pole = expected.iter().any(|b| !b.is_finite());
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let same = a == b || (a.is_nan() && (b.is_nan() || at_pole));
        assert!(
            same || (a - b).abs() <= 1e-10 * size,
            "{what}, {k}: {a}, {b}"
        );
    }
}

#[test]
#[should_panic(expected = "gradient, 1: 1, 2")]
fn infinity_excuses_no_other_entry() {
    close("gradient", &[f64::INFINITY, 1.0], &[f64::INFINITY, 2.0]);
}

#[test]
#[should_panic(expected = "gradient, 1: 1, 2")]
fn nan_excuses_no_other_entry() {
    close("gradient", &[f64::NAN, 1.0], &[f64::NAN, 2.0]);
}

#[test]
#[should_panic(expected = "gradient, 0: 1, NaN")]
fn nan_is_expected_where_it_is() {
    close("gradient", &[1.0], &[f64::NAN]);
}

#[test]
#[should_panic(expected = "0 0: 1, inf")]
fn infinite_entries_of_a_matrix_are_compared() {
    let mut sparse = di::sparse::Matrix::zero((1, 1));
    sparse.insert(0, 0, 1.0);
    near(&sparse, &di::Matrix::from([[f64::INFINITY]]));
}

/// Checks a program, a function of 14 numbers, at the first point that is smooth.
fn check(seed: usize) {
    let mut random = Random(seed as u64);
    let plain = |z: &[f64]| any(z, seed);
    let point = (0..20).find_map(|_| {
        let z: Vec<f64> = (0..14).map(|_| 1.2 * random.next() + 0.4).collect();
        is_smooth(|z| vec![plain(z)], &z, STEP).then_some(z)
    });
    let z = point.expect("smooth somewhere");
    di_test::scalar!(any::AD.with(seed), plain)
        .step(STEP)
        .check(&[&z]);
    let mut points = vec![z];
    points.extend((0..4).map(|_| (0..14).map(|_| 1.2 * random.next() + 0.4).collect()));
    let f = any::AD.with(seed);
    prepared_once!(f, points, AutoSource::new(), exact: true);
    prepared_once!(f, points, AutoSource::new().forward(), exact: true);
    prepared_once!(f, points, AutoTape::new(), exact: false);
}

/// Patterns at many points, over whatever arms they take: what dense derivatives have is in the local pattern, and
/// that in the global one, unless an index depends on a branch; sparse Hessians are the dense ones.
fn cover(seed: usize) {
    let f = any::AD.with(seed);
    let mut random = Random(seed as u64);
    let dense = AutoSource::new();
    let mut at = vec![0.0; 14];
    // sets and bits find the same, or the same error
    let first_of = |detector: Tracing, at: &Vec<f64>| {
        let sets = jacobian_pattern(f, &detector.notation(Notation::Sets), at);
        let bits = jacobian_pattern(f, &detector.notation(Notation::Bits), at);
        assert_eq!(sets, bits, "{detector:?}");
        bits
    };
    let global = Global::of(
        first_of(Tracing::global(), &at),
        hessian_pattern(f, &Tracing::global(), &at),
    );
    for _ in 0..24 {
        at.iter_mut().for_each(|z| *z = 2.0 * random.next());
        let g = gradient(f, NoPrep, &dense, &at).unwrap();
        let first = first_of(Tracing::local(), &at).unwrap();
        for (j, value) in g.iter().enumerate() {
            assert!(*value == 0.0 || value.is_nan() || first.contains(0, j));
        }
        let h = hessian(f, NoPrep, &dense, &at).unwrap();
        let second = hessian_pattern(f, &Tracing::local(), &at).unwrap();
        for ((i, j), value) in h.indexed_iter() {
            assert!(
                *value == 0.0 || value.is_nan() || second.contains(i, j),
                "{i} {j}: {value}"
            );
        }
        let local = AutoSparse::new(dense.clone()).detector(Tracing::local());
        check_sparse(hessian(f, NoPrep, &local, &at), &h);
        if let Some(global) = &global {
            assert!(global.first.covers(&first));
            assert!(global.second.covers(&second));
            let known = Known::hessian(global.second.clone());
            let known = AutoSparse::new(dense.clone()).detector(known);
            check_sparse(hessian(f, NoPrep, &known, &at), &h);
        }
    }
    println!("global: {}", global.is_some());
}

/// A sparse Hessian is the dense one, or an error where an entry that is not finite leaves nothing to verify.
fn check_sparse(found: Result<di::sparse::Matrix, di::Error>, dense: &di::Matrix) {
    match found {
        Ok(found) => near(&found, dense),
        Err(error) => {
            let unverified = format!("{error:?}").contains("Unverified");
            let at_pole = dense.iter().any(|v| !v.is_finite());
            assert!(unverified && at_pole, "{error}");
        }
    }
}

/// Patterns that hold at every point.
struct Global {
    first: Pattern,
    second: Pattern,
}

impl Global {
    /// Nothing if an integer that inputs decide has to be known.
    fn of(first: Result<Pattern, di::Error>, second: Result<Pattern, di::Error>) -> Option<Self> {
        match (first, second) {
            (Ok(first), Ok(second)) => Some(Global { first, second }),
            (Err(di::Error::MissingPrimal(_)), Err(di::Error::MissingPrimal(_))) => None,
            (first, second) => panic!("expected two patterns, found {first:?} and {second:?}"),
        }
    }
}

/// A sparse matrix against a dense one.
fn near(sparse: &di::sparse::Matrix, dense: &di::Matrix) {
    for ((i, j), value) in dense.indexed_iter() {
        let found = sparse.get(i, j).copied().unwrap_or(0.0);
        let bound = 1e-9 * (1.0 + value.abs());
        // infinite ones have no difference
        let same = found == *value || (found.is_nan() && value.is_nan());
        let is_near = same || (value.is_finite() && (found - value).abs() <= bound);
        assert!(is_near, "{i} {j}: {found}, {value}");
    }
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

const STEP: f64 = 1e-3;

/// Numbers between -1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        for _ in 0..3 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
        }
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));
