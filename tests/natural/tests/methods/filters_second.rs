//! Filters and smoothers.

/// Rauch-Tung-Striebel smoother for a scalar random walk.
mod rts_smoother {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Gaussian {
        mean: f64,
        var: f64,
    }

    #[differentiable]
    fn update(prior: Gaussian, y: f64, r: f64) -> Gaussian {
        let k = prior.var / (prior.var + r);
        Gaussian {
            mean: prior.mean + k * (y - prior.mean),
            var: (1.0 - k) * prior.var,
        }
    }

    #[differentiable]
    pub fn smooth(x: &[f64], #[constant] ys: &[f64]) -> Vec<f64> {
        let phi = x[0];
        let q = x[1] * x[1];
        let r = x[2] * x[2];
        let n = ys.len();
        let mut filtered = Vec::with_capacity(n);
        let mut predicted = Vec::with_capacity(n);
        let mut g = Gaussian {
            mean: 0.0,
            var: 1.0,
        };
        for &y in ys {
            let p = Gaussian {
                mean: phi * g.mean,
                var: phi * phi * g.var + q,
            };
            g = update(p, y, r);
            predicted.push(p);
            filtered.push(g);
        }
        let mut out = vec![0.0; n];
        let mut last = filtered[n - 1];
        out[n - 1] = last.mean;
        for t in (0..n - 1).rev() {
            let f = filtered[t];
            let p = predicted[t + 1];
            let c = f.var * phi / p.var;
            last = Gaussian {
                mean: f.mean + c * (last.mean - p.mean),
                var: f.var + c * c * (last.var - p.var),
            };
            out[t] = last.mean;
        }
        out
    }

    #[test]
    fn rts_smoother() {
        vector!(smooth, (&[0.5, 1.2, 0.8, 1.5, 0.3]), &[0.9, 0.6, 0.5]);
    }
}

/// GARCH(1,1) volatility filter.
mod garch {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn variance_path(omega: f64, alpha: f64, beta: f64, #[constant] returns: &[f64]) -> Vec<f64> {
        let mut h = vec![omega / (1.0 - alpha - beta)];
        for r in &returns[..returns.len() - 1] {
            let last = h[h.len() - 1];
            h.push(omega + alpha * r * r + beta * last);
        }
        h
    }

    #[differentiable]
    pub fn neg_loglik(x: &[f64], #[constant] returns: &[f64]) -> f64 {
        let h = variance_path(x[0], x[1], x[2], returns);
        returns
            .iter()
            .zip(h.iter())
            .fold(0.0, |acc, (r, v)| acc + 0.5 * (v.ln() + r * r / v))
    }

    #[test]
    fn garch() {
        scalar!(
            neg_loglik,
            (&[0.4, -1.1, 0.7, 1.3, -0.2, 0.6]),
            &[0.2, 0.15, 0.6]
        );
    }
}

/// Unscented transform of a nonlinear map, sigma points in vectors; inline module.
mod unscented {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        type Point = [f64; 2];

        fn chol2(p: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
            let l00 = p[0][0].sqrt();
            let l10 = p[1][0] / l00;
            let l11 = (p[1][1] - l10 * l10).sqrt();
            [[l00, 0.0], [l10, l11]]
        }

        fn sigma_points(m: Point, p: [[f64; 2]; 2], kappa: f64) -> Vec<Point> {
            let l = chol2(p);
            let s = (2.0 + kappa).sqrt();
            let mut pts = vec![m];
            for j in 0..2 {
                pts.push([m[0] + s * l[0][j], m[1] + s * l[1][j]]);
                pts.push([m[0] - s * l[0][j], m[1] - s * l[1][j]]);
            }
            pts
        }

        fn polar_to_cartesian(p: &Point) -> Point {
            let [r, a] = *p;
            [r * a.cos(), r * a.sin()]
        }

        pub fn transform(x: &[f64]) -> Vec<f64> {
            let kappa = 1.0;
            let pts = sigma_points([x[0], x[1]], [[x[2], x[3]], [x[3], x[4]]], kappa);
            let w0 = kappa / (2.0 + kappa);
            let wi = 0.5 / (2.0 + kappa);
            let mut mean = [0.0; 2];
            for (i, p) in pts.iter().enumerate() {
                let w = if i == 0 { w0 } else { wi };
                let y = polar_to_cartesian(p);
                mean[0] += w * y[0];
                mean[1] += w * y[1];
            }
            mean.to_vec()
        }
    }

    #[test]
    fn unscented() {
        vector!(model::transform, (), &[1.5, 0.6, 0.3, 0.05, 0.2]);
    }
}

/// Holt-Winters exponential smoothing, one-step forecast errors.
mod holt_winters {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const PERIOD: usize = 4;

    #[derive(Clone, Debug, Differentiable)]
    struct Smoother {
        level: f64,
        trend: f64,
        season: Vec<f64>,
    }

    #[differentiable]
    impl Smoother {
        fn forecast(&self, t: usize) -> f64 {
            self.level + self.trend + self.season[t % PERIOD]
        }

        fn update(&mut self, t: usize, y: f64, alpha: f64, beta: f64, gamma: f64) {
            let last = self.level;
            let s = self.season[t % PERIOD];
            self.level = alpha * (y - s) + (1.0 - alpha) * (self.level + self.trend);
            self.trend = beta * (self.level - last) + (1.0 - beta) * self.trend;
            self.season[t % PERIOD] = gamma * (y - self.level) + (1.0 - gamma) * s;
        }
    }

    #[differentiable]
    fn sigmoid(z: f64) -> f64 {
        1.0 / (1.0 + (-z).exp())
    }

    #[differentiable]
    pub fn sse(x: &[f64], #[constant] y: &[f64]) -> f64 {
        let (alpha, beta, gamma) = (sigmoid(x[0]), sigmoid(x[1]), sigmoid(x[2]));
        let mut model = Smoother {
            level: y[0],
            trend: 0.0,
            season: vec![0.1, -0.1, 0.2, -0.2],
        };
        let mut total = 0.0;
        for (t, &obs) in y.iter().enumerate().skip(1) {
            let e = obs - model.forecast(t);
            total += e * e;
            model.update(t, obs, alpha, beta, gamma);
        }
        total
    }

    #[test]
    fn holt_winters() {
        let y = [1.0, 0.8, 1.5, 0.9, 1.4, 1.1, 1.9, 1.3, 1.7];
        scalar!(sse, (&y), &[0.2, -0.8, -0.3]);
    }
}

/// First order low-pass and high-pass in cascade; method chosen by an enum.
mod rc_cascade {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    enum Stage {
        LowPass,
        HighPass,
    }

    #[differentiable]
    fn run_stage(kind: Stage, tau: f64, dt: f64, input: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; input.len()];
        match kind {
            Stage::LowPass => {
                let a = dt / (tau + dt);
                out[0] = a * input[0];
                for i in 1..input.len() {
                    out[i] = out[i - 1] + a * (input[i] - out[i - 1]);
                }
            }
            Stage::HighPass => {
                let a = tau / (tau + dt);
                out[0] = input[0];
                for i in 1..input.len() {
                    out[i] = a * (out[i - 1] + input[i] - input[i - 1]);
                }
            }
        }
        out
    }

    #[differentiable]
    pub fn output(x: &[f64], #[constant] signal: &[f64]) -> Vec<f64> {
        let stages = [Stage::LowPass, Stage::HighPass, Stage::LowPass];
        let mut s = signal.to_vec();
        for (kind, tau) in stages.iter().zip(x) {
            s = run_stage(*kind, *tau, 0.1, &s);
        }
        s
    }

    #[test]
    fn rc_cascade() {
        vector!(output, (&[0.0, 1.0, 1.0, 0.5, -0.5, 0.2]), &[0.3, 0.8, 0.2]);
    }
}

// E0446 private type `complementary::Sample` in public interface
/// Complementary filter for attitude from rate and accelerometer records.
mod complementary {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Sample {
        gyro: f64,
        ax: f64,
        az: f64,
        valid: bool,
    }

    fn tilt(s: &Sample) -> Option<f64> {
        if s.valid {
            Some(s.ax.atan2(s.az))
        } else {
            None
        }
    }

    #[differentiable]
    pub fn track(x: &[f64], #[constant] samples: &[Sample]) -> f64 {
        let (alpha, bias) = (x[0], x[1]);
        let dt = 0.05;
        let mut angle = x[2];
        let mut cost = 0.0;
        for s in samples {
            let gyro_angle = angle + (s.gyro - bias) * dt;
            angle = match tilt(s) {
                Some(acc) => alpha * gyro_angle + (1.0 - alpha) * acc,
                None => gyro_angle,
            };
            cost += (angle - 0.3) * (angle - 0.3);
        }
        cost
    }

    #[test]
    fn complementary() {
        let samples: Vec<Sample> = (0..6)
            .map(|i| Sample {
                gyro: 0.4 + 0.1 * i as f64,
                ax: 0.3,
                az: 0.9,
                valid: i % 3 != 1,
            })
            .collect();
        scalar!(track, (&samples), &[0.8, 0.2, 0.5]);
    }
}

// E0446 private type `Config` in public interface
/// LMS and normalised LMS adaptive filter, mode by a bool in a config.
mod lms {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Config {
        taps: usize,
        normalised: bool,
        label: String,
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
    }

    #[differentiable]
    pub fn final_error(x: &[f64], #[constant] signal: &[f64], #[constant] cfg: &Config) -> f64 {
        let mu = x[0];
        let mut w = x[1..].to_vec();
        let mut mse = 0.0;
        let mut count = 0;
        for n in cfg.taps..signal.len() {
            let u = &signal[n - cfg.taps..n];
            let e = signal[n] - dot(&w, u);
            let scale = if cfg.normalised {
                mu / (0.1 + dot(u, u))
            } else {
                mu
            };
            for k in 0..cfg.taps {
                w[k] += scale * e * u[k];
            }
            mse += e * e;
            count += 1;
        }
        mse / count as f64
    }

    #[test]
    fn lms() {
        let signal = [0.3, 0.8, 1.0, 0.5, -0.2, -0.9, -0.7, 0.1, 0.6];
        let plain = Config {
            taps: 2,
            normalised: false,
            label: String::from("lms"),
        };
        let norm = Config {
            taps: 2,
            normalised: true,
            label: String::from("nlms"),
        };
        scalar!(final_error, (&signal, &plain), &[0.3, 0.5, 0.2]);
        scalar!(final_error, (&signal, &norm), &[0.3, 0.5, 0.2]);
    }
}
