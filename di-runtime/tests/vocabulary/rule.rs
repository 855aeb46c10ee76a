//! Custom rules under every engine, and to second order.

use di_runtime::rules::{Derivatives, Rule, Unary, UnaryRule, call, pull_lanes, push_lanes};
use di_runtime::scalar::{Dual, Scalar, Trace, Tracer};

type D3 = Dual<f64, 3>;

/// `y = (x0 x1, sin x2)`, from a library that knows floats only.
struct Foreign;

impl Rule<f64> for Foreign {
    fn inputs(&self) -> usize {
        3
    }
    fn outputs(&self) -> usize {
        2
    }
    fn primal(&self, x: &[f64], y: &mut [f64]) {
        y[0] = x[0] * x[1];
        y[1] = x[2].sin();
    }
    fn pushforward<S: Scalar<Real = f64>>(&self, x: &[S], _: &[S], dx: &[S], dy: &mut [S]) {
        dy[0] = dx[0] * x[1] + x[0] * dx[1];
        dy[1] = x[2].cos() * dx[2];
    }
    fn pullback<S: Scalar<Real = f64>>(&self, x: &[S], _: &[S], yb: &[S], xb: &mut [S]) {
        xb[0] = xb[0] + x[1] * yb[0];
        xb[1] = xb[1] + x[0] * yb[0];
        xb[2] = xb[2] + x[2].cos() * yb[1];
    }
    fn depends(&self, i: usize, j: usize) -> bool {
        (i == 0) == (j < 2)
    }
}

const X: [f64; 3] = [2.0, 3.0, 0.5];

fn duals() -> [D3; 3] {
    std::array::from_fn(|i| D3::variable(X[i], i))
}

#[test]
fn floats_call_the_function() {
    assert_eq!(call::<f64, 2>(&Foreign, &X), [6.0, 0.5f64.sin()]);
}

#[test]
fn duals_call_the_pushforward() {
    let [a, b] = call(&Foreign, &duals());
    assert_eq!((a.value, a.tangents), (6.0, [3.0, 2.0, 0.0]));
    assert_eq!(
        (b.value, b.tangents),
        (0.5f64.sin(), [0.0, 0.0, 0.5f64.cos()])
    );
}

#[test]
fn second_order_goes_through_the_rules_own_code() {
    let x: [Dual<D3, 3>; 3] = std::array::from_fn(|i| Dual::variable(duals()[i], i));
    let [a, b] = call(&Foreign, &x);
    assert_eq!(
        a.tangents.map(|d| d.tangents),
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]
    );
    assert_eq!(b.tangents[2].tangents, [0.0, 0.0, -(0.5f64.sin())]);
}

#[test]
fn lanes_go_one_by_one() {
    let y: [f64; 2] = call(&Foreign, &X);
    let mut dy = [[f64::NAN; 2]; 2];
    push_lanes(
        &Foreign,
        &X,
        &y,
        &[[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]],
        &mut dy,
    );
    assert_eq!(dy, [[3.0, 2.0], [0.0, 2.0 * 0.5f64.cos()]]);
    let mut xb = [[10.0, 0.0]; 3];
    pull_lanes(&Foreign, &X, &y, &[[1.0, 0.0], [0.0, 1.0]], &mut xb);
    assert_eq!(xb, [[13.0, 0.0], [12.0, 0.0], [10.0, 0.5f64.cos()]]);
    let mut xb = [1.0; 3];
    pull_lanes(&Foreign, &X, &y, &[1.0, 1.0], &mut xb);
    assert_eq!(xb, [4.0, 3.0, 1.0 + 0.5f64.cos()]);
}

#[test]
fn tracers_ask_for_the_pattern() {
    let trace = Trace::begin();
    let x: [Tracer<f64>; 3] = std::array::from_fn(|i| trace.input(i));
    let [a, b] = call(&Foreign, &x);
    assert_eq!(
        (trace.inputs_of(a), trace.inputs_of(b)),
        (vec![0, 1], vec![2])
    );
}

#[test]
#[should_panic(expected = "a rule from 3 to 2 numbers was called with 2 and 2")]
fn lengths_are_checked() {
    let _: [D3; 2] = call(&Foreign, &duals()[..2]);
}

/// Sum of many inputs: more than fits on the stack.
struct Sum(usize);

impl Rule<f64> for Sum {
    fn inputs(&self) -> usize {
        self.0
    }
    fn outputs(&self) -> usize {
        1
    }
    fn primal(&self, x: &[f64], y: &mut [f64]) {
        y[0] = x.iter().sum();
    }
    fn pushforward<S: Scalar<Real = f64>>(&self, _: &[S], _: &[S], dx: &[S], dy: &mut [S]) {
        dy[0] = dx.iter().fold(S::default(), |s, dx| s + *dx);
    }
    fn pullback<S: Scalar<Real = f64>>(&self, _: &[S], _: &[S], yb: &[S], xb: &mut [S]) {
        for xb in xb {
            *xb = *xb + yb[0];
        }
    }
}

#[test]
fn rules_may_have_many_inputs() {
    let x: Vec<Dual<f64, 1>> = (0..100).map(|i| Dual::new(f64::from(i), [1.0])).collect();
    let [y] = call(&Sum(100), &x);
    assert_eq!((y.value, y.tangents), (4950.0, [100.0]));
}

/// The square root by another's code.
struct Root;

impl UnaryRule<f64> for Root {
    fn primal(&self, x: f64) -> f64 {
        x.sqrt()
    }
    fn derivative<S: Scalar<Real = f64>>(&self, _: S, y: S) -> S {
        S::real_div(0.5, y)
    }
}

#[test]
fn unary_rules_have_strong_zeros() {
    let y = Unary(Root).call(Dual::new(0.0, [0.0, 1.0]));
    assert_eq!(y.tangents, [0.0, f64::INFINITY]);
    let mut xb = [0.0];
    Unary(Root).pullback(&[0.0], &[0.0], &[0.0], &mut xb);
    assert_eq!(xb, [0.0]);
}

#[test]
fn derivatives_beyond_those_given_are_undefined() {
    let square = Unary(Derivatives::new(&[|x: f64| x * x, |x| 2.0 * x]));
    let y = square.call(Dual::<_, 1>::variable(Dual::<f64, 1>::variable(3.0, 0), 0));
    assert_eq!((y.value.value, y.tangents[0].value), (9.0, 6.0));
    assert!(y.tangents[0].tangents[0].is_nan());
}
