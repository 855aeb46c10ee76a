use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    let mut k = 0usize;
    #[ad(checkpoint)]
    for _ in 0..3 {
        k += 2;
        s *= x * k as f64;
    }
    s
}

fn main() {}
