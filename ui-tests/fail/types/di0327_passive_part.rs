#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
    order: Vec<usize>,
}

struct Config {
    weights: [f64; 3],
}

impl Config {
    fn at(&self, order: &[usize]) -> f64 {
        self.weights[order[0]]
    }
}

#[differentiable]
fn f(p: &Params, x: f64, #[constant] config: &Config) -> f64 {
    let order = &p.order;
    let s: f64 = config.at(order);
    s * x * p.a + order.len() as f64
}

fn main() {}
