use di::differentiable;

#[differentiable]
fn pick(x: &[f64], order: &[usize]) -> f64 {
    x[order[0]]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let order = [1usize, 0];
    let y: f64 = pick(x, &order);
    y * y
}

fn main() {}
