//! Medicine, biology and water: models as structs.

/// Responses of persons to items, over nodes of a quadrature.
mod irt {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod irt {
        #[derive(Clone, Copy, Debug)]
        pub struct Item {
            pub discrimination: f64,
            pub difficulty: f64,
            pub guess_logit: f64,
        }

        pub struct Quadrature {
            pub nodes: Vec<f64>,
            pub weights: Vec<f64>,
        }

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Response {
            Correct,
            Wrong,
            Missing,
        }

        impl Item {
            fn probability(&self, ability: f64) -> f64 {
                let guess = logistic(self.guess_logit);
                guess + (1.0 - guess) * logistic(self.discrimination * (ability - self.difficulty))
            }

            fn log_prob(&self, ability: f64, response: Response) -> f64 {
                let p = self.probability(ability);
                match response {
                    Response::Correct => p.ln(),
                    Response::Wrong => (1.0 - p).ln(),
                    Response::Missing => 0.0,
                }
            }
        }

        fn logistic(x: f64) -> f64 {
            if x >= 0.0 {
                1.0 / (1.0 + (-x).exp())
            } else {
                let e = x.exp();
                e / (1.0 + e)
            }
        }

        fn person(
            items: &[Item],
            #[constant] answers: &[Response],
            #[constant] quad: &Quadrature,
        ) -> f64 {
            let mut total = 0.0;
            for (node, weight) in quad.nodes.iter().zip(&quad.weights) {
                let ll: f64 = items
                    .iter()
                    .zip(answers)
                    .map(|(item, &r)| item.log_prob(*node, r))
                    .sum();
                total += weight * ll.exp();
            }
            total.ln()
        }

        pub fn marginal(
            items: &[Item],
            #[constant] answers: &[Vec<Response>],
            #[constant] quad: &Quadrature,
        ) -> f64 {
            answers.iter().map(|a| person(items, a, quad)).sum()
        }
    }

    #[test]
    fn irt() {
        use Response::{Correct, Missing, Wrong};
        use irt::{Item, Quadrature, Response, marginal};
        let quad = Quadrature {
            nodes: vec![-1.2, 0.0, 1.2],
            weights: vec![0.3, 0.4, 0.3],
        };
        let answers = vec![
            vec![Correct, Wrong],
            vec![Correct, Correct],
            vec![Missing, Wrong],
        ];
        let item = |q: &[f64]| Item {
            discrimination: q[0],
            difficulty: q[1],
            guess_logit: q[2],
        };
        let make = |q: &[f64; 6]| vec![item(&q[..3]), item(&q[3..])];
        let list = |items: &Vec<Item>| {
            items
                .iter()
                .flat_map(|i| [i.discrimination, i.difficulty, i.guess_logit])
                .collect::<Vec<f64>>()
        };
        let call = |items: &Vec<Item>| marginal(items, &answers, &quad);
        made!(
            marginal::AD.with(&answers, &quad),
            call,
            make,
            list,
            &[1.1, 0.2, -1.5, 0.8, -0.4, -1.0]
        );
    }
}

/// Stores of snow, soil and ground water that a chain carries along.
mod reservoir {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod hydro {
        #[derive(Debug, Clone, Copy)]
        pub struct Forcing {
            pub rain: f64,
            pub temperature: f64,
            pub evaporation: f64,
        }

        #[derive(Debug, Clone, Copy)]
        pub struct Params {
            pub degree_day: f64,
            pub threshold: f64,
            pub field_capacity: f64,
            pub beta: f64,
            pub recession: (f64, f64),
            pub percolation: f64,
        }

        #[derive(Debug, Clone, Copy, Default)]
        pub struct Stores {
            snow: f64,
            soil: f64,
            upper: f64,
            lower: f64,
        }

        impl Stores {
            fn melt(&mut self, p: &Params, f: &Forcing) -> f64 {
                if f.temperature < p.threshold {
                    self.snow += f.rain;
                    0.0
                } else {
                    let melt = (p.degree_day * (f.temperature - p.threshold)).min(self.snow);
                    self.snow -= melt;
                    melt + f.rain
                }
            }

            fn infiltrate(&mut self, p: &Params, water: f64, evaporation: f64) -> f64 {
                let wetness = (self.soil / p.field_capacity).clamp(1e-6, 1.0);
                let recharge = water * wetness.powf(p.beta);
                self.soil += water - recharge;
                let et = evaporation * wetness;
                self.soil = (self.soil - et).max(0.0);
                recharge
            }

            fn discharge(&mut self, p: &Params, recharge: f64) -> f64 {
                self.upper += recharge;
                let perc = p.percolation.min(self.upper);
                self.upper -= perc;
                self.lower += perc;
                let (fast, slow) = p.recession;
                let q1 = fast * self.upper;
                let q2 = slow * self.lower;
                self.upper -= q1;
                self.lower -= q2;
                q1 + q2
            }
        }

        pub fn nash_sutcliffe(
            p: &Params,
            #[constant] forcing: &[Forcing],
            #[constant] observed: &[f64],
        ) -> f64 {
            let mut stores = Stores {
                soil: 0.5 * p.field_capacity,
                ..Default::default()
            };
            let simulated: Vec<f64> = forcing
                .iter()
                .map(|f| {
                    let water = stores.melt(p, f);
                    let recharge = stores.infiltrate(p, water, f.evaporation);
                    stores.discharge(p, recharge)
                })
                .collect();
            let mean = observed.iter().sum::<f64>() / observed.len() as f64;
            let sse: f64 = simulated
                .iter()
                .zip(observed)
                .map(|(s, o)| (s - o).powi(2))
                .sum();
            let sst: f64 = observed.iter().map(|o| (o - mean).powi(2)).sum();
            1.0 - sse / sst
        }
    }

    #[test]
    fn reservoir() {
        use hydro::{Forcing, Params, nash_sutcliffe};
        let day = |rain, temperature, evaporation| Forcing {
            rain,
            temperature,
            evaporation,
        };
        let forcing = [
            day(4.0, -2.0, 0.1),
            day(3.0, 2.5, 0.4),
            day(8.0, 5.0, 0.9),
            day(0.5, 7.0, 1.3),
            day(2.0, 6.0, 1.0),
        ];
        let observed = [0.9, 1.1, 2.2, 1.7, 1.3];
        let make = |q: &[f64; 7]| Params {
            degree_day: q[0],
            threshold: q[1],
            field_capacity: q[2],
            beta: q[3],
            recession: (q[4], q[5]),
            percolation: q[6],
        };
        let list = |p: &Params| {
            vec![
                p.degree_day,
                p.threshold,
                p.field_capacity,
                p.beta,
                p.recession.0,
                p.recession.1,
                p.percolation,
            ]
        };
        let call = |p: &Params| nash_sutcliffe(p, &forcing, &observed);
        made!(
            nash_sutcliffe::AD.with(&forcing, &observed),
            call,
            make,
            list,
            &[0.7, 0.3, 20.0, 1.8, 0.3, 0.05, 0.2]
        );
    }
}
