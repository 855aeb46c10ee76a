//! Control.

/// Augmented Lagrangian for a double integrator with terminal equality, vector of constraints.
mod augmented_lagrangian {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn terminal(u: &[f64]) -> (f64, f64) {
        let dt = 0.25;
        u.iter().fold((0.0, 0.0), |(p, v), a| {
            (p + dt * v + 0.5 * dt * dt * a, v + dt * a)
        })
    }

    #[differentiable]
    fn constraints(u: &[f64]) -> Vec<f64> {
        let (p, v) = terminal(u);
        vec![p - 1.0, v]
    }

    #[differentiable]
    pub fn lagrangian(u: &[f64], #[constant] multipliers: &[f64], #[constant] rho: f64) -> f64 {
        let effort: f64 = u.iter().map(|a| a * a + 0.1 * a.powi(4)).sum();
        let c = constraints(u);
        let penalty: f64 = c
            .iter()
            .zip(multipliers)
            .map(|(ci, l)| l * ci + 0.5 * rho * ci * ci)
            .sum();
        effort + penalty
    }

    #[test]
    fn augmented_lagrangian() {
        scalar!(lagrangian, (&[0.5, -0.3], 2.0), &[0.8, 0.5, -0.2, -0.6]);
        vector!(constraints, (), &[0.8, 0.5, -0.2, -0.6]);
    }
}

/// Model predictive control: cost of a control sequence for a unicycle, soft obstacle.
mod mpc_unicycle {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod mpc {
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Pose {
            pub x: f64,
            pub y: f64,
            pub heading: f64,
        }

        pub struct Problem {
            pub start: Pose,
            pub goal: (f64, f64),
            pub obstacle: Option<(f64, f64, f64)>,
            pub dt: f64,
            pub effort: f64,
        }

        fn drive(p: Pose, v: f64, omega: f64, dt: f64) -> Pose {
            let mid = p.heading + 0.5 * omega * dt;
            Pose {
                x: p.x + v * dt * mid.cos(),
                y: p.y + v * dt * mid.sin(),
                heading: p.heading + omega * dt,
            }
        }

        fn stage(p: &Pose, #[constant] prob: &Problem) -> f64 {
            let (gx, gy) = prob.goal;
            let mut c = (p.x - gx).powi(2) + (p.y - gy).powi(2);
            if let Some((ox, oy, r)) = prob.obstacle {
                let d2 = (p.x - ox).powi(2) + (p.y - oy).powi(2);
                c += (-d2 / (r * r)).exp();
            }
            c
        }

        pub fn cost(u: &[f64], #[constant] prob: &Problem) -> f64 {
            let mut pose = prob.start;
            let mut total = 0.0;
            for c in u.chunks_exact(2) {
                pose = drive(pose, c[0], c[1], prob.dt);
                total += stage(&pose, prob) + prob.effort * (c[0] * c[0] + c[1] * c[1]);
            }
            total + 5.0 * stage(&pose, prob)
        }
    }

    #[test]
    fn mpc_unicycle() {
        let prob = mpc::Problem {
            start: mpc::Pose::default(),
            goal: (1.5, 1.0),
            obstacle: Some((0.8, 0.4, 0.5)),
            dt: 0.3,
            effort: 0.05,
        };
        let u = [0.8, 0.3, 1.0, 0.5, 1.1, -0.2, 0.7, 0.1];
        scalar!(mpc::cost, (&prob), &u);
        let free = mpc::Problem {
            obstacle: None,
            ..prob
        };
        scalar!(mpc::cost, (&free), &u);
    }
}

/// Cart-pole swing-up, direct collocation defects.
mod cartpole_defects {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const NX: usize = 4;
    const NZ: usize = 5;

    #[derive(Clone, Copy)]
    struct CartPole {
        mass_cart: f64,
        mass_pole: f64,
        length: f64,
        gravity: f64,
    }

    #[differentiable]
    fn dynamics(z: &[f64], #[constant] m: &CartPole) -> [f64; NX] {
        let (theta, v, w, u) = (z[1], z[2], z[3], z[4]);
        let (s, c) = theta.sin_cos();
        let den = m.mass_cart + m.mass_pole * s * s;
        let acc = (u + m.mass_pole * s * (m.length * w * w + m.gravity * c)) / den;
        let alpha = (-u * c
            - m.mass_pole * m.length * w * w * c * s
            - (m.mass_cart + m.mass_pole) * m.gravity * s)
            / (m.length * den);
        [v, w, acc, alpha]
    }

    #[differentiable]
    pub fn defects(z: &[f64], #[constant] m: &CartPole, #[constant] h: f64) -> Vec<f64> {
        let knots: Vec<&[f64]> = z.chunks(NZ).collect();
        let mut d = Vec::new();
        for pair in knots.windows(2) {
            let f0 = dynamics(pair[0], m);
            let f1 = dynamics(pair[1], m);
            for i in 0..NX {
                d.push(pair[1][i] - pair[0][i] - 0.5 * h * (f0[i] + f1[i]));
            }
        }
        d
    }

    #[test]
    fn cartpole_defects() {
        let m = CartPole {
            mass_cart: 1.0,
            mass_pole: 0.3,
            length: 0.5,
            gravity: 1.2,
        };
        let z = [
            0.0, 0.2, 0.1, 0.3, 0.5, 0.1, 0.4, 0.3, 0.6, 0.2, 0.2, 0.9, 0.2, 0.8, -0.3,
        ];
        vector!(defects, (&m, 0.2), &z);
    }
}

/// Quadrotor in the plane: rollouts with a disturbance and a struct of weights; inline module.
mod planar_quadrotor {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod quad {
        pub const NX: usize = 6;

        #[derive(Clone, Debug)]
        pub struct Weights {
            pub position: f64,
            pub velocity: f64,
            pub angle: f64,
            pub input: [f64; 2],
        }

        impl Default for Weights {
            fn default() -> Self {
                Weights {
                    position: 1.0,
                    velocity: 0.1,
                    angle: 0.3,
                    input: [0.02, 0.05],
                }
            }
        }

        fn rhs(s: &[f64; NX], u: &[f64], #[constant] wind: f64) -> [f64; NX] {
            let thrust = u[0] + u[1];
            let torque = (u[1] - u[0]) * 0.3;
            [
                s[3],
                s[4],
                s[5],
                -thrust * s[2].sin() + wind,
                thrust * s[2].cos() - 1.0,
                torque,
            ]
        }

        fn euler(s: &[f64; NX], u: &[f64], #[constant] wind: f64, h: f64) -> [f64; NX] {
            let d = rhs(s, u, wind);
            let mut n = *s;
            n.iter_mut().zip(d.iter()).for_each(|(a, b)| *a += h * b);
            n
        }

        pub fn rollout(u: &[f64], #[constant] w: &Weights, #[constant] winds: &[f64]) -> f64 {
            let mut s = [0.0; NX];
            let mut cost = 0.0;
            for (uk, wind) in u.chunks(2).zip(winds.iter().cycle()) {
                s = euler(&s, uk, *wind, 0.2);
                cost += w.position * ((s[0] - 0.5).powi(2) + (s[1] - 0.5).powi(2))
                    + w.velocity * s[3..5].iter().map(|v| v * v).sum::<f64>()
                    + w.angle * s[2] * s[2];
                cost += uk.iter().zip(w.input).map(|(u, r)| r * u * u).sum::<f64>();
            }
            cost
        }
    }

    #[test]
    fn planar_quadrotor() {
        let u = [0.6, 0.7, 0.5, 0.6, 0.7, 0.5, 0.6, 0.5];
        scalar!(
            quad::rollout,
            (&quad::Weights::default(), &[0.1, -0.1, 0.05]),
            &u
        );
    }
}

/// System identification of an ARX model from input-output records.
mod arx_identification {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Record {
        u: Vec<f64>,
        y: Vec<f64>,
    }

    struct Orders {
        na: usize,
        nb: usize,
    }

    #[differentiable]
    fn simulate(theta: &[f64], #[constant] rec: &Record, ord: &Orders) -> Vec<f64> {
        let (a, b) = theta.split_at(ord.na);
        let start = ord.na.max(ord.nb);
        let mut y = rec.y[..start].to_vec();
        for t in start..rec.u.len() {
            let mut v = 0.0;
            for (i, ai) in a.iter().enumerate() {
                v -= ai * y[t - 1 - i];
            }
            for (i, bi) in b.iter().enumerate() {
                v += bi * rec.u[t - 1 - i];
            }
            y.push(v);
        }
        y
    }

    #[differentiable]
    pub fn simulation_error(theta: &[f64], #[constant] rec: &Record, ord: &Orders) -> f64 {
        let y = simulate(theta, rec, ord);
        y.iter()
            .zip(rec.y.iter())
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            / y.len() as f64
    }

    #[test]
    fn arx_identification() {
        let rec = Record {
            u: vec![0.0, 1.0, 1.0, 0.5, -0.5, 0.2, 0.8, 0.3],
            y: vec![0.1, 0.2, 0.7, 1.1, 1.0, 0.4, 0.3, 0.6],
        };
        scalar!(
            simulation_error,
            (&rec, &Orders { na: 2, nb: 2 }),
            &[-0.8, 0.2, 0.5, 0.3]
        );
    }
}
