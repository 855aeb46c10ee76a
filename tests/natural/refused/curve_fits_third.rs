//! Curve fits: programs of a third collection. Refused: each with what the compiler says, and the cure.

// [DI0111] `Option<f64>` as a parameter is not supported
// Pass a number and a bool, or the whole run as a constant.
/// Enzyme kinetics fitted to experiments.
mod enzyme_kinetics {
    use di::prelude::*;

    #[derive(Debug, Clone)]
    struct Experiment {
        substrate: Vec<f64>,
        rate: Vec<f64>,
        inhibitor: Option<f64>,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Kinetics {
        vmax: f64,
        km: f64,
        ki: f64,
        hill: f64,
    }

    #[differentiable]
    impl Kinetics {
        fn rate(&self, s: f64, inhibitor: Option<f64>) -> f64 {
            let km = match inhibitor {
                Some(i) if i > 0.0 => self.km * (1.0 + i / self.ki),
                _ => self.km,
            };
            let sn = s.powf(self.hill);
            self.vmax * sn / (km.powf(self.hill) + sn)
        }

        fn sse(&self, #[constant] runs: &[Experiment]) -> f64 {
            let mut total = 0.0;
            for run in runs {
                for (&s, &v) in run.substrate.iter().zip(run.rate.iter()) {
                    let r = self.rate(s, run.inhibitor) - v;
                    total += r.powi(2);
                }
            }
            total
        }
    }

    #[test]
    fn enzyme_kinetics() {
        let runs = vec![
            Experiment {
                substrate: vec![0.5, 1.0, 2.0],
                rate: vec![0.4, 0.7, 0.9],
                inhibitor: None,
            },
            Experiment {
                substrate: vec![0.5, 2.0],
                rate: vec![0.2, 0.6],
                inhibitor: Some(1.5),
            },
        ];
        let make = |q: &[f64; 4]| Kinetics {
            vmax: q[0],
            km: q[1],
            ki: q[2],
            hill: q[3],
        };
        let list = |k: &Kinetics| vec![k.vmax, k.km, k.ki, k.hill];
        crate::check::made!(
            Kinetics::sse_ad.with(&runs),
            |k: &Kinetics| k.sse(&runs),
            make,
            list,
            &[1.3, 0.8, 1.1, 1.4]
        );
    }
}
