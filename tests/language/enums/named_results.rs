//! Lists of numbers with names, `Vec<(&str, f64)>` and `Vec<(String, f64)>`, that functions make, change, return and take.

use di::prelude::*;
use di_test::scalar;
use helping::{helpers, read_before, sorted_before, structs};
use lists::{best, by_made, by_strs, collected, matched, pushed, sorted, triples};
use ordered::{by_key, by_name, changed, equal, max_name, of_given, whole};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.4, 0.4], &[0.3, 0.9]];

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    A,
    B,
}

#[differentiable]
mod lists {
    use super::Kind;

    pub fn pushed(p: &[f64]) -> f64 {
        let mut checks: Vec<(&str, f64)> = Vec::new();
        checks.push(("sliding", p[0] * p[1]));
        checks.push(("stem", p[0] / p[1]));
        for i in 0..2 {
            checks.push((if i == 0 { "low" } else { "high" }, p[i] * p[i]));
        }
        let mut worst = checks[0].1;
        for (name, u) in &checks {
            if *u > worst {
                worst = *u * name.len() as f64;
            }
        }
        worst + checks.iter().map(|c| c.1).fold(f64::MAX, f64::min)
    }
    pub fn best(p: &[f64]) -> f64 {
        let checks = vec![("a", p[0] * p[1]), ("bcd", p[0] / p[1])];
        let best = checks
            .iter()
            .max_by(|a, b| a.1.partial_cmp(&b.1).unwrap())
            .unwrap();
        let (name, v) = checks.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        best.1 * best.1 * if best.0 == "a" { 2.0 } else { 3.0 } + v * name.len() as f64
    }
    pub fn sorted(p: &[f64]) -> f64 {
        let mut checks: Vec<(String, f64)> = Vec::new();
        for (i, n) in ["x", "yy"].iter().enumerate() {
            checks.push((n.to_string(), p[i] * p[i] * p[0]));
            checks.push((format!("{n}{i}"), p[i].sin()));
        }
        checks.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
        let mut s = 0.0;
        for (k, (name, v)) in checks.iter().enumerate() {
            s += (k + 1) as f64 * v * v * name.len() as f64;
        }
        let found = checks.iter().find(|(n, _)| n == "yy").unwrap();
        s * found.1
    }
    pub fn triples(p: &[f64]) -> f64 {
        let mut rows: Vec<(String, usize, f64, Kind)> = Vec::new();
        rows.push(("a".into(), 1, p[0] * p[0], Kind::A));
        rows.push((String::from("bb"), 0, p[1] * p[0], Kind::B));
        let mut s = 0.0;
        for (n, k, v, kind) in &rows {
            s += match kind {
                Kind::A => v * p[*k],
                Kind::B => v.exp(),
            } * n.len() as f64;
        }
        for r in rows.iter().filter(|r| r.0 != "a") {
            s *= r.2;
        }
        s
    }
    pub fn collected(p: &[f64]) -> f64 {
        let names = ["one", "two"];
        let rows: Vec<(&str, f64)> = names.iter().zip(p).map(|(n, v)| (*n, v * v)).collect();
        let total: f64 = rows.iter().map(|(_, v)| v).sum();
        let rows2: Vec<(String, f64)> = rows
            .iter()
            .map(|(n, v)| (n.to_string(), v / total))
            .collect();
        rows2
            .iter()
            .filter(|(n, _)| n.starts_with('t'))
            .map(|(_, v)| v * v)
            .sum::<f64>()
            + total * p[0]
    }
    pub fn matched(p: &[f64]) -> f64 {
        let mut v = vec![("a", p[0]), ("b", p[1])];
        v.push(("c", p[0] * p[1]));
        let mut s = 0.0;
        for (n, x) in &v {
            s += match *n {
                "a" => x * x,
                "b" => x.sin(),
                _ => 2.0 * x * x,
            };
        }
        for &(n, x) in v.iter() {
            if n == "c" {
                s *= x;
            }
        }
        for (n, x) in v {
            if n != "b" {
                s += x * x;
            }
        }
        s
    }
    fn made(p: &[f64]) -> Vec<(String, f64)> {
        vec![
            ("a".to_string(), p[0] * p[1]),
            ("b".to_string(), p[0] / p[1]),
        ]
    }
    fn add(checks: &mut Vec<(String, f64)>, name: &str, v: f64) {
        checks.push((name.to_string(), v * v));
    }
    fn worst_of(checks: &[(String, f64)]) -> f64 {
        checks.iter().map(|c| c.1).fold(f64::MIN, f64::max)
    }
    fn worst_named(checks: &[(String, f64)]) -> (String, f64) {
        let mut w = checks[0].clone();
        for c in checks {
            if c.1 > w.1 {
                w = c.clone();
            }
        }
        w
    }
    pub fn by_made(p: &[f64]) -> f64 {
        let mut checks = made(p);
        let w = worst_of(&checks);
        add(&mut checks, "cc", p[1]);
        let (name, v) = worst_named(&checks);
        w * worst_of(&checks) + v * name.len() as f64
    }
    fn strs(p: &[f64]) -> Vec<(&'static str, f64)> {
        let mut v = Vec::new();
        v.push(("a", p[0] * p[1]));
        v.push(("b", p[0].exp()));
        v
    }
    fn worst_str<'a>(checks: &'a [(&'a str, f64)]) -> Option<&'a (&'a str, f64)> {
        checks.iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }
    fn total(checks: &Vec<(&str, f64)>) -> f64 {
        checks.iter().map(|c| c.1).sum()
    }
    pub fn by_strs(p: &[f64]) -> f64 {
        let checks = strs(p);
        let w = worst_str(&checks).unwrap();
        w.1 * total(&checks) + if w.0 == "a" { p[0] } else { p[1] * p[1] }
    }
}

/// What the texts themselves say: their order, whether they are equal, what they are changed to.
#[differentiable]
mod ordered {
    pub fn by_name(p: &[f64]) -> f64 {
        let mut v: Vec<(String, f64)> = Vec::new();
        v.push(("c".to_string(), p[0] * p[0]));
        v.push(("a".to_string(), p[0] * p[1]));
        v.push(("b".to_string(), p[1] * p[1]));
        v.sort_by(|a, b| a.0.cmp(&b.0));
        let mut s = 0.0;
        for (k, (_, x)) in v.iter().enumerate() {
            s += x * x * (k + 1) as f64;
        }
        s
    }
    pub fn by_key(p: &[f64]) -> f64 {
        let mut v = vec![("c", p[0] * p[0]), ("a", p[0] * p[1]), ("b", p[1] * p[1])];
        v.sort_by_key(|a| a.0);
        let mut s = 0.0;
        for (k, x) in v.iter().enumerate() {
            s += x.1 * x.1 * (k + 1) as f64;
        }
        s
    }
    pub fn equal(p: &[f64]) -> f64 {
        let mut v: Vec<(String, f64)> = Vec::new();
        v.push(("a".to_string(), p[0] * p[0]));
        v.push(("b".to_string(), p[0] * p[1]));
        v.push(("a".to_string(), p[1] * p[1]));
        let mut s = 0.0;
        for i in 0..v.len() {
            for j in 0..v.len() {
                if v[i].0 == v[j].0 {
                    s += v[i].1 * v[j].1 * (1 + i + 2 * j) as f64;
                }
                if v[i].0 < v[j].0 {
                    s += v[i].1;
                }
            }
        }
        for (n, x) in &v {
            for (m, y) in &v {
                if n == m && x != y {
                    s += x * y * y;
                }
            }
        }
        s
    }
    pub fn max_name(p: &[f64]) -> f64 {
        let v = vec![("c", p[0] * p[0]), ("a", p[0] * p[1]), ("d", p[1] * p[1])];
        let t = v.iter().max_by_key(|t| t.0).unwrap();
        let u = v.iter().min_by(|a, b| a.0.cmp(&b.0)).unwrap();
        t.1 * t.1 * u.1
    }
    pub fn whole(p: &[f64]) -> f64 {
        let v = vec![("c", p[0] * p[0]), ("a", p[0] * p[1]), ("d", p[1] * p[1])];
        let pos = v.iter().position(|t| t.0 == "a").unwrap();
        let any = v.iter().any(|(n, _)| *n == "d");
        let names = ["a", "b"];
        let joined = names.join(",");
        let w = v.iter().find(|t| t.0 == "c").map(|t| t.1).unwrap_or(0.0);
        v[pos].1 * if any { 2.0 } else { 1.0 } + v[2].1 * joined.len() as f64 + w * w
    }
    pub fn changed(p: &[f64]) -> f64 {
        let mut v: Vec<(String, f64)> = vec![("a".to_string(), p[0]), ("b".to_string(), p[1])];
        for (n, x) in v.iter_mut() {
            if n == "b" {
                *x *= p[0];
            } else {
                *x = x.sin();
            }
        }
        v[0].1 *= 3.0;
        v[1].0 = "zz".to_string();
        if let Some(e) = v.iter_mut().find(|(n, _)| n == "zz") {
            e.1 += p[0] * p[1];
        }
        match v.iter().position(|(n, _)| n == "q") {
            Some(k) => v[k].1 = 0.0,
            None => v.push(("q".to_string(), p[0] * p[1])),
        }
        let last = v.pop().unwrap();
        let (name, x) = v.remove(0);
        v.retain(|t| t.0.len() > 1);
        last.1 * x * name.len() as f64
            + v.iter().map(|(n, x)| x * x * n.len() as f64).sum::<f64>()
            + v.len() as f64 * last.0.len() as f64
    }
    pub fn given(p: &[f64], names: &[String], t: &str) -> f64 {
        let mut v = Vec::new();
        for (n, x) in names.iter().zip(p) {
            v.push((n.clone(), x * x));
        }
        v.push((t.to_string(), p[0] * p[1]));
        v.push((t.to_owned(), p[0] * p[1]));
        let mut w: Vec<(&str, f64)> = Vec::new();
        for n in names {
            w.push((n, p[0].sin()));
            w.push((n.as_str(), p[1]));
        }
        w.push((t, p[1] * p[1]));
        let s: f64 = v.iter().filter(|(n, _)| n != t).map(|(_, x)| x).sum();
        s * w.iter().map(|(n, x)| x * x * n.len() as f64).sum::<f64>() + v[2].1
    }
    pub fn of_given(p: &[f64]) -> f64 {
        given(p, &["k".to_string(), "ll".to_string()], "mmm")
    }
}

#[differentiable]
mod helping {
    #[derive(Clone, Debug)]
    pub struct Check {
        pub name: &'static str,
        pub note: Option<String>,
        pub u: f64,
        pub n: usize,
    }
    pub fn sorted_before(p: &[f64]) -> f64 {
        let mut v = Vec::new();
        for k in 0..3 {
            v.sort_by(|a: &(String, f64), b| a.0.cmp(&b.0));
            v.push((format!("x{}", 7 - k), p[k % 2] * p[0] * (k + 1) as f64));
        }
        v[0].1 * v[2].1 * v[2].1
    }
    pub fn read_before(p: &[f64]) -> f64 {
        let mut v = Vec::new();
        let mut s = 0.0;
        for k in 0..3 {
            for (n, x) in &v {
                if n == "x1" {
                    s += x;
                }
            }
            v.push((format!("x{k}"), p[k % 2] * p[0]));
        }
        s * v[0].1
    }
    pub fn structs(p: &[f64]) -> f64 {
        let mut v: Vec<Check> = Vec::new();
        v.push(Check {
            name: "a",
            note: None,
            u: p[0] * p[1],
            n: 1,
        });
        v.push(Check {
            name: "b",
            note: Some("x".to_string()),
            u: p[0] / p[1],
            n: 0,
        });
        v.sort_by(|a, b| b.u.partial_cmp(&a.u).unwrap());
        let w = v.iter().max_by(|a, b| a.u.total_cmp(&b.u)).unwrap();
        let m = v.iter().map(|c| c.u).fold(f64::MAX, f64::min);
        let k = v.iter().find(|c| c.name == "b").unwrap();
        w.u * w.u * m + k.u * p[k.n]
    }
    fn report(v: &[(&str, f64)]) -> (f64, usize) {
        let mut best = (v[0].1, 0);
        for (k, (_, x)) in v.iter().enumerate() {
            if *x > best.0 {
                best = (*x, k);
            }
        }
        best
    }
    fn all(p: &[f64]) -> Option<Vec<(String, f64)>> {
        if p.is_empty() {
            return None;
        }
        Some(
            p.iter()
                .enumerate()
                .map(|(i, v)| (format!("p{i}"), v * v * p[0]))
                .collect(),
        )
    }
    struct Model {
        k: f64,
    }
    impl Model {
        fn checks(&self, x: f64) -> Vec<(&'static str, f64)> {
            let mut v = vec![("lin", self.k * x)];
            if x > 0.5 {
                v.push(("sq", self.k * x * x));
            }
            v
        }
        fn worst(&self, v: &[(&'static str, f64)]) -> f64 {
            v.iter().map(|t| t.1 * self.k).fold(0.0, f64::max)
        }
        fn fill(&self, v: &mut Vec<(String, f64)>) {
            v.push(("filled".into(), self.k * self.k));
        }
    }
    pub fn helpers(p: &[f64]) -> f64 {
        let v = all(p).unwrap();
        let names: Vec<(&str, f64)> = v.iter().map(|(n, x)| (n.as_str(), *x)).collect();
        let (b, k) = report(&names);
        let m = Model { k: p[1] };
        let c = m.checks(p[0]);
        let mut f = all(p).unwrap_or_default();
        m.fill(&mut f);
        b * p[k] + m.worst(&c) * f.last().unwrap().1
    }
}

#[differentiable]
fn single(p: &[f64]) -> f64 {
    let mut checks: Vec<(&str, f64)> = Vec::with_capacity(2);
    checks.push(("sliding", p[0] * p[1]));
    if p[0] > 1.0 {
        checks.push(("stem", p[0] / p[1]));
    }
    checks.push(("last", p[1] * p[1] * p[1]));
    let (mut worst, mut at) = (checks[0].1, "none");
    for (n, u) in checks.iter() {
        if *u > worst {
            worst = *u;
            at = *n;
        }
    }
    checks.last().unwrap().1 * worst * at.len() as f64
}

#[differentiable]
fn worst_of(v: &[(&str, f64)]) -> f64 {
    v.iter().map(|t| t.1).fold(f64::MIN, f64::max)
}
#[differentiable]
fn made(p: &[f64]) -> Vec<(&'static str, f64)> {
    let mut v = Vec::new();
    v.push(("a", p[0] * p[1]));
    v.push(("b", p[1] * p[1]));
    v
}
#[differentiable]
fn singles(p: &[f64]) -> f64 {
    let v = made(p);
    worst_of(&v) * v.len() as f64 * v[1].1
}
#[test]
fn lists_with_names() {
    scalar!(pushed).row(880).check(&POINTS);
    scalar!(best).row(880).check(&POINTS);
    scalar!(sorted).row(880).takes_memory().check(&POINTS);
    scalar!(triples).row(880).takes_memory().check(&POINTS);
    scalar!(collected).row(880).takes_memory().check(&POINTS);
    scalar!(matched).row(880).check(&POINTS);
    scalar!(single).row(880).check(&POINTS);
}

#[test]
fn names_are_compared_as_texts() {
    scalar!(by_name).row(880).takes_memory().check(&POINTS);
    scalar!(by_key).row(880).check(&POINTS);
    scalar!(equal).row(880).takes_memory().check(&POINTS);
    scalar!(max_name).row(880).check(&POINTS);
    scalar!(whole).row(880).takes_memory().check(&POINTS);
    scalar!(changed).row(880).takes_memory().check(&POINTS);
}

#[test]
fn lists_with_names_between_functions() {
    scalar!(by_made).row(880).takes_memory().check(&POINTS);
    scalar!(by_strs).row(880).check(&POINTS);
    scalar!(of_given).row(880).takes_memory().check(&POINTS);
    scalar!(sorted_before)
        .row(880)
        .takes_memory()
        .check(&POINTS);
    scalar!(read_before).row(880).takes_memory().check(&POINTS);
    scalar!(structs).row(880).takes_memory().check(&POINTS);
    scalar!(helpers).row(880).takes_memory().check(&POINTS);
    scalar!(singles).row(880).check(&POINTS);
}

#[differentiable]
mod kinds {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Source {
        Sun,
        Wind,
        Stored(u8),
    }
    #[derive(Clone, Copy)]
    pub struct Plant {
        cost: f64,
        power: f64,
    }
    fn shares(x: &[f64]) -> Vec<(Source, f64)> {
        vec![(Source::Sun, x[0] * x[0]), (Source::Stored(2), x[1])]
    }
    fn pair(x: &[f64]) -> [(Source, f64); 2] {
        [(Source::Wind, x[0]), (Source::Sun, x[1])]
    }
    fn plants(x: &[f64], hours: &[f64]) -> Vec<(Source, Plant)> {
        let mut all = Vec::new();
        for (k, h) in hours.iter().enumerate() {
            let source = if k % 2 == 0 {
                Source::Wind
            } else {
                Source::Stored(1)
            };
            let plant = Plant {
                cost: x[0] * h,
                power: x[1] + h,
            };
            all.push((source, plant));
        }
        all
    }
    pub fn cheapest(x: &[f64], #[constant] hours: &[f64]) -> f64 {
        let mut all = plants(x, hours);
        all.sort_by(|a, b| a.1.cost.partial_cmp(&b.1.cost).unwrap());
        let (mut left, mut sum) = (2.03, 0.0);
        for (source, plant) in &all {
            let used = plant.power.min(left);
            if *source != Source::Wind {
                sum += used * plant.cost;
            }
            left -= used * 0.5;
        }
        for (source, share) in shares(x) {
            match source {
                Source::Stored(n) => sum += share * share * n as f64,
                _ => sum += share,
            }
        }
        let [(first, a), (_, b)] = pair(x);
        if first == Source::Wind {
            sum * a + b
        } else {
            sum
        }
    }
}

#[test]
fn lists_beside_enums_that_functions_return() {
    let hours = [0.4, 0.9, 0.2];
    scalar!(kinds::cheapest::AD.with(&hours), |x: &[f64]| {
        kinds::cheapest(x, &hours)
    })
    .row(953)
    .check(&POINTS);
}
