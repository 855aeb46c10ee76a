//! Deques and maps of what is differentiated that lose some of theirs, and that are made of others with the same name.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap, VecDeque};

const POINTS: [&[f64]; 2] = [&[1.5, 2.1, 0.3, 0.7, 4.0], &[0.4, 1.8, 1.1, 2.6, 0.2]];

#[derive(Differentiable, Clone)]
struct Job {
    left: f64,
    tag: usize,
}

#[derive(Differentiable, Clone, Copy)]
enum Load {
    Point(f64),
    Spread { force: f64, width: f64 },
}

#[differentiable]
fn kept(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = VecDeque::new();
    let mut s = 0.0;
    for v in x {
        if q.len() > 2 {
            q.pop_front();
        }
        q.retain(|b| *b > 0.6);
        q.push_back(v * v);
        s += q.iter().sum::<f64>() * v;
    }
    s
}

#[differentiable]
fn jobs(x: &[f64]) -> f64 {
    let mut q: VecDeque<Job> = VecDeque::new();
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        q.push_back(Job {
            left: v * 2.0,
            tag: i,
        });
        for j in q.iter_mut() {
            j.left -= 0.5 * v;
        }
        q.retain(|j| j.left > 0.5 && j.tag != 1);
        if q.len() > 2 {
            q.drain(..1);
        }
    }
    if let Some(j) = q.remove(0) {
        s += j.left * j.left;
    }
    s + q.iter().map(|j| j.left * j.tag as f64).sum::<f64>()
}

#[differentiable]
fn loads(x: &[f64]) -> f64 {
    let mut q: VecDeque<Load> = VecDeque::new();
    for v in x {
        q.retain(|b| matches!(b, Load::Point(u) if *u > 0.3));
        q.push_back(Load::Point(v * v));
        q.push_back(Load::Spread {
            force: v.sin(),
            width: *v,
        });
    }
    let mut s = 0.0;
    for load in q.drain(..) {
        s += match load {
            Load::Point(force) => force,
            Load::Spread { force, width } => force * width,
        };
    }
    s
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let mut q: VecDeque<(f64, usize)> = VecDeque::new();
    for (i, v) in x.iter().enumerate() {
        q.push_back((v * v, i));
    }
    q.pop_front();
    q.extend(x.iter().map(|v| (v.sin(), 3)));
    q.truncate(7);
    let middle = q.range(1..4).map(|b| b.0).sum::<f64>();
    let cut: f64 = q.drain(1..=2).map(|(v, i)| v * i as f64).sum();
    q.remove(0);
    middle * cut + q.iter().map(|(v, i)| v * *i as f64).sum::<f64>()
}

#[differentiable]
mod queue {
    use std::collections::{BTreeMap, VecDeque};

    #[derive(Clone)]
    pub struct Ball {
        pub height: f64,
        pub hand: usize,
    }

    fn toss(air: &mut VecDeque<Ball>, speed: f64, hand: usize) -> f64 {
        air.retain(|b| b.height < 20.0);
        air.push_front(Ball {
            height: speed * speed / 19.62,
            hand,
        });
        let top: Vec<Ball> = air.drain(..1).collect();
        air.push_back(top[0].clone());
        air.iter().map(|b| b.height * b.hand as f64).sum()
    }

    fn count(caught: &mut BTreeMap<usize, Ball>, ball: &Ball) {
        caught.insert(ball.hand, ball.clone());
    }

    pub fn juggled(speeds: &[f64]) -> f64 {
        let mut air = VecDeque::new();
        let mut caught = BTreeMap::new();
        let mut sum = 0.0;
        for (i, speed) in speeds.iter().enumerate() {
            sum += toss(&mut air, 3.0 * speed, i % 2);
            if let Some(ball) = air.front() {
                count(&mut caught, ball);
            }
        }
        for (hand, ball) in &caught {
            sum += ball.height.sqrt() * (hand + 1) as f64;
        }
        sum
    }
}

#[test]
fn deques_that_lose_some() {
    scalar!(kept).row(718).step(0.01).check(&POINTS);
    scalar!(jobs).row(718).step(0.01).check(&POINTS);
    scalar!(loads).row(718).step(0.01).check(&POINTS);
    scalar!(pairs).row(718).step(0.01).check(&POINTS);
}

#[test]
fn collections_of_structs_lent() {
    scalar!(queue::juggled::AD, queue::juggled)
        .row(720)
        .takes_memory()
        .step(0.01)
        .check(&POINTS);
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let m: BTreeMap<usize, f64> = x.iter().enumerate().map(|(i, v)| (i, v * v)).collect();
    let m: BTreeMap<usize, f64> = m.into_iter().filter(|&(i, _)| i != 1).collect();
    let mut s = 0.0;
    if x[0] > 1.0 {
        let m: BTreeMap<usize, f64> = m.iter().map(|(i, v)| (i + 1, v * x[3])).collect();
        for (i, v) in &m {
            s += x[i - 1] * v;
        }
    }
    let m: HashMap<usize, f64> = m.into_iter().map(|(i, v)| (2 * i, v.sin())).collect();
    s + m[&0] * m[&8]
}

#[differentiable]
fn merged(x: &[f64], #[constant] data: &[(u32, f64)]) -> f64 {
    let mut m: HashMap<u32, f64> = HashMap::new();
    for (k, v) in data {
        *m.entry(*k).or_insert(0.0) += v * x[0];
    }
    let mut m: BTreeMap<u32, f64> = m.into_iter().collect();
    if let Some(v) = m.get_mut(&1) {
        *v *= x[1];
    }
    let top = m.values().copied().fold(0.0, f64::max);
    let m: BTreeMap<u32, f64> = m.iter().map(|(k, v)| (*k, v / (top + 1.0))).collect();
    m.iter().map(|(k, v)| *k as f64 * v).sum()
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, f64> = x.iter().enumerate().map(|(i, v)| (i, v * v)).collect();
    for k in 0..2 {
        m = m
            .into_iter()
            .filter(|&(i, _)| i != k)
            .map(|(i, v)| (i + 3, v * x[k]))
            .collect();
        m.insert(k, x[0]);
    }
    let mut q: VecDeque<f64> = m.values().map(|v| v * 2.0).collect();
    q.pop_front();
    q = q.into_iter().map(|v| v.sin()).collect();
    q.pop_front();
    q = q.iter().map(|v| v * x[1]).collect();
    let mut s = q.iter().sum::<f64>();
    for (k, v) in &m {
        s += *k as f64 * v;
    }
    s
}

#[test]
fn collections_of_one_name() {
    scalar!(filtered)
        .row(719)
        .takes_memory()
        .step(0.01)
        .check(&POINTS);
    let data = [(1, 2.0), (2, 3.0), (1, 5.0)];
    scalar!(merged::AD.with(&data[..]), |x: &[f64]| merged(x, &data))
        .row(719)
        .takes_memory()
        .step(0.01)
        .check(&POINTS);
    scalar!(assigned)
        .row(719)
        .takes_memory()
        .step(0.01)
        .check(&POINTS);
}
