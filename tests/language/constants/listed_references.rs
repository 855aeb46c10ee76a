//! Lists of references to constants that change while what varies is computed: stacks, schedules, trees.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, VecDeque};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.4, 0.6], &[0.3, 0.9]];

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Oral,
    Vein,
}

struct Dose {
    mg: f64,
    at: usize,
    way: Way,
    parts: Vec<f64>,
}

impl Dose {
    fn half(&self) -> f64 {
        self.mg * 0.5
    }
}

fn doses() -> Vec<Dose> {
    let dose = |mg: f64, at, way| Dose {
        mg,
        at,
        way,
        parts: vec![mg, 2.0],
    };
    vec![
        dose(1.5, 0, Way::Oral),
        dose(3.0, 1, Way::Oral),
        dose(3.5, 1, Way::Vein),
        dose(0.2, 0, Way::Oral),
    ]
}

#[differentiable]
fn untyped(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut rest = Vec::new();
    for d in doses {
        if d.way == Way::Oral && d.mg > 1.0 {
            rest.push(d);
        }
    }
    let mut s = 0.0;
    for (i, d) in rest.iter().enumerate() {
        s += d.half() * x[d.at] + d.parts[0] * x[1] * i as f64;
        for part in &d.parts {
            s += part * x[0].sin();
        }
        s += d.parts.iter().map(|part| part * x[1]).sum::<f64>();
    }
    s + rest.len() as f64 * x[0]
}

#[differentiable]
fn popped(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut stack: Vec<&Dose> = doses.iter().collect();
    let mut s = x[1];
    while let Some(d) = stack.pop() {
        s = s * x[0] + d.mg * x[1];
        match stack.last() {
            Some(next) if next.way == Way::Vein => s += next.mg * x[0],
            Some(_) => s *= x[1],
            None => {}
        }
    }
    s
}

#[differentiable]
fn scheduled(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut rest: Vec<&Dose> = Vec::with_capacity(4);
    for d in doses {
        rest.push(d);
        if rest.len() > 2 {
            rest.swap_remove(0);
        }
    }
    let mut t = x[0];
    while !rest.is_empty() {
        let d = rest.remove(0);
        t += d.mg * t * x[1];
        if let Some(last) = rest.last() {
            t += last.mg * x[0];
        }
        t *= 0.5;
    }
    t
}

#[test]
fn vectors_of_references() {
    let doses = doses();
    scalar!(untyped::AD.with(&doses), |x: &[f64]| untyped(x, &doses))
        .row(560)
        .takes_memory()
        .check(&POINTS);
    scalar!(popped::AD.with(&doses), |x: &[f64]| popped(x, &doses))
        .row(560)
        .takes_memory()
        .check(&POINTS);
    scalar!(scheduled::AD.with(&doses), |x: &[f64]| scheduled(x, &doses))
        .row(560)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn chained(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut rest: Vec<&Dose> = Vec::new();
    for d in doses {
        rest.push(d);
        if rest.len() > 3 {
            rest.remove(1);
        }
    }
    let a: f64 = rest.iter().map(|d| (d.mg * x[0]).sin() * x[1]).sum();
    let b = rest.iter().fold(x[1], |acc, d| acc * d.mg + x[0]);
    let mut c = 0.0;
    rest.iter().for_each(|d| c += d.mg * x[1]);
    let far: f64 = rest
        .iter()
        .filter(|d| d.mg * x[0] > 0.5)
        .map(|d| d.half() * x[1].exp())
        .sum();
    let all: Vec<f64> = rest.iter().map(|d| d.half() * x[1]).collect();
    let any = rest.iter().any(|d| d.mg * x[0] > 100.0);
    if any {
        a
    } else {
        a * b + c + far + all[0] * all[1]
    }
}

#[differentiable]
fn numbers(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut pending: Vec<&f64> = data.iter().collect();
    pending.retain(|d| **d > 1.5);
    let mut s = 0.0;
    while pending.len() > 1 {
        s += pending
            .iter()
            .map(|d| (*d * x[0]).sin() * x[1])
            .sum::<f64>();
        pending.pop();
    }
    s
}

#[test]
fn chains_over_references() {
    let doses = doses();
    scalar!(chained::AD.with(&doses), |x: &[f64]| chained(x, &doses))
        .row(561)
        .takes_memory()
        .check(&POINTS);
    let data = [1.0, 2.0, 3.0, 2.5];
    scalar!(numbers::AD.with(&data), |x: &[f64]| numbers(x, &data))
        .row(561)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn given(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut amount = x[0];
    let mut pending: Vec<&Dose> = doses.iter().collect();
    for step in 0..3 {
        pending.retain(|d| {
            if d.at <= step {
                amount += d.mg * x[0];
                false
            } else {
                true
            }
        });
        amount *= x[1];
    }
    amount
}

#[differentiable]
fn left(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut open: VecDeque<&Dose> = doses.iter().collect();
    let mut s = x[0];
    for k in 0..4 {
        s += x[1] * open.len() as f64;
        open.retain(|d| d.mg * x[0] > k as f64);
        if let Some(d) = open.pop_front() {
            s *= d.mg * x[1];
        }
    }
    s
}

#[test]
fn retained_by_what_varies() {
    let doses = doses();
    scalar!(given::AD.with(&doses), |x: &[f64]| given(x, &doses))
        .row(562)
        .takes_memory()
        .check(&POINTS);
    scalar!(left::AD.with(&doses), |x: &[f64]| left(x, &doses))
        .row(562)
        .takes_memory()
        .check(&POINTS);
}

enum Event {
    Dose { at: f64, mg: f64 },
    Wait(f64),
    All(Vec<Event>),
    Nothing,
}

#[differentiable]
fn events(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut stack: Vec<&Event> = events.iter().rev().collect();
    let mut s = x[0];
    while let Some(event) = stack.pop() {
        match event {
            Event::Dose { at, mg } if *at > 0.5 => s += mg * (x[1] * at).exp(),
            Event::Dose { mg, .. } => s -= mg * x[0],
            Event::Wait(t) => s *= (-t * x[1]).exp(),
            Event::All(list) => {
                for e in list.iter().rev() {
                    stack.push(e);
                }
            }
            Event::Nothing => {}
        }
    }
    s
}

struct Tree {
    w: f64,
    kids: Vec<Tree>,
    next: Option<Box<Tree>>,
    name: String,
}

#[differentiable]
fn deep(x: &[f64], #[constant] root: &Tree) -> f64 {
    let mut stack = vec![(root, 0)];
    let mut s = 0.0;
    while let Some((node, depth)) = stack.pop() {
        s += node.w * x[0].powi(depth);
        if node.name == "leaf" {
            s += x[1];
        }
        for kid in &node.kids {
            stack.push((kid, depth + 1));
        }
        if let Some(next) = &node.next {
            stack.push((next, depth));
        }
    }
    s
}

#[differentiable]
fn wide(x: &[f64], #[constant] root: &Tree) -> f64 {
    let mut queue: VecDeque<(&Tree, f64)> = VecDeque::new();
    queue.push_back((root, 1.0));
    let mut s = 0.0;
    while let Some((node, weight)) = queue.pop_front() {
        let w = node.w * weight;
        s += (w * x[0]).sin() * x[1];
        for kid in &node.kids {
            queue.push_back((kid, weight * 0.5));
        }
    }
    s
}

#[test]
fn trees_and_events() {
    let list = [
        Event::Dose { at: 1.0, mg: 2.0 },
        Event::All(vec![Event::Wait(0.3), Event::Dose { at: 0.1, mg: 0.4 }]),
        Event::Nothing,
        Event::Wait(0.2),
    ];
    scalar!(events::AD.with(&list), |x: &[f64]| events(x, &list))
        .row(563)
        .takes_memory()
        .check(&POINTS);
    let node = |w, kids, name: &str| Tree {
        w,
        kids,
        next: (w > 1.5).then(|| {
            Box::new(Tree {
                w: 0.4,
                kids: Vec::new(),
                next: None,
                name: "next".to_owned(),
            })
        }),
        name: name.to_owned(),
    };
    let leaf = |w| node(w, Vec::new(), "leaf");
    let root = node(
        1.0,
        vec![leaf(2.0), node(0.3, vec![leaf(1.0)], "k")],
        "root",
    );
    scalar!(deep::AD.with(&root), |x: &[f64]| deep(x, &root))
        .row(563)
        .takes_memory()
        .check(&POINTS);
    scalar!(wide::AD.with(&root), |x: &[f64]| wide(x, &root))
        .row(563)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
mod inside {
    pub struct Item {
        pub w: f64,
        pub v: f64,
    }

    pub fn chosen(x: &[f64], #[constant] items: &[Item]) -> f64 {
        let mut chosen = Vec::new();
        let mut room = 5.0;
        for item in items {
            if item.w <= room {
                chosen.push(item);
                room -= item.w;
            }
        }
        let sum: f64 = chosen.iter().map(|i| i.v * x[0] + x[1] / i.w).sum();
        sum + squared(chosen[0].v, x[1])
    }

    fn squared(v: f64, x: f64) -> f64 {
        v * x * x
    }
}

#[differentiable]
fn grouped(x: &[f64], #[constant] doses: &[Dose]) -> f64 {
    let mut by: BTreeMap<usize, Vec<&Dose>> = BTreeMap::new();
    let mut s = 0.0;
    for d in doses {
        by.entry(d.at).or_default().push(d);
        s += by[&d.at].len() as f64 * x[1];
    }
    for (at, list) in &by {
        for d in list {
            s += d.mg * x[*at];
        }
        s *= x[1];
    }
    if let Some(list) = by.get(&1) {
        s += list.iter().map(|d| d.mg * x[0]).sum::<f64>();
    }
    s
}

#[test]
fn references_in_modules_and_maps() {
    let items = [2.0, 2.5, 2.0].map(|w| inside::Item { w, v: w + 1.0 });
    scalar!(inside::chosen::AD.with(&items), |x: &[f64]| {
        inside::chosen(x, &items)
    })
    .row(560)
    .takes_memory()
    .check(&POINTS);
    let doses = doses();
    scalar!(grouped::AD.with(&doses), |x: &[f64]| grouped(x, &doses))
        .row(560)
        .takes_memory()
        .check(&POINTS);
}
