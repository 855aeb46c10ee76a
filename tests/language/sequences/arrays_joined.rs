//! Arrays of `ndarray` that are put side by side, folded along an axis, in another shape.

use di::prelude::*;
use di_test::{inplace, scalar};
use ndarray::{
    Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, Order, concatenate, stack,
};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 2.0, 0.3, -0.9],
    &[-1.2, 0.4, 0.9, -0.3, 0.6, 0.2],
];

// ---- side by side ----

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let (a, b) = (ArrayView1::from(&x[..2]), ArrayView1::from(&x[1..]));
    let c = concatenate![Axis(0), a, b.slice(ndarray::s![..;2]), &a * &a];
    let mut d = concatenate(Axis(0), &[c.view(), b.view()]).unwrap();
    d[0] *= x[5];
    d[8] += d[0] * a[1];
    let mut s = c.sum() * c.len() as f64;
    for (i, v) in d.iter().enumerate() {
        s += v * v * (i + 1) as f64;
    }
    s
}

#[test]
fn vectors_put_end_to_end() {
    scalar!(vectors).row(147).check(&POINTS);
}

#[differentiable]
fn matrices(x: &[f64], y: &mut [f64]) {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let b = ArrayView2::from_shape((2, 2), &x[1..5]).unwrap();
    let wide: Array2<f64> = concatenate![Axis(1), a, b, a.mapv(f64::sin)];
    let tall = concatenate(Axis(0), &[a, wide.slice(ndarray::s![.., 2..5]), a.view()]).unwrap();
    let square = concatenate![Axis(0), b.t(), b];
    let product = wide.t().dot(&b);
    for i in 0..y.len() {
        y[i] = tall[[i, i % 3]] * product[[i, 1]] + square[[i % 4, 0]] * wide[[1, 7 - i]];
    }
}

#[test]
fn matrices_put_side_by_side() {
    inplace!(matrices, 6).row(147).takes_memory().check(&POINTS);
}

#[differentiable]
fn stacked(x: &[f64]) -> f64 {
    let (a, b) = (ArrayView1::from(&x[..3]), ArrayView1::from(&x[3..]));
    let rows = stack![Axis(0), a, b, &a * 2.0];
    let columns = stack(Axis(1), &[b.view(), a.view(), rows.row(2)]).unwrap();
    let m = ArrayView2::from_shape((2, 3), x).unwrap();
    let lines = stack![Axis(0), m.row(1), m.row(0), columns.column(0)];
    rows.dot(&columns).sum() * columns[[2, 0]] + lines[[1, 2]] * lines[[2, 1]]
}

#[test]
fn vectors_stacked() {
    scalar!(stacked).row(147).takes_memory().check(&POINTS);
}

#[differentiable]
fn extended(h: Array1<f64>, x: &Array1<f64>) -> Array1<f64> {
    concatenate![Axis(0), h, x.mapv(|v| v * v)]
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let v = ArrayView1::from(&x[..2]).to_owned();
    let mut h: Array1<f64> = v.clone();
    for k in 0..3 {
        h = if x[k] > 0.5 {
            concatenate![Axis(0), h, v]
        } else {
            extended(h, &v)
        };
        h[k] *= x[5 - k];
    }
    h.dot(&h) + concatenate![Axis(0), h, v].sum()
}

#[test]
fn arrays_that_get_longer() {
    scalar!(in_loops).row(147).check(&POINTS);
}

// ---- folds ----

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let products = a.fold_axis(Axis(0), 1.5, |p, v| p * v);
    let start = x[4] * x[4];
    let bent = a.fold_axis(Axis(1), start, |&s, &v| (s * v + v).sin());
    let turned = a.t().fold_axis(Axis(0), x[1], |s, v| s * 0.5 + v * v);
    let greatest = a.fold_axis(Axis(0), f64::NEG_INFINITY, |m, v| m.max(*v));
    let mut calls = 0;
    let counted = a.fold_axis(Axis(1), 0.0, |s, v| {
        calls += 1;
        s + v * calls as f64
    });
    products.sum() * bent.dot(&turned) + greatest[2] * counted[1] + calls as f64 * counted[0]
}

#[test]
fn folds_along_axes() {
    scalar!(folded).row(147).check(&POINTS);
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let norms = a.map_axis(Axis(0), |v| v.dot(&v).sqrt());
    let firsts = a.map_axis(Axis(1), |row: ArrayView1<'_, f64>| {
        for v in row.iter() {
            if *v > 0.5 {
                return v * v;
            }
        }
        row[0] * row.sum()
    });
    let early = norms.mapv(|v| {
        if v > 1.0 {
            return v * 0.5;
        }
        v.sin()
    });
    early.dot(&a.row(1)) * firsts[0] + firsts[1]
}

#[test]
fn maps_along_axes() {
    scalar!(mapped).row(147).check(&POINTS);
}

// ---- other shapes ----

#[differentiable]
fn shapes(x: &[f64]) -> f64 {
    let v = ArrayView1::from(x);
    let m = v.to_shape((2, 3)).unwrap();
    let turned = m.t().to_shape((2, 3)).unwrap().into_owned();
    // what is written is a copy
    let mut own = v.to_shape((2, 3)).unwrap();
    own[[0, 1]] *= x[5];
    own.row_mut(1).fill(x[0]);
    let again = m.to_shape(((3, 2), Order::C)).unwrap();
    let long = turned.to_shape(6).unwrap();
    let sums = (&m * &turned).into_shape_with_order((3, 2)).unwrap();
    let copied = own.to_owned().into_shape_clone((6, 1)).unwrap();
    let like = long.to_shape(m.dim()).unwrap();
    again.dot(&turned)[[2, 1]] * sums[[2, 0]]
        + long.dot(&v)
        + copied.column(0).dot(&long)
        + (&like * &own).sum() * turned.sum()
}

#[differentiable]
fn written_in_another_shape(x: &[f64], y: &mut [f64]) {
    let mut out = ArrayViewMut2::from_shape((3, 2), y).unwrap();
    out.assign(&ArrayView1::from(x).to_shape((3, 2)).unwrap());
    let mut copy = out.to_shape(6).unwrap().into_owned();
    copy[0] = x[1] * x[2];
    out[[2, 1]] += copy[0] * copy[3];
    let turned = copy.to_shape((2, 3)).unwrap();
    out.row_mut(1).assign(&turned.column(1));
    let mut line = out.into_shape_with_order(6).unwrap();
    line[5] *= turned[[0, 0]];
}

#[test]
fn arrays_in_another_shape() {
    scalar!(shapes).row(147).takes_memory().check(&POINTS);
    inplace!(written_in_another_shape, 6)
        .row(147)
        .check(&POINTS);
}

#[test]
#[should_panic(expected = "arrays that are put side by side differ in length")]
fn lengths_that_differ() {
    #[differentiable]
    fn differ(x: &[f64]) -> f64 {
        let (a, b) = (ArrayView1::from(&x[..2]), ArrayView1::from(&x[1..]));
        stack![Axis(0), a, b].sum()
    }
    let f = differ::AD;
    let g = std::panic::catch_unwind(|| gradient(f, NoPrep, &AutoSource::new(), POINTS[0]));
    // as in the function itself, but for the words
    assert!(std::panic::catch_unwind(|| differ(POINTS[0])).is_err());
    std::panic::resume_unwind(g.expect_err("rows of different lengths"));
}
