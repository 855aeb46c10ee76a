//! Networks, splines and options: models as structs.

/// Options of two styles on a binomial tree, fit to quotes.
mod option_tree {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod tree {
        #[derive(Clone, Copy, Debug)]
        pub struct Market {
            pub spot: f64,
            pub rate: f64,
            pub vol: f64,
            pub dividend: f64,
        }

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Style {
            European,
            American,
        }

        #[derive(Clone, Copy, Debug)]
        pub struct Contract {
            pub strike: f64,
            pub expiry: f64,
            pub style: Style,
            pub is_call: bool,
        }

        impl Contract {
            fn payoff(&self, s: f64) -> f64 {
                let sign = if self.is_call { 1.0 } else { -1.0 };
                (sign * (s - self.strike)).max(0.0)
            }
        }

        pub fn price(m: Market, #[constant] c: Contract, #[constant] steps: usize) -> f64 {
            let dt = c.expiry / steps as f64;
            let up = (m.vol * dt.sqrt()).exp();
            let down = 1.0 / up;
            let growth = ((m.rate - m.dividend) * dt).exp();
            let p = (growth - down) / (up - down);
            let discount = (-m.rate * dt).exp();

            let mut values: Vec<f64> = (0..=steps)
                .map(|j| c.payoff(m.spot * up.powi(2 * j as i32 - steps as i32)))
                .collect();
            for n in (0..steps).rev() {
                for j in 0..=n {
                    let hold = discount * (p * values[j + 1] + (1.0 - p) * values[j]);
                    values[j] = if c.style == Style::American {
                        let s = m.spot * up.powi(2 * j as i32 - n as i32);
                        hold.max(c.payoff(s))
                    } else {
                        hold
                    };
                }
                values.pop();
            }
            values[0]
        }

        pub fn calibration(m: Market, #[constant] quotes: &[(Contract, f64)]) -> f64 {
            quotes
                .iter()
                .map(|(c, q)| (price(m, *c, 20) - q).powi(2))
                .sum::<f64>()
                .sqrt()
        }
    }

    #[test]
    fn option_tree() {
        use tree::{Contract, Market, Style, calibration, price};
        let contract = |strike, style, is_call| Contract {
            strike,
            expiry: 1.0,
            style,
            is_call,
        };
        let quotes = [
            (contract(1.13, Style::European, true), 0.1),
            (contract(0.93, Style::European, false), 0.2),
        ];
        let make = |q: &[f64; 4]| Market {
            spot: q[0],
            rate: q[1],
            vol: q[2],
            dividend: q[3],
        };
        let list = |m: &Market| vec![m.spot, m.rate, m.vol, m.dividend];
        let put = contract(1.07, Style::American, false);
        made!(
            price::AD.with(put, 3),
            |m: &Market| price(*m, put, 3),
            make,
            list,
            &[1.0, 0.05, 0.3, 0.02]
        );
        let call = |m: &Market| calibration(*m, &quotes);
        made!(
            calibration::AD.with(&quotes),
            call,
            make,
            list,
            &[1.0, 0.05, 0.3, 0.02]
        );
    }
}

/// A layer of causal attention with matrices of one's own.
mod attention {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod attention {
        #[derive(Clone, Debug)]
        pub struct Matrix {
            pub rows: usize,
            pub cols: usize,
            pub data: Vec<f64>,
        }

        impl Matrix {
            pub fn zeros(rows: usize, cols: usize) -> Self {
                Matrix {
                    rows,
                    cols,
                    data: vec![0.0; rows * cols],
                }
            }

            pub fn get(&self, i: usize, j: usize) -> f64 {
                self.data[i * self.cols + j]
            }

            pub fn row(&self, i: usize) -> &[f64] {
                &self.data[i * self.cols..(i + 1) * self.cols]
            }

            pub fn matmul(&self, other: &Matrix) -> Matrix {
                let mut out = Matrix::zeros(self.rows, other.cols);
                for i in 0..self.rows {
                    for j in 0..other.cols {
                        let mut acc = 0.0;
                        for k in 0..self.cols {
                            acc += self.get(i, k) * other.get(k, j);
                        }
                        out.data[i * other.cols + j] = acc;
                    }
                }
                out
            }
        }

        #[derive(Clone, Debug)]
        pub struct Attention {
            pub wq: Matrix,
            pub wk: Matrix,
            pub wv: Matrix,
            pub wo: Matrix,
            pub gamma: Vec<f64>,
            pub beta: Vec<f64>,
        }

        fn softmax(scores: &mut [f64]) {
            let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut total = 0.0;
            for s in scores.iter_mut() {
                *s = (*s - max).exp();
                total += *s;
            }
            for s in scores.iter_mut() {
                *s /= total;
            }
        }

        impl Attention {
            fn layer_norm(&self, row: &[f64]) -> Vec<f64> {
                let n = row.len() as f64;
                let mean = row.iter().sum::<f64>() / n;
                let var = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
                let inv = 1.0 / (var + 1e-5).sqrt();
                row.iter()
                    .zip(self.gamma.iter().zip(&self.beta))
                    .map(|(v, (g, b))| (v - mean) * inv * g + b)
                    .collect()
            }

            pub fn forward(&self, x: &Matrix) -> Matrix {
                let mut normed = Matrix::zeros(x.rows, x.cols);
                for i in 0..x.rows {
                    let row = self.layer_norm(x.row(i));
                    normed.data[i * x.cols..(i + 1) * x.cols].copy_from_slice(&row);
                }
                let q = normed.matmul(&self.wq);
                let k = normed.matmul(&self.wk);
                let v = normed.matmul(&self.wv);
                let scale = 1.0 / (q.cols as f64).sqrt();
                let mut mixed = Matrix::zeros(x.rows, v.cols);
                for i in 0..x.rows {
                    let mut scores: Vec<f64> = (0..=i)
                        .map(|j| {
                            scale
                                * q.row(i)
                                    .iter()
                                    .zip(k.row(j))
                                    .map(|(a, b)| a * b)
                                    .sum::<f64>()
                        })
                        .collect();
                    softmax(&mut scores);
                    for (j, s) in scores.iter().enumerate() {
                        for c in 0..v.cols {
                            mixed.data[i * v.cols + c] += s * v.get(j, c);
                        }
                    }
                }
                let out = mixed.matmul(&self.wo);
                Matrix {
                    rows: x.rows,
                    cols: x.cols,
                    data: x.data.iter().zip(&out.data).map(|(a, b)| a + b).collect(),
                }
            }
        }

        pub fn loss(layer: &Attention, #[constant] x: &Matrix, #[constant] target: &Matrix) -> f64 {
            let y = layer.forward(x);
            let n = y.data.len() as f64;
            y.data
                .iter()
                .zip(&target.data)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
                / n
        }
    }

    #[test]
    fn attention() {
        use attention::{Attention, Matrix, loss};
        let matrix = |q: &[f64]| Matrix {
            rows: 2,
            cols: 2,
            data: q.to_vec(),
        };
        let x = Matrix {
            rows: 3,
            cols: 2,
            data: vec![0.3, -0.5, 0.9, 0.2, -0.7, 0.4],
        };
        let target = Matrix {
            rows: 3,
            cols: 2,
            data: vec![0.1, 0.2, 0.8, -0.1, 0.0, 0.5],
        };
        let make = |q: &[f64; 20]| Attention {
            wq: matrix(&q[..4]),
            wk: matrix(&q[4..8]),
            wv: matrix(&q[8..12]),
            wo: matrix(&q[12..16]),
            gamma: q[16..18].to_vec(),
            beta: q[18..].to_vec(),
        };
        let list = |a: &Attention| {
            let m = [&a.wq, &a.wk, &a.wv, &a.wo]
                .map(|m| m.data.clone())
                .concat();
            [m, a.gamma.clone(), a.beta.clone()].concat()
        };
        let q: [f64; 20] = std::array::from_fn(|k| (1.3 * k as f64).sin() * 0.6 + 0.2);
        made!(
            loss::AD.with(&x, &target),
            |a: &Attention| loss(a, &x, &target),
            make,
            list,
            &q
        );
    }
}

/// A recurrent cell of dense layers over a sequence.
mod gru {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod gru {
        #[derive(Debug, Clone)]
        pub struct Dense {
            pub weights: Vec<Vec<f64>>,
            pub bias: Vec<f64>,
        }

        #[derive(Debug, Clone)]
        pub struct GruCell {
            pub reset: Dense,
            pub update: Dense,
            pub candidate: Dense,
            pub readout: Dense,
        }

        fn sigmoid(x: f64) -> f64 {
            1.0 / (1.0 + (-x).exp())
        }

        #[derive(Clone, Copy)]
        enum Activation {
            Sigmoid,
            Tanh,
            Linear,
        }

        impl Activation {
            fn apply(self, x: f64) -> f64 {
                match self {
                    Activation::Sigmoid => sigmoid(x),
                    Activation::Tanh => x.tanh(),
                    Activation::Linear => x,
                }
            }
        }

        impl Dense {
            fn forward(&self, input: &[f64], activation: Activation) -> Vec<f64> {
                self.weights
                    .iter()
                    .zip(&self.bias)
                    .map(|(row, b)| {
                        let z: f64 = row.iter().zip(input).map(|(w, x)| w * x).sum();
                        activation.apply(z + b)
                    })
                    .collect()
            }
        }

        impl GruCell {
            fn step(&self, h: &[f64], x: &[f64]) -> Vec<f64> {
                let joined = [h, x].concat();
                let r = self.reset.forward(&joined, Activation::Sigmoid);
                let z = self.update.forward(&joined, Activation::Sigmoid);
                let mut gated: Vec<f64> = h.iter().zip(&r).map(|(h, r)| h * r).collect();
                gated.extend_from_slice(x);
                let n = self.candidate.forward(&gated, Activation::Tanh);
                (0..h.len())
                    .map(|i| (1.0 - z[i]) * n[i] + z[i] * h[i])
                    .collect()
            }
        }

        pub fn loss(
            cell: &GruCell,
            #[constant] inputs: &[Vec<f64>],
            #[constant] targets: &[f64],
        ) -> f64 {
            let hidden = cell.reset.bias.len();
            let mut h = vec![0.0; hidden];
            let mut total = 0.0;
            for (x, y) in inputs.iter().zip(targets) {
                h = cell.step(&h, x);
                let out = cell.readout.forward(&h, Activation::Linear)[0];
                total += (out - y) * (out - y);
            }
            total / targets.len() as f64
        }
    }

    #[test]
    fn gru() {
        use gru::{Dense, GruCell, loss};
        let dense = |q: &[f64], cols: usize| Dense {
            weights: q[..q.len() - q.len() / (cols + 1)]
                .chunks(cols)
                .map(|r| r.to_vec())
                .collect(),
            bias: q[q.len() - q.len() / (cols + 1)..].to_vec(),
        };
        let make = |q: &[f64; 27]| GruCell {
            reset: dense(&q[..8], 3),
            update: dense(&q[8..16], 3),
            candidate: dense(&q[16..24], 3),
            readout: dense(&q[24..], 2),
        };
        let list = |c: &GruCell| {
            [&c.reset, &c.update, &c.candidate, &c.readout]
                .iter()
                .flat_map(|d| [d.weights.concat(), d.bias.clone()].concat())
                .collect::<Vec<f64>>()
        };
        let (inputs, targets) = (vec![vec![0.4], vec![-0.6], vec![0.9]], [0.2, 0.5, -0.1]);
        let q: [f64; 27] = std::array::from_fn(|k| (0.9 * k as f64).cos() * 0.7);
        made!(
            loss::AD.with(&inputs, &targets),
            |c: &GruCell| loss(c, &inputs, &targets),
            make,
            list,
            &q
        );
    }
}

/// Convolutions, a maximum of pools, and an entropy.
mod conv1d {
    use crate::check::scalar;
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    pub struct ConvShape {
        pub inputs: usize,
        pub outputs: usize,
        pub width: usize,
    }

    impl ConvShape {
        pub fn n_params(&self) -> usize {
            self.outputs * (self.inputs * self.width + 1)
        }
    }

    #[differentiable]
    fn conv(params: &[f64], signal: &[Vec<f64>], #[constant] shape: ConvShape) -> Vec<Vec<f64>> {
        let stride = shape.inputs * shape.width + 1;
        let len = signal[0].len() + 1 - shape.width;
        let mut out = Vec::new();
        for o in 0..shape.outputs {
            let kernel = &params[o * stride..(o + 1) * stride];
            let mut channel = Vec::with_capacity(len);
            for t in 0..len {
                let mut acc = kernel[stride - 1];
                for (c, s) in signal.iter().enumerate() {
                    for k in 0..shape.width {
                        acc += kernel[c * shape.width + k] * s[t + k];
                    }
                }
                channel.push(acc.max(0.0));
            }
            out.push(channel);
        }
        out
    }

    #[differentiable]
    fn max_pool(x: &[Vec<f64>], #[constant] size: usize) -> Vec<Vec<f64>> {
        x.iter()
            .map(|c| {
                c.chunks_exact(size)
                    .map(|w| w.iter().fold(f64::MIN, |a, &b| a.max(b)))
                    .collect()
            })
            .collect()
    }

    #[differentiable]
    pub fn cross_entropy(
        params: &[f64],
        #[constant] signal: &[f64],
        #[constant] label: usize,
        #[constant] shapes: (ConvShape, ConvShape),
    ) -> f64 {
        let (first, second) = shapes;
        let (p1, p2) = params.split_at(first.n_params());
        let x = vec![signal.to_vec()];
        let hidden = max_pool(&conv(p1, &x, first), 2);
        let features = conv(p2, &hidden, second);
        let logits: Vec<f64> = features
            .iter()
            .map(|f| f.iter().sum::<f64>() / f.len() as f64)
            .collect();
        let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log_z = max + logits.iter().map(|l| (l - max).exp()).sum::<f64>().ln();
        log_z - logits[label]
    }

    #[test]
    fn conv1d() {
        let shape = |inputs, outputs, width| ConvShape {
            inputs,
            outputs,
            width,
        };
        let shapes = (shape(1, 2, 2), shape(2, 2, 2));
        let q: [f64; 16] = std::array::from_fn(|k| (1.7 * k as f64).sin() * 0.8 + 0.3);
        scalar!(
            cross_entropy,
            (&[0.3, 0.9, -0.4, 0.8, 0.5, 0.1, 0.7], 1, shapes),
            &q
        );
    }
}
