//! Mechanics, optics and matter: models as structs.

/// Two bodies with oblateness and drag; the miss of a target.
mod orbit {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod orbit {
        use std::ops::{Add, Mul, Neg, Sub};

        pub const MU: f64 = 398600.4418;
        pub const R_EARTH: f64 = 6378.137;
        pub const J2: f64 = 1.08262668e-3;

        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Vec3 {
            pub x: f64,
            pub y: f64,
            pub z: f64,
        }

        impl Vec3 {
            pub fn new(x: f64, y: f64, z: f64) -> Self {
                Self { x, y, z }
            }
            pub fn dot(self, o: Self) -> f64 {
                self.x * o.x + self.y * o.y + self.z * o.z
            }
            pub fn norm(self) -> f64 {
                self.dot(self).sqrt()
            }
        }

        impl Add for Vec3 {
            type Output = Self;
            fn add(self, o: Self) -> Self {
                Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
            }
        }
        impl Sub for Vec3 {
            type Output = Self;
            fn sub(self, o: Self) -> Self {
                Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
            }
        }
        impl Neg for Vec3 {
            type Output = Self;
            fn neg(self) -> Self {
                Self::new(-self.x, -self.y, -self.z)
            }
        }
        impl Mul<Vec3> for f64 {
            type Output = Vec3;
            fn mul(self, v: Vec3) -> Vec3 {
                Vec3::new(self * v.x, self * v.y, self * v.z)
            }
        }

        fn gravity(r: Vec3) -> Vec3 {
            let d = r.norm();
            let central = (-MU / d.powi(3)) * r;
            let k = 1.5 * J2 * MU * R_EARTH.powi(2) / d.powi(5);
            let zz = 5.0 * (r.z / d).powi(2);
            central + k * Vec3::new(r.x * (zz - 1.0), r.y * (zz - 1.0), r.z * (zz - 3.0))
        }

        fn drag(r: Vec3, v: Vec3, beta: f64) -> Vec3 {
            let h = r.norm() - R_EARTH;
            let rho = 1e-3 * (-(h - 300.0) / 60.0).exp();
            -((beta * rho * v.norm()) * v)
        }

        fn leapfrog(mut r: Vec3, mut v: Vec3, beta: f64, dt: f64, n: usize) -> (Vec3, Vec3) {
            for _ in 0..n {
                v = v + (0.5 * dt) * (gravity(r) + drag(r, v, beta));
                r = r + dt * v;
                v = v + (0.5 * dt) * (gravity(r) + drag(r, v, beta));
            }
            (r, v)
        }

        pub fn miss_distance(dv: Vec3, #[constant] target: Vec3, #[constant] steps: usize) -> f64 {
            let r0 = Vec3::new(6778.0, 0.0, 0.0);
            let v0 = Vec3::new(0.0, 7.6, 1.0) + dv;
            let (r, _) = leapfrog(r0, v0, 0.01, 10.0, steps);
            (r - target).norm()
        }
    }

    #[test]
    fn orbit() {
        use orbit::{Vec3, miss_distance};
        let target = Vec3::new(6500.0, 1800.0, 250.0);
        let make = |q: &[f64; 3]| Vec3::new(q[0], q[1], q[2]);
        let list = |v: &Vec3| vec![v.x, v.y, v.z];
        let call = |v: &Vec3| miss_distance(*v, target, 20);
        made!(
            miss_distance::AD.with(target, 20),
            call,
            make,
            list,
            &[0.3, 0.1, -0.2]
        );
    }
}

/// Bodies under a force of a trait; the kinetic energy later on.
mod nbody {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod nbody {
        #[derive(Clone, Copy, Debug)]
        pub struct Body {
            pub mass: f64,
            pub pos: [f64; 3],
            pub vel: [f64; 3],
        }

        pub trait Force {
            fn pair(&self, a: &Body, b: &Body) -> [f64; 3];
        }

        pub struct Plummer {
            pub g: f64,
            pub softening: f64,
        }

        impl Force for Plummer {
            fn pair(&self, a: &Body, b: &Body) -> [f64; 3] {
                let mut d = [0.0; 3];
                for k in 0..3 {
                    d[k] = b.pos[k] - a.pos[k];
                }
                let r2: f64 = d.iter().map(|x| x * x).sum::<f64>() + self.softening.powi(2);
                let s = self.g * a.mass * b.mass / (r2 * r2.sqrt());
                d.map(|x| x * s)
            }
        }

        pub struct System {
            pub bodies: Vec<Body>,
        }

        impl System {
            fn kick<F: Force>(&mut self, force: &F, dt: f64) {
                let n = self.bodies.len();
                for i in 0..n {
                    for j in (i + 1)..n {
                        let f = force.pair(&self.bodies[i], &self.bodies[j]);
                        for k in 0..3 {
                            let (mi, mj) = (self.bodies[i].mass, self.bodies[j].mass);
                            self.bodies[i].vel[k] += dt * f[k] / mi;
                            self.bodies[j].vel[k] -= dt * f[k] / mj;
                        }
                    }
                }
            }

            fn drift(&mut self, dt: f64) {
                for b in &mut self.bodies {
                    for (x, v) in b.pos.iter_mut().zip(b.vel) {
                        *x += dt * v;
                    }
                }
            }

            fn kinetic(&self) -> f64 {
                self.bodies
                    .iter()
                    .map(|b| 0.5 * b.mass * b.vel.iter().map(|v| v * v).sum::<f64>())
                    .sum()
            }
        }

        pub fn kinetic_after(bodies: &[Body], #[constant] g: f64, #[constant] steps: usize) -> f64 {
            let force = Plummer { g, softening: 0.05 };
            let mut system = System {
                bodies: bodies.to_vec(),
            };
            for _ in 0..steps {
                system.kick(&force, 0.005);
                system.drift(0.01);
                system.kick(&force, 0.005);
            }
            system.kinetic()
        }
    }

    #[test]
    fn nbody() {
        use nbody::{Body, kinetic_after};
        let body = |q: &[f64]| Body {
            mass: q[0],
            pos: [q[1], q[2], q[3]],
            vel: [q[4], q[5], q[6]],
        };
        let make = |q: &[f64; 14]| vec![body(&q[..7]), body(&q[7..])];
        let list = |b: &Vec<Body>| {
            b.iter()
                .flat_map(|b| [vec![b.mass], b.pos.to_vec(), b.vel.to_vec()].concat())
                .collect::<Vec<f64>>()
        };
        let call = |b: &Vec<Body>| kinetic_after(b, 1.0, 5);
        let q = [
            1.0, 0.0, 0.1, 0.0, 0.2, 0.0, 0.1, 0.8, 1.0, 0.2, 0.3, 0.0, -0.4, 0.1,
        ];
        made!(kinetic_after::AD.with(1.0, 5), call, make, list, &q);
    }
}

/// Rays through spherical surfaces, some of which may be lost; the size of the spot.
mod lens {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod optics {
        #[derive(Clone, Copy, Debug)]
        pub struct Ray {
            pub origin: [f64; 3],
            pub dir: [f64; 3],
        }

        #[derive(Clone, Debug)]
        pub struct Surface {
            pub curvature: f64,
            pub thickness: f64,
            pub index: f64,
        }

        fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }

        fn normalize(v: [f64; 3]) -> [f64; 3] {
            let n = dot(&v, &v).sqrt();
            v.map(|c| c / n)
        }

        impl Ray {
            fn at(&self, t: f64) -> [f64; 3] {
                std::array::from_fn(|i| self.origin[i] + t * self.dir[i])
            }
        }

        impl Surface {
            /// Distance along the ray to the surface with its vertex at the origin.
            fn intersect(&self, ray: &Ray) -> Option<f64> {
                let c = self.curvature;
                let o = &ray.origin;
                let d = &ray.dir;
                let a = c * dot(d, d);
                let b = c * dot(o, d) - d[2];
                let k = c * dot(o, o) - 2.0 * o[2];
                let disc = b * b - a * k;
                if disc < 0.0 {
                    return None;
                }
                Some(k / (-b + disc.sqrt()))
            }

            fn normal(&self, p: &[f64; 3]) -> [f64; 3] {
                let c = self.curvature;
                normalize([-c * p[0], -c * p[1], 1.0 - c * p[2]])
            }

            fn refract(&self, ray: Ray, n1: f64) -> Option<Ray> {
                let t = self.intersect(&ray)?;
                let p = ray.at(t);
                let n = self.normal(&p);
                let eta = n1 / self.index;
                let cos_i = dot(&n, &ray.dir);
                let k = 1.0 - eta * eta * (1.0 - cos_i * cos_i);
                if k < 0.0 {
                    return None;
                }
                let factor = k.sqrt() - eta * cos_i;
                let mut dir = [0.0; 3];
                for i in 0..3 {
                    dir[i] = eta * ray.dir[i] + factor * n[i];
                }
                Some(Ray { origin: p, dir })
            }
        }

        fn trace(surfaces: &[Surface], mut ray: Ray) -> Option<[f64; 2]> {
            let mut n = 1.0;
            for s in surfaces {
                ray = s.refract(ray, n)?;
                ray.origin[2] -= s.thickness;
                n = s.index;
            }
            let t = -ray.origin[2] / ray.dir[2];
            let p = ray.at(t);
            Some([p[0], p[1]])
        }

        pub fn spot_size(lens: &[Surface], #[constant] pupil: &[(f64, f64)]) -> f64 {
            let mut hits = 0;
            let mut sum = 0.0;
            for &(x, y) in pupil {
                let ray = Ray {
                    origin: [x, y, -5.0],
                    dir: [0.0, 0.0, 1.0],
                };
                if let Some([u, v]) = trace(lens, ray) {
                    sum += u * u + v * v;
                    hits += 1;
                }
            }
            (sum / hits as f64).sqrt()
        }
    }

    #[test]
    fn lens() {
        use optics::{Surface, spot_size};
        let pupil = [(0.1, 0.2), (-0.3, 0.1), (0.4, -0.2)];
        let s = |q: &[f64]| Surface {
            curvature: q[0],
            thickness: q[1],
            index: q[2],
        };
        let make = |q: &[f64; 6]| vec![s(&q[..3]), s(&q[3..])];
        let list = |l: &Vec<Surface>| {
            l.iter()
                .flat_map(|s| [s.curvature, s.thickness, s.index])
                .collect::<Vec<f64>>()
        };
        let call = |l: &Vec<Surface>| spot_size(l, &pupil);
        made!(
            spot_size::AD.with(&pupil),
            call,
            make,
            list,
            &[0.2, 0.5, 1.5, -0.3, 2.0, 1.1]
        );
    }
}

/// The action of a scalar field on a periodic lattice.
mod phi4 {
    use crate::check::scalar;
    use di::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Lattice<const D: usize> {
        pub shape: [usize; D],
    }

    impl<const D: usize> Lattice<D> {
        pub fn volume(&self) -> usize {
            self.shape.iter().product()
        }

        pub fn neighbor(&self, site: usize, dim: usize) -> usize {
            let stride: usize = self.shape[..dim].iter().product();
            let x = (site / stride) % self.shape[dim];
            let next = (x + 1) % self.shape[dim];
            site + stride * next - stride * x
        }
    }

    #[derive(Clone, Copy)]
    pub struct Couplings {
        pub mass2: f64,
        pub lambda: f64,
    }

    #[differentiable]
    fn potential(phi: f64, #[constant] c: &Couplings) -> f64 {
        0.5 * c.mass2 * phi * phi + c.lambda / 24.0 * phi.powi(4)
    }

    #[differentiable]
    pub fn action(phi: &[f64], #[constant] lattice: Lattice<2>, #[constant] c: Couplings) -> f64 {
        assert_eq!(phi.len(), lattice.volume());
        let mut s = 0.0;
        for (site, &p) in phi.iter().enumerate() {
            for dim in 0..2 {
                let d = phi[lattice.neighbor(site, dim)] - p;
                s += 0.5 * d * d;
            }
            s += potential(p, &c);
        }
        s
    }

    #[test]
    fn phi4() {
        let lattice = Lattice { shape: [2, 3] };
        let c = Couplings {
            mass2: 0.4,
            lambda: 1.2,
        };
        scalar!(action, (lattice, c), &[0.3, -0.5, 0.8, 0.1, -0.9, 0.4]);
    }
}

/// Pulses on magnetisations of two tissues, and the contrast of these.
mod bloch {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod bloch {
        use std::f64::consts::TAU;

        #[derive(Clone, Copy, Debug)]
        pub struct Magnetization(pub [f64; 3]);

        #[derive(Clone, Copy, Debug)]
        pub struct Tissue {
            pub t1: f64,
            pub t2: f64,
            pub m0: f64,
        }

        impl Magnetization {
            pub fn equilibrium(tissue: &Tissue) -> Self {
                Magnetization([0.0, 0.0, tissue.m0])
            }

            fn rotate_x(self, angle: f64) -> Self {
                let [x, y, z] = self.0;
                let (s, c) = angle.sin_cos();
                Magnetization([x, c * y - s * z, s * y + c * z])
            }

            fn rotate_z(self, angle: f64) -> Self {
                let [x, y, z] = self.0;
                let (s, c) = angle.sin_cos();
                Magnetization([c * x - s * y, s * x + c * y, z])
            }

            fn relax(self, t: &Tissue, dt: f64) -> Self {
                let e1 = (-dt / t.t1).exp();
                let e2 = (-dt / t.t2).exp();
                let Magnetization([x, y, z]) = self;
                Magnetization([e2 * x, e2 * y, t.m0 + (z - t.m0) * e1])
            }

            pub fn transverse(&self) -> f64 {
                self.0[0].hypot(self.0[1])
            }
        }

        fn signal(flips: &[f64], tissue: &Tissue, off_resonance: f64, tr: f64) -> Vec<f64> {
            let mut m = Magnetization::equilibrium(tissue);
            let mut echoes = vec![];
            for &flip in flips {
                m = m
                    .rotate_x(flip)
                    .relax(tissue, tr / 2.0)
                    .rotate_z(TAU * off_resonance * tr);
                echoes.push(m.transverse());
                m = m.relax(tissue, tr / 2.0);
            }
            echoes
        }

        /// Contrast between two tissues, averaged over off-resonances.
        pub fn contrast(
            flips: &[f64],
            #[constant] tissues: [Tissue; 2],
            #[constant] offsets: &[f64],
            #[constant] tr: f64,
        ) -> f64 {
            let mut total = 0.0;
            for &df in offsets {
                let a = signal(flips, &tissues[0], df, tr);
                let b = signal(flips, &tissues[1], df, tr);
                total += a
                    .iter()
                    .zip(b.iter())
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>();
            }
            total / offsets.len() as f64
        }
    }

    #[test]
    fn bloch() {
        use bloch::{Tissue, contrast};
        let tissues = [
            Tissue {
                t1: 0.8,
                t2: 0.1,
                m0: 1.0,
            },
            Tissue {
                t1: 1.4,
                t2: 0.2,
                m0: 0.9,
            },
        ];
        scalar!(contrast, (tissues, &[0.3, -0.7], 0.05), &[1.2, 0.7, 0.5]);
    }
}
