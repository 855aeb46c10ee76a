//! Shapes of arrays of `ndarray`: single elements, indices in variables, new axes, and lengths of 1 that are only known
//! where the code runs.

use di::prelude::*;
use di_test::compare::assert_panics;
use di_test::scalar;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, NewAxis, Zip, s};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 2.0, 0.3, -0.9],
    &[-1.2, 0.4, 0.9, -0.3, 0.6, 0.2],
];

// ---- single elements ----

#[differentiable]
fn single_elements(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let v = a.row(1);
    let k = x.len() - 5;
    let s = a.slice(s![k, 2])[[]] * *a.slice(s![0, -1]).into_scalar();
    s * v.slice(s![2]).sum() + v.index_axis(Axis(0), k)[()] * a.t().slice(s![1, 0]).sum()
}

#[test]
fn a_view_of_one_element_is_a_number() {
    scalar!(single_elements).row(146).check(&POINTS);
}

// ---- indices in variables ----

#[differentiable]
fn indices_in_variables(
    x: &[f64],
    #[constant] first: [usize; 2],
    #[constant] last: (usize, usize),
) -> f64 {
    let mut a = Array2::from_shape_vec((2, 3), x.to_vec()).unwrap();
    let v = ArrayView1::from(&x[1..4]);
    let mut s = a[first] * a[last] + a.t()[first];
    for i in 0..2 {
        let (ij, ji) = ([i, 2 - i], (1 - i, i));
        let k = [2 - i];
        s += a[ij] * v[k];
        let mut at = [0; 2];
        at[1] = i + 1;
        let pair = (1 - i, i);
        a[at] *= a[pair] + x[ji.1];
        s *= a[at];
    }
    s + a.sum()
}

#[test]
fn an_index_may_stand_in_a_variable() {
    let f = indices_in_variables::AD.with([1, 0], (1, 2));
    scalar!(f, |x| indices_in_variables(x, [1, 0], (1, 2)))
        .row(142)
        .check(&POINTS);
}

// ---- new axes ----

#[differentiable]
fn new_axes(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let v = a.row(1);
    let row = v.slice(s![NewAxis, ..]);
    let column = v.slice(s![..;2, ndarray::NewAxis]);
    let one: ArrayView2<'_, f64> = a.slice(s![1, NewAxis, 1..]);
    let alone: ArrayView1<'_, f64> = a.slice(s![NewAxis, 1, 2]);
    let table = &row * &column;
    table.sum() * alone[0] + table.dot(&row.t()).sum() + one.dot(&column)[[0, 0]] * table.row(1)[2]
}

#[test]
fn new_axes_in_slices() {
    // ndarray's product of matrices takes a buffer
    scalar!(new_axes).row(146).takes_memory().check(&POINTS);
}

// ---- lengths of 1 that are known where the code runs ----

/// A matrix whose lengths are those that are asked for.
#[differentiable]
fn shaped(x: &[f64], m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_fn((m, n), |(i, j)| {
        x[(i * 2 + j) % 6] * (1.0 + i as f64) + x[j % 6]
    })
}

#[differentiable]
fn combined(x: &[f64], #[constant] p: [usize; 4]) -> f64 {
    let a: Array2<f64> = shaped(x, p[0], p[1]);
    let b: Array2<f64> = shaped(&x[1..], p[2], p[3]);
    let c = &a * &b - b.mapv(f64::sin) * 0.5;
    let v = ArrayView1::from(&x[..p[3]]);
    let d = &c * &v.mapv(|t| t * t) + &a.t().sum_axis(Axis(0)).insert_axis(Axis(1));
    let mut s = d.mapv(|t| t * t).sum() + (&v * &a.row(0)).dot(&c.row(0));
    s += (&a + &b + &c + x[2]).column(0).sum();
    s * 0.1
}

#[differentiable]
fn changed(x: &[f64], #[constant] p: [usize; 2]) -> f64 {
    let b: Array2<f64> = shaped(x, p[0], p[1]);
    let mut a = Array2::from_elem((2, 3), x[0]);
    a += &b;
    a *= &b.row(0);
    a.scaled_add(x[3], &b.t().t());
    a.zip_mut_with(&b, |u, v| *u = (*u + v).sin() * *v);
    let mut c: Array2<f64> = Array2::zeros((2, 3));
    c.assign(&b);
    c.slice_mut(s![.., ..2])
        .assign(&b.column(0).insert_axis(Axis(1)));
    Zip::from(&mut c)
        .and(&a)
        .and_broadcast(&b)
        .for_each(|c, a, b| *c += a * b);
    a.dot(&c.t()).sum() + c.sum()
}

#[differentiable]
fn broadcasts(x: &[f64], #[constant] p: [usize; 2]) -> f64 {
    let b: Array2<f64> = shaped(x, p[0], p[1]);
    let v = ArrayView1::from(&x[..p[1]]);
    let wide = b.broadcast((2, 3)).unwrap();
    let rows = v.broadcast((2, 3)).unwrap();
    let long = v.broadcast(3).unwrap();
    let mut s = wide.dot(&long).sum() + rows.row(1).dot(&long) * wide[[1, 2]];
    for (r, w) in rows.outer_iter().zip(wide.outer_iter()) {
        s += r.dot(&w) * r[2] + w.sum();
    }
    s + (&wide * &rows).mapv(f64::sin).sum() + rows.t().dot(&wide).sum()
}

#[test]
fn what_is_repeated_is_summed_over() {
    for p in [
        [2, 3, 2, 3],
        [2, 3, 1, 3],
        [1, 3, 2, 1],
        [2, 1, 2, 3],
        [1, 1, 2, 3],
        [1, 1, 1, 1],
        [3, 2, 1, 1],
    ] {
        scalar!(combined::AD.with(p), |x| combined(x, p))
            .row(145)
            .step(0.05)
            .check(&POINTS);
    }
    for p in [[2, 3], [1, 3], [2, 1], [1, 1]] {
        scalar!(changed::AD.with(p), |x| changed(x, p))
            .row(145)
            .step(0.05)
            .takes_memory()
            .check(&POINTS);
        scalar!(broadcasts::AD.with(p), |x| broadcasts(x, p))
            .row(145)
            .step(0.05)
            .takes_memory()
            .check(&POINTS);
    }
}

#[test]
fn shapes_that_do_not_fit_panic() {
    let _row = di_test::rows::row(145);
    let x = POINTS[0];
    let g = |p: [usize; 2]| gradient(changed::AD.with(p), NoPrep, &AutoSource::new(), x);
    assert_panics("plain", "", || changed(x, [3, 2]));
    assert_panics("gradient", "", || g([3, 2]));
}

// ---- constant structs beside arrays ----

#[derive(Differentiable)]
struct Config {
    stiffness: f64,
}

#[differentiable]
fn accelerations(p: &Array2<f64>, config: &Config) -> Array2<f64> {
    p * config.stiffness - p.mapv(f64::sin)
}

#[differentiable]
fn moved(x: &[f64], #[constant] config: &Config) -> f64 {
    let p: Array2<f64> = Array2::from_shape_vec((2, 3), x.to_vec()).unwrap();
    let q: Array2<f64> = accelerations(&p, config);
    (&q * &p).sum()
}

#[test]
fn constant_structs_beside_arrays() {
    let config = Config { stiffness: 1.7 };
    scalar!(moved::AD.with(&config), |x| moved(x, &config))
        .row(531)
        .check(&POINTS);
}

#[differentiable]
fn numbered(x: &[f64], #[constant] d: &Array2<f64>) -> f64 {
    let a: Array2<f64> = Array2::from_shape_vec((2, 3), x.to_vec()).unwrap();
    let mut b = a.clone();
    for ((i, j), v) in b.indexed_iter_mut() {
        *v *= (i + 2 * j + 1) as f64 * a[[j.min(1), i]];
    }
    let mut sum = 0.0;
    for ((i, j), v) in b.indexed_iter() {
        if i <= j {
            sum += v * v;
        }
    }
    for (k, v) in b.row(0).to_owned().indexed_iter() {
        sum += v.sin() * k as f64;
    }
    for ((i, j), v) in d.indexed_iter() {
        sum += v * a[(i, j)].exp();
    }
    let beside = a.indexed_iter().filter(|((i, j), _)| i != j);
    let turned = a.t();
    let of_rows = turned.indexed_iter().map(|((i, _), v)| v * v * i as f64);
    sum * beside.map(|(_, v)| v * v).sum::<f64>() + of_rows.sum::<f64>()
}

#[test]
fn elements_behind_their_indices() {
    let d = Array2::from_shape_vec((2, 3), vec![1.4, 0.7, 2.2, 0.3, -0.9, 0.5]).unwrap();
    scalar!(numbered::AD.with(&d), |x: &[f64]| numbered(x, &d))
        .row(955)
        .check(&POINTS);
}
