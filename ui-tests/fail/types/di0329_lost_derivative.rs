#![allow(warnings)]

use di::differentiable;

struct Config;

impl Config {
    fn scale(&self, x: f64) -> f64 {
        x * x
    }
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let s: f64 = config.scale(x);
    s * x
}

fn main() {}
