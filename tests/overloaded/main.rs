//! Modules marked `#[overloaded]`: any Rust on floats, against closed forms and central differences.
#![allow(
    unreachable_pub,
    clippy::legacy_numeric_constants,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::unnecessary_cast,
    clippy::unwrap_used,
    clippy::useless_vec,
    reason = "code as users write it is under test"
)]

mod constants;
mod containers;
mod contexts;
mod dispatch;
mod engines;
mod expressions;
mod generic;
mod macros;
mod modules;
mod outside;
mod own_iterators;
mod parameters;
mod refused;
mod results;
mod structs_returned;

use di_test::compare::{Tolerance, assert_close, assert_empty};
use di_test::differences;

/// Equal up to rounding, or both empty.
#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64]) {
    within(what, found, expected, 1e-11);
}

#[track_caller]
fn within(what: &str, found: &[f64], expected: &[f64], relative: f64) {
    let tolerance = Tolerance {
        relative,
        absolute: relative,
    };
    match expected.is_empty() {
        true => assert_empty(what, found),
        false => assert_close(what, found, expected, tolerance),
    }
}

/// Checks a function of a slice that returns a number at each point: its value, gradient, Hessian and products with
/// it, by tapes and by dual numbers, against central differences of the function on floats.
macro_rules! agrees {
    ($handle:expr, $plain:expr, $points:expr) => {
        crate::agrees!($handle, $plain, $points, 0.02)
    };
    ($handle:expr, $plain:expr, $points:expr, $step:expr) => {{
        let points = $points;
        let (tape, dual) = (di::AutoTape::new(), di::AutoDual::new());
        let first: &[f64] = &points[0];
        let (handle, plain) = ($handle, $plain);
        let by_tape = di::prepare_gradient(handle, &tape, first).unwrap();
        let by_duals = di::prepare_gradient(handle, &dual, first).unwrap();
        for x in &points {
            let x: &[f64] = x;
            let found = [
                di::value_and_gradient(handle, &by_tape, &tape, x),
                di::value_and_gradient(handle, &by_duals, &dual, x),
            ];
            let direction: Vec<f64> = (0..x.len()).map(|k| 0.7 - 0.3 * k as f64).collect();
            let second = [
                di::hessian(handle, di::NoPrep, &tape, x),
                di::hessian(handle, di::NoPrep, &dual, x),
            ];
            let products = [
                di::hvp(handle, di::NoPrep, &tape, x, &direction[..]),
                di::hvp(handle, di::NoPrep, &dual, x, &direction[..]),
            ];
            crate::check_number(
                stringify!($handle),
                &|x| plain(x),
                (x, $step),
                found.map(Result::unwrap),
                second.map(|h| h.unwrap().as_slice().to_vec()),
                products.map(Result::unwrap),
            );
        }
    }};
}
use agrees;

fn check_number(
    name: &str,
    plain: &dyn Fn(&[f64]) -> f64,
    (x, step): (&[f64], f64),
    first: [(f64, Vec<f64>); 2],
    second: [Vec<f64>; 2],
    products: [Vec<f64>; 2],
) {
    let name = format!("{name} at {x:?}");
    let gradient = |x: &[f64]| differences::columns(|x| vec![plain(x)], x, step).concat();
    let expected = gradient(x);
    for ((value, found), engine) in first.iter().zip(["tapes", "dual numbers"]) {
        close(
            &format!("value of {name} by {engine}"),
            &[*value],
            &[plain(x)],
        );
        within(
            &format!("gradient of {name} by {engine}"),
            found,
            &expected,
            1e-8,
        );
    }
    close(&format!("Hessian of {name}"), &second[0], &second[1]);
    let of_differences = differences::columns(gradient, x, step).concat();
    within(
        &format!("Hessian of {name}"),
        &second[1],
        &of_differences,
        1e-4,
    );
    let n = x.len();
    let row = |i: usize| {
        (0..n)
            .map(|j| second[1][i * n + j] * (0.7 - 0.3 * j as f64))
            .sum()
    };
    let expected: Vec<f64> = (0..n).map(row).collect();
    for found in &products {
        close(
            &format!("product with the Hessian of {name}"),
            found,
            &expected,
        );
    }
}
