//! Markov: programs of a third collection.

/// Hidden Markov model: forward algorithm in log space.
mod forward_algorithm {
    use di::prelude::*;

    #[differentiable]
    fn logsumexp(v: &[f64]) -> f64 {
        let m = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
    }

    #[differentiable]
    fn log_softmax(v: &[f64]) -> Vec<f64> {
        let z = logsumexp(v);
        v.iter().map(|x| x - z).collect()
    }

    #[differentiable]
    fn hmm_loglik(params: &[f64], #[constant] states: usize, #[constant] obs: &[f64]) -> f64 {
        let s = states;
        let trans: Vec<Vec<f64>> = params[..s * s]
            .chunks(s)
            .map(|row| log_softmax(row))
            .collect();
        let means = &params[s * s..s * s + s];
        let log_sd = params[s * s + s];
        let emit = |k: usize, y: f64| {
            let z = (y - means[k]) / log_sd.exp();
            -0.5 * z * z - log_sd
        };
        let mut alpha: Vec<f64> = (0..s).map(|k| emit(k, obs[0]) - (s as f64).ln()).collect();
        for t in 1..obs.len() {
            let mut next = vec![0.0; s];
            for j in 0..s {
                let terms: Vec<f64> = (0..s).map(|i| alpha[i] + trans[i][j]).collect();
                next[j] = logsumexp(&terms) + emit(j, obs[t]);
            }
            alpha = next;
        }
        logsumexp(&alpha)
    }

    #[test]
    fn forward_algorithm() {
        let obs = [0.1, 0.3, 2.1, 1.8, 0.2];
        let params = vec![1.0, -0.5, -0.3, 0.8, 0.1, 1.9, -0.6];
        crate::check::scalar!(hmm_loglik, (2, &obs), &params);
    }
}

/// A Markov chain of credit ratings: transition matrix of logits, expected loss.
mod credit_ratings {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Chain {
        logits: Vec<Vec<f64>>,
    }

    #[differentiable]
    impl Chain {
        fn probabilities(&self) -> Vec<Vec<f64>> {
            let mut p = Vec::with_capacity(self.logits.len());
            for row in &self.logits {
                let e: Vec<f64> = row.iter().map(|v| v.exp()).collect();
                let z: f64 = e.iter().sum();
                p.push(e.into_iter().map(|v| v / z).collect::<Vec<f64>>());
            }
            p
        }

        fn step(&self, p: &[Vec<f64>], dist: &[f64]) -> Vec<f64> {
            (0..dist.len())
                .map(|j| dist.iter().zip(p).map(|(d, row)| d * row[j]).sum())
                .collect()
        }

        fn expected_loss(
            &self,
            #[constant] start: &[f64],
            #[constant] losses: &[f64],
            #[constant] years: u32,
        ) -> f64 {
            let p = self.probabilities();
            let mut dist = start.to_vec();
            let mut loss = 0.0;
            let mut discount = 1.0;
            for _ in 0..years {
                dist = self.step(&p, &dist);
                discount *= 0.96;
                loss += discount * dist.iter().zip(losses).map(|(d, l)| d * l).sum::<f64>();
            }
            loss
        }
    }

    #[test]
    fn credit_ratings() {
        let (start, losses) = ([0.7, 0.3, 0.0], [0.0, 0.1, 1.0]);
        let make = |q: &Vec<f64>| Chain {
            logits: q.chunks(3).map(|c| c.to_vec()).collect(),
        };
        let list = |c: &Chain| c.logits.concat();
        let q = vec![1.0, 0.2, -0.5, 0.1, 0.9, 0.0, -1.0, -0.2, 1.5];
        crate::check::made!(
            Chain::expected_loss_ad.with(&start, &losses, 4),
            |c: &Chain| c.expected_loss(&start, &losses, 4),
            make,
            list,
            &q
        );
    }
}
