//! Physics: programs of a third collection.

/// Gravitational energy of bodies, with a vector type and its operators.
mod bodies {
    use di::prelude::*;
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Vec3 {
        x: f64,
        y: f64,
        z: f64,
    }

    #[differentiable]
    impl Vec3 {
        fn dot(self, o: Vec3) -> f64 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        fn norm(self) -> f64 {
            self.dot(self).sqrt()
        }
    }

    #[differentiable]
    impl Add for Vec3 {
        type Output = Vec3;
        fn add(self, o: Vec3) -> Vec3 {
            Vec3 {
                x: self.x + o.x,
                y: self.y + o.y,
                z: self.z + o.z,
            }
        }
    }

    #[differentiable]
    impl Sub for Vec3 {
        type Output = Vec3;
        fn sub(self, o: Vec3) -> Vec3 {
            Vec3 {
                x: self.x - o.x,
                y: self.y - o.y,
                z: self.z - o.z,
            }
        }
    }

    #[differentiable]
    impl Mul<f64> for Vec3 {
        type Output = Vec3;
        fn mul(self, k: f64) -> Vec3 {
            Vec3 {
                x: self.x * k,
                y: self.y * k,
                z: self.z * k,
            }
        }
    }

    #[differentiable]
    fn potential(pos: &[Vec3], #[constant] mass: &[f64]) -> f64 {
        let mut energy = 0.0;
        let mut center = Vec3 {
            x: 0.0,
            y: 0.0,
            z: 0.0,
        };
        let mut total = 0.0;
        for i in 0..pos.len() {
            for j in i + 1..pos.len() {
                let r = (pos[i] - pos[j]).norm();
                energy -= mass[i] * mass[j] / r;
            }
            center = center + pos[i] * mass[i];
            total += mass[i];
        }
        energy + 0.5 * (center * (1.0 / total)).norm()
    }

    #[differentiable]
    fn potential_flat(q: &[f64], #[constant] mass: &[f64]) -> f64 {
        let pos: Vec<Vec3> = q
            .chunks(3)
            .map(|c| Vec3 {
                x: c[0],
                y: c[1],
                z: c[2],
            })
            .collect();
        potential(&pos, mass)
    }

    #[test]
    fn bodies() {
        let q = vec![0.1, 0.2, 0.3, 1.4, -0.3, 0.2, -0.9, 0.8, 1.1];
        crate::check::scalar!(potential_flat, (&[1.0, 2.0, 0.5]), &q);
    }
}

/// A net of springs: energy by the positions of its free nodes.
mod net_of_springs {
    use di::prelude::*;

    struct Spring {
        from: usize,
        to: usize,
        rest: f64,
        stiffness: f64,
    }

    struct Net {
        springs: Vec<Spring>,
        masses: Vec<f64>,
        pinned: Vec<(usize, [f64; 2])>,
    }

    #[differentiable]
    fn energy(x: &[f64], #[constant] net: &Net) -> f64 {
        let g = 9.81;
        let mut e = 0.0;
        for s in &net.springs {
            let dx = x[2 * s.to] - x[2 * s.from];
            let dy = x[2 * s.to + 1] - x[2 * s.from + 1];
            let len = (dx * dx + dy * dy).sqrt();
            let stretch = len - s.rest;
            if stretch > 0.0 {
                e += 0.5 * s.stiffness * stretch * stretch;
            }
        }
        for (i, m) in net.masses.iter().enumerate() {
            e += m * g * x[2 * i + 1];
        }
        for (node, place) in &net.pinned {
            for d in 0..2 {
                e += 1e2 * (x[2 * node + d] - place[d]).powi(2);
            }
        }
        e
    }

    #[test]
    fn net_of_springs() {
        let net = Net {
            springs: vec![
                Spring {
                    from: 0,
                    to: 1,
                    rest: 0.8,
                    stiffness: 20.0,
                },
                Spring {
                    from: 1,
                    to: 2,
                    rest: 0.9,
                    stiffness: 30.0,
                },
                Spring {
                    from: 0,
                    to: 2,
                    rest: 9.0,
                    stiffness: 30.0,
                },
            ],
            masses: vec![0.1, 0.2, 0.1],
            pinned: vec![(0, [0.0, 0.0]), (2, [2.0, 0.0])],
        };
        crate::check::scalar!(energy, (&net), &vec![0.0, 0.1, 1.0, -0.5, 2.1, 0.0]);
    }
}

/// An oscillator with several kinds of friction.
mod oscillator {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Friction {
        None,
        Viscous,
        Quadratic,
    }

    struct Setup {
        friction: Friction,
        dt: f64,
        steps: usize,
        forcing: fn(f64) -> f64,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Oscillator {
        mass: f64,
        spring: f64,
        damping: f64,
    }

    #[differentiable]
    impl Oscillator {
        fn acceleration(&self, x: f64, v: f64, force: f64, #[constant] friction: Friction) -> f64 {
            let drag = match friction {
                Friction::None => 0.0,
                Friction::Viscous => self.damping * v,
                Friction::Quadratic => self.damping * v * v.abs(),
            };
            (force - self.spring * x - drag) / self.mass
        }

        fn amplitude(&self, #[constant] setup: &Setup) -> f64 {
            let (mut x, mut v) = (1.0, 0.0);
            let mut sum = 0.0;
            for i in 0..setup.steps {
                let t = i as f64 * setup.dt;
                let force = (setup.forcing)(t);
                let a = self.acceleration(x, v, force, setup.friction);
                let half = v + 0.5 * setup.dt * a;
                x += setup.dt * half;
                v = half + 0.5 * setup.dt * self.acceleration(x, half, force, setup.friction);
                sum += x * x;
            }
            (sum / setup.steps as f64).sqrt()
        }
    }

    #[test]
    fn oscillator() {
        let setup = Setup {
            friction: Friction::Quadratic,
            dt: 0.1,
            steps: 15,
            forcing: |t| 0.3 * t.sin(),
        };
        for friction in [Friction::None, Friction::Viscous, Friction::Quadratic] {
            let setup = Setup { friction, ..setup };
            let make = |q: &[f64; 3]| Oscillator {
                mass: q[0],
                spring: q[1],
                damping: q[2],
            };
            let list = |o: &Oscillator| vec![o.mass, o.spring, o.damping];
            crate::check::made!(
                Oscillator::amplitude_ad.with(&setup),
                |o: &Oscillator| o.amplitude(&setup),
                make,
                list,
                &[1.1, 2.0, 0.3]
            );
        }
    }
}

/// Rays through a thick lens of spherical surfaces: spot size at the sensor.
mod thick_lens {
    use di::prelude::*;

    #[differentiable]
    mod optics {
        #[derive(Clone, Copy)]
        struct Ray {
            pos: [f64; 2],
            dir: [f64; 2],
        }

        fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
            a[0] * b[0] + a[1] * b[1]
        }

        /// Where the ray meets the circle with its vertex at `z` and curvature `c`.
        fn intersect(ray: &Ray, z: f64, c: f64) -> Option<[f64; 2]> {
            let p = [ray.pos[0] - z, ray.pos[1]];
            let b = ray.dir[0] - c * dot(p, ray.dir);
            let g = c * dot(p, p) - 2.0 * p[0];
            let disc = b * b - c * g;
            if disc < 0.0 {
                return None;
            }
            let t = g / (b + disc.sqrt());
            Some([ray.pos[0] + t * ray.dir[0], ray.pos[1] + t * ray.dir[1]])
        }

        fn refract(dir: [f64; 2], normal: [f64; 2], ratio: f64) -> Option<[f64; 2]> {
            let cos_i = -dot(dir, normal);
            let k = 1.0 - ratio * ratio * (1.0 - cos_i * cos_i);
            (k >= 0.0).then(|| {
                let f = ratio * cos_i - k.sqrt();
                [
                    ratio * dir[0] + f * normal[0],
                    ratio * dir[1] + f * normal[1],
                ]
            })
        }

        fn surface(ray: &Ray, z: f64, c: f64, n1: f64, n2: f64) -> Option<Ray> {
            let hit = intersect(ray, z, c)?;
            let normal = [-(1.0 - c * (hit[0] - z)), c * hit[1]];
            let len = dot(normal, normal).sqrt();
            let unit = [normal[0] / len, normal[1] / len];
            let dir = refract(ray.dir, unit, n1 / n2)?;
            Some(Ray { pos: hit, dir })
        }

        pub fn spot(design: &[f64], #[constant] heights: &[f64]) -> f64 {
            let (c1, c2, thickness, sensor) = (design[0], design[1], design[2], design[3]);
            let mut sum = 0.0;
            let mut count = 0;
            for &h in heights {
                let ray = Ray {
                    pos: [-1.0, h],
                    dir: [1.0, 0.0],
                };
                let Some(inside) = surface(&ray, 0.0, c1, 1.0, 1.5) else {
                    continue;
                };
                if let Some(out) = surface(&inside, thickness, c2, 1.5, 1.0) {
                    let t = (sensor - out.pos[0]) / out.dir[0];
                    let y = out.pos[1] + t * out.dir[1];
                    sum += y * y;
                    count += 1;
                }
            }
            if count == 0 { 0.0 } else { sum / count as f64 }
        }
    }

    #[test]
    fn thick_lens() {
        crate::check::scalar!(
            optics::spot,
            (&[0.1, 0.2, 0.3, 50.0]),
            &vec![0.5, -0.4, 0.3, 2.0]
        );
    }
}
