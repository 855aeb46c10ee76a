//! Chemistry and physics.

/// Lennard-Jones cluster energy and forces from pair loops.
mod lennard_jones {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn pair_energy(r2: f64, eps: f64, sigma: f64) -> f64 {
        let s6 = (sigma * sigma / r2).powi(3);
        4.0 * eps * (s6 * s6 - s6)
    }

    #[differentiable]
    fn distance2(x: &[f64], i: usize, j: usize) -> f64 {
        let mut d2 = 0.0;
        for k in 0..3 {
            let d = x[3 * i + k] - x[3 * j + k];
            d2 += d * d;
        }
        d2
    }

    #[differentiable]
    pub fn energy(x: &[f64]) -> f64 {
        let n = x.len() / 3;
        let mut e = 0.0;
        for i in 0..n {
            for j in 0..i {
                e += pair_energy(distance2(x, i, j), 0.8, 1.0);
            }
        }
        e
    }

    #[test]
    fn lennard_jones() {
        scalar!(
            energy,
            (),
            &[0.0, 0.1, 0.0, 1.2, 0.0, 0.2, 0.3, 1.3, -0.1, 0.6, 0.5, 1.4]
        );
    }
}

/// N-body with bodies as structs and Vec3 operators, velocity Verlet.
mod n_body {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        use std::ops::{Add, AddAssign, Mul, Sub};

        #[derive(Clone, Copy, Debug, Default)]
        struct Vec3([f64; 3]);

        impl Add for Vec3 {
            type Output = Vec3;
            fn add(self, o: Vec3) -> Vec3 {
                Vec3([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
            }
        }

        impl Sub for Vec3 {
            type Output = Vec3;
            fn sub(self, o: Vec3) -> Vec3 {
                Vec3([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]])
            }
        }

        impl Mul<f64> for Vec3 {
            type Output = Vec3;
            fn mul(self, s: f64) -> Vec3 {
                Vec3([self.0[0] * s, self.0[1] * s, self.0[2] * s])
            }
        }

        impl AddAssign for Vec3 {
            fn add_assign(&mut self, o: Vec3) {
                *self = *self + o;
            }
        }

        impl Vec3 {
            fn norm2(&self) -> f64 {
                self.0.iter().map(|v| v * v).sum()
            }
        }

        #[derive(Clone, Debug)]
        struct Body {
            mass: f64,
            pos: Vec3,
            vel: Vec3,
        }

        fn accelerations(bodies: &[Body]) -> Vec<Vec3> {
            let mut acc = vec![Vec3::default(); bodies.len()];
            for i in 0..bodies.len() {
                for j in 0..bodies.len() {
                    if i == j {
                        continue;
                    }
                    let d = bodies[j].pos - bodies[i].pos;
                    let r2 = d.norm2() + 0.05;
                    acc[i] += d * (bodies[j].mass / (r2 * r2.sqrt()));
                }
            }
            acc
        }

        pub fn final_positions(x: &[f64], steps: usize) -> Vec<f64> {
            let mut bodies: Vec<Body> = x
                .chunks(7)
                .map(|c| Body {
                    mass: c[0],
                    pos: Vec3([c[1], c[2], c[3]]),
                    vel: Vec3([c[4], c[5], c[6]]),
                })
                .collect();
            let h = 0.05;
            for _ in 0..steps {
                let a = accelerations(&bodies);
                for (b, ai) in bodies.iter_mut().zip(&a) {
                    b.vel += *ai * h;
                    b.pos += b.vel * h;
                }
            }
            bodies.iter().flat_map(|b| b.pos.0).collect()
        }
    }

    #[test]
    fn n_body() {
        let x = [
            1.0, 0.0, 0.0, 0.1, 0.0, -0.2, 0.0, 0.5, 1.0, 0.2, 0.0, 0.1, 0.8, 0.1, 0.3, -0.4, 1.1,
            0.3, -0.7, 0.2, 0.0,
        ];
        vector!(system::final_positions, (6), &x);
    }
}

/// Ising mean field by fixed-point iteration; inline module.
mod mean_field_ising {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod ising {
        pub struct Lattice {
            pub coordination: usize,
            pub tolerance: f64,
            pub max_iter: usize,
        }

        fn magnetisation(beta: f64, j: f64, h: f64, #[constant] l: &Lattice) -> f64 {
            let z = l.coordination as f64;
            let mut m = 0.5;
            let mut iter = 0;
            loop {
                let next = (beta * (z * j * m + h)).tanh();
                let delta = (next - m).abs();
                m = next;
                iter += 1;
                if delta < l.tolerance || iter >= l.max_iter {
                    break;
                }
            }
            m
        }

        pub fn free_energy(x: &[f64], #[constant] l: &Lattice) -> f64 {
            let (beta, j, h) = (x[0], x[1], x[2]);
            let z = l.coordination as f64;
            let m = magnetisation(beta, j, h, l);
            0.5 * z * j * m * m - (2.0 * (beta * (z * j * m + h)).cosh()).ln() / beta
        }

        pub fn order(x: &[f64], #[constant] l: &Lattice) -> [f64; 1] {
            [magnetisation(x[0], x[1], x[2], l)]
        }
    }

    #[test]
    fn mean_field_ising() {
        let l = ising::Lattice {
            coordination: 4,
            tolerance: 1e-14,
            max_iter: 400,
        };
        scalar!(ising::free_energy, (&l), &[0.9, 0.4, 0.2]);
        vector!(ising::order, (&l), &[0.9, 0.4, 0.2]);
    }
}

/// Van der Waals gas: pressure, chemical potential, Maxwell construction residual.
mod van_der_waals {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Gas {
        a: f64,
        b: f64,
        t: f64,
    }

    #[differentiable]
    impl Gas {
        fn pressure(self, v: f64) -> f64 {
            self.t / (v - self.b) - self.a / (v * v)
        }

        fn helmholtz(self, v: f64) -> f64 {
            -self.t * (v - self.b).ln() - self.a / v
        }
    }

    #[differentiable]
    pub fn coexistence(x: &[f64]) -> [f64; 2] {
        let gas = Gas {
            a: x[2],
            b: x[3],
            t: x[4],
        };
        let (vl, vg) = (x[0], x[1]);
        let (pl, pg) = (gas.pressure(vl), gas.pressure(vg));
        let mu_l = gas.helmholtz(vl) + pl * vl;
        let mu_g = gas.helmholtz(vg) + pg * vg;
        [pl - pg, mu_l - mu_g]
    }

    #[test]
    fn van_der_waals() {
        vector!(coexistence, (), &[0.7, 2.5, 1.2, 0.3, 0.9]);
    }
}

/// Optics: transfer matrices of a thin film stack with complex numbers as tuples.
mod thin_film {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Cplx = (f64, f64);

    #[differentiable]
    fn cmul(a: Cplx, b: Cplx) -> Cplx {
        (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    }

    #[differentiable]
    fn cadd(a: Cplx, b: Cplx) -> Cplx {
        (a.0 + b.0, a.1 + b.1)
    }

    #[differentiable]
    fn abs2(a: Cplx) -> f64 {
        a.0 * a.0 + a.1 * a.1
    }

    #[differentiable]
    fn layer(n: f64, d: f64, #[constant] wavelength: f64) -> [[Cplx; 2]; 2] {
        let delta = std::f64::consts::TAU * n * d / wavelength;
        let (s, c) = delta.sin_cos();
        [[(c, 0.0), (0.0, s / n)], [(0.0, n * s), (c, 0.0)]]
    }

    #[differentiable]
    pub fn reflectance(x: &[f64], #[constant] wavelengths: &[f64]) -> Vec<f64> {
        let (indices, thickness) = x.split_at(x.len() / 2);
        let substrate = (1.5, 0.0);
        wavelengths
            .iter()
            .map(|w| {
                let mut v = [(1.0, 0.0), substrate];
                for (n, d) in indices.iter().zip(thickness).rev() {
                    let m = layer(*n, *d, *w);
                    v = [
                        cadd(cmul(m[0][0], v[0]), cmul(m[0][1], v[1])),
                        cadd(cmul(m[1][0], v[0]), cmul(m[1][1], v[1])),
                    ];
                }
                let minus = (v[0].0 - v[1].0, v[0].1 - v[1].1);
                abs2(minus) / abs2(cadd(v[0], v[1]))
            })
            .collect()
    }

    #[test]
    fn thin_film() {
        vector!(reflectance, (&[0.8, 1.0, 1.3]), &[1.4, 2.1, 0.2, 0.15]);
    }
}
