//! Programs that import types with their methods and operators from another crate.

#![allow(
    clippy::all,
    dead_code,
    missing_docs,
    unreachable_pub,
    unused,
    reason = "programs as they were written"
)]

#[path = "../src/check.rs"]
mod check;

/// The evidence of a Gaussian process, with matrices of a library.
mod evidence {
    use crate::check::scalar;
    use di::prelude::*;
    use natural::library::systems::Mat;

    #[differentiable]
    fn gram<F: Fn(f64, f64) -> f64>(t: &[f64], jitter: f64, kernel: F) -> Mat {
        let mut k = Mat::zeros(t.len());
        for (i, a) in t.iter().enumerate() {
            for (j, b) in t.iter().enumerate() {
                let extra = if i == j { jitter } else { 0.0 };
                k.set(i, j, kernel(*a, *b) + extra);
            }
        }
        k
    }

    #[differentiable]
    fn evidence(theta: &[f64], #[constant] t: &[f64], #[constant] y: &[f64]) -> f64 {
        let (amplitude, scale) = (theta[0].exp(), theta[1].exp());
        let k = gram(t, 0.05, |a, b| {
            amplitude * (-0.5 * ((a - b) / scale).powi(2)).exp()
        });
        let l = match k.cholesky() {
            Ok(l) => l,
            Err(i) => panic!("pivot {i} is not positive"),
        };
        let z = l.forward_solve(y);
        let mut e = 0.5 * z.iter().map(|v| v.powi(2)).sum::<f64>();
        for i in 0..l.rows {
            e += l.get(i, i).ln();
        }
        e
    }

    #[test]
    fn of_a_process() {
        let (t, y) = ([0.0, 0.5, 1.2, 1.9, 2.6], [0.3, 0.8, -0.4, 0.6, 0.5]);
        scalar!(evidence, (&t, &y), &vec![0.2, 0.1]);
    }
}

/// An arm of two links in an annotated module, whose points are of a library.
mod arm {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    mod kinematics {
        use natural::library::plane::P;

        struct Joint {
            at: P,
            angle: f64,
        }

        fn tip(joints: &[Joint]) -> P {
            let mut tip = P::new(0.0, 0.0);
            for joint in joints {
                tip = joint.at + tip.rotated(joint.angle);
            }
            tip
        }

        pub fn miss(angles: &[f64], #[constant] target: P) -> f64 {
            let joints: Vec<Joint> = angles
                .iter()
                .map(|&angle| Joint {
                    at: P::polar(1.0, angle / 2.0),
                    angle,
                })
                .collect();
            (tip(&joints) - target).norm()
        }
    }

    #[test]
    fn reaches() {
        let target = natural::library::plane::P::new(0.4, 1.7);
        scalar!(kinematics::miss, (target), &vec![0.3, 0.8, -0.2]);
    }
}

/// Losses of regressions, by a function that is generic over links, which are constants.
mod regressions {
    use crate::check::scalar;
    use di::prelude::*;
    use natural::library::links::{Cloglog, Link, Log, Power, loss};

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
    use di::prelude::*;
    use natural::library::links::Delay;

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
