//! Leaving early: `break`, `continue`, `return`.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, 0.4, 0.9],
    &[0.2, -0.8, 0.4, 1.3],
    &[-1.2, 0.4, 2.9, 0.3],
    &[0.5, 0.6, 3.7, -0.3],
];

#[differentiable]
fn stops(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] > 2.0 {
            break;
        }
        s = s * x[i] + x[0];
    }
    s * s
}

#[test]
fn loop_left_by_break() {
    scalar!(stops).row(74).step(0.05).check(&POINTS);
}

#[differentiable]
fn skips(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        s = s * x[i] + x[0];
    }
    s * s
}

#[test]
fn trip_left_by_continue() {
    scalar!(skips).row(74).step(0.05).check(&POINTS);
}

#[differentiable]
fn stops_and_skips(x: &[f64]) -> f64 {
    let mut s: f64 = 1.0;
    for i in 0..x.len() {
        s = s.sin() + x[i];
        if x[i] < 0.0 {
            s *= 2.0;
            continue;
        }
        s = s * x[0];
        if x[i] > 2.0 {
            s = s + x[i] * x[i];
            break;
        }
        s = s * s;
    }
    s
}

#[test]
fn loop_with_several_ways_out() {
    scalar!(stops_and_skips).row(74).step(0.02).check(&POINTS);
}

#[differentiable]
fn returns_early(x: &[f64]) -> f64 {
    let y = x[0] * x[1];
    if x[0] < 0.0 {
        return y * y;
    }
    let z = y.exp();
    if x[1] < 0.0 {
        return z * x[2];
    }
    z + x[3]
}

#[test]
fn function_left_by_return() {
    scalar!(returns_early).row(76).step(0.05).check(&POINTS);
}

#[differentiable]
fn returns_from_loops(x: &[f64]) -> f64 {
    let mut s: f64 = 0.5;
    for i in 0..x.len() {
        s = s * x[i] + 1.0;
        for j in 0..i {
            s += x[j] * x[i];
            if s > 3.0 {
                return s * x[j];
            }
        }
        if x[i] < 0.0 {
            return s.sin();
        }
    }
    s * s
}

#[test]
fn function_left_from_an_inner_loop() {
    scalar!(returns_from_loops)
        .row(77)
        .step(0.01)
        .check(&POINTS);
}

#[differentiable]
fn inner_exits(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let mut row = x[i];
        for j in 0..x.len() {
            if x[j] < 0.0 {
                continue;
            }
            row = row * 0.5 + x[j];
            if row > 2.0 {
                break;
            }
        }
        if row > 2.0 {
            s += row;
            continue;
        }
        s += row * row;
    }
    s
}

#[test]
fn exits_belong_to_the_innermost_loop() {
    scalar!(inner_exits).row(74).step(0.01).check(&POINTS);
}

#[differentiable]
fn newton_root(x: &[f64]) -> f64 {
    let target = x[0] * x[0] + 2.0;
    let mut root = target;
    while root > 0.0 {
        let next = 0.5 * (root + target / root);
        if (next - root).abs() < 1e-12 {
            break;
        }
        root = next;
    }
    root
}

#[test]
fn iteration_until_convergence() {
    let points: [&[f64]; 3] = [&[0.7], &[-1.2], &[3.0]];
    scalar!(newton_root).step(0.001).check(&points);
    for [x] in [[0.7], [-1.2], [3.0_f64]] {
        let g = gradient(newton_root::AD, NoPrep, &AutoSource::new(), &[x][..]).unwrap();
        assert!((g[0] - x / (x * x + 2.0).sqrt()).abs() < 1e-10, "{g:?}");
    }
}

#[differentiable]
fn returns_with_outputs(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    if x[1] < 0.0 {
        y[1] = y[0].sin();
        return;
    }
    for i in 0..x.len() {
        y[1] += x[i] * y[0];
        if x[i] > 2.0 {
            y[0] = 0.0;
            return;
        }
    }
    y[0] = y[1] * x[3];
}

#[test]
fn in_place_function_left_by_return() {
    inplace!(returns_with_outputs, 2)
        .rows(&[76, 77])
        .step(0.05)
        .check(&POINTS);
}

#[differentiable]
fn labelled(x: &[f64]) -> f64 {
    let mut s: f64 = 0.5;
    'rows: for i in 0..x.len() {
        for j in 0..x.len() {
            s = s * 0.8 + x[i] * x[j];
            if s > 2.0 {
                s = s.sin();
                continue 'rows;
            }
            if x[j] < -1.0 {
                break 'rows;
            }
        }
        s *= x[i];
    }
    s
}

#[test]
fn exits_that_name_their_loop() {
    scalar!(labelled).row(75).step(0.01).check(&POINTS);
}

#[differentiable]
fn endless(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut k = 0;
    loop {
        s = s * x[1] + 0.5;
        k += 1;
        if s.abs() > 3.0 || k > 6 {
            break;
        }
        if k % 2 == 0 {
            continue;
        }
        s += x[2] * x[2];
    }
    s * s
}

#[test]
fn loop_without_a_condition() {
    scalar!(endless).row(72).step(0.01).check(&POINTS);
}
