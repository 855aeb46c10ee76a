//! Values of enums that hold what varies.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
    Empty,
}

#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Self::Rect { w, h } => w * h,
            Self::Empty => 0.0,
        }
    }

    fn scaled(self, k: f64) -> Shape {
        match self {
            Shape::Circle(r) => Shape::Circle(k * r),
            Shape::Rect { w, h } => Self::Rect { w: k * w, h: k * h },
            Shape::Empty => Shape::Empty,
        }
    }

    fn grow(&mut self, by: f64) {
        match self {
            Shape::Circle(r) => *r += by,
            Shape::Rect { w, h } => {
                *w *= 1.0 + by;
                *h += by * *w;
            }
            Shape::Empty => *self = Shape::Circle(by),
        }
    }
}

#[differentiable]
fn shape_of(p: &[f64]) -> Shape {
    if p[0] > 0.6 {
        Shape::Circle(p[1] * p[2])
    } else if p[0] > 0.2 {
        let (w, h) = (p[1], p[0] + p[2]);
        Shape::Rect { w, h }
    } else {
        Shape::Empty
    }
}

#[differentiable]
fn perimeter(s: &Shape, k: f64) -> f64 {
    match *s {
        Shape::Circle(r) if r > 10.0 => 0.0,
        Shape::Circle(r) => 6.0 * r * k,
        Shape::Rect { w, h: height } => 2.0 * (w + height) + k,
        Shape::Empty => k * k,
    }
}

#[differentiable]
fn through_calls(x: &[f64]) -> f64 {
    let s = shape_of(x);
    let t = s.scaled(x[1]);
    s.area() * perimeter(&t, x[2]) + perimeter(&s, x[0]) + t.area().exp()
}

#[test]
fn values_of_enums_through_calls() {
    scalar!(through_calls).rows(&[62, 470]).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
enum State {
    Idle,
    Burning { t: f64, rate: f64 },
    Cooling(f64, usize),
}

#[differentiable]
fn machine(x: &[f64]) -> f64 {
    let (mut state, mut heat) = (State::Idle, 0.0);
    for k in 0..12 {
        state = match state {
            State::Idle if x[0] + heat > 0.3 => State::Burning {
                t: 1.0 + x[0],
                rate: x[1],
            },
            State::Idle => {
                heat += 0.1 * x[2];
                State::Idle
            }
            State::Burning { t, rate } if t > 2.2 => State::Cooling(t * rate, k),
            State::Burning { t, rate } => State::Burning {
                t: t + rate * 0.3,
                rate: rate * 0.95,
            },
            State::Cooling(t, since) if k - since > 2 => {
                heat += t * x[1];
                State::Idle
            }
            other => other,
        };
        if let State::Burning { rate, .. } = &state {
            heat += rate * rate * 0.1;
        }
        if let State::Cooling(ref mut t, _) = state {
            *t *= x[2].cos();
        }
    }
    match state {
        State::Cooling(t, since) => heat + t * since as f64,
        State::Burning { t, .. } => heat * t,
        State::Idle => heat,
    }
}

#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut s = shape_of(x);
    let mut total = 0.0;
    for v in x {
        s.grow(*v);
        total += s.area();
    }
    if let Shape::Rect { w, .. } = &mut s {
        *w = x[0] * x[1];
    }
    total * s.area()
}

#[test]
fn states_with_payloads() {
    scalar!(machine).row(471).check(&POINTS);
    scalar!(grown).row(471).check(&POINTS);
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let s = shape_of(x);
    let mut sum = 0.0;
    if matches!(s, Shape::Circle(r) if r > 0.1) || matches!(s, Shape::Empty) {
        sum += x[1];
    }
    let Shape::Rect { w, h } = s else {
        return sum + x[0];
    };
    let pair = (s, shape_of(&x[..]));
    sum += match pair {
        (Shape::Circle(a), Shape::Circle(b)) => a * b,
        (Shape::Rect { w: a, .. } | Shape::Circle(a), Shape::Rect { h, .. }) => a * h * h,
        (_, other) => other.area(),
    };
    let some = if x[1] > 0.5 { Some(s) } else { None };
    sum += match some {
        Some(Shape::Rect { w, .. }) => w.sin(),
        Some(_) | None => w * h,
    };
    sum
}

#[differentiable]
fn until(x: &[f64]) -> f64 {
    let mut s = Shape::Circle(x[0]);
    let (mut k, mut sum) = (0, x[2]);
    while let Shape::Circle(r) = s {
        sum += r * x[1];
        k += 1;
        s = if k > 3 {
            Shape::Empty
        } else {
            s.scaled(1.0 + x[2])
        };
    }
    sum
}

#[test]
fn patterns_of_values() {
    scalar!(patterns).row(472).check(&POINTS);
    scalar!(until).row(472).check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Part {
    shape: Shape,
    density: f64,
}

#[differentiable]
fn mass(parts: &[Part]) -> f64 {
    parts.iter().map(|p| p.shape.area() * p.density).sum()
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let shapes = vec![
        Shape::Circle(x[0]),
        Shape::Rect { w: x[1], h: 0.4 },
        Shape::Empty,
        shape_of(x),
    ];
    let fixed = [Shape::Circle(x[2]), shapes[1].scaled(x[0])];
    let mut sum = 0.0;
    for s in &shapes {
        sum += s.area() * x[1];
    }
    for (k, s) in fixed.iter().enumerate() {
        sum += match s {
            Shape::Circle(r) => r * k as f64,
            Shape::Rect { w, .. } => w * w,
            Shape::Empty => 0.0,
        };
    }
    let mut parts: Vec<Part> = x
        .iter()
        .map(|v| Part {
            shape: Shape::Circle(*v),
            density: x[0],
        })
        .collect();
    parts.push(Part {
        shape: shapes[1],
        density: 0.5,
    });
    parts[0].shape = Shape::Rect { w: x[1], h: x[2] };
    let circles: Vec<Shape> = x.iter().copied().map(Shape::Circle).collect();
    sum + mass(&parts) + circles.iter().map(Shape::area).sum::<f64>()
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let mut last: Option<Shape> = None;
    let mut sum = 0.0;
    for k in 0..3 {
        if let Some(s) = last {
            sum += s.area() * x[k];
        }
        if let Some(Shape::Circle(r)) = &last {
            sum += r;
        }
        last = if k == 1 {
            None
        } else {
            Some(Shape::Circle(x[k]))
        };
    }
    sum + last.map(|s| s.area()).unwrap_or(0.0)
}

#[test]
fn values_in_lists_structs_and_options() {
    scalar!(lists).row(473).check(&POINTS);
    scalar!(options).row(473).check(&POINTS);
}
