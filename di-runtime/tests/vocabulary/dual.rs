//! Dual numbers: nesting, comparisons, seeds.

use di_runtime::scalar::{Dual, Lanes, Scalar, Zero};

type D1 = Dual<f64, 1>;

/// Derivative of `f` over any scalar: a level of its own at each use.
fn derivative<S: Scalar>(f: impl Fn(Dual<S, 1>) -> Dual<S, 1>, x: S) -> S {
    f(Dual::variable(x, 0)).tangents[0]
}

#[test]
fn perturbations_are_not_confused() {
    // d/dx (x * d/dy (x + y)) = d/dx (x * 1) = 1; with one kind of tangent it would come out 2.
    // Reference: J. M. Siskind, B. A. Pearlmutter, Perturbation confusion and referential
    // transparency (2005).
    let outer = |x: D1| x * derivative(|y| Dual::constant(x) + y, Dual::default());
    assert_eq!(derivative(outer, 1.0), 1.0);
    // d/dx (x * d/dy (x y)) = d/dx x^2 = 2 x
    let outer = |x: D1| x * derivative(|y| Dual::constant(x) * y, D1::constant(5.0));
    assert_eq!(derivative(outer, 3.0), 6.0);
}

#[test]
fn four_levels_give_the_fourth_derivative() {
    let x = 1.3;
    let x1 = Dual::<f64, 1>::variable(x, 0);
    let x2 = Dual::<_, 1>::variable(x1, 0);
    let x3 = Dual::<_, 1>::variable(x2, 0);
    let x4 = Dual::<_, 1>::variable(x3, 0);
    let y = x4.sin() * x4;
    let fourth = y.tangents[0].tangents[0].tangents[0].tangents[0];
    // (x sin x)'''' = x sin x - 4 cos x
    let expected = x * x.sin() - 4.0 * x.cos();
    assert!((fourth - expected).abs() < 1e-13, "{fourth} for {expected}");
}

#[test]
fn comparisons_look_at_the_value() {
    let (a, b) = (D1::new(1.0, [5.0]), D1::new(1.0, [7.0]));
    assert!(Scalar::eq(a, b) && a.le(b) && a.ge(b));
    assert!(!a.ne(b) && !a.lt(b) && !a.gt(b));
    assert!(a == b && (a <= b));
    assert_eq!(Dual::<D1, 2>::constant(a).primal(), 1.0);
}

#[test]
fn zero_is_zero_in_every_tangent() {
    assert!(D1::default().is_zero() && D1::zero().is_zero());
    assert!(!D1::new(0.0, [1.0]).is_zero());
    assert!(!Dual::<D1, 1>::new(D1::default(), [D1::new(0.0, [1.0])]).is_zero());
    assert!(D1::new(-0.0, [-0.0]).is_zero());
}

#[test]
fn no_directions_at_all_are_allowed() {
    let x = Dual::<f64, 0>::constant(2.0);
    assert_eq!((x * x).sqrt().value, 2.0);
}

#[test]
fn assigning_operators_are_the_operators() {
    let (a, b) = (D1::new(1.5, [2.0]), D1::new(0.75, [-1.0]));
    let mut x = a;
    x += b;
    x *= b;
    x -= a;
    x /= b;
    x %= b;
    let y = (((a + b) * b - a) / b) % b;
    assert_eq!((x.value, x.tangents), (y.value, y.tangents));
}

fn check_lanes<A: Lanes<f64>>(a: A, b: A) {
    let each = |x: A, expected: &dyn Fn(usize) -> f64| {
        for k in 0..A::WIDTH {
            assert_eq!(x.lane(k), expected(k), "lane {k}");
        }
    };
    each(a.add(b), &|k| a.lane(k) + b.lane(k));
    each(a.sub(b), &|k| a.lane(k) - b.lane(k));
    each(a.neg(), &|k| -a.lane(k));
    each(a.scale(3.0), &|k| a.lane(k) * 3.0);
    each(a.scale_real(-0.5), &|k| a.lane(k) * -0.5);
    each(a.scale_select(0.0), &|_| 0.0);
    let infinite = |x: f64| if x == 0.0 { 0.0 } else { x * f64::INFINITY };
    each(a.scale_strong(f64::INFINITY), &|k| infinite(a.lane(k)));
    let mut c = a;
    c.acc(b);
    c.acc(b);
    c.dec(b);
    each(c, &|k| a.lane(k) + b.lane(k));
    c.set_lane(A::WIDTH - 1, 9.0);
    assert_eq!(c.lane(A::WIDTH - 1), 9.0);
    assert!(A::zero().is_zero() && !c.is_zero());
}

#[test]
fn lanes_of_a_number_and_of_an_array() {
    check_lanes(2.0, -5.0);
    check_lanes([2.0, 0.0, -1.0], [0.25, 4.0, 0.0]);
}
