//! Operators and comparisons of structs of numbers.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Metres(f64);

#[derive(Clone, Copy, Differentiable)]
struct Speed(f64);

#[derive(Clone, Copy)]
struct Seconds(f64);

#[differentiable]
impl std::ops::Mul<Seconds> for Speed {
    type Output = Metres;
    fn mul(self, dt: Seconds) -> Metres {
        Metres(self.0 * dt.0)
    }
}

#[differentiable]
impl std::ops::Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

#[differentiable]
fn moved(from: Metres, speed: Speed, #[constant] dt: Seconds) -> Metres {
    from + speed * dt
}

#[differentiable]
fn flight(x: &[f64]) -> f64 {
    let dt = Seconds(0.25);
    let mut at = Metres(x[0]);
    for k in 0..3 {
        let speed = Speed(x[1] - x[2] * k as f64);
        at = moved(at + speed * dt, Speed(at.0 * x[3]), dt);
    }
    at.0 * at.0
}

#[test]
fn operators_with_constants_of_ones_own_on_the_right() {
    scalar!(flight).row(340).check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Differentiable)]
struct Place {
    x: f64,
    k: usize,
}

/// Ordered the other way round.
#[derive(Clone, Copy, Differentiable)]
struct Depth {
    v: f64,
}

impl PartialEq for Depth {
    fn eq(&self, other: &Depth) -> bool {
        self.v == other.v
    }
}

impl PartialOrd for Depth {
    fn partial_cmp(&self, other: &Depth) -> Option<std::cmp::Ordering> {
        other.v.partial_cmp(&self.v)
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Ball {
    z: Metres,
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let (a, b) = (Metres(x[0]), Metres(x[1] * x[0]));
    let ball = Ball { z: Metres(x[1]) };
    let mut sum = 0.0;
    if a < b {
        sum += x[0] * x[1];
    } else {
        sum += x[0].sin();
    }
    if ball.z <= Metres(0.5) {
        sum += x[1].powi(3);
    }
    if a != b && Metres(x[0]) == a {
        sum += x[1] * x[0].cos();
    }
    let (p, q) = (Place { x: x[0], k: 1 }, Place { x: x[0], k: 2 });
    if p < q {
        sum *= x[0];
    }
    let (u, v) = (Depth { v: x[0] }, Depth { v: x[1] });
    if u < v {
        sum *= x[1];
    } else {
        sum += x[0] * x[0];
    }
    sum
}

#[test]
fn structs_of_numbers_are_compared_as_their_type_says() {
    scalar!(compared).row(344).check(&POINTS);
}

#[derive(Clone, Copy, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl From<f64> for Complex {
    fn from(re: f64) -> Complex {
        Complex { re, im: 0.5 * re }
    }
}

#[differentiable]
impl std::ops::Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

#[differentiable]
fn converted(x: &[f64]) -> f64 {
    let z: Complex = x[0].into();
    let w = z * (x[1] * x[2]).into();
    w.re * w.im
}

#[differentiable]
fn of_a_number(x: f64) -> f64 {
    let z: Complex = x.into();
    z.re * z.im
}

#[test]
fn numbers_that_become_structs() {
    scalar!(converted).row(358).check(&POINTS);
    let backend = AutoSource::new();
    let slope = derivative(of_a_number::AD, NoPrep, &backend, &0.7).unwrap();
    assert_close("slope", &[slope], &[0.7], ROUNDING);
}
