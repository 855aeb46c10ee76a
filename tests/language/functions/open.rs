//! What calls and operators give may be a number or a struct, and no use tells which: the types of the callees do.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Add, Div, Mul, Sub};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

// ---- products with what a method gives ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

#[differentiable]
impl Div for Complex {
    type Output = Complex;
    fn div(self, o: Complex) -> Complex {
        self * o.inv()
    }
}

#[differentiable]
impl Complex {
    fn inv(self) -> Complex {
        let d = self.re * self.re + self.im * self.im;
        Complex {
            re: self.re / d,
            im: -self.im / d,
        }
    }
    fn sqrt(self) -> Complex {
        let r = self.re.hypot(self.im);
        Complex {
            re: ((r + self.re) * 0.5).sqrt(),
            im: ((r - self.re) * 0.5).sqrt(),
        }
    }
    fn abs(&self) -> f64 {
        self.re.hypot(self.im)
    }
}

#[differentiable]
fn of_methods(x: &[f64]) -> f64 {
    let a = Complex { re: x[0], im: x[1] };
    let b = Complex { re: x[1], im: 0.3 };
    let p = a * b.inv();
    let q = (a.sqrt() * b).re;
    let r = b.inv() / a;
    let s = (a * b).sqrt() / (b * a).abs_of_own();
    p.re * q + r.im + s.im * (a.inv() * b.inv()).re
}

#[differentiable]
impl Complex {
    fn abs_of_own(self) -> Complex {
        Complex {
            re: self.abs(),
            im: 0.1,
        }
    }
}

#[test]
fn products_of_what_methods_give() {
    scalar!(of_methods).row(161).check(&POINTS);
}

// ---- a product that is a number, beside multiples ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Mul for V {
    type Output = f64;
    fn mul(self, o: V) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        V {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, o: f64) -> V {
        V {
            x: self.x * o,
            y: self.y * o,
        }
    }
}

#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, o: V) -> V {
        V {
            x: self * o.x,
            y: self * o.y,
        }
    }
}

#[differentiable]
impl V {
    fn turned(self) -> V {
        V {
            x: -self.y,
            y: self.x,
        }
    }
    fn norm(self) -> f64 {
        (self * self).sqrt()
    }
    fn sum(&self) -> f64 {
        self.x + self.y
    }
    fn map(self, k: f64) -> V {
        V {
            x: self.x * k,
            y: self.y,
        }
    }
    fn max(&self) -> f64 {
        self.x.max(self.y)
    }
    fn cross(self, o: V) -> f64 {
        self.x * o.y - self.y * o.x
    }
    fn dot(&self, o: &V) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
fn energy(p: &[V], m: &[f64]) -> f64 {
    let mut e = 0.0;
    for i in 0..p.len() {
        for j in 0..i {
            let d = p[i] - p[j];
            let r2 = d * d;
            e += m[i] * m[j] / (r2 + 0.1).sqrt();
        }
    }
    e
}

#[differentiable]
fn projected(a: V, b: V) -> V {
    (a * b) / (b * b) * b
}

#[differentiable]
fn of_dot_products(x: &[f64]) -> f64 {
    let a = V { x: x[0], y: x[1] };
    let b = V { x: 0.3, y: x[0] };
    let c = projected(a, b.turned());
    let t = (a - b) * (a - c.turned());
    let k = (a * b) * (b * c);
    let l = a * b * (b * a);
    let cosine = (a * b) / (a.norm() * b.norm());
    let s = if a * b > 0.0 { a * c } else { 1.0 };
    let mut sum = a * a;
    sum += b * b;
    sum -= 0.1 * (a * c);
    let mut product = a * b;
    product *= b * b;
    product /= a * a;
    t + k.sin() + l + cosine.acos() + s + sum + product + energy(&[a, b, c], &[1.0, 2.0, x[1]])
        - (b * c).abs() * 2.0
        + (a * a).sqrt().exp()
        + (2.0 + a * b).ln()
        + -(a * b)
        + (a * a) % 0.8
}

#[test]
fn products_that_are_numbers() {
    scalar!(of_dot_products).row(161).check(&POINTS);
}

#[differentiable]
fn made(x: f64, y: f64) -> V {
    V { x, y: y * x }
}

#[differentiable]
fn taken(v: V, w: &V) -> f64 {
    v.x * w.y
}

#[differentiable]
fn of_arguments(x: &[f64]) -> f64 {
    let a = V { x: x[0], y: x[1] };
    let b = made(x[1], x[0] * x[1]);
    a.cross(made(x[0], 3.0)) * a.dot(&made(2.0, x[1]))
        + taken(made(x[0], x[1]), &made(x[1], 1.0))
        + made(x[0], 2.0).cross(a)
        + taken(b, &a)
        + a.cross(b)
        + a.map(b.norm()).sum()
}

#[test]
fn arguments_that_calls_give() {
    scalar!(of_arguments).row(161).check(&POINTS);
}

#[differentiable]
fn of_own_names(x: &[f64]) -> f64 {
    let ps = [V { x: x[0], y: x[1] }, V { x: x[1], y: 2.0 }];
    let v = vec![ps[0], ps[1].turned()];
    let lent = &ps[0];
    ps[1].sum() + ps[0].max() * ps[1].map(x[0]).sum() + v[1].turned().sum() * lent.map(2.0).max()
}

#[test]
fn methods_with_names_of_iterators() {
    scalar!(of_own_names).row(161).check(&POINTS);
}

// ---- several types on the right ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Truncated {
    v: f64,
    d: f64,
}

#[differentiable]
impl Mul for Truncated {
    type Output = Truncated;
    fn mul(self, o: Truncated) -> Truncated {
        Truncated {
            v: self.v * o.v,
            d: self.v * o.d + self.d * o.v,
        }
    }
}

#[differentiable]
impl Add for Truncated {
    type Output = Truncated;
    fn add(self, o: Truncated) -> Truncated {
        Truncated {
            v: self.v + o.v,
            d: self.d + o.d,
        }
    }
}

#[differentiable]
impl Add<f64> for Truncated {
    type Output = Truncated;
    fn add(self, o: f64) -> Truncated {
        Truncated {
            v: self.v + o,
            d: self.d,
        }
    }
}

#[differentiable]
impl Mul<f64> for Truncated {
    type Output = Truncated;
    fn mul(self, o: f64) -> Truncated {
        Truncated {
            v: self.v * o,
            d: self.d * o,
        }
    }
}

#[differentiable]
impl Truncated {
    fn sin(self) -> Truncated {
        Truncated {
            v: self.v.sin(),
            d: self.v.cos() * self.d,
        }
    }
    fn exp(self) -> Truncated {
        let e = self.v.exp();
        Truncated {
            v: e,
            d: e * self.d,
        }
    }
    fn value(self) -> f64 {
        self.v
    }
    fn input(v: f64) -> Truncated {
        Truncated { v, d: 1.0 }
    }
}

#[differentiable]
fn model(a: Truncated, b: Truncated) -> Truncated {
    (a * b).sin() * 2.0 + (a + b).exp() * (b * 0.5).sin() + a.sin() * b.value()
}

#[differentiable]
fn of_both(x: &[f64]) -> f64 {
    let (a, b) = (Truncated::input(x[0]), Truncated { v: x[1], d: 0.0 });
    let y: Truncated = model(a, b);
    let z = (y * y * 0.01).exp() * Truncated::input(x[1]).sin();
    let sums = (a.sin() + b.value()) * (b.exp() + a.sin()) + 1.0;
    z.d + (model(y, z) * Truncated::input(0.1)).v + sums.d * (sums + x[1]).v
}

#[test]
fn operators_with_several_types_on_the_right() {
    scalar!(of_both).row(161).check(&POINTS);
}
