//! Maps whose values are differentiated.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap};

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15, 0.55, 1.2],
    &[0.85, 0.44, 0.52, 0.91, 0.3],
    &[0.05, 0.93, 0.64, 0.27, 0.8],
];
const EDGES: [(usize, usize); 5] = [(0, 1), (1, 2), (2, 3), (3, 1), (0, 2)];
const NAMES: [&str; 4] = ["steel", "oak", "steel", "glass"];

#[differentiable]
fn assembled(x: &[f64], #[constant] edges: &[(usize, usize)]) -> f64 {
    let mut forces: HashMap<usize, f64> = HashMap::new();
    for (i, &(a, b)) in edges.iter().enumerate() {
        let f = x[i] * (x[a] - x[b]).sin();
        *forces.entry(a).or_insert(0.0) += f;
        *forces.entry(b).or_insert(0.0) -= f * x[1];
    }
    let mut energy = 0.0;
    for node in 0..4 {
        if let Some(f) = forces.get(&node) {
            energy += f * f * (1.0 + node as f64);
        }
    }
    // std promises no order
    let most = forces.values().copied().fold(x[4], f64::max);
    for (node, f) in forces.iter_mut() {
        *f *= x[*node];
    }
    energy + most + forces[&1] * forces.get(&9).copied().unwrap_or(x[0])
}

#[differentiable]
fn asked(x: &[f64], #[constant] names: &[&str]) -> f64 {
    let mut cost: BTreeMap<&str, f64> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        if let Some(v) = cost.get_mut(name) {
            *v *= x[i];
        } else {
            cost.insert(name, x[0] + i as f64);
        }
    }
    let mut s = 0.0;
    if cost.contains_key("oak") && cost.len() == 3 && !cost.is_empty() {
        s += cost["oak"].exp();
    }
    match cost.get("glass") {
        Some(v) if *v > 3.5 => s += v * v,
        Some(v) => s -= v,
        None => s += 1.0,
    }
    let Some(steel) = cost.get("steel") else {
        return s;
    };
    if cost.keys().any(|k| k.len() > 10) {
        return x[0];
    }
    s * steel + cost.get("none").map_or(x[1], |v| v * 2.0)
}

#[test]
fn maps_that_are_filled_and_read() {
    scalar!(assembled::AD.with(&EDGES), |x: &[f64]| assembled(x, &EDGES))
        .row(620)
        .takes_memory()
        .check(&POINTS);
    scalar!(asked::AD.with(&NAMES), |x: &[f64]| asked(x, &NAMES))
        .row(621)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn entered(x: &[f64], #[constant] names: &[&str]) -> f64 {
    let mut share: BTreeMap<String, f64> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        share
            .entry(name.to_string())
            .and_modify(|v| *v *= x[i])
            .or_insert_with(|| x[i].powi(2));
        *share.entry("all".to_string()).or_default() += x[i];
    }
    let r = share.entry("oak".to_owned()).or_insert(0.0);
    *r = *r * *r + x[2];
    let before = share.insert("glass".to_string(), x[4]).unwrap_or(0.0);
    let all = share.remove("all").unwrap();
    let none = share.remove("nothing").unwrap_or(x[3]);
    share.values().sum::<f64>() * before + all * none + *share.get("glass").unwrap()
}

#[test]
fn entries_of_maps() {
    scalar!(entered::AD.with(&NAMES), |x: &[f64]| entered(x, &NAMES))
        .row(622)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Beam(usize),
    Plate,
}

#[differentiable]
fn walked(x: &[f64], #[constant] parts: &[Part]) -> f64 {
    let mut load: BTreeMap<Part, f64> = BTreeMap::new();
    let mut pairs: BTreeMap<(usize, bool), f64> = BTreeMap::new();
    for (i, &p) in parts.iter().enumerate() {
        *load.entry(p).or_insert(0.5) += x[i];
        pairs.insert((i % 3, i > 2), x[i] * x[0]);
    }
    for v in load.values_mut() {
        *v = v.sin() + 1.0;
    }
    for ((i, late), v) in pairs.iter_mut() {
        *v *= if *late { x[*i] } else { 2.0 };
        if *i == 2 {
            continue;
        }
        *v += 1.0;
    }
    load.values_mut().for_each(|v| *v *= 0.5);
    pairs.retain(|(i, _), v| *i != 1 && *v > 0.05);
    let mut s = 0.0;
    for (k, (part, v)) in load.iter().enumerate() {
        s += v * (k as f64 + 1.0) * if *part == Part::Plate { x[3] } else { 1.0 };
    }
    let late: f64 = pairs
        .iter()
        .filter(|((_, late), _)| *late)
        .map(|(_, v)| v * v)
        .sum();
    let most = load.values().copied().fold(0.0, f64::max);
    let beams: f64 = load
        .iter()
        .map(|(part, v)| if *part == Part::Plate { 0.0 } else { v.cos() })
        .sum();
    s + late + most + beams
}

#[differentiable]
fn numbered(x: &[f64], #[constant] edges: &[(usize, usize)]) -> f64 {
    let mut flow: BTreeMap<usize, f64> = BTreeMap::new();
    for &(a, b) in edges {
        flow.insert(a * b, x[a] * x[b]);
    }
    let (at, top) = flow
        .iter()
        .max_by(|a, b| a.1.partial_cmp(b.1).unwrap())
        .unwrap();
    let mut s = top * *at as f64;
    for v in flow.values().rev().take(2) {
        s += v * v;
    }
    for (k, v) in flow {
        s *= 1.0 + 0.1 * v * x[k % 5];
    }
    s
}

#[test]
fn loops_over_maps() {
    let parts = [
        Part::Beam(1),
        Part::Plate,
        Part::Beam(2),
        Part::Beam(1),
        Part::Plate,
    ];
    scalar!(walked::AD.with(&parts), |x: &[f64]| walked(x, &parts))
        .row(623)
        .takes_memory()
        .check(&POINTS);
    scalar!(numbered::AD.with(&EDGES), |x: &[f64]| numbered(x, &EDGES))
        .row(623)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn collected(x: &[f64], #[constant] names: &[&str]) -> f64 {
    let mut m: BTreeMap<String, f64> = names
        .iter()
        .enumerate()
        .map(|(i, n)| (n.to_string(), x[i] * 2.0))
        .collect();
    let mut t = BTreeMap::from([("a", x[0]), ("b", x[1] * x[0])]);
    t.extend(names.iter().zip(x).map(|(n, v)| (*n, v.exp())));
    for (k, v) in t {
        m.insert(k.to_string(), v * x[2]);
    }
    m.iter().map(|(k, v)| k.len() as f64 * v * v).sum()
}

#[differentiable]
fn spread(x: &[f64], #[constant] steps: usize) -> f64 {
    let mut now: BTreeMap<usize, f64> = BTreeMap::new();
    now.insert(0, x[0]);
    let start = now.clone();
    for step in 0..steps {
        let mut next: BTreeMap<usize, f64> = BTreeMap::new();
        for (k, v) in &now {
            *next.entry(k + 1).or_insert(0.0) += v * x[1];
            *next.entry(2 * k).or_insert(0.0) += v * x[2] * step as f64;
        }
        if step % 2 == 0 {
            now = next;
        } else {
            std::mem::swap(&mut now, &mut next);
        }
    }
    let last = std::mem::take(&mut now);
    now.insert(1, x[3]);
    last.values().map(|v| v.sin()).sum::<f64>() + start[&0] * now[&1]
}

#[test]
fn maps_that_are_made_and_moved() {
    scalar!(collected::AD.with(&NAMES), |x: &[f64]| collected(x, &NAMES))
        .row(624)
        .takes_memory()
        .check(&POINTS);
    scalar!(spread::AD.with(4), |x: &[f64]| spread(x, 4))
        .row(624)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Differentiable, Clone, Copy)]
struct Law {
    a: f64,
    b: f64,
}

#[differentiable]
fn composed(x: &[f64], #[constant] edges: &[(usize, usize)]) -> f64 {
    let mut sums: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    let mut lists: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut pairs: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let mut laws: BTreeMap<usize, Law> = BTreeMap::new();
    for (i, &(a, b)) in edges.iter().enumerate() {
        let e = sums.entry(a).or_insert([0.0; 2]);
        e[0] += x[i];
        e[1] += x[b] * i as f64;
        lists.entry(b).or_default().push(x[a].sin());
        let p = pairs.entry(a).or_insert((0.0, 1.0));
        p.0 += x[b];
        p.1 *= x[i];
        laws.entry(b).or_insert(Law { a: 0.0, b: 1.0 }).a += x[i];
        if let Some(law) = laws.get_mut(&a) {
            law.b *= x[0];
        }
    }
    let mut s = 0.0;
    for (_, [a, b]) in &sums {
        s += a * b;
    }
    for (k, list) in &lists {
        s += list.iter().sum::<f64>() / list.len() as f64 * *k as f64;
    }
    for (_, (a, b)) in &pairs {
        s += a * b;
    }
    for (_, law) in &laws {
        s += law.a * law.b;
    }
    s + laws[&3].a.sin()
}

#[test]
fn maps_of_arrays_and_structs() {
    scalar!(composed::AD.with(&EDGES), |x: &[f64]| composed(x, &EDGES))
        .row(625)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn add(to: &mut BTreeMap<usize, f64>, k: usize, v: f64) {
    *to.entry(k).or_insert(0.0) += v;
}

#[differentiable]
fn power(x: f64, n: usize, memo: &mut HashMap<usize, f64>) -> f64 {
    if let Some(v) = memo.get(&n) {
        return *v;
    }
    let v = x.powi(n as i32);
    memo.insert(n, v);
    v
}

#[differentiable]
fn lent(x: &[f64], #[constant] edges: &[(usize, usize)]) -> f64 {
    let mut loads = BTreeMap::new();
    let mut memo: HashMap<usize, f64> = HashMap::new();
    let mut s = 0.0;
    for &(a, b) in edges {
        add(&mut loads, b, x[a]);
        s += power(x[0], a, &mut memo) * x[b];
    }
    s + loads.values().map(|v| v * v).sum::<f64>() * memo.len() as f64
}

#[differentiable]
mod net {
    use std::collections::BTreeMap;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        Source,
        Sink,
    }

    pub struct Net {
        pub weights: Vec<f64>,
        pub ends: Vec<(usize, usize)>,
    }

    impl Net {
        fn energy(&self, scale: f64) -> f64 {
            let mut at: BTreeMap<usize, f64> = BTreeMap::new();
            for (w, &(a, b)) in self.weights.iter().zip(&self.ends) {
                *at.entry(a).or_insert(0.0) += w * scale;
                *at.entry(b).or_insert(1.0) *= w;
            }
            at.values().map(|v| v * v).sum()
        }
    }

    fn add(to: &mut BTreeMap<Kind, f64>, k: Kind, v: f64) {
        *to.entry(k).or_insert(0.0) += v;
    }

    fn kind(a: usize) -> Kind {
        if a > 1 { Kind::Sink } else { Kind::Source }
    }

    pub fn run(x: &[f64], edges: &[(usize, usize)]) -> f64 {
        let mut sums = BTreeMap::new();
        let mut s = 0.0;
        for (i, &(a, _)) in edges.iter().enumerate() {
            add(&mut sums, kind(a), x[i].sin());
            if sums.contains_key(&Kind::Sink) {
                s += sums[&Kind::Sink] * x[0];
            }
            match sums.get_mut(&Kind::Source) {
                Some(v) => *v *= x[1],
                None => {
                    sums.insert(Kind::Source, x[0]);
                }
            }
        }
        let net = Net {
            weights: x.to_vec(),
            ends: edges.to_vec(),
        };
        for (k, v) in sums {
            s += if k == Kind::Sink { v } else { v * v };
        }
        s + net.energy(x[0])
    }
}

#[test]
fn maps_in_functions_and_modules() {
    scalar!(lent::AD.with(&EDGES), |x: &[f64]| lent(x, &EDGES))
        .row(626)
        .takes_memory()
        .check(&POINTS);
    scalar!(net::run::AD.with(&EDGES), |x: &[f64]| net::run(x, &EDGES))
        .row(626)
        .takes_memory()
        .check(&POINTS);
}
