// A function of another module with the name of a macro of std is not queried, so that the type of its parameter is not
// known.
#![allow(warnings)]

use di::prelude::*;

const WIDTH: usize = 3;

mod grid {
    use super::*;

    #[differentiable]
    pub fn column(x: f64, n: usize) -> f64 {
        x * n as f64
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = grid::column(x, WIDTH);
    y
}

fn main() {}
