//! Values of derived enums where other values are: results, collections, closures, traits, constant code.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub enum Shape {
    Circle(f64),
    Rect {
        w: f64,
        h: f64,
    },
    #[default]
    Empty,
}

#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        use Shape::*;
        match self {
            Circle(r) => 3.0 * r * r,
            Rect { w, h } => w * h,
            Empty => 0.0,
        }
    }

    fn square(side: f64) -> Self {
        Self::Rect { w: side, h: side }
    }
}

#[differentiable]
fn found(x: &[f64]) -> Option<Shape> {
    match x[0] {
        v if v < 0.1 => None,
        v if v < 0.5 => Some(Shape::Circle(v * x[1])),
        v => Some(Shape::square(v)),
    }
}

#[differentiable]
fn tried(x: f64) -> Result<Shape, String> {
    if x > 0.9 {
        return Err(format!("{x} is too large"));
    }
    Ok(Shape::Rect { w: x, h: 2.0 })
}

#[differentiable]
fn both(x: &[f64]) -> (Shape, f64) {
    (Shape::Circle(x[2]), x[0] * x[1])
}

#[differentiable]
fn in_results(x: &[f64]) -> f64 {
    let (s, k) = both(x);
    let mut sum = s.area() * k;
    if let Some(Shape::Circle(r)) = found(x) {
        sum += r * k;
    }
    sum += found(x).map_or(x[1], |s| s.area());
    match tried(x[1]) {
        Ok(Shape::Rect { w, h }) => sum += w * h * k,
        Ok(_) => sum += 1.0,
        Err(_) => sum += x[0],
    }
    sum + tried(x[2]).map(|s| s.area()).unwrap_or(x[1])
}

#[test]
fn values_in_results() {
    scalar!(in_results).row(478).check(&POINTS);
}

#[differentiable]
fn collections(x: &[f64]) -> f64 {
    let mut stack = vec![Shape::Circle(x[0])];
    let mut sum = 0.0;
    let mut steps = 0;
    while let Some(s) = stack.pop() {
        steps += 1;
        match s {
            Shape::Circle(r) if steps < 4 => {
                stack.push(Shape::Rect { w: r, h: x[1] });
                stack.push(Shape::Circle(r * x[2]));
            }
            Shape::Rect { w, h } => sum += w * h * h,
            other => sum += other.area(),
        }
    }
    let mut shapes: Vec<Shape> = x.iter().map(|v| Shape::square(*v)).collect();
    shapes.insert(1, Shape::Circle(x[1]));
    shapes.sort_by(|a, b| a.area().total_cmp(&b.area()));
    sum += shapes[0].area() + x[0] * shapes[2].area();
    let largest = shapes
        .iter()
        .max_by(|a, b| a.area().total_cmp(&b.area()))
        .unwrap();
    sum += largest.area() * x[1];
    let circles = shapes.iter().filter(|s| matches!(s, Shape::Circle(_)));
    sum += circles.map(|s| s.area()).sum::<f64>();
    sum += shapes
        .iter()
        .map(|s| match s {
            Shape::Circle(r) => r * x[2],
            Shape::Rect { w, .. } => w.sin(),
            Shape::Empty => 0.0,
        })
        .sum::<f64>();
    if let Some(Shape::Rect { w, .. }) = shapes.get(3) {
        sum += w;
    }
    if let [Shape::Rect { w, .. }, .., last] = shapes.as_slice() {
        sum += w * last.area();
    }
    for s in shapes.iter_mut() {
        if let Shape::Rect { w, h } = s {
            *w += *h * x[0];
        }
    }
    shapes.swap(0, 2);
    sum + shapes.iter().fold(1.0, |s, shape| s * (1.0 + shape.area()))
}

#[test]
fn values_in_collections() {
    scalar!(collections).row(479).check(&POINTS);
}

trait Weigh {
    fn weight(&self, k: f64) -> f64;
}

#[differentiable]
impl Weigh for Shape {
    fn weight(&self, k: f64) -> f64 {
        k * self.area()
    }
}

#[differentiable]
impl std::ops::Mul<f64> for Shape {
    type Output = Shape;
    fn mul(self, k: f64) -> Shape {
        match self {
            Shape::Circle(r) => Shape::Circle(r * k),
            Shape::Rect { w, h } => Shape::Rect { w: w * k, h },
            Shape::Empty => Shape::Empty,
        }
    }
}

#[differentiable]
fn weighed(x: &[f64]) -> f64 {
    let make = |r: f64| Shape::Circle(r * x[1]);
    let s = make(x[0]) * x[2];
    let t = Shape::Rect { w: x[0], h: x[1] } * 2.0;
    s.weight(x[1]) + t.weight(x[0]) + make(x[2]).area()
}

#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut s = Shape::Circle(x[0]);
    let mut t = Shape::square(x[1]);
    std::mem::swap(&mut s, &mut t);
    let old = std::mem::replace(&mut s, Shape::Rect { w: x[2], h: x[0] });
    let d = Shape::default();
    let whole @ (Shape::Circle(_) | Shape::Rect { .. } | Shape::Empty) = s;
    s.area() * t.area() + old.area() + d.area() + whole.area()
}

#[differentiable]
fn shown(x: &[f64]) -> f64 {
    let (s, r0) = (Shape::Circle(x[0]), 0.0);
    assert!(s.area() >= 0.0, "an area is not below {}", r0);
    debug_assert_ne!(s, Shape::Empty);
    let r = match s {
        Shape::Circle(r) => r,
        _ => unreachable!("a circle"),
    };
    match found(x) {
        Some(Shape::Empty) => panic!("no shape"),
        Some(s) if s == Shape::Circle(x[0]) => 1.0,
        Some(s) => s.area() * r,
        None => r,
    }
}

#[test]
fn values_in_traits_operators_and_constant_code() {
    scalar!(weighed).row(480).check(&POINTS);
    scalar!(exchanged).row(480).check(&POINTS);
    scalar!(shown).row(480).check(&POINTS);
}

#[differentiable]
fn all(shapes: &[Shape], first: Shape, k: f64) -> f64 {
    shapes.iter().map(|s| s.area() * k).sum::<f64>() + first.area()
}

#[differentiable]
fn scale_all(shapes: &mut [Shape], k: f64) {
    for s in shapes {
        *s = *s * k;
    }
}

#[differentiable]
fn flip(s: &mut Shape) -> f64 {
    if let Shape::Rect { w, h } = s {
        (*w, *h) = (*h, *w * *w);
        return *w;
    }
    *s = Shape::square(s.area());
    1.0
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let mut shapes = [Shape::Circle(x[0]), Shape::square(x[1]), Shape::Empty];
    scale_all(&mut shapes, x[2]);
    let mut s = shapes[1];
    let k = flip(&mut s) + flip(&mut shapes[0]);
    all(&shapes, s, k)
}

#[test]
fn values_that_functions_borrow() {
    scalar!(handed_on).row(481).check(&POINTS);
}
