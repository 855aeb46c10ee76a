//! Data and structs in calls, and traits: programs of a fourth collection.

/// Orbital mechanics: Kepler propagation with a struct of elements, methods returning tuples/arrays.
mod elements_of_an_orbit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Elements {
        a: f64,
        e: f64,
        i: f64,
        raan: f64,
        argp: f64,
        m0: f64,
    }

    const MU: f64 = 1.0;

    #[differentiable]
    impl Elements {
        fn from_slice(x: &[f64]) -> Self {
            Elements {
                a: x[0],
                e: x[1],
                i: x[2],
                raan: x[3],
                argp: x[4],
                m0: x[5],
            }
        }
        fn mean_motion(&self) -> f64 {
            (MU / self.a.powi(3)).sqrt()
        }
        fn eccentric_anomaly(&self, t: f64) -> f64 {
            let m = self.m0 + self.mean_motion() * t;
            let mut ea = m;
            for _ in 0..12 {
                ea -= (ea - self.e * ea.sin() - m) / (1.0 - self.e * ea.cos());
            }
            ea
        }
        fn perifocal(&self, t: f64) -> [f64; 2] {
            let ea = self.eccentric_anomaly(t);
            let b = self.a * (1.0 - self.e * self.e).sqrt();
            [self.a * (ea.cos() - self.e), b * ea.sin()]
        }
        fn rotation(&self) -> [[f64; 2]; 3] {
            let (so, co) = self.raan.sin_cos();
            let (sw, cw) = self.argp.sin_cos();
            let (si, ci) = self.i.sin_cos();
            [
                [co * cw - so * sw * ci, -co * sw - so * cw * ci],
                [so * cw + co * sw * ci, -so * sw + co * cw * ci],
                [sw * si, cw * si],
            ]
        }
    }

    #[differentiable]
    fn position(x: &[f64], t: f64) -> [f64; 3] {
        let el = Elements::from_slice(x);
        let p = el.perifocal(t);
        let r = el.rotation();
        let mut out = [0.0; 3];
        for (o, row) in out.iter_mut().zip(r.iter()) {
            *o = row[0] * p[0] + row[1] * p[1];
        }
        out
    }

    struct Observation {
        t: f64,
        pos: [f64; 3],
    }

    #[differentiable]
    fn od_cost(x: &[f64], #[constant] obs: &[Observation]) -> f64 {
        let mut cost = 0.0;
        for o in obs {
            let p = position(x, o.t);
            for k in 0..3 {
                cost += (p[k] - o.pos[k]).powi(2);
            }
        }
        cost
    }

    #[test]
    fn elements_of_an_orbit() {
        let obs = vec![
            Observation {
                t: 0.5,
                pos: [0.6, 0.7, 0.1],
            },
            Observation {
                t: 1.5,
                pos: [-0.2, 0.9, 0.3],
            },
        ];
        scalar!(od_cost, (&obs), &[1.1, 0.2, 0.4, 0.3, 0.6, 0.1]);
    }
}

/// Chemistry: reaction network given as constants (struct with enum rate laws).
mod reaction_network {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod kinetics {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum RateLaw {
            Arrhenius { ea: f64 },
            Constant,
            Power(f64),
        }

        #[derive(Clone, Debug)]
        pub struct Reaction {
            pub reactants: Vec<(usize, i32)>,
            pub products: Vec<(usize, i32)>,
            pub law: RateLaw,
        }

        pub struct Network {
            pub species: usize,
            pub reactions: Vec<Reaction>,
            pub temperature: f64,
        }

        const R: f64 = 8.314e-3;

        fn rate_constant(k: f64, law: &RateLaw, t: f64) -> f64 {
            match law {
                RateLaw::Arrhenius { ea } => k * (-ea / (R * t)).exp(),
                RateLaw::Constant => k,
                RateLaw::Power(n) => k * (t / 298.15).powf(*n),
            }
        }

        fn rhs(c: &[f64], k: &[f64], net: &Network) -> Vec<f64> {
            let mut dc = vec![0.0; net.species];
            for (r, reaction) in net.reactions.iter().enumerate() {
                let mut rate = rate_constant(k[r], &reaction.law, net.temperature);
                for &(s, order) in &reaction.reactants {
                    rate *= c[s].powi(order);
                }
                for &(s, n) in &reaction.reactants {
                    dc[s] -= n as f64 * rate;
                }
                for &(s, n) in &reaction.products {
                    dc[s] += n as f64 * rate;
                }
            }
            dc
        }

        pub fn simulate(
            k: &[f64],
            #[constant] net: &Network,
            #[constant] c0: &[f64],
            steps: usize,
            #[constant] h: f64,
        ) -> Vec<f64> {
            let mut c = c0.to_vec();
            for _ in 0..steps {
                let k1 = rhs(&c, k, net);
                let mid: Vec<f64> = c.iter().zip(&k1).map(|(c, d)| c + 0.5 * h * d).collect();
                let k2 = rhs(&mid, k, net);
                for (c, d) in c.iter_mut().zip(&k2) {
                    *c += h * d;
                }
            }
            c
        }
    }
    use kinetics::{Network, RateLaw, Reaction};

    #[test]
    fn reaction_network() {
        let net = Network {
            species: 3,
            temperature: 320.0,
            reactions: vec![
                Reaction {
                    reactants: vec![(0, 1)],
                    products: vec![(1, 1)],
                    law: RateLaw::Constant,
                },
                Reaction {
                    reactants: vec![(0, 1), (1, 2)],
                    products: vec![(2, 1)],
                    law: RateLaw::Power(1.3),
                },
                Reaction {
                    reactants: vec![(2, 1)],
                    products: vec![(0, 1)],
                    law: RateLaw::Arrhenius { ea: 1.5 },
                },
            ],
        };
        let c0 = [1.0, 0.3, 0.1];
        vector!(kinetics::simulate, (&net, &c0, 10, 0.05), &[0.4, 0.7, 0.5]);
    }
}

/// Kalman filter, negative log likelihood, matrices as fixed arrays, model in a trait with a default method.
mod kalman_likelihood {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod kalman {
        type M2 = [[f64; 2]; 2];
        type V2 = [f64; 2];

        pub struct Model {
            pub dt: f64,
            pub h: [f64; 2],
        }

        #[derive(Clone, Copy)]
        struct State {
            x: V2,
            p: M2,
        }

        fn matmul(a: &M2, b: &M2) -> M2 {
            let mut c = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    for k in 0..2 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }
        fn transpose(a: &M2) -> M2 {
            [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
        }

        impl State {
            fn predict(&self, model: &Model, q: f64) -> State {
                let f = [[1.0, model.dt], [0.0, 1.0]];
                let x = [self.x[0] + model.dt * self.x[1], self.x[1]];
                let mut p = matmul(&matmul(&f, &self.p), &transpose(&f));
                let dt = model.dt;
                p[0][0] += q * dt.powi(3) / 3.0;
                p[0][1] += q * dt.powi(2) / 2.0;
                p[1][0] += q * dt.powi(2) / 2.0;
                p[1][1] += q * dt;
                State { x, p }
            }
            fn update(&self, model: &Model, r: f64, z: f64) -> (State, f64) {
                let h = &model.h;
                let ph = [
                    self.p[0][0] * h[0] + self.p[0][1] * h[1],
                    self.p[1][0] * h[0] + self.p[1][1] * h[1],
                ];
                let s = h[0] * ph[0] + h[1] * ph[1] + r;
                let y = z - (h[0] * self.x[0] + h[1] * self.x[1]);
                let k = [ph[0] / s, ph[1] / s];
                let mut next = *self;
                for i in 0..2 {
                    next.x[i] += k[i] * y;
                    for j in 0..2 {
                        next.p[i][j] -= k[i] * ph[j];
                    }
                }
                (next, 0.5 * (s.ln() + y * y / s))
            }
        }

        pub fn nll(theta: &[f64], #[constant] model: &Model, #[constant] zs: &[f64]) -> f64 {
            let q = theta[0].exp();
            let r = theta[1].exp();
            let mut s = State {
                x: [theta[2], 0.0],
                p: [[1.0, 0.0], [0.0, 1.0]],
            };
            let mut total = 0.0;
            for &z in zs {
                s = s.predict(model, q);
                let (next, l) = s.update(model, r, z);
                s = next;
                total += l;
            }
            total
        }
    }

    #[test]
    fn kalman_likelihood() {
        let m = kalman::Model {
            dt: 0.5,
            h: [1.0, 0.2],
        };
        scalar!(kalman::nll, (&m, &[0.1, 0.4, 0.8, 1.3]), &[-0.5, -1.0, 0.2]);
    }
}

/// FEM: truss with structs of constants; helpers unmarked; nested Vec.
mod truss_of_bars {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Node {
        x: f64,
        y: f64,
        fixed: bool,
    }
    struct Bar {
        nodes: [usize; 2],
        young: f64,
    }
    struct Truss {
        nodes: Vec<Node>,
        bars: Vec<Bar>,
    }

    #[differentiable]
    fn element_stiffness(area: f64, young: f64, a: &Node, b: &Node) -> [[f64; 4]; 4] {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let l = (dx * dx + dy * dy).sqrt();
        let (c, s) = (dx / l, dy / l);
        let k = young * area / l;
        let d = [-c, -s, c, s];
        let mut out = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                out[i][j] = k * d[i] * d[j];
            }
        }
        out
    }

    #[differentiable]
    fn assemble(areas: &[f64], truss: &Truss) -> Vec<Vec<f64>> {
        let n = 2 * truss.nodes.len();
        let mut k = vec![vec![0.0; n]; n];
        for (bar, &area) in truss.bars.iter().zip(areas) {
            let [i, j] = bar.nodes;
            let ke = element_stiffness(area, bar.young, &truss.nodes[i], &truss.nodes[j]);
            let dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1];
            for (a, &ga) in dofs.iter().enumerate() {
                for (b, &gb) in dofs.iter().enumerate() {
                    k[ga][gb] += ke[a][b];
                }
            }
        }
        for (i, node) in truss.nodes.iter().enumerate() {
            if node.fixed {
                for d in 0..2 {
                    k[2 * i + d][2 * i + d] += 1e6;
                }
            }
        }
        k
    }

    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for p in 0..n {
            for i in p + 1..n {
                let f = a[i][p] / a[p][p];
                for j in p..n {
                    a[i][j] -= f * a[p][j];
                }
                b[i] -= f * b[p];
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let mut s = b[i];
            for j in i + 1..n {
                s -= a[i][j] * x[j];
            }
            x[i] = s / a[i][i];
        }
        x
    }

    #[differentiable]
    fn compliance(areas: &[f64], #[constant] truss: &Truss, #[constant] load: &[f64]) -> f64 {
        let k = assemble(areas, truss);
        let u = solve(k, load.to_vec());
        u.iter().zip(load).map(|(u, f)| u * f).sum()
    }

    #[test]
    fn truss_of_bars() {
        let truss = Truss {
            nodes: vec![
                Node {
                    x: 0.0,
                    y: 0.0,
                    fixed: true,
                },
                Node {
                    x: 1.0,
                    y: 0.0,
                    fixed: true,
                },
                Node {
                    x: 0.5,
                    y: 1.0,
                    fixed: false,
                },
            ],
            bars: vec![
                Bar {
                    nodes: [0, 2],
                    young: 10.0,
                },
                Bar {
                    nodes: [1, 2],
                    young: 12.0,
                },
                Bar {
                    nodes: [0, 1],
                    young: 10.0,
                },
            ],
        };
        scalar!(
            compliance,
            (&truss, &[0.0, 0.0, 0.0, 0.0, 1.0, -2.0]),
            &[0.5, 0.7, 0.3]
        );
    }
}

/// Epidemiology: SEIR with Option<f64> intervention, struct params by value, groups.
mod epidemic_in_groups {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Params {
        beta: f64,
        sigma: f64,
        gamma: f64,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct State {
        s: f64,
        e: f64,
        i: f64,
        r: f64,
    }

    struct Scenario {
        contact: Vec<Vec<f64>>,
        lockdown: Option<f64>,
        days: usize,
    }

    #[differentiable]
    fn step(p: &Params, groups: &[State], scenario: &Scenario, day: usize) -> Vec<State> {
        let factor = match scenario.lockdown {
            Some(f) if day > 5 => f,
            _ => 1.0,
        };
        let mut next = Vec::new();
        for (g, st) in groups.iter().enumerate() {
            let mut force = 0.0;
            for (h, other) in groups.iter().enumerate() {
                force += scenario.contact[g][h] * other.i;
            }
            let infections = factor * p.beta * st.s * force;
            next.push(State {
                s: st.s - infections,
                e: st.e + infections - p.sigma * st.e,
                i: st.i + p.sigma * st.e - p.gamma * st.i,
                r: st.r + p.gamma * st.i,
            });
        }
        next
    }

    #[differentiable]
    fn peak(theta: &[f64], #[constant] scenario: &Scenario) -> f64 {
        let p = Params {
            beta: theta[0],
            sigma: theta[1],
            gamma: theta[2],
        };
        let mut groups = vec![
            State {
                s: 0.99,
                e: 0.01,
                i: theta[3],
                r: 0.0,
            },
            State {
                s: 0.95,
                e: 0.03,
                i: 0.02,
                r: 0.0,
            },
        ];
        let mut total = 0.0;
        for day in 0..scenario.days {
            groups = step(&p, &groups, scenario, day);
            total += groups.iter().map(|g| g.i * g.i).sum::<f64>();
        }
        total
    }

    #[test]
    fn epidemic_in_groups() {
        let sc = Scenario {
            contact: vec![vec![1.0, 0.3], vec![0.3, 0.8]],
            lockdown: Some(0.4),
            days: 12,
        };
        scalar!(peak, (&sc), &[0.8, 0.3, 0.2, 0.01]);
    }
}
