//! Gaussian processes. Refused: each with what the compiler says.

// E0080 [DI0316] `Mat` is taken for a struct, and this operator on a struct cannot be differentiated
// E0080 [DI0125] `Mat` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0341] the types of this do not fit, as far as they can be told
/// Conjugate gradients on the kernel system instead of a factorisation.
mod cg_solve {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat = Vec<Vec<f64>>;

    #[differentiable]
    fn matvec(a: &Mat, x: &[f64]) -> Vec<f64> {
        a.iter().map(|row| row.iter().zip(x).map(|(p, q)| p * q).sum()).collect()
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(p, q)| p * q).sum()
    }

    #[differentiable]
    fn cg(a: &Mat, b: &[f64], iters: usize) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = r.clone();
        let mut rs = dot(&r, &r);
        for _ in 0..iters {
            let ap = matvec(a, &p);
            let alpha = rs / dot(&p, &ap);
            for i in 0..x.len() {
                x[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
            }
            let new = dot(&r, &r);
            let beta = new / rs;
            p = r.iter().zip(&p).map(|(ri, pi)| ri + beta * pi).collect();
            rs = new;
        }
        x
    }

    #[differentiable]
    pub fn weights(x: &[f64], #[constant] locations: &[f64]) -> Vec<f64> {
        let (ell, noise) = (x[0], x[1]);
        let targets = &x[2..];
        let k: Mat = locations
            .iter()
            .enumerate()
            .map(|(i, a)| {
                locations
                    .iter()
                    .enumerate()
                    .map(|(j, b)| (-(a - b).abs() / ell).exp() + if i == j { noise } else { 0.0 })
                    .collect()
            })
            .collect();
        cg(&k, targets, 3)
    }

    #[test]
    fn cg_solve() {
        vector!(weights, (&[0.0, 0.8, 1.7, 2.1]), &[0.9, 0.4, 0.5, 0.2, -0.3, 0.8]);
    }
}
