//! Experienced: optimiser state inside the model: differentiate through Adam with closures as gradient, unrolled.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod unroll {
    #[derive(Clone, Debug)]
    pub struct Hyper {
        pub lr: f64,
        pub beta1: f64,
        pub beta2: f64,
    }

    struct Adam<'h> {
        h: &'h Hyper,
        m: Vec<f64>,
        v: Vec<f64>,
        t: i32,
    }

    impl<'h> Adam<'h> {
        fn new(h: &'h Hyper, n: usize) -> Self {
            Adam { h, m: vec![0.0; n], v: vec![0.0; n], t: 0 }
        }
        fn step(&mut self, x: &mut [f64], g: &[f64]) {
            self.t += 1;
            let (b1, b2) = (self.h.beta1, self.h.beta2);
            for i in 0..x.len() {
                self.m[i] = b1 * self.m[i] + (1.0 - b1) * g[i];
                self.v[i] = b2 * self.v[i] + (1.0 - b2) * g[i].powi(2);
                let mh = self.m[i] / (1.0 - b1.powi(self.t));
                let vh = self.v[i] / (1.0 - b2.powi(self.t));
                x[i] -= self.h.lr * mh / (vh.sqrt() + 1e-8);
            }
        }
    }

    fn minimise<G>(grad: G, x0: &[f64], h: &Hyper, steps: usize) -> Vec<f64>
    where
        G: Fn(&[f64]) -> Vec<f64>,
    {
        let mut x = x0.to_vec();
        let mut opt = Adam::new(h, x.len());
        for _ in 0..steps {
            let g = grad(&x);
            opt.step(&mut x, &g);
        }
        x
    }

    pub fn validation(h: &Hyper, #[constant] target: &[f64]) -> f64 {
        let grad = |x: &[f64]| -> Vec<f64> { x.iter().zip(target).map(|(x, t)| 2.0 * (x - t) + 0.1 * x.sin()).collect() };
        let x = minimise(grad, &[0.0; 3], h, 25);
        x.iter().zip(target).map(|(x, t)| (x - t).powi(2)).sum()
    }
}
use unroll::*;

pub(super) fn main() -> Result<(), di::Error> {
    let t = [0.8, -0.5, 2.0];
    let g = gradient(validation::AD.with(&t), NoPrep, &AutoSource::new(), &Hyper { lr: 0.05, beta1: 0.9, beta2: 0.99 })?;
    check("90", &[g.lr, g.beta1, g.beta2], &fd(|x| validation(&Hyper { lr: x[0], beta1: x[1], beta2: x[2] }, &t), &[0.05, 0.9, 0.99]));
    Ok(())
}
