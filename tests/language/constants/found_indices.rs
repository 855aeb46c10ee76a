//! Indices that are found by what varies where constants are read, and literals for parts of constant variants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.73, 1.31], &[1.33, 0.64], &[2.31, 0.83]];

#[derive(Clone)]
struct Profile {
    at: Vec<f64>,
    height: Vec<f64>,
}

impl Profile {
    fn piece(&self, x: f64) -> usize {
        let n = self.at.partition_point(|v| *v < x);
        n.min(self.at.len() - 1)
    }
    fn level(&self, i: usize) -> f64 {
        self.height[i]
    }
}

#[derive(Clone, Differentiable)]
struct Block {
    x: f64,
    v: f64,
}

#[differentiable]
impl Block {
    fn slope(&self, p: &Profile) -> f64 {
        p.level(p.piece(self.x)) * self.v
    }
}

#[differentiable]
fn slid(x: &[f64], p: &Profile) -> f64 {
    let block = Block { x: x[0], v: x[1] };
    let below = p.level((x[1] * 2.0).floor() as usize) * x[0];
    let here = p.height[p.piece(x[1])] * x[0];
    block.slope(p) * below + here * p.level(p.piece(x[0])) * x[1]
}

#[test]
fn indices_that_are_found() {
    let p = Profile {
        at: vec![0.0, 1.0, 2.0, 3.0],
        height: vec![3.0, 5.0, 7.0, 11.0],
    };
    scalar!(slid::AD.with(&p), |x: &[f64]| slid(x, &p))
        .row(980)
        .step(0.01)
        .check(&POINTS);
}

#[derive(Clone)]
enum Token {
    Number(f64),
    Binary(char),
    Function(&'static str),
}

#[differentiable]
fn calculated(x: &[f64], tokens: &[Token]) -> f64 {
    let mut s = x[0];
    for token in tokens {
        s = match token {
            Token::Number(k) => s + *k,
            Token::Binary(op) => match op {
                '+' => s + x[1],
                _ => s * x[1],
            },
            Token::Function(f) => match *f {
                "sin" | "sine" => s.sin(),
                _ => s.exp(),
            },
        };
    }
    s
}

#[test]
fn literals_for_parts_of_variants() {
    let tokens = [
        Token::Binary('+'),
        Token::Function("sin"),
        Token::Number(0.5),
        Token::Binary('*'),
        Token::Function("exp"),
    ];
    scalar!(calculated::AD.with(&tokens), |x: &[f64]| calculated(
        x, &tokens
    ))
    .row(967)
    .check(&POINTS);
}
