//! Neural networks. Refused: each with what the compiler says.

// E0277 `Layer` is not a differentiable type
// E0080 [DI0409] `i` is constant here, and becomes part of what is differentiated
/// Two dense layers as structs, built from a flat vector of parameters.
mod mlp_structs {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        #[derive(Clone, Debug)]
        struct Layer {
            w: Vec<Vec<f64>>,
            b: Vec<f64>,
        }

        impl Layer {
            fn from_params(p: &[f64], inputs: usize, outputs: usize) -> Layer {
                let mut w = Vec::new();
                for o in 0..outputs {
                    w.push(p[o * inputs..(o + 1) * inputs].to_vec());
                }
                let b = p[inputs * outputs..inputs * outputs + outputs].to_vec();
                Layer { w, b }
            }

            fn forward(&self, x: &[f64]) -> Vec<f64> {
                let mut y = self.b.clone();
                for (i, row) in self.w.iter().enumerate() {
                    for (wij, xj) in row.iter().zip(x) {
                        y[i] += wij * xj;
                    }
                }
                y
            }
        }

        fn tanh_all(v: Vec<f64>) -> Vec<f64> {
            v.into_iter().map(|z| z.tanh()).collect()
        }

        pub fn loss(p: &[f64], #[constant] inputs: &[Vec<f64>], #[constant] targets: &[f64]) -> f64 {
            let hidden = Layer::from_params(&p[..9], 2, 3);
            let output = Layer::from_params(&p[9..], 3, 1);
            let mut total = 0.0;
            for (x, t) in inputs.iter().zip(targets) {
                let y = output.forward(&tanh_all(hidden.forward(x)));
                total += (y[0] - t).powi(2);
            }
            total / inputs.len() as f64
        }
    }

    #[test]
    fn mlp_structs() {
        let inputs = vec![vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
        let p = [0.5, -0.3, 0.8, 0.2, -0.6, 0.4, 0.1, 0.0, -0.1, 0.7, -0.5, 0.9, 0.05];
        scalar!(model::loss, (&inputs, &[1.0, 1.0, 0.0]), &p);
    }
}
