use di::prelude::*;

#[differentiable]
fn energy(u: &[f64], h: f64) -> f64 {
    u.iter().map(|u| u * u * h).sum()
}

fn main() {
    let _ = energy::AD.with(0.1);
}
