//! References: to elements and parts, bound anew, chosen by branches, exchanged, and lent together.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let n = a.len();
    for i in 0..n {
        let r = &mut a[n - 1 - i];
        *r *= x[i];
        *r += 1.0;
    }
    let mut s = a[0];
    let t = &mut s;
    *t = *t * *t;
    let u = &mut *t;
    *u += a[1];
    let (p, q) = (&a[2], &x[1]);
    *a.last().unwrap() * s + p * q * a.first().unwrap() + x.get(2).unwrap()
}

#[test]
fn references_to_numbers() {
    scalar!(elements).row(34).row(125).check(&POINTS);
}

#[differentiable]
fn ends(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    *y.first_mut().unwrap() *= x[1];
    *y.last_mut().unwrap() += x[0] * x[2];
    let (first, rest) = x.split_first().unwrap();
    let (last, middle) = rest.split_last().unwrap();
    y[1] *= first * last * middle[0];
    let (head, tail) = y.split_first_mut().unwrap();
    *head *= tail[0];
    let (end, start) = tail.split_last_mut().unwrap();
    start[0] += *end * *head;
    *end *= start[1];
}

#[test]
fn first_and_last_elements() {
    inplace!(ends, 5).row(31).row(34).check(&POINTS);
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let a = x;
    let b = &x[1..];
    let c = &b[..=2];
    let d = &c[1..3][1..];
    let e = &x[..];
    let m = &mut x.to_vec()[1..];
    m[0] *= a[0];
    let k = &mut m[1..=2];
    k[0] += k[1] * b[0];
    let l: &[f64] = &*k;
    a[0] * b[0] * c[1] * d[0] + e[3] * l[0] + l[1]
}

#[test]
fn parts_of_parts() {
    scalar!(parts).row(30).check(&POINTS);
}

#[differentiable]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] += a * x[i] * x[i];
    }
}

#[differentiable]
fn split(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    let (l, r) = y.split_at_mut(2);
    l[0] *= r[0];
    r[1] += l[1] * l[0];
    axpy(l[0], &r[..2], l);
    axpy(2.0, l, &mut r[1..3]);
    let (p, q) = r.split_at_mut(1);
    axpy(x[0], p, &mut q[..1]);
    axpy(q[0], &q[..0], &mut p[..0]);
    p[0] *= q[1];
}

#[test]
fn halves_that_are_written() {
    inplace!(split, 5).row(31).check(&POINTS);
}

#[differentiable]
fn combine(a: &mut [f64], b: &[f64], c: &mut [f64], d: &[f64]) -> f64 {
    a[0] *= b[0] + d[0];
    c[0] += a[0] * b[0];
    a[0] * c[0] + d[0]
}

#[test]
fn parts_of_one_vector_lent_to_one_call() {
    scalar!(lent_apart).row(31).check(&POINTS);
}

#[differentiable]
fn lent_apart(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut m = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]];
    let mut s = 0.0;
    for k in 0..2 {
        let (left, right) = v.split_at_mut(2);
        let (p, q) = right.split_at_mut(1);
        s += combine(&mut left[..1], q, p, &q[k..]);
        let (a, b) = left.split_at_mut(1);
        s *= combine(p, b, a, &q[..1]);
        let (top, rest) = m.split_at_mut(1);
        s += combine(&mut top[0], &rest[k], &mut [s], &rest[1]);
        let (u, w) = m[k].split_at_mut(1);
        s -= combine(u, x, w, x);
    }
    s + v[0] * v[1] * v[2] * m[0][0] + m[1][1]
}

#[differentiable]
fn consumed(x: &[f64]) -> f64 {
    let mut s = x;
    let mut p = 1.0;
    let mut k = 0;
    while !s.is_empty() {
        p *= 1.0 + s[0] * s[s.len() - 1];
        s = &s[1..];
        if k == 1 && s.len() > 2 {
            s = &s[..s.len() - 1];
        }
        k += 1;
    }
    p
}

#[test]
fn a_slice_that_gets_shorter() {
    scalar!(consumed).row(30).check(&POINTS);
}

#[differentiable]
fn parameter(mut x: &[f64], mut y: &mut [f64]) {
    let mut k = 0.0;
    while x.len() > 1 {
        let (head, tail) = std::mem::take(&mut y).split_at_mut(1);
        head[0] += x[0] * x[1] + k;
        x = &x[1..];
        y = tail;
        k += 1.0;
    }
    y[0] = x[0];
}

#[test]
fn parameters_bound_anew() {
    inplace!(parameter, 5).row(31).check(&POINTS);
}

#[differentiable]
fn divided(x: &[f64]) -> f64 {
    let mut rest = &x[..];
    let mut s = 0.0;
    let mut best = &x[0];
    for v in x {
        if v > best {
            best = v;
        }
    }
    while rest.len() >= 2 {
        let (a, b) = rest.split_at(2);
        s += a[0] * a[1] * best;
        rest = b;
    }
    s + rest[0]
}

#[test]
fn a_slice_taken_apart() {
    scalar!(divided).row(31).check(&POINTS);
}

#[differentiable]
fn one_root(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut s = 0.0;
    for k in 0..3 {
        let part = if k == 1 { &a[1..3] } else { &a[k..] };
        s += part[0] * part[part.len() - 1];
        let (p, q) = if a[k] > 0.5 {
            a.split_at_mut(2)
        } else {
            let (l, r) = a.split_at_mut(3);
            (r, l)
        };
        p[0] *= q[1];
        q[0] += s * p[1];
        axpy(0.5, &p[..1], &mut q[..1]);
    }
    s * a[0]
}

#[test]
fn branches_that_choose_a_part() {
    scalar!(one_root).row(55).step(0.02).check(&POINTS);
}

#[differentiable]
fn two_roots(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = vec![x[2], x[3] * x[0], x[4]];
    let mut s = 1.0;
    for k in 0..4 {
        let t = if k % 2 == 0 { &a[..] } else { &b[1..] };
        s *= t[0] + t[1] * t[1];
        for v in t {
            s += 0.1 * v;
        }
        let w = if k == 2 {
            &mut a[1..]
        } else if x[k] > 0.0 {
            &mut b[..2]
        } else {
            &mut b[1..]
        };
        w[0] *= s;
        let n = w.len();
        w[n - 1] += x[k];
        let part = &mut w[..1];
        part[0] += 0.5;
    }
    let r = if s > 0.0 { &mut a[0] } else { &mut b[0] };
    *r *= s;
    s + a[0] * a[1] + b[0] * b[1] * b[2]
}

#[test]
fn branches_that_choose_a_variable() {
    scalar!(two_roots)
        .row(55)
        .row(125)
        .step(0.02)
        .check(&POINTS);
}

#[differentiable]
fn step(from: &[f64], to: &mut [f64]) {
    let n = from.len();
    for i in 0..n {
        to[i] = from[i] + 0.1 * from[(i + 1) % n] * from[i];
    }
}

#[differentiable]
fn ping_pong(x: &[f64], y: &mut [f64]) {
    let mut a = x.to_vec();
    let mut b = vec![0.0; x.len()];
    let (mut now, mut next) = (&mut a, &mut b);
    for k in 0..3 {
        step(now, next);
        next[0] *= now[1];
        if k < 2 {
            std::mem::swap(&mut now, &mut next);
        }
    }
    y.copy_from_slice(next);
    y[0] += now[2];
}

#[test]
fn references_exchanged_in_a_time_loop() {
    inplace!(ping_pong, 5).row(41).check(&POINTS);
}

#[differentiable]
fn with_output(x: &[f64], y: &mut [f64]) {
    let mut work = x.to_vec();
    y.copy_from_slice(x);
    let mut now = &mut y[..];
    let mut next = &mut work[..];
    let mut steps = 0;
    loop {
        let n = now.len();
        for i in 0..n {
            next[i] = now[i] + 0.1 * now[(i + 1) % n] * now[i];
        }
        (now, next) = (next, now);
        steps += 1;
        if steps == 3 || now[0] > 5.0 {
            break;
        }
    }
    if steps % 2 == 1 {
        y.copy_from_slice(&work);
    }
}

#[test]
fn references_to_the_output_exchanged() {
    inplace!(with_output, 5).check(&POINTS);
}

#[differentiable]
fn three(x: &[f64]) -> f64 {
    let (mut a, mut b, mut c) = (x[..2].to_vec(), x[1..3].to_vec(), x[3..].to_vec());
    let mut p = &mut a[..];
    let mut q = &mut b[..];
    let mut r = &mut c[..];
    for _ in 0..4 {
        p[0] += q[1] * r[0];
        r[1] *= p[0];
        let t = p;
        p = q;
        q = r;
        r = t;
    }
    p[0] * q[1] + r[0] + a[0]
}

#[test]
fn three_references_rotated() {
    scalar!(three).check(&POINTS);
}

#[differentiable]
fn late(x: &[f64]) -> f64 {
    let s;
    let w = [x[0] * x[1], x[2]];
    if x[3] > 0.0 {
        s = &x[1..];
    } else {
        s = &w;
    }
    s[0] * s[1]
}

#[test]
fn references_bound_late() {
    scalar!(late).row(2).check(&POINTS);
}

#[differentiable]
fn in_rows(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]];
    let mut row = &m[0];
    let mut s = 0.0;
    for k in 0..3 {
        if m[k][0] > row[0] {
            row = &m[k];
        }
        s += row[0] * row[1];
    }
    let r = if s > 0.0 { &mut m[1] } else { &mut m[2] };
    r[0] *= s;
    std::mem::swap(&mut m[0], &mut [s, x[1]]);
    s * m[1][0] + m[2][0] * m[0][0]
}

#[test]
fn references_to_rows() {
    scalar!(in_rows).step(0.02).check(&POINTS);
}

#[differentiable]
fn chunks(x: &[f64]) -> f64 {
    let a: [f64; 2] = x[1..3].try_into().unwrap();
    let b: &[f64; 2] = x[..2].try_into().expect("two");
    let c = x.first_chunk::<3>().unwrap();
    let d = x.last_chunk::<2>().unwrap();
    a[0] * b[0] + c[2] * d[1] * a[1]
}

#[test]
fn slices_as_arrays() {
    scalar!(chunks).row(31).check(&POINTS);
}

#[differentiable]
fn picked(x: &[f64], at: &[usize], sign: [bool; 2], flags: &[bool], shift: &[[i32; 2]]) -> f64 {
    let mut s = 0.0;
    for k in 0..at.len() {
        let v = x[at[k]] * x[(at[k] as i32 + shift[k][1]) as usize];
        s += if flags[k] && sign[0] { v * v } else { v };
    }
    s
}

#[differentiable]
fn integers(x: &[f64]) -> f64 {
    let mut at = [0, 2, 1];
    let mut flags = vec![true; 3];
    let mut s = 0.0;
    for k in 0..3 {
        at.swap(k, 0);
        flags[k] = x[k] > 0.5;
        let sign = [k != 1, false];
        let shift: [[i32; 2]; 3] = [
            [0, 1],
            [0, (k as i32 + 1) / 3],
            [0, -1 + (3 - k as i32) / 2],
        ];
        s += picked(x, &at, sign, &flags, &shift[..]) * (k + 1) as f64;
        s *= picked(x, &at[1..], sign, &flags, &shift);
    }
    s
}

#[test]
fn integers_that_are_computed_and_lent() {
    scalar!(integers).row(28).step(0.02).check(&POINTS);
}

#[differentiable]
fn nested_choices(x: &[f64]) -> f64 {
    let mut a = vec![x[0], x[1]];
    let mut b = vec![x[2], x[3]];
    let c = [x[4], x[0] * x[1]];
    let mut p = &mut a;
    let mut q = &mut b;
    let mut s = 1.0;
    let square = |v: &[f64]| {
        let w = if v[0] > 0.5 { v } else { &c[..] };
        w[0] * w[1]
    };
    for k in 0..3 {
        for i in 0..2 {
            let r = if (k + i) % 2 == 0 {
                &mut p[i]
            } else {
                &mut q[1 - i]
            };
            *r += x[k] * 0.5;
            let t = if x[i] > 0.0 { &p[..] } else { &q[..] };
            s += t[0] * square(t) + square(&q[..]) * square(&c);
        }
        std::mem::swap(&mut p, &mut q);
        let first = &mut *p;
        first.push(s);
        let last = first.pop().unwrap();
        q[0] *= last;
    }
    s + a[0] * b[1] + a[1] * b[0]
}

#[test]
fn choices_within_choices() {
    scalar!(nested_choices).row(125).step(0.005).check(&POINTS);
}
