use di::prelude::*;
#[derive(Differentiable)]
pub struct Car { pub mass: f64, #[constant] pub k: f64 }
#[differentiable]
fn force(c: &Car) -> f64 { c.mass * c.k }
#[differentiable]
fn go(x: f64, y: f64) -> f64 { let car = Car { mass: x, k: y }; force(&car) }
#[differentiable]
fn ga(x: f64, y: f64) -> f64 { let mut car = Car { mass: x, k: 1.0 }; car.k = y; force(&car) }
fn main() {}
