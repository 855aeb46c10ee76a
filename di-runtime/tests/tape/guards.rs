//! A recording is used only where it holds.

use crate::functions::{Branch, Lookup, Powers, runs};
use di_runtime::backends::AutoTape;
use di_runtime::closure::generic;
use di_runtime::error::{Change, Error};
use di_runtime::operators::*;

#[test]
fn another_branch_is_recorded_again() {
    let b = AutoTape::new();
    let prep = prepare_gradient(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    for x in [[2.0, 3.0], [-2.0, 3.0], [-1.0, 4.0], [0.5, -1.0]] {
        let g = gradient(generic(Branch), &prep, &b, &x).unwrap();
        assert_eq!(g, [x[1] * f64::signum(x[0]), x[0].abs()], "{x:?}");
    }
}

#[test]
fn the_function_does_not_run_while_its_recording_holds() {
    let b = AutoTape::new();
    let prep = prepare_gradient(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    runs();
    for k in 1..4 {
        let x = [f64::from(k), 3.0];
        gradient(generic(Branch), &prep, &b, &x).unwrap();
    }
    assert_eq!(runs(), 0);
    gradient(generic(Branch), &prep, &b, &[-1.0, 3.0]).unwrap();
    assert_eq!(runs(), 1);
}

#[test]
fn another_branch_is_an_error_for_a_strict_tape() {
    let b = AutoTape::new().strict();
    let prep = prepare_gradient(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    assert!(gradient(generic(Branch), &prep, &b, &[2.0, 2.0]).is_ok());
    let error = gradient(generic(Branch), &prep, &b, &[-2.0, 2.0]).unwrap_err();
    let Error::Recorded { change, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(change, Change::Branch);
    assert!(
        error
            .to_string()
            .contains("expected the branches that were recorded")
    );
}

#[test]
fn nan_takes_the_branch_that_it_takes() {
    let b = AutoTape::new();
    let prep = prepare_gradient(generic(Branch), &b, &[-1.0, 2.0]).unwrap();
    let g = gradient(generic(Branch), &prep, &b, &[f64::NAN, 2.0]).unwrap();
    assert_eq!(g[0], 2.0);
}

#[test]
fn an_index_is_part_of_the_recording() {
    let b = AutoTape::new();
    let prep = prepare_gradient(generic(Lookup), &b, &[1.2, 2.0, 3.0]).unwrap();
    runs();
    let g = gradient(generic(Lookup), &prep, &b, &[1.9, 5.0, 7.0]).unwrap();
    assert_eq!((g, runs()), ([0.0, 10.0, 0.0], 0));
    let g = gradient(generic(Lookup), &prep, &b, &[2.0, 5.0, 7.0]).unwrap();
    assert_eq!((g, runs()), ([0.0, 0.0, 14.0], 1));
}

#[test]
fn constants_may_change() {
    for (b, seen) in [
        (AutoTape::new(), true),
        (AutoTape::new(), false),
        (AutoTape::eager(), true),
    ] {
        let f = |c, p| generic(Powers { c, p, seen });
        let x = [1.5, -0.5, 2.0];
        let prep = prepare_gradient(f(2.0, 3), &b, &x).unwrap();
        for (c, p) in [(2.0, 3), (5.0, 3), (5.0, 2), (5.0, 2), (1.0, 1), (1.0, 0)] {
            let g = gradient(f(c, p), &prep, &b, &x).unwrap();
            let expected =
                x.map(|x: f64| c * f64::from(p) * if p == 0 { 0.0 } else { x.powi(p - 1) });
            for (g, e) in g.iter().zip(expected) {
                assert!((g - e).abs() < 1e-14, "{c} {p}: {g} {e}");
            }
        }
    }
}

#[test]
fn changed_and_hidden_constants_are_errors_for_a_strict_tape() {
    let b = AutoTape::new().strict();
    let f = |c, seen| generic(Powers { c, p: 2, seen });
    let prep = prepare_gradient(f(2.0, true), &b, &[1.0]).unwrap();
    assert!(gradient(f(2.0, true), &prep, &b, &[3.0]).is_ok());
    let changed = gradient(f(3.0, true), &prep, &b, &[3.0]).unwrap_err();
    let hidden = prepare_gradient(f(2.0, false), &b, &[1.0]).unwrap_err();
    for (error, expected) in [(changed, Change::Constants), (hidden, Change::Opaque)] {
        assert!(
            matches!(error, Error::Recorded { change, .. } if change == expected),
            "{error}"
        );
    }
}

#[test]
fn an_eager_tape_records_each_call() {
    let b = AutoTape::eager();
    let prep = prepare_gradient(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    runs();
    for x in [[2.0, 3.0], [-2.0, 3.0]] {
        let g = gradient(generic(Branch), &prep, &b, &x).unwrap();
        assert_eq!(g, [3.0 * f64::signum(x[0]), 2.0]);
    }
    assert_eq!(runs(), 2);
}

#[test]
fn a_clone_goes_its_own_way() {
    let b = AutoTape::new();
    let prep = prepare_gradient(generic(Branch), &b, &[1.0, 2.0]).unwrap();
    let other = prep.clone();
    std::thread::spawn(move || {
        let g = gradient(generic(Branch), &other, &b, &[-1.0, 3.0]).unwrap();
        assert_eq!(g, [-3.0, 1.0]);
    })
    .join()
    .unwrap();
    assert_eq!(
        gradient(generic(Branch), &prep, &b, &[2.0, 3.0]).unwrap(),
        [3.0, 2.0]
    );
}
