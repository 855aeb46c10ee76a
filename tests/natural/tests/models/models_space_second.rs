//! Mechanics, optics and matter: models as structs.

/// Scattering of core-shell spheres of various sizes.
mod saxs {
    use crate::check::scalar;
    use di::prelude::*;

    const NODES: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

    #[differentiable]
    fn bessel_ratio(x: f64) -> f64 {
        if x.abs() < 1e-3 {
            return 1.0 - x * x / 10.0;
        }
        3.0 * (x.sin() - x * x.cos()) / x.powi(3)
    }

    #[differentiable]
    fn sphere_volume(r: f64) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * r.powi(3)
    }

    #[differentiable]
    fn amplitude(q: f64, core: f64, shell: f64, contrasts: (f64, f64)) -> f64 {
        let outer = core + shell;
        let (rho_core, rho_shell) = contrasts;
        (rho_core - rho_shell) * sphere_volume(core) * bessel_ratio(q * core)
            + rho_shell * sphere_volume(outer) * bessel_ratio(q * outer)
    }

    #[differentiable]
    fn intensity(params: &[f64], q: f64) -> f64 {
        let &[scale, core, shell, spread, rho_core, rho_shell, background] = params else {
            panic!("seven parameters");
        };
        let mut sum = 0.0;
        let mut norm = 0.0;
        for node in NODES {
            let weight = (-0.5 * node * node).exp();
            let radius = core * (1.0 + spread * node);
            let f = amplitude(q, radius, shell, (rho_core, rho_shell));
            sum += weight * f * f;
            norm += weight * sphere_volume(radius + shell);
        }
        scale * sum / norm + background
    }

    #[differentiable]
    pub fn chi_squared(
        params: &[f64],
        #[constant] q: &[f64],
        #[constant] data: &[f64],
        #[constant] errors: &[f64],
    ) -> f64 {
        let mut chi2 = 0.0;
        for ((&q, &d), &e) in q.iter().zip(data).zip(errors) {
            let model = intensity(params, q);
            chi2 += ((model - d) / e).powi(2);
        }
        chi2 / (q.len() - params.len()) as f64
    }

    #[test]
    fn saxs() {
        let q = [0.05, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5];
        let data = [80.0, 60.0, 40.0, 20.0, 10.0, 5.0, 3.0, 2.0];
        scalar!(
            chi_squared,
            (&q, &data, &[5.0; 8]),
            &[0.8, 1.5, 0.4, 0.1, 1.2, 0.7, 0.3]
        );
    }
}

/// Pair energies over periodic images, by the cell and the fractional coordinates.
mod crystal {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod crystal {
        #[derive(Clone, Debug)]
        pub struct Crystal {
            pub cell: [[f64; 3]; 3],
            pub positions: Vec<[f64; 3]>,
        }

        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Species {
            Na,
            Cl,
        }

        impl Species {
            pub fn charge(self) -> f64 {
                match self {
                    Species::Na => 1.0,
                    Species::Cl => -1.0,
                }
            }
        }

        struct Buckingham {
            a: f64,
            rho: f64,
            c: f64,
        }

        fn parameters(i: Species, j: Species) -> Buckingham {
            match (i, j) {
                (Species::Na, Species::Na) => Buckingham {
                    a: 424.0,
                    rho: 0.317,
                    c: 1.05,
                },
                (Species::Cl, Species::Cl) => Buckingham {
                    a: 3488.0,
                    rho: 0.317,
                    c: 72.4,
                },
                _ => Buckingham {
                    a: 1254.0,
                    rho: 0.317,
                    c: 7.0,
                },
            }
        }

        fn to_cartesian(cell: &[[f64; 3]; 3], f: &[f64; 3]) -> [f64; 3] {
            let mut r = [0.0; 3];
            for (i, row) in cell.iter().enumerate() {
                for k in 0..3 {
                    r[k] += f[i] * row[k];
                }
            }
            r
        }

        fn pair(r: f64, i: Species, j: Species) -> f64 {
            let Buckingham { a, rho, c } = parameters(i, j);
            let alpha = 0.3;
            a * (-r / rho).exp() - c / r.powi(6)
                + 14.4 * i.charge() * j.charge() * (-(alpha * r).powi(2)).exp() / r
        }

        pub fn energy(
            crystal: &Crystal,
            #[constant] species: &[Species],
            #[constant] cutoff: f64,
        ) -> f64 {
            let mut e = 0.0;
            let n = crystal.positions.len();
            for i in 0..n {
                for j in 0..n {
                    for a in -1..=1 {
                        for b in -1..=1 {
                            for c in -1..=1 {
                                if i == j && (a, b, c) == (0, 0, 0) {
                                    continue;
                                }
                                let shift = [a as f64, b as f64, c as f64];
                                let mut d = [0.0; 3];
                                for k in 0..3 {
                                    d[k] = crystal.positions[j][k] - crystal.positions[i][k]
                                        + shift[k];
                                }
                                let r = to_cartesian(&crystal.cell, &d);
                                let dist = r.iter().map(|x| x * x).sum::<f64>().sqrt();
                                if dist < cutoff {
                                    e += 0.5 * pair(dist, species[i], species[j]);
                                }
                            }
                        }
                    }
                }
            }
            e
        }
    }

    #[test]
    fn crystal() {
        use crystal::{Crystal, Species, energy};
        let species = [Species::Na, Species::Cl];
        let make = |q: &[f64; 15]| Crystal {
            cell: [[q[0], q[1], q[2]], [q[3], q[4], q[5]], [q[6], q[7], q[8]]],
            positions: vec![[q[9], q[10], q[11]], [q[12], q[13], q[14]]],
        };
        let list = |c: &Crystal| {
            c.cell
                .iter()
                .chain(&c.positions)
                .flatten()
                .copied()
                .collect::<Vec<f64>>()
        };
        let call = |c: &Crystal| energy(c, &species, 7.0);
        let q = [
            5.0, 0.1, 0.0, 0.2, 5.2, 0.1, 0.0, 0.1, 5.1, 0.0, 0.05, 0.0, 0.5, 0.45, 0.52,
        ];
        made!(energy::AD.with(&species, 7.0), call, make, list, &q);
    }
}
