//! Epidemiology and ecology.

/// SEIR with a struct of compartments, fitted to weekly counts.
mod seir_fit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        #[derive(Clone, Copy, Debug)]
        struct Seir {
            s: f64,
            e: f64,
            i: f64,
            r: f64,
        }

        impl Seir {
            fn derivative(&self, beta: f64, sigma: f64, gamma: f64) -> Seir {
                let n = self.s + self.e + self.i + self.r;
                let infection = beta * self.s * self.i / n;
                Seir {
                    s: -infection,
                    e: infection - sigma * self.e,
                    i: sigma * self.e - gamma * self.i,
                    r: gamma * self.i,
                }
            }

            fn plus(&self, d: &Seir, h: f64) -> Seir {
                Seir {
                    s: self.s + h * d.s,
                    e: self.e + h * d.e,
                    i: self.i + h * d.i,
                    r: self.r + h * d.r,
                }
            }
        }

        pub fn misfit(x: &[f64], #[constant] cases: &[f64]) -> f64 {
            let (beta, sigma, gamma) = (x[0], x[1], x[2]);
            let mut state = Seir {
                s: 1.0 - x[3],
                e: 0.0,
                i: x[3],
                r: 0.0,
            };
            let mut sum = 0.0;
            for observed in cases {
                for _day in 0..7 {
                    let k1 = state.derivative(beta, sigma, gamma);
                    let k2 = state.plus(&k1, 0.25).derivative(beta, sigma, gamma);
                    state = state.plus(&k2, 0.5);
                }
                sum += (10.0 * state.i - observed).powi(2);
            }
            sum
        }
    }

    #[test]
    fn seir_fit() {
        scalar!(
            system::misfit,
            (&[0.5, 1.2, 1.5, 0.9]),
            &[1.2, 0.6, 0.4, 0.1]
        );
    }
}

/// Age-structured contact matrix, next generation matrix and R0 by power iteration.
mod next_generation {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const GROUPS: usize = 3;
    static CONTACTS: [[f64; GROUPS]; GROUPS] = [[1.8, 0.6, 0.2], [0.6, 1.2, 0.4], [0.2, 0.4, 0.8]];

    #[differentiable]
    fn ngm(susceptibility: &[f64], recovery: f64) -> [[f64; GROUPS]; GROUPS] {
        let mut k = [[0.0; GROUPS]; GROUPS];
        for i in 0..GROUPS {
            for j in 0..GROUPS {
                k[i][j] = susceptibility[i] * CONTACTS[i][j] / recovery;
            }
        }
        k
    }

    #[differentiable]
    pub fn r0(x: &[f64]) -> f64 {
        let k = ngm(&x[..GROUPS], x[GROUPS]);
        let mut v = [1.0; GROUPS];
        let mut eigenvalue = 0.0;
        for _ in 0..60 {
            let mut w = [0.0; GROUPS];
            for i in 0..GROUPS {
                w[i] = k[i].iter().zip(v.iter()).map(|(a, b)| a * b).sum();
            }
            eigenvalue = w.iter().sum::<f64>() / v.iter().sum::<f64>();
            let norm = w.iter().map(|a| a * a).sum::<f64>().sqrt();
            for (vi, wi) in v.iter_mut().zip(w) {
                *vi = wi / norm;
            }
        }
        eigenvalue
    }

    #[test]
    fn next_generation() {
        scalar!(r0, (), &[0.5, 0.8, 1.1, 0.7]);
    }
}

/// Renewal equation with a discretised generation interval.
mod renewal_equation {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn generation_interval(mean: f64, sd: f64, length: usize) -> Vec<f64> {
        let shape = (mean / sd).powi(2);
        let rate = mean / (sd * sd);
        let w: Vec<f64> = (1..=length)
            .map(|k| {
                let t = k as f64;
                t.powf(shape - 1.0) * (-rate * t).exp()
            })
            .collect();
        let total = w.iter().sum::<f64>();
        w.into_iter().map(|v| v / total).collect()
    }

    #[differentiable]
    pub fn incidence(x: &[f64], days: usize) -> Vec<f64> {
        let w = generation_interval(x[0], x[1], 5);
        let (r_start, r_end) = (x[2], x[3]);
        let mut cases = vec![1.0];
        for t in 1..days {
            let frac = t as f64 / days as f64;
            let r = r_start * (1.0 - frac) + r_end * frac;
            let pressure: f64 = w
                .iter()
                .zip(cases.iter().rev())
                .map(|(wi, ci)| wi * ci)
                .sum();
            cases.push(r * pressure);
        }
        cases
    }

    #[test]
    fn renewal_equation() {
        vector!(incidence, (9), &[2.4, 1.1, 1.8, 0.7]);
    }
}

/// Generalised Lotka-Volterra with many species, inline module and interaction matrix.
mod generalised_lotka_volterra {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod community {
        #[derive(Clone, Debug)]
        pub struct Community {
            growth: Vec<f64>,
            interaction: Vec<Vec<f64>>,
        }

        impl Community {
            fn parse(x: &[f64], n: usize) -> Community {
                let growth = x[..n].to_vec();
                let interaction = x[n..].chunks(n).map(|r| r.to_vec()).collect();
                Community {
                    growth,
                    interaction,
                }
            }

            fn per_capita(&self, abundance: &[f64]) -> Vec<f64> {
                self.growth
                    .iter()
                    .zip(&self.interaction)
                    .map(|(r, row)| r + row.iter().zip(abundance).map(|(a, n)| a * n).sum::<f64>())
                    .collect()
            }
        }

        pub fn abundances(x: &[f64], species: usize, steps: usize) -> Vec<f64> {
            let c = Community::parse(x, species);
            let mut n = vec![0.5; species];
            for _ in 0..steps {
                let g = c.per_capita(&n);
                for (ni, gi) in n.iter_mut().zip(&g) {
                    *ni *= (0.1 * gi).exp();
                }
            }
            n
        }

        pub fn shannon(x: &[f64], species: usize) -> f64 {
            let n = abundances(x, species, 12);
            let total: f64 = n.iter().sum();
            -n.iter().map(|a| a / total).map(|p| p * p.ln()).sum::<f64>()
        }
    }

    #[test]
    fn generalised_lotka_volterra() {
        let x = [
            1.0, 0.8, 0.9, -1.0, -0.3, -0.2, -0.4, -0.9, -0.1, -0.2, -0.5, -1.1,
        ];
        vector!(community::abundances, (3, 8), &x);
        scalar!(community::shannon, (3), &x);
    }
}
