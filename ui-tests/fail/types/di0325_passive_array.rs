use di::differentiable;

struct Config {
    weights: [f64; 2],
}

#[differentiable]
fn f(x: f64, #[constant] config: &Config) -> f64 {
    let w: [f64; 2] = config.weights;
    w[0] * x
}

fn main() {}
