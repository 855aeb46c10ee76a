//! Types of annotated modules that choose what is done, and hold no floats: integrators without fields, functions that an
//! enum returns, blocks for all types with some traits, and types that belong to traits.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 0.3], &[-0.4, 1.2]];

#[differentiable]
mod integrators {
    pub struct World {
        p: f64,
        v: f64,
    }
    pub trait Step {
        fn new() -> Self;
        fn step(&mut self, w: &mut World, dt: f64);
        fn order(&self) -> f64 {
            2.0
        }
    }
    #[derive(Default)]
    pub struct Euler;
    pub struct Verlet {}
    impl Step for Euler {
        fn new() -> Self {
            Self
        }
        fn step(&mut self, w: &mut World, dt: f64) {
            w.p += w.v * dt;
            w.v -= w.p * w.p * dt;
        }
        fn order(&self) -> f64 {
            1.0
        }
    }
    impl Step for Verlet {
        fn new() -> Self {
            Verlet {}
        }
        fn step(&mut self, w: &mut World, dt: f64) {
            w.v -= 0.5 * w.p.sin() * dt;
            w.p += w.v * dt;
            w.v -= 0.5 * w.p.sin() * dt;
        }
    }
    impl Verlet {
        pub fn run(&mut self, w: &mut World) -> f64 {
            for _ in 0..3 {
                self.step(w, 0.1);
            }
            w.p * w.v
        }
    }
    pub struct Sim<I: Step> {
        by: I,
        w: World,
    }
    impl<I: Step> Sim<I> {
        pub fn go(&mut self, n: usize) -> f64 {
            for _ in 0..n {
                self.by.step(&mut self.w, 0.1);
            }
            self.w.p * self.by.order()
        }
    }
    pub fn all<I: Step>(by: &mut I, w: &mut World) {
        for _ in 0..2 {
            by.step(w, 0.2);
        }
    }
    pub fn run(x: &[f64]) -> f64 {
        let mut w = World { p: x[0], v: x[1] };
        let mut e = Euler::new();
        let mut v = Verlet::new();
        for _ in 0..2 {
            e.step(&mut w, 0.1);
            v.step(&mut w, x[0]);
        }
        let k = v.run(&mut w);
        all(&mut e, &mut w);
        all(&mut v, &mut w);
        let mut s = Sim { by: Euler, w };
        k * s.go(2)
    }
}

#[test]
fn structs_without_fields_change() {
    scalar!(integrators::run::AD, integrators::run)
        .row(987)
        .check(&POINTS);
}

#[differentiable]
mod layers {
    #[derive(Clone)]
    pub struct Mat {
        n: usize,
        data: Vec<f64>,
    }
    #[derive(Default)]
    pub struct Ramp {
        input: Option<Mat>,
    }
    impl Ramp {
        pub fn new() -> Self {
            Ramp { input: None }
        }
        pub fn forward(&mut self, x: &Mat) -> Mat {
            self.input = Some(x.clone());
            let data = x.data.iter().map(|v| v * v);
            Mat {
                n: x.n,
                data: data.collect(),
            }
        }
        pub fn back(&self) -> f64 {
            match &self.input {
                Some(m) => m.data[1] * m.n as f64,
                None => 0.5,
            }
        }
    }
    pub struct Open {
        pub input: Option<Mat>,
        pub last: Option<f64>,
    }
    impl Open {
        pub fn new() -> Self {
            let data = vec![0.5, 0.25];
            Open {
                input: Some(Mat { n: 1, data }),
                last: None,
            }
        }
    }
    pub struct Net {
        a: Ramp,
        b: Option<Ramp>,
        k: f64,
    }
    impl Net {
        pub fn new() -> Self {
            Net {
                a: Ramp::new(),
                b: Some(Ramp::new()),
                k: 2.0,
            }
        }
    }
    pub fn run(x: &[f64]) -> f64 {
        let m = Mat {
            n: 2,
            data: x.to_vec(),
        };
        let mut r = Ramp::new();
        let mut d = Ramp::default();
        let mut s = 0.0;
        for _ in 0..2 {
            let o = r.forward(&m);
            let p = d.forward(&o);
            s += p.data[0] * r.back() + d.back();
        }
        let mut net = Net::new();
        net.a.forward(&m);
        net.k *= x[0];
        let z = match &net.b {
            Some(b) => b.back() + 1.0,
            None => 5.0,
        };
        let mut o = Open::new();
        let before = o.input.as_ref().map_or(0.0, |m| m.data[0]);
        o.input = Some(m);
        o.last = Some(x[1]);
        let after = o.input.as_ref().map_or(0.0, |m| m.data[0]);
        let last = o.last.unwrap_or(1.0);
        s * net.a.back() * net.k * z + before * after * last
    }
    pub fn listed(x: &[f64]) -> f64 {
        let mut all = vec![Ramp::new(), Ramp::new()];
        let m = Mat {
            n: 2,
            data: x.to_vec(),
        };
        let mut s = 0.0;
        for r in all.iter_mut() {
            s += r.forward(&m).data[1];
        }
        for r in &all {
            s += r.back() * x[0];
        }
        s
    }
}

#[test]
fn options_of_structs_are_made_of_nothing() {
    scalar!(layers::run::AD, layers::run)
        .takes_memory()
        .row(988)
        .check(&POINTS);
    scalar!(layers::listed::AD, layers::listed)
        .takes_memory()
        .row(988)
        .check(&POINTS);
}

#[differentiable]
mod activations {
    #[derive(Clone, Copy)]
    pub enum Act {
        Same,
        Square,
        Tanh,
        Leaky,
    }
    impl Act {
        pub fn func(&self) -> fn(f64) -> f64 {
            match self {
                Act::Same => same,
                Act::Square => square,
                Act::Tanh => f64::tanh,
                Act::Leaky => |x| if x > 0.0 { x } else { 0.1 * x },
            }
        }
        pub fn slope(self) -> fn(f64) -> f64 {
            match self {
                Act::Same => |_| 1.0,
                Act::Square => |x| 2.0 * x,
                _ => Self::one,
            }
        }
        fn one(x: f64) -> f64 {
            1.0 - x * x
        }
    }
    pub fn same(x: f64) -> f64 {
        x
    }
    pub fn square(x: f64) -> f64 {
        x * x
    }
    pub fn free(a: &Act) -> fn(f64) -> f64 {
        match a {
            Act::Same => same,
            _ => square,
        }
    }
    pub struct Layer {
        w: Vec<f64>,
        act: Act,
    }
    impl Layer {
        pub fn go(&self, x: f64) -> f64 {
            let f = self.act.func();
            self.w.iter().map(|w| f(w * x)).sum()
        }
        pub fn back(&self, x: f64) -> f64 {
            (self.act.slope())(self.w[0] * x)
        }
        pub fn direct(&self, x: f64) -> f64 {
            self.act.func()(x * self.w[1])
        }
    }
    pub fn twice(f: fn(f64) -> f64, x: f64) -> f64 {
        f(x) * 2.0
    }
    pub fn run(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for act in [Act::Square, Act::Tanh, Act::Leaky, Act::Same] {
            let w = x.to_vec();
            let layer = Layer { w, act };
            s += layer.go(0.5) + layer.back(0.3) * layer.direct(x[1]);
        }
        s
    }
    pub fn given(x: &[f64]) -> f64 {
        let f = Act::Tanh.func();
        let g = free(&Act::Square);
        let a = Act::Square;
        let sum: f64 = x.iter().copied().map(a.func()).sum();
        twice(f, x[0]) + twice(Act::Square.func(), x[1]) * g(sum) + free(&Act::Same)(x[0])
    }
}

#[test]
fn types_return_functions() {
    scalar!(activations::run::AD, activations::run)
        .takes_memory()
        .row(989)
        .check(&POINTS);
    scalar!(activations::given::AD, activations::given)
        .row(989)
        .check(&POINTS);
}

#[differentiable]
mod blanket {
    use std::ops::{Add, Mul, Sub};

    pub trait Lerp: Sized {
        fn lerp(self, o: Self, f: f64) -> Self;
        fn mid(self, o: Self) -> Self {
            self.lerp(o, 0.5)
        }
    }
    impl<T> Lerp for T
    where
        T: Copy + Add<Output = T>,
        T: Sub<Output = T> + Mul<f64, Output = T>,
    {
        fn lerp(self, o: Self, f: f64) -> Self {
            self + (o - self) * f
        }
    }
    pub trait Norm {
        fn norm2(&self) -> f64;
    }
    pub trait Len {
        fn len(&self) -> f64;
        fn off(&self) -> f64 {
            (self.len() - 1.0).powi(2)
        }
    }
    impl<T: Norm> Len for T {
        fn len(&self) -> f64 {
            self.norm2().sqrt()
        }
    }
    #[derive(Clone, Copy)]
    pub struct P {
        x: f64,
        y: f64,
    }
    pub struct Q(f64);
    impl Add for P {
        type Output = P;
        fn add(self, o: P) -> P {
            P {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }
    impl Sub for P {
        type Output = P;
        fn sub(self, o: P) -> P {
            P {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }
    impl Mul<f64> for P {
        type Output = P;
        fn mul(self, k: f64) -> P {
            P {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }
    impl Norm for P {
        fn norm2(&self) -> f64 {
            self.x * self.x + self.y * self.y
        }
    }
    impl Norm for Q {
        fn norm2(&self) -> f64 {
            self.0 * self.0 * 4.0
        }
    }
    pub fn ease<T: Lerp + Copy>(a: T, b: T, t: f64) -> T {
        a.lerp(b, t * t)
    }
    pub fn run(x: &[f64]) -> f64 {
        let mut p = P { x: x[0], y: 0.1 };
        for k in 0..3 {
            p = p.lerp(P { x: 1.0, y: x[1] }, 0.1 * k as f64 * x[0]);
        }
        let q = p.mid(P { x: x[1], y: x[0] });
        let far = ease(p, q, x[0]).len() + Q(x[1]).off();
        q.x * p.y + far + x[0].lerp(x[1], x[0]) * x[1].mid(2.0) + ease(x[0], x[1], 0.3)
    }
}

#[test]
fn blocks_for_all_types() {
    scalar!(blanket::run::AD, blanket::run)
        .row(990)
        .check(&POINTS);
}

#[differentiable]
mod members {
    #[derive(Clone, Copy)]
    pub struct Ab {
        a: f64,
        b: f64,
    }
    pub trait Eos {
        type Params;
        type Out;
        fn params(t: f64) -> Self::Params;
        fn at(p: &Self::Params, v: f64) -> Self::Out;
        fn whole(p: Self::Params, v: f64) -> Self::Out {
            Self::at(&p, v)
        }
    }
    pub enum W {}
    pub struct S;
    impl Eos for W {
        type Params = Ab;
        type Out = f64;
        fn params(t: f64) -> Self::Params {
            Ab { a: t * t, b: t }
        }
        fn at(p: &Self::Params, v: f64) -> Self::Out {
            let Ab { a, b } = *p;
            a * v + b
        }
    }
    impl Eos for S {
        type Params = (f64, f64);
        type Out = f64;
        fn params(t: f64) -> Self::Params {
            (t, t * 2.0)
        }
        fn at(p: &Self::Params, v: f64) -> f64 {
            p.0 * v * v + p.1
        }
    }
    pub trait Model {
        type State;
        fn next(&self, s: &Self::State, dt: f64) -> Self::State;
        fn start(&self) -> Self::State;
    }
    pub struct Spring {
        k: f64,
    }
    impl Model for Spring {
        type State = [f64; 2];
        fn next(&self, s: &Self::State, dt: f64) -> Self::State {
            [s[0] + s[1] * dt, s[1] - self.k * s[0] * dt]
        }
        fn start(&self) -> Self::State {
            [1.0, self.k]
        }
    }
    pub fn go<E: Eos<Out = f64>>(t: f64, v: f64) -> f64 {
        let p = E::params(t);
        E::at(&p, v) * E::whole(p, t)
    }
    pub fn at<E: Eos<Out = f64>>(p: &E::Params, v: f64) -> f64 {
        E::at(p, v) * 2.0
    }
    pub fn walk<M: Model>(m: &M, n: usize) -> M::State {
        let mut s = m.start();
        for _ in 0..n {
            s = m.next(&s, 0.1);
        }
        s
    }
    pub fn run(x: &[f64]) -> f64 {
        let p = W::params(x[0]);
        let q = S::params(x[1]);
        let s = walk(&Spring { k: x[0] }, 4);
        let sum = W::at(&p, x[1]) * S::at(&q, x[0]) + at::<W>(&p, x[0]);
        sum + W::whole(p, x[0]) + go::<W>(x[0], x[1]) + go::<S>(x[1], x[0]) + s[0] * s[1]
    }
}

#[test]
fn types_of_traits_in_signatures() {
    scalar!(members::run::AD, members::run)
        .row(991)
        .check(&POINTS);
}
