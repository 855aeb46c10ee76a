//! Experienced: generic model trait with an associated const, Gauss-Newton residual norm.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod models {
    pub trait Model {
        const PARAMS: usize;
        fn eval(p: &[f64], x: f64) -> f64;
    }

    pub struct Poly<const D: usize>;
    pub struct Rational;

    impl<const D: usize> Model for Poly<D> {
        const PARAMS: usize = D + 1;
        fn eval(p: &[f64], x: f64) -> f64 {
            p.iter().rev().fold(0.0, |acc, &c| acc * x + c)
        }
    }

    impl Model for Rational {
        const PARAMS: usize = 3;
        fn eval(p: &[f64], x: f64) -> f64 {
            let &[a, b, c] = p else { panic!("three parameters") };
            (a + b * x) / (1.0 + c * x)
        }
    }

    fn cost<M: Model>(p: &[f64], xs: &[f64]) -> f64 {
        assert_eq!(p.len(), M::PARAMS);
        xs.iter().map(|&x| (M::eval(p, x) - x.sin()).powi(2)).sum::<f64>() / xs.len() as f64
    }

    pub fn poly_cost(p: &[f64], #[constant] xs: &[f64]) -> f64 {
        cost::<Poly<3>>(p, xs)
    }
    pub fn rational_cost(p: &[f64], #[constant] xs: &[f64]) -> f64 {
        cost::<Rational>(p, xs)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let xs: Vec<f64> = (0..10).map(|i| 0.1 * i as f64).collect();
    let b = AutoSource::new();
    let p = [0.1, 0.9, -0.2, 0.05];
    let g = gradient(models::poly_cost::AD.with(&xs), NoPrep, &b, &p)?;
    check("09a", &g, &fd(|p| models::poly_cost(p, &xs), &p));
    let q = [0.1, 0.9, 0.2];
    let g = gradient(models::rational_cost::AD.with(&xs), NoPrep, &b, &q)?;
    check("09b", &g, &fd(|p| models::rational_cost(p, &xs), &q));
    Ok(())
}
