//! Programs annotated function by function, a second collection.

/// A natural cubic spline through knots whose values are fitted.
mod spline {
    use di::prelude::*;
    #[derive(Clone, Debug, Differentiable)]
    pub struct Spline {
        knots: Vec<f64>,
        a: Vec<f64>,
        b: Vec<f64>,
        c: Vec<f64>,
        d: Vec<f64>,
    }

    #[differentiable]
    impl Spline {
        pub fn fit(knots: &[f64], values: &[f64]) -> Spline {
            let n = knots.len() - 1;
            let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
            let mut alpha = vec![0.0; n];
            for i in 1..n {
                alpha[i] = 3.0 / h[i] * (values[i + 1] - values[i])
                    - 3.0 / h[i - 1] * (values[i] - values[i - 1]);
            }
            let mut l = vec![1.0; n + 1];
            let mut mu = vec![0.0; n + 1];
            let mut z = vec![0.0; n + 1];
            for i in 1..n {
                l[i] = 2.0 * (knots[i + 1] - knots[i - 1]) - h[i - 1] * mu[i - 1];
                mu[i] = h[i] / l[i];
                z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / l[i];
            }
            let (mut b, mut c, mut d) = (vec![0.0; n], vec![0.0; n + 1], vec![0.0; n]);
            for j in (0..n).rev() {
                c[j] = z[j] - mu[j] * c[j + 1];
                b[j] = (values[j + 1] - values[j]) / h[j] - h[j] * (c[j + 1] + 2.0 * c[j]) / 3.0;
                d[j] = (c[j + 1] - c[j]) / (3.0 * h[j]);
            }
            Spline {
                knots: knots.to_vec(),
                a: values.to_vec(),
                b,
                c,
                d,
            }
        }

        fn interval(&self, x: f64) -> usize {
            let n = self.knots.len();
            match self.knots.iter().position(|k| *k > x) {
                Some(0) => 0,
                Some(i) => i - 1,
                None => n - 2,
            }
        }

        pub fn eval(&self, x: f64) -> f64 {
            let i = self.interval(x);
            let t = x - self.knots[i];
            self.a[i] + t * (self.b[i] + t * (self.c[i] + t * self.d[i]))
        }

        pub fn bending(&self) -> f64 {
            let mut e = 0.0;
            for (i, w) in self.knots.windows(2).enumerate() {
                let h = w[1] - w[0];
                let (p, q) = (2.0 * self.c[i], 2.0 * self.c[i] + 6.0 * self.d[i] * h);
                e += h / 3.0 * (p * p + p * q + q * q);
            }
            e
        }
    }

    #[differentiable]
    pub fn penalised(
        values: &[f64],
        #[constant] knots: &[f64],
        #[constant] data: &[(f64, f64, Option<f64>)],
        #[constant] lambda: f64,
    ) -> f64 {
        let spline = Spline::fit(knots, values);
        let fit: f64 = data
            .iter()
            .map(|&(x, y, weight)| weight.unwrap_or(1.0) * (spline.eval(x) - y).powi(2))
            .sum();
        fit + lambda * spline.bending()
    }

    #[test]
    fn spline() {
        let data = vec![
            (0.2, 0.5, None),
            (0.9, 0.1, Some(2.0)),
            (1.4, -0.3, None),
            (2.6, 0.4, Some(0.5)),
        ];
        crate::check::scalar!(
            penalised,
            (&[0.0, 0.7, 1.5, 2.2, 3.0], &data, 0.01),
            &vec![0.1, 0.4, -0.2, 0.3, 0.6]
        );
    }
}

/// A reaction network read from data, with mass action kinetics.
mod reactions {
    use di::prelude::*;
    #[derive(Debug, Clone, PartialEq)]
    pub enum RateLaw {
        MassAction,
        MichaelisMenten { substrate: usize, km: f64 },
        Hill { regulator: usize, n: i32 },
    }

    #[derive(Debug, Clone)]
    pub struct Reaction {
        pub name: String,
        pub reactants: Vec<(usize, u32)>,
        pub products: Vec<(usize, u32)>,
        pub law: RateLaw,
        pub rate_index: usize,
    }

    #[derive(Debug, Clone)]
    pub struct Network {
        species: Vec<String>,
        reactions: Vec<Reaction>,
    }

    impl Network {
        fn len(&self) -> usize {
            self.species.len()
        }
        fn index(&self, name: &str) -> Option<usize> {
            self.species.iter().position(|s| s == name)
        }
    }

    #[differentiable]
    fn rate(reaction: &Reaction, c: &[f64], k: &[f64]) -> f64 {
        let k = k[reaction.rate_index];
        match &reaction.law {
            RateLaw::MassAction => {
                let mut r = k;
                for (species, order) in &reaction.reactants {
                    r *= c[*species].powi(*order as i32);
                }
                r
            }
            RateLaw::MichaelisMenten { substrate, km } => k * c[*substrate] / (km + c[*substrate]),
            RateLaw::Hill { regulator, n } => {
                let x = c[*regulator].powi(*n);
                k * x / (1.0 + x)
            }
        }
    }

    #[differentiable]
    fn derivatives(c: &[f64], k: &[f64], net: &Network) -> Vec<f64> {
        let mut dc = vec![0.0; net.len()];
        for reaction in &net.reactions {
            let r = rate(reaction, c, k);
            for &(s, n) in &reaction.reactants {
                dc[s] -= n as f64 * r;
            }
            for &(s, n) in &reaction.products {
                dc[s] += n as f64 * r;
            }
        }
        dc
    }

    #[differentiable]
    fn misfit(
        log_k: &[f64],
        #[constant] net: &Network,
        #[constant] c0: &[f64],
        #[constant] observed: &str,
        #[constant] data: &[f64],
    ) -> f64 {
        let k: Vec<f64> = log_k.iter().map(|v| v.exp()).collect();
        let which = net.index(observed).expect("a species");
        let mut c = c0.to_vec();
        let h = 0.05;
        let mut sum = 0.0;
        for d in data {
            let k1 = derivatives(&c, &k, net);
            let mid: Vec<f64> = c.iter().zip(&k1).map(|(c, k)| c + 0.5 * h * k).collect();
            let k2 = derivatives(&mid, &k, net);
            c.iter_mut().zip(k2.iter()).for_each(|(c, k)| *c += h * k);
            sum += (c[which] - d).powi(2);
        }
        sum
    }

    #[test]
    fn reactions() {
        let net = Network {
            species: vec!["A".into(), "B".into(), "C".into()],
            reactions: vec![
                Reaction {
                    name: "bind".into(),
                    reactants: vec![(0, 2)],
                    products: vec![(1, 1)],
                    law: RateLaw::MassAction,
                    rate_index: 0,
                },
                Reaction {
                    name: "convert".into(),
                    reactants: vec![(1, 1)],
                    products: vec![(2, 1)],
                    law: RateLaw::MichaelisMenten {
                        substrate: 1,
                        km: 0.5,
                    },
                    rate_index: 1,
                },
                Reaction {
                    name: "make".into(),
                    reactants: vec![],
                    products: vec![(0, 1)],
                    law: RateLaw::Hill { regulator: 2, n: 2 },
                    rate_index: 2,
                },
            ],
        };
        crate::check::scalar!(
            misfit,
            (&net, &[1.0, 0.3, 0.2], "B", &[0.4, 0.5, 0.5]),
            &vec![0.1, -0.2, 0.3]
        );
    }
}

/// Two-body orbit determination: Kepler's equation and range observations.
mod orbit {
    use di::prelude::*;
    use std::f64::consts::PI;

    const MU: f64 = 1.0;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Elements {
        a: f64,
        e: f64,
        i: f64,
        node: f64,
        peri: f64,
        m0: f64,
    }

    pub struct Station {
        name: &'static str,
        position: (f64, f64, f64),
    }

    pub struct Observation {
        station: usize,
        time: f64,
        range: f64,
        sigma: Option<f64>,
    }

    #[differentiable]
    fn eccentric_anomaly(m: f64, e: f64) -> f64 {
        let mut ea = if e < 0.8 { m } else { PI };
        let mut count = 0;
        loop {
            let f = ea - e * ea.sin() - m;
            let step = f / (1.0 - e * ea.cos());
            ea -= step;
            count += 1;
            if step.abs() < 1e-13 || count == 20 {
                break;
            }
        }
        ea
    }

    #[differentiable]
    impl Elements {
        fn position(&self, t: f64) -> (f64, f64, f64) {
            let n = (MU / self.a.powi(3)).sqrt();
            let ea = eccentric_anomaly(self.m0 + n * t, self.e);
            let x = self.a * (ea.cos() - self.e);
            let y = self.a * (1.0 - self.e * self.e).sqrt() * ea.sin();
            let (sw, cw) = self.peri.sin_cos();
            let (so, co) = self.node.sin_cos();
            let (si, ci) = self.i.sin_cos();
            let (u, v) = (cw * x - sw * y, sw * x + cw * y);
            (co * u - so * ci * v, so * u + co * ci * v, si * v)
        }
    }

    #[differentiable]
    fn chi_square(
        el: &Elements,
        #[constant] stations: &[Station],
        #[constant] observations: &[Observation],
    ) -> f64 {
        observations
            .iter()
            .map(|o| {
                let (x, y, z) = el.position(o.time);
                let (sx, sy, sz) = stations[o.station].position;
                let range = ((x - sx).powi(2) + (y - sy).powi(2) + (z - sz).powi(2)).sqrt();
                let sigma = o.sigma.unwrap_or(0.1);
                ((range - o.range) / sigma).powi(2)
            })
            .sum()
    }

    #[test]
    fn orbit() {
        let stations = [
            Station {
                name: "A",
                position: (0.1, 0.0, 0.0),
            },
            Station {
                name: "B",
                position: (0.0, 0.2, 0.1),
            },
        ];
        let obs = vec![
            Observation {
                station: 0,
                time: 0.3,
                range: 1.1,
                sigma: None,
            },
            Observation {
                station: 1,
                time: 0.9,
                range: 0.9,
                sigma: Some(0.2),
            },
        ];
        crate::check::made!(
            chi_square::AD.with(&stations, &obs),
            |el: &Elements| chi_square(el, &stations, &obs),
            |q: &[f64; 6]| Elements {
                a: q[0],
                e: q[1],
                i: q[2],
                node: q[3],
                peri: q[4],
                m0: q[5]
            },
            |e: &Elements| vec![e.a, e.e, e.i, e.node, e.peri, e.m0],
            &[1.2, 0.2, 0.4, 0.5, 0.9, 0.3]
        );
    }
}

/// Finite elements for a bar with variable stiffness, and the compliance.
mod bar_elements {
    use di::prelude::*;
    #[derive(Clone, Debug)]
    struct Mesh {
        nodes: Vec<f64>,
        elements: Vec<[usize; 2]>,
        material: Vec<usize>,
        fixed: Vec<(usize, f64)>,
    }

    const GAUSS: [(f64, f64); 2] = [(-0.5773502691896257, 1.0), (0.5773502691896257, 1.0)];

    fn shape(xi: f64) -> [f64; 2] {
        [0.5 * (1.0 - xi), 0.5 * (1.0 + xi)]
    }

    #[differentiable]
    fn element_stiffness(x: [f64; 2], e: f64, slope: f64) -> [[f64; 2]; 2] {
        let length = x[1] - x[0];
        let mut k = [[0.0; 2]; 2];
        for (xi, w) in GAUSS {
            let n = shape(xi);
            let position = n[0] * x[0] + n[1] * x[1];
            let stiffness = e * (1.0 + slope * position);
            let dn = [-1.0 / length, 1.0 / length];
            for a in 0..2 {
                for b in 0..2 {
                    k[a][b] += w * stiffness * dn[a] * dn[b] * length / 2.0;
                }
            }
        }
        k
    }

    #[differentiable]
    fn thomas(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Vec<f64> {
        let n = d.len();
        let mut cp = vec![0.0; n];
        let mut dp = vec![0.0; n];
        cp[0] = c[0] / b[0];
        dp[0] = d[0] / b[0];
        for i in 1..n {
            let m = b[i] - a[i] * cp[i - 1];
            cp[i] = c[i] / m;
            dp[i] = (d[i] - a[i] * dp[i - 1]) / m;
        }
        for i in (0..n - 1).rev() {
            dp[i] -= cp[i] * dp[i + 1];
        }
        dp
    }

    #[differentiable]
    fn compliance(moduli: &[f64], #[constant] mesh: &Mesh, #[constant] load: f64) -> f64 {
        let n = mesh.nodes.len();
        let (mut lower, mut diagonal, mut upper) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut rhs = vec![0.0; n];
        for (element, &m) in mesh.elements.iter().zip(&mesh.material) {
            let [i, j] = *element;
            let x = [mesh.nodes[i], mesh.nodes[j]];
            let k = element_stiffness(x, moduli[m], 0.3);
            diagonal[i] += k[0][0];
            diagonal[j] += k[1][1];
            upper[i] += k[0][1];
            lower[j] += k[1][0];
            let share = load * (x[1] - x[0]) / 2.0;
            rhs[i] += share;
            rhs[j] += share;
        }
        for &(node, value) in &mesh.fixed {
            diagonal[node] = 1.0;
            upper[node] = 0.0;
            lower[node] = 0.0;
            rhs[node] = value;
        }
        let u = thomas(&lower, &diagonal, &upper, &rhs);
        u.iter().zip(rhs.iter()).map(|(u, f)| u * f).sum()
    }

    #[test]
    fn bar_elements() {
        let mesh = Mesh {
            nodes: vec![0.0, 0.5, 0.8, 1.4],
            elements: vec![[0, 1], [1, 2], [2, 3]],
            material: vec![0, 1, 0],
            fixed: vec![(0, 0.0)],
        };
        crate::check::scalar!(compliance, (&mesh, 2.0), &vec![3.0, 1.5]);
    }
}

/// Views of a parameter vector, with lifetimes.
mod views_of_parameters {
    use di::prelude::*;
    #[derive(Clone, Copy, Differentiable)]
    struct Params<'a> {
        weights: &'a [f64],
        bias: &'a [f64],
        inputs: usize,
    }

    #[differentiable]
    impl<'a> Params<'a> {
        fn split(x: &'a [f64], inputs: usize, outputs: usize) -> Params<'a> {
            let (weights, bias) = x.split_at(inputs * outputs);
            Params {
                weights,
                bias,
                inputs,
            }
        }

        fn row(&self, i: usize) -> &'a [f64] {
            &self.weights[i * self.inputs..(i + 1) * self.inputs]
        }

        fn logits(&self, features: &[f64]) -> Vec<f64> {
            (0..self.bias.len())
                .map(|i| {
                    let dot: f64 = self.row(i).iter().zip(features).map(|(w, f)| w * f).sum();
                    dot + self.bias[i]
                })
                .collect()
        }
    }

    struct Sample {
        features: Vec<f64>,
        label: usize,
    }

    #[differentiable]
    fn cross_entropy(logits: &[f64], label: usize) -> f64 {
        let largest = logits.iter().fold(f64::NEG_INFINITY, |m, &l| m.max(l));
        let sum: f64 = logits.iter().map(|l| (l - largest).exp()).sum();
        largest + sum.ln() - logits[label]
    }

    #[differentiable]
    fn loss(x: &[f64], #[constant] samples: &[Sample], classes: usize) -> f64 {
        let inputs = samples[0].features.len();
        let params = Params::split(x, inputs, classes);
        let mut total = 0.0;
        for Sample { features, label } in samples {
            total += cross_entropy(&params.logits(features), *label);
        }
        total / samples.len() as f64
    }

    #[test]
    fn views_of_parameters() {
        let samples = vec![
            Sample {
                features: vec![0.2, 1.0],
                label: 0,
            },
            Sample {
                features: vec![-0.6, 0.3],
                label: 2,
            },
        ];
        crate::check::scalar!(
            loss,
            (&samples, 3),
            &vec![0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.0, 0.1, -0.2]
        );
    }
}
