//! Neural: programs of a third collection.

/// A gated recurrent unit that reads a sequence.
mod gated_unit {
    use di::prelude::*;

    #[differentiable]
    mod gru {
        #[derive(Clone, Debug)]
        pub struct Gate {
            pub w: Vec<Vec<f64>>,
            pub u: Vec<Vec<f64>>,
            pub b: Vec<f64>,
        }

        #[derive(Clone, Debug)]
        pub struct Gru {
            pub update: Gate,
            pub reset: Gate,
            pub cand: Gate,
            pub out: Vec<f64>,
        }

        fn sigmoid(x: f64) -> f64 {
            1.0 / (1.0 + (-x).exp())
        }

        fn matvec(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
            m.iter()
                .map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
                .collect()
        }

        impl Gate {
            fn apply(&self, x: &[f64], h: &[f64]) -> Vec<f64> {
                let wx = matvec(&self.w, x);
                let uh = matvec(&self.u, h);
                (0..self.b.len())
                    .map(|i| wx[i] + uh[i] + self.b[i])
                    .collect()
            }
        }

        impl Gru {
            fn cell(&self, x: &[f64], h: &[f64]) -> Vec<f64> {
                let z: Vec<f64> = self.update.apply(x, h).into_iter().map(sigmoid).collect();
                let r: Vec<f64> = self.reset.apply(x, h).into_iter().map(sigmoid).collect();
                let rh: Vec<f64> = r.iter().zip(h).map(|(r, h)| r * h).collect();
                let c = self.cand.apply(x, &rh);
                z.iter()
                    .zip(h.iter().zip(&c))
                    .map(|(z, (h, c))| (1.0 - z) * h + z * c.tanh())
                    .collect()
            }

            pub fn loss(
                &self,
                #[constant] sequences: &[Vec<[f64; 1]>],
                #[constant] targets: &[f64],
            ) -> f64 {
                let mut sum = 0.0;
                for (seq, target) in sequences.iter().zip(targets) {
                    let h = seq
                        .iter()
                        .fold(vec![0.0; self.out.len()], |h, x| self.cell(x, &h));
                    let y: f64 = h.iter().zip(&self.out).map(|(a, b)| a * b).sum();
                    sum += (y - target).powi(2);
                }
                sum
            }
        }
    }

    #[test]
    fn gated_unit() {
        use gru::{Gate, Gru};
        let gate = |q: &[f64]| Gate {
            w: vec![vec![q[0]], vec![q[1]]],
            u: vec![q[2..4].to_vec(), q[4..6].to_vec()],
            b: q[6..8].to_vec(),
        };
        let make = |q: &Vec<f64>| Gru {
            update: gate(&q[..8]),
            reset: gate(&q[8..16]),
            cand: gate(&q[16..24]),
            out: q[24..].to_vec(),
        };
        let flat = |g: &Gate| [g.w.concat(), g.u.concat(), g.b.clone()].concat();
        let list = |g: &Gru| {
            [
                flat(&g.update),
                flat(&g.reset),
                flat(&g.cand),
                g.out.clone(),
            ]
            .concat()
        };
        let q: Vec<f64> = (0..26).map(|i| 0.5 * (1.7 * i as f64).sin()).collect();
        let seqs = [vec![[0.5], [1.0], [-0.3]], vec![[0.1], [0.7]]];
        crate::check::made!(
            Gru::loss_ad.with(&seqs, &[0.3, -0.2]),
            |m: &Gru| m.loss(&seqs, &[0.3, -0.2]),
            make,
            list,
            &q
        );
    }
}

/// A dense network over one flat vector of parameters, cross entropy.
mod flat_network {
    use di::prelude::*;

    #[differentiable]
    fn dense<'a>(
        params: &'a [f64],
        input: &[f64],
        outputs: usize,
        out: &mut Vec<f64>,
    ) -> &'a [f64] {
        let (w, rest) = params.split_at(outputs * input.len());
        let (b, rest) = rest.split_at(outputs);
        out.clear();
        for (row, bias) in w.chunks(input.len()).zip(b) {
            let dot: f64 = row.iter().zip(input).map(|(w, x)| w * x).sum();
            out.push(dot + bias);
        }
        rest
    }

    #[differentiable]
    fn cross_entropy(
        params: &[f64],
        #[constant] sizes: &[usize],
        #[constant] xs: &[Vec<f64>],
        #[constant] labels: &[usize],
    ) -> f64 {
        let mut total = 0.0;
        for (x, &label) in xs.iter().zip(labels) {
            let mut act = x.clone();
            let mut rest = params;
            let mut buf = Vec::new();
            for (l, &size) in sizes.iter().enumerate() {
                rest = dense(rest, &act, size, &mut buf);
                if l + 1 < sizes.len() {
                    for v in buf.iter_mut() {
                        *v = v.tanh();
                    }
                }
                act = buf.clone();
            }
            let max = act.iter().copied().fold(f64::MIN, f64::max);
            let norm = act.iter().map(|a| (a - max).exp()).sum::<f64>().ln() + max;
            total += norm - act[label];
        }
        total / xs.len() as f64
    }

    #[test]
    fn flat_network() {
        let xs = [vec![0.5, -0.2], vec![0.1, 0.9]];
        let p: Vec<f64> = (0..12).map(|i| ((i * 7) as f64).sin() * 0.6).collect();
        crate::check::scalar!(cross_entropy, (&[2, 2], &xs, &[0, 1]), &p);
    }
}

/// A network as a list of layers.
mod list_of_layers {
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    enum Activation {
        Tanh,
        Relu,
        Linear,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Layer {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Mlp {
        layers: Vec<Layer>,
    }

    #[differentiable]
    impl Layer {
        fn forward(&self, input: &[f64], #[constant] act: Activation) -> Vec<f64> {
            self.weights
                .iter()
                .zip(&self.bias)
                .map(|(row, b)| {
                    let z = row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + b;
                    match act {
                        Activation::Tanh => z.tanh(),
                        Activation::Relu => z.max(0.0),
                        Activation::Linear => z,
                    }
                })
                .collect()
        }
    }

    #[differentiable]
    impl Mlp {
        fn predict(&self, x: &[f64]) -> f64 {
            let mut h = x.to_vec();
            let last = self.layers.len() - 1;
            for (i, layer) in self.layers.iter().enumerate() {
                let act = if i == last {
                    Activation::Linear
                } else if i == 0 {
                    Activation::Tanh
                } else {
                    Activation::Relu
                };
                h = layer.forward(&h, act);
            }
            h[0]
        }

        fn mse(&self, #[constant] xs: &[[f64; 2]], #[constant] ys: &[f64]) -> f64 {
            let mut sum = 0.0;
            for (x, y) in xs.iter().zip(ys) {
                sum += (self.predict(x) - y).powi(2);
            }
            sum / ys.len() as f64
        }
    }

    #[test]
    fn list_of_layers() {
        let xs = [[0.2, 0.5], [-0.4, 0.9]];
        let ys = [0.7, -0.1];
        let make = |q: &Vec<f64>| Mlp {
            layers: vec![
                Layer {
                    weights: vec![q[0..2].to_vec(), q[2..4].to_vec()],
                    bias: q[4..6].to_vec(),
                },
                Layer {
                    weights: vec![q[6..8].to_vec(), q[8..10].to_vec()],
                    bias: q[10..12].to_vec(),
                },
                Layer {
                    weights: vec![q[12..14].to_vec()],
                    bias: vec![q[14]],
                },
            ],
        };
        let list = |m: &Mlp| -> Vec<f64> {
            m.layers
                .iter()
                .flat_map(|l| l.weights.iter().flatten().chain(&l.bias).copied())
                .collect()
        };
        let q: Vec<f64> = (0..15).map(|i| 0.4 + 0.3 * (i as f64).sin()).collect();
        crate::check::made!(
            Mlp::mse_ad.with(&xs, &ys),
            |m: &Mlp| m.mse(&xs, &ys),
            make,
            list,
            &q
        );
    }
}
