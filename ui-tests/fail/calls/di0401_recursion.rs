use di::differentiable;

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let lower: f64 = power(x, n - 1);
    x * lower
}

fn main() {}
