//! Engines did not agree at singular points: what each has is the table of `docs/limits.md`.

use di::prelude::*;
use di::{AutoComplexStep, AutoSymbolic, AutoTaylor};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// The gradient of each engine, by the way that it takes.
macro_rules! gradients {
    ($f:ident at $x:expr; forward $forward:expr; reverse $reverse:expr; recorded $recorded:expr) => {{
        let x: &[f64] = &$x;
        macro_rules! check {
            ($backend:expr, $expected:expr) => {
                let found = gradient($f::AD, NoPrep, &$backend, x).unwrap();
                let expected: &[f64] = &$expected;
                let all = found.iter().zip(expected).all(|(a, b)| same(*a, *b));
                let name = (stringify!($f), stringify!($backend));
                assert!(all && found.len() == expected.len(), "{name:?}: {found:?}");
            };
        }
        check!(AutoSource::new().forward(), $forward);
        check!(AutoDual::new(), $forward);
        check!(AutoTaylor::new(), $forward);
        check!(AutoComplexStep::new(), $forward);
        check!(AutoSource::new().reverse(), $reverse);
        check!(AutoTape::new(), $recorded);
        check!(AutoTape::eager(), $recorded);
        check!(AutoSymbolic::new(), $recorded);
    }};
    ($f:ident at $x:expr; $expected:expr) => {
        gradients!($f at $x; forward $expected; reverse $expected; recorded $expected)
    };
}

/// The Hessian of each engine.
macro_rules! hessians {
    ($f:ident at $x:expr; $right:expr) => {{
        let x: &[f64] = &$x;
        macro_rules! check {
            ($backend:expr) => {
                let found = hessian($f::AD, NoPrep, &$backend, x).unwrap();
                let right: fn(f64) -> bool = $right;
                let name = (stringify!($f), stringify!($backend));
                assert!(found.iter().all(|v| right(*v)), "{name:?}: {found:?}");
            };
        }
        check!(AutoSource::new());
        check!(AutoSource::new().forward());
        check!(AutoDual::new());
        check!(AutoTaylor::new());
        check!(AutoTape::new());
        check!(AutoSymbolic::new());
        check!(AutoSymbolic::new().factored());
    }};
}

macro_rules! functions {
    ($($name:ident($x:ident) { $($body:tt)* })*) => {$(
        #[differentiable]
        fn $name($x: &[f64]) -> f64 {
            $($body)*
        }
    )*};
}
functions! {
    root(x) { x[0].sqrt() }
    logarithm(x) { x[0].ln() }
    reciprocal(x) { 1.0 / x[0] }
    root_of_square(x) { (x[0] * x[0]).sqrt() }
    roots_multiplied(x) { x[0].sqrt() * x[0].sqrt() }
    exp_of_logarithm(x) { x[0].ln().exp() }
    root_of_cube(x) { (x[0] * x[0] * x[0]).cbrt() }
    distance(x) { x[0].hypot(x[1]) }
    distance_with_a_sign(x) { x[0].hypot(x[0]).copysign(x[0]) }
    logistic(x) { 1.0 / (1.0 + (-x[0]).exp()) }
    root_and_more(x) { x[0].sqrt() + x[1] }
    floored(x) { (x[0] * x[0]).sqrt().max(1e-3) }
    absolute(x) { x[0].abs() }
    larger(x) { x[0].max(x[1]) }
    smaller(x) { x[0].min(x[1]) }
    square(x) { x[0].powf(2.0) }
    first_power(x) { x[0].powf(1.0) }
    square_root(x) { x[0].powf(0.5) }
    angle(x) { x[0].atan2(x[1]) }
    cube(x) { x[0] * x[0] * x[0] }
    logarithm_of_more(x) { x[0].ln_1p() }
    logarithm_by_two(x) { x[0].log2() }
    logarithm_by_ten(x) { x[0].log10() }
    logarithm_by_base(x) { x[0].log(2.0) }
    inverse_of_tanh(x) { x[0].atanh() }
    distance_of_roots(x) { let h = x[0].sqrt().hypot(x[0].sqrt()); h * h }
    distance_of_angles(x) { x[0].acos().hypot(x[0] - 1.0).cos() }
}

#[differentiable]
fn kernel(x: &[f64]) -> f64 {
    let r = (x[0] * x[0] + x[1] * x[1]).sqrt();
    (-r * r).exp()
}

#[differentiable]
fn kernel_of_distance(x: &[f64]) -> f64 {
    let r = x[0].hypot(x[1]);
    (-r * r).exp()
}

#[differentiable]
fn guarded(x: &[f64]) -> f64 {
    let l = (x[0] * x[0]).sqrt();
    let scaled = 2.0 * l;
    if scaled < 1e-3 {
        return 0.0;
    }
    scaled
}

#[differentiable]
fn guarded_twice(x: &[f64]) -> f64 {
    let l = (x[0] * x[0]).sqrt();
    let mut sum = x[0];
    for k in 0..2 {
        let far = l / 2.0;
        if far > 1e-3 {
            if k == 1 {
                sum += far;
            }
            sum += 2.0 * far;
        }
    }
    if l > 1e-3 {
        sum += l;
    }
    sum
}

#[differentiable]
fn guarded_loops(x: &[f64], n: usize) -> f64 {
    let l = x[0].sqrt();
    let mut sum = 0.0;
    if n > 1 {
        for _ in 0..n {
            sum += l;
        }
    } else if n > 0 {
        sum += 3.0 * l;
    }
    sum
}

#[test]
fn loops_in_branches_contribute() {
    for (n, slope) in [(0, 0.0), (1, 0.75), (2, 0.5), (3, 0.75)] {
        let f = guarded_loops::AD.with(n);
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let g = gradient(f, NoPrep, &backend, &[4.0][..]).unwrap();
            assert_eq!(g, [slope], "{n}");
        }
    }
}

#[test]
fn poles_are_infinite() {
    gradients!(root at [0.0]; [INF]);
    gradients!(logarithm at [0.0]; [INF]);
    gradients!(reciprocal at [0.0]; [-INF]);
}

#[test]
fn zero_times_infinity_is_no_number() {
    gradients!(root_of_square at [0.0]; [NAN]);
    gradients!(roots_multiplied at [0.0]; [NAN]);
    gradients!(exp_of_logarithm at [0.0]; [NAN]);
    gradients!(root_of_cube at [0.0]; [NAN]);
    gradients!(logistic at [-800.0]; [NAN]);
    gradients!(kernel at [0.0, 0.0]; [NAN, NAN]);
    hessians!(kernel at [0.0, 0.0]; f64::is_nan);
    gradients!(root_and_more at [0.0, 1.0]; forward [INF, NAN]; reverse [INF, 1.0]; recorded [INF, 1.0]);
}

#[test]
fn distances_of_zero_have_a_derivative_and_no_second_one() {
    gradients!(distance at [0.0, 0.0]; [0.0, 0.0]);
    gradients!(kernel_of_distance at [0.0, 0.0]; [0.0, 0.0]);
    gradients!(distance_with_a_sign at [0.0]; [0.0]);
    hessians!(distance at [0.0, 0.0]; f64::is_nan);
    hessians!(kernel_of_distance at [0.0, 0.0]; f64::is_nan);
}

/// What moves with infinite speed where the distance is zero: its imaginary part was forgotten.
#[test]
fn distances_of_poles_are_no_numbers() {
    gradients!(distance_of_roots at [0.0]; [NAN]);
    gradients!(distance_of_angles at [1.0]; [NAN]);
}

/// The value is NaN, and the formula of the derivative knows nothing of that.
#[test]
fn derivatives_outside_of_the_domain_are_finite() {
    use core::f64::consts::{LN_2, LN_10};
    macro_rules! outside {
        ($($f:ident at $x:expr => $expected:expr;)*) => {$(
            let x: &[f64] = &[$x];
            macro_rules! check {
                ($backend:expr) => {
                    let (y, g) = value_and_gradient($f::AD, NoPrep, &$backend, x).unwrap();
                    let name = (stringify!($f), stringify!($backend));
                    let right = (g[0] - $expected).abs() < 1e-15;
                    assert!(y.is_nan() && right, "{name:?}: {y} {g:?}");
                };
            }
            check!(AutoSource::new().forward());
            check!(AutoSource::new().reverse());
            check!(AutoDual::new());
            check!(AutoTaylor::new());
            check!(AutoComplexStep::new());
            check!(AutoTape::new());
            check!(AutoSymbolic::new());
        )*};
    }
    outside!(
        logarithm at -2.0 => -0.5;
        logarithm_of_more at -3.0 => -0.5;
        logarithm_by_two at -2.0 => -0.5 / LN_2;
        logarithm_by_ten at -2.0 => -0.5 / LN_10;
        logarithm_by_base at -2.0 => -0.5 / LN_2;
        inverse_of_tanh at 2.0 => 1.0 / -3.0;
    );
}

#[test]
fn what_is_not_chosen_has_no_derivative() {
    gradients!(guarded at [0.0]; [0.0]);
    gradients!(guarded at [2.0]; [2.0]);
    gradients!(floored at [0.0]; forward [0.0]; reverse [0.0]; recorded [NAN]);
    gradients!(floored at [2.0]; [1.0]);
    gradients!(guarded_twice at [2.0]; [4.5]);
}

#[test]
fn kinks_have_one_side() {
    gradients!(absolute at [0.0]; [1.0]);
    gradients!(absolute at [-0.0]; [-1.0]);
    gradients!(larger at [1.0, 1.0]; [0.0, 1.0]);
    gradients!(smaller at [1.0, 1.0]; [0.0, 1.0]);
}

#[test]
fn powers_and_angles_at_zero() {
    gradients!(square at [0.0]; [0.0]);
    gradients!(first_power at [0.0]; [1.0]);
    gradients!(square_root at [0.0]; [INF]);
    gradients!(angle at [0.0, 0.0]; [NAN, NAN]);
}

#[test]
fn arguments_that_are_not_finite_have_no_finite_derivative() {
    for x in [NAN, INF, -INF] {
        hessians!(cube at [x]; |v| !v.is_finite());
    }
    gradients!(cube at [NAN]; [NAN]);
    gradients!(cube at [INF]; [INF]);
}

#[differentiable(strong_zeros)]
fn masked(x: &[f64], #[constant] mask: &[f64]) -> f64 {
    fn root_of(x: f64) -> f64 {
        x.sqrt()
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += mask[i] * root_of(x[i]) + mask[i] * x[i].cbrt();
    }
    sum
}

#[differentiable(strong_zeros)]
fn square_of_root(x: &[f64]) -> f64 {
    let r = x[0].sqrt();
    r * r
}

#[derive(Differentiable)]
struct Model {
    scale: f64,
}

#[differentiable(strong_zeros)]
impl Model {
    fn masked(&self) -> f64 {
        0.0 * self.scale.sqrt() + self.scale
    }
}

#[differentiable]
fn of_model(model: &Model) -> f64 {
    model.masked()
}

#[test]
fn masks_ask_for_strong_zeros() {
    let (x, mask) = ([0.0, 1.0], [0.0, 1.0]);
    let expected = [0.0, 0.5 + 1.0 / 3.0];
    let f = masked::AD.with(&mask);
    let g = gradient(f, NoPrep, &AutoSource::new().reverse(), &x[..]).unwrap();
    assert_eq!(g[0], expected[0]);
    assert!((g[1] - expected[1]).abs() < 1e-14, "{g:?}");
    // a tangent meets the pole before the mask
    let g = gradient(f, NoPrep, &AutoSource::new().forward(), &x[..]).unwrap();
    assert!(g[0].is_nan());
    let h = hessian(f, NoPrep, &AutoSource::new(), &x[..]).unwrap();
    assert_eq!((h[[0, 0]], h[[0, 1]]), (0.0, 0.0));
    let model = Model { scale: 0.0 };
    let g = gradient(of_model::AD, NoPrep, &AutoSource::new().reverse(), &model).unwrap();
    assert_eq!(g.scale, 1.0);
    // what the word hides
    let hidden = gradient(
        square_of_root::AD,
        NoPrep,
        &AutoSource::new().reverse(),
        &[0.0][..],
    );
    assert_eq!(hidden.unwrap(), [0.0]);
}
