//! Constants that functions without an attribute return, taken by value: options, results and maps.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9], &[0.2, 0.37, 0.55]];

fn rates(k: usize) -> Option<Vec<f64>> {
    (k < 3).then(|| vec![1.5, 0.5 * k as f64])
}

fn parse(text: &str) -> Result<Vec<f64>, String> {
    let each = text.split(' ').map(|word| word.parse::<f64>());
    each.collect::<Result<_, _>>().map_err(|e| e.to_string())
}

fn pair(k: usize) -> Option<(Vec<f64>, usize)> {
    Some((vec![2.0, 0.25], k))
}

// of which there are no copies
struct Plan {
    rates: Vec<f64>,
    n: usize,
}

fn plan(n: usize) -> Result<Plan, String> {
    match n {
        0 => Err("no steps".to_string()),
        n => Ok(Plan {
            rates: vec![0.3; n],
            n,
        }),
    }
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let r = rates(1);
    let known = r.is_some();
    let rate = r.map_or(1.0, |v| v[0]);
    let next = rates(2);
    let n = next.as_ref().map_or(0, |v| v.len());
    let v = next.unwrap_or_default();
    let first = if known { x[0] } else { x[1] };
    first * rate * x[1] + v[1] * x[2].sin() * n as f64
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let r = rates(2);
    let first = if let Some(v) = r { x[0] * v[1] } else { x[1] };
    let s = parse("1.5 x");
    let second = match s {
        Ok(v) => v[1] * x[0],
        Err(e) => e.len() as f64 * x[1],
    };
    let t = pair(3);
    let Some((v, n)) = t else {
        return 0.0;
    };
    let w = parse("2 0.5 0.25");
    let third: f64 = match w {
        Ok(v) if v.len() > 5 => x[0],
        Ok(v) => v.iter().zip(x).map(|(a, b)| (a * b).exp()).sum(),
        Err(_) => x[1],
    };
    first * second + v.iter().map(|c| c * x[2]).sum::<f64>() * n as f64 + third
}

#[differentiable]
fn without_copies(x: &[f64]) -> f64 {
    let p = plan(2);
    let mut sum = match p {
        Ok(p) => {
            let mut s = x[2];
            for k in 0..p.n {
                s += p.rates[k] * x[k] * x[0];
            }
            s
        }
        Err(_) => x[1],
    };
    let q = plan(0);
    if let Err(why) = q {
        sum *= why.len() as f64;
    }
    sum
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..4 {
        let r = rates(k);
        if let Some(v) = r {
            for (i, w) in v.iter().enumerate() {
                sum += w * (x[i] * x[2]).sin();
            }
        } else if x[0] > 0.5 {
            sum *= x[1];
        }
    }
    sum
}

#[differentiable]
fn tried(x: &[f64], text: &str) -> Result<f64, String> {
    let r = parse(text);
    let v = r?;
    let mut sum = 0.0;
    for (a, b) in v.iter().zip(x) {
        sum += a * b * b;
    }
    Ok(sum)
}

#[differentiable]
fn asked(x: &[f64], k: usize) -> Option<f64> {
    let r = rates(k);
    let v = r?;
    Some(v[0] * x[0] * x[1])
}

#[differentiable]
fn through_calls(x: &[f64]) -> f64 {
    let first = tried(x, "1 2 3").unwrap_or(x[0]);
    let second = tried(x, "one").unwrap_or(x[1]);
    first * second + asked(x, 1).unwrap_or(0.0) + asked(x, 7).unwrap_or(x[2])
}

#[test]
fn options_and_results_in_variables() {
    scalar!(mapped).row(543).takes_memory().check(&POINTS);
    scalar!(matched).row(543).takes_memory().check(&POINTS);
    scalar!(without_copies)
        .row(543)
        .takes_memory()
        .check(&POINTS);
    scalar!(in_loops).row(543).takes_memory().check(&POINTS);
    scalar!(through_calls)
        .row(543)
        .takes_memory()
        .check(&POINTS);
}

fn group(n: usize) -> BTreeMap<u32, Vec<f64>> {
    let each = (0..n as u32).map(|k| (k, vec![0.5 + k as f64; 2]));
    each.collect()
}

fn named() -> HashMap<String, f64> {
    HashMap::from([("a".to_string(), 0.5), ("long".to_string(), 1.5)])
}

fn chosen(n: usize) -> BTreeSet<usize> {
    (0..n).collect()
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (k, vs) in group(3) {
        for v in vs {
            sum += (x[0] * v).exp() / (k as f64 + 1.0);
        }
    }
    let groups = group(2);
    for (k, vs) in groups {
        let mut i = 0;
        while i < vs.len() {
            sum *= (x[1] * vs[i]).cos() + k as f64;
            i += 1;
        }
    }
    for k in chosen(2) {
        sum += x[k] * x[2];
    }
    sum
}

#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let groups = group(2);
    for (k, vs) in &groups {
        for v in vs {
            sum += (x[0] * v).exp() / (*k as f64 + 1.0);
        }
    }
    for (k, vs) in groups.iter() {
        sum += vs[0] * x[1] * *k as f64;
    }
    sum
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let lengths: f64 = named()
        .into_iter()
        .map(|(name, v)| (v * x[0]).sin() * name.len() as f64)
        .sum();
    let all = named();
    let again: f64 = all.into_iter().map(|(_, v)| v * x[1] * x[2]).sum();
    lengths * again
}

struct Members {
    ids: Vec<usize>,
}

impl Members {
    fn by_parity(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut all = BTreeMap::<usize, Vec<usize>>::new();
        for &k in &self.ids {
            all.entry(k % 2).or_default().push(k);
        }
        all
    }

    fn weights(&self) -> Vec<(usize, f64)> {
        self.ids.iter().map(|&k| (k, 0.5 * k as f64)).collect()
    }
}

#[differentiable]
fn behind_references(x: &[f64]) -> f64 {
    let members = Members { ids: vec![2, 0, 1] };
    let mut s = 1.0;
    for (parity, ks) in &members.by_parity() {
        s += *parity as f64 * x[0] + ks.iter().map(|&k| x[k]).sum::<f64>();
    }
    for k in &chosen(2) {
        s *= x[*k];
    }
    for i in 0..2 {
        for (k, w) in &members.weights() {
            s += x[*k] * x[i] * w;
        }
        for (parity, ks) in &members.by_parity() {
            s = s * x[*parity] + x[ks[0]];
        }
    }
    s
}

#[test]
fn loops_over_references_to_what_is_returned() {
    scalar!(behind_references)
        .row(706)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn maps_by_value() {
    scalar!(by_value).row(544).takes_memory().check(&POINTS);
    scalar!(by_reference).row(544).takes_memory().check(&POINTS);
    scalar!(chained).row(544).takes_memory().check(&POINTS);
}

#[differentiable]
mod inside {
    use std::collections::BTreeMap;

    fn rates(k: usize) -> Option<Vec<f64>> {
        (k < 3).then(|| vec![1.5, 0.5 * k as f64])
    }

    fn pair(k: usize) -> Option<(Vec<f64>, usize)> {
        Some((vec![2.0, 0.25], k))
    }

    fn group(n: usize) -> BTreeMap<u32, Vec<f64>> {
        (0..n as u32).map(|k| (k, vec![0.5; 2])).collect()
    }

    #[ad(skip)]
    pub struct Limits {
        pub low: Vec<f64>,
    }

    impl Limits {
        #[ad(skip)]
        fn of(&self, k: usize) -> Option<Vec<f64>> {
            (k > 0).then(|| self.low.clone())
        }
    }

    fn weighted(v: &[f64], x: f64) -> f64 {
        v.iter().map(|w| w * x * x).sum()
    }

    pub fn limited(x: &[f64], #[constant] limits: &Limits) -> f64 {
        let r = rates(1);
        let own = limits.of(1);
        let mut sum = match own {
            Some(v) => weighted(&v, x[0]),
            None => x[1],
        };
        if let Some(v) = r {
            sum *= weighted(&v, x[1]);
        }
        for (k, vs) in group(2) {
            sum += weighted(&vs, x[2]) * k as f64;
        }
        let p = pair(2);
        let (v, n) = p.unwrap();
        sum + v[1] * x[0] * n as f64
    }
}

#[test]
fn in_modules() {
    let limits = inside::Limits {
        low: vec![0.5, 0.25],
    };
    scalar!(inside::limited::AD.with(&limits), |x| inside::limited(
        x, &limits
    ))
    .rows(&[543, 544])
    .takes_memory()
    .check(&POINTS);
}
