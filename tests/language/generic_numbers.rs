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
