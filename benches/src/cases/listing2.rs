//! The function of Listing 2 of the paper on the common interface: `sum of (x[i+1] - x[i])^2`.

use di::prelude::*;

/// The annotated function, in its natural form.
#[differentiable]
pub fn listing2(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += d * d;
    }
    sum
}

/// Where it is looked at: `x[i] = i + 1`.
pub fn input(n: usize) -> Vec<f64> {
    (1..=n).map(|i| i as f64).collect()
}

/// The same by hand, with the sum in eight lanes, for one input or more: what derivatives are timed against.
#[inline(never)]
pub fn primal(x: &[f64]) -> f64 {
    const L: usize = 8;
    let (left, right) = (&x[..x.len() - 1], &x[1..]);
    let (lefts, left) = left.as_chunks::<L>();
    let (rights, right) = right.as_chunks::<L>();
    let mut sums = [0.0; L];
    for (left, right) in lefts.iter().zip(rights) {
        for t in 0..L {
            let d = right[t] - left[t];
            sums[t] += d * d;
        }
    }
    let rest = left.iter().zip(right);
    let rest: f64 = rest
        .map(|(left, right)| (right - left) * (right - left))
        .sum();
    sums.iter().sum::<f64>() + rest
}

/// The stored entries of the Hessian, row by row, for two inputs or more.
pub fn hessian(n: usize) -> Vec<f64> {
    let mut values = Vec::with_capacity(3 * n);
    for i in 0..n {
        let end = i == 0 || i + 1 == n;
        if i > 0 {
            values.push(-2.0);
        }
        values.push(if end { 2.0 } else { 4.0 });
        if i + 1 < n {
            values.push(-2.0);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{hessian, listing2, primal};

    #[test]
    fn forms_by_hand_agree() {
        for n in [1, 2, 8, 9, 10, 17, 100] {
            let x: Vec<f64> = (0..n).map(|i| f64::from(i * i % 11)).collect();
            // of integers: exact
            assert_eq!(primal(&x), listing2(&x), "n = {n}");
        }
        assert_eq!(hessian(3), [2.0, -2.0, -2.0, 4.0, -2.0, -2.0, 2.0]);
    }
}
