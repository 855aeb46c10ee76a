//! Methods and fields of one name.

use di::{Differentiable, differentiable};

trait Energy {
    fn energy(&self) -> f64;
}

#[derive(Differentiable)]
struct Point {
    x: f64,
}

#[differentiable]
impl Point {
    fn scaled(&self, k: f64) -> f64 {
        self.x * k
    }

    fn caller(&self) -> f64 {
        self.scaled(2.0)
    }

    fn scaled(&self, k: f64) -> f64 {
        self.x + k
    }
}

#[differentiable]
impl Energy for Point {
    fn energy(&self) -> f64 {
        self.x * self.x
    }

    fn energy(&self) -> f64 {
        self.x
    }
}

#[derive(Differentiable)]
struct Fields {
    a: f64,
    b: usize,
    a: f64,
    b: f64,
}

#[differentiable]
fn reads(p: &Fields) -> f64 {
    p.a * p.b as f64
}

fn main() {}
