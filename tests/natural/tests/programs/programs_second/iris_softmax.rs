//! First year: softmax classifier of flowers, with nested Vecs and a bias.

use di::prelude::*;

const FLOWERS: [([f64; 2], usize); 6] = [
    ([1.4, 0.2], 0),
    ([1.5, 0.3], 0),
    ([4.5, 1.5], 1),
    ([4.1, 1.3], 1),
    ([5.8, 2.2], 2),
    ([6.1, 2.3], 2),
];

#[derive(Clone, Differentiable)]
struct Classifier {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[differentiable]
impl Classifier {
    fn scores(&self, x: &[f64]) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.b.len());
        for (row, b) in self.w.iter().zip(self.b.iter()) {
            let mut s = *b;
            for k in 0..x.len() {
                s += row[k] * x[k];
            }
            out.push(s);
        }
        out
    }

    fn softmax(&self, x: &[f64]) -> Vec<f64> {
        let s = self.scores(x);
        let max = s.iter().copied().fold(f64::MIN, f64::max);
        let e: Vec<f64> = s.iter().map(|v| (v - max).exp()).collect();
        let total: f64 = e.iter().sum();
        e.into_iter().map(|v| v / total).collect()
    }

    fn loss(&self) -> f64 {
        let mut l = 0.0;
        for (x, label) in FLOWERS.iter() {
            l -= self.softmax(x)[*label].ln();
        }
        l / FLOWERS.len() as f64
    }
}

fn build(x: &[f64]) -> Classifier {
    Classifier { w: x[..6].chunks(2).map(|c| c.to_vec()).collect(), b: x[6..].to_vec() }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.1, -0.2, 0.3, 0.05, 0.2, 0.4, 0.0, 0.1, -0.3];
    let c = build(&x);
    let g = gradient(Classifier::loss_ad, NoPrep, &AutoSource::new(), &c)?;
    let mut flat: Vec<f64> = g.w.concat();
    flat.extend(&g.b);
    super::check_of("iris", &flat, &x, |x| build(x).loss());
    Ok(())
}
