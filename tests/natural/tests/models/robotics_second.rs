//! Robotics.

/// Dynamics through mass matrix solve and semi-implicit steps; acrobot energy.
mod acrobot_steps {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod acrobot {
        #[derive(Clone, Copy, Debug)]
        pub struct State {
            q: [f64; 2],
            v: [f64; 2],
        }

        #[derive(Clone, Copy)]
        pub struct Params {
            pub m1: f64,
            pub m2: f64,
            pub l: f64,
        }

        fn mass(s: &State, #[constant] p: &Params) -> [[f64; 2]; 2] {
            let c = s.q[1].cos();
            let d = p.m2 * p.l * p.l;
            [
                [(p.m1 + p.m2) * p.l * p.l + d + 2.0 * d * c, d + d * c],
                [d + d * c, d],
            ]
        }

        fn solve2(m: [[f64; 2]; 2], b: [f64; 2]) -> [f64; 2] {
            let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
            [
                (m[1][1] * b[0] - m[0][1] * b[1]) / det,
                (m[0][0] * b[1] - m[1][0] * b[0]) / det,
            ]
        }

        impl State {
            fn step(&mut self, u: f64, #[constant] p: &Params, dt: f64) {
                let h = p.m2 * p.l * p.l * self.q[1].sin();
                let bias = [
                    -h * (2.0 * self.v[0] * self.v[1] + self.v[1] * self.v[1]) + self.q[0].sin(),
                    h * self.v[0] * self.v[0] + (self.q[0] + self.q[1]).sin(),
                ];
                let a = solve2(mass(self, p), [-bias[0], u - bias[1]]);
                for i in 0..2 {
                    self.v[i] += dt * a[i];
                    self.q[i] += dt * self.v[i];
                }
            }

            fn kinetic(&self, #[constant] p: &Params) -> f64 {
                let m = mass(self, p);
                let mut e = 0.0;
                for i in 0..2 {
                    for j in 0..2 {
                        e += 0.5 * self.v[i] * m[i][j] * self.v[j];
                    }
                }
                e
            }
        }

        pub fn swing(u: &[f64], #[constant] p: &Params) -> f64 {
            let mut s = State {
                q: [0.1, 0.3],
                v: [0.0; 2],
            };
            for &ui in u {
                s.step(ui, p, 0.15);
            }
            let height = -s.q[0].cos() - (s.q[0] + s.q[1]).cos();
            height + s.kinetic(p)
        }
    }

    #[test]
    fn acrobot_steps() {
        let p = acrobot::Params {
            m1: 1.0,
            m2: 0.8,
            l: 0.9,
        };
        scalar!(acrobot::swing, (&p), &[0.5, 0.8, -0.3, 0.6, 1.0]);
    }
}

/// Jacobian transpose statics: torques from contact forces with a friction cone penalty.
mod contact_statics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Force {
        normal: f64,
        tangent: f64,
    }

    #[differentiable]
    impl Force {
        fn cone_violation(&self, mu: f64) -> f64 {
            let slack = mu * self.normal - (self.tangent * self.tangent + 1e-2).sqrt();
            (-4.0 * slack).exp()
        }
    }

    #[differentiable]
    fn wrench(forces: &[Force], #[constant] contacts: &[(f64, f64)]) -> [f64; 3] {
        let mut w = [0.0; 3];
        for (f, &(x, y)) in forces.iter().zip(contacts) {
            w[0] += f.tangent;
            w[1] += f.normal;
            w[2] += x * f.normal - y * f.tangent;
        }
        w
    }

    #[differentiable]
    pub fn grasp_cost(
        x: &[f64],
        #[constant] contacts: &[(f64, f64)],
        #[constant] weight: f64,
    ) -> f64 {
        let forces: Vec<Force> = x[1..]
            .chunks(2)
            .map(|c| Force {
                normal: c[0],
                tangent: c[1],
            })
            .collect();
        let [fx, fy, tz] = wrench(&forces, contacts);
        let balance = fx * fx + (fy - weight).powi(2) + tz * tz;
        let effort: f64 = forces
            .iter()
            .map(|f| f.normal.powi(2) + f.tangent.powi(2))
            .sum();
        let cone: f64 = forces.iter().map(|f| f.cone_violation(x[0])).sum();
        balance + 0.1 * effort + 0.2 * cone
    }

    #[test]
    fn contact_statics() {
        let contacts = [(-0.5, 0.0), (0.6, 0.1), (0.1, -0.2)];
        scalar!(
            grasp_cost,
            (&contacts, 1.5),
            &[0.6, 0.5, 0.1, 0.7, -0.2, 0.4, 0.15]
        );
    }
}

/// Stewart platform leg lengths from a pose.
mod stewart_platform {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    fn anchor(i: usize, radius: f64, spread: f64) -> [f64; 3] {
        let a = std::f64::consts::TAU / 3.0 * (i / 2) as f64
            + if i % 2 == 0 { spread } else { -spread };
        [radius * a.cos(), radius * a.sin(), 0.0]
    }

    #[differentiable]
    fn rotate(rpy: &[f64], #[constant] p: [f64; 3]) -> [f64; 3] {
        let (sr, cr) = rpy[0].sin_cos();
        let (sp, cp) = rpy[1].sin_cos();
        let (sy, cy) = rpy[2].sin_cos();
        let [x, y, z] = p;
        let (y, z) = (cr * y - sr * z, sr * y + cr * z);
        let (x, z) = (cp * x + sp * z, -sp * x + cp * z);
        [cy * x - sy * y, sy * x + cy * y, z]
    }

    #[differentiable]
    pub fn leg_lengths(pose: &[f64; 6]) -> [f64; 6] {
        let mut legs = [0.0; 6];
        for i in 0..6 {
            let base = anchor(i, 1.0, 0.3);
            let top = rotate(&pose[3..], anchor(i, 0.6, 0.7));
            let mut d2 = 0.0;
            for k in 0..3 {
                d2 += (top[k] + pose[k] - base[k]).powi(2);
            }
            legs[i] = d2.sqrt();
        }
        legs
    }

    #[test]
    fn stewart_platform() {
        vector!(leg_lengths, (), &[0.1, -0.05, 1.2, 0.1, 0.2, -0.15]);
    }
}

/// Pose graph in the plane: odometry and loop closures.
mod pose_graph {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Pose2 {
        x: f64,
        y: f64,
        th: f64,
    }

    struct Edge {
        from: usize,
        to: usize,
        measured: [f64; 3],
        info: f64,
    }

    #[differentiable]
    impl Pose2 {
        fn between(&self, other: &Pose2) -> Pose2 {
            let (s, c) = self.th.sin_cos();
            let (dx, dy) = (other.x - self.x, other.y - self.y);
            Pose2 {
                x: c * dx + s * dy,
                y: -s * dx + c * dy,
                th: other.th - self.th,
            }
        }
    }

    #[differentiable]
    fn angle_cost(a: f64) -> f64 {
        2.0 * (1.0 - a.cos())
    }

    #[differentiable]
    pub fn chi2(x: &[f64], #[constant] edges: &[Edge]) -> f64 {
        let mut poses = vec![Pose2 {
            x: 0.0,
            y: 0.0,
            th: 0.0,
        }];
        poses.extend(x.chunks(3).map(|c| Pose2 {
            x: c[0],
            y: c[1],
            th: c[2],
        }));
        let mut total = 0.0;
        for e in edges {
            let rel = poses[e.from].between(&poses[e.to]);
            let [mx, my, mt] = e.measured;
            total +=
                e.info * ((rel.x - mx).powi(2) + (rel.y - my).powi(2) + angle_cost(rel.th - mt));
        }
        total
    }

    #[test]
    fn pose_graph() {
        let edges = vec![
            Edge {
                from: 0,
                to: 1,
                measured: [1.0, 0.0, 0.5],
                info: 1.0,
            },
            Edge {
                from: 1,
                to: 2,
                measured: [0.9, 0.1, 0.6],
                info: 2.0,
            },
            Edge {
                from: 2,
                to: 0,
                measured: [-0.5, 1.4, -1.0],
                info: 0.5,
            },
        ];
        scalar!(chi2, (&edges), &[0.9, 0.1, 0.4, 1.6, 0.7, 1.1]);
    }
}

/// Recursive Newton-Euler for a planar chain, links in a vector of structs.
mod newton_euler_planar {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug)]
    struct Link {
        mass: f64,
        length: f64,
        com: f64,
        inertia: f64,
    }

    #[derive(Clone, Copy, Debug, Default, Differentiable)]
    struct Motion {
        angle: f64,
        omega: f64,
        alpha: f64,
        acc: [f64; 2],
    }

    #[differentiable]
    fn point_acc(m: &Motion, #[constant] r: f64) -> [f64; 2] {
        let (s, c) = m.angle.sin_cos();
        [
            m.acc[0] - r * (m.alpha * s + m.omega * m.omega * c),
            m.acc[1] + r * (m.alpha * c - m.omega * m.omega * s),
        ]
    }

    #[differentiable]
    pub fn torques(x: &[f64], #[constant] links: &[Link]) -> Vec<f64> {
        let n = links.len();
        let mut motions = Vec::with_capacity(n);
        let mut m = Motion {
            acc: [0.0, 0.98],
            ..Default::default()
        };
        for (i, link) in links.iter().enumerate() {
            m.angle += x[i];
            m.omega += x[n + i];
            m.alpha += x[2 * n + i];
            motions.push(m);
            m.acc = point_acc(&m, link.length);
        }
        let mut tau = vec![0.0; n];
        let mut force = [0.0, 0.0];
        let mut moment = 0.0;
        for i in (0..n).rev() {
            let link = &links[i];
            let mi = &motions[i];
            let a = point_acc(mi, link.com);
            let inertial = [link.mass * a[0], link.mass * a[1]];
            let (s, c) = mi.angle.sin_cos();
            moment += link.inertia * mi.alpha
                + link.com * (c * inertial[1] - s * inertial[0])
                + link.length * (c * force[1] - s * force[0]);
            for k in 0..2 {
                force[k] += inertial[k];
            }
            tau[i] = moment;
        }
        tau
    }

    #[test]
    fn newton_euler_planar() {
        let links = vec![
            Link {
                mass: 1.0,
                length: 0.7,
                com: 0.35,
                inertia: 0.05,
            },
            Link {
                mass: 0.6,
                length: 0.5,
                com: 0.25,
                inertia: 0.03,
            },
            Link {
                mass: 0.3,
                length: 0.3,
                com: 0.1,
                inertia: 0.01,
            },
        ];
        vector!(
            torques,
            (&links),
            &[0.3, 0.5, -0.4, 0.2, 0.1, 0.6, 0.4, -0.3, 0.8]
        );
    }
}

// E0446 private type `Run` in public interface
/// Wheel odometry calibration with logs of ticks and tuples.
mod odometry_calibration {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Tick {
        left: i32,
        right: i32,
    }

    struct Run {
        ticks: Vec<Tick>,
        finish: (f64, f64),
    }

    #[differentiable]
    fn integrate(x: &[f64], ticks: &[Tick]) -> (f64, f64, f64) {
        let (rl, rr, base) = (x[0], x[1], x[2]);
        let mut px = 0.0;
        let mut py = 0.0;
        let mut th = x[3];
        for t in ticks {
            let dl = rl * t.left as f64 * 0.01;
            let dr = rr * t.right as f64 * 0.01;
            let ds = 0.5 * (dl + dr);
            let dth = (dr - dl) / base;
            px += ds * (th + 0.5 * dth).cos();
            py += ds * (th + 0.5 * dth).sin();
            th += dth;
        }
        (px, py, th)
    }

    #[differentiable]
    pub fn closure_error(x: &[f64], #[constant] runs: &[Run]) -> f64 {
        runs.iter()
            .map(|run| {
                let (px, py, _) = integrate(x, &run.ticks);
                (px - run.finish.0).powi(2) + (py - run.finish.1).powi(2)
            })
            .sum()
    }

    #[test]
    fn odometry_calibration() {
        let tick = |left, right| Tick { left, right };
        let runs = vec![
            Run {
                ticks: vec![tick(20, 25), tick(30, 20), tick(40, 45)],
                finish: (0.9, 0.2),
            },
            Run {
                ticks: vec![tick(15, 35), tick(25, 25)],
                finish: (0.4, 0.3),
            },
        ];
        scalar!(closure_error, (&runs), &[1.0, 1.1, 0.5, 0.1]);
    }
}
