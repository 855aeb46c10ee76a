//! Structures, robots, networks and reactors: models as structs.

/// A clamped beam by finite elements, solved with pivots.
mod beam {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod beam {
        fn element_stiffness(ei: f64, l: f64) -> [[f64; 4]; 4] {
            let c = ei / l.powi(3);
            [
                [12.0 * c, 6.0 * l * c, -12.0 * c, 6.0 * l * c],
                [6.0 * l * c, 4.0 * l * l * c, -6.0 * l * c, 2.0 * l * l * c],
                [-12.0 * c, -6.0 * l * c, 12.0 * c, -6.0 * l * c],
                [6.0 * l * c, 2.0 * l * l * c, -6.0 * l * c, 4.0 * l * l * c],
            ]
        }

        fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
            let n = b.len();
            for k in 0..n {
                let pivot = (k..n)
                    .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
                    .unwrap();
                a.swap(k, pivot);
                b.swap(k, pivot);
                for i in k + 1..n {
                    let m = a[i][k] / a[k][k];
                    for j in k..n {
                        a[i][j] -= m * a[k][j];
                    }
                    b[i] -= m * b[k];
                }
            }
            for k in (0..n).rev() {
                let s: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
                b[k] = (b[k] - s) / a[k][k];
            }
            b
        }

        /// Heights of the elements; width 1, load at the tip.
        pub fn compliance(
            heights: &[f64],
            #[constant] length: f64,
            #[constant] young: f64,
            #[constant] load: f64,
        ) -> f64 {
            let ne = heights.len();
            let ndof = 2 * (ne + 1);
            let l = length / ne as f64;
            let mut k = vec![vec![0.0; ndof]; ndof];
            for (e, h) in heights.iter().enumerate() {
                let inertia = h.powi(3) / 12.0;
                let ke = element_stiffness(young * inertia, l);
                for i in 0..4 {
                    for j in 0..4 {
                        k[2 * e + i][2 * e + j] += ke[i][j];
                    }
                }
            }
            // clamp
            let free: Vec<usize> = (2..ndof).collect();
            let reduced: Vec<Vec<f64>> = free
                .iter()
                .map(|&i| free.iter().map(|&j| k[i][j]).collect())
                .collect();
            let mut f = vec![0.0; free.len()];
            f[free.len() - 2] = load;
            let u = solve(reduced, f.clone());
            f.iter().zip(&u).map(|(a, b)| a * b).sum()
        }
    }

    #[test]
    fn beam() {
        use beam::compliance;
        scalar!(compliance, (3.0, 12.0, 0.4), &[1.0, 0.8, 0.6]);
    }
}

/// The energy of triangles of a neo-Hookean solid.
mod triangle {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod fem {
        #[derive(Clone, Copy)]
        pub struct Material {
            pub mu: f64,
            pub lambda: f64,
        }

        pub struct Mesh {
            pub nodes: Vec<[f64; 2]>,
            pub triangles: Vec<[usize; 3]>,
            pub material: Material,
        }

        type M2 = [[f64; 2]; 2];

        fn det(m: &M2) -> f64 {
            m[0][0] * m[1][1] - m[0][1] * m[1][0]
        }

        fn inverse(m: &M2) -> M2 {
            let d = det(m);
            [[m[1][1] / d, -m[0][1] / d], [-m[1][0] / d, m[0][0] / d]]
        }

        fn mul(a: &M2, b: &M2) -> M2 {
            let mut c = M2::default();
            for i in 0..2 {
                for j in 0..2 {
                    c[i][j] = (0..2).map(|k| a[i][k] * b[k][j]).sum();
                }
            }
            c
        }

        fn edges(p: [[f64; 2]; 3]) -> M2 {
            let [a, b, c] = p;
            [[b[0] - a[0], c[0] - a[0]], [b[1] - a[1], c[1] - a[1]]]
        }

        fn neo_hookean(f: &M2, m: Material) -> f64 {
            let j = det(f);
            let i1: f64 = f.iter().flatten().map(|v| v * v).sum();
            0.5 * m.mu * (i1 - 2.0) - m.mu * j.ln() + 0.5 * m.lambda * j.ln().powi(2)
        }

        pub fn total_energy(u: &[f64], #[constant] mesh: &Mesh) -> f64 {
            let mut energy = 0.0;
            for tri in &mesh.triangles {
                let reference = tri.map(|n| mesh.nodes[n]);
                let current = tri.map(|n| {
                    let [x, y] = mesh.nodes[n];
                    [x + u[2 * n], y + u[2 * n + 1]]
                });
                let dm = edges(reference);
                let area = 0.5 * det(&dm).abs();
                let f = mul(&edges(current), &inverse(&dm));
                energy += area * neo_hookean(&f, mesh.material);
            }
            energy
        }
    }

    #[test]
    fn triangle() {
        use fem::{Material, Mesh, total_energy};
        let mesh = Mesh {
            nodes: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            material: Material {
                mu: 1.0,
                lambda: 2.0,
            },
        };
        scalar!(
            total_energy,
            (&mesh),
            &[0.0, 0.1, 0.05, -0.1, 0.2, 0.1, -0.05, 0.07]
        );
    }
}

/// A chain of joints of an enum with quaternions; the error of a pose.
mod arm {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod arm {
        use std::ops::Mul;

        #[derive(Clone, Copy, Debug)]
        pub struct Quat {
            pub w: f64,
            pub v: [f64; 3],
        }

        fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        }

        fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        }

        impl Quat {
            pub const IDENTITY: Quat = Quat {
                w: 1.0,
                v: [0.0; 3],
            };

            pub fn from_axis_angle(axis: [f64; 3], angle: f64) -> Self {
                let (s, c) = (angle / 2.0).sin_cos();
                Quat {
                    w: c,
                    v: axis.map(|a| a * s),
                }
            }

            pub fn conj(self) -> Self {
                Quat {
                    w: self.w,
                    v: self.v.map(|c| -c),
                }
            }

            pub fn rotate(self, p: [f64; 3]) -> [f64; 3] {
                let q = self * Quat { w: 0.0, v: p } * self.conj();
                q.v
            }
        }

        impl Mul for Quat {
            type Output = Quat;
            fn mul(self, o: Quat) -> Quat {
                let c = cross(self.v, o.v);
                let mut v = [0.0; 3];
                for i in 0..3 {
                    v[i] = self.w * o.v[i] + o.w * self.v[i] + c[i];
                }
                Quat {
                    w: self.w * o.w - dot(self.v, o.v),
                    v,
                }
            }
        }

        #[derive(Clone, Debug)]
        pub enum Joint {
            Revolute { axis: [f64; 3] },
            Prismatic { axis: [f64; 3] },
        }

        #[derive(Clone, Debug)]
        pub struct Link {
            pub joint: Joint,
            pub offset: [f64; 3],
        }

        fn forward(q: &[f64], #[constant] chain: &[Link]) -> (Quat, [f64; 3]) {
            let mut rot = Quat::IDENTITY;
            let mut pos = [0.0; 3];
            for (link, &qi) in chain.iter().zip(q) {
                match link.joint {
                    Joint::Revolute { axis } => {
                        rot = rot * Quat::from_axis_angle(axis, qi);
                    }
                    Joint::Prismatic { axis } => {
                        let d = rot.rotate(axis);
                        for k in 0..3 {
                            pos[k] += qi * d[k];
                        }
                    }
                }
                let step = rot.rotate(link.offset);
                for (p, s) in pos.iter_mut().zip(step.iter()) {
                    *p += s;
                }
            }
            (rot, pos)
        }

        pub fn pose_error(
            q: &[f64],
            #[constant] chain: &[Link],
            #[constant] goal: [f64; 3],
            #[constant] goal_rot: Quat,
        ) -> f64 {
            let (rot, pos) = forward(q, chain);
            let position: f64 = pos.iter().zip(&goal).map(|(a, b)| (a - b).powi(2)).sum();
            let diff = rot * goal_rot.conj();
            position + 0.1 * (1.0 - diff.w * diff.w)
        }
    }

    #[test]
    fn arm() {
        use arm::{Joint, Link, Quat, pose_error};
        let chain = [
            Link {
                joint: Joint::Revolute {
                    axis: [0.0, 0.0, 1.0],
                },
                offset: [0.5, 0.0, 0.1],
            },
            Link {
                joint: Joint::Prismatic {
                    axis: [0.0, 1.0, 0.0],
                },
                offset: [0.0, 0.2, 0.0],
            },
            Link {
                joint: Joint::Revolute {
                    axis: [0.0, 1.0, 0.0],
                },
                offset: [0.4, 0.0, 0.0],
            },
        ];
        let goal = Quat::from_axis_angle([1.0, 0.0, 0.0], 0.4);
        scalar!(
            pose_error,
            (&chain, [0.6, 0.3, 0.2], goal),
            &[0.4, 0.3, -0.5]
        );
    }
}

/// Mismatches of power in a network with three kinds of buses.
mod powerflow {
    use crate::check::vector;
    use di::prelude::*;

    pub struct Branch {
        pub from: usize,
        pub to: usize,
        pub r: f64,
        pub x: f64,
        pub b: f64,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum BusKind {
        Slack,
        Pv,
        Pq,
    }

    pub struct Bus {
        pub kind: BusKind,
        pub p: f64,
        pub q: f64,
        pub v: f64,
    }

    /// Admittance matrix, real and imaginary parts.
    fn admittance(n: usize, branches: &[Branch]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut g = vec![vec![0.0; n]; n];
        let mut b = vec![vec![0.0; n]; n];
        for br in branches {
            let d = br.r * br.r + br.x * br.x;
            let (gs, bs) = (br.r / d, -br.x / d);
            g[br.from][br.from] += gs;
            g[br.to][br.to] += gs;
            b[br.from][br.from] += bs + br.b / 2.0;
            b[br.to][br.to] += bs + br.b / 2.0;
            g[br.from][br.to] -= gs;
            g[br.to][br.from] -= gs;
            b[br.from][br.to] -= bs;
            b[br.to][br.from] -= bs;
        }
        (g, b)
    }

    /// `x`: angles and magnitudes of all buses; returns mismatches.
    #[differentiable]
    pub fn mismatch(
        x: &[f64],
        #[constant] buses: &[Bus],
        #[constant] branches: &[Branch],
    ) -> Vec<f64> {
        let n = buses.len();
        let (g, b) = admittance(n, branches);
        let theta = &x[..n];
        let vm = &x[n..];
        let mut out = Vec::with_capacity(2 * n);
        for i in 0..n {
            let mut p = 0.0;
            let mut q = 0.0;
            for j in 0..n {
                let (s, c) = (theta[i] - theta[j]).sin_cos();
                p += vm[i] * vm[j] * (g[i][j] * c + b[i][j] * s);
                q += vm[i] * vm[j] * (g[i][j] * s - b[i][j] * c);
            }
            let bus = &buses[i];
            match bus.kind {
                BusKind::Slack => {
                    out.push(theta[i]);
                    out.push(vm[i] - bus.v);
                }
                BusKind::Pv => {
                    out.push(p - bus.p);
                    out.push(vm[i] - bus.v);
                }
                BusKind::Pq => {
                    out.push(p - bus.p);
                    out.push(q - bus.q);
                }
            }
        }
        out
    }

    #[test]
    fn powerflow() {
        let branch = |from, to, r, x, b| Branch { from, to, r, x, b };
        let branches = [
            branch(0, 1, 0.02, 0.1, 0.03),
            branch(1, 2, 0.03, 0.15, 0.02),
            branch(0, 2, 0.01, 0.08, 0.0),
        ];
        let bus = |kind, p, q, v| Bus { kind, p, q, v };
        let buses = [
            bus(BusKind::Slack, 0.0, 0.0, 1.0),
            bus(BusKind::Pv, 0.4, 0.0, 1.02),
            bus(BusKind::Pq, -0.6, -0.2, 1.0),
        ];
        vector!(
            mismatch,
            (&buses, &branches),
            &[0.0, 0.02, -0.03, 1.0, 1.02, 0.98]
        );
    }
}

/// A rectifier: Newton iterations of a function that takes a closure, within steps of time.
mod circuit {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod circuit {
        const VT: f64 = 0.02585;

        #[derive(Debug, Clone, Copy)]
        pub struct Diode {
            pub is: f64,
            pub n: f64,
        }

        #[derive(Debug, Clone, Copy)]
        pub struct Rectifier {
            pub diode: Diode,
            pub series: f64,
            pub load: f64,
            pub capacitance: f64,
        }

        impl Diode {
            fn current(&self, v: f64) -> f64 {
                self.is * ((v / (self.n * VT)).min(80.0).exp() - 1.0)
            }
            fn conductance(&self, v: f64) -> f64 {
                self.is / (self.n * VT) * (v / (self.n * VT)).min(80.0).exp()
            }
        }

        fn newton<F>(f: F, mut x: f64, tol: f64) -> f64
        where
            F: Fn(f64) -> (f64, f64),
        {
            let mut iterations = 0;
            loop {
                let (value, slope) = f(x);
                let dx = (value / slope).clamp(-0.1, 0.1);
                x -= dx;
                iterations += 1;
                if dx.abs() < tol || iterations > 100 {
                    break x;
                }
            }
        }

        impl Rectifier {
            /// Diode voltage for a given source and output voltage.
            fn diode_voltage(&self, source: f64, out: f64, guess: f64) -> f64 {
                newton(
                    |v| {
                        let i = self.diode.current(v);
                        let g = self.diode.conductance(v);
                        (v + self.series * i - (source - out), 1.0 + self.series * g)
                    },
                    guess,
                    1e-13,
                )
            }

            fn simulate(&self, #[constant] dt: f64, #[constant] steps: usize) -> Vec<f64> {
                let mut out = 0.0;
                let mut vd = 0.0;
                let mut wave = Vec::with_capacity(steps);
                for n in 1..=steps {
                    let source = 5.0 * (2.0 * std::f64::consts::PI * 50.0 * n as f64 * dt).sin();
                    vd = self.diode_voltage(source, out, vd);
                    let i = self.diode.current(vd);
                    out += dt / self.capacitance * (i - out / self.load);
                    wave.push(out);
                }
                wave
            }
        }

        pub fn ripple(r: &Rectifier, #[constant] dt: f64, #[constant] steps: usize) -> f64 {
            let wave = r.simulate(dt, steps);
            let tail = &wave[steps / 2..];
            let mean = tail.iter().sum::<f64>() / tail.len() as f64;
            let var = tail.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / tail.len() as f64;
            var.sqrt() / mean
        }
    }

    #[test]
    fn circuit() {
        use circuit::{Diode, Rectifier, ripple};
        let make = |q: &[f64; 5]| Rectifier {
            diode: Diode { is: q[0], n: q[1] },
            series: q[2],
            load: q[3],
            capacitance: q[4],
        };
        let list = |r: &Rectifier| vec![r.diode.is, r.diode.n, r.series, r.load, r.capacitance];
        let call = |r: &Rectifier| ripple(r, 1e-3, 30);
        made!(
            ripple::AD.with(1e-3, 30),
            call,
            make,
            list,
            &[0.4, 2.0, 1.0, 3.0, 0.3]
        );
    }
}
