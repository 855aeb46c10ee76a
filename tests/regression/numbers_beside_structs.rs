//! Numbers that an operator of structs gives went to `+=` of elements as structs.

use di::custom_rule;
use di::prelude::*;
use di_test::scalar;
use std::ops::Mul;

#[derive(Clone, Copy, Debug, Differentiable)]
struct V {
    a: f64,
    b: f64,
}

#[differentiable]
impl Mul for V {
    type Output = f64;
    fn mul(self, o: V) -> f64 {
        self.a * o.a + self.b * o.b
    }
}

#[differentiable]
fn into_elements(x: &[f64]) -> f64 {
    let (v, w) = (V { a: x[0], b: x[1] }, V { a: x[1], b: 2.0 });
    let mut y = [v * w, x[0], x[1]];
    let d = v * w;
    y[1] += d * d - v * v;
    y[2] *= d;
    for (k, e) in y.iter_mut().enumerate() {
        *e -= v * w * k as f64;
        *e *= v * v;
    }
    let t: Vec<f64> = vec![v * v, w * w];
    let o = if d > 0.1 { Some(v * v) } else { None };
    if let Some(q) = o {
        y[0] /= q;
    }
    y.iter().sum::<f64>() * t[1] + (v * w).powi(2) + (v * v).max(0.1).powf(0.7)
}

#[test]
fn numbers_of_operators_in_elements() {
    scalar!(into_elements).check(&[&[0.9, 0.8], &[1.4, -0.3]]);
}

#[differentiable]
impl V {
    fn norm(&self) -> f64 {
        self.a.hypot(self.b)
    }
    fn scaled(self, k: f64) -> V {
        V {
            a: self.a * k,
            b: self.b * k,
        }
    }
}

#[differentiable]
#[active_scalar(T)]
fn bend<T: Mul<Output = T> + Copy>(x: T, k: T) -> T {
    x * k * x
}

#[differentiable]
fn ends<const N: usize>(x: [f64; N]) -> f64 {
    x[0] * x[N - 1]
}

#[custom_rule(partials(wave_t, wave_k))]
fn wave(t: f64, k: f64) -> f64 {
    t.sin() * k.cos()
}

#[differentiable]
fn wave_t(t: f64, k: f64) -> f64 {
    t.cos() * k.cos()
}

#[differentiable]
fn wave_k(t: f64, k: f64) -> f64 {
    -t.sin() * k.sin()
}

#[differentiable]
fn through_calls(x: &[f64]) -> f64 {
    let v = V { a: x[0], b: x[1] };
    let n = bend(v.norm(), 2.0);
    v.scaled(bend(n, x[0])).norm()
        + bend(bend(n, v.norm()), n)
        + v.scaled(ends([x[0], n, x[1]])).norm()
        + bend(ends([x[0], x[1]]), v.norm())
        + wave(wave(n, x[1]), wave(x[0], v.norm()))
}

#[test]
fn numbers_of_calls_of_all_kinds() {
    scalar!(through_calls).check(&[&[0.9, 0.8], &[1.4, 0.3]]);
}

#[differentiable]
impl V {
    fn dot(self, o: V) -> f64 {
        self.a * o.b + self.b * o.a
    }
}

#[differentiable]
fn told_late(x: &[f64]) -> f64 {
    let (v, w) = (V { a: x[0], b: x[1] }, V { a: x[1], b: 2.0 });
    let g = (1.0 * V::dot(v, w)).sin();
    let u = (1.5 + g.sin()).sqrt() * v.a;
    let h = if x[0] > 0.0 { x[0] } else { g };
    u * h
}

#[test]
fn a_number_that_is_told_behind_its_methods() {
    scalar!(told_late)
        .step(0.01)
        .check(&[&[0.7, 1.1], &[-0.4, 0.9]]);
}
