//! What functions take and return: vectors of vectors, structs, tuples, arrays of `ndarray`, contexts.

use crate::count::{curves, numbers, results, variants};
use di::prelude::*;
use ndarray::{Array1, Array2, ArrayView2};

// ---- vectors of vectors ----

fn rows() -> Vec<Vec<f64>> {
    vec![vec![0.5, 0.3, 1.2], vec![0.7, 0.1]]
}

#[differentiable]
fn lent_rows(a: &[Vec<f64>]) -> f64 {
    let mut s = 0.0;
    for row in a {
        for v in row {
            s += v.sin() * row[0];
        }
    }
    s
}

#[differentiable]
fn owned_rows(mut a: Vec<Vec<f64>>) -> f64 {
    a[0][0] *= a[1][0];
    a[1].push(2.0);
    let mut s = 0.0;
    for row in &a {
        for v in row {
            s += v * v * row[0];
        }
    }
    s
}

#[differentiable]
fn rows_and_more(a: &[Vec<f64>], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for row in a {
        for v in row {
            s += v * v * row[0] * x[0];
        }
    }
    s * x[1]
}

#[differentiable]
fn copied_rows(a: &[Vec<f64>]) -> f64 {
    let mut b = a.to_vec();
    b[0][1] = b[1][0] * b[0][0];
    b.swap(0, 1);
    let mut c = b.clone();
    c.push(vec![b[0][0], 1.0]);
    let last = c.pop().unwrap();
    let mut s = last[0];
    for row in &b {
        for v in row {
            s += v.exp() * row[0];
        }
    }
    s
}

#[differentiable]
fn triangle(x: &[f64]) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for i in 0..3 {
        let mut row = Vec::new();
        for j in 0..=i {
            row.push(x[i] * x[j]);
        }
        rows.push(row);
    }
    rows
}

#[differentiable]
fn rows_to_rows(a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut b = a.clone();
    for row in &mut b {
        for v in row.iter_mut() {
            *v = v.sin();
        }
    }
    b
}

#[differentiable]
fn changed(mut a: Vec<Vec<f64>>, k: f64) -> Vec<Vec<f64>> {
    a[0][0] *= k;
    a.push(vec![k, k * k]);
    a.remove(1);
    for row in &mut a {
        row.reverse();
    }
    a
}

#[differentiable]
fn local_rows(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![vec![0.0; n]; 3];
    for i in 0..3 {
        for j in 0..n {
            a[i][j] = x[j].sin() * (i as f64 + 1.0);
        }
    }
    let mut buckets = vec![Vec::new(); 3];
    for (i, v) in x.iter().enumerate() {
        let k = if *v > 0.5 { 2 } else { i % 2 };
        buckets[k].push(v * x[0]);
        buckets[(k + 1) % 3].push(v.cos());
    }
    let given: Vec<Vec<f64>> = triangle(x);
    let given: Vec<Vec<f64>> = changed(given, x[0]);
    let chunks: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut s = chunks[1][0];
    for row in a.iter().chain(&buckets).chain(&given) {
        for v in row {
            s += v * v;
        }
    }
    s
}

#[differentiable]
fn written_rows(x: &[f64], y: &mut [Vec<f64>]) {
    for i in 0..y.len() {
        for j in 0..y[i].len() {
            y[i][j] = x[i] * x[j].sin();
        }
    }
}

const X: [f64; 6] = [0.7, 1.1, -0.4, 2.0, 0.3, -1.2];

#[test]
fn vectors_of_vectors() {
    let (a, x) = (rows(), &X[..]);
    let both = (rows(), vec![0.7, 1.1]);
    numbers! {
        lent_rows::AD, &a;
        lent_rows::AD, &a[..];
        owned_rows::AD, &a;
        rows_and_more::AD, &both;
        rows_and_more::AD.fix_x(&[0.7, 1.1]), &a;
        copied_rows::AD, &a;
        local_rows::AD, x;
    }
    let mut y = rows();
    results! {
        triangle::AD, x;
        rows_to_rows::AD, &a;
        written_rows::AD.output(&mut y), x;
    }
}

// ---- structs ----

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    width: usize,
    name: String,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Path {
    points: Vec<Point>,
    scale: f64,
}

#[differentiable]
fn layer(p: &Layer) -> f64 {
    let mut s = p.bias;
    for i in 0..p.width {
        s += p.weights[i] * p.weights[i] * p.bias;
    }
    s
}

#[differentiable]
fn layer_and_more(p: &Layer, x: &[f64]) -> f64 {
    let kept = p.weights.to_vec();
    let mut s = p.bias;
    for i in 0..p.width {
        s += kept[i] * x[i] * layer(p);
    }
    s
}

#[differentiable]
fn path(p: &Path) -> f64 {
    let mut s = p.scale;
    for v in &p.points {
        s += v.x * v.y * p.scale;
    }
    s
}

#[differentiable]
fn total(points: &[Point]) -> f64 {
    let mut s = 0.0;
    for p in points {
        s += p.x * p.y * p.y;
    }
    s
}

#[differentiable]
fn owned_points(ends: [Point; 2], mut points: Vec<Point>) -> f64 {
    points[0].x *= ends[0].y;
    points.push(ends[1]);
    let copy = points.clone();
    total(&points) + copy[0].x * total(&copy)
}

#[differentiable]
fn stretch(points: &mut [Point], k: f64) -> f64 {
    for p in points.iter_mut() {
        p.x *= p.y * k;
    }
    points[0].x
}

#[differentiable]
fn made_points(x: &[f64]) -> f64 {
    let mut points = Vec::new();
    for v in x {
        points.push(Point { x: *v, y: x[0] * v });
    }
    let mut s = 0.0;
    for k in 0..3 {
        s += stretch(&mut points, x[k]) * total(&points[1..]);
    }
    let (l, r) = points.split_at_mut(2);
    l.clone_from_slice(&r[..2]);
    points.copy_within(0..2, 1);
    s + total(&points)
}

#[test]
fn structs() {
    let p = Layer {
        weights: vec![0.4, 0.3, 0.2],
        bias: 0.5,
        width: 3,
        name: "first".to_owned(),
    };
    let points = vec![Point { x: 1.0, y: 2.0 }; 3];
    let line = Path {
        points: points.clone(),
        scale: 0.3,
    };
    let (both, owned) = (
        (p.clone(), vec![0.7, 1.1, 0.2]),
        ([points[0]; 2], points.clone()),
    );
    numbers! {
        layer::AD, &p;
        layer_and_more::AD, &both;
        layer_and_more::AD.fix_p(&p), &X[..];
        layer_and_more::AD.fix_x(&X), &p;
        path::AD, &line;
        total::AD, &points;
        owned_points::AD, &owned;
        made_points::AD, &X[..];
    }
}

// ---- tuples, caches and constants ----

#[differentiable]
fn three(t: &[f64], k: f64, m: &[[f64; 2]]) -> f64 {
    let mut s = k;
    for v in t {
        s += v * k;
    }
    for row in m {
        s += row[0] * row[1] * k;
    }
    s
}

#[differentiable]
fn cached(
    x: &[f64],
    #[cache] w: &mut [f64],
    #[cache] m: &mut [[f64; 2]],
    #[cache] p: &mut Point,
) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        w[i] = x[i] * x[0];
        m[0][i % 2] = w[i];
        p.x = w[i].sin();
        s += p.x * w[i];
    }
    s + m[0][0]
}

#[differentiable]
fn inner(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len().min(b.len()) {
        s += a[i] * b[i];
    }
    s
}

#[differentiable]
fn by_index(x: &[f64], order: &[i32], flags: &[bool]) -> f64 {
    let mut s = 1.0;
    for i in order {
        if flags[0] {
            s *= x[*i as usize] + 1.0;
        }
    }
    s
}

#[differentiable]
fn constants(
    x: &[f64],
    #[constant] d: &[f64],
    #[constant] t: &[Vec<f64>],
    #[constant] order: &[usize],
) -> f64 {
    let w = vec![1.0, 2.0, 3.0];
    let mut s = inner(x, &w) + inner(x, d);
    for i in 0..3 {
        s += inner(&t[i], x) * x[order[i]];
    }
    let copy = t.to_vec();
    s + copy[0][0] * x[0]
}

#[differentiable]
fn integers(x: &[f64]) -> f64 {
    let mut order: Vec<i32> = Vec::new();
    for i in 0..x.len() {
        if x[i] > 0.0 {
            order.push(i as i32);
        }
    }
    let flags = vec![true, false, true];
    let mut s = by_index(x, &order, &flags);
    order.push(0);
    for (k, flag) in flags.iter().enumerate() {
        if *flag {
            s += x[k] * x[k] * by_index(x, &order, &flags);
        }
    }
    s
}

#[test]
fn tuples_caches_and_constants() {
    let (x, w, m) = (&X[..], [0.0; 6], [[0.0; 2]]);
    let table = [vec![1.0, 2.0], vec![1.0], vec![0.5]];
    numbers! {
        three::AD, &(vec![1.0, 2.0], 0.5, vec![[1.0, 2.0]; 2]);
        three::AD.fix_k(0.5), &(vec![1.0, 2.0], [[1.0, 2.0]; 2]);
        cached::AD.with(&w, &m, &Point { x: 0.0, y: 0.0 }), x;
        constants::AD.with(&X[1..4], &table, &[0, 2, 1]), x;
        integers::AD, x;
    }
}

// ---- results ----

#[differentiable]
fn scaled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * x[0]).collect()
}

#[differentiable]
fn positive(x: &[f64]) -> Vec<f64> {
    let mut v: Vec<f64> = x.iter().filter(|v| **v > 0.0).map(|v| v * x[0]).collect();
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    v.dedup();
    v.push(x[1]);
    v
}

#[differentiable]
fn several(x: &[f64]) -> (f64, Vec<f64>, [f64; 2]) {
    let v: Vec<f64> = scaled(x);
    (v.iter().sum(), v, [x[0] * x[1], x[2]])
}

#[differentiable]
fn pairs(x: &[f64]) -> Vec<[f64; 2]> {
    let mut v = vec![[0.0; 2]; x.len()];
    for i in 0..x.len() {
        v[i] = [x[i], x[i] * x[0]];
    }
    v
}

#[test]
fn vectors_and_tuples_of_them_are_returned() {
    results! {
        scaled::AD, &X[..];
        positive::AD, &X[..];
        several::AD, &X[..];
        pairs::AD, &X[..];
    }
}

// ---- arrays of ndarray ----

#[differentiable]
fn element_by_element(a: &Array1<f64>) -> f64 {
    let b = a.mapv(|v| v * v);
    let c = &b * 2.0 + a;
    c.dot(a) + b.sum()
}

#[differentiable]
fn matrix(a: ArrayView2<'_, f64>) -> f64 {
    let mut s = 0.0;
    for row in a.outer_iter() {
        s += row.dot(&row) * row[0];
    }
    let b = a.mapv(f64::sin);
    s * a.mean().unwrap() + b.row(0).dot(&b.row(1)) + b.t().dot(&a.column(0)).sum()
}

#[differentiable]
fn product(a: &Array2<f64>, v: &Array1<f64>) -> Array1<f64> {
    a.dot(v).mapv(f64::tanh)
}

#[differentiable]
fn table(x: &[f64]) -> Array2<f64> {
    let mut a = Array2::from_shape_vec((2, 3), x.to_vec()).unwrap();
    a[[0, 1]] *= a[[1, 2]];
    a.mapv(f64::cos)
}

#[differentiable]
fn with_scratch(x: &Array1<f64>, #[constant] m: &Array2<f64>, #[cache] w: &mut Array1<f64>) -> f64 {
    for i in 0..x.len() {
        w[i] = x[i] * x[0];
    }
    m.dot(w).sum() * x[0]
}

#[test]
fn arrays_of_ndarray() {
    let v = Array1::from(vec![0.3, 0.4, 0.5]);
    let a = Array2::from_shape_vec((2, 3), X.to_vec()).unwrap();
    let columns = a.t().to_owned().reversed_axes();
    // above what a rule has on the stack
    let large: Vec<f64> = (0..6 * 20).map(|k| f64::from(k).sin()).collect();
    let large = Array2::from_shape_vec((6, 20), large).unwrap();
    let long = Array1::from_elem(20, 0.3);
    let both = (large.clone(), long.clone());
    numbers! {
        element_by_element::AD, &v;
        element_by_element::AD, &long;
        matrix::AD, &a;
        matrix::AD, &columns;
        matrix::AD, &large;
        with_scratch::AD.with(&a, &[0.0; 3]), &v;
    }
    results! {
        product::AD, &(a.clone(), v.clone());
        product::AD, &both;
        product::AD.fix_a(large.view()), &long;
        table::AD, &X[..];
    }
}

// ---- variants ----

#[differentiable]
fn spiral(t: f64) -> Vec<f64> {
    (0..3).map(|k| t.powi(k) * t.sin()).collect()
}

#[differentiable]
fn stairs(t: f64) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    for i in 0..3 {
        rows.push(vec![t.sin() * i as f64; i + 1]);
    }
    rows
}

#[differentiable]
fn corner(t: f64) -> (f64, [f64; 2]) {
    (t * t, [t.cos(), t])
}

#[differentiable]
fn placed(t: f64) -> (Point, f64) {
    let p = Point { x: t.cos(), y: t };
    (p, p.x * p.y)
}

#[differentiable]
fn placed_points(t: f64) -> Vec<Point> {
    (0..3).map(|k| placed(t * k as f64).0).collect()
}

#[test]
fn variants_with_one_prep() {
    curves! {
        spiral::AD;
        stairs::AD;
        corner::AD;
        placed::AD;
        placed_points::AD;
    }
    let a = rows();
    variants! {
        lent_rows::AD, &a[..];
        owned_rows::AD, &a;
    }
}
