//! Robotics. Refused: each with what the compiler says.

// 109 E0080 [DI0304] this is indexed or iterated, but it cannot be told what it is
/// Inverse dynamics of a two-link arm, Mat2 and torque vector.
mod two_link_inverse_dynamics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct ArmParams {
        m: [f64; 2],
        l: [f64; 2],
    }

    #[differentiable]
    impl ArmParams {
        fn mass_matrix(&self, q: &[f64]) -> [[f64; 2]; 2] {
            let c2 = q[1].cos();
            let [m1, m2] = self.m;
            let [l1, l2] = self.l;
            let off = m2 * (l2 * l2 + l1 * l2 * c2);
            [[m1 * l1 * l1 + m2 * (l1 * l1 + 2.0 * l1 * l2 * c2 + l2 * l2), off], [off, m2 * l2 * l2]]
        }

        fn coriolis(&self, q: &[f64], qd: &[f64]) -> [f64; 2] {
            let h = -self.m[1] * self.l[0] * self.l[1] * q[1].sin();
            [h * (2.0 * qd[0] * qd[1] + qd[1] * qd[1]), -h * qd[0] * qd[0]]
        }

        fn gravity(&self, q: &[f64]) -> [f64; 2] {
            let g = 0.98;
            let far = self.m[1] * self.l[1] * g * (q[0] + q[1]).cos();
            [(self.m[0] + self.m[1]) * self.l[0] * g * q[0].cos() + far, far]
        }
    }

    #[differentiable]
    pub fn torque(x: &[f64]) -> Vec<f64> {
        let arm = ArmParams { m: [x[6], x[7]], l: [1.0, 0.8] };
        let (q, qd, qdd) = (&x[0..2], &x[2..4], &x[4..6]);
        let m = arm.mass_matrix(q);
        let c = arm.coriolis(q, qd);
        let g = arm.gravity(q);
        (0..2).map(|i| m[i][0] * qdd[0] + m[i][1] * qdd[1] + c[i] + g[i]).collect()
    }

    #[test]
    fn two_link_inverse_dynamics() {
        vector!(torque, (), &[0.4, 0.9, 0.2, -0.3, 0.5, 0.1, 1.2, 0.7]);
    }
}

// 244 E0080 [DI0229] this is taken apart, but it cannot be told what it is
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
            Pose2 { x: c * dx + s * dy, y: -s * dx + c * dy, th: other.th - self.th }
        }
    }

    #[differentiable]
    fn angle_cost(a: f64) -> f64 {
        2.0 * (1.0 - a.cos())
    }

    #[differentiable]
    pub fn chi2(x: &[f64], #[constant] edges: &[Edge]) -> f64 {
        let mut poses = vec![Pose2 { x: 0.0, y: 0.0, th: 0.0 }];
        poses.extend(x.chunks(3).map(|c| Pose2 { x: c[0], y: c[1], th: c[2] }));
        let mut total = 0.0;
        for e in edges {
            let rel = poses[e.from].between(&poses[e.to]);
            let [mx, my, mt] = e.measured;
            total += e.info * ((rel.x - mx).powi(2) + (rel.y - my).powi(2) + angle_cost(rel.th - mt));
        }
        total
    }

    #[test]
    fn pose_graph() {
        let edges = vec![
            Edge { from: 0, to: 1, measured: [1.0, 0.0, 0.5], info: 1.0 },
            Edge { from: 1, to: 2, measured: [0.9, 0.1, 0.6], info: 2.0 },
            Edge { from: 2, to: 0, measured: [-0.5, 1.4, -1.0], info: 0.5 },
        ];
        scalar!(chi2, (&edges), &[0.9, 0.1, 0.4, 1.6, 0.7, 1.1]);
    }
}

// 349 E0080 [DI0239] a path of the form `<T as Trait>::name` is not supported
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
        let mut m = Motion { acc: [0.0, 0.98], ..Default::default() };
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
            Link { mass: 1.0, length: 0.7, com: 0.35, inertia: 0.05 },
            Link { mass: 0.6, length: 0.5, com: 0.25, inertia: 0.03 },
            Link { mass: 0.3, length: 0.3, com: 0.1, inertia: 0.01 },
        ];
        vector!(torques, (&links), &[0.3, 0.5, -0.4, 0.2, 0.1, 0.6, 0.4, -0.3, 0.8]);
    }
}

// 459 E0277 `[[f64; 3]; 3]` is not a differentiable type
// 465 E0277 `[[f64; 3]; 3]` is not a differentiable type
// 471 E0277 `[[f64; 3]; 3]` is not a differentiable type
/// Hand-eye style residual: rotation by Euler angles, matrices compared.
mod hand_eye {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type R = [[f64; 3]; 3];

    #[differentiable]
    fn rx(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
    }

    #[differentiable]
    fn ry(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
    }

    #[differentiable]
    fn rz(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    }

    #[differentiable]
    fn matmul(a: &R, b: &R) -> R {
        let mut out = [[0.0; 3]; 3];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                for k in 0..3 {
                    *v += a[i][k] * b[k][j];
                }
            }
        }
        out
    }

    #[differentiable]
    fn euler(angles: &[f64]) -> R {
        matmul(&rz(angles[2]), &matmul(&ry(angles[1]), &rx(angles[0])))
    }

    #[differentiable]
    pub fn residual(x: &[f64], #[constant] pairs: &[([f64; 3], [f64; 3])]) -> Vec<f64> {
        let unknown = euler(x);
        let mut r = Vec::new();
        for (a, b) in pairs {
            let left = matmul(&euler(a), &unknown);
            let right = matmul(&unknown, &euler(b));
            for i in 0..3 {
                r.push(left[i][(i + 1) % 3] - right[i][(i + 1) % 3]);
            }
        }
        r
    }

    #[test]
    fn hand_eye() {
        let pairs = [([0.1, 0.2, 0.3], [0.2, 0.1, 0.35]), ([-0.3, 0.4, 0.1], [-0.2, 0.5, 0.0])];
        vector!(residual, (&pairs), &[0.2, -0.3, 0.5]);
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
