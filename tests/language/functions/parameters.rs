//! Kinds of parameters: numbers, slices, arrays, constants, caches, outputs, several at once.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]];

#[differentiable]
fn number(x: f64) -> f64 {
    x.sin() * x
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    number(x[0]) + number(x[1] * x[2])
}

#[test]
fn numbers() {
    scalar!(of_numbers).row(105).check(&POINTS);
    let slope = derivative(number::AD, NoPrep, &AutoSource::new(), &0.7).unwrap();
    assert_close(
        "derivative",
        &[slope],
        &[0.7_f64.cos() * 0.7 + 0.7_f64.sin()],
        ROUNDING,
    );
}

#[differentiable]
fn arrays(a: &[f64; 3], mut b: [f64; 2]) -> f64 {
    b[0] *= a[2];
    b[0] * a[0] + b[1] * b[1] * a[1]
}

#[differentiable]
fn of_arrays(x: &[f64]) -> f64 {
    let a = [x[0], x[1] * x[1], x[2]];
    let b = [x[1], x[0]];
    arrays(&a, b) * b[0]
}

#[test]
fn arrays_by_reference_and_by_value() {
    scalar!(of_arrays).rows(&[12, 23]).check(&POINTS);
    let x = ([2.0, 3.0, 5.0], [7.0, 11.0]);
    let (a, b) = gradient(arrays::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_eq!(a, [35.0, 121.0, 14.0]);
    assert_eq!(b, [10.0, 66.0]);
}

#[differentiable]
fn returns_array(x: &[f64]) -> [f64; 2] {
    [x[0] * x[1], x[2].exp()]
}

#[differentiable]
fn of_returned_array(x: &[f64]) -> f64 {
    let y: [f64; 2] = returns_array(x);
    y[0] * y[1]
}

#[test]
fn arrays_as_results() {
    scalar!(of_returned_array).row(23).check(&POINTS);
    let j = jacobian(
        returns_array::AD,
        NoPrep,
        &AutoSource::new(),
        &[2.0, 3.0, 0.0][..],
    )
    .unwrap();
    assert_eq!(j, [[3.0, 2.0, 0.0], [0.0, 0.0, 1.0]]);
}

#[differentiable]
fn returns_vector(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() - 1];
    for i in 0..y.len() {
        y[i] = x[i] * x[i + 1];
    }
    y
}

#[differentiable]
fn of_returned_vector(x: &[f64]) -> f64 {
    let y: Vec<f64> = returns_vector(x);
    y[0] * y[1]
}

#[test]
fn vectors_as_results() {
    scalar!(of_returned_vector).row(36).check(&POINTS);
    let j = jacobian(
        returns_vector::AD,
        NoPrep,
        &AutoSource::new(),
        &[2.0, 3.0, 5.0][..],
    )
    .unwrap();
    assert_eq!(j, [[3.0, 2.0, 0.0], [0.0, 5.0, 3.0]]);
}

#[differentiable]
fn constants(
    x: &[f64],
    #[constant] data: &[f64],
    n: usize,
    shift: i32,
    #[constant] factor: f64,
    squared: bool,
    #[constant] name: &str,
) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        let d = (x[i] - data[i]) * factor;
        s += if squared { d * d } else { d };
    }
    s * f64::from(shift) + name.len() as f64
}

#[test]
fn constants_of_many_types() {
    let data = [0.5, -1.0, 2.0];
    for squared in [true, false] {
        let f = constants::AD.with(&data, 3, -2, 1.5, squared, "name");
        scalar!(f, |x| constants(x, &data, 3, -2, 1.5, squared, "name"))
            .rows(&[138, 157])
            .check(&POINTS);
    }
}

#[differentiable]
fn cached(x: &[f64], #[cache] work: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        work[i] = x[i] * x[i];
    }
    let mut s = 0.0;
    for i in 1..x.len() {
        work[i] += work[i - 1];
        s += work[i] * x[i];
    }
    s
}

#[test]
fn cache_whose_content_is_irrelevant() {
    let work = [f64::NAN; 3];
    scalar!(cached::AD.with(&work), |x| cached(x, &mut [7.0; 3])).check(&POINTS);
}

#[differentiable]
fn output_first(y: &mut [f64], x: &[f64], #[constant] factor: f64) {
    y[0] += x[0] * x[1] * factor;
    y[1] = x[2];
}

#[test]
fn output_stands_anywhere() {
    inplace!(
        output_first::AD.with(2.0),
        |x, y| output_first(y, x, 2.0),
        2
    )
    .row(156)
    .check(&POINTS);
}

#[differentiable]
fn fixed_output(x: &[f64; 2], y: &mut [f64; 2]) {
    y[0] = x[0] * x[1];
    y[1] = x[0] / x[1];
}

#[differentiable]
fn of_fixed_output(x: &[f64]) -> f64 {
    let mut y = [0.0; 2];
    fixed_output(&[x[0], x[1]], &mut y);
    y[0] * y[1] * x[2]
}

#[test]
fn arrays_as_outputs() {
    scalar!(of_fixed_output).row(156).check(&POINTS);
    let mut y = [0.0; 2];
    let j = jacobian(
        fixed_output::AD.output(&mut y),
        NoPrep,
        &AutoSource::new(),
        &[3.0, 2.0],
    )
    .unwrap();
    assert_eq!(j, [[2.0, 3.0], [0.5, -0.75]]);
}

#[differentiable]
fn several(a: f64, b: &[f64], c: f64) -> f64 {
    let mut s = a;
    for v in b {
        s = s * c + v * a;
    }
    s
}

#[differentiable]
fn of_several(x: &[f64]) -> f64 {
    several(x[0], x, x[1])
}

#[test]
fn several_active_parameters() {
    scalar!(of_several).row(157).check(&POINTS);
    let b = [0.5, 2.0];
    let (da, db, dc) = gradient(several::AD, NoPrep, &AutoSource::new(), &(1.5, b, 3.0)).unwrap();
    // s = (a c + b0 a) c + b1 a
    assert_close("by a", &[da], &[9.0 + 1.5 + 2.0], ROUNDING);
    assert_close("by b", &db, &[4.5, 1.5], ROUNDING);
    assert_close("by c", &[dc], &[9.0 + 0.75], ROUNDING);
}

#[test]
fn active_parameters_held_constant() {
    let _row = di_test::rows::row(157);
    let f = several::AD.fix_a(1.5).fix_c(3.0);
    let g = gradient(f, NoPrep, &AutoSource::new(), &[0.5, 2.0][..]).unwrap();
    assert_close("gradient by b alone", &g, &[4.5, 1.5], ROUNDING);
}

#[differentiable]
fn longest<'a, 'b: 'a>(x: &'b [f64], y: &'a [f64]) -> f64
where
    'b: 'a,
{
    let mut z: &'a [f64] = x;
    if y.len() > x.len() {
        z = y;
    }
    z.iter().map(|t| t * t * t).sum()
}

struct Factors<'n> {
    all: &'n [f64],
}

#[differentiable]
fn borrowed<'a, 'n: 'a>(x: &'a [f64], #[constant] factors: &'a Factors<'n>) -> f64 {
    let k: f64 = factors.all[1];
    let mut s = 0.0;
    for t in x {
        s += t.sin() * k;
    }
    s
}

#[differentiable]
fn of_longest(x: &[f64]) -> f64 {
    longest(&x[1..], &x[..1]) * longest(&x[2..], x)
}

#[test]
fn lifetimes_with_bounds() {
    scalar!(of_longest).row(118).check(&POINTS);
    let all = [0.5, 2.0];
    let factors = Factors { all: &all };
    scalar!(borrowed::AD.with(&factors), |x: &[f64]| borrowed(
        x, &factors
    ))
    .row(118)
    .check(&POINTS);
}

#[differentiable]
fn weighed(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] * a[2] + a[2] * b[2].sin()
}

#[differentiable]
fn first_power(w: [f64; 3], y: f64) -> f64 {
    w[0] * y * y
}

#[differentiable]
fn constant_array(x: &[f64], #[constant] w: [f64; 3]) -> f64 {
    let v: [f64; 3] = [x[0], x[1] * w[1], x[2]];
    let mut s = first_power(w, x[0]);
    for i in 0..3 {
        s += weighed(&v, &w) * x[i] + weighed(&w, &w);
    }
    s
}

#[test]
fn constant_arrays_by_value_are_lent() {
    let w = [0.5, -1.5, 2.0];
    scalar!(constant_array::AD.with(w), |x: &[f64]| constant_array(x, w))
        .row(105)
        .check(&POINTS);
}

#[differentiable]
fn relax(#[inout] state: &mut [f64], #[constant] target: &[f64], rate: f64) {
    for i in 0..state.len() {
        state[i] += rate * (target[i] - state[i] * state[i]);
    }
}

#[differentiable]
fn relaxed(x: &[f64], y: &mut [f64]) {
    let target = [1.0, 2.0];
    let mut state = vec![x[0], x[1]];
    for k in 0..4 {
        relax(&mut state, &target, x[2] / (k + 2) as f64);
    }
    y[0] = state[0] * x[1];
    y[1] = state[1];
}

#[test]
fn state_that_goes_in_and_out() {
    inplace!(relaxed, 2).row(106).check(&POINTS);
}
