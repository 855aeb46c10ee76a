//! Experienced: layers with associated Params and Cache types, chain by generics in a pipeline function.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod pipeline {
    pub trait Stage {
        type Params;
        fn apply(params: &Self::Params, x: Vec<f64>) -> Vec<f64>;
    }

    #[derive(Clone, Debug)]
    pub struct Affine {
        pub scale: f64,
        pub shift: f64,
    }
    #[derive(Clone, Debug)]
    pub struct Temperature(pub f64);

    pub struct Scale;
    pub struct Softmax;

    impl Stage for Scale {
        type Params = Affine;
        fn apply(p: &Affine, mut x: Vec<f64>) -> Vec<f64> {
            x.iter_mut().for_each(|v| *v = p.scale * *v + p.shift * *v * *v);
            x
        }
    }
    impl Stage for Softmax {
        type Params = Temperature;
        fn apply(t: &Self::Params, x: Vec<f64>) -> Vec<f64> {
            let e: Vec<f64> = x.iter().map(|v| (v / t.0).exp()).collect();
            let z: f64 = e.iter().sum();
            e.into_iter().map(|e| e / z).collect()
        }
    }

    fn two<A: Stage, B: Stage>(a: &A::Params, b: &B::Params, x: &[f64]) -> Vec<f64> {
        B::apply(b, A::apply(a, x.to_vec()))
    }

    pub fn entropy(a: &Affine, t: &Temperature, #[constant] x: &[f64]) -> f64 {
        -two::<Scale, Softmax>(a, t, x).iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>()
    }
}
use pipeline::*;

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.1, 0.9, -0.4];
    let (ga, gt) = gradient(entropy::AD.with(&x), NoPrep, &AutoSource::new(), &(Affine { scale: 1.2, shift: 0.3 }, Temperature(0.8)))?;
    check("74", &[ga.scale, ga.shift, gt.0], &fd(|v| entropy(&Affine { scale: v[0], shift: v[1] }, &Temperature(v[2]), &x), &[1.2, 0.3, 0.8]));
    Ok(())
}
