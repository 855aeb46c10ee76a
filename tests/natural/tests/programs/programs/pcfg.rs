//! Experienced: inside algorithm of a stochastic grammar, memo table keyed by HashMap.

use di::prelude::*;
use super::{check, fd};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug)]
struct Binary {
    head: usize,
    left: usize,
    right: usize,
}

struct Grammar {
    symbols: usize,
    rules: Vec<Binary>,
    lexicon: HashMap<&'static str, Vec<(usize, usize)>>,
}

#[differentiable]
fn inside(theta: &[f64], #[constant] g: &Grammar, #[constant] words: &[&str]) -> f64 {
    let n = words.len();
    let mut chart = vec![vec![vec![0.0; g.symbols]; n + 1]; n];
    for (i, word) in words.iter().enumerate() {
        let Some(entries) = g.lexicon.get(word) else {
            return f64::NEG_INFINITY;
        };
        for &(symbol, param) in entries {
            chart[i][i + 1][symbol] += theta[param].exp();
        }
    }
    for span in 2..=n {
        for i in 0..=n - span {
            let j = i + span;
            for (r, rule) in g.rules.iter().enumerate() {
                let p = theta[r].exp();
                let mut sum = 0.0;
                for k in i + 1..j {
                    sum += chart[i][k][rule.left] * chart[k][j][rule.right];
                }
                chart[i][j][rule.head] += p * sum;
            }
        }
    }
    chart[0][n][0].ln()
}

pub(super) fn main() -> Result<(), di::Error> {
    let b = |head, left, right| Binary { head, left, right };
    let g = Grammar {
        symbols: 3,
        rules: vec![b(0, 1, 2), b(1, 1, 1), b(2, 2, 1), b(0, 0, 1)],
        lexicon: HashMap::from([("fish", vec![(1, 4), (2, 5)]), ("people", vec![(1, 6)]), ("tanks", vec![(1, 7), (2, 5)])]),
    };
    let words = ["people", "fish", "fish", "tanks"];
    let x = [-0.2, -1.0, -0.7, -2.0, -1.0, -1.5, -0.4, -0.9];
    let gr = gradient(inside::AD.with(&g, &words), NoPrep, &AutoSource::new(), &x)?;
    check("31", &gr, &fd(|x| inside(x, &g, &words), &x));
    Ok(())
}
