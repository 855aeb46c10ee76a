//! Structs that are generic over the floats of `num_traits`, and functions of structs of `f32` whose signatures name none.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 2.0, 1.3], &[-0.4, 1.1, 0.6]];

#[differentiable]
mod controlled {
    use num_traits::{Float, FloatConst};

    pub(super) trait Number: num_traits::Signed + PartialOrd + Copy {}
    impl<T> Number for T where T: num_traits::Signed + PartialOrd + Copy {}

    #[derive(Clone, Copy)]
    pub(super) struct Pid<T: Number> {
        kp: T,
        sum: T,
    }

    impl<T: Number> Pid<T> {
        fn new(kp: T) -> Self {
            Self { kp, sum: T::zero() }
        }
        fn step(&mut self, e: T) -> T {
            self.sum = self.sum + e;
            self.kp * self.sum * (T::one() + e)
        }
    }

    #[derive(Clone, Copy)]
    pub(super) struct Band<T: Float> {
        low: T,
        high: T,
    }

    impl<T> Band<T>
    where
        T: Float + FloatConst,
    {
        fn new(high: T) -> Self {
            Band {
                low: T::epsilon(),
                high: high.min(T::infinity()),
            }
        }
        fn within(&self, v: T) -> T {
            let half = T::from(0.5).unwrap();
            num_traits::clamp(v * T::PI() * half, self.low, self.high)
        }
        fn mean(&self, v: &[T]) -> T {
            let n = T::from(v.len()).unwrap();
            v.iter()
                .map(|x| *x * (self.high - T::one()))
                .fold(T::zero(), |s, x| s + x)
                / n
        }
    }

    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: Pid<f64> = Pid::new(x[0]);
        let s = p.step(x[1]) + p.step(x[2] * x[1]);
        let band = Band::<f64>::new(x[1] * x[1]);
        s * band.within(x[2]) + band.mean(x)
    }
}

#[test]
fn structs_over_floats() {
    scalar!(controlled::f::AD, controlled::f)
        .row(968)
        .check(&POINTS);
}

#[differentiable]
mod single {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy)]
    pub(super) struct V {
        x: f32,
        y: f32,
        kind: u8,
    }

    impl Add for V {
        type Output = V;
        fn add(self, o: V) -> V {
            V {
                x: self.x + o.x,
                y: self.y + o.y,
                kind: self.kind,
            }
        }
    }

    impl Sub for V {
        type Output = V;
        fn sub(self, o: V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
                ..self
            }
        }
    }

    impl Mul<f32> for V {
        type Output = V;
        fn mul(self, k: f32) -> V {
            V {
                x: self.x * k,
                y: self.y * k,
                ..self
            }
        }
    }

    pub(super) struct Body {
        at: V,
        by: V,
    }

    impl V {
        fn set(&mut self, kind: u8) {
            self.kind = kind;
        }
        fn turned(&self) -> V {
            V {
                x: -self.y,
                y: self.x,
                ..*self
            }
        }
    }

    fn moved(b: &Body) -> V {
        b.at + b.by.turned()
    }

    pub(super) fn f(x: &[f32]) -> f32 {
        let mut at = V {
            x: x[0],
            y: x[1],
            kind: 0,
        };
        at.set(2);
        let by = at * x[2] - at.turned();
        let end = moved(&Body { at, by });
        (end.x * end.y).sin() + end.x * f32::from(end.kind)
    }
}

#[test]
fn signatures_without_floats() {
    let _row = di_test::rows::row(969);
    let x = [0.7f32, 0.3, 1.2];
    let plain = |x: &[f64]| single::f(&[x[0] as f32, x[1] as f32, x[2] as f32]) as f64;
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let g = gradient(single::f::AD, NoPrep, &backend, &x).unwrap();
        for k in 0..3 {
            let at = |h: f64| {
                let mut x = x.map(f64::from);
                x[k] += h;
                plain(&x)
            };
            let expected = (at(1e-2) - at(-1e-2)) / 2e-2;
            let tolerance = Tolerance {
                relative: 2e-3,
                absolute: 2e-3,
            };
            assert_close("f", &[f64::from(g[k])], &[expected], tolerance);
        }
    }
}

#[differentiable]
mod functions {
    use num_traits::{Float, FloatConst, FromPrimitive, Num, Zero};

    pub(super) trait Number: Float + FromPrimitive + FloatConst {}
    impl<T: Float + FromPrimitive + FloatConst> Number for T {}

    pub(super) struct Sums<T> {
        all: Vec<T>,
    }

    impl<T: Float> Sums<T> {
        fn of(n: usize) -> Self {
            Sums {
                all: vec![T::zero(); n],
            }
        }
        fn scaled(&self, k: T) -> T {
            self.all.iter().fold(T::zero(), |s, v| s + *v * k)
        }
    }

    fn c<F: Number>(x: f64) -> F {
        F::from_f64(x).unwrap()
    }

    fn half<T: Float>() -> T {
        T::one() / (T::one() + T::one())
    }

    fn logistic<T: Float>(x: T) -> T {
        T::one() / (T::one() + (-x).exp() + T::epsilon())
    }

    pub(super) fn horner<T: Float>(a: &[T], x: T) -> T {
        let mut s = T::zero();
        for v in a.iter().rev() {
            s = s * x + *v;
        }
        s
    }

    fn mean<T>(v: &[T]) -> T
    where
        T: Float,
    {
        let s = v.iter().fold(T::zero(), |s, x| s + *x * *x).sqrt();
        s / T::from(v.len()).unwrap()
    }

    fn power<T: Num + Copy>(x: T, n: usize) -> T {
        let mut r = T::one();
        for _ in 0..n {
            r = r * x;
        }
        r
    }

    pub(super) fn smooth<T: Number>(a: T, b: T, x: T) -> T {
        let t = ((x - a) / (b - a)).max(T::zero()).min(T::one());
        t * t * (c::<T>(3.0) - c::<T>(2.0) * t) * half()
    }

    fn wave<T: Number>(x: T) -> T {
        let two: T = c(2.0);
        (two * T::PI() * x).sin() * T::from(1.5).unwrap_or_else(T::one)
    }

    fn sums<T: Float>(v: &[T]) -> Vec<T> {
        let mut out = vec![T::zero(); v.len()];
        let mut s = <T as Zero>::zero();
        for i in 0..v.len() {
            s = s + v[i];
            out[i] = s;
        }
        out
    }

    fn powers<T: Float>(x: T) -> Vec<T> {
        vec![T::one(), x, x * x, half::<T>() * x]
    }

    fn scale<T: Float>(v: &mut [T], k: T) {
        assert!(k > T::zero(), "too small");
        for x in v.iter_mut() {
            *x = *x * k * (T::one() + k);
        }
    }

    pub(super) fn f(x: &[f64]) -> f64 {
        logistic(x[0]) * horner(x, x[1]) + power(x[1], 3) + x[2] * x[0]
    }

    pub(super) fn made(x: &[f64]) -> f64 {
        smooth(0.0, 5.0, x[1]) + smooth::<f64>(x[0], 2.5, 0.9) + wave(x[0]) + x[2] * c::<f64>(3.0)
    }

    pub(super) fn listed(x: &[f64]) -> f64 {
        let none = Sums::of(2);
        let one = Sums { all: x.to_vec() };
        let mut v = sums(x);
        scale(&mut v, 0.5 + x[0] * x[0]);
        mean(&v) + mean(&powers(x[2])) + one.scaled(x[1]) + none.scaled(x[2])
    }

    fn thirds<F: Float>(x: f64) -> F {
        F::from(x).unwrap() / (F::one() + F::one() + F::one())
    }

    pub(super) fn single(x: &[f32]) -> f32 {
        let mut w = vec![0.0; x.len()];
        scale(&mut w, 2.0);
        horner(x, x[1]) * thirds::<f32>(1.5) + w[0]
    }
}

#[differentiable]
fn alone<T: num_traits::Float>(x: T, y: T) -> T {
    x * (T::one() + y)
}

#[differentiable]
fn outside(x: &[f64]) -> f64 {
    functions::horner(x, x[0]) + functions::smooth(x[0], 3.0, x[1]) * alone(x[1], x[2])
}

#[test]
fn functions_over_floats() {
    scalar!(functions::f::AD, functions::f)
        .row(976)
        .check(&POINTS);
    scalar!(outside).row(976).check(&POINTS);
}

#[test]
fn constants_of_the_generic_type() {
    scalar!(functions::made::AD, functions::made)
        .row(977)
        .check(&POINTS);
}

#[test]
fn numbers_inside_of_macros() {
    scalar!(functions::listed::AD, functions::listed)
        .takes_memory()
        .row(978)
        .check(&POINTS);
}

#[test]
fn constants_of_a_smaller_type() {
    let _row = di_test::rows::row(977);
    let x = [0.5f32, 0.25, 2.0];
    let g = gradient(functions::single::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    // (x0 + x1 x1 + x2 x1 x1) / 2
    let expected = [0.5, 0.25 + 0.5, 0.03125];
    let tolerance = Tolerance {
        relative: 1e-6,
        absolute: 1e-6,
    };
    assert_close("single", &g.map(f64::from), &expected, tolerance);
}

#[differentiable]
mod signed {
    use num_traits::{Float, Signed};

    pub(super) struct Gains<T> {
        up: T,
        down: T,
    }

    impl<T: Float + Signed> Gains<T> {
        fn of(&self, e: T) -> T {
            match e.is_positive() {
                true => e * self.up,
                false if e.is_negative() => e * e * self.down,
                false => e,
            }
        }
    }

    /// Its blocks are for all floats.
    trait Smooth {
        fn step(self) -> Self;
    }
    impl<T: Float> Smooth for T {
        fn step(self) -> Self {
            self * self * (T::from(3.0).unwrap() - self - self) + T::one()
        }
    }

    pub fn f(x: &[f64]) -> f64 {
        let (up, down) = (x[1], x[2]);
        let g: Gains<f64> = Gains { up, down };
        g.of(x[0]) * g.of(-x[0]) + x[1].step()
    }
}

#[test]
fn signs_of_generic_floats() {
    scalar!(signed::f::AD, signed::f)
        .rows(&[990, 992])
        .check(&POINTS);
}
