//! Student: geometry of polygons with a Shape trait.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod geometry {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl Point {
        pub fn new(x: f64, y: f64) -> Self {
            Point { x, y }
        }
        pub fn distance(&self, other: &Point) -> f64 {
            ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
        }
    }

    pub trait Shape {
        fn area(&self) -> f64;
        fn perimeter(&self) -> f64;
        fn compactness(&self) -> f64 {
            4.0 * std::f64::consts::PI * self.area() / self.perimeter().powi(2)
        }
    }

    #[derive(Clone, Debug)]
    pub struct Polygon {
        pub points: Vec<Point>,
    }

    impl Shape for Polygon {
        fn area(&self) -> f64 {
            let n = self.points.len();
            let mut a = 0.0;
            for i in 0..n {
                let p = &self.points[i];
                let q = &self.points[(i + 1) % n];
                a += p.x * q.y - q.x * p.y;
            }
            a.abs() / 2.0
        }
        fn perimeter(&self) -> f64 {
            let mut sum = 0.0;
            let mut prev = self.points.last().unwrap();
            for p in self.points.iter() {
                sum += prev.distance(p);
                prev = p;
            }
            sum
        }
    }

    pub fn score(coords: &[f64]) -> f64 {
        let mut points = Vec::new();
        for pair in coords.chunks(2) {
            points.push(Point::new(pair[0], pair[1]));
        }
        let poly = Polygon { points };
        poly.compactness()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let c = [0.0, 0.1, 2.0, 0.0, 2.5, 1.5, 1.0, 2.2, -0.4, 1.0];
    let g = gradient(geometry::score::AD, NoPrep, &AutoSource::new(), &c)?;
    check("08", &g, &fd(geometry::score, &c));
    Ok(())
}
