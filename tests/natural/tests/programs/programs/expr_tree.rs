//! Experienced: symbolic regression; a recursive Expr enum is data, constants are parameters.

use di::prelude::*;
use super::{check, fd};

#[derive(Debug, Clone)]
enum Expr {
    X,
    Param(usize),
    Num(f64),
    Unary(fn(f64) -> f64, Box<Expr>),
    Bin(Op, Box<Expr>, Box<Expr>),
}
#[derive(Debug, Clone, Copy)]
enum Op {
    Add,
    Mul,
    Pow,
}

#[differentiable]
fn eval(#[constant] e: &Expr, x: f64, theta: &[f64]) -> f64 {
    match e {
        Expr::X => x,
        Expr::Param(i) => theta[*i],
        Expr::Num(v) => *v,
        Expr::Unary(_, a) => eval(a, x, theta).sin(),
        Expr::Bin(op, a, b) => {
            let (l, r) = (eval(a, x, theta), eval(b, x, theta));
            match op {
                Op::Add => l + r,
                Op::Mul => l * r,
                Op::Pow => l.powf(r),
            }
        }
    }
}

#[differentiable]
fn loss(theta: &[f64], #[constant] e: &Expr, #[constant] data: &[(f64, f64)]) -> f64 {
    data.iter().map(|&(x, y)| (eval(e, x, theta) - y).powi(2)).sum::<f64>() / data.len() as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    use Expr::*;
    let e = Bin(
        Op::Add,
        Box::new(Bin(Op::Mul, Box::new(Param(0)), Box::new(Unary(f64::sin, Box::new(Bin(Op::Mul, Box::new(Param(1)), Box::new(X))))))),
        Box::new(Bin(Op::Pow, Box::new(Bin(Op::Add, Box::new(X), Box::new(Num(1.0)))), Box::new(Param(2)))),
    );
    let data: Vec<(f64, f64)> = (1..8).map(|i| (0.3 * i as f64, (i as f64).sqrt())).collect();
    let th = [0.7, 1.3, 0.4];
    let g = gradient(loss::AD.with(&e, &data), NoPrep, &AutoSource::new(), &th)?;
    check("53", &g, &fd(|t| loss(t, &e, &data), &th));
    Ok(())
}
