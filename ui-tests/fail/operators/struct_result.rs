use di::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Hit {
    x: f64,
    steps: usize,
}

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    first: Hit,
    y: f64,
}

#[differentiable]
fn hit(q: &[f64]) -> Hit {
    Hit {
        x: q[0] * q[1],
        steps: q.len(),
    }
}

#[differentiable]
fn scaled(q: &[f64], #[constant] by: f64) -> (f64, Pair) {
    let first = hit(q);
    (by * first.x, Pair { first, y: q[0] })
}

fn main() -> Result<(), di::Error> {
    let backend = AutoSource::new();
    jacobian(hit::AD, NoPrep, &backend, &[1.0, 2.0])?;
    jacobian(scaled::AD.with(2.0), NoPrep, &backend, &[1.0, 2.0])?;
    Ok(())
}
