//! Structs with `Deref` to one of their fields, in annotated modules.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[1.6, 0.7], &[0.8, 0.4]];

#[differentiable]
mod bloch {
    use std::ops::{Deref, DerefMut};
    #[derive(Clone, Copy)]
    pub struct Mag([f64; 3]);
    impl Deref for Mag {
        type Target = [f64; 3];
        fn deref(&self) -> &[f64; 3] {
            &self.0
        }
    }
    impl DerefMut for Mag {
        fn deref_mut(&mut self) -> &mut [f64; 3] {
            &mut self.0
        }
    }
    pub struct Curve {
        v: Vec<f64>,
    }
    impl Deref for Curve {
        type Target = Vec<f64>;
        fn deref(&self) -> &Self::Target {
            &self.v
        }
    }
    impl AsRef<[f64]> for Curve {
        fn as_ref(&self) -> &[f64] {
            &self.v
        }
    }
    #[derive(Clone, Copy)]
    pub struct Kelvin(f64);
    impl Deref for Kelvin {
        type Target = f64;
        fn deref(&self) -> &f64 {
            &self.0
        }
    }
    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|v| v * v).sum::<f64>().sqrt()
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m = Mag([x[0], 1.0, x[1]]);
        m[1] = m[0] * x[0];
        m[2] += m[1];
        for v in m.iter_mut() {
            *v *= x[1];
        }
        let s: f64 = m.iter().map(|v| v * v).sum();
        s + norm(&*m) + norm(&m[..2]) + m.len() as f64
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let c = Curve {
            v: x.iter().map(|v| v.exp()).collect(),
        };
        let mut s = 0.0;
        for i in 0..c.len() {
            s += c[i] * i as f64;
        }
        for v in c.iter() {
            s *= v;
        }
        let k = Kelvin(x[0]);
        let k2 = *k * 2.0 + k.exp() + k.powi(2);
        s + norm(c.as_ref()) + k2 + c.first().unwrap() * c.last().unwrap()
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let m = Mag([x[0], x[1], 1.0]);
        let r = &m;
        norm(&*m) * r[1] + r.iter().sum::<f64>() + at(&m, 1)
    }
    fn at(m: &Mag, i: usize) -> f64 {
        m[i] * m.iter().sum::<f64>()
    }
}
#[test]
fn fields_behind_structs() {
    scalar!(bloch::f::AD, bloch::f).row(858).check(&POINTS);
    scalar!(bloch::g::AD, bloch::g)
        .row(858)
        .takes_memory()
        .check(&POINTS);
    scalar!(bloch::h::AD, bloch::h).row(858).check(&POINTS);
}
