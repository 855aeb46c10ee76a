//! Neural networks.

/// Softmax cross entropy of a linear classifier.
mod softmax_classifier {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn log_softmax(z: &[f64]) -> Vec<f64> {
        let m = z.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        let lse = m + z.iter().map(|v| (v - m).exp()).sum::<f64>().ln();
        z.iter().map(|v| v - lse).collect()
    }

    #[differentiable]
    pub fn cross_entropy(w: &[f64], #[constant] xs: &[[f64; 2]], labels: &[usize]) -> f64 {
        let mut loss = 0.0;
        for (x, &label) in xs.iter().zip(labels) {
            let logits: Vec<f64> = w
                .chunks(3)
                .map(|c| c[0] * x[0] + c[1] * x[1] + c[2])
                .collect();
            loss -= log_softmax(&logits)[label];
        }
        loss / xs.len() as f64
    }

    #[test]
    fn softmax_classifier() {
        let xs = [[0.2, 0.8], [1.1, -0.5], [-0.7, 0.3], [0.4, 0.4]];
        let w = [0.3, -0.2, 0.1, 0.5, 0.4, -0.3, -0.6, 0.7, 0.2];
        scalar!(cross_entropy, (&xs, &[0, 1, 2, 1]), &w);
    }
}

/// Convolution, pooling by mean, dense read-out.
mod conv1d {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn conv(signal: &[f64], kernel: &[f64], bias: f64) -> Vec<f64> {
        let n = signal.len() - kernel.len() + 1;
        (0..n)
            .map(|i| {
                let mut s = bias;
                for (k, w) in kernel.iter().enumerate() {
                    s += w * signal[i + k];
                }
                s
            })
            .collect()
    }

    #[differentiable]
    fn gelu(z: f64) -> f64 {
        0.5 * z * (1.0 + (0.7978845608 * (z + 0.044715 * z.powi(3))).tanh())
    }

    #[differentiable]
    fn mean_pool(v: &[f64], width: usize) -> Vec<f64> {
        v.chunks(width)
            .map(|c| c.iter().sum::<f64>() / c.len() as f64)
            .collect()
    }

    #[differentiable]
    pub fn logit(p: &[f64], #[constant] signal: &[f64]) -> f64 {
        let c = conv(signal, &p[0..3], p[3]);
        let a: Vec<f64> = c.iter().map(|z| gelu(*z)).collect();
        let pooled = mean_pool(&a, 2);
        let mut z = p[4];
        for (w, v) in p[5..].iter().zip(&pooled) {
            z += w * v;
        }
        z
    }

    #[test]
    fn conv1d() {
        let signal = [0.1, 0.5, 0.9, 0.3, -0.4, -0.8, 0.2];
        scalar!(
            logit,
            (&signal),
            &[0.4, -0.3, 0.7, 0.1, 0.2, 0.9, -0.6, 0.5]
        );
    }
}

/// Autoencoder with tied weights and a sparsity penalty.
mod tied_autoencoder {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        pub struct Shape {
            pub visible: usize,
            pub hidden: usize,
        }

        fn encode(w: &[f64], b: &[f64], x: &[f64], s: &Shape) -> Vec<f64> {
            let mut h = vec![0.0; s.hidden];
            for j in 0..s.hidden {
                let mut z = b[j];
                for i in 0..s.visible {
                    z += w[j * s.visible + i] * x[i];
                }
                h[j] = 1.0 / (1.0 + (-z).exp());
            }
            h
        }

        fn decode(w: &[f64], h: &[f64], s: &Shape) -> Vec<f64> {
            (0..s.visible)
                .map(|i| (0..s.hidden).map(|j| w[j * s.visible + i] * h[j]).sum())
                .collect()
        }

        fn kl(rho: f64, q: f64) -> f64 {
            rho * (rho / q).ln() + (1.0 - rho) * ((1.0 - rho) / (1.0 - q)).ln()
        }

        pub fn loss(p: &[f64], #[constant] batch: &[[f64; 3]], shape: &Shape) -> f64 {
            let nw = shape.visible * shape.hidden;
            let (w, b) = p.split_at(nw);
            let mut mean_h = vec![0.0; shape.hidden];
            let mut err = 0.0;
            for x in batch {
                let h = encode(w, b, x, shape);
                let y = decode(w, &h, shape);
                err += y
                    .iter()
                    .zip(x.iter())
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum::<f64>();
                for (m, hi) in mean_h.iter_mut().zip(&h) {
                    *m += hi / batch.len() as f64;
                }
            }
            err + 0.1 * mean_h.iter().map(|q| kl(0.2, *q)).sum::<f64>()
        }
    }

    #[test]
    fn tied_autoencoder() {
        let batch = [[0.2, 0.5, 0.9], [0.7, 0.1, 0.4]];
        let shape = model::Shape {
            visible: 3,
            hidden: 2,
        };
        scalar!(
            model::loss,
            (&batch, &shape),
            &[0.4, -0.2, 0.6, -0.5, 0.3, 0.8, 0.1, -0.3]
        );
    }
}

/// Training unrolled: loss after a few steps of gradient descent, by learning rate and init.
mod unrolled_training {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Model {
        slope: f64,
        bias: f64,
    }

    #[differentiable]
    fn gradient(m: Model, #[constant] data: &[(f64, f64)]) -> Model {
        let mut g = Model {
            slope: 0.0,
            bias: 0.0,
        };
        for (x, y) in data {
            let s = (m.slope * x + m.bias).tanh();
            let d = 2.0 * (s - y) * (1.0 - s * s);
            g.slope += d * x;
            g.bias += d;
        }
        g
    }

    #[differentiable]
    pub fn meta_loss(x: &[f64], #[constant] data: &[(f64, f64)], epochs: usize) -> f64 {
        let lr = x[0];
        let momentum = x[1];
        let mut m = Model {
            slope: x[2],
            bias: x[3],
        };
        let mut v = Model {
            slope: 0.0,
            bias: 0.0,
        };
        for _epoch in 0..epochs {
            let g = gradient(m, data);
            v.slope = momentum * v.slope - lr * g.slope;
            v.bias = momentum * v.bias - lr * g.bias;
            m.slope += v.slope;
            m.bias += v.bias;
        }
        data.iter()
            .map(|&(x, y)| ((m.slope * x + m.bias).tanh() - y).powi(2))
            .sum()
    }

    #[test]
    fn unrolled_training() {
        let data = [(0.1, 0.4), (0.8, 0.7), (-0.5, -0.2)];
        scalar!(meta_loss, (&data, 4), &[0.2, 0.5, 0.4, 0.1]);
    }
}

/// Physics-informed network: hand-written input derivatives in a pair.
mod pinn {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn net(p: &[f64], #[constant] t: f64) -> (f64, f64) {
        let mut u = p[p.len() - 1];
        let mut du = 0.0;
        for neuron in p[..p.len() - 1].chunks_exact(3) {
            let [w, b, a] = [neuron[0], neuron[1], neuron[2]];
            let s = (w * t + b).tanh();
            u += a * s;
            du += a * w * (1.0 - s * s);
        }
        (u, du)
    }

    #[differentiable]
    pub fn residual_loss(p: &[f64], points: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..points {
            let t = i as f64 / (points - 1) as f64;
            let (u, du) = net(p, t);
            let r = du + 2.0 * u - t.sin();
            sum += r * r;
        }
        let (u0, _) = net(p, 0.0);
        sum / points as f64 + (u0 - 1.0).powi(2)
    }

    #[test]
    fn pinn() {
        scalar!(residual_loss, (6), &[0.8, 0.1, 0.5, -0.6, 0.3, 0.9, 0.2]);
    }
}

/// Two dense layers as structs, built from a flat vector of parameters.
mod mlp_structs {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        #[derive(Clone, Debug)]
        struct Layer {
            w: Vec<Vec<f64>>,
            b: Vec<f64>,
        }

        impl Layer {
            fn from_params(p: &[f64], inputs: usize, outputs: usize) -> Layer {
                let mut w = Vec::new();
                for o in 0..outputs {
                    w.push(p[o * inputs..(o + 1) * inputs].to_vec());
                }
                let b = p[inputs * outputs..inputs * outputs + outputs].to_vec();
                Layer { w, b }
            }

            fn forward(&self, x: &[f64]) -> Vec<f64> {
                let mut y = self.b.clone();
                for (i, row) in self.w.iter().enumerate() {
                    for (wij, xj) in row.iter().zip(x) {
                        y[i] += wij * xj;
                    }
                }
                y
            }
        }

        fn tanh_all(v: Vec<f64>) -> Vec<f64> {
            v.into_iter().map(|z| z.tanh()).collect()
        }

        pub fn loss(
            p: &[f64],
            #[constant] inputs: &[Vec<f64>],
            #[constant] targets: &[f64],
        ) -> f64 {
            let hidden = Layer::from_params(&p[..9], 2, 3);
            let output = Layer::from_params(&p[9..], 3, 1);
            let mut total = 0.0;
            for (x, t) in inputs.iter().zip(targets) {
                let y = output.forward(&tanh_all(hidden.forward(x)));
                total += (y[0] - t).powi(2);
            }
            total / inputs.len() as f64
        }
    }

    #[test]
    fn mlp_structs() {
        let inputs = vec![vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
        let p = [
            0.5, -0.3, 0.8, 0.2, -0.6, 0.4, 0.1, 0.0, -0.1, 0.7, -0.5, 0.9, 0.05,
        ];
        scalar!(model::loss, (&inputs, &[1.0, 1.0, 0.0]), &p);
    }
}
