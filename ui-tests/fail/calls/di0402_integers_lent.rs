use di::differentiable;

#[differentiable]
fn pick(x: &[f64], order: &[usize]) -> f64 {
    x[order[0]]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut order = [0usize; 2];
    for i in 0..2 {
        order[i] = 1 - i;
    }
    let y: f64 = pick(x, &order);
    y * y
}

fn main() {}
