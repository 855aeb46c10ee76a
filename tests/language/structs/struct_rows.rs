//! Derived structs with lengths, whose floats are in derived structs alone; loops over lists that calls give.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, VecDeque};

const POINTS: [&[f64]; 2] = [&[0.3, 1.2, -0.7], &[1.1, -0.4, 0.9]];

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Stage {
    pub face: f64,
}

#[derive(Clone, Debug, Differentiable)]
pub struct Polynomial<const K: usize> {
    pub c: [f64; K],
}

#[derive(Clone, Debug, Differentiable)]
pub struct Train<const N: usize> {
    pub stages: [Stage; N],
}

#[derive(Clone, Debug, Differentiable)]
pub struct Deep<const N: usize, const K: usize> {
    pub train: Train<N>,
    pub laws: [Polynomial<K>; N],
    pub count: usize,
}

#[differentiable]
fn nested<const N: usize>(train: &Train<N>) -> f64 {
    let mut s = 1.0;
    for stage in &train.stages {
        s = s * stage.face + 1.0;
    }
    s
}

#[differentiable]
fn deep(of: &Deep<2, 3>) -> f64 {
    let mut s = nested(&of.train) * of.count as f64;
    for (stage, law) in of.train.stages.iter().zip(&of.laws) {
        for c in &law.c {
            s += stage.face * c * c;
        }
    }
    s
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let train = Train {
        stages: [Stage { face: x[0] }, Stage { face: x[1] }],
    };
    let laws = [
        Polynomial {
            c: [x[0], x[1], x[2]],
        },
        Polynomial {
            c: [x[2], 1.0, x[0] * x[1]],
        },
    ];
    deep(&Deep {
        train: train.clone(),
        laws,
        count: 3,
    }) * nested(&train)
}

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    pub struct Wheel {
        pub radius: f64,
    }

    #[derive(Clone, Copy)]
    pub struct Gear<const N: usize> {
        pub wheels: [Wheel; N],
    }

    pub fn ratio<const N: usize>(gear: &Gear<N>) -> f64 {
        gear.wheels.iter().map(|w| w.radius * w.radius).sum()
    }

    pub fn geared(x: &[f64]) -> f64 {
        let wheels = [0, 1, 2].map(|k| Wheel {
            radius: x[k] * x[0],
        });
        ratio(&Gear { wheels }) * x[1]
    }
}

fn taken(v: &mut Vec<usize>) -> Vec<usize> {
    std::mem::take(v)
}

fn half(queue: &mut VecDeque<usize>) -> Vec<usize> {
    let n = queue.len() / 2;
    queue.drain(..n).collect()
}

fn halves() -> BTreeMap<usize, f64> {
    (0..4).map(|k| (k, k as f64 * 0.5)).collect()
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let mut v = vec![1, 2, 0];
    let mut s = x[0];
    for k in taken(&mut v).iter() {
        s = s * x[*k] + x[0];
    }
    for v in halves().values() {
        s += v * x[1] * x[2];
    }
    s + v.len() as f64
}

#[differentiable]
fn queues(x: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = (0..7).collect();
    let mut s = x[0];
    while queue.len() > 1 {
        for k in half(&mut queue).iter().rev() {
            s = 0.5 * s + x[1] * x[1] * *k as f64;
        }
        for (i, k) in half(&mut queue).iter().enumerate() {
            s += x[2] * s * (*k + i) as f64;
        }
    }
    s * queue.len() as f64
}

#[test]
fn floats_in_derived_structs_alone() {
    scalar!(made).row(604).check(&POINTS);
    scalar!(model::geared::AD, model::geared)
        .row(604)
        .check(&POINTS);
}

#[test]
fn gradients_of_structs_with_lengths() {
    let _row = di_test::rows::row(604);
    let train = Train {
        stages: [Stage { face: 1.5 }, Stage { face: 2.0 }],
    };
    let found = gradient(nested::AD, NoPrep, &AutoSource::new(), &train).expect("runs");
    let found: Vec<f64> = found.stages.iter().map(|s| s.face).collect();
    di_test::compare::assert_same("gradient", found, vec![2.0, 2.5]);
}

#[test]
fn lists_that_calls_give() {
    scalar!(lists).row(605).takes_memory().check(&POINTS);
    scalar!(queues).row(605).takes_memory().check(&POINTS);
}
