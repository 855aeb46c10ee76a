//! Lists of values without floats, and of integers, that a function makes and hands on: they may change in between.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, 0.7], &[1.7, 0.6, 1.1]];

#[derive(Clone, PartialEq)]
enum Step {
    Wait,
    Say(String),
    Turn { by: u8 },
}

#[derive(Clone, Copy)]
struct Bin {
    kind: u8,
    is_open: bool,
}

fn weight(plan: &[Step]) -> f64 {
    plan.iter()
        .map(|step| match step {
            Step::Wait => 0.5,
            Step::Say(text) => text.len() as f64,
            Step::Turn { by } => f64::from(*by),
        })
        .sum()
}

#[differentiable]
fn cost(x: &[f64], plan: &[Step]) -> f64 {
    let of = |(k, step): (usize, &Step)| match step {
        Step::Wait => x[0],
        Step::Say(text) => x[1] * text.len() as f64,
        Step::Turn { by } => x[k % 3] * f64::from(*by) * x[2],
    };
    plan.iter().enumerate().map(of).sum()
}

#[differentiable]
fn filled(x: &[f64], bins: [Bin; 3], all: &Vec<Bin>) -> f64 {
    let mut sum = 0.0;
    for (k, bin) in bins.iter().enumerate() {
        if bin.is_open {
            sum += x[k] * x[k] * f64::from(bin.kind);
        }
    }
    sum * x[0].powi(all.len() as i32)
}

#[differentiable]
fn lists_of_enums(x: &[f64]) -> f64 {
    let mut plan = vec![Step::Wait, Step::Say("north".to_string())];
    let mut sum = 0.0;
    for k in 0..3u8 {
        sum += cost(x, &plan) * weight(&plan);
        plan.push(Step::Turn { by: k + 1 });
        sum *= 0.1 * cost(x, &plan[1..]);
    }
    sum + cost(x, &[Step::Wait, Step::Turn { by: 2 }])
}

#[differentiable]
fn lists_of_structs(x: &[f64]) -> f64 {
    let mut bins = [Bin {
        kind: 1,
        is_open: true,
    }; 3];
    let mut all = Vec::new();
    for k in 0..3 {
        bins[k].kind = 2 + k as u8;
        all.push(bins[k]);
        bins[(k + 1) % 3].is_open = k > 0;
    }
    filled(x, bins, &all) + filled(x, [bins[0]; 3], &all)
}

fn even(order: &[usize]) -> Vec<usize> {
    order.iter().copied().filter(|k| k % 2 == 0).collect()
}

fn largest(order: &[usize]) -> usize {
    order.iter().copied().max().unwrap_or(0)
}

#[differentiable]
fn picked(x: &[f64], order: &[usize]) -> f64 {
    order.iter().map(|k| x[*k] * x[*k]).sum()
}

#[differentiable]
fn lists_of_integers(x: &[f64]) -> f64 {
    let mut order = [0, 1, 2];
    let first = even(&order);
    let mut sum = x[largest(&order)];
    for k in 0..3 {
        order[k] = 2;
        sum *= picked(x, &even(&order)) + picked(x, &first);
    }
    let mut found = vec![1, 0];
    for k in 0..2 {
        sum += picked(x, &even(&found)) * x[largest(&found)];
        found.push(k);
    }
    sum
}

#[test]
fn lists_of_enums_and_structs_as_arguments() {
    scalar!(lists_of_enums)
        .row(840)
        .takes_memory()
        .check(&POINTS);
    scalar!(lists_of_structs)
        .row(840)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn functions_of_lists_of_integers_as_arguments() {
    scalar!(lists_of_integers)
        .row(841)
        .takes_memory()
        .check(&POINTS);
}
