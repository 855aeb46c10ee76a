//! Lists that become what is wanted: `partition` of references, `dedup_by`, `into` in closures, tables of tuples as
//! arguments, sums of references in maps, closures that take texts.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, 2.2], &[2.4, 0.9, 1.1], &[1.6, 3.1, 0.5]];

#[differentiable]
fn parted(x: &[f64]) -> f64 {
    let (below, above): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| **v < 1.5);
    let (low, rest) = x.iter().partition::<Vec<f64>, _>(|v| **v < 1.0);
    let (kept, _): (Vec<f64>, Vec<f64>) = x.iter().map(|v| v * v).partition(|v| *v > 1.0);
    let mut s = above.iter().sum::<f64>() * below.iter().map(|v| v * v).sum::<f64>();
    for v in kept.iter().chain(&low) {
        s += v.sin();
    }
    s * rest.iter().product::<f64>()
}

#[differentiable]
fn without_doubles(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[0] + 1e-9, x[1], x[2] * x[0], x[2] * x[0] - 1e-9];
    v.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    let mut w = vec![x[0] + 4.0, x[0] + 4.0, x[1] + 10.0];
    w.dedup_by_key(|v| *v as i32);
    v.iter().map(|a| a * a).sum::<f64>() * v.len() as f64
        + w.iter().product::<f64>() * w.len() as f64
}

#[differentiable]
mod converted {
    #[derive(Clone, Copy)]
    pub struct Celsius(f64);

    pub struct Kelvin(f64);

    impl From<Celsius> for Kelvin {
        fn from(c: Celsius) -> Self {
            Kelvin(c.0 + 273.15)
        }
    }

    fn all(list: &[Celsius]) -> Vec<Kelvin> {
        list.iter().map(|&c| c.into()).collect()
    }

    pub fn f(x: &[f64]) -> f64 {
        let list: Vec<Celsius> = x.iter().map(|v| Celsius(*v)).collect();
        let k: Vec<Kelvin> = list.iter().map(|&c| c.into()).collect();
        let by_path: Vec<Kelvin> = list.into_iter().take(2).map(Into::into).collect();
        let other = all(&[Celsius(x[0] * x[1])]);
        k.iter().map(|k| k.0 * k.0).sum::<f64>() * by_path[1].0 + other[0].0
    }
}

#[differentiable]
mod tables {
    pub const TERMS: [(f64, f64); 2] = [(0.5, 0.1), (0.7, 1.0)];

    #[derive(Clone)]
    pub struct Layer {
        modulus: f64,
        terms: [(f64, f64); 2],
    }

    impl Layer {
        pub fn new(modulus: f64, terms: [(f64, f64); 2]) -> Self {
            Self { modulus, terms }
        }

        fn scaled(&self, by: [(f64, f64); 2]) -> f64 {
            by.iter().map(|(a, b)| a * self.modulus + b).sum()
        }

        fn held(&self, #[constant] by: [(f64, f64); 2]) -> f64 {
            by.iter().map(|(a, b)| a * self.modulus + b).sum()
        }
    }

    fn free(by: [(f64, f64); 2], x: f64) -> f64 {
        by[0].0 * x + by[1].1 * x * x
    }

    pub fn f(x: &[f64]) -> f64 {
        let terms: [(f64, f64); 2] = TERMS;
        let l = Layer::new(x[0], terms);
        let k = Layer::new(x[1] * x[1], TERMS);
        let all = vec![Layer::new(x[2], TERMS); 3];
        let s: f64 = all.iter().map(|l| l.modulus * l.terms[1].0).sum();
        let t: f64 = l.terms.iter().map(|(w, t)| w / t * l.modulus).sum();
        s * t + k.scaled(TERMS) * free(TERMS, x[0]) + l.held(TERMS)
    }
}

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    use std::collections::BTreeMap;
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    let mut edges: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        m.insert(i % 2, v * v);
        edges.insert((i, i % 2), v.sin());
    }
    let mut s = x[0] + m.iter().map(|(_, m)| m).sum::<f64>();
    for k in 0..2 {
        s *= x[k]
            + edges
                .iter()
                .filter(|(e, _)| e.1 == k)
                .map(|(_, v)| v)
                .sum::<f64>();
    }
    s + m.values().sum::<f64>()
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let k = x[1];
    let score = |name: &str, z: f64| -> f64 { name.len() as f64 * z * k };
    let of = |names: &[&str], z: f64| names.iter().map(|n| n.len() as f64).sum::<f64>() * z;
    let mut s = score("ab", x[0]);
    for word in ["x", "yz"] {
        s += score(word, x[2] * x[2]);
    }
    s * of(&["a", "bcd"], x[0])
}

#[test]
fn lists_of_copies() {
    scalar!(parted).row(874).check(&POINTS);
    scalar!(without_doubles).row(875).check(&POINTS);
}

#[test]
fn conversions_in_closures() {
    (scalar!(converted::f::AD, converted::f).row(876)).check(&POINTS);
}

#[test]
fn tables_as_arguments() {
    (scalar!(tables::f::AD, tables::f).row(877)).check(&POINTS);
}

#[test]
fn sums_of_references() {
    scalar!(summed).row(878).takes_memory().check(&POINTS);
}

#[test]
fn closures_that_take_texts() {
    scalar!(named).row(879).check(&POINTS);
}
