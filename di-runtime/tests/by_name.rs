//! Backends by name, one type for all of them, and no backend at all.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{
    assert_close, rosenbrock, rosenbrock_gradient, rosenbrock_hvp, springs, springs_jacobian,
};
use di_runtime::backends::{
    AutoDual, AutoForwardFromPrimitive, AutoSource, BACKENDS, NoAutoDiff, auto,
};
use di_runtime::capability::{Capabilities, Mode, Operator};
use di_runtime::closure::closure;
use di_runtime::error::Error;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::second_order::SecondOrder;

// row 52
#[test]
fn every_name_is_a_backend_that_works() {
    let x = [0.3, -0.4, 1.2, 0.8];
    let f = rosenbrock::AD;
    let mut names = Vec::new();
    for listed in BACKENDS {
        for name in listed.names {
            assert!(!names.contains(name), "{name} twice");
            names.push(name);
            assert_eq!(auto(name).unwrap(), (listed.make)());
        }
        let b = (listed.make)();
        if b.mode() == Mode::None {
            continue;
        }
        let what = listed.written;
        assert!(what.starts_with(b.name()), "{what}");
        let prep = prepare_gradient(f, &b, &[0.0; 4]).unwrap();
        let (y, g) = value_and_gradient(f, &prep, &b, &x).unwrap();
        assert_eq!(y, rosenbrock(&x), "{what}");
        let tolerance = b.accuracy(Operator::Gradient).max(1e-12);
        assert_close(what, &g, &rosenbrock_gradient(&x), tolerance);
        let [back] = pullback(f, NoPrep, &b, &x, &[1.0]).unwrap();
        assert_close(what, &back, &rosenbrock_gradient(&x), tolerance);
        let (mut y, cache) = ([0.0; 4], [0.0; 3]);
        let j = jacobian(springs::AD.with(2.0, &cache).output(&mut y), NoPrep, &b, &x).unwrap();
        for (row, expected) in j.rows().zip(springs_jacobian(&x, 2.0)) {
            assert_close(what, row, &expected, tolerance);
        }
        assert!(b.check_operator(Operator::Hvp));
        if b.check_operator(Operator::Hvp) {
            let v = [1.0, -1.0, 0.5, 0.0];
            let tolerance = b.accuracy(Operator::Hvp).max(1e-12);
            let prep = prepare_hvp_same_point(f, &b, &x, &[&v]).unwrap();
            let [hv] = hvp(f, &prep, &b, &x, &[&v]).unwrap();
            assert_close(what, &hv, &rosenbrock_hvp(&x, &v), tolerance);
        }
    }
    assert!(
        ["forward", "reverse", "none"]
            .iter()
            .all(|name| names.contains(name))
    );
}

#[test]
fn counterparts_are_those_of_the_backend() {
    let source = auto("source").unwrap();
    assert_eq!(source.forward_counterpart(), Some(auto("forward").unwrap()));
    assert_eq!(source.reverse_counterpart(), Some(auto("reverse").unwrap()));
    assert_eq!(auto("dual").unwrap().reverse_counterpart(), None);
}

#[test]
fn unknown_names_are_told_what_there_is() {
    let error = auto("Forward").unwrap_err();
    let shown = error.to_string();
    assert!(
        shown.contains("found `Forward`") && shown.contains("`finite_diff`"),
        "{shown}"
    );
}

#[test]
fn a_prep_of_another_variant_is_refused() {
    let (f, x) = (rosenbrock::AD, [0.5, 2.0]);
    let prep = prepare_gradient(f, &auto("forward").unwrap(), &x).unwrap();
    for other in ["reverse", "dual", "finite_diff"] {
        let error = gradient(f, &prep, &auto(other).unwrap(), &x).unwrap_err();
        assert!(matches!(error, Error::Preparation(_)), "{error}");
    }
}

// row 51
#[test]
fn no_engine_is_a_typed_error() {
    assert!(!NoAutoDiff.check_available() && !NoAutoDiff.check_inplace());
    assert_eq!(NoAutoDiff.mode(), Mode::None);
    let f = closure(|x: &[f64]| x[0]);
    let error = gradient(&f, NoPrep, &NoAutoDiff, &[1.0]).unwrap_err();
    assert!(matches!(
        error,
        Error::Unsupported {
            operator: Operator::Gradient,
            ..
        }
    ));
    assert!(
        error.to_string().contains("no engine was chosen"),
        "{error}"
    );
    assert!(prepare_hessian(&f, &NoAutoDiff, &[1.0]).is_err());
    for available in [auto("source").unwrap(), auto("symbolic").unwrap()] {
        assert!(available.check_available() && available.check_inplace());
    }
}

// row 57
#[test]
fn engines_reduced_to_a_primitive_have_second_order_inside_of_others() {
    let (f, x, v) = (rosenbrock::AD, [0.3, -0.4, 1.2], [1.0, 2.0, -0.5]);
    let inner = AutoForwardFromPrimitive(AutoSource::new());
    let b = SecondOrder::new(AutoDual::new(), inner);
    let [hv] = hvp(f, NoPrep, &b, &x, &[&v]).unwrap();
    assert_close("hvp", &hv, &rosenbrock_hvp(&x, &v), 1e-13);
}
