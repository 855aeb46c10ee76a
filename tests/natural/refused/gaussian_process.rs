//! Gaussian processes. Refused: each with what the compiler says.

// E0080 [DI0117] this result is not supported
// E0080 [DI0306] the method `half_solve` is not known to be differentiable
// E0080 [DI0306] the method `log_det` is not known to be differentiable
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

// E0080 [DI0316] `Mat` is taken for a struct, and this operator on a struct cannot be differentiated
// E0080 [DI0125] `Mat` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0341] the types of this do not fit, as far as they can be told
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
