//! What a call that did not end well left behind: later calls of the prep, or of the team, were wrong.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use di::extend::{Scalar, fail, settle};
use di::prelude::*;
use di::sparse::{
    AutoSparse, Greedy, Partition, SparsePrep, Verify, prepare_hessian_team, prepare_jacobian_team,
};
use di::{DifferentiateWith, Error};
use di_test::compare::{ROUNDING, Tolerance, assert_close};

fn panics<T>(call: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
}

#[differentiable]
fn arrow(x: &[f64], y: &mut [f64]) {
    assert!(x[0] > 0.0, "outside");
    y[0] = x[0] * x[1] + x[2];
    y[1] = x[0] * x[1];
    y[2] = x[0] * x[2];
}

/// The steps of the substitution were lost: what was left were sums of colors.
#[test]
fn substitution_survives_a_panic() -> Result<(), Error> {
    for verify in [Verify::Never, Verify::Always] {
        let backend = AutoSparse::new(AutoSource::new())
            .partition(Partition::Bidirectional)
            .coloring(Greedy::new().substitution())
            .verify(verify);
        let mut y = [0.0; 3];
        let prep = prepare_jacobian(arrow::AD.output(&mut y), &backend, &[2.0, 1.0, 3.0])?;
        let mut at = |x: [f64; 3]| jacobian(arrow::AD.output(&mut y), &prep, &backend, &x);
        panics(|| at([-1.0, 1.0, 3.0]));
        let found = at([2.0, 1.0, 3.0])?.to_dense();
        let expected = [1.0, 2.0, 1.0, 1.0, 2.0, 0.0, 3.0, 0.0, 2.0];
        let found: Vec<f64> = found.iter().copied().collect();
        assert_close("arrow", &found, &expected, ROUNDING);
    }
    Ok(())
}

thread_local! {
    /// Evaluations before the next panic.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn evaluated() -> f64 {
    let left = LEFT.get();
    LEFT.set(left.wrapping_sub(1));
    assert!(left > 0, "in a later pass");
    0.0
}

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    let mut sum = passive(evaluated());
    for v in x {
        sum += v * v;
    }
    sum
}

#[differentiable]
fn squares(x: &[f64], y: &mut [f64]) {
    y[0] = passive(evaluated());
    for i in 0..x.len() {
        y[i] += x[i] * x[i];
    }
}

/// Seeds were cleared after the run: those of the pass that panicked were seeds of the next call too.
#[test]
fn seeds_of_a_pass_that_panicked_are_forgotten() -> Result<(), Error> {
    let (n, x) = (12, [1.0; 12]);
    let forward = AutoSource::new().forward();
    let mut y = [0.0; 12];
    let gradients = prepare_gradient(norm::AD, &forward, &x)?;
    let jacobians = prepare_jacobian(squares::AD.output(&mut y), &forward, &x)?;
    for passes in 0..2 {
        LEFT.set(passes);
        panics(|| gradient(norm::AD, &gradients, &forward, &x));
        LEFT.set(usize::MAX);
        let g = gradient(norm::AD, &gradients, &forward, &x)?;
        assert_close("norm", &g, &[2.0; 12], ROUNDING);

        LEFT.set(passes);
        panics(|| jacobian(squares::AD.output(&mut y), &jacobians, &forward, &x));
        LEFT.set(usize::MAX);
        let j = jacobian(squares::AD.output(&mut y), &jacobians, &forward, &x)?;
        let entry = |k: usize| if k / n == k % n { 2.0 } else { 0.0 };
        let (found, expected): (Vec<f64>, Vec<f64>) =
            (j.iter().copied().collect(), (0..n * n).map(entry).collect());
        assert_close("squares", &found, &expected, ROUNDING);
    }
    Ok(())
}

#[differentiable]
fn quadratic(x: &[f64]) -> f64 {
    x[0] * x[0] + 3.0 * x[0] * x[1]
}

/// Second derivatives that are the same everywhere were kept from the first call, even if that was no number.
#[test]
fn constant_hessian_of_a_point_that_is_no_number() -> Result<(), Error> {
    let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
    for first in [f64::NAN, f64::INFINITY, 1.0] {
        let prep = prepare_hessian(quadratic::AD, &backend, &[first; 2])?;
        assert!(prep.structure()?.is_constant());
        let h = hessian(quadratic::AD, &prep, &backend, &[1.0, 2.0])?;
        assert_close("quadratic", h.data(), &[2.0, 3.0, 3.0], ROUNDING);
    }
    Ok(())
}

thread_local! {
    static REFUSES: Cell<bool> = const { Cell::new(false) };
    static FACTOR: Cell<f64> = const { Cell::new(1.0) };
}

/// A factor, or the error of a function that returns anything then.
fn gate() -> f64 {
    if REFUSES.get() {
        fail("no value".into());
        return 0.0;
    }
    FACTOR.get()
}

#[differentiable]
fn fallible(x: &[f64]) -> f64 {
    passive(gate()) * x[0] * x[1]
}

/// The same of a call whose function failed.
#[test]
fn constant_hessian_of_a_function_that_failed() -> Result<(), Error> {
    let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
    // a Hessian that is no number is not kept
    FACTOR.set(f64::NAN);
    let prep = prepare_hessian(fallible::AD, &backend, &[1.0; 2])?;
    assert!(prep.structure()?.is_constant());
    FACTOR.set(1.0);
    REFUSES.set(true);
    assert!(hessian(fallible::AD, &prep, &backend, &[1.0, 2.0]).is_err());
    REFUSES.set(false);
    let h = hessian(fallible::AD, &prep, &backend, &[1.0, 2.0])?;
    assert_close("fallible", h.data(), &[1.0, 1.0], ROUNDING);
    Ok(())
}

/// As long as the first input says.
#[generic]
fn uneven<S: Scalar<Real = f64>>(x: &[S]) -> Vec<S> {
    let n = if REFUSES.get() { 1 } else { x.len() };
    (0..n).map(|i| x[i] * x[i]).collect()
}

/// The results of another length were not read, and those of the call before were given once more.
#[test]
fn team_refuses_results_of_another_length() -> Result<(), Error> {
    for backend in [
        AutoSparse::new(AutoDual::new()),
        AutoSparse::new(AutoDual::new()).verify(Verify::Never),
    ] {
        REFUSES.set(false);
        let mut team = prepare_jacobian_team(uneven::AD, &backend, &[1.0, 2.0], 1)?;
        let j = team.jacobian(uneven::AD, &[1.0, 2.0])?;
        assert_close("uneven", j.data(), &[2.0, 4.0], ROUNDING);
        REFUSES.set(true);
        assert!(team.jacobian(uneven::AD, &[3.0, 4.0]).is_err());
        REFUSES.set(false);
        let j = team.jacobian(uneven::AD, &[3.0, 4.0])?;
        assert_close("uneven", j.data(), &[6.0, 8.0], ROUNDING);
    }
    Ok(())
}

#[differentiable]
fn scaled(x: &[f64], #[cache] r: &mut [f64], y: &mut [f64]) {
    for i in 0..y.len() {
        r[i] = y.len() as f64 * x[i];
        y[i] = r[i] * x[i];
    }
}

#[differentiable]
fn scaled_energy(x: &[f64], #[cache] r: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        r[i] = r.len() as f64 * x[i];
        sum += r[i] * r[i] * x[i];
    }
    sum
}

/// A team compared lengths of `x` alone; an output or a cache of another length was not looked at.
#[test]
fn team_refuses_other_shapes() -> Result<(), Error> {
    let backend = AutoSparse::new(AutoSource::new());
    let x = [1.0, 2.0, 3.0];
    let (short, long) = ([0.0; 3], [0.0; 4]);
    let (mut y, mut less) = ([0.0; 3], [0.0; 2]);
    let mut team = prepare_jacobian_team(scaled::AD.with(&short).output(&mut y), &backend, &x, 2)?;
    let f = scaled::AD.with(&short).output(&mut less);
    assert!(matches!(team.jacobian(f, &x), Err(Error::Preparation(_))));
    let f = scaled::AD.with(&long).output(&mut y);
    assert!(matches!(team.jacobian(f, &x), Err(Error::Preparation(_))));
    let j = team.jacobian(scaled::AD.with(&short).output(&mut y), &x)?;
    assert_close("scaled", j.data(), &[6.0, 12.0, 18.0], ROUNDING);

    let mut team = prepare_hessian_team(scaled_energy::AD.with(&short), &backend, &x, 2)?;
    let mut values = [0.0; 3];
    let f = scaled_energy::AD.with(&long);
    let refused = team.hessian_values_into(f, &mut values, &x);
    assert!(matches!(refused, Err(Error::Preparation(_))));
    team.hessian_values_into(scaled_energy::AD.with(&short), &mut values, &x)?;
    assert_close("energy", &values, &[54.0, 108.0, 162.0], ROUNDING);
    Ok(())
}

/// An operator that panics inside of another one took along the error that was noted outside.
#[test]
fn error_that_was_noted_outside_of_a_panic() {
    let outer = settle(|| {
        fail("outside".into());
        panics(|| {
            settle(|| -> Result<(), Error> {
                fail("inside".into());
                panic!("half way")
            })
        });
        Ok(())
    });
    assert_eq!(outer.unwrap_err().to_string(), "outside");
    assert!(settle(|| Ok(())).is_ok());
}

fn table(x: &[f64], y: &mut [f64]) {
    assert!(x[0] < 5.0, "not in the table");
    y[0] = x[0] * x[0];
}

/// A rule that panics between two that do not.
#[generic]
fn retried<S: Scalar<Real = f64>>(x: &[S]) -> S {
    let rule = DifferentiateWith::new(&table, AutoFiniteDiff::new());
    let (mut a, mut b, mut far) = ([S::default()], [S::default()], [x[1] * x[1] * x[1]]);
    rule.call(&x[..1], &mut a);
    panics(|| rule.call(&far.clone(), &mut far));
    rule.call(&x[1..], &mut b);
    a[0] + b[0] * b[0]
}

/// A tape lost the derivatives of the rules before the one that panicked.
#[test]
fn rules_before_one_that_panicked() -> Result<(), Error> {
    let tolerance = Tolerance {
        relative: 1e-6,
        absolute: 1e-6,
    };
    let g = gradient(retried::AD, NoPrep, &AutoTape::eager(), &[1.0, 2.0])?;
    assert_close("retried", &g, &[2.0, 32.0], tolerance);
    Ok(())
}
