//! Structs of annotated modules that are generic over types: each use with types that are known has code of its own.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.0, 2.0], &[0.4, 0.3]];

#[differentiable]
mod stacks {
    pub trait Profile {
        fn at(&self, h: f64) -> f64;
    }
    #[derive(Clone, Copy)]
    pub struct Layer {
        pub peak: f64,
    }
    impl Profile for Layer {
        fn at(&self, h: f64) -> f64 {
            self.peak * (-h).exp()
        }
    }
    #[derive(Clone, Copy)]
    pub struct Flat(pub f64);
    impl Profile for Flat {
        fn at(&self, h: f64) -> f64 {
            self.0 * self.0 + h
        }
    }
    pub struct Stack<A, B> {
        a: A,
        b: B,
    }
    impl<A: Profile, B: Profile> Profile for Stack<A, B> {
        fn at(&self, h: f64) -> f64 {
            self.a.at(h) + self.b.at(2.0 * h)
        }
    }
    impl<A, B> Stack<A, B> {
        pub fn new(a: A, b: B) -> Self {
            Self { a, b }
        }
        fn swap(self) -> Stack<B, A> {
            Stack {
                a: self.b,
                b: self.a,
            }
        }
    }
    fn drive<P: Profile>(p: &P, h: f64) -> f64 {
        p.at(h) * p.at(0.1)
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let a = Layer { peak: x[0] };
        let s = Stack { a, b: Flat(x[1]) };
        let t = Stack::new(s, a);
        let u = Stack { a: a, b: a };
        let w = Stack::new(Flat(x[0] * x[1]), a).swap();
        t.at(0.5) + drive(&u, x[1]) + drive(&t, 0.2) + w.at(x[0])
    }
    #[derive(Clone, Debug)]
    pub struct Matrix<T> {
        rows: usize,
        cols: usize,
        data: Vec<T>,
    }
    impl<T: Copy> Matrix<T> {
        fn from_rows(rows: usize, cols: usize, data: Vec<T>) -> Self {
            Matrix { rows, cols, data }
        }
        fn get(&self, i: usize, j: usize) -> T {
            self.data[i * self.cols + j]
        }
        fn set(&mut self, i: usize, j: usize, v: T) {
            self.data[i * self.cols + j] = v;
        }
    }
    impl Matrix<f64> {
        fn zeros(rows: usize, cols: usize) -> Self {
            Matrix {
                rows,
                cols,
                data: vec![0.0; rows * cols],
            }
        }
        fn mul(&self, o: &Matrix<f64>) -> Matrix<f64> {
            let mut r = Matrix::zeros(self.rows, o.cols);
            for i in 0..self.rows {
                for j in 0..o.cols {
                    for k in 0..self.cols {
                        let v = r.get(i, j) + self.get(i, k) * o.get(k, j);
                        r.set(i, j, v);
                    }
                }
            }
            r
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let m = Matrix::from_rows(2, 2, vec![x[0], x[1], 1.0, x[0] * x[1]]);
        let n = m.mul(&m);
        n.get(0, 0) * n.get(1, 1) + n.data.iter().sum::<f64>()
    }
}

#[differentiable]
mod models {
    pub trait Model {
        const N: usize;
        fn eval(&self, x: f64) -> f64;
    }
    #[derive(Clone)]
    pub struct Line {
        pub a: f64,
        pub b: f64,
    }
    impl Model for Line {
        const N: usize = 2;
        fn eval(&self, x: f64) -> f64 {
            self.a + self.b * x
        }
    }
    pub struct Fit<M: Model> {
        model: M,
        data: Vec<(f64, f64)>,
    }
    impl<M: Model> Fit<M> {
        fn new(model: M, data: Vec<(f64, f64)>) -> Fit<M> {
            Fit { model, data }
        }
        fn cost(&self) -> f64 {
            self.data
                .iter()
                .map(|(x, y)| (self.model.eval(*x) - y).powi(2))
                .sum::<f64>()
                / M::N as f64
        }
    }
    pub(super) fn fit(p: &[f64]) -> f64 {
        let f = Fit::new(
            Line { a: p[0], b: p[1] },
            vec![(0.0, 1.0), (1.0, 2.5), (2.0, 4.0)],
        );
        f.cost()
    }
    pub trait System {
        fn rate(&self, s: [f64; 2]) -> [f64; 2];
    }
    pub struct Pendulum {
        l: f64,
    }
    impl System for Pendulum {
        fn rate(&self, s: [f64; 2]) -> [f64; 2] {
            [s[1], -9.81 / self.l * s[0].sin()]
        }
    }
    pub struct Spring {
        k: f64,
        c: f64,
    }
    impl System for Spring {
        fn rate(&self, s: [f64; 2]) -> [f64; 2] {
            [s[1], -self.k * s[0] - self.c * s[1]]
        }
    }
    pub struct Integrator<S>
    where
        S: System,
    {
        system: S,
        dt: f64,
    }
    impl<S> Integrator<S>
    where
        S: System,
    {
        fn step(&self, s: [f64; 2]) -> [f64; 2] {
            let d = self.system.rate(s);
            [s[0] + self.dt * d[0], s[1] + self.dt * d[1]]
        }
        fn run(&self, mut s: [f64; 2], n: usize) -> [f64; 2] {
            for _ in 0..n {
                s = self.step(s);
            }
            s
        }
    }
    fn energy<S: System>(i: &Integrator<S>) -> f64 {
        let s = i.run([1.0, 0.0], 3);
        s[0] * s[0] + s[1] * s[1]
    }
    pub(super) fn swing(x: &[f64]) -> f64 {
        let i = Integrator {
            system: Pendulum { l: x[0] },
            dt: 0.01,
        };
        let j = Integrator {
            system: Spring { k: x[0], c: x[1] },
            dt: 0.02 * x[1],
        };
        let s = i.run([0.3, 0.0], 20);
        s[0] + j.run([1.0, s[1]], 10)[0] + energy(&j)
    }
    #[derive(Clone, Copy)]
    pub struct Pair<T>(T, T);
    impl<T: Copy> Pair<T> {
        fn swap(&self) -> Pair<T> {
            Pair(self.1, self.0)
        }
    }
    pub(super) fn pair(x: &[f64]) -> f64 {
        let p = Pair(x[0], x[1] * x[1]);
        let Pair(a, b) = p.swap();
        let k = Pair(1usize, 2usize).swap();
        a * a + b + k.0 as f64
    }
}

#[test]
fn structs_of_structs() {
    scalar!(stacks::f::AD, stacks::f).row(894).check(&POINTS);
}

#[test]
fn structs_of_numbers() {
    scalar!(stacks::g::AD, stacks::g)
        .takes_memory()
        .row(895)
        .check(&POINTS);
    scalar!(models::pair::AD, models::pair)
        .row(895)
        .check(&POINTS);
}

#[test]
fn structs_of_models() {
    scalar!(models::fit::AD, models::fit)
        .takes_memory()
        .row(894)
        .check(&POINTS);
    scalar!(models::swing::AD, models::swing)
        .row(894)
        .check(&POINTS);
}
