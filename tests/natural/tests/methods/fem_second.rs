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

/// Euler-Bernoulli cantilever: Hermite elements with 4x4 stiffness, tip deflection.
mod cantilever {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn beam_element(ei: f64, l: f64) -> [[f64; 4]; 4] {
        let k = ei / l.powi(3);
        let l2 = l * l;
        [
            [12.0 * k, 6.0 * l * k, -12.0 * k, 6.0 * l * k],
            [6.0 * l * k, 4.0 * l2 * k, -6.0 * l * k, 2.0 * l2 * k],
            [-12.0 * k, -6.0 * l * k, 12.0 * k, -6.0 * l * k],
            [6.0 * l * k, 2.0 * l2 * k, -6.0 * l * k, 4.0 * l2 * k],
        ]
    }

    #[differentiable]
    fn cholesky_solve(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) {
        let n = b.len();
        for j in 0..n {
            for k in 0..j {
                a[j][j] -= a[j][k] * a[j][k];
            }
            a[j][j] = a[j][j].sqrt();
            for i in j + 1..n {
                for k in 0..j {
                    a[i][j] -= a[i][k] * a[j][k];
                }
                a[i][j] /= a[j][j];
            }
        }
        for i in 0..n {
            for k in 0..i {
                b[i] -= a[i][k] * b[k];
            }
            b[i] /= a[i][i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                b[i] -= a[k][i] * b[k];
            }
            b[i] /= a[i][i];
        }
    }

    #[differentiable]
    pub fn deflections(heights: &[f64], #[constant] tip_load: f64) -> Vec<f64> {
        let n = heights.len();
        let l = 1.0 / n as f64;
        let mut k = vec![vec![0.0; 2 * n]; 2 * n];
        for (e, h) in heights.iter().enumerate() {
            let ke = beam_element(h.powi(3), l);
            for i in 0..4 {
                for j in 0..4 {
                    let (gi, gj) = (2 * e + i, 2 * e + j);
                    if gi >= 2 && gj >= 2 {
                        k[gi - 2][gj - 2] += ke[i][j];
                    }
                }
            }
        }
        let mut f = vec![0.0; 2 * n];
        f[2 * n - 2] = tip_load;
        cholesky_solve(&mut k, &mut f);
        f.iter().step_by(2).copied().collect()
    }

    #[test]
    fn cantilever() {
        vector!(deflections, (1.0), &[1.2, 1.0, 0.8]);
    }
}

// E0446 private type `Truss` in public interface
/// Plane truss: assembly by elements, dense solve, compliance by areas.
mod truss_compliance {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Bar {
        from: usize,
        to: usize,
    }

    struct Truss {
        nodes: Vec<(f64, f64)>,
        bars: Vec<Bar>,
        free: Vec<usize>,
        load: Vec<f64>,
    }

    #[differentiable]
    fn element_stiffness(
        area: f64,
        #[constant] a: (f64, f64),
        #[constant] b: (f64, f64),
    ) -> [[f64; 4]; 4] {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let l = dx.hypot(dy);
        let (c, s) = (dx / l, dy / l);
        let d = [-c, -s, c, s];
        let mut k = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                k[i][j] = area / l * d[i] * d[j];
            }
        }
        k
    }

    #[differentiable]
    fn assemble(areas: &[f64], #[constant] t: &Truss) -> Vec<Vec<f64>> {
        let dofs = 2 * t.nodes.len();
        let mut full = vec![vec![0.0; dofs]; dofs];
        for (bar, area) in t.bars.iter().zip(areas) {
            let k = element_stiffness(*area, t.nodes[bar.from], t.nodes[bar.to]);
            let map = [2 * bar.from, 2 * bar.from + 1, 2 * bar.to, 2 * bar.to + 1];
            for i in 0..4 {
                for j in 0..4 {
                    full[map[i]][map[j]] += k[i][j];
                }
            }
        }
        t.free
            .iter()
            .map(|&i| t.free.iter().map(|&j| full[i][j]).collect())
            .collect()
    }

    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, #[constant] f: &[f64]) -> Vec<f64> {
        let n = f.len();
        let mut b = f.to_vec();
        for k in 0..n {
            for i in k + 1..n {
                let m = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= m * a[k][j];
                }
                b[i] -= m * b[k];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        b
    }

    #[differentiable]
    pub fn compliance(areas: &[f64], #[constant] t: &Truss) -> f64 {
        let u = solve(assemble(areas, t), &t.load);
        u.iter().zip(&t.load).map(|(u, f)| u * f).sum()
    }

    #[test]
    fn truss_compliance() {
        let bar = |from, to| Bar { from, to };
        let t = Truss {
            nodes: vec![(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)],
            bars: vec![bar(0, 2), bar(1, 3), bar(0, 3), bar(1, 2), bar(2, 3)],
            free: vec![4, 5, 6, 7],
            load: vec![0.0, -0.5, 0.3, -0.2],
        };
        scalar!(compliance, (&t), &[1.0, 0.8, 1.2, 0.6, 0.9]);
    }
}

// E0446 private type `cloth_energy::Spring` in public interface
/// Mass-spring grid: total energy of a hanging cloth.
mod cloth_energy {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    struct Spring {
        a: usize,
        b: usize,
        rest: f64,
        k: f64,
    }

    fn springs(rows: usize, cols: usize) -> Vec<Spring> {
        let id = |r: usize, c: usize| r * cols + c;
        let mut s = Vec::new();
        for r in 0..rows {
            for c in 0..cols {
                if c + 1 < cols {
                    s.push(Spring {
                        a: id(r, c),
                        b: id(r, c + 1),
                        rest: 0.9,
                        k: 2.0,
                    });
                }
                if r + 1 < rows {
                    s.push(Spring {
                        a: id(r, c),
                        b: id(r + 1, c),
                        rest: 0.9,
                        k: 1.5,
                    });
                }
            }
        }
        s
    }

    #[differentiable]
    fn stretch(p: &[f64], q: &[f64], #[constant] rest: f64) -> f64 {
        let d2: f64 = p.iter().zip(q).map(|(a, b)| (a - b).powi(2)).sum();
        d2.sqrt() - rest
    }

    #[differentiable]
    pub fn energy(x: &[f64], #[constant] springs: &[Spring], #[constant] gravity: f64) -> f64 {
        let elastic: f64 = springs
            .iter()
            .map(|s| {
                let d = stretch(&x[3 * s.a..3 * s.a + 3], &x[3 * s.b..3 * s.b + 3], s.rest);
                0.5 * s.k * d * d
            })
            .sum();
        let potential: f64 = x.chunks(3).map(|p| gravity * p[2]).sum();
        elastic + potential
    }

    #[test]
    fn cloth_energy() {
        let x = [0.0, 0.0, 1.0, 1.1, 0.1, 0.9, 0.1, 1.2, 0.7, 1.0, 1.1, 0.5];
        scalar!(energy, (&springs(2, 2), 0.3), &x);
    }
}

// E0446 private type `Simp` in public interface
/// Topology optimisation objective with SIMP penalty in one dimension.
mod simp_bar {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Debug, Clone)]
    struct Simp {
        penalty: f64,
        e_min: f64,
        volume: f64,
        radius: usize,
        filter: bool,
    }

    impl Default for Simp {
        fn default() -> Self {
            Self {
                penalty: 3.0,
                e_min: 1e-2,
                volume: 0.5,
                radius: 1,
                filter: true,
            }
        }
    }

    #[differentiable]
    fn density_filter(rho: &[f64], radius: usize) -> Vec<f64> {
        let n = rho.len();
        let mut out = vec![0.0; n];
        for i in 0..n {
            let lo = i.saturating_sub(radius);
            let hi = (i + radius).min(n - 1);
            let mut weight = 0.0;
            for j in lo..=hi {
                let w = (radius + 1 - i.abs_diff(j)) as f64;
                out[i] += w * rho[j];
                weight += w;
            }
            out[i] /= weight;
        }
        out
    }

    #[differentiable]
    pub fn objective(rho: &[f64], #[constant] s: &Simp) -> f64 {
        let d = if s.filter {
            density_filter(rho, s.radius)
        } else {
            rho.to_vec()
        };
        let n = d.len();
        let mut displacement = 0.0;
        let mut force = 1.0;
        let mut compliance = 0.0;
        for r in d.iter() {
            let e = s.e_min + r.powf(s.penalty) * (1.0 - s.e_min);
            displacement += force / (e * n as f64);
            compliance += force * displacement;
            force *= 0.9;
        }
        let vol: f64 = d.iter().sum::<f64>() / n as f64;
        compliance + 10.0 * (vol - s.volume).powi(2)
    }

    #[test]
    fn simp_bar() {
        scalar!(objective, (&Simp::default()), &[0.8, 0.6, 0.7, 0.9]);
        let plain = Simp {
            filter: false,
            ..Default::default()
        };
        scalar!(objective, (&plain), &[0.8, 0.6, 0.7, 0.9]);
    }
}
