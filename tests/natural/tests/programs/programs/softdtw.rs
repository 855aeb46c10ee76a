//! Experienced: soft-DTW with a flat matrix type that implements Index.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod dtw {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug)]
    pub struct Grid {
        cols: usize,
        data: Vec<f64>,
    }
    impl Grid {
        pub fn filled(rows: usize, cols: usize, value: f64) -> Self {
            Self { cols, data: vec![value; rows * cols] }
        }
    }
    impl Index<(usize, usize)> for Grid {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }
    impl IndexMut<(usize, usize)> for Grid {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }

    fn softmin(values: [f64; 3], gamma: f64) -> f64 {
        let m = values.into_iter().fold(f64::INFINITY, f64::min);
        let s: f64 = values.iter().map(|v| (-(v - m) / gamma).exp()).sum();
        m - gamma * s.ln()
    }

    pub fn distance(a: &[f64], #[constant] b: &[f64], #[constant] gamma: f64) -> f64 {
        let (n, m) = (a.len(), b.len());
        let mut r = Grid::filled(n + 1, m + 1, 1e6);
        r[(0, 0)] = 0.0;
        for i in 1..=n {
            for j in 1..=m {
                let cost = (a[i - 1] - b[j - 1]).powi(2);
                r[(i, j)] = cost + softmin([r[(i - 1, j)], r[(i, j - 1)], r[(i - 1, j - 1)]], gamma);
            }
        }
        r[(n, m)]
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b) = ([0.0, 0.5, 1.2, 0.7, 0.1], [0.1, 0.2, 1.0, 1.1, 0.3, 0.0]);
    let g = gradient(dtw::distance::AD.with(&b, 0.1), NoPrep, &AutoSource::new(), &a)?;
    check("32", &g, &fd(|a| dtw::distance(a, &b, 0.1), &a));
    Ok(())
}
