#![allow(warnings)]

use di::differentiable;

fn assemble(areas: &[f64]) -> Vec<Vec<f64>> {
    vec![areas.to_vec()]
}

fn displacements(areas: &[f64]) -> Vec<f64> {
    areas.to_vec()
}

#[differentiable]
mod truss {
    fn solve(a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        b[0] /= a[0][0];
        b
    }

    pub fn compliance(areas: &[f64], #[constant] load: &[f64]) -> f64 {
        let k = crate::assemble(areas);
        let u = solve(k, load.to_vec());
        u.iter().zip(load).map(|(u, f)| u * f).sum()
    }

    pub fn work(areas: &[f64], #[constant] load: &[f64]) -> f64 {
        let u = crate::displacements(areas);
        u.iter().zip(load).map(|(u, f)| u * f).sum()
    }
}

fn main() {}
