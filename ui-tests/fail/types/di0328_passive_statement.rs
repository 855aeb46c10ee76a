#![allow(warnings)]

use di::differentiable;

struct Config;

impl Config {
    fn log(&self) {}
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    config.log();
    x * x
}

fn main() {}
