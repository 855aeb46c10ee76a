//! Methods of structs of constants that return a part of it, which an input chooses; lists of options of integers.

use di::prelude::*;
use di_test::scalar;
use model::{by_parts, numbered};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[1.4, 0.4, 1.5], &[1.2, -0.6, 0.3]];

pub struct Species {
    low: [f64; 3],
    high: Vec<f64>,
    weight: f64,
}

#[differentiable]
impl Species {
    fn coefficients(&self, t: f64) -> &[f64] {
        if t > 1.0 { &self.high } else { &self.low }
    }

    fn weight(&self, t: f64, scale: f64) -> &f64 {
        if t * scale > 1.0 {
            &self.weight
        } else {
            &self.low[1]
        }
    }

    pub fn cp(&self, t: f64) -> f64 {
        let a = self.coefficients(t);
        let [b0, b1, b2] = [a[0], self.coefficients(t * t)[1], a[2]];
        self.weight(t, 2.0) * (b0 + t * (b1 + t * b2))
    }
}

#[differentiable]
mod model {
    use super::Species;

    fn mixture() -> Vec<Species> {
        (0..3)
            .map(|k| Species {
                low: [1.0, 0.5, 0.25 * k as f64],
                high: vec![2.0, -0.5 * k as f64, 0.125],
                weight: 1.0 + k as f64,
            })
            .collect()
    }

    pub fn by_parts(p: &[f64]) -> f64 {
        let mixture = mixture();
        let mut sum = 0.0;
        for (species, x) in mixture.iter().zip(p) {
            sum += species.cp(p[0]) * x;
            let a = species.coefficients(*x);
            sum *= a[0] + a[2] * x;
        }
        sum
    }

    fn numbering(p: &[f64]) -> Vec<Option<usize>> {
        p.iter()
            .enumerate()
            .map(|(i, x)| if *x > 0.0 { Some(i) } else { None })
            .collect()
    }

    fn supports(p: &[f64]) -> (Vec<[Option<usize>; 2]>, usize) {
        let mut count = 0;
        let mut pairs = Vec::new();
        for x in p {
            let mut pair = [None; 2];
            if *x > 0.5 {
                pair[0] = Some(count);
                count += 1;
            }
            pair[1] = if *x > 1.0 { Some(count) } else { None };
            pairs.push(pair);
        }
        (pairs, count)
    }

    pub fn numbered(p: &[f64]) -> f64 {
        let free = numbering(p);
        let (pairs, count) = supports(p);
        let mut sum = count as f64 * p[0];
        for (x, found) in p.iter().zip(&free) {
            if let Some(i) = found {
                sum += x * x * p[*i] * (1 + *i) as f64;
            }
        }
        for (pair, x) in pairs.iter().zip(p) {
            for end in pair.iter().flatten() {
                sum *= x + *end as f64;
            }
            if let (Some(a), None) = (pair[0], pair[1]) {
                sum += p[a].exp();
            }
        }
        sum
    }
}

#[test]
fn methods_choose_parts_of_constants() {
    scalar!(by_parts).row(393).takes_memory().check(&POINTS);
}

#[test]
fn lists_of_options_of_integers() {
    scalar!(numbered).row(394).check(&POINTS);
}
