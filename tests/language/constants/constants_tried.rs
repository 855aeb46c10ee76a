//! Options and results that functions without an attribute make of constants.

use di::prelude::*;
use di_test::scalar;
use std::collections::BTreeMap;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];
const NAMES: [&str; 2] = ["rate", "limit"];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bad {
    Empty,
    Word(usize),
}

#[derive(Debug, PartialEq)]
pub enum Failure {
    Text(String),
    Table(Bad),
}

impl From<Bad> for Failure {
    fn from(of: Bad) -> Failure {
        Failure::Table(of)
    }
}

impl From<String> for Failure {
    fn from(of: String) -> Failure {
        Failure::Text(of)
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Answer {
    Right,
    Wrong,
}

pub struct Rate {
    pub k: f64,
    pub name: String,
}

pub struct Config {
    rates: Vec<f64>,
    n: usize,
}

fn index(name: &str) -> Option<usize> {
    NAMES.iter().position(|n| *n == name)
}

fn table(text: &str) -> Result<Vec<f64>, Bad> {
    if text.is_empty() {
        return Err(Bad::Empty);
    }
    let words = text.split(' ').enumerate();
    words
        .map(|(k, w)| w.parse().map_err(|_| Bad::Word(k)))
        .collect()
}

fn number(text: &str) -> Result<f64, String> {
    text.parse::<f64>().map_err(|e| e.to_string())
}

fn answers(text: &str) -> Option<Vec<Vec<Answer>>> {
    let answer = |w| match w {
        "1" => Some(Answer::Right),
        "0" => Some(Answer::Wrong),
        _ => None,
    };
    (text.lines())
        .map(|line| line.split(' ').map(answer).collect())
        .collect()
}

fn load(text: &str) -> Result<Config, String> {
    let rates = text.split(' ').map(number).collect::<Result<Vec<_>, _>>()?;
    let n = rates.len();
    Ok(Config { rates, n })
}

fn find<'a>(rates: &'a [Rate], name: &str) -> Option<&'a Rate> {
    rates.iter().find(|r| r.name == name)
}

fn last(data: &[(u32, f64)]) -> BTreeMap<u32, f64> {
    data.iter().copied().collect()
}

#[differentiable]
fn looked_up(x: &[f64], name: &str) -> f64 {
    let i = index(name).expect("an unknown name");
    let j = index("other").unwrap_or(1);
    let v = table("1.5 2").unwrap();
    x[i] * x[j] * v[0] + v.iter().zip(x).map(|(a, b)| a * b * b).sum::<f64>()
}

#[differentiable]
fn product(x: &[f64], text: &str) -> Result<f64, Bad> {
    let v = table(text)?;
    let mut t = x[0];
    for w in &v {
        t *= w * x[1];
    }
    Ok(t)
}

#[differentiable]
fn converted(x: &[f64], text: &str) -> Result<f64, Failure> {
    let v = table(text)?;
    let k = number("2.5")?;
    Ok(x[0] * v[0] * k + product(x, text)?)
}

#[differentiable]
fn boxed(x: &[f64], text: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let k = number(text.split(' ').next().unwrap())?;
    Ok(x[0] * x[1] * k)
}

#[differentiable]
fn tried(x: &[f64], text: &str) -> f64 {
    let mut t = match converted(x, text) {
        Ok(v) => v,
        Err(_) => return x[0],
    };
    t += boxed(x, text).unwrap();
    let bad = match product(x, "1 a") {
        Err(Bad::Word(k)) => k,
        Err(Bad::Empty) => 7,
        Ok(_) => 9,
    };
    t * (bad as f64 + x[0])
}

#[differentiable]
fn matched(x: &[f64], text: &str) -> f64 {
    let mut t = 0.0;
    for i in 0..2 {
        if let Ok(k) = number("3") {
            t += k.sqrt() * x[i];
        }
        match table(text) {
            Ok(v) if v.len() > 1 => t += v[1] * x[1] * x[1],
            Ok(v) => t *= v[0] * x[0],
            Err(Bad::Empty) => t += x[1],
            Err(Bad::Word(_)) => {}
        }
    }
    let Ok(v) = table("1 2 3") else { return t };
    t + v.iter().sum::<f64>() * x[1].powi(2)
}

#[differentiable]
fn likelihood(x: &[f64], text: &str) -> Option<f64> {
    let answers = answers(text)?;
    let mut t = 1.0;
    for (row, person) in answers.iter().enumerate() {
        let each = person.iter().zip(x).map(|(a, p)| match a {
            Answer::Right => *p,
            Answer::Wrong => 1.0 - p * p,
        });
        t *= each.product::<f64>() + row as f64;
    }
    Some(t)
}

#[differentiable]
fn configured(x: &[f64], text: &str) -> f64 {
    let c = load(text).unwrap();
    let mut t = likelihood(x, "1 0\n0 0").unwrap_or(0.0) + likelihood(x, "2").unwrap_or(x[1]);
    for i in 0..c.n {
        t += c.rates[i] * x[i] * x[0];
    }
    t
}

#[differentiable]
fn found(x: &[f64], #[constant] rates: &[Rate]) -> f64 {
    let r = find(rates, "b").unwrap();
    let k = find(rates, "none").map_or(0.5, |r| r.k);
    let q = find(rates, "a").map(|r| r.k * x[1]).unwrap_or(x[0]);
    match find(rates, "a") {
        Some(a) => (a.k * x[0]).sin() * q + r.k * x[0] * x[1] * k,
        None => x[0],
    }
}

#[differentiable]
fn grouped(x: &[f64], #[constant] data: &[(u32, f64)]) -> f64 {
    let values: Vec<f64> = last(data).into_values().collect();
    values.iter().map(|v| (v * x[0]).sin() * x[1]).sum()
}

#[differentiable]
mod inside {
    fn limits(text: &str) -> Option<Vec<usize>> {
        text.split(' ').map(|w| w.parse().ok()).collect()
    }

    fn scale(text: &str) -> Result<(f64, usize), String> {
        match text.len() {
            0 => Err("nothing".to_owned()),
            n => Ok((0.5 * n as f64, n)),
        }
    }

    pub fn run(x: &[f64], text: &str) -> Result<f64, String> {
        let (k, n) = scale(text)?;
        let mut t = x[0];
        for i in limits("1 0 1").unwrap() {
            t = t * x[i] + k;
        }
        Ok(t + n as f64 * x[1])
    }

    pub fn all(x: &[f64], text: &str) -> f64 {
        run(x, text).unwrap() + run(x, "").unwrap_or(x[0] * x[0])
    }
}

#[test]
fn options_and_results_of_functions_are_constants() {
    let test = scalar!(looked_up::AD.with("limit"), |x: &[f64]| looked_up(
        x, "limit"
    ))
    .takes_memory();
    test.row(510).check(&POINTS);
    scalar!(matched::AD.with("1 0.4"), |x: &[f64]| matched(x, "1 0.4"))
        .takes_memory()
        .row(510)
        .check(&POINTS);
    scalar!(configured::AD.with("0.2 3"), |x: &[f64]| configured(
        x, "0.2 3"
    ))
    .takes_memory()
    .row(510)
    .check(&POINTS);
    let rates = [("a", 0.3), ("b", 0.7)].map(|(name, k)| Rate {
        k,
        name: name.to_owned(),
    });
    scalar!(found::AD.with(&rates[..]), |x: &[f64]| found(x, &rates[..]))
        .row(510)
        .check(&POINTS);
}

#[test]
fn errors_of_functions_are_handed_on() {
    let failure = converted(&[0.7, 1.1], "1.5 2 a");
    assert_eq!(failure, Err(Failure::Table(Bad::Word(2))));
    for text in ["1.5 2", "1.5 2 a"] {
        scalar!(tried::AD.with(text), |x: &[f64]| tried(x, text))
            .takes_memory()
            .row(511)
            .check(&POINTS);
    }
    scalar!(tried::AD.with(""), |x: &[f64]| tried(x, ""))
        .row(511)
        .check(&POINTS);
    scalar!(inside::all::AD.with("abc"), |x: &[f64]| inside::all(
        x, "abc"
    ))
    .takes_memory()
    .row(511)
    .check(&POINTS);
}

#[test]
fn values_of_maps_of_functions_are_collected() {
    let data = [(1, 0.5), (2, 0.25), (1, 2.0)];
    scalar!(grouped::AD.with(&data[..]), |x: &[f64]| grouped(
        x,
        &data[..]
    ))
    .takes_memory()
    .row(512)
    .check(&POINTS);
}
