//! Methods that return iterators, sums of structs by `Sum` of their own, and copies of constant structs that are changed.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[differentiable]
mod volatility {
    #[derive(Clone, Debug)]
    pub(super) struct Garch {
        pub(super) omega: f64,
        pub(super) alpha: f64,
        pub(super) beta: f64,
    }

    impl Garch {
        fn variances<'a>(&'a self, returns: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
            let start = self.omega / (1.0 - 0.5 * self.alpha);
            returns.iter().scan(start, move |h, r| {
                let now = *h;
                *h = self.omega + self.alpha * r * r + self.beta * now;
                Some(now)
            })
        }
    }

    pub(super) fn likelihood(x: &[f64], #[constant] returns: &[f64]) -> f64 {
        let p = Garch {
            omega: x[0],
            alpha: x[1],
            beta: x[2],
        };
        let mut sum = 0.0;
        for (h, r) in p.variances(returns).zip(returns) {
            sum += r * r / h + h.ln();
        }
        let late = p.variances(returns).skip(2).map(|h| h * h).sum::<f64>();
        let numbered = p.variances(returns);
        for (k, h) in numbered.enumerate() {
            sum += k as f64 * h;
        }
        let all: Vec<f64> = p.variances(returns).collect();
        sum + late + all.iter().product::<f64>() + p.variances(returns).last().unwrap_or(0.0)
    }
}

#[test]
fn chains_that_methods_begin() {
    let returns = [0.3, -0.7, 0.45, 0.2];
    scalar!(volatility::likelihood::AD.with(&returns), |x: &[f64]| {
        volatility::likelihood(x, &returns)
    })
    .row(306)
    .check(&POINTS);
}

#[differentiable]
mod plane {
    use std::iter::Sum;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Point {
        pub(super) x: f64,
        pub(super) y: f64,
    }

    impl Add for Point {
        type Output = Point;
        fn add(self, o: Point) -> Point {
            Point {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }

    impl Mul<f64> for Point {
        type Output = Point;
        fn mul(self, k: f64) -> Point {
            Point {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }

    impl Sum for Point {
        fn sum<I: Iterator<Item = Point>>(iter: I) -> Self {
            iter.fold(Point::default(), |a, b| a + b)
        }
    }

    impl<'a> Sum<&'a Point> for Point {
        fn sum<I>(iter: I) -> Self
        where
            I: Iterator<Item = &'a Point>,
        {
            iter.copied().sum()
        }
    }

    impl Point {
        fn norm(self) -> f64 {
            self.x.hypot(self.y)
        }
        fn stepped(&self, u: f64) -> Point {
            Point {
                x: self.x + u * self.y,
                y: self.y - u * self.x,
            }
        }
    }

    pub(super) fn spread(x: &[f64]) -> f64 {
        let points: Vec<Point> = x.windows(2).map(|w| Point { x: w[0], y: w[1] }).collect();
        let center: Point = points.iter().sum();
        let weighted = points.iter().map(|p| *p * p.norm()).sum::<Point>();
        (center * 0.5 + weighted).norm() + points.iter().copied().sum::<Point>().x
    }

    pub(super) fn path(x: &[f64], #[constant] start: Point, #[constant] others: &[Point]) -> f64 {
        let mut at = start;
        let mut next = others[1];
        for u in x {
            at = at.stepped(*u);
            next.x += u * at.y;
        }
        at.norm() + next.norm()
    }
}

#[test]
fn sums_of_structs() {
    scalar!(plane::spread::AD, plane::spread)
        .row(307)
        .check(&POINTS);
}

#[test]
fn copies_of_constant_structs() {
    let start = plane::Point { x: 0.4, y: -0.3 };
    let others = [start, plane::Point { x: 1.4, y: 0.7 }];
    scalar!(plane::path::AD.with(start, &others), |x: &[f64]| {
        plane::path(x, start, &others)
    })
    .row(308)
    .check(&POINTS);
}
