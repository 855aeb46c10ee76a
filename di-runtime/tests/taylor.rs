//! `AutoTaylor`: coefficients against closed forms, and against nested dual numbers.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use approx::assert_relative_eq;
use by_hand::{Curve, rosenbrock, rosenbrock_hvp, springs};
use di_elementary::{OPERATORS, TABLE};
use di_runtime::backends::AutoTaylor;
use di_runtime::closure::{OnScalars, generic};
use di_runtime::error::Error;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::rules::{Derivatives, Unary, UnaryRule, by_name};
use di_runtime::scalar::{Dual, Scalar, Series};
use di_runtime::value::{Number, Slice};
use std::f64::consts::{LN_2, PI};

/// Coefficients of `f(x + t)`.
fn expand<const N: usize>(x: f64, f: impl Fn(Series<f64, N>) -> Series<f64, N>) -> Vec<f64> {
    f(Series::line(x, 1.0, N - 1)).coefficients().to_vec()
}

fn close(what: &str, found: &[f64], expected: impl IntoIterator<Item = f64>) {
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let right = (a - b).abs() <= 1e-13 * (1.0 + b.abs());
        assert!(right, "{what}: coefficient {k} is {a:e}, expected {b:e}");
    }
}

/// Generalised binomial coefficients.
fn binomials(p: f64) -> impl Iterator<Item = f64> {
    (0..).scan(1.0, move |c, k| {
        let now = *c;
        *c *= (p - f64::from(k)) / (f64::from(k) + 1.0);
        Some(now)
    })
}

fn reciprocal_factorials() -> impl Iterator<Item = f64> {
    (0..).scan(1.0, |c, k| {
        let now = *c;
        *c /= f64::from(k) + 1.0;
        Some(now)
    })
}

type S = Series<f64, 12>;

#[test]
fn exponentials() {
    close("exp", &expand(0.0, S::exp), reciprocal_factorials());
    let two = reciprocal_factorials()
        .zip(0..)
        .map(|(c, k)| c * LN_2.powi(k));
    close("exp2", &expand(0.0, S::exp2), two);
    let m1 = reciprocal_factorials()
        .zip(0..)
        .map(|(c, k)| if k == 0 { 0.0 } else { c });
    close("exp_m1", &expand(0.0, S::exp_m1), m1);
    let at_2 = reciprocal_factorials().map(|c| c * 2f64.exp());
    close("exp at 2", &expand(2.0, S::exp), at_2);
}

#[test]
fn logarithms() {
    let ln = |k: i32| {
        if k == 0 {
            0.0
        } else {
            -f64::from(1 - 2 * (k % 2)) / f64::from(k)
        }
    };
    close("ln", &expand(1.0, S::ln), (0..).map(ln));
    close("ln_1p", &expand(0.0, S::ln_1p), (0..).map(ln));
    close("log2", &expand(1.0, S::log2), (0..).map(|k| ln(k) / LN_2));
    close(
        "log10",
        &expand(1.0, S::log10),
        (0..).map(|k| ln(k) / 10f64.ln()),
    );
}

#[test]
fn circular_functions() {
    let sign = [0.0, 1.0, 0.0, -1.0];
    let sin = reciprocal_factorials()
        .zip(0..)
        .map(|(c, k)| c * sign[k % 4]);
    close("sin", &expand(0.0, S::sin), sin);
    let cos = reciprocal_factorials()
        .zip(1..)
        .map(|(c, k)| c * sign[k % 4]);
    close("cos", &expand(0.0, S::cos), cos);
    let tan = [
        0.0,
        1.0,
        0.0,
        1.0 / 3.0,
        0.0,
        2.0 / 15.0,
        0.0,
        17.0 / 315.0,
        0.0,
        62.0 / 2835.0,
    ];
    close("tan", &expand(0.0, S::tan), tan);
    let alternating = |c: f64, k: usize| if k % 4 == 3 { -c } else { c };
    let tanh = tan.iter().zip(0..).map(|(c, k)| alternating(*c, k));
    close("tanh", &expand(0.0, S::tanh), tanh);
    let asin = [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0, 15.0 / 336.0];
    close("asin", &expand(0.0, S::asin), asin);
    let asinh = asin.iter().zip(0..).map(|(c, k)| alternating(*c, k));
    close("asinh", &expand(0.0, S::asinh), asinh);
    let acos = asin
        .iter()
        .zip(0..)
        .map(|(c, k)| if k == 0 { PI / 2.0 } else { -c });
    close("acos", &expand(0.0, S::acos), acos);
    let atan = (0..12).map(|k| {
        if k % 2 == 0 {
            0.0
        } else {
            alternating(1.0 / k as f64, k)
        }
    });
    close("atan", &expand(0.0, S::atan), atan.clone());
    close(
        "atan2",
        &expand(0.0, |t: S| t.atan2(S::from_real(1.0))),
        atan,
    );
    let atanh = (0..12).map(|k| if k % 2 == 0 { 0.0 } else { 1.0 / k as f64 });
    close("atanh", &expand(0.0, S::atanh), atanh);
    let even = reciprocal_factorials()
        .zip(0..)
        .map(|(c, k)| if k % 2 == 0 { c } else { 0.0 });
    close("cosh", &expand(0.0, S::cosh), even);
}

#[test]
fn powers_and_roots() {
    close("sqrt", &expand(1.0, S::sqrt), binomials(0.5));
    close("cbrt", &expand(1.0, S::cbrt), binomials(1.0 / 3.0));
    close("recip", &expand(1.0, S::recip), binomials(-1.0));
    close("powi", &expand(1.0, |t: S| t.powi(-3)), binomials(-3.0));
    close("powi", &expand(1.0, |t: S| t.powi(5)), binomials(5.0));
    close(
        "powf",
        &expand(1.0, |t: S| t.powf(S::from_real(2.5))),
        binomials(2.5),
    );
    close(
        "powf",
        &expand(4.0, |t: S| t.powf(S::from_real(0.5))),
        binomials(0.5).zip(0..).map(|(c, k)| 2.0 * c / 4f64.powi(k)),
    );
    // where the value is zero, or underflows
    close(
        "powi at 0",
        &expand(0.0, |t: S| t.powi(3)),
        [0.0, 0.0, 0.0, 1.0, 0.0],
    );
    close(
        "powf at 0",
        &expand(0.0, |t: S| t.powf(S::from_real(3.0))),
        [0.0, 0.0, 0.0, 1.0, 0.0],
    );
    close(
        "tiny",
        &expand(1e-200, |t: S| t.powi(3)),
        [0.0, 0.0, 3e-200, 1.0, 0.0],
    );
    close(
        "tiny",
        &expand(1e-200, |t: S| t.powf(S::from_real(3.0))),
        [0.0, 0.0, 3e-200, 1.0, 0.0],
    );
    // (1 + t)^(1 + t)
    let tower = [1.0, 1.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 12.0, 3.0 / 40.0];
    close("x^x", &expand(1.0, |t: S| t.powf(t)), tower);
    let hypot = binomials(0.5).flat_map(|c| [c, 0.0]);
    close(
        "hypot",
        &expand(0.0, |t: S| t.hypot(S::from_real(1.0))),
        hypot,
    );
}

#[test]
fn quotients_and_remainders() {
    let one = S::from_real(1.0);
    close(
        "1 / (1 - t)",
        &expand(0.0, |t: S| one / (one - t)),
        std::iter::repeat(1.0),
    );
    close(
        "t / (1 - t)^2",
        &expand(0.0, |t: S| t / ((one - t) * (one - t))),
        (0..).map(f64::from),
    );
    close(
        "rem",
        &expand(7.5, |t: S| t % S::from_real(2.0)),
        [1.5, 1.0, 0.0],
    );
    close(
        "rem",
        &expand(2.0, |t: S| S::from_real(7.5) % t),
        [1.5, -3.0, 0.0],
    );
    close(
        "max",
        &expand(1.0, |t: S| (t * t).max(one.mul_real(0.5))),
        [1.0, 2.0, 1.0, 0.0],
    );
    close(
        "abs",
        &expand(-1.0, |t: S| (t * t * t).abs()),
        [1.0, -3.0, 3.0, -1.0, 0.0],
    );
    close("floor", &expand(1.5, S::floor), [1.0, 0.0, 0.0]);
}

/// Dual numbers three deep.
type Thrice = Dual<Dual<Dual<f64, 1>, 1>, 1>;

fn thrice(x: f64, slope: f64) -> Thrice {
    let inner = Dual::new(x, [slope]);
    let middle = Dual::new(inner, [Dual::constant(slope)]);
    Dual::new(middle, [Dual::constant(Dual::constant(slope))])
}

#[test]
fn all_functions_of_the_table_to_third_order() {
    for row in TABLE.iter().chain(OPERATORS) {
        for domain in row.domains {
            for k in 0..4 {
                let at = |j: usize| {
                    let (lo, hi) = domain[j];
                    lo + (hi - lo) * (0.2 + 0.15 * ((3 * k + 2 * j) % 5) as f64)
                };
                let slope = |j: usize| [0.7, -1.3, 0.4][j];
                let series: Vec<Series<f64, 4>> = (0..row.arity())
                    .map(|j| Series::line(at(j), slope(j), 3))
                    .collect();
                let duals: Vec<Thrice> =
                    (0..row.arity()).map(|j| thrice(at(j), slope(j))).collect();
                for n in [-2, 0, 1, 2, 3, 5] {
                    let c = by_name::value(row.name, &series, n).unwrap();
                    let d = by_name::value(row.name, &duals, n).unwrap();
                    let second = d.tangents[0].tangents[0];
                    let expected = [
                        d.value.value.value,
                        d.tangents[0].value.value,
                        second.value / 2.0,
                        second.tangents[0] / 6.0,
                    ];
                    for (k, (a, b)) in c.coefficients().iter().zip(expected).enumerate() {
                        let right = (a - b).abs() <= 1e-11 * (1.0 + b.abs());
                        assert!(right, "{} n={n}, coefficient {k}: {a} {b}", row.name);
                    }
                    if !row.integer {
                        break;
                    }
                }
            }
        }
    }
}

/// The logistic function, whose derivative is given by its value.
struct Logistic;

impl UnaryRule<f64> for Logistic {
    fn primal(&self, x: f64) -> f64 {
        1.0 / (1.0 + (-x).exp())
    }
    fn derivative<S: Scalar<Real = f64>>(&self, _: S, y: S) -> S {
        y * S::real_sub(1.0, y)
    }
}

#[test]
fn custom_rules_to_any_order() {
    // 1/2 + tanh(t / 2) / 2
    let expected = [
        0.5,
        0.25,
        0.0,
        -1.0 / 48.0,
        0.0,
        1.0 / 480.0,
        0.0,
        -17.0 / 80640.0,
    ];
    close(
        "logistic",
        &expand(0.0, |t: Series<f64, 8>| Unary(Logistic).call(t)),
        expected,
    );
    let cube: [fn(f64) -> f64; 5] = [
        |x| x * x * x,
        |x| 3.0 * x * x,
        |x| 6.0 * x,
        |_| 6.0,
        |_| 0.0,
    ];
    let rule = Unary(Derivatives::new(&cube));
    close(
        "cube",
        &expand::<5>(2.0, |t| rule.call(t)),
        [8.0, 12.0, 6.0, 1.0, 0.0],
    );
    // what is not given is not known
    let c = expand::<7>(2.0, |t| rule.call(t));
    assert!(c[6].is_nan() && c[3] == 1.0);
}

#[test]
fn special_functions() {
    use di_runtime::special::by_name;
    let special = |name: &'static str| move |t: S| by_name(name, &[t], 0).unwrap();
    let erf = (0..12).map(|k: i32| {
        let n = k / 2;
        let factorial: f64 = (1..=n).map(f64::from).product();
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        if k % 2 == 0 {
            0.0
        } else {
            2.0 / PI.sqrt() * sign / (factorial * f64::from(k))
        }
    });
    close("erf", &expand(0.0, special("erf")), erf);
    let zeta = [
        0.0,
        0.577_215_664_901_532_9,
        PI * PI / 6.0,
        1.202_056_903_159_594_2,
        PI.powi(4) / 90.0,
    ];
    let ln_gamma = (0..5).map(|k: usize| match k {
        0 => 0.0,
        _ => zeta[k] / k as f64 * f64::from([1i8, -1][k % 2]),
    });
    close(
        "ln_gamma",
        &expand::<5>(1.0, |t| by_name("ln_gamma", &[t], 0).unwrap()),
        ln_gamma,
    );
    // tanh(t) = 2 sigmoid(2 t) - 1
    let tan = [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0];
    let sigmoid = (0..8).map(|k| match k {
        0 => 0.5,
        3 | 7 => -tan[k] / 2f64.powi(k as i32 + 1),
        _ => tan[k] / 2f64.powi(k as i32 + 1),
    });
    close("sigmoid", &expand(0.0, special("sigmoid")), sigmoid);
}

/// `t -> (e^(2t), sin t, t^5)`
#[derive(Clone, Copy)]
struct Three;

impl OnScalars for Three {
    type Real = f64;
    type X = Number;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, t: S) -> Vec<S> {
        vec![t.mul_real(2.0).exp(), t.sin(), t.powi(5)]
    }
}

#[test]
fn derivatives_of_each_order() {
    let b = AutoTaylor::new();
    let t = 0.3f64;
    for n in [0, 1, 2, 3, 4, 5, 7, 12, 20, 32] {
        let prep = prepare_nth_derivative(generic(Three), n, &b, &0.0).unwrap();
        let found = nth_derivative(generic(Three), n, &prep, &b, &t).unwrap();
        let falling: f64 = (0..n).map(|k| 5.0 - k as f64).product();
        let power = if n > 5 {
            0.0
        } else {
            falling * t.powi(5 - n as i32)
        };
        let expected = [
            2f64.powi(n as i32) * (2.0 * t).exp(),
            [t.sin(), t.cos(), -t.sin(), -t.cos()][n % 4],
            power,
        ];
        assert_relative_eq!(
            found[..],
            expected[..],
            max_relative = 1e-11,
            epsilon = 1e-12
        );
        let mut into = vec![0.0; 3];
        nth_derivative_into(generic(Three), n, &mut into, NoPrep, &b, &t).unwrap();
        assert_eq!(into, found);
    }
}

#[test]
fn second_derivatives_take_one_pass() {
    let b = AutoTaylor::new();
    let all = value_derivative_and_second_derivative(generic(Curve), NoPrep, &b, &0.7).unwrap();
    let (s, c) = 0.7f64.sin_cos();
    assert_relative_eq!(all.0[..], [s, 0.7 * 0.7, 1.0], max_relative = 1e-15);
    assert_relative_eq!(all.1[..], [c, 1.4, 0.0], max_relative = 1e-15);
    assert_relative_eq!(all.2[..], [-s, 2.0, 0.0], max_relative = 1e-15);
}

#[test]
fn along_a_direction() {
    let (b, f) = (AutoTaylor::new(), rosenbrock::AD);
    let x: Vec<f64> = (0..6).map(|i| (0.37 * i as f64).sin()).collect();
    let v: Vec<f64> = (0..6).map(|i| 0.5 - i as f64).collect();
    let prep = prepare_taylor_coefficients(f, 4, &b, &x).unwrap();
    let c = taylor_coefficients(f, 4, &prep, &b, &x, &v).unwrap();
    let product: f64 = rosenbrock_hvp(&x, &v)
        .iter()
        .zip(&v)
        .map(|(h, v)| h * v)
        .sum();
    assert_relative_eq!(2.0 * c[2], product, max_relative = 1e-12);
    // a polynomial of degree four is its series
    for t in [0.5, -2.0] {
        let moved: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + t * v).collect();
        let there = taylor_coefficients(f, 0, NoPrep, &b, &moved, &v).unwrap()[0];
        let sum = c.iter().rev().fold(0.0, |sum, c| sum * t + c);
        assert_relative_eq!(sum, there, max_relative = 1e-12);
    }
    let h = hessian(f, NoPrep, &b, &x).unwrap();
    let all: f64 = h.indexed_iter().map(|((i, j), h)| h * v[i] * v[j]).sum();
    assert_relative_eq!(all, product, max_relative = 1e-12);
}

#[test]
fn functions_with_an_output() {
    let b = AutoTaylor::new();
    let (x, v) = ([0.0, 1.0, 3.0], [1.0, 0.0, -1.0]);
    let mut y = [0.0; 3];
    let f = springs::AD.with(2.0, &[0.0; 2]).output(&mut y);
    let c = taylor_coefficients(f, 3, NoPrep, &b, &x, &v).unwrap();
    // forces k (d + s t)^3 of springs of length d = (1, 2), that change by s = (-1, -1)
    let force = |d: f64| {
        [1.0, 3.0, 3.0, 1.0]
            .iter()
            .zip(0..)
            .map(move |(b, k)| 2.0 * b * d.powi(3 - k) * (-1f64).powi(k))
    };
    for (k, (left, right)) in force(1.0).zip(force(2.0)).enumerate() {
        assert_relative_eq!(c[k][0].abs(), left.abs(), max_relative = 1e-14);
        assert_relative_eq!(c[k][2].abs(), right.abs(), max_relative = 1e-14);
        assert_relative_eq!(c[k][0] + c[k][1] + c[k][2], 0.0);
    }
}

#[test]
fn orders_are_compared() {
    let b = AutoTaylor::new();
    let too_high = nth_derivative(generic(Three), 33, NoPrep, &b, &0.0).unwrap_err();
    assert_eq!(
        too_high,
        Error::Order {
            order: 33,
            highest: 32
        }
    );
    let prep = prepare_nth_derivative(generic(Three), 3, &b, &0.0).unwrap();
    let other = nth_derivative(generic(Three), 4, &prep, &b, &0.0).unwrap_err();
    assert!(matches!(other, Error::Preparation(_)), "{other}");
}
