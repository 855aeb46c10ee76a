//! A method that reads `m.cols` once had the whole struct kept for its adjoint: a caller that changes a matrix element by
//! element copied all of it for each element that it read.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3, 0.4], &[-0.6, 1.9, 2.2, 0.8]];

#[differentiable]
mod matrix {
    #[derive(Clone, Debug)]
    pub struct Dense {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }

    impl Dense {
        fn at(&self, i: usize, j: usize) -> f64 {
            self.data[i * self.cols + j]
        }
        fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
        fn last(&self) -> f64 {
            self.data[self.data.len() - 1]
        }
        fn row_sum(&self, i: usize) -> f64 {
            (0..self.cols).map(|j| self.data[i * self.cols + j]).sum()
        }
        /// Its adjoint needs the elements as they were.
        fn row_norm(&self, i: usize) -> f64 {
            (0..self.cols).map(|j| self.at(i, j).powi(2)).sum()
        }
        fn reshape(&mut self) {
            std::mem::swap(&mut self.rows, &mut self.cols);
        }
    }

    fn made(x: &[f64]) -> Dense {
        let data = (0..6).map(|k| x[k % 4] + 0.1 * k as f64).collect();
        Dense {
            rows: 2,
            cols: 3,
            data,
        }
    }

    /// Each call reads the number of columns that holds then.
    pub(super) fn reshaped(x: &[f64]) -> f64 {
        let mut m = made(x);
        let mut sum = 0.0;
        for k in 0..4 {
            let i = k % 2;
            sum += m.at(1, i) * m.row_sum(i) + x[3] * m.row_norm(1);
            *m.at_mut(1, 0) += m.at(0, 1) * x[k];
            m.reshape();
        }
        sum + m.rows as f64 * m.last()
    }

    /// So does each the number of elements.
    pub(super) fn grown(x: &[f64]) -> f64 {
        let mut m = made(x);
        for (k, v) in x.iter().enumerate().take(4) {
            let next = m.last() * m.at(k % 2, 1) + v;
            m.data.push(next);
            m.cols = 2 + k % 2;
        }
        m.last() * m.row_sum(1)
    }

    /// Prepared calls take no memory.
    pub(super) fn eliminated(x: &[f64]) -> f64 {
        let mut m = Dense {
            rows: 4,
            cols: 4,
            data: vec![0.0; 16],
        };
        for i in 0..4 {
            for j in 0..4 {
                *m.at_mut(i, j) = x[(i * j + i) % 4] * 0.3 + if i == j { 4.0 } else { 0.0 };
            }
        }
        for k in 0..4 {
            for i in k + 1..4 {
                let factor = m.at(i, k) / m.at(k, k);
                for j in k..4 {
                    let upper = m.at(k, j);
                    *m.at_mut(i, j) -= factor * upper;
                }
            }
        }
        (0..4).map(|i| m.at(i, i).ln()).sum()
    }
}

#[test]
fn each_call_has_the_numbers_of_its_time() {
    scalar!(matrix::reshaped::AD, matrix::reshaped)
        .takes_memory()
        .check(&POINTS);
    scalar!(matrix::grown::AD, matrix::grown)
        .takes_memory()
        .check(&POINTS);
    scalar!(matrix::eliminated::AD, matrix::eliminated).check(&POINTS);
}
