//! A report of a sheep farm: struct result with vectors and text, jacobian of its numbers.
use di::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Year {
    sheep: f64,
    wool: f64,
    grass: f64,
}

#[differentiable]
fn simulate(p: &[f64]) -> Vec<Year> {
    let mut years: Vec<Year> = Vec::new();
    let mut now = Year { sheep: 40.0, wool: 0.0, grass: 1.0 };
    for n in 0..4 {
        let eaten = now.grass * (1.0 - (-p[0] * now.sheep / 100.0).exp());
        now = Year {
            sheep: now.sheep * (0.8 + p[1] * eaten),
            wool: p[2] * now.sheep * eaten,
            grass: (now.grass - eaten) * 2.0 / (0.5 + now.grass),
        };
        let line = format!("{n}: {:.1} sheep", now.sheep);
        if line.len() > 100 {
            panic!("{line}");
        }
        years.push(now.clone());
    }
    years
}

#[differentiable]
fn total(p: &[f64]) -> (f64, f64) {
    let y = simulate(p);
    let wool = y.iter().map(|y| y.wool).sum::<f64>();
    let min = y.iter().map(|y| y.grass).fold(f64::INFINITY, |a, b| a.min(b));
    (wool, min)
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [1.1, 0.5, 2.0];
    let j = jacobian(total::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_jac("sheep", |a, b| j[(a, b)], &x, |x| {
        let (a, b) = total(x);
        vec![a, b]
    });
    let j = jacobian(simulate::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_jac("years", |a, b| j[(a, b)], &x, |x| simulate(x).iter().flat_map(|y| [y.sheep, y.wool, y.grass]).collect());
    Ok(())
}
