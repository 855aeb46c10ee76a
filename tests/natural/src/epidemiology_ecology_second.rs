//! Epidemiology and ecology.

/// Vaccination optimal control: costs of a schedule, with a cap by smooth saturation.
mod vaccination_schedule {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod control {
        pub struct Disease {
            pub beta: f64,
            pub gamma: f64,
            pub efficacy: f64,
        }

        #[derive(Clone, Copy, Debug)]
        struct State {
            s: f64,
            i: f64,
            v: f64,
        }

        fn dose(u: f64, cap: f64) -> f64 {
            cap * (u / cap).tanh()
        }

        fn day(st: State, rate: f64, #[constant] d: &Disease) -> State {
            let force = d.beta * st.i;
            let State { s, i, v } = st;
            let leak = (1.0 - d.efficacy) * force * v;
            State {
                s: s - 0.3 * (force * s + rate * s),
                i: i + 0.3 * (force * s + leak - d.gamma * i),
                v: v + 0.3 * (rate * s - leak),
            }
        }

        pub fn cost(u: &[f64], #[constant] d: &Disease) -> f64 {
            let mut st = State {
                s: 0.9,
                i: 0.1,
                v: 0.0,
            };
            let mut total = 0.0;
            for ui in u {
                let rate = dose(*ui, 0.6);
                for _ in 0..3 {
                    st = day(st, rate, d);
                    total += st.i;
                }
                total += 0.2 * rate * rate;
            }
            total + 2.0 * st.i + 0.1 * st.v
        }
    }

    #[test]
    fn vaccination_schedule() {
        let d = control::Disease {
            beta: 1.4,
            gamma: 0.5,
            efficacy: 0.8,
        };
        scalar!(control::cost, (&d), &[0.5, 0.4, 0.2, 0.1]);
    }
}

/// Species distribution: Ricker map with environmental noise given, likelihood of a series.
mod ricker_state_space {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn ricker(n: f64, r: f64, k: f64) -> f64 {
        n * (r * (1.0 - n / k)).exp()
    }

    #[differentiable]
    fn log_normal(y: f64, median: f64, sd: f64) -> f64 {
        let z = (y.ln() - median.ln()) / sd;
        -0.5 * z * z - sd.ln() - y.ln()
    }

    #[differentiable]
    pub fn log_posterior(x: &[f64], #[constant] counts: &[Option<f64>]) -> f64 {
        let (r, k, sd_process, sd_obs) = (x[0].exp(), x[1].exp(), x[2].exp(), x[3].exp());
        let states: Vec<f64> = x[4..].iter().map(|z| z.exp()).collect();
        let mut lp = 0.0;
        for pair in states.windows(2) {
            lp += log_normal(pair[1], ricker(pair[0], r, k), sd_process);
        }
        for (n, c) in states.iter().zip(counts) {
            if let Some(y) = c {
                lp += log_normal(*y, *n, sd_obs);
            }
        }
        lp
    }

    #[test]
    fn ricker_state_space() {
        let counts = [Some(0.8), None, Some(1.3), Some(1.1)];
        scalar!(
            log_posterior,
            (&counts),
            &[-0.3, 0.3, -0.8, -0.6, -0.2, 0.1, 0.3, 0.2]
        );
    }
}
