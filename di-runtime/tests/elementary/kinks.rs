//! Conventions at kinks and poles, and the programs they are for.

use di_runtime::rules;
use di_runtime::scalar::{Dual, Lanes, Scalar};

type D1 = Dual<f64, 1>;
type D2 = Dual<D1, 1>;

/// Value, first and second derivative of a function of one variable.
fn taylor(f: impl Fn(D2) -> D2, x: f64) -> (f64, f64, f64) {
    let y = f(D2::variable(D1::variable(x, 0), 0));
    (
        y.value.value,
        y.tangents[0].value,
        y.tangents[0].tangents[0],
    )
}

fn constant(c: f64) -> D2 {
    D2::from_real(c)
}

#[test]
fn a_zero_residual_keeps_its_curvature() {
    let residual = |x: D2| x.sqrt().sub_real(1.0);
    assert_eq!(taylor(|x| residual(x) * residual(x), 1.0), (0.0, 0.0, 0.5));
    assert_eq!(taylor(|x| residual(x).powi(2), 1.0), (0.0, 0.0, 0.5));
    assert_eq!(
        taylor(|x| residual(x).powf(constant(2.0)), 1.0),
        (0.0, 0.0, 0.5)
    );
}

#[test]
fn powers_with_special_exponents_keep_their_derivatives() {
    assert_eq!(taylor(|x| x.powf(constant(2.0)), 0.0), (0.0, 0.0, 2.0));
    assert_eq!(taylor(|x| x.powf(constant(1.0)), 0.0), (0.0, 1.0, 0.0));
    assert_eq!(taylor(|x| x.powf(constant(0.0)), 0.0), (1.0, 0.0, 0.0));
    assert_eq!(taylor(|x| x.powf(constant(3.0)), -2.0), (-8.0, 12.0, -12.0));
    assert_eq!(taylor(|x| x.powi(2), 0.0), (0.0, 0.0, 2.0));
    assert_eq!(taylor(|x| x.powi(1), 0.0), (0.0, 1.0, 0.0));
    assert_eq!(taylor(|x| x.powi(0), 0.0), (1.0, 0.0, 0.0));
    // results that underflow or overflow do not take the derivative with them
    assert_eq!(
        D1::variable(1e-200, 0).powf(D1::constant(2.0)).tangents,
        [2e-200]
    );
    let root = D1::variable(0.0, 0).powf(D1::constant(0.5));
    assert_eq!(root.tangents, [f64::INFINITY]);
    assert_eq!(
        D1::variable(1.0, 0).powi(i32::MIN).tangents,
        [f64::from(i32::MIN)]
    );
}

#[test]
fn a_negative_base_has_no_derivative_by_an_active_exponent() {
    assert!(D1::constant(-2.0).powf(D1::variable(2.0, 0)).tangents[0].is_nan());
    assert_eq!(
        D1::variable(-2.0, 0).powf(D1::constant(2.0)).tangents,
        [-4.0]
    );
}

#[test]
fn abs_has_the_slope_of_the_sign() {
    assert_eq!(taylor(|x| (-(x * x)).abs(), 0.0).2, 2.0);
    assert_eq!(D1::variable(0.0, 0).abs().tangents, [1.0]);
    assert_eq!(D1::variable(-0.0, 0).abs().tangents, [-1.0]);
}

#[test]
fn a_zero_lane_is_no_number_at_a_pole() {
    let at_pole = |x: f64| Dual::new(x, [0.0, 1.0]);
    for y in [
        at_pole(0.0).sqrt(),
        at_pole(0.0).cbrt(),
        at_pole(0.0).ln(),
        at_pole(0.0).recip(),
        at_pole(1.0).asin(),
        at_pole(1.0).atanh(),
        at_pole(0.0).powf(Dual::constant(0.5)),
        Dual::constant(1.0) / at_pole(0.0),
        Dual::real_div(1.0, at_pole(0.0)),
        at_pole(1e3).exp(),
    ] {
        assert!(y.tangents[0].is_nan(), "{y:?}");
        assert!(y.tangents[1].is_infinite(), "{y:?}");
    }
    let (a, b) = (Dual::new(0.0_f64, [0.0, 1.0]), Dual::new(0.0, [0.0, 0.0]));
    assert!(a.atan2(b).tangents.iter().all(|t| t.is_nan()));
    assert_eq!(a.hypot(b).tangents, [0.0, 0.0]);
    assert!((a / b).tangents[0].is_nan());
}

#[test]
fn a_distance_of_zero_has_a_slope_of_zero_and_no_curvature() {
    let (value, first, second) = taylor(|x| x.hypot(constant(0.0)), 0.0);
    assert_eq!((value, first), (0.0, 0.0));
    assert!(second.is_nan());
}

#[test]
fn a_strong_product_is_a_product_where_factors_are_finite() {
    let (a, b) = (Dual::new(0.0, [1.0, 0.0]), Dual::new(3.0, [4.0, 5.0]));
    let (strong, plain) = (a.mul_strong(b), a * b);
    assert_eq!(
        (strong.value, strong.tangents),
        (plain.value, plain.tangents)
    );
    // a zero value with a tangent is not zero: the tangent meets the infinity, the value does not
    let pole = Dual::new(f64::INFINITY, [0.0, 0.0]);
    let y = a.mul_strong(pole);
    assert_eq!((y.value, y.tangents), (0.0, [f64::INFINITY, 0.0]));
}

#[test]
fn adjoints_scaled_strongly_are_the_same_on_floats_and_duals() {
    let (zero, y) = (D1::new(0.0, [1.0]), D1::new(0.0, [0.0]));
    let adjoint = Lanes::<D1>::scale_strong(zero, rules::sqrt::d0(y, y));
    assert_eq!(
        adjoint.value,
        Lanes::<f64>::scale_strong(0.0, rules::sqrt::d0(0.0, 0.0))
    );
}

#[test]
fn selections_do_not_multiply() {
    let pole = Dual::new(f64::INFINITY, [f64::INFINITY]);
    let one = Dual::new(1.0, [3.0]);
    assert_eq!(pole.min(one).tangents, [3.0]);
    assert_eq!(one.min(pole).tangents, [3.0]);
    assert_eq!(pole.clamp(Dual::constant(0.0), one).tangents, [3.0]);
    let undefined = Dual::new(f64::NAN, [f64::NAN]);
    assert_eq!(undefined.max(one).tangents, [3.0]);
    assert_eq!(one.max(undefined).tangents, [3.0]);
    assert_eq!(Lanes::<f64>::scale_select(f64::INFINITY, 0.0), 0.0);
}

#[test]
fn relu_is_flat_at_zero() {
    assert_eq!(taylor(|x| x.max(constant(0.0)), 0.0), (0.0, 0.0, 0.0));
    assert_eq!(taylor(|x| x.max(constant(0.0)), 1.0), (1.0, 1.0, 0.0));
}

#[test]
fn remainders_take_the_quotient_from_the_remainder() {
    // 0.3 / 0.1 rounds to 3, though 0.3 % 0.1 is just below 0.1: the quotient is 2
    let y = D1::constant(0.3) % D1::variable(0.1, 0);
    assert_eq!((y.value, y.tangents), (0.3 % 0.1, [-2.0]));
    let y = D1::constant(-5.5).rem_euclid(D1::variable(2.0, 0));
    assert_eq!((y.value, y.tangents), (0.5, [3.0]));
    let y = Dual::<f64, 1>::real_rem(7.0, D1::variable(2.0, 0));
    assert_eq!((y.value, y.tangents), (1.0, [-3.0]));
    assert_eq!(D1::variable(7.5, 0).rem_real(2.0).tangents, [1.0]);
}

#[test]
fn exp_m1_keeps_relative_accuracy() {
    let y = D1::variable(-50.0, 0).exp_m1();
    assert_eq!(y.tangents, [(-50.0f64).exp()]);
}

#[test]
fn sine_and_cosine_at_once_are_sine_and_cosine() {
    let x = D2::variable(D1::variable(0.7, 0), 0);
    let (sin, cos) = x.sin_cos();
    assert_eq!(format!("{sin:?}"), format!("{:?}", x.sin()));
    assert_eq!(format!("{cos:?}"), format!("{:?}", x.cos()));
}

#[test]
fn passive_operands_are_as_lifted_ones() {
    let x = D2::variable(D1::variable(1.7, 0), 0);
    let c = constant(0.6);
    let pairs = [
        (x.add_real(0.6), x + c),
        (x.sub_real(0.6), x - c),
        (x.mul_real(0.6), x * c),
        (x.div_real(0.6), x / c),
        (x.rem_real(0.6), x % c),
        (D2::real_sub(0.6, x), c - x),
        (D2::real_div(0.6, x), c / x),
        (D2::real_rem(0.6, x), c % x),
    ];
    for (mixed, lifted) in pairs {
        assert_eq!(mixed.value.value, lifted.value.value);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(
            close(mixed.tangents[0].value, lifted.tangents[0].value),
            "{mixed:?} {lifted:?}"
        );
        assert!(
            close(
                mixed.tangents[0].tangents[0],
                lifted.tangents[0].tangents[0]
            ),
            "{mixed:?} {lifted:?}"
        );
    }
}
