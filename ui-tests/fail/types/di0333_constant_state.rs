#![allow(warnings)]

use di::differentiable;

struct Xoshiro {
    s: [u64; 4],
}

impl Xoshiro {
    fn next(&mut self) -> u64 {
        self.s.rotate_left(1);
        self.s[0] ^= self.s[3] << 11;
        self.s[0]
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Off,
    Held { at: f64 },
}

#[differentiable]
fn drawn(x: &[f64]) -> f64 {
    let mut rng = Xoshiro { s: [1, 2, 3, 4] };
    x[0] * (rng.next() % 7) as f64
}

#[differentiable]
fn held(x: &[f64]) -> f64 {
    let mut mode = Mode::Off;
    if x[0] > 1.0 {
        mode = Mode::Held { at: 0.5 };
    }
    match mode {
        Mode::Off => x[0],
        Mode::Held { at } => x[0] * at,
    }
}

fn main() {}

// row 347 refused: state of more than 128 bits, or with floats
