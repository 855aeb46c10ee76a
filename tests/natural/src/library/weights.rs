//! Losses.

use di::prelude::*;

#[differentiable]
pub fn huber(r: f64) -> f64 {
    if r.abs() < 0.5 {
        0.5 * r * r
    } else {
        0.5 * (r.abs() - 0.25)
    }
}
