//! Epidemiology ecology: programs of a third collection.

/// SEIR with a lockdown, tuples as states.
mod seir_lockdown {
    use di::prelude::*;

    #[differentiable]
    fn derivs(s: (f64, f64, f64, f64), beta: f64, sigma: f64, gamma: f64) -> (f64, f64, f64, f64) {
        let (sus, exp, inf, _rec) = s;
        let infection = beta * sus * inf;
        (
            -infection,
            infection - sigma * exp,
            sigma * exp - gamma * inf,
            gamma * inf,
        )
    }

    #[differentiable]
    fn seir_peak(params: &[f64], #[constant] cases: &[f64]) -> f64 {
        let [beta0, sigma, gamma, reduction] = [params[0], params[1], params[2], params[3]];
        let dt = 0.5;
        let mut state = (0.97, 0.02, 0.01, 0.0);
        let mut sse = 0.0;
        let mut peak = 0.0_f64;
        for (day, &observed) in cases.iter().enumerate() {
            let beta = if day >= 3 {
                beta0 * (1.0 - reduction)
            } else {
                beta0
            };
            let mut t = 0.0;
            while t < 1.0 {
                let d = derivs(state, beta, sigma, gamma);
                state = (
                    state.0 + dt * d.0,
                    state.1 + dt * d.1,
                    state.2 + dt * d.2,
                    state.3 + dt * d.3,
                );
                t += dt;
            }
            peak = peak.max(state.2);
            sse += (state.2 - observed).powi(2);
        }
        sse * 100.0 + peak
    }

    #[test]
    fn seir_lockdown() {
        let cases = [0.01, 0.014, 0.02, 0.024, 0.02, 0.019];
        crate::check::scalar!(seir_peak, (&cases), &vec![0.9, 0.4, 0.25, 0.3]);
    }
}

/// Epidemics with age groups and a matrix of contacts.
mod age_groups {
    use di::prelude::*;

    #[differentiable]
    mod ages {
        const GROUPS: usize = 3;
        const CONTACT: [[f64; GROUPS]; GROUPS] =
            [[2.0, 0.6, 0.2], [0.6, 1.5, 0.4], [0.2, 0.4, 0.8]];

        #[derive(Clone)]
        struct Compartments {
            s: [f64; GROUPS],
            i: [f64; GROUPS],
            r: [f64; GROUPS],
        }

        struct Rates {
            beta: [f64; GROUPS],
            gamma: f64,
            vaccination: f64,
        }

        fn force(c: &Compartments, rates: &Rates) -> [f64; GROUPS] {
            let mut lambda = [0.0; GROUPS];
            for (g, l) in lambda.iter_mut().enumerate() {
                *l = rates.beta[g]
                    * CONTACT[g]
                        .iter()
                        .zip(c.i.iter())
                        .map(|(m, i)| m * i)
                        .sum::<f64>();
            }
            lambda
        }

        fn step(c: &mut Compartments, rates: &Rates, dt: f64) {
            let lambda = force(c, rates);
            for g in 0..GROUPS {
                let new = lambda[g] * c.s[g] * dt;
                let rec = rates.gamma * c.i[g] * dt;
                let vac = if g == 2 {
                    rates.vaccination * c.s[g] * dt
                } else {
                    0.0
                };
                c.s[g] -= new + vac;
                c.i[g] += new - rec;
                c.r[g] += rec + vac;
            }
        }

        pub fn deviance(theta: &[f64], #[constant] incidence: &[[f64; GROUPS]]) -> f64 {
            let rates = Rates {
                beta: [theta[0].exp(), theta[1].exp(), theta[2].exp()],
                gamma: 1.0 / theta[3],
                vaccination: theta[4],
            };
            let mut c = Compartments {
                s: [0.3, 0.5, 0.2],
                i: [0.01; GROUPS],
                r: [0.0; GROUPS],
            };
            let mut dev = 0.0;
            for week in incidence {
                let before = c.s.clone();
                for _ in 0..4 {
                    step(&mut c, &rates, 0.25);
                }
                for ((b, a), obs) in before.iter().zip(c.s).zip(week) {
                    let expected = b - a;
                    dev += 2.0 * (expected - obs * expected.ln());
                }
            }
            dev + c.r.iter().sum::<f64>()
        }
    }

    #[test]
    fn age_groups() {
        let inc = [
            [0.01, 0.012, 0.006],
            [0.013, 0.015, 0.008],
            [0.016, 0.02, 0.01],
        ];
        crate::check::scalar!(ages::deviance, (&inc), &vec![-0.1, -0.3, -0.2, 2.5, 0.1]);
    }
}
