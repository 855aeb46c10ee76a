//! Finite elements. Refused: each with what the compiler says.

// 110 E0080 [DI0114] `&mut Vec<Vec<f64>>` is not supported as a parameter
// 110 E0080 [DI0114] `&mut Vec<f64>` is not supported as a parameter
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

// 458 E0277 `[[f64; 2]; 2]` is not a differentiable type
// 453 E0080 [DI0125] `Mat2` is an alias of a type with floats, which nobody sees through here
// 471 E0080 [DI0125] `Mat2` is an alias of a type with floats, which nobody sees through here
/// Neo-Hookean triangle: deformation gradient, energy density and total.
mod neo_hookean {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat2 = [[f64; 2]; 2];

    #[derive(Clone, Debug, Differentiable)]
    struct Material {
        mu: f64,
        lambda: f64,
    }

    #[differentiable]
    fn det(m: &Mat2) -> f64 {
        m[0][0] * m[1][1] - m[0][1] * m[1][0]
    }

    #[differentiable]
    fn deformation(x: &[f64], tri: [usize; 3], #[constant] dm_inv: &Mat2) -> Mat2 {
        let at = |n: usize, k: usize| x[2 * tri[n] + k];
        let mut f = [[0.0; 2]; 2];
        for i in 0..2 {
            let e = [at(1, i) - at(0, i), at(2, i) - at(0, i)];
            for j in 0..2 {
                f[i][j] = e[0] * dm_inv[0][j] + e[1] * dm_inv[1][j];
            }
        }
        f
    }

    #[differentiable]
    fn density(f: &Mat2, m: &Material) -> f64 {
        let i1: f64 = f.iter().flat_map(|r| r.iter()).map(|v| v * v).sum();
        let lj = det(f).ln();
        0.5 * m.mu * (i1 - 2.0) - m.mu * lj + 0.5 * m.lambda * lj * lj
    }

    #[differentiable]
    pub fn energy(x: &[f64]) -> f64 {
        let n = x.len();
        let mat = Material { mu: x[n - 2], lambda: x[n - 1] };
        let elements = [([0, 1, 2], [[1.0, 0.0], [0.0, 1.0]]), ([1, 3, 2], [[1.0, 1.0], [-1.0, 0.0]])];
        let mut total = 0.0;
        for (tri, inv) in elements.iter() {
            let f = deformation(x, *tri, inv);
            total += 0.5 * density(&f, &mat);
        }
        total
    }

    #[test]
    fn neo_hookean() {
        scalar!(energy, (), &[0.0, 0.1, 1.2, 0.0, 0.1, 1.1, 1.3, 1.2, 0.8, 1.5]);
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
