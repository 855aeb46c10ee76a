use di::differentiable;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    for i in 0..square(x) {
        s += x * i as f64;
    }
    s
}

fn main() {}
