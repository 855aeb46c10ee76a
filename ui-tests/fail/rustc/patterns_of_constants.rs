//! Patterns of enums that are constant.

use di::differentiable;

enum Kind {
    Plain,
    Scaled(f64),
    Damped { rate: f64, order: usize },
}

#[differentiable]
fn unit_as_tuple(x: f64, #[constant] kind: &Kind) -> f64 {
    match kind {
        Kind::Plain(a) => x * a,
        Kind::Scaled(a) => x * a,
        Kind::Damped { rate, .. } => x * rate,
    }
}

#[differentiable]
fn unit_as_struct(x: f64, #[constant] kind: &Kind) -> f64 {
    match kind {
        Kind::Plain { a } => x,
        Kind::Scaled(a) => x * a,
        Kind::Damped { rate, .. } => x * rate,
    }
}

#[differentiable]
fn in_a_condition(x: f64, #[constant] kind: &Kind) -> f64 {
    if let Kind::Plain(a) = kind { x * a } else { x }
}

#[differentiable]
fn field(x: f64, #[constant] kind: &Kind) -> f64 {
    if let Kind::Damped { speed, .. } = kind {
        x * speed
    } else {
        x
    }
}

#[differentiable]
fn or_else(x: f64, #[constant] kind: &Kind) -> f64 {
    let Kind::Plain(a) = kind else {
        return x;
    };
    x * a
}

fn main() {}
