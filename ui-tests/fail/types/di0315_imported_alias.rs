#![allow(warnings)]

use di::differentiable;

type Count = i64;

mod conv {
    pub type Count = u8;
}

// `Count` is that of `conv`, which is not seen here, and not that of the file
#[differentiable]
fn f(x: &[f64]) -> f64 {
    use conv::Count;
    let k = (x[0] * 1000.0) as Count as f64;
    x[1] * k
}

fn main() {}
