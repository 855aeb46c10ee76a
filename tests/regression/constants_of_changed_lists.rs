//! Constant code that was bound to a variable was put in where the variable is used: it read lists of integers as they were
//! then. As an argument of a function with derivatives, in reverse mode, such a list was not known.

#![allow(clippy::useless_vec, reason = "lists as users write them")]

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, PartialEq)]
enum Ore {
    Iron,
    Gold,
}

fn ores(order: &[usize]) -> Vec<Ore> {
    let of = |k: &usize| {
        if k.is_multiple_of(2) {
            Ore::Iron
        } else {
            Ore::Gold
        }
    };
    order.iter().map(of).collect()
}

fn gold(of: &[Ore]) -> usize {
    of.iter().filter(|ore| **ore == Ore::Gold).count()
}

fn odd(order: &[usize]) -> Vec<usize> {
    order.iter().copied().filter(|k| k % 2 == 1).collect()
}

fn label(order: &[usize]) -> String {
    format!("{order:?}")
}

fn width(text: &str) -> f64 {
    text.len() as f64 + if text.contains('7') { 0.5 } else { 0.0 }
}

#[differentiable]
fn price(x: &[f64], of: &[Ore], text: &str) -> f64 {
    let last = of[of.len() - 1] == Ore::Gold;
    x[0] * of.len() as f64 + x[1] * x[1] * if last { 2.0 } else { x[0] } + x[1] * width(text)
}

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut order = vec![1, 2];
    for k in 0..3 {
        let (of, text) = (ores(&order), label(&order));
        order.push(2 * k + 7);
        order[0] = k;
        s *= x[0] * gold(&of) as f64 + x[1] * width(&text) + x[1] * width(&label(&order));
    }
    s
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let mut order = [3, 4, 5];
    let all = odd(&order);
    order[0] = 2;
    let rest = odd(&order);
    let mut s = 0.0;
    for k in all {
        s += x[0] * k as f64;
    }
    for k in &rest {
        s *= x[1] * *k as f64;
    }
    let head = odd(&order[..2]);
    s * head.len() as f64 + s * s
}

/// What is bound in front of a loop, which changes the list behind it.
#[differentiable]
fn in_front(x: &[f64]) -> f64 {
    let mut order = vec![1, 2, 4];
    let text = label(&order);
    let mut s = x[0];
    for k in 0..4 {
        s = s * x[1] + width(&text) * x[0] * x[0];
        order[k % 2] = 70 + k;
        order.push(k);
    }
    while order.len() > 4 && width(&text) < 10.0 {
        s += x[0] * width(&label(&order)) * width(&text);
        order.pop();
        order[0] += 7;
    }
    s
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut s = 0.5;
    let mut order = vec![1, 2];
    for k in 0..3 {
        let of = ores(&order);
        s *= price(x, &ores(&order), "seven");
        order.push(k);
        order[0] = k;
        s += price(x, &of, &label(&order));
    }
    s
}

/// Parts of one value, the first of which reads what the second one changes.
#[differentiable]
fn beside(x: &[f64]) -> f64 {
    let mut order = vec![1, 72, 4, 7];
    let pair = (label(&order), order.pop());
    let (ores, last) = (ores(&order), order.pop());
    let all = [
        odd(&order).len(),
        order.pop().unwrap_or(1),
        odd(&order).len(),
    ];
    let mut s = width(&pair.0) * x[0] + gold(&ores) as f64 * x[1] * x[1];
    for k in all {
        s = s * x[0] + k as f64;
    }
    s * (pair.1.unwrap_or(0) + last.unwrap_or(0)) as f64
}

#[differentiable]
fn by_value(x: &[f64], mut order: [usize; 3]) -> f64 {
    let before = label(&order);
    let s = x[odd(&order).len()] * width(&before);
    order[1] = 71;
    s * width(&label(&order)) + x[0] * width(&before) * x[1]
}

#[differentiable]
fn picked(x: &[f64], order: &[usize], k: usize) -> f64 {
    x[0] * order.len() as f64 * k as f64 + x[1] * x[1]
}

#[differentiable]
fn as_argument(x: &[f64]) -> f64 {
    let mut order = vec![1, 2, 3];
    let s = picked(x, &odd(&order), order.pop().unwrap_or(0));
    s + picked(x, &odd(&order), order.pop().unwrap_or(0)) * s
}

#[differentiable]
fn as_rows(x: &[f64]) -> f64 {
    let mut order = vec![1, 2, 3];
    let rows = vec![odd(&order), {
        order.push(9);
        odd(&order)
    }];
    let parts = [odd(&order).len(), {
        order[0] = 8;
        odd(&order).len()
    }];
    (rows[0].len() * 10 + rows[1].len()) as f64 * x[0] * x[1]
        + (parts[0] * 10 + parts[1]) as f64 * x[1]
}

#[differentiable]
fn given_back(x: f64, order: &[usize]) -> (f64, Vec<usize>, usize) {
    let mut order = order.to_vec();
    (x * x, odd(&order), order.pop().unwrap_or(0))
}

#[differentiable]
fn as_result(x: &[f64]) -> f64 {
    let (s, order, last) = given_back(x[0], &[1, 2, 3]);
    (order.len() * 10 + last) as f64 * x[1] * s
}

#[differentiable]
fn in_closures(x: &[f64]) -> f64 {
    let mut order = vec![1, 2];
    let odd = odd(&order);
    let first = move |k: usize| odd[k];
    order[0] = 100;
    first(0) as f64 * x[0] * x[1] + order[0] as f64 * x[1]
}

#[test]
fn constants_are_those_of_lists_as_they_were() {
    let points: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];
    scalar!(pushed).takes_memory().check(&points);
    scalar!(lists).takes_memory().check(&points);
    scalar!(in_front).takes_memory().check(&points);
    scalar!(lent).takes_memory().check(&points);
    scalar!(beside).takes_memory().check(&points);
    scalar!(as_argument).takes_memory().check(&points);
    scalar!(as_rows).takes_memory().check(&points);
    scalar!(as_result).takes_memory().check(&points);
    scalar!(in_closures).takes_memory().check(&points);
    scalar!(by_value::AD.with([4, 1, 2]), |x: &[f64]| by_value(
        x,
        [4, 1, 2]
    ))
    .takes_memory()
    .check(&points);
}
