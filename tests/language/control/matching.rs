//! `match` on numbers and constants, patterns of tuples and arrays, assignment to several places.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9], &[0.8, -0.1, 0.2]];

#[differentiable]
fn on_integers(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    for i in 0..n {
        s = match i % 5 {
            0 => s * x[1],
            1 | 2 => {
                let t = s.sin();
                t * t + x[2]
            }
            k if k > 3 => s + x[0] * k as f64,
            _ => continue,
        };
    }
    s
}

#[test]
fn match_on_integers() {
    for n in [0, 1, 4, 8] {
        scalar!(on_integers::AD.with(n), |x| on_integers(x, n))
            .rows(&[60, 63])
            .check(&POINTS);
    }
}

#[differentiable]
fn on_floats(x: &[f64]) -> f64 {
    let sign = match x[0] {
        v if v < 0.0 => -1.0,
        _ => 1.0,
    };
    match x[1] > 0.0 {
        true => x[0] * x[1] * sign,
        false => x[2].exp() * sign,
    }
}

#[test]
fn match_on_floats_and_bools() {
    scalar!(on_floats).rows(&[63, 64]).step(0.05).check(&POINTS);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Linear,
    Square,
    Wave,
}

#[differentiable]
fn on_constants(x: &[f64], #[constant] shape: Shape) -> f64 {
    let inner = match shape {
        Shape::Linear => x[0] + x[1],
        Shape::Square => x[0] * x[1],
        Shape::Wave => (x[0] * x[2]).sin(),
    };
    if shape == Shape::Linear {
        inner
    } else {
        inner * inner
    }
}

#[test]
fn match_on_a_constant_enum() {
    for shape in [Shape::Linear, Shape::Square, Shape::Wave] {
        scalar!(on_constants::AD.with(shape), |x| on_constants(x, shape))
            .row(61)
            .check(&POINTS);
    }
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let point = [x[0], x[1] * x[0], x[2]];
    let [a, mut b, _] = point;
    let ((c, d), [e, f]) = ((a * b, x[2]), [x[1], a]);
    b *= c;
    b + d * e * f
}

#[test]
fn patterns_of_tuples_and_arrays() {
    scalar!(patterns).rows(&[5, 6]).check(&POINTS);
}

#[differentiable]
fn assigned_together(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut c = [0.0; 3];
    for i in 0..3 {
        (a, b) = (b * 2.0, a * a - x[i]);
        (c[i], c[0]) = (a * b, c[i] + a);
    }
    std::mem::swap(&mut a, &mut b);
    c.swap(0, 2);
    a * c[0] + b * c[2] + c[1]
}

#[test]
fn several_places_assigned_together() {
    scalar!(assigned_together)
        .rows(&[41, 40, 79])
        .check(&POINTS);
}

#[differentiable]
fn forwarded(x: &[f64], #[constant] shapes: &[Shape], #[constant] last: Shape) -> f64 {
    let mut s: f64 = on_constants(x, last);
    for k in 0..shapes.len() {
        let t: f64 = on_constants(x, shapes[k]);
        s = s * t + x[0];
    }
    s
}

#[test]
fn constants_of_a_foreign_type_are_handed_on() {
    let shapes = [Shape::Wave, Shape::Square, Shape::Linear];
    let f = forwarded::AD.with(&shapes, Shape::Wave);
    scalar!(f, |x| forwarded(x, &shapes, Shape::Wave))
        .rows(&[61, 157])
        .check(&POINTS);
}
