//! Generic structs and traits of annotated modules as libraries write them: structs in structs with traits and
//! operators that have parameters, markers, functions of type parameters, methods that are left to a generic trait.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.2, 2.1], &[0.6, 1.7]];

#[differentiable]
mod filters {
    use num_traits::Float;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug)]
    pub struct Gains<T>
    where
        T: Float,
    {
        pub a: T,
        pub b: T,
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Direct<T: Float> {
        pub state: T,
        gains: Gains<T>,
    }
    pub trait Filter<T> {
        fn run(&mut self, input: T) -> T;
    }
    impl<T: Float> Filter<T> for Direct<T> {
        fn run(&mut self, input: T) -> T {
            let out = self.state + self.gains.a * input;
            self.state = out * self.gains.b + input;
            out
        }
    }
    pub(super) fn filtered(x: &[f64]) -> f64 {
        let mut d = Direct {
            state: x[0],
            gains: Gains { a: x[1], b: 0.3 },
        };
        let mut sum = 0.0;
        for k in 0..4 {
            sum += d.run(x[0] * k as f64) * d.run(0.2);
        }
        sum
    }

    #[derive(Copy, Clone)]
    pub struct V<S> {
        pub x: S,
        pub y: S,
    }
    #[derive(Copy, Clone)]
    pub struct Q<S> {
        pub s: S,
        pub v: V<S>,
    }
    impl<S: Copy + Mul<Output = S>> Mul<V<S>> for Q<S> {
        type Output = V<S>;
        fn mul(self, k: V<S>) -> V<S> {
            V {
                x: self.s * k.x,
                y: self.s * k.y,
            }
        }
    }
    impl<S: Copy + Mul<Output = S> + Add<Output = S>> Mul<S> for Q<S> {
        type Output = Q<S>;
        fn mul(self, k: S) -> Q<S> {
            Q {
                s: self.s * k,
                v: self.v * k,
            }
        }
    }
    impl<S: Copy + Mul<Output = S>> Mul<S> for V<S> {
        type Output = V<S>;
        fn mul(self, k: S) -> V<S> {
            V {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }
    impl Mul<V<f64>> for f64 {
        type Output = V<f64>;
        fn mul(self, k: V<f64>) -> V<f64> {
            V {
                x: self * k.x,
                y: self * k.y,
            }
        }
    }
    pub trait Apply<T> {
        fn apply(&self, t: T) -> T;
    }
    impl<T: Copy + Mul<Output = T>> Apply<V<T>> for Q<T> {
        fn apply(&self, t: V<T>) -> V<T> {
            *self * t
        }
    }
    impl<T: Copy + Mul<Output = T>> Apply<T> for V<T> {
        fn apply(&self, t: T) -> T {
            self.x * t
        }
    }
    pub(super) fn turned(x: &[f64]) -> f64 {
        let q = Q {
            s: x[0],
            v: V { x: x[1], y: 2.0 },
        };
        let a = q * (x[0] * q.v) * x[1];
        let mut s = 0.0;
        for _ in 0..3 {
            s += q.apply(a).x * q.v.apply(x[0]);
        }
        a.y * s + (q * x[1]).s
    }
}

#[test]
fn structs_in_structs_with_generic_traits() {
    scalar!(filters::filtered::AD, filters::filtered)
        .row(948)
        .check(&POINTS);
    scalar!(filters::turned::AD, filters::turned)
        .row(948)
        .check(&POINTS);
}

#[differentiable]
mod layers {
    use std::marker::PhantomData;

    pub trait Activation {
        fn apply(v: f64) -> f64;
    }
    pub struct Tanh;
    impl Activation for Tanh {
        fn apply(v: f64) -> f64 {
            v.tanh()
        }
    }
    pub struct Logistic;
    impl Activation for Logistic {
        fn apply(v: f64) -> f64 {
            1.0 / (1.0 + (-v).exp())
        }
    }
    pub struct Layer<A: Activation> {
        w: Vec<f64>,
        b: f64,
        of: PhantomData<A>,
    }
    impl<A: Activation> Layer<A> {
        pub fn new(w: Vec<f64>, b: f64) -> Self {
            Layer {
                w,
                b,
                of: PhantomData,
            }
        }
        pub fn forward(&self, x: &[f64]) -> f64 {
            A::apply(self.w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + self.b)
        }
        pub fn scale(&mut self, k: f64) {
            for w in &mut self.w {
                *w *= k;
            }
        }
    }
    pub(super) fn forward(x: &[f64]) -> f64 {
        let mut a = Layer::<Tanh>::new(x.to_vec(), x[1]);
        let c: Layer<Logistic> = Layer::new(x.to_vec(), -x[0]);
        a.scale(0.3 * x[0]);
        a.forward(x) * c.forward(&[0.5, x[0]])
    }
}

#[test]
fn structs_with_marks_of_types() {
    scalar!(layers::forward::AD, layers::forward)
        .takes_memory()
        .row(949)
        .check(&POINTS);
}

#[differentiable]
mod pairs {
    #[derive(Clone, Copy)]
    pub struct Atom {
        pub r: f64,
        pub e: f64,
    }
    pub trait Pair {
        const SCALE: f64;
        fn energy(r: f64) -> f64;
        fn force(of: &Atom) -> f64;
    }
    pub struct Jones;
    impl Pair for Jones {
        const SCALE: f64 = 1.5;
        fn energy(r: f64) -> f64 {
            r.powi(-4) - r.powi(-2)
        }
        fn force(of: &Atom) -> f64 {
            of.r * of.r * Self::SCALE
        }
    }
    pub struct Coulomb;
    impl Pair for Coulomb {
        const SCALE: f64 = 0.5;
        fn energy(r: f64) -> f64 {
            1.0 / r
        }
        fn force(of: &Atom) -> f64 {
            of.e / of.r
        }
    }
    fn set<P: Pair>(atoms: &mut [Atom]) {
        for atom in atoms.iter_mut() {
            atom.e = P::energy(atom.r) * P::SCALE;
        }
    }
    fn total<P: Pair>(atoms: Vec<Atom>) -> f64 {
        atoms.iter().map(|q| P::energy(q.r) + q.e).sum()
    }
    fn two<P: Pair>(atoms: [Atom; 2]) -> f64 {
        P::force(&atoms[0]) + P::energy(atoms[1].r)
    }
    fn one<P>(atom: Option<Atom>) -> f64
    where
        P: Pair,
    {
        match atom {
            Some(q) => P::energy(q.r),
            None => 0.0,
        }
    }
    pub(super) fn energy(x: &[f64]) -> f64 {
        let mut atoms: Vec<Atom> = x.iter().map(|&r| Atom { r, e: 0.0 }).collect();
        set::<Jones>(&mut atoms);
        let s = two::<Coulomb>([atoms[0], atoms[1]]) + two::<Jones>([atoms[1], atoms[0]]);
        (s + one::<Jones>(Some(atoms[0]))) * total::<Coulomb>(atoms)
    }
}

#[test]
fn functions_of_type_parameters_with_lists_of_structs() {
    scalar!(pairs::energy::AD, pairs::energy)
        .row(950)
        .check(&POINTS);
}

#[differentiable]
mod systems {
    pub trait System<V: Copy, W = f64> {
        fn rhs(&self, y: V) -> V;
        fn twice(&self, y: V) -> V {
            let z: V = self.rhs(y);
            self.rhs(z)
        }
        fn same(&self, w: W) -> W {
            w
        }
        fn stop(&mut self, _y: V) -> bool {
            false
        }
    }
    pub struct Decay {
        pub k: f64,
    }
    impl System<f64> for Decay {
        fn rhs(&self, y: f64) -> f64 {
            -self.k * y * y
        }
    }
    #[derive(Clone, Copy)]
    pub struct P {
        pub x: f64,
        pub y: f64,
    }
    pub struct Turn {
        pub k: f64,
    }
    impl System<P> for Turn {
        fn rhs(&self, p: P) -> P {
            P {
                x: p.y * self.k,
                y: -p.x * p.y,
            }
        }
    }
    pub struct Stepper<F: System<f64>> {
        f: F,
        y: f64,
    }
    impl<F: System<f64>> Stepper<F> {
        fn run(&mut self) -> f64 {
            for _ in 0..4 {
                self.y += 0.1 * self.f.rhs(self.y);
                if self.f.stop(self.y) {
                    break;
                }
            }
            self.y
        }
    }
    fn both<S: System<f64>>(s: &S, y: f64) -> f64 {
        s.twice(y) + s.same(y)
    }
    pub(super) fn run(x: &[f64]) -> f64 {
        let t = Turn { k: x[0] };
        let mut p = P { x: x[1], y: 0.4 };
        for _ in 0..2 {
            p = t.twice(p);
        }
        let mut s = Stepper {
            f: Decay { k: x[0] },
            y: x[1],
        };
        both(&Decay { k: x[1] }, x[0]) * s.run() + p.x * p.y + t.same(x[0])
    }
}

#[test]
fn methods_that_are_left_to_generic_traits() {
    scalar!(systems::run::AD, systems::run)
        .row(951)
        .check(&POINTS);
}

/// Parameters that have the names of other types of the module.
#[differentiable]
mod named {
    #[derive(Clone, Copy)]
    pub struct A {
        pub x: f64,
    }
    #[derive(Clone, Copy)]
    pub struct B {
        pub x: f64,
        pub y: f64,
    }
    pub trait Has {
        fn of(&self) -> f64;
    }
    impl Has for A {
        fn of(&self) -> f64 {
            self.x * self.x
        }
    }
    impl Has for B {
        fn of(&self) -> f64 {
            self.x.sin() * self.y
        }
    }
    #[derive(Clone, Copy)]
    pub struct K<A, B> {
        pub a: A,
        pub b: B,
    }
    impl<A: Has, B: Has> K<A, B> {
        fn two(&self) -> f64 {
            let a: &A = &self.a;
            let b: &B = &self.b;
            a.of() * 3.0 + b.of()
        }
    }
    pub trait Map<A, B> {
        fn to(&self, a: A) -> B;
        fn back(&self, b: B) -> A;
        fn twice(&self, a: A) -> B {
            let b: B = self.to(a);
            let a: A = self.back(b);
            self.to(a)
        }
    }
    pub struct M(pub f64);
    impl Map<B, A> for M {
        fn to(&self, b: B) -> A {
            A {
                x: b.x * b.y * self.0,
            }
        }
        fn back(&self, a: A) -> B {
            B { x: a.x, y: self.0 }
        }
    }
    pub(super) fn mapped(x: &[f64]) -> f64 {
        let (a, b) = (
            A { x: x[0] },
            B {
                x: x[1],
                y: x[0] * x[1],
            },
        );
        let s: K<B, A> = K { a: b, b: a };
        s.two() + M(x[0]).twice(b).x
    }
}

#[test]
fn parameters_with_names_of_types() {
    scalar!(named::mapped::AD, named::mapped)
        .row(948)
        .check(&POINTS);
}
