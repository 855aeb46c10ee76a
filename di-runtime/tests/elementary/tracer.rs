//! Tracers: dependence follows the classes of the table, and there are no values to look at.

use di_elementary::Class;
use di_runtime::rules::{Rule, by_name};
use di_runtime::scalar::{Lanes, Scalar, Trace, Tracer, Unknown, take_error};

use crate::samples::rows;

type T = Tracer<Unknown<f64>>;

/// Nothing is known of a value.
fn unknown() -> Unknown<f64> {
    Unknown::default()
}

#[test]
fn dependence_follows_the_classes() {
    for row in rows() {
        let trace = Trace::begin();
        let x: Vec<T> = (0..row.arity())
            .map(|i| trace.input(i, unknown()))
            .collect();
        let y = by_name::value(row.name, &x, 2).expect("a row of the table");
        let expected: Vec<usize> = (0..row.arity())
            .filter(|&i| row.classes[i] != Class::Zero)
            .collect();
        assert_eq!(trace.inputs_of(y), expected, "`{}`", row.name);
        assert_eq!(trace.take_error(), None, "`{}` asks for a value", row.name);
    }
}

#[test]
fn a_zeroth_power_depends_on_nothing() {
    let trace = Trace::begin();
    let x: T = trace.input(0, unknown());
    assert_eq!(trace.inputs_of(x.powi(0)), []);
    assert_eq!(trace.inputs_of(x.powi(-1)), [0]);
}

#[test]
fn unions_are_sorted_and_without_repetition() {
    let trace = Trace::begin();
    let x: Vec<T> = (0..5).map(|i| trace.input(i, unknown())).collect();
    let y = (x[3] * x[1] + x[1]).mul_real(2.0) - x[0].sin();
    assert_eq!(trace.inputs_of(y), [0, 1, 3]);
    assert_eq!(trace.inputs_of(y.floor() + x[4]), [4]);
    assert_eq!(trace.inputs_of(T::from_real(1.0)), []);
}

#[test]
fn the_first_comparison_is_the_error() {
    let trace = Trace::begin();
    let (x, y): (T, T) = (trace.input(0, unknown()), trace.input(1, unknown()));
    let _ = (x.lt(y), x.eq(y), x.primal());
    let error = trace.take_error().expect("a comparison was asked for");
    assert_eq!(error.operation, "<");
    assert!(error.to_string().contains("`<` needs the value"), "{error}");
    assert_eq!(trace.take_error(), None);
}

#[test]
fn no_loop_waits_for_ever() {
    let trace = Trace::begin();
    let x: T = trace.input(0, unknown());
    while x.lt(T::from_real(1.0)) {}
    while !x.gt(T::from_real(1.0)) {}
    while (x.primal() as usize) < 100 {}
    while x.primal() >= 0.0 {}
    assert!(take_error().is_some());
}

#[test]
fn traces_nest() {
    let outer = Trace::begin();
    let (x, y): (T, T) = (outer.input(0, unknown()), outer.input(1, unknown()));
    let z = x * y;
    {
        let inner = Trace::begin();
        let w: T = inner.input(7, unknown());
        assert_eq!(inner.inputs_of(w + w), [7]);
    }
    assert_eq!(outer.inputs_of(z + y), [0, 1]);
}

/// `y[i] = x[i]`, with a pattern that says so.
struct Identity;

impl Rule<f64, 1, 1> for Identity {
    fn primal(&self, [x]: [&[f64]; 1], [y]: [&mut [f64]; 1]) {
        y.copy_from_slice(x);
    }
    fn pushforward<S: Scalar<Real = f64>, L: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        [dx]: [&[L]; 1],
        [dy]: [&mut [L]; 1],
    ) {
        dy.copy_from_slice(dx);
    }
    fn pullback<S: Scalar<Real = f64>, L: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        [yb]: [&[L]; 1],
        [xb]: [&mut [L]; 1],
    ) {
        for (xb, yb) in xb.iter_mut().zip(yb) {
            xb.acc(*yb);
        }
    }
    fn depends(&self, i: usize, j: usize) -> bool {
        i == j
    }
}

#[test]
fn rules_say_their_pattern() {
    let trace = Trace::begin();
    let x: [T; 2] = [trace.input(0, unknown()), trace.input(1, unknown())];
    let mut y = [T::default(); 2];
    T::call_rule(&Identity, [&x], [&mut y]);
    assert_eq!(
        (trace.inputs_of(y[0]), trace.inputs_of(y[1])),
        (vec![0], vec![1])
    );
}
