use di::differentiable;

struct Name;

#[differentiable]
fn f(x: f64, #[constant] name: &Name) -> f64 {
    println!("{:?}", name);
    x
}

fn main() {}
