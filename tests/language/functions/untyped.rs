//! What calls give and fields hold without a type being written: rustc tells.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Add, Mul};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct P {
    a: f64,
    b: f64,
    n: usize,
    q: Pair,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair(f64, f64);

#[differentiable]
impl Pair {
    fn new(a: f64, b: f64) -> Pair {
        Pair(a, b)
    }
    fn product(self) -> f64 {
        self.0 * self.1
    }
}

#[differentiable]
fn made(x: f64, y: f64) -> P {
    P {
        a: x * y,
        b: x + y * y,
        n: 2,
        q: Pair(y, x * x),
    }
}

#[differentiable]
fn pair(x: f64, y: f64) -> Pair {
    Pair(x * y, x + y)
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn swapped(q: Pair) -> Pair {
    Pair(q.1, q.0 * q.0)
}

// ---- fields of what calls give ----

#[differentiable]
fn of_fields(x: &[f64]) -> f64 {
    let p = made(x[0], x[1]);
    let q = made(x[1], 2.0);
    let s = if p.a > q.a { x[0] * q.b } else { x[1] * x[1] };
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += cube(p.b) * x[0];
    }
    let v = pair(x[0], x[1]);
    let w = Pair::new(v.0, v.1);
    s + sum + w.product() * x[1] + swapped(p.q).1 + cube(cube(q.a))
}

#[differentiable]
fn of_parameters(p: &P, q: &P) -> f64 {
    if p.b > q.a {
        cube(p.b) + cube(q.b)
    } else {
        Pair::new(p.a, q.b).product()
    }
}

#[differentiable]
fn through_parameters(x: &[f64]) -> f64 {
    let (p, q) = (made(x[0], x[1]), made(x[1], x[0]));
    let (r, s) = (made(0.1, x[0]), made(3.0, x[1]));
    of_parameters(&p, &q) + of_parameters(&r, &s)
}

#[differentiable]
fn lent(x: &f64, y: &f64) -> f64 {
    x * y * y
}

#[differentiable]
fn of_calls_in_place(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += lent(&cube(x[0] + k as f64), &amplitude(x[1])) * 0.1;
    }
    of_parameters(&made(x[0], x[1]), &made(x[1], x[0])) * amplitude(cube(x[0])) + sum
}

#[test]
fn calls_that_are_lent_in_place() {
    scalar!(of_calls_in_place).rows(&[105, 122]).check(&POINTS);
}

#[test]
fn fields_that_are_compared_and_handed_over() {
    scalar!(of_fields).rows(&[101, 122]).check(&POINTS);
    scalar!(through_parameters).rows(&[101, 122]).check(&POINTS);
}

#[differentiable]
fn by_an_integer(x: &[f64]) -> f64 {
    let r = made(x[0], x[1]);
    match r.n {
        0 => x[0],
        1 => x[0] * x[0],
        _ => r.a * x[0] * x[0],
    }
}

#[test]
fn fields_that_are_matched_on() {
    scalar!(by_an_integer).row(60).check(&POINTS);
}

// ---- tuples ----

#[differentiable]
fn both(x: f64, y: f64) -> (Pair, f64, Pair) {
    (Pair(x, y), x * y, Pair(x * x, y))
}

#[differentiable]
fn with_types(x: &[f64]) -> f64 {
    let (a, t, b): (Pair, f64, Pair) = both(x[0], x[1]);
    a.0 * b.0 * t + b.product()
}

#[differentiable]
fn without_types(x: &[f64]) -> f64 {
    let (a, t, b) = both(x[0], x[1]);
    let (c, _, d) = both(t, x[0]);
    a.0 * b.0 * t + b.product() * c.1 + swapped(d).1
}

#[differentiable]
fn with_a_vector(x: f64) -> (f64, Vec<f64>) {
    (x * x, vec![x, 1.0])
}

#[differentiable]
fn of_a_part(x: &[f64]) -> f64 {
    let (t, _): (f64, Vec<f64>) = with_a_vector(x[0]);
    let (_, v): (f64, Vec<f64>) = with_a_vector(x[1] * t);
    t * v[0]
}

#[test]
fn parts_that_are_dropped() {
    scalar!(of_a_part).rows(&[5, 20]).check(&POINTS);
}

#[test]
fn structs_in_tuples() {
    scalar!(with_types).rows(&[5, 20]).check(&POINTS);
    scalar!(without_types).rows(&[5, 20]).check(&POINTS);
}

// ---- operators of what functions of a type give ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct D {
    a: f64,
    b: f64,
}

#[differentiable]
impl D {
    fn var(a: f64) -> D {
        D { a, b: 1.0 }
    }
    fn sqrt(self) -> D {
        let s = self.a.sqrt();
        D {
            a: s,
            b: self.b / (2.0 * s),
        }
    }
    fn abs(self) -> f64 {
        self.a.abs() * self.b
    }
    fn sin(self) -> D {
        D {
            a: self.a.sin(),
            b: self.a.cos() * self.b,
        }
    }
    fn len(&self) -> f64 {
        self.a.hypot(self.b)
    }
}

#[differentiable]
impl Mul for D {
    type Output = D;
    fn mul(self, o: D) -> D {
        D {
            a: self.a * o.a,
            b: self.a * o.b + self.b * o.a,
        }
    }
}

#[differentiable]
impl Mul<f64> for D {
    type Output = D;
    fn mul(self, o: f64) -> D {
        D {
            a: self.a * o,
            b: self.b * o,
        }
    }
}

#[differentiable]
impl Add for D {
    type Output = D;
    fn add(self, o: D) -> D {
        D {
            a: self.a + o.a,
            b: self.b + o.b,
        }
    }
}

#[differentiable]
impl Add<f64> for D {
    type Output = D;
    fn add(self, o: f64) -> D {
        D {
            a: self.a + o,
            b: self.b,
        }
    }
}

#[differentiable]
fn sums_of_products(x: &[f64]) -> f64 {
    let t = D::var(x[0]);
    let e = t * t + 1.0;
    e.a * e.b * x[1]
}

#[differentiable]
fn with_its_type(x: &[f64]) -> f64 {
    let t = D::var(x[0] * x[1]);
    let e: D = t * t + 1.0;
    e.a * e.b
}

#[differentiable]
fn methods_like_those_of_numbers(x: &[f64]) -> f64 {
    let t = D::var(x[0]);
    let w = t.sqrt();
    w.abs() + w.b * x[1]
}

#[differentiable]
fn amplitude(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn scaled_by_a_call(x: &[f64]) -> f64 {
    let t = D::var(x[0]);
    (t * amplitude(x[1])).sin().b + (t * t + amplitude(x[0])).sin().a
}

#[differentiable]
fn named_like_those_of_sequences(x: &[f64]) -> f64 {
    let t = D::var(x[0]) + D::var(x[1]);
    t.len() * x[1]
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut t = D::var(x[0]);
    let mut sum = 0.0;
    for k in 0..3 {
        t = t * t + 0.1 * k as f64;
        let e = t.sqrt() + 1.0;
        sum += e.a * e.b;
    }
    if t.a > 0.3 { sum * x[1] } else { sum }
}

#[test]
fn structs_that_nothing_but_their_fields_tell() {
    scalar!(sums_of_products).row(161).check(&POINTS);
    scalar!(with_its_type).row(161).check(&POINTS);
    scalar!(methods_like_those_of_numbers)
        .row(161)
        .check(&POINTS);
    scalar!(scaled_by_a_call).row(161).check(&POINTS);
    scalar!(named_like_those_of_sequences)
        .row(161)
        .check(&POINTS);
    scalar!(in_a_loop).row(161).step(0.05).check(&POINTS);
}

// ---- errors ----

#[differentiable]
fn root(x: f64) -> Result<f64, u8> {
    if x > 0.0 { Ok(x.sqrt()) } else { Err(3) }
}

#[differentiable]
fn wider(x: f64) -> Result<f64, usize> {
    Ok(root(x)? * x)
}

#[differentiable]
fn wider_still(x: f64) -> Result<f64, i64> {
    let r = root(x)?;
    Ok(r * x)
}

#[differentiable]
fn errors(x: &[f64]) -> f64 {
    let mut y = x[1];
    for k in 0..2 {
        let a: Result<f64, usize> = wider(x[0] - k as f64);
        y += match a {
            Ok(v) => v * x[1],
            Err(code) => x[1] * x[1] * code as f64,
        };
    }
    let b: Result<f64, i64> = wider_still(x[0] - 1.0);
    match b {
        Ok(v) => y * v,
        Err(code) => y * code as f64,
    }
}

#[test]
fn errors_that_get_wider_in_place() {
    scalar!(errors).row(78).check(&POINTS);
}

// ---- fields that go to functions, of all kinds of places ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Series<const N: usize> {
    c: [f64; N],
    scale: f64,
    q: Pair,
}

#[differentiable]
impl P {
    fn grown(&self) -> f64 {
        cube(self.a) + swapped(self.q).0
    }
    fn grow(&mut self, by: f64) {
        self.b += cube(by);
        self.a = cube(self.a) * 0.1;
        self.q = swapped(self.q);
    }
}

#[differentiable]
fn of_elements(ps: &[P], series: &Series<2>) -> f64 {
    let mut sum = cube(series.scale) * series.c[1];
    for p in ps {
        sum += cube(p.b) * Pair::new(p.a, series.scale).product();
        sum += swapped(p.q).1 + p.grown();
    }
    sum * swapped(series.q).0
}

#[differentiable]
fn of_places_that_change(x: &[f64]) -> f64 {
    let mut p = made(x[0], x[1]);
    let mut sum = 0.0;
    for k in 0..3 {
        sum += cube(p.a) * cube(p.q.1);
        p = made(cube(p.a) * 0.5, p.b);
        if k == 1 {
            p.grow(x[0] * 0.3);
        }
        let q = made(p.b, sum);
        sum += if q.a < p.a {
            cube(q.a)
        } else {
            cube(q.b) * 0.01
        };
    }
    let q: Pair = swapped(p.q);
    let s = Series::<2> {
        c: [x[0], x[1]],
        scale: x[0] * x[1],
        q,
    };
    let ps = [p, made(x[1], 0.4)];
    sum * 0.1 + of_elements(&ps, &s) * 0.01
}

#[test]
fn fields_of_elements_and_of_what_changes() {
    scalar!(of_places_that_change)
        .rows(&[105, 122])
        .step(0.02)
        .check(&POINTS);
}

#[differentiable]
fn of_what_is_dropped(x: &[f64]) -> f64 {
    let p = made(x[0], x[1]);
    let _unused = p.grown().sin();
    let _ = p.grown().cos();
    cube(p.a) * x[1]
}

#[test]
fn results_that_nobody_reads() {
    scalar!(of_what_is_dropped).row(105).check(&POINTS);
}
