//! Medicine, biology and water: models as structs.

/// Two compartments with absorption and saturable elimination, a log-normal likelihood.
mod pharmacokinetics {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod model {
        #[derive(Clone, Copy, Debug)]
        pub struct Params {
            pub ka: f64,
            pub vmax: f64,
            pub km: f64,
            pub k12: f64,
            pub k21: f64,
            pub volume: f64,
        }

        #[derive(Clone, Copy, Debug)]
        pub struct Dose {
            pub time: f64,
            pub amount: f64,
        }

        #[derive(Clone, Copy)]
        struct State {
            gut: f64,
            central: f64,
            peripheral: f64,
        }

        impl State {
            fn axpy(&self, h: f64, d: &State) -> State {
                State {
                    gut: self.gut + h * d.gut,
                    central: self.central + h * d.central,
                    peripheral: self.peripheral + h * d.peripheral,
                }
            }
        }

        impl Params {
            fn rhs(&self, s: &State) -> State {
                let conc = s.central / self.volume;
                let absorbed = self.ka * s.gut;
                let eliminated = self.vmax * conc / (self.km + conc);
                let exchange = self.k12 * s.central - self.k21 * s.peripheral;
                State {
                    gut: -absorbed,
                    central: absorbed - eliminated - exchange,
                    peripheral: exchange,
                }
            }

            fn step(&self, s: State, h: f64) -> State {
                let k1 = self.rhs(&s);
                let k2 = self.rhs(&s.axpy(0.5 * h, &k1));
                let k3 = self.rhs(&s.axpy(0.5 * h, &k2));
                let k4 = self.rhs(&s.axpy(h, &k3));
                s.axpy(h / 6.0, &k1)
                    .axpy(h / 3.0, &k2)
                    .axpy(h / 3.0, &k3)
                    .axpy(h / 6.0, &k4)
            }
        }

        pub fn neg_log_likelihood(
            p: &Params,
            #[constant] doses: &[Dose],
            #[constant] samples: &[(f64, f64)],
            #[constant] sigma: f64,
        ) -> f64 {
            let dt = 0.05;
            let mut state = State {
                gut: 0.0,
                central: 0.0,
                peripheral: 0.0,
            };
            let mut t = 0.0;
            let mut next_dose = 0;
            let mut nll = 0.0;
            for &(ts, observed) in samples {
                while t < ts - 1e-9 {
                    if next_dose < doses.len() && doses[next_dose].time <= t + 1e-9 {
                        state.gut += doses[next_dose].amount;
                        next_dose += 1;
                    }
                    state = p.step(state, dt);
                    t += dt;
                }
                let predicted = state.central / p.volume;
                let z = (observed.ln() - predicted.ln()) / sigma;
                nll += 0.5 * z * z + sigma.ln();
            }
            nll
        }
    }

    #[test]
    fn pharmacokinetics() {
        use model::{Dose, Params, neg_log_likelihood};
        let doses = [
            Dose {
                time: 0.0,
                amount: 10.0,
            },
            Dose {
                time: 1.0,
                amount: 5.0,
            },
        ];
        let samples = [(0.5, 1.1), (1.0, 1.4), (2.0, 1.2)];
        let make = |q: &[f64; 6]| Params {
            ka: q[0],
            vmax: q[1],
            km: q[2],
            k12: q[3],
            k21: q[4],
            volume: q[5],
        };
        let list = |p: &Params| vec![p.ka, p.vmax, p.km, p.k12, p.k21, p.volume];
        let call = |p: &Params| neg_log_likelihood(p, &doses, &samples, 0.3);
        let handle = neg_log_likelihood::AD.with(&doses, &samples, 0.3);
        made!(handle, call, make, list, &[1.2, 1.5, 0.8, 0.3, 0.2, 4.0]);
    }
}

/// Age groups with contacts, interventions of an enum, and a Poisson-like loss.
mod seir {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod seir {
        const GROUPS: usize = 3;

        #[derive(Clone, Copy, Debug)]
        pub enum Intervention {
            None,
            SchoolClosure,
            Lockdown { strength: f64 },
        }

        #[derive(Clone, Debug)]
        pub struct Scenario {
            pub population: [f64; GROUPS],
            pub contacts: [[f64; GROUPS]; GROUPS],
            pub schedule: Vec<Intervention>,
        }

        #[derive(Clone, Debug)]
        pub struct Params {
            pub beta: f64,
            pub sigma: f64,
            pub gamma: f64,
            pub compliance: f64,
            pub seed: [f64; GROUPS],
        }

        #[derive(Clone, Copy, Default)]
        struct Compartment {
            s: f64,
            e: f64,
            i: f64,
            r: f64,
        }

        fn contact_factor(kind: &Intervention, group: usize, compliance: f64) -> f64 {
            match kind {
                Intervention::None => 1.0,
                Intervention::SchoolClosure if group == 0 => 1.0 - 0.8 * compliance,
                Intervention::SchoolClosure => 1.0,
                Intervention::Lockdown { strength } => 1.0 - strength * compliance,
            }
        }

        fn day(
            p: &Params,
            state: &[Compartment; GROUPS],
            sc: &Scenario,
            t: usize,
        ) -> ([Compartment; GROUPS], f64) {
            let mut next = *state;
            let mut incidence = 0.0;
            for g in 0..GROUPS {
                let mut force = 0.0;
                for h in 0..GROUPS {
                    force += sc.contacts[g][h] * state[h].i / sc.population[h];
                }
                let factor = contact_factor(&sc.schedule[t], g, p.compliance);
                let infections = p.beta * factor * force * state[g].s;
                let onset = p.sigma * state[g].e;
                let recovered = p.gamma * state[g].i;
                next[g].s -= infections;
                next[g].e += infections - onset;
                next[g].i += onset - recovered;
                next[g].r += recovered;
                incidence += onset;
            }
            (next, incidence)
        }

        pub fn loss(p: &Params, #[constant] sc: &Scenario, #[constant] cases: &[f64]) -> f64 {
            let mut state = [Compartment::default(); GROUPS];
            for g in 0..GROUPS {
                state[g].i = p.seed[g];
                state[g].s = sc.population[g] - p.seed[g];
            }
            let mut total = 0.0;
            for (t, observed) in cases.iter().enumerate() {
                let (next, incidence) = day(p, &state, sc, t);
                state = next;
                total += incidence - observed * incidence.max(1e-8).ln();
            }
            total
        }
    }

    #[test]
    fn seir() {
        use seir::{Intervention, Params, Scenario, loss};
        let sc = Scenario {
            population: [100.0, 200.0, 150.0],
            contacts: [[3.0, 1.0, 0.5], [1.0, 2.5, 0.8], [0.5, 0.8, 1.5]],
            schedule: vec![
                Intervention::None,
                Intervention::SchoolClosure,
                Intervention::Lockdown { strength: 0.4 },
                Intervention::None,
            ],
        };
        let cases = [2.0, 2.5, 3.0, 3.5];
        let make = |q: &[f64; 7]| Params {
            beta: q[0],
            sigma: q[1],
            gamma: q[2],
            compliance: q[3],
            seed: [q[4], q[5], q[6]],
        };
        let list = |p: &Params| {
            let mut v = vec![p.beta, p.sigma, p.gamma, p.compliance];
            v.extend(p.seed);
            v
        };
        let handle = loss::AD.with(&sc, &cases);
        made!(
            handle,
            |p: &Params| loss(p, &sc, &cases),
            make,
            list,
            &[0.3, 0.4, 0.2, 0.7, 5.0, 6.0, 4.0]
        );
    }
}

/// Pruning over an enum of nodes, with recursion and two rates.
mod phylo {
    use crate::check::made;
    use di::prelude::*;

    #[derive(Debug, Clone)]
    pub enum Node {
        Leaf { sequence: Vec<u8> },
        Internal { left: usize, right: usize },
    }

    fn code(base: u8) -> usize {
        match base {
            b'A' => 0,
            b'G' => 1,
            b'C' => 2,
            _ => 3,
        }
    }

    #[differentiable]
    fn transition(t: f64, kappa: f64) -> [[f64; 4]; 4] {
        let beta = 1.0 / (2.0 + kappa);
        let e1 = (-4.0 * beta * t).exp();
        let e2 = (-2.0 * (kappa + 1.0) * beta * t).exp();
        let same = 0.25 + 0.25 * e1 + 0.5 * e2;
        let transition = 0.25 + 0.25 * e1 - 0.5 * e2;
        let transversion = 0.25 - 0.25 * e1;
        let mut p = [[transversion; 4]; 4];
        for i in 0..4 {
            p[i][i] = same;
            p[i][i ^ 1] = transition;
        }
        p
    }

    #[differentiable]
    fn partials(
        branch: &[f64],
        kappa: f64,
        #[constant] tree: &[Node],
        #[constant] node: usize,
        #[constant] site: usize,
    ) -> [f64; 4] {
        match &tree[node] {
            Node::Leaf { sequence } => {
                let mut l = [0.0; 4];
                l[code(sequence[site])] = 1.0;
                l
            }
            Node::Internal { left, right } => {
                let a = partials(branch, kappa, tree, *left, site);
                let b = partials(branch, kappa, tree, *right, site);
                let pa = transition(branch[*left], kappa);
                let pb = transition(branch[*right], kappa);
                let mut out = [0.0; 4];
                for i in 0..4 {
                    let mut sa = 0.0;
                    let mut sb = 0.0;
                    for j in 0..4 {
                        sa += pa[i][j] * a[j];
                        sb += pb[i][j] * b[j];
                    }
                    out[i] = sa * sb;
                }
                out
            }
        }
    }

    #[differentiable]
    pub fn log_likelihood(
        branch: &[f64],
        log_kappa: f64,
        #[constant] tree: &[Node],
        #[constant] sites: usize,
    ) -> f64 {
        let kappa = log_kappa.exp();
        let root = tree.len() - 1;
        (0..sites)
            .map(|s| {
                let p = partials(branch, kappa, tree, root, s);
                (0.25 * p.iter().sum::<f64>()).ln()
            })
            .sum()
    }

    #[test]
    fn phylo() {
        let tree = [
            Node::Leaf {
                sequence: b"ACGTA".to_vec(),
            },
            Node::Leaf {
                sequence: b"ACGTT".to_vec(),
            },
            Node::Internal { left: 0, right: 1 },
            Node::Leaf {
                sequence: b"GCATA".to_vec(),
            },
            Node::Internal { left: 2, right: 3 },
        ];
        let make = |q: &[f64; 6]| (q[..5].to_vec(), q[5]);
        let list = |(b, k): &(Vec<f64>, f64)| {
            let mut v = b.clone();
            v.push(*k);
            v
        };
        let call = |(b, k): &(Vec<f64>, f64)| log_likelihood(b, *k, &tree, 5);
        made!(
            log_likelihood::AD.with(&tree, 5),
            call,
            make,
            list,
            &[0.2, 0.3, 0.15, 0.4, 0.1, 0.7]
        );
    }
}

/// Coalescence under epochs of population size, and the spectrum of frequencies.
mod popgen {
    use crate::check::scalar;
    use di::prelude::*;

    #[derive(Clone, Debug)]
    pub struct Epochs {
        pub boundaries: Vec<f64>,
    }

    fn choose2(k: usize) -> f64 {
        (k * (k - 1)) as f64 / 2.0
    }

    fn binomial(n: usize, k: usize) -> f64 {
        (0..k).fold(1.0, |acc, i| acc * (n - i) as f64 / (i + 1) as f64)
    }

    /// Expected time during which `k` lineages remain, starting from `n`, by a Markov chain over epochs.
    #[differentiable]
    fn expected_times(
        log_sizes: &[f64],
        #[constant] epochs: &Epochs,
        #[constant] n: usize,
    ) -> Vec<f64> {
        let mut probs = vec![0.0; n + 1];
        probs[n] = 1.0;
        let mut times = vec![0.0; n + 1];
        let steps = 40;
        for (e, log_size) in log_sizes.iter().enumerate() {
            let size = log_size.exp();
            let start = if e == 0 {
                0.0
            } else {
                epochs.boundaries[e - 1]
            };
            let end = epochs.boundaries.get(e).copied().unwrap_or(start + 10.0);
            let dt = (end - start) / steps as f64;
            for _ in 0..steps {
                for k in (2..=n).rev() {
                    let rate = choose2(k) / size;
                    let stay = (-rate * dt).exp();
                    let moved = probs[k] * (1.0 - stay);
                    times[k] += moved / rate;
                    probs[k] -= moved;
                    probs[k - 1] += moved;
                }
            }
        }
        times
    }

    #[differentiable]
    pub fn sfs_log_likelihood(
        log_sizes: &[f64],
        #[constant] epochs: &Epochs,
        #[constant] counts: &[u32],
    ) -> f64 {
        let n = counts.len() + 1;
        let times = expected_times(log_sizes, epochs, n);
        let expected: Vec<f64> = (1..n)
            .map(|i| {
                (2..=n - i + 1)
                    .map(|k| {
                        let p = binomial(n - i - 1, k - 2) / binomial(n - 1, k - 1);
                        k as f64 * p * times[k]
                    })
                    .sum::<f64>()
            })
            .collect();
        let total = expected.iter().sum::<f64>();
        counts
            .iter()
            .zip(&expected)
            .map(|(&c, e)| c as f64 * (e / total).ln())
            .sum()
    }

    #[test]
    fn popgen() {
        let epochs = Epochs {
            boundaries: vec![0.5, 1.5],
        };
        scalar!(sfs_log_likelihood, (&epochs, &[8, 4, 3]), &[0.1, 0.5, -0.2]);
    }
}

/// Partial likelihood with ties, and accelerated failure times.
mod survival {
    use crate::check::scalar;
    use di::prelude::*;

    #[derive(Clone, Debug)]
    pub struct Subject {
        pub time: f64,
        pub event: bool,
        pub covariates: Vec<f64>,
    }

    #[differentiable]
    fn linear_predictor(beta: &[f64], #[constant] s: &Subject) -> f64 {
        s.covariates.iter().zip(beta).map(|(x, b)| x * b).sum()
    }

    /// Subjects sorted by time.
    #[differentiable]
    pub fn cox_log_likelihood(
        beta: &[f64],
        #[constant] subjects: &[Subject],
        #[constant] ridge: f64,
    ) -> f64 {
        let eta: Vec<f64> = subjects.iter().map(|s| linear_predictor(beta, s)).collect();
        let mut ll = 0.0;
        let mut i = 0;
        while i < subjects.len() {
            let t = subjects[i].time;
            let tied: Vec<usize> = (i..subjects.len())
                .take_while(|&j| subjects[j].time == t)
                .filter(|&j| subjects[j].event)
                .collect();
            let at_risk: f64 = eta[i..].iter().map(|e| e.exp()).sum();
            let tied_risk: f64 = tied.iter().map(|&j| eta[j].exp()).sum();
            let d = tied.len();
            for (l, &j) in tied.iter().enumerate() {
                ll += eta[j] - (at_risk - l as f64 / d as f64 * tied_risk).ln();
            }
            while i < subjects.len() && subjects[i].time == t {
                i += 1;
            }
        }
        ll - 0.5 * ridge * beta.iter().map(|b| b * b).sum::<f64>()
    }

    #[differentiable]
    pub fn weibull_log_likelihood(params: &[f64], #[constant] subjects: &[Subject]) -> f64 {
        let (log_shape, beta) = params.split_first().expect("at least the shape");
        let k = log_shape.exp();
        let mut ll = 0.0;
        for s in subjects {
            let z = k * (s.time.ln() - linear_predictor(beta, s));
            if s.event {
                ll += k.ln() + z - s.time.ln();
            }
            ll -= z.exp();
        }
        ll
    }

    #[test]
    fn survival() {
        let subject = |time, event, a, b| Subject {
            time,
            event,
            covariates: vec![a, b],
        };
        let subjects = [
            subject(1.0, true, 0.3, 1.0),
            subject(2.0, true, -0.5, 0.0),
            subject(2.0, true, 0.8, 1.0),
            subject(2.5, false, 0.1, 0.0),
            subject(3.0, true, -0.2, 1.0),
        ];
        scalar!(cox_log_likelihood, (&subjects, 0.1), &[0.4, -0.3]);
        scalar!(weibull_log_likelihood, (&subjects), &[0.2, 0.4, -0.3]);
    }
}
