//! Chains of iterators: each source, adapter and end, also empty, uneven and in loops.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.71, 1.13, -0.43],
    &[-1.21, 0.44, 0.93, 1.33, 0.24],
    &[0.83],
    &[0.35, -0.64, 1.42, 0.55, -0.92, 1.17, 0.15],
];

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for c in x.chunks(2) {
        s = s * c[0] + c.len() as f64 + c.iter().sum::<f64>();
    }
    for c in x.chunks(3).rev() {
        s = s * 0.5 + c[c.len() - 1] * c[0];
    }
    for c in x.chunks_exact(2) {
        s += c[0] * c[1];
    }
    for (i, c) in x.chunks_exact(2).enumerate().rev() {
        s = s.sin() + c[0] * (i + 1) as f64;
    }
    for c in x.rchunks(2) {
        s = s * 0.7 + c[0].exp();
    }
    let steps: f64 = x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    let far: f64 = x.windows(4).map(|w| w[3] * w[0]).sum();
    s + steps * far
}

#[test]
fn stretches_of_slices() {
    scalar!(parts).rows(&[32, 51]).check(&POINTS);
}

#[differentiable]
fn written_parts(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(&x[..y.len()]);
    for c in y.chunks_mut(2) {
        c[0] *= 2.0 * c[0];
    }
    for (c, v) in y.chunks_exact_mut(2).zip(x) {
        c[1] += c[0] * v;
        c[0] = c[1] * c[1];
    }
    for c in y.rchunks_mut(3).skip(1) {
        for v in c.iter_mut() {
            *v = v.sin() * x[0];
        }
    }
}

#[test]
fn stretches_to_write_to() {
    inplace!(written_parts, 3)
        .row(33)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 1.3, 0.2]]);
    inplace!(written_parts, 4)
        .row(33)
        .check(&[&[0.7, 1.1, -0.4, 0.3]]);
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let m = [[x[0], 2.0, x[0] * x[0]], [1.0, x[0], x[0].sin()]];
    let mut s = 0.0;
    for row in &m {
        s = s * row[0] + row.iter().product::<f64>();
    }
    for (i, row) in m.iter().enumerate() {
        for (j, v) in row.iter().enumerate() {
            s += v * v * (i * 3 + j) as f64;
        }
    }
    s + m.iter().flatten().sum::<f64>() * m.iter().map(|r| r[1] * r[2]).sum::<f64>()
        + m.iter().flatten().rev().fold(0.3, |a, v| a * v + 1.0)
}

#[test]
fn rows_of_arrays() {
    scalar!(rows).rows(&[22, 68]).check(&POINTS);
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let positive: f64 = x.iter().filter(|v| **v > 0.0).sum();
    let large = x
        .iter()
        .copied()
        .filter(|&v| v * v > 0.2)
        .map(|v| v.sin())
        .sum::<f64>();
    let mut s = positive * large;
    for (k, v) in x.iter().filter(|v| **v < 1.0).enumerate() {
        s = s * 0.5 + v * v * (k + 1) as f64;
    }
    for (v, w) in x.iter().filter(|v| v.abs() > 0.3).zip(x) {
        s += v * w;
    }
    for (w, v) in x.iter().skip(1).zip(x.iter().filter(|v| v.abs() > 0.3)) {
        s *= 1.0 + 0.1 * v * w;
    }
    let n = x.iter().filter(|v| **v > 0.5).count();
    s + n as f64 * x[0]
        + x.iter()
            .rev()
            .filter(|v| **v > 0.0)
            .take(2)
            .fold(0.0, |a, v| a * 0.3 + v)
        + x.iter()
            .filter(|v| **v > 0.0)
            .skip(1)
            .step_by(2)
            .fold(1.0, |a, v| a * v)
        + x.iter()
            .filter(|v| **v < 0.6)
            .rev()
            .fold(0.1, |a, v| a * v + 1.0)
}

#[test]
fn items_that_pass() {
    scalar!(filtered).row(49).step(0.005).check(&POINTS);
}

#[differentiable]
fn whiles(x: &[f64]) -> f64 {
    let head: f64 = x.iter().take_while(|v| **v > -0.5).map(|v| v * v).sum();
    let tail: f64 = x.iter().skip_while(|v| **v > 0.5).map(|v| v.exp()).sum();
    let roots: f64 = x
        .iter()
        .map_while(|v| {
            if *v > -0.5 {
                Some((v + 1.0).sqrt())
            } else {
                None
            }
        })
        .sum();
    let mut s = head * tail + roots;
    for v in x.iter().take_while(|v| **v > -1.0).skip(1) {
        if *v > 1.25 {
            break;
        }
        if *v < 0.0 {
            continue;
        }
        s = s * v + 0.2;
    }
    s
}

#[test]
fn items_while_they_pass() {
    scalar!(whiles).row(49).check(&POINTS);
}

#[differentiable]
fn mapped_some(x: &[f64]) -> f64 {
    let logs: f64 = x
        .iter()
        .filter_map(|&v| if v > 0.0 { Some(v.ln()) } else { None })
        .sum();
    let pieces: f64 = x
        .iter()
        .enumerate()
        .filter_map(|(i, v)| {
            let w = v * v;
            if i % 2 == 0 {
                let u = w + 1.0;
                Some(u * v)
            } else if *v > 0.0 {
                Some(w)
            } else {
                None
            }
        })
        .map(|v| v * 0.5)
        .sum();
    let short: f64 = x.iter().filter_map(|v| (*v > 0.2).then_some(v * v)).sum();
    let lazy: f64 = x
        .iter()
        .rev()
        .filter_map(|v| (*v > 0.2).then(|| v.sqrt()))
        .product();
    logs * pieces + short * lazy
}

#[test]
fn items_that_are_some() {
    scalar!(mapped_some).row(49).step(0.005).check(&POINTS);
}

#[differentiable]
fn scanned(x: &[f64]) -> f64 {
    let running: f64 = x
        .iter()
        .scan(0.5, |state, v| {
            *state = *state * 0.8 + v * v;
            Some(*state * v)
        })
        .sum();
    let bounded: f64 = x
        .iter()
        .scan((1.0, 0), |st, &v| {
            st.0 *= v + 2.0;
            st.1 += 1;
            if st.0 > 6.0 {
                None
            } else {
                Some(st.0 + st.1 as f64)
            }
        })
        .product();
    running * bounded
}

#[test]
fn items_with_a_state() {
    scalar!(scanned).row(51).check(&POINTS);
}

#[differentiable]
fn flattened(x: &[f64]) -> f64 {
    let n = x.len();
    let pairs: f64 = (0..n).flat_map(|i| (0..i).map(move |j| x[i] * x[j])).sum();
    let twice: f64 = x.iter().flat_map(|&v| [v, v * v]).map(|v| v.sin()).sum();
    let blocks: f64 = x
        .chunks(2)
        .flat_map(|c| {
            let scale = c[0] * 2.0;
            c.iter().map(move |v| v * scale)
        })
        .enumerate()
        .map(|(k, v)| v * (k + 1) as f64)
        .sum();
    let mut s = pairs * twice + blocks;
    for v in x.chunks(2).flatten().skip(1).take(3) {
        s = s * 0.9 + v * v;
    }
    'all: for v in x.iter().flat_map(|v| [*v, v + 1.0]).chain([x[0], 2.0]) {
        if v < -0.5 {
            continue;
        }
        for k in 0..3 {
            if v > 1.9 && k == 1 {
                break 'all;
            }
            if v < 0.3 {
                continue 'all;
            }
            s += v * 0.1;
        }
    }
    s + (0..n)
        .rev()
        .flat_map(|i| (0..=i).rev().map(move |j| x[j] * i as f64))
        .fold(0.0, |a, v| a * 0.5 + v)
        + (0..n)
            .flat_map(|i| x[..i].iter())
            .rev()
            .fold(0.0, |a, v| a * 0.5 + v)
}

#[test]
fn items_of_items() {
    scalar!(flattened)
        .rows(&[51, 75])
        .step(0.005)
        .check(&POINTS);
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let n = x.len();
    let (a, b) = x.split_at(n / 2);
    let mut s = 0.1;
    for v in b.iter().chain(a) {
        s = s * 0.7 + v * v;
    }
    for v in a.iter().chain(b).rev() {
        s = s * v + 0.4;
    }
    for (k, v) in a
        .iter()
        .map(|v| v * 2.0)
        .chain(b.iter().copied())
        .enumerate()
    {
        if k == 4 {
            break;
        }
        s += v * (k + 1) as f64;
    }
    for (v, w) in a.iter().chain(b).zip(x.iter().rev()) {
        s += v * w;
    }
    for (w, v) in x.iter().zip(b.iter().chain(a)) {
        s += v.sin() * w;
    }
    for v in a
        .iter()
        .chain(x)
        .chain(std::iter::once(&x[0]))
        .skip(2)
        .step_by(2)
        .take(4)
    {
        s = s * 0.6 + v;
    }
    let early = a
        .iter()
        .chain(b)
        .take_while(|v| **v > -0.5)
        .map(|v| v.exp())
        .sum::<f64>();
    s * early
}

#[test]
fn one_after_the_other() {
    scalar!(chained).rows(&[47, 31]).check(&POINTS);
}

#[differentiable]
fn repeated(x: &[f64]) -> f64 {
    let scale = x[0] * 2.0;
    let a: f64 = std::iter::repeat(scale)
        .take(3)
        .zip(x)
        .map(|(s, v)| s * v)
        .sum();
    let b: f64 = std::iter::repeat_n(x[0], 4).product();
    let c: f64 = std::iter::once(x[0].sin())
        .chain(std::iter::repeat_n(scale, 2))
        .sum();
    let mut s = a * b + c;
    for i in 2.. {
        if i > 5 {
            break;
        }
        s = s * 0.5 + x[0] * i as f64;
    }
    for (i, v) in (1..).zip(x) {
        s += v * i as f64;
    }
    s + (1_i32..)
        .step_by(2)
        .take(3)
        .map(|i| x[0].powi(i))
        .sum::<f64>()
}

#[test]
fn one_over_and_over() {
    scalar!(repeated).row(47).check(&POINTS);
}

#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let n = x.len();
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let mut sums = x
        .iter()
        .zip(&squares)
        .map(|(a, b)| a + b)
        .collect::<Vec<_>>();
    for (s, v) in sums.iter_mut().zip(x) {
        *s *= v;
    }
    let back: Vec<f64> = sums
        .iter()
        .rev()
        .copied()
        .chain(squares.iter().skip(1).map(|v| v.sin()))
        .collect();
    let order: Vec<usize> = (0..n).rev().collect();
    let points: Vec<[f64; 2]> = x.iter().map(|v| [*v, v * 2.0]).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v.exp(), v * 3.0)).unzip();
    let mut s = 0.0;
    for &i in &order {
        s = s * 0.4 + back[i] * points[i][1] + a[i] * b[i];
    }
    s + back[back.len() - 1] * points.iter().map(|p| p[0] * p[1]).sum::<f64>()
}

#[test]
fn chains_in_vectors() {
    scalar!(collected).row(52).check(&POINTS);
}

#[differentiable]
fn tested(x: &[f64]) -> f64 {
    let mut s = x[0];
    if x.iter().any(|v| *v > 1.25) {
        s *= x[0] + 2.0;
    }
    if x.iter().all(|v| v * v < 1.3) {
        s += x[0].exp();
    }
    if x.iter().chain(x).any(|v| *v < -1.0) {
        s = s.sin();
    }
    let at = x.iter().position(|v| *v > 0.5).unwrap_or(0);
    let found = x.iter().find(|v| **v < 0.0).copied().unwrap_or(0.25);
    let late = x.iter().filter(|v| **v > 0.1).nth(1).unwrap_or(&0.5);
    s * x[at]
        + found * late
        + x.iter().last().unwrap() * x.iter().nth(0).unwrap()
        + x.iter()
            .map(|v| v * v)
            .filter(|v| *v > 0.01)
            .last()
            .unwrap()
        + (x.iter().rev().next().unwrap()).powi(2)
}

#[test]
fn tests_of_items() {
    scalar!(tested).row(49).step(0.005).check(&POINTS);
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let largest = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
    let least = x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let (at, value) = x
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .unwrap();
    let wide = x.iter().map(|v| v * v).max_by(f64::total_cmp).unwrap();
    let (_, mapped) = x
        .iter()
        .map(|v| (v.abs(), v.sin()))
        .min_by(|(a, _), (b, _)| b.total_cmp(a))
        .unwrap();
    let row = x.chunks(2).max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
    let some = x
        .iter()
        .filter(|v| **v > 0.0)
        .min_by(|a, b| a.total_cmp(b))
        .unwrap_or(&2.0);
    let reduced = x.iter().copied().reduce(|a, b| a * 0.5 + b * b).unwrap();
    let most = x
        .iter()
        .copied()
        .filter(|v| v.abs() > 0.0)
        .reduce(f64::max)
        .unwrap();
    let k = (0..x.len()).max_by_key(|i| (i * 5) % 7).unwrap();
    largest * least
        + value * at as f64
        + wide * mapped
        + row[row.len() - 1] * some
        + reduced * most
        + x[k]
}

#[test]
fn the_greatest_of_items() {
    scalar!(chosen).rows(&[50, 101]).check(&POINTS);
}

#[differentiable]
fn none_at_all(x: &[f64]) -> f64 {
    let e = &x[..0];
    let none: Vec<f64> = e.iter().map(|v| v * x[0]).collect();
    let mut s = x[0] + none.len() as f64;
    for v in e.chunks(3).flatten().chain(e).filter(|v| **v > 0.0) {
        s *= v;
    }
    s += e.windows(2).map(|w| w[0]).sum::<f64>();
    s += e
        .iter()
        .copied()
        .max_by(|a, b| a.total_cmp(b))
        .unwrap_or(x[0] * x[0]);
    s * e
        .iter()
        .rev()
        .skip(2)
        .step_by(3)
        .zip(x)
        .fold(x[0], |a, (b, c)| a + b * c)
}

#[test]
fn chains_over_no_items() {
    scalar!(none_at_all).rows(&[47, 50]).check(&POINTS);
}

/// The sum of no items, and of zeros, keeps its sign.
#[differentiable]
fn sign_of_nothing(x: &[f64]) -> f64 {
    let none: f64 = x.iter().filter(|v| **v > 100.0).sum();
    let zeros: f64 = x.iter().map(|v| -0.0 * v.abs()).sum();
    if none.is_sign_negative() && zeros.is_sign_negative() {
        x[0] * 2.0
    } else {
        x[0]
    }
}

#[test]
fn sums_start_from_minus_zero() {
    scalar!(sign_of_nothing).row(45).check(&POINTS);
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for k in 0..3 {
        let top = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let n = v.len();
        for i in (0..n).filter(|i| i % 2 == k % 2) {
            v[i] = v[i] * 0.5 + top * 0.1;
        }
        v.iter_mut().for_each(|w| *w = w.sin());
        let smooth: Vec<f64> = v.windows(2).map(|w| w[0] * w[1]).collect();
        for (w, s) in v.iter_mut().skip(1).zip(&smooth) {
            *w += s;
        }
        v.iter_mut().rev().step_by(2).for_each(|w| {
            if *w < 0.0 {
                return;
            }
            *w *= 1.1;
        });
        if v.iter().map(|w| w * w).sum::<f64>() > 100.0 {
            return v[0];
        }
    }
    v.iter().rev().fold(0.0, |s, w| s * x[0] + w)
}

#[test]
fn chains_over_what_is_written() {
    scalar!(in_a_loop).rows(&[33, 47]).step(0.01).check(&POINTS);
}

/// A maximum over no items panics, also where only the derivative is computed.
#[test]
fn no_item_panics() {
    #[differentiable]
    fn most(x: &[f64]) -> f64 {
        x.iter()
            .copied()
            .filter(|v| *v > 10.0)
            .reduce(f64::max)
            .unwrap()
            * x[0]
    }
    #[differentiable]
    fn greatest(x: &[f64]) -> f64 {
        x[1..].iter().copied().max_by(f64::total_cmp).unwrap() * x[0]
    }
    let backend = AutoSource::new();
    for x in [vec![1.0], vec![0.5, 0.2]] {
        let one = std::panic::catch_unwind(|| {
            let prep = prepare_gradient(most::AD, &backend, &x).unwrap();
            gradient(most::AD, &prep, &backend, &x)
        });
        assert!(one.is_err());
        let other = std::panic::catch_unwind(|| {
            let prep = prepare_gradient(greatest::AD, &backend, &x).unwrap();
            gradient(greatest::AD, &prep, &backend, &x)
        });
        assert_eq!(other.is_err(), x.len() == 1);
    }
}
