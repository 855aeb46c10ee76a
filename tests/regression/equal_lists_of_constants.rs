//! `==` of two lists of values without floats compared the numbers that these are in generated code: a `PartialEq` of their
//! own was not asked, and equal texts were different ones.

#![allow(clippy::useless_vec, reason = "lists as users write them")]

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy)]
struct Place {
    row: u8,
    seen: u8,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.row == other.row
    }
}

#[derive(Clone, PartialEq)]
enum Fault {
    Other(String),
    None,
}

fn place(row: u8, seen: u8) -> Place {
    Place { row, seen }
}

#[differentiable]
fn places(x: &[f64]) -> f64 {
    let v = vec![place(1, 2), place(2, 0)];
    let mut w = vec![place(1, 5), place(2, 1)];
    let mut sum = 0.0;
    for k in 0..3u8 {
        sum += if v == w {
            x[0] * f64::from(k + 1)
        } else {
            x[1].sin()
        };
        if v != w || w.len() > 2 {
            sum *= x[0];
        }
        w.push(place(k, k));
        if v[..2] == w[..2] && w[0].seen > 4 {
            sum += x[1] * x[1];
        }
    }
    sum
}

#[differentiable]
fn texts(x: &[f64], n: usize) -> f64 {
    let v = vec![Fault::Other(format!("n{n}")), Fault::None];
    let w = vec![Fault::Other("n1".to_string()), Fault::None];
    if v == w { x[0] * x[1] } else { x[1].exp() }
}

#[test]
fn lists_are_equal_where_their_items_are() {
    let points: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];
    scalar!(places).takes_memory().check(&points);
    for n in [1, 2] {
        scalar!(texts::AD.with(n), |x: &[f64]| texts(x, n))
            .takes_memory()
            .check(&points);
    }
}
