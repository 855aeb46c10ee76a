//! Operators, elementary methods, comparisons and casts.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_bitwise, assert_close};
use di_test::scalar;

#[differentiable]
fn operators(x: &[f64]) -> f64 {
    x[0] + 2.0 * x[1] - x[0] * x[1] / (3.0 - x[2]) + -x[2] / 2.0 + 1.5 / x[1] + (4.0 - x[0]) * 0.25
}

#[test]
fn operators_with_active_and_passive_operands() {
    scalar!(operators)
        .row(104)
        .check(&[&[1.0, 2.0, 0.5], &[-0.3, -1.7, 4.0]]);
}

#[differentiable]
fn remainder(x: &[f64]) -> f64 {
    x[0] % x[1] + x[1] % 0.7 + 5.3 % x[0]
}

#[test]
fn remainder_by_active_and_passive_divisors() {
    scalar!(remainder)
        .row(93)
        .step(0.01)
        .check(&[&[7.5, 2.2], &[-7.5, 2.2], &[3.3, -1.6]]);
}

#[differentiable]
fn one_argument(x: &[f64]) -> f64 {
    let t = x[0];
    let smooth = t.sin() + t.cos() * t.tan() + t.exp() - t.exp2() + t.exp_m1();
    let logs = t.ln() + t.ln_1p() * t.log2() - t.log10() + t.log(3.0);
    let roots = t.sqrt() + t.cbrt() * t.recip() + t.powi(3) - t.powi(-2) + t.powf(1.7);
    let inverse = t.asin() + t.acos() * 2.0 + t.atan() - t.asinh() + t.atanh() + (t + 1.0).acosh();
    let hyperbolic = t.sinh() * t.cosh() + t.tanh();
    let steps = t.abs() + t.fract() + t.floor() + t.ceil() + t.round() + t.trunc() + t.signum();
    let angles = t.to_degrees() * 0.01 + t.to_radians();
    smooth + logs + roots + inverse + hyperbolic + steps + angles
}

#[test]
fn methods_of_one_argument() {
    scalar!(one_argument)
        .row(90)
        .step(0.02)
        .check(&[&[0.3], &[0.7], &[0.9]]);
}

#[differentiable]
fn several_arguments(x: &[f64]) -> f64 {
    let (a, b, c) = (x[0], x[1], x[2]);
    let angle = a.atan2(b) + a.hypot(b) * a.powf(c);
    let picked = a.max(b) * b.min(c) + a.clamp(-1.0, 1.0) + c.copysign(b);
    let fused = a.mul_add(b, c) + a.mul_add(2.0, b) + a.rem_euclid(b.abs());
    let (s, co) = (a * b).sin_cos();
    angle + picked + fused + s * co
}

#[test]
fn methods_of_several_arguments() {
    scalar!(several_arguments)
        .rows(&[90, 93])
        .step(0.01)
        .check(&[&[0.8, 1.3, 0.4], &[1.9, -0.6, 2.5], &[0.2, 0.9, -1.1]]);
}

#[differentiable]
fn path_calls(x: &[f64]) -> f64 {
    f64::sin(x[0]) * f64::max(x[0], x[1]) + f64::powi(x[1], 2)
}

#[test]
fn methods_called_by_path() {
    scalar!(path_calls)
        .row(91)
        .check(&[&[0.4, 1.5], &[2.0, 0.5]]);
}

#[differentiable]
fn constants(x: &[f64]) -> f64 {
    use std::f64::consts::PI;
    const SCALE: f64 = 0.5;
    (PI * x[0]).sin() * SCALE + x[0] * std::f64::consts::E
}

#[test]
fn constants_of_the_library_and_of_the_body() {
    scalar!(constants)
        .rows(&[92, 102, 141])
        .check(&[&[0.4], &[-1.3]]);
}

/// Numbers of every spelling, and what integers do among themselves.
#[differentiable]
fn spelled(x: &[f64]) -> f64 {
    let k = 3_usize.wrapping_add(2) << 1;
    let flags = (k as u32 | 1).rotate_left(3) & 0xff;
    let whole = x[0] as i32;
    let mut least = f64::INFINITY;
    let mut most = -f64::INFINITY;
    for v in x {
        if *v < least {
            least = *v;
        }
        most = most.max(*v);
    }
    let unknown = if most < least { f64::NAN } else { 1.0 };
    let small = 1e-3_f64 * x[1] + 2_f64 * f64::EPSILON;
    unknown * (least * 2.5_f64 - most * small) * k as f64
        + f64::from(flags) * x[1]
        + f64::from(whole) * x[0]
}

#[test]
fn numbers_of_every_spelling() {
    scalar!(spelled)
        .rows(&[92, 96, 98, 104])
        .check(&[&[1.4, 0.3], &[-1.3, 2.2]]);
}

#[differentiable]
fn casts(x: &[f64]) -> f64 {
    let n = x.len();
    let k = 3_i32;
    let whole = x[0] as usize;
    x[0] * n as f64 + x[1] / f64::from(k) + x[whole % 2] * whole as f64
}

#[test]
fn casts_between_integers_and_floats() {
    scalar!(casts)
        .rows(&[97, 98])
        .step(0.01)
        .check(&[&[2.4, 1.1], &[3.3, -0.2]]);
}

#[differentiable]
fn comparisons(x: &[f64]) -> f64 {
    let below = x[0] < x[1];
    let same = x[0] == 1.0 || x[1] != 7.0;
    let both = below && same;
    let count = both as usize + (x[0] >= 0.0) as usize;
    x[0] * x[1] * count as f64
}

#[test]
fn comparisons_are_passive() {
    scalar!(comparisons).rows(&[57, 101]).step(0.01).check(&[
        &[0.5, 2.0],
        &[2.0, 0.5],
        &[-1.0, -2.0],
    ]);
}

#[differentiable]
fn zero_residual(x: &[f64]) -> f64 {
    let r = x[0].sqrt() - 1.0;
    r * r
}

#[test]
fn optimum_with_zero_residual_has_its_curvature() {
    // A zero adjoint must not cut the second derivative: the Hessian at 1 is 0.5.
    scalar!(zero_residual).step(0.1).check(&[&[1.0], &[1.7]]);
    let h = hessian(zero_residual::AD, NoPrep, &AutoSource::new(), &[1.0][..]).unwrap();
    assert_eq!(h[[0, 0]], 0.5);
}

#[differentiable(strong_zeros)]
fn logistic(x: &[f64]) -> f64 {
    1.0 / (1.0 + (-x[0]).exp())
}

#[test]
fn logistic_function_is_flat_far_out() {
    scalar!(logistic).check(&[&[0.3], &[-2.0]]);
    let far = gradient(logistic::AD, NoPrep, &AutoSource::new(), &[-800.0][..]).unwrap();
    assert_eq!(far, [0.0]);
}

#[differentiable]
fn single_precision_data(x: &[f64], #[constant] k: f32, #[constant] ks: &[f32], n: u8) -> f64 {
    let a: f64 = f64::from(k);
    let b = k as f64;
    let c: f64 = ks[1].into();
    let d: f64 = n.into();
    let e = f64::from(n) + f64::from(x[0]);
    let m: u32 = n.into();
    let mut s: f64 = (x[0] * x[1]).into();
    for i in 0..ks.len() {
        s += x[i] * ks[i] as f64;
    }
    x[0] * a + x[1] * b * d + x[2].sin() * c * e + s * m as f64
}

#[test]
fn constants_of_the_other_width() {
    let ks = [0.5_f32, 1.25, -0.75];
    let f = single_precision_data::AD.with(0.3, &ks, 3);
    scalar!(f, |x: &[f64]| single_precision_data(x, 0.3, &ks, 3))
        .row(99)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]]);
}

/// Numbers that single precision holds, so that a step of a difference is none of rounding.
const COARSE: [&[f64]; 2] = [&[0.75, 1.125, -0.5], &[-1.25, 0.375, 0.875]];

#[differentiable]
fn through_single_precision(x: &[f64], n: usize) -> f64 {
    let a = (x[0] * x[1]) as f32 as f64;
    let b = f64::from((x[1] + x[2]) as f32);
    let c: f64 = (x[2].abs() as f32).into();
    let m = n as f32 as f64;
    let mut v = [a, b * c];
    for t in v.iter_mut() {
        *t = (*t * x[0]) as f32 as f64 + m;
    }
    v[0] * v[1] + a.sin()
}

/// The same without rounding, whose derivative it has.
fn exactly(x: &[f64], m: f64) -> f64 {
    let a = x[0] * x[1];
    let (b, c) = (x[1] + x[2], x[2].abs());
    (a * x[0] + m) * (b * c * x[0] + m) + a.sin()
}

#[test]
fn numbers_that_are_rounded_to_single_precision() {
    let _row = di_test::rows::row(99);
    let single = Tolerance {
        relative: 1e-6,
        absolute: 1e-6,
    };
    for x in COARSE {
        let f = through_single_precision::AD.with(3);
        let expected: Vec<f64> = (0..3)
            .map(|i| {
                let at = |h: f64| {
                    let mut x = x.to_vec();
                    x[i] += h;
                    exactly(&x, 3.0)
                };
                (at(1e-5) - at(-1e-5)) / 2e-5
            })
            .collect();
        for backend in [
            AutoSource::new(),
            AutoSource::new().forward(),
            AutoSource::new().reverse(),
        ] {
            let (y, g) = value_and_gradient(f, NoPrep, &backend, x).unwrap();
            assert_bitwise("value", &[y], &[through_single_precision(x, 3)]);
            assert_close("gradient", &g, &expected, single);
        }
        let duals = gradient(f, NoPrep, &AutoDual::new(), x).unwrap();
        assert_close("with duals", &duals, &expected, single);
    }
    let all: Vec<f64> = [1e300, -1e300, f64::INFINITY, 0.1, -0.0, 1e-60]
        .iter()
        .map(|x| rounded(&[*x]))
        .collect();
    let g: Vec<f64> = [1e300, 0.1, 1e-60]
        .iter()
        .map(|x| gradient(rounded::AD, NoPrep, &AutoSource::new(), &[*x]).unwrap()[0])
        .collect();
    assert_bitwise("slopes", &g, &[1.0; 3]);
    assert_eq!(all[0], f64::INFINITY);
}

#[differentiable]
fn rounded(x: &[f64]) -> f64 {
    x[0] as f32 as f64
}
