//! Derived enums of other modules, as errors, as constants, of one variant, and of `f32`.

use di::prelude::*;
use di_test::scalar;
use shapes::{Shape, Wrapped};

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

mod shapes {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub enum Shape {
        Circle(f64),
        Rect { w: f64, h: f64 },
        Empty,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub enum Wrapped {
        Only { all: Vec<f64>, shape: Shape },
    }

    #[differentiable]
    impl Shape {
        pub fn area(&self) -> f64 {
            match self {
                Shape::Circle(r) => 3.0 * r * r,
                Shape::Rect { w, h } => w * h,
                Shape::Empty => 0.0,
            }
        }
    }

    #[differentiable]
    pub fn wrapped(x: &[f64]) -> Wrapped {
        let shape = Shape::Rect { w: x[0], h: x[1] };
        Wrapped::Only {
            all: x.to_vec(),
            shape,
        }
    }
}

const TABLE: [Shape; 3] = [
    Shape::Circle(0.5),
    Shape::Empty,
    Shape::Rect { w: 0.3, h: 2.0 },
];

#[differentiable]
fn total(shapes: &[Shape], k: f64) -> f64 {
    shapes.iter().map(|s| s.area() * k).sum()
}

#[differentiable]
fn imported(x: &[f64]) -> f64 {
    let Wrapped::Only { mut all, shape } = shapes::wrapped(x);
    all.push(x[2]);
    let mut sum = all.iter().map(|v| v * v).sum::<f64>() * shape.area();
    let other = if x[0] > 0.5 {
        shapes::Shape::Empty
    } else {
        shapes::Shape::Circle(x[1])
    };
    if let Shape::Circle(r) = other {
        sum += r;
    }
    match shapes::wrapped(&x[1..]) {
        Wrapped::Only {
            all,
            shape: Shape::Rect { w, .. },
        } => sum += all[0] * w,
        Wrapped::Only { .. } => sum += 1.0,
    }
    sum
}

#[differentiable]
fn beside_constants(x: &[f64]) -> f64 {
    let mut sum = total(&[TABLE[0], TABLE[2]], x[0]);
    for s in TABLE.iter() {
        sum += s.area() * x[1];
        if let Shape::Rect { w, .. } = s {
            sum += w * x[2];
        }
    }
    let mut s = TABLE[0];
    for k in 0..3 {
        sum += s.area() * x[k];
        s = match s {
            Shape::Circle(r) => Shape::Rect { w: r, h: x[k] },
            _ => TABLE[k],
        };
    }
    let all = [TABLE[2], Shape::Circle(x[0]), s];
    sum + total(&all, x[1])
}

#[differentiable]
fn given(x: &[f64], #[constant] s: &Shape, #[constant] all: &[Shape]) -> f64 {
    let own = match s {
        Shape::Circle(r) => Shape::Circle(r * x[0]),
        other => *other,
    };
    own.area() * x[1] + s.area() * x[2] + total(all, x[0])
}

#[test]
fn enums_of_other_modules_and_constants() {
    scalar!(imported).row(482).takes_memory().check(&POINTS);
    scalar!(beside_constants)
        .row(482)
        .takes_memory()
        .check(&POINTS);
    for s in TABLE {
        scalar!(given::AD.with(&s, &TABLE), |x: &[f64]| given(x, &s, &TABLE))
            .row(482)
            .check(&POINTS);
    }
}

#[differentiable]
mod solver {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Failure {
        Steps { best: f64 },
        Negative(f64),
    }

    #[derive(Clone, Copy, Debug)]
    pub enum Start {
        Near(f64),
        Between { lo: f64, hi: f64 },
    }

    pub fn start(x: &[f64]) -> Start {
        match x[2] < 0.6 {
            true => Start::Near(x[0] + 1.0),
            false => Start::Between { lo: x[1], hi: 2.0 },
        }
    }

    pub fn root(of: f64, from: Start) -> Result<f64, Failure> {
        if of < 0.0 {
            return Err(Failure::Negative(of));
        }
        let mut r = match from {
            Start::Near(r) => r,
            Start::Between { lo, hi } => 0.5 * (lo + hi),
        };
        for _ in 0..20 {
            r = 0.5 * (r + of / r);
            if (r * r - of).abs() < 1e-13 {
                return Ok(r);
            }
        }
        Err(Failure::Steps { best: r })
    }

    pub fn solved(x: &[f64]) -> Result<f64, Failure> {
        let a = root(x[0], start(x))?;
        Ok(a * root(x[1] + a, Start::Near(1.0))?)
    }

    pub fn or_else(x: &[f64]) -> f64 {
        let r = match root(x[0] - 0.1, start(x)) {
            Ok(r) => r * x[1],
            Err(_) => x[2],
        };
        r * solved(x).unwrap_or(0.0)
    }
}

#[differentiable]
fn from_outside(x: &[f64]) -> f64 {
    let s = solver::start(x);
    match s {
        solver::Start::Near(r) => r * x[1],
        solver::Start::Between { lo, hi } => lo * hi * x[0],
    }
}

#[test]
fn enums_of_modules_and_errors() {
    scalar!(solver::or_else::AD, solver::or_else)
        .row(483)
        .check(&POINTS);
    scalar!(from_outside).row(483).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
enum Small {
    One(f32),
    Two([f32; 2]),
}

#[differentiable]
fn single(x: &[f32]) -> f32 {
    let s = if x[0] > 0.5 {
        Small::One(x[1])
    } else {
        Small::Two([x[0], x[1]])
    };
    match s {
        Small::One(a) => a * a,
        Small::Two([a, b]) => a * b.sin(),
    }
}

#[test]
fn enums_of_f32() -> Result<(), di::Error> {
    let _row = di_test::rows::row(484);
    let close = di_test::compare::Tolerance {
        relative: 1e-5,
        absolute: 1e-5,
    };
    for (x, expected) in [
        ([0.7f32, 0.3], [0.0, 0.6]),
        ([0.2, 0.3], [0.3f32.sin(), 0.2 * 0.3f32.cos()]),
    ] {
        let g = gradient(single::AD, NoPrep, &AutoSource::new(), &x)?;
        let [g, expected] = [g, expected].map(|g| g.map(f64::from));
        di_test::compare::assert_close("gradient", &g, &expected, close);
    }
    Ok(())
}
