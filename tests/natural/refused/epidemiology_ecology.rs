//! Epidemiology and ecology. Refused: each with what the compiler says.

// E0277 `Community` is not a differentiable type
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
                Community { growth, interaction }
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
        let x = [1.0, 0.8, 0.9, -1.0, -0.3, -0.2, -0.4, -0.9, -0.1, -0.2, -0.5, -1.1];
        vector!(community::abundances, (3, 8), &x);
        scalar!(community::shannon, (3), &x);
    }
}
