//! A dense network made by a builder; activations are enum variants, weights come from one flat vector.
use di::prelude::*;

#[derive(Clone, Copy, Debug)]
pub enum Activation {
    Identity,
    Tanh,
    LeakyRelu { slope: f64 },
    Gelu,
}

#[differentiable]
impl Activation {
    fn apply(self, x: f64) -> f64 {
        match self {
            Activation::Identity => x,
            Activation::Tanh => x.tanh(),
            Activation::LeakyRelu { slope } => if x > 0.0 { x } else { slope * x },
            Activation::Gelu => 0.5 * x * (1.0 + (0.7978845608 * (x + 0.044715 * x.powi(3))).tanh()),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Architecture {
    sizes: Vec<usize>,
    activations: Vec<Activation>,
}

impl Architecture {
    pub fn input(n: usize) -> Self {
        Architecture { sizes: vec![n], ..Default::default() }
    }
    pub fn dense(mut self, n: usize, a: Activation) -> Self {
        self.sizes.push(n);
        self.activations.push(a);
        self
    }
    pub fn count(&self) -> usize {
        self.sizes.windows(2).map(|w| (w[0] + 1) * w[1]).sum()
    }
}

#[differentiable]
pub fn forward(arch: &Architecture, theta: &[f64], input: &[f64]) -> Vec<f64> {
    let mut x = input.to_vec();
    let mut rest = theta;
    for (pair, act) in arch.sizes.windows(2).zip(&arch.activations) {
        let &[n_in, n_out] = pair else { unreachable!() };
        let (w, tail) = rest.split_at(n_in * n_out);
        let (b, tail) = tail.split_at(n_out);
        rest = tail;
        x = w
            .chunks(n_in)
            .zip(b)
            .map(|(row, b)| act.apply(row.iter().zip(&x).map(|(w, x)| w * x).sum::<f64>() + b))
            .collect();
    }
    x
}

#[differentiable]
pub fn loss(theta: &[f64], arch: &Architecture, #[constant] batch: &[([f64; 2], f64)]) -> f64 {
    batch.iter().map(|(x, y)| (forward(arch, theta, x)[0] - y).powi(2)).sum::<f64>() / batch.len() as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let arch = Architecture::input(2)
        .dense(4, Activation::Tanh)
        .dense(3, Activation::LeakyRelu { slope: 0.1 })
        .dense(3, Activation::Gelu)
        .dense(1, Activation::Identity);
    let batch = [([0.0, 1.0], 1.0), ([1.0, 1.0], 0.0), ([0.5, -0.4], 0.3)];
    let theta: Vec<f64> = (0..arch.count()).map(|i| (i as f64 * 1.7).sin() * 0.8).collect();
    let g = gradient(loss::AD.with(&arch, &batch), NoPrep, &AutoSource::new(), &theta)?;
    super::check_of("net", &g, &theta, |t| loss(t, &arch, &batch));
    Ok(())
}
