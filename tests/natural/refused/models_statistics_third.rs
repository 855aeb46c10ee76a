//! Models statistics: programs of a third collection. Refused: each with what the compiler says, and the cure.

// [DI0407] a value of this struct is made, changed or copied, but a field has a size that is known only when the program runs
// Vectors of structs with vectors cannot be made here: keep slices of the parameters.
/// Mixture of Gaussians with diagonal covariances.
mod mixture_of_structs {
    use di::prelude::*;

    #[differentiable]
    mod gmm {
        use std::f64::consts::PI;

        #[derive(Clone, Debug)]
        pub struct Component {
            pub weight: f64,
            pub mean: Vec<f64>,
            pub log_sd: Vec<f64>,
        }

        fn unpack(theta: &[f64], k: usize, d: usize) -> Vec<Component> {
            let stride = 1 + 2 * d;
            (0..k)
                .map(|c| {
                    let part = &theta[c * stride..(c + 1) * stride];
                    Component {
                        weight: part[0],
                        mean: part[1..1 + d].to_vec(),
                        log_sd: part[1 + d..].to_vec(),
                    }
                })
                .collect()
        }

        fn log_density(c: &Component, x: &[f64]) -> f64 {
            let mut q = 0.0;
            for ((xi, m), ls) in x.iter().zip(&c.mean).zip(&c.log_sd) {
                let z = (xi - m) * (-ls).exp();
                q += -0.5 * z * z - ls;
            }
            q - 0.5 * x.len() as f64 * (2.0 * PI).ln()
        }

        fn lse(v: &[f64]) -> f64 {
            let max = v.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            max + v.iter().map(|a| f64::exp(a - max)).sum::<f64>().ln()
        }

        pub fn nll(theta: &[f64], #[constant] k: usize, #[constant] data: &[Vec<f64>]) -> f64 {
            let d = data[0].len();
            let comps = unpack(theta, k, d);
            let logits: Vec<f64> = comps.iter().map(|c| c.weight).collect();
            let norm = lse(&logits);
            let mut total = 0.0;
            for x in data {
                let terms: Vec<f64> = comps
                    .iter()
                    .map(|c| c.weight - norm + log_density(c, x))
                    .collect();
                total -= lse(&terms);
            }
            total
        }
    }

    #[test]
    fn mixture_of_structs() {
        let data = vec![vec![0.1, 0.3], vec![1.2, 0.9], vec![-0.2, 0.4]];
        let theta = vec![0.2, 0.0, 0.2, -0.3, 0.1, -0.4, 1.0, 1.1, 0.2, -0.1];
        crate::check::scalar!(gmm::nll, (2, &data), &theta);
    }
}
