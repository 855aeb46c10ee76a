//! Functions and methods that return options and results of references to parts of what they borrow.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.3, 0.7, -0.4], &[1.1, -0.2, 0.6]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct Leg {
    until: f64,
    speed: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Track {
    legs: Vec<Leg>,
    drag: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TrackError {
    Empty,
    Drag,
}

#[differentiable]
impl Track {
    fn leg_at(&self, t: f64) -> Option<&Leg> {
        self.legs.iter().find(|leg| t < leg.until)
    }

    fn leg(&self, i: usize) -> Option<&Leg> {
        if i > 7 {
            return None;
        }
        self.legs.get(i)
    }

    fn fastest(&self) -> Option<&Leg> {
        let mut best = self.legs.first()?;
        for leg in &self.legs {
            if leg.speed > best.speed {
                best = leg;
            }
        }
        Some(best)
    }

    fn validate(&self) -> Result<&Self, TrackError> {
        if self.legs.is_empty() {
            Err(TrackError::Empty)
        } else if self.drag > 5.0 {
            Err(TrackError::Drag)
        } else {
            Ok(self)
        }
    }

    fn speed(&self, t: f64) -> Option<f64> {
        let leg = self.leg_at(t)?;
        Some(leg.speed * leg.speed * self.drag)
    }

    fn checked(&self, t: f64) -> Result<f64, TrackError> {
        Ok(self.validate()?.drag * t + self.validate()?.legs[0].speed)
    }
}

#[differentiable]
fn track_of(x: &[f64]) -> Track {
    let legs = vec![
        Leg {
            until: 0.5,
            speed: x[0] * x[1],
        },
        Leg {
            until: 1.0 + x[2] * x[2],
            speed: x[1].sin(),
        },
        Leg {
            until: 3.0,
            speed: x[2] * 0.4,
        },
    ];
    Track {
        legs,
        drag: 1.3 + x[0] * 0.2,
    }
}

#[differentiable]
fn found(x: &[f64]) -> f64 {
    let track = track_of(x);
    let mut s = track.speed(0.7).unwrap_or(0.0) + track.speed(9.0).unwrap_or(0.25);
    for k in 0..4 {
        if let Some(leg) = track.leg_at(k as f64 * 0.8) {
            s += leg.speed.powi(2) * (k + 1) as f64;
        }
        s += track.leg(k).map_or(0.1, |leg| leg.speed * leg.until);
        let Some(leg) = track.leg(k + 1) else {
            continue;
        };
        s += leg.until.sin();
    }
    match track.fastest() {
        Some(leg) => s * leg.speed,
        None => s,
    }
}

#[differentiable]
fn validated(x: &[f64]) -> f64 {
    let track = track_of(x);
    let bad = Track {
        legs: Vec::new(),
        drag: x[0],
    };
    let s = track.checked(x[1]).unwrap_or(0.0);
    match bad.checked(x[2]) {
        Ok(v) => v,
        Err(TrackError::Empty) => s * s,
        Err(TrackError::Drag) => s,
    }
}

#[differentiable]
fn largest(x: &[f64]) -> Option<&f64> {
    x.iter().max_by(|a, b| a.total_cmp(b))
}

#[differentiable]
fn window(x: &[f64], at: usize) -> Option<&[f64]> {
    if at + 2 > x.len() {
        None
    } else {
        Some(&x[at..at + 2])
    }
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut s = largest(x).copied().unwrap_or(0.0) * 2.0;
    for k in 0..3 {
        if let Some(w) = window(x, k) {
            s += w[0] * w[1] * (k + 1) as f64;
        }
    }
    if let Some(v) = largest(&x[1..]) {
        s *= v.cos();
    }
    s
}

#[differentiable]
mod model {
    pub struct Stage {
        pub gain: f64,
    }

    pub struct Chain {
        pub stages: Vec<Stage>,
        pub scale: f64,
    }

    #[derive(Debug)]
    pub enum Missing {
        Stage(usize),
    }

    impl Chain {
        fn stage(&self, i: usize) -> Result<&Stage, Missing> {
            self.stages.get(i).ok_or(Missing::Stage(i))
        }

        fn last(&self) -> Option<&Stage> {
            self.stages.last()
        }

        pub fn total(&self, n: usize) -> Result<f64, Missing> {
            let mut s = self.scale;
            for i in 0..n {
                s += self.stage(i)?.gain * self.last().map(|l| l.gain).unwrap_or(1.0);
            }
            Ok(s)
        }
    }

    fn chosen(chain: &Chain, i: usize) -> Option<&Stage> {
        chain.stages.get(i).or(chain.stages.last())
    }

    pub fn all(x: &[f64]) -> f64 {
        let stages = x.iter().map(|v| Stage { gain: v.sin() }).collect();
        let chain = Chain {
            stages,
            scale: x[0] * x[0],
        };
        let s = chain.total(2).unwrap_or(0.0);
        let t = match chain.total(9) {
            Ok(v) => v,
            Err(Missing::Stage(k)) => k as f64 * x[1],
        };
        s + t * chosen(&chain, 7).map_or(0.0, |stage| stage.gain)
    }
}

#[derive(Clone, Debug)]
struct Part {
    name: String,
    k: f64,
}

#[derive(Clone, Debug)]
struct Catalog {
    parts: Vec<Part>,
}

#[differentiable]
impl Catalog {
    fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|p| p.name == name)
    }

    fn need(&self, name: &str) -> Result<&Part, String> {
        self.part(name).ok_or_else(|| format!("no {name}"))
    }

    fn force(&self, name: &str, x: f64) -> Result<f64, String> {
        let part = self.need(name)?;
        Ok(part.k * x * x)
    }
}

#[differentiable]
fn chosen_parts(x: &[f64], #[constant] catalog: &Catalog) -> f64 {
    let mut s = x[2];
    for name in ["a", "z", "b"] {
        s += catalog.force(name, x[0]).unwrap_or(x[1] * x[1]);
        if let Some(part) = catalog.part(name) {
            s *= part.k + x[2] * 0.1;
        }
    }
    s
}

#[differentiable]
fn listed_parts(x: &[f64], #[constant] catalog: &Catalog) -> f64 {
    let names = ["b", "a", "z"];
    let mut s = x[0];
    for (name, weight) in [("a", 1.5), ("z", 1.0), ("b", -0.5)] {
        s += weight * catalog.force(name, x[1]).unwrap_or(s * x[2]);
    }
    for (name, v) in names.iter().zip(x) {
        s *= 1.0 + catalog.part(name).map_or(*v, |part| part.k * v * v);
    }
    s
}

#[differentiable]
mod trees {
    pub struct Node {
        pub key: usize,
        pub weight: f64,
        pub left: Option<Box<Node>>,
        pub right: Option<Box<Node>>,
    }

    impl Node {
        fn find(&self, key: usize) -> Option<&Node> {
            if self.key == key {
                return Some(self);
            }
            if key < self.key {
                self.left.as_ref()?.find(key)
            } else {
                self.right.as_ref()?.find(key)
            }
        }
    }

    fn heavier(node: &Node, than: f64) -> Option<&Node> {
        if node.weight > than { Some(node) } else { None }
    }

    pub fn weighed(x: &[f64], #[constant] tree: &Node) -> f64 {
        let mut s = x[0];
        for k in 0..4 {
            if let Some(node) = tree.find(k) {
                s += node.weight * x[k % 3];
            }
        }
        match heavier(tree, x[1]) {
            Some(node) => s * node.weight * x[2],
            None => s,
        }
    }
}

#[test]
fn optional_references_to_constants_are_returned() {
    let part = |name: &str, k| Part {
        name: name.into(),
        k,
    };
    let catalog = Catalog {
        parts: vec![part("a", 0.7), part("b", 1.7)],
    };
    let leaf = |key, weight| trees::Node {
        key,
        weight,
        left: None,
        right: None,
    };
    let tree = trees::Node {
        left: Some(leaf(1, 0.3).into()),
        right: Some(leaf(3, 0.9).into()),
        ..leaf(2, 0.5)
    };
    scalar!(chosen_parts::AD.with(&catalog), |x: &[f64]| chosen_parts(
        x, &catalog
    ))
    .row(651)
    .takes_memory()
    .check(&POINTS);
    scalar!(listed_parts::AD.with(&catalog), |x: &[f64]| listed_parts(
        x, &catalog
    ))
    .row(652)
    .takes_memory()
    .check(&POINTS);
    scalar!(trees::weighed::AD.with(&tree), |x: &[f64]| trees::weighed(
        x, &tree
    ))
    .row(651)
    .check(&POINTS);
}

#[test]
fn optional_references_are_returned() {
    scalar!(found).row(650).takes_memory().check(&POINTS);
    scalar!(validated).row(650).takes_memory().check(&POINTS);
    scalar!(parts).row(650).check(&POINTS);
    scalar!(model::all::AD, model::all)
        .row(650)
        .takes_memory()
        .check(&POINTS);
}
