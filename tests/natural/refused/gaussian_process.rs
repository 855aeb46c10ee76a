//! Gaussian processes. Refused: each with what the compiler says.

// 140 E0080 [DI0408] a constant that the compiler does not look into goes to a differentiated parameter: argument 2 of `solve`
/// Posterior mean and variance at test points, flat row-major matrix and an index helper.
mod posterior {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const XS: [f64; 4] = [0.0, 0.7, 1.5, 2.4];
    const YS: [f64; 4] = [0.2, 0.8, 0.5, -0.3];

    fn at(i: usize, j: usize, n: usize) -> usize {
        i * n + j
    }

    #[differentiable]
    fn matern32(d: f64, ell: f64, var: f64) -> f64 {
        let r = 3f64.sqrt() * d.abs() / ell;
        var * (1.0 + r) * (-r).exp()
    }

    #[differentiable]
    fn cholesky_in_place(a: &mut [f64], n: usize) {
        for j in 0..n {
            let mut d = a[at(j, j, n)];
            for k in 0..j {
                d -= a[at(j, k, n)] * a[at(j, k, n)];
            }
            let d = d.sqrt();
            a[at(j, j, n)] = d;
            for i in j + 1..n {
                let mut s = a[at(i, j, n)];
                for k in 0..j {
                    s -= a[at(i, k, n)] * a[at(j, k, n)];
                }
                a[at(i, j, n)] = s / d;
            }
        }
    }

    #[differentiable]
    fn solve(l: &[f64], b: &[f64], n: usize) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] = x[i] - l[at(i, k, n)] * x[k];
            }
            x[i] /= l[at(i, i, n)];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] = x[i] - l[at(k, i, n)] * x[k];
            }
            x[i] /= l[at(i, i, n)];
        }
        x
    }

    #[differentiable]
    pub fn predict(x: &[f64]) -> Vec<f64> {
        let (ell, var, noise) = (x[0], x[1], x[2]);
        let n = XS.len();
        let mut k = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                k[at(i, j, n)] = matern32(XS[i] - XS[j], ell, var);
            }
            k[at(i, i, n)] += noise;
        }
        cholesky_in_place(&mut k, n);
        let ks: Vec<f64> = XS.iter().map(|xi| matern32(x[3] - xi, ell, var)).collect();
        let alpha = solve(&k, &YS, n);
        let beta = solve(&k, &ks, n);
        let mean: f64 = ks.iter().zip(&alpha).map(|(a, b)| a * b).sum();
        let reduction: f64 = ks.iter().zip(&beta).map(|(a, b)| a * b).sum();
        vec![mean, var - reduction]
    }

    #[test]
    fn posterior() {
        vector!(predict, (), &[0.9, 1.2, 0.1, 1.1]);
    }
}

// 244 E0080 [DI0117] this result is not supported
// 301 E0080 [DI0306] the method `half_solve` is not known to be differentiable
// 302 E0080 [DI0306] the method `log_det` is not known to be differentiable
/// Cholesky struct with methods, inline module.
mod cholesky_struct {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gp {
        #[derive(Clone, Debug)]
        pub struct Cholesky {
            l: Vec<Vec<f64>>,
        }

        impl Cholesky {
            pub fn new(a: &[Vec<f64>]) -> Option<Self> {
                let n = a.len();
                let mut l = vec![vec![0.0; n]; n];
                for i in 0..n {
                    for j in 0..=i {
                        let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                        if i == j {
                            let d = a[i][i] - dot;
                            if d <= 0.0 {
                                return None;
                            }
                            l[i][i] = d.sqrt();
                        } else {
                            l[i][j] = (a[i][j] - dot) / l[j][j];
                        }
                    }
                }
                Some(Cholesky { l })
            }

            pub fn log_det(&self) -> f64 {
                2.0 * (0..self.l.len()).map(|i| self.l[i][i].ln()).sum::<f64>()
            }

            pub fn half_solve(&self, b: &[f64]) -> Vec<f64> {
                let mut z: Vec<f64> = Vec::with_capacity(b.len());
                for (i, bi) in b.iter().enumerate() {
                    let s: f64 = self.l[i].iter().zip(&z).map(|(l, z)| l * z).sum();
                    z.push((bi - s) / self.l[i][i]);
                }
                z
            }
        }

        pub struct Data {
            pub x: Vec<[f64; 2]>,
            pub y: Vec<f64>,
        }

        fn ard(p: &[f64; 2], q: &[f64; 2], ell: &[f64]) -> f64 {
            let r2: f64 = p.iter().zip(q).zip(ell).map(|((a, b), l)| ((a - b) / l).powi(2)).sum();
            (-0.5 * r2).exp()
        }

        pub fn objective(theta: &[f64], #[constant] data: &Data) -> f64 {
            let ell: Vec<f64> = theta[..2].iter().map(|t| t.exp()).collect();
            let noise = theta[2].exp();
            let n = data.y.len();
            let k: Vec<Vec<f64>> = (0..n)
                .map(|i| {
                    (0..n)
                        .map(|j| ard(&data.x[i], &data.x[j], &ell) + if i == j { noise } else { 0.0 })
                        .collect()
                })
                .collect();
            match Cholesky::new(&k) {
                Some(ch) => {
                    let z = ch.half_solve(&data.y);
                    0.5 * z.iter().map(|v| v * v).sum::<f64>() + 0.5 * ch.log_det()
                }
                None => f64::INFINITY,
            }
        }
    }

    #[test]
    fn cholesky_struct() {
        let data = gp::Data {
            x: vec![[0.0, 0.3], [0.5, 1.0], [1.2, 0.2], [0.9, 1.5]],
            y: vec![0.3, 0.8, -0.2, 1.1],
        };
        scalar!(gp::objective, (&data), &[-0.1, 0.2, -1.5]);
    }
}

// 421 E0080 [DI0316] `Mat` is taken for a struct, and this operator on a struct cannot be differentiated
// 420 E0080 [DI0125] `Mat` is an alias of a type with floats, which nobody sees through here
// 430 E0080 [DI0125] `Mat` is an alias of a type with floats, which nobody sees through here
/// Conjugate gradients on the kernel system instead of a factorisation.
mod cg_solve {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat = Vec<Vec<f64>>;

    #[differentiable]
    fn matvec(a: &Mat, x: &[f64]) -> Vec<f64> {
        a.iter().map(|row| row.iter().zip(x).map(|(p, q)| p * q).sum()).collect()
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(p, q)| p * q).sum()
    }

    #[differentiable]
    fn cg(a: &Mat, b: &[f64], iters: usize) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = r.clone();
        let mut rs = dot(&r, &r);
        for _ in 0..iters {
            let ap = matvec(a, &p);
            let alpha = rs / dot(&p, &ap);
            for i in 0..x.len() {
                x[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
            }
            let new = dot(&r, &r);
            let beta = new / rs;
            p = r.iter().zip(&p).map(|(ri, pi)| ri + beta * pi).collect();
            rs = new;
        }
        x
    }

    #[differentiable]
    pub fn weights(x: &[f64], #[constant] locations: &[f64]) -> Vec<f64> {
        let (ell, noise) = (x[0], x[1]);
        let targets = &x[2..];
        let k: Mat = locations
            .iter()
            .enumerate()
            .map(|(i, a)| {
                locations
                    .iter()
                    .enumerate()
                    .map(|(j, b)| (-(a - b).abs() / ell).exp() + if i == j { noise } else { 0.0 })
                    .collect()
            })
            .collect();
        cg(&k, targets, 3)
    }

    #[test]
    fn cg_solve() {
        vector!(weights, (&[0.0, 0.8, 1.7, 2.1]), &[0.9, 0.4, 0.5, 0.2, -0.3, 0.8]);
    }
}

// 573 E0080 [DI0114] `&mut Vec<f64>` is not supported as a parameter
/// Rational quadratic kernel with hyperpriors, packed lower triangle, inline module.
mod packed_triangle {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gp {
        #[derive(Debug, Clone)]
        pub struct Hyper {
            length: f64,
            alpha: f64,
            noise: f64,
        }

        impl From<&[f64]> for Hyper {
            fn from(x: &[f64]) -> Hyper {
                Hyper { length: x[0].exp(), alpha: x[1].exp(), noise: x[2].exp() }
            }
        }

        fn idx(i: usize, j: usize) -> usize {
            i * (i + 1) / 2 + j
        }

        fn gram(h: &Hyper, #[constant] xs: &[f64]) -> Vec<f64> {
            let n = xs.len();
            let mut k = Vec::with_capacity(n * (n + 1) / 2);
            for i in 0..n {
                for j in 0..=i {
                    let r2 = (xs[i] - xs[j]).powi(2);
                    let v = (1.0 + r2 / (2.0 * h.alpha * h.length * h.length)).powf(-h.alpha);
                    k.push(if i == j { v + h.noise } else { v });
                }
            }
            k
        }

        fn factor(a: &mut Vec<f64>, n: usize) {
            for j in 0..n {
                for k in 0..j {
                    for i in j..n {
                        let s = a[idx(i, k)] * a[idx(j, k)];
                        a[idx(i, j)] -= s;
                    }
                }
                let d = a[idx(j, j)].sqrt();
                for i in j..n {
                    a[idx(i, j)] /= d;
                }
            }
        }

        pub fn log_posterior(x: &[f64], #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
            let h = Hyper::from(x);
            let n = xs.len();
            let mut l = gram(&h, xs);
            factor(&mut l, n);
            let mut lp = -0.5 * x.iter().map(|t| t * t).sum::<f64>();
            let mut z = vec![0.0; n];
            for i in 0..n {
                let mut s = ys[i];
                for j in 0..i {
                    s -= l[idx(i, j)] * z[j];
                }
                z[i] = s / l[idx(i, i)];
                lp -= 0.5 * z[i] * z[i] + l[idx(i, i)].ln();
            }
            lp
        }
    }

    #[test]
    fn packed_triangle() {
        scalar!(gp::log_posterior, (&[0.1, 0.7, 1.2, 2.0], &[0.2, 0.7, 0.5, -0.4]), &[0.1, 0.3, -1.2]);
    }
}

// E0446 private type `kernel_enum::Problem` in public interface
/// Kernel composition by an enum tree evaluated with recursion-free sums; leave-one-out error.
mod kernel_enum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Kernel {
        Rbf,
        Periodic,
        Linear,
    }

    struct Problem {
        parts: Vec<Kernel>,
        x: Vec<f64>,
        y: Vec<f64>,
        jitter: f64,
    }

    #[differentiable]
    fn eval(kind: Kernel, p: &[f64], a: f64, b: f64) -> f64 {
        match kind {
            Kernel::Rbf => (-(a - b).powi(2) / (2.0 * p[0] * p[0])).exp(),
            Kernel::Periodic => {
                let s = (std::f64::consts::PI * (a - b) / p[1]).sin();
                (-2.0 * s * s).exp()
            }
            Kernel::Linear => p[2] * a * b,
        }
    }

    #[differentiable]
    fn gauss_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        b
    }

    #[differentiable]
    pub fn data_fit(p: &[f64], #[constant] prob: &Problem) -> f64 {
        let n = prob.x.len();
        let mut k = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                k[i][j] = prob
                    .parts
                    .iter()
                    .map(|kind| eval(*kind, p, prob.x[i], prob.x[j]))
                    .sum();
            }
            k[i][i] += prob.jitter;
        }
        let alpha = gauss_solve(k, prob.y.clone());
        alpha.iter().zip(&prob.y).map(|(a, y)| a * y).sum()
    }

    #[test]
    fn kernel_enum() {
        let prob = Problem {
            parts: vec![Kernel::Rbf, Kernel::Periodic, Kernel::Linear],
            x: vec![0.1, 0.6, 1.0, 1.7],
            y: vec![0.5, 0.9, 0.7, 1.2],
            jitter: 0.3,
        };
        scalar!(data_fit, (&prob), &[0.8, 1.3, 0.4]);
    }
}
