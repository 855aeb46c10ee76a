//! A matrix whose fields only this file sees, and a vector with a `Sum` of its own.

use di::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Index, IndexMut, Mul};

#[derive(Clone, Debug, Differentiable)]
pub(crate) struct Dense {
    columns: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Dense {
    pub(crate) fn new(columns: usize, data: &[f64]) -> Self {
        Dense {
            columns,
            data: data.to_vec(),
        }
    }

    fn at(&self, i: usize, j: usize) -> usize {
        i * self.columns + j
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        let start = i * self.columns;
        &self.data[start..start + self.columns]
    }

    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i * self.columns;
        &mut self.data[start..start + self.columns]
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &f64> {
        self.data.iter()
    }

    pub(crate) fn squared(&self) -> Dense {
        let mut out = Dense::new(self.columns, &vec![0.0; self.data.len()]);
        for i in 0..self.columns {
            for j in 0..self.columns {
                for k in 0..self.columns {
                    out[(i, j)] += self[(i, k)] * self[(k, j)];
                }
            }
        }
        out
    }
}

#[differentiable]
impl Index<(usize, usize)> for Dense {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        assert!(j < self.columns, "column {j}");
        &self.data[self.at(i, j)]
    }
}

#[differentiable]
impl IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.columns + j]
    }
}

#[differentiable]
pub(crate) mod space {
    use super::*;

    #[derive(Clone, Copy, Debug, Default)]
    pub(crate) struct Arrow(f64, f64);

    impl Arrow {
        pub(crate) fn new(x: f64, y: f64) -> Self {
            Arrow(x, y)
        }

        pub(crate) fn x(self) -> f64 {
            self.0
        }

        pub(crate) fn y(self) -> f64 {
            self.1
        }
    }

    impl Add for Arrow {
        type Output = Arrow;

        fn add(self, o: Arrow) -> Arrow {
            Arrow(self.0 + o.0, self.1 + o.1)
        }
    }

    impl Mul<f64> for Arrow {
        type Output = Arrow;

        fn mul(self, s: f64) -> Arrow {
            Arrow(self.0 * s, self.1 * s)
        }
    }

    impl Sum for Arrow {
        fn sum<I: Iterator<Item = Arrow>>(arrows: I) -> Self {
            arrows.fold(Self::default(), |a, b| a + b)
        }
    }
}
