//! Arrays of `ndarray`: parameters, views, products, what is computed element by element.

use di::SecondOrder;
use di::prelude::*;
use di_test::compare::{DIFFERENCES, ROUNDING, assert_close};
use di_test::{inplace, scalar};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, Zip, array, s};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 2.0, 0.3, -0.9],
    &[-1.2, 0.4, 0.9, -0.3, 0.6, 0.2],
];

// ---- elements ----

#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), &x[..6]).unwrap();
    let v = ArrayView1::from(&x[1..4]);
    let mut s = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            s += a[[i, j]] * a[(i, 2 - j)] * v[j];
        }
    }
    let (m, n) = a.dim();
    s * (m * n + a.len() + a.shape()[1] + v.len()) as f64
}

#[test]
fn elements_and_shapes() {
    scalar!(elements).row(142).check(&POINTS);
}

#[differentiable]
fn written_elements(x: &[f64]) -> f64 {
    let mut a = Array2::zeros((2, 3));
    for i in 0..2 {
        for j in 0..3 {
            a[[i, j]] = x[3 * i + j].sin();
            a[[i, 2 - j]] += x[j] * a[[i, j]];
        }
    }
    a[[1, 0]] *= a[[0, 2]];
    let mut b = a.clone();
    b[[0, 0]] -= a[[1, 1]];
    let mut s = 0.0;
    for (u, v) in a.iter().zip(b.iter()) {
        s += u * v;
    }
    s
}

#[test]
fn elements_are_written() {
    scalar!(written_elements).row(142).check(&POINTS);
}

// ---- views ----

#[differentiable]
fn views(x: &[f64]) -> f64 {
    let a = Array2::from_shape_vec((2, 3), x.to_vec()).unwrap();
    let row = a.row(1);
    let column = a.column(2);
    let t = a.t();
    let part = a.slice(s![.., 1..]);
    let last: ArrayView1<'_, f64> = a.slice(s![-1, ..;2]);
    let mut s = row[0] * column[1] + t[[2, 0]] * row[2];
    s += part[[1, 0]] * part[[0, 1]] + last[0] * last[1];
    s += t.row(1).sum() * part.column(1).sum() + a.diag().dot(&last);
    s + row.iter().map(|v| v * v).sum::<f64>()
        + column.iter().zip(&last).map(|(u, v)| u * v).sum::<f64>()
}

#[test]
fn views_share_elements() {
    scalar!(views).row(146).check(&POINTS);
}

#[differentiable]
fn written_views(x: &[f64]) -> f64 {
    let mut a = Array2::from_elem((3, 3), x[0]);
    let v = ArrayView1::from(&x[1..4]);
    a.row_mut(0).assign(&v);
    a.column_mut(1).fill(x[4]);
    a.slice_mut(s![1.., 1..]).assign(&(&v.slice(s![1..]) * 2.0));
    a.column_mut(2).mapv_inplace(|e| e * x[5]);
    let mut r = a.row_mut(2);
    r[0] = x[0] * x[1];
    r += &v;
    for (k, mut row) in a.outer_iter_mut().enumerate() {
        row[k] += 1.0;
        row *= x[k];
    }
    a.iter().map(|e| e * e).sum::<f64>()
}

#[test]
fn views_are_written() {
    scalar!(written_views).row(146).check(&POINTS);
}

// ---- element by element ----

#[differentiable]
fn operators(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let v = ArrayView1::from(&x[..3]);
    let w = ArrayView1::from(&x[4..]);
    let b = &a * 2.0 - &v;
    let c = -&b / (1.5 + a.mapv(|e| e * e));
    let d = &c + &w.insert_axis(Axis(1));
    let e = 3.0 - &d * &d.mapv(f64::tanh);
    (e.exp() * x[0]).mapv(|v| v.sin()).sum() + b.powi(2).sum()
}

#[test]
fn operators_broadcast() {
    scalar!(operators).row(145).check(&POINTS);
}

#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut a = Array1::from(x[..3].to_vec());
    let b = ArrayView1::from(&x[3..]);
    a += &b;
    a *= x[0];
    a -= &(&a * &b);
    a /= 2.0;
    a.scaled_add(x[1], &b);
    a.mapv_inplace(f64::sin);
    a.zip_mut_with(&b, |u, v| *u *= v);
    let mut m = Array2::ones((2, 3));
    m *= &a;
    m += x[2];
    m -= &m.mean_axis(Axis(0)).unwrap();
    m[[0, 1]] += x[5];
    m.sum_axis(Axis(1)).dot(&a.slice(s![..2])) + m.mapv(|e| e * e).sum()
}

#[test]
fn arrays_change_in_place() {
    scalar!(in_place).row(144).check(&POINTS);
}

// What stands on the right is computed before anything is written, whatever it is computed from.
#[differentiable]
fn from_itself(x: &[f64]) -> f64 {
    let mut a = Array2::from_shape_vec((2, 2), x[..4].to_vec()).unwrap();
    a += &(&a.t() * 2.0);
    a -= &(&a.row(0) * x[4]);
    let b: Array2<f64> = array2(x);
    a *= &b.mapv(|e| e * a[[0, 0]]);
    a.assign(&(&b + x[5]));
    a[[0, 1]] * a[[1, 0]] + a[[1, 1]] * a[[0, 0]]
}

#[test]
fn right_hand_sides_come_first() {
    scalar!(from_itself).row(144).check(&POINTS);
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let a = ArrayView1::from(&x[..3]);
    let mut n = 1.0;
    let b = a.mapv(|v| v * n)
        + {
            n += 1.0;
            n
        }
        + a.mapv(|v| {
            n += x[4];
            v * n
        }) * n;
    let c = &b
        + &a.mapv(|v| {
            n *= 1.5;
            v + n
        });
    b.dot(&c) * n
}

#[test]
fn closures_run_in_their_turn() {
    scalar!(counted).row(144).check(&POINTS);
}

#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let mut b = Array2::zeros(a.raw_dim());
    let mut worst = 0.0;
    Zip::from(&mut b)
        .and(&a)
        .and(&a.slice(s![..;1, ..]))
        .for_each(|b, &u, v| {
            *b = u * v + u.cos();
        });
    Zip::from(&b).for_each(|v| worst += v * v);
    Zip::from(b.column_mut(0))
        .and(a.column(2))
        .for_each(|b, a| *b *= *a);
    worst + b.sum() + b.fold(0.0, |s, v| s + v * v)
}

#[test]
fn zips() {
    scalar!(zipped).row(147).check(&POINTS);
}

// ---- rows ----

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((3, 2), x).unwrap();
    let y = ArrayView1::from(&x[2..5]);
    let mut s = 0.0;
    for (row, v) in a.outer_iter().zip(y.iter()) {
        s += row.dot(&row) * v;
    }
    for (j, column) in a.columns().into_iter().enumerate() {
        s += column.dot(&y) * x[j];
    }
    for row in a.axis_iter(Axis(0)).rev().skip(1) {
        s += row[0] * row.sum();
    }
    let best: f64 = a.outer_iter().map(|r| r[0] * r[1]).sum();
    s + best + a.rows().into_iter().fold(1.0, |p, r| p * r.sum())
}

#[test]
fn rows_and_columns() {
    scalar!(rows).row(146).check(&POINTS);
}

// ---- products ----

#[differentiable]
fn products(x: &[f64]) -> f64 {
    let a = ArrayView2::from_shape((2, 3), x).unwrap();
    let v = ArrayView1::from(&x[..3]);
    let w = ArrayView1::from(&x[4..]);
    let p = a.dot(&v);
    let q = w.dot(&a);
    let r = a.t().dot(&p);
    let m = a.dot(&a.t());
    let n = a.t().dot(&a);
    let k = a.slice(s![.., ..2]).dot(&a.slice(s![.., 1..]).t());
    let o = m.dot(&a.slice(s![.., ..;2])) + &k;
    p.dot(&w) + q.dot(&r) + m.sum() + n.diag().dot(&v) + a.column(1).dot(&p) + o.dot(&w).dot(&w)
}

#[test]
fn products_of_vectors_and_matrices() {
    // ndarray's product of matrices takes a buffer
    scalar!(products).row(143).takes_memory().check(&POINTS);
}

#[differentiable]
fn empty(x: &[f64]) -> f64 {
    let a = Array2::from_elem((2, 0), x[0]);
    let b = Array2::from_elem((0, 3), x[1]);
    let c = a.dot(&b) + x[2];
    c.sum() * x[0] + a.dot(&Array1::zeros(0)).sum() + b.sum() + a.mean().unwrap_or(x[1])
}

#[test]
fn products_of_nothing() {
    scalar!(empty).row(143).check(&POINTS);
}

// ---- variables ----

#[differentiable]
fn iterated(x: &[f64]) -> f64 {
    let a = Array2::from_shape_vec((2, 2), x[..4].to_vec()).unwrap();
    let mut v = Array1::from(x[4..6].to_vec());
    let mut norms = Vec::new();
    for k in 0..4 {
        v = a.dot(&v);
        let n = v.dot(&v).sqrt();
        norms.push(n);
        v /= n;
        if k == 2 {
            v = v.mapv(f64::tanh) + x[0];
        }
    }
    norms.iter().sum::<f64>() + v.sum()
}

#[test]
fn variables_are_replaced() {
    scalar!(iterated).row(142).check(&POINTS);
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let a = ArrayView1::from(&x[..3]);
    let b = if x[0] > 0.0 {
        let t = &a * 2.0;
        &t * &t
    } else {
        a.to_owned()
    };
    let mut m: Array2<f64> = Array2::zeros((3, 3));
    for (i, v) in b.iter().enumerate() {
        m[[i, i]] = *v;
        m[[i, 0]] += x[i];
    }
    let a = b.insert_axis(Axis(0)).dot(&m);
    let (n, k) = (a.row(0), a.nrows() as f64);
    m = m.dot(&m);
    n.sum() * k + m.row(2).dot(&n)
}

#[test]
fn arrays_from_branches() {
    // ndarray's product of matrices takes a buffer
    scalar!(chosen).row(142).takes_memory().check(&POINTS);
}

// ---- calls ----

#[differentiable]
fn array2(x: &[f64]) -> Array2<f64> {
    let mut a = Array2::zeros((2, 2));
    a[[0, 0]] = x[0];
    a[[1, 0]] = x[1] * x[0];
    a[[1, 1]] = x[2].exp();
    a
}

#[differentiable]
fn layer(w: &Array2<f64>, x: ArrayView1<'_, f64>, slope: f64) -> Array1<f64> {
    if slope > 1.0 {
        return w.dot(&x);
    }
    let z = w.dot(&x);
    z.mapv(|v| if v > 0.0 { v } else { slope * v })
}

#[differentiable]
fn shift(mut a: ArrayViewMut2<'_, f64>, by: f64) {
    a += by;
}

#[differentiable]
fn called(x: &[f64]) -> f64 {
    let mut w: Array2<f64> = array2(x);
    shift(w.view_mut(), x[5]);
    let h: Array1<f64> = layer(&w, ArrayView1::from(&x[3..5]), 0.1);
    let g: Array1<f64> = layer(&w.t().to_owned(), w.column(1), 2.0);
    h.dot(&g) + w.sum()
}

#[test]
fn arrays_go_to_functions_and_come_back() {
    scalar!(called).row(142).check(&POINTS);
}

#[differentiable]
fn stepped(x: &Array1<f64>, y: &mut Array1<f64>) {
    for i in 1..x.len() {
        y[i] = x[i] * x[i - 1];
    }
    y[0] = x.sum();
}

#[test]
fn vectors_are_written() {
    let x = array![0.5, -1.0, 2.0];
    let backend = AutoSource::new();
    let mut y = Array1::zeros(3);
    let j = jacobian(stepped::AD.output(&mut y), NoPrep, &backend, &x).unwrap();
    let expected = [1.0, 1.0, 1.0, -1.0, 0.5, 0.0, 0.0, 2.0, -1.0];
    assert_close("jacobian", j.as_slice(), &expected, ROUNDING);
}

#[differentiable]
fn outer(x: &[f64], y: &mut [f64]) {
    let v = ArrayView1::from(&x[..2]).insert_axis(Axis(1));
    let w = ArrayView1::from(&x[2..5]).insert_axis(Axis(0));
    let m = v.dot(&w);
    for (y, m) in y.iter_mut().zip(m.iter()) {
        *y = m * x[5];
    }
}

#[test]
fn outer_products() {
    // ndarray's product of matrices takes a buffer
    inplace!(outer, 6).row(143).takes_memory().check(&POINTS);
}

// ---- matrices at the boundary ----

#[differentiable]
fn loss(
    w: &Array2<f64>,
    b: &Array1<f64>,
    #[constant] x: &Array2<f64>,
    #[constant] y: ArrayView1<'_, f64>,
) -> f64 {
    let z = x.dot(w) + b;
    let p = z.mapv(|v| v.tanh()).sum_axis(Axis(1));
    let r = &p - &y;
    r.dot(&r) / x.nrows() as f64
}

#[test]
fn matrices_and_constants() {
    let x = Array2::from_shape_fn((4, 3), |(i, j)| 0.3 * i as f64 - 0.2 * (i * j) as f64 + 0.1);
    let y = array![0.1, -0.2, 0.3, 0.4];
    let w = Array2::from_shape_fn((3, 2), |(i, j)| 0.2 * i as f64 - 0.3 * j as f64 + 0.05);
    let b = array![0.1, -0.3];
    let at = (&w, &b);
    // a matrix in the other order is copied
    let turned = x.t().to_owned();
    let wide = turned.t().to_owned();
    for x in [&x, &wide] {
        let f = loss::AD.with(x, y.view());
        let value = loss(&w, &b, x, y.view());
        let h = 1e-6;
        let expected: Vec<f64> = (0..8)
            .map(|k| {
                let shifted = |h: f64| {
                    let (mut w, mut b) = (w.clone(), b.clone());
                    if k < 6 {
                        w[[k / 2, k % 2]] += h;
                    } else {
                        b[k - 6] += h;
                    }
                    loss(&w, &b, x, y.view())
                };
                (8.0 * (shifted(h) - shifted(-h)) - (shifted(2.0 * h) - shifted(-2.0 * h)))
                    / (12.0 * h)
            })
            .collect();
        for backend in [AutoSource::new(), AutoSource::new().forward()] {
            let (v, (gw, gb)) = value_and_gradient(f, NoPrep, &backend, &at).unwrap();
            assert_eq!(v, value);
            let found: Vec<f64> = gw.iter().chain(&gb).copied().collect();
            assert_close("gradient", &found, &expected, DIFFERENCES);
        }
        let (v, (gw, _)) = value_and_gradient(f, NoPrep, &AutoDual::new(), &at).unwrap();
        assert_close("value", &[v], &[value], ROUNDING);
        assert_close(
            "by duals",
            gw.as_slice().unwrap(),
            &expected[..6],
            DIFFERENCES,
        );
    }
}

#[differentiable]
fn scaled(a: &Array2<f64>, #[constant] k: f64, c: &mut Array2<f64>) {
    c.assign(&(a.dot(&a.t()) * k));
}

#[test]
fn matrices_are_written() {
    let a = array![[1.0, 2.0], [0.5, -1.0]];
    let mut c = Array2::zeros((2, 2));
    let f = scaled::AD.with(2.0);
    let j = jacobian(f.output(&mut c), NoPrep, &AutoSource::new(), &a).unwrap();
    let (p, q, r, s) = (1.0, 2.0, 0.5, -1.0);
    let expected = [
        4.0 * p,
        4.0 * q,
        0.0,
        0.0, //
        2.0 * r,
        2.0 * s,
        2.0 * p,
        2.0 * q, //
        2.0 * r,
        2.0 * s,
        2.0 * p,
        2.0 * q, //
        0.0,
        0.0,
        4.0 * r,
        4.0 * s,
    ];
    assert_close("jacobian", j.as_slice(), &expected, ROUNDING);
}

#[differentiable]
fn quartic(a: &Array2<f64>) -> f64 {
    let b = a.dot(a);
    b.mapv(|v| v * v).sum()
}

#[test]
fn second_order_of_products() {
    let a = array![[1.0, 2.0], [0.5, -1.0]];
    let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let h = hessian(quartic::AD, NoPrep, &backend, &a).unwrap();
    let d = 1e-5;
    for k in 0..4 {
        let at = |d: f64| {
            let mut a = a.clone();
            a[[k / 2, k % 2]] += d;
            gradient(quartic::AD, NoPrep, &AutoSource::new(), &a).unwrap()
        };
        let expected = (at(d) - at(-d)) / (2.0 * d);
        assert_close(
            "hessian",
            h.row(k),
            expected.as_slice().unwrap(),
            DIFFERENCES,
        );
    }
}

#[differentiable]
fn single(x: &[f32]) -> f32 {
    let a = ArrayView2::from_shape((2, 2), &x[..4]).unwrap();
    let v = ArrayView1::from(&x[2..4]);
    a.dot(&a.t()).dot(&v).dot(&v) + (&a * 2.0).sum()
}

#[test]
fn arrays_of_f32() {
    let x = [0.5_f32, -1.0, 2.0, 0.25];
    let g = gradient(single::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let h = gradient(single::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    for (g, h) in g.iter().zip(h) {
        assert!((g - h).abs() < 1e-4, "{g} {h}");
    }
}

#[differentiable]
fn gram(a: &Array2<f64>) -> Array2<f64> {
    a.dot(&a.t())
}

#[differentiable]
fn activated(x: &Array1<f64>) -> Array1<f64> {
    x * &x.mapv(f64::sin)
}

#[test]
fn results_are_arrays() {
    let a = array![[1.0, 2.0], [0.5, -1.0]];
    let d = array![[0.5, -0.25], [1.0, 2.0]];
    let expected = d.dot(&a.t()) + a.dot(&d.t());
    let seed = array![[1.0, 0.5], [-2.0, 3.0]];
    let pulled = (&seed + &seed.t()).dot(&a);
    let x = array![0.5, -1.0, 2.0];
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let (y, dy) = value_and_pushforward(gram::AD, NoPrep, &backend, &a, &d).unwrap();
        assert_eq!(y, gram(&a));
        assert_close(
            "pushforward",
            dy.as_slice().unwrap(),
            expected.as_slice().unwrap(),
            ROUNDING,
        );
        let xb = pullback(gram::AD, NoPrep, &backend, &a, &seed).unwrap();
        let pulled = pulled.as_standard_layout().into_owned();
        assert_close(
            "pullback",
            xb.as_slice().unwrap(),
            pulled.as_slice().unwrap(),
            ROUNDING,
        );
        let (y, j) = value_and_jacobian(activated::AD, NoPrep, &backend, &x).unwrap();
        assert_eq!(y, activated(&x));
        let slope = x.mapv(|x| x.sin() + x * x.cos());
        let expected = Array2::from_diag(&slope);
        assert_close(
            "jacobian",
            j.as_slice(),
            expected.as_slice().unwrap(),
            ROUNDING,
        );
    }
}
