//! Finite elements.

/// Linear elements with Gauss quadrature for a nonlinear bar, residual vector.
mod nonlinear_bar {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        static GAUSS: [(f64, f64); 2] = [(-0.5773502691896257, 1.0), (0.5773502691896257, 1.0)];

        fn shape(#[constant] xi: f64) -> ([f64; 2], [f64; 2]) {
            ([0.5 * (1.0 - xi), 0.5 * (1.0 + xi)], [-0.5, 0.5])
        }

        fn stress(strain: f64) -> f64 {
            strain + 0.4 * strain.powi(3)
        }

        pub fn residual(u: &[f64], #[constant] body: f64) -> Vec<f64> {
            let elements = u.len();
            let h = 1.0 / elements as f64;
            let mut r = vec![0.0; u.len()];
            for e in 0..elements {
                let left = if e == 0 { 0.0 } else { u[e - 1] };
                let ue = [left, u[e]];
                for &(xi, w) in GAUSS.iter() {
                    let (n, dn) = shape(xi);
                    let strain = (0..2).map(|a| dn[a] * ue[a]).sum::<f64>() * 2.0 / h;
                    let disp = n[0] * ue[0] + n[1] * ue[1];
                    let load = body * (1.0 + 0.2 * disp);
                    for a in 0..2 {
                        if e + a > 0 {
                            r[e + a - 1] +=
                                w * h / 2.0 * (dn[a] * 2.0 / h * stress(strain) - n[a] * load);
                        }
                    }
                }
            }
            r
        }
    }

    #[test]
    fn nonlinear_bar() {
        vector!(compute::residual, (0.7), &[0.2, 0.35, 0.5, 0.55]);
    }
}

/// Triangles of a 2D Laplacian: element areas from node coordinates; energy; inline module.
mod laplace_triangles {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod fe {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Point {
            x: f64,
            y: f64,
        }

        pub struct Mesh {
            pub triangles: Vec<[usize; 3]>,
            pub conductivity: Vec<f64>,
            pub field: Vec<f64>,
        }

        fn element(p: [Point; 3]) -> (f64, [[f64; 3]; 3]) {
            let b = [p[1].y - p[2].y, p[2].y - p[0].y, p[0].y - p[1].y];
            let c = [p[2].x - p[1].x, p[0].x - p[2].x, p[1].x - p[0].x];
            let area = 0.5 * (b[0] * c[1] - b[1] * c[0]);
            let mut k = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    k[i][j] = (b[i] * b[j] + c[i] * c[j]) / (4.0 * area);
                }
            }
            (area, k)
        }

        /// Dirichlet energy as a function of the positions of the nodes.
        pub fn energy(x: &[f64], #[constant] mesh: &Mesh) -> f64 {
            let pts: Vec<Point> = x.chunks(2).map(|c| Point { x: c[0], y: c[1] }).collect();
            let mut total = 0.0;
            for (tri, kappa) in mesh.triangles.iter().zip(mesh.conductivity.iter()) {
                let (area, k) = element([pts[tri[0]], pts[tri[1]], pts[tri[2]]]);
                let u = tri.map(|n| mesh.field[n]);
                for i in 0..3 {
                    for j in 0..3 {
                        total += 0.5 * kappa * u[i] * k[i][j] * u[j];
                    }
                    total -= area / 3.0 * u[i];
                }
            }
            total
        }
    }

    #[test]
    fn laplace_triangles() {
        let mesh = fe::Mesh {
            triangles: vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
            conductivity: vec![1.0, 2.0, 0.5, 1.5],
            field: vec![0.1, 0.8, 0.4, 0.9, 0.3],
        };
        scalar!(
            fe::energy,
            (&mesh),
            &[0.0, 0.0, 1.0, 0.1, 1.1, 1.0, -0.1, 0.9, 0.5, 0.6]
        );
    }
}

/// Modal analysis by inverse iteration: Rayleigh quotient of a chain.
mod rayleigh_inverse_iteration {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn tridiag_solve(k: &[f64], rhs: &[f64]) -> Vec<f64> {
        let n = rhs.len();
        let diag = |i: usize| k[i] + if i + 1 < k.len() { k[i + 1] } else { 0.0 };
        let mut d = vec![0.0; n];
        let mut b = rhs.to_vec();
        d[0] = diag(0);
        for i in 1..n {
            let m = -k[i] / d[i - 1];
            d[i] = diag(i) + m * k[i];
            b[i] = b[i] - m * b[i - 1];
        }
        b[n - 1] /= d[n - 1];
        for i in (0..n - 1).rev() {
            b[i] = (b[i] + k[i + 1] * b[i + 1]) / d[i];
        }
        b
    }

    #[differentiable]
    pub fn lowest_frequency(x: &[f64]) -> f64 {
        let (k, m) = x.split_at(x.len() / 2);
        let n = m.len();
        let mut v = vec![1.0; n];
        let mut lambda = 0.0;
        for _ in 0..12 {
            let mv: Vec<f64> = m.iter().zip(&v).map(|(a, b)| a * b).collect();
            let w = tridiag_solve(k, &mv);
            let num: f64 = w.iter().zip(&mv).map(|(a, b)| a * b).sum();
            let den: f64 = w.iter().zip(m).map(|(a, b)| a * a * b).sum();
            lambda = num / den;
            let norm = den.sqrt();
            v = w.iter().map(|a| a / norm).collect();
        }
        lambda.sqrt()
    }

    #[test]
    fn rayleigh_inverse_iteration() {
        scalar!(lowest_frequency, (), &[1.0, 1.4, 0.8, 0.5, 0.7, 0.6]);
    }
}
