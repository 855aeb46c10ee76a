//! Constants of types of which nothing is known; whether they are `Copy` is asked where they are bound.

use di::differentiable;

trait Model {
    fn weight(&self) -> f64;
}

#[differentiable]
fn taken_by_value<M: Model>(x: f64, #[constant] m: M) -> f64 {
    x * m.weight()
}

#[differentiable]
fn called_twice<F: Fn(f64) -> f64>(x: f64, #[constant] f: F) -> f64 {
    x * f(2.0) * f(3.0)
}

#[differentiable]
fn in_a_tuple<M>(x: f64, #[constant] m: (M, usize)) -> f64
where
    M: Model,
{
    x * m.0.weight()
}

#[differentiable]
fn product<T>(x: f64, #[constant] k: T) -> f64 {
    x * k
}

#[differentiable]
fn on_the_left<T: Copy>(x: f64, #[constant] k: &T) -> f64 {
    *k + x
}

#[differentiable]
fn compared<T: Copy>(x: f64, #[constant] k: T) -> f64 {
    if x < k { x } else { 1.0 }
}

#[differentiable]
fn indexed<T: Clone>(x: f64, #[constant] k: &T) -> f64 {
    x * k[0]
}

#[differentiable]
fn cast<M: Model>(x: f64, #[constant] k: M) -> f64 {
    x * k as f64
}

#[differentiable]
fn returned<T: Copy>(x: f64, #[constant] k: T) -> f64 {
    k
}

fn main() {}
