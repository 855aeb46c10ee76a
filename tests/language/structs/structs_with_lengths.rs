//! Structs that are generic over lengths, with methods, operators and functions of their own.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, 0.3]];

#[differentiable]
mod grids {
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg};

    #[derive(Clone, Copy, Debug)]
    pub struct Grid<const R: usize, const C: usize> {
        pub cells: [[f64; C]; R],
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Row<const N: usize>(pub [f64; N]);

    pub(super) trait Energy {
        fn energy(&self) -> f64;
        fn doubled(&self) -> f64 {
            2.0 * self.energy()
        }
    }

    impl<const R: usize, const C: usize> Energy for Grid<R, C> {
        fn energy(&self) -> f64 {
            let mut sum = 0.0;
            for row in &self.cells {
                for v in row {
                    sum += v * v;
                }
            }
            sum / (R * C) as f64
        }
    }

    impl<const R: usize, const C: usize> Grid<R, C> {
        pub const SIZE: usize = R * C;

        pub fn zeros() -> Self {
            Grid {
                cells: [[0.0; C]; R],
            }
        }

        pub fn times<const K: usize>(&self, right: &Grid<C, K>) -> Grid<R, K> {
            let mut product = Grid::<R, K>::zeros();
            for i in 0..R {
                for j in 0..K {
                    product.cells[i][j] =
                        (0..C).map(|k| self.cells[i][k] * right.cells[k][j]).sum();
                }
            }
            product
        }

        pub fn flipped(&self) -> Grid<C, R> {
            let mut flipped = Grid::zeros();
            for (i, row) in self.cells.iter().enumerate() {
                for (j, v) in row.iter().enumerate() {
                    flipped.cells[j][i] = *v;
                }
            }
            flipped
        }

        pub fn on(&self, v: &[f64; C]) -> [f64; R] {
            self.cells
                .map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
        }

        pub fn line(&self, i: usize) -> &[f64; C] {
            &self.cells[i]
        }
    }

    impl<const N: usize> Grid<N, N> {
        pub fn unit() -> Self {
            let mut unit = Self::zeros();
            for i in 0..N {
                unit.cells[i][i] = 1.0;
            }
            unit
        }

        pub fn power(&self, n: usize) -> Self {
            let mut power = Self::unit();
            for _ in 0..n {
                power = power.times(self);
            }
            power
        }

        pub fn trace(&self) -> f64 {
            (0..N).map(|i| self.cells[i][i]).sum()
        }
    }

    impl Grid<2, 2> {
        pub fn det(&self) -> f64 {
            let [[a, b], [c, d]] = self.cells;
            a * d - b * c
        }
    }

    impl Grid<1, 1> {
        pub fn det(&self) -> f64 {
            self.cells[0][0]
        }
    }

    impl<const N: usize> Add for Row<N> {
        type Output = Row<N>;
        fn add(mut self, other: Self) -> Self {
            for i in 0..N {
                self.0[i] += other.0[i];
            }
            self
        }
    }

    impl<const N: usize> Neg for Row<N> {
        type Output = Self;
        fn neg(self) -> Self {
            Row(self.0.map(|v| -v))
        }
    }

    impl<const N: usize> Mul<Row<N>> for f64 {
        type Output = Row<N>;
        fn mul(self, row: Row<N>) -> Row<N> {
            Row(row.0.map(|v| v * self))
        }
    }

    impl<const N: usize> AddAssign for Row<N> {
        fn add_assign(&mut self, other: Row<N>) {
            *self = *self + other;
        }
    }

    impl<const N: usize> Index<usize> for Row<N> {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            &self.0[i]
        }
    }

    impl<const N: usize> IndexMut<usize> for Row<N> {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.0[i]
        }
    }

    impl<const N: usize> Row<N> {
        pub fn first<const M: usize>(&self) -> Row<M> {
            let mut first = Row([0.0; M]);
            for k in 0..M {
                first[k] = self[k];
            }
            first
        }

        pub fn mean(&self) -> f64 {
            self.0.iter().sum::<f64>() / N as f64
        }

        pub fn grow(&mut self, by: f64) {
            for v in &mut self.0 {
                *v *= by;
            }
        }
    }

    fn gram<const R: usize, const C: usize>(g: &Grid<R, C>) -> Grid<C, C> {
        g.flipped().times(g)
    }

    pub(super) fn of_grids(x: &[f64]) -> f64 {
        let flow = Grid {
            cells: [[x[0], x[1], 0.5], [x[2] * x[1], x[3].sin(), x[0]]],
        };
        let other = flow.times(&flow.flipped());
        let single = Grid {
            cells: [[x[3] * x[0]]],
        };
        flow.times(&flow.flipped()).cells[0][1] * single.det()
            + other.det()
            + gram(&flow).power(3).trace()
            + gram(&flow.flipped()).det() * flow.doubled()
            + flow.line(1)[1] * Grid::<2, 3>::SIZE as f64
            + flow.on(&[x[3], 1.0, x[2]])[1]
    }

    pub(super) fn of_rows(x: &[f64]) -> f64 {
        let a = Row([x[0], x[1], x[2]]);
        let b = Row([x[3], 0.5, x[0] * x[1]]);
        let mut c = a + 2.0 * b + -(x[3] * a);
        c += a;
        c[1] = c[0] * x[2];
        c.grow(x[3]);
        let short = c.first::<2>();
        let given: Row<2> = a.first();
        (short + given)[1] * c.mean() + short[0]
    }
}

#[test]
fn methods_and_functions() {
    scalar!(grids::of_grids::AD, grids::of_grids)
        .rows(&[310, 311])
        .step(0.02)
        .check(&POINTS);
}

#[test]
fn operators_and_elements() {
    scalar!(grids::of_rows::AD, grids::of_rows)
        .rows(&[310, 311])
        .check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Taps<const N: usize> {
    gains: [f64; N],
    bias: f64,
}

#[differentiable]
impl<const N: usize> Taps<N> {
    fn flat(gain: f64) -> Self {
        Taps {
            gains: [gain; N],
            bias: 0.1,
        }
    }

    fn response(&self, signal: &[f64]) -> f64 {
        let mut sum = self.bias;
        for k in 0..N {
            sum += self.gains[k] * signal[k % signal.len()] / (k + N) as f64;
        }
        sum.tanh()
    }

    fn joined<const M: usize>(&self, other: &Taps<M>, signal: &[f64]) -> f64 {
        self.response(signal) * other.response(signal) + (N * M) as f64 * other.bias
    }
}

#[differentiable]
fn one_by_one(x: &[f64]) -> f64 {
    let taps = Taps {
        gains: [x[0], x[1] * x[1], x[2]],
        bias: x[3],
    };
    let flat = Taps::<2>::flat(x[1]);
    taps.response(x) * flat.response(x) + taps.joined(&flat, &x[1..])
}

#[test]
fn blocks_of_their_own() {
    scalar!(one_by_one).rows(&[310]).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Matrix<const R: usize, const C: usize> {
    a: [[f64; C]; R],
}

#[differentiable]
impl<const R: usize, const K: usize, const C: usize> std::ops::Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
        let mut a = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    a[i][j] += self[(i, k)] * o[(k, j)];
                }
            }
        }
        Matrix { a }
    }
}

#[differentiable]
impl<const R: usize, const C: usize> std::ops::Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.a[i][j]
    }
}

#[differentiable]
impl<const R: usize, const C: usize> std::ops::IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.a[i][j]
    }
}

#[differentiable]
fn hand(x: &[f64]) -> f64 {
    let (s, c) = x[0].sin_cos();
    let turn = Matrix {
        a: [[c, -s, x[1]], [s, c, x[2] * x[1]]],
    };
    let mut tip = turn
        * Matrix {
            a: [[x[3]], [0.5], [1.0]],
        };
    tip[(0, 0)] *= tip[(1, 0)];
    tip[(0, 0)] + turn[(1, 2)] * tip[(1, 0)]
}

#[test]
fn elements_of_blocks_of_their_own() {
    scalar!(hand).rows(&[290, 310]).check(&POINTS);
}

#[differentiable]
fn responses<const N: usize>(x: &[f64], y: &mut [f64]) {
    let mut taps = Taps::<N>::flat(x[0]);
    for k in 0..N {
        taps.gains[k] *= x[k % x.len()];
        y[k] = taps.response(x);
    }
}

#[test]
fn in_functions_with_lengths() {
    inplace!(responses::<3>::AD, responses::<3>, 3)
        .row(310)
        .check(&POINTS);
}

#[test]
fn handles_of_methods() {
    let taps = Taps {
        gains: [0.5, -0.25],
        bias: 0.3,
    };
    let signal = [1.5, 0.4];
    let f = Taps::<2>::response_ad.fix_signal(&signal[..]);
    let g = gradient(f, NoPrep, &AutoSource::new(), &taps).unwrap();
    // (tanh u)' = 1 - tanh^2 u, where u is linear in the gains
    let slope = 1.0 - taps.response(&signal).powi(2);
    let expected = [slope * 1.5 / 2.0, slope * 0.4 / 3.0, slope];
    for (found, expected) in [g.gains[0], g.gains[1], g.bias].iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-15, "{found} {expected}");
    }
}
