use di::differentiable;

#[derive(Clone, Copy)]
enum Kind {
    Line,
    Scaled { by: f64, n: usize },
}

#[differentiable]
fn f(x: f64, #[constant] kind: &Kind) -> f64 {
    match kind {
        Kind::Line => x,
        Kind::Scaled { by } => by * x,
    }
}

fn main() {}
