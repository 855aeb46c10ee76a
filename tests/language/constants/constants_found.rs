//! What methods of std find in constants: its methods are differentiated, and its numbers are numbers.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone, PartialEq)]
pub enum Kind {
    Spring,
    Damper,
}

#[derive(Clone)]
pub struct Part {
    pub stiffness: f64,
    pub kind: Kind,
    pub name: String,
    pub next: Option<usize>,
}

pub struct Design {
    pub parts: Vec<Part>,
    pub by_number: BTreeMap<usize, Part>,
    pub rates: HashMap<String, f64>,
    pub spare: Option<Part>,
}

#[differentiable]
impl Part {
    fn force(&self, x: f64) -> f64 {
        self.stiffness * x * x.sin()
    }
}

#[differentiable]
fn in_maps(x: &[f64], #[constant] design: &Design) -> f64 {
    let first = design.by_number.get(&0).unwrap();
    let mut sum = first.force(x[0]) + design.by_number[&1].force(x[1]);
    sum += match design.by_number.get(&7) {
        Some(part) => part.force(x[2]),
        None => x[1] * x[2],
    };
    for (number, part) in &design.by_number {
        sum += part.force(x[*number]) * x[0];
    }
    let (number, part) = design.by_number.first_key_value().unwrap();
    sum += part.force(x[*number]);
    let (name, rate) = design.rates.iter().next().unwrap();
    if name.starts_with('a') {
        sum *= rate * x[0];
    }
    sum + design
        .by_number
        .values()
        .map(|part| part.force(x[1]))
        .sum::<f64>()
}

#[differentiable]
fn in_lists(x: &[f64], #[constant] design: &Design) -> f64 {
    let parts = design.parts.iter();
    let stiffest = parts
        .max_by(|a, b| a.stiffness.total_cmp(&b.stiffness))
        .unwrap();
    let Some(named) = design.parts.iter().find(|part| part.name == "b") else {
        return x[0];
    };
    let owned = design.parts.first().cloned().unwrap();
    let mut sum = stiffest.force(x[0]) + named.force(x[1]) * owned.force(x[2]);
    sum += owned.stiffness * x[0];
    if let [first, .., last] = design.parts.as_slice() {
        sum += first.force(x[1]) - last.force(x[2]);
    }
    let mut at = Some(0);
    while let Some(k) = at {
        let part = &design.parts[k];
        sum += part.force(x[k]);
        at = part.next;
    }
    sum + design.spare.as_ref().map_or(x[0], |part| part.force(x[1]))
}

#[differentiable]
fn in_stretches(x: &[f64], #[constant] design: &Design) -> f64 {
    let pairs = design
        .parts
        .windows(2)
        .map(|w| w[0].force(x[0]) * w[1].stiffness);
    let mut sum: f64 = pairs.sum();
    for pair in design.parts.chunks(2) {
        sum += pair[0].force(x[1]);
    }
    let mut sorted = design.parts.clone();
    sorted.sort_by(|a, b| b.stiffness.partial_cmp(&a.stiffness).unwrap());
    sum += sorted
        .iter()
        .zip(x)
        .map(|(part, x)| part.force(*x))
        .sum::<f64>();
    let springs: Vec<&Part> = design
        .parts
        .iter()
        .filter(|part| part.kind == Kind::Spring)
        .collect();
    sum + springs.iter().map(|part| part.force(x[2])).sum::<f64>()
}

#[differentiable]
mod model {
    use std::collections::BTreeMap;

    #[derive(Clone)]
    pub struct Link {
        pub gain: f64,
        pub name: String,
    }

    pub struct Net {
        pub links: Vec<Link>,
        pub at: BTreeMap<usize, Link>,
    }

    impl Link {
        fn out(&self, x: f64) -> f64 {
            (self.gain * x).tanh()
        }
    }

    pub fn passed(x: &[f64], net: &Net) -> f64 {
        let strongest = net
            .links
            .iter()
            .max_by(|a, b| a.gain.total_cmp(&b.gain))
            .unwrap();
        let own = net.links[0].clone();
        let behind = net
            .at
            .values()
            .filter(|link| link.name != "c")
            .map(|link| link.out(x[1]));
        let mut sum: f64 = behind.sum();
        if let Some(link) = net.at.get(&1) {
            sum += link.out(x[0]) * own.out(x[2]);
        }
        let (k, link) = net.at.iter().next().unwrap();
        sum + link.out(x[*k]) * strongest.out(x[0]) + own.gain * x[1]
    }
}

mod own {
    pub struct Pair<T>(pub T, pub T);

    impl Pair<f64> {
        pub fn count(&self) -> f64 {
            self.0 + self.1
        }

        pub fn contains(&self, x: f64) -> f64 {
            self.0 * x
        }
    }
}

pub struct Held {
    pub pair: own::Pair<f64>,
}

// methods of one's own with names of std's
#[differentiable]
fn namesakes(x: &[f64], #[constant] held: &Held) -> f64 {
    let n = held.pair.count();
    n * x[0] * x[1] + held.pair.contains(0.5) * x[2]
}

#[test]
fn methods_of_what_is_found() {
    let part = |stiffness: f64, name: &str, kind: Kind, next: Option<usize>| Part {
        stiffness,
        kind,
        name: name.to_owned(),
        next,
    };
    let parts = vec![
        part(1.3, "a", Kind::Spring, Some(2)),
        part(0.7, "b", Kind::Damper, None),
        part(2.1, "c", Kind::Spring, Some(1)),
    ];
    let design = Design {
        by_number: parts.iter().cloned().enumerate().collect(),
        rates: [("a".to_owned(), 1.7)].into(),
        spare: Some(parts[2].clone()),
        parts,
    };
    // items of maps are collected, and structs are cloned
    scalar!(in_maps::AD.with(&design), |x| in_maps(x, &design))
        .takes_memory()
        .row(446)
        .check(&POINTS);
    scalar!(in_lists::AD.with(&design), |x| in_lists(x, &design))
        .takes_memory()
        .row(446)
        .check(&POINTS);
    scalar!(in_stretches::AD.with(&design), |x| in_stretches(x, &design))
        .takes_memory()
        .row(446)
        .check(&POINTS);

    let link = |gain: f64, name: &str| model::Link {
        gain,
        name: name.to_owned(),
    };
    let net = model::Net {
        links: vec![link(0.4, "a"), link(1.6, "b")],
        at: [(0, link(0.8, "c")), (1, link(1.1, "d"))].into(),
    };
    scalar!(model::passed::AD.with(&net), |x| model::passed(x, &net))
        .takes_memory()
        .row(446)
        .check(&POINTS);

    let held = Held {
        pair: own::Pair(0.3, 1.4),
    };
    scalar!(namesakes::AD.with(&held), |x| namesakes(x, &held)).check(&POINTS);
}
