//! Second order: on the recording, and with other engines.

use crate::by_hand::{Curve, rosenbrock, rosenbrock_hvp};
use crate::functions::Branch;
use approx::assert_relative_eq;
use di_runtime::backends::{AutoDual, AutoFiniteDiff, AutoTape};
use di_runtime::closure::generic;
use di_runtime::error::Error;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::second_order::SecondOrder;

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.37 * i as f64).sin()).collect()
}

/// Products and Hessian of one backend; a macro, since backends are types.
macro_rules! second_order {
    ($b:expr, $tolerance:expr) => {{
        let b = $b;
        for n in [2, 3, 6, 11] {
            let (x, f) = (point(n), rosenbrock::AD);
            let v: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let w: Vec<f64> = (0..n).map(|i| 0.5 - i as f64).collect();
            let prep = prepare_hvp(f, &b, &vec![0.3; n], &[v.clone(), w.clone()]).unwrap();
            let products = hvp(f, &prep, &b, &x, &[v.clone(), w.clone()]).unwrap();
            for (v, product) in [&v, &w].into_iter().zip(&products) {
                let e = rosenbrock_hvp(&x, v);
                assert_relative_eq!(
                    &product[..],
                    &e[..],
                    max_relative = $tolerance,
                    epsilon = $tolerance
                );
            }
            let h = hessian(f, NoPrep, &b, &x).unwrap();
            for k in 0..n {
                let mut unit = vec![0.0; n];
                unit[k] = 1.0;
                let e = rosenbrock_hvp(&x, &unit);
                for i in 0..n {
                    assert_relative_eq!(
                        h[[i, k]],
                        e[i],
                        max_relative = $tolerance,
                        epsilon = $tolerance
                    );
                    assert_eq!(h[[i, k]], h[[k, i]]);
                }
            }
        }
    }};
}

#[test]
fn products_with_the_hessian() {
    second_order!(AutoTape::new(), 1e-11);
    second_order!(AutoTape::eager(), 1e-11);
    second_order!(AutoTape::new().strict().chunk(1), 1e-11);
}

#[test]
fn tapes_inside_of_other_engines() {
    second_order!(SecondOrder::new(AutoDual::new(), AutoTape::new()), 1e-11);
    second_order!(SecondOrder::new(AutoDual::new(), AutoTape::eager()), 1e-11);
    second_order!(
        SecondOrder::new(AutoFiniteDiff::new(), AutoTape::new()),
        1e-4
    );
}

#[test]
fn tapes_outside_of_other_engines() {
    second_order!(SecondOrder::new(AutoTape::new(), AutoDual::new()), 1e-11);
    second_order!(SecondOrder::new(AutoTape::new(), AutoTape::new()), 1e-11);
    second_order!(SecondOrder::new(AutoTape::eager(), AutoDual::new()), 1e-11);
    // without branches a recording holds everywhere
    let strict = AutoTape::new().strict();
    second_order!(SecondOrder::new(strict, AutoDual::new()), 1e-11);
}

macro_rules! curve {
    ($b:expr) => {{
        let b = $b;
        let prep = prepare_second_derivative(generic(Curve), &b, &0.1).unwrap();
        let (y, dy, ddy) =
            value_derivative_and_second_derivative(generic(Curve), &prep, &b, &0.7).unwrap();
        let (s, c) = 0.7f64.sin_cos();
        assert_relative_eq!(y[..], [s, 0.7 * 0.7, 1.0], max_relative = 1e-14);
        assert_relative_eq!(dy[..], [c, 1.4, 0.0], max_relative = 1e-14);
        assert_relative_eq!(ddy[..], [-s, 2.0, 0.0], max_relative = 1e-14);
    }};
}

#[test]
fn second_derivatives() {
    curve!(AutoTape::new());
    curve!(AutoTape::eager());
    curve!(SecondOrder::new(AutoDual::new(), AutoTape::new()));
    curve!(SecondOrder::new(AutoTape::new(), AutoDual::new()));
    curve!(SecondOrder::new(AutoTape::new(), AutoTape::new()));
}

#[test]
fn branches_in_second_order() {
    let b = AutoTape::new();
    let prep = prepare_hessian(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    for sign in [1.0, -1.0, -1.0, 1.0] {
        let h = hessian(generic(Branch), &prep, &b, &[2.0 * sign, 3.0]).unwrap();
        assert_eq!(h, [[0.0, sign], [sign, 0.0]]);
    }
    macro_rules! nested {
        ($($outer:expr, $inner:expr;)+) => {$({
            let nested = SecondOrder::new($outer, $inner);
            let prep = prepare_hessian(generic(Branch), &nested, &[1.0, 2.0]).unwrap();
            for sign in [1.0, -1.0, -1.0, 1.0] {
                let h = hessian(generic(Branch), &prep, &nested, &[2.0 * sign, 3.0]).unwrap();
                assert_eq!(h, [[0.0, sign], [sign, 0.0]]);
            }
        })+};
    }
    nested! {
        AutoDual::new(), AutoTape::new();
        AutoTape::new(), AutoDual::new();
        AutoTape::new(), AutoTape::new();
    }
    let strict = SecondOrder::new(AutoTape::new().strict(), AutoDual::new());
    let prep = prepare_hessian(generic(Branch), &strict, &[1.0, 2.0]).unwrap();
    assert!(hessian(generic(Branch), &prep, &strict, &[2.0, 3.0]).is_ok());
    let other = hessian(generic(Branch), &prep, &strict, &[-2.0, 3.0]);
    assert!(matches!(other, Err(Error::Recorded { .. })));
}
