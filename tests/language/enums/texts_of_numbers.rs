//! Texts of what is differentiated, which have no derivative: they are built, measured and compared, and not read again.

use di::prelude::*;
use di_test::scalar;
use std::fmt::Write as _;

const POINTS: [&[f64]; 3] = [&[1.5, 2.0, 0.7], &[0.3, -0.6, 1.2], &[-1.1, 0.8, 0.4]];

#[derive(Clone, Copy, Debug)]
pub enum Unit {
    Gram,
    Kilogram,
}

#[derive(Clone, Differentiable)]
pub struct Item {
    amount: f64,
    #[constant]
    unit: Unit,
}

impl std::fmt::Display for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} {:?}", self.amount, self.unit)
    }
}

#[differentiable]
fn measured(x: &[f64]) -> f64 {
    let y = x[0] * x[1];
    let line = format!("{y:.1} of {:.3}", x[2]);
    if line.len() > 100 {
        panic!("{line}");
    }
    if line.starts_with('-') || format!("{}", x[2] * 2.0).is_empty() {
        y * y
    } else {
        y * x[2]
    }
}

#[differentiable]
fn report(x: &[f64]) -> f64 {
    let items = [
        Item {
            amount: x[0] * x[1],
            unit: Unit::Gram,
        },
        Item {
            amount: x[1] * x[2],
            unit: Unit::Kilogram,
        },
    ];
    let mut text = String::new();
    let mut sum = 0.0;
    for item in &items {
        text += &format!("{:?}: ", item.unit);
        text += &item.to_string();
        text.push('\n');
        sum += item.amount * item.amount;
    }
    if text.contains("Kilogram") { sum } else { 0.0 }
}

#[differentiable]
fn written(x: &[f64]) -> f64 {
    let y = x[0] * x[1];
    let mut text = String::new();
    write!(text, "{y:.2} ").unwrap();
    writeln!(text, "{}", x[2]).unwrap();
    text.push_str(&format!("{:.1}", y * x[2]));
    if text.is_empty() { 0.0 } else { y * y * x[2] }
}

#[test]
fn texts_of_what_varies() {
    scalar!(measured).row(930).takes_memory().check(&POINTS);
    scalar!(report).row(931).takes_memory().check(&POINTS);
    scalar!(written).row(930).takes_memory().check(&POINTS);
}
