//! Iterators, generic enums and operators of the module's own.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

    /// Iterates of the logistic map.
    struct Logistic {
        rate: f64,
        at: f64,
    }

    impl Iterator for Logistic {
        type Item = f64;

        fn next(&mut self) -> Option<f64> {
            self.at = self.rate * self.at * (1.0 - self.at);
            Some(self.at)
        }
    }

    pub fn orbit(x: &[f64]) -> f64 {
        let orbit = Logistic {
            rate: x[0],
            at: x[1],
        };
        orbit
            .skip(1)
            .step_by(2)
            .take(3)
            .zip([1.0, 2.0, 4.0])
            .map(|(v, w)| v * w)
            .sum()
    }

    fn powers(of: f64) -> impl Iterator<Item = f64> + Clone {
        std::iter::successors(Some(1.0), move |last| Some(last * of))
    }

    fn differences<'a>(of: &'a [f64]) -> Box<dyn Iterator<Item = f64> + 'a> {
        Box::new(of.windows(2).map(|w| w[1] - w[0]))
    }

    pub fn chains(x: &[f64]) -> f64 {
        let (small, large): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| **v < 0.5);
        let series = powers(x[0])
            .take_while(|v| v.abs() > 0.1)
            .fold(0.0, |s, v| s + v);
        let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scanned: f64 = differences(x)
            .scan(1.0, |p, v| {
                *p *= v;
                Some(*p)
            })
            .sum();
        let largest = x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        let spread: f64 = x.chunks(2).flat_map(|c| c.iter().map(|v| v * v)).sum();
        series
            + most * largest
            + scanned
            + spread
            + small.iter().sum::<f64>() * large.iter().product::<f64>()
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct Vec2<T>(T, T);

    impl<T: Add<Output = T>> Add for Vec2<T> {
        type Output = Vec2<T>;
        fn add(self, other: Self) -> Self {
            Vec2(self.0 + other.0, self.1 + other.1)
        }
    }

    impl<T: AddAssign> AddAssign for Vec2<T> {
        fn add_assign(&mut self, other: Self) {
            self.0 += other.0;
            self.1 += other.1;
        }
    }

    impl Mul<Vec2<f64>> for f64 {
        type Output = Vec2<f64>;
        fn mul(self, v: Vec2<f64>) -> Vec2<f64> {
            Vec2(self * v.0, self * v.1)
        }
    }

    impl<'a> Mul<&'a Vec2<f64>> for &'a Vec2<f64> {
        type Output = f64;
        fn mul(self, v: &Vec2<f64>) -> f64 {
            self.0 * v.0 + self.1 * v.1
        }
    }

    impl<T: Neg<Output = T>> Neg for Vec2<T> {
        type Output = Vec2<T>;
        fn neg(self) -> Self {
            Vec2(-self.0, -self.1)
        }
    }

    impl std::iter::Sum for Vec2<f64> {
        fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
            all.fold(Vec2::default(), |a, b| a + b)
        }
    }

    impl From<[f64; 2]> for Vec2<f64> {
        fn from([a, b]: [f64; 2]) -> Self {
            Vec2(a, b)
        }
    }

    pub fn vectors(x: &[f64]) -> f64 {
        let all: Vec<Vec2<f64>> = x
            .windows(2)
            .map(|w| Vec2::from([w[0], w[1].sin()]))
            .collect();
        let mut sum: Vec2<f64> = all.iter().copied().sum();
        sum += 0.5 * -all[0];
        &sum * &all[1]
    }

    #[derive(Clone, Debug)]
    enum Expr<T> {
        Known(T),
        Input(usize),
        Sum(Vec<Expr<T>>),
        Apply { op: fn(T) -> T, to: Box<Expr<T>> },
        Product(Box<Expr<T>>, Box<Expr<T>>),
    }

    fn evaluate<T>(e: &Expr<T>, inputs: &[T], zero: T) -> T
    where
        T: Copy + Add<Output = T> + Mul<Output = T>,
    {
        match e {
            Expr::Known(v) => *v,
            Expr::Input(k) => inputs[*k],
            Expr::Sum(all) => all.iter().fold(zero, |s, e| s + evaluate(e, inputs, zero)),
            Expr::Apply { op, to } => op(evaluate(to, inputs, zero)),
            Expr::Product(a, b) => evaluate(a, inputs, zero) * evaluate(b, inputs, zero),
        }
    }

    pub fn interpreted(x: &[f64]) -> f64 {
        let sine = Expr::Apply {
            op: f64::sin,
            to: Box::new(Expr::Input(0)),
        };
        let square = Expr::Product(Box::new(sine.clone()), Box::new(sine));
        let e = Expr::Sum(vec![
            square,
            Expr::Known(x[0] * 0.5),
            Expr::Input(1),
            Expr::Known(2.0),
        ]);
        evaluate(&e, x, 0.0) * evaluate(&Expr::Input(1), x, 0.0)
    }

    /// A matrix with its size among its parameters.
    struct Matrix<const M: usize, const N: usize>([[f64; N]; M]);

    impl<const M: usize, const N: usize> Index<(usize, usize)> for Matrix<M, N> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.0[i][j]
        }
    }

    impl<const M: usize, const N: usize> IndexMut<(usize, usize)> for Matrix<M, N> {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.0[i][j]
        }
    }

    impl<const M: usize, const N: usize, const K: usize> Mul<&Matrix<N, K>> for &Matrix<M, N> {
        type Output = Matrix<M, K>;
        fn mul(self, other: &Matrix<N, K>) -> Matrix<M, K> {
            let mut product = Matrix([[0.0; K]; M]);
            for i in 0..M {
                for j in 0..K {
                    for k in 0..N {
                        product[(i, j)] += self[(i, k)] * other[(k, j)];
                    }
                }
            }
            product
        }
    }

    impl<const M: usize> Sub for Matrix<M, M> {
        type Output = Self;
        fn sub(mut self, other: Self) -> Self {
            for i in 0..M * M {
                self[(i / M, i % M)] -= other[(i / M, i % M)];
            }
            self
        }
    }

    /// The determinant of a commutator.
    pub fn commutator(x: &[f64]) -> f64 {
        let a = Matrix([[x[0], 1.0], [x[1], x[2]]]);
        let b = Matrix([[0.5, x[1]], [x[2].cos(), 2.0]]);
        let c = &a * &b - &b * &a;
        c[(0, 0)] * c[(1, 1)] - c[(0, 1)] * c[(1, 0)]
    }
}

#[test]
fn iterators_yield_numbers() {
    agrees!(model::orbit::AD, model::orbit, [[2.3, 0.4], [3.1, 0.2]]);
    agrees!(
        model::chains::AD,
        model::chains,
        [[0.4, 0.9, -0.3], [0.7, 1.4, 0.2]]
    );
}

#[test]
fn operators_are_of_own_types() {
    agrees!(
        model::vectors::AD,
        model::vectors,
        [[0.4, 0.9, -0.3], [0.7, 1.4, 0.2]]
    );
    agrees!(
        model::commutator::AD,
        model::commutator,
        [[0.4, 0.9, -0.3], [0.7, 1.4, 0.2]]
    );
}

#[test]
fn enums_are_generic() {
    agrees!(
        model::interpreted::AD,
        model::interpreted,
        [[0.4, 0.9], [0.7, -1.4]]
    );
    let g = gradient(
        model::interpreted::AD,
        NoPrep,
        &AutoDual::new(),
        &[0.4, 0.9],
    )
    .unwrap();
    let v = 0.4_f64.sin().powi(2) + 0.2 + 0.9 + 2.0;
    close("gradient", &g, &[(0.8_f64.sin() + 0.5) * 0.9, v + 0.9]);
}
