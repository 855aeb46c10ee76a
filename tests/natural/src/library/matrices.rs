//! Small matrices with a size known at compile time.
use di::prelude::*;

pub use model::Mat;

#[differentiable]
mod model {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug)]
    pub struct Mat<const R: usize, const C: usize>(pub [[f64; C]; R]);

    impl<const R: usize, const C: usize> Mat<R, C> {
        pub fn zeros() -> Self {
            Mat([[0.0; C]; R])
        }

        pub fn transpose(&self) -> Mat<C, R> {
            let mut t = Mat::zeros();
            for i in 0..R {
                for j in 0..C {
                    t.0[j][i] = self.0[i][j];
                }
            }
            t
        }
    }

    impl<const N: usize> Mat<N, N> {
        pub fn identity() -> Self {
            let mut m = Self::zeros();
            for i in 0..N {
                m.0[i][i] = 1.0;
            }
            m
        }

        pub fn trace(&self) -> f64 {
            (0..N).map(|i| self.0[i][i]).sum()
        }
    }

    impl Mat<2, 2> {
        pub fn det(&self) -> f64 {
            self.0[0][0] * self.0[1][1] - self.0[0][1] * self.0[1][0]
        }

        pub fn inverse(&self) -> Option<Mat<2, 2>> {
            let d = self.det();
            if d == 0.0 {
                return None;
            }
            Some(Mat([
                [self.0[1][1] / d, -self.0[0][1] / d],
                [-self.0[1][0] / d, self.0[0][0] / d],
            ]))
        }
    }

    impl<const R: usize, const C: usize> Add for Mat<R, C> {
        type Output = Self;
        fn add(mut self, o: Self) -> Self {
            for (a, b) in self.0.iter_mut().zip(&o.0) {
                for (a, b) in a.iter_mut().zip(b) {
                    *a += b;
                }
            }
            self
        }
    }

    impl<const R: usize, const C: usize> Sub for Mat<R, C> {
        type Output = Self;
        fn sub(mut self, o: Self) -> Self {
            for i in 0..R {
                for j in 0..C {
                    self.0[i][j] -= o.0[i][j];
                }
            }
            self
        }
    }

    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, o: Mat<K, C>) -> Mat<R, C> {
            let mut m = Mat::zeros();
            for i in 0..R {
                for j in 0..C {
                    m.0[i][j] = (0..K).map(|k| self.0[i][k] * o.0[k][j]).sum();
                }
            }
            m
        }
    }
}
