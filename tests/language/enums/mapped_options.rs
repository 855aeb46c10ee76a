//! Options that are mapped and then iterated over.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4], &[-0.3, 0.1, 0.6]];

#[differentiable]
fn root(v: f64) -> Option<f64> {
    (v > 0.0).then(|| v.sqrt())
}

#[differentiable]
fn flat(x: &[f64]) -> f64 {
    x.iter().flat_map(|&v| root(v).map(|r| r * v)).sum()
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let each = |v: f64| {
        let r = root(v);
        r.map(|r| r * v)
    };
    let first: f64 = x.iter().flat_map(|&v| each(v).filter(|r| *r > 0.3)).sum();
    let ends = x.iter().copied().chain(root(x[0] + 0.5).map(|r| r * 3.0));
    first + ends.product::<f64>()
}

#[differentiable]
fn kept(x: &[f64]) -> f64 {
    let all: Vec<Option<f64>> = x.iter().map(|&v| root(v)).collect();
    let mut s: f64 = all.iter().flat_map(|o| o.map(|v| v.exp())).sum();
    for (v, o) in x.iter().zip(&all) {
        for w in o
            .as_ref()
            .map(|w| w * v)
            .into_iter()
            .chain(o.map(|w| w.sin()))
        {
            s += w * x[0];
        }
    }
    s
}

#[differentiable]
mod inside {
    fn inverse(v: f64) -> Result<f64, usize> {
        if v > 0.2 { Ok(1.0 / v) } else { Err(3) }
    }

    pub fn sums(x: &[f64]) -> f64 {
        let all: Vec<f64> = x
            .iter()
            .flat_map(|&v| inverse(v).map(|r| r * v * v))
            .collect();
        all.iter().sum::<f64>() * all.len() as f64
    }
}

#[test]
fn options_that_are_mapped() {
    scalar!(flat).row(567).check(&POINTS);
    scalar!(chosen).row(567).check(&POINTS);
    scalar!(kept).row(567).check(&POINTS);
    scalar!(inside::sums::AD, inside::sums)
        .row(567)
        .check(&POINTS);
}
