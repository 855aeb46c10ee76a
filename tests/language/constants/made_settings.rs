//! Options of solvers: structs of constants that functions make, change and lend, `const` in functions.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.2, 2.1], &[0.6, 3.7]];

#[derive(Clone, Copy, Debug)]
struct Opts {
    tol: f64,
    steps: usize,
    relax: f64,
}
impl Default for Opts {
    fn default() -> Self {
        Opts {
            tol: 1e-9,
            steps: 40,
            relax: 1.0,
        }
    }
}
impl Opts {
    fn step(&self, v: f64) -> f64 {
        v * self.relax
    }
    fn tight(mut self) -> Self {
        self.tol = 1e-12;
        self
    }
    fn loosen(&mut self) {
        self.tol *= 10.0;
    }
}
#[differentiable]
fn solve(a: f64, o: &Opts) -> f64 {
    let mut v = 1.0;
    for _ in 0..o.steps {
        let w = v + o.relax * (0.5 * (v + a / v) - v);
        if (w - v).abs() < o.tol {
            return w;
        }
        v = w;
    }
    v
}
#[differentiable]
fn a(x: &[f64]) -> f64 {
    let mut o = Opts::default();
    o.steps = 3;
    solve(x[0], &o)
}
#[differentiable]
fn b(x: &[f64]) -> f64 {
    let mut o: Opts = Opts {
        tol: 1e-3,
        ..Default::default()
    };
    o.steps += 3;
    o.relax = 0.8;
    o.loosen();
    o.steps = o.steps.min(6);
    solve(x[0], &o) + o.step(2.0) * x[1]
}
#[differentiable]
fn c(x: &[f64]) -> f64 {
    let o = Opts::default().tight();
    let mut p = Opts { steps: 2, ..o };
    if p.steps > 1 {
        p.relax = 0.5;
    }
    solve(x[0], &o) * solve(x[1], &p)
}
#[derive(Clone, Copy, Debug)]
struct Obs {
    t: f64,
    k: usize,
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct V {
    a: f64,
    b: f64,
}
impl Obs {
    fn half(&self) -> f64 {
        self.t * 0.5
    }
}
#[differentiable]
fn one(a: f64, o: &Obs) -> f64 {
    a.powi(o.k as i32) * o.t
}
#[differentiable]
fn dot(a: &V, b: &V) -> f64 {
    a.a * b.a + a.b * b.b
}
#[differentiable]
fn local_constants(x: &[f64]) -> f64 {
    const T: [Obs; 2] = [Obs { t: 0.5, k: 2 }, Obs { t: 1.5, k: 3 }];
    const U: &[(&str, f64)] = &[("a", 2.0), ("b", 3.0)];
    const W: V = V { a: 2.0, b: 0.5 };
    const O: Obs = Obs { t: 4.0, k: 1 };
    const N: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
    let mut s = O.t * x[0] + O.half() + one(x[1], &O);
    for o in &T {
        s += one(x[0], o) + o.half() * x[1];
    }
    for (n, v) in U {
        s += v * x[0] * n.len() as f64;
    }
    s += T.iter().map(|o| o.t * x[1]).sum::<f64>();
    s += dot(&V { a: x[0], b: x[1] }, &W) * W.a * N[1][0];
    s
}

#[test]
fn options_that_are_made() {
    scalar!(a::AD, a).row(946).check(&POINTS);
    scalar!(b::AD, b).row(946).check(&POINTS);
    scalar!(c::AD, c).row(946).check(&POINTS);
}

#[test]
fn constants_of_functions() {
    scalar!(local_constants::AD, local_constants)
        .row(947)
        .check(&POINTS);
}
