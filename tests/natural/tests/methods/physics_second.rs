//! Chemistry and physics.

/// Schroedinger equation by Numerov, mismatch at a matching point as function of the energy.
mod numerov {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn potential(x: f64, p: &[f64]) -> f64 {
        p[0] * x * x + p[1] * x.powi(4)
    }

    #[differentiable]
    pub fn end_value(x: &[f64], n: usize) -> f64 {
        let energy = x[0];
        let p = &x[1..];
        let h = 2.0 / n as f64;
        let k2 = |i: usize| 2.0 * (energy - potential(-1.0 + i as f64 * h, p));
        let mut prev = 0.0;
        let mut cur = 0.1;
        let mut norm = cur * cur;
        for i in 1..n {
            let a = 2.0 * (1.0 - 5.0 / 12.0 * h * h * k2(i)) * cur;
            let b = (1.0 + h * h / 12.0 * k2(i - 1)) * prev;
            let next = (a - b) / (1.0 + h * h / 12.0 * k2(i + 1));
            prev = cur;
            cur = next;
            norm += cur * cur;
        }
        cur / norm.sqrt()
    }

    #[test]
    fn numerov() {
        scalar!(end_value, (16), &[1.1, 0.6, 0.3]);
    }
}

/// Heat exchanger network: effectiveness by configuration, pressure drops, total cost.
mod heat_exchanger {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod plant {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Flow {
            Counter,
            Parallel,
        }

        #[derive(Clone, Debug)]
        pub struct Unit {
            pub flow: Flow,
            pub ua_per_area: f64,
            pub label: &'static str,
        }

        fn effectiveness(ntu: f64, cr: f64, flow: Flow) -> f64 {
            match flow {
                Flow::Parallel => (1.0 - (-ntu * (1.0 + cr)).exp()) / (1.0 + cr),
                Flow::Counter => {
                    let e = (-ntu * (1.0 - cr)).exp();
                    (1.0 - e) / (1.0 - cr * e)
                }
            }
        }

        fn outlet(hot: f64, cold: f64, area: f64, cr: f64, #[constant] u: &Unit) -> (f64, f64) {
            let eff = effectiveness(u.ua_per_area * area, cr, u.flow);
            let q = eff * (hot - cold);
            (hot - q, cold + cr * q)
        }

        pub fn cost(x: &[f64], #[constant] units: &[Unit]) -> f64 {
            let cr = x[0];
            let (mut hot, mut cold) = (3.0, 1.0);
            let mut capital = 0.0;
            for (area, unit) in x[1..].iter().zip(units) {
                let (h, c) = outlet(hot, cold, *area, cr, unit);
                hot = h;
                cold = c;
                capital += area.powf(0.6);
            }
            0.2 * capital + (hot - 1.8).powi(2) + 0.1 * cold
        }
    }

    #[test]
    fn heat_exchanger() {
        let units = [
            plant::Unit {
                flow: plant::Flow::Counter,
                ua_per_area: 0.8,
                label: "E-101",
            },
            plant::Unit {
                flow: plant::Flow::Parallel,
                ua_per_area: 1.1,
                label: "E-102",
            },
        ];
        scalar!(plant::cost, (&units), &[0.6, 1.2, 0.7]);
    }
}

/// Hartree-like self-consistent field with two basis functions and small matrices.
mod scf_toy {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        type M2 = [[f64; 2]; 2];

        fn lowest_eigenvector(f: &M2) -> (f64, [f64; 2]) {
            let mean = 0.5 * (f[0][0] + f[1][1]);
            let half = 0.5 * (f[0][0] - f[1][1]);
            let root = (half * half + f[0][1] * f[0][1]).sqrt();
            let e = mean - root;
            let v = [f[0][1], e - f[0][0]];
            let n = (v[0] * v[0] + v[1] * v[1]).sqrt();
            (e, [v[0] / n, v[1] / n])
        }

        fn fock(h: &M2, density: &M2, u: f64) -> M2 {
            let mut f = *h;
            for i in 0..2 {
                f[i][i] += 0.5 * u * density[i][i];
            }
            f
        }

        pub fn scf_energy(x: &[f64]) -> f64 {
            let h = [[x[0], x[2]], [x[2], x[1]]];
            let u = x[3];
            let mut d = [[1.0, 0.0], [0.0, 1.0]];
            let mut energy = 0.0;
            for _cycle in 0..60 {
                let f = fock(&h, &d, u);
                let (e, c) = lowest_eigenvector(&f);
                let last = energy;
                energy = e;
                for i in 0..2 {
                    for j in 0..2 {
                        d[i][j] = 0.5 * d[i][j] + c[i] * c[j];
                    }
                    energy += 0.5 * h[i][i] * d[i][i];
                }
                if (energy - last).abs() < 1e-14 {
                    break;
                }
            }
            energy
        }
    }

    #[test]
    fn scf_toy() {
        scalar!(system::scf_energy, (), &[-1.0, -0.5, -0.4, 0.7]);
    }
}

/// Point charges with an image plane, potential on probes in place.
mod image_charges {
    use crate::check::inplace;
    use di::prelude::*;

    const PROBES: [[f64; 3]; 3] = [[0.5, 0.5, 1.0], [-0.3, 0.8, 0.6], [1.2, -0.1, 0.9]];

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Charge {
        q: f64,
        at: [f64; 3],
    }

    #[differentiable]
    impl Charge {
        fn mirrored(&self) -> Charge {
            let [x, y, z] = self.at;
            Charge {
                q: -self.q,
                at: [x, y, -z],
            }
        }

        fn potential(&self, #[constant] p: &[f64; 3]) -> f64 {
            let r2: f64 = self
                .at
                .iter()
                .zip(p.iter())
                .map(|(a, b)| (a - b) * (a - b))
                .sum();
            self.q / (r2 + 0.01).sqrt()
        }
    }

    #[differentiable]
    pub fn potentials(x: &[f64], out: &mut [f64]) {
        let charges: Vec<Charge> = x
            .chunks(4)
            .map(|c| Charge {
                q: c[0],
                at: [c[1], c[2], c[3]],
            })
            .collect();
        for (o, probe) in out.iter_mut().zip(PROBES.iter()) {
            *o = charges
                .iter()
                .map(|c| c.potential(probe) + c.mirrored().potential(probe))
                .sum();
        }
    }

    #[test]
    fn image_charges() {
        inplace!(
            potentials,
            (),
            &[1.0, 0.1, 0.2, 0.4, -0.7, 0.9, 0.6, 1.3],
            3
        );
    }
}

/// Equilibrium of acid and base by bisection followed by Newton.
mod ph_equilibrium {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn charge_balance(h: f64, acid: f64, ka: f64, base: f64, kw: f64) -> f64 {
        h + base - acid * ka / (ka + h) - kw / h
    }

    #[differentiable]
    fn slope(h: f64, acid: f64, ka: f64, kw: f64) -> f64 {
        1.0 + acid * ka / (ka + h).powi(2) + kw / (h * h)
    }

    #[differentiable]
    pub fn hydrogen(x: &[f64]) -> f64 {
        let [acid, ka, base, kw] = [x[0], x[1], x[2], x[3]];
        let mut lo = 1e-3;
        let mut hi = 10.0;
        let mut h = 0.5 * (lo + hi);
        while hi - lo > 0.5 {
            if charge_balance(h, acid, ka, base, kw) > 0.0 {
                hi = h;
            } else {
                lo = h;
            }
            h = 0.5 * (lo + hi);
        }
        for _ in 0..40 {
            let dh = charge_balance(h, acid, ka, base, kw) / slope(h, acid, ka, kw);
            h -= dh;
            if dh.abs() < 1e-14 {
                break;
            }
        }
        -h.log10()
    }

    #[test]
    fn ph_equilibrium() {
        scalar!(hydrogen, (), &[1.5, 0.4, 0.6, 0.1]);
    }
}

// E0446 private type `Reaction` in public interface
/// Mass-action kinetics with reactions as an enum of kinds.
mod reaction_network {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Reaction {
        Decay {
            from: usize,
            to: usize,
        },
        Bind {
            a: usize,
            b: usize,
            to: usize,
        },
        Catalysed {
            from: usize,
            to: usize,
            enzyme: usize,
        },
    }

    #[differentiable]
    fn rates(network: &[Reaction], k: &[f64], c: &[f64]) -> Vec<f64> {
        let mut d = vec![0.0; c.len()];
        for (r, ki) in network.iter().zip(k) {
            match *r {
                Reaction::Decay { from, to } => {
                    let v = ki * c[from];
                    d[from] -= v;
                    d[to] += v;
                }
                Reaction::Bind { a, b, to } => {
                    let v = ki * c[a] * c[b];
                    d[a] -= v;
                    d[b] -= v;
                    d[to] += v;
                }
                Reaction::Catalysed { from, to, enzyme } => {
                    let v = ki * c[enzyme] * c[from] / (0.5 + c[from]);
                    d[from] -= v;
                    d[to] += v;
                }
            }
        }
        d
    }

    #[differentiable]
    pub fn concentrations(k: &[f64], network: &[Reaction], steps: usize) -> Vec<f64> {
        let mut c = vec![1.0, 0.8, 0.1, 0.0];
        let dt = 0.1;
        for _ in 0..steps {
            let d = rates(network, k, &c);
            for (ci, di) in c.iter_mut().zip(d.iter()) {
                *ci += dt * di;
            }
        }
        c
    }

    #[test]
    fn reaction_network() {
        let network = [
            Reaction::Bind { a: 0, b: 1, to: 2 },
            Reaction::Decay { from: 2, to: 1 },
            Reaction::Catalysed {
                from: 0,
                to: 3,
                enzyme: 2,
            },
        ];
        vector!(concentrations, (&network, 10), &[0.9, 0.4, 1.2]);
    }
}
