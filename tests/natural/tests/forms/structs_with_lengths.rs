//! Matrices, parameters and observations generic over their lengths.

/// A Kalman filter of a position and a velocity with unknown noise.
mod tracking {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod filter {
        #[derive(Clone, Copy, Debug)]
        pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);

        impl<const R: usize, const C: usize> Mat<R, C> {
            fn zero() -> Self {
                Mat([[0.0; C]; R])
            }

            fn dot<const K: usize>(&self, other: &Mat<C, K>) -> Mat<R, K> {
                let mut out = Mat::<R, K>::zero();
                for i in 0..R {
                    for j in 0..K {
                        for k in 0..C {
                            out.0[i][j] += self.0[i][k] * other.0[k][j];
                        }
                    }
                }
                out
            }

            fn t(&self) -> Mat<C, R> {
                let mut out = Mat::zero();
                for i in 0..R {
                    for j in 0..C {
                        out.0[j][i] = self.0[i][j];
                    }
                }
                out
            }

            fn scaled(mut self, by: f64) -> Self {
                for row in self.0.iter_mut() {
                    for v in row.iter_mut() {
                        *v *= by;
                    }
                }
                self
            }
        }

        impl<const R: usize, const C: usize> std::ops::Add for Mat<R, C> {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                let mut sum = self;
                for (row, others) in sum.0.iter_mut().zip(other.0.iter()) {
                    for (v, o) in row.iter_mut().zip(others) {
                        *v += o;
                    }
                }
                sum
            }
        }

        /// Negative log-likelihood of positions that were measured.
        pub fn surprise(x: &[f64], #[constant] seen: &[f64]) -> f64 {
            let (process, sensor, dt) = (x[0].exp(), x[1].exp(), 0.4);
            let step = Mat([[1.0, dt], [-x[2] * dt, 1.0]]);
            let look = Mat([[1.0, 0.0]]);
            let mut mean = Mat([[seen[0]], [x[3]]]);
            let mut spread = Mat([[1.0, 0.0], [0.0, 1.0]]);
            let mut total = 0.0;
            for z in &seen[1..] {
                mean = step.dot(&mean);
                let drift = Mat([[0.0, 0.0], [0.0, process]]);
                spread = step.dot(&spread).dot(&step.t()) + drift;
                let s = look.dot(&spread).dot(&look.t()).0[0][0] + sensor;
                let off = z - look.dot(&mean).0[0][0];
                let gain = spread.dot(&look.t()).scaled(1.0 / s);
                mean = mean + gain.scaled(off);
                spread = spread + gain.dot(&gain.t()).scaled(-s);
                total += 0.5 * (s.ln() + off * off / s);
            }
            total
        }
    }

    #[test]
    fn surprise() {
        use filter::surprise;
        let seen = [0.1, 0.5, 0.8, 0.9, 0.7];
        scalar!(surprise, (&seen[..]), &[-1.0, -0.7, 0.3, 0.9]);
    }
}

/// A life cycle in stages: growth by fertility, survival and harvest.
mod stages {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod population {
        #[derive(Clone, Debug)]
        pub struct Rates<const N: usize> {
            pub fertility: [f64; N],
            pub survival: [f64; N],
            pub crowding: f64,
        }

        #[derive(Clone, Debug)]
        pub struct Census<const N: usize> {
            pub start: [f64; N],
            pub weights: [f64; N],
        }

        impl<const N: usize> Rates<N> {
            pub fn matrix(&self, c: &Census<N>) -> [[f64; N]; N] {
                let size: f64 = c.start.iter().zip(&c.weights).map(|(s, w)| s * w).sum();
                let mut m = [[0.0; N]; N];
                for (j, f) in self.fertility.iter().enumerate() {
                    m[0][j] = f / (1.0 + self.crowding * size);
                }
                for i in 1..N {
                    m[i][i - 1] = self.survival[i - 1];
                }
                m[N - 1][N - 1] += self.survival[N - 1];
                m
            }
        }

        fn advance<const N: usize>(m: &[[f64; N]; N], v: [f64; N]) -> [f64; N] {
            let mut next = [0.0; N];
            for i in 0..N {
                next[i] = m[i].iter().zip(v).map(|(a, b)| a * b).sum();
            }
            next
        }

        pub fn growth<const N: usize>(m: &[[f64; N]; N]) -> f64 {
            let mut v = [1.0 / N as f64; N];
            let mut rate = 0.0;
            for _ in 0..25 {
                let next = advance(m, v);
                rate = next.iter().sum();
                v = next.map(|x| x / rate);
            }
            rate
        }

        pub fn misfit(
            x: &[f64],
            #[constant] census: &Census<3>,
            #[constant] later: [f64; 3],
        ) -> f64 {
            let rates = Rates {
                fertility: [0.0, x[0], x[1]],
                survival: [x[2], 0.6, 0.3],
                crowding: x[3].exp(),
            };
            let m = rates.matrix(census);
            let found = advance(&m, advance(&m, census.start));
            let off: f64 = found.iter().zip(&later).map(|(a, b)| (a - b).powi(2)).sum();
            off + (growth(&m) - 1.05).powi(2)
        }
    }

    #[test]
    fn misfit() {
        use population::{Census, misfit};
        let census = Census {
            start: [4.0, 2.0, 1.0],
            weights: [0.1, 0.5, 1.0],
        };
        scalar!(misfit, (&census, [3.0, 1.5, 1.2]), &[1.1, 1.6, 0.45, -2.0]);
    }
}

/// Answers on a scale, of items that stand in a module of their own.
mod answers {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod scales {
        fn logistic(x: f64) -> f64 {
            1.0 / (1.0 + (-x).exp())
        }

        #[derive(Clone, Copy, Debug)]
        pub struct Item<const K: usize> {
            pub slope: f64,
            pub steps: [f64; K],
        }

        impl<const K: usize> Item<K> {
            pub fn chance(&self, skill: f64, answer: usize) -> f64 {
                let above = |k: usize| logistic(self.slope * skill - self.steps[k]);
                let from = if answer > 0 { above(answer - 1) } else { 1.0 };
                let to = if answer < K { above(answer) } else { 0.0 };
                from - to
            }
        }
    }

    #[differentiable]
    mod survey {
        use super::scales::Item;

        fn items(x: &[f64]) -> [Item<2>; 2] {
            [0, 1].map(|i| {
                let p = &x[3 * i..3 * i + 3];
                Item {
                    slope: p[0].exp(),
                    steps: [p[1], p[1] + p[2].exp()],
                }
            })
        }

        pub fn surprise(x: &[f64], answers: &[[usize; 2]]) -> f64 {
            let (shape, skills) = x.split_at(6);
            let items = items(shape);
            let mut total = 0.0;
            for (skill, given) in skills.iter().zip(answers) {
                for (item, &answer) in items.iter().zip(given) {
                    total -= item.chance(*skill, answer).ln();
                }
                total += 0.5 * skill * skill;
            }
            total
        }
    }

    #[test]
    fn surprise() {
        use survey::surprise;
        let answers = [[0, 1], [2, 2]];
        scalar!(
            surprise,
            (&answers[..]),
            &[0.1, -0.5, 0.2, 0.3, -0.7, 0.4, -0.6, 1.1]
        );
    }
}

/// Planar arm with matrices of our own, generic in the size.
mod arm {
    use crate::check::vector;
    use di::prelude::*;
    use std::ops::{Index, Mul};

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Matrix<const R: usize, const C: usize> {
        a: [[f64; C]; R],
    }

    #[differentiable]
    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
            let mut a = [[0.0; C]; R];
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        a[i][j] += self.a[i][k] * o.a[k][j];
                    }
                }
            }
            Matrix { a }
        }
    }

    #[differentiable]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.a[i][j]
        }
    }

    #[differentiable]
    fn joint(angle: f64, length: f64) -> Matrix<3, 3> {
        let (s, c) = angle.sin_cos();
        Matrix {
            a: [[c, -s, c * length], [s, c, s * length], [0.0, 0.0, 1.0]],
        }
    }

    #[differentiable]
    fn hand(q: &[f64], #[constant] lengths: &[f64]) -> Vec<f64> {
        let mut t = joint(q[0], lengths[0]);
        for (angle, l) in q.iter().zip(lengths).skip(1) {
            t = t * joint(*angle, *l);
        }
        let tip = t * Matrix {
            a: [[0.1], [0.0], [1.0]],
        };
        vec![tip[(0, 0)], tip[(1, 0)], t[(1, 0)].atan2(t[(0, 0)])]
    }

    #[test]
    fn hand_of_an_arm() {
        let lengths = [0.5, 0.4, 0.3, 0.2];
        vector!(hand, (&lengths), &vec![0.3, -0.5, 0.9, 0.2]);
    }
}
