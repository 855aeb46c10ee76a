//! Sums over data whose terms need buffers that are declared before the loop. Where each trip writes to them before it
//! reads them, adjoints are computed trip by trip beside the values; here are such loops, and those that only look like
//! them. And what follows such sums, which is run before them where they have nothing to do with each other.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0], &[-1.2, 0.4, 0.9, -0.3]];

const T: [f64; 6] = [0.0, 0.4, 0.9, 1.3, 2.1, 2.6];

/// Rows of different lengths.
const FROM: [usize; 6] = [2, 0, 1, 3, 0, 2];

#[differentiable]
fn scaled(n: usize, p: &[f64], t: f64, out: &mut [f64]) {
    for k in 0..n {
        out[k] = (p[k] * t).sin();
    }
    for k in 1..n {
        out[k] += 0.5 * out[k - 1];
    }
}

/// All of a slice.
#[differentiable]
fn filled(p: &[f64], t: f64, out: &mut [f64]) {
    for k in 0..out.len() {
        out[k] = (p[k] + t).cos();
    }
}

#[differentiable]
fn pair(p: &[f64], t: f64, out: &mut [f64; 2]) {
    out[0] = (p[0] * t).exp();
    out[1] = p[1] * out[0];
}

/// Adds to what is there.
#[differentiable]
fn added(n: usize, p: &[f64], t: f64, out: &mut [f64]) {
    for k in 0..n {
        out[k] += (p[k] * t).sin();
    }
}

/// Writes what its argument says.
#[differentiable]
fn chosen(low: bool, p: &[f64], t: f64, out: &mut [f64]) {
    if low {
        out[0] = p[0] * t;
    } else {
        out[1] = p[1] * t * t;
    }
}

#[differentiable]
fn weight(v: &[f64]) -> f64 {
    let s: f64 = v.iter().map(|v| v * v).sum();
    (1.0 + s).ln()
}

#[differentiable]
fn buffers_of_calls(p: &[f64]) -> f64 {
    let n = p.len();
    let widths: Vec<f64> = p.iter().map(|p| (0.3 * p).exp()).collect();
    let mut row = vec![0.0; n];
    let mut terms = vec![0.0; n];
    let mut s = 0.0;
    for t in T {
        for k in 0..n {
            scaled(n, &widths[..], t + k as f64, &mut row);
            terms[k] = weight(&row) * p[k];
        }
        s += weight(&terms);
    }
    s - 2.0 * weight(p) + weight(&widths)
}

#[differentiable]
fn a_buffer_that_is_longer(p: &[f64]) -> f64 {
    let mut row = vec![p[3]; 7];
    let mut s = 0.0;
    for t in T {
        scaled(3, p, t, &mut row);
        s += weight(&row);
    }
    s + p[2].exp()
}

#[differentiable]
fn parts_of_a_buffer(p: &[f64]) -> f64 {
    let mut row = [0.2; 5];
    let mut s = 0.0;
    for t in T {
        filled(p, t, &mut row[1..4]);
        s += row[0] * row[1] * row[2] + weight(&row[2..]);
    }
    s
}

#[differentiable]
fn literal_elements(p: &[f64]) -> f64 {
    let mut r = [0.0; 2];
    let mut q = [p[3], 0.5, p[2]];
    let mut s = 0.0;
    for t in T {
        pair(p, t, &mut r);
        q[0] = r[0] * r[1];
        q[1] = q[0] * p[2];
        s += (q[0] + q[1]).sin() * q[2] + r[1];
    }
    s
}

#[differentiable]
fn a_variable(p: &[f64]) -> f64 {
    let (mut a, mut b) = (p[0], p[1]);
    let mut s = a * b;
    for t in T {
        a = (0.3 * p[2] * t).exp();
        if t > 1.0 {
            b = a * p[0];
        } else {
            b = a - p[1];
        }
        a *= b;
        s += (0.1 * a * b).sin();
    }
    s * 0.5
}

#[differentiable]
fn a_buffer_by_a_loop(p: &[f64]) -> f64 {
    let n = p.len();
    let mut v = vec![1.0; n];
    let mut s = 0.0;
    for t in T {
        for k in 0..n {
            v[k] = (p[k] * t).exp();
        }
        let total: f64 = v.iter().sum();
        for k in 0..n {
            v[k] /= total;
            s += v[k] * v[k] * t;
        }
    }
    let norm: f64 = p.iter().map(|p| p.exp()).sum();
    s + norm.ln()
}

// ---- loops that only look like them ----

#[differentiable]
fn rows_of_different_lengths(p: &[f64]) -> f64 {
    let mut row = vec![0.1; 4];
    let mut s = 0.0;
    for i in 0..T.len() {
        scaled(FROM[i], p, T[i], &mut row);
        s += weight(&row);
    }
    s
}

#[differentiable]
fn parts_of_different_lengths(p: &[f64]) -> f64 {
    let mut row = vec![0.1; 4];
    let mut s = 0.0;
    for i in 0..T.len() {
        filled(p, T[i], &mut row[..FROM[i]]);
        s += weight(&row);
    }
    s
}

#[differentiable]
fn parts_at_different_places(p: &[f64]) -> f64 {
    let mut row = vec![0.1; 5];
    let mut s = 0.0;
    for i in 0..T.len() {
        filled(p, T[i], &mut row[FROM[i]..FROM[i] + 2]);
        s += weight(&row);
    }
    s
}

#[differentiable]
fn loops_of_different_lengths(p: &[f64]) -> f64 {
    let mut row = vec![0.1; 4];
    let mut s = 0.0;
    for i in 0..T.len() {
        for k in 0..FROM[i] {
            row[k] = (p[k] * T[i]).sin();
        }
        s += weight(&row);
    }
    s
}

#[differentiable]
fn elements_by_an_argument(p: &[f64]) -> f64 {
    let mut row = [0.3, 0.1];
    let mut s = 0.0;
    for t in T {
        chosen(t > 1.0, p, t, &mut row);
        s += row[0] * row[1] + p[2] * row[0];
    }
    s
}

#[differentiable]
fn different_arms(p: &[f64]) -> f64 {
    let mut row = [0.3, 0.1, 0.2];
    let mut s = 0.0;
    for i in 0..T.len() {
        if FROM[i] > 1 {
            scaled(1, p, T[i], &mut row);
        } else {
            scaled(3, p, T[i], &mut row);
        }
        s += weight(&row);
    }
    s
}

#[differentiable]
fn one_arm_alone(p: &[f64]) -> f64 {
    let mut v = p[0];
    let mut s = 0.0;
    for t in T {
        if t > 1.0 {
            v = (p[1] * t).sin();
        }
        s += v * v * p[2];
    }
    s
}

#[differentiable]
fn read_before_it_is_written(p: &[f64]) -> f64 {
    let mut last = p[3];
    let mut pair = [p[0], p[1]];
    let mut s = 0.0;
    for t in T {
        s += last * p[0] * t;
        last = (p[1] * t).exp();
        pair[0] = last * p[2];
        s += pair[1] * t;
        pair[1] = pair[0] * last;
    }
    s
}

#[differentiable]
fn read_after_the_loop(p: &[f64]) -> f64 {
    let n = p.len();
    let mut row = vec![0.0; n];
    let mut v = 0.0;
    let mut s = 0.0;
    for t in T {
        scaled(n, p, t, &mut row);
        v = row[0] * t;
        s += weight(&row) * v;
    }
    s + row[1] * row[2] + v
}

#[differentiable]
fn returned_after_the_loop(p: &[f64]) -> (f64, f64) {
    let mut v = 0.0;
    let mut s = 0.0;
    for t in T {
        v = (p[1] * t).sin();
        s += p[0] * v * v;
    }
    (s, v)
}

#[differentiable]
fn of_both_results(p: &[f64]) -> f64 {
    let (s, v) = returned_after_the_loop(p);
    s * v + s
}

#[differentiable]
fn added_to_a_buffer(p: &[f64]) -> f64 {
    let mut row = vec![0.1; 3];
    let mut s = 0.0;
    for t in T {
        added(3, p, t, &mut row);
        s += weight(&row);
    }
    s
}

#[differentiable]
fn neighbours_in_a_buffer(p: &[f64]) -> f64 {
    let n = p.len();
    let mut v = vec![0.5; n];
    let mut s = 0.0;
    for t in T {
        for k in 0..n {
            v[k] = (p[k] * t).sin() + 0.1 * v[(k + 1) % n];
        }
        s += weight(&v);
    }
    s
}

#[differentiable]
fn written_elsewhere(p: &[f64]) -> f64 {
    let n = p.len();
    let mut v = vec![0.5; n + 2];
    let mut s = 0.0;
    for i in 0..T.len() {
        for k in 0..n {
            v[k] = (p[k] * T[i]).sin();
        }
        v[n] += v[0] * v[1];
        v[FROM[i]] *= 2.0;
        s += weight(&v);
    }
    s
}

#[differentiable]
fn a_buffer_that_grows(p: &[f64]) -> f64 {
    let mut v = vec![p[0]];
    let mut s = 0.0;
    for t in T {
        for k in 0..v.len() {
            v[k] = (p[1] * t).sin() + k as f64;
        }
        s += weight(&v);
        v.push(p[2] * t);
    }
    s
}

#[differentiable]
fn two_buffers_that_are_exchanged(p: &[f64]) -> f64 {
    let n = p.len();
    let (mut a, mut b) = (p.to_vec(), vec![0.3; n]);
    let mut s = 0.0;
    for t in T {
        for k in 0..n {
            b[k] = (p[k] * t).sin();
        }
        s += weight(&a) * weight(&b);
        std::mem::swap(&mut a, &mut b);
    }
    s
}

#[differentiable]
fn left_early(p: &[f64]) -> f64 {
    let mut row = vec![0.0; 3];
    let mut s = 0.0;
    for t in T {
        scaled(3, p, t, &mut row);
        if row[0] > 0.8 {
            break;
        }
        s += weight(&row);
    }
    s + p[0].exp() * p[1].exp()
}

// ---- what follows ----

#[differentiable]
fn priors(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in T {
        s += (p[0] * t).exp() * p[1];
    }
    let prior = (p[2] * p[3]).exp() + weight(p);
    let mut more = 0.0;
    for k in 0..p.len() {
        more += (p[k] * 0.5).tanh() * prior;
    }
    0.5 * s + more.sin()
}

#[differentiable]
fn overwrites_what_the_loop_reads(p: &[f64]) -> f64 {
    let mut w = p.to_vec();
    let mut s = 0.0;
    for t in T {
        s += (w[0] * t).exp() * w[1];
    }
    w[0] = p[2] * 2.0;
    s + w[0].exp() * w[1]
}

#[differentiable]
fn reads_what_the_loop_writes(p: &[f64]) -> f64 {
    let mut w = p.to_vec();
    let mut s = 0.0;
    for i in 0..T.len() {
        s += (w[0] * T[i]).exp() * p[1];
        w[3] = T[i] * 0.1;
    }
    s + w[3].exp() * w[1].exp()
}

#[differentiable]
fn two_sums_of_data(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in T {
        s += (p[0] * t).exp() * p[1];
    }
    let mut r = 0.0;
    for t in T {
        r += (p[2] * t).sin() * p[3] * t;
    }
    s + (r * r + 1.0).ln()
}

#[differentiable]
fn a_chain_of_results(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in T {
        s += (p[0] * t).exp() * p[1];
    }
    let a = p[2].exp();
    let b = s + a;
    let c = a * p[3].sin();
    b * 2.0 - c * a
}

#[differentiable]
fn the_same_variable_after_it(p: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in T {
        s += (p[0] * t).exp() * p[1];
    }
    s = 2.0 * s + p[2].exp() * p[3];
    let mut r = p[1].sin();
    for k in 0..3 {
        r *= p[k].cos() + 2.0;
    }
    s - r
}

#[differentiable]
fn kept_for_calls(p: &[f64]) -> f64 {
    let n = p.len();
    let mut w = vec![0.0; n];
    for k in 0..n {
        w[k] = (0.2 * p[k]).exp();
    }
    let mut row = vec![0.0; n];
    let mut s = 0.0;
    for t in T {
        scaled(n, &w, t, &mut row);
        s += weight(&row);
        scaled(2, &w[1..], t, &mut row[..2]);
        s -= weight(&w) * row[0];
    }
    let end = weight(&w);
    s * 0.1 + end * end
}

#[test]
fn buffers_that_each_trip_writes_anew() {
    scalar!(buffers_of_calls).row(24).check(&POINTS);
    scalar!(a_buffer_that_is_longer).row(24).check(&POINTS);
    scalar!(parts_of_a_buffer).row(24).check(&POINTS);
    scalar!(literal_elements).row(24).check(&POINTS);
    scalar!(a_variable).row(24).check(&POINTS);
    scalar!(a_buffer_by_a_loop).row(24).check(&POINTS);
}

#[test]
fn buffers_with_something_of_earlier_trips() {
    scalar!(rows_of_different_lengths).row(24).check(&POINTS);
    scalar!(parts_of_different_lengths).row(24).check(&POINTS);
    scalar!(parts_at_different_places).row(24).check(&POINTS);
    scalar!(loops_of_different_lengths).row(24).check(&POINTS);
    scalar!(elements_by_an_argument).row(24).check(&POINTS);
    scalar!(different_arms).row(24).check(&POINTS);
    scalar!(one_arm_alone).row(24).check(&POINTS);
    scalar!(read_before_it_is_written).row(24).check(&POINTS);
    scalar!(added_to_a_buffer).row(24).check(&POINTS);
    scalar!(neighbours_in_a_buffer).row(24).check(&POINTS);
    scalar!(written_elsewhere).row(24).check(&POINTS);
    scalar!(a_buffer_that_grows).row(24).check(&POINTS);
    scalar!(two_buffers_that_are_exchanged)
        .row(24)
        .check(&POINTS);
    scalar!(left_early).row(24).check(&POINTS);
}

#[test]
fn buffers_that_are_read_afterwards() {
    scalar!(read_after_the_loop).row(24).check(&POINTS);
    scalar!(of_both_results).row(24).check(&POINTS);
}

#[test]
fn what_follows_a_sum() {
    scalar!(priors).row(24).check(&POINTS);
    scalar!(overwrites_what_the_loop_reads)
        .row(24)
        .check(&POINTS);
    scalar!(reads_what_the_loop_writes).row(24).check(&POINTS);
    scalar!(two_sums_of_data).row(24).check(&POINTS);
    scalar!(a_chain_of_results).row(24).check(&POINTS);
    scalar!(the_same_variable_after_it).row(24).check(&POINTS);
    scalar!(kept_for_calls).row(24).check(&POINTS);
}
