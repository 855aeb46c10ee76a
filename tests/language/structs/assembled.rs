//! Functions that write what a value of a type parameter adds, and `?` of constants inside of larger expressions.

use di::prelude::*;
use di_test::scalar;
use std::collections::BTreeMap;

const POINTS: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];

trait Device {
    fn current(&self, v: f64) -> f64;
}

#[derive(Clone, Copy, Differentiable)]
struct Resistor {
    ohms: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Diode {
    saturation: f64,
}

#[differentiable]
impl Device for Resistor {
    fn current(&self, v: f64) -> f64 {
        v / self.ohms
    }
}

#[differentiable]
impl Device for Diode {
    fn current(&self, v: f64) -> f64 {
        self.saturation * (v.exp() - 1.0)
    }
}

#[differentiable]
fn stamp(d: &impl Device, v: f64, node: usize, f: &mut [f64]) {
    if v > 1.0 {
        f[0] += 2.0 * d.current(v);
        return;
    }
    f[node] += d.current(v);
}

#[differentiable]
fn stamp_both<A: Device, B: Device>(a: &A, b: &B, v: f64, f: &mut [f64]) {
    f[0] += a.current(v) * b.current(0.5 * v);
    f[1] -= b.current(v);
}

#[differentiable]
fn circuit(x: &[f64]) -> f64 {
    let r = Resistor { ohms: x[0] };
    let d = Diode { saturation: x[1] };
    let mut f = [0.0; 2];
    for node in 0..2 {
        stamp(&r, x[node], node, &mut f);
        stamp(&d, 0.5 * x[node], 1 - node, &mut f);
    }
    stamp_both(&r, &d, x[1], &mut f);
    f[0] * f[1].sin() + f[0]
}

#[differentiable]
mod model {
    pub(super) trait Load {
        fn at(&self, s: f64) -> f64;
    }

    pub(super) struct Point {
        pub(super) force: f64,
        pub(super) at: f64,
    }

    pub(super) struct Even(pub(super) f64);

    impl Load for Point {
        fn at(&self, s: f64) -> f64 {
            self.force * (-(s - self.at).powi(2)).exp()
        }
    }

    impl Load for Even {
        fn at(&self, s: f64) -> f64 {
            self.0 * s
        }
    }

    fn assemble(load: &impl Load, nodes: &[f64], rhs: &mut [f64]) {
        for (r, &s) in rhs.iter_mut().zip(nodes) {
            *r += load.at(s);
        }
    }

    pub(super) fn energy(x: &[f64]) -> f64 {
        let nodes = [0.1, 0.5 * x[0], 0.9];
        let mut rhs = vec![0.0; 3];
        assemble(&Even(x[1]), &nodes, &mut rhs);
        let point = Point {
            force: x[0],
            at: x[1],
        };
        assemble(&point, &nodes, &mut rhs);
        rhs.iter().map(|r| r * r).sum()
    }
}

#[derive(Clone, Copy)]
enum Base {
    A,
    C,
    G,
    T,
}

fn base(c: char) -> Option<Base> {
    match c {
        'A' => Some(Base::A),
        'C' => Some(Base::C),
        'G' => Some(Base::G),
        'T' => Some(Base::T),
        _ => None,
    }
}

#[differentiable]
fn score(columns: &[[f64; 4]], #[constant] motif: &str) -> Option<f64> {
    let mut sum = 0.0;
    for (column, c) in columns.iter().zip(motif.chars()) {
        sum += column[base(c)? as usize] * column[3 - base(c)? as usize].sin();
    }
    Some(sum)
}

#[differentiable]
fn motif(x: &[f64], #[constant] motif: &str) -> f64 {
    let columns = [
        [x[0], x[1], x[0] * x[1], 1.0],
        [x[1], 2.0, x[0].exp(), x[1]],
    ];
    score(&columns, motif).unwrap_or(7.0 * x[0] * x[0])
}

#[differentiable]
fn degree(x: &[f64], #[constant] of: &BTreeMap<String, u32>) -> Result<f64, String> {
    let first = (of.get("first").copied().ok_or("no degree")? + 1) as usize;
    let second = (*of
        .get("second")
        .ok_or_else(|| "no second degree".to_string())?
        + 1) as i32;
    Ok(x[first % 2].powi(second) * x[0])
}

#[differentiable]
fn of_degree(x: &[f64], #[constant] of: &BTreeMap<String, u32>) -> f64 {
    match degree(x, of) {
        Ok(found) => found,
        Err(_) => x[1].sin(),
    }
}

#[test]
fn what_values_of_type_parameters_write() {
    scalar!(circuit).row(800).check(&POINTS);
    scalar!(model::energy::AD, model::energy)
        .row(800)
        .check(&POINTS);
}

#[test]
fn questions_inside_of_expressions() {
    scalar!(motif::AD.with("AC"), |x| motif(x, "AC"))
        .takes_memory()
        .row(801)
        .check(&POINTS);
    scalar!(motif::AD.with("AX"), |x| motif(x, "AX"))
        .takes_memory()
        .row(801)
        .check(&POINTS);
    let one = BTreeMap::from([("first".to_owned(), 3)]);
    scalar!(of_degree::AD.with(&one), |x| of_degree(x, &one))
        .takes_memory()
        .row(801)
        .check(&POINTS);
    let both = BTreeMap::from([("first".to_owned(), 3), ("second".to_owned(), 2)]);
    scalar!(of_degree::AD.with(&both), |x| of_degree(x, &both))
        .row(801)
        .check(&POINTS);
}
