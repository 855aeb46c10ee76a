//! Plain code of a user who has asked for `clippy::pedantic`: lints say nothing about what the attributes add to it.
//! The lines below are clean, so whatever clippy reports here is generated code.

#![warn(clippy::pedantic, clippy::nursery)]

use di::prelude::*;
use di::{Scalar, custom_rule, implicit};
use di_test::compare::{ROUNDING, assert_bitwise, assert_close};

/// A spring with a name.
#[derive(Clone, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
    lengths: Vec<f64>,
    #[constant]
    name: String,
}

#[differentiable]
fn energy(s: &Spring, scale: f64) -> f64 {
    let mut sum = 0.0;
    for length in &s.lengths {
        sum += s.stiffness * length * length;
    }
    scale * sum
}

/// A point of the plane.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    /// Square of the distance from the origin.
    fn square(&self) -> f64 {
        self.y.mul_add(self.y, self.x * self.x)
    }

    fn turn(&mut self) {
        let x = self.x;
        self.x = -self.y;
        self.y = x;
    }
}

#[differentiable]
fn walk(x: &[f64], #[constant] steps: usize, #[cache] work: &mut [f64]) -> f64 {
    let mut p = Point { x: x[0], y: x[1] };
    for w in work.iter_mut() {
        p.turn();
        *w = p.square();
    }
    if steps > 1 { work[0] } else { work[0] * 2.0 }
}

#[differentiable]
fn spread(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x.sin();
    }
}

#[differentiable]
fn first_positive(x: &[f64]) -> Option<f64> {
    x.iter().find(|x| **x > 0.0).copied()
}

#[differentiable]
fn pick(x: &[f64]) -> f64 {
    first_positive(x).map_or(0.0, |v| v * v)
}

#[differentiable]
fn cosine(x: f64) -> f64 {
    x.cos()
}

#[custom_rule(partials(cosine))]
fn sine(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
fn of_rule(x: f64) -> f64 {
    sine(x) * 2.0
}

#[generic]
fn squares<S: Scalar<Real = f64>>(x: &[S]) -> S {
    x.iter().fold(S::default(), |sum, x| sum + *x * *x)
}

#[differentiable]
fn dot<const N: usize>(x: &[f64; N], #[constant] w: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum = w[i].mul_add(x[i], sum);
    }
    sum
}

/// A law with a parameter of its own.
trait Law {
    fn rate(&self, t: f64) -> f64;
}

struct Linear(f64);

impl Law for Linear {
    fn rate(&self, t: f64) -> f64 {
        self.0 * t
    }
}

#[differentiable]
fn lawful<M: Law>(x: f64, #[constant] law: &M, #[constant] t: f64) -> f64 {
    let rate: f64 = law.rate(t);
    rate * x * x
}

#[differentiable]
impl std::ops::Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[differentiable]
fn doubled(x: &[f64]) -> f64 {
    let p = Point { x: x[0], y: x[1] };
    let q: Point = p + p;
    q.square()
}

#[differentiable]
fn residual(root: f64, square: f64) -> f64 {
    root.mul_add(root, -square)
}

#[implicit(root = residual)]
fn root(square: f64) -> f64 {
    square.sqrt()
}

#[differentiable]
fn of_root(p: &[f64]) -> f64 {
    root(p[0]) * p[1]
}

#[test]
fn derivatives_are_right() {
    let (source, dual) = (AutoSource::new(), AutoDual::new());
    let spring = Spring {
        stiffness: 2.0,
        lengths: vec![3.0],
        name: "first".to_owned(),
    };
    let f = energy::AD.fix_scale(0.5);
    let found = gradient(f, NoPrep, &source, &spring).expect("a number");
    assert_eq!(spring.name, found.name);
    assert_bitwise("spring", &[found.stiffness, found.lengths[0]], &[4.5, 6.0]);
    let (x, work) = ([1.0, 2.0], [0.0; 3]);
    let found = gradient(walk::AD.with(2, &work), NoPrep, &source, &x).expect("a number");
    assert_bitwise("walk", &found, &[2.0, 4.0]);
    let mut y = [0.0; 2];
    let found = pushforward(spread::AD.output(&mut y), NoPrep, &dual, &x, &[1.0, 1.0]);
    assert_bitwise(
        "spread",
        &found.expect("two numbers"),
        &[1.0_f64.cos(), 2.0_f64.cos()],
    );
    let found = gradient(pick::AD, NoPrep, &source, &[-1.0, 3.0]).expect("a number");
    assert_bitwise("pick", &found, &[0.0, 6.0]);
    let found = derivative(of_rule::AD, NoPrep, &source, &0.5).expect("a number");
    assert_bitwise("rule", &[found], &[2.0 * 0.5_f64.cos()]);
    let found = gradient(squares::AD, NoPrep, &dual, &x).expect("a number");
    assert_bitwise("squares", &found, &[2.0, 4.0]);
    let found = gradient(dot::AD.with(&[3.0, 4.0]), NoPrep, &source, &x).expect("a number");
    assert_bitwise("dot", &found, &[3.0, 4.0]);
    let f = lawful::AD.with(&Linear(3.0), 2.0);
    let found = derivative(f, NoPrep, &source, &0.5).expect("a number");
    assert_bitwise("law", &[found], &[6.0]);
    let found = gradient(doubled::AD, NoPrep, &source, &x).expect("a number");
    assert_bitwise("operator", &found, &[8.0, 16.0]);
    let found = gradient(of_root::AD, NoPrep, &source, &[4.0, 3.0]).expect("a number");
    assert_close("root", &found, &[0.75, 2.0], ROUNDING);
    let k = 3.0;
    let f = differentiable_closure!([k: f64] |x: &[f64]| -> f64 { k * x[0] * x[1] });
    let found = gradient(f, NoPrep, &source, &x).expect("a number");
    assert_bitwise("closure", &found, &[6.0, 3.0]);
}
