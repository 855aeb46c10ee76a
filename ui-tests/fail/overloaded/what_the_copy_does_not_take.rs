#![allow(warnings)]

use di::overloaded;

struct Spring {
    stiffness: f64,
}

const STIFF: Spring = Spring { stiffness: 2.0 };

fn elsewhere(x: f64) -> f64 {
    x * x
}

#[overloaded]
mod model {
    use super::{STIFF, elsewhere};

    pub fn calls(x: f64) -> f64 {
        elsewhere(x)
    }

    pub fn casts(x: f64) -> f64 {
        let short = x as f32;
        short as f64
    }

    pub fn constants(x: f64) -> f64 {
        STIFF.stiffness * x
    }

    pub fn bits(x: f64) -> u64 {
        x.to_bits()
    }
}

fn main() {}
