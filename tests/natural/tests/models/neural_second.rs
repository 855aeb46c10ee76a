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

/// Network with an activation enum and a configuration; inline module.
mod configurable_net {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod net {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Activation {
            Tanh,
            Sigmoid,
            Softplus,
            Identity,
        }

        impl Activation {
            fn apply(self, z: f64) -> f64 {
                match self {
                    Activation::Tanh => z.tanh(),
                    Activation::Sigmoid => 1.0 / (1.0 + (-z).exp()),
                    Activation::Softplus => z.exp().ln_1p(),
                    Activation::Identity => z,
                }
            }
        }

        pub struct Config {
            pub sizes: Vec<usize>,
            pub hidden: Activation,
            pub weight_decay: f64,
            pub bias: bool,
            pub name: String,
        }

        fn predict(params: &[f64], #[constant] x: &[f64], #[constant] cfg: &Config) -> Vec<f64> {
            let mut a = x.to_vec();
            let mut offset = 0;
            let last = cfg.sizes.len() - 2;
            for (l, dims) in cfg.sizes.windows(2).enumerate() {
                let (n_in, n_out) = (dims[0], dims[1]);
                let act = if l == last {
                    Activation::Identity
                } else {
                    cfg.hidden
                };
                let mut next = Vec::with_capacity(n_out);
                for o in 0..n_out {
                    let row = &params[offset + o * n_in..offset + (o + 1) * n_in];
                    let mut z: f64 = row.iter().zip(&a).map(|(w, v)| w * v).sum();
                    if cfg.bias {
                        z += params[offset + n_in * n_out + o];
                    }
                    next.push(act.apply(z));
                }
                offset += n_in * n_out + if cfg.bias { n_out } else { 0 };
                a = next;
            }
            a
        }

        pub fn objective(
            params: &[f64],
            #[constant] data: &[(Vec<f64>, f64)],
            #[constant] cfg: &Config,
        ) -> f64 {
            let fit: f64 = data
                .iter()
                .map(|(x, y)| (predict(params, x, cfg)[0] - y).powi(2))
                .sum();
            let reg: f64 = params.iter().map(|p| p * p).sum();
            fit + cfg.weight_decay * reg
        }
    }

    #[test]
    fn configurable_net() {
        let data = vec![
            (vec![0.2, 0.7], 0.5),
            (vec![0.9, -0.4], -0.2),
            (vec![-0.3, 0.5], 0.8),
        ];
        let mut cfg = net::Config {
            sizes: vec![2, 2, 1],
            hidden: net::Activation::Tanh,
            weight_decay: 0.01,
            bias: true,
            name: "small".to_string(),
        };
        let p = [0.4, -0.6, 0.3, 0.8, 0.1, -0.2, 0.7, -0.9, 0.2];
        scalar!(net::objective, (&data, &cfg), &p);
        cfg.hidden = net::Activation::Softplus;
        scalar!(net::objective, (&data, &cfg), &p);
        cfg.hidden = net::Activation::Sigmoid;
        cfg.bias = false;
        scalar!(net::objective, (&data, &cfg), &p[..6].to_vec());
    }
}

/// Elman recurrent cell over a sequence.
mod recurrent_cell {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const H: usize = 2;

    #[derive(Clone, Debug, Differentiable)]
    struct Cell {
        wx: [f64; H],
        wh: [[f64; H]; H],
        b: [f64; H],
    }

    #[differentiable]
    fn unpack(p: &[f64]) -> (Cell, [f64; H]) {
        let cell = Cell {
            wx: [p[0], p[1]],
            wh: [[p[2], p[3]], [p[4], p[5]]],
            b: [p[6], p[7]],
        };
        (cell, [p[8], p[9]])
    }

    #[differentiable]
    fn step(cell: &Cell, h: &[f64; H], x: f64) -> [f64; H] {
        let mut out = [0.0; H];
        for i in 0..H {
            let mut z = cell.wx[i] * x + cell.b[i];
            for j in 0..H {
                z += cell.wh[i][j] * h[j];
            }
            out[i] = z.tanh();
        }
        out
    }

    #[differentiable]
    pub fn predictions(p: &[f64], #[constant] series: &[f64]) -> Vec<f64> {
        let (cell, readout) = unpack(p);
        let mut h = [0.0; H];
        let mut ys = Vec::new();
        for &x in series {
            h = step(&cell, &h, x);
            ys.push(h.iter().zip(&readout).map(|(a, b)| a * b).sum::<f64>());
        }
        ys
    }

    #[differentiable]
    pub fn one_step_loss(p: &[f64], #[constant] series: &[f64]) -> f64 {
        let ys = predictions(p, series);
        (1..series.len())
            .map(|t| (ys[t - 1] - series[t]).powi(2))
            .sum()
    }

    #[test]
    fn recurrent_cell() {
        let series = [0.1, 0.5, 0.8, 0.4, -0.1];
        let p = [0.6, -0.4, 0.3, 0.2, -0.5, 0.7, 0.1, -0.1, 0.9, 0.4];
        scalar!(one_step_loss, (&series), &p);
        vector!(predictions, (&series), &p);
    }
}

/// Attention of one head with a matrix type alias.
mod attention {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        type Mat = Vec<Vec<f64>>;

        fn matmul(a: &Mat, b: &Mat) -> Mat {
            let mut c = vec![vec![0.0; b[0].len()]; a.len()];
            for i in 0..a.len() {
                for j in 0..b[0].len() {
                    for k in 0..b.len() {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }

        fn transpose(a: &Mat) -> Mat {
            (0..a[0].len())
                .map(|j| a.iter().map(|row| row[j]).collect())
                .collect()
        }

        fn softmax_rows(a: &mut Mat) {
            for row in a.iter_mut() {
                let mut sum = 0.0;
                for v in row.iter_mut() {
                    *v = v.exp();
                    sum += *v;
                }
                for v in row.iter_mut() {
                    *v /= sum;
                }
            }
        }

        fn reshape(p: &[f64], cols: usize) -> Mat {
            p.chunks(cols).map(|c| c.to_vec()).collect()
        }

        pub fn output(p: &[f64], #[constant] tokens: &Mat) -> Vec<f64> {
            let q = matmul(tokens, &reshape(&p[0..4], 2));
            let k = matmul(tokens, &reshape(&p[4..8], 2));
            let v = matmul(tokens, &reshape(&p[8..12], 2));
            let mut scores = matmul(&q, &transpose(&k));
            for row in &mut scores {
                for s in row {
                    *s /= 2f64.sqrt();
                }
            }
            softmax_rows(&mut scores);
            matmul(&scores, &v).into_iter().flatten().collect()
        }
    }

    #[test]
    fn attention() {
        let tokens = vec![vec![0.2, 0.9], vec![-0.4, 0.5], vec![0.8, 0.1]];
        let p = [
            0.5, 0.1, -0.3, 0.8, 0.2, 0.6, 0.7, -0.4, 0.9, -0.1, 0.3, 0.4,
        ];
        vector!(problem::output, (&tokens), &p);
    }
}

/// LSTM cell with gates in a tuple.
mod lstm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn sigmoid(z: f64) -> f64 {
        1.0 / (1.0 + (-z).exp())
    }

    #[differentiable]
    fn gate(p: &[f64], x: f64, h: f64) -> f64 {
        p[0] * x + p[1] * h + p[2]
    }

    #[differentiable]
    fn lstm_cell(p: &[f64], x: f64, (h, c): (f64, f64)) -> (f64, f64) {
        let i = sigmoid(gate(&p[0..3], x, h));
        let f = sigmoid(gate(&p[3..6], x, h));
        let o = sigmoid(gate(&p[6..9], x, h));
        let g = gate(&p[9..12], x, h).tanh();
        let c = f * c + i * g;
        (o * c.tanh(), c)
    }

    #[differentiable]
    pub fn sequence_loss(p: &[f64], #[constant] xs: &[f64], #[constant] target: f64) -> f64 {
        let (h, _) = xs
            .iter()
            .fold((0.0, 0.0), |state, x| lstm_cell(p, *x, state));
        (h - target).powi(2)
    }

    #[test]
    fn lstm() {
        let p = [
            0.5, 0.2, 0.1, -0.3, 0.6, 0.9, 0.4, -0.2, 0.0, 0.8, 0.3, -0.1,
        ];
        scalar!(sequence_loss, (&[0.3, 0.9, -0.5, 0.7], 0.5), &p);
    }
}
