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

/// Mark-recapture likelihood: capture histories of bools.
mod capture_recapture {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        const OCCASIONS: usize = 4;

        fn inv_logit(z: f64) -> f64 {
            1.0 / (1.0 + (-z).exp())
        }

        fn never_seen_again(phi: f64, p: &[f64], from: usize) -> f64 {
            let mut chi = 1.0;
            for t in (from + 1..OCCASIONS).rev() {
                chi = 1.0 - phi + phi * (1.0 - p[t]) * chi;
            }
            chi
        }

        pub fn log_lik(x: &[f64], histories: &[[bool; OCCASIONS]]) -> f64 {
            let phi = inv_logit(x[0]);
            let p: Vec<f64> = x[1..].iter().map(|z| inv_logit(*z)).collect();
            let mut ll = 0.0;
            for h in histories {
                let first = match h.iter().position(|seen| *seen) {
                    Some(t) => t,
                    None => continue,
                };
                let last = h.iter().rposition(|seen| *seen).unwrap();
                for t in first + 1..=last {
                    ll += phi.ln();
                    ll += if h[t] { p[t].ln() } else { (1.0 - p[t]).ln() };
                }
                ll += never_seen_again(phi, &p, last).ln();
            }
            ll
        }
    }

    #[test]
    fn capture_recapture() {
        let histories = [
            [true, false, true, false],
            [true, true, false, true],
            [false, false, false, false],
            [false, true, false, false],
        ];
        scalar!(compute::log_lik, (&histories), &[0.8, 0.1, -0.3, 0.4, 0.2]);
    }
}

/// Forest carbon model driven by weather tuples, seasons from tables.
mod forest_carbon {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    struct Pools {
        leaf: f64,
        wood: f64,
        soil: f64,
    }

    const LEAF_ON: [f64; 4] = [0.1, 0.8, 1.0, 0.4];

    #[differentiable]
    fn gpp(leaf: f64, #[constant] temp: f64, #[constant] light: f64, efficiency: f64) -> f64 {
        let limitation = (-((temp - 1.5) / 1.0).powi(2)).exp();
        efficiency * light * limitation * (1.0 - (-0.5 * leaf).exp())
    }

    #[differentiable]
    fn season(
        p: &Pools,
        x: &[f64],
        #[constant] (temp, light): (f64, f64),
        quarter: usize,
    ) -> Pools {
        let uptake = gpp(p.leaf * LEAF_ON[quarter], temp, light, x[0]);
        let npp = uptake * (1.0 - x[1]);
        let litter = x[2] * p.leaf;
        let mortality = 0.02 * p.wood;
        let respiration = x[3] * p.soil * (0.3 * temp).exp();
        Pools {
            leaf: p.leaf + x[4] * npp - litter,
            wood: p.wood + (1.0 - x[4]) * npp - mortality,
            soil: p.soil + litter + mortality - respiration,
        }
    }

    #[differentiable]
    pub fn stocks(x: &[f64], #[constant] weather: &[(f64, f64)]) -> Vec<f64> {
        let mut p = Pools {
            leaf: 1.0,
            ..Default::default()
        };
        for (k, w) in weather.iter().enumerate() {
            p = season(&p, x, *w, k % 4);
        }
        let Pools { leaf, wood, soil } = p;
        vec![leaf, wood, soil]
    }

    #[test]
    fn forest_carbon() {
        let weather = vec![
            (0.2, 0.3),
            (1.0, 0.8),
            (1.7, 1.0),
            (0.9, 0.5),
            (0.1, 0.3),
            (1.2, 0.9),
        ];
        vector!(stocks, (&weather), &[1.2, 0.4, 0.2, 0.1, 0.35]);
    }
}

// E0446 private type `Recruitment` in public interface
/// Leslie matrix projection with harvest by stages, an enum of density dependence.
mod leslie_harvest {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Recruitment {
        Linear,
        BevertonHolt { capacity: f64 },
        Ricker { b: f64 },
    }

    #[differentiable]
    fn recruits(eggs: f64, #[constant] kind: Recruitment) -> f64 {
        match kind {
            Recruitment::Linear => eggs,
            Recruitment::BevertonHolt { capacity } => eggs / (1.0 + eggs / capacity),
            Recruitment::Ricker { b } => eggs * (-b * eggs).exp(),
        }
    }

    #[differentiable]
    fn project(
        n: &[f64],
        survival: &[f64],
        fecundity: &[f64],
        #[constant] kind: Recruitment,
    ) -> Vec<f64> {
        let eggs: f64 = n.iter().zip(fecundity).map(|(a, f)| a * f).sum();
        let mut next = vec![recruits(eggs, kind)];
        for (i, s) in survival.iter().enumerate() {
            next.push(s * n[i]);
        }
        let last = next.len() - 1;
        next[last] += 0.5 * n[n.len() - 1];
        next
    }

    #[differentiable]
    pub fn yield_and_stock(x: &[f64], #[constant] kind: Recruitment, years: usize) -> [f64; 2] {
        let effort = x[0];
        let fecundity = [0.0, x[1], x[2]];
        let mut n = vec![1.0, 0.7, 0.4];
        let mut catch = 0.0;
        for _ in 0..years {
            let fished = (-effort).exp();
            catch += n[1..].iter().map(|a| a * (1.0 - fished)).sum::<f64>();
            n[1] *= fished;
            n[2] *= fished;
            n = project(&n, &[0.6, 0.8], &fecundity, kind);
        }
        [catch, n.iter().sum()]
    }

    #[test]
    fn leslie_harvest() {
        let x = [0.3, 1.1, 1.6];
        vector!(yield_and_stock, (Recruitment::Linear, 5), &x);
        vector!(
            yield_and_stock,
            (Recruitment::BevertonHolt { capacity: 2.0 }, 5),
            &x
        );
        vector!(yield_and_stock, (Recruitment::Ricker { b: 0.3 }, 5), &x);
    }
}

// E0446 private type `Patch` in public interface
/// Metapopulation on patches with dispersal kernel by distance.
mod metapopulation {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Patch {
        x: f64,
        y: f64,
        area: f64,
    }

    fn distance(a: &Patch, b: &Patch) -> f64 {
        ((a.x - b.x).powi(2) + (a.y - b.y).powi(2)).sqrt()
    }

    #[differentiable]
    fn connectivity(i: usize, p: &[f64], alpha: f64, #[constant] patches: &[Patch]) -> f64 {
        let mut s = 0.0;
        for (j, other) in patches.iter().enumerate() {
            if j != i {
                s += (-alpha * distance(&patches[i], other)).exp() * p[j] * other.area;
            }
        }
        s
    }

    #[differentiable]
    pub fn occupancy(x: &[f64], #[constant] patches: &[Patch], steps: usize) -> f64 {
        let (alpha, e, c) = (x[0], x[1], x[2]);
        let mut p = vec![0.5; patches.len()];
        for _ in 0..steps {
            let old = p.clone();
            for i in 0..p.len() {
                let colonise = c * connectivity(i, &old, alpha, patches);
                let extinct = e / patches[i].area;
                p[i] += 0.2 * (colonise * (1.0 - old[i]) - extinct * old[i]);
            }
        }
        p.iter()
            .zip(patches)
            .map(|(pi, patch)| pi * patch.area)
            .sum()
    }

    #[test]
    fn metapopulation() {
        let patches = vec![
            Patch {
                x: 0.0,
                y: 0.0,
                area: 1.0,
            },
            Patch {
                x: 1.0,
                y: 0.3,
                area: 0.6,
            },
            Patch {
                x: 0.4,
                y: 1.2,
                area: 1.4,
            },
            Patch {
                x: 1.5,
                y: 1.0,
                area: 0.8,
            },
        ];
        scalar!(occupancy, (&patches, 8), &[1.1, 0.3, 0.9]);
    }
}

// E0446 private type `Trial` in public interface
/// Functional responses compared: predator intake with types I to III and depletion.
mod functional_response {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Holling {
        TypeI,
        TypeII,
        TypeIII(u8),
    }

    struct Trial {
        prey: f64,
        eaten: f64,
        hours: f64,
    }

    #[differentiable]
    fn intake(kind: Holling, n: f64, a: f64, h: f64) -> f64 {
        match kind {
            Holling::TypeI => a * n,
            Holling::TypeII => a * n / (1.0 + a * h * n),
            Holling::TypeIII(q) => {
                let power = n.powi(q as i32);
                a * power / (1.0 + a * h * power)
            }
        }
    }

    #[differentiable]
    fn eaten(kind: Holling, a: f64, h: f64, #[constant] trial: &Trial) -> f64 {
        let mut left = trial.prey;
        let steps = 10;
        for _ in 0..steps {
            left -= trial.hours / steps as f64 * intake(kind, left, a, h);
        }
        trial.prey - left
    }

    #[differentiable]
    pub fn sse(x: &[f64], #[constant] trials: &[Trial], kind: Holling) -> f64 {
        let [a, h] = [x[0].exp(), x[1].exp()];
        trials
            .iter()
            .map(|t| (eaten(kind, a, h, t) - t.eaten).powi(2))
            .sum()
    }

    #[test]
    fn functional_response() {
        let trials = [
            Trial {
                prey: 0.5,
                eaten: 0.2,
                hours: 1.0,
            },
            Trial {
                prey: 1.2,
                eaten: 0.6,
                hours: 1.0,
            },
            Trial {
                prey: 2.5,
                eaten: 0.9,
                hours: 0.8,
            },
        ];
        scalar!(sse, (&trials, Holling::TypeII), &[-0.3, -0.8]);
        scalar!(sse, (&trials, Holling::TypeIII(2)), &[-0.3, -0.8]);
        scalar!(sse, (&trials, Holling::TypeI), &[-0.3, -0.8]);
    }
}

// E0446 private type `Schedule` in public interface
/// Within-host viral dynamics with drug efficacy by dosing schedule, log viral load in place.
mod viral_load {
    use crate::check::inplace;
    use di::prelude::*;

    #[derive(Debug, Clone)]
    struct Schedule {
        start: f64,
        interval: f64,
        half_life: f64,
    }

    impl Schedule {
        fn concentration(&self, t: f64) -> f64 {
            if t < self.start {
                return 0.0;
            }
            let since = (t - self.start) % self.interval;
            0.5f64.powf(since / self.half_life)
        }
    }

    #[differentiable]
    fn efficacy(#[constant] c: f64, ec50: f64) -> f64 {
        c / (c + ec50)
    }

    #[differentiable]
    pub fn log_load(x: &[f64], #[constant] drug: &Schedule, out: &mut [f64]) {
        let (infect, death, produce, clear, ec50) = (x[0], x[1], x[2], x[3], x[4]);
        let mut target = 1.0;
        let mut infected = 0.01;
        let mut virus = 0.1;
        let dt = 0.1;
        let mut t = 0.0;
        for o in out.iter_mut() {
            for _ in 0..4 {
                let eff = efficacy(drug.concentration(t), ec50);
                let new = infect * target * virus;
                target -= dt * new;
                infected += dt * (new - death * infected);
                virus += dt * ((1.0 - eff) * produce * infected - clear * virus);
                t += dt;
            }
            *o = virus.ln();
        }
    }

    #[test]
    fn viral_load() {
        let drug = Schedule {
            start: 0.75,
            interval: 0.83,
            half_life: 0.4,
        };
        inplace!(log_load, (&drug), &[1.2, 0.6, 2.0, 0.9, 0.5], 5);
    }
}
