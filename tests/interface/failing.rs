//! Functions that return a `Result` or an `Option`: derivatives where they succeed, their own error where they fail.

use std::fmt;

use di::prelude::*;
use di::sparse::{AutoSparse, Tracing};
use di::{AutoSymbolic, AutoTaylor};
use di_test::compare::{DIFFERENCES, ROUNDING, assert_close, assert_same};

#[derive(Clone, Debug, PartialEq)]
struct Negative {
    at: usize,
    value: f64,
}

impl fmt::Display for Negative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} is {}", self.at, self.value)
    }
}

impl std::error::Error for Negative {}

#[derive(Debug, PartialEq)]
enum Refused {
    Entry(Negative),
    Short(usize),
}

impl From<Negative> for Refused {
    fn from(error: Negative) -> Self {
        Refused::Entry(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Refused {}

#[differentiable]
fn root(x: f64, #[constant] at: usize) -> Result<f64, Negative> {
    if x < 0.0 {
        return Err(Negative { at, value: x });
    }
    Ok(x.sqrt())
}

/// A sum of `w[k] sqrt(x[k]) x[0]`.
#[differentiable]
fn weighted(x: &[f64], #[constant] w: &[f64]) -> Result<f64, Refused> {
    if w.len() < x.len() {
        return Err(Refused::Short(w.len()));
    }
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += w[k] * root(x[k], k)?;
    }
    Ok(sum * x[0])
}

const W: [f64; 3] = [1.0, -2.0, 0.5];

fn slope(x: &[f64]) -> Vec<f64> {
    let sum: f64 = x.iter().zip(W).map(|(x, w)| w * x.sqrt()).sum();
    let each = x.iter().zip(W).map(|(v, w)| 0.5 * w / v.sqrt() * x[0]);
    let mut g: Vec<f64> = each.collect();
    g[0] += sum;
    g
}

/// Succeeds, fails, and succeeds again, with one prep.
macro_rules! check {
    ($($backend:expr, $tolerance:expr;)*) => {$({
        let (backend, name) = ($backend, stringify!($backend));
        let f = weighted::AD.with(&W);
        let x = [1.3, 0.6, 2.0];
        let prep = prepare_gradient(f, &backend, &x).expect("it succeeds there");
        for point in [x, [0.7, 0.1, 3.0]] {
            let g = gradient(f, &prep, &backend, &point).expect("it succeeds there");
            assert_close(name, &g, &slope(&point), $tolerance);
            let found = gradient(f, &prep, &backend, &[1.0, 0.5, -2.0]);
            let negative = Negative { at: 2, value: -2.0 };
            assert_eq!(error_of(found), Refused::Entry(negative), "{name}");
        }
        let short = weighted::AD.with(&W[..2]);
        assert_eq!(error_of(gradient(short, NoPrep, &backend, &x)), Refused::Short(2), "{name}");
    })*};
}

fn error_of(found: Result<[f64; 3], di::Error>) -> Refused {
    let Err(di::Error::Function(failure)) = found else {
        panic!("{found:?}");
    };
    match failure.downcast_ref() {
        Some(Refused::Entry(negative)) => Refused::Entry(negative.clone()),
        Some(Refused::Short(n)) => Refused::Short(*n),
        None => panic!("{failure:?}"),
    }
}

#[test]
fn errors_reach_the_caller_through_every_engine() {
    check! {
        AutoSource::new(), ROUNDING;
        AutoSource::new().forward(), ROUNDING;
        AutoSource::new().reverse(), ROUNDING;
        AutoDual::new(), ROUNDING;
        AutoTaylor::new(), ROUNDING;
        AutoTape::new(), ROUNDING;
        AutoTape::eager(), ROUNDING;
        AutoSymbolic::new(), ROUNDING;
        AutoFiniteDiff::new(), DIFFERENCES;
    }
}

#[test]
fn second_order_and_values() -> Result<(), di::Error> {
    let (f, x): (_, [f64; 3]) = (weighted::AD.with(&W), [1.3, 0.6, 2.0]);
    let value: f64 = x.iter().zip(W).map(|(x, w)| w * x.sqrt()).sum();
    assert_close("value", &[evaluate(f, &x)?], &[value * x[0]], ROUNDING);
    let failure = evaluate(f, &[-1.0, 0.0, 0.0]).expect_err("it fails");
    assert_eq!(
        failure.to_string(),
        "Entry(Negative { at: 0, value: -1.0 })"
    );
    let h = hessian(f, NoPrep, &AutoSource::new(), &x)?;
    let mut expected = vec![0.0; 9];
    for k in 0..3 {
        expected[4 * k] -= 0.25 * W[k] * x[k].powf(-1.5) * x[0];
        expected[k] += 0.5 * W[k] / x[k].sqrt();
        expected[3 * k] += 0.5 * W[k] / x[k].sqrt();
    }
    let h: Vec<f64> = h.iter().copied().collect();
    assert_close("hessian", &h, &expected, ROUNDING);
    let error = hessian(f, NoPrep, &AutoSource::new(), &[1.0, -0.5, 2.0]);
    assert_same("kind", matches!(error, Err(di::Error::Function(_))), true);
    Ok(())
}

/// Roots of the differences of neighbours.
#[differentiable]
fn gaps(x: &[f64]) -> Result<Vec<f64>, String> {
    let mut gaps = Vec::new();
    for k in 1..x.len() {
        let gap = x[k] - x[k - 1];
        if gap <= 0.0 {
            return Err(format!("{} is not above {}", x[k], x[k - 1]));
        }
        gaps.push(gap.sqrt());
    }
    Ok(gaps)
}

#[differentiable]
fn write_gaps(x: &[f64], y: &mut [f64]) -> Result<(), String> {
    for k in 0..y.len() {
        let gap = x[k + 1] - x[k];
        if gap <= 0.0 {
            return Err(format!("{} is not above {}", x[k + 1], x[k]));
        }
        y[k] = gap.sqrt();
    }
    Ok(())
}

#[test]
fn vectors_and_outputs() -> Result<(), di::Error> {
    let (x, wrong) = ([0.0, 1.0, 5.0], [0.0, 3.0, 2.0]);
    let expected = [-0.5, 0.5, 0.0, 0.0, -0.25, 0.25];
    let text = "2 is not above 3";
    for backend in [
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
    ] {
        let prep = prepare_jacobian(gaps::AD, &backend, &x)?;
        let mut y = [0.0; 2];
        let other = prepare_jacobian(write_gaps::AD.output(&mut y), &backend, &x)?;
        for _ in 0..2 {
            let j = jacobian(gaps::AD, &prep, &backend, &x)?;
            let j: Vec<f64> = j.iter().copied().collect();
            assert_close("returned", &j, &expected, ROUNDING);
            let error = jacobian(gaps::AD, &prep, &backend, &wrong).expect_err("it fails");
            assert_eq!(error.to_string(), text);
            let f = write_gaps::AD.output(&mut y);
            let j = jacobian(f, &other, &backend, &x)?;
            let j: Vec<f64> = j.iter().copied().collect();
            assert_close("written", &j, &expected, ROUNDING);
            let f = write_gaps::AD.output(&mut y);
            let error = jacobian(f, &other, &backend, &wrong).expect_err("it fails");
            assert_eq!(error.to_string(), text);
        }
    }
    Ok(())
}

#[test]
fn patterns_are_those_of_success() -> Result<(), di::Error> {
    let (x, mut y) = ([0.0, 1.0, 5.0, 6.0], [0.0; 3]);
    for backend in [
        AutoSparse::new(AutoSource::new()),
        AutoSparse::new(AutoSource::new().reverse()),
    ] {
        let prep = prepare_jacobian(write_gaps::AD.output(&mut y), &backend, &x)?;
        let j = jacobian(write_gaps::AD.output(&mut y), &prep, &backend, &x)?;
        assert_eq!(j.nnz(), 6);
        let j: Vec<f64> = j.to_dense().iter().copied().collect();
        let expected = [
            -0.5, 0.5, 0.0, 0.0, 0.0, -0.25, 0.25, 0.0, 0.0, 0.0, -0.5, 0.5,
        ];
        assert_close("sparse", &j, &expected, ROUNDING);
        let wrong = [0.0, 1.0, 5.0, 4.0];
        let error = jacobian(write_gaps::AD.output(&mut y), &prep, &backend, &wrong);
        assert_eq!(error.expect_err("it fails").to_string(), "4 is not above 5");
    }
    // a vector that is returned has no length where the function fails
    let backend = AutoSparse::new(AutoSource::new());
    let error = prepare_jacobian(gaps::AD, &backend, &x).err();
    assert!(
        matches!(error, Some(di::Error::MissingPrimal(_))),
        "{error:?}"
    );
    let backend = backend.detector(Tracing::local());
    let j = jacobian(gaps::AD, NoPrep, &backend, &x)?;
    assert_eq!(j.nnz(), 6);
    Ok(())
}

#[differentiable]
fn inverse(x: f64) -> Option<f64> {
    (x != 0.0).then(|| 1.0 / x)
}

/// An error that is no `Error`.
#[allow(dead_code, reason = "the text is what is looked at")]
#[derive(Debug)]
enum Mistake {
    Zero { power: u32 },
}

#[differentiable]
fn power<const N: usize>(x: &[f64; N]) -> Result<f64, Mistake> {
    if x[0] == 0.0 {
        return Err(Mistake::Zero { power: N as u32 });
    }
    let mut product = 1.0;
    for v in x {
        product /= *v;
    }
    Ok(product)
}

#[differentiable]
fn coded(x: f64) -> Result<f64, u8> {
    if x > 1.0 {
        Err(7)
    } else {
        Ok((1.0 - x).sqrt())
    }
}

#[derive(Clone, Differentiable)]
struct Line {
    a: f64,
    b: f64,
}

#[differentiable]
impl Line {
    fn above(&self, x: f64) -> Result<f64, String> {
        let y = self.a * x + self.b;
        if y < 0.0 {
            return Err("below".to_owned());
        }
        Ok(y * y)
    }
}

#[test]
fn other_errors_keep_their_text() -> Result<(), di::Error> {
    let backend = AutoSource::new();
    assert_close(
        "option",
        &[derivative(inverse::AD, NoPrep, &backend, &2.0)?],
        &[-0.25],
        ROUNDING,
    );
    let none = derivative(inverse::AD, NoPrep, &backend, &0.0).expect_err("it fails");
    assert_eq!(none.to_string(), "the function returned `None`");

    let g = gradient(power::AD, NoPrep, &backend, &[2.0, 4.0])?;
    assert_close("length", &g, &[-0.0625, -0.03125], ROUNDING);
    let error = gradient(power::AD, NoPrep, &backend, &[0.0, 4.0]).expect_err("it fails");
    assert_eq!(error.to_string(), "the function failed: Zero { power: 2 }");

    let error = derivative(coded::AD, NoPrep, &AutoDual::new(), &2.0).expect_err("it fails");
    assert_eq!(error.to_string(), "the function failed: 7");

    // the compiler cannot make the struct again: the error is one, without its text
    let line = Line { a: 2.0, b: 1.0 };
    let f = Line::above_ad.fix_self(&line);
    assert_close(
        "method",
        &[derivative(f, NoPrep, &backend, &0.5)?],
        &[8.0],
        ROUNDING,
    );
    let error = derivative(f, NoPrep, &backend, &-1.0).expect_err("it fails");
    assert!(matches!(error, di::Error::Function(_)), "{error}");
    Ok(())
}

/// A number and its root.
#[differentiable]
fn with_its_root(x: f64) -> Result<Vec<f64>, Negative> {
    Ok(vec![x, root(x, 1)?])
}

/// Without a prep the function fails while one is made, and its result has no length to compare buffers with.
#[test]
fn errors_of_functions_come_before_those_of_buffers() {
    let mut c = vec![vec![0.0; 2]; 3];
    let mut expand = |x: f64| {
        let f = with_its_root::AD;
        taylor_coefficients_into(f, &mut c, NoPrep, &AutoTaylor::new(), &x, &1.0)
    };
    let error = expand(-4.0).unwrap_err();
    let di::Error::Function(failure) = &error else {
        panic!("{error}")
    };
    let expected = Negative { at: 1, value: -4.0 };
    assert_eq!(failure.downcast_ref(), Some(&expected));
    expand(4.0).unwrap();
    assert_close(
        "coefficients",
        &c.concat(),
        &[4.0, 2.0, 1.0, 0.25, 0.0, -1.0 / 64.0],
        ROUNDING,
    );
}
