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

/// Tiles, as an annotated module has them.
pub(crate) use tiles::Tile;

#[differentiable]
mod tiles {
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Tile<const R: usize, const C: usize>(pub(crate) [[f64; C]; R]);

    impl<const R: usize, const C: usize> Tile<R, C> {
        pub(crate) fn flipped(&self) -> Tile<C, R> {
            let mut flipped = Tile([[0.0; R]; C]);
            for i in 0..R {
                for j in 0..C {
                    flipped.0[j][i] = self.0[i][j];
                }
            }
            flipped
        }
    }

    impl<const R: usize, const K: usize, const C: usize> std::ops::Mul<Tile<K, C>> for Tile<R, K> {
        type Output = Tile<R, C>;
        fn mul(self, o: Tile<K, C>) -> Tile<R, C> {
            let mut product = Tile([[0.0; C]; R]);
            for i in 0..R {
                for j in 0..C {
                    product.0[i][j] = (0..K).map(|k| self.0[i][k] * o.0[k][j]).sum();
                }
            }
            product
        }
    }
}

/// Lamps that shine somewhere: nothing of them is differentiated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shade {
    Clear,
    Tinted { by: u32, until: Option<f64> },
    Dark(f64),
}

/// What a tree of sites holds.
pub(crate) enum Site {
    Leaf { letters: Vec<u8> },
    Fork { below: Vec<(usize, Box<Site>)> },
}

pub(crate) trait Curve {
    fn height(&self, x: f64) -> f64;
}

pub(crate) struct Arch {
    pub(crate) radius: f64,
}

#[differentiable]
impl Arch {
    pub(crate) fn bent(&self, x: f64) -> f64 {
        (x / self.radius).cos() * self.radius
    }
}

#[differentiable]
impl Curve for Arch {
    fn height(&self, x: f64) -> f64 {
        (self.radius * self.radius - x * x).abs().sqrt()
    }
}

pub(crate) struct Slope {
    pub(crate) parts: Vec<f64>,
}

#[differentiable]
impl Curve for Slope {
    fn height(&self, x: f64) -> f64 {
        self.parts.iter().rev().fold(0.0, |sum, c| sum * x + c)
    }
}
