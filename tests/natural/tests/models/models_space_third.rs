//! Models space: programs of a third collection.

/// Radial velocities of a planet: Kepler's equation.
mod radial_velocities {
    use di::prelude::*;
    use std::f64::consts::TAU;

    #[differentiable]
    fn eccentric_anomaly(mean: f64, ecc: f64) -> f64 {
        let mut e = if ecc < 0.8 {
            mean
        } else {
            std::f64::consts::PI
        };
        for _ in 0..50 {
            let f = e - ecc * e.sin() - mean;
            let delta = f / (1.0 - ecc * e.cos());
            e -= delta;
            if delta.abs() < 1e-12 {
                break;
            }
        }
        e
    }

    #[differentiable]
    fn radial_velocity(t: f64, planet: &[f64]) -> f64 {
        let &[period, k, ecc, omega, phase] = planet else {
            panic!("a planet has five elements");
        };
        let mean = (TAU * t / period + phase).rem_euclid(TAU);
        let ea = eccentric_anomaly(mean, ecc);
        let nu = 2.0
            * f64::atan2(
                (1.0 + ecc).sqrt() * (ea / 2.0).sin(),
                (1.0 - ecc).sqrt() * (ea / 2.0).cos(),
            );
        k * ((nu + omega).cos() + ecc * omega.cos())
    }

    #[differentiable]
    fn chi2(planet: &[f64], #[constant] obs: &[(f64, f64, f64)]) -> f64 {
        obs.iter()
            .map(|&(t, v, sigma)| ((radial_velocity(t, planet) - v) / sigma).powi(2))
            .sum()
    }

    #[test]
    fn radial_velocities() {
        let obs = [
            (0.3, 20.0, 5.0),
            (1.7, -11.0, 4.0),
            (3.2, 8.0, 6.0),
            (4.4, 30.0, 5.0),
        ];
        crate::check::scalar!(chi2, (&obs), &vec![4.1, 25.0, 0.3, 0.7, 0.2]);
    }
}

/// Attitude from vector observations, with quaternions.
mod wahba {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Quat {
        w: f64,
        v: [f64; 3],
    }

    #[differentiable]
    impl Quat {
        fn normalized(&self) -> Quat {
            let n = (self.w * self.w + self.v.iter().map(|c| c.powi(2)).sum::<f64>()).sqrt();
            Quat {
                w: self.w / n,
                v: self.v.map(|c| c / n),
            }
        }

        fn conj(&self) -> Quat {
            Quat {
                w: self.w,
                v: [-self.v[0], -self.v[1], -self.v[2]],
            }
        }

        fn mul(&self, o: &Quat) -> Quat {
            let (a, b) = (&self.v, &o.v);
            Quat {
                w: self.w * o.w - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
                v: [
                    self.w * b[0] + o.w * a[0] + a[1] * b[2] - a[2] * b[1],
                    self.w * b[1] + o.w * a[1] + a[2] * b[0] - a[0] * b[2],
                    self.w * b[2] + o.w * a[2] + a[0] * b[1] - a[1] * b[0],
                ],
            }
        }

        fn rotate(&self, p: [f64; 3]) -> [f64; 3] {
            let q = self.normalized();
            q.mul(&Quat { w: 0.0, v: p }).mul(&q.conj()).v
        }

        fn wahba(&self, #[constant] pairs: &[([f64; 3], [f64; 3])]) -> f64 {
            let mut loss = 0.0;
            for (body, world) in pairs {
                let r = self.rotate(*body);
                loss += (0..3).map(|i| (r[i] - world[i]).powi(2)).sum::<f64>();
            }
            loss / 2.0
        }
    }

    #[test]
    fn wahba() {
        let pairs = [
            ([1.0, 0.0, 0.2], [0.8, 0.5, 0.1]),
            ([0.0, 1.0, 0.0], [-0.5, 0.8, 0.2]),
        ];
        let make = |q: &[f64; 4]| Quat {
            w: q[0],
            v: [q[1], q[2], q[3]],
        };
        let list = |q: &Quat| vec![q.w, q.v[0], q.v[1], q.v[2]];
        crate::check::made!(
            Quat::wahba_ad.with(&pairs),
            |q: &Quat| q.wahba(&pairs),
            make,
            list,
            &[0.9, 0.1, -0.2, 0.3]
        );
    }
}

/// Orbit with J2 by velocity Verlet; the miss distance of a transfer.
mod orbit_with_j2 {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct State {
        r: [f64; 3],
        v: [f64; 3],
    }

    #[differentiable]
    impl State {
        fn radius(&self) -> f64 {
            self.r.iter().map(|c| c * c).sum::<f64>().sqrt()
        }

        fn accel(&self) -> [f64; 3] {
            const J2: f64 = 1.08e-3;
            let r = self.radius();
            let z2 = (self.r[2] / r).powi(2);
            let mut a = [0.0; 3];
            for i in 0..3 {
                let factor = if i == 2 {
                    3.0 - 5.0 * z2
                } else {
                    1.0 - 5.0 * z2
                };
                a[i] = -self.r[i] / r.powi(3) * (1.0 + 1.5 * J2 / (r * r) * factor);
            }
            a
        }

        fn step(&mut self, h: f64) {
            let a = self.accel();
            for ((r, v), a) in self.r.iter_mut().zip(self.v.iter()).zip(a.iter()) {
                *r += h * v + 0.5 * h * h * a;
            }
            let b = self.accel();
            for i in 0..3 {
                self.v[i] += 0.5 * h * (a[i] + b[i]);
            }
        }

        fn energy(&self) -> f64 {
            0.5 * self.v.iter().map(|v| v.powi(2)).sum::<f64>() - 1.0 / self.radius()
        }
    }

    #[differentiable]
    fn miss(v0: &[f64; 3], #[constant] target: &[f64; 3]) -> f64 {
        let mut s = State {
            r: [1.0, 0.0, 0.1],
            v: *v0,
        };
        let e0 = s.energy();
        for _ in 0..10 {
            s.step(0.1);
        }
        let drift = s.energy() - e0;
        let d2: f64 = s.r.iter().zip(target).map(|(a, b)| (a - b) * (a - b)).sum();
        d2 + drift.powi(2)
    }

    #[test]
    fn orbit_with_j2() {
        crate::check::scalar!(miss, (&[0.4, 0.9, 0.2]), &[0.1, 1.0, 0.2]);
    }
}
