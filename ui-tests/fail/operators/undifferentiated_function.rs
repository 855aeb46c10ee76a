#![allow(warnings)]

use di::{AutoSource, NoPrep, differentiable, gradient};

#[differentiable]
mod model {
    pub struct Counts {
        pub hits: u32,
    }

    pub fn rate(counts: &Counts) -> f64 {
        counts.hits as f64 / 10.0
    }
}

fn main() {
    gradient(model::rate::AD, NoPrep, &AutoSource::new(), &[1.0]);
}
