//! Random programs under rustc: all generated forms, `gradient`, `hvp` and `hessian` by source code and by
//! duals, two lanes, first and second order, against each other and against differences.

#![allow(warnings, clippy::all, reason = "the programs are random")]

use di::prelude::*;
use di::sparse::{AutoSparse, Known, Pattern, Tracing, hessian_pattern, jacobian_pattern};
use di_test::differences::is_smooth;

/// Checks a function of 14 numbers at the first point that is smooth.
macro_rules! check {
    ($f:ident, $seed:literal) => {{
        let mut random = crate::Random($seed);
        let point = (0..20).find_map(|_| {
            let z: Vec<f64> = (0..14).map(|_| 1.2 * random.next() + 0.4).collect();
            is_smooth(|z| vec![$f(z)], &z, STEP).then_some(z)
        });
        match point {
            Some(z) => {
                di_test::scalar!($f).step(STEP).check(&[&z]);
                prepared_once!($f, random, z);
            }
            None => panic!("smooth nowhere"),
        }
    }};
}

/// Patterns at many points, over whatever arms they take: what dense derivatives have is in the local pattern, and
/// that in the global one, unless an index depends on a branch; sparse Hessians are the dense ones.
macro_rules! cover {
    ($f:ident, $seed:literal) => {{
        let mut random = crate::Random($seed);
        let dense = AutoSource::new();
        let mut at = vec![0.0; 14];
        let global = Global::of(
            jacobian_pattern($f::AD, &Tracing::global(), &at),
            hessian_pattern($f::AD, &Tracing::global(), &at),
        );
        for _ in 0..24 {
            at.iter_mut().for_each(|z| *z = 2.0 * random.next());
            let g = gradient($f::AD, NoPrep, &dense, &at).unwrap();
            let first = jacobian_pattern($f::AD, &Tracing::local(), &at).unwrap();
            for (j, value) in g.iter().enumerate() {
                assert!(*value == 0.0 || value.is_nan() || first.contains(0, j));
            }
            let h = hessian($f::AD, NoPrep, &dense, &at).unwrap();
            let second = hessian_pattern($f::AD, &Tracing::local(), &at).unwrap();
            for ((i, j), value) in h.indexed_iter() {
                assert!(
                    *value == 0.0 || value.is_nan() || second.contains(i, j),
                    "{i} {j}: {value}"
                );
            }
            let local = AutoSparse::new(dense.clone()).detector(Tracing::local());
            near(&hessian($f::AD, NoPrep, &local, &at).unwrap(), &h);
            if let Some(global) = &global {
                assert!(global.first.covers(&first));
                assert!(global.second.covers(&second));
                let known = Known::hessian(global.second.clone());
                let known = AutoSparse::new(dense.clone()).detector(known);
                near(&hessian($f::AD, NoPrep, &known, &at).unwrap(), &h);
            }
        }
        println!("global: {}", global.is_some());
    }};
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
fn near(sparse: &di::sparse::Matrix, dense: &ndarray::Array2<f64>) {
    for ((i, j), value) in dense.indexed_iter() {
        let found = sparse.get(i, j).copied().unwrap_or(0.0);
        let bound = 1e-9 * (1.0 + value.abs());
        assert!(
            (found - value).abs() <= bound || value.is_nan(),
            "{i} {j}: {found}, {value}"
        );
    }
}

/// One preparation serves points on other branches, and results that hold anything.
macro_rules! prepared_once {
    ($f:ident, $random:ident, $z:ident) => {
        for backend in [AutoSource::new(), AutoSource::new().forward()] {
            let prep = prepare_gradient($f::AD, &backend, &$z).expect("a slice of numbers");
            let mut again = Vec::new();
            for _ in 0..4 {
                let other: Vec<f64> = (0..14).map(|_| 1.2 * $random.next() + 0.4).collect();
                for at in [&$z, &other] {
                    let fresh = gradient($f::AD, NoPrep, &backend, at).expect("fits");
                    let mut found = vec![f64::NAN; 14];
                    gradient_into($f::AD, &mut found, &prep, &backend, at).expect("fits");
                    assert_eq!(bits(&found), bits(&fresh), "prepared at another point");
                    if at == &$z {
                        again.push(bits(&found));
                    }
                }
            }
            assert!(again.iter().all(|g| *g == again[0]), "the same point again");
        }
    };
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
