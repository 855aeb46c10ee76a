//! Data and structs in calls, and traits: programs of a fourth collection. Refused: each with what the compiler says.

// [DI0329] a derivative would be lost: the method of an element of a constant vector in a zip
/// Statistics: GLM with Link and Prior enums (floats in variants) as constants, prior list.
mod links_and_priors {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod glm {
        pub enum Link {
            Identity,
            Log,
            Logit,
        }
        pub enum Prior {
            Flat,
            Normal { mean: f64, sd: f64 },
            Laplace(f64),
        }

        impl Link {
            fn inverse(&self, eta: f64) -> f64 {
                match self {
                    Link::Identity => eta,
                    Link::Log => eta.exp(),
                    Link::Logit => 1.0 / (1.0 + (-eta).exp()),
                }
            }
        }
        impl Prior {
            fn log_density(&self, b: f64) -> f64 {
                match self {
                    Prior::Flat => 0.0,
                    Prior::Normal { mean, sd } => -0.5 * ((b - mean) / sd).powi(2) - sd.ln(),
                    Prior::Laplace(scale) => -b.abs() / scale,
                }
            }
        }

        pub struct Data {
            pub rows: Vec<Vec<f64>>,
            pub y: Vec<f64>,
            pub offset: Option<Vec<f64>>,
        }

        pub struct Model {
            pub link: Link,
            pub priors: Vec<Prior>,
            pub ridge: Option<f64>,
        }

        fn linear_predictor(beta: &[f64], row: &[f64]) -> f64 {
            beta.iter().zip(row.iter()).map(|(b, x)| b * x).sum()
        }

        pub fn log_posterior(
            beta: &[f64],
            #[constant] model: &Model,
            #[constant] data: &Data,
        ) -> f64 {
            let mut lp = 0.0;
            for (i, row) in data.rows.iter().enumerate() {
                let mut eta = linear_predictor(beta, row);
                if let Some(offset) = &data.offset {
                    eta += offset[i];
                }
                let mu = model.link.inverse(eta);
                lp += data.y[i] * mu.ln() - mu;
            }
            for (b, prior) in beta.iter().zip(&model.priors) {
                lp += prior.log_density(*b);
            }
            if let Some(lambda) = model.ridge {
                lp -= lambda * beta.iter().map(|b| b.powi(2)).sum::<f64>();
            }
            lp
        }
    }

    #[test]
    fn links_and_priors() {
        let model = glm::Model {
            link: glm::Link::Log,
            priors: vec![
                glm::Prior::Flat,
                glm::Prior::Normal { mean: 0.1, sd: 2.0 },
                glm::Prior::Laplace(1.5),
            ],
            ridge: Some(0.1),
        };
        let data = glm::Data {
            rows: vec![vec![1.0, 0.2, 0.4], vec![1.0, -0.3, 0.8]],
            y: vec![2.0, 1.0],
            offset: Some(vec![0.1, 0.2]),
        };
        scalar!(glm::log_posterior, (&model, &data), &[0.4, 0.3, -0.6]);
    }
}

// E0277 `Eos` is not a differentiable type: an enum with differentiated floats
/// Thermodynamics: enum of values with floats computed from active data (equation of state), mixing, active enum.
mod equations_of_state {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod eos {
        #[derive(Clone, Copy, Debug)]
        pub enum Eos {
            Ideal,
            VanDerWaals { a: f64, b: f64 },
            Virial(f64),
        }

        impl Eos {
            fn pressure(&self, t: f64, v: f64) -> f64 {
                match *self {
                    Eos::Ideal => t / v,
                    Eos::VanDerWaals { a, b } => t / (v - b) - a / (v * v),
                    Eos::Virial(b) => t / v * (1.0 + b / v),
                }
            }
        }

        fn choose(kind: usize, p: &[f64]) -> Eos {
            match kind {
                0 => Eos::Ideal,
                1 => Eos::VanDerWaals { a: p[0], b: p[1] },
                _ => Eos::Virial(p[2]),
            }
        }

        pub fn mismatch(p: &[f64], #[constant] data: &[(usize, f64, f64, f64)]) -> f64 {
            let mut s = 0.0;
            for &(kind, t, v, measured) in data {
                let eos = choose(kind, p);
                s += (eos.pressure(t, v) - measured).powi(2);
            }
            s
        }
    }

    #[test]
    fn equations_of_state() {
        scalar!(
            eos::mismatch,
            (&[(0, 1.0, 2.0, 0.4), (1, 1.1, 1.9, 0.5), (2, 1.2, 1.5, 0.7)]),
            &[0.3, 0.1, 0.2]
        );
    }
}

// [DI0114] a `&mut Vec<f64>` whose length changes
/// Signal: FIR/IIR filter bank, struct Biquad with state mutated via &mut self, collected in Vec.
mod biquads {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Differentiable)]
    struct Biquad {
        b: [f64; 3],
        a: [f64; 2],
        z: [f64; 2],
    }

    #[differentiable]
    impl Biquad {
        fn lowpass(fc: f64, q: f64) -> Biquad {
            let w = 2.0 * std::f64::consts::PI * fc;
            let alpha = w.sin() / (2.0 * q);
            let a0 = 1.0 + alpha;
            let k = (1.0 - w.cos()) / a0;
            Biquad {
                b: [0.5 * k, k, 0.5 * k],
                a: [-2.0 * w.cos() / a0, (1.0 - alpha) / a0],
                z: [0.0; 2],
            }
        }
        fn tick(&mut self, x: f64) -> f64 {
            let y = self.b[0] * x + self.z[0];
            self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
            self.z[1] = self.b[2] * x - self.a[1] * y;
            y
        }
        fn process(&mut self, xs: &[f64], out: &mut Vec<f64>) {
            for &x in xs {
                let y = self.tick(x);
                out.push(y);
            }
        }
    }

    #[differentiable]
    fn cascade(p: &[f64], #[constant] input: &[f64]) -> Vec<f64> {
        let mut stages: Vec<Biquad> = p
            .chunks_exact(2)
            .map(|c| Biquad::lowpass(c[0], c[1]))
            .collect();
        let mut signal = input.to_vec();
        for stage in stages.iter_mut() {
            let mut out = Vec::with_capacity(signal.len());
            stage.process(&signal, &mut out);
            signal = out;
        }
        signal
    }

    #[differentiable]
    fn fit(p: &[f64], #[constant] input: &[f64], #[constant] target: &[f64]) -> f64 {
        let y = cascade(p, input);
        y.iter()
            .zip(target)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            / y.len() as f64
    }

    #[test]
    fn biquads() {
        let input = [1.0, 0.0, 0.5, -0.3, 0.2, 0.0, 0.0];
        scalar!(
            fit,
            (&input, &[0.1, 0.2, 0.3, 0.2, 0.1, 0.05, 0.0]),
            &[0.1, 0.7, 0.2, 0.9]
        );
    }
}

// [DI0301] the type of this cannot be inferred: a closure that sums a chain
/// Molecular: force field with nested constant structs and closures in helper; enums of bonds.
mod force_field {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::collections::HashMap;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    enum Kind {
        C,
        H,
        O,
    }

    struct Atom {
        kind: Kind,
        charge: f64,
    }
    struct Bond {
        i: usize,
        j: usize,
        k: f64,
        r0: f64,
    }
    struct Molecule {
        atoms: Vec<Atom>,
        bonds: Vec<Bond>,
    }

    struct ForceField {
        lj: HashMap<Kind, (f64, f64)>,
        cutoff: Option<f64>,
    }

    impl ForceField {
        fn pair(&self, a: Kind, b: Kind) -> (f64, f64) {
            let (e1, s1) = self.lj[&a];
            let (e2, s2) = self.lj[&b];
            ((e1 * e2).sqrt(), 0.5 * (s1 + s2))
        }
    }

    #[differentiable]
    fn lennard_jones(r: f64, eps: f64, sigma: f64) -> f64 {
        let s6 = (sigma / r).powi(6);
        4.0 * eps * (s6 * s6 - s6)
    }

    #[differentiable]
    fn nonbonded(x: &[f64], mol: &Molecule, ff: &ForceField) -> f64 {
        let dist = |i: usize, j: usize| -> f64 {
            (0..3)
                .map(|k| (x[3 * i + k] - x[3 * j + k]).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        let mut e = 0.0;
        for i in 0..mol.atoms.len() {
            for j in 0..i {
                let r = dist(i, j);
                if ff.cutoff.map_or(false, |c| r > c) {
                    continue;
                }
                let (eps, sigma) = ff.pair(mol.atoms[i].kind, mol.atoms[j].kind);
                e += lennard_jones(r, eps, sigma) + mol.atoms[i].charge * mol.atoms[j].charge / r;
            }
        }
        e
    }

    #[differentiable]
    fn bonded(x: &[f64], bonds: &[Bond]) -> f64 {
        bonds
            .iter()
            .map(|b| {
                let r2: f64 = (0..3)
                    .map(|k| (x[3 * b.i + k] - x[3 * b.j + k]).powi(2))
                    .sum();
                0.5 * b.k * (r2.sqrt() - b.r0).powi(2)
            })
            .sum()
    }

    #[differentiable]
    fn energy(x: &[f64], #[constant] mol: &Molecule, #[constant] ff: &ForceField) -> f64 {
        nonbonded(x, mol, ff) + bonded(x, &mol.bonds)
    }

    #[test]
    fn force_field() {
        let mol = Molecule {
            atoms: vec![
                Atom {
                    kind: Kind::O,
                    charge: -0.8,
                },
                Atom {
                    kind: Kind::H,
                    charge: 0.4,
                },
                Atom {
                    kind: Kind::H,
                    charge: 0.4,
                },
            ],
            bonds: vec![
                Bond {
                    i: 0,
                    j: 1,
                    k: 10.0,
                    r0: 1.0,
                },
                Bond {
                    i: 0,
                    j: 2,
                    k: 10.0,
                    r0: 1.0,
                },
            ],
        };
        let lj = HashMap::from([(Kind::O, (0.3, 0.9)), (Kind::H, (0.1, 0.5))]);
        scalar!(
            energy,
            (
                &mol,
                &ForceField {
                    lj,
                    cutoff: Some(5.0)
                }
            ),
            &[0.0, 0.1, 0.0, 1.0, 0.0, 0.2, -0.3, 0.9, 0.1]
        );
    }
}

// [DI0201] a struct cannot be matched: a constant enum in a tuple that a branch chooses
/// PDE: grid struct, boundary condition enum as constants, vectors of vectors, generic over const N matrices, Stencil trait.
mod boundaries_as_constants {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    enum Boundary {
        Dirichlet(f64),
        Neumann(f64),
        Periodic,
    }

    struct Grid {
        nx: usize,
        dx: f64,
        left: Boundary,
        right: Boundary,
    }

    #[differentiable]
    fn ghost(u: &[f64], grid: &Grid, left: bool) -> f64 {
        let n = grid.nx;
        let (bc, edge, other) = if left {
            (grid.left, u[0], u[n - 1])
        } else {
            (grid.right, u[n - 1], u[0])
        };
        match bc {
            Boundary::Dirichlet(v) => 2.0 * v - edge,
            Boundary::Neumann(g) => edge + g * grid.dx,
            Boundary::Periodic => other,
        }
    }

    #[differentiable]
    fn flux(k: f64, a: f64, b: f64, dx: f64) -> f64 {
        -k * (b - a) / dx
    }

    #[differentiable]
    fn advance(u: &mut Vec<f64>, k: &[f64], grid: &Grid, dt: f64) {
        let mut f = Vec::with_capacity(grid.nx + 1);
        let gl = ghost(u, grid, true);
        let gr = ghost(u, grid, false);
        f.push(flux(k[0], gl, u[0], grid.dx));
        for i in 1..grid.nx {
            f.push(flux(0.5 * (k[i - 1] + k[i]), u[i - 1], u[i], grid.dx));
        }
        f.push(flux(k[grid.nx - 1], u[grid.nx - 1], gr, grid.dx));
        for i in 0..grid.nx {
            u[i] -= dt / grid.dx * (f[i + 1] - f[i]);
        }
    }

    #[differentiable]
    fn misfit(
        k: &[f64],
        #[constant] grid: &Grid,
        #[constant] u0: &[f64],
        #[constant] observed: &[Option<f64>],
    ) -> f64 {
        let mut u = u0.to_vec();
        for _ in 0..6 {
            advance(&mut u, k, grid, 0.01);
        }
        let mut s = 0.0;
        for (u, o) in u.iter().zip(observed) {
            if let Some(o) = o {
                s += (u - o) * (u - o);
            }
        }
        s
    }

    #[test]
    fn boundaries_as_constants() {
        let grid = Grid {
            nx: 4,
            dx: 0.25,
            left: Boundary::Dirichlet(1.0),
            right: Boundary::Neumann(0.5),
        };
        scalar!(
            misfit,
            (
                &grid,
                &[0.0, 0.2, 0.5, 0.1],
                &[Some(0.1), None, Some(0.4), Some(0.3)]
            ),
            &[1.0, 1.2, 0.8, 0.9]
        );
    }
}
