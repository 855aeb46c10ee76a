//! Elements of lists that are found, enums of structs behind `&mut`, and iterators that are bound in a tuple.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.43, 0.71], &[-0.62, 0.31]];

#[derive(Clone, Copy, PartialEq)]
enum Route {
    Oral,
    Bolus,
    Other(u8),
}

#[derive(Clone, Copy, Differentiable)]
struct Dose {
    time: f64,
    amount: f64,
    route: Route,
}

#[differentiable]
fn doses(x: &[f64]) -> Vec<Dose> {
    let dose = |time, amount, route| Dose {
        time,
        amount,
        route,
    };
    vec![
        dose(0.3, x[0], Route::Oral),
        dose(x[0] + 1.0, x[1], Route::Other(3)),
        dose(0.8 + x[1] * 0.1, x[0] * x[1], Route::Bolus),
        dose(1.3, x[1], Route::Other(1)),
    ]
}

// ---- found ----

#[differentiable]
fn chosen(doses: &[Dose], t: f64) -> f64 {
    let mut sum = doses
        .iter()
        .find(|d| d.time > 0.5)
        .map(|d| d.amount)
        .unwrap_or(t);
    if let Some(d) = doses.iter().max_by(|a, b| a.amount.total_cmp(&b.amount)) {
        sum += d.amount * d.amount * d.time;
    }
    let last = doses.iter().filter(|d| d.time <= 0.9).last();
    if let Some(d) = last {
        sum += d.amount * d.amount;
    }
    if let Some((k, d)) = doses.iter().enumerate().rev().find(|(_, d)| d.time > 0.1) {
        sum += d.amount * (k + 2) as f64 * d.time;
    }
    let pairs = doses.iter().zip(doses.iter().skip(1));
    if let Some((a, b)) = pairs.filter(|(a, b)| b.time > a.time).next() {
        sum += a.amount * b.amount;
    }
    sum += doses
        .iter()
        .min_by(|a, b| a.time.total_cmp(&b.time))
        .map_or(t, |d| d.time * d.amount);
    sum += doses
        .iter()
        .take_while(|d| d.time < 5.0)
        .last()
        .map_or(0.5, |d| d.amount);
    match doses.iter().find(|d| d.time > 0.5) {
        Some(d) if d.amount > 0.1 => sum += d.amount * t,
        Some(_) => sum += 1.0,
        None => sum += t * t,
    }
    if doses.iter().find(|d| d.time > 100.0).is_none() {
        sum += t * t;
    }
    let Some(d) = doses.iter().find(|d| d.time > 0.01) else {
        return sum * t;
    };
    sum * d.amount
}

#[differentiable]
fn in_list(x: &[f64]) -> f64 {
    let list: Vec<Dose> = doses(x);
    let none: Vec<Dose> = Vec::new();
    chosen(&list, x[1]) + chosen(&none, x[0])
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut list: Vec<Dose> = doses(x);
    if let Some(d) = list.iter_mut().find(|d| d.time > 0.35) {
        d.amount *= x[1];
        d.time += x[0];
    }
    if let Some((i, d)) = list
        .iter_mut()
        .enumerate()
        .filter(|(_, d)| d.time > 0.01)
        .last()
    {
        d.amount *= x[0] * (i + 1) as f64;
    }
    if let Some(d) = list.iter_mut().find(|d| d.time > 100.0) {
        d.amount *= x[0];
    }
    list.iter().map(|d| d.amount * d.time).sum()
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0]], vec![x[1], x[0] * x[1]]];
    let mut sum = 0.0;
    if let Some(r) = rows.iter().max_by_key(|r| r.len()) {
        sum += r.iter().map(|v| v * v).sum::<f64>();
    }
    if let Some(r) = rows.iter().filter(|r| r[0] > 0.1).last() {
        sum += r[0] * r[0];
    }
    let r = rows.iter().find(|r| r.len() > 7);
    sum += r.map(|r| r[6]).unwrap_or(x[0]);
    if let Some(r) = rows.iter_mut().find(|r| r.len() > 1) {
        r[1] *= x[0];
    }
    let last = x.chunks(1).filter(|c| c[0] > 0.0).last().unwrap();
    sum * rows[1][1] * last[0]
}

// what is there in a list, and what is not
#[differentiable]
fn ends(list: &[Dose], t: f64) -> f64 {
    let (a, b) = (list.first(), list.get(1));
    let mut sum = list.last().map_or(t, |d| d.amount * d.time);
    if let Some(d) = a {
        sum += d.amount * d.amount;
    }
    if let Some(d) = b {
        sum += d.amount * d.time;
    }
    sum
}

#[differentiable]
fn first(x: &[f64]) -> f64 {
    let list: Vec<Dose> = doses(x);
    let none: Vec<Dose> = Vec::new();
    ends(&list, x[0]) * ends(&none, x[1])
}

#[test]
fn elements_that_are_found() {
    scalar!(in_list).row(378).check(&POINTS);
    scalar!(changed).row(378).check(&POINTS);
    scalar!(rows).row(378).check(&POINTS);
    scalar!(first).row(378).check(&POINTS);
}

// ---- enums behind `&mut` ----

#[differentiable]
fn scale(list: &mut Vec<Dose>, f: f64) {
    for d in list.iter_mut() {
        if d.route == Route::Oral {
            d.amount *= f;
        }
    }
    for d in list.iter_mut() {
        match d.route {
            Route::Other(n) if n > 2 => d.amount *= f * n as f64,
            Route::Other(n) => d.amount += f * n as f64,
            Route::Oral | Route::Bolus => d.time *= f,
        }
    }
    for d in list.iter_mut().filter(|d| d.route != Route::Bolus) {
        d.amount *= f;
    }
    for (i, d) in list.iter_mut().enumerate() {
        if d.route != Route::Oral && i > 0 {
            d.amount *= f;
            d.route = Route::Oral;
        }
    }
    let first = &mut list[0];
    if first.route == Route::Oral {
        first.amount *= f;
    }
}

#[differentiable]
fn behind_mut(x: &[f64]) -> f64 {
    let mut list: Vec<Dose> = doses(x);
    scale(&mut list, x[1]);
    for d in &mut list {
        if d.route == Route::Oral {
            d.amount *= x[0];
        }
    }
    list.iter().map(|d| d.amount * d.time + d.amount).sum()
}

#[differentiable]
fn effect(d: &Dose, f: f64) -> f64 {
    let a = match d.route {
        Route::Other(n) if n > 2 => d.amount * f,
        Route::Other(mut n) => {
            n += 1;
            d.amount * n as f64
        }
        Route::Oral => d.amount,
        _ => f,
    };
    let b = match &d.route {
        Route::Other(n) if *n > 2 => d.amount * f,
        Route::Other(n) => d.time * *n as f64,
        _ => f * f,
    };
    a * b
}

#[differentiable]
fn guarded(x: &[f64]) -> f64 {
    let list: Vec<Dose> = doses(x);
    let mut sum = 0.0;
    for d in &list {
        sum += effect(d, x[1]);
        sum += match &d.route {
            Route::Other(n) if *n > 2 => d.amount * x[0],
            Route::Other(n) => d.amount * f64::from(*n),
            _ => 0.0,
        };
    }
    sum
}

#[test]
fn enums_of_structs_behind_mut() {
    scalar!(behind_mut).row(379).check(&POINTS);
    scalar!(guarded).row(379).check(&POINTS);
}

// ---- bound in a tuple ----

#[differentiable]
fn merged(a: &[f64], b: &[f64]) -> f64 {
    let (mut i, mut j) = (a.iter().peekable(), b.iter().peekable());
    let (mut sum, mut k) = (0.0, 1.0);
    loop {
        match (i.peek(), j.peek()) {
            (Some(x), Some(y)) => {
                if x < y {
                    sum += k * *x * *x;
                    i.next();
                } else {
                    sum += k * *y;
                    j.next();
                }
            }
            (Some(x), None) => {
                sum += k * *x;
                i.next();
            }
            (None, Some(y)) => {
                sum += k * *y * *y;
                j.next();
            }
            (None, None) => break,
        }
        k += 1.0;
    }
    sum
}

#[differentiable]
fn in_steps(x: &[f64]) -> f64 {
    let (mut it, mut k) = (x.iter(), 0);
    let mut sum = 0.0;
    while let Some(v) = it.next() {
        k += 1;
        sum += v * v * k as f64;
    }
    let (x, first) = (x.iter(), x[0]);
    sum + x.map(|v| v * first).sum::<f64>() + merged(&[first, 0.5], &[sum, first * sum])
}

#[test]
fn iterators_that_are_bound_in_a_tuple() {
    scalar!(in_steps).row(380).check(&POINTS);
}

// ---- functions of std ----

#[differentiable]
fn sizes(x: &[f64], y: &mut [f64]) {
    use std::mem;
    let n = std::mem::size_of::<f64>() + size_of::<u16>();
    let (mut a, mut b) = (x[0], x[1]);
    mem::swap(&mut a, &mut b);
    y[0] = a * a * b * n as f64;
}

#[differentiable]
fn same(x: &[f64], #[constant] p: &[f64], #[constant] q: &[f64]) -> f64 {
    match std::ptr::eq(p, q) {
        true => x[0] * x[1] * p[0],
        false => x[0] + x[1],
    }
}

#[differentiable]
fn is_same(x: &[f64], #[constant] p: &[f64]) -> f64 {
    same(x, p, p) * same(x, p, &[1.0])
}

#[test]
fn functions_of_std_that_read_constants() {
    inplace!(sizes, 1).row(381).check(&POINTS);
    let p = [2.0];
    let plain = |x: &[f64]| is_same(x, &p);
    scalar!(is_same::AD.with(&p), plain).row(381).check(&POINTS);
}

// ---- structs of constants ----

#[derive(Clone, Copy, Differentiable)]
struct Speed {
    v: f64,
}

#[differentiable]
fn path(x: f64, #[constant] speed: Speed) -> f64 {
    x * x * speed.v
}

#[differentiable]
fn path_of(x: f64, #[constant] speed: &Speed) -> f64 {
    x * speed.v
}

#[differentiable]
fn paths(x: &[f64], #[constant] v: f64, #[constant] w: &[f64]) -> f64 {
    let s = Speed { v };
    let t: Speed = Speed { v: w[1] * 2.0 };
    let mut sum = path(x[0], s) * s.v;
    for k in 0..2 {
        let q = Speed { v: w[k] };
        sum += path_of(x[k], &q) * path(x[k], s);
    }
    sum + path(x[1], t)
}

#[test]
fn structs_of_constants_with_a_name() {
    let w = [1.0, 3.0];
    let plain = |x: &[f64]| paths(x, 2.0, &w);
    scalar!(paths::AD.with(2.0, &w), plain)
        .row(382)
        .check(&POINTS);
}
