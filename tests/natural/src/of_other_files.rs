//! Programs over several files, which import types with their methods and operators.

/// A closed elastic loop: bending, stretching and pressure.
mod elastic_loop {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod model {
        use crate::library::plane::{P, area};

        pub struct Sheet {
            pub stiffness: f64,
            pub pressure: f64,
            pub rest: f64,
        }

        fn turning(points: &[P]) -> Vec<f64> {
            let n = points.len();
            let mut angles = Vec::with_capacity(n);
            for i in 0..n {
                let before = points[i] - points[(i + n - 1) % n];
                let after = points[(i + 1) % n] - points[i];
                angles.push(before.angle_to(after));
            }
            angles
        }

        pub fn energy(x: &[f64], #[constant] sheet: &Sheet) -> f64 {
            let points: Vec<P> = x.chunks(2).map(|c| P::new(c[0], c[1])).collect();
            let bending: f64 = turning(&points)
                .iter()
                .map(|t| sheet.stiffness * (t / 2.0).tan().powi(2))
                .sum();
            let mut stretching = 0.0;
            for (i, p) in points.iter().enumerate() {
                let next = if i + 1 == points.len() {
                    points[0]
                } else {
                    points[i + 1]
                };
                stretching += 0.5 * ((next - *p).norm() / sheet.rest - 1.0).powi(2);
            }
            bending + stretching - sheet.pressure * area(&points)
        }
    }

    #[test]
    fn energy() {
        let sheet = model::Sheet {
            stiffness: 0.3,
            pressure: 0.2,
            rest: 1.0,
        };
        scalar!(
            model::energy,
            (&sheet),
            &vec![1.0, 0.1, 0.4, 0.9, -0.6, 0.8, -1.0, -0.1]
        );
    }
}

/// Localisation of a robot by odometry and bearings, which are variants with data in them.
mod localisation {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod slam {
        use crate::library::plane::P;

        #[derive(Clone, Copy)]
        pub struct Pose {
            pub at: P,
            pub heading: f64,
        }

        pub enum Factor {
            Odometry {
                from: usize,
                to: usize,
                distance: f64,
                turn: f64,
            },
            Bearing {
                from: usize,
                landmark: P,
                angle: f64,
            },
            Prior(usize, P),
        }

        impl Pose {
            fn relative(&self, p: P) -> P {
                (p - self.at).rotated(-self.heading)
            }
        }

        pub fn error(x: &[f64], #[constant] factors: &[Factor]) -> f64 {
            let mut poses = Vec::new();
            for c in x.chunks_exact(3) {
                poses.push(Pose {
                    at: P::new(c[0], c[1]),
                    heading: c[2],
                });
            }
            let mut sum = 0.0;
            for factor in factors {
                sum += match factor {
                    Factor::Odometry {
                        from,
                        to,
                        distance,
                        turn,
                    } => {
                        let step = poses[*from].relative(poses[*to].at);
                        let expected = P::polar(*distance, turn / 2.0);
                        let dh = poses[*to].heading - poses[*from].heading - turn;
                        (step - expected).dot(step - expected) / 0.01 + dh * dh / 0.02
                    }
                    Factor::Bearing {
                        from,
                        landmark,
                        angle,
                    } => {
                        let seen = poses[*from].relative(*landmark);
                        (seen.y.atan2(seen.x) - angle).powi(2) / 0.05
                    }
                    Factor::Prior(i, p) => 10.0 * (poses[*i].at - *p).norm().powi(2),
                };
            }
            0.5 * sum
        }
    }

    #[test]
    fn error() {
        use crate::library::plane::P;
        use slam::Factor::*;
        let factors = vec![
            Prior(0, P::new(0.0, 0.0)),
            Odometry {
                from: 0,
                to: 1,
                distance: 1.0,
                turn: 0.3,
            },
            Bearing {
                from: 1,
                landmark: P::new(2.0, 2.0),
                angle: 0.8,
            },
        ];
        scalar!(
            slam::error,
            (&factors),
            &vec![0.02, -0.01, 0.05, 1.0, 0.1, 0.32]
        );
    }
}

/// Registration of a cloud of points on a grey image, with a struct of points of another file.
mod registration {
    use crate::library::image::{Image, sample};
    use crate::library::plane::P as Point;
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Similarity {
        log_scale: f64,
        angle: f64,
        shift: Point,
    }

    #[differentiable]
    impl Similarity {
        fn apply(&self, p: Point) -> Point {
            self.log_scale.exp() * p.rotated(self.angle) + self.shift
        }
    }

    #[differentiable]
    fn loss(t: &Similarity, #[constant] cloud: &[Point], #[constant] image: &Image) -> f64 {
        let mut loss = 0.0;
        for &p in cloud {
            let q = t.apply(p);
            let d = sample(image, q.x, q.y) - 0.4;
            loss += (d * d + 1e-2).sqrt() + 0.01 * (q - t.shift).dot(q);
        }
        loss
    }

    #[test]
    fn soft_loss() {
        let pixels = (0..30).map(|k| 1.0 + 0.3 * (k as f64 * 0.7).sin());
        let image = Image {
            width: 6,
            pixels: pixels.collect(),
        };
        let start = [0.05, 0.03, 0.13, -0.04];
        let cloud = [(2.1, 2.2), (2.8, 1.7), (1.2, 2.6)].map(|(x, y)| Point::new(x, y));
        crate::check::made!(
            loss::AD.with(&cloud, &image),
            |t: &Similarity| loss(t, &cloud, &image),
            |q: &[f64; 4]| Similarity {
                log_scale: q[0],
                angle: q[1],
                shift: Point::new(q[2], q[3]),
            },
            |t: &Similarity| vec![t.log_scale, t.angle, t.shift.x, t.shift.y],
            &start
        );
    }
}

/// The way of a boat in a current, with types of another module by their paths.
mod by_paths {
    use crate::check::scalar;
    use crate::library::plane;
    use di::prelude::*;

    #[differentiable]
    fn drift(x: &[f64]) -> f64 {
        let mut at = plane::P::new(0.2, x[0]);
        let mut speed = plane::P::polar(x[1], x[2]);
        for k in 0..6 {
            let current = plane::P {
                x: 0.1 * at.y.sin(),
                y: 0.05 * k as f64,
            };
            speed = speed + 0.3 * (current - 0.2 * speed);
            at = at + 0.5 * speed;
        }
        at.dot(at) + at.cross(speed)
    }

    #[test]
    fn in_a_current() {
        scalar!(drift, (), &vec![0.4, 1.3, 0.6]);
    }
}

/// Losses of regressions, by a function that is generic over links, which are constants.
mod regressions {
    use crate::check::scalar;
    use crate::library::links::{Cloglog, Link, Log, Power, loss};
    use di::prelude::*;

    // not that of the library
    const RIDGE: f64 = 5.0;

    #[differentiable]
    fn both(beta: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let link = Power { exponent: 2 };
        RIDGE * loss(beta, data, &Log) + loss(beta, data, &link) + link.inverse(beta[0])
    }

    #[differentiable]
    fn several(beta: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let mut total = Log.inverse(beta[0]);
        for k in 1..4 {
            total += loss(beta, data, &Power { exponent: k + 1 });
        }
        total + loss(beta, data, &Cloglog(0.7))
    }

    #[test]
    fn of_links() {
        let data = [(0.1, 0.9), (0.4, 2.6), (0.7, 0.2)];
        scalar!(both, (&data), &vec![0.2, 0.4]);
        scalar!(several, (&data), &vec![0.3, 0.5]);
    }
}

/// Filters whose state is private to a library.
mod smoothing {
    use crate::check::scalar;
    use crate::library::links::Delay;
    use di::prelude::*;

    #[differentiable]
    fn rough(p: &[f64], #[constant] signal: &[f64]) -> f64 {
        let mut first = Delay::default();
        let mut others = vec![Delay::default(); 2];
        let mut total = 0.0;
        for x in signal {
            let mut y = first.smooth(p[0], *x);
            for d in others.iter_mut() {
                y = d.smooth(p[1], y);
            }
            total += y * y;
        }
        total
    }

    #[test]
    fn of_signals() {
        scalar!(rough, (&[0.3, 1.0, -0.4, 0.8]), &vec![0.3, 0.6]);
    }
}
