//! Functions that panic somewhere in an operator: the calls after it are those of a fresh prep.
//!
//! A fuse burns down by one at some places of each function. It is as long as all that an operator passes, from
//! nothing up to 40 evaluations.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::cell::RefCell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use di::prelude::*;
use di::sparse::{
    AutoSparse, Greedy, MixedMode, Partition, Verify, prepare_hessian_team, prepare_jacobian_team,
};
use di::{
    AnyBackend, AutoComplexStep, AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSymbolic,
    AutoTaylor, BACKENDS, Capabilities, Error, Matrix,
};
use di_test::compare::{ROUNDING, Tolerance, assert_close};

/// More than there are lanes.
const N: usize = 11;
/// Places in an evaluation where the fuse burns.
const PLACES: isize = 3;
/// Evaluations that are interrupted.
const EVALUATIONS: isize = 40;
/// An example of a cache.
const ROOM: [f64; N] = [0.0; N];

/// What is left of the fuse; less than nothing if it is out. One for all threads of a team.
static FUSE: AtomicIsize = AtomicIsize::new(-1);

/// There is one fuse.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Zero, or a panic without a message.
fn burn() -> f64 {
    if FUSE.fetch_sub(1, Ordering::Relaxed) == 0 {
        resume_unwind(Box::new("the fuse"));
    }
    0.0
}

#[differentiable]
fn energy(x: &[f64], #[constant] data: &[f64], #[cache] r: &mut [f64]) -> f64 {
    let mut kept = vec![0.0; x.len()];
    let mut sum = 0.0;
    for i in 0..x.len() {
        if i % 5 == 0 {
            sum += passive(burn());
        }
        r[i] = data[i] * x[i];
        kept[i] = r[i].sin() * x[(i + 1) % x.len()];
        if x[i] > 0.5 {
            kept[i] *= x[i];
        }
        sum += square(kept[i]);
    }
    sum + kept[0] * kept[x.len() - 1]
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

/// An arrow and a band: columns and rows that are full.
#[differentiable]
fn field(x: &[f64], #[constant] data: &[f64], #[cache] r: &mut [f64], y: &mut [f64]) {
    for i in 0..y.len() {
        if i % 5 == 0 {
            y[i] += passive(burn());
        }
        r[i] = data[i] * x[i];
        y[0] += r[i] * x[i];
        y[i] += if x[i] > 0.5 { r[i] * x[0] } else { r[i] + x[0] };
        if i > 0 {
            y[i] += x[i - 1] * x[i];
        }
    }
}

fn field_jacobian(x: &[f64], data: &[f64]) -> Vec<f64> {
    let mut j = Matrix::zeros((N, N));
    for i in 0..N {
        j[[0, i]] += 2.0 * data[i] * x[i];
        let (by_own, by_first) = if x[i] > 0.5 {
            (data[i] * x[0], data[i] * x[i])
        } else {
            (data[i], 1.0)
        };
        j[[i, i]] += by_own;
        j[[i, 0]] += by_first;
        if i > 0 {
            j[[i, i - 1]] += x[i];
            j[[i, i]] += x[i - 1];
        }
    }
    j.iter().copied().collect()
}

#[differentiable]
fn listed(x: &[f64], #[constant] data: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        if i % 5 == 0 {
            y[i] += passive(burn());
        }
        y[i] += data[i] * x[i] * x[(i + 1) % x.len()].sin();
    }
    y
}

#[differentiable]
fn curve(t: f64, #[constant] data: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = (data[i] * t).sin() + passive(burn());
        if t > 0.5 {
            y[i] *= t;
        }
    }
}

struct Case {
    x: Vec<f64>,
    data: Vec<f64>,
}

/// The one that panics, which takes other branches and has other data than the second, and those that follow.
fn cases() -> [Case; 4] {
    [(0.9, 2.0), (0.1, 1.0), (0.4, 3.0), (0.8, 1.0)].map(|(shift, scale)| {
        let wave = |i: usize| ((i * i) as f64 * 0.7 + shift).sin();
        Case {
            x: (0..N).map(|i| 0.5 * wave(i) + shift).collect(),
            data: (0..N).map(|i| scale + 0.3 * wave(i + 3)).collect(),
        }
    })
}

macro_rules! energy {
    ($case:expr) => {
        energy::AD.with(&$case.data, &ROOM)
    };
}

macro_rules! field {
    ($case:expr, $y:expr) => {
        field::AD.with(&$case.data, &ROOM).output($y)
    };
}

macro_rules! curve {
    ($case:expr, $y:expr) => {
        curve::AD.with(&$case.data).output($y)
    };
}

/// Runs what is prepared with each length of the fuse, and compares the calls that follow.
fn survives<P>(
    what: impl Display,
    make: impl Fn(&Case) -> Result<P, Error>,
    copy: impl Fn(&P) -> Option<P>,
    call: impl Fn(&P, &Case) -> Result<Vec<f64>, Error>,
) {
    let cases = cases();
    let [panicking, first, ..] = &cases;
    let made = || make(first).unwrap();
    let expected: Vec<_> = cases.iter().map(|c| call(&made(), c).unwrap()).collect();
    let check = |prep: &P, when: &str, fuse| {
        for k in [1, 2, 3] {
            let text = format!("{what}, call {k} {when}, fuse of {fuse}");
            let found = call(prep, &cases[k]).unwrap();
            assert_close(&text, &found, &expected[k], ROUNDING);
        }
    };
    let mut burnt = 0;
    for fuse in 0..EVALUATIONS * PLACES {
        let prep = made();
        if fuse % 2 == 1 {
            call(&prep, first).unwrap();
        }
        FUSE.store(fuse, Ordering::Relaxed);
        let ended = catch_unwind(AssertUnwindSafe(|| call(&prep, panicking)));
        FUSE.store(-1, Ordering::Relaxed);
        let copied = copy(&prep);
        check(&prep, "after a panic", fuse);
        if let Some(copied) = copied {
            check(&copied, "of a copy", fuse);
        }
        if let Ok(found) = ended {
            assert_close(
                &format!("{what}, uninterrupted"),
                &found.unwrap(),
                &expected[0],
                ROUNDING,
            );
            break;
        }
        burnt += 1;
    }
    assert!(burnt > 0, "{what}: nothing was interrupted");
}

/// A prep, and how it is called.
macro_rules! prepared {
    ($backend:expr, $what:literal: |$c:ident| $make:expr, |$p:ident| $call:expr) => {
        survives(
            format_args!("{:?}: {}", $backend, $what),
            |$c: &Case| $make,
            |prep| Some(prep.clone()),
            |$p, $c: &Case| Ok($call),
        )
    };
}

/// All entries of a matrix.
fn flat(j: impl IntoIterator<Item = f64>) -> Vec<f64> {
    j.into_iter().collect()
}

/// Tangents or adjoints: more than a pair, and more than there are lanes.
fn directions<const B: usize>() -> [Vec<f64>; B] {
    std::array::from_fn(|k| (0..N).map(|i| ((i + 3 * k) as f64).cos()).collect())
}

/// Up to the accuracy of the backend.
fn is_that_of_the_field(j: Vec<f64>, case: &Case, backend: &impl Capabilities) {
    let accuracy = backend.accuracy(di::Operator::Jacobian);
    let tolerance = Tolerance {
        relative: accuracy,
        absolute: accuracy,
    };
    let expected = field_jacobian(&case.x, &case.data);
    assert_close(backend.name(), &j, &expected, tolerance);
}

fn engines() -> impl Iterator<Item = AnyBackend> {
    let listed = BACKENDS.iter().map(|listed| (listed.make)());
    let more = [
        AnyBackend::Tape(AutoTape::eager()),
        AnyBackend::Dual(AutoDual::new().chunk(3)),
    ];
    listed.chain(more).filter(|b| b.name() != "NoAutoDiff")
}

#[test]
fn first_order() {
    let _alone = alone();
    for b in engines() {
        prepared!(b, "gradient": |c| prepare_gradient(energy!(c), &b, &c.x),
            |p| gradient(energy!(c), p, &b, &c.x)?);
        prepared!(b, "value and gradient": |c| prepare_gradient(energy!(c), &b, &c.x), |p| {
            let (y, mut g) = value_and_gradient(energy!(c), p, &b, &c.x)?;
            g.push(y);
            g
        });
        survives(
            format_args!("{b:?}: jacobian"),
            |c| prepare_jacobian(field!(c, &mut [0.0; N]), &b, &c.x),
            |prep| Some(prep.clone()),
            |p, c| Ok(flat(jacobian(field!(c, &mut [0.0; N]), p, &b, &c.x)?)),
        );
        let [_, c, ..] = &cases();
        let j = jacobian(field!(c, &mut [0.0; N]), NoPrep, &b, &c.x).unwrap();
        is_that_of_the_field(flat(j), c, &b);
        prepared!(b, "jacobian of what is returned":
            |c| prepare_jacobian(listed::AD.with(&c.data), &b, &c.x),
            |p| flat(jacobian(listed::AD.with(&c.data), p, &b, &c.x)?));
        let v = directions::<3>();
        prepared!(b, "pushforward":
            |c| prepare_pushforward(field!(c, &mut [0.0; N]), &b, &c.x, &v),
            |p| pushforward(field!(c, &mut [0.0; N]), p, &b, &c.x, &v)?.concat());
        let v = directions::<9>();
        prepared!(b, "pullback":
            |c| prepare_pullback(field!(c, &mut [0.0; N]), &b, &c.x, &v),
            |p| pullback(field!(c, &mut [0.0; N]), p, &b, &c.x, &v)?.concat());
        prepared!(b, "derivative":
            |c| prepare_derivative(curve!(c, &mut [0.0; 3]), &b, &c.x[0]),
            |p| derivative(curve!(c, &mut [0.0; 3]), p, &b, &c.x[0])?.to_vec());
    }
}

#[test]
fn second_order() {
    let _alone = alone();
    for b in engines() {
        prepared!(b, "second derivative":
            |c| prepare_second_derivative(curve!(c, &mut [0.0; 3]), &b, &c.x[0]),
            |p| second_derivative(curve!(c, &mut [0.0; 3]), p, &b, &c.x[0])?.to_vec());
        let v = directions::<3>();
        prepared!(b, "hvp": |c| prepare_hvp(energy!(c), &b, &c.x, &v),
            |p| hvp(energy!(c), p, &b, &c.x, &v)?.concat());
        prepared!(b, "gradient and hvp": |c| prepare_hvp(energy!(c), &b, &c.x, &v), |p| {
            let (g, products) = gradient_and_hvp(energy!(c), p, &b, &c.x, &v)?;
            [g, products.concat()].concat()
        });
        prepared!(b, "hessian": |c| prepare_hessian(energy!(c), &b, &c.x),
            |p| flat(hessian(energy!(c), p, &b, &c.x)?));
        prepared!(b, "diagonal": |c| prepare_hessian_diagonal(energy!(c), &b, &c.x),
            |p| hessian_diagonal(energy!(c), p, &b, &c.x)?);
    }
}

#[test]
fn two_engines() {
    let _alone = alone();
    macro_rules! check {
        ($outer:expr, $inner:expr) => {
            let (b, v) = (SecondOrder::new($outer, $inner), directions::<3>());
            prepared!(b, "hvp": |c| prepare_hvp(energy!(c), &b, &c.x, &v),
                |p| hvp(energy!(c), p, &b, &c.x, &v)?.concat());
            prepared!(b, "hessian": |c| prepare_hessian(energy!(c), &b, &c.x),
                |p| flat(hessian(energy!(c), p, &b, &c.x)?));
        };
    }
    check!(AutoDual::new(), AutoTape::new());
    check!(AutoTape::new(), AutoSource::new());
    check!(AutoSymbolic::new(), AutoDual::new());
    check!(AutoComplexStep::new(), AutoSource::new());
    check!(AutoFiniteDiff::new(), AutoSource::new().forward());
}

#[test]
fn derived_operators() {
    let _alone = alone();
    macro_rules! check {
        ($backend:expr) => {
            let (b, v) = ($backend, directions::<9>());
            prepared!(b, "gradient": |c| prepare_gradient(energy!(c), &b, &c.x),
                |p| gradient(energy!(c), p, &b, &c.x)?);
            prepared!(b, "jacobian":
                |c| prepare_jacobian(field!(c, &mut [0.0; N]), &b, &c.x),
                |p| flat(jacobian(field!(c, &mut [0.0; N]), p, &b, &c.x)?));
            prepared!(b, "pushforward":
                |c| prepare_pushforward(field!(c, &mut [0.0; N]), &b, &c.x, &v),
                |p| pushforward(field!(c, &mut [0.0; N]), p, &b, &c.x, &v)?.concat());
            prepared!(b, "pullback":
                |c| prepare_pullback(field!(c, &mut [0.0; N]), &b, &c.x, &v),
                |p| pullback(field!(c, &mut [0.0; N]), p, &b, &c.x, &v)?.concat());
        };
    }
    check!(AutoForwardFromPrimitive(AutoSource::new()));
    check!(AutoReverseFromPrimitive(AutoSource::new()));
}

#[test]
fn series_points_and_threads() {
    let _alone = alone();
    let b = AutoTaylor::new();
    prepared!(b, "series":
        |c| prepare_taylor_coefficients(energy!(c), 4, &b, &c.x),
        |p| taylor_coefficients(energy!(c), 4, p, &b, &c.x, &directions::<1>()[0])?);
    let b = AutoSource::new().forward();
    prepared!(b, "many points": |c| prepare_gradient(energy!(c), &b, &c.x), |p| {
        let points = [&c.x, &c.data, &c.x];
        at_points(p, &points, 2, |p, x| gradient(energy!(c), p, &b, *x))?.concat()
    });
    for b in [AutoSource::new(), AutoSource::new().forward()] {
        survives(
            format_args!("{b:?}: team"),
            |c| {
                Ok(RefCell::new(prepare_team(
                    listed::AD.with(&c.data),
                    &b,
                    &c.x,
                    3,
                )?))
            },
            |_| None,
            |p, c| {
                Ok(flat(
                    p.borrow_mut().jacobian(listed::AD.with(&c.data), &c.x)?,
                ))
            },
        );
    }
    // the function runs anew for each product
    let c = &cases()[1];
    let b = AutoDual::new();
    survives(
        "linear map",
        |_| Ok(linearize(listed::AD.with(&c.data), &b, &c.x)?.1),
        |_| None,
        |p, _| p.pushforward(&directions::<1>()[0]),
    );
}

macro_rules! sparse {
    ($backend:expr) => {
        let b = $backend;
        survives(
            format_args!("{b:?}: sparse jacobian"),
            |c| prepare_jacobian(field!(c, &mut [0.0; N]), &b, &c.x),
            |prep| Some(prep.clone()),
            |p, c| {
                Ok(flat(
                    jacobian(field!(c, &mut [0.0; N]), p, &b, &c.x)?.to_dense(),
                ))
            },
        );
        let [_, c, ..] = &cases();
        let j = jacobian(field!(c, &mut [0.0; N]), NoPrep, &b, &c.x).unwrap();
        is_that_of_the_field(flat(j.to_dense()), c, &b);
    };
}

macro_rules! sparse_hessian {
    ($backend:expr) => {
        let b = $backend;
        prepared!(b, "sparse hessian": |c| prepare_hessian(energy!(c), &b, &c.x),
            |p| flat(hessian(energy!(c), p, &b, &c.x)?.to_dense()));
    };
}

#[test]
fn sparse_matrices() {
    let _alone = alone();
    let partitions = [
        Partition::Columns,
        Partition::Rows,
        Partition::Bidirectional,
    ];
    for coloring in [Greedy::new(), Greedy::new().substitution()] {
        for verify in [Verify::Never, Verify::Always] {
            for partition in partitions {
                let backend = AutoSparse::new(AutoSource::new());
                let backend = backend.coloring(coloring.clone()).partition(partition);
                sparse!(backend.verify(verify));
            }
            let backend = AutoSparse::new(AutoSource::new()).verify(verify);
            sparse_hessian!(backend.coloring(coloring.clone()));
        }
        let mixed = MixedMode::new(AutoDual::new(), AutoSource::new().reverse());
        sparse!(AutoSparse::new(mixed).coloring(coloring.clone()));
        for dense in engines() {
            let backend = AutoSparse::new(dense).coloring(coloring.clone());
            sparse!(
                backend
                    .clone()
                    .partition(Partition::Bidirectional)
                    .verify(Verify::Never)
            );
            sparse_hessian!(backend.verify(Verify::Never));
        }
    }
}

#[test]
fn sparse_teams() {
    let _alone = alone();
    for coloring in [Greedy::new(), Greedy::new().substitution()] {
        let b = AutoSparse::new(AutoSource::new()).coloring(coloring);
        for partition in [
            Partition::Columns,
            Partition::Rows,
            Partition::Bidirectional,
        ] {
            let b = b.clone().partition(partition);
            survives(
                format_args!("{b:?}: team of a Jacobian"),
                |c| prepare_jacobian_team(field!(c, &mut [0.0; N]), &b, &c.x, 3).map(RefCell::new),
                |_| None,
                |p, c| {
                    let j = p.borrow_mut().jacobian(field!(c, &mut [0.0; N]), &c.x)?;
                    Ok(flat(j.to_dense()))
                },
            );
        }
        survives(
            format_args!("{b:?}: team of a Hessian"),
            |c| prepare_hessian_team(energy!(c), &b, &c.x, 3).map(RefCell::new),
            |_| None,
            |p, c| {
                let mut team = p.borrow_mut();
                let mut values = vec![0.0; team.structure().layout().len()];
                team.hessian_values_into(energy!(c), &mut values, &c.x)?;
                Ok(values)
            },
        );
    }
}
