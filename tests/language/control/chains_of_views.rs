//! Methods of structs that borrow, which return iterators over parts of what is borrowed.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
mod img {
    #[derive(Clone, Copy)]
    pub(super) struct View<'a> {
        data: &'a [f64],
        width: usize,
    }
    impl<'a> View<'a> {
        pub(super) fn rows(&self) -> impl Iterator<Item = &'a [f64]> {
            self.data.chunks(self.width)
        }
        pub(super) fn rows_exact(self) -> impl Iterator<Item = &'a [f64]> + 'a {
            self.data.chunks_exact(self.width)
        }
        pub(super) fn col(self, c: usize) -> impl Iterator<Item = f64> + 'a {
            self.data.iter().skip(c).step_by(self.width).copied()
        }
        pub(super) fn col_ref(&self, c: usize) -> impl Iterator<Item = &'a f64> + use<'a> {
            self.data.iter().skip(c).step_by(self.width)
        }
        pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, &[f64])> + '_ {
            self.data.windows(2).enumerate()
        }
        pub(super) fn energy(&self) -> f64 {
            self.rows().map(|r| r[0] * r[0]).sum::<f64>()
                + self.col(0).fold(0.0, |a, b| a + b * a + b)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let v = View { data: x, width: 2 };
        let mut s = 0.0;
        for row in v.rows() {
            s += row[0].powi(2) * row.len() as f64;
        }
        for row in v.rows_exact() {
            s += (row[1] - row[0]).powi(2);
        }
        let col: Vec<f64> = v.col(0).collect();
        for (i, w) in v.pairs() {
            s += w[0] * w[1] * (i + 1) as f64;
        }
        for (a, b) in v.col_ref(0).zip(v.col(0)) {
            s += a * b;
        }
        s * col[0] * col[1]
            + v.energy()
            + v.rows()
                .map(|r| r.iter().sum::<f64>())
                .fold(0.0, |a: f64, b| a * 0.5 + b * b)
    }
}

#[test]
fn iterators_of_views() {
    scalar!(img::f::AD, img::f).row(904).check(&POINTS);
}
