use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    #[ad(checkpoint)]
    while s < 3.0 {
        s *= 2.0;
    }
    #[ad(recompute)]
    let t = s * s;
    t
}

fn main() {}
