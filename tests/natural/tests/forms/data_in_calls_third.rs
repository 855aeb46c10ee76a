//! Data and structs in calls, and traits: programs of a fourth collection.

/// Gaussian process: Kernel trait with implementors, generic fit, associated const, hyperparams from slice.
mod kernels_as_types {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod gp {
        pub trait Kernel {
            const PARAMS: usize;
            fn k(theta: &[f64], a: f64, b: f64) -> f64;
            fn diag(theta: &[f64], a: f64) -> f64 {
                Self::k(theta, a, a) + 1e-6
            }
        }
        pub struct Rbf;
        pub struct Matern32;
        impl Kernel for Rbf {
            const PARAMS: usize = 2;
            fn k(theta: &[f64], a: f64, b: f64) -> f64 {
                let d = (a - b) / theta[1];
                theta[0] * theta[0] * (-0.5 * d * d).exp()
            }
        }
        impl Kernel for Matern32 {
            const PARAMS: usize = 2;
            fn k(theta: &[f64], a: f64, b: f64) -> f64 {
                let r = 3f64.sqrt() * (a - b).abs() / theta[1];
                theta[0].powi(2) * (1.0 + r) * (-r).exp()
            }
        }

        fn nlml<K: Kernel>(theta: &[f64], x: &[f64], y: &[f64]) -> f64 {
            let n = x.len();
            let noise = theta[K::PARAMS];
            let mut l = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..=i {
                    let mut s = if i == j {
                        K::diag(theta, x[i]) + noise * noise
                    } else {
                        K::k(theta, x[i], x[j])
                    };
                    for k in 0..j {
                        s -= l[i][k] * l[j][k];
                    }
                    l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
                }
            }
            let mut z = vec![0.0; n];
            let mut logdet = 0.0;
            for i in 0..n {
                let mut s = y[i];
                for k in 0..i {
                    s -= l[i][k] * z[k];
                }
                z[i] = s / l[i][i];
                logdet += l[i][i].ln();
            }
            0.5 * z.iter().map(|z| z * z).sum::<f64>() + logdet
        }

        pub fn rbf(theta: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> f64 {
            nlml::<Rbf>(theta, x, y)
        }
        pub fn matern(theta: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> f64 {
            nlml::<Matern32>(theta, x, y)
        }
    }

    #[test]
    fn kernels_as_types() {
        let (x, y) = ([0.0, 0.7, 1.5, 2.2], [0.1, 0.8, 0.4, -0.3]);
        scalar!(gp::rbf, (&x, &y), &[1.1, 0.9, 0.3]);
        scalar!(gp::matern, (&x, &y), &[1.1, 0.9, 0.3]);
    }
}

/// Control: LQR rollout with a plant struct, trait Plant with default step, cost weights as options.
mod plant_of_a_trait {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod control {
        pub trait Plant {
            const DT: f64;
            fn deriv(&self, x: &[f64; 2], u: f64) -> [f64; 2];
            fn step(&self, x: [f64; 2], u: f64) -> [f64; 2] {
                let k1 = self.deriv(&x, u);
                let mid = [x[0] + 0.5 * Self::DT * k1[0], x[1] + 0.5 * Self::DT * k1[1]];
                let k2 = self.deriv(&mid, u);
                [x[0] + Self::DT * k2[0], x[1] + Self::DT * k2[1]]
            }
        }
        pub struct Pendulum {
            pub length: f64,
            pub damping: f64,
        }
        impl Plant for Pendulum {
            const DT: f64 = 0.1;
            fn deriv(&self, x: &[f64; 2], u: f64) -> [f64; 2] {
                [
                    x[1],
                    -9.81 / self.length * x[0].sin() - self.damping * x[1] + u,
                ]
            }
        }

        pub struct Weights {
            pub q: [f64; 2],
            pub r: f64,
            pub terminal: Option<f64>,
        }

        fn rollout<P: Plant>(gains: &[f64], plant: &P, w: &Weights, x0: [f64; 2], n: usize) -> f64 {
            let mut x = x0;
            let mut cost = 0.0;
            for _ in 0..n {
                let u = -(gains[0] * x[0] + gains[1] * x[1]);
                cost += w.q[0] * x[0] * x[0] + w.q[1] * x[1] * x[1] + w.r * u * u;
                x = plant.step(x, u);
            }
            if let Some(qf) = w.terminal {
                cost += qf * (x[0] * x[0] + x[1] * x[1]);
            }
            cost
        }

        pub fn objective(
            gains: &[f64],
            #[constant] plant: &Pendulum,
            #[constant] w: &Weights,
        ) -> f64 {
            rollout(gains, plant, w, [0.5, 0.0], 10) + rollout(gains, plant, w, [-0.2, 0.4], 10)
        }
    }

    #[test]
    fn plant_of_a_trait() {
        scalar!(
            control::objective,
            (
                &control::Pendulum {
                    length: 1.2,
                    damping: 0.1
                },
                &control::Weights {
                    q: [1.0, 0.1],
                    r: 0.01,
                    terminal: Some(5.0)
                }
            ),
            &[1.5, 0.6]
        );
    }
}

/// Bundle adjustment: Camera derived struct, observations with refs, methods outside modules, generic loss trait.
mod reprojection {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Camera {
        rot: [f64; 3],
        trans: [f64; 3],
        focal: f64,
    }

    #[differentiable]
    impl Camera {
        fn rotate(&self, p: &[f64; 3]) -> [f64; 3] {
            let w = self.rot;
            let th2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
            let th = (th2 + 1e-12).sqrt();
            let k = [w[0] / th, w[1] / th, w[2] / th];
            let kxp = cross(&k, p);
            let kdp = dot(&k, p);
            let mut out = [0.0; 3];
            for i in 0..3 {
                out[i] = p[i] * th.cos() + kxp[i] * th.sin() + k[i] * kdp * (1.0 - th.cos());
            }
            out
        }
        fn project(&self, p: &[f64; 3]) -> (f64, f64) {
            let r = self.rotate(p);
            let z = r[2] + self.trans[2];
            (
                self.focal * (r[0] + self.trans[0]) / z,
                self.focal * (r[1] + self.trans[1]) / z,
            )
        }
    }

    #[differentiable]
    fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }
    #[differentiable]
    fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
    }

    trait Loss {
        fn rho(r2: f64) -> f64;
    }
    struct Cauchy;
    struct Squared;
    #[differentiable]
    impl Loss for Cauchy {
        fn rho(r2: f64) -> f64 {
            (1.0 + r2).ln()
        }
    }
    #[differentiable]
    impl Loss for Squared {
        fn rho(r2: f64) -> f64 {
            r2
        }
    }

    struct View<'a> {
        point: &'a [f64; 3],
        u: f64,
        v: f64,
    }

    #[differentiable]
    fn reprojection(cam: &Camera, views: &[View]) -> f64 {
        let mut total = 0.0;
        for view in views {
            let uv = cam.project(view.point);
            let r2 = (uv.0 - view.u).powi(2) + (uv.1 - view.v).powi(2);
            total += Cauchy::rho(r2) + 0.1 * Squared::rho(r2);
        }
        total
    }

    #[differentiable]
    fn cost(x: &[f64], #[constant] views: &[View]) -> f64 {
        let cam = Camera {
            rot: [x[0], x[1], x[2]],
            trans: [x[3], x[4], x[5]],
            focal: x[6],
        };
        let first = cam.rotate(&[0.0, 0.0, 1.0]);
        reprojection(&cam, views) + 0.01 * first[0] * first[0]
    }

    #[test]
    fn reprojections() {
        let pts = [[0.1, 0.2, 2.0], [-0.3, 0.4, 3.0], [0.5, -0.2, 2.5]];
        let views = vec![
            View {
                point: &pts[0],
                u: 0.1,
                v: 0.1,
            },
            View {
                point: &pts[1],
                u: -0.2,
                v: 0.1,
            },
            View {
                point: &pts[2],
                u: 0.3,
                v: 0.0,
            },
        ];
        scalar!(cost, (&views), &[0.1, -0.2, 0.05, 0.01, 0.02, 0.1, 1.2]);
    }
}

/// Economics/energy: Battery scheduling; config default impl; builder; tuple struct newtypes with Deref-like methods.
mod battery_dispatch {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod dispatch {
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct Price(pub f64);

        #[derive(Clone, Debug)]
        pub struct Config {
            pub prices: Vec<Price>,
            pub capacity: f64,
            pub efficiency: f64,
            pub tariff: Tariff,
        }

        #[derive(Clone, Debug)]
        pub enum Tariff {
            Flat(Price),
            TimeOfUse {
                peak: Price,
                off: Price,
                hours: (usize, usize),
            },
        }

        impl Default for Config {
            fn default() -> Self {
                Config {
                    prices: vec![Price(1.0); 4],
                    capacity: 2.0,
                    efficiency: 0.9,
                    tariff: Tariff::Flat(Price(0.1)),
                }
            }
        }

        impl Tariff {
            fn at(&self, hour: usize) -> f64 {
                match self {
                    Tariff::Flat(p) => p.0,
                    Tariff::TimeOfUse { peak, off, hours } => {
                        if hour >= hours.0 && hour < hours.1 {
                            peak.0
                        } else {
                            off.0
                        }
                    }
                }
            }
        }

        #[derive(Clone, Copy)]
        struct Battery {
            charge: f64,
            cost: f64,
        }

        impl Battery {
            fn dispatch(&mut self, power: f64, hour: usize, config: &Config) {
                let loss = if power > 0.0 {
                    config.efficiency
                } else {
                    1.0 / config.efficiency
                };
                self.charge += loss * power;
                let excess = (self.charge - config.capacity).max(0.0);
                let p = &config.prices[hour];
                self.cost += power * (p.0 + config.tariff.at(hour)) + 10.0 * excess.powi(2);
            }
        }

        pub fn total_cost(power: &[f64], #[constant] config: &Config) -> f64 {
            let mut b = Battery {
                charge: 1.0,
                cost: 0.0,
            };
            for (hour, &p) in power.iter().enumerate() {
                b.dispatch(p, hour, config);
            }
            b.cost + (b.charge - 1.0).powi(2)
        }
    }

    #[test]
    fn battery_dispatch() {
        let c = dispatch::Config {
            tariff: dispatch::Tariff::TimeOfUse {
                peak: dispatch::Price(0.4),
                off: dispatch::Price(0.1),
                hours: (1, 3),
            },
            ..Default::default()
        };
        scalar!(dispatch::total_cost, (&c), &[0.5, 1.3, -0.7, 0.4]);
    }
}

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
