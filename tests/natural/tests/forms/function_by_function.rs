//! Programs annotated function by function.

/// Implicit Euler with Newton's method for a stiff reaction.
mod implicit_euler {
    use di::prelude::*;
    type Matrix = Vec<Vec<f64>>;

    #[differentiable]
    fn solve(mut a: Matrix, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[pivot][k].abs() {
                    pivot = i;
                }
            }
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= factor * a[k][j];
                }
                b[i] -= factor * b[k];
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let s: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
            x[i] = (b[i] - s) / a[i][i];
        }
        x
    }

    #[differentiable]
    fn reaction(y: &[f64], k: &[f64]) -> Vec<f64> {
        let r1 = k[0] * y[0];
        let r2 = k[1] * y[1] * y[2];
        let r3 = k[2] * y[1] * y[1];
        vec![-r1 + r2, r1 - r2 - r3, r3]
    }

    #[differentiable]
    fn reaction_jacobian(y: &[f64], k: &[f64]) -> Matrix {
        vec![
            vec![-k[0], k[1] * y[2], k[1] * y[1]],
            vec![k[0], -k[1] * y[2] - 2.0 * k[2] * y[1], -k[1] * y[1]],
            vec![0.0, 2.0 * k[2] * y[1], 0.0],
        ]
    }

    #[differentiable]
    fn implicit_step(y: &[f64], h: f64, k: &[f64]) -> Vec<f64> {
        let mut next = y.to_vec();
        for _ in 0..3 {
            let f = reaction(&next, k);
            let jac = reaction_jacobian(&next, k);
            let residual: Vec<f64> = (0..3).map(|i| next[i] - y[i] - h * f[i]).collect();
            let system: Matrix = (0..3)
                .map(|i| {
                    (0..3)
                        .map(|j| {
                            if i == j {
                                1.0 - h * jac[i][j]
                            } else {
                                -h * jac[i][j]
                            }
                        })
                        .collect()
                })
                .collect();
            let delta = solve(system, residual);
            for (n, d) in next.iter_mut().zip(&delta) {
                *n -= d;
            }
        }
        next
    }

    #[differentiable]
    fn final_state(k: &[f64], #[constant] y0: &[f64], #[constant] times: &[f64]) -> Vec<f64> {
        let mut y = y0.to_vec();
        for w in times.windows(2) {
            y = implicit_step(&y, w[1] - w[0], k);
        }
        y
    }

    #[test]
    fn implicit_euler() {
        crate::check::vector!(
            final_state,
            (&[1.0, 0.2, 0.1], &[0.0, 0.1, 0.3, 0.7]),
            &vec![0.5, 1.2, 2.0]
        );
    }
}

/// Monte Carlo of path-dependent options with given normal draws.
mod monte_carlo {
    use di::prelude::*;
    struct Paths {
        draws: Vec<Vec<f64>>,
        dt: f64,
    }

    enum Payoff {
        Asian { strike: f64 },
        Lookback,
        Barrier { strike: f64, level: f64 },
    }

    #[differentiable]
    fn simulate(spot: f64, vol: f64, rate: f64, z: &[f64], dt: f64) -> Vec<f64> {
        let mut path = vec![spot];
        let mut s = spot;
        for &e in z {
            s *= ((rate - 0.5 * vol * vol) * dt + vol * dt.sqrt() * e).exp();
            path.push(s);
        }
        path
    }

    #[differentiable]
    fn payoff(path: &[f64], kind: &Payoff) -> f64 {
        match kind {
            Payoff::Asian { strike } => {
                let mean = path.iter().sum::<f64>() / path.len() as f64;
                (mean - strike).max(0.0)
            }
            Payoff::Lookback => {
                let lowest = path.iter().copied().fold(f64::INFINITY, f64::min);
                path[path.len() - 1] - lowest
            }
            Payoff::Barrier { strike, level } => {
                if path.iter().any(|s| s > level) {
                    0.0
                } else {
                    (path.last().unwrap() - strike).max(0.0)
                }
            }
        }
    }

    #[differentiable]
    fn price(x: &[f64; 3], #[constant] paths: &Paths, #[constant] kinds: &[Payoff]) -> f64 {
        let [spot, vol, rate] = *x;
        let mut total = 0.0;
        for z in &paths.draws {
            let path = simulate(spot, vol, rate, z, paths.dt);
            total += kinds.iter().map(|k| payoff(&path, k)).sum::<f64>();
        }
        let horizon = paths.dt * paths.draws[0].len() as f64;
        (-rate * horizon).exp() * total / paths.draws.len() as f64
    }

    #[test]
    fn monte_carlo() {
        let paths = Paths {
            draws: vec![
                vec![0.3, -0.5, 1.1],
                vec![-0.2, 0.8, 0.4],
                vec![-1.0, 0.1, -0.4],
            ],
            dt: 0.25,
        };
        let kinds = [
            Payoff::Asian { strike: 95.0 },
            Payoff::Lookback,
            Payoff::Barrier {
                strike: 90.0,
                level: 130.0,
            },
        ];
        crate::check::scalar!(price, (&paths, &kinds), &[100.0, 0.2, 0.03]);
    }
}

/// A hidden Markov model with Gaussian emissions, forward algorithm in logs.
mod hidden_markov {
    use di::prelude::*;
    #[derive(Clone, Debug, Differentiable)]
    struct Hmm {
        initial: Vec<f64>,
        transition: Vec<Vec<f64>>,
        means: Vec<f64>,
        log_sd: Vec<f64>,
    }

    #[differentiable]
    fn log_sum_exp(v: &[f64]) -> f64 {
        let m = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
    }

    #[differentiable]
    fn log_softmax(v: &[f64]) -> Vec<f64> {
        let z = log_sum_exp(v);
        v.iter().map(|x| x - z).collect()
    }

    #[differentiable]
    fn gaussian(x: f64, mean: f64, log_sd: f64) -> f64 {
        let z = (x - mean) / log_sd.exp();
        -0.5 * z * z - log_sd
    }

    #[differentiable]
    impl Hmm {
        fn unpack(x: &[f64], states: usize) -> Hmm {
            let (initial, rest) = x.split_at(states);
            let (transition, rest) = rest.split_at(states * states);
            let (means, log_sd) = rest.split_at(states);
            Hmm {
                initial: log_softmax(initial),
                transition: transition
                    .chunks(states)
                    .map(|row| log_softmax(row))
                    .collect(),
                means: means.to_vec(),
                log_sd: log_sd.to_vec(),
            }
        }

        fn emission(&self, state: usize, obs: Option<f64>) -> f64 {
            match obs {
                Some(x) => gaussian(x, self.means[state], self.log_sd[state]),
                None => 0.0,
            }
        }
    }

    #[differentiable]
    fn log_likelihood(x: &[f64], states: usize, #[constant] sequences: &[Vec<Option<f64>>]) -> f64 {
        let hmm = Hmm::unpack(x, states);
        let mut total = 0.0;
        for seq in sequences {
            let mut alpha: Vec<f64> = (0..states)
                .map(|s| hmm.initial[s] + hmm.emission(s, seq[0]))
                .collect();
            for &obs in &seq[1..] {
                let mut next = vec![0.0; states];
                for (to, n) in next.iter_mut().enumerate() {
                    let terms: Vec<f64> = alpha
                        .iter()
                        .enumerate()
                        .map(|(from, a)| a + hmm.transition[from][to])
                        .collect();
                    *n = log_sum_exp(&terms) + hmm.emission(to, obs);
                }
                alpha = next;
            }
            total += log_sum_exp(&alpha);
        }
        total
    }

    #[test]
    fn hidden_markov() {
        let seqs = vec![
            vec![Some(0.1), Some(1.2), None, Some(0.4)],
            vec![Some(-0.3), Some(0.9)],
        ];
        crate::check::scalar!(
            log_likelihood,
            (2, &seqs),
            &vec![0.1, -0.2, 0.5, 0.2, -0.4, 0.3, 0.0, 1.0, -0.1, 0.2]
        );
    }
}

/// Survival: Weibull regression with censoring and Cox partial likelihood.
mod survival {
    use di::prelude::*;
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Status {
        Dead,
        Censored,
    }

    #[derive(Debug, Clone)]
    struct Patient {
        time: f64,
        status: Status,
        covariates: Vec<f64>,
        stratum: usize,
    }

    #[differentiable]
    fn linear_predictor(beta: &[f64], p: &Patient) -> f64 {
        beta.iter().zip(&p.covariates).map(|(b, x)| b * x).sum()
    }

    #[differentiable]
    fn weibull(theta: &[f64], #[constant] patients: &[Patient]) -> f64 {
        let shape = theta[0].exp();
        let beta = &theta[1..];
        patients
            .iter()
            .map(|p| {
                let eta = linear_predictor(beta, p);
                let cumulative = (p.time.ln() * shape + eta).exp();
                let log_hazard = shape.ln() + (shape - 1.0) * p.time.ln() + eta;
                match p.status {
                    Status::Dead => cumulative - log_hazard,
                    Status::Censored => cumulative,
                }
            })
            .sum()
    }

    #[differentiable]
    fn cox(beta: &[f64], #[constant] patients: &[Patient], strata: usize) -> f64 {
        let mut nll = 0.0;
        for s in 0..strata {
            let group: Vec<&Patient> = patients.iter().filter(|p| p.stratum == s).collect();
            for p in group.iter().filter(|p| p.status == Status::Dead) {
                let risk: f64 = group
                    .iter()
                    .filter(|other| other.time >= p.time)
                    .map(|other| linear_predictor(beta, other).exp())
                    .sum();
                nll += risk.ln() - linear_predictor(beta, p);
            }
        }
        nll
    }

    #[test]
    fn survival() {
        let patients = vec![
            Patient {
                time: 1.0,
                status: Status::Dead,
                covariates: vec![0.5, 1.0],
                stratum: 0,
            },
            Patient {
                time: 2.3,
                status: Status::Censored,
                covariates: vec![-0.5, 0.0],
                stratum: 0,
            },
            Patient {
                time: 1.7,
                status: Status::Dead,
                covariates: vec![0.1, 0.3],
                stratum: 1,
            },
            Patient {
                time: 3.1,
                status: Status::Dead,
                covariates: vec![1.5, -0.3],
                stratum: 1,
            },
        ];
        crate::check::scalar!(weibull, (&patients), &vec![0.2, 0.3, -0.1]);
        crate::check::scalar!(cox, (&patients, 2), &vec![0.3, -0.1]);
    }
}
