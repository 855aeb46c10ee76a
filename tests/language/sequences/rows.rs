//! Vectors of vectors.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 2.0, 0.3, -1.2],
    &[-1.2, 0.4, 0.9, -0.3, 1.5, 0.2],
];

#[differentiable]
fn matrix(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![vec![0.0; n]; 3];
    for i in 0..a.len() {
        for j in 0..a[i].len() {
            a[i][j] = x[j].sin() * (i as f64 + 1.0);
        }
    }
    for i in 1..3 {
        for j in 0..n {
            a[i][j] += a[i - 1][n - 1 - j] * x[i];
            a[0][j] *= a[i][0];
        }
    }
    let mut s = 0.0;
    for row in &a {
        for v in row {
            s += v * v;
        }
    }
    s + a[2][1] * a[0][2]
}

#[test]
fn elements_read_and_written() {
    scalar!(matrix).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn jagged(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(4);
    for i in 0..4 {
        let mut row = Vec::new();
        for j in 0..i {
            row.push(x[j] * x[i]);
        }
        rows.push(row);
    }
    rows.push(vec![x[0], x[1].exp()]);
    let mut s = 0.0;
    for (i, row) in rows.iter().enumerate() {
        for v in row.iter() {
            s += v.tanh() * (i as f64);
        }
        if row.is_empty() {
            s += x[5];
        }
    }
    let last = rows.pop().unwrap();
    s * last[1] + rows[3][2] * rows.last().unwrap()[0] + rows.len() as f64
}

#[test]
fn rows_of_different_lengths() {
    scalar!(jagged).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut buckets = vec![Vec::new(); 3];
    for (i, v) in x.iter().enumerate() {
        let k = if *v > 0.5 { 2 } else { i % 2 };
        buckets[k].push(v * x[0]);
        buckets[(k + 1) % 3].push(v.cos());
        if i == 3 {
            buckets[k].pop();
            buckets[0].insert(0, v.exp());
            buckets[1].truncate(2);
        }
    }
    buckets[2].extend_from_slice(&x[1..3]);
    buckets[0].remove(0);
    let mut s = 0.0;
    for b in &buckets {
        let mut p = 1.0;
        for v in b {
            p *= 1.0 + v * v;
        }
        s += p.ln();
    }
    buckets[1].clear();
    s + buckets[1].len() as f64 + buckets[0].iter().map(|v| v * v).sum::<f64>()
}

#[test]
fn rows_that_grow_by_turns() {
    scalar!(grown).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn scale(row: &mut [f64], by: f64) {
    for v in row.iter_mut() {
        *v *= by * *v;
    }
}

#[differentiable]
fn trace(a: &[Vec<f64>]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i][i] * a[i][a[i].len() - 1];
    }
    s
}

#[differentiable]
fn total(a: &Vec<Vec<f64>>) -> f64 {
    let mut s = 0.0;
    for row in a {
        for v in row {
            s += v;
        }
    }
    s
}

#[differentiable]
fn relax(a: &mut [Vec<f64>], w: f64) {
    for i in 1..a.len() {
        for j in 0..a[i].len() {
            a[i][j] = w * a[i][j] + a[i - 1][j].sin();
        }
    }
}

#[differentiable]
fn consume(a: Vec<Vec<f64>>, k: usize) -> f64 {
    a[k].iter().fold(1.0, |p, v| p * v) * a[0][0]
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut a = vec![vec![0.0; 3]; 2];
    for i in 0..6 {
        a[i / 3][i % 3] = x[i] + x[0] * x[5 - i];
    }
    let mut s = dot(&a[0], &a[1]) * dot(&a[1], &a[1][..]);
    scale(&mut a[1], x[1]);
    s += trace(&a) * total(&a) + total(&a[1..].to_vec());
    relax(&mut a, x[2]);
    s += trace(&a[..1]);
    for row in a.iter_mut() {
        scale(row, x[3]);
    }
    s + total(&a) * consume(a.clone(), 1) + consume(a, 0)
}

#[test]
fn rows_and_all_lent_to_callees() {
    scalar!(lent).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn table(x: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut t = vec![x.to_vec()];
    for i in 1..n {
        let mut next = Vec::new();
        for w in t[i - 1].windows(2) {
            next.push((w[1] - w[0]) * w[0].cos());
        }
        t.push(next);
    }
    t
}

#[differentiable]
fn returned(x: &[f64]) -> f64 {
    let t: Vec<Vec<f64>> = table(x, 4);
    let u: Vec<Vec<f64>> = table(&t[1], 2);
    let mut s = 0.0;
    for (row, other) in t.iter().zip(&u) {
        s += row[0] * other[1];
    }
    s * t[3][0] + t[0][5]
}

#[test]
fn vectors_of_vectors_as_results() {
    scalar!(returned).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut a: Vec<Vec<f64>> = (0..3)
        .map(|i| x[i..i + 3].iter().map(|v| v * v).collect())
        .collect();
    let mut b = a.clone();
    a.swap(0, 2);
    b[1] = vec![x[0].exp(), x[1] * x[2]];
    b[0] = a[1].clone();
    b[0][1] *= x[4];
    a.reverse();
    std::mem::swap(&mut a, &mut b);
    let c;
    if x[0] > 0.0 {
        c = a;
    } else {
        c = vec![vec![x[1]; 2]; 3];
    }
    let mut d = if x[1] > 1.0 { c } else { b.clone() };
    d.rotate_left(1);
    let tail = d.split_off(1);
    d.append(&mut b);
    d.insert(1, vec![x[5], x[4]]);
    let out = d.remove(2);
    let old = d.swap_remove(0);
    out[0] * old[1]
        + tail[0][0] * tail[1][1]
        + d[0][0] * d[1][1] * d.iter().map(|r| r.len() as f64 * r[0]).sum::<f64>()
}

#[test]
fn rows_that_change_places() {
    scalar!(moved).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn eliminate(x: &[f64]) -> f64 {
    let n = 2;
    let mut a = vec![vec![x[0] + 4.0, x[1], x[2]], vec![x[3], x[4] - 5.0, x[5]]];
    for k in 0..n {
        let mut best = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[best][k].abs() {
                best = i;
            }
        }
        a.swap(k, best);
        let (top, rest) = a.split_at_mut(k + 1);
        let pivot = &top[k];
        for row in rest.iter_mut() {
            let f = row[k] / pivot[k];
            for j in k..=n {
                row[j] -= f * pivot[j];
            }
        }
    }
    let mut y = vec![0.0; n];
    for i in (0..n).rev() {
        let mut s = a[i][n];
        for j in i + 1..n {
            s -= a[i][j] * y[j];
        }
        y[i] = s / a[i][i];
    }
    y[0] * y[1] + y[0]
}

#[test]
fn gaussian_elimination_with_rows() {
    scalar!(eliminate).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn graph(x: &[f64], y: &mut [f64]) {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); x.len()];
    for i in 0..x.len() {
        for j in 0..i {
            if (i + j) % 3 == 0 {
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
    }
    for i in 0..x.len() {
        for &j in &neighbours[i] {
            y[i] += x[i] * x[j].sin();
        }
    }
}

#[test]
fn rows_of_indices() {
    inplace!(graph, 6).row(163).check(&POINTS);
}

#[differentiable]
fn points(x: &[f64]) -> f64 {
    let mut paths: Vec<Vec<[f64; 2]>> = vec![vec![[x[0], x[1]]], vec![]];
    for i in 0..2 {
        paths[i].push([x[2 + i], x[4].sin()]);
        paths[1].push([x[5] * x[i]; 2]);
    }
    paths[0][1][0] *= x[3];
    let mut s = 0.0;
    for path in &paths {
        for w in path.windows(2) {
            s += (w[1][0] - w[0][0]).powi(2) + w[0][1] * w[1][1];
        }
    }
    s
}

#[test]
fn rows_of_arrays_grow() {
    scalar!(points).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn early(x: &[f64]) -> f64 {
    let mut levels = vec![x.to_vec()];
    while levels.len() < 8 {
        let last = levels.last().unwrap();
        if last.len() < 2 {
            break;
        }
        let mut next = Vec::with_capacity(last.len() / 2);
        for pair in last.chunks_exact(2) {
            next.push(pair[0] * pair[1].cos());
        }
        if next[0] > 10.0 {
            return next[0];
        }
        levels.push(next);
    }
    levels.iter().flatten().sum::<f64>() + levels[levels.len() - 1][0]
}

#[test]
fn levels_until_one_is_left() {
    scalar!(early).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let a: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = 1.0;
    for mut row in a {
        row.push(s);
        row[0] *= row[1];
        s = row[0] + row[2] * 0.5;
    }
    s
}

#[test]
fn rows_by_value() {
    scalar!(by_value).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    let mut a: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = 0.0;
    if let [first, .., last] = &a[..] {
        s += first[0] * last[1];
    }
    if let [u, v, w] = &mut a[..] {
        u[0] = v[1] * w[0];
        w[1] += u[0];
    }
    match a.first() {
        Some(r) if r.len() == 2 => s += r[0] * r[1],
        _ => s -= 1.0,
    }
    if let Some(r) = a.get(2) {
        s *= r[1];
    }
    if let Some(r) = a.get_mut(1) {
        r[0] *= x[5];
    }
    let (l, r) = a.split_at(1);
    s + l[0][0] * r[1][1] + r[0][0]
}

#[test]
fn rows_in_patterns() {
    scalar!(patterns).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let mut a = vec![vec![x[0]; 2], x.to_vec()];
    let at = |i: usize, j: usize| a[i][j] * x[j];
    let s = at(0, 1) + at(1, 3);
    let mut add = |i: usize, v: f64| a[i].push(v * v);
    add(0, x[2]);
    add(0, x[3] * s);
    add(1, s);
    let k = if x[0] > 0.0 { &a[0] } else { &a[1] };
    let t = k[k.len() - 1] * k[0];
    t + a[0].iter().zip(&a[1]).map(|(u, v)| u * v).sum::<f64>() + s
}

#[test]
fn rows_in_closures() {
    scalar!(closures).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn loops(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut state: Vec<Vec<f64>> = vec![vec![0.1; 3]; 2];
    for t in 0..4 {
        let mut next = vec![vec![0.0; 3]; 2];
        for i in 0..2 {
            for j in 0..3 {
                next[i][j] = (state[i][j] + x[t] * state[1 - i][2 - j]).sin() + x[i + j];
            }
        }
        if t == 2 {
            next.swap(0, 1);
            continue;
        }
        std::mem::swap(&mut state, &mut next);
        total += next[0][1] * state[1][2];
        if total > 50.0 {
            break;
        }
    }
    for _ in 0..2 {
        state = state
            .iter()
            .map(|r| r.iter().map(|v| v * v).collect())
            .collect();
        state.push(vec![total; 2]);
    }
    total + state[0][1] + state[state.len() - 1][0] * state[1][1]
}

#[test]
fn states_of_a_time_loop() {
    scalar!(loops).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn checkpointed(x: &[f64]) -> f64 {
    let mut state: Vec<Vec<f64>> = vec![vec![0.1; 3]; 2];
    #[ad(checkpoint)]
    for t in 0..6 {
        for i in 0..2 {
            for j in 0..3 {
                state[i][j] = (state[i][j] + x[t] * state[1 - i][2 - j]).sin();
            }
        }
    }
    state[0][0] * state[1][2]
}

#[test]
fn rows_in_a_loop_that_is_not_recorded() {
    scalar!(checkpointed).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn build(x: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut a = vec![];
    if n == 0 {
        return a;
    }
    for i in 0..n {
        let mut r = Vec::with_capacity(2);
        r.push(x[i]);
        if x[i] > 0.0 {
            r.push(x[i] * x[0]);
        }
        a.push(r);
        if x[i] > 1.4 {
            return a;
        }
    }
    let mut more: Vec<Vec<f64>> = build(&x[1..], n - 1);
    a.append(&mut more);
    a.sort_by(|p, q| p[0].total_cmp(&q[0]));
    a
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    let a: Vec<Vec<f64>> = build(x, 3);
    let e: Vec<Vec<f64>> = build(x, 0);
    let mut s = e.len() as f64;
    for (i, r) in a.iter().enumerate() {
        for v in r {
            s += v.sin() * (i as f64 + 1.0);
        }
    }
    s * a[a.len() - 1][0]
}

#[test]
fn rows_of_functions_that_call_themselves() {
    scalar!(recursive).row(163).step(0.01).check(&POINTS);
}

#[differentiable]
fn two(a: &mut [Vec<f64>], b: &[Vec<f64>], c: &mut [f64]) {
    for (r, s) in a.iter_mut().zip(b) {
        for (v, w) in r.iter_mut().zip(s) {
            *v = *v * w + c[0];
        }
        c[0] += r[0] * s[0];
    }
}

#[differentiable]
fn shared(x: &[f64], y: &mut [f64]) {
    let mut a = vec![x[..3].to_vec(), x[3..].to_vec(), vec![x[0]; 2]];
    a[0].push(x[5]);
    let b = a.clone();
    two(&mut a, &b, y);
    let (top, rest) = a.split_at_mut(1);
    two(rest, &b[1..], y);
    y[0] += top[0][0] * rest[0][2] * rest[1][1] * top[0][3];
}

#[test]
fn rows_lent_by_both_kinds_of_reference() {
    inplace!(shared, 1).row(163).step(0.01).check(&POINTS);
}
