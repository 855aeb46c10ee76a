#![allow(warnings)]

use di::differentiable;

struct Config {
    weights: [[f64; 3]; 2],
}

impl Config {
    fn entry(&self, at: (usize, usize)) -> f64 {
        self.weights[at.0][at.1]
    }
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let at = (1usize, 2usize);
    let s: f64 = config.entry(at);
    s * x
}

fn main() {}
