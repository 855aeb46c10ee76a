//! Curve fits.

/// Polynomial by Horner, rational function and their least squares in place.
mod rational_fit {
    use crate::check::{inplace, scalar};
    use di::prelude::*;

    #[differentiable]
    mod system {
        fn horner(c: &[f64], x: f64) -> f64 {
            c.iter().rev().fold(0.0, |acc, ci| acc * x + ci)
        }

        pub fn residuals(
            p: &[f64],
            #[constant] xs: &[f64],
            #[constant] ys: &[f64],
            out: &mut [f64],
        ) {
            let (num, den) = p.split_at(3);
            for ((o, &x), &y) in out.iter_mut().zip(xs).zip(ys) {
                let q = 1.0 + x * horner(den, x);
                *o = horner(num, x) / q - y;
            }
        }
    }

    #[test]
    fn rational_fit() {
        inplace!(
            system::residuals,
            (&[0.1, 0.5, 0.9, 1.4], &[0.9, 1.2, 1.1, 0.8]),
            &[0.8, 1.1, -0.3, 0.2, 0.4],
            4
        );
    }
}

/// Gauss-Newton steps unrolled for a two parameter decay; result as function of the data.
mod gauss_newton_unrolled {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const T: [f64; 4] = [0.0, 0.5, 1.0, 1.8];

    #[differentiable]
    fn residual_and_jacobian(p: &[f64; 2], y: &[f64]) -> (Vec<f64>, Vec<[f64; 2]>) {
        let mut r = vec![];
        let mut j = vec![];
        for (t, yi) in T.iter().zip(y) {
            let e = (-p[1] * t).exp();
            r.push(p[0] * e - yi);
            j.push([e, -p[0] * t * e]);
        }
        (r, j)
    }

    #[differentiable]
    pub fn estimate(y: &[f64], iterations: usize) -> [f64; 2] {
        let mut p = [1.0, 0.8];
        for _ in 0..iterations {
            let (r, j) = residual_and_jacobian(&p, y);
            let mut a = [[1e-3, 0.0], [0.0, 1e-3]];
            let mut g = [0.0, 0.0];
            for (ri, ji) in r.iter().zip(&j) {
                for k in 0..2 {
                    g[k] += ji[k] * ri;
                    for l in 0..2 {
                        a[k][l] += ji[k] * ji[l];
                    }
                }
            }
            let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            p[0] -= (a[1][1] * g[0] - a[0][1] * g[1]) / det;
            p[1] -= (a[0][0] * g[1] - a[1][0] * g[0]) / det;
        }
        p
    }

    #[test]
    fn gauss_newton_unrolled() {
        vector!(estimate, (6), &[1.3, 0.9, 0.6, 0.3]);
    }
}

/// Global fit of several data sets with shared and local parameters, nested vectors.
mod global_fit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod global {
        pub struct Curve {
            pub concentration: f64,
            pub points: Vec<(f64, f64)>,
        }

        fn kinetic(t: f64, c: f64, kon: f64, koff: f64, rmax: f64) -> f64 {
            let kobs = kon * c + koff;
            let req = rmax * kon * c / kobs;
            req * (1.0 - (-kobs * t).exp())
        }

        pub fn residuals(x: &[f64], #[constant] curves: &[Curve]) -> Vec<f64> {
            let (kon, koff) = (x[0].exp(), x[1].exp());
            let mut out = Vec::new();
            for (i, curve) in curves.iter().enumerate() {
                let rmax = x[2 + i];
                out.extend(
                    curve
                        .points
                        .iter()
                        .map(|(t, y)| kinetic(*t, curve.concentration, kon, koff, rmax) - y),
                );
            }
            out
        }

        pub fn cost(x: &[f64], #[constant] curves: &[Curve]) -> f64 {
            0.5 * residuals(x, curves).iter().map(|r| r * r).sum::<f64>()
        }
    }

    #[test]
    fn global_fit() {
        let curves = vec![
            global::Curve {
                concentration: 0.5,
                points: vec![(0.2, 0.1), (0.8, 0.3), (1.6, 0.4)],
            },
            global::Curve {
                concentration: 1.5,
                points: vec![(0.3, 0.4), (1.0, 0.8)],
            },
        ];
        scalar!(global::cost, (&curves), &[0.2, -0.7, 1.0, 1.3]);
        vector!(global::residuals, (&curves), &[0.2, -0.7, 1.0, 1.3]);
    }
}

/// Natural cubic spline with knots values as parameters.
mod spline_fit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Spline {
        knots: Vec<f64>,
        values: Vec<f64>,
        second: Vec<f64>,
    }

    #[differentiable]
    impl Spline {
        fn natural(knots: &[f64], values: &[f64]) -> Spline {
            let n = knots.len();
            let mut second = vec![0.0; n];
            let mut u = vec![0.0; n];
            for i in 1..n - 1 {
                let sig = (knots[i] - knots[i - 1]) / (knots[i + 1] - knots[i - 1]);
                let p = sig * second[i - 1] + 2.0;
                second[i] = (sig - 1.0) / p;
                let slope = (values[i + 1] - values[i]) / (knots[i + 1] - knots[i])
                    - (values[i] - values[i - 1]) / (knots[i] - knots[i - 1]);
                u[i] = (6.0 * slope / (knots[i + 1] - knots[i - 1]) - sig * u[i - 1]) / p;
            }
            second[n - 1] = 0.0;
            for k in (0..n - 1).rev() {
                second[k] = second[k] * second[k + 1] + u[k];
            }
            Spline {
                knots: knots.to_vec(),
                values: values.to_vec(),
                second,
            }
        }

        fn eval(&self, x: f64) -> f64 {
            let mut lo = 0;
            let mut hi = self.knots.len() - 1;
            while hi - lo > 1 {
                let mid = (lo + hi) / 2;
                if self.knots[mid] > x {
                    hi = mid;
                } else {
                    lo = mid;
                }
            }
            let h = self.knots[hi] - self.knots[lo];
            let a = (self.knots[hi] - x) / h;
            let b = 1.0 - a;
            a * self.values[lo]
                + b * self.values[hi]
                + ((a.powi(3) - a) * self.second[lo] + (b.powi(3) - b) * self.second[hi]) * h * h
                    / 6.0
        }
    }

    #[differentiable]
    pub fn fitted(y: &[f64], #[constant] knots: &[f64], #[constant] at: &[f64]) -> Vec<f64> {
        let s = Spline::natural(knots, y);
        at.iter().map(|x| s.eval(*x)).collect()
    }

    #[test]
    fn spline_fit() {
        vector!(
            fitted,
            (&[0.0, 0.5, 1.2, 2.0, 2.6], &[0.2, 0.9, 1.7, 2.4]),
            &[0.1, 0.7, 0.4, 1.1, 0.6]
        );
    }
}

// E0446 private type `Obs` in public interface
/// Enzyme kinetics fitted to observations in structs with weights.
mod michaelis_menten {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Obs {
        substrate: f64,
        rate: f64,
        sd: f64,
    }

    #[differentiable]
    fn model(p: &[f64], #[constant] s: f64) -> f64 {
        p[0] * s / (p[1] + s)
    }

    #[differentiable]
    pub fn chi2(p: &[f64], #[constant] data: &[Obs]) -> f64 {
        data.iter()
            .map(|o| ((model(p, o.substrate) - o.rate) / o.sd).powi(2))
            .sum()
    }

    #[differentiable]
    pub fn residuals(p: &[f64], #[constant] data: &[Obs]) -> Vec<f64> {
        let mut r = Vec::with_capacity(data.len());
        for o in data {
            r.push((model(p, o.substrate) - o.rate) / o.sd);
        }
        r
    }

    #[test]
    fn michaelis_menten() {
        let data: Vec<Obs> = [(0.2, 0.3), (0.5, 0.6), (1.0, 0.8), (2.0, 1.1)]
            .iter()
            .map(|&(substrate, rate)| Obs {
                substrate,
                rate,
                sd: 0.5,
            })
            .collect();
        scalar!(chi2, (&data), &[1.4, 0.7]);
        vector!(residuals, (&data), &[1.4, 0.7]);
    }
}

// E0446 private type `Velocity` in public interface
/// Sine fit to unevenly sampled data with groups and offsets per group.
mod grouped_sine {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    enum Instrument {
        Harps,
        Elodie,
    }

    struct Velocity {
        time: f64,
        value: f64,
        source: Instrument,
    }

    #[differentiable]
    fn offset(x: &[f64], source: Instrument) -> f64 {
        match source {
            Instrument::Harps => x[3],
            Instrument::Elodie => x[4],
        }
    }

    #[differentiable]
    pub fn log_likelihood(x: &[f64], #[constant] data: &[Velocity]) -> f64 {
        let (k, period, phase) = (x[0], x[1], x[2]);
        let jitter = x[5].exp();
        let mut ll = 0.0;
        for v in data {
            let model =
                k * (std::f64::consts::TAU * v.time / period + phase).sin() + offset(x, v.source);
            let s2 = 0.04 + jitter * jitter;
            ll -= 0.5 * ((v.value - model).powi(2) / s2 + s2.ln());
        }
        ll
    }

    #[test]
    fn grouped_sine() {
        use Instrument::*;
        let data = vec![
            Velocity {
                time: 0.1,
                value: 0.5,
                source: Harps,
            },
            Velocity {
                time: 0.9,
                value: 1.3,
                source: Harps,
            },
            Velocity {
                time: 1.4,
                value: 0.2,
                source: Elodie,
            },
            Velocity {
                time: 2.2,
                value: -0.6,
                source: Elodie,
            },
            Velocity {
                time: 2.9,
                value: 0.4,
                source: Harps,
            },
        ];
        scalar!(log_likelihood, (&data), &[0.9, 2.7, 0.3, 0.1, -0.2, -0.5]);
    }
}
