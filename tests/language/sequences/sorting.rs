//! Sorts by comparisons that are written out, by fields, by keys; selections.

use di::prelude::*;
use di_test::scalar;
use std::cmp::{Ordering, Reverse};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Body {
    mass: f64,
    at: f64,
    kind: usize,
}

#[differentiable]
fn sort_general(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| {
        let (p, q) = (a.abs(), b.abs());
        if p < q {
            Ordering::Less
        } else if p > q {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    });
    v[0] *= v[4];
    let k = [2, 0, 1, 0, 2];
    let mut order = vec![0, 1, 2, 3, 4];
    order.sort_by(|&i, &j| k[i].cmp(&k[j]).then_with(|| x[j].total_cmp(&x[i])));
    let mut s = 0.0;
    for (i, j) in order.iter().enumerate() {
        s += v[i] * x[*j] * (i + 1) as f64;
    }
    let mut w = v.clone();
    w.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
    s * w[0] + w[1] * w[1] * v[2]
}

#[test]
fn sorted_by_any_comparison() {
    scalar!(sort_general).row(40).step(0.005).check(&POINTS);
}

#[differentiable]
fn sort_structs(x: &[f64]) -> f64 {
    let mut v: Vec<Body> = Vec::new();
    for k in 0..5 {
        v.push(Body {
            mass: x[k],
            at: x[(k + 2) % 5],
            kind: k % 2,
        });
    }
    v.sort_by(|a, b| b.kind.cmp(&a.kind).then(a.mass.total_cmp(&b.mass)));
    let mut s = 0.0;
    for (k, b) in v.iter().enumerate() {
        s += b.mass * b.at * (k + 1) as f64;
    }
    v.sort_by(|a, b| (a.mass * a.at).partial_cmp(&(b.mass * b.at)).unwrap());
    for (k, b) in v.iter().enumerate() {
        s += b.mass * b.mass * (k + 1) as f64;
    }
    v.sort_by_key(|b| Reverse(b.kind));
    s * v[0].at + v[4].mass
}

#[test]
fn structs_sorted_by_their_fields() {
    scalar!(sort_structs).row(40).step(0.005).check(&POINTS);
}

#[differentiable]
fn select(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (left, m, right) = v.select_nth_unstable_by(2, f64::total_cmp);
    *m *= 2.0;
    let mut s = *m * left.len() as f64;
    let mut worst = 1.0;
    for r in right.iter() {
        worst *= r;
    }
    for l in left.iter() {
        s += l * l;
    }
    s *= worst;
    let mut w = x.to_vec();
    w.select_nth_unstable_by(1, |a, b| b.partial_cmp(a).unwrap());
    w[2..].sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
    let best = *x
        .to_vec()
        .select_nth_unstable_by(0, |a, b| a.total_cmp(b))
        .1;
    s * w[1] * w[2] + v[2] * best
}

#[test]
fn the_nth_of_all_selected() {
    scalar!(select).row(40).step(0.005).check(&POINTS);
}

#[differentiable]
fn sorts_in_loops(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    #[ad(checkpoint)]
    for k in 0..6 {
        let pivot = v[k % 5] * 1.01 + 0.013;
        v.sort_by(|a, b| (a - pivot).abs().total_cmp(&(b - pivot).abs()));
        v[1] += 0.1 * v[0] * v[2];
        v.sort_by(|a, b| {
            let d = (*a - pivot).powi(2);
            let e = (*b - pivot).powi(2);
            d.partial_cmp(&e).unwrap().reverse()
        });
        s += v[0] * v[1];
        if s > 50.0 {
            continue;
        }
        v[2] *= 0.5;
    }
    s
}

#[test]
fn sorts_in_a_loop_that_is_not_recorded() {
    scalar!(sorts_in_loops).row(40).step(0.002).check(&POINTS);
}

#[differentiable]
fn longer(x: &[f64]) -> f64 {
    let mut v = vec![0.0; 23];
    for i in 0..23 {
        v[i] = (x[i % 5] * i as f64 * 0.37 + x[(i + 1) % 5]).sin();
    }
    v.sort_by(|a, b| {
        let t = a.total_cmp(b);
        t
    });
    let mut s = 0.0;
    for i in 0..23 {
        s += v[i] * v[i] * i as f64;
    }
    s
}

#[test]
fn more_than_a_few_elements_sorted() {
    scalar!(longer).row(40).step(0.0005).check(&POINTS);
}
