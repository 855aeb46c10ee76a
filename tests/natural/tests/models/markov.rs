//! Markov models.

/// Hidden Markov model, forward algorithm with scaling.
mod hmm_forward {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        fn softmax(z: &[f64]) -> Vec<f64> {
            let e: Vec<f64> = z.iter().map(|v| v.exp()).collect();
            let s: f64 = e.iter().sum();
            e.into_iter().map(|v| v / s).collect()
        }

        pub fn log_likelihood(theta: &[f64], obs: &[usize]) -> f64 {
            let trans: Vec<Vec<f64>> = theta[0..4].chunks(2).map(|c| softmax(c)).collect();
            let emit: Vec<Vec<f64>> = theta[4..10].chunks(3).map(|c| softmax(c)).collect();
            let mut alpha = softmax(&theta[10..12]);
            let mut ll = 0.0;
            for (t, &o) in obs.iter().enumerate() {
                if t > 0 {
                    let mut next = vec![0.0; 2];
                    for i in 0..2 {
                        for j in 0..2 {
                            next[j] += alpha[i] * trans[i][j];
                        }
                    }
                    alpha = next;
                }
                for s in 0..2 {
                    alpha[s] *= emit[s][o];
                }
                let scale: f64 = alpha.iter().sum();
                ll += scale.ln();
                for a in alpha.iter_mut() {
                    *a /= scale;
                }
            }
            ll
        }
    }

    #[test]
    fn hmm_forward() {
        let theta = [
            0.6, -0.2, -0.4, 0.5, 0.9, 0.1, -0.3, -0.5, 0.2, 0.7, 0.3, -0.1,
        ];
        scalar!(model::log_likelihood, (&[0, 2, 1, 1, 0, 2]), &theta);
    }
}

/// Viterbi-like soft path score in the log domain with logsumexp.
mod crf_chain {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const LABELS: usize = 3;

    #[differentiable]
    fn logsumexp(v: &[f64]) -> f64 {
        let m = v.iter().fold(f64::MIN, |a, b| a.max(*b));
        m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
    }

    #[differentiable]
    fn score(trans: &[f64], unary: &[f64], path: &[usize]) -> f64 {
        let mut s = unary[path[0]];
        for t in 1..path.len() {
            s += trans[path[t - 1] * LABELS + path[t]] + unary[t * LABELS + path[t]];
        }
        s
    }

    #[differentiable]
    pub fn neg_log_prob(x: &[f64], path: &[usize]) -> f64 {
        let (trans, unary) = x.split_at(LABELS * LABELS);
        let mut alpha = unary[..LABELS].to_vec();
        for t in 1..path.len() {
            let mut next = Vec::new();
            for j in 0..LABELS {
                let terms: Vec<f64> = (0..LABELS)
                    .map(|i| alpha[i] + trans[i * LABELS + j])
                    .collect();
                next.push(logsumexp(&terms) + unary[t * LABELS + j]);
            }
            alpha = next;
        }
        logsumexp(&alpha) - score(trans, unary, path)
    }

    #[test]
    fn crf_chain() {
        let x = [
            0.3, -0.2, 0.1, 0.5, 0.4, -0.6, 0.2, 0.9, -0.1, 0.7, 0.0, -0.4, 0.6, 0.35, 0.1, -0.3,
            0.8, 0.25,
        ];
        scalar!(neg_log_prob, (&[0, 1, 1]), &x);
    }
}

/// Birth-death chain: occupation probabilities by uniformisation.
mod birth_death {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const CAP: usize = 5;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Rates {
        birth: f64,
        death: f64,
    }

    #[differentiable]
    fn step(p: &[f64; CAP], r: Rates, uniform: f64) -> [f64; CAP] {
        let mut q = [0.0; CAP];
        for n in 0..CAP {
            let up = if n + 1 < CAP { r.birth / uniform } else { 0.0 };
            let down = n as f64 * r.death / uniform;
            q[n] += p[n] * (1.0 - up - down);
            if n + 1 < CAP {
                q[n + 1] += p[n] * up;
            }
            if n > 0 {
                q[n - 1] += p[n] * down;
            }
        }
        q
    }

    #[differentiable]
    pub fn transient(x: &[f64], terms: usize) -> [f64; CAP] {
        let r = Rates {
            birth: x[0],
            death: x[1],
        };
        let t = x[2];
        let uniform = r.birth + CAP as f64 * r.death;
        let mut p = [0.0; CAP];
        p[0] = 1.0;
        let mut weight = (-uniform * t).exp();
        let mut out = [0.0; CAP];
        for k in 0..terms {
            for i in 0..CAP {
                out[i] += weight * p[i];
            }
            p = step(&p, r, uniform);
            weight *= uniform * t / (k + 1) as f64;
        }
        out
    }

    #[test]
    fn birth_death() {
        vector!(transient, (30), &[1.2, 0.5, 0.8]);
    }
}

/// Entropy rate and mixing of a lazily parametrised chain, small fixed arrays.
mod entropy_rate {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn entropy(p: f64) -> f64 {
        -(p * p.ln() + (1.0 - p) * (1.0 - p).ln())
    }

    #[differentiable]
    fn two_state(x: &[f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let [a, b] = *x;
        let pi = [b / (a + b), a / (a + b)];
        (pi, [[1.0 - a, a], [b, 1.0 - b]])
    }

    #[differentiable]
    pub fn rate_and_gap(x: &[f64; 2]) -> [f64; 2] {
        let (pi, p) = two_state(x);
        let rate = pi[0] * entropy(p[0][1]) + pi[1] * entropy(p[1][0]);
        let trace = p[0][0] + p[1][1];
        [rate, 1.0 - (trace - 1.0)]
    }

    #[test]
    fn entropy_rate() {
        vector!(rate_and_gap, (), &[0.3, 0.6]);
    }
}

/// Absorbing chain: expected time to absorption by Gaussian elimination.
mod absorption_time {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
        let n = b.len();
        for col in 0..n {
            let mut pivot = col;
            for r in col + 1..n {
                if a[r][col].abs() > a[pivot][col].abs() {
                    pivot = r;
                }
            }
            if a[pivot][col].abs() < 1e-12 {
                return None;
            }
            a.swap(col, pivot);
            b.swap(col, pivot);
            for r in col + 1..n {
                let f = a[r][col] / a[col][col];
                for c in col..n {
                    a[r][c] -= f * a[col][c];
                }
                b[r] -= f * b[col];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] = b[i] - a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        Some(b)
    }

    /// Random walk on 0..=n with absorbing ends, probability to the right per site.
    #[differentiable]
    pub fn expected_steps(p: &[f64], start: usize) -> f64 {
        let n = p.len();
        let mut m = vec![vec![0.0; n]; n];
        for i in 0..n {
            m[i][i] = 1.0;
            if i + 1 < n {
                m[i][i + 1] = -p[i];
            }
            if i > 0 {
                m[i][i - 1] = -(1.0 - p[i]);
            }
        }
        let times = solve(m, vec![1.0; n]);
        match times {
            Some(t) => t[start],
            None => 0.0,
        }
    }

    #[test]
    fn absorption_time() {
        scalar!(expected_steps, (2), &[0.4, 0.55, 0.6, 0.45]);
    }
}

/// Felsenstein pruning on a fixed tree with Jukes-Cantor probabilities.
mod felsenstein {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod tree {
        type Partial = [f64; 4];

        fn jc(t: f64) -> (f64, f64) {
            let e = (-4.0 / 3.0 * t).exp();
            (0.25 + 0.75 * e, 0.25 - 0.25 * e)
        }

        fn tip(base: char) -> Partial {
            match base {
                'A' => [1.0, 0.0, 0.0, 0.0],
                'C' => [0.0, 1.0, 0.0, 0.0],
                'G' => [0.0, 0.0, 1.0, 0.0],
                'T' => [0.0, 0.0, 0.0, 1.0],
                _ => [1.0; 4],
            }
        }

        fn along_branch(p: &Partial, t: f64) -> Partial {
            let (same, diff) = jc(t);
            let total: f64 = p.iter().sum();
            let mut out = [0.0; 4];
            for (o, v) in out.iter_mut().zip(p) {
                *o = same * v + diff * (total - v);
            }
            out
        }

        fn join(a: Partial, b: Partial) -> Partial {
            std::array::from_fn(|i| a[i] * b[i])
        }

        /// ((s0:t0, s1:t1):t2, s2:t3)
        pub fn log_lik(t: &[f64], sites: &[[char; 3]]) -> f64 {
            let mut ll = 0.0;
            for s in sites {
                let inner = join(
                    along_branch(&tip(s[0]), t[0]),
                    along_branch(&tip(s[1]), t[1]),
                );
                let root = join(along_branch(&inner, t[2]), along_branch(&tip(s[2]), t[3]));
                ll += (0.25 * root.iter().sum::<f64>()).ln();
            }
            ll
        }
    }

    #[test]
    fn felsenstein() {
        let sites = [
            ['A', 'A', 'C'],
            ['G', 'T', 'G'],
            ['C', 'C', 'C'],
            ['A', '-', 'T'],
        ];
        scalar!(tree::log_lik, (&sites), &[0.2, 0.5, 0.3, 0.8]);
    }
}

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
            change = next
                .iter()
                .zip(&v)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            v = next;
            iterations += 1;
        }
        v
    }

    #[test]
    fn stationary() {
        vector!(
            stationary_distribution,
            (3),
            &[1.0, 0.5, 0.8, 0.4, 1.2, 0.6, 0.9, 0.7, 0.5]
        );
    }
}

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
        vector!(
            posterior,
            (&[true, true, false, true, false]),
            &[0.8, 0.3, 0.7]
        );
    }
}
