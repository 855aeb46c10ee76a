//! Calls in loops, by what the callee keeps for the way back, and by whether trips may change places.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.7, 1.1, -0.4, 0.3],
    &[-1.2, 0.4, 0.9, -0.6],
    &[0.8, -0.1, 0.25, 1.3],
];

#[differentiable]
fn gate(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// Many values are read on the way back.
#[differentiable]
fn long(a: f64, b: f64) -> f64 {
    let c = (a * b).sin() * a.exp();
    let d = (b + c).cos() * (c * 0.5).tanh();
    let e = (a - d).sin() / (2.0 + d * d);
    let f = (e * a).exp() / (1.0 + e * e);
    let g = (f + b).tanh() * (f - b).sin();
    let h = (g * c).cos() / (3.0 + f * f);
    c.sin() * d.cos() + e.tanh() * f.sin() + g * h.exp() + h / (1.0 + g * g)
}

#[differentiable]
fn bent(z: f64) -> f64 {
    if z > 0.2 { z.sin() } else { z * z * z }
}

/// It uses the tape itself.
#[differentiable]
fn series(z: f64, n: usize) -> f64 {
    let mut term = z;
    let mut sum = 0.0;
    for k in 0..n {
        term = (term * z).sin() + 0.1 * k as f64;
        sum += term * term;
    }
    sum
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[differentiable]
fn few_values(x: &[f64]) -> f64 {
    let n = x.len();
    let mut gates = vec![0.0; n];
    let mut s = 0.0;
    for i in 0..n {
        gates[i] = gate(x[i] * 1.5) + gate(x[0] - x[i]);
        s += gates[i] * x[i];
    }
    s * gates[1]
}

#[differentiable]
fn many_values(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        s += long(x[i], x[i + 1]) * gate(s);
    }
    for i in 0..x.len() {
        s += long(x[i], 0.3) * x[i];
    }
    s
}

#[differentiable]
fn branches_and_none(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if x[i] < 1.0 {
            s += bent(x[i]) * x[0];
        }
    }
    for i in 4..x.len() {
        s += bent(x[i]);
    }
    s
}

#[differentiable]
fn callees_with_loops(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += series(x[i], i) * gate(x[i]) * x[0];
    }
    for i in 0..x.len() {
        for j in 0..i {
            s += series(x[j] * x[i], 2) + bent(x[i] - x[j]);
        }
    }
    s
}

#[differentiable]
fn trips_in_a_chain(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for i in 1..v.len() {
        v[i] = gate(v[i - 1]) * v[i] + bent(v[i]);
    }
    let mut last = v[0];
    for i in 0..v.len() {
        last = long(last, v[i]);
    }
    last
}

#[differentiable]
fn smooth(part: &mut [f64], factor: f64) {
    part[1] = (part[0] * factor).sin() + part[1];
    part[0] *= part[1];
}

#[differentiable]
fn parts_in_place(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for i in 0..v.len() - 1 {
        smooth(&mut v[i..i + 2], x[i]);
    }
    for i in 0..v.len() / 2 {
        smooth(&mut v[2 * i..2 * i + 2], gate(x[i]));
    }
    v[0] * v[1] + v[2] * v[3]
}

#[differentiable]
fn arguments_kept(x: &[f64]) -> f64 {
    let n = x.len();
    let mut work = vec![0.0; n];
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..n {
            work[j] = x[j] * x[i] + gate(x[j]);
        }
        s += dot(&work, x) * gate(s * 0.1);
    }
    s
}

#[differentiable]
fn gates_side_by_side(x: &[f64]) -> f64 {
    let n = x.len() / 2;
    let mut v = vec![0.0; 2 * n];
    for i in 0..n {
        v[i] = gate(x[i] * x[n + i]);
        v[n + i] = bent(x[n + i]) * x[i];
    }
    let mut s = 0.0;
    for i in 0..n {
        s += v[i] * v[n + i];
    }
    s
}

#[test]
fn callees_that_keep_few_values() {
    scalar!(few_values).check(&POINTS);
}

#[test]
fn callees_that_keep_many_values() {
    scalar!(many_values).check(&POINTS);
}

#[test]
fn callees_with_branches_and_loops_without_trips() {
    scalar!(branches_and_none).check(&POINTS);
}

#[test]
fn callees_that_use_the_tape() {
    scalar!(callees_with_loops).check(&POINTS);
}

#[test]
fn trips_that_need_the_one_before() {
    scalar!(trips_in_a_chain).check(&POINTS);
}

#[test]
fn parts_that_callees_change() {
    scalar!(parts_in_place).check(&POINTS);
}

#[test]
fn arguments_that_are_overwritten_in_the_next_trip() {
    scalar!(arguments_kept).check(&POINTS);
}

#[test]
fn elements_at_two_distances() {
    scalar!(gates_side_by_side).check(&POINTS);
}

#[derive(Clone, Copy, Differentiable)]
struct Battery {
    inner: f64,
    pairs: [(f64, f64); 2],
    gains: [Option<f64>; 2],
}

#[differentiable]
fn volts(of: &Battery, i: f64) -> f64 {
    let mut v = of.inner * i;
    for &(r, c) in &of.pairs {
        v += r * i * (1.0 - (-1.0 / (r * c)).exp());
    }
    v += of.pairs[0].0 * of.pairs[1].1;
    if let Some(gain) = of.gains[0] {
        v *= gain;
    }
    for gain in of.gains.into_iter().flatten() {
        v *= gain + 0.5;
    }
    v
}

#[differentiable]
fn discharge(x: &[f64]) -> f64 {
    let mut of = Battery {
        inner: x[0],
        pairs: [(2.0 + x[1], 1.5 + x[2]), (0.3, 2.0 + x[0])],
        gains: [Some(x[1]), None],
    };
    of.pairs[1].0 *= x[2];
    of.pairs[0] = (2.0 + x[0], of.pairs[0].1 * 0.7);
    let before = of;
    of.gains[1] = Some(x[2]);
    volts(&of, x[1]) + volts(&before, 2.0)
}

#[test]
fn fields_that_are_arrays_of_tuples() {
    scalar!(discharge)
        .row(362)
        .check(&[&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]]);
}
