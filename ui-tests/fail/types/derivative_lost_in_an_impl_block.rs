#![allow(warnings)]

use di::{Differentiable, differentiable};

fn assemble(areas: &[f64]) -> Vec<Vec<f64>> {
    vec![areas.to_vec()]
}

#[derive(Differentiable)]
struct Truss {
    areas: Vec<f64>,
}

#[differentiable]
impl Truss {
    fn stiffness(&self, x: f64) -> f64 {
        let rows = assemble(&self.areas);
        let mut sum = 0.0;
        for row in &rows {
            sum += row[0];
        }
        sum * x
    }
}

fn main() {}
