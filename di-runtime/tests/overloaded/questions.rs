//! What engines are asked: guards of tapes, patterns, texts without values.

use crate::constant;
use di_runtime::backends::{AutoDual, AutoTape};
use di_runtime::operators::{derivative, prepare_derivative};
use di_runtime::overloaded::{Active, cast, run};
use di_runtime::prep::NoPrep;
use di_runtime::scalar::{IndexSet, Tracer, Unknown, take_error};
use di_runtime::value::{Number, Slice};
use std::cell::RefCell;

type A = Active<f64>;

/// Each way of asking, in a piece of its own.
fn branches(x: A) -> A {
    let two = constant(2.0);
    let sorted = {
        let mut all = [x, two, constant(-1.0)];
        all.sort_by(|a, b| a.partial_cmp(b).unwrap());
        all[1]
    };
    let stepped = if x > two { x * x } else { x };
    let equal = if x == constant(3.0) { x.exp() } else { x.sin() };
    let whole: i32 = cast(x);
    let signed = if x.is_sign_negative() {
        -x * x
    } else {
        x.powi(3)
    };
    let within = if (constant(0.0)..two).contains(&x) {
        x
    } else {
        two
    };
    sorted + stepped + equal + x.powi(whole) + signed + within
}

overloaded!(Branches: Number => Number, |x, y| *y = branches(x));

#[test]
fn tapes_are_recorded_again_where_branches_change() {
    let tape = AutoTape::new();
    let prep = prepare_derivative(Branches, &tape, &0.5).unwrap();
    for x in [0.5, 0.6, 1.5, 2.0, 2.5, 3.0, 3.1, -0.5, 0.0, -0.0, 4.7] {
        let expected = derivative(Branches, NoPrep, &AutoDual::new(), &x).unwrap();
        let found = derivative(Branches, &prep, &tape, &x).unwrap();
        assert_eq!(found, expected, "at {x}");
    }
}

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

fn printing(x: &[A]) -> A {
    TEXT.set(format!("{:>3}{:?}", x[0], constant(1.0)));
    x[0] * x[1]
}

overloaded!(Printing: Slice => Number, |x, y| *y = printing(x));
overloaded!(Branching: Slice => Number, |x, y| *y = if x[0] > x[1] { x[0] } else { x[1] });

type Pattern = Tracer<Unknown<f64>, IndexSet>;

#[test]
fn what_has_no_value_is_printed_without_an_error() {
    let x = [Pattern::default(); 2];
    let mut y = Pattern::default();
    take_error();
    run::<Printing, Pattern>((), &x, &mut y);
    assert_eq!(TEXT.take(), "  ?1.0");
    assert_eq!(take_error(), None);
    run::<Branching, Pattern>((), &x, &mut y);
    assert_eq!(take_error().unwrap().operation, ">");
    // what was noted before stays
    run::<Branching, Pattern>((), &x, &mut y);
    run::<Printing, Pattern>((), &x, &mut y);
    assert!(take_error().is_some());
}
