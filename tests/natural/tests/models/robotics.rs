//! Robotics.

/// Forward kinematics with 4x4 homogeneous matrices and Denavit-Hartenberg rows.
mod dh_forward {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        type Mat4 = [[f64; 4]; 4];

        struct Link {
            a: f64,
            alpha: f64,
            d: f64,
        }

        static ARM: [Link; 3] = [
            Link {
                a: 0.0,
                alpha: std::f64::consts::FRAC_PI_2,
                d: 0.4,
            },
            Link {
                a: 0.6,
                alpha: 0.0,
                d: 0.0,
            },
            Link {
                a: 0.5,
                alpha: 0.0,
                d: 0.0,
            },
        ];

        fn dh(theta: f64, #[constant] l: &Link) -> Mat4 {
            let (st, ct) = theta.sin_cos();
            let (sa, ca) = l.alpha.sin_cos();
            [
                [ct, -st * ca, st * sa, l.a * ct],
                [st, ct * ca, -ct * sa, l.a * st],
                [0.0, sa, ca, l.d],
                [0.0, 0.0, 0.0, 1.0],
            ]
        }

        fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
            let mut c = [[0.0; 4]; 4];
            for i in 0..4 {
                for j in 0..4 {
                    for k in 0..4 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }

        pub fn end_effector(q: &[f64]) -> [f64; 3] {
            let mut t = dh(q[0], &ARM[0]);
            for i in 1..ARM.len() {
                t = mul(&t, &dh(q[i], &ARM[i]));
            }
            [t[0][3], t[1][3], t[2][3]]
        }

        pub fn reach_cost(q: &[f64], #[constant] target: &[f64; 3]) -> f64 {
            let p = end_effector(q);
            let d: f64 = p
                .iter()
                .zip(target.iter())
                .map(|(a, b)| (a - b) * (a - b))
                .sum();
            d + 0.01 * q.iter().map(|v| v * v).sum::<f64>()
        }
    }

    #[test]
    fn dh_forward() {
        vector!(system::end_effector, (), &[0.3, 0.7, -0.5]);
        scalar!(system::reach_cost, (&[0.5, 0.4, 0.8]), &[0.3, 0.7, -0.5]);
    }
}

/// Product of exponentials with twists; inline module with a Transform type.
mod product_of_exponentials {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod poe {
        use std::ops::Mul;

        #[derive(Clone, Debug)]
        pub struct Transform {
            r: [[f64; 3]; 3],
            p: [f64; 3],
        }

        pub struct Twist {
            pub w: [f64; 3],
            pub v: [f64; 3],
        }

        impl Mul for Transform {
            type Output = Transform;

            fn mul(self, other: Transform) -> Transform {
                let mut r = [[0.0; 3]; 3];
                let mut p = self.p;
                for i in 0..3 {
                    for k in 0..3 {
                        p[i] += self.r[i][k] * other.p[k];
                        for j in 0..3 {
                            r[i][j] += self.r[i][k] * other.r[k][j];
                        }
                    }
                }
                Transform { r, p }
            }
        }

        fn skew(w: [f64; 3]) -> [[f64; 3]; 3] {
            [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]
        }

        fn exp(#[constant] s: &Twist, theta: f64) -> Transform {
            let k = skew(s.w);
            let mut k2 = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    k2[i][j] = (0..3).map(|m| k[i][m] * k[m][j]).sum();
                }
            }
            let mut r = [[0.0; 3]; 3];
            let mut p = [0.0; 3];
            for i in 0..3 {
                for j in 0..3 {
                    let id = if i == j { 1.0 } else { 0.0 };
                    r[i][j] = id + theta.sin() * k[i][j] + (1.0 - theta.cos()) * k2[i][j];
                    let g = id * theta
                        + (1.0 - theta.cos()) * k[i][j]
                        + (theta - theta.sin()) * k2[i][j];
                    p[i] += g * s.v[j];
                }
            }
            Transform { r, p }
        }

        pub fn tool(q: &[f64], #[constant] twists: &[Twist]) -> Vec<f64> {
            let mut t = exp(&twists[0], q[0]);
            for (s, angle) in twists.iter().zip(q).skip(1) {
                t = t * exp(s, *angle);
            }
            let home = Transform {
                r: skew([0.0, 0.0, 1.0]),
                p: [1.0, 0.2, 0.0],
            };
            let t = t * home;
            vec![t.p[0], t.p[1], t.p[2], t.r[0][1]]
        }
    }

    #[test]
    fn product_of_exponentials() {
        use poe::Twist;
        let twists = [
            Twist {
                w: [0.0, 0.0, 1.0],
                v: [0.0, 0.0, 0.0],
            },
            Twist {
                w: [0.0, 1.0, 0.0],
                v: [-0.3, 0.0, 0.0],
            },
            Twist {
                w: [0.0, 0.0, 1.0],
                v: [0.0, -0.5, 0.0],
            },
        ];
        vector!(poe::tool, (&twists), &[0.4, -0.6, 0.9]);
    }
}

/// Inverse kinematics by damped least squares unrolled.
mod ik_damped {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const LENGTHS: [f64; 3] = [0.8, 0.6, 0.4];

    #[differentiable]
    fn fk_and_jacobian(q: &[f64; 3]) -> ([f64; 2], [[f64; 3]; 2]) {
        let mut p = [0.0; 2];
        let mut jac = [[0.0; 3]; 2];
        let mut angle = 0.0;
        for i in 0..3 {
            angle += q[i];
            let (dx, dy) = (LENGTHS[i] * angle.cos(), LENGTHS[i] * angle.sin());
            p[0] += dx;
            p[1] += dy;
            for j in 0..=i {
                jac[0][j] -= dy;
                jac[1][j] += dx;
            }
        }
        (p, jac)
    }

    #[differentiable]
    pub fn solve(target: &[f64; 2], iterations: usize) -> [f64; 3] {
        let mut q = [0.3, 0.4, 0.5];
        let damping = 0.1;
        for _ in 0..iterations {
            let (p, j) = fk_and_jacobian(&q);
            let e = [target[0] - p[0], target[1] - p[1]];
            let mut a = [[0.0; 2]; 2];
            for r in 0..2 {
                for c in 0..2 {
                    a[r][c] = (0..3).map(|k| j[r][k] * j[c][k]).sum::<f64>();
                }
                a[r][r] += damping;
            }
            let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            let y = [
                (a[1][1] * e[0] - a[0][1] * e[1]) / det,
                (a[0][0] * e[1] - a[1][0] * e[0]) / det,
            ];
            for k in 0..3 {
                q[k] += j[0][k] * y[0] + j[1][k] * y[1];
            }
        }
        q
    }

    #[test]
    fn ik_damped() {
        vector!(solve, (5), &[0.9, 1.1]);
    }
}

/// Trajectory of a quintic spline with cost on jerk and obstacles as an iterator chain.
mod spline_planner {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        fn cubic(p0: f64, p1: f64, m0: f64, m1: f64, t: f64) -> f64 {
            let (t2, t3) = (t * t, t * t * t);
            (2.0 * t3 - 3.0 * t2 + 1.0) * p0
                + (t3 - 2.0 * t2 + t) * m0
                + (-2.0 * t3 + 3.0 * t2) * p1
                + (t3 - t2) * m1
        }

        fn tangents(p: &[f64]) -> Vec<f64> {
            let n = p.len();
            (0..n)
                .map(|i| match i {
                    0 => p[1] - p[0],
                    i if i == n - 1 => p[i] - p[i - 1],
                    _ => 0.5 * (p[i + 1] - p[i - 1]),
                })
                .collect()
        }

        fn sample(p: &[f64], per_segment: usize) -> Vec<f64> {
            let m = tangents(p);
            let mut out = Vec::new();
            for i in 0..p.len() - 1 {
                for s in 0..per_segment {
                    let t = s as f64 / per_segment as f64;
                    out.push(cubic(p[i], p[i + 1], m[i], m[i + 1], t));
                }
            }
            out.push(p[p.len() - 1]);
            out
        }

        pub fn path_cost(w: &[f64], #[constant] obstacles: &[(f64, f64, f64)]) -> f64 {
            let half = w.len() / 2;
            let xs = sample(&w[..half], 4);
            let ys = sample(&w[half..], 4);
            let jerk: f64 = xs
                .windows(4)
                .map(|v| (v[3] - 3.0 * v[2] + 3.0 * v[1] - v[0]).powi(2))
                .sum();
            let length: f64 = xs
                .windows(2)
                .zip(ys.windows(2))
                .map(|(a, b)| ((a[1] - a[0]).powi(2) + (b[1] - b[0]).powi(2)).sqrt())
                .sum();
            let mut hit = 0.0;
            for (x, y) in xs.iter().zip(ys.iter()) {
                hit += obstacles
                    .iter()
                    .map(|(ox, oy, r)| (-((x - ox).powi(2) + (y - oy).powi(2)) / r).exp())
                    .sum::<f64>();
            }
            jerk + length + 0.5 * hit
        }
    }

    #[test]
    fn spline_planner() {
        scalar!(
            model::path_cost,
            (&[(0.5, 0.4, 0.1), (1.0, 0.8, 0.2)]),
            &[0.0, 0.4, 0.9, 1.5, 0.1, 0.7, 0.5, 1.2]
        );
    }
}
