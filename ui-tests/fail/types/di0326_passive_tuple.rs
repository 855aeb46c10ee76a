#![allow(warnings)]

use di::differentiable;

struct Config {
    weights: [[f64; 3]; 2],
}

impl Config {
    fn entry(&self, (at, k): ([usize; 2], usize)) -> f64 {
        self.weights[at[k]][at[1 - k]]
    }
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let at = ([1usize, 0], 0usize);
    let s: f64 = config.entry(at);
    s * x
}

fn main() {}
