//! Structs of annotated modules that are generic over types that only their uses tell, and over marks without values.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.0, 2.0], &[0.4, 0.3]];

#[differentiable]
mod units {
    use std::marker::PhantomData;
    use std::ops::{Add, Sub};
    #[derive(Clone, Copy)]
    pub struct Metre;
    #[derive(Clone, Copy)]
    pub struct World;
    #[derive(Clone, Copy)]
    pub struct Quantity<U> {
        v: f64,
        unit: PhantomData<U>,
    }
    impl<U> Quantity<U> {
        pub fn new(v: f64) -> Self {
            Quantity {
                v,
                unit: PhantomData,
            }
        }
        fn scaled(self, by: f64) -> Quantity<U> {
            Quantity::new(self.v * by)
        }
    }
    impl<U> Add for Quantity<U> {
        type Output = Quantity<U>;
        fn add(self, o: Quantity<U>) -> Quantity<U> {
            Quantity::new(self.v + o.v)
        }
    }
    #[derive(Clone, Copy)]
    pub struct Point<F> {
        x: f64,
        y: f64,
        frame: PhantomData<F>,
    }
    impl<F> Point<F> {
        pub fn new(x: f64, y: f64) -> Self {
            Self {
                x,
                y,
                frame: PhantomData,
            }
        }
    }
    impl<F> Sub for Point<F> {
        type Output = Point<F>;
        fn sub(self, o: Point<F>) -> Point<F> {
            Point::new(self.x - o.x, self.y - o.y)
        }
    }
    fn len(v: Point<World>) -> f64 {
        v.x.hypot(v.y)
    }
    fn area(a: Quantity<Metre>, b: Quantity<Metre>) -> f64 {
        a.v * b.v
    }
    #[derive(Clone, Copy)]
    pub struct Plain {
        v: f64,
        unit: PhantomData<Metre>,
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let a = Quantity::<Metre>::new(x[0]);
        let mut sum = a;
        for k in 0..3 {
            sum = sum + a.scaled(x[1] * k as f64);
        }
        area(sum, Quantity::new(x[1]))
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let at = Point::<World>::new(1.0, x[0]);
        let v = len(Point::new(x[0], x[1]) - at);
        let p = Plain {
            v: x[1] * v,
            unit: PhantomData,
        };
        let all = [p, Plain { v: x[0], ..p }];
        all.iter().map(|p| p.v * p.v).sum()
    }
}

#[test]
fn marks_without_values() {
    scalar!(units::f::AD, |x: &[f64]| units::f(x))
        .row(920)
        .check(&POINTS);
    scalar!(units::g::AD, |x: &[f64]| units::g(x))
        .row(920)
        .check(&POINTS);
}

#[differentiable]
mod told {
    pub trait Law {
        fn at(&self, t: f64) -> f64;
    }
    #[derive(Clone, Copy)]
    pub struct Lin(pub f64);
    impl Law for Lin {
        fn at(&self, t: f64) -> f64 {
            self.0 * t
        }
    }
    #[derive(Clone, Copy)]
    pub struct Sq(pub f64);
    impl Law for Sq {
        fn at(&self, t: f64) -> f64 {
            self.0 * t * t
        }
    }
    pub struct Model<A> {
        law: A,
        k: f64,
    }
    impl<A: Law> Model<A> {
        pub fn new(law: A, k: f64) -> Self {
            Self { law, k }
        }
        pub fn with<B: Law>(&self, other: &B, t: f64) -> f64 {
            self.law.at(t) * other.at(self.k)
        }
        pub fn other<B>(&self, law: B) -> Model<B> {
            Model { law, k: self.k }
        }
    }
    #[derive(Clone, Copy)]
    pub struct V<F: Copy> {
        x: f64,
        y: f64,
        tag: F,
    }
    impl<F: Copy> V<F> {
        pub fn new(x: f64, y: f64, tag: F) -> Self {
            V { x, y, tag }
        }
    }
    impl<F: Copy> std::ops::Sub for V<F> {
        type Output = V<F>;
        fn sub(self, o: V<F>) -> V<F> {
            V::new(self.x - o.x, self.y - o.y, self.tag)
        }
    }
    fn len(v: V<u32>) -> f64 {
        v.x.hypot(v.y) * v.tag as f64
    }
    fn wide(v: &V<i64>) -> f64 {
        v.x * v.y * v.tag as f64
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let m = Model::new(Lin(x[0]), x[1]);
        let q = Model::new(Sq(x[0]), x[1]);
        m.with(&Sq(x[1]), x[0]) + q.with(&Lin(x[0]), 0.3)
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let at = V::new(1.0, x[0], 2u32);
        let b = V::new(x[0], x[1], 3);
        let c = V {
            x: x[0],
            y: 2.0,
            tag: -4,
        };
        let d = b - at;
        len(d) + wide(&c) + wide(&V::new(x[1], x[0], 2)) + len(V::new(x[0], x[1], 3) - at)
    }
}

#[test]
fn types_that_uses_tell() {
    scalar!(told::f::AD, |x: &[f64]| told::f(x))
        .row(919)
        .check(&POINTS);
    scalar!(told::g::AD, |x: &[f64]| told::g(x))
        .row(919)
        .check(&POINTS);
}
