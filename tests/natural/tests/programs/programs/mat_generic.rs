//! Experienced: own const-generic Matrix<R, C> with Mul over lengths, transpose, From arrays; Kalman-free: SLAM edge error.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod la {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Matrix<const R: usize, const C: usize> {
        m: [[f64; C]; R],
    }
    pub type Vec2 = Matrix<2, 1>;
    pub type Rot = Matrix<2, 2>;

    impl<const R: usize, const C: usize> From<[[f64; C]; R]> for Matrix<R, C> {
        fn from(m: [[f64; C]; R]) -> Self {
            Matrix { m }
        }
    }
    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
            let mut m = [[0.0; C]; R];
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        m[i][j] += self.m[i][k] * o.m[k][j];
                    }
                }
            }
            Matrix { m }
        }
    }
    impl<const R: usize, const C: usize> Add for Matrix<R, C> {
        type Output = Self;
        fn add(mut self, o: Self) -> Self {
            for (a, b) in self.m.iter_mut().flatten().zip(o.m.iter().flatten()) {
                *a += b;
            }
            self
        }
    }
    impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Matrix { m: std::array::from_fn(|i| std::array::from_fn(|j| self.m[i][j] - o.m[i][j])) }
        }
    }
    impl<const R: usize, const C: usize> Matrix<R, C> {
        pub fn t(&self) -> Matrix<C, R> {
            let mut m = [[0.0; R]; C];
            for i in 0..R {
                for j in 0..C {
                    m[j][i] = self.m[i][j];
                }
            }
            Matrix { m }
        }
        pub fn norm2(&self) -> f64 {
            self.m.iter().flatten().map(|v| v * v).sum()
        }
    }

    fn rot(a: f64) -> Rot {
        let (s, c) = a.sin_cos();
        Matrix::from([[c, -s], [s, c]])
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Pose {
        pub x: f64,
        pub y: f64,
        pub a: f64,
    }
    impl Pose {
        fn pos(&self) -> Vec2 {
            Vec2 { m: [[self.x], [self.y]] }
        }
    }

    pub fn error(poses: &[Pose], #[constant] edges: &[(usize, usize, [f64; 3])]) -> f64 {
        edges
            .iter()
            .map(|&(i, j, [dx, dy, da])| {
                let (p, q) = (&poses[i], &poses[j]);
                let local = rot(p.a).t() * (q.pos() - p.pos());
                let back = rot(p.a) * local + p.pos() - q.pos();
                let e = local - Matrix::from([[dx], [dy]]);
                e.norm2() + back.norm2() + (q.a - p.a - da).sin().powi(2)
            })
            .sum()
    }
}
use la::*;

pub(super) fn main() -> Result<(), di::Error> {
    let poses = vec![Pose { x: 0.0, y: 0.1, a: 0.2 }, Pose { x: 1.1, y: 0.0, a: 0.3 }, Pose { x: 1.9, y: 0.8, a: 1.2 }];
    let edges = [(0, 1, [1.0, 0.0, 0.1]), (1, 2, [0.9, 0.6, 0.8]), (2, 0, [-1.0, 1.5, -1.0])];
    let g = gradient(error::AD.with(&edges), NoPrep, &AutoSource::new(), &poses)?;
    let got: Vec<f64> = g.iter().flat_map(|p| [p.x, p.y, p.a]).collect();
    let flat: Vec<f64> = poses.iter().flat_map(|p| [p.x, p.y, p.a]).collect();
    check("89", &got, &fd(|x| error(&x.chunks(3).map(|c| Pose { x: c[0], y: c[1], a: c[2] }).collect::<Vec<_>>(), &edges), &flat));
    Ok(())
}
