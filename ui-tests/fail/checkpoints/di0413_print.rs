use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut s = x;
    #[ad(checkpoint)]
    for i in 0..3 {
        assert!(i < 3);
        println!("{i}");
        s *= x;
    }
    s
}

fn main() {}
