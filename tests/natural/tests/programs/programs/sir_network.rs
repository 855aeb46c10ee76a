//! Experienced: graph type with neighbours iterator, metapopulation disease with commuting; generic graph trait.

use di::prelude::*;
use super::{check, fd};

pub trait Graph {
    fn len(&self) -> usize;
    fn neighbours(&self, i: usize) -> Box<dyn Iterator<Item = (usize, f64)> + '_>;
}

pub struct Sparse {
    rows: Vec<Vec<(usize, f64)>>,
}

impl Graph for Sparse {
    fn len(&self) -> usize {
        self.rows.len()
    }
    fn neighbours(&self, i: usize) -> Box<dyn Iterator<Item = (usize, f64)> + '_> {
        Box::new(self.rows[i].iter().copied())
    }
}

#[differentiable]
fn spread(beta: f64, mobility: f64, #[constant] g: &Sparse) -> f64 {
    let n = g.len();
    let mut infected = vec![0.001; n];
    infected[0] = 0.05;
    let mut peak = 0.0_f64;
    for _ in 0..30 {
        let mut next = infected.clone();
        for i in 0..n {
            let imported: f64 = g.neighbours(i).map(|(j, w)| w * mobility * (infected[j] - infected[i])).sum();
            next[i] += 0.1 * (beta * infected[i] * (1.0 - infected[i]) - 0.4 * infected[i] + imported);
        }
        infected = next;
        let total: f64 = infected.iter().sum();
        peak = peak.max(total);
    }
    peak
}

pub(super) fn main() -> Result<(), di::Error> {
    let g = Sparse { rows: vec![vec![(1, 1.0), (2, 0.5)], vec![(0, 1.0)], vec![(0, 0.5), (3, 2.0)], vec![(2, 2.0)]] };
    let (a, b) = gradient(spread::AD.with(&g), NoPrep, &AutoSource::new(), &(1.2, 0.3))?;
    check("84", &[a, b], &fd(|x| spread(x[0], x[1], &g), &[1.2, 0.3]));
    Ok(())
}
