use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    #[ad(chekpoint)]
    for _ in 0..3 {
        s *= x;
    }
    #[ad(revolve)]
    for _ in 0..3 {
        s *= x;
    }
    #[ad(checkpoint = 0)]
    for _ in 0..3 {
        s *= x;
    }
    s
}

fn main() {}
