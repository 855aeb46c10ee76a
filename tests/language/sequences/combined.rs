//! Control flow, patterns and options among arrays that are written in place, and calls.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, -0.4, 0.3],
    &[-1.2, 0.4, 0.9, 1.4],
    &[0.8, -0.1, 0.2, -0.9],
    &[1.9, 1.3, 0.3, 0.6],
];

#[differentiable]
fn relax(state: &mut [f64], rate: f64) -> Option<f64> {
    let mut change = 0.0;
    let [first, .., last] = state else {
        return None;
    };
    *first += rate * *last;
    if *first > 2.0 {
        *last *= 0.5;
        return Some(*last);
    }
    for i in 1..state.len() {
        let v = 'v: {
            if state[i] < 0.0 {
                break 'v state[i - 1] * rate;
            }
            state[i] * state[i - 1]
        };
        change += v - state[i];
        state[i] = v;
        if change > 1.5 {
            return Some(change * rate);
        }
    }
    if change < 0.0 { None } else { Some(change) }
}

#[allow(
    unused_assignments,
    reason = "a write before a jump is what is looked at"
)]
#[differentiable]
fn relaxed(x: &[f64], y: &mut [f64]) {
    let mut work = [x[0], x[1] * x[2], x[3]];
    let mut rate = x[1];
    let mut left: usize = 5;
    'sweeps: while let Some(next) = left.checked_sub(1) {
        left = next;
        let mut change: f64 = match relax(&mut work, rate) {
            Some(c) if c > 0.7 => {
                y[0] += c;
                if next % 2 == 0 {
                    continue 'sweeps;
                }
                c * c
            }
            Some(c) => c,
            None if next == 1 => break 'sweeps,
            None => {
                work[1] = x[2].sin();
                -x[0]
            }
        };
        for w in &mut work {
            if *w > 1.6 {
                *w = change;
                change *= 0.3;
                continue 'sweeps;
            }
            *w += 0.1 * change;
        }
        rate = 0.5 * rate + change * y[0];
    }
    y[1] = rate * work[2];
    y[0] += work[0] * work[1];
}

#[test]
fn sweeps_over_a_state_that_stop_early() {
    inplace!(relaxed, 2).step(0.0005).check(&POINTS);
}

#[differentiable]
fn pivoted(x: &[f64], y: &mut [f64]) {
    let mut rows = [[x[0], x[1]], [x[2], x[3]]];
    let mut rhs = [x[1] * x[3], 1.0 + x[0]];
    for k in 0..2 {
        let mut pivot: Option<(usize, f64)> = None;
        for r in k..2 {
            let size = rows[r][k].abs();
            if let Some((_, best)) = pivot
                && best >= size
            {
                continue;
            }
            pivot = Some((r, size));
        }
        let Some((p, size @ 0.05..)) = pivot else {
            y[k] = rhs[k] * x[0];
            return;
        };
        if p != k {
            rows.swap(p, k);
            rhs.swap(p, k);
        }
        let [head, tail] = &mut rows;
        if k == 0 {
            let factor = tail[0] / head[0];
            tail[1] -= factor * head[1];
            tail[0] = size * 0.0;
            rhs[1] -= factor * rhs[0];
        }
    }
    y[1] = rhs[1] / rows[1][1];
    y[0] = (rhs[0] - rows[0][1] * y[1]) / rows[0][0];
}

#[test]
fn elimination_with_pivots() {
    inplace!(pivoted, 2).step(0.0005).check(&POINTS);
}

#[differentiable]
fn automaton(x: &[f64]) -> f64 {
    let mut mode = 0;
    let mut kept = [0.0; 3];
    let mut at = 0;
    let mut last: Option<[f64; 2]> = None;
    let total = loop {
        let v = match (mode, x.get(at)) {
            (0, Some(v)) if *v > 0.0 => {
                mode = 1;
                v * v
            }
            (0, Some(v)) => {
                mode = 2;
                v.sin()
            }
            (1, Some(v)) => {
                mode = if *v > 1.0 { 2 } else { 0 };
                kept[at % 3] + v
            }
            (_, Some(v)) => match last {
                Some([a, b]) if a > b => break a * v,
                Some([a, _]) => {
                    mode = 0;
                    a - v
                }
                None => {
                    mode = 1;
                    1.0
                }
            },
            (_, None) => break kept[0] * kept[1] + kept[2],
        };
        kept[at % 3] = v * kept[(at + 1) % 3] + v;
        last = Some([v, kept[at % 3]]);
        at += 1;
    };
    let [a, b] = last.unwrap_or([x[0], x[1]]);
    total * a + b
}

#[test]
fn states_and_what_they_keep() {
    scalar!(automaton).step(0.0005).check(&POINTS);
}

#[differentiable]
fn nested_values(x: &[f64]) -> f64 {
    let mut acc = [x[0]; 4];
    let mut s = 1.0;
    for i in 0..x.len() {
        let t = if let Some(d) = i.checked_sub(2)
            && acc[d] > 0.0
            && let Some(v) = x.get(d + 1)
        {
            acc[d] *= 0.5;
            'inner: {
                for j in 0..=d {
                    acc[j] += v * s;
                    if acc[j] > 3.0 {
                        break 'inner acc[j];
                    }
                    if acc[j] < -3.0 {
                        continue;
                    }
                    s *= 0.9;
                }
                s * v
            }
        } else {
            match x[i] {
                v if v > 1.2 => return s * v + acc[i],
                v => {
                    acc[i] = v * s;
                    v
                }
            }
        };
        s += t * acc[3 - i];
        let pair = match (t > 0.5, s > 1.0) {
            (true, false) | (false, true) => [s, t],
            (a, _) => [if a { t * t } else { -s }, 1.0],
        };
        acc[(i + 1) % 4] -= pair[0] * pair[1];
    }
    acc[0] + acc[1] * acc[2] + s * acc[3]
}

#[test]
fn values_of_chains_blocks_and_matches_nested() {
    scalar!(nested_values).step(0.0005).check(&POINTS);
}

#[differentiable]
fn shifted(v: f64, by: &[f64]) -> Result<f64, usize> {
    let mut v = v;
    for (i, b) in by.iter().enumerate() {
        assert!(i < 9, "too many");
        v = v * 0.7 + b;
        if v > 1.1 {
            return Err(i);
        }
    }
    Ok(v)
}

#[differentiable]
fn retried(x: &[f64]) -> f64 {
    let mut from = 0;
    let mut s = 0.0;
    let mut trace = vec![0.0; 5];
    loop {
        let r: Result<f64, usize> = shifted(s * x[0] + trace[from % 5], &x[from..]);
        match r {
            Ok(v) => break v * s + trace[1],
            Err(i) if from + i + 1 >= x.len() => {
                trace[1] *= x[i];
                break trace[1] + s * x[0];
            }
            Err(i) => {
                s = s.mul_add(0.5, x[from + i]);
                trace[from + i] += s * s;
                from += i + 1;
            }
        }
    }
}

#[test]
fn calls_that_fail_and_are_tried_again() {
    scalar!(retried).step(0.0005).check(&POINTS);
}
