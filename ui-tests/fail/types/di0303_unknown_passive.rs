#![allow(warnings)]

use di::differentiable;

struct Config {
    scale: f64,
    limit: f64,
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let large = config.scale > config.limit;
    if large { x } else { x * x }
}

fn main() {}

// row 168 refused: results of unknown type
