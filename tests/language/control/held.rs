//! References that are bound anew: in tuples and options, through other references, in closures and
//! loops.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

#[differentiable]
fn pair(x: &[f64]) -> f64 {
    let mut y = x[1];
    let a = x[0];
    let t = (&a, &mut y);
    *t.1 += *t.0 * x[2];
    *t.1 *= x[3];
    let mut u = x[4];
    let (p, q) = (&mut u, &x[1]);
    *p *= *q;
    *p += 1.0;
    y * u
}

#[test]
fn references_in_a_tuple() {
    scalar!(pair).row(125).check(&POINTS);
}

#[differentiable]
fn rebound_pair(x: &[f64]) -> f64 {
    let mut pair = (x, 1.0);
    let mut s = 0.0;
    while pair.0.len() > 1 {
        s += pair.0[0] * pair.0[1] * pair.1;
        pair.0 = &pair.0[1..];
        pair.1 *= 0.5 + x[2];
    }
    let first = std::mem::replace(&mut pair.0, &x[2..]);
    s * first[0] + pair.0[0] * pair.1
}

#[test]
fn a_component_bound_anew() {
    scalar!(rebound_pair).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn whole_pair(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = [x[2], x[3]];
    let mut t = (&mut a[..], &mut b[..], 1.0);
    for k in 0..3 {
        t.0[0] *= t.1[1] + x[k];
        t.1[0] += t.0[1] * t.2;
        t = (t.1, t.0, t.2 * 1.5);
    }
    std::mem::swap(&mut t.0, &mut t.1);
    t.0[1] *= x[4];
    t.0[0] * t.1[1] + a[0] * b[0] * b[1]
}

#[test]
fn a_tuple_of_references_assigned() {
    scalar!(whole_pair).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn swapped_tuples(x: &[f64]) -> f64 {
    let mut t = (&x[..2], x[0] * x[1]);
    let mut u = (&x[2..], x[3]);
    for k in 0..3 {
        if x[k] > 0.0 {
            std::mem::swap(&mut t, &mut u);
        }
        t.1 *= t.0[0];
        u.1 += t.0[1];
    }
    t.0[0] * t.1 + u.0[1] * u.1
}

#[test]
fn tuples_with_references_exchanged() {
    scalar!(swapped_tuples).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn late_tuple(x: &[f64]) -> f64 {
    let t: (&[f64], f64);
    if x[0] > 0.0 {
        t = (&x[1..], x[0]);
    } else {
        t = (x, 2.0 * x[1]);
    }
    t.0[0] * t.0[1] * t.1
}

#[test]
fn a_tuple_with_a_reference_bound_late() {
    scalar!(late_tuple).rows(&[2, 125]).check(&POINTS);
}

#[differentiable]
fn many(x: &[f64], y: &mut [f64]) {
    let (mut a, mut b, mut c) = (x.to_vec(), x.to_vec(), x.to_vec());
    let mut t = (&mut a, (&mut b, &mut c));
    for k in 0..5 {
        t.0[k] += t.1.0[k] * t.1.1[(k + 1) % 5];
        t.1.0[0] *= 1.1;
        if x[k] > 0.5 {
            std::mem::swap(&mut t.0, &mut t.1.0);
        } else {
            t.1 = (t.1.1, t.1.0);
        }
    }
    let all = (t.0.as_slice(), t.1.0.as_slice(), t.1.1.as_slice());
    for i in 0..5 {
        y[i] = all.0[i] + 2.0 * all.1[i] * all.2[4 - i];
    }
}

#[test]
fn tuples_within_tuples() {
    inplace!(many, 5).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn early(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = [x[2], x[3], x[4]];
    let mut s = 1.0;
    let mut t = (&mut a[..], 0usize);
    let mut other = &mut b[..];
    'outer: for k in 0..4 {
        let r = match k {
            0 => &mut t.0[0],
            1 => &mut other[0],
            _ => &mut s,
        };
        *r *= 1.5 + x[k];
        if *r > 3.0 {
            return *r * x[0];
        }
        for i in 0..2 {
            if t.0[i] < -2.0 {
                continue 'outer;
            }
            t.0[i] += other[1 - i] * 0.3;
            t.1 += 1;
            if t.1 == 5 {
                break 'outer;
            }
        }
        std::mem::swap(&mut t.0, &mut other);
    }
    s * t.0[0] + other[1] * t.1 as f64
}

#[test]
fn references_in_loops_that_are_left() {
    scalar!(early).row(125).step(0.002).check(&POINTS);
}

#[differentiable]
fn checkpointed(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = x.iter().map(|v| v * 0.5).collect::<Vec<f64>>();
    let mut t = (&mut a[..], &mut b[..]);
    let mut s = 0.0;
    for k in 0..7 {
        if s > 100.0 {
            break;
        }
        for i in 0..5 {
            t.1[i] = t.0[i] + 0.1 * t.0[(i + 1) % 5] * x[k % 5];
        }
        s += t.1[k % 5];
        t = (t.1, t.0);
    }
    s * t.0[0] + t.1[1]
}

#[test]
fn two_buffers_in_a_tuple() {
    scalar!(checkpointed).row(125).check(&POINTS);
}

#[differentiable]
fn folds(x: &[f64]) -> f64 {
    let (mut lo, mut hi) = (&x[0], &x[0]);
    for v in x {
        if v < lo {
            lo = v;
        }
        if v > hi {
            hi = v;
        }
    }
    let mut window = (&x[0], &x[1]);
    let mut s = 0.0;
    for v in &x[2..] {
        s += window.0 * window.1 * v;
        window = (window.1, v);
    }
    let mut prev: Option<&f64> = None;
    for v in x.iter() {
        if let Some(p) = prev {
            s += p * v;
        }
        prev = Some(v);
    }
    s * (hi - lo)
}

#[test]
fn the_smallest_the_largest_and_those_before() {
    scalar!(folds).row(125).check(&POINTS);
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let mut pair = (x, 1.0);
    let mut advance = |by: usize| {
        pair.0 = &pair.0[by..];
        pair.1 *= pair.0[0];
        pair.0.len()
    };
    let n = advance(1);
    let m = if n > 3 { advance(2) } else { 0 };
    let held = pair.0;
    let g = move |t: f64| t * held[0] * n as f64;
    pair.0 = x;
    let mut r = &x[1..];
    let mut step = move || {
        let v = r[0];
        r = &r[1..];
        v
    };
    let (u, v, w) = (step(), step(), step());
    g(pair.1) * pair.0[0] + u * v * w * r[0] + m as f64
}

#[test]
fn closures_that_capture_references_bound_anew() {
    scalar!(closures).rows(&[86, 125]).check(&POINTS);
}

#[differentiable]
fn behind(x: &[f64]) -> f64 {
    let mut s = x;
    let r = &mut s;
    let a = r[0];
    *r = &r[1..];
    let b = r[0];
    let next = |s: &mut &[f64]| {
        let v = s[0];
        *s = &s[1..];
        v
    };
    let c = next(&mut s);
    let mut t = (s, 2.0);
    let d = next(&mut t.0);
    let q = &mut t;
    q.1 *= d;
    let mut u = &x[..2];
    std::mem::swap(&mut u, &mut t.0);
    let v = &mut u;
    let w = std::mem::take(v);
    let mut sum = 0.0;
    let mut rest = x;
    let rr = &mut rest;
    while rr.len() > 1 {
        sum += rr[0] * rr[1];
        *rr = &rr[1..];
    }
    a * b * c * d * t.1 + t.0[1] * w[0] + sum * rest[0]
}

#[test]
fn references_to_references() {
    scalar!(behind).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn loops_give(x: &[f64]) -> f64 {
    let mut rest = x;
    let found = loop {
        if rest.len() < 3 || rest[0] < 0.0 {
            break rest;
        }
        rest = &rest[1..];
    };
    let (part, w) = 'a: {
        if x[3] > 0.0 {
            break 'a (&x[2..], x[0]);
        }
        (&found[..1], x[1])
    };
    found[0] * found[1] * part[0] * w
}

#[test]
fn references_that_loops_and_blocks_give() {
    scalar!(loops_give).rows(&[73, 125]).check(&POINTS);
}

#[differentiable]
fn options_of_refs(x: &[f64]) -> f64 {
    let rows = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]];
    let mut best: Option<&[f64; 2]> = None;
    for row in &rows {
        match best {
            Some(b) if b[0] >= row[0] => {}
            _ => best = Some(row),
        }
    }
    let mut s = 1.0;
    if let Some(b) = best {
        s += b[0] * b[1];
    }
    let none: Option<&[f64]> = if x[0] > 10.0 { Some(x) } else { None };
    s * none.map_or(x[1], |v| v[0])
}

#[test]
fn references_in_options() {
    scalar!(options_of_refs).rows(&[94, 125]).check(&POINTS);
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let rows = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]];
    let mut last: Option<&[f64; 2]> = None;
    let mut s = 1.0;
    for row in &rows {
        if let Some(old) = last.take() {
            s += old[0] * row[1];
        }
        if row[0] > 0.0 {
            last = Some(row);
        }
        let before = last.replace(row);
        if let Some(b) = before {
            s *= b[1];
        }
    }
    let first = x.first().copied().zip(x.get(7).copied());
    s + first.map_or(x[2], |(a, b)| a * b)
}

#[test]
fn references_taken_out_of_options() {
    scalar!(taken).rows(&[94, 125]).check(&POINTS);
}

#[differentiable]
fn last_of_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut n = 0;
    for k in 0..4 {
        let mut last: Option<&[f64]> = None;
        let w = [x[k] * 2.0, x[k + 1]];
        if last.is_some() {
            n += 1;
        }
        if x[k] > 0.0 {
            last = Some(&w);
        }
        if let Some(v) = last {
            s += v[0] * v[1];
        } else {
            s *= 1.1;
        }
        let t = last.map_or(x[0], |v| v[1]);
        s += t * last.unwrap_or(x)[0];
    }
    s + n as f64
}

#[test]
fn options_of_references_to_what_ends_with_the_loop() {
    scalar!(last_of_loop).rows(&[94, 125]).check(&POINTS);
}

#[differentiable]
fn aliases(x: &[f64]) -> f64 {
    let mut a = x;
    let other = [x[1] * 2.0, x[0]];
    let r = &mut a;
    let mut s = 0.0;
    while r.len() > 1 {
        let v = r[0];
        let q = &mut *r;
        s += v * q[1];
        if q.len() == 3 {
            *q = &other;
        } else {
            *q = &q[1..];
        }
        s *= 1.1;
    }
    let (mut p, mut w) = (&x[..3], &x[2..]);
    for _ in 0..3 {
        let m = &mut p;
        let n = m;
        s += n[0] * w[1];
        *n = if s > 0.5 { w } else { &x[1..] };
        std::mem::swap(n, &mut w);
        s -= 0.5 * n[1];
    }
    s * p[0] + w[0]
}

#[test]
fn references_that_hand_on_another() {
    scalar!(aliases).rows(&[41, 125]).check(&POINTS);
}

#[differentiable]
fn earlier(x: &[f64], y: &mut [f64]) {
    let mut a = [x[0], x[1], x[2]];
    let mut b = [x[3], x[4], 1.0];
    let mut r = &mut a;
    let mut other = &mut b;
    for k in 0..5 {
        let i = k % 3;
        r[i] *= other[(i + 1) % 3] + x[k];
        other[i] = r[i] * other[i];
        if r[i] > 0.0 {
            let t = r;
            r = other;
            other = t;
        }
        r[0] += 0.1;
    }
    y[..3].copy_from_slice(&a);
    y[3] = b[0] * b[1];
    y[4] = b[2];
}

#[test]
fn what_was_referred_to_is_written_later() {
    inplace!(earlier, 5).row(125).check(&POINTS);
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let (a, b) = ([x[0], x[1]], [x[2], x[3]]);
    let mut t = (&a, &b);
    let mut s = 0.0;
    for k in 0..4 {
        let (p, [q, r]) = t;
        s += p[0] * q - r;
        match (k, t) {
            (0, (u, _)) if u[0] > 0.0 => t.0 = &b,
            (1, (u, v)) | (2, (v, u)) => {
                s += u[1] * v[0];
                t = (v, u);
            }
            _ => t.1 = t.0,
        }
        let (_, &[m, n]) = t;
        s *= 1.0 + 0.1 * m * n;
    }
    s
}

#[test]
fn tuples_of_references_in_patterns() {
    scalar!(matched).rows(&[60, 125]).check(&POINTS);
}

#[differentiable]
fn printed(x: &[f64]) -> f64 {
    let mut best: Option<&[f64]> = None;
    let (a, b) = ([x[0]], [x[1], x[2]]);
    assert!(best.is_none(), "{best:?}");
    for k in 0..2 {
        if x[k] > 0.0 {
            best = Some(if k == 0 { &a } else { &b });
        }
    }
    assert!(best.is_some_and(|v| v.len() < 3), "{best:?} {a:?}");
    best.unwrap()[0] * x[3]
}

#[test]
fn references_that_are_shown() {
    scalar!(printed).row(125).check(&POINTS);
}
