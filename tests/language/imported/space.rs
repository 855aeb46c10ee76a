//! Points, in a file of their own.

use di::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[differentiable]
impl Point {
    pub(crate) fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub(crate) fn turned(&self) -> Point {
        Point {
            x: -self.y,
            y: self.x,
        }
    }

    pub(crate) fn parts(&self) -> [f64; 2] {
        [self.x, self.y]
    }
}

#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[differentiable]
impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

#[differentiable]
impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, k: f64) -> Point {
        Point {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl Mul<Point> for f64 {
    type Output = Point;
    fn mul(self, p: Point) -> Point {
        p * self
    }
}

#[differentiable]
impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }
}

/// How a way bends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bend {
    Straight,
    Round,
}

#[differentiable]
impl Bend {
    pub(crate) fn at(self, x: f64) -> f64 {
        match self {
            Bend::Straight => x,
            Bend::Round => x.sin(),
        }
    }
}
