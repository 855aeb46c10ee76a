#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    enum Mode {
        Off,
        On { since: usize },
    }

    pub fn f(x: &[f64]) -> f64 {
        let mut mode = Mode::On { since: 1 };
        if let Mode::On { since } = &mut mode {
            *since += 1;
        }
        match mode {
            Mode::On { since } => x[0] * since as f64,
            Mode::Off => x[0],
        }
    }
}

fn main() {}

// row 347 refused: parts that a pattern borrows by `&mut`
