//! Enums, options and texts in the fields of structs: programs annotated function by function.

/// Binomial tree for American and European options.
mod binomial_tree {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Style {
        European,
        American,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Right {
        Call,
        Put,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Contract {
        strike: f64,
        expiry: f64,
        style: Style,
        right: Right,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Market {
        spot: f64,
        rate: f64,
        vol: f64,
    }

    #[differentiable]
    impl Contract {
        fn payoff(&self, s: f64) -> f64 {
            match self.right {
                Right::Call => (s - self.strike).max(0.0),
                Right::Put => (self.strike - s).max(0.0),
            }
        }

        fn shifted(&self, by: f64) -> Contract {
            Contract {
                strike: self.strike + by,
                ..self.clone()
            }
        }
    }

    #[differentiable]
    fn price(m: &Market, c: &Contract, steps: usize) -> f64 {
        let dt = c.expiry / steps as f64;
        let u = (m.vol * dt.sqrt()).exp();
        let d = 1.0 / u;
        let p = ((m.rate * dt).exp() - d) / (u - d);
        let disc = (-m.rate * dt).exp();
        let mut values: Vec<f64> = (0..=steps)
            .map(|i| c.payoff(m.spot * u.powi(2 * i as i32 - steps as i32)))
            .collect();
        for step in (0..steps).rev() {
            for i in 0..=step {
                let hold = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
                values[i] = if c.style == Style::American {
                    let s = m.spot * u.powi(2 * i as i32 - step as i32);
                    hold.max(c.payoff(s))
                } else {
                    hold
                };
            }
        }
        values[0]
    }

    #[differentiable]
    fn spread(m: &Market, #[constant] c: &Contract, #[constant] width: f64, steps: usize) -> f64 {
        price(m, c, steps) - price(m, &c.shifted(width), steps)
    }

    #[test]
    fn binomial_tree() {
        let c = Contract {
            strike: 101.3,
            expiry: 0.7,
            style: Style::European,
            right: Right::Put,
        };
        crate::check::made!(
            spread::AD.with(&c, 10.0, 12),
            |m: &Market| spread(m, &c, 10.0, 12),
            |q: &[f64; 3]| Market {
                spot: q[0],
                rate: q[1],
                vol: q[2]
            },
            |m: &Market| vec![m.spot, m.rate, m.vol],
            &[100.0, 0.032, 0.25]
        );
    }
}

/// Bootstrapping a yield curve and valuing a portfolio of swaps on it.
mod yield_curve {
    use di::prelude::*;
    #[derive(Debug, Clone)]
    pub enum Interpolation {
        Linear,
        LogLinear,
    }

    #[derive(Debug, Clone, Differentiable)]
    pub struct Curve {
        times: Vec<f64>,
        zeros: Vec<f64>,
        interpolation: Interpolation,
    }

    #[derive(Debug, Clone)]
    pub struct Swap {
        name: String,
        notional: f64,
        fixed: f64,
        maturity: u32,
        frequency: u32,
        pays_fixed: bool,
    }

    #[differentiable]
    impl Curve {
        fn new(times: &[f64], zeros: &[f64], interpolation: Interpolation) -> Self {
            Self {
                times: times.to_vec(),
                zeros: zeros.to_vec(),
                interpolation,
            }
        }

        fn zero(&self, t: f64) -> f64 {
            if t <= self.times[0] {
                return self.zeros[0];
            }
            for i in 1..self.times.len() {
                if t <= self.times[i] {
                    let w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1]);
                    let (a, b) = (self.zeros[i - 1], self.zeros[i]);
                    return match self.interpolation {
                        Interpolation::Linear => a + w * (b - a),
                        Interpolation::LogLinear => (a.ln() * (1.0 - w) + b.ln() * w).exp(),
                    };
                }
            }
            *self.zeros.last().unwrap()
        }

        fn discount(&self, t: f64) -> f64 {
            (-self.zero(t) * t).exp()
        }

        fn forward(&self, a: f64, b: f64) -> f64 {
            (self.discount(a) / self.discount(b) - 1.0) / (b - a)
        }
    }

    #[differentiable]
    fn value(swap: &Swap, curve: &Curve) -> f64 {
        let dt = 1.0 / swap.frequency as f64;
        let n = swap.maturity * swap.frequency;
        let fixed: f64 = (1..=n)
            .map(|i| swap.fixed * dt * curve.discount(i as f64 * dt))
            .sum();
        let floating: f64 = (1..=n)
            .map(|i| {
                let (a, b) = ((i - 1) as f64 * dt, i as f64 * dt);
                curve.forward(a, b) * dt * curve.discount(b)
            })
            .sum();
        let sign = if swap.pays_fixed { 1.0 } else { -1.0 };
        sign * swap.notional * (floating - fixed)
    }

    #[differentiable]
    fn portfolio(zeros: &[f64], #[constant] times: &[f64], #[constant] swaps: &[Swap]) -> f64 {
        let curve = Curve::new(times, zeros, Interpolation::LogLinear);
        swaps
            .iter()
            .filter(|s| !s.name.is_empty())
            .map(|s| value(s, &curve))
            .sum()
    }

    #[test]
    fn yield_curve() {
        let swaps = vec![
            Swap {
                name: "A".to_string(),
                notional: 1.0,
                fixed: 0.03,
                maturity: 2,
                frequency: 2,
                pays_fixed: true,
            },
            Swap {
                name: "B".into(),
                notional: 2.5,
                fixed: 0.025,
                maturity: 3,
                frequency: 1,
                pays_fixed: false,
            },
        ];
        crate::check::scalar!(
            portfolio,
            (&[0.5, 1.0, 2.0, 3.0], &swaps),
            &vec![0.02, 0.025, 0.03, 0.033]
        );
    }
}

/// A neural network of structs with a choice of activation.
mod network_of_layers {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Activation {
        Linear,
        Tanh,
        Relu,
        Sigmoid,
        Elu(f64),
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Layer {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
        #[constant]
        activation: Activation,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Network {
        name: String,
        layers: Vec<Layer>,
    }

    #[differentiable]
    fn activate(a: Activation, x: f64) -> f64 {
        match a {
            Activation::Linear => x,
            Activation::Tanh => x.tanh(),
            Activation::Relu => x.max(0.0),
            Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Activation::Elu(alpha) => {
                if x > 0.0 {
                    x
                } else {
                    alpha * x.exp_m1()
                }
            }
        }
    }

    #[differentiable]
    impl Layer {
        fn forward(&self, input: &[f64]) -> Vec<f64> {
            self.weights
                .iter()
                .zip(&self.bias)
                .map(|(row, b)| {
                    let z = row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + b;
                    activate(self.activation, z)
                })
                .collect()
        }

        fn penalty(&self) -> f64 {
            self.weights.iter().flatten().map(|w| w * w).sum()
        }
    }

    #[differentiable]
    impl Network {
        fn predict(&self, input: &[f64]) -> Vec<f64> {
            let mut x = input.to_vec();
            for layer in &self.layers {
                x = layer.forward(&x);
            }
            x
        }

        fn loss(
            &self,
            #[constant] samples: &[(Vec<f64>, Vec<f64>)],
            #[constant] decay: f64,
        ) -> f64 {
            let mut loss = 0.0;
            for (input, target) in samples {
                let y = self.predict(input);
                loss += y
                    .iter()
                    .zip(target)
                    .map(|(y, t)| (y - t).powi(2))
                    .sum::<f64>();
            }
            loss / samples.len() as f64
                + decay * self.layers.iter().map(|l| l.penalty()).sum::<f64>()
        }
    }

    fn make(q: &Vec<f64>) -> Network {
        Network {
            name: "net".to_string(),
            layers: vec![
                Layer {
                    weights: vec![vec![q[0], q[1]], vec![q[2], q[3]]],
                    bias: vec![q[4], q[5]],
                    activation: Activation::Tanh,
                },
                Layer {
                    weights: vec![vec![q[6], q[7]]],
                    bias: vec![q[8]],
                    activation: Activation::Elu(0.7),
                },
            ],
        }
    }

    fn list(n: &Network) -> Vec<f64> {
        n.layers
            .iter()
            .flat_map(|l| {
                l.weights
                    .iter()
                    .flatten()
                    .chain(&l.bias)
                    .copied()
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn network_of_layers() {
        let samples = vec![(vec![0.3, -0.2], vec![0.5]), (vec![0.9, 0.4], vec![-0.3])];
        crate::check::made!(
            Network::loss_ad.with(&samples, 0.1),
            |n: &Network| n.loss(&samples, 0.1),
            make,
            list,
            &vec![0.3, -0.5, 0.2, 0.8, 0.1, -0.1, 0.6, -0.7, 0.05]
        );
    }
}

/// GARCH and stochastic volatility for several assets, with a portfolio.
mod garch {
    use di::prelude::*;
    #[derive(Clone, Debug)]
    struct Series {
        ticker: String,
        returns: Vec<f64>,
        start: usize,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Innovation {
        Normal,
        Student { dof: u32 },
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Garch {
        omega: f64,
        alpha: f64,
        beta: f64,
        innovation: Innovation,
    }

    #[differentiable]
    impl Garch {
        fn from_raw(raw: &[f64], innovation: Innovation) -> Garch {
            let s = |x: f64| 1.0 / (1.0 + (-x).exp());
            let persistence = s(raw[1]);
            let share = s(raw[2]);
            Garch {
                omega: raw[0].exp(),
                alpha: persistence * share,
                beta: persistence * (1.0 - share),
                innovation,
            }
        }

        fn variances(&self, r: &[f64]) -> Vec<f64> {
            let mut v = self.omega / (1.0 - self.alpha - self.beta);
            r.iter()
                .map(|x| {
                    let now = v;
                    v = self.omega + self.alpha * x * x + self.beta * v;
                    now
                })
                .collect()
        }

        fn density(&self, x: f64, v: f64) -> f64 {
            match self.innovation {
                Innovation::Normal => -0.5 * (v.ln() + x * x / v),
                Innovation::Student { dof } => {
                    let nu = dof as f64;
                    -0.5 * v.ln() - 0.5 * (nu + 1.0) * (1.0 + x * x / (v * (nu - 2.0))).ln()
                }
            }
        }

        fn log_likelihood(&self, series: &Series) -> f64 {
            let r = &series.returns[series.start..];
            let v = self.variances(r);
            r.iter().zip(v).map(|(x, v)| self.density(*x, v)).sum()
        }
    }

    #[differentiable]
    fn total(
        raw: &[f64],
        #[constant] series: &[Series],
        #[constant] innovation: Innovation,
    ) -> f64 {
        let mut sum = 0.0;
        for (i, s) in series.iter().enumerate() {
            if s.ticker.starts_with('_') {
                continue;
            }
            let model = Garch::from_raw(&raw[3 * i..3 * i + 3], innovation);
            sum += model.log_likelihood(s);
        }
        -sum
    }

    #[test]
    fn garch() {
        let series = vec![
            Series {
                ticker: "ABC".into(),
                returns: vec![0.1, -0.3, 0.2, 0.5],
                start: 1,
            },
            Series {
                ticker: "XYZ".into(),
                returns: vec![-0.4, 0.1, 0.3],
                start: 0,
            },
        ];
        crate::check::scalar!(
            total,
            (&series, Innovation::Student { dof: 5 }),
            &[-1.0, 1.0, -0.5, -2.0, 0.5, 0.2]
        );
    }
}
