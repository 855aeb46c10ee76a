use di::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn end(q: &[f64]) -> Point {
    Point {
        x: q[0] * q[1],
        y: q[0].sin(),
    }
}

#[differentiable]
fn scaled(q: &[f64], #[constant] by: f64) -> Point {
    let p = end(q);
    Point {
        x: by * p.x,
        y: by * p.y,
    }
}

fn main() -> Result<(), di::Error> {
    let backend = AutoSource::new();
    jacobian(end::AD, NoPrep, &backend, &[1.0, 2.0])?;
    jacobian(scaled::AD.with(2.0), NoPrep, &backend, &[1.0, 2.0])?;
    Ok(())
}
