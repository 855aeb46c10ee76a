//! Arrays and structs that go to a function by value were those that the arguments after them left behind.

#![allow(clippy::useless_vec, reason = "vectors of arrays are under test")]

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    at: [f64; 2],
    mass: f64,
}

#[differentiable]
fn of_array(a: f64, s: [f64; 2], k: f64) -> f64 {
    a * s[0] + s[1] * k * s[0]
}

#[differentiable]
fn of_tuple(s: (f64, [f64; 2]), k: f64) -> f64 {
    s.0 * s.1[0] + s.1[1] * k * s.1[0]
}

#[differentiable]
fn of_point(p: Point, k: f64) -> f64 {
    p.at[0] * p.mass * k + p.at[1]
}

#[differentiable]
fn bump(a: &mut [f64; 2]) -> f64 {
    a[0] *= a[1];
    a[0]
}

#[differentiable]
fn arrays(x: &[f64]) -> f64 {
    let (mut list, mut q) = ([x[0], x[2]], x[1]);
    let a = of_array(q, list, {
        list[1] = 7.0 * q;
        q = 2.0;
        q * x[1]
    });
    let b = of_array(x[1], list, bump(&mut list));
    let c = of_array(q, list, std::mem::replace(&mut list, [x[1], 1.0])[0]);
    let mut rows = vec![list, [1.0, x[1]]];
    let d = of_array(x[1], rows[0], {
        rows[0] = rows[1];
        rows[0][1]
    });
    a * b + c * d * list[0]
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let mut s = (x[0], [x[1], x[2]]);
    let a = of_tuple(s, {
        s.1[0] = x[0] * x[0];
        s.0 = 3.0;
        x[1]
    });
    let mut list = [x[0], x[2]];
    let b = of_tuple((x[1], list), {
        list[0] = 7.0 * x[1];
        x[2]
    });
    a * b * of_tuple(s, bump(&mut s.1)) * list[0]
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let at = [x[0], x[2]];
    let mut p = Point { at, mass: x[1] };
    let a = of_point(p, {
        p.mass = x[0] * x[0];
        p.at[0] = 2.0;
        x[2]
    });
    a * of_point(p, bump(&mut p.at))
}

#[test]
fn what_goes_by_value_stays() {
    const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];
    scalar!(arrays).check(&POINTS);
    scalar!(tuples).check(&POINTS);
    scalar!(structs).check(&POINTS);
}
