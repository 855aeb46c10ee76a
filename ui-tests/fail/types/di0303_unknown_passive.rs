#![allow(warnings)]

use di::differentiable;

struct Config {
    scale: f64,
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let s = config.scale as f64;
    s * x
}

fn main() {}

// row 168 refused: results of unknown type
