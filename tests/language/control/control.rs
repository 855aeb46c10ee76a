//! Values of blocks and loops that are left early, late initialisation, items inside functions.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, -0.4],
    &[-1.2, 0.4, 0.9],
    &[0.8, -0.1, 0.2],
    &[1.9, 1.3, 0.3],
];

#[differentiable]
fn labelled_blocks(x: &[f64]) -> f64 {
    let mut total = 0.0;
    'all: for i in 0..x.len() {
        let v = 'found: {
            if x[i] < 0.0 {
                break 'found x[i] * x[0];
            }
            for j in 0..i {
                if x[j] > x[i] {
                    break 'found x[j] - x[i] * x[i];
                }
            }
            if x[i] > 1.5 {
                total += x[i];
                continue 'all;
            }
            x[i].sin()
        };
        total = total * 0.5 + v * v;
    }
    'end: {
        total *= x[1];
        if total > 1.0 {
            break 'end;
        }
        if total < -1.0 {
            return x[0];
        }
        total += x[2];
    }
    total
}

#[test]
fn blocks_left_early() {
    scalar!(labelled_blocks)
        .rows(&[10, 75])
        .step(0.005)
        .check(&POINTS);
}

#[differentiable]
fn nested_labels(x: &[f64]) -> f64 {
    let mut s = x[0];
    let pair = 'outer: {
        let a = 'inner: {
            'rows: for i in 0..x.len() {
                for j in 0..x.len() {
                    s += 0.1 * x[i] * x[j];
                    if s > 2.0 {
                        break 'outer (s, x[i]);
                    }
                    if x[j] < -0.3 {
                        continue 'rows;
                    }
                    if s < -1.0 {
                        break 'inner s * x[j];
                    }
                }
                if i == 2 {
                    break 'rows;
                }
            }
            s * s
        };
        (a, x[1])
    };
    pair.0 * pair.1
}

#[test]
fn labels_of_all_kinds_nested() {
    scalar!(nested_labels)
        .rows(&[75])
        .step(0.005)
        .check(&POINTS);
}

#[differentiable]
fn searched(x: &[f64]) -> f64 {
    let mut t = x[0];
    let mut k = 0;
    let (root, trips) = loop {
        t = t - (t * t * t - x[1]) / (3.0 * t * t + 1.0);
        k += 1;
        if (t * t * t - x[1]).abs() < 0.2 {
            break (t, k);
        }
        if k > 20 {
            break (x[2], 0);
        }
    };
    let scale = 'scale: loop {
        for i in 0..x.len() {
            if x[i] > 1.0 {
                break 'scale x[i];
            }
        }
        break 2.0;
    };
    root * scale * (1 + trips) as f64
}

#[test]
fn loops_with_values() {
    scalar!(searched).rows(&[73]).step(0.001).check(&POINTS);
}

#[differentiable]
fn exits_inside_values(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..x.len() {
        let t = s * if x[i] < -0.3 {
            s += 0.5;
            continue;
        } else if x[i] > 1.2 {
            return s * x[i];
        } else {
            x[i]
        };
        s += t + match i {
            0 => x[1],
            1 if t > 1.0 => break,
            _ => t * t,
        };
        let pair = (s, if s > 3.0 { return s } else { x[2] });
        s = pair.0 * 0.5 + pair.1;
    }
    s * x[1]
}

#[test]
fn exits_out_of_values() {
    scalar!(exits_inside_values)
        .rows(&[55, 74, 76, 77])
        .step(0.005)
        .check(&POINTS);
}

#[differentiable]
fn late(x: &[f64]) -> f64 {
    let a;
    let b: [f64; 2];
    let c;
    let (d, e);
    if x[0] > 0.0 {
        a = x[0] * x[1];
        b = [a, x[2]];
        c = true;
        d = x[1];
    } else {
        b = [x[1], 2.0];
        a = b[0].sin();
        d = a * x[2];
        c = x[1] > 0.0;
    }
    e = d * d;
    let mut s = 0.0;
    for i in 0..3 {
        let t;
        loop {
            if x[i] > 1.0 {
                t = x[i];
                break;
            }
            t = x[i] * x[0];
            break;
        }
        s += t * t;
    }
    let late_in_match;
    match x.len() {
        3 => late_in_match = x[0] * 2.0,
        _ => return 0.0,
    }
    a * b[0] + b[1] * e + if c { s } else { -s } + late_in_match
}

#[test]
fn variables_initialised_later() {
    scalar!(late).rows(&[2]).step(0.05).check(&POINTS);
}

#[differentiable]
fn effects_in_conditions(x: &[f64]) -> f64 {
    let mut count = 0;
    let mut s = x[0];
    while {
        s = s * 0.7 + x[1];
        count += 1;
        count < 4 && s < 5.0
    } {
        if {
            s += x[2];
            s > 1.0
        } && {
            s *= 0.5;
            s > 0.4
        } || x[count - 1] > 0.5
        {
            s -= x[0] * x[0];
        }
    }
    s * count as f64
}

#[test]
fn side_effects_in_conditions() {
    scalar!(effects_in_conditions)
        .rows(&[58])
        .step(0.002)
        .check(&POINTS);
}

#[differentiable]
fn guarded_loads(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut s = 0.0;
    while i < x.len() && x[i] < 1.0 {
        if i + 1 < x.len() && x[i + 1] > x[i] || i == 0 {
            s += x[i] * x[0];
        }
        i += 1;
    }
    let all = x.len() > 2 && { s > 0.0 } && (x[2] > 0.0) == (x[0] > 0.0);
    if !all && (s > 1.0 || i == 3) {
        s * s
    } else {
        s
    }
}

#[test]
fn loads_behind_short_circuits() {
    scalar!(guarded_loads).rows(&[57]).step(0.02).check(&POINTS);
}

static OFFSETS: [f64; 3] = [0.5, -0.25, 1.5];
static SCALE: f64 = 1.25;

#[differentiable]
fn items(x: &[f64]) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI as HALF_TURN};
    const WEIGHTS: [f64; 3] = [0.5, FACTOR, 2.0];
    const FACTOR: f64 = 1.5;
    const STEPS: usize = 2;
    let mut s = x[0] * HALF_TURN.sqrt() + FRAC_PI_2;
    for k in 0..STEPS {
        const FACTOR: f64 = 0.25;
        s = s * FACTOR + WEIGHTS[k] * x[k] + OFFSETS[k] * SCALE;
    }
    s * FACTOR + f64::EPSILON.sqrt() + x[2] * std::f64::consts::LN_2 + WEIGHTS.len() as f64
}

#[test]
fn constants_and_statics() {
    scalar!(items).rows(&[92, 102, 140, 141]).check(&POINTS);
}

#[differentiable]
fn in_place_with_exits(x: &[f64], y: &mut [f64]) {
    'fill: for i in 0..y.len() {
        y[i] = 'value: {
            let Some(v) = x.get(i) else {
                break 'fill;
            };
            if *v < 0.0 {
                break 'value v * x[0];
            }
            if i > 0 && y[i - 1] > 1.0 {
                y[i - 1] *= 0.5;
                continue 'fill;
            }
            v.exp()
        };
        y[0] += y[i] * 0.1;
    }
    y[0] *= x[1];
}

#[test]
fn in_place_left_by_labels() {
    inplace!(in_place_with_exits, 3)
        .rows(&[9, 75])
        .step(0.02)
        .check(&POINTS);
    inplace!(in_place_with_exits, 4).step(0.02).check(&POINTS);
}
