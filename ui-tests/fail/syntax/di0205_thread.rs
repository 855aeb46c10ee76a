// row 132 later: threads

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let _ = std::thread::spawn(move || println!("{x}"));
    x
}

fn main() {}
