//! `Option` and `Result` inside a function, patterns that look into them.

#![allow(
    for_loops_over_fallibles,
    reason = "what is written plainly is what is looked at"
)]

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, -0.4],
    &[-1.2, 0.4, 0.9],
    &[0.8, -0.1, 0.2],
    &[1.9, 1.3, 0.3],
];

#[differentiable]
fn best_so_far(x: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for i in 0..x.len() {
        let v = x[i] * x[i] - 0.5 * x[0];
        best = match best {
            None => Some(v),
            Some(b) if v > b => Some(v + 0.1 * b),
            Some(b) => Some(b),
        };
    }
    best.unwrap_or(0.0) * x[1]
}

#[test]
fn option_carried_by_a_loop() {
    scalar!(best_so_far)
        .rows(&[94, 63])
        .step(0.01)
        .check(&POINTS);
}

#[differentiable]
fn ends(x: &[f64]) -> f64 {
    let first = x.first().unwrap();
    let last = *x.last().expect("a value");
    let beyond = x.get(7).copied().unwrap_or(x[1] * 3.0);
    let inside = x.get(1).map(|v| v * v).unwrap_or(0.0);
    first * last + beyond * inside + x.get(2).map_or(1.0, |v| v.sin())
}

#[test]
fn elements_that_may_be_there() {
    scalar!(ends).rows(&[34, 94]).check(&POINTS);
}

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n {
        let left = match i.checked_sub(1) {
            Some(j) => x[j],
            None => 0.5 * x[0],
        };
        let right = x.get(i + 1).copied().unwrap_or_default();
        if let Some(v) = x.get(i + 2)
            && *v > 0.0
        {
            s += v * left;
        }
        s += (left - 2.0 * x[i] + right).powi(2);
    }
    s
}

#[test]
fn neighbours_with_borders() {
    scalar!(neighbours)
        .rows(&[34, 59, 96])
        .step(0.02)
        .check(&POINTS);
}

fn none_is_left(x: &[f64]) -> bool {
    x.is_empty()
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    match x.split_first() {
        None => 1.0,
        Some((head, tail)) => head.sin() + head * recursive(tail),
    }
}

#[test]
fn recursion_over_head_and_tail() {
    assert!(none_is_left(&[]));
    scalar!(recursive).check(&POINTS);
}

#[differentiable]
fn sqrt_or_error(x: &[f64]) -> f64 {
    let root: Result<f64, usize> = if x[0] > 0.0 {
        Ok(x[0].sqrt() * x[1])
    } else if x[1] > 0.0 {
        Err(3)
    } else {
        Err(4)
    };
    let doubled = root.map(|r| 2.0 * r);
    match doubled {
        Ok(r) => r * r,
        Err(code @ 3..=9) => code as f64 * x[2],
        Err(_) => x[2] * x[2],
    }
}

#[test]
fn result_with_a_number_as_its_error() {
    scalar!(sqrt_or_error).rows(&[94]).step(0.05).check(&POINTS);
}

#[differentiable]
fn foreign_error(x: &[f64]) -> f64 {
    let checked: Result<f64, String> = if x[0] > 0.0 {
        Ok(x[0] * x[1])
    } else {
        Err(String::from("negative"))
    };
    let Ok(v) = checked else {
        return x[2] * x[2];
    };
    v.exp()
}

#[test]
fn result_with_a_foreign_error() {
    scalar!(foreign_error).step(0.05).check(&POINTS);
}

#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let mut s = x[1];
    for i in 0..x.len() {
        let Some(v) = x.get(i + 1) else {
            s *= x[0];
            break;
        };
        let (Some(w), true) = (x.get(i + 2), *v > 0.0) else {
            s += v * v;
            continue;
        };
        s = s * w + v;
    }
    s
}

#[test]
fn let_else_with_exits() {
    scalar!(let_else).rows(&[9]).step(0.02).check(&POINTS);
}

#[differentiable]
fn while_let(x: &[f64]) -> f64 {
    let mut rest = x.len();
    let mut s: f64 = 0.3;
    while let Some(next) = rest.checked_sub(1) {
        rest = next;
        if x[next] < 0.0 {
            continue;
        }
        s = s.sin() + x[next] * s;
    }
    let mut k = 0;
    while let Some(v) = x.get(k)
        && s < 2.0
    {
        s += v * v + 0.1;
        k += 1;
    }
    s
}

#[test]
fn while_let_and_a_second_condition() {
    scalar!(while_let).rows(&[59]).step(0.01).check(&POINTS);
}

#[differentiable]
fn chains_of_conditions(x: &[f64]) -> f64 {
    let a = if x[0] > 0.0 { Some(x[0] * x[1]) } else { None };
    let b = if x[1] > 0.0 { Some(x[1].exp()) } else { None };
    let both = if let Some(u) = a
        && let Some(mut v) = b
        && {
            v *= u;
            v > 0.0
        } {
        u * v + x[2]
    } else {
        x[2] * x[2]
    };
    let either = match (a, b) {
        (Some(u), None) | (None, Some(u)) => u * x[0],
        (Some(u), Some(v)) => u - v,
        (None, None) => x[1],
    };
    both * either + a.or(b).map_or(0.0, |v| v * v) + a.filter(|v| *v > 0.5).unwrap_or(x[0])
}

#[test]
fn let_chains_and_alternatives() {
    scalar!(chains_of_conditions)
        .rows(&[59, 94])
        .step(0.02)
        .check(&POINTS);
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let mut hit: Option<(f64, usize)> = None;
    let mut corner: Option<[f64; 2]> = None;
    for i in 0..x.len() {
        let t = x[i] * x[0];
        if hit.is_none_or(|(best, _)| t < best) {
            hit = Some((t, i));
            corner = Some([t, x[i]]);
        }
    }
    let (t, i) = hit.expect("three numbers");
    let [a, b] = corner.unwrap_or([0.0; 2]);
    t * x[i] + a * b * b
}

#[test]
fn options_of_tuples_and_arrays() {
    scalar!(pairs).step(0.02).check(&POINTS);
}

#[differentiable]
fn written_through(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        if let Some(slot) = y.get_mut(i) {
            *slot = x[i] * x[0];
        }
        if let Some(last) = y.last_mut() {
            *last += x[i].sin();
        }
    }
    if let Some(first) = y.first_mut() {
        *first *= x[1];
    }
    if let Some((first, rest)) = y.split_first_mut() {
        *first += x[2];
        for v in rest.iter_mut() {
            *v *= x[0];
        }
    }
}

#[test]
fn elements_written_through_an_option() {
    inplace!(written_through, 2).rows(&[34]).check(&POINTS);
    inplace!(written_through, 4).check(&POINTS);
}

#[differentiable]
fn questions(x: &[f64], #[constant] n: Option<usize>) -> f64 {
    let m = match n {
        Some(m) if m > 1 => m,
        Some(_) => 1,
        None => 2,
    };
    let mut s = x[0];
    for _ in 0..m {
        s = s * x[1] + matches!(n, Some(3 | 4)) as usize as f64;
    }
    if n.is_some() { s } else { s * s }
}

#[test]
fn constant_options() {
    for n in [None, Some(0), Some(3)] {
        scalar!(questions::AD.with(n), |x| questions(x, n)).check(&POINTS);
    }
}

#[differentiable]
fn hit(x: &[f64], limit: f64) -> Option<f64> {
    let discriminant = x[0] * x[0] - x[1] * limit;
    if discriminant < 0.0 {
        return None;
    }
    let t = discriminant.sqrt() + x[2];
    if t > 0.0 { Some(t) } else { None }
}

#[differentiable]
fn nearest(x: &[f64]) -> Option<(f64, usize)> {
    let mut best = None;
    for k in 0..3 {
        let Some(t) = hit(x, k as f64 * 0.2) else {
            continue;
        };
        best = match best {
            Some((b, _)) if b < t => best,
            _ => Some((t, k)),
        };
    }
    let (t, k) = best?;
    let again = hit(x, 0.1)?;
    Some((t * again, k))
}

#[differentiable]
fn shaded(x: &[f64]) -> f64 {
    let far = hit(x, -1.0).map_or(0.5 * x[0], |t| t * t);
    match nearest(x) {
        Some((t, k)) => t * x[k % 3] + far,
        None => far * x[1],
    }
}

#[test]
fn functions_that_return_options() {
    scalar!(shaded).rows(&[78, 94]).step(0.01).check(&POINTS);
}

#[derive(Debug)]
enum Problem {
    Negative,
    Large(usize),
}

#[differentiable]
fn checked_root(v: f64, k: usize) -> Result<f64, Problem> {
    if v < 0.0 {
        return Err(Problem::Negative);
    }
    if v > 3.0 {
        Err(Problem::Large(k))
    } else {
        Ok(v.sqrt())
    }
}

#[differentiable]
fn roots(x: &[f64], y: &mut [f64]) -> Result<(), Problem> {
    for i in 0..x.len() {
        y[i] = checked_root(x[i] * x[0], i)? * x[1];
    }
    Ok(())
}

#[differentiable]
fn through_results(x: &[f64]) -> f64 {
    let mut y = [0.0; 3];
    let done: Result<(), Problem> = roots(x, &mut y);
    let done = done.is_ok();
    let s = y[0] * y[1] + y[2];
    if done { s * s } else { s + x[2] * x[2] }
}

#[test]
fn functions_that_return_results() {
    let large = checked_root(4.0, 2);
    assert!(matches!(large, Err(Problem::Large(2))), "{large:?}");
    scalar!(through_results)
        .rows(&[78, 94])
        .step(0.01)
        .check(&POINTS);
}

#[differentiable]
fn untold(x: &[f64]) -> f64 {
    let a = hit(x, 0.0).is_some();
    let b = squared(squared(x[0]));
    let c = squared(x[1]);
    if a { b } else { squared(c) }
}

#[differentiable]
fn squared(x: f64) -> f64 {
    x * x
}

#[test]
fn results_of_calls_that_nothing_tells() {
    scalar!(untold).row(105).step(0.01).check(&POINTS);
}

// ---- what calls give ----

#[differentiable]
fn root_of(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.sqrt()) } else { None }
}

#[differentiable]
fn root_or_text(v: f64) -> Result<f64, String> {
    if v > 0.0 {
        Ok(v.sqrt())
    } else {
        Err(format!("no root of {v}"))
    }
}

#[differentiable]
fn methods_on_calls(x: &[f64]) -> f64 {
    let a = root_of(x[0]).map(|r| r * x[1]).unwrap_or(x[2]);
    let b = root_of(x[1]).unwrap_or_else(|| x[0] * x[0]);
    let c = root_or_text(x[0]).unwrap_or_else(|_| x[1].sin());
    let d = root_or_text(x[2])
        .map(|r| r * r * x[0])
        .unwrap_or(3.0 * x[1]);
    let pair = root_of(x[0])
        .zip(root_of(x[2]))
        .map_or(x[1], |(p, q)| p * q);
    let kept = root_of(x[1]).filter(|r| *r > 0.5).or(root_of(x[0]));
    let next = root_or_text(x[0]).ok().and_then(|r| root_of(r - 0.5));
    a * b + c * d + pair + kept.unwrap_or_default() * next.unwrap_or(x[2])
}

#[differentiable]
fn products_of_roots(x: &[f64]) -> Result<f64, String> {
    let r = root_or_text(x[0])?;
    let s = root_of(x[1]).ok_or("negative".to_owned())?;
    Ok(r * s)
}

#[differentiable]
fn failures_are_replaced(x: &[f64]) -> f64 {
    match products_of_roots(x) {
        Ok(v) => v * x[2],
        Err(_) => x[2] * x[2],
    }
}

#[test]
fn options_and_results_that_calls_give() {
    scalar!(methods_on_calls).row(94).check(&POINTS);
    scalar!(failures_are_replaced)
        .rows(&[78, 94])
        .check(&POINTS);
}

// ---- as iterators ----

#[differentiable]
fn iterated(x: &[f64]) -> f64 {
    let first: Option<f64> = root_of(x[0]);
    let second: Result<f64, String> = root_or_text(x[1]);
    let mut s = x[2];
    for v in first {
        s += v * x[1];
    }
    for v in &first {
        s *= 1.0 + v;
    }
    let mut changed = first;
    for v in changed.iter_mut() {
        *v *= x[2];
    }
    s += changed.into_iter().chain(second).sum::<f64>();
    s + first.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn filtered_by_calls(x: &[f64]) -> f64 {
    let roots: f64 = x.iter().filter_map(|v| root_of(*v)).sum();
    let named: f64 = x
        .iter()
        .copied()
        .filter_map(root_of)
        .map(|r| r * r * r)
        .sum();
    let matched: f64 = x
        .iter()
        .filter_map(|v| match root_of(*v) {
            Some(r) if r > 0.9 => Some(r * x[0]),
            Some(r) => Some(-r),
            None => None,
        })
        .sum();
    let early: f64 = x
        .iter()
        .filter_map(|v| {
            let r = root_of(*v)?;
            if r > 1.1 {
                return None;
            }
            Some(r * v)
        })
        .sum();
    let flat: f64 = x
        .iter()
        .map(|v| -> Option<f64> { root_of(*v) })
        .flatten()
        .sum();
    let parts: f64 = (0..5).filter_map(|k| x.get(k)).map(|v| v.sin()).sum();
    let lists: f64 = (0..5).flat_map(|k| x.get(k)).map(|v| v * v).sum();
    roots + named * matched + early + flat * parts + lists
}

#[test]
fn options_are_iterated() {
    scalar!(iterated).row(94).check(&POINTS);
    scalar!(filtered_by_calls).row(49).check(&POINTS);
}

// ---- items of chains ----

#[differentiable]
fn items_that_may_be_there(x: &[f64]) -> f64 {
    let largest = x.iter().copied().max_by(|a, b| a.total_cmp(b));
    let mut s = largest.map(|v| v * v).unwrap_or(0.0);
    if let Some(v) = x.iter().find(|v| **v > 1.0) {
        s += v * x[0];
    }
    match x.iter().position(|v| *v < 0.0) {
        Some(k) => s *= x[k],
        None => s += 1.0,
    }
    if let Some(v) = x.iter().filter(|v| **v < 0.5).last() {
        s += v.powi(3);
    }
    let Some(least) = x.iter().copied().reduce(f64::min) else {
        return s;
    };
    s + least * x.iter().map(|v| v * x[1]).nth(1).unwrap_or_default()
}

#[test]
fn items_of_chains_as_options() {
    scalar!(items_that_may_be_there)
        .rows(&[50, 94])
        .check(&POINTS);
}
