//! Logistic regression, and observations that do not depend on how many processes there are.

use di::prelude::*;
use std::ops::Range;

/// Sum of the logistic losses of some rows; each row has as many numbers as `w`, each label is 1 or -1.
#[differentiable]
pub(crate) fn loss(w: &[f64], #[constant] rows: &[f64], #[constant] labels: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (row, label) in rows.chunks_exact(w.len()).zip(labels) {
        let score: f64 = row.iter().zip(w).map(|(a, b)| a * b).sum();
        let margin = label * score;
        // log(1 + exp(-margin)), which does not overflow
        sum += (-margin).max(0.0) + (-margin.abs()).exp().ln_1p();
    }
    sum
}

/// Some of the observations.
pub(crate) struct Data {
    pub(crate) rows: Vec<f64>,
    pub(crate) labels: Vec<f64>,
}

impl Data {
    /// The observations with these numbers. Each is made from its number alone, so that any process can make any of
    /// them.
    pub(crate) fn make(numbers: Range<usize>, n: usize) -> Data {
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for number in numbers {
            let at = rows.len();
            rows.extend((0..n).map(|j| uniform((number * (n + 1) + j) as u64)));
            let score: f64 = rows[at..]
                .iter()
                .enumerate()
                .map(|(j, a)| a * truth(j))
                .sum();
            let chance = 0.5 + 0.5 * uniform((number * (n + 1) + n) as u64);
            let is_positive = chance < 1.0 / (1.0 + (-score).exp());
            labels.push(if is_positive { 1.0 } else { -1.0 });
        }
        Data { rows, labels }
    }

    /// Piece `k` of `count`.
    pub(crate) fn piece(&self, k: usize, count: usize) -> (&[f64], &[f64]) {
        let range = share(self.labels.len(), k, count);
        let n = self.rows.len() / self.labels.len().max(1);
        (
            &self.rows[range.start * n..range.end * n],
            &self.labels[range],
        )
    }
}

/// Share `k` of `count` of so many things.
pub(crate) fn share(things: usize, k: usize, count: usize) -> Range<usize> {
    things * k / count..things * (k + 1) / count
}

/// The coefficients that labels are drawn with.
fn truth(j: usize) -> f64 {
    (j as f64 * 0.7).sin()
}

/// A number from -1 to 1: the mixer of `SplitMix64` (Steele, Lea and Flood, 2014) applied to a counter.
fn uniform(counter: u64) -> f64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}
