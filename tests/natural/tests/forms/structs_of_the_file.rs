//! Structs that a function does not name, and copies of lists of constants: programs annotated function by function.

/// A serial robot arm with revolute and prismatic joints.
mod robot_arm {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug)]
    pub enum Joint {
        Revolute { axis: usize },
        Prismatic { axis: usize },
        Fixed,
    }

    #[derive(Clone, Debug)]
    pub struct Link {
        joint: Joint,
        offset: [f64; 3],
        limits: Option<(f64, f64)>,
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Pose {
        r: [[f64; 3]; 3],
        p: [f64; 3],
    }

    #[differentiable]
    fn rotation(axis: usize, angle: f64) -> [[f64; 3]; 3] {
        let (s, c) = angle.sin_cos();
        match axis {
            0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
            1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
            2 => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
            _ => panic!("no such axis"),
        }
    }

    #[differentiable]
    impl Pose {
        fn identity() -> Pose {
            Pose {
                r: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                p: [0.0; 3],
            }
        }

        fn apply(&self, v: &[f64; 3]) -> [f64; 3] {
            std::array::from_fn(|i| self.p[i] + (0..3).map(|j| self.r[i][j] * v[j]).sum::<f64>())
        }

        fn compose(&self, other: &Pose) -> Pose {
            let mut r = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        r[i][j] += self.r[i][k] * other.r[k][j];
                    }
                }
            }
            Pose {
                r,
                p: self.apply(&other.p),
            }
        }
    }

    #[differentiable]
    fn forward(q: &[f64], chain: &[Link]) -> Pose {
        let mut pose = Pose::identity();
        let mut next = 0;
        for link in chain {
            let local = match link.joint {
                Joint::Revolute { axis } => {
                    next += 1;
                    Pose {
                        r: rotation(axis, q[next - 1]),
                        p: link.offset,
                    }
                }
                Joint::Prismatic { axis } => {
                    let mut p = link.offset;
                    p[axis] += q[next];
                    next += 1;
                    Pose {
                        p,
                        ..Pose::identity()
                    }
                }
                Joint::Fixed => Pose {
                    p: link.offset,
                    ..Pose::identity()
                },
            };
            pose = pose.compose(&local);
        }
        pose
    }

    #[differentiable]
    fn cost(q: &[f64], #[constant] chain: &[Link], #[constant] goal: &[f64; 3]) -> f64 {
        let tip = forward(q, chain).apply(&[0.1, 0.0, 0.0]);
        let mut cost = tip
            .iter()
            .zip(goal)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>();
        for (link, angle) in chain.iter().zip(q) {
            if let Some((low, high)) = link.limits {
                cost += (low - angle).max(0.0).powi(2) + (angle - high).max(0.0).powi(2);
            }
        }
        cost
    }

    #[test]
    fn robot_arm() {
        let chain = vec![
            Link {
                joint: Joint::Revolute { axis: 2 },
                offset: [0.0, 0.0, 0.3],
                limits: Some((-0.5, 0.5)),
            },
            Link {
                joint: Joint::Prismatic { axis: 0 },
                offset: [0.5, 0.0, 0.0],
                limits: None,
            },
            Link {
                joint: Joint::Revolute { axis: 1 },
                offset: [0.2, 0.0, 0.0],
                limits: Some((-1.0, 0.2)),
            },
            Link {
                joint: Joint::Fixed,
                offset: [0.0, 0.1, 0.0],
                limits: None,
            },
        ];
        crate::check::scalar!(cost, (&chain, &[0.4, 0.5, 0.2]), &vec![0.7, 0.2, 0.4]);
    }
}

/// An N-body system by leapfrog, energy drift and miss distance.
mod leapfrog {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Body {
        mass: f64,
        pos: [f64; 3],
        vel: [f64; 3],
        tracked: bool,
    }

    #[differentiable]
    fn accelerations(bodies: &[Body], g: f64, softening: f64) -> Vec<[f64; 3]> {
        let mut acc = vec![[0.0; 3]; bodies.len()];
        for i in 0..bodies.len() {
            for j in 0..bodies.len() {
                if i == j {
                    continue;
                }
                let mut d = [0.0; 3];
                let mut r2 = softening * softening;
                for k in 0..3 {
                    d[k] = bodies[j].pos[k] - bodies[i].pos[k];
                    r2 += d[k] * d[k];
                }
                let scale = g * bodies[j].mass / (r2 * r2.sqrt());
                for k in 0..3 {
                    acc[i][k] += scale * d[k];
                }
            }
        }
        acc
    }

    #[differentiable]
    fn leapfrog(bodies: &mut Vec<Body>, dt: f64) {
        let a = accelerations(bodies, 1.0, 0.05);
        for (b, a) in bodies.iter_mut().zip(&a) {
            for k in 0..3 {
                b.vel[k] += 0.5 * dt * a[k];
                b.pos[k] += dt * b.vel[k];
            }
        }
        let a = accelerations(bodies, 1.0, 0.05);
        for (b, a) in bodies.iter_mut().zip(a.iter()) {
            for k in 0..3 {
                b.vel[k] += 0.5 * dt * a[k];
            }
        }
    }

    #[differentiable]
    fn miss(
        v0: &[f64],
        #[constant] initial: &[Body],
        #[constant] target: &[f64; 3],
        steps: usize,
    ) -> f64 {
        let mut bodies = initial.to_vec();
        for b in bodies.iter_mut().filter(|b| b.tracked) {
            for k in 0..3 {
                b.vel[k] += v0[k];
            }
        }
        let mut closest = f64::MAX;
        for _ in 0..steps {
            leapfrog(&mut bodies, 0.1);
            for b in &bodies {
                if b.tracked {
                    let d2: f64 = b
                        .pos
                        .iter()
                        .zip(target.iter())
                        .map(|(p, t)| (p - t).powi(2))
                        .sum();
                    closest = closest.min(d2);
                }
            }
        }
        closest
    }

    #[test]
    fn misses_of_a_leapfrog() {
        let bodies = vec![
            Body {
                mass: 1.0,
                pos: [0.0; 3],
                vel: [0.0; 3],
                tracked: false,
            },
            Body {
                mass: 0.01,
                pos: [1.0, 0.0, 0.1],
                vel: [0.0, 1.0, 0.0],
                tracked: true,
            },
            Body {
                mass: 0.1,
                pos: [-2.0, 0.5, 0.0],
                vel: [0.0, -0.6, 0.1],
                tracked: false,
            },
        ];
        crate::check::scalar!(miss, (&bodies, &[0.5, 1.2, 0.0], 6), &[0.1, -0.05, 0.02]);
    }
}

/// A truss: bars between joints, energy by sums over bars.
mod truss {
    use di::prelude::*;
    #[derive(Clone, Debug)]
    pub struct Bar {
        pub from: usize,
        pub to: usize,
        pub section: Section,
    }

    #[derive(Clone, Debug)]
    pub enum Section {
        Round { diameter: f64 },
        Square(f64),
        Custom { area: f64, label: String },
    }

    impl Section {
        pub fn area(&self) -> f64 {
            match self {
                Section::Round { diameter } => std::f64::consts::PI * diameter.powi(2) / 4.0,
                Section::Square(side) => side * side,
                Section::Custom { area, .. } => *area,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    #[differentiable]
    impl Point {
        pub fn distance(&self, other: &Point) -> f64 {
            (self.x - other.x).hypot(self.y - other.y)
        }
    }

    pub struct Truss {
        pub joints: Vec<Point>,
        pub bars: Vec<Bar>,
        pub free: Vec<usize>,
        pub loads: Vec<(usize, Point)>,
        pub young: f64,
    }

    #[differentiable]
    pub fn energy(u: &[f64], #[constant] truss: &Truss) -> f64 {
        let mut joints = truss.joints.clone();
        for (k, &j) in truss.free.iter().enumerate() {
            joints[j].x += u[2 * k];
            joints[j].y += u[2 * k + 1];
        }
        let strain: f64 = truss
            .bars
            .iter()
            .map(|bar| {
                let rest = truss.joints[bar.from].distance(&truss.joints[bar.to]);
                let now = joints[bar.from].distance(&joints[bar.to]);
                0.5 * truss.young * bar.section.area() / rest * (now - rest).powi(2)
            })
            .sum();
        let work: f64 = truss
            .loads
            .iter()
            .map(|(j, force)| {
                force.x * (joints[*j].x - truss.joints[*j].x)
                    + force.y * (joints[*j].y - truss.joints[*j].y)
            })
            .sum();
        strain - work
    }

    #[test]
    fn truss() {
        let p = |x, y| Point { x, y };
        let truss = Truss {
            joints: vec![p(0.0, 0.0), p(1.0, 0.0), p(0.5, 0.8)],
            bars: vec![
                Bar {
                    from: 0,
                    to: 2,
                    section: Section::Round { diameter: 0.2 },
                },
                Bar {
                    from: 1,
                    to: 2,
                    section: Section::Square(0.3),
                },
                Bar {
                    from: 0,
                    to: 1,
                    section: Section::Custom {
                        area: 0.1,
                        label: "c".into(),
                    },
                },
            ],
            free: vec![1, 2],
            loads: vec![(2, p(0.1, -0.3))],
            young: 10.0,
        };
        crate::check::scalar!(energy, (&truss), &[0.02, 0.1, -0.05, 0.03]);
    }
}
