//! Enums, options and texts in the fields of structs, a second collection.

/// Traits for models: growth curves behind a common interface.
mod growth_curves {
    use di::prelude::*;
    pub trait Model {
        fn rate(&self, n: f64) -> f64;
        fn name(&self) -> String;
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Logistic {
        r: f64,
        k: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Gompertz {
        r: f64,
        k: f64,
        delay: Option<u32>,
    }

    #[differentiable]
    impl Model for Logistic {
        fn rate(&self, n: f64) -> f64 {
            self.r * n * (1.0 - n / self.k)
        }
        fn name(&self) -> String {
            "logistic".to_string()
        }
    }

    #[differentiable]
    impl Model for Gompertz {
        fn rate(&self, n: f64) -> f64 {
            self.r * n * (self.k / n).ln()
        }
        fn name(&self) -> String {
            String::from("gompertz")
        }
    }

    #[differentiable]
    fn logistic_path(m: &Logistic, n0: f64, times: &[f64]) -> Vec<f64> {
        let mut n = n0;
        let mut out = Vec::new();
        let mut last = 0.0;
        for &t in times {
            let h = t - last;
            let half = n + 0.5 * h * m.rate(n);
            n += h * m.rate(half);
            last = t;
            out.push(n);
        }
        out
    }

    #[differentiable]
    fn gompertz_end(m: &Gompertz, n0: f64, steps: usize, h: f64) -> f64 {
        let skip = m.delay.unwrap_or(0) as usize;
        let mut n = n0;
        for i in 0..steps {
            if i < skip {
                continue;
            }
            n += h * m.rate(n);
        }
        n
    }

    #[differentiable]
    fn fit(x: &[f64], #[constant] times: &[f64], #[constant] counts: &[f64]) -> f64 {
        let a = Logistic { r: x[0], k: x[1] };
        let b = Gompertz {
            r: x[2],
            k: x[1],
            delay: Some(1),
        };
        let path = logistic_path(&a, x[3], times);
        let squares: f64 = path
            .iter()
            .zip(counts)
            .map(|(p, c)| (p / c).ln().powi(2))
            .sum();
        squares + (gompertz_end(&b, x[3], 5, 0.1) - counts[0]).powi(2)
    }

    #[test]
    fn growth_curves() {
        crate::check::scalar!(
            fit,
            (&[0.3, 0.6, 1.2], &[1.4, 1.9, 3.0]),
            &[0.8, 6.0, 0.5, 1.1]
        );
    }
}

/// Enzyme pools: methods of enums in fields, plain and annotated.
mod enzyme_pools {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Tier {
        Fast,
        Slow(u32),
    }

    impl Tier {
        fn factor(&self) -> f64 {
            match self {
                Tier::Fast => 2.0,
                Tier::Slow(n) => 1.0 / *n as f64,
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    enum Law {
        Linear,
        Saturating { km: f64 },
    }

    #[differentiable]
    impl Law {
        fn rate(&self, c: f64, vmax: f64) -> f64 {
            match self {
                Law::Linear => vmax * c,
                Law::Saturating { km } => vmax * c / (km + c),
            }
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Pool {
        amount: f64,
        vmax: f64,
        tier: Tier,
        #[constant]
        law: Law,
        label: Option<usize>,
    }

    #[differentiable]
    impl Pool {
        fn new(amount: f64, vmax: f64, tier: Tier) -> Pool {
            Pool {
                amount,
                vmax,
                tier,
                law: Law::Saturating { km: 0.4 },
                label: None,
            }
        }
        fn rate(&self) -> f64 {
            self.tier.factor() * self.law.rate(self.amount, self.vmax)
        }
        fn advance(&self, h: f64) -> Pool {
            let slow = matches!(self.tier, Tier::Slow(_));
            let h = if slow { 0.5 * h } else { h };
            Pool {
                amount: self.amount - h * self.rate(),
                ..self.clone()
            }
        }
    }

    #[differentiable]
    fn total(x: &[f64], #[constant] tiers: &[Tier], steps: usize) -> f64 {
        let mut pools: Vec<Pool> = tiers.iter().map(|t| Pool::new(x[0], x[1], *t)).collect();
        for _ in 0..steps {
            pools = pools.iter().map(|p| p.advance(0.1)).collect();
        }
        let mut last = pools[0].clone();
        pools.iter().map(|p| p.amount).sum::<f64>() + last.rate() * 0.7
    }

    #[test]
    fn enzyme_pools() {
        crate::check::scalar!(total, (&[Tier::Fast, Tier::Slow(2)], 4), &[1.2, 0.7]);
    }
}

/// A struct with an enum, made in a function and bound.
mod lamps {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Mode {
        On,
        Off,
        Dimmed(f64),
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Lamp {
        power: f64,
        #[constant]
        mode: Mode,
        age: Option<u32>,
    }

    #[differentiable]
    fn light(lamp: &Lamp) -> f64 {
        let age = lamp.age.unwrap_or(2) as f64;
        match lamp.mode {
            Mode::On => lamp.power * lamp.power / age,
            Mode::Off => 0.0,
            Mode::Dimmed(by) => by * lamp.power.sin(),
        }
    }

    #[differentiable]
    fn total(x: &[f64], #[constant] modes: &[Mode]) -> f64 {
        let first = Lamp {
            power: x[0],
            mode: Mode::On,
            age: Some(3),
        };
        let second = Lamp {
            power: x[1],
            mode: Mode::Dimmed(0.3),
            age: None,
        };
        let mut sum = light(&first) * light(&second);
        for (i, m) in modes.iter().enumerate() {
            let lamp = Lamp {
                power: x[i] * 2.0,
                mode: *m,
                ..second.clone()
            };
            sum += light(&lamp);
        }
        sum
    }

    #[test]
    fn lamps() {
        crate::check::scalar!(total, (&[Mode::Off, Mode::Dimmed(0.7)]), &[1.2, 0.7]);
    }
}

/// Two-compartment pharmacokinetics with several doses, by Euler steps.
mod compartments {
    use di::prelude::*;
    #[derive(Clone, Copy, PartialEq)]
    enum Route {
        Oral,
        Bolus,
        Infusion { duration: f64 },
    }

    struct Dose {
        time: f64,
        amount: f64,
        route: Route,
    }

    struct Subject {
        id: u32,
        weight: f64,
        doses: Vec<Dose>,
        samples: Vec<(f64, f64)>,
    }

    #[derive(Clone, Differentiable)]
    struct Individual {
        ka: f64,
        cl: f64,
        v1: f64,
        q: f64,
        v2: f64,
    }

    #[differentiable]
    impl Individual {
        fn from_population(theta: &[f64], weight: f64) -> Self {
            let scale = weight / 70.0;
            Individual {
                ka: theta[0].exp(),
                cl: theta[1].exp() * scale.powf(0.75),
                v1: theta[2].exp() * scale,
                q: theta[3].exp(),
                v2: theta[4].exp() * scale,
            }
        }

        fn derivative(&self, a: [f64; 3], input: f64) -> [f64; 3] {
            let [gut, central, peripheral] = a;
            let absorbed = self.ka * gut;
            let to_peripheral = self.q / self.v1 * central;
            let to_central = self.q / self.v2 * peripheral;
            [
                -absorbed,
                absorbed + input - self.cl / self.v1 * central - to_peripheral + to_central,
                to_peripheral - to_central,
            ]
        }
    }

    #[differentiable]
    fn residuals(theta: &[f64], #[constant] subjects: &[Subject]) -> f64 {
        let mut total = 0.0;
        for subject in subjects {
            let p = Individual::from_population(theta, subject.weight);
            let mut amounts = [0.0; 3];
            let mut t = 0.0;
            let h = 0.25;
            for (time, concentration) in &subject.samples {
                while t < *time - 1e-9 {
                    let mut rate = 0.0;
                    for dose in subject.doses.iter() {
                        let starts = (dose.time - t).abs() < 1e-9;
                        match dose.route {
                            Route::Oral if starts => amounts[0] += dose.amount,
                            Route::Bolus if starts => amounts[1] += dose.amount,
                            Route::Infusion { duration }
                                if t >= dose.time && t < dose.time + duration =>
                            {
                                rate += dose.amount / duration
                            }
                            _ => {}
                        }
                    }
                    let d = p.derivative(amounts, rate);
                    for i in 0..3 {
                        amounts[i] += h * d[i];
                    }
                    t += h;
                }
                let predicted = amounts[1] / p.v1;
                total += (predicted.ln() - concentration.ln()).powi(2);
            }
        }
        total
    }

    #[test]
    fn compartments() {
        let subjects = vec![
            Subject {
                id: 1,
                weight: 62.0,
                doses: vec![
                    Dose {
                        time: 0.0,
                        amount: 100.0,
                        route: Route::Oral,
                    },
                    Dose {
                        time: 1.0,
                        amount: 20.0,
                        route: Route::Bolus,
                    },
                ],
                samples: vec![(0.5, 2.0), (1.5, 3.0)],
            },
            Subject {
                id: 2,
                weight: 80.0,
                doses: vec![Dose {
                    time: 0.0,
                    amount: 50.0,
                    route: Route::Infusion { duration: 0.5 },
                }],
                samples: vec![(1.0, 1.0)],
            },
        ];
        crate::check::scalar!(residuals, (&subjects), &vec![0.1, 0.5, 2.0, 0.3, 2.5]);
    }
}
