//! A statement that reads a collection that was made step by step, and assigns to a variable whose name it binds again:
//! it was taken for one of those that make the collection, and what it assigned was lost.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    reason = "the constructs under test, as users write them"
)]

use di::prelude::*;
use di_test::scalar;
use std::collections::{HashMap, VecDeque};

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, 0.4], &[-0.7, 0.9, 1.9]];

#[differentiable]
fn closures(p: &[f64]) -> f64 {
    let mut text = String::new();
    text.push('a');
    let mut t = p[0];
    {
        let h = |t: f64| t * 2.0;
        t = h(t) * p[1] + text.len() as f64;
    }
    t
}

#[differentiable]
fn folds(p: &[f64]) -> f64 {
    let mut names: Vec<&str> = vec![];
    names.push("a");
    let mut sum = p[0];
    for x in p {
        let sq = p.iter().fold(0.0, |sum, y| sum + x * y);
        sum += sq * names.len() as f64;
    }
    sum
}

#[differentiable]
fn loops(p: &[f64]) -> f64 {
    let mut table = HashMap::new();
    table.insert(1, 1.5);
    table.insert(2, 0.5);
    let mut t = [p[0], p[1]];
    let mut list = vec![p[2]];
    for k in 1..3 {
        let squares: Vec<f64> = t.iter().map(|t| t * t).collect();
        t = [squares[0] + table[&k], squares[1] * p[2]];
        for list in &squares {
            t[1] += list * 0.1;
        }
        list.push(t[0] * table[&k]);
    }
    t[0] * t[1] + list.iter().sum::<f64>()
}

#[differentiable]
fn arms(p: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = VecDeque::new();
    queue.push_back(2);
    queue.push_back(1);
    let mut t = p[0];
    if queue.len() > 1 {
        let chosen = if p[1] > 1.0 { Some(p[1]) } else { None };
        let s = match chosen {
            Some(t) => t * t,
            None => 0.5,
        };
        if let Some(t) = chosen {
            let _ = t;
        }
        t = t * s + p[queue[0]] * queue.len() as f64;
    }
    let mut own = 0.0;
    for &i in &queue {
        let own_part = {
            let own = p[i];
            own * own
        };
        own += own_part;
    }
    t * own
}

/// What does not change a text is no change of it.
#[differentiable]
fn replaced(p: &[f64]) -> f64 {
    let mut text = String::new();
    text.push('a');
    text.push('b');
    let n = text.replace("a", "xyz").len();
    p[0] * p[1] * n as f64
}

#[test]
fn assignments_are_not_lost() {
    scalar!(replaced).takes_memory().check(&POINTS);
    scalar!(closures).takes_memory().check(&POINTS);
    scalar!(folds).takes_memory().check(&POINTS);
    scalar!(loops).takes_memory().check(&POINTS);
    scalar!(arms).takes_memory().check(&POINTS);
}
