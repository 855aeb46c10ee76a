//! Iterators of one's own without an attribute, in loops and chains that take some of their items.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

struct Random(u64);

impl Iterator for Random {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        Some(self.0 >> 33)
    }
}

#[differentiable]
fn sampled(x: &[f64]) -> f64 {
    let mut random = Random(42);
    let mut sum = 0.0;
    for id in random.by_ref().take(3) {
        sum += x[(id % 3) as usize] * (id % 5) as f64;
    }
    for k in 0..2 {
        if k == 1 {
            sum *= x[random.next().unwrap() as usize % 3];
        }
        sum += random
            .by_ref()
            .take(2)
            .map(|id| x[0] * (id % 7) as f64)
            .sum::<f64>();
    }
    sum
}

#[test]
fn iterators_of_constants() {
    scalar!(sampled).row(764).check(&POINTS);
}
