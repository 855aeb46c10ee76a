use di::differentiable;

#[allow(non_upper_case_globals)]
const zero: usize = 0;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    match n {
        zero => x,
        _ => x * x,
    }
}

fn main() {}
