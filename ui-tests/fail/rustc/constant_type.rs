use di::differentiable;

const COUNT: usize = 3;

#[differentiable]
fn f(x: f64) -> f64 {
    x * COUNT
}

fn main() {}
