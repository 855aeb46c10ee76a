//! Operators of structs with arrays, vectors and slices.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Add, Mul};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[-1.2, 0.4, 0.9], &[0.2, 0.37, -0.55]];

#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    rows: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Mul<&[f64]> for &Matrix {
    type Output = Vec<f64>;

    fn mul(self, v: &[f64]) -> Vec<f64> {
        let row = |i: usize| &self.data[i * v.len()..(i + 1) * v.len()];
        (0..self.rows)
            .map(|i| row(i).iter().zip(v).map(|(a, b)| a * b).sum())
            .collect()
    }
}

#[differentiable]
impl Add<&Vec<f64>> for &Matrix {
    type Output = f64;

    fn add(self, v: &Vec<f64>) -> f64 {
        self.data[0] * v[0] + v[1]
    }
}

#[differentiable]
impl Mul<Vec<f64>> for Matrix {
    type Output = f64;

    fn mul(self, v: Vec<f64>) -> f64 {
        self.data[0] * v[0] + v[1] * self.data[1]
    }
}

#[differentiable]
fn of_matrices(x: &[f64]) -> f64 {
    let m = Matrix {
        rows: 2,
        data: vec![x[0], x[1], x[2], x[0] * x[1]],
    };
    let v = vec![x[2], x[1]];
    let y = &m * &v[..];
    let z = &m * &x[1..];
    y[0] * y[1] + z[1] + (&m + &v) + m * v
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Square<const N: usize> {
    of: [[f64; N]; N],
}

#[differentiable]
impl<const N: usize> Mul<[f64; N]> for Square<N> {
    type Output = [f64; N];

    fn mul(self, v: [f64; N]) -> [f64; N] {
        let mut y = [0.0; N];
        for i in 0..N {
            for j in 0..N {
                y[i] += self.of[i][j] * v[j];
            }
        }
        y
    }
}

#[differentiable]
fn of_squares(x: &[f64]) -> f64 {
    let square = Square {
        of: [[x[0], x[1]], [x[2], x[0]]],
    };
    let y = square * [x[1], x[2]];
    let z = square * y;
    z[0] * z[1]
}

#[differentiable]
mod turns {
    use std::ops::Mul;

    #[derive(Clone, Copy, Debug)]
    pub(super) struct Turn {
        pub(super) a: f64,
        pub(super) b: f64,
    }

    impl Mul for Turn {
        type Output = Self;

        fn mul(self, o: Self) -> Self {
            Turn {
                a: self.a * o.a - self.b * o.b,
                b: self.a * o.b + self.b * o.a,
            }
        }
    }

    impl Mul<[f64; 2]> for Turn {
        type Output = [f64; 2];

        fn mul(self, v: [f64; 2]) -> [f64; 2] {
            [self.a * v[0] - self.b * v[1], self.a * v[1] + self.b * v[0]]
        }
    }
}

#[differentiable]
mod beliefs {
    use super::turns::Turn;

    pub(super) struct Belief {
        mean: [f64; 2],
        of: Turn,
    }

    fn predicted(by: Turn, belief: &Belief) -> Belief {
        Belief {
            mean: by * belief.mean,
            of: by * belief.of,
        }
    }

    pub(super) fn surprise(x: &[f64]) -> f64 {
        let by = Turn { a: x[0], b: x[1] };
        let mut belief = Belief {
            mean: [x[2], x[1]],
            of: by,
        };
        for _ in 0..3 {
            belief = predicted(by, &belief);
        }
        belief.mean[0] * belief.mean[1] + belief.of.a + (by * [x[1], x[0]])[1]
    }
}

#[differentiable]
fn of_beliefs(x: &[f64]) -> f64 {
    beliefs::surprise(x)
}

#[test]
fn structs_with_arrays_and_vectors() {
    scalar!(of_matrices).row(323).takes_memory().check(&POINTS);
    scalar!(of_squares).row(323).check(&POINTS);
    scalar!(of_beliefs).row(323).check(&POINTS);
}
