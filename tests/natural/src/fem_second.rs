//! Finite elements.

/// Newmark time integration of a shear building of springs.
mod newmark_building {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        fn restoring(k: &[f64], u: &[f64]) -> Vec<f64> {
            let n = u.len();
            let mut f = vec![0.0; n];
            let mut below = 0.0;
            for i in 0..n {
                let drift = u[i] - below;
                let shear = k[i] * (drift + 0.2 * drift.powi(3));
                f[i] -= shear;
                if i > 0 {
                    f[i - 1] += shear;
                }
                below = u[i];
            }
            f
        }

        pub fn peak_proxy(k: &[f64], #[constant] ground: &[f64]) -> f64 {
            let n = k.len();
            let dt = 0.15;
            let mut u = vec![0.0; n];
            let mut v = vec![0.0; n];
            let mut sum = 0.0;
            for ag in ground {
                let f = restoring(k, &u);
                for i in 0..n {
                    let a = f[i] - 0.1 * v[i] - ag;
                    v[i] += dt * a;
                    u[i] += dt * v[i];
                }
                sum += (4.0 * u[n - 1]).cosh() - 1.0;
            }
            (1.0 + sum).ln() / 4.0
        }
    }

    #[test]
    fn newmark_building() {
        scalar!(
            problem::peak_proxy,
            (&[0.5, 0.9, 0.3, -0.6, -1.0, -0.2, 0.7, 0.4]),
            &[2.0, 1.6, 1.1]
        );
    }
}

/// Isoparametric quadrilateral: Jacobian and shape functions by const generics, in place.
mod quad_element {
    use crate::check::{inplace, scalar};
    use di::prelude::*;

    const XI: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

    #[differentiable]
    fn gradients<const N: usize>(#[constant] xi: f64, #[constant] eta: f64) -> [[f64; 2]; N] {
        let mut g = [[0.0; 2]; N];
        for a in 0..N {
            g[a][0] = 0.25 * XI[a][0] * (1.0 + XI[a][1] * eta);
            g[a][1] = 0.25 * XI[a][1] * (1.0 + XI[a][0] * xi);
        }
        g
    }

    #[differentiable]
    fn jacobian<const N: usize>(nodes: &[f64], g: &[[f64; 2]; N]) -> [[f64; 2]; 2] {
        let mut j = [[0.0; 2]; 2];
        for a in 0..N {
            for r in 0..2 {
                for c in 0..2 {
                    j[r][c] += g[a][r] * nodes[2 * a + c];
                }
            }
        }
        j
    }

    #[differentiable]
    pub fn stiffness_diagonal(nodes: &[f64], out: &mut [f64]) {
        let p = 1.0 / 3f64.sqrt();
        out.fill(0.0);
        for xi in [-p, p] {
            for eta in [-p, p] {
                let g = gradients::<4>(xi, eta);
                let j = jacobian(nodes, &g);
                let det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
                for a in 0..4 {
                    let dx = (j[1][1] * g[a][0] - j[0][1] * g[a][1]) / det;
                    let dy = (-j[1][0] * g[a][0] + j[0][0] * g[a][1]) / det;
                    out[a] += (dx * dx + dy * dy) * det;
                }
            }
        }
    }

    #[test]
    fn quad_element() {
        inplace!(
            stiffness_diagonal,
            (),
            &[0.0, 0.1, 1.2, 0.0, 1.3, 1.1, 0.1, 0.9],
            4
        );
    }
}

/// Frame with element types: enum of bar and beam, energy of given displacements.
mod frame_enum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod frame {
        pub enum Element {
            Bar {
                nodes: (usize, usize),
                ea: f64,
            },
            Beam {
                nodes: (usize, usize),
                ei: f64,
                ea: f64,
            },
            Spring {
                node: usize,
                k: f64,
            },
        }

        struct Dof {
            u: f64,
            w: f64,
            theta: f64,
        }

        fn dof(x: &[f64], n: usize) -> Dof {
            Dof {
                u: x[3 * n],
                w: x[3 * n + 1],
                theta: x[3 * n + 2],
            }
        }

        fn element_energy(x: &[f64], #[constant] e: &Element) -> f64 {
            match e {
                Element::Bar { nodes, ea } => {
                    let (a, b) = (dof(x, nodes.0), dof(x, nodes.1));
                    0.5 * ea * (b.u - a.u).powi(2)
                }
                Element::Beam {
                    nodes: (i, j),
                    ei,
                    ea,
                } => {
                    let (a, b) = (dof(x, *i), dof(x, *j));
                    let rot = b.theta - a.theta;
                    let chord = b.w - a.w;
                    let shear = a.theta + b.theta - 2.0 * chord;
                    let stretch = b.u - a.u + 0.5 * chord * chord;
                    0.5 * ei * (rot * rot + 3.0 * shear * shear) + 0.5 * ea * stretch * stretch
                }
                Element::Spring { node, k } => 0.5 * k * dof(x, *node).w.powi(2),
            }
        }

        pub fn potential(
            x: &[f64],
            #[constant] elements: &[Element],
            #[constant] loads: &[(usize, f64)],
        ) -> f64 {
            let mut p: f64 = elements.iter().map(|e| element_energy(x, e)).sum();
            for &(node, f) in loads {
                p -= f * dof(x, node).w;
            }
            p
        }
    }

    #[test]
    fn frame_enum() {
        use frame::Element::*;
        let elements = vec![
            Bar {
                nodes: (0, 2),
                ea: 1.2,
            },
            Beam {
                nodes: (0, 1),
                ei: 0.5,
                ea: 1.0,
            },
            Beam {
                nodes: (1, 2),
                ei: 0.7,
                ea: 0.9,
            },
            Spring { node: 2, k: 0.4 },
        ];
        scalar!(
            frame::potential,
            (&elements, &[(1, 0.5), (2, -0.3)]),
            &[0.1, 0.2, -0.1, 0.3, 0.5, 0.2, -0.2, 0.4, 0.6]
        );
    }
}

/// Static condensation of a banded system, banded storage with index helper.
mod banded_ldl {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const BAND: usize = 2;

    fn at(i: usize, j: usize) -> usize {
        i * (BAND + 1) + (i - j)
    }

    #[differentiable]
    fn factor(a: &mut [f64], n: usize) {
        for j in 0..n {
            for i in j + 1..(j + BAND + 1).min(n) {
                let l = a[at(i, j)] / a[at(j, j)];
                for k in j + 1..=i {
                    a[at(i, k)] -= l * a[at(k, j)];
                }
            }
            for i in j + 1..(j + BAND + 1).min(n) {
                a[at(i, j)] /= a[at(j, j)];
            }
        }
    }

    #[differentiable]
    pub fn foundation_settlement(x: &[f64], #[constant] load: &[f64]) -> Vec<f64> {
        let n = load.len();
        let mut a = vec![0.0; n * (BAND + 1)];
        for i in 0..n {
            a[at(i, i)] = 6.0 * x[0] + x[1];
            if i >= 1 {
                a[at(i, i - 1)] = -4.0 * x[0];
            }
            if i >= 2 {
                a[at(i, i - 2)] = x[0];
            }
        }
        factor(&mut a, n);
        let mut w = load.to_vec();
        for i in 0..n {
            for j in i.saturating_sub(BAND)..i {
                w[i] -= a[at(i, j)] * w[j];
            }
        }
        for i in (0..n).rev() {
            w[i] /= a[at(i, i)];
            for j in i + 1..(i + BAND + 1).min(n) {
                w[i] -= a[at(j, i)] * w[j];
            }
        }
        w
    }

    #[test]
    fn banded_ldl() {
        vector!(
            foundation_settlement,
            (&[0.2, 1.0, 0.5, 0.8, 0.1]),
            &[0.6, 1.4]
        );
    }
}
