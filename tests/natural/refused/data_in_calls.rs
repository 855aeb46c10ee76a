//! Data and structs in calls, and traits: programs of a fourth collection. Refused: each with what the compiler says.

// E0433 cannot find type `P` in this scope: a constant of a type parameter, `P::STEPS`, that only the argument tells
/// Option pricing: trait Payoff with associated const & default methods, generic pricer.
mod payoffs_of_a_trait {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod pricing {
        pub trait Payoff {
            const STEPS: usize;
            fn payoff(&self, s: f64) -> f64;
            fn discounted(&self, s: f64, r: f64, t: f64) -> f64 {
                (-r * t).exp() * self.payoff(s)
            }
        }
        pub struct Call {
            pub strike: f64,
        }
        pub struct Digital {
            pub strike: f64,
            pub width: f64,
        }

        impl Payoff for Call {
            const STEPS: usize = 8;
            fn payoff(&self, s: f64) -> f64 {
                (s - self.strike).max(0.0)
            }
        }
        impl Payoff for Digital {
            const STEPS: usize = 6;
            fn payoff(&self, s: f64) -> f64 {
                1.0 / (1.0 + (-(s - self.strike) / self.width).exp())
            }
        }

        fn binomial<P: Payoff>(option: &P, s0: f64, vol: f64, r: f64, t: f64) -> f64 {
            let n = P::STEPS;
            let dt = t / n as f64;
            let u = (vol * dt.sqrt()).exp();
            let d = 1.0 / u;
            let p = ((r * dt).exp() - d) / (u - d);
            let mut v: Vec<f64> = (0..=n)
                .map(|i| option.payoff(s0 * u.powi(i as i32) * d.powi((n - i) as i32)))
                .collect();
            for step in (0..n).rev() {
                for i in 0..=step {
                    v[i] = (-r * dt).exp() * (p * v[i + 1] + (1.0 - p) * v[i]);
                }
            }
            v[0]
        }

        pub fn book(x: &[f64], #[constant] call: &Call, #[constant] digital: &Digital) -> f64 {
            let (s, vol, r) = (x[0], x[1], x[2]);
            binomial(call, s, vol, r, 1.0)
                + 3.0 * binomial(digital, s, vol, r, 0.5)
                + call.discounted(s, r, 2.0)
        }
    }

    #[test]
    fn payoffs_of_a_trait() {
        scalar!(
            pricing::book,
            (
                &pricing::Call { strike: 97.0 },
                &pricing::Digital {
                    strike: 101.0,
                    width: 4.0
                }
            ),
            &[100.0, 0.2, 0.03]
        );
    }
}

// [DI0330] constant code reads the array `h` as a whole: the method of an element of a constant slice
/// Neural net: layers with an Activation enum in a constant config, params unpacked from flat slice.
mod layers_with_activations {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod net {
        #[derive(Clone, Copy)]
        pub enum Activation {
            Tanh,
            Relu,
            Leaky(f64),
            Identity,
        }

        impl Activation {
            fn apply(&self, x: f64) -> f64 {
                match self {
                    Activation::Tanh => x.tanh(),
                    Activation::Relu => x.max(0.0),
                    Activation::Leaky(a) => {
                        if x > 0.0 {
                            x
                        } else {
                            a * x
                        }
                    }
                    Activation::Identity => x,
                }
            }
        }

        pub struct LayerSpec {
            pub inputs: usize,
            pub outputs: usize,
            pub activation: Activation,
        }

        impl LayerSpec {
            pub fn num_params(&self) -> usize {
                self.outputs * (self.inputs + 1)
            }

            fn forward(&self, w: &[f64], x: &[f64]) -> Vec<f64> {
                let (weights, bias) = w.split_at(self.inputs * self.outputs);
                let mut out = Vec::with_capacity(self.outputs);
                for o in 0..self.outputs {
                    let row = &weights[o * self.inputs..(o + 1) * self.inputs];
                    let z = row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + bias[o];
                    out.push(self.activation.apply(z));
                }
                out
            }
        }

        fn predict(w: &[f64], layers: &[LayerSpec], x: &[f64]) -> Vec<f64> {
            let mut h = x.to_vec();
            let mut offset = 0;
            for layer in layers {
                let n = layer.num_params();
                h = layer.forward(&w[offset..offset + n], &h);
                offset += n;
            }
            h
        }

        pub fn loss(
            w: &[f64],
            #[constant] layers: &[LayerSpec],
            #[constant] data: &[(Vec<f64>, f64)],
        ) -> f64 {
            let mut total = 0.0;
            for (x, y) in data {
                let p = predict(w, layers, x);
                total += (p[0] - y).powi(2);
            }
            total / data.len() as f64
        }
    }
    use net::{Activation, LayerSpec};

    #[test]
    fn layers_with_activations() {
        let layers = vec![
            LayerSpec {
                inputs: 2,
                outputs: 3,
                activation: Activation::Tanh,
            },
            LayerSpec {
                inputs: 3,
                outputs: 2,
                activation: Activation::Leaky(0.1),
            },
            LayerSpec {
                inputs: 2,
                outputs: 1,
                activation: Activation::Identity,
            },
        ];
        let w: Vec<f64> = (0..20).map(|i| ((i * 7) as f64 * 0.37).sin()).collect();
        let data = vec![
            (vec![0.1, 0.5], 0.3),
            (vec![-0.7, 0.2], 0.9),
            (vec![1.1, -0.4], -0.2),
        ];
        scalar!(net::loss, (&layers, &data), &w);
    }
}

// E0277 a method of `Frame` is called that is not differentiable: a field is an array of structs
/// Robotics: Pose struct with arrays of structs, links as constants, Joint enum.
mod frames_of_an_arm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod arm {
        use std::ops::{Add, Mul};

        #[derive(Clone, Copy, Debug)]
        pub struct Vec3 {
            pub x: f64,
            pub y: f64,
            pub z: f64,
        }
        impl Add for Vec3 {
            type Output = Vec3;
            fn add(self, o: Vec3) -> Vec3 {
                Vec3 {
                    x: self.x + o.x,
                    y: self.y + o.y,
                    z: self.z + o.z,
                }
            }
        }

        #[derive(Clone, Copy, Debug)]
        pub struct Frame {
            pub axes: [Vec3; 3],
            pub origin: Vec3,
        }

        impl Frame {
            fn identity() -> Self {
                Frame {
                    axes: [
                        Vec3 {
                            x: 1.0,
                            y: 0.0,
                            z: 0.0,
                        },
                        Vec3 {
                            x: 0.0,
                            y: 1.0,
                            z: 0.0,
                        },
                        Vec3 {
                            x: 0.0,
                            y: 0.0,
                            z: 1.0,
                        },
                    ],
                    origin: Vec3 {
                        x: 0.0,
                        y: 0.0,
                        z: 0.0,
                    },
                }
            }
            fn point(&self, p: Vec3) -> Vec3 {
                let [a, b, c] = self.axes;
                Vec3 {
                    x: a.x * p.x + b.x * p.y + c.x * p.z + self.origin.x,
                    y: a.y * p.x + b.y * p.y + c.y * p.z + self.origin.y,
                    z: a.z * p.x + b.z * p.y + c.z * p.z + self.origin.z,
                }
            }
        }

        #[derive(Clone, Copy, PartialEq)]
        pub enum Joint {
            RevoluteZ,
            RevoluteY,
            PrismaticX,
        }

        pub struct Link {
            pub joint: Joint,
            pub length: f64,
        }

        fn local(link: &Link, q: f64) -> Frame {
            let (s, c) = q.sin_cos();
            let mut f = Frame::identity();
            match link.joint {
                Joint::RevoluteZ => {
                    f.axes[0] = Vec3 { x: c, y: s, z: 0.0 };
                    f.axes[1] = Vec3 {
                        x: -s,
                        y: c,
                        z: 0.0,
                    };
                }
                Joint::RevoluteY => {
                    f.axes[0] = Vec3 {
                        x: c,
                        y: 0.0,
                        z: -s,
                    };
                    f.axes[2] = Vec3 { x: s, y: 0.0, z: c };
                }
                Joint::PrismaticX => f.origin.x = q,
            }
            f
        }

        fn compose(a: &Frame, b: &Frame) -> Frame {
            let mut out = *a;
            for k in 0..3 {
                let tip = a.point(b.axes[k]);
                out.axes[k] = Vec3 {
                    x: tip.x - a.origin.x,
                    y: tip.y - a.origin.y,
                    z: tip.z - a.origin.z,
                };
            }
            out.origin = a.point(b.origin);
            out
        }

        pub fn tip(q: &[f64], #[constant] links: &[Link]) -> [f64; 3] {
            let mut f = Frame::identity();
            for (link, &qi) in links.iter().zip(q) {
                f = compose(&f, &local(link, qi));
                f.origin = f.point(Vec3 {
                    x: link.length,
                    y: 0.0,
                    z: 0.0,
                });
            }
            [f.origin.x, f.origin.y, f.origin.z]
        }
    }
    use arm::{Joint, Link};

    #[test]
    fn frames_of_an_arm() {
        let links = vec![
            Link {
                joint: Joint::RevoluteZ,
                length: 1.0,
            },
            Link {
                joint: Joint::RevoluteY,
                length: 0.8,
            },
            Link {
                joint: Joint::PrismaticX,
                length: 0.3,
            },
        ];
        vector!(arm::tip, (&links), &[0.4, -0.7, 0.2]);
    }
}

// [DI0313] the type `Vec<&Station>` is not supported here
/// Geodesy: ellipsoid struct constant, methods; least squares trilateration with station refs Vec<&Station>.
mod stations_in_view {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    struct Ellipsoid {
        a: f64,
        f: f64,
    }

    impl Ellipsoid {
        const WGS84: Ellipsoid = Ellipsoid {
            a: 6.378137,
            f: 1.0 / 298.257223563,
        };
        fn e2(&self) -> f64 {
            self.f * (2.0 - self.f)
        }
    }

    struct Station {
        name: String,
        xyz: [f64; 3],
        bias: Option<f64>,
    }

    #[differentiable]
    fn to_ecef(lat: f64, lon: f64, h: f64, ell: &Ellipsoid) -> [f64; 3] {
        let e2 = ell.e2();
        let n = ell.a / (1.0 - e2 * lat.sin().powi(2)).sqrt();
        [
            (n + h) * lat.cos() * lon.cos(),
            (n + h) * lat.cos() * lon.sin(),
            (n * (1.0 - e2) + h) * lat.sin(),
        ]
    }

    #[differentiable]
    fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>()
            .sqrt()
    }

    #[differentiable]
    fn residuals(x: &[f64], stations: &[&Station], ranges: &[f64]) -> Vec<f64> {
        let p = to_ecef(x[0], x[1], x[2], &Ellipsoid::WGS84);
        stations
            .iter()
            .zip(ranges)
            .map(|(s, r)| distance(&p, &s.xyz) + s.bias.unwrap_or(0.0) - r)
            .collect()
    }

    #[differentiable]
    fn cost(x: &[f64], #[constant] stations: &[Station], #[constant] ranges: &[f64]) -> f64 {
        let visible: Vec<&Station> = stations.iter().filter(|s| s.name != "off").collect();
        residuals(x, &visible, ranges).iter().map(|r| r * r).sum()
    }

    #[test]
    fn stations_in_view() {
        let st = vec![
            Station {
                name: "a".into(),
                xyz: [6.0, 1.0, 2.0],
                bias: None,
            },
            Station {
                name: "b".into(),
                xyz: [5.0, 3.0, 2.0],
                bias: Some(0.1),
            },
            Station {
                name: "off".into(),
                xyz: [5.0, 1.0, 1.0],
                bias: None,
            },
            Station {
                name: "c".into(),
                xyz: [5.5, -2.0, 1.0],
                bias: None,
            },
        ];
        scalar!(cost, (&st, &[1.0, 2.0, 3.0]), &[0.5, 0.3, 0.1]);
    }
}

// [DI0105] values of a generic type; [DI0114] a `&mut Vec<f64>` whose length changes
/// ODE: generic integrator over a trait System; struct with lifetimes; &mut Vec trajectory output.
mod system_of_a_trait {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod ode {
        pub struct LotkaVolterra {
            pub alpha: f64,
            pub beta: f64,
            pub gamma: f64,
            pub delta: f64,
        }

        pub trait System {
            const DIM: usize;
            fn rhs(&self, t: f64, y: &[f64], dy: &mut [f64]);
        }

        impl System for LotkaVolterra {
            const DIM: usize = 2;
            fn rhs(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
                dy[0] = self.alpha * y[0] - self.beta * y[0] * y[1];
                dy[1] = self.delta * y[0] * y[1] - self.gamma * y[1];
            }
        }

        fn rk4<S: System>(sys: &S, y: &mut Vec<f64>, t: f64, h: f64) {
            let n = S::DIM;
            let mut k1 = vec![0.0; n];
            let mut k2 = vec![0.0; n];
            let mut k3 = vec![0.0; n];
            let mut k4 = vec![0.0; n];
            let mut tmp = vec![0.0; n];
            sys.rhs(t, y, &mut k1);
            for i in 0..n {
                tmp[i] = y[i] + 0.5 * h * k1[i];
            }
            sys.rhs(t + 0.5 * h, &tmp, &mut k2);
            for i in 0..n {
                tmp[i] = y[i] + 0.5 * h * k2[i];
            }
            sys.rhs(t + 0.5 * h, &tmp, &mut k3);
            for i in 0..n {
                tmp[i] = y[i] + h * k3[i];
            }
            sys.rhs(t + h, &tmp, &mut k4);
            for i in 0..n {
                y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }

        fn record(traj: &mut Vec<f64>, y: &[f64]) {
            traj.push(y[0]);
            traj.extend_from_slice(&y[1..]);
        }

        pub fn trajectory(p: &[f64], #[constant] y0: &[f64]) -> Vec<f64> {
            let sys = LotkaVolterra {
                alpha: p[0],
                beta: p[1],
                gamma: p[2],
                delta: p[3],
            };
            let mut y = y0.to_vec();
            let mut traj = Vec::new();
            let h = 0.1;
            for i in 0..8 {
                rk4(&sys, &mut y, i as f64 * h, h);
                record(&mut traj, &y);
            }
            traj
        }
    }

    #[test]
    fn system_of_a_trait() {
        vector!(ode::trajectory, (&[1.0, 0.5]), &[1.1, 0.4, 0.4, 0.1]);
    }
}

// [DI0110] a parameter of type `[[Site; 3]; 3]` is not supported; [DI0313] the type `[[Site; _]; _]` is not supported here
/// N-body with arrays of structs and arrays of arrays of derived structs (lattice), nested access.
mod lattice_of_sites {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Default, Differentiable)]
    struct Site {
        u: f64,
        v: f64,
    }

    #[differentiable]
    fn coupling(a: &Site, b: &Site) -> f64 {
        0.5 * (a.u - b.u).powi(2) + 0.1 * (a.v * b.v)
    }

    #[differentiable]
    fn lattice_energy(grid: &[[Site; 3]; 3]) -> f64 {
        let mut e = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let s = grid[i][j];
                e += s.v * s.v + s.u.powi(4);
                if i + 1 < 3 {
                    e += coupling(&grid[i][j], &grid[i + 1][j]);
                }
                if j + 1 < 3 {
                    e += coupling(&s, &grid[i][j + 1]);
                }
            }
        }
        e
    }

    #[differentiable]
    fn energy(x: &[f64]) -> f64 {
        let mut grid = [[Site::default(); 3]; 3];
        for (k, chunk) in x.chunks(2).enumerate() {
            grid[k / 3][k % 3] = Site {
                u: chunk[0],
                v: chunk[1],
            };
        }
        lattice_energy(&grid)
    }

    #[differentiable]
    fn row_sums(x: &[f64]) -> [f64; 2] {
        let rows = [
            [Site { u: x[0], v: x[1] }, Site { u: x[2], v: x[3] }],
            [Site { u: x[1], v: x[0] }, Site { u: x[3], v: 1.0 }],
        ];
        let mut out = [0.0; 2];
        for (o, row) in out.iter_mut().zip(rows.iter()) {
            for s in row.iter() {
                *o += s.u * s.v;
            }
        }
        out
    }

    #[test]
    fn lattice_of_sites() {
        let x: Vec<f64> = (0..18).map(|i| (i as f64 * 0.7).cos()).collect();
        scalar!(energy, (), &x);
        vector!(row_sums, (), &[0.3, 0.5, 0.7, 0.9]);
    }
}
