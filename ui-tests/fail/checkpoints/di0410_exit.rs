use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    #[ad(checkpoint)]
    for _ in 0..3 {
        s *= x;
        if s > 10.0 {
            break;
        }
    }
    s
}

fn main() {}
