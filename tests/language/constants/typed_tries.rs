//! Types that are written where `?` takes a constant out of a result.

use di::prelude::*;
use di_test::scalar;
use std::error::Error;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[1.2, 0.4], &[0.2, 0.37]];

#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Right,
    Wrong,
}

fn rows(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let row = |line: &str| {
        let words = line.split(' ').map(|word| word.parse::<f64>());
        words.collect::<Result<Vec<_>, _>>()
    };
    let all = text.lines().map(row).collect::<Result<_, _>>();
    all.map_err(|e: std::num::ParseFloatError| e.to_string())
}

fn answers(text: &str) -> Result<Vec<Vec<Answer>>, String> {
    let one = |c: char| match c {
        '1' => Ok(Answer::Right),
        '0' => Ok(Answer::Wrong),
        c => Err(format!("`{c}` is no answer")),
    };
    text.lines().map(|l| l.chars().map(one).collect()).collect()
}

#[differentiable]
fn of_rows(x: &[f64], text: &str) -> Result<f64, String> {
    let table: Vec<Vec<f64>> = rows(text)?;
    let mut sum = 0.0;
    for row in &table {
        if row.len() > 1 {
            sum += row[0] * x[0] * x[1] + row[1] * (x[1] * x[0]).sin();
        }
    }
    Ok(sum * table[0][0])
}

#[differentiable]
fn likelihood(x: &[f64], text: &str) -> Result<f64, String> {
    let all: Vec<Vec<Answer>> = answers(text)?;
    let mut product = 1.0;
    for (k, person) in all.iter().enumerate() {
        if person.len() != x.len() {
            return Err(format!("row {k} has {} answers", person.len()));
        }
        let each = person.iter().zip(x).map(|(a, p)| match a {
            Answer::Right => *p,
            Answer::Wrong => 1.0 - p * p,
        });
        product *= each.product::<f64>();
    }
    Ok(product)
}

#[differentiable]
fn of_both(x: &[f64]) -> f64 {
    let first = of_rows(x, "1.5 2\n0.5 3\n4").unwrap_or(0.0);
    let none = of_rows(x, "1.5 x").unwrap_or(x[1]);
    let third = likelihood(x, "10\n01\n11").unwrap_or(x[0]);
    let short = likelihood(x, "10\n0").unwrap_or(x[0] * x[1]);
    first * none + third * short
}

#[test]
fn lists_of_lists() {
    scalar!(of_both).row(545).takes_memory().check(&POINTS);
}

#[differentiable]
fn scaled(x: &[f64], text: &str) -> Result<f64, Box<dyn Error>> {
    let mut sum = 0.0;
    for v in x {
        let r: f64 = text.parse()?;
        sum += r * v * v;
    }
    let n: usize = "1".parse().expect("a number");
    let k = "0".parse::<usize>()?;
    Ok(sum * x[n] + x[k])
}

#[differentiable]
mod inside {
    pub fn doubled(x: &[f64], text: &str) -> Result<f64, std::num::ParseFloatError> {
        let r: f64 = text.trim().parse()?;
        Ok(r * x[0] * x[1] * x[1])
    }

    pub fn chosen(x: &[f64]) -> f64 {
        let first = doubled(x, " 2.5 ").unwrap_or(0.0);
        first * doubled(x, "x").unwrap_or(x[1])
    }
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let first = scaled(x, "0.5").unwrap_or(0.0);
    first * scaled(x, "half").unwrap_or(x[0]) + inside::chosen(x)
}

#[test]
fn numbers() {
    scalar!(of_numbers).row(546).check(&POINTS);
}
