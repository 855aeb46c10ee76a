//! Custom rules under every engine, and to second order.

use di_runtime::rules::{Derivatives, Rule, Unary, UnaryRule};
use di_runtime::scalar::{Dual, Lanes, Scalar, Trace, Tracer, Unknown};

type D3 = Dual<f64, 3>;

/// `y = (a0 a1, sin b)`, from a library that knows floats only.
struct Foreign;

impl Rule<f64, 2, 1> for Foreign {
    fn primal(&self, [a, b]: [&[f64]; 2], [y]: [&mut [f64]; 1]) {
        y[0] = a[0] * a[1];
        y[1] = b[0].sin();
    }
    fn pushforward<S: Scalar<Real = f64>, T: Lanes<S>>(
        &self,
        [a, b]: [&[S]; 2],
        _: [&[S]; 1],
        [da, db]: [&[T]; 2],
        [dy]: [&mut [T]; 1],
    ) {
        dy[0] = da[0].scale(a[1]).add(da[1].scale(a[0]));
        dy[1] = db[0].scale(b[0].cos());
    }
    fn pullback<S: Scalar<Real = f64>, A: Lanes<S>>(
        &self,
        [a, b]: [&[S]; 2],
        _: [&[S]; 1],
        [yb]: [&[A]; 1],
        [ab, bb]: [&mut [A]; 2],
    ) {
        ab[0].acc(yb[0].scale(a[1]));
        ab[1].acc(yb[0].scale(a[0]));
        bb[0].acc(yb[1].scale(b[0].cos()));
    }
    fn depends(&self, i: usize, j: usize) -> bool {
        (i == 0) == (j < 2)
    }
}

const X: [f64; 3] = [2.0, 3.0, 0.5];

fn duals() -> [D3; 3] {
    std::array::from_fn(|i| D3::variable(X[i], i))
}

fn call<S: Scalar<Real = f64>>(x: &[S; 3]) -> [S; 2] {
    let mut y = [S::default(); 2];
    S::call_rule(&Foreign, [&x[..2], &x[2..]], [&mut y]);
    y
}

#[test]
fn floats_call_the_function() {
    assert_eq!(call(&X), [6.0, 0.5f64.sin()]);
}

#[test]
fn duals_call_the_pushforward() {
    let [a, b] = call(&duals());
    assert_eq!((a.value, a.tangents), (6.0, [3.0, 2.0, 0.0]));
    assert_eq!(
        (b.value, b.tangents),
        (0.5f64.sin(), [0.0, 0.0, 0.5f64.cos()])
    );
}

#[test]
fn second_order_goes_through_the_rules_own_code() {
    let x: [Dual<D3, 3>; 3] = std::array::from_fn(|i| Dual::variable(duals()[i], i));
    let [a, b] = call(&x);
    assert_eq!(
        a.tangents.map(|d| d.tangents),
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]
    );
    assert_eq!(b.tangents[2].tangents, [0.0, 0.0, -(0.5f64.sin())]);
}

#[test]
fn several_directions_go_at_once() {
    let y: [f64; 2] = call(&X);
    let mut dy = [[f64::NAN; 2]; 2];
    let dx = [[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]];
    Foreign.pushforward([&X[..2], &X[2..]], [&y], [&dx[..2], &dx[2..]], [&mut dy]);
    assert_eq!(dy, [[3.0, 2.0], [0.0, 2.0 * 0.5f64.cos()]]);
    let mut xb = [[10.0, 0.0]; 3];
    let (ab, bb) = xb.split_at_mut(2);
    let yb = [[1.0, 0.0], [0.0, 1.0]];
    Foreign.pullback([&X[..2], &X[2..]], [&y], [&yb], [ab, bb]);
    assert_eq!(xb, [[13.0, 0.0], [12.0, 0.0], [10.0, 0.5f64.cos()]]);
}

#[test]
fn tracers_ask_for_the_pattern() {
    let trace = Trace::begin();
    let x: [Tracer<Unknown<f64>>; 3] = std::array::from_fn(|i| trace.input(i, Unknown::default()));
    let [a, b] = call(&x);
    assert_eq!(
        (trace.inputs_of(a), trace.inputs_of(b)),
        (vec![0, 1], vec![2])
    );
}

/// Sum of many inputs: more than fits on the stack.
struct Sum;

impl Rule<f64, 1, 1> for Sum {
    fn primal(&self, [x]: [&[f64]; 1], [y]: [&mut [f64]; 1]) {
        y[0] = x.iter().sum();
    }
    fn pushforward<S: Scalar<Real = f64>, T: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        [dx]: [&[T]; 1],
        [dy]: [&mut [T]; 1],
    ) {
        dy[0] = dx.iter().fold(T::zero(), |s, dx| s.add(*dx));
    }
    fn pullback<S: Scalar<Real = f64>, A: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        [yb]: [&[A]; 1],
        [xb]: [&mut [A]; 1],
    ) {
        for xb in xb {
            xb.acc(yb[0]);
        }
    }
}

#[test]
fn rules_may_have_many_inputs() {
    let x: Vec<Dual<f64, 1>> = (0..100).map(|i| Dual::new(f64::from(i), [1.0])).collect();
    let mut y = [Dual::default()];
    Scalar::call_rule(&Sum, [&x], [&mut y]);
    assert_eq!((y[0].value, y[0].tangents), (4950.0, [100.0]));
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
fn unary_rules_multiply_as_floats_do() {
    let y = Unary(Root).call(Dual::new(0.0, [0.0, 1.0]));
    assert!(f64::is_nan(y.tangents[0]));
    assert_eq!(y.tangents[1], f64::INFINITY);
    let mut xb = [0.0];
    Unary(Root).pullback([&[0.0]], [&[0.0]], [&[0.0]], [&mut xb]);
    assert!(f64::is_nan(xb[0]));
}

#[test]
fn derivatives_beyond_those_given_are_undefined() {
    let square = Unary(Derivatives::new(&[|x: f64| x * x, |x| 2.0 * x]));
    let y = square.call(Dual::<_, 1>::variable(Dual::<f64, 1>::variable(3.0, 0), 0));
    assert_eq!((y.value.value, y.tangents[0].value), (9.0, 6.0));
    assert!(y.tangents[0].tangents[0].is_nan());
}
