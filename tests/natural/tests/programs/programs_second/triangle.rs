//! First year: geometry with points, triangles, circles.

use di::prelude::*;
use std::ops::Sub;

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Sub for Point {
    type Output = Point;
    fn sub(self, o: Point) -> Point {
        Point { x: self.x - o.x, y: self.y - o.y }
    }
}

#[differentiable]
impl Point {
    fn length(self) -> f64 {
        self.x.hypot(self.y)
    }
    fn cross(self, o: Point) -> f64 {
        self.x * o.y - self.y * o.x
    }
}

#[derive(Debug, Clone, Differentiable)]
struct Triangle {
    corners: [Point; 3],
}

#[differentiable]
impl Triangle {
    fn sides(&self) -> (f64, f64, f64) {
        let [a, b, c] = self.corners;
        ((b - c).length(), (c - a).length(), (a - b).length())
    }
    fn area(&self) -> f64 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).abs() / 2.0
    }
    fn circumradius(&self) -> f64 {
        let (a, b, c) = self.sides();
        a * b * c / (4.0 * self.area())
    }
    fn inradius(&self) -> f64 {
        let (a, b, c) = self.sides();
        2.0 * self.area() / (a + b + c)
    }
}

#[differentiable]
fn quality(t: &Triangle) -> f64 {
    t.circumradius() / (2.0 * t.inradius())
}

fn make(x: &[f64]) -> Triangle {
    Triangle { corners: [0, 2, 4].map(|i| Point { x: x[i], y: x[i + 1] }) }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.0, 0.1, 2.0, 0.3, 0.8, 1.5];
    let g = gradient(quality::AD, NoPrep, &AutoSource::new(), &make(&x))?;
    let g: Vec<f64> = g.corners.iter().flat_map(|p| [p.x, p.y]).collect();
    super::check_of("triangle", &g, &x, |x| quality(&make(x)));
    Ok(())
}
