//! The two-dimensional Brusselator on a periodic grid, discretised: first one species, then the other.

use di::prelude::*;

/// The annotated function.
#[differentiable]
pub fn brusselator(x: &[f64], dx: &mut [f64]) {
    let m = x.len() / 2;
    let n = (m as f64).sqrt() as usize;
    let a = 10.0 * (n as f64) * (n as f64) / 1024.0;
    for i in 0..n {
        let row = i * n;
        let up = if i == 0 { m - n } else { row - n };
        let down = if i + 1 == n { 0 } else { row + n };
        for j in 0..n {
            let left = if j == 0 { n - 1 } else { j - 1 };
            let right = if j + 1 == n { 0 } else { j + 1 };
            let u = x[row + j];
            let v = x[m + row + j];
            let uuv = u * u * v;
            let around_u = x[up + j] + x[down + j] + x[row + left] + x[row + right];
            let around_v = x[m + up + j] + x[m + down + j] + x[m + row + left] + x[m + row + right];
            dx[row + j] = 1.0 + uuv - 4.4 * u + a * (around_u - 4.0 * u);
            dx[m + row + j] = 3.4 * u - uuv + a * (around_v - 4.0 * v);
        }
    }
}

/// A smooth state on an `n` by `n` grid.
pub fn initial(n: usize) -> Vec<f64> {
    let at = |k: usize| k as f64 / n as f64;
    let hump = |t: f64| (t * (1.0 - t)).powf(1.5);
    let u = (0..n * n).map(|k| 22.0 * hump(at(k / n)));
    let v = (0..n * n).map(|k| 27.0 * hump(at(k % n)));
    u.chain(v).collect()
}

/// The entry in row `i` and column `j` of the Jacobian by hand, slow.
pub fn entry(x: &[f64], i: usize, j: usize) -> f64 {
    let m = x.len() / 2;
    let n = (m as f64).sqrt() as usize;
    let a = 10.0 * (n as f64) * (n as f64) / 1024.0;
    let (u, v) = (x[i % m], x[m + i % m]);
    let of_u = i < m;
    if (j < m) != of_u {
        // of the reaction, by the other species at the same point
        return match (i % m == j % m, of_u) {
            (false, _) => 0.0,
            (true, true) => u * u,
            (true, false) => 3.4 - 2.0 * u * v,
        };
    }
    if i == j {
        let reaction = if of_u { 2.0 * u * v - 4.4 } else { -u * u };
        return reaction - 4.0 * a;
    }
    let apart = |i: usize, j: usize| {
        let d = i.abs_diff(j);
        d.min(n - d)
    };
    let (i, j) = (i % m, j % m);
    if apart(i / n, j / n) + apart(i % n, j % n) == 1 {
        a
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{brusselator, entry, initial};

    #[test]
    fn entries_by_hand_are_differences() {
        let x = initial(4);
        let n = x.len();
        let step = 1e-5;
        for j in 0..n {
            let at = |step: f64| {
                let (mut x, mut dx) = (x.clone(), vec![0.0; n]);
                x[j] += step;
                brusselator(&x, &mut dx);
                dx
            };
            let (after, before) = (at(step), at(-step));
            for i in 0..n {
                let difference = (after[i] - before[i]) / (2.0 * step);
                let by_hand = entry(&x, i, j);
                assert!(
                    (difference - by_hand).abs() <= 1e-7 * (1.0 + by_hand.abs()),
                    "({i}, {j}): {difference}, by hand {by_hand}"
                );
            }
        }
    }
}
