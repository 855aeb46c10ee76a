//! Closures: with a name and without, what they capture, and how they are left.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 1.3, 0.2], &[0.8, -0.3]];

#[differentiable]
fn plain(x: &[f64]) -> f64 {
    let square = |t: f64| t * t;
    let half = |t| t * 0.5;
    let add = |a: f64, b: f64| -> f64 { a + 2.0 * b };
    let pair = |(a, b): (f64, f64), k: usize| (a * b, a + k as f64);
    let (p, q) = pair((x[0], x[1]), 2);
    add(square(x[0]), square(half(x[1]))) + p * square(square(q)) + (|t: f64| t.sin())(x[0])
}

#[test]
fn closures_of_numbers() {
    scalar!(plain).row(84).check(&POINTS);
}

#[differentiable]
fn capturing(x: &[f64]) -> f64 {
    let a = x[0] * x[1];
    let scaled = |t: f64| t * a + x[1];
    let at = |i: usize| x[i] * a;
    let dot = |u: &[f64], v: &[f64]| u.iter().zip(v).map(|(p, q)| p * q * a).sum::<f64>();
    let both = |t| scaled(t) * at(0);
    let mut s = scaled(x[0]) + at(1);
    for i in 0..x.len() {
        let local = x[i] * a;
        let f = |t: f64| t * local + s;
        s = f(x[i]) * 0.5 + at(i);
    }
    s + dot(x, &x[1..]) + both(2.0) + dot(&[a, 1.0], &[a * a, x[0]])
}

#[test]
fn closures_over_what_is_around() {
    scalar!(capturing).row(85).check(&POINTS);
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut a = x[0] * 2.0;
    let mut v = [x[0], x[1]];
    let old = move |t: f64| t * a + v[0];
    let w = vec![x[1], a];
    let owner = move |i: usize| w[i] * a;
    a = a * a + 1.0;
    v[0] = 7.0 * a;
    let mut count = 0.5;
    let mut next = move || {
        count += a;
        count
    };
    let first = next();
    let second = next() * count;
    old(x[1]) + a + v[0] + owner(0) * owner(1) + first * second
}

#[test]
fn closures_that_take_along() {
    scalar!(moved).row(85).check(&POINTS);
}

#[differentiable]
fn mutating(x: &[f64]) -> f64 {
    let mut s = 0.1;
    let mut n = 0;
    let mut push = |t: f64| {
        s = s * t + 1.0;
        n += 1;
    };
    push(x[0]);
    for v in x {
        push(v * v);
    }
    x.iter().rev().for_each(|v| push(*v));
    let mut tape = vec![0.0; 2 * x.len()];
    let mut k = 0;
    let mut keep = |t: f64| {
        tape[k] = t * s;
        k += 1;
        t + 1.0
    };
    let r: f64 = x.iter().map(|v| keep(*v)).sum();
    let t: f64 = x
        .iter()
        .map(|v| {
            n += 1;
            v * n as f64
        })
        .rev()
        .sum();
    keep(r);
    tape.iter().fold(s, |a, b| a * 0.5 + b) + n as f64 * x[0] + t
}

#[test]
fn closures_that_write() {
    scalar!(mutating).row(86).check(&POINTS);
}

#[differentiable]
fn written_through(x: &[f64], y: &mut [f64]) {
    let mut bump = |i: usize, v: f64| y[i] += v * v;
    bump(0, x[0]);
    bump(1, x[1] * x[0]);
    bump(0, x[1]);
    let scale = |row: &mut [f64], by: f64| {
        for v in row.iter_mut() {
            *v *= by;
        }
    };
    scale(y, x[0]);
    scale(&mut y[1..], x[1]);
}

#[test]
fn closures_that_write_to_outputs() {
    inplace!(written_through, 2).row(86).check(&POINTS);
}

#[differentiable]
fn returning(x: &[f64]) -> f64 {
    let relu = |t: f64| {
        if t < 0.0 {
            return 0.0;
        }
        t * t
    };
    let steps = |t: f64| -> f64 {
        if t > 1.0 {
            return t.sqrt();
        }
        let u = t * 2.0;
        if u < -1.0 {
            return u * u;
        } else if u < 0.0 {
            return u.exp();
        }
        return u + 0.3;
    };
    let search = |limit: f64| {
        let mut s = 0.0;
        for v in x {
            s += v * v;
            if s > limit {
                return s * v;
            }
        }
        s
    };
    let mut total = 0.0;
    for v in x {
        total = total * 0.5 + relu(*v) + steps(*v) * search(*v + 0.8);
        if total > 50.0 {
            return total;
        }
    }
    total
        + x.iter()
            .map(|&v| {
                if v > 0.5 {
                    return v;
                }
                v * v
            })
            .sum::<f64>()
}

#[test]
fn closures_with_early_returns() {
    scalar!(returning).row(84).check(&POINTS);
}

#[differentiable]
fn cube(t: f64) -> f64 {
    t * t * t
}

#[differentiable]
fn blend(a: f64, t: f64) -> f64 {
    a * 0.5 + t * t
}

#[differentiable]
fn by_path(x: &[f64]) -> f64 {
    let g = |t: f64| t * x[0];
    let h = g;
    let sines: f64 = x.iter().copied().map(f64::sin).sum();
    let cubes: f64 = x.iter().copied().map(cube).map(g).sum();
    let most = x.iter().copied().map(&h).fold(f64::NEG_INFINITY, f64::max);
    let blended = x.iter().copied().fold(0.1, blend);
    sines * cubes + most * blended
}

#[test]
fn functions_in_the_place_of_closures() {
    scalar!(by_path)
        .rows(&[46, 91])
        .step(0.01)
        .check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9, 1.3, 0.2]]);
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let outer = |k: usize| {
        let c = x[k] * 2.0;
        let inner = |t: f64| {
            if t > 1.0 {
                return c;
            }
            t * c
        };
        let arrays = |v: [f64; 2]| [v[1] * c, v[0]];
        let [p, q] = arrays([inner(x[0]), inner(x[k] + 1.5)]);
        p * q + x.iter().map(|v| inner(*v)).sum::<f64>()
    };
    outer(0) * outer(1)
}

#[test]
fn closures_in_closures() {
    scalar!(nested).row(85).check(&POINTS);
}

/// Names that a closure hides, or that hide a closure.
#[differentiable]
fn shadowed(x: &[f64]) -> f64 {
    let cube = |t: f64| t + 10.0;
    let a = cube(x[0]);
    let t = x[1];
    let f = |u: f64| u * t;
    let t = 3.0 * x[0];
    let b = f(t);
    let f = f(b) + t;
    let c = {
        let f = |v: f64| v * v;
        f(x[1])
    };
    a * b + f * c
}

#[test]
fn closures_and_other_names() {
    scalar!(shadowed).rows(&[3, 84]).check(&POINTS);
}

/// What `move` takes along in a chain is as it was where the chain is made.
#[differentiable]
fn moved_in_chains(x: &[f64]) -> f64 {
    let mut c = x[0];
    x.iter().map(move |v| v * c).for_each(|w| c += w);
    let kept: f64 = x
        .iter()
        .map(move |v| {
            c += v * 2.0;
            c
        })
        .sum();
    let mut k = 0.5;
    let some: f64 = x
        .iter()
        .filter_map(move |v| {
            k *= 1.0 + v;
            if *v > 0.0 { Some(k * v) } else { None }
        })
        .map(|v| v * k)
        .sum();
    k = k * x[1] + 1.0;
    let pairs: f64 = (0..2)
        .flat_map(move |i| {
            k += x[i];
            (0..2).map(move |j| {
                let t = k;
                k *= 0.5;
                t * x[j]
            })
        })
        .sum();
    x.iter()
        .scan(1.0, move |s, v| {
            k += 1.0;
            *s *= v + k;
            Some(*s)
        })
        .take(2)
        .fold(kept, move |a, v| {
            c *= 0.9;
            a * c + v
        })
        + some * pairs
        + c * k
}

#[test]
fn closures_that_take_along_in_chains() {
    scalar!(moved_in_chains).rows(&[46, 85]).check(&POINTS);
}

/// A label of the user with the spelling of one of ours, and a loop that a closure leaves.
#[differentiable]
fn labels(x: &[f64]) -> f64 {
    let f = |t: f64| {
        let mut s = t;
        'closure0: for v in x {
            for w in x {
                s += v * w * t;
                if s > 2.0 {
                    break 'closure0;
                }
                if s < -2.0 {
                    return s * t;
                }
            }
        }
        s * s
    };
    f(x[0]) + f(-3.0 * x[1])
}

#[test]
fn closures_with_labels() {
    scalar!(labels).row(84).check(&POINTS);
}

/// A closure made inside one that takes along sees what that one has.
#[differentiable]
fn moved_twice(x: &[f64]) -> f64 {
    let mut a = x[0];
    let f = move |t: f64| {
        let g = |u: f64| u * a;
        let h = move |u: f64| g(u) + a * x.iter().map(move |v| v * a).sum::<f64>();
        g(t) + h(t * t)
    };
    a = a * 3.0 + 1.0;
    f(x[1]) * a + f(a)
}

#[test]
fn closures_that_take_along_twice() {
    scalar!(moved_twice).row(85).check(&POINTS);
}

/// Items behind a closure with a state of its own are made once each, in order, also those skipped.
#[differentiable]
fn stateful(x: &[f64]) -> f64 {
    let mut k = x[0];
    let sums = |limit: usize| {
        let mut c = 0.2;
        x.iter()
            .map(move |v| {
                c = c * 0.5 + v;
                c * v
            })
            .skip(1)
            .step_by(2)
            .take(limit)
            .fold(0.1, |a, v| a * 0.3 + v)
    };
    let top = x
        .iter()
        .map(|v| {
            k = k * 0.7 + v;
            k
        })
        .max_by(f64::total_cmp)
        .unwrap();
    sums(1) * sums(5) + top * k
}

#[test]
fn closures_with_a_state_in_chains() {
    scalar!(stateful).rows(&[46, 86]).step(0.01).check(&POINTS);
}

/// A `move` closure that calls one with a reference to what is around.
#[differentiable]
fn moved_reference(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut add = |t: f64| s = s * 0.5 + t;
    let mut twice = move |t: f64| {
        add(t);
        add(t * x[1]);
    };
    twice(x[0]);
    twice(x[1]);
    s
}

#[test]
fn closures_that_take_references_along() {
    scalar!(moved_reference).row(86).check(&POINTS);
}

/// The same with the methods of `Option`.
#[differentiable]
fn moved_in_options(x: &[f64]) -> f64 {
    let mut c = x[0];
    let v = [x[1], x[0] * x[1]];
    let at = x.get(1).copied().map(move |t| {
        c += t;
        c * v[0]
    });
    c *= 3.0;
    at.unwrap_or(0.25) * c + v[1]
}

#[test]
fn closures_that_take_along_in_options() {
    scalar!(moved_in_options).rows(&[85, 94]).check(&POINTS);
}
