//! Operators of derived structs: of values and of what is lent, with several types on the right, and with a number
//! on the left.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

/// What the operators do differs from impl to impl, so that one in the place of another is seen.
#[derive(Clone, Copy, Debug, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> Self::Output {
        V {
            x: self.x + o.x,
            y: self.y * 0.5 + o.y,
        }
    }
}

#[differentiable]
impl<'a> Add<&'a V> for &'a V {
    type Output = V;
    fn add(self, o: &'a V) -> V {
        V {
            x: self.x + o.x,
            y: self.y * 0.25 + o.y,
        }
    }
}

#[differentiable]
impl Add<&V> for V {
    type Output = Self;
    fn add(self, o: &Self) -> Self {
        Self {
            x: self.x + o.x * o.y,
            y: self.y + o.y,
        }
    }
}

#[differentiable]
impl Sub<V> for &V {
    type Output = V;
    fn sub(self, o: V) -> V {
        V {
            x: self.x - o.x,
            y: self.y.sin() - o.y,
        }
    }
}

#[differentiable]
impl Neg for &V {
    type Output = V;
    fn neg(self) -> V {
        V {
            x: -self.x,
            y: -2.0 * self.y,
        }
    }
}

#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V {
            x: self * v.x,
            y: self * v.y,
        }
    }
}

#[differentiable]
impl Mul<&V> for f64 {
    type Output = V;
    fn mul(self, v: &V) -> V {
        V {
            x: self * v.x * v.x,
            y: self * v.y,
        }
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V {
            x: self.x * k,
            y: self.y * k * k,
        }
    }
}

#[differentiable]
impl Mul for V {
    type Output = f64;
    fn mul(self, o: Self) -> Self::Output {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
impl Div<f64> for &V {
    type Output = V;
    fn div(self, k: f64) -> V {
        V {
            x: self.x / (1.0 + k * k),
            y: self.y,
        }
    }
}

#[differentiable]
impl AddAssign for V {
    fn add_assign(&mut self, o: Self) {
        self.x += o.x;
        self.y += 2.0 * o.y;
    }
}

#[differentiable]
impl AddAssign<&V> for V {
    fn add_assign(&mut self, o: &V) {
        self.x += o.x;
        self.y += 3.0 * o.y;
    }
}

#[differentiable]
impl SubAssign<f64> for V {
    fn sub_assign(&mut self, k: f64) {
        self.x -= k;
    }
}

#[differentiable]
impl MulAssign<f64> for V {
    fn mul_assign(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
}

#[differentiable]
fn of_both_kinds(x: &[f64]) -> f64 {
    let (a, b) = (V { x: x[0], y: x[1] }, V { x: x[2], y: x[3] });
    let c = &a + &b;
    let d = a + &b;
    let mut e = 2.0 * c + (-&d) * x[0] + x[2] * &b;
    e += a;
    e += &b;
    e *= x[1];
    e -= 0.5;
    let f = &c - &a / x[3];
    let lent = &f;
    let g = lent + &e;
    let dot: f64 = g * d;
    dot + e * e
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Body {
    at: V,
    speed: V,
    mass: f64,
}

#[differentiable]
fn places(x: &[f64]) -> f64 {
    let (a, b) = (V { x: x[0], y: x[1] }, V { x: x[2], y: x[3] });
    let mut body = Body {
        at: a,
        speed: b,
        mass: 1.0 + x[0] * x[0],
    };
    let step: V = body.speed * 0.1;
    body.at += step;
    body.speed += &b;
    body.speed *= body.mass;
    let mut vs = vec![a, b, step];
    vs[1] += b;
    vs[2] *= x[0];
    let mut s = V { x: 0.0, y: 0.5 };
    for v in &vs {
        s = &s + v;
    }
    for v in vs.iter_mut() {
        *v += &s;
        *v *= 0.5;
    }
    let last = vs[2];
    let dot: f64 = last * s;
    dot * vs[0].x + body.at.x * body.speed.y + body.speed.x
}

#[test]
fn operators_on_references_and_with_numbers() {
    scalar!(of_both_kinds).row(161).check(&POINTS);
}

/// Each of these is made of the two before it.
#[differentiable]
fn long_expressions(x: &[f64]) -> f64 {
    let (a, b) = (V { x: x[0], y: x[1] }, V { x: x[2], y: x[3] });
    let c = a + b * 0.5;
    let d = c + b * 0.5;
    let e = d + c * 0.25;
    let f = e + d * 0.25;
    let g = f + e * 0.25;
    let h = g + f * 0.25;
    let i = h + g * 0.25;
    let j = i + h * 0.25;
    let k = j + i * 0.25;
    let l = k + j * 0.25;
    let m = l + k * 0.25;
    let n = m + l * 0.25;
    let o = n + n;
    let p = o + o;
    let dot: f64 = p * o;
    dot * c.x
}

#[test]
fn types_of_long_expressions() {
    scalar!(long_expressions).row(161).check(&POINTS);
}

#[test]
fn operators_on_parts_of_values() {
    scalar!(places).row(161).check(&POINTS);
}
