//! Loops with both sweeps, which run in strips, and adjoint loops that sum up, which run in fours; and trip by trip
//! where less than that is left: values bit by bit, gradients and products with Hessians against differences, for each
//! number of trips about that of strips.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over indices, as numerical code has them"
)]

use di::prelude::*;
use di_test::compare::{Tolerance, assert_bitwise, assert_close};

const MOST: usize = 35;

/// Differences of values and of gradients with steps of `STEP`.
const STEP: f64 = 1e-5;

const DIFFERENCES: Tolerance = Tolerance {
    relative: 1e-7,
    absolute: 1e-7,
};

/// Neighbours: what a trip gives to the next one is carried on.
#[differentiable]
fn neighbours(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = t[i] - x[i];
        s += 100.0 * a * a + b * b;
    }
    s
}

/// Two sums at once, one of them of what is subtracted.
#[differentiable]
fn two_sums(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let (mut s, mut r) = (0.0, 1.0);
    for i in 0..x.len() {
        let d = x[i] - t[i];
        s += (d * d + 0.01).sqrt();
        r -= 0.25 * d * d * d;
    }
    s + 2.0 * r
}

/// The last inputs before the first: two rows of each slice.
#[differentiable]
fn halves(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let n = x.len() / 2;
    let mut s = 0.0;
    for i in 0..n {
        let d = x[n + i] * t[i] - x[i];
        s += 0.5 * d * d + x[i] * x[n + i];
    }
    s
}

#[differentiable]
fn zipped(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let pairs = x.iter().zip(t);
    pairs.map(|(x, t)| ((x - t).powi(2) + 0.01).sqrt()).sum()
}

#[differentiable]
fn of_parts(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let (left, right) = (&x[..x.len() - 1], &x[1..]);
    let mut s = 0.0;
    for i in 0..left.len() {
        let d = right[i] - left[i] * t[i];
        s += d * d * (1.0 + 0.5 * left[i]);
    }
    s
}

#[differentiable]
fn squares(x: &[f64], #[constant] t: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>() * t[0]
}

/// Arrays have no rows: their lengths are known.
#[differentiable]
fn arrays(x: &[f64; 20], #[constant] t: &[f64; 19]) -> f64 {
    let mut s = 0.0;
    for i in 0..19 {
        let a = x[i + 1] - x[i] * x[i];
        s += 0.5 * t[i] * a * a + x[i] * x[i] * t[i];
    }
    s
}

#[differentiable]
fn array(x: &[f64; 20], #[constant] t: &[f64; 19]) -> f64 {
    let mut s = 0.0;
    for i in 0..19 {
        let a = x[i] - t[i];
        s += 0.5 * t[i] * a * a + x[i] * x[i] * t[i];
    }
    s
}

/// The adjoint of each input is a sum over a column, and another stands beside it.
#[differentiable]
fn columns(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let n = x.len();
    let w: Vec<f64> = x.iter().map(|x| 0.5 + x * x).collect();
    let mut y = vec![0.0; n];
    for j in 0..n {
        for i in j..n {
            y[i] += w[i] * x[j];
        }
    }
    for j in 0..n {
        for i in 0..j {
            y[i] -= 0.3 * t[i] * x[j];
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += (0.1 * y[i]).sin();
    }
    s
}

/// Packed triangles by rows and by columns, with and without their diagonals.
#[differentiable]
fn packed(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let n = x.len();
    let q: Vec<f64> = (0..n * (n + 1))
        .map(|k| x[k % n] * (1.0 + x[k / (n + 1)]))
        .collect();
    let mut y = vec![0.0; n];
    let (mut l, mut k) = (0, n);
    for i in 0..n {
        for j in i + 1..n {
            y[j] += q[l] * x[i];
            l += 1;
        }
        for j in 0..=i {
            y[j] -= 0.5 * q[k] * t[i];
            k += 1;
        }
    }
    y.iter().map(|y| (0.1 * y).sin()).sum()
}

/// A variable that all elements meet.
#[differentiable]
fn centred(x: &[f64], #[constant] t: &[f64]) -> f64 {
    let n = x.len();
    let (mut sum, mut all) = (0.0, 1.0);
    for i in 0..n {
        sum += x[i];
        all += t[i] * x[i] * x[i];
    }
    let (mean, width) = (sum / (n as f64 + 1.0), 0.1 * all);
    let mut d = vec![0.0; n];
    for i in 0..n {
        d[i] = (x[i] - mean) * width;
    }
    d.iter().map(|d| d.tanh()).sum()
}

/// `Q x` by the columns of `Q`, with either of them fixed or not.
#[differentiable]
fn by_columns(q: &[f64], x: &[f64]) -> f64 {
    let (m, n) = (q.len() / x.len().max(1), x.len());
    let mut y = vec![0.0; m];
    for j in 0..n {
        for i in 0..m {
            y[i] += q[j * m + i] * x[j];
        }
    }
    y.iter().map(|y| y.cos()).sum()
}

#[test]
fn sums_in_fours_do_not_need_all_adjoints() {
    for m in 1..=17 {
        let (q, x) = (point(3 * m, 0.4), point(3, 0.9));
        let (q, x) = (&q[..], &x[..]);
        let backend = AutoSource::new();
        let (_, (by_q, by_x)) =
            value_and_gradient(by_columns::AD, NoPrep, &backend, &(q, x)).expect("it fits");
        let expected = differences(q, |q| by_columns(q, x));
        assert_close("by q", &by_q, &expected, DIFFERENCES);
        let f = by_columns::AD.fix_x(x);
        let alone = gradient(f, NoPrep, &backend, q).expect("it fits");
        assert_close("by q alone", &alone, &expected, DIFFERENCES);
        let expected = differences(x, |x| by_columns(q, x));
        assert_close("by x", &by_x, &expected, DIFFERENCES);
        let f = by_columns::AD.fix_q(q);
        let alone = gradient(f, NoPrep, &backend, x).expect("it fits");
        assert_close("by x alone", &alone, &expected, DIFFERENCES);
    }
}

/// Either argument may be one that is not asked for.
#[differentiable]
fn both(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        let d = x[i] * y[i] - 0.3;
        s += 0.5 * d * d + x[i] * x[i] * y[i];
    }
    s
}

fn point(n: usize, at: f64) -> Vec<f64> {
    (0..n)
        .map(|i| at + 0.6 * (0.7 * i as f64 + at).sin())
        .collect()
}

/// Differences of `value` in each direction.
fn differences(x: &[f64], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let along = |i: usize| {
        let mut moved = x.to_vec();
        moved[i] = x[i] + STEP;
        let after = value(&moved);
        moved[i] = x[i] - STEP;
        (after - value(&moved)) / (2.0 * STEP)
    };
    (0..x.len()).map(along).collect()
}

/// Differences of a gradient along `v`.
fn products(x: &[f64], v: &[f64], gradient: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let moved = |by: f64| -> Vec<f64> { x.iter().zip(v).map(|(x, v)| x + by * v).collect() };
    let (after, before) = (gradient(&moved(STEP)), gradient(&moved(-STEP)));
    let both = after.iter().zip(before);
    both.map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
}

macro_rules! check {
    ($f:ident, $least:expr) => {
        for n in $least..=MOST {
            let (x, t, v) = (point(n, 0.4), point(n.max(1), 0.9), point(n, -0.2));
            check!(@at $f, &x[..], &t[..], &v[..], |x: &[f64]| x.to_vec(), n);
        }
    };
    ($f:ident) => {
        let (x, t, v) = (point(20, 0.4), point(19, 0.9), point(20, -0.2));
        let array = |x: &[f64]| <[f64; 20]>::try_from(x).expect("twenty");
        let (x, v) = (array(&x), array(&v));
        let t = <[f64; 19]>::try_from(&t[..]).expect("nineteen");
        check!(@at $f, &x, &t, &v, array, 20);
    };
    (@at $f:ident, $x:expr, $t:expr, $v:expr, $own:expr, $n:expr) => {
        let (f, x, t, v, own) = ($f::AD.with($t), $x, $t, $v, $own);
        let name = format!("{} of {}", stringify!($f), $n);
        let backend = AutoSource::new();
        let prep = prepare_gradient(f, &backend, x).expect("it fits");
        let gradient_at = |x: &[f64]| {
            let x = own(x);
            gradient(f, &prep, &backend, &x).expect("it fits").to_vec()
        };
        let (y, g) = value_and_gradient(f, &prep, &backend, x).expect("it fits");
        assert_bitwise(&name, &[y], &[$f(x, t)]);
        if !x.is_empty() {
            let expected = differences(&x[..], |x| {
                let x = own(x);
                $f(&x, t)
            });
            assert_close(&name, &g[..], &expected, DIFFERENCES);
            assert_close(&name, &gradient_at(&x[..]), &expected, DIFFERENCES);
            let prep = prepare_hvp(f, &backend, x, v).expect("it fits");
            let expected = products(&x[..], &v[..], gradient_at);
            let found = hvp(f, &prep, &backend, x, v).expect("it fits");
            assert_close(&name, &found[..], &expected, DIFFERENCES);
            let (y, g2, found) = value_gradient_and_hvp(f, &prep, &backend, x, v).expect("it fits");
            assert_bitwise(&name, &[y], &[$f(x, t)]);
            assert_close(&name, &g2[..], &g[..], DIFFERENCES);
            assert_close(&name, &found[..], &expected, DIFFERENCES);
        }
    };
}

#[test]
fn derivatives_are_right_whatever_is_left_of_a_strip() {
    check!(neighbours, 1);
    check!(two_sums, 0);
    check!(halves, 0);
    check!(zipped, 0);
    check!(of_parts, 1);
    check!(squares, 0);
    check!(columns, 0);
    check!(packed, 0);
    check!(centred, 0);
    check!(arrays);
    check!(array);
}

#[test]
fn what_is_not_asked_for_has_no_strips() {
    for n in 0..=MOST {
        let (x, y) = (point(n, 0.4), point(n, 0.9));
        let (x, y) = (&x[..], &y[..]);
        let backend = AutoSource::new();
        let all = prepare_gradient(both::AD, &backend, &(x, y)).expect("it fits");
        let (value, (by_x, by_y)) =
            value_and_gradient(both::AD, &all, &backend, &(x, y)).expect("it fits");
        assert_bitwise("value", &[value], &[both(x, y)]);
        if n > 0 {
            let f = both::AD.fix_y(y);
            let prep = prepare_gradient(f, &backend, x).expect("it fits");
            let alone = gradient(f, &prep, &backend, x).expect("it fits");
            let expected = differences(x, |x| both(x, y));
            assert_close("by x", &by_x, &expected, DIFFERENCES);
            assert_close("by x alone", &alone, &expected, DIFFERENCES);
            let f = both::AD.fix_x(x);
            let prep = prepare_gradient(f, &backend, y).expect("it fits");
            let alone = gradient(f, &prep, &backend, y).expect("it fits");
            let expected = differences(y, |y| both(x, y));
            assert_close("by y", &by_y, &expected, DIFFERENCES);
            assert_close("by y alone", &alone, &expected, DIFFERENCES);
        }
    }
}

/// A loop that may begin behind its end.
#[differentiable]
fn later(x: &[f64], #[constant] t: &[f64], from: usize) -> f64 {
    let mut s = 0.0;
    for i in from..x.len() {
        let d = x[i] - t[i];
        s += 0.5 * t[i] * d * d * (d * d + 0.1).sqrt();
    }
    s + x[0]
}

#[test]
fn loops_that_begin_behind_their_end_have_no_trip() {
    let x: Vec<f64> = (0..10).map(|i| f64::from(i).sin()).collect();
    let t = vec![0.3; 10];
    let mut expected = vec![0.0; 10];
    expected[0] = 1.0;
    for from in [10, 11, 40] {
        let f = later::AD.with(&t, from);
        let (y, g) = value_and_gradient(f, NoPrep, &AutoSource::new(), &x).unwrap();
        assert_eq!((y, g), (x[0], expected.clone()));
    }
}
