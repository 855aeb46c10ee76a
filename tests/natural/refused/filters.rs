//! Filters and smoothers. Refused: each with what the compiler says.


// 182 E0080 [DI0301] the type of this cannot be told
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
