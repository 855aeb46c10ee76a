//! Experienced: sound synthesis, an oscillator as an Iterator, envelope stages by enum state machine.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod synth {
    #[derive(Clone, Copy, Debug)]
    pub struct Adsr {
        pub attack: f64,
        pub decay: f64,
        pub sustain: f64,
        pub release: f64,
    }

    impl Adsr {
        fn level(&self, t: f64, gate: f64) -> f64 {
            if t < self.attack {
                t / self.attack
            } else if t < self.attack + self.decay {
                1.0 - (1.0 - self.sustain) * (t - self.attack) / self.decay
            } else if t < gate {
                self.sustain
            } else {
                self.sustain * (-(t - gate) / self.release).exp()
            }
        }
    }

    pub struct Osc {
        phase: f64,
        step: f64,
    }

    impl Iterator for Osc {
        type Item = f64;
        fn next(&mut self) -> Option<f64> {
            let out = (std::f64::consts::TAU * self.phase).sin();
            self.phase = (self.phase + self.step).fract();
            Some(out)
        }
    }

    pub fn energy(env: &Adsr, freq: f64) -> f64 {
        let rate = 1000.0;
        Osc { phase: 0.0, step: freq / rate }
            .take(200)
            .enumerate()
            .map(|(i, s)| {
                let out = s * env.level(i as f64 / rate, 0.15);
                out * out
            })
            .sum::<f64>()
            .sqrt()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let env = synth::Adsr { attack: 0.0203, decay: 0.0501, sustain: 0.6, release: 0.03 };
    let (g, gf) = gradient(synth::energy::AD, NoPrep, &AutoSource::new(), &(env, 23.0))?;
    let f = |x: &[f64]| synth::energy(&synth::Adsr { attack: x[0], decay: x[1], sustain: x[2], release: x[3] }, x[4]);
    check("33", &[g.attack, g.decay, g.sustain, g.release, gf], &fd(f, &[0.0203, 0.0501, 0.6, 0.03, 23.0]));
    Ok(())
}
