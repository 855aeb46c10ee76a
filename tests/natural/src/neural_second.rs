//! Neural networks.

/// Variational autoencoder bound with given noise, batch normalisation.
mod elbo {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn batch_norm(h: &[f64], gamma: f64, beta: f64) -> Vec<f64> {
        let n = h.len() as f64;
        let mean = h.iter().sum::<f64>() / n;
        let var = h.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
        let inv = 1.0 / (var + 1e-3).sqrt();
        h.iter().map(|v| gamma * (v - mean) * inv + beta).collect()
    }

    #[differentiable]
    pub fn bound(p: &[f64], #[constant] xs: &[f64], #[constant] eps: &[f64]) -> f64 {
        let raw: Vec<f64> = xs.iter().map(|x| p[0] * x * x + p[1] * x).collect();
        let mu = batch_norm(&raw, p[2], p[3]);
        let log_sd = p[4];
        let mut elbo = 0.0;
        for ((x, m), e) in xs.iter().zip(&mu).zip(eps) {
            let z = m + log_sd.exp() * e;
            let recon = p[5] * z + p[6] * z.sin();
            elbo -= 0.5 * (x - recon).powi(2);
            elbo += 0.5 * (1.0 + 2.0 * log_sd - m * m - (2.0 * log_sd).exp());
        }
        elbo
    }

    #[test]
    fn elbo() {
        let p = [0.4, 0.9, 0.8, 0.1, -0.5, 1.1, 0.3];
        scalar!(bound, (&[0.2, 0.9, 1.4, -0.3], &[0.5, -1.0, 0.3, 0.8]), &p);
    }
}

/// Layers in a trait-free vector of structs, with residual links; inline module and Default.
mod residual_net {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod net {
        #[derive(Clone, Debug, Default)]
        pub struct Block {
            weights: [[f64; 2]; 2],
            shift: [f64; 2],
        }

        impl Block {
            fn read(p: &[f64]) -> Block {
                let mut block = Block::default();
                for i in 0..2 {
                    for j in 0..2 {
                        block.weights[i][j] = p[2 * i + j];
                    }
                    block.shift[i] = p[4 + i];
                }
                block
            }

            fn apply(&self, x: [f64; 2]) -> [f64; 2] {
                let mut y = x;
                for i in 0..2 {
                    let z = self.shift[i] + self.weights[i][0] * x[0] + self.weights[i][1] * x[1];
                    y[i] += 0.5 * z / (1.0 + z * z).sqrt();
                }
                y
            }
        }

        pub struct Sample {
            pub x: [f64; 2],
            pub label: bool,
        }

        pub fn log_loss(p: &[f64], #[constant] data: &[Sample]) -> f64 {
            let blocks: Vec<Block> = p.chunks(6).map(Block::read).collect();
            let mut loss = 0.0;
            for s in data {
                let mut x = s.x;
                for b in &blocks {
                    x = b.apply(x);
                }
                let logit = x[0] - x[1];
                loss += if s.label {
                    (1.0 + (-logit).exp()).ln()
                } else {
                    (1.0 + logit.exp()).ln()
                };
            }
            loss
        }
    }

    #[test]
    fn residual_net() {
        let data = [
            net::Sample {
                x: [0.3, 0.8],
                label: true,
            },
            net::Sample {
                x: [-0.5, 0.2],
                label: false,
            },
            net::Sample {
                x: [0.9, -0.1],
                label: true,
            },
        ];
        let p = [
            0.3, -0.5, 0.7, 0.2, 0.1, -0.2, 0.6, 0.4, -0.3, 0.8, 0.0, 0.15,
        ];
        scalar!(net::log_loss, (&data), &p);
    }
}
