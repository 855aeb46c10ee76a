//! Errors that are enums of one's own, told apart where a call has failed.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 4] = [&[0.7, 1.3], &[0.0, 0.4], &[60.0, 0.9], &[1.2, 0.0]];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Failure {
    Negative,
    Steps(usize),
}

#[differentiable]
fn root(a: f64, steps: usize) -> Result<f64, Failure> {
    if a < 0.0 {
        return Err(Failure::Negative);
    }
    if steps > 6 {
        return Err(Failure::Steps(steps));
    }
    let mut r = 0.5 * (1.0 + a);
    for _ in 0..steps {
        r = 0.5 * (r + a / r);
    }
    Ok(r)
}

#[differentiable]
fn roots(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for (k, v) in x.iter().enumerate() {
        match root(v - 0.5, 6 + k * 3) {
            Ok(r) => total += r * v,
            Err(Failure::Negative) => total += v * v,
            Err(Failure::Steps(n)) => total += v * x[0] * n as f64,
        }
    }
    let first = root(x[0] - 1.0, 2);
    if first == Err(Failure::Negative) {
        return total * x[1];
    }
    if let Err(e) = root(x[1] - 1.0, 9)
        && e == Failure::Steps(9)
    {
        total *= x[0];
    }
    match first {
        Err(e) if matches!(e, Failure::Steps(_)) => 0.0,
        Err(_) => x[0],
        Ok(r) => r * total,
    }
}

#[test]
fn errors_are_told_apart() {
    scalar!(roots).row(359).check(&POINTS);
}

#[differentiable]
mod solver {
    use std::fmt;

    #[derive(Debug)]
    pub(super) enum Pivot {
        Singular,
        Large { at: usize },
    }

    #[derive(Debug)]
    pub(super) enum Failure {
        Pivot(Pivot),
        Empty,
        Second,
    }

    impl fmt::Display for Failure {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl std::error::Error for Failure {}

    impl From<Pivot> for Failure {
        fn from(e: Pivot) -> Self {
            Failure::Pivot(e)
        }
    }

    fn inverse(a: f64, at: usize) -> Result<f64, Pivot> {
        if a.abs() < 0.1 {
            return Err(Pivot::Singular);
        }
        if a > 50.0 {
            return Err(Pivot::Large { at });
        }
        Ok(1.0 / a)
    }

    fn solve(x: &[f64]) -> Result<f64, Failure> {
        let p = inverse(*x.first().ok_or(Failure::Empty)?, 7)?;
        let q = inverse(x[1], 8).map_err(|_| Failure::Second)?;
        Ok(p * x[1] + q)
    }

    pub(super) fn solved(x: &[f64]) -> f64 {
        match solve(x) {
            Ok(v) => v,
            Err(Failure::Pivot(Pivot::Singular)) => x[1] * 3.0,
            Err(Failure::Pivot(Pivot::Large { at })) => x[1] * x[0] * at as f64,
            Err(Failure::Empty) => 0.0,
            Err(Failure::Second) => x[0] * x[0],
        }
    }

    pub(super) fn counted(x: &[f64]) -> f64 {
        let r = solve(x).unwrap_or_else(|e| match e {
            Failure::Second => x[0],
            _ => x[1],
        });
        let mut failures = 0;
        for k in 0..4 {
            let t = solve(&[x[0] + k as f64 * 30.0, x[1]]);
            if let Err(ref e) = t {
                failures += 1;
                if matches!(e, Failure::Pivot(_)) {
                    failures += 2;
                }
            }
        }
        r * failures as f64
    }

    pub(super) fn all(x: &[f64]) -> f64 {
        let all: Result<Vec<f64>, Pivot> = x.iter().map(|v| inverse(*v, 2)).collect();
        match all {
            Ok(v) => v.iter().sum(),
            Err(Pivot::Singular) => 2.0 * x[0] * x[1] + x[1],
            Err(Pivot::Large { at }) => at as f64 * x[1] * x[1],
        }
    }

    pub(super) fn failing(x: &[f64]) -> Result<f64, Failure> {
        let v = solve(x)?;
        let w = match inverse(x[0] - 0.7, 3) {
            Ok(w) => w,
            Err(Pivot::Singular) => return Err(Failure::Second),
            Err(e) => return Err(e.into()),
        };
        Ok(v * w)
    }

    pub(super) fn boxed(x: &[f64]) -> Result<f64, Box<dyn std::error::Error>> {
        let v = solve(x)?;
        Ok(v * x[0])
    }
}

#[test]
fn errors_become_others_and_are_told_apart() {
    scalar!(solver::solved::AD, |x| solver::solved(x))
        .row(359)
        .check(&POINTS);
    scalar!(solver::counted::AD, |x| solver::counted(x)).check(&POINTS);
    scalar!(solver::all::AD, |x| solver::all(x)).check(&POINTS);
}

#[test]
fn functions_fail_with_their_own_errors() {
    let failed = |x: &[f64]| gradient(solver::failing::AD, NoPrep, &AutoSource::new(), x);
    assert!(failed(&[0.2, 1.3]).is_ok());
    for (x, said) in [
        ([0.0, 1.3], "Singular"),
        ([0.7, 1.3], "Second"),
        ([0.4, 0.0], "Second"),
    ] {
        let error = failed(&x).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let error = gradient(solver::boxed::AD, NoPrep, &AutoSource::new(), &[0.0, 1.3]);
    assert!(error.is_err());
}

/// Errors with floats, which are handed on.
#[derive(Debug)]
enum Stopped {
    Flat,
    Steps { best: f64 },
    Far(f64),
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Stopped {}

#[differentiable]
fn refined(x: f64, y: f64) -> Result<f64, Stopped> {
    if x < 0.3 {
        return Err(Stopped::Flat);
    }
    if y > 1.0 {
        return Err(Stopped::Steps { best: 2.0 * x });
    }
    if x > 6.0 {
        return Err(Stopped::Far(x * y));
    }
    Ok((x * y).sqrt())
}

#[differentiable]
fn refinements(x: &[f64]) -> Result<f64, Stopped> {
    Ok(refined(x[0] * x[1], 0.5)? * refined(x[0], x[1] * 0.1)?)
}

#[differentiable]
fn ignored(x: &[f64]) -> f64 {
    let first = refined(x[0], x[1]).unwrap_or(x[0] * x[0]);
    let second = match refined(x[1], x[0]) {
        Ok(v) => v,
        Err(_) => x[0].exp(),
    };
    let third = if let Ok(v) = refinements(x) { v } else { x[1] };
    let fourth = refined(x[0] * x[0], x[1]).ok().map_or(x[1], |v| v * x[0]);
    let fifth = refined(x[0], x[1]).map_err(|_| x[1] * 3.0);
    let all = first * second + third * fourth;
    match fifth {
        Ok(v) => all * v,
        Err(best) => all * best,
    }
}

#[differentiable]
fn handed(x: &[f64]) -> Result<f64, Box<dyn std::error::Error>> {
    let v = refinements(x)?;
    Ok(v * x[0])
}

/// Which error it is, and a number beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cause {
    Flat,
    Steps(u32),
}

#[differentiable]
fn beside(x: f64, y: f64) -> Result<f64, (Cause, f64)> {
    if x < 0.5 {
        return Err((Cause::Flat, x));
    }
    if y > 1.0 {
        return Err((Cause::Steps(3), 2.0 * x * y));
    }
    Ok((x * y).sqrt())
}

#[differentiable]
fn passed(x: &[f64]) -> Result<f64, (Cause, f64)> {
    Ok(beside(x[0], x[1])? * x[1])
}

#[differentiable]
fn read(x: &[f64]) -> f64 {
    match passed(x) {
        Ok(v) => v * x[0],
        Err((Cause::Steps(n), best)) => best * best * f64::from(n),
        Err((Cause::Flat, best)) => best.sin() * x[1],
    }
}

const BESIDE: [&[f64]; 5] = [
    &[0.7, 1.3],
    &[0.4, 0.9],
    &[60.0, 0.9],
    &[1.2, 0.8],
    &[0.2, 0.6],
];

#[test]
fn numbers_beside_errors() {
    scalar!(read).row(414).check(&BESIDE);
}

#[test]
fn errors_with_floats_are_handed_on() {
    scalar!(ignored).row(415).check(&BESIDE);
    for x in [[0.7, 0.4], [-0.7, 0.4], [0.7, 11.0]] {
        let found = gradient(handed::AD, NoPrep, &AutoSource::new(), &x);
        assert_eq!(found.is_ok(), handed(&x).is_ok());
    }
    let best = |x, y| match refined(x, y) {
        Err(Stopped::Steps { best }) => Some(best),
        Err(Stopped::Far(far)) => Some(far),
        Err(Stopped::Flat) | Ok(_) => None,
    };
    assert_eq!([best(2.0, 1.5), best(8.0, 0.5)], [Some(4.0), Some(4.0)]);
}
