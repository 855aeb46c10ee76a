//! Structures, robots, networks and reactors: models as structs.

/// Reactions with rates of Arrhenius in a reactor.
mod kinetics {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod kinetics {
        pub const GAS_CONSTANT: f64 = 8.314;

        #[derive(Clone, Debug)]
        pub struct Reaction {
            pub reactants: Vec<usize>,
            pub products: Vec<usize>,
        }

        #[derive(Clone, Copy, Debug)]
        pub struct Arrhenius {
            pub log_a: f64,
            pub energy: f64,
        }

        impl Arrhenius {
            fn rate(&self, temperature: f64) -> f64 {
                (self.log_a - self.energy / (GAS_CONSTANT * temperature)).exp()
            }
        }

        fn production(k: &[f64], c: &[f64], #[constant] reactions: &[Reaction]) -> Vec<f64> {
            let mut dc = vec![0.0; c.len()];
            for (r, k) in reactions.iter().zip(k) {
                let rate = r.reactants.iter().fold(*k, |acc, &s| acc * c[s]);
                for &s in &r.reactants {
                    dc[s] -= rate;
                }
                for &s in &r.products {
                    dc[s] += rate;
                }
            }
            dc
        }

        /// Heun's method with the temperature as an input.
        pub fn final_concentrations(
            rates: &[Arrhenius],
            temperature: f64,
            #[constant] reactions: &[Reaction],
            #[constant] c0: &[f64],
            #[constant] steps: usize,
        ) -> Vec<f64> {
            let k: Vec<f64> = rates.iter().map(|r| r.rate(temperature)).collect();
            let dt = 1.0 / steps as f64;
            let mut c = c0.to_vec();
            for _ in 0..steps {
                let d1 = production(&k, &c, reactions);
                let mid: Vec<f64> = c.iter().zip(&d1).map(|(c, d)| c + dt * d).collect();
                let d2 = production(&k, &mid, reactions);
                for i in 0..c.len() {
                    c[i] += 0.5 * dt * (d1[i] + d2[i]);
                    if c[i] < 0.0 {
                        c[i] = 0.0;
                    }
                }
            }
            c
        }

        pub fn selectivity(
            rates: &[Arrhenius],
            #[constant] temperature: f64,
            #[constant] reactions: &[Reaction],
            #[constant] c0: &[f64],
        ) -> f64 {
            let c = final_concentrations(rates, temperature, reactions, c0, 50);
            let total: f64 = c.iter().sum();
            c.last().unwrap() / total
        }
    }

    #[test]
    fn kinetics() {
        use kinetics::{Arrhenius, Reaction, selectivity};
        let reactions = [
            Reaction {
                reactants: vec![0, 1],
                products: vec![2],
            },
            Reaction {
                reactants: vec![2],
                products: vec![0, 1],
            },
        ];
        let c0 = [1.0, 0.8, 0.1];
        let make = |q: &[f64; 4]| {
            vec![
                Arrhenius {
                    log_a: q[0],
                    energy: q[1],
                },
                Arrhenius {
                    log_a: q[2],
                    energy: q[3],
                },
            ]
        };
        let list = |r: &Vec<Arrhenius>| {
            r.iter()
                .flat_map(|r| [r.log_a, r.energy])
                .collect::<Vec<f64>>()
        };
        let call = |r: &Vec<Arrhenius>| selectivity(r, 2.0, &reactions, &c0);
        made!(
            selectivity::AD.with(2.0, &reactions, &c0),
            call,
            make,
            list,
            &[0.5, 3.0, -0.3, 8.0]
        );
    }
}
