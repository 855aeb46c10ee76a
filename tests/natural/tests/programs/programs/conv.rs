//! Experienced: small image convolution network; Tensor with FromIterator, Deref, builder of layers in a Vec of enum.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug)]
enum Layer {
    Conv { kernel: usize },
    Relu,
    Pool(usize),
    Dense { out: usize },
}

struct Net {
    layers: Vec<Layer>,
}

impl Net {
    fn new() -> Self {
        Net { layers: Vec::new() }
    }
    fn push(mut self, l: Layer) -> Self {
        self.layers.push(l);
        self
    }
}

#[differentiable]
fn conv(x: &[f64], w: &[f64]) -> Vec<f64> {
    x.windows(w.len()).map(|win| win.iter().zip(w).map(|(a, b)| a * b).sum()).collect()
}

#[differentiable]
fn run(w: &[f64], #[constant] net: &Net, #[constant] input: &[f64]) -> Vec<f64> {
    let mut rest = w;
    let mut x = input.to_vec();
    for layer in &net.layers {
        x = match *layer {
            Layer::Conv { kernel } => {
                let (k, tail) = rest.split_at(kernel);
                rest = tail;
                conv(&x, k)
            }
            Layer::Relu => x.into_iter().map(|v| if v > 0.0 { v } else { 0.01 * v }).collect(),
            Layer::Pool(n) => x.chunks(n).map(|c| c.iter().copied().fold(f64::MIN, f64::max)).collect(),
            Layer::Dense { out } => {
                let n = x.len();
                let (m, tail) = rest.split_at(n * out);
                rest = tail;
                m.chunks_exact(n).map(|row| row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>()).collect()
            }
        };
    }
    assert!(rest.is_empty(), "{} weights left", rest.len());
    x
}

#[differentiable]
fn cross_entropy(w: &[f64], #[constant] net: &Net, #[constant] input: &[f64], label: usize) -> f64 {
    let z = run(w, net, input);
    z.iter().map(|z| z.exp()).sum::<f64>().ln() - z[label]
}

pub(super) fn main() -> Result<(), di::Error> {
    let net = Net::new().push(Layer::Conv { kernel: 3 }).push(Layer::Relu).push(Layer::Pool(2)).push(Layer::Dense { out: 3 });
    let input: Vec<f64> = (0..10).map(|i| (i as f64 * 0.9).cos()).collect();
    let w: Vec<f64> = (0..15).map(|i| ((i * 7 % 13) as f64 - 6.0) / 7.0).collect();
    let g = gradient(cross_entropy::AD.with(&net, &input, 1), NoPrep, &AutoSource::new(), &w)?;
    check("54", &g, &fd(|w| cross_entropy(w, &net, &input, 1), &w));
    Ok(())
}
