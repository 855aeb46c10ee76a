//! Markov models. Refused: each with what the compiler says.

// E0277 `Vec<Vec<f64>>` is not a differentiable type
// E0080 [DI0125] `Mat` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0316] `Mat` is taken for a struct, and this operator on a struct cannot be differentiated
/// Stationary distribution by power iteration until convergence.
mod stationary {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat = Vec<Vec<f64>>;

    #[differentiable]
    fn normalise_rows(m: &Mat) -> Mat {
        m.iter()
            .map(|row| {
                let s: f64 = row.iter().sum();
                row.iter().map(|v| v / s).collect()
            })
            .collect()
    }

    #[differentiable]
    fn left_multiply(v: &[f64], m: &Mat) -> Vec<f64> {
        let mut out = vec![0.0; v.len()];
        for (vi, row) in v.iter().zip(m) {
            for (o, p) in out.iter_mut().zip(row) {
                *o += vi * p;
            }
        }
        out
    }

    #[differentiable]
    pub fn stationary_distribution(x: &[f64], n: usize) -> Vec<f64> {
        let rates: Mat = x.chunks(n).map(|c| c.to_vec()).collect();
        let p = normalise_rows(&rates);
        let mut v = vec![1.0 / n as f64; n];
        let mut change = 1.0;
        let mut iterations = 0;
        while change > 1e-14 && iterations < 500 {
            let next = left_multiply(&v, &p);
            change = next.iter().zip(&v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            v = next;
            iterations += 1;
        }
        v
    }

    #[test]
    fn stationary() {
        vector!(stationary_distribution, (3), &[1.0, 0.5, 0.8, 0.4, 1.2, 0.6, 0.9, 0.7, 0.5]);
    }
}

// E0277 `[f64; 2]` is not a differentiable type
// E0080 [DI0125] `Pair` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0341] the types of this do not fit, as far as they can be told
/// Forward-backward posterior of states, two passes over vectors of arrays.
mod forward_backward {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Pair = [f64; 2];

    #[differentiable]
    fn normalise(v: Pair) -> Pair {
        let s = v[0] + v[1];
        [v[0] / s, v[1] / s]
    }

    #[differentiable]
    pub fn posterior(x: &[f64], flips: &[bool]) -> Vec<f64> {
        let (p_stay, heads) = (x[0], [x[1], x[2]]);
        let emit = |s: usize, h: bool| if h { heads[s] } else { 1.0 - heads[s] };
        let a = [[p_stay, 1.0 - p_stay], [1.0 - p_stay, p_stay]];
        let n = flips.len();
        let mut forward = vec![[0.5, 0.5]; n];
        for t in 0..n {
            let prior = if t == 0 { [0.5, 0.5] } else { forward[t - 1] };
            let mut next = [0.0; 2];
            for j in 0..2 {
                next[j] = (prior[0] * a[0][j] + prior[1] * a[1][j]) * emit(j, flips[t]);
            }
            forward[t] = normalise(next);
        }
        let mut backward = vec![[1.0, 1.0]; n];
        for t in (0..n - 1).rev() {
            let mut b = [0.0; 2];
            for i in 0..2 {
                for j in 0..2 {
                    b[i] += a[i][j] * emit(j, flips[t + 1]) * backward[t + 1][j];
                }
            }
            backward[t] = normalise(b);
        }
        forward
            .iter()
            .zip(backward.iter())
            .map(|(f, b)| f[0] * b[0] / (f[0] * b[0] + f[1] * b[1]))
            .collect()
    }

    #[test]
    fn forward_backward() {
        vector!(posterior, (&[true, true, false, true, false]), &[0.8, 0.3, 0.7]);
    }
}
