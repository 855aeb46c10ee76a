//! First and second derivatives of every row on its domain, under dual numbers and in reverse.

use di_elementary::{Class, Product};
use di_runtime::rules::by_name;
use di_runtime::scalar::{Dual, Lanes, Scalar};

use crate::reference;
use crate::samples::{Sample, rows, samples, samples_and_points};

const K: usize = 3;
type First = Dual<f64, K>;
type Second = Dual<First, K>;

/// Gradient and Hessian of one call.
pub(crate) struct Derivatives {
    pub(crate) value: f64,
    pub(crate) first: [f64; K],
    pub(crate) second: [[f64; K]; K],
}

/// By nested dual numbers.
pub(crate) fn tangent(sample: &Sample) -> Derivatives {
    let x: Vec<Second> = (sample.x.iter().enumerate())
        .map(|(i, &x)| Second::variable(First::variable(x, i), i))
        .collect();
    let y = by_name::value(sample.row.name, &x, sample.n).expect("a row of the table");
    Derivatives {
        value: y.value.value,
        first: y.tangents.map(|d| d.value),
        second: y.tangents.map(|d| d.tangents),
    }
}

/// The adjoint of every argument for the adjoint `yb`, as generated reverse code computes it.
fn pull<S: Scalar, A: Lanes<S>>(sample: &Sample, x: &[S], yb: A) -> Vec<A> {
    let y = by_name::value(sample.row.name, x, sample.n).expect("a row of the table");
    let adjoint = |i| match sample.row.partial(i) {
        None => A::zero(),
        Some(partial) => {
            let d = by_name::partial(sample.row.name, i, x, sample.n, y)
                .expect("a rule for each partial");
            match partial.product {
                Product::Plain | Product::Strong => yb.scale(d),
                Product::Select => yb.scale_select(d),
            }
        }
    };
    (0..x.len()).map(adjoint).collect()
}

/// By the rules, on floats for the gradient and on dual numbers for the Hessian.
pub(crate) fn reverse(sample: &Sample) -> Derivatives {
    let mut first = [0.0; K];
    let mut second = [[0.0; K]; K];
    for (i, xb) in pull(sample, &sample.x, 1.0).into_iter().enumerate() {
        first[i] = xb;
    }
    let x: Vec<First> = sample
        .x
        .iter()
        .enumerate()
        .map(|(i, &x)| First::variable(x, i))
        .collect();
    for (i, xb) in pull(sample, &x, First::constant(1.0))
        .into_iter()
        .enumerate()
    {
        assert!(
            same(xb.value, first[i]),
            "{sample:?}: gradient {} on floats, {} on duals",
            first[i],
            xb.value
        );
        second[i] = xb.tangents;
    }
    Derivatives {
        value: reference::value(sample, &sample.x),
        first,
        second,
    }
}

/// Equal, NaN being equal to NaN.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn check(what: &str, sample: &Sample, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(
        error <= tolerance,
        "{what} of {sample:?}: found {found}, expected {expected}, error {error:e}"
    );
}

fn check_against_differences(engine: &str, of: impl Fn(&Sample) -> Derivatives) {
    for sample in rows().flat_map(samples) {
        let found = of(&sample);
        assert_eq!(
            found.value,
            reference::value(&sample, &sample.x),
            "{engine}: value of {sample:?}"
        );
        for i in 0..sample.x.len() {
            check(
                engine,
                &sample,
                found.first[i],
                reference::first(&sample, i),
                1e-9,
            );
            for j in 0..sample.x.len() {
                check(
                    engine,
                    &sample,
                    found.second[i][j],
                    reference::second(&sample, i, j),
                    1e-6,
                );
            }
        }
    }
}

#[test]
fn tangents_agree_with_differences() {
    check_against_differences("tangent", tangent);
}

#[test]
fn adjoints_agree_with_differences() {
    check_against_differences("reverse", reverse);
}

#[test]
fn derivatives_outside_the_class_are_exactly_zero() {
    for sample in rows().flat_map(samples) {
        let row = sample.row;
        for found in [tangent(&sample), reverse(&sample)] {
            for i in 0..row.arity() {
                if row.classes[i] == Class::Zero {
                    assert_eq!(found.first[i], 0.0, "{sample:?} by {i}");
                }
                for j in 0..row.arity() {
                    if !row.second(i, j) {
                        assert_eq!(found.second[i][j], 0.0, "{sample:?} by {i} and {j}");
                    }
                }
            }
        }
    }
}

#[test]
fn classes_claim_no_more_than_there_is() {
    for row in rows() {
        let found: Vec<Derivatives> = samples(row).iter().map(tangent).collect();
        for i in 0..row.arity() {
            let varies = found.iter().any(|d| d.first[i] != 0.0);
            assert_eq!(
                varies,
                row.classes[i] != Class::Zero,
                "first derivative of `{}` by {i}",
                row.name
            );
            assert_eq!(
                varies,
                row.partial(i).is_some(),
                "partial of `{}` by {i}",
                row.name
            );
            for j in 0..row.arity() {
                let varies = found.iter().any(|d| d.second[i][j] != 0.0);
                assert_eq!(
                    varies,
                    row.second(i, j),
                    "second derivative of `{}` by {i} and {j}",
                    row.name
                );
            }
        }
    }
}

/// Seeds of four lanes, the outer ones zero.
const SEEDS: [f64; 4] = [0.0, 1.0, -2.5, 0.0];

/// A zero lane is zero, and at a pole, where a lane of one is not finite, no number.
fn is_zero_lane(lane: f64, one: f64) -> bool {
    lane == 0.0 || (lane.is_nan() && !one.is_finite())
}

#[test]
fn lanes_of_a_tangent_do_not_touch() {
    for sample in rows().flat_map(samples_and_points) {
        let single = |k: usize| {
            let x: Vec<Dual<f64, 1>> = sample.x.iter().map(|&x| Dual::new(x, [SEEDS[k]])).collect();
            by_name::value(sample.row.name, &x, sample.n)
                .expect("a row of the table")
                .tangents[0]
        };
        let x: Vec<Dual<f64, 4>> = sample.x.iter().map(|&x| Dual::new(x, SEEDS)).collect();
        let y = by_name::value(sample.row.name, &x, sample.n).expect("a row of the table");
        for k in 0..4 {
            assert!(
                same(y.tangents[k], single(k)),
                "lane {k} of {sample:?}: {y:?}, alone {}",
                single(k)
            );
        }
        for k in [0, 3] {
            assert!(
                is_zero_lane(y.tangents[k], y.tangents[1]),
                "zero lanes of {sample:?}: {y:?}"
            );
        }
    }
}

#[test]
fn lanes_of_an_adjoint_do_not_touch() {
    for sample in rows().flat_map(samples_and_points) {
        let lanes = pull(&sample, &sample.x, SEEDS);
        for k in 0..4 {
            let single = pull(&sample, &sample.x, SEEDS[k]);
            for i in 0..sample.x.len() {
                let (lane, alone) = (lanes[i][k], single[i]);
                assert!(
                    same(lane, alone),
                    "lane {k} by {i} of {sample:?}: {lane}, alone {alone}"
                );
                assert!(
                    SEEDS[k] != 0.0 || is_zero_lane(lane, lanes[i][1]),
                    "zero lane {k} by {i} of {sample:?}: {lane}"
                );
            }
        }
    }
}

#[test]
fn lanes_of_nested_duals_do_not_touch() {
    for sample in rows().flat_map(samples_and_points) {
        let first = |i: usize| First::variable(sample.x[i], i);
        let seed = |s: f64| First::constant(s);
        let wide: Vec<Dual<First, 4>> = (0..sample.x.len())
            .map(|i| Dual::new(first(i), SEEDS.map(seed)))
            .collect();
        let y = by_name::value(sample.row.name, &wide, sample.n).expect("a row of the table");
        for (k, found) in y.tangents.iter().enumerate() {
            let x: Vec<Dual<First, 1>> = (0..sample.x.len())
                .map(|i| Dual::new(first(i), [seed(SEEDS[k])]))
                .collect();
            let [alone] = by_name::value(sample.row.name, &x, sample.n)
                .expect("a row of the table")
                .tangents;
            let equal = (0..K).all(|j| same(found.tangents[j], alone.tangents[j]));
            assert!(
                equal && same(found.value, alone.value),
                "lane {k} of {sample:?}: {found:?}, alone {alone:?}"
            );
            let one = y.tangents[1];
            let zero = (0..K).all(|j| is_zero_lane(found.tangents[j], one.tangents[j]));
            assert!(
                SEEDS[k] != 0.0 || zero && is_zero_lane(found.value, one.value),
                "zero lane {k} of {sample:?}: {found:?}"
            );
        }
    }
}

#[test]
fn single_precision_agrees_with_double() {
    for sample in rows().flat_map(samples) {
        let double = tangent(&sample);
        let x: Vec<Dual<f32, K>> = (sample.x.iter().enumerate())
            .map(|(i, &x)| Dual::variable(x as f32, i))
            .collect();
        let y = by_name::value(sample.row.name, &x, sample.n).expect("a row of the table");
        for i in 0..sample.x.len() {
            // the arguments are rounded: the error grows with the second derivative
            let slope: f64 = double.second[i].iter().map(|d| d.abs()).sum();
            let tolerance = 1e-5 * (1.0 + slope);
            check(
                "single precision",
                &sample,
                f64::from(y.tangents[i]),
                double.first[i],
                tolerance,
            );
        }
    }
}
