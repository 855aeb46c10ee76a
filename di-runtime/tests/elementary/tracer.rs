//! Tracers: dependence follows the classes of the table, and there are no values to look at.

use di_elementary::Class;
use di_runtime::rules::{Rule, by_name};
use di_runtime::scalar::{
    Dual, IndexPairs, Known, Lanes, Scalar, Trace, Tracer, Unknown, take_error,
};

use crate::samples::{Sample, rows, samples};

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

/// Second derivatives of a row at a sample, by dual numbers of dual numbers.
fn second_derivatives(sample: &Sample) -> [[f64; 3]; 3] {
    type D = Dual<Dual<f64, 3>, 3>;
    let lift = |(i, x): (usize, &f64)| {
        let inner = Dual::<f64, 3>::variable(*x, i);
        let mut outer = D::constant(inner);
        outer.tangents[i] = Dual::constant(1.0);
        outer
    };
    let x: Vec<D> = sample.x.iter().enumerate().map(lift).collect();
    let y = by_name::value(sample.row.name, &x, sample.n).expect("a row of the table");
    y.tangents.map(|tangent| tangent.tangents)
}

#[test]
fn pairs_are_where_second_derivatives_are() {
    for row in rows() {
        for n in if row.integer { -2..=4 } else { 0..=0 } {
            let trace = Trace::begin();
            let x: Vec<Tracer<Unknown<f64>, IndexPairs>> = (0..row.arity())
                .map(|i| trace.input(i, unknown()))
                .collect();
            let y = by_name::value(row.name, &x, n).expect("a row of the table");
            let pairs = trace.pairs(&[y]);
            let mut found = vec![false; pairs.len()];
            for sample in samples(row).into_iter().filter(|sample| sample.n == n) {
                let second = second_derivatives(&sample);
                for (i, second) in second.iter().enumerate() {
                    for (j, second) in second.iter().enumerate().take(i + 1) {
                        let at = pairs.iter().position(|pair| *pair == (i as u32, j as u32));
                        match at {
                            Some(at) => found[at] |= *second != 0.0,
                            None => assert_eq!(*second, 0.0, "{sample:?}, ({i}, {j})"),
                        }
                    }
                }
            }
            let sampled = samples(row).iter().any(|sample| sample.n == n);
            assert!(
                !sampled || found.iter().all(|found| *found),
                "`{}` {n}: {pairs:?}",
                row.name
            );
        }
    }
}

#[test]
fn second_derivatives_that_do_not_change_are_those_of_quadratics() {
    let trace = Trace::begin();
    type Q = Tracer<Unknown<f64>, IndexPairs>;
    let (x, y): (Q, Q) = (trace.input(0, unknown()), trace.input(1, unknown()));
    for quadratic in [
        x,
        x * y,
        x.powi(2) - y.mul_real(3.0),
        (x + y) * (x - y),
        -x / Q::from_real(2.0),
    ] {
        assert!(quadratic.has_constant_second());
    }
    for other in [
        x * y * x,
        x.sin(),
        x.abs() * y,
        x.floor() * y * y,
        x / y,
        x.powi(3),
        x.max(y),
    ] {
        assert!(!other.has_constant_second());
    }
}

#[test]
fn values_are_followed_and_looks_are_noted() {
    type L = Tracer<Known<f64>, IndexPairs>;
    let trace = Trace::begin();
    let (x, y): (L, L) = (trace.input(0, Known(2.0)), trace.input(1, Known(0.0)));
    assert_eq!((x * y).sin().primal(), 0.0);
    assert!(trace.looked());
    // the derivative by x is y, which is zero here; the mixed one is not
    assert_eq!(trace.inputs_of(x * y), [1]);
    assert_eq!(trace.pairs(&[x * y]), [(1, 0)]);
    assert_eq!(trace.inputs_of(x.max(y)), [0]);
    assert_eq!(trace.inputs_of(y.max(L::from_real(0.0))), [1]);
    assert!(x.gt(y) && !x.lt(y));
    assert_eq!(trace.take_error(), None);
}

#[test]
fn sets_that_are_shared_by_many_are_read_at_once() {
    let trace = Trace::begin();
    let x: Vec<T> = (0..150).map(|i| trace.input(i, unknown())).collect();
    let mut state = x.clone();
    for round in 0..60 {
        for i in 0..150 {
            state[i] = state[i] + state[(i * 7 + round) % 150];
        }
    }
    let (starts, inputs) = trace.rows(&state);
    for (i, y) in state.iter().enumerate() {
        let row = &inputs[starts[i] as usize..starts[i + 1] as usize];
        let alone: Vec<u32> = trace.inputs_of(*y).into_iter().map(|i| i as u32).collect();
        assert_eq!(row, alone);
    }
}
