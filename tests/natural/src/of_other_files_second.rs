//! More programs over several files: their matrices, complex numbers, trees and curves are those of a library.

/// Reflectance of a stack of thin films by characteristic matrices.
mod thin_films {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod optics {
        use crate::library::complex::Complex as C;

        pub struct Target {
            pub wavelength: f64,
            pub reflectance: f64,
        }

        fn product(a: [[C; 2]; 2], b: [[C; 2]; 2]) -> [[C; 2]; 2] {
            let mut m = a;
            for i in 0..2 {
                for j in 0..2 {
                    m[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
                }
            }
            m
        }

        pub fn reflectance(thickness: &[f64], indices: &[C], substrate: f64, lambda: f64) -> f64 {
            let zero = C::real(0.0);
            let mut m = [[C::ONE, zero], [zero, C::ONE]];
            for (d, n) in thickness.iter().zip(indices) {
                let k = std::f64::consts::TAU / lambda;
                let (s, c) = (*n * C::real(k * d)).sin_cos();
                m = product(m, [[c, C::I * s / *n], [C::I * *n * s, c]]);
            }
            let ns = C::real(substrate);
            let b = m[0][0] + m[0][1] * ns;
            let c = m[1][0] + m[1][1] * ns;
            let r = (b - c) / (b + c);
            r.norm_sqr()
        }

        pub fn merit(x: &[f64], #[constant] targets: &[Target]) -> f64 {
            let n = x.len() / 2;
            let (d, re) = x.split_at(n);
            let indices: Vec<C> = re
                .iter()
                .enumerate()
                .map(|(i, &re)| C {
                    re,
                    im: -0.01 * i as f64,
                })
                .collect();
            targets
                .iter()
                .map(|t| (reflectance(d, &indices, 1.52, t.wavelength) - t.reflectance).powi(2))
                .sum()
        }
    }

    use optics::{Target, merit};

    #[test]
    fn merit_of_films() {
        let target = |i: usize| Target {
            wavelength: 4.5 + 0.4 * i as f64,
            reflectance: 0.01,
        };
        let targets: Vec<Target> = (0..7).map(target).collect();
        scalar!(merit, (&targets), &vec![0.9, 1.2, 1.0, 1.38, 2.1, 1.62]);
    }
}

/// Extended Kalman filter that tracks by range and bearing, with matrices of the library part.
mod tracking {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    mod model {
        use crate::library::matrices::Mat as Matrix;

        pub struct Noise {
            pub accel: f64,
            pub range: f64,
            pub bearing: f64,
        }

        fn transition(dt: f64) -> Matrix<4, 4> {
            let mut f = Matrix::identity();
            f.0[0][2] = dt;
            f.0[1][3] = dt;
            f
        }

        fn measure(x: &Matrix<4, 1>) -> (Matrix<2, 1>, Matrix<2, 4>) {
            let (px, py) = (x.0[0][0], x.0[1][0]);
            let r2 = px * px + py * py;
            let r = r2.sqrt();
            let z = Matrix([[r], [py.atan2(px)]]);
            let h = Matrix([[px / r, py / r, 0.0, 0.0], [-py / r2, px / r2, 0.0, 0.0]]);
            (z, h)
        }

        /// Negative log likelihood of the observations.
        pub fn cost(
            noise: &Noise,
            #[constant] start: [f64; 4],
            #[constant] obs: &[[f64; 2]],
        ) -> f64 {
            let f = transition(0.5);
            let mut x = Matrix([[start[0]], [start[1]], [start[2]], [start[3]]]);
            let mut p: Matrix<4, 4> = Matrix::identity();
            let mut q = Matrix::zeros();
            q.0[2][2] = noise.accel.powi(2);
            q.0[3][3] = noise.accel.powi(2);
            let r = Matrix([[noise.range.powi(2), 0.0], [0.0, noise.bearing.powi(2)]]);
            let mut total = 0.0;
            for z in obs {
                x = f * x;
                p = f * p * f.transpose() + q;
                let (predicted, h) = measure(&x);
                let innovation = Matrix([[z[0]], [z[1]]]) - predicted;
                let s = h * p * h.transpose() + r;
                let Some(inv) = s.inverse() else { break };
                let gain = p * h.transpose() * inv;
                total +=
                    0.5 * s.det().ln() + 0.5 * (innovation.transpose() * inv * innovation).0[0][0];
                x = x + gain * innovation;
                p = (Matrix::identity() - gain * h) * p;
            }
            total + 0.01 * p.trace()
        }
    }

    use model::{Noise, cost};

    #[test]
    fn cost_of_noise() {
        let obs = [
            [2.1, 0.5],
            [2.4, 0.55],
            [2.6, 0.63],
            [3.0, 0.66],
            [3.2, 0.7],
        ];
        let start = [1.7, 0.9, 0.6, 0.7];
        made!(
            cost::AD.with(start, &obs),
            |n: &Noise| cost(n, start, &obs),
            |v: &[f64; 3]| Noise {
                accel: v[0],
                range: v[1],
                bearing: v[2]
            },
            |n: &Noise| vec![n.accel, n.range, n.bearing],
            &[0.4, 0.2, 0.1]
        );
    }
}

/// Felsenstein's pruning for the model of Kimura.
mod species {
    use crate::check::scalar;
    use di::prelude::*;

    use crate::library::tree::{self, Node};

    /// Probabilities of no change, a transition, one of the transversions.
    #[differentiable]
    fn k80(t: f64, kappa: f64) -> [[f64; 4]; 4] {
        let b = (-4.0 * t / (kappa + 2.0)).exp();
        let a = (-2.0 * t * (kappa + 1.0) / (kappa + 2.0)).exp();
        let same = 0.25 + 0.25 * b + 0.5 * a;
        let ts = 0.25 + 0.25 * b - 0.5 * a;
        let tv = 0.25 - 0.25 * b;
        let mut p = [[tv; 4]; 4];
        for i in 0..4 {
            p[i][i] = same;
            p[i][i ^ 1] = ts;
        }
        p
    }

    #[differentiable]
    fn partials(node: &Node, site: usize, lengths: &[f64], kappa: f64) -> [f64; 4] {
        match node {
            Node::Leaf { bases } => {
                let mut l = [0.0; 4];
                match bases[site] {
                    b'A' => l[0] = 1.0,
                    b'G' => l[1] = 1.0,
                    b'C' => l[2] = 1.0,
                    b'T' => l[3] = 1.0,
                    _ => l = [1.0; 4],
                }
                l
            }
            Node::Inner { children } => {
                let mut l = [1.0; 4];
                for (branch, child) in children {
                    let p = k80(lengths[*branch], kappa);
                    let below = partials(child, site, lengths, kappa);
                    for i in 0..4 {
                        l[i] *= p[i]
                            .iter()
                            .zip(below.iter())
                            .map(|(p, b)| p * b)
                            .sum::<f64>();
                    }
                }
                l
            }
        }
    }

    #[differentiable]
    fn log_likelihood(x: &[f64], tree: &Node, sites: usize) -> f64 {
        let lengths: Vec<f64> = x[1..].iter().map(|v| v.exp()).collect();
        (0..sites)
            .map(|s| (0.25 * partials(tree, s, &lengths, x[0].exp()).iter().sum::<f64>()).ln())
            .sum()
    }

    #[test]
    fn likelihood() {
        let tree = tree::example();
        scalar!(
            log_likelihood,
            (&tree, 8),
            &vec![0.8, -2.0, -1.5, -2.5, -1.8, -1.0]
        );
    }
}

/// Equivalent circuit of a cell, with curves of open circuit behind a trait.
mod cell {
    use crate::check::made;
    use di::prelude::*;

    use crate::library::cells::{Ocv, Polynomial, Shepherd};

    #[derive(Clone, Debug, Differentiable)]
    struct Circuit {
        r0: f64,
        r1: f64,
        tau: f64,
        capacity: f64,
    }

    #[derive(Clone, Copy)]
    struct Row {
        dt: f64,
        current: f64,
        volts: f64,
    }

    #[differentiable]
    fn misfit<O: Ocv>(c: &Circuit, curve: &O, log: &[Row]) -> f64 {
        let mut soc = 0.9;
        let mut v1 = 0.0;
        let mut sum = 0.0;
        for &Row { dt, current, volts } in log {
            let decay = (-dt / c.tau).exp();
            v1 = v1 * decay + c.r1 * (1.0 - decay) * current;
            soc -= current * dt / c.capacity;
            let v = curve.volts(soc) - v1 - c.r0 * current;
            sum += (v - volts).powi(2);
        }
        sum
    }

    #[differentiable]
    fn both(c: &Circuit, a: &Shepherd, b: &Polynomial, log: &[Row]) -> f64 {
        misfit(c, a, log) + 0.5 * misfit(c, b, log)
    }

    #[test]
    fn both_curves() {
        let a = Shepherd {
            e0: 3.4,
            k: 0.02,
            a: 0.3,
            b: 8.0,
        };
        let b = Polynomial {
            coefficients: vec![3.0, 0.9, -0.6, 0.5],
        };
        let row = |i: usize| Row {
            dt: 0.5,
            current: 1.0 + (i % 3) as f64,
            volts: 3.5 - 0.02 * i as f64,
        };
        let log: Vec<Row> = (0..12).map(row).collect();
        made!(
            both::AD.with(&a, &b, &log),
            |c: &Circuit| both(c, &a, &b, &log),
            |v: &[f64; 4]| Circuit {
                r0: v[0],
                r1: v[1],
                tau: v[2],
                capacity: v[3]
            },
            |c: &Circuit| vec![c.r0, c.r1, c.tau, c.capacity],
            &[0.05, 0.03, 1.4, 20.0]
        );
    }
}

/// Residual network of structs, in files of its own.
mod residual_network {
    use crate::check::made;
    use di::prelude::*;

    use crate::library::activation::Activation;
    use layers::{Block, Dense, ResNet, cross_entropy};

    fn dense(v: &mut impl Iterator<Item = f64>, rows: usize, cols: usize) -> Dense {
        let weights = (0..rows * cols).map(|_| v.next().unwrap()).collect();
        let bias = (0..rows).map(|_| v.next().unwrap()).collect();
        Dense { weights, bias }
    }

    fn build(v: &[f64]) -> ResNet {
        let mut v = v.iter().copied();
        let first = Block {
            dense: dense(&mut v, 2, 2),
            activation: Activation::Swish,
        };
        let second = Block {
            dense: dense(&mut v, 2, 2),
            activation: Activation::Tanh,
        };
        ResNet {
            blocks: vec![first, second],
            head: dense(&mut v, 2, 2),
        }
    }

    fn flatten(n: &ResNet) -> Vec<f64> {
        let mut out = Vec::new();
        for d in n.blocks.iter().map(|b| &b.dense).chain([&n.head]) {
            out.extend(&d.weights);
            out.extend(&d.bias);
        }
        out
    }

    #[differentiable]
    mod layers {
        use crate::library::activation::Activation;

        #[derive(Clone, Debug)]
        pub struct Dense {
            pub weights: Vec<f64>,
            pub bias: Vec<f64>,
        }

        #[derive(Clone, Debug)]
        pub struct Block {
            pub dense: Dense,
            #[constant]
            pub activation: Activation,
        }

        #[derive(Clone, Debug)]
        pub struct ResNet {
            pub blocks: Vec<Block>,
            pub head: Dense,
        }

        impl Dense {
            pub fn forward(&self, x: &[f64]) -> Vec<f64> {
                let mut y = self.bias.clone();
                for (y, row) in y.iter_mut().zip(self.weights.chunks_exact(x.len())) {
                    for (w, x) in row.iter().zip(x) {
                        *y += w * x;
                    }
                }
                y
            }
        }

        impl ResNet {
            fn logits(&self, x: &[f64]) -> Vec<f64> {
                let mut a = x.to_owned();
                for block in &self.blocks {
                    let z = block.dense.forward(&a);
                    for (a, z) in a.iter_mut().zip(z) {
                        *a += block.activation.apply(z);
                    }
                }
                self.head.forward(&a)
            }
        }

        pub fn cross_entropy(net: &ResNet, #[constant] data: &[([f64; 2], usize)]) -> f64 {
            let mut total = 0.0;
            for (x, label) in data {
                let z = net.logits(x);
                let top = z.iter().cloned().fold(f64::MIN, f64::max);
                let norm = z.iter().map(|v| (v - top).exp()).sum::<f64>().ln() + top;
                total += norm - z[*label];
            }
            total / data.len() as f64
        }
    }

    #[test]
    fn entropy() {
        let data = [
            ([0.1, 0.9], 0),
            ([0.8, 0.2], 1),
            ([0.4, 0.5], 1),
            ([-0.3, 0.1], 0),
        ];
        let v: Vec<f64> = (0..18)
            .map(|i| 0.7 * (1.3 * i as f64 + 0.4).sin())
            .collect();
        made!(
            cross_entropy::AD.with(&data),
            |n: &ResNet| cross_entropy(n, &data),
            |v: &Vec<f64>| build(v),
            flatten,
            &v
        );
    }
}
