//! Random programs: patterns contain all entries that dense derivatives have, and sparse results are the dense ones.

use di::Matrix;
use di::extend::{OnScalars, Scalar, Slice};
use di::prelude::*;
use di::sparse::{
    AutoSparse, Notation, Pattern, Tracing, Verify, hessian_pattern, jacobian_pattern,
};
use di_test::parity::rows;

use super::{close, dense};

/// A straight program: each step makes a number of two that are there.
#[derive(Clone, Debug)]
struct Program {
    steps: Vec<(u64, usize, usize)>,
    outputs: Vec<usize>,
}

impl Program {
    fn random(seed: u64, inputs: usize) -> Program {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state >> 20) % n as u64) as usize
        };
        let count = 3 + next(3 * inputs);
        let steps = (0..count).map(|k| (next(17) as u64, next(inputs + k), next(inputs + k)));
        let steps: Vec<_> = steps.collect();
        let outputs = (0..1 + next(inputs))
            .map(|_| next(inputs + count))
            .collect();
        Program { steps, outputs }
    }

    fn values<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        let mut v = x.to_vec();
        for &(operation, a, b) in &self.steps {
            let (a, b) = (v[a], v[b]);
            v.push(match operation {
                0 | 1 => a + b,
                2 => a - b,
                3 | 4 => (a * b).mul_real(0.5),
                5 => a / (b * b).add_real(1.5),
                6 => a.sin(),
                7 => a.tanh(),
                8 => a.max(b),
                9 => a.min(b.mul_real(0.3)),
                10 => a.abs(),
                11 => a.floor() * b,
                12 => a.powi(2).sqrt(),
                13 => a.mul_add(b, a),
                14 => a.hypot(b.add_real(2.0)),
                15 => a.copysign(b),
                _ => S::real_sub(1.0, a),
            });
        }
        v
    }
}

struct Vectors(Program);

impl OnScalars for Vectors {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        let v = self.0.values(x);
        self.0.outputs.iter().map(|at| v[*at]).collect()
    }
}

struct Numbers(Program);

impl OnScalars for Numbers {
    type Real = f64;
    type X = Slice;
    type Y = di::extend::Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        let v = self.0.values(x);
        self.0
            .outputs
            .iter()
            .fold(S::default(), |sum, at| sum + v[*at])
    }
}

fn points(n: usize, seed: u64) -> impl Iterator<Item = Vec<f64>> {
    (0..3).map(move |k| {
        let at = |i| ((i * 7 + 3) as f64 * 0.37 + (k + 1) as f64 * 0.51 + seed as f64 * 0.13).sin();
        (0..n).map(at).collect()
    })
}

/// Dense derivatives have NaN beside an entry that is not finite, where a direction that is zero meets it: the pattern
/// knows better.
fn without_strays(dense: &Matrix, pattern: &Pattern) -> Matrix {
    Matrix::from_fn(dense.shape(), |i, j| match dense[[i, j]] {
        value if value.is_nan() && !pattern.contains(i, j) => 0.0,
        value => value,
    })
}

#[test]
fn no_entry_is_missed_and_results_are_the_dense_ones() {
    let _row = rows(&[77, 79, 81]);
    let backend = AutoSparse::new(AutoDual::new()).verify(Verify::Never);
    let local = backend.clone().detector(Tracing::local());
    for seed in 0..300 {
        let n = 2 + seed as usize % 9;
        let program = Program::random(seed + 1, n);
        let f = di::generic(Vectors(program.clone()));
        let g = di::generic(Numbers(program));
        for x in points(n, seed) {
            let global = jacobian_pattern(&f, &Tracing::global(), &x).unwrap();
            let here = jacobian_pattern(&f, &Tracing::local(), &x).unwrap();
            assert!(global.covers(&here), "program {seed}");
            let whole = jacobian(&f, NoPrep, &AutoDual::new(), &x).unwrap();
            let expected = without_strays(&whole, &here);
            for (entry, value) in expected.indexed_iter() {
                let found = here.contains(entry.0, entry.1);
                assert!(*value == 0.0 || found, "program {seed}: {entry:?}");
            }
            close(
                &dense(&jacobian(&f, NoPrep, &backend, &x).unwrap()),
                &without_strays(&whole, &global),
            );
            close(
                &dense(&jacobian(&f, NoPrep, &local, &x).unwrap()),
                &expected,
            );
            let global = hessian_pattern(&g, &Tracing::global(), &x).unwrap();
            let here = hessian_pattern(&g, &Tracing::local(), &x).unwrap();
            assert!(global.covers(&here), "program {seed}");
            let whole = hessian(&g, NoPrep, &AutoDual::new(), &x).unwrap();
            let expected = without_strays(&whole, &here);
            for (entry, value) in expected.indexed_iter() {
                let found = here.contains(entry.0, entry.1);
                assert!(
                    *value == 0.0 || found,
                    "program {seed}: Hessian {entry:?} is {value}"
                );
            }
            close(
                &dense(&hessian(&g, NoPrep, &backend, &x).unwrap()),
                &without_strays(&whole, &global),
            );
            close(&dense(&hessian(&g, NoPrep, &local, &x).unwrap()), &expected);
        }
    }
}

#[test]
fn bits_find_what_sets_find() {
    // up to three runs of bits, and all outputs of few or of many steps
    for seed in 0..200 {
        let n = 1 + seed as usize * 61 % 300;
        let f = di::generic(Vectors(Program::random(seed + 1000, n)));
        for x in points(n, seed) {
            for detector in [Tracing::global(), Tracing::local()] {
                let sets = jacobian_pattern(&f, &detector.notation(Notation::Sets), &x).unwrap();
                let bits = jacobian_pattern(&f, &detector.notation(Notation::Bits), &x).unwrap();
                assert_eq!(sets, bits, "program {seed}, {detector:?}");
            }
        }
    }
}
