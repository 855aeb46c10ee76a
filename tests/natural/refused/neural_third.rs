//! Neural: programs of a third collection. Refused: each with what the compiler says, and the cure.

// [DI0407] a value of this struct is made, changed or copied, but a field has a size that is known only when the program runs
// Hold the layers in a slice: `layers: &[Layer]`.
/// A network as a list of layers.
mod list_of_layers {
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    enum Activation {
        Tanh,
        Relu,
        Linear,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Layer {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Mlp {
        layers: Vec<Layer>,
    }

    #[differentiable]
    impl Layer {
        fn forward(&self, input: &[f64], #[constant] act: Activation) -> Vec<f64> {
            self.weights
                .iter()
                .zip(&self.bias)
                .map(|(row, b)| {
                    let z = row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + b;
                    match act {
                        Activation::Tanh => z.tanh(),
                        Activation::Relu => z.max(0.0),
                        Activation::Linear => z,
                    }
                })
                .collect()
        }
    }

    #[differentiable]
    impl Mlp {
        fn predict(&self, x: &[f64]) -> f64 {
            let mut h = x.to_vec();
            let last = self.layers.len() - 1;
            for (i, layer) in self.layers.iter().enumerate() {
                let act = if i == last {
                    Activation::Linear
                } else if i == 0 {
                    Activation::Tanh
                } else {
                    Activation::Relu
                };
                h = layer.forward(&h, act);
            }
            h[0]
        }

        fn mse(&self, #[constant] xs: &[[f64; 2]], #[constant] ys: &[f64]) -> f64 {
            let mut sum = 0.0;
            for (x, y) in xs.iter().zip(ys) {
                sum += (self.predict(x) - y).powi(2);
            }
            sum / ys.len() as f64
        }
    }

    #[test]
    fn list_of_layers() {
        let xs = [[0.2, 0.5], [-0.4, 0.9]];
        let ys = [0.7, -0.1];
        let make = |q: &Vec<f64>| Mlp {
            layers: vec![
                Layer {
                    weights: vec![q[0..2].to_vec(), q[2..4].to_vec()],
                    bias: q[4..6].to_vec(),
                },
                Layer {
                    weights: vec![q[6..8].to_vec(), q[8..10].to_vec()],
                    bias: q[10..12].to_vec(),
                },
                Layer {
                    weights: vec![q[12..14].to_vec()],
                    bias: vec![q[14]],
                },
            ],
        };
        let list = |m: &Mlp| -> Vec<f64> {
            m.layers
                .iter()
                .flat_map(|l| l.weights.iter().flatten().chain(&l.bias).copied())
                .collect()
        };
        let q: Vec<f64> = (0..15).map(|i| 0.4 + 0.3 * (i as f64).sin()).collect();
        crate::check::made!(
            Mlp::mse_ad.with(&xs, &ys),
            |m: &Mlp| m.mse(&xs, &ys),
            make,
            list,
            &q
        );
    }
}
