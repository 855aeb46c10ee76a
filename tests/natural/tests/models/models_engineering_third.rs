//! Models engineering: programs of a third collection.

/// pH of a buffer: charge balance solved by Newton's method.
mod buffer_ph {
    use di::prelude::*;

    const KW: f64 = 1e-2;

    #[differentiable]
    fn charge_balance(h: f64, ca: f64, cb: f64, ka: f64) -> f64 {
        h + cb - KW / h - (ca + cb) * ka / (ka + h)
    }

    #[differentiable]
    fn equilibrium(c: &[f64]) -> f64 {
        let (ca, cb, ka) = (c[0], c[1], c[2]);
        let mut h = (ka * ca / cb).max(1e-6);
        let mut iter = 0;
        while charge_balance(h, ca, cb, ka).abs() > 1e-13 && iter < 60 {
            let eps = 1.0 + KW / (h * h) + (ca + cb) * ka / (ka + h).powi(2);
            let step = charge_balance(h, ca, cb, ka) / eps;
            h = if h - step > 0.0 { h - step } else { h / 2.0 };
            iter += 1;
        }
        // one more, for the derivative
        h -= charge_balance(h, ca, cb, ka)
            / (1.0 + KW / (h * h) + (ca + cb) * ka / (ka + h).powi(2));
        -h.log10()
    }

    #[test]
    fn buffer_ph() {
        crate::check::scalar!(equilibrium, (), &vec![0.4, 0.3, 0.15]);
    }
}

/// Flash of a mixture: Antoine's equation and Rachford-Rice.
mod flash {
    use di::prelude::*;

    #[derive(Clone, Copy)]
    struct Component {
        a: f64,
        b: f64,
        c: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Flash {
        temperature: f64,
        pressure: f64,
        z: Vec<f64>,
    }

    #[differentiable]
    impl Flash {
        fn k_values(&self, #[constant] comps: &[Component]) -> Vec<f64> {
            comps
                .iter()
                .map(|c| 10f64.powf(c.a - c.b / (c.c + self.temperature)) / self.pressure)
                .collect()
        }

        fn vapor_fraction(&self, #[constant] comps: &[Component]) -> f64 {
            let k = self.k_values(comps);
            let mut v = 0.5;
            let mut i = 0;
            loop {
                let mut f = 0.0;
                let mut df = 0.0;
                for (zi, ki) in self.z.iter().zip(&k) {
                    let d = 1.0 + v * (ki - 1.0);
                    f += zi * (ki - 1.0) / d;
                    df -= zi * (ki - 1.0).powi(2) / d.powi(2);
                }
                let step = f / df;
                v -= step;
                i += 1;
                if step.abs() < 1e-12 || i > 40 {
                    break v;
                }
            }
        }

        fn liquid(&self, #[constant] comps: &[Component]) -> f64 {
            let v = self.vapor_fraction(comps);
            let k = self.k_values(comps);
            let x: Vec<_> = self
                .z
                .iter()
                .zip(k.iter())
                .map(|(z, k)| z / (1.0 + v * (k - 1.0)))
                .collect();
            x[0] * x[0] + v
        }
    }

    #[test]
    fn flash() {
        let comps = [
            Component {
                a: 4.0,
                b: 1.2,
                c: 0.2,
            },
            Component {
                a: 3.2,
                b: 1.5,
                c: 0.1,
            },
        ];
        let make = |q: &[f64; 4]| Flash {
            temperature: q[0],
            pressure: q[1],
            z: q[2..].to_vec(),
        };
        let list = |f: &Flash| vec![f.temperature, f.pressure, f.z[0], f.z[1]];
        crate::check::made!(
            Flash::liquid_ad.with(&comps[..]),
            |f: &Flash| f.liquid(&comps),
            make,
            list,
            &[0.25, 5.0, 0.5, 0.5]
        );
    }
}

/// A battery with an RC circuit; parameters that make no sense are errors.
mod battery {
    use di::prelude::*;

    #[differentiable]
    mod battery {
        #[derive(Debug)]
        pub enum Fault {
            Resistance,
            Empty(usize),
        }

        #[derive(Clone, Copy)]
        struct Cell {
            r0: f64,
            r1: f64,
            c1: f64,
            capacity: f64,
        }

        const OCV: [(f64, f64); 4] = [(0.0, 3.0), (0.2, 3.5), (0.8, 3.9), (1.0, 4.2)];

        fn open_circuit(soc: f64) -> f64 {
            for w in OCV.windows(2) {
                let ((s0, v0), (s1, v1)) = (w[0], w[1]);
                if soc <= s1 {
                    return v0 + (soc - s0) * (v1 - v0) / (s1 - s0);
                }
            }
            OCV[3].1
        }

        fn simulate(cell: Cell, current: &[f64], dt: f64) -> Result<Vec<f64>, Fault> {
            if cell.r0 <= 0.0 || cell.r1 <= 0.0 {
                return Err(Fault::Resistance);
            }
            let mut soc = 0.9;
            let mut v1 = 0.0;
            let mut volts = Vec::with_capacity(current.len());
            for (k, &i) in current.iter().enumerate() {
                soc -= i * dt / cell.capacity;
                if soc < 0.0 {
                    return Err(Fault::Empty(k));
                }
                let decay = (-dt / (cell.r1 * cell.c1)).exp();
                v1 = v1 * decay + cell.r1 * (1.0 - decay) * i;
                volts.push(open_circuit(soc) - v1 - cell.r0 * i);
            }
            Ok(volts)
        }

        pub fn misfit(p: &[f64], #[constant] current: &[f64], #[constant] measured: &[f64]) -> f64 {
            let cell = Cell {
                r0: p[0],
                r1: p[1],
                c1: p[2],
                capacity: p[3],
            };
            match simulate(cell, current, 1.0) {
                Ok(v) => v.iter().zip(measured).map(|(a, b)| (a - b).powi(2)).sum(),
                Err(_) => 1e6,
            }
        }
    }

    #[test]
    fn battery() {
        let i = [1.0, 1.0, 0.0, -0.5, 2.0];
        let v = [3.8, 3.75, 3.85, 3.9, 3.6];
        crate::check::scalar!(battery::misfit, (&i, &v), &vec![0.05, 0.03, 40.0, 9.0]);
    }
}

/// Mass action kinetics of a network of reactions, implicit Euler.
mod reaction_network {
    use di::prelude::*;

    #[differentiable]
    mod kinetics {
        pub struct Reaction {
            pub reactants: Vec<(usize, i32)>,
            pub products: Vec<(usize, i32)>,
        }

        fn rates(c: &[f64], k: &[f64], net: &[Reaction]) -> Vec<f64> {
            let mut dc = vec![0.0; c.len()];
            for (reaction, k) in net.iter().zip(k) {
                let mut v = *k;
                for &(s, order) in &reaction.reactants {
                    v *= c[s].powi(order);
                }
                for &(s, n) in &reaction.reactants {
                    dc[s] -= n as f64 * v;
                }
                for &(s, n) in &reaction.products {
                    dc[s] += n as f64 * v;
                }
            }
            dc
        }

        /// Fixed-point iterations for c = old + h f(c).
        fn implicit_step(old: &[f64], k: &[f64], net: &[Reaction], h: f64) -> Vec<f64> {
            let mut c = old.to_vec();
            for _ in 0..30 {
                let f = rates(&c, k, net);
                let next: Vec<f64> = old.iter().zip(&f).map(|(o, f)| o + h * f).collect();
                let change = next
                    .iter()
                    .zip(&c)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                c = next;
                if change < 1e-14 {
                    break;
                }
            }
            c
        }

        pub fn yield_of(
            log_k: &[f64],
            #[constant] net: &[Reaction],
            #[constant] start: &[f64],
        ) -> f64 {
            let k: Vec<f64> = log_k.iter().map(|v| v.exp()).collect();
            let mut c = start.to_vec();
            let mut t = 0.0;
            while t < 0.5 - 1e-9 {
                c = implicit_step(&c, &k, net, 0.1);
                t += 0.1;
            }
            c[c.len() - 1] / start.iter().sum::<f64>()
        }
    }

    #[test]
    fn reaction_network() {
        use kinetics::Reaction;
        let net = [
            Reaction {
                reactants: vec![(0, 1), (1, 1)],
                products: vec![(2, 1)],
            },
            Reaction {
                reactants: vec![(2, 1)],
                products: vec![(0, 1), (1, 1)],
            },
            Reaction {
                reactants: vec![(2, 2)],
                products: vec![(3, 1)],
            },
        ];
        crate::check::scalar!(
            kinetics::yield_of,
            (&net, &[1.0, 0.8, 0.1, 0.0]),
            &vec![0.1, -0.7, -0.2]
        );
    }
}
