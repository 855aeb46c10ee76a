//! Structures, robots, networks and reactors: models as structs. Refused: each with what the compiler says.

// E0277 the trait bound `Member: Clone` is not satisfied
/// A truss by conjugate gradients without a matrix.
mod truss {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod truss {
        #[derive(Clone, Copy, Debug)]
        pub struct Point {
            pub x: f64,
            pub y: f64,
        }

        pub struct Member {
            pub a: usize,
            pub b: usize,
        }

        pub struct Truss {
            pub nodes: Vec<Point>,
            pub members: Vec<Member>,
            pub fixed: Vec<bool>,
            pub loads: Vec<f64>,
        }

        impl Truss {
            fn direction(&self, m: &Member) -> (f64, f64, f64) {
                let (p, q) = (self.nodes[m.a], self.nodes[m.b]);
                let dx = q.x - p.x;
                let dy = q.y - p.y;
                let len = dx.hypot(dy);
                (dx / len, dy / len, len)
            }

            /// Stiffness times displacement, matrix free.
            fn apply(&self, areas: &[f64], u: &[f64]) -> Vec<f64> {
                let mut f = vec![0.0; u.len()];
                for (m, area) in self.members.iter().zip(areas) {
                    let (c, s, len) = self.direction(m);
                    let stretch = c * (u[2 * m.b] - u[2 * m.a]) + s * (u[2 * m.b + 1] - u[2 * m.a + 1]);
                    let force = area / len * stretch;
                    f[2 * m.a] -= c * force;
                    f[2 * m.a + 1] -= s * force;
                    f[2 * m.b] += c * force;
                    f[2 * m.b + 1] += s * force;
                }
                for (fi, &fixed) in f.iter_mut().zip(&self.fixed) {
                    if fixed {
                        *fi = 0.0;
                    }
                }
                f
            }
        }

        fn dot(a: &[f64], b: &[f64]) -> f64 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }

        fn conjugate_gradient(truss: &Truss, areas: &[f64]) -> Vec<f64> {
            let n = truss.loads.len();
            let mut x = vec![0.0; n];
            let mut r = truss.loads.clone();
            let mut p = r.clone();
            let mut rr = dot(&r, &r);
            for _ in 0..2 * n {
                if rr < 1e-24 {
                    break;
                }
                let ap = truss.apply(areas, &p);
                let alpha = rr / dot(&p, &ap);
                for i in 0..n {
                    x[i] += alpha * p[i];
                    r[i] -= alpha * ap[i];
                }
                let rr_new = dot(&r, &r);
                let beta = rr_new / rr;
                p = r.iter().zip(&p).map(|(r, p)| r + beta * p).collect();
                rr = rr_new;
            }
            x
        }

        pub fn objective(areas: &[f64], #[constant] truss: &Truss, #[constant] price: f64) -> f64 {
            let u = conjugate_gradient(truss, areas);
            let volume: f64 = truss.members.iter().zip(areas).map(|(m, a)| a * truss.direction(m).2).sum();
            dot(&truss.loads, &u) + price * volume
        }
    }

    #[test]
    fn truss() {
        use truss::{Member, Point, Truss, objective};
        let truss = Truss {
            nodes: vec![Point { x: 0.0, y: 0.0 }, Point { x: 1.0, y: 0.0 }, Point { x: 0.0, y: 1.0 }],
            members: vec![Member { a: 0, b: 1 }, Member { a: 1, b: 2 }],
            fixed: vec![true, true, false, false, true, true],
            loads: vec![0.0, 0.0, 0.2, -0.4, 0.0, 0.0],
        };
        scalar!(objective, (&truss, 0.1), &[1.2, 0.8]);
    }
}
