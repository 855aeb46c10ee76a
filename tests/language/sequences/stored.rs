//! Lists of tuples and of options, and tuples and options in fields: read, written, pushed, sorted, handed on.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::scalar;

const FOUR: [&[f64]; 2] = [&[0.4, 1.1, -0.3, 0.8], &[0.9, 0.2, 0.7, -0.6]];
const SIX: [&[f64]; 2] = [
    &[0.4, 1.1, -0.3, 0.8, 0.3, 0.7],
    &[0.9, 0.2, 0.7, -0.6, 1.2, 0.5],
];

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for i in 0..x.len() {
        if x[i] > 0.3 {
            v.push((x[i], x[i] * x[0]));
        } else {
            v.push((1.0, x[i]));
        }
    }
    let mut s = 0.0;
    while let Some((a, b)) = v.pop() {
        s = s * 0.5 + a.sin() * b;
    }
    s
}
#[differentiable]
fn swapped(x: &[f64]) -> f64 {
    let mut v: Vec<(f64, f64)> = x.windows(2).map(|w| (w[0], w[1] * w[0])).collect();
    v.swap(0, 2);
    v[1].0 = v[0].1 * 2.0;
    v[1].1 += v[2].0;
    let last = v[v.len() - 1];
    let mut w = v.clone();
    w[0] = (last.1, last.0);
    w.reverse();
    for (p, q) in v.iter_mut().zip(&w) {
        p.0 *= q.1;
        p.1 -= q.0 * q.0;
    }
    for p in v.iter_mut() {
        *p = (p.1, p.0 * p.1);
    }
    let m = v.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
    v.iter().map(|(a, b)| (a - m) * b).sum::<f64>() + m
}
#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let pts = vec![(x[0], x[1]), (x[2], x[3]), (1.0, x[0] * x[1])];
    let arr = [(x[1], 2.0), (x[3], x[2])];
    let best = pts.iter().map(|p| p.0.hypot(p.1)).fold(0.0, f64::max);
    let (a, b) = pts[1];
    let &(c, d) = &arr[1];
    let p = &pts[2];
    let dist = |u: &(f64, f64), v: &(f64, f64)| ((u.0 - v.0).powi(2) + (u.1 - v.1).powi(2)).sqrt();
    let mut len = 0.0;
    for w in pts.windows(2) {
        len += dist(&w[0], &w[1]);
    }
    best + a * b * c * d + p.1.sin() + len + arr.iter().map(|&(u, v)| u * v).sum::<f64>()
}
#[differentiable]
fn shifted(p: (f64, f64), by: f64) -> (f64, f64) {
    (p.0 + by, p.1 * by)
}
#[differentiable]
fn all(ps: &[(f64, f64)], by: f64) -> Vec<(f64, f64)> {
    ps.iter().map(|p| shifted(*p, by)).collect()
}
#[differentiable]
fn scale(ps: &mut [(f64, f64)], by: f64) {
    for p in ps {
        p.0 *= by;
        p.1 += by * p.0;
    }
}
#[differentiable]
fn helped(x: &[f64]) -> f64 {
    let mut ps: Vec<(f64, f64)> = Vec::with_capacity(3);
    for c in x.chunks(2) {
        ps.push((c[0], c[1]));
    }
    for k in 0..3 {
        ps = all(&ps, x[k]);
    }
    scale(&mut ps, x[1]);
    scale(&mut ps[1..], x[2]);
    if ps.len() < 2 {
        return 0.0;
    }
    ps.iter().map(|q| q.0 * q.1).sum()
}
#[differentiable]
fn mixed(x: &[f64]) -> f64 {
    let mut v: Vec<(usize, f64, [f64; 2])> = Vec::new();
    for (i, &a) in x.iter().enumerate() {
        v.push((i, a * a, [a, a.sin()]));
    }
    v.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
    v.truncate(3);
    v.retain(|t| t.0 != 1);
    let mut s = 0.0;
    for (i, a, [p, q]) in &v {
        s += (*i as f64 + 1.0) * a * p * q;
    }
    for t in v.iter_mut() {
        t.2[0] = t.1 * t.2[1];
        t.2.swap(0, 1);
    }
    s + v.iter().map(|t| t.2[0] * t.2[1] * t.0 as f64).sum::<f64>() + v[0].2.iter().sum::<f64>()
}
#[differentiable]
fn of_points(ps: &[(f64, f64)]) -> f64 {
    let n = ps.len();
    (0..n)
        .map(|i| {
            let (a, b) = ps[i];
            let (c, d) = ps[(i + 1) % n];
            a * d - c * b + a.powi(3)
        })
        .sum::<f64>()
}
#[differentiable]
fn opts(x: &[f64]) -> f64 {
    let mut best = vec![None; 3];
    for (i, v) in x.iter().enumerate() {
        let k = i % 3;
        best[k] = match best[k] {
            Some(b) if b > *v => Some(b),
            _ => Some(*v * x[0]),
        };
    }
    best.iter().map(|b| b.unwrap_or(0.0).powi(2)).sum()
}

#[test]
fn lists_of_tuples() {
    scalar!(pushed).row(173).check(&FOUR);
    scalar!(swapped).row(173).check(&FOUR);
    scalar!(chosen).row(173).check(&FOUR);
    scalar!(helped).row(173).check(&SIX);
    scalar!(mixed).row(173).check(&SIX);
    scalar!(opts).row(174).check(&SIX);
}

/// To operators a list of tuples is a list of tuples.
#[test]
fn operators_take_lists_of_tuples() {
    let _row = di_test::rows::row(173);
    let points = [(0.3, 0.4), (1.0, -0.2), (0.5, 1.5)];
    let slope = |i: usize, first: bool| {
        let at = |h: f64| {
            let mut moved = points;
            if first {
                moved[i].0 += h;
            } else {
                moved[i].1 += h;
            }
            of_points(&moved)
        };
        (at(1e-5) - at(-1e-5)) / 2e-5
    };
    let expected: Vec<f64> = (0..3)
        .flat_map(|i| [slope(i, true), slope(i, false)])
        .collect();
    for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
        let found = gradient(of_points::AD, NoPrep, &backend, &points[..]).unwrap();
        let found: Vec<f64> = found.iter().flat_map(|p| [p.0, p.1]).collect();
        assert_close("gradient", &found, &expected, DIFFERENCES);
    }
}

// ---- in fields ----
#[derive(Clone, Debug, Differentiable)]
struct Moments {
    area: f64,
    perimeter: f64,
    centroid: (f64, f64),
}
#[differentiable]
fn vertex(x: &[f64], i: usize) -> (f64, f64) {
    let n = x.len() / 2;
    let k = i % n;
    (x[2 * k], x[2 * k + 1])
}
#[differentiable]
fn moments(x: &[f64]) -> Moments {
    let n = x.len() / 2;
    let (mut a, mut per, mut cx, mut cy) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..n {
        let (x0, y0) = vertex(x, i);
        let (x1, y1) = vertex(x, i + 1);
        let w = x0 * y1 - x1 * y0;
        a += 0.5 * w;
        per += (x1 - x0).hypot(y1 - y0);
        cx += (x0 + x1) * w;
        cy += (y0 + y1) * w;
    }
    Moments {
        area: a,
        perimeter: per,
        centroid: (cx / (6.0 * a), cy / (6.0 * a)),
    }
}
#[differentiable]
fn isoperimetric(x: &[f64]) -> f64 {
    let m = moments(x);
    let (cx, cy) = m.centroid;
    4.0 * std::f64::consts::PI * m.area / m.perimeter.powi(2) - 0.01 * (cx * cx + cy * cy)
}
#[derive(Clone, Debug, Differentiable)]
struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    integral: f64,
    last: Option<f64>,
}
#[differentiable]
impl Pid {
    fn new(gains: &[f64]) -> Pid {
        Pid {
            kp: gains[0],
            ki: gains[1],
            kd: gains[2],
            integral: 0.0,
            last: None,
        }
    }
    fn update(&mut self, error: f64, dt: f64) -> f64 {
        self.integral += error * dt;
        let derivative = match self.last {
            Some(e) => (error - e) / dt,
            None => 0.0,
        };
        self.last = Some(error);
        self.kp * error + self.ki * self.integral + self.kd * derivative
    }
}
#[differentiable]
fn itae(gains: &[f64], steps: usize) -> f64 {
    let dt = 0.1;
    let mut pid = Pid::new(gains);
    let (mut y, mut v) = (0.0, 0.0);
    let mut cost = 0.0;
    for i in 0..steps {
        let t = i as f64 * dt;
        let e = 1.0 - y;
        let u = pid.update(e, dt);
        v += dt * (u - 0.8 * v - y);
        y += dt * v;
        cost += t * e * e * dt;
    }
    cost
}

#[differentiable]
fn of_pid(gains: &[f64]) -> f64 {
    itae(gains, 6)
}

/// Parts of fields change, and whole ones; structs with them are copied, borrowed and returned.
#[derive(Clone, Debug, Differentiable)]
struct State {
    at: (f64, [f64; 2]),
    steps: (usize, f64),
    best: Option<f64>,
    trail: Vec<(f64, f64)>,
}

#[differentiable]
fn moved(s: &State, by: f64) -> State {
    let mut next = s.clone();
    next.at.0 += by;
    next.at.1[1] *= next.at.0;
    next.steps = (s.steps.0 + 1, s.steps.1 * by);
    if s.steps.0 % 2 == 0 {
        next.best = s.best.map(|b| b.max(next.at.0)).or(Some(by * by));
    }
    next.trail.push((next.at.0, s.at.1[0]));
    next
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut s = State {
        at: (x[0], [x[1], x[2]]),
        steps: (0, 1.0),
        best: None,
        trail: Vec::new(),
    };
    for k in 0..3 {
        s = moved(&s, x[k]);
        if let Some(b) = &mut s.best {
            *b *= 1.5;
        }
        s.trail[k].1 -= s.at.0;
    }
    let State {
        at: (a, [_, b]),
        steps,
        best,
        trail,
    } = s;
    let tail: f64 = trail.iter().map(|(p, q)| p * q).sum();
    a * b + steps.1 * steps.0 as f64 + best.unwrap_or(0.0) + tail
}

/// The gradient by a struct is one.
#[differentiable]
fn of_state(s: &State) -> f64 {
    let extra = match s.best {
        Some(b) => b.sin() * s.at.0,
        None => 1.0,
    };
    s.at.1.iter().sum::<f64>() * s.steps.1
        + extra
        + s.trail.iter().map(|t| t.0 * t.1 * t.1).sum::<f64>()
}

#[test]
fn tuples_and_options_in_fields() {
    scalar!(isoperimetric)
        .row(174)
        .check(&[&[0.0, 0.1, 1.2, 0.0, 1.6, 0.9, 0.8, 1.5, -0.2, 0.8]]);
    scalar!(of_pid).row(174).check(&[&[1.5, 0.6, 0.4]]);
    scalar!(walked).row(174).takes_memory().check(&FOUR);
    let _row = di_test::rows::row(174);
    for best in [Some(0.7), None] {
        let s = State {
            at: (0.5, [1.0, -2.0]),
            steps: (3, 0.25),
            best,
            trail: vec![(1.0, 2.0), (0.5, -1.0)],
        };
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let g = gradient(of_state::AD, NoPrep, &backend, &s).unwrap();
            let (b, db) = best.map_or((0.0, 0.0), |b: f64| (b.sin(), b.cos() * 0.5));
            let found = [
                g.at.0,
                g.at.1[0],
                g.at.1[1],
                g.steps.1,
                g.best.unwrap_or(0.0),
                g.trail[0].0,
                g.trail[1].1,
            ];
            let expected = [b, 0.25, 0.25, -1.0, db, 4.0, -1.0];
            assert_close("gradient", &found, &expected, DIFFERENCES);
            assert_eq!(g.best.is_some(), best.is_some());
        }
    }
}
